"""Colours, and every word of the dashboard that is not a sentence of the verdict. Other languages begin here.

Nothing is computed and nothing is drawn here. Colours hold 3:1 on the light and on the dark background.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from rankdash.records import frozen

# --- colours ---------------------------------------------------------------------------------------------------------

WIN, LOSS, SAME, MODEL = "#0c8f6a", "#d6336c", "#8a93a3", "#4263eb"
#: Labels in figures, which the theme does not reach: 4:1 on either ground. On a page the style sheet takes a darker
#: or a lighter shade, by this number.
TEXT = "#737b8a"
#: The same as names of the theme (.streamlit/config.toml gives them these colours).
THEME: Mapping[str, Literal["green", "red", "gray", "blue"]] = {WIN: "green", LOSS: "red", SAME: "gray", MODEL: "blue"}
#: The same as letters, and behind white letters, 4.5:1 or more: on a light ground, and on a dark one.
BADGE: Mapping[str, str] = {WIN: "#0a7d5c", LOSS: "#c2255c", SAME: "#646c7a", MODEL: "#364fc7"}
ON_DARK: Mapping[str, str] = {WIN: "#38c793", LOSS: "#f783ac", SAME: "#a3abb9", MODEL: "#879cf2"}


def tone(x: float | None) -> str:
    """Return the colour of a difference: B better, B worse, or the same."""
    return SAME if not x else WIN if x > 0 else LOSS


def proven_tone(interval: tuple[float | None, float | None] | None, good: int = 1) -> str:
    """Return the colour of a difference by its interval: grey if that is unknown or contains 0. ``good`` is the sign of
    an improvement.
    """
    low, high = interval or (None, None)
    return SAME if low is None or high is None or low <= 0 <= high else tone(good * low)


# --- pages -----------------------------------------------------------------------------------------------------------

#: The style sheet of the pages, for screens and for printing the verdict on one sheet of paper: what Streamlit has no
#: setting for. Each rule in it names its purpose.
SHEET = Path(__file__).with_name("page.css")
#: Letters that a line and a text of several lines take: what is typed is kept, shown and searched.
LONGEST_LINE, LONGEST_TEXT = 300, 2_000
APP = "rankdash"
VERDICT, DATA = "Verdict", "Data"
NEW_COMPARISON = "New comparison"
#: Closes a dialog in which something is typed.
CANCEL = "Cancel"
DEMO_NAMES = {"search": "Demo: product search", "diversity": "Demo: several meanings"}
DEMO_BADGE = "Demo data"
DEMO_MODELS = {"search": ("Title only", "All fields"), "diversity": ("Most read", "Mixed and fresh")}
COMPARING = "Comparing A with B"
RENAME, RENAME_OR_SWAP, SWAP = "Rename", "Rename or swap", "Swap A and B"
SWAP_OPEN = "After a swap the verdict is about the other model. Edits stay with their lists."
SWAP_SAVED = "This comparison is saved. A swap changes it for everyone who opens it. " + SWAP_OPEN
COMPARISON_NAME = "Comparison"
USE_NAMES = "Use these names"
NAMES_MISSING = "No name may be empty."
NAMES_ALIKE = "Models need different names."

# --- the verdict page ------------------------------------------------------------------------------------------------

NEXT_STEP, CHECK_FIRST = "Next step", "Look at the warnings first."
NOTED = "Noted"
ICONS = {
    "LAUNCH": ":material/check_circle:",
    "WORSE": ":material/cancel:",
    "TOO_SMALL": ":material/do_not_disturb_on:",
    "NOT_PROVEN": ":material/pending:",
    "NOT_COMPARABLE": ":material/error:",
}
OUTCOME_COLOUR = {"LAUNCH": WIN, "WORSE": LOSS}


def outcome_tone(outcome: str | None) -> str:
    """Return the colour of a verdict; grey where it says neither, or is not known."""
    return OUTCOME_COLOUR.get(outcome or "", SAME)


NOT_DEFINED_WHY = {
    "no_data": "There is no query to compare.",
    "n_too_small": "There is one query; an interval needs two.",
    "one_group": "All queries are one group; an interval needs two.",
    "fixed": "On exactly these queries; nothing is said about others.",
    "all_ties": "A and B are tied on every query; no interval can be drawn.",
    "zero_variance": "The difference is the same on every query; no interval can be drawn.",
    "groups_alike": "The difference is the same in every group; no interval can be drawn.",
}
NO_INTERVAL = "no interval"
FROM, INTERVAL = "from {mean}", "interval {ends}"
#: By whether the queries stand for others like them: a fixed set may lose just as much.
MAY_LOSE = {True: "may lose less than {margin}", False: "may lose at most {margin}"}
MAP = "{measure} (MAP)"
ROLES = {"primary": "decides", "guardrail": "guardrail", "watch": "watched", "information": "for information"}
#: What a role means, where the word first stands.
ROLES_HELP = {
    "guardrail": "B launches only if a loss over its limit is ruled out for every guardrail.",
    "watch": "A watched measure stops a launch only if it loses more than its limit and chance is unlikely (p < 0.05).",
}
#: What the number of a measure means, for people who never heard of it; of others the formula is said.
MEANINGS: Mapping[str, str] = {
    "nDCG": "nDCG is 1 for the best possible list, 0 for one with nothing relevant.",
    "AP": "AP averages the precision at each relevant document, 0 if it is not listed. Its mean is MAP.",
    "RR": "RR is 1 / rank of the first relevant document. Its mean is MRR.",
    "P": "P@k is precision: the share of the first k documents that are relevant.",
    "R": "R@k is recall: the share of all relevant documents that stand among the first k.",
    "Success": "Success@k is the share of the queries with a relevant document among the first k.",
}
FORMULA, RELEVANT_FROM = "{name} is {formula}.", " Relevant from grade {rel}."
GSB_DERIVED = "derived from {measure}, no votes yet"
GSB_UNUSED = "derived from {measure}, votes not used"
GSB_HELP = (
    "ΔGSB is the share of queries that B wins minus the share that it loses. Here it is derived from "
    "{measure}: a difference of up to {tolerance} counts as the same. A derived ΔGSB explains and never decides."
)
GSB_COUNTS = "{good} good · {same} same · {bad} bad"
GSB_FORMULA = "(good − bad) / all"
GSB_TIED = "same: up to {tolerance}"

QUESTIONS = {"comparable": "Comparable?", "better": "Better?", "harmed": "Harm?", "enough": "Minimum met?"}
ANSWER = "Answer"
#: What each question is answered with, by the status of its rules.
STATUS = {"passed": "passed", "failed": "failed", "not_proven": "not proven", "not_applicable": "does not apply"}
STATUS_ICON = {
    "passed": ":green[:material/check:]",
    "failed": ":red[:material/close:]",
    "not_proven": ":orange[:material/question_mark:]",
    "not_applicable": ":gray[:material/remove:]",
}
WHY = "Why"
RULES, RULES_TITLE = "Show the rules", "The rules"
RULE_COLUMNS = ("Rule", "Condition", "Status", "What it found")


INTERVALS = "Difference B − A, 95% paired t interval"
DIFFERENCES = "Difference B − A"
RULES_BOUND = "Allowed losses are tested at the lower end of 90% intervals. The 95% intervals reach further."
INTERVALS_LEGEND = "Blue: the gain required, or the largest loss allowed."
WATCHED = "Watched: {measures}."
OWN_SCALE = "{measures}: drawn on a scale of its own."
INTERVALS_ALT = "Differences B − A: {rows}."
LIMIT_GAIN = "{measure}: the smallest gain that matters is {limit}"
LIMIT_LOSS = "{measure}: the loss allowed ends at {limit}"

DELTAS = "Each query, from the largest loss to the largest gain"
DELTAS_HINT, DELTAS_CLICK = "{measure}, B − A.", "Click a bar to open its query."
DELTAS_THINNED = "{shown} of {n} queries are drawn, evenly spread."
DELTAS_ALT = "{n} differences B − A in {measure}, from {worst} to {best}."
DELTAS_NONE = "{measure} has no value, so there is nothing to sort."
DELTA_AXIS = "Δ{measure}"
MARK_ALT = "An arrow at the query that is open, number {place} of {n} from the left"
SIDE = {"a": "A", "b": "B"}
EXTREMES = {"losses": "Largest losses", "gains": "Largest gains"}
NO_EXTREMES = {"losses": "B loses no query.", "gains": "B wins no query."}
EXTREMES_HINT = "with the top result of A and of B"
NO_RESULT = "no result"
CAVEATS = "Keep in mind"
MORE_CAVEATS = "{n} more"
POPULATION = {"all": "", "affected": "Only queries that differ in list (top {k}) count, as the policy says."}

# --- the convention --------------------------------------------------------------------------------------------------

CONVENTION = "Convention {name}. {axes}"
CUSTOM = "of its own"
OWN_GAINS = "by the table {table}"

# --- files in --------------------------------------------------------------------------------------------------------

UPLOADS = {"a": "Model A, the baseline", "b": "Model B, the candidate", "judgments": "Judgments"}
MODEL_OF = {"a": "Model A", "b": "Model B"}
COMPARE = "Compare"
ORDERED = {"score": "score", "rank": "rank", "position": "their order in the file"}
REFUSED = "These files cannot be compared. What was open stays open."
OPEN_DEMO = {"search": "Open the demo", "diversity": "Open the demo with subtopics and dates"}
GONE = "This comparison’s files are gone"
GONE_WHY = (
    "The server keeps uploads only while the page that sent them is open. After a reload, or to follow a link that "
    "somebody shared, upload the same files here."
)
#: On the first screen, below the names of the demo.
WHAT_FOR = (
    "rankdash answers one question: should model B replace model A? This is a demo; **New comparison** takes your own "
    "two ranked lists, as files, typed or pasted."
)
NOTHING_OPEN = "Nothing to compare yet"
NOTHING_OPEN_WHY = "Upload the ranked lists of two models and the judgments."

# --- the data page ---------------------------------------------------------------------------------------------------

IN_MEMORY = "data from Python"
REPLACE = "Replace a file"

# --- what the server says on the terminal -----------------------------------------------------------------------------

_INSTEAD = "Start `rankdash serve`, which sets it, or take the setting out of ~/.streamlit and the environment."
#: By the option of Streamlit that is not as SECURITY.md says.
WEAKENED: Mapping[str, str] = {
    "server.address": (
        "The server listens on {value}: whoever reaches the port can use it, without sign-in and encryption "
        "(SECURITY.md)."
    ),
    "server.allowedHosts": (
        "The server answers under any name ({name} is {value!r}): a page of another site that leads its own name here "
        "can use it. Name the hosts that people type."
    ),
    "server.enableCORS": f"Pages of other sites can use the server: {{name}} is off. {_INSTEAD}",
    "server.corsAllowedOrigins": f"Pages of other sites can use the server: {{name}} is {{value}}. {_INSTEAD}",
    "server.enableXsrfProtection": f"Pages of other sites can send files: {{name}} is off. {_INSTEAD}",
    "server.xsrfCookieSameSite": f"Pages of other sites can show the dashboard: {{name}} is {{value}}. {_INSTEAD}",
    "server.enableAgentApi": f"Programs can read every page without a browser: {{name}} is on. {_INSTEAD}",
    "server.enableStaticServing": f"Files in the folder static beside app.py are served: {{name}} is on. {_INSTEAD}",
    "global.developmentMode": f"Pages of other sites can use the server: {{name}} is on. {_INSTEAD}",
    "browser.gatherUsageStats": f"Streamlit sends usage statistics: {{name}} is on. {_INSTEAD}",
    "client.allowedOrigins": f"Pages of other sites can send it messages: {{name}} is {{value}}. {_INSTEAD}",
    "client.showErrorDetails": f"Errors show parts of files on the page: {{name}} is {{value}}. {_INSTEAD}",
}
CUT_OFF = "The server was stopped {seconds:g} seconds ago: what was not finished was cut off."

# --- two lists without judgments ---
CHANGED = "Queries whose top {k} changed"
CHANGED_QUERIES = "{n} of {all}"
CHANGED_SHARED = "of the documents are in both"
CHANGED_HELP = "RBO, which looks at the order too and counts the first ranks most, is {rbo}."
CHANGED_NEW = "Documents new in the top {k}"
CHANGED_DOCUMENTS = "{left} left, {moved} moved"

# --- the axes of a convention ----------------------------------------------------------------------------------------


@frozen
class Axis:
    """An axis in words: its name, what it decides, and what each value says."""

    name: str
    decides: str
    values: Mapping[str, str]


AXIS_WORDS: Mapping[str, Axis] = {
    "gain": Axis("Gain", "What a grade is worth in CG, DCG and nDCG", {"linear": "the grade", "exp2": "2^grade − 1"}),
    "discount": Axis(
        "Discount", "What a gain is divided by at its rank, in DCG and nDCG",
        {"log2(rank+1)": "log2(rank + 1)", "log2(rank)": "log2(rank), 1 up to rank 2"},
    ),
    "ideal": Axis(
        "Ideal", "Where the ideal list of nDCG and the R of AP come from",
        {"judged": "all judged documents", "retrieved": "the list itself"},
    ),
    "ideal_cut": Axis(
        "Cut of the ideal", "Whether the ideal list is cut at k",
        {"k": "cut at k", "min(k,n)": "cut at min(k, n)", "none": "not cut"},
    ),
    "ap_denominator": Axis(
        "Divisor of AP", "What the sum of precisions is divided by",
        {"R": "R, all relevant", "min(R,k)": "min(R, k)", "min(R,k,n)": "min(R, k, n)", "hits": "hits in the list"},
    ),
    "p_denominator": Axis(
        "Divisor of P", "What precision divides by where a list is shorter than k",
        {"k": "k, always", "min(k,n)": "min(k, n)"},
    ),
    "rel": Axis("Relevant from grade", "Read by the binary measures: P, R, AP, RR", {}),
    "ties": Axis(
        "Equal scores", "Their order, in lists that are ordered by score",
        {"docid_desc": "by document id, descending", "docid_asc": "by document id, ascending",
         "input_order": "as in the file", "average": "averaged"},
    ),
    "no_relevant": Axis(
        "Query without a relevant document", "A judged query on which no list can be good",
        {"0": "counts 0", "1": "counts 1", "skip": "left out"},
    ),
    "missing_query": Axis(
        "Missing query", "A judged query that a run does not answer", {"zero": "counts 0", "skip": "left out"}
    ),
    "unjudged": Axis(
        "Unjudged documents", "Documents that nobody judged",
        {"nonrelevant": "counted as not relevant", "condensed": "taken out of the list"},
    ),
    "negative": Axis("Grades below 0", "How they are read", {"unjudged": "as if unjudged", "clip": "judged, grade 0"}),
    "score_type": Axis(
        "Scores compared as", "How near two scores must be to be equal", {"float64": "64-bit", "float32": "32-bit"}
    ),
    "novelty_at_1": Axis(
        "alpha_DCG and ERR_IA at 1", "Whether they are divided at the cutoff 1 too",
        {"divided": "divided, at most 1", "undivided": "the plain gain of rank 1"},
    ),
}  # fmt: skip
