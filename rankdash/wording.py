"""Numbers and names as people read them: true minus signs, a sign on every delta, three decimals in sentences.

Pure functions of numbers. What is not defined reads "n/a", and a rounded zero has no sign. Text from files is made
visible here too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from rankdash.notes import Findings, Note, detail, warning
from rankdash.records import frozen

MINUS = "−"
NOT_DEFINED = "n/a"
#: A noun in words of ours, with its article; not the name of a column, an option or what is filled in.
_NOUN = re.compile(r"(?<![\w{-])(an? )?(query|queries|document|documents)\b", re.IGNORECASE)


@frozen
class Nouns:
    """What a query and a document are called: users and items, where the files say so."""

    query: str = "query"
    queries: str = "queries"
    document: str = "document"
    documents: str = "documents"

    def say(self, text: str) -> str:
        """Return words of ours with these nouns, before anything from a file is filled in.

        >>> USERS.say("A document of {query} without query_id. Queries?")
        'An item of {query} without query_id. Users?'
        """
        return text if self == SEARCH else _NOUN.sub(self._replace, text)

    def _replace(self, found: re.Match[str]) -> str:
        article, noun = found[1] or "", str(getattr(self, found[2].lower()))
        new = f"{'an' if noun[0] in 'aeio' else 'a'} {noun}" if article else noun
        return new[0].upper() + new[1:] if found[0][0].isupper() else new

    def named(self, query: str) -> str:
        """Return the name of a query; a bare number would read as a value beside others.

        >>> USERS.named("17").split(), SEARCH.named("q17")
        (['User', '17'], 'q17')
        """
        return f"{self.say('Query')}\N{NO-BREAK SPACE}{query}" if query.isdecimal() else query

    def queries_of(self, n: float, which: str = "") -> str:
        """Return a number of queries, "judged " ones or others by ``which``."""
        return count(n, f"{which}{self.query}", f"{which}{self.queries}")

    def documents_of(self, n: float, which: str = "") -> str:
        """Return a number of documents in the same way."""
        return count(n, f"{which}{self.document}", f"{which}{self.documents}")


SEARCH, USERS = Nouns(), Nouns("user", "users", "item", "items")


def nouns(of_users: bool) -> Nouns:
    """Return what a query and a document are called in a comparison."""
    return USERS if of_users else SEARCH


#: What the measure of votes alone is called.
GSB = "ΔGSB"

#: Remarks and questions about the kind of the judgments; see ``evidence.judgment_kind``.
JUDGMENTS_SAY = {
    "positive_only": "The judgments name only relevant documents. Every other document counts as not relevant.",
    "threshold": "From which grade is a document relevant? At 1, all of them are.",
    "judged_or_logged": "Did people judge these documents, or are they logged clicks?",
}


#: Why lists may be reversed, by the order that would put them right.
_TURNED = {
    "rank": "the ranks contradict the scores in {share} of the rows",
    "score": "the scores contradict the ranks in {share} of the rows",
    "position": "the scores rise from row to row",
}


def turned(called: str, order: str, share: float = 1.0, *, on_page: bool = False) -> str:
    """Return the sentence on lists that may be reversed, with what settles it, perhaps on a page alone; ``share`` of
    the rows say so.

    >>> turned("A", "rank", 0.98)
    'The lists of A may be reversed: the ranks contradict the scores in 98.0% of the rows. High scores come first. To change this, choose the order on the page Data, under Correct or after dropping the file there again (at a shell --order rank, in Python order="rank").'
    """  # noqa: E501
    why = _TURNED[order].format(share=percent(share))
    first = "Rank 1 comes" if order == "score" else "High scores come"
    how = "choose the order on the page Data, under Correct or after dropping the file there again"
    elsewhere = "" if on_page else f' (at a shell --order {order}, in Python order="{order}")'
    return f"The lists of {called} may be reversed: {why}. {first} first. To change this, {how}{elsewhere}."


#: So many grades are named.
_GRADES = 5


def below_zero(grades: Iterable[float], treated: str) -> str:
    """Return what grades below 0 count, by the axis ``negative`` of a convention; "" where there are none.

    >>> below_zero((-2, -1, 0, 1), "unjudged")
    'Grades below 0 (−2, −1) count as unjudged.'
    """
    negative = [grade for grade in grades if grade < 0]
    return (
        f"Grades below 0 ({_named(negative)}) count as {'0' if treated == 'clip' else 'unjudged'}." if negative else ""
    )


def below_relevant(grades: Iterable[float], measures: Sequence[str]) -> str:
    """Return which grades count as relevant for measures that ask for that, where some gain and do not because they are
    fractions below 1; "" where there are none.

    >>> below_relevant((0, 0.25, 1), ["AP", "RR"])
    'For AP, RR a document is relevant from grade 1. Lower grades (0.25) count as not relevant. To count them, write AP(rel=0.25) in the policy.'
    """  # noqa: E501
    some = sorted(grade for grade in grades if 0 < grade < 1)
    if not some or not measures:
        return ""
    name, cut, k = measures[0].partition("@")
    written = f"{name}(rel={some[0]:g}){cut}{k}" if "(" not in name else f"rel={some[0]:g}"
    lower = f"Lower grades ({_named(some)}) count as not relevant. To count them, write {written} in the policy."
    return f"For {', '.join(measures)} a document is relevant from grade 1. {lower}"


def level(called: str, lists: int, of: int) -> str:
    """Return the sentence on lists in which all documents have one score, where most lists are such; else "".

    >>> level("A", 30, 30)
    'All documents have the same score in 30 of 30 lists of A. Their order means nothing.'
    """
    which = f"in {count(lists)} of {count(of, 'list', 'lists')} of {called}"
    return f"All documents have the same score {which}. Their order means nothing." if 2 * lists > of else ""


def list_notes(findings: Findings, ordered_by: str, called: str, *, noted: bool) -> list[Note]:
    """Return notes on what the lists of a run showed when they were put in order. ``noted``: reading the run already
    noted the lists without finite scores.
    """
    texts = {
        "Listed twice in one list; the first place counts": findings.duplicates,
        f"Rows where rank and score disagree; the {ordered_by} was used": findings.disagreements,
        "Lists ordered by rank, because a score is not a finite number": 0 if noted else findings.by_rank_instead,
    }
    notes = [warning("lists", f"{text}: {n:,}.") for text, n in texts.items() if n]
    if one_score := level(called, findings.level, findings.lists):
        notes.append(warning("level_scores", one_score))
    equal = f"Rows that share a score with a neighbour: {findings.tied_rows:,}. The convention orders them."
    return notes + ([detail("tied_scores", equal)] if findings.tied_rows else [])


def undated(n: int, of: int) -> str:
    """Return how many judged documents have no date, so that their gain does not fade; "" for none."""
    of_all, have = count(of, "judged document", "judged documents"), "has" if n == 1 else "have"
    return f"{count(n)} of {of_all} {have} no date: the gain there does not fade." if n else ""


def unmet(k: int, shown: int, unknown: int) -> str:
    """Return how often lists show a document that a table of items lacks; "" for never."""
    if not shown and unknown:
        return f"No document of the first {k} ranks is an item of this table. Write the ids alike."
    places = count(unknown, "place shows a document", "places show documents")
    said = f"In the first {k} ranks, {places} that the table of items lacks. ILD and coverage leave them out."
    return said if unknown else ""


def uncovered(measures: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a sentence for each preset whose tools do not print measures that are computed by its axes.

    >>> uncovered({"trec_eval-10": ["RR@10", "CG@10"]})
    ('trec_eval-10 does not print RR@10, CG@10. Its settings are used.',)
    """
    return tuple(
        f"{preset} does not print {', '.join(names)}. Its settings are used." for preset, names in measures.items()
    )


