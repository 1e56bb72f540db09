"""Words of the Method page, and of how the verdict is decided."""

from __future__ import annotations

from collections.abc import Mapping

from rankdash.records import frozen

METHOD = "Method"

# --- a number of another tool ----------------------------------------------------------------------------------------

FIND_TITLE = "Find a number"
FIND_HINT = (
    "Type a number that another tool printed for one of these models. The table shows which convention gives it. "
    "All are plain means over the queries; for one query, choose the convention on Queries, under View and filters."
)
FIND_NUMBER, FIND_LIKE, FIND_NO_NUMBER = "Number", "0.8042", "This is not a number. Type it as 0.8042."
FOUND = "These conventions give it:"
NOT_FOUND = (
    "No tool’s convention gives it at cutoff {k}. Nor does the one in force with one setting changed, with or without "
    "unjudged documents. "
    "Try another cutoff or measure, or several settings under Try another convention. The nearest are:"
)
YOURS, AS_YOURS = "in force", "nothing"
#: By whether the edits count.
FOUND_EDITED: Mapping[bool, str] = {
    True: "The edits count here. A tool prints these numbers if it reads the judgments that Label saves.",
    False: "These numbers are from before the edits, which count under “What a tool prints”.",
}
FOUND_BY_RANK = "These lists are ordered by rank, so equal scores do not count. Correct on Data orders them by score."
FOUND_COLUMNS = ("Convention", "Measure", "Model", "Value", "What differs from the one in force")
FIND_MEASURE, FIND_ANOTHER = "Further measure", "None"
FIND_CUTOFF = "Cutoff"
FIND_DECIDED = "{k}, as decided"
FIND_TOOL, TOOL_COLUMNS = "What a tool prints", ("Measure", "A", "B", "Δ")
COUNTED_OTHERWISE = (
    "The verdict says {measure} {a}\u00a0→\u00a0{b}: {why}. Here each query counts once, wherever it has a value."
)
BY_WEIGHT, LEFT_OUT = "queries count there by their weights", "{n} of {judged} judged queries count there"
DELTA_PAIRED = "Δ is the mean over the queries where both models have a value. It can differ from B − A."
PRESETS_COMPUTING = "Computing every convention"
NOT_IN_TOOL = "{measure} (not in this tool)"
FROM_GRADE = "{measure}, relevant from {grade}"
#: The measures in the table at first; k is the cutoff. Others can be added. Those of documents from a grade on.
COMPARED = ("nDCG@k", "AP", "AP@k", "P@k", "RR", "DCG@k")
BINARY = ("AP(rel={grade})", "AP(rel={grade})@k", "P(rel={grade})@k", "RR(rel={grade})")
PRESET_WHY: Mapping[str, str] = {
    "standard": "Linear gain, the ideal from all judged documents; a query that a run lacks counts 0. ranx has these "
    "numbers where no scores are equal and no grades below 0.",
    "trec_eval-9": "Compares scores as 32-bit numbers. Its numbers without -c: queries that a run lacks are left out.",
    "trec_eval-10": "Scores in full precision. Its numbers with -c; without, it stops at a query that a run lacks.",
    "scikit-learn": "Takes the ideal from the list itself, so missed documents cost nothing, and "
    "averages equal scores.",
    "ranklib": "Gain 2^grade − 1, the ideal from the list itself; AP divides by the hits in the list.",
    "lightgbm": "Gain 2^grade − 1, the ideal from the list; a query without a relevant document counts 1.",
    "xgboost": "As LightGBM, P divides by the documents there are; plain ndcg and map are cut at 32.",
    "gdeval": "Gain 2^grade − 1 with the ideal from all judged; queries without a relevant document are left out.",
    "ndeval": "ndeval 4.5 as pyndeval has it, for measures of subtopics: equal scores by document id, ascending, and "
    "alpha_DCG@1 and ERR_IA@1 as they are. Its nNRBP has no value for a query without a relevant document, here 0.",
    "ir_measures": "As trec_eval with missing queries counted 0; scores are compared as 32-bit numbers. Its RR@k and "
    "Judged@k order equal scores the other way and are not covered: write them with their axes, as in "
    "`ir_measures:RR(ties='docid_asc',score_type='float64')@10`; its Judged@k counts 0 for a query without "
    "a list. Its Accuracy is no AUC: it takes unjudged documents for non-relevant ones, and ties do not count half.",
    "quepid": "Gain 2^grade − 1, the ideal from all judged and not cut at k; P divides by the documents there are. Its "
    "CG adds up grades: write `quepid:CG(gain='linear')@10`. The score of a case in Quepid 7.16 and newer has 0 for "
    "queries without results, which are left out here (`missing_query='zero'` counts them), and for those without "
    "ratings, which no convention counts.",
    "rank_eval": "Elasticsearch, OpenSearch: gain 2^grade − 1, the ideal from all judged, cut at k and at the hits "
    "there are.",
    "srw": "OpenSearch workbench, which rounds to two decimals: gain 2^grade − 1, the ideal from all judged. Newer "
    "versions call a document relevant by a threshold for each query, so that P, R, AP and RR differ.",
    "lenskit": "LensKit with gain='rating': ranks 1 and 2 have no discount. Every item of the test data is relevant, "
    "and AP divides by min(R, k, n). Its Recall divides by min(R, k) and is not covered. Without gain= its NDCG counts "
    "every item as 1, as judgments without grades do.",
    "textbook": "The list itself is the ideal, and AP divides by its hits.",
}

