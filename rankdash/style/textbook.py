"""Examples that are copied from text to text: what they print, and what to know about it."""

from __future__ import annotations

from dataclasses import dataclass

TEXTBOOK_TITLE = "Textbook examples, computed now"
TEXTBOOK_HINT = (
    "Examples that are copied from text to text, with what they print and what our own functions compute "
    "while this page "
    "is drawn. Grades stand in ranked order; + lists relevant documents that were missed."
)
TEXTBOOK_COLUMNS = ("List", "Measure", "Copied texts print", "Computed", "What to know")
TEXTBOOK_ALT = "{n} textbook examples with the printed and the computed values"
MISSED = "{list} + {missed}"
NOT_PRINTED = "–"
RIGHT, WRONG, MIXED = ":green[:material/check:]", ":red[:material/close:]", ":orange[:material/sync_alt:]"
TEXTBOOK_LEGEND = "{right} right · {wrong} wrong · {mixed} right for another convention than the text says"


@dataclass(frozen=True)
class Example:
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
EXAMPLES: tuple[Example, ...] = (
    Example("3 2 1 0", "nDCG@4", "1.0", RIGHT, "A list in ideal order."),
    Example(_PHONES, "CG@6", "11", RIGHT, "CG does not see the order: any permutation has 11."),
    Example(_PHONES, "DCG@6", "6.861", RIGHT, "Linear gain."),
    Example("3 2 0 3 1 2", "DCG@6", "–", RIGHT, "Ranks 3 and 4 exchanged: DCG falls, CG does not."),
    Example(
        _PHONES, "DCG(gain='exp2')@6", "16.047", WRONG,
        "The fifth term is 1 ÷ log2 6 = 0.387; the text multiplied by log2 6 = 2.585.",
    ),
    Example(_PHONES, "IDCG@6", "8.740", RIGHT, "The ideal list 3, 3, 3, 2, 2, 2 holds the two missed ones.", "3 2"),
    Example(
        _PHONES, "IDCG(ideal='retrieved')@6", "7.141", MIXED,
        "Right for the list’s own ideal, not for the ideal list that the text has just shown.",
    ),
    Example(_PHONES, "nDCG(ideal='retrieved')@6", "0.961", MIXED, "From 7.141: missed documents cost nothing."),
    Example(_PHONES, "nDCG@6", "0.961", WRONG, "With the ideal list that the text shows.", "3 2"),
    Example(
        _PHONES, "nDCG(gain='exp2',ideal='retrieved')@6", "0.961", MIXED,
        "The text is linear and its code exponential: the code prints 0.9488.",
    ),
    Example("5 3 2 1 4", "DCG@5", "8.738", WRONG, "No variant of the discount gives 8.738."),
    Example("5 3 2 1 4", "IDCG@5", "10.199", WRONG, "5, 4, 3, 2, 1 in order."),
    Example("5 3 2 1 4", "nDCG@5", "0.857", WRONG, "0.857 is only 8.738 ÷ 10.199."),
    Example("1 0 1 0 1 0", "AP", "0.76", RIGHT, "Rounded, and only if three documents are relevant in all."),
    Example("1 0 1 0 1 0", "AP", "0.76", WRONG, "With two more relevant documents missed, R = 5.", "1 1"),
    Example("1 0 1 0 1 0", "AP(ap_denominator='hits')@3", "–", MIXED, "Divided by the hits.", "1 1"),
    Example("1 0 1 0 1 0", "AP(ap_denominator='min(R,k)')@3", "–", MIXED, "Divided by min(R, k) = 3.", "1 1"),
    Example("1 0 1 0 1 0", "AP@3", "–", RIGHT, "Divided by R = 5: three divisors, three values.", "1 1"),
    Example("0 1 1 0 1", "nDCG@5", "0.71", RIGHT, "DCG 1.52 ÷ 2.13."),
    Example("0 0 1 1 1", "nDCG@5", "0.62", RIGHT, "The same three documents one rank later."),
    Example("1 0 1 0 0", "DCG@5", "–", RIGHT, "CG@5 is 2."),
    Example("0 0 0 1 1", "DCG@5", "–", RIGHT, "CG@5 is 2 as well: CG’s blind spot."),
    Example(
        "good same bad bad", GSB, "−1/4", RIGHT,
        "(1 − 2) ÷ 4. The text reads “must not go online” off the sign alone; four queries prove nothing.",
    ),
)  # fmt: skip
SNIPPETS = (
    "Copied code often begins r[0] + Σ r[i] ÷ log2(i + 1) with i from 1, which leaves ranks 1 and 2 both "
    "undiscounted: "
    "an older formula, not the one above. And np.asfarray no longer exists in NumPy 2; np.asarray(x, "
    "dtype=float) does "
    "the same."
)
