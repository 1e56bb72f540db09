"""The words of the pages on which lists are edited, labelled and typed."""

from __future__ import annotations

from collections.abc import Mapping

EDIT, LABEL = "Edit", "Label"
EDITED_BADGE = "Edited"
EDITED_HELP = "Every number uses the edited lists and grades. The uploaded files are unchanged."

# --- edit ------------------------------------------------------------------------------------------------------------

QUERY = "Query"
UNDO, REDO, RESET_ALL = "Undo", "Redo", "Reset all"
BEFORE_AFTER = "This query, before → after"
NUMBER_COLUMNS = ("Measure", "A", "B", "Δ")
VERDICTS = "The verdict, before → after"
BEFORE, NOW = "Before", "Now"
NOTHING = "–"
MEAN_DELTA = "Δ{measure} over {queries}"
ARROW = "{before} → **{after}**"
LIST_OF = "{side}: {model}"
COLUMNS = {"rank": "Rank", "grade": "Grade", "title": "Title", "id": "Id"}
COLUMN_HELP = {
    "rank": "Type the rank that the document gets; the others close up.",
    "grade": "A grade counts in every list with this document. Empty: unjudged.",
    "id": "Another id puts another document here.",
}
EDITOR_HINT = (
    "Type into a cell, or paste a column. A rank moves its row at once; “Sort by rank” then sorts the rows. "
    "A grade counts for its document. Add to the list in the last row; select rows at the left edge and delete them."
)
SORT = "Sort by rank"
EDITOR_ALT = "The list of {side}: rank, grade, title and id of {n} rows"
NO_QUERIES = "There is no judged query to edit."

EDITS = "List of edits"
EDIT_COLUMNS = ("Query", "Document", "What", "List", "Before", "After")
WHAT = {"grade": "grade", "rank": "rank", "add": "added at rank", "remove": "removed from rank"}
IN_LIST = {"a": "A", "b": "B", None: "A and B"}
NO_EDITS = "Nothing is edited yet. Edits never change the uploaded files."
EDITS_ALT = "{n} edits in force, latest first"
SAVE_JUDGMENTS = "Save all judgments"
_SAVED = "All judgments, with the grades that were given here, as {form}."
SAVE_WHY: Mapping[str, str] = {
    "qrels": _SAVED.format(form="qrels"),
    "csv": f"{_SAVED.format(form='CSV')} An id that a spreadsheet would run, such as -a1, gets "
    "an apostrophe in front, and yes in the column disarmed. Take it away before other tools read the file.",
}

REFUSED = "This was not applied."
NOT_A_GRADE = '{doc}: "{found}" is not a grade. Use a number from {low:g} to {high:g}, or nothing for unjudged.'
ABOVE_SCALE = "Grade {grade:g} is above {highest:g}, the highest grade until now. Correct it if it is a typing error."
NOT_A_RANK = '{doc}: "{found}" is not a rank. Use 1, 2, 3, …'
TWICE = "{doc} is in this list already. A list holds a document once."
LAST_GRADE = "A query needs a grade to be compared. This was its last one."

# --- label -----------------------------------------------------------------------------------------------------------