# --- the convention, axis by axis ------------------------------------------------------------------------------------

CONVENTION_TITLE, AXIS_COLUMNS = "Convention in force: {name}", ("Axis", "Value")
POLICY_REST = "The dialog Policy has the other limits."
POLICY_TITLE, FIELD_COLUMNS = "Policy in force", ("Field", "Value")
TRY_ANOTHER = "Try another convention"
CONVENTION_HINT = (
    "Change a setting to see what it does to the numbers; the edits count. Nothing is decided by it before you press "
    "the button."
)
OWN_CONVENTION = "custom"
USE, RESET = "Decide by this convention", "Back to the policy’s convention"
EFFECT_COLUMNS = ("Measure", "A", "B", "Δ", "A, changed", "B, changed", "Δ, changed")
NO_EFFECT = "Nothing is changed. Both halves show the policy’s convention."
CHANGED_AXES = "Changed: {axes}."
CHANGED_AXIS = "{axis}: {value}"
UNMOVED = "No number moves: this data does not reach the difference."

# --- measures --------------------------------------------------------------------------------------------------------

MEASURES_TITLE, MEASURE = "Measures", "Measure"
LETTERS = (
    "i is a rank from 1, y its grade, g its gain, r is 1 for a relevant document and 0 for another, hits(i) the "
    "relevant documents down to rank i, R all relevant documents of the query, N the judged non-relevant ones, n the "
    "length."
)
SOURCE = "Range {range}. Source: {source}."
GRADES, THIS_LIST = "Grades, best rank first", "this list"
#: The cutoff of a list that is worked out.
DEPTH = 6
GSB_FORMULA = "ΔGSB = (good − bad) ÷ (good + same + bad), where good means that B is better"

# --- textbook examples: what copied texts print, and what to know about it --------------------------------------------

TEXTBOOK_TITLE = "Textbook examples"
TEXTBOOK_HINT = (
    "What copied texts print, beside what rankdash computes now. Grades are in ranked order; + lists relevant "
    "documents that were missed."
)
TEXTBOOK_COLUMNS = ("List", "Printed", "Computed", "What to know")
MISSED = "{list} + {missed}"
NOT_PRINTED = "–"
RIGHT, WRONG, MIXED = ":green[:material/check:]", ":red[:material/close:]", ":orange[:material/sync_alt:]"
TEXTBOOK_LEGEND = "{right} right · {wrong} wrong · {mixed} right for another convention than the text says"


