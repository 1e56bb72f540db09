"""The words of the queries page."""

from __future__ import annotations

from collections.abc import Mapping

from rankdash.style import AXIS_WORDS, LOSS, SAME, WIN

QUERIES = "Queries"
MEASURE, CUTOFF, CONVENTION = "Measure", "Cutoff", "Convention"
WHOLE_LIST = "all"
OF_POLICY = "as decided"
MEASURE_HELP = "Choose a measure, or type its whole name, such as fresh(within=30)@10."
NO_CUTOFF_HELP = "How many ranks count. AP, Rprec and others may read the whole list."
VIEW_DIFFERS = "The verdict is on {decided}."
VIEW_GUARDS = "A guardrail of the verdict, whose primary measure is {decided}."
MEANS, WEIGHTED = "**{measure}** {a} → {b} · **{delta}**", " · weighted"
MEANS_OF = "The means are of all {n}."
NOT_COMPUTED = "This measure cannot be computed here: {why}"
COMPARING_LISTS = "Comparing the lists"

FILTERS = "View and filters"
CHIP, CHIP_HELP = "{label} ✕", "Remove this filter"
SEARCH, SEARCH_HINT = "Find a query", "text or id"
OUTCOME = "Outcome"
OUTCOMES: Mapping[str, str] = {"": "All", "won": "B wins", "tied": "Tied", "lost": "B loses"}
SEGMENT, ALL_SEGMENTS = "Segment", "All segments"
SEGMENT_VALUE = "{column}: {value}"
UNJUDGED_ONLY = "Unjudged shown"
UNJUDGED_HELP = "Only queries that show an unjudged document in the first {k} of A or B"
CHANGED_ONLY = "Differs in list"
CHANGED_HELP = "Only queries whose first {k} differ in documents or order"
CHIPS: Mapping[str, str] = {"query_unjudged": UNJUDGED_ONLY, "query_changed": CHANGED_ONLY}
MATCHES = "{shown} of {n}"
TALLY = "{matches} · won {won} · tied {tied} · lost {lost}"
TALLY_CHANGED = "{matches} · {changed} with another top {k}"
TALLY_LEFT = " · left out {n}: {few}{more}"
NO_MATCH = "No query passes these filters. Remove one above."
NO_QUERIES = "{measure} has no value, so there is nothing to show."

CHARTS: Mapping[str, str] = {
    "sorted": "Per query",
    "scatter": "A against B",
    "curve": "By cutoff",
    "why": "Parts of the mean",
}
CHART = "Chart"
WHY_TITLE = "Why B wins and loses: what ΔnDCG@{k} is made of"
CHART_HINTS: Mapping[str, str] = {
    "sorted": "Largest loss first. Click a bar to open its query.",
    "changed": "Largest change first. Click a bar to open its query.",
    "scatter": "Above the diagonal B is better. Click a point to open its query.",
    "curve": "The means at each cutoff. The dotted line is the one in view; View and filters changes it.",
    "why": "The parts of the mean Δ{decomposed}, whatever you are viewing.",
}
CHART_ALTS: Mapping[str, str] = {
    "sorted": "{n} differences in {measure} from the largest loss to the largest gain.",
    "changed": "{measure} of A and B minus 1, {n} in all, the largest change first.",
    "scatter": "{measure} of A and of B, {n} points; the diagonal is equality.",
    "curve": "Mean {family} over the cutoff: {ends}.",
    "why": "The mean difference is the sum of its parts: {ends}.",
}
NO_WATERFALL = (
    "Under this policy the difference is not a sum over documents, so it has no exact parts: each list is its own "
    "ideal, equal scores share their gain, unjudged documents are left out, or no query counts."
)
NO_FIGURE = "These are votes alone, and a figure shows measures: compare two runs with judgments."
POINT_MORE = "<br>and {n} more here"
SCATTER_AXES = ("{measure} of A", "{measure} of B")
CURVE_AXIS = "Cutoff k"
PARTS: Mapping[str, str] = {
    "unjudged_moved_in": "Unjudged moved in or out",
    "relevant_dropped": "Relevant dropped",
    "relevant_gained": "Relevant gained",
    "reordering": "Reordering",
    "total": "All together",
}
PART_HOVER = "{name}: {value}<br>{queries}"

