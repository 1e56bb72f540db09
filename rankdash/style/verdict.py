"""Words of what stands under the verdict: votes, segments, the experts' panel, the policy; and those of reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# --- votes and good / same / bad -------------------------------------------------------------------------------------

VOTED = "of votes"
VOTED_HELP = (
    "ΔGSB is the share of queries that B wins minus the share that it loses. Good, same and bad count queries by the "
    "majority of their votes. With several votes a query, or known sides, ΔGSB is the mean vote of the queries."
)
#: Below the counts, where ΔGSB is not their difference over their sum.
BY_MAJORITY = "queries by majority; ΔGSB is the mean vote"
NO_RATER = "raters not recorded"
RATER, RATER_MANY = "rater", "raters"
ALPHA = "agreement α {alpha}"
VOTES_HOLD = "These votes hold for the new lists"
VOTES_HOLD_HELP = (
    "Use this if what changed does not matter to the votes. Everyone who opens the comparison sees that it was used. A "
    "further change asks again; undo on the Edit page takes it back."
)
GSB_PANEL = "Good, same, bad"
GSB_PANEL_HINT = "Queries by majority, seen from B. ΔGSB is the mean of their votes."
GSB_TABLE = ("", "ΔGSB", "95% interval", "good / same / bad", "n")
CALLED, VOTED_AS = "Raters prefer {model} on {queries}, most clearly {names}.", {-1: "A", 1: "B"}
GSB_VOTES, GSB_RATERS, GSB_DERIVED = "Votes", "Votes, counted by rater", "Derived, no votes"
GSB_DERIVED_NOTE = (
    "Derived from the differences in {measure} (same: up to {tolerance}), without weights: it explains, never decides."
)

VOTES_ONLY = "Votes on B against A"
VOTES_ONLY_PAGE = (
    "{page} needs ranked lists, and these are votes alone. The Verdict page has their result. To add the lists of A "
    "and B, use New comparison."
)
VOTES_ONLY_WHY = "There are no ranked lists, so the votes alone decide. Queries, Label, Edit and Data need lists."

# --- the four questions ----------------------------------------------------------------------------------------------

#: What a rule that stops a launch answers in short, where it failed and where it is not proven.
IN_SHORT = {
    "H1": ("The primary measure falls.", "The primary measure may fall."),
    "H2": ("A guardrail falls.", "A guardrail may fall."),
    "H3": ("Raters prefer A.", "Raters prefer A."),
    "H4": ("A watched measure or segment is harmed.", "A watched measure or segment may be harmed."),
    "H5": ("Big losses outnumber big gains.", "Big losses may outnumber big gains."),
    "F1": ("No gain that counts is in sight.", "No gain that counts is in sight."),
    "U1": ("No gain is proven: {needs}.", "No gain is proven: {needs}."),
    "U2": ("The gain is too small.", "The gain is too small so far."),
    "N1": ("A loss over the limit is not ruled out.", "A loss over the limit is not ruled out."),
    "U3": ("A loss on a guardrail is not ruled out.", "A loss on a guardrail is not ruled out yet."),
}

#: Of both models and harm, where nothing that was computed of them can be relied on.
NOT_COMPARED = "A and B cannot be compared yet."

# --- what only people know of the judgments --------------------------------------------------------------------------

RELEVANT_ALL, RELEVANT_FROM = "All, from {grade}", "From {grade}"
JUDGMENTS_KINDS = {"judged": "Judged", "positive_only": "Logged"}

# --- segments --------------------------------------------------------------------------------------------------------

SEGMENTS = "Segments"
SEGMENTS_HINT = "B − A in {measure}, on the queries of each segment."
SEGMENT_COLUMNS = ("Segment", "Counts as", "Δ", "95% interval", "n", "adj.\u00a0p")
SEGMENT_ROLES = {"judged": "policy", "small": "policy, too small to judge", "explored": "exploration"}
_EXPLORED = "Segments that the policy does not name inform and never block."
#: By whether the policy names a segment, and whether the queries stand for others like them.
SEGMENT_NOTES = {
    (True, True): "A segment that the policy names stops a launch if it loses its limit and chance is unlikely "
    "(p < 0.05).",
    (True, False): "A segment that the policy names stops a launch if it loses more than its limit.",
    (False, True): f"{_EXPLORED} Their p-values are corrected for the number of segments.",
    (False, False): _EXPLORED,
}

# --- the experts' panel ----------------------------------------------------------------------------------------------

NEIGHBOURS = "Other settings"

# --- the policy and its dialog ---------------------------------------------------------------------------------------

POLICY = "Policy"
POLICY_HELP = "What a launch needs, and every limit that the rules use"
#: Below what is wrong with the files.
TO_DATA = "See the files on Data"
POLICY_STAMP = "The policy was changed after results were seen"
POLICY_WHY = "The verdict always uses this policy, whatever is being viewed. The tests stay at 5%."
POLICY_IN_FILE = "In a policy file: `{name}`."
POLICY_APPLY = "Use this policy"
POLICY_REPLACES = "The new verdict replaces this one, on History too. To keep both, press Duplicate there first."
#: Behind a measure what else people look for; {form} is what stands behind its name, as @10.
ALSO_CALLED: Mapping[str, str] = {
    "AP": " (MAP{form})",
    "P": " (precision)",
    "R": " (recall)",
    "RR": " (MRR{form})",
    "Success": " (HR{form}, hit rate)",
}
POLICY_RESET = "Back to the defaults"
POLICY_DOWNLOAD = "Download the policy in force"
POLICY_UPLOAD = "A policy from a TOML file"
POLICY_FILE = "policy.toml"
POLICY_NOT_TEXT = "{file}: not text in UTF-8. Use a TOML file as this dialog downloads it."
POLICY_REFUSED = "This policy cannot be used. The one in force stays."
POLICY_APPLY_FILE = "Use this file"
POLICY_OWN = "custom"
#: The policies to start from: the fields that each sets, and what it is for.
POLICY_START, POLICY_FIRST = "Start from", "Improve"
POLICY_STARTS: Mapping[str, Mapping[str, str]] = {
    POLICY_FIRST: {"intent": "improve", "inference": "sample"},
    "Do no harm": {"intent": "do_no_harm", "inference": "sample"},
    "Golden set": {"intent": "do_no_harm", "inference": "fixed"},
}
POLICY_STARTED: Mapping[str, str] = {
    POLICY_FIRST: "B must be better. Chance is ruled out.",
    "Do no harm": "B may be equal, but not worse by more than the loss allowed. Chance is ruled out.",
    "Golden set": "These queries are all that matters, and B must not be worse on them. No intervals.",
}
POLICY_MORE = "All other settings"
POLICY_LOSS, POLICY_RISE = "{measure} may lose", "{measure} may rise ({unit})"
POLICY_NO_SEGMENTS = "There are no segment columns: upload a table of queries with them."


# --- files in --------------------------------------------------------------------------------------------------------

#: The same tables on the data page.
GIVEN = {"queries": "Queries", "votes": "Votes", "items": "Items"}
COLUMNS = "Columns"


EXPORT = "Export"
EXPORT_HELP = "A report, a link or a file of this verdict"
EXPORT_WHY = "The report contains the Verdict page, the CSV the values of each query."
#: The forms that most people want, with what their buttons say; the others are in the fold.
EXPORT_FIRST: Mapping[str, str] = {"html": "Report", "csv": "CSV"}
#: By whether its address means this machine.
EXPORT_LINK = {
    False: "This link opens the verdict. To share the page as you see it, copy the address from the browser.",
    True: "This link opens the verdict, on this machine only. To come back to the page as you see it, copy the address "
    "from the browser.",
}
EXPORT_NOT_SAVED = "There is no link yet. Give the comparison a name with “Rename or swap”: that saves it."
EXPORT_OFF = "There is no link: this server does not save comparisons."
EXPORT_MORE, EXPORT_FORM = "More formats", "Format"
EXPORT_SAVE = "Save"

#: Why an export cannot be written.
ONLY_VOTES = "There are only votes, so there is nothing per query."

TITLE = "{name}: {screen}"
#: What a score of a document says where nobody judged it, on paper and to a screen reader.
UNJUDGED = "unjudged"
QUESTIONS = "Four questions"
BEHIND = "The rules behind it"
NUMBERS, CARDS = "Numbers", "The numbers in short"
MEASURE_COLUMNS = ("Measure", "Counts as", "A", "B", "Δ", "95% interval", "won / tied / lost", "t-test p", "n")
WHY_COLUMNS = ("Part", "Adds to Δ", "n")
WHY_HINT = "Document by document, averaged over the queries that count."
EXTREMES_HINT = "{n} of {all}, the largest first."
LISTS_HINT = (
    "The first {k} documents of both lists: rank, grade (? is unjudged), document, and its rank in the other list: + "
    "the move helps B, − it hurts."
)
#: What a phone leaves out with the lines.
LINES_HINT = "Lines join a document’s two places: solid, the move helps B; dashed, it hurts; thin, no known effect."
LISTS_ELSEWHERE = (
    "This report was made from scored queries, so it has no lists. To show them, use rankdash report A B -q Q with the "
    "files."
)
NO_USERS = "{}, no column users in the items"
LISTS_LABEL = "The lists of A and of B for {query}: rank, grade, document, and its rank in the other list"
MEANINGS, MEANING_COLUMNS = "Measures", ("Measure", "Range", "What it is")
WHO = "A is the model in use, B the candidate."
CONVENTION, CONVENTION_COLUMNS = "Convention", ("Axis", "In force", "What it decides")
POLICY_TITLE, POLICY_COLUMNS = "Policy", ("Field", "Set to", "What it is")
POLICY_OTHERS = "{n} more at their defaults: to_toml() has all."
POLICY_DEFAULT = "As it comes with rankdash."
POLICY_DIFFERS = "Differs from the defaults in: {fields}."
#: What an empty list of a policy's field reads like.
NONE = "none"
FILES = "Files"
FILE_FACTS = {"name": "File", "rows": "Rows", "sha256": "SHA-256", "order": "Ordered by"}
NOTES = "Notes"
INPUTS: Mapping[str, str] = {
    "a": "A, the baseline: {name}",
    "b": "B, the candidate: {name}",
    "judgments": "Judgments",
    "queries": "Queries",
    "votes": "Votes",
    "items": "Items",
}
EDITED = "{n} made on top of the files. All numbers include them."
EDIT, EDITS = "edit was", "edits were"
ABOUT_QUERIES = "Queries"
MADE = "Written by rankdash {version}, policy version {policy}, on {at}."
#: By whether its address means the machine that it is opened on.
LINK = {False: "This comparison in rankdash", True: "This comparison in rankdash (only on the machine that wrote this)"}
DECISION = "Decision"
IN_FORCE = "{choice}, {by}, {at}"
#: Marks of the status of a rule, read aloud as its word.
MARKS: Mapping[str, str] = MappingProxyType({"passed": "✓", "failed": "✕", "not_proven": "?", "not_applicable": "–"})
OBSERVED = "Online, {models}: {metric} {delta}{since}, {by}"
