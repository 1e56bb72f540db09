"""Words of the files that come in: one drop zone, a card per file, what was understood, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping

DROP = "Drop A, B and judgments here"
DROP_HELP = (
    "Drop all files at once. CSV, TSV, TREC, JSON, Excel, Parquet, Arrow or LETOR with its files of scores; also "
    "packed with gzip or zip; or all files of a folder that rankdash score wrote. What each file holds is "
    "recognised, shown, and can be corrected."
)
DROP_HINT = (
    "A list needs query_id, doc_id, and rank or score; judgments need query_id, doc_id, relevance. Other names of "
    "columns are understood, or asked for; queries and votes may come along. A file that is shown with a network error "
    "did not arrive whole: drop it again. Files of more than {limit} are compared at a shell: rankdash A B -q Q."
)
REPLACE_DROP = "Drop a newer file for any part of this comparison here"
ROLE = "What this file is"
ROLES: Mapping[str, str] = {
    "a": "Model A, the baseline",
    "b": "Model B, the candidate",
    "both": "Both models",
    "judgments": "Judgments",
    "queries": "Queries",
    "votes": "Votes",
    "scores_a": "Scores of model A (LETOR)",
    "scores_b": "Scores of model B (LETOR)",
    "groups": "Sizes of the queries (LETOR)",
    "none": "Do not use",
}
#: The same in front of a reason.
SHORT_ROLES: Mapping[str, str] = {**ROLES, "a": "A", "b": "B", "scores_a": "A", "scores_b": "B", "groups": "Sizes:"}
#: Why a file was given its part.
WHY: Mapping[str, str] = {
    "wished": "as you said",
    "hint": "because of “{about}” in its name",
    "order": "by the order of the files",
    "left_over": "as the other one is taken",
    "alone": "as the only run here",
    "kind": "",
    "twin": "Holds the same bytes as {about}. Not used, unless you say so.",
    "full": "Another file has this part already. Not used, unless you say so.",
    "no_letor": (
        "Holds one number per line. Scores for a LETOR file? Drop that file too. Grades of a list? Paste them under "
        "“Type or paste”."
    ),
    "no_fit": "Holds one number per line, but not as many as {about} has lines.",
    "sizes": "the numbers add up to the lines of {about}",
    "unknown": "Nothing that can be compared was recognised in it.",
}
KIND: Mapping[str, str] = {
    "run": "a run",
    "models": "several runs",
    "judgments": "judgments",
    "queries": "queries",
    "votes": "votes",
    "numbers": "numbers",
}
RECOGNISED = "Recognised as {kind}"
STATUS: Mapping[str, tuple[str, str, str]] = {
    "read": ("Read", ":material/check:", "green"),
    "asks": ("Asks", ":material/help:", "orange"),
    "refused": ("Cannot be read", ":material/error:", "red"),
    "beside": ("Read with the LETOR file", ":material/check:", "green"),
    "unused": ("Not used", ":material/block:", "gray"),
}
ROWS_LEFT_OUT = "{used} of {rows} used"
ORDERED = "lists ordered by {order}"
GRADED = (
    "This file has grades and neither rank nor score. If it holds judgments, choose that above; if it is the lists of "
    "a model, say what orders them."
)
MODELS = "models {models}"
DETAILS = "Details"
REMOVE = "Remove {name}"
DETAILS_HELP = "What was understood of this file, and how to correct it"
ASKS_FIRST = "Something has to be chosen before it can be read: below, or what this file is."
NOTES = "Decisions that reading took"
PREVIEW = "The first rows, as they were understood"
PREVIEW_OF = "The first rows of {model}, as they were understood"
NOTHING_DECIDED = "Read as it stands; nothing had to be interpreted."

# --- questions and corrections ---------------------------------------------------------------------------------------

COLUMNS_ASK = "What each column was read as"
COLUMN = {
    "query_id": "Query id",
    "doc_id": "Document id",
    "rank": "Rank",
    "score": "Score",
    "relevance": "Grade",
    "model": "Model",
    "iteration": "Iteration",
    "title": "Title",
    "query_text": "Text of the query",
    "text": "Text",
    "weight": "Weight",
    "cluster": "Group",
    "vote": "Vote",
    "rater": "Rater",
    "left": "Model on the left",
    "right": "Model on the right",
    "model_a": "Model A",
    "model_b": "Model B",
    "reason": "Reason",
}
COLUMN_PLACEHOLDER = "none"
COLUMN_CHOOSE = "Choose a column"
ENCODING = "Encoding of the text"
ENCODING_FOUND = "{encoding}, recognised"
SHEET = "Sheet"
MEMBER = "Part of the file"
HEADER = "Row of the headings"
CHOOSE = "Choose one"
RECOGNISED_CHOICE = "as recognised"
ORDER = "Lists ordered by"
ORDERS = {
    "auto": "as recognised",
    "score": "score, highest first",
    "rank": "rank, 1 first",
    "position": "the order of the rows",
}
GRADES = "What each word is worth"
GRADES_HELP = "A grade for every word that the file uses. 0 is not relevant."
PAIR = "Which two models? A first"
PAIR_OPTION = "{a} → {b}"
PAIR_PLACEHOLDER = "Choose the pair that the votes are on"

# --- queries without a weight ----------------------------------------------------------------------------------------

WEIGHTS_LACK = "{lacking} of {judged} have no weight in “{table}”."
WEIGHTS_ASK = "What does a query without a weight weigh?"
WEIGHTS_WHY = (
    "Nobody can tell whether these queries, such as {some}, should count. The table may be of another month, write its "
    "ids otherwise, or hold the frequent queries alone."
)
WEIGHTS_GIVEN = "The weights that are given go from {least} to {most}."
WEIGHTS_ALIKE = "The weights that are given are all {most}."
WEIGHTS_OTHERS = "The table is about others: {some}."
WEIGHTS_CHOICES: Mapping[float, str] = {0: "0: it does not count", 1: "1: the number 1, whatever the others weigh"}
WEIGHTS_TABLE = "the table of queries"
JUDGED_QUERY, JUDGED_QUERIES = "judged query", "judged queries"

# --- problems --------------------------------------------------------------------------------------------------------

PROBLEMS_SHOWN = "The first {shown} of {count} problems."

# --- the button ------------------------------------------------------------------------------------------------------

NEEDS: Mapping[str, str] = {
    "nothing": "Needs the lists of A and B, or one file with both. Votes alone give a verdict too.",
    "a": "Needs the lists of model A.",
    "b": "Needs the lists of model B.",
    "ab": "Needs the lists of A and B, or one file with both.",
    "judgments": "Needs judgments: a file, grades by a click, or under Details the column of a list with grades.",
    "asked": "A file asks something; answer above, or do not use it.",
    "weights": "Say above what a query without a weight weighs.",
    "refused": "A file cannot be read; replace it, correct it above, or do not use it.",
    "apart": "These files cannot be compared: the reason is above.",
    "one_model": "This file holds only one model; two are needed.",
    "which_model": "Say which model is A and which is B: nothing in their names tells.",
    "replace": "What you do not replace stays as it is.",
}
KEEP_POLICY = "With the policy of the comparison that is open"
KEEP_POLICY_HELP = "Else the default policy decides. Another there: {fields}."
READY = "Compares {a} → {b} by {judgments}."
READY_INLINE = "grades beside the documents"
ONLY_VOTES = "Votes alone: {name}."
READING_FILE = "Reading {name}"
WAITS = "Files of others are being read; this one waits for its turn."

# --- the data page ---------------------------------------------------------------------------------------------------

FACTS = {"format": "Format", "columns": "Columns"}
CORRECT = "Correct"
CORRECT_TITLE = "Correct how a file was read"
APPLY = "Read it this way"
APPLY_NEEDS = "Nothing is changed yet."
APPLY_EDITS = "Edits made on this comparison are undone by that."
TOO_LARGE_TO_KEEP = "Files over {limit} are not kept after reading: drop it again below to correct how it is read."
NOT_IN_TAB = "The file itself is not in this tab any more: drop it again below to correct how it is read."
COMPARABLE = "Can A and B be compared?"
CONCERNS = "Rows to look at"
CONCERN: Mapping[str, tuple[str, str]] = {
    "missing": ("Queries without a list", "judged queries that a run does not answer"),
    "strange": ("Queries without judgments", "queries of a run that nobody judged; they do not count"),
    "without_relevant": ("Queries without a relevant document", "no ranking can be good on them"),
    "alike": ("All labels alike", "every judged document has the same grade, which tells none from another"),
    "unweighted": ("Queries without a weight", "judged queries that the table of weights gives none"),
    "unjudged": ("Unjudged in the top {k}", "documents that A or B shows and nobody judged"),
    "conflicts": ("Contradicting judgments", "a document with two grades; the first counts"),
    "duplicates": ("Documents twice in a list", "the first place counts"),
    "ties": ("Equal scores in the top {k}", "the convention says how they are ordered"),
}
NO_EXAMPLE = "none"
SAVE_ROWS = "CSV"
SAVE_ROWS_HELP = "All {count} rows as CSV"
SAVE_ROWS_FIRST = "The first {count} rows as CSV"
#: What an example says beside the ids.
ROW_SAYS = {
    "rank_a": "rank {} in A",
    "rank_b": "rank {} in B",
    "kept": "grade {}",
    "other": "and {}",
    "rank": "rank {}",
    "score": "score {}",
}