TABLE_COLUMNS = {"query": "Query", "a": "A", "b": "B", "delta": "Δ"}
TABLE_ENDS = "The list has the first and the last {n}. Filters and the CSV file use all."
SAVE_TABLE = "Save as CSV"
SAVE_TABLE_HELP = "These queries in this order, one row each. Nothing in the file is a formula for a spreadsheet."
TABLE_ALT = "{n} rows with both scores and their difference"

# --- one query -------------------------------------------------------------------------------------------------------

PREVIOUS, NEXT = "Previous", "Next"
KEY_PREVIOUS, KEY_NEXT = "P", "N"
PLACE = "{place} of {n}"
QUERY_LINE = "{name}{measure} {a} → {b} · {delta} · {place}"
#: What moved between both lists, by what there is to say: documents that left and came, or a new order of the same.
MOVED: Mapping[tuple[bool, bool], str] = {
    (True, True): "B drops {dropped} from the top {k} and brings in {gained}.",
    (True, False): "B drops {dropped} from the top {k}.",
    (False, True): "B brings {gained} into the top {k}.",
    (False, False): "Both show the same documents in the top {k}.",
}
#: Behind it, by whether B ranks any higher, and any lower: {n} of them, and {down} that are lower where both do.
MOVED_RANKS: Mapping[tuple[bool, bool], str] = {
    (True, True): " B ranks {n} with a grade above 0 higher and {down} lower.",
    (True, False): " B ranks {n} with a grade above 0 higher.",
    (False, True): " B ranks {n} with a grade above 0 lower.",
}
MOVED_UNKNOWN = "unjudged "
UNJUDGED_AT = " Nobody judged what B has at rank {ranks}."
#: The document that counts most for the difference, by whether A has it and whether B has it.
MOST: Mapping[tuple[bool, bool], str] = {
    (True, True): " {name} counts most: rank {a} in A, {b} in B.",
    (True, False): " {name} counts most: rank {a} in A, not in B.",
    (False, True): " {name} counts most: not in A, rank {b} in B.",
}
MOVED_GRADE, MOVED_UNJUDGED = "{n} of grade {grade}", "{n} unjudged"
COVERAGE = "Of {of}, B gains {gained} in its top {k} and loses {lost}."
COVERAGE_SAME, NO_SUBTOPIC = "Both show the same {n} of {of} in their top {k}.", "none"
COVERED = ("subtopic", "subtopics")
SUBTOPICS = "Subtopics: {names}"
#: How old a document was when the query was asked, in days.
AGE = "{n}\u00a0d"
AGES = "*17\u00a0d*: 17 days old when the list was asked for."
SHOW_SUM: Mapping[bool, str] = {False: "Show the sum", True: "Show the lists"}
EDIT_QUERY, LABEL_QUERY = "Edit", "Label its unjudged documents"
RANK_MOVES: Mapping[str, str] = {
    "up": "↑\u00a0{to}",
    "down": "↓\u00a0{to}",
    "dropped": "not\u00a0in\u00a0B",
    "same": "",
}
#: By how equal scores are ordered.
RANK_LEGEND: Mapping[str, str] = {
    ties: f"**?** unjudged · **=** same score as the rank above or below: {words}"
    for ties, words in AXIS_WORDS["ties"].values.items()
}
LIST_TITLE = "**{side}** {model}"
MOVE_TO, MOVE_FROM = "to\u00a0{rank}", "from\u00a0{rank}"
MOVES = {"new": "new", "dropped": "dropped", "same": "same", "": ""}
SIGN: Mapping[bool | None, str] = {True: "+\u00a0", False: "−\u00a0", None: ""}
EFFECT_COLOUR: Mapping[bool | None, str] = {True: WIN, False: LOSS, None: SAME}
UNJUDGED_MARK, TIED_MARK, REPEATED_MARK = "?", "tied", "repeated"
NOTHING_RETURNED = "nothing returned"

