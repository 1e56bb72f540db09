"""Words of the files that come in: one drop zone, a card per file, what was understood, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping

#: What stands in each place for files; "" is the place for newer files of an open comparison.
DROP: Mapping[str, str] = {
    "a": "Model A, the baseline",
    "b": "Model B, the candidate",
    "judgments": "Judgments",
    "more": "Queries, votes, items or what users have seen",
    "": "Drop newer files here",
}
DROP_HELP = (
    "Drop all files at once on any place: rankdash recognises what each holds. CSV, TSV, TREC, JSON, Excel, Parquet, "
    "Arrow and LETOR are read, also packed with gzip or zip, up to {limit}. Compare larger files with the command "
    "rankdash compare. A workbook or an archive of up to {parts} parts, two of them named A and B, is read whole. Drop "
    "any other once for each part of it. Drop a file again if its upload failed."
)
MOST_PARTS = 20
OPTIONAL = "Optional: what is known of queries and documents, votes, and items that users have seen"
#: What a file in each place holds, and what is said where it is missing; "votes" where votes can decide alone.
HOLDS: Mapping[str, str] = {
    "a": "Ranked lists: query_id, doc_id, rank or score",
    "b": "Ranked lists: query_id, doc_id, rank or score",
    "judgments": "Grades: query_id, doc_id, relevance",
}
MISSING: Mapping[str, str] = {
    "a": "Model A is missing: drop its lists here.",
    "which": "Choose below which file is model A.",
    "b": "Model B is missing: drop its lists here.",
    "judgments": "Judgments are missing: drop a file here, or compare without.",
    "votes": "Judgments are missing: drop a file here, or compare by the votes alone.",
}
EXCHANGED = "Model A is {a}, and model B is {b}. If they are exchanged, drop each file on the other place."
GRADES_BESIDE = "The lists have grades of their own."
ROLE = "What this file is"
ROLES: Mapping[str, str] = {
    "a": "Model A, the baseline",
    "b": "Model B, the candidate",
    "candidate": "A further candidate",
    "both": "All models",
    "judgments": "Judgments",
    "queries": "Queries",
    "votes": "Votes",
    "items": "Items",
    "seen": "Items that users have seen",
    "scores_a": "Scores of model A (LETOR)",
    "scores_b": "Scores of model B (LETOR)",
    "groups": "Sizes of the queries (LETOR)",
    "none": "Do not use",
}
#: The same in front of a reason.
SHORT_ROLES: Mapping[str, str] = {**ROLES, "a": "A", "b": "B", "scores_a": "A", "scores_b": "B", "groups": "Sizes:"}
#: Why a file was given its part, where that is no matter of course.
WHY: Mapping[str, str] = {
    "hint": "because of “{about}” in its name",
    "order": "because it came first",
    "elsewhere": "because it holds {about}",
    "twin": "Not used: it is a copy of {about}.",
    "twin_part": "Not used: it is a copy of {about}. To use another part of it, choose that under Details.",
    "corrected": "Not used: {about} was dropped later in its place.",
    "full": "Not used: another file has this part. Remove that file to use this one.",
    "ungraded": "Not used: it holds lists without grades. If all that they list is relevant, choose Judgments.",
    "no_letor": (
        "Not used: it holds one number per line. Drop the LETOR file of these scores too. To compare a list of grades, "
        "paste it under “Type or paste”."
    ),
    "no_fit": "Not used: it does not have one number for each line of {about}.",
    "sizes": "the numbers add up to the lines of {about}",
    "unknown": "Nothing is used of it. Correct it and drop it again, or remove it.",
}
KIND: Mapping[str, str] = {
    "run": "ranked lists",
    "models": "lists of several models",
    "judgments": "judgments",
    "queries": "queries",
    "votes": "votes",
    "items": "items",
    "numbers": "numbers",
}
RECOGNISED = "Recognised as {kind}"
STATUS: Mapping[str, tuple[str, str, str]] = {
    "read": ("Read", ":material/check:", "green"),
    "asks": ("Needs an answer", ":material/help:", "orange"),
    "refused": ("Cannot be read", ":material/error:", "red"),
    "beside": ("Read with the LETOR file", ":material/check:", "green"),
    "unused": ("Not used", ":material/block:", "gray"),
}
ROWS_LEFT_OUT = "{used} of {rows} used"
ORDERED = "lists ordered by {order}"
NO_WEIGHTS, WEIGHTS = "no weights", "weighted by {column}"
ONE_SHEET = "one of {n} sheets"
GRADED = (
    "This file has grades, but no rank or score. If it holds judgments, choose Judgments above. If it holds ranked "
    "lists, choose their order."
)
MODELS = "models {models}"
DETAILS = "Details"
REMOVE = "Remove {name}"
ASKS_FIRST = "Answer the question below, or choose what this file is."
PREVIEW = "First rows as read"
PREVIEW_OF = "First rows of {model} as read"

# --- questions and corrections ---------------------------------------------------------------------------------------

COLUMNS_ASK = "What each column was read as"
COLUMNS_WHICH = "Which column of the file has this?"
#: Meanings of columns that are not called by their own names.
COLUMN = {
    "query_id": "Query id",
    "doc_id": "Document id",
    "relevance": "Grade",
    "query_text": "Text of the query",
    "cluster": "Group",
    "left": "Model on the left",
    "right": "Model on the right",
    "model_a": "Model A",
    "model_b": "Model B",
}
COLUMN_PLACEHOLDER = "none"
COLUMN_CHOOSE, COLUMN_NONE = "Choose a column", "No column"
ENCODING = "Encoding of the text"
ENCODING_FOUND = "{encoding}, recognised"
SHEET = "Sheet"
MEMBER = "Part of the file"
CHOOSE = "Choose one"
RECOGNISED_CHOICE = "as recognised"
ORDER = "Lists ordered by"
ORDERS = {
    "auto": "as recognised",
    "score": "score, highest first",
    "rank": "rank, 1 first",
    "position": "the order of the rows",
}
GRADES = "Grade of each word"
GRADES_HELP = "0 is not relevant. A higher grade is better. −1 is not judged."
USE_GRADES = "Use these grades"
#: Words of people who judge, from the worst to the best step.
WORST_TO_BEST: Mapping[str, int] = {
    word: step
    for step, words in enumerate(
        (
            "irrelevant|not relevant|nonrelevant|non relevant|off topic|bad|wrong|useless|none|no|nah|spam",
            "poor|weak|marginal|marginally relevant|slightly relevant|low",
            "partial|partly|partially relevant|somewhat relevant|related|fair|ok|okay|acceptable|medium",
            "relevant|good|useful|yes|high",
            "highly relevant|very relevant|very good|great|excellent",
            "perfect|exact|ideal|best|top|vital|perfectly relevant",
        )
    )
    for word in words.split("|")
}
WHICH_A = "Which is model A, the baseline?"
CANDIDATES = "Candidates"
AND_MORE = "and {n} more"
PAIR = "Which two models? A first"
PAIR_OPTION = "{a} → {b}"
PAIR_PLACEHOLDER = "Choose the two models of the votes"

# --- queries without a weight ----------------------------------------------------------------------------------------

WEIGHTS_LACK = "{lacking} of {judged} have no weight in “{table}”."
WEIGHTS_ASK = "How much does a query without a weight count?"
WEIGHTS_WHY = (
    "Examples: {some}. The table may be of another month, write ids in another way, or list frequent queries only."
)
WEIGHTS_CHOICES: Mapping[float, str] = {0: "0: it does not count", 1: "1: its weight is 1"}
WEIGHTS_TABLE = "the table of queries"

# --- the button ------------------------------------------------------------------------------------------------------

NEEDS: Mapping[str, str] = {
    "nothing": "Drop all files at once on any place, or each on its own. Votes alone are enough, too.",
    "a": "The lists of model A are missing.",
    "b": "The lists of model B are missing.",
    "ab": "The lists of A and B are missing.",
    "judgments": "Judgments are missing: drop a file here.",
    "asked": "{file} needs an answer: choose above, or remove the file.",
    "threshold": "Choose above which grades count as relevant.",
    "refused": "{file} cannot be read. Drop it again, corrected, or remove it.",
    "apart": "These files cannot be compared. The reason is above.",
    "many": "One baseline can have 20 candidates. Remove some.",
    "one": "Newer files are of one candidate. Leave the others out.",
    "votes": "Votes are about two models. Remove the votes, or the further candidates.",
    "one_model": "This file holds one model. A comparison needs two.",
    "which_model": "Choose which model is A, the baseline.",
    "replace": "Parts without a newer file stay as they are.",
}
THRESHOLD = "Which grades count as relevant?"
#: By whether ids are matched as numbers now.
MATCH_IDS: Mapping[bool, str] = {False: "Match ids as numbers", True: "Match ids as they are written"}
KEEP_POLICY = "Use the policy of the open comparison"
KEEP_POLICY_HELP = "Otherwise the default policy decides. They differ in: {fields}."
APPLY_EDITS = "This undoes the labels and edits of this comparison."
READY = "A is {a}, against {b}."
#: Beside it, for newer files of the open comparison: by whether it has labels or edits.
REPLACES: Mapping[bool, str] = {
    False: "The new verdict replaces this one, on History too.",
    True: f"The new verdict replaces this one, on History too. {APPLY_EDITS}",
}
ONLY_VOTES = "Only the votes in {name} count."
READING_FILE = "Reading {name}"

# --- the data page ---------------------------------------------------------------------------------------------------

#: What a card says of a part, by the facts that it has.
RUN = "{name}: {rows}, {queries}, ordered by {order}"
NOT_JUDGED = "None: this shows what changed, not which is better."
JUDGED = "{rows}, {queries}, grades {grades}"
TABLE = "{rows}; columns {columns}"
#: What the first ranks of all lists show of the items.
CATALOGUE, CATALOGUE_WHY = ("", "A", "B"), "Numbers of all lists together. No rule of the verdict reads them."
ROW, ROWS, QUERY, QUERIES = "row", "rows", "query", "queries"
#: What is folded under a card.
FACTS = {"format": "Format", "columns": "Columns", "sha256": "SHA-256"}
CORRECT = "Correct"
CORRECT_AGAIN = "To correct how it was read, drop the file again below."
ASKED_AT = "The lists were asked for on"
ASKED_AT_HELP = "The day (UTC) to which the ages of documents are counted, for queries without a time."
CORRECT_TITLE = "Correct how a file was read"
APPLY = "Read it this way"
COMPARABLE = "Can A and B be compared?"
#: Numbers of queries, and shares of judged documents.
TOGETHER = (
    "{} of {} judged queries are in both lists. The top {k} differs on {}. Of the top {k}, {} are judged in A, {} in B."
)
#: What does not fit, [one|several] by its number.
CONCERN: Mapping[str, str] = {
    "missing": "{n} [list is|lists are] missing: A or B has no result for a judged query.",
    "strange": "{n} [query|queries] of a list [has|have] no judgments and [does|do] not count.",
    "without_relevant": "{n} [query has|queries have] no relevant document. No ranking can be good there.",
    "alike": "All {n} judged documents have the same grade.",
    "unweighted": "{n} judged [query has|queries have] no weight.",
    "unjudged": "{n} [document|documents] in the top {k} of A or B [is|are] not judged.",
    "conflicts": "{n} [grade contradicts|grades contradict] an earlier one of the same document. The first counts.",
    "duplicates": "{n} [row repeats|rows repeat] a document of its list. The first place counts.",
    "ties": "{n} [document|documents] in or just below the top {k} [shares|share] a score with a neighbour.",
}
#: Facts about queries that say it with what follows from it.
FACTS_OF: Mapping[str, tuple[str, ...]] = {
    "missing": ("missing_a", "missing_b"),
    "strange": ("unjudged_a", "unjudged_b"),
    "without_relevant": ("without_relevant",),
    "unweighted": ("unweighted",),
}
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