#: By whether one model is ahead in every case.
LABEL_MOVING = {
    True: "Document {place} of {of} that can move the difference",
    False: "Document {place} of {of} that can change who is ahead",
}
LABEL_LEFT = "{left} left. Their labels do not move ΔnDCG@{k}."
LABEL_DISAGREE = "Document {place} of {of} on which A and B disagree, the largest disagreement first"
SAME_RANK_LEFT = "{left} left. A and B show the same rank."
#: By whether one query alone is labelled.
NOTHING_TO_LABEL = {
    False: "Nothing is left to label: every document in the top {k} is judged.",
    True: "Nothing is left to label in this query: its top {k} are judged.",
}
LABELLED_ALL = "The next step of the verdict: {next_step}"
ONE_QUERY, ALL_QUERIES = "One query", "Label all queries"
DOCUMENT = "Document"
RANK_IN, NOT_IN = "rank {rank} in {side}", "not in the top {k} of {side}"
GRADE = "Grade"
#: What a grade without a word is called, by whether it is 0.
GRADE_NAMED = {True: "Not relevant", False: "Grade {grade:g}"}
SKIP = "Skip"
GRADED_MEANWHILE = "{doc} has grade {grade:g} from another browser."
BOUNDS = "ΔnDCG@{k} over all queries, whatever the missing labels say"
BOUNDS_SO_FAR = "ΔnDCG@{k}, with 0 to {highest:g} for what is not graded"
SO_FAR = "Only queries with a grade count: {n} of {of}."
NO_BOUNDS_YET = "There are no judgments yet. Numbers appear with the first grade above 0."
TO = " to "
#: By the model that is ahead whatever the labels say.
AHEAD = {
    "a": "A is ahead on these queries.",
    "b": "B is ahead on these queries.",
    "not b": "A is ahead or equal on these queries.",
    "not a": "B is ahead or equal on these queries.",
    "equal": "A and B are equal on these queries.",
    "": "Open: either model can still be ahead.",
}
LABELLED, NONE_LABELLED = "Labelled", "None yet."
EFFECT = "Verdict before all edits: {}. Now: **{}**."
UNDO_HELP = "Takes back what was done since this page was opened. Change earlier grades on Edit."
#: By whether there are any; and behind it, where there are others.
SINCE_OPENED = {True: "{n} since this page was opened.", False: "None since this page was opened."}
EARLIER = " Change earlier ones on Edit: Undo does not reach them."
BY_HAND = "By hand or in a table"
BY_HAND_WHY = "Save what is left to label, fill in relevance, and load the file here."
LOAD_NEEDS = "Call the columns query_id, doc_id and relevance, and write grades as numbers."
SAVE_WORKLIST, LOAD_GRADES = "Save what is left", "Load grades"
LABELS_IN = "CSV with query_id, doc_id, relevance"
#: Of grades from a file: {n} counts them.
UNLISTED = "{n} for documents that are in neither list. Compare their ids with those of the lists."
LABELS_FOUND, LABELS_NONE = "{n} that are new or differ.", "Nothing is new: each of these grades is here already."
LABEL_WORDS = ("label", "labels")
NOT_FOR_LABELS = {
    "relevant_only": "The judgments name only relevant documents, so every other document counts as not relevant. If "
    "people judged the others too, set “Judgments” to “judged” under Policy, in All other settings.",
    "no_grade": "Labels do not count: no grade of the judgments is 0 or more.",
    "apart": "There is no list to label: each model’s list has grades of its own.",
    "own_ideal": "There is no list to label under this policy: each list is scored against its own best order.",
    "uncut": "There is no list to label under this policy: its ideal reaches beyond the cutoff. Grade documents under "
    "Edit.",
    "left_out": "There is no list to label under this policy: unjudged documents are left out.",
    "ties": "There is no list to label under this policy: documents with equal scores share their gain.",
}

# --- typed lists -----------------------------------------------------------------------------------------------------

DOORS = {"files": "Drop files", "typed": "Type or paste"}
TYPED = "Typed lists"
TYPED_HINT = (
    "A line is the ranked list of one query: grades, `3 2 3 0 1 2`, or names with commas, `tent, tarp`. "
    "Names may also stand one a line behind `1.` or `-`. "
    "The name of a query stands before its line, `camping: tent, tarp`, or above its `1.` "
    "Names are graded as `name:3` or `name: good`, or later on the page Label; `?` is no grade. "
    "Drop the cells of a sheet as a file. "
    "Votes need no lists: one of good, same and bad for each query, seen from B."
)
THESE_ARE_VOTES = "These can be read as votes: move them to “{field}”."
TYPED_VOTES = "The votes alone decide: good, same and bad queries, seen from B."
LIST_A, LIST_B, MISSED, VOTES = "List A", "List B", "Missed (optional)", "Good / same / bad"
MISSED_HELP = (
    "Grades of relevant documents that neither list found, a line per query. They count in the ideal list and in R."
)
VOTES_HELP = "Seen from B, one or more words per line: good, same, bad."
EXAMPLE_LISTS = {"a": "3 2 3 0 1 2", "b": "3 3 2 2 1 0"}
CUTOFF = "Cutoff k"
TYPED_QUERY = "Query"
SHARED_ORDER = "The best order is made of every document that A or B found, and of the missed ones."
WORKED_FOR = "Worked out"
TYPED_ALT = "Measures of the typed lists at k = {k}"
TYPED_LONG = "More than {n} documents and grades are not worked out here. Compare uses all of them."
TYPED_READING = "Reading what was typed …"
#: What stands in the way of a comparison.
TYPED_NEEDS = {
    "nothing": "The numbers appear here as soon as a list can be read.",
    "grade": "The numbers appear here as soon as a document has a grade.",
    "b": "Type a second list into List B to compare the two.",
    "threshold": "Choose above which grades count as relevant.",
    "refused": "These lists cannot be compared. The reason is above.",
}
#: Beside the button, for names without grades.
TYPED_NAMES = "Then grade the documents on the page Label."
EXAMPLES = "or download its files:"