#: Beside lists that go by rank under the convention of tools that go by score.
BY_SCORE = (
    "{tools} orders lists by score, but these are ordered by rank. Where the two disagree, the numbers differ. For its "
    'numbers use --order score, or order="score" in Python.'
)


def _named(grades: Sequence[float]) -> str:
    shown = ", ".join(map(grade_text, grades[:_GRADES]))
    return f"{shown}, …" if len(grades) > _GRADES else shown


#: Invisible marks that belong to the writing of a language or to an emoji: they join or part the letters beside them.
_JOINERS = frozenset("\u200c\u200d\u00ad\u2060\ufeff")


def literal(text: str) -> str:
    """Return text from a file, with every mark spelled out that would act instead of being seen.

    These are control characters (an escape sequence would drive a terminal), half characters, and the marks that turn
    the direction of writing: one of them makes "txt.exe" of "exe.txt", beyond its own cell too. A line break and a tab
    become a blank. Marks that only join letters stay.

    >>> literal("a\\u202etxt.exe"), literal("two\\nlines"), literal("\\x1b[31m")
    ('a\\\\u202etxt.exe', 'two lines', '\\\\x1b[31m')
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _spelled(letter) for letter in text)


def _spelled(letter: str) -> str:
    """Return a letter that cannot be seen, as what is shown in its place."""
    if letter in _JOINERS or unicodedata.category(letter) in ("Zs", "Co", "Cn"):
        return letter
    if letter in "\t\n\r\x0b\x0c\x85\u2028\u2029":
        return " "
    return letter.encode("unicode_escape", "surrogatepass").decode()


def short(text: str, width: int) -> str:
    """Return the text, cut to a width in columns; Chinese, Japanese and Korean letters are two columns wide."""
    taken = 0
    for at, letter in enumerate(text):
        taken += columns(letter)
        if taken > width:
            return text[: at - 1].rstrip() + "…"
    return text


def columns(text: str) -> int:
    """Return how many columns a text takes.

    >>> columns("ab"), columns("漢字")
    (2, 4)
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def short_inside(text: str, width: int) -> str:
    """Return the text, cut in its middle to a width in columns: ids as a rule differ at their ends.

    >>> short_inside("ranker_of_spring_v1", 12)
    'ranker…ng_v1'
    """
    if columns(text) <= width:
        return text
    tail = width // 2
    return short(text, width - tail + 1).removesuffix("…") + short(text[::-1], tail)[::-1]