@frozen
class Printed:
    """One value of a copied text: list, missed grades, measure as it is asked for, what is printed, what to know."""

    grades: str
    measure: str
    printed: str
    mark: str
    note: str
    missed: str = ""


#: The measure of examples that are votes, not grades.
GSB = "ΔGSB"
PHONES = "3 2 3 0 1 2"
EXAMPLES: tuple[Printed, ...] = (
    Printed("3 2 1 0", "nDCG@4", "1.0", RIGHT, "A list in ideal order."),
    Printed(PHONES, "CG@6", "11", RIGHT, "CG does not see the order: any permutation has 11."),
    Printed(PHONES, "DCG@6", "6.861", RIGHT, "Linear gain."),
    Printed("3 2 0 3 1 2", "DCG@6", "–", RIGHT, "Ranks 3 and 4 exchanged: DCG falls, CG does not."),
    Printed(
        PHONES, "DCG(gain='exp2')@6", "16.047", WRONG,
        "The fifth term is 1 ÷ log2 6 = 0.387; the text multiplied by log2 6 = 2.585.",
    ),
    Printed(PHONES, "IDCG@6", "8.740", RIGHT, "The ideal list 3, 3, 3, 2, 2, 2 holds the two missed ones.", "3 2"),
    Printed(
        PHONES, "IDCG(ideal='retrieved')@6", "7.141", MIXED,
        "Right for the list’s own ideal, not for the ideal list that the text has just shown.",
    ),
    Printed(PHONES, "nDCG(ideal='retrieved')@6", "0.961", MIXED, "From 7.141: missed documents cost nothing."),
    Printed(PHONES, "nDCG@6", "0.961", WRONG, "With the ideal list that the text shows.", "3 2"),
    Printed(
        PHONES, "nDCG(gain='exp2',ideal='retrieved')@6", "0.961", MIXED,
        "The text is linear and its code exponential: the code prints 0.9488.",
    ),
    Printed("5 3 2 1 4", "DCG@5", "8.738", WRONG, "No variant of the discount gives 8.738."),
    Printed("5 3 2 1 4", "IDCG@5", "10.199", WRONG, "5, 4, 3, 2, 1 in order."),
    Printed("5 3 2 1 4", "nDCG@5", "0.857", WRONG, "0.857 is only 8.738 ÷ 10.199."),
    Printed("1 0 1 0 1 0", "AP", "0.76", RIGHT, "Rounded, and only if three documents are relevant in all."),
    Printed("1 0 1 0 1 0", "AP", "0.76", WRONG, "With two more relevant documents missed, R = 5.", "1 1"),
    Printed("1 0 1 0 1 0", "AP(ap_denominator='hits')@3", "–", MIXED, "Divided by the hits.", "1 1"),
    Printed("1 0 1 0 1 0", "AP(ap_denominator='min(R,k)')@3", "–", MIXED, "Divided by min(R, k) = 3.", "1 1"),
    Printed("1 0 1 0 1 0", "AP@3", "–", RIGHT, "Divided by R = 5: three divisors, three values.", "1 1"),
    Printed("0 1 1 0 1", "nDCG@5", "0.71", RIGHT, "DCG 1.52 ÷ 2.13."),
    Printed("0 0 1 1 1", "nDCG@5", "0.62", RIGHT, "The same three documents one rank later."),
    Printed("1 0 1 0 0", "DCG@5", "–", RIGHT, "CG@5 is 2."),
    Printed("0 0 0 1 1", "DCG@5", "–", RIGHT, "CG@5 is 2 as well: CG’s blind spot."),
    Printed(
        "good same bad bad", GSB, "−1/4", RIGHT,
        "(1 − 2) ÷ 4. The text reads “must not go online” off the sign alone; four queries prove nothing.",
    ),
)  # fmt: skip
