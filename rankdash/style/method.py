"""Words of the Method page, and of how the verdict is decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

METHOD = "Method"
SECTIONS: Mapping[str, str] = {
    "presets": "Find a number",
    "convention": "Convention",
    "measures": "Measures",
    "cutoff": "Discount and cutoff",
    "textbook": "Textbook examples",
    "verdict": "The verdict",
    "limits": "What stays open",
}
SECTION = "Section"

# --- the same data under every preset --------------------------------------------------------------------------------

PRESETS_TITLE = "The same data under every preset"
PRESETS_HINT = (
    "Another tool prints another number? Find it here. Each cell is the plain mean of A → B, with the name that the "
    "tool gives it; grey: that tool does not print it."
)
FIND_MEASURE, FIND_ANOTHER = "Measure", "Another one"
FIND_CUTOFF = "Cutoff"
FIND_DECIDED = "{k}, as decided"
COUNTED_OTHERWISE = (
    "The verdict says {measure} {a}\u00a0→\u00a0{b}: {why}. Here each query counts once, wherever it has a value."
)
BY_WEIGHT, LEFT_OUT = "queries count there by their weights", "{n} of {judged} judged queries count there"
PRESETS_COMPUTING = "Computing every preset"
PRESET = "Convention, and why its number differs"
IN_FORCE = "in force"
NOT_IN_TOOL = "not in that tool"
CELL = "{a}\u00a0→\u00a0{b}"
PRESETS_ALT = "Means of A and B for {measures} under each of {n} conventions"
#: The measures in the table at first; k is the cutoff. Others can be added.
COMPARED = ("nDCG@k", "AP", "AP@k", "P@k", "RR", "DCG@k")
PRESET_WHY: Mapping[str, str] = {
    "standard": "Linear gain, the ideal from all judged documents; a query that a run lacks counts 0. ranx has these "
    "numbers where no scores are equal and no grades below 0.",
    "trec_eval-9": "Compares scores as 32-bit numbers. Its number without -c, which leaves out what a run lacks.",
    "trec_eval-10": "Scores in full precision. Its number with -c; without, it stops at a query that a run lacks.",
    "scikit-learn": "Takes the ideal from the list itself, so missed documents cost nothing, and "
    "averages equal scores.",
    "ranklib": "Gain 2^grade − 1, the ideal from the list itself; AP divides by the hits in the list.",
    "lightgbm": "Gain 2^grade − 1, the ideal from the list; a query without a relevant document counts 1.",
    "xgboost": "As LightGBM, P divides by the documents there are; plain ndcg and map are cut at 32.",
    "gdeval": "Gain 2^grade − 1 with the ideal from all judged; queries without a relevant document are left out.",
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
    "textbook": "The list itself is the ideal, and AP divides by its hits.",
}

# --- the convention, axis by axis ------------------------------------------------------------------------------------

CONVENTION_TITLE = "The convention, axis by axis"
CONVENTION_HINT = (
    "The verdict uses the convention of the policy, {name}. Change an axis here to see what it does to the open "
    "comparison; the verdict stays as it is."
)
OWN_CONVENTION = "one of its own"
RESET = "Back to the policy’s convention"


@dataclass(frozen=True)
class Axis:
    """An axis in words: its name, what it decides, and what each value says."""

    name: str
    decides: str
    values: Mapping[str, str]


AXES: Mapping[str, Axis] = {
    "gain": Axis("Gain", "What a grade is worth in CG, DCG and nDCG", {"linear": "the grade", "exp2": "2^grade − 1"}),
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
        {"R": "R, all relevant", "min(R,k)": "min(R, k)", "hits": "hits in the list"},
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
}  # fmt: skip
OWN_GAINS = "a table of gains"
GAINS = "Table of gains"
GAINS_LIKE = "1=1, 2=3, 3=7"
GAINS_HELP = "Each grade with its gain. A grade that is not in the table gains 0."
EFFECT_TITLE = "Effect on the open comparison"
EFFECT_COLUMNS = ("Measure", "A", "B", "Δ", "A, changed", "B, changed", "Δ, changed")
NO_EFFECT = "Nothing is changed. Both halves show the policy’s convention."
CHANGED_AXES = "Changed: {axes}."
CHANGED_AXIS = "{axis}, {value}"
UNMOVED = "No number moves: this data does not reach the difference."
EFFECT_ALT = "Means of A and B and their difference before and after the change"

# --- measures --------------------------------------------------------------------------------------------------------

MEASURES_TITLE = "Every measure"
MEASURES_HINT = (
    "i is a rank from 1, y its grade, g its gain, r is 1 for a relevant document and 0 for another, "
    "hits(i) the relevant "
    "documents down to rank i, R all relevant documents of the query, N the judged non-relevant ones, n the length."
)
MEASURE_COLUMNS = ("Measure", "What it is", "Formula", "Range", "Source")
#: A measure in the table, and what others call its mean.
MEASURE_NAME, MEASURE_MEAN = "**{name}**", "  \n:small[:gray[mean: {mean}]]"
MEASURES_ALT = "Name, definition, formula, range and source of {n} measures"
#: A formula as mathematics; without it the cell says the same in words.
FORMULA = r"$\displaystyle \vphantom{{\int_a^b}} {latex}$"
# --- discount and cutoff ---------------------------------------------------------------------------------------------

DISCOUNT_TITLE = "What a rank counts"
DISCOUNT_HINT = "Rank 1 counts 1. nDCG forgives slowly; RR sees little beyond the first ranks."
DISCOUNT_NAMES: Mapping[str, str] = {"discount": "nDCG", "rbp": "RBP, p = 0.8", "reciprocal": "RR"}
DISCOUNT_AXES = ("Rank", "Weight")
DISCOUNT_ALT = "Weight of ranks 1 to {n}: nDCG falls to {last}, RBP and RR to nearly nothing."
CUTOFF_TITLE = "How to choose the cutoff k"
CUTOFF_ADVICE: Mapping[str, str] = {
    "As many results as people look at.": "What fits on the first screen is a good k; 10 suits most pages of "
    "results, 1 or 3 an answer box or a voice assistant.",
    "Not deeper than the judgments.": "Where much of the top k is unjudged, the difference measures the judging. "
    "The verdict checks that.",
    "For a first stage, deeper.": "Where another model ranks again, recall at the depth that it reads says more "
    "than nDCG@10.",
    "Choose it before looking.": "With several cutoffs one of them is always kinder; the verdict stays on the one "
    "of the policy, and the queries page shows the whole curve.",
}

# --- what stays open -------------------------------------------------------------------------------------------------

LIMITS_TITLE = "What every offline comparison leaves open"
LIMITS: Mapping[str, str] = {
    "Labels are opinions": "People disagree about grades, and models that write them share their taste. An interval "
    "over queries does not see that; votes of several raters and their agreement do.",
    "The winner’s curse": "Of many candidates tried on the same queries the best one looks better than it is. Confirm "
    "it on queries that nobody has tuned on.",
    "Queries like these": "The interval speaks of queries like those that were sampled. Another season, market or "
    "device is another sample; look at the segments.",
    "Unjudged is not bad": "A new model finds documents that nobody judged. Counting them as not relevant favours the "
    "model that shaped the judgments; the check of judged shares guards against the worst.",
    "Offline is not online": "Relevance is not yet satisfaction: speed, presentation and habit have a say. A launch "
    "that passes here is a good candidate for an experiment with users, not its replacement.",
}

# --- textbook examples: what copied texts print, and what to know about it --------------------------------------------

TEXTBOOK_TITLE = "Textbook examples, computed now"
TEXTBOOK_HINT = (
    "Examples that are copied from text to text, with what they print and what our own functions compute while this "
    "page is drawn. Grades are in ranked order; + lists relevant documents that were missed."
)
TEXTBOOK_COLUMNS = ("List", "Measure", "Copied texts print", "Computed", "What to know")
TEXTBOOK_ALT = "{n} textbook examples with the printed and the computed values"
MISSED = "{list} + {missed}"
NOT_PRINTED = "–"
RIGHT, WRONG, MIXED = ":green[:material/check:]", ":red[:material/close:]", ":orange[:material/sync_alt:]"
TEXTBOOK_LEGEND = "{right} right · {wrong} wrong · {mixed} right for another convention than the text says"


@dataclass(frozen=True)
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
_PHONES = "3 2 3 0 1 2"
EXAMPLES: tuple[Printed, ...] = (
    Printed("3 2 1 0", "nDCG@4", "1.0", RIGHT, "A list in ideal order."),
    Printed(_PHONES, "CG@6", "11", RIGHT, "CG does not see the order: any permutation has 11."),
    Printed(_PHONES, "DCG@6", "6.861", RIGHT, "Linear gain."),
    Printed("3 2 0 3 1 2", "DCG@6", "–", RIGHT, "Ranks 3 and 4 exchanged: DCG falls, CG does not."),
    Printed(
        _PHONES, "DCG(gain='exp2')@6", "16.047", WRONG,
        "The fifth term is 1 ÷ log2 6 = 0.387; the text multiplied by log2 6 = 2.585.",
    ),
    Printed(_PHONES, "IDCG@6", "8.740", RIGHT, "The ideal list 3, 3, 3, 2, 2, 2 holds the two missed ones.", "3 2"),
    Printed(
        _PHONES, "IDCG(ideal='retrieved')@6", "7.141", MIXED,
        "Right for the list’s own ideal, not for the ideal list that the text has just shown.",
    ),
    Printed(_PHONES, "nDCG(ideal='retrieved')@6", "0.961", MIXED, "From 7.141: missed documents cost nothing."),
    Printed(_PHONES, "nDCG@6", "0.961", WRONG, "With the ideal list that the text shows.", "3 2"),
    Printed(
        _PHONES, "nDCG(gain='exp2',ideal='retrieved')@6", "0.961", MIXED,
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
SNIPPETS = (
    "Copied code often begins r[0] + Σ r[i] ÷ log2(i + 1) with i from 1, which leaves ranks 1 and 2 both undiscounted: "
    "an older formula, not the one above. And np.asfarray no longer exists in NumPy 2; np.asarray(x, dtype=float) does "
    "the same."
)


VERDICT_TITLE = "How the verdict is decided: policy version {version}"
VERDICT_RULES = (
    "The rules in order. The first that is failed or not proven decides; "
    "among those whose name begins with H a proven harm goes first."
)
VERDICT_COLUMNS = ("Rule", "Question", "Asks", "Outcome where it stops")
VERDICT: Mapping[str, str] = {
    "One measure decides": "The primary measure of the policy, by the mean difference per query and its 95% paired-t "
    "interval. A launch needs an interval above 0 and a gain that matters; guardrails must be shown safe.",
    "“Worse” is a claim": "Harm that is only possible stops a launch, but nobody is told that B is worse before it is "
    "proven. Each guardrail, each watched measure, each large enough segment of the policy and the big changes are one "
    "family of harm tests, adjusted by Holm; a measure that changed on fewer than 6 queries proves nothing. What stops "
    "a launch is decided measure by measure, watched measures and segments each in a family of their own.",
    "A few broken queries among many": "Big losses stop a launch where they are more than chance makes of as many big "
    "changes, and where they exceed the big gains by more than 1% of the queries: among thousands of queries some "
    "break whatever one does. The policy says how big, and how many.",
    "Queries that belong together are one voice": "Ten wordings of one question win or lose together, so they tell "
    "little more than one of them. A column “cluster” in the table of queries says which belong together; intervals, "
    "tests and limits then count groups. Without it, groups of 5 fairly alike queries launch 8.6% of models that are "
    "no better; with it, 2.3%.",
    "A golden set is not a sample": "Where the policy says that these queries are all that matters, nothing is "
    "inferred: no interval, no least number of queries; the numbers are held against the limits as they are. That is "
    "for regression tests, and says nothing about other queries.",
    "Few queries that differ in score are counted out": "Up to 20 queries that differ in score a claim of harm uses "
    "every pattern of signs of their differences instead of the t-test. The same difference on 6 queries or more is "
    "decided by the same test, without an interval.",
    "Too small is not harmless": "“Gain too small” is said only where the interval also rules out a loss that matters; "
    "otherwise there is no gain in sight, and more queries can only tell how large the loss is.",
    "Votes are averaged, by query and over both sides": "ΔGSB is the mean of the queries’ mean votes, taken at a "
    "balanced side, so that the pull of a side is no preference; its own effect is shown. Where B nearly always stood "
    "on one side the two cannot be told apart, and the votes are ignored. A rater’s last vote on a query counts. That "
    "raters agree little ignores nothing: queries may differ, and the interval knows it.",
    "How few queries carry it": "Queries are taken out one by one, each time the one that moves the deciding number "
    "most, until the outcome is of another class. A launch or a “worse” that hangs on very few says so.",
    "Looking again costs": "One look launches 2.5% of models that are no better. Whoever looks until it launches, or "
    "tries several models, would launch up to 4.9% with 2, 11.9% with 5, 39.7% with 20. What is saved here is counted; "
    "the command line takes --looks and --candidates.",
    "What more queries can do": "“Needs about N queries” is the size at which a two-sided 5% t-test would find that "
    "difference 4 times in 5, by the spread seen. It is no promise: where A is ahead, more queries do not make B "
    "better.",
}