def both_short(one: str, other: str, width: int) -> tuple[str, str]:
    """Return two texts, cut to a width in columns; in the middle if they begin alike, so that their difference is
    left.

    >>> both_short("ranker_of_spring_v1", "ranker_of_spring_v2", 12)
    ('ranker…ng_v1', 'ranker…ng_v2')
    """
    cut = short(one, width), short(other, width)
    return cut if one == other or cut[0] != cut[1] else (short_inside(one, width), short_inside(other, width))


def number(x: float | None, decimals: int = 3) -> str:
    """Return a number with a true minus sign.

    >>> number(-0.2), number(0.6128), number(-0.0001), number(None)
    ('−0.200', '0.613', '0.000', 'n/a')
    """
    if x is None:
        return NOT_DEFINED
    text = f"{abs(x):.{decimals}f}"
    return MINUS + text if x < 0 and float(text) else text


def grade_text(x: float) -> str:
    """Return a grade or a gain with at most three decimals, unless they would make it zero.

    >>> grade_text(2.0), grade_text(-2 / 3), grade_text(0.00004)
    ('2', '−0.667', '4e-05')
    """
    return f"{MINUS * (x < 0)}{round(abs(x), 3) or abs(x):g}"


def signed(x: float | None, decimals: int = 3) -> str:
    """Return a delta: always with a sign, unless it rounds to zero.

    >>> signed(0.015), signed(-0.0042), signed(0.0004)
    ('+0.015', '−0.004', '0.000')
    """
    text = number(x, decimals)
    return "+" + text if x is not None and x > 0 and float(text) else text


def near(x: float | None, *limits: float, decimals: int = 3) -> str:
    """Return a delta that is compared with limits: with as many decimals as it takes to stand on the same side of each
    limit as the number itself. What is equal to 12 decimals stays equal.

    >>> near(-0.0003, 0), near(0.00496, 0.005), near(0.0204, 0.02, 0), near(12.3456, 0, decimals=1)
    ('−0.0003', '+0.00496', '+0.0204', '+12.3')
    """
    if x is None:
        return NOT_DEFINED
    sides = [_side(x, limit) for limit in limits]
    enough = (d for d in range(decimals, _MOST) if [_side(float(f"{x:.{d}f}"), one) for one in limits] == sides)
    return signed(x, next(enough, _MOST))


def _side(x: float, limit: float) -> int:
    """Return on which side of a limit a number lies: -1, 0 or 1."""
    apart = round(x - limit, 12)
    return (apart > 0) - (apart < 0)


def beside(x: float | None, limit: float, decimals: int, sign: bool, in_percent: bool) -> tuple[str, str]:
    """Return a number and its limit, each with as many decimals as show the limit whole and the number on its side of
    it.

    >>> beside(0.0999999, 0.1, 3, sign=True, in_percent=False), beside(0.054, 0.01, 1, sign=False, in_percent=True)
    (('+0.0999999', '0.100'), ('5.4%', '1.0%'))
    """
    scale, unit = (100, "%") if in_percent else (1, "")
    y = scale * limit
    whole = next((d for d in range(decimals, _MOST) if abs(round(y, d) - y) < 10**-_MOST), _MOST)
    shown = f"{_grouped(y, whole)}{unit}" if y else "0"
    if x is None:
        return NOT_DEFINED, shown
    x *= scale
    d = next((d for d in range(decimals, _MOST) if _side(float(f"{x:.{d}f}"), y) == _side(x, y)), _MOST)
    text = f"{_grouped(x, d)}{unit}"
    return f"+{text}" if sign and x > 0 and float(f"{x:.{d}f}") else text, shown


#: As many decimals as numbers are compared with.
_MOST = 12


def _grouped(x: float, decimals: int) -> str:
    """Return a number with a true minus sign and thousands separated."""
    text = f"{abs(x):,.{decimals}f}"
    return MINUS + text if x < 0 and text.strip("0.,") else text