# --- the worked calculation ------------------------------------------------------------------------------------------

WORKED = "{measure} of {side}, worked out"
#: The columns of a calculation: attributes of a rank, and their headings.
_COLUMNS = {
    "rank": "Rank",
    "doc_id": "Id",
    "subtopics": "Subtopics (seen above)",
    "relevance": "Relevance",
    "hits": "Hits so far",
    "gain": "Gain",
    "discount": "× discount",
    "running": "Sum",
}
_ADDS = "rank relevance hits contribution running"
#: Those that are shown, by what the measure adds up, and how the share is called where it is no product.
#: Without a name: the list as it is, of a measure whose sum nobody wrote down.
WORKED_COLUMNS: Mapping[str, Mapping[str, str]] = {
    shows: {name: share if name == "contribution" else _COLUMNS[name] for name in names.split()}
    for shows, names, share in (
        ("discounted gains", "rank relevance gain discount contribution running", "= share"),
        ("gains", "rank relevance gain running", ""),
        ("precisions", _ADDS, "Adds hits ÷ rank"),
        ("parts", _ADDS, "Adds"),
        ("discounted novelty", "rank doc_id subtopics gain discount contribution running", "= share"),
        ("novelty", "rank doc_id subtopics gain contribution running", "Adds"),
        ("", "rank relevance", ""),
    )
}
#: Columns before the gain where gains fade.
FADING = {"age": "Age, days", "factor": "× fading"}
SEEN = "{name} ({n}×)"
NOVELTY_LINE = "A document gains (1 − α)^(times seen above) for each of its subtopics, α = {alpha}."
DISCOUNT_LINE = "Discount: 1 ÷ {discount}."
IDEAL_GAINS = "Gains of the ideal list: {gains}."
FADING_LINE = "Gains fade: each is multiplied by 2^(−age / {half_life} days)."
#: The divisor of a sum, by its letter; a letter without words is shown in brackets.
BELOW = {
    "R": "{n} relevant (R)",
    "hits": "{n} hits in the list",
    "min(R,k)": "{n}, min(R, k),",
    "k": "{n} ranks",
    "min(k, n)": "{n} ranks there are",
    "k + R": "{n}, k + R,",
    "min(k, n) + R": "{n}, ranks there are + R,",
    "pairs": "{n} pairs",
}
OTHER_BELOW = "{n} ({letter})"
IDEAL_BELOW = "ideal DCG {n}"
QUOTIENT = "{name} {above} ÷ {below} = **{value}**"
PLAIN_SUM = "{measure} = **{value}**"
BY_FORMULA = "{measure} = **{value}**, {formula}."
UNDEFINED = "{measure} is not defined for this query: {why}."
SIDES_OF_CHART = "A is on the left, B on the right; bold is the grade."
MISSING_WHY = "the run has no list for it, and the convention leaves it out"
LEFT_OUT_WHY = "nothing relevant is known, and the convention leaves it out"
NOTHING_IDEAL = "Nothing relevant is known for this query; the convention gives it {value}."
IDEAL_LIST = "Ideal list"
IDEAL_GRADES = "{name}: grades {grades}, ideal DCG {sum}"
LEFT_OUT = ("more rank adds nothing and is left out.", "more ranks add nothing and are left out.")
NOT_SHOWN = ("more rank, without a grade above 0, is not shown.", "more ranks, without a grade above 0, are not shown.")
NOT_A_SUM = "{measure} is not a sum over documents, so there is no calculation to show rank by rank."
R_LINE = "R = {relevant} relevant of {judged} judged documents. {unjudged} unjudged {where}."
WHERE = ("in the list", "within the cutoff")
TIES_CUT = "The cutoff falls into a group of equal scores: which of them count is decided by the order of ties."
EMPTY = "Nothing was returned, so every sum is 0."