def size_near(x: float, *limits: float, decimals: int = 3) -> str:
    """Return a size that is compared with limits: ``near`` without a plus.

    >>> size_near(0.0101, 0.01)
    '0.0101'
    """
    return near(x, *limits, decimals=decimals).removeprefix("+")


def end(x: float | None) -> str:
    """Return an end of an interval: a delta that never wrongly looks like zero.

    >>> end(0.0003), end(-0.0412), end(0.0)
    ('+0.0003', '−0.041', '0.000')
    """
    return near(x, 0.0)


def limit(x: float, decimals: int = 3) -> str:
    """Return a threshold of the policy: with as many decimals, up to three more, as it takes to show it whole.

    >>> limit(0.02), limit(0.0005), limit(-0.01), limit(1, decimals=1)
    ('0.020', '0.0005', '−0.010', '1.0')
    """
    enough = next((d for d in range(decimals, decimals + 3) if abs(round(x, d) - x) < 1e-9), decimals + 3)
    return number(x, enough)


def unlike(
    before: float | None, after: float | None, write: Callable[[float | None, int], str] = number
) -> tuple[str, str]:
    """Return two numbers with as many decimals, up to three more, as it takes to tell them apart.

    >>> unlike(0.01963, 0.02033), unlike(0.25, 0.5), unlike(0.1 + 0.2, 0.3), unlike(0.0, -0.00002, signed)
    (('0.0196', '0.0203'), ('0.250', '0.500'), ('0.300', '0.300'), ('0.00000', '−0.00002'))
    """
    pairs = [(write(before, decimals), write(after, decimals)) for decimals in range(3, 7)]
    return next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])


def delta_name(measure: str) -> str:
    """Return what a difference of a measure is called; a ΔGSB is one.

    >>> delta_name("nDCG@10"), delta_name(GSB)
    ('ΔnDCG@10', 'ΔGSB')
    """
    return measure if measure == GSB else f"Δ{measure}"


def delta_text(measure: str, value: float) -> str:
    """Return a difference of a measure by its name: a ΔGSB in percentage points, any other as it is.

    >>> delta_text("nDCG@10", 0.0742), delta_text(GSB, 0.0742)
    ('+0.074', '+7.4%')
    """
    return points(value) if measure == GSB else signed(value)


def points(share: float | None) -> str:
    """Return a ΔGSB, given as a share in [-1, 1], in percentage points: one decimal, signed.

    >>> points(-0.25), points(0.0001)
    ('−25.0%', '0.0%')
    """
    return NOT_DEFINED if share is None else signed(100 * share, 1) + "%"


def points_near(share: float | None, *limits: float) -> str:
    """Return the same without the percent sign, compared with limits that are shares too.

    >>> points_near(0.0196, 0.02), points_near(-0.25, 0)
    ('+1.96', '−25.0')
    """
    return near(None if share is None else 100 * share, *(100 * limit for limit in limits), decimals=1)


def points_between(low: float | None, high: float | None, *limits: float) -> str:
    """Return the ends of an interval of ΔGSB beside 0 and other limits: "−77.8 to +50.5"."""
    return " to ".join(points_near(end, 0.0, *limits) for end in (low, high))


def family_level(candidates: int) -> str:
    """Return the level of the interval of each of several candidates: together they have the 95% of one (Bonferroni).

    >>> family_level(1), family_level(3), family_level(10)
    ('95%', '98.33%', '99.5%')
    """
    return f"{100 - 5 / candidates:.2f}".rstrip("0").rstrip(".") + "%"


def percent(share: float | None, decimals: int = 1) -> str:
    """Return a share in [0, 1] as a percentage without a sign: "97.0%"."""
    return NOT_DEFINED if share is None else number(100 * share, decimals) + "%"


def p_value(p: float | None) -> str:
    """Return a p-value: three decimals, "<0.001" below; never 0.

    >>> p_value(0.0438), p_value(1e-9), p_value(None)
    ('0.044', '<0.001', 'n/a')
    """
    return NOT_DEFINED if p is None else f"{p:.3f}" if p >= 0.001 else "<0.001"


def count(n: float, one: str = "", many: str = "") -> str:
    """Return a whole number with thousands separated, and the thing counted in the right form.

    >>> count(1250), count(1, "query", "queries"), count(30, "query", "queries")
    ('1,250', '1 query', '30 queries')
    """
    text = f"{n:,.0f}"
    noun = one if text == "1" else many
    return f"{text} {noun}" if noun else text


def about(n: float) -> str:
    """Return a number that is an estimate: two digits that count above one hundred.

    >>> about(1133), about(87), about(942)
    ('1,100', '87', '940')
    """
    size = 10 ** max(len(f"{n:.0f}") - 2, 0) if n >= 100 else 1
    return count(round(n / size) * size)
