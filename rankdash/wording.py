"""Numbers and names as people read them: true minus signs, a sign on every delta, three decimals in sentences.

Pure functions of numbers. What is not defined reads "n/a", and a rounded zero has no sign. Text from files is made
visible here too.
"""

from __future__ import annotations

import unicodedata

from rankdash.metrics.definitions import label

MINUS = "−"
NOT_DEFINED = "n/a"

#: What is said, or asked, about judgments of a kind; see the kinds and questions of ``evidence.judgment_kind``.
JUDGMENTS_SAY = {
    "positive_only": "The judgments name only relevant documents; every other document counts as not relevant.",
    "threshold": "Which grades count as relevant? With threshold 1 everything is.",
    "judged_or_logged": "Judged, or logged?",
}


#: Invisible marks that belong to the writing of a language or to an emoji: they join or part the letters beside them.
_JOINERS = frozenset("\u200c\u200d\u00ad\u2060\ufeff")


def literal(text: str) -> str:
    """Text from a file, with every mark spelled out that would act instead of being seen.

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


def shown(measure: str) -> str:
    """Return a measure's name on screen.

    >>> shown("nDCG@10"), shown("AP"), shown("RR@10"), shown("P@5")
    ('NDCG@10', 'MAP', 'MRR@10', 'P@5')
    """
    before, colon, after = measure.partition(":")
    prefix, name = (before + colon, after) if colon and "(" not in before else ("", measure)
    stop = next((at for at, letter in enumerate(name) if letter in "(@"), len(name))
    return prefix + label(name[:stop]) + name[stop:]


def number(x: float | None, decimals: int = 3) -> str:
    """Return a number with a true minus sign.

    >>> number(-0.2), number(0.6128), number(-0.0001), number(None)
    ('−0.200', '0.613', '0.000', 'n/a')
    """
    if x is None:
        return NOT_DEFINED
    text = f"{abs(x):.{decimals}f}"
    return MINUS + text if x < 0 and float(text) else text


def signed(x: float | None, decimals: int = 3) -> str:
    """Return a delta: always with a sign, unless it rounds to zero.

    >>> signed(0.015), signed(-0.0042), signed(0.0004)
    ('+0.015', '−0.004', '0.000')
    """
    text = number(x, decimals)
    return "+" + text if x is not None and x > 0 and float(text) else text


def end(x: float | None) -> str:
    """Return an end of an interval: a delta, with up to three decimals more where it would wrongly look like zero.

    >>> end(0.0003), end(-0.0412), end(0.0), end(1e-9)
    ('+0.0003', '−0.041', '0.000', '0.000')
    """
    if x is None:
        return NOT_DEFINED
    decimals = next((d for d in range(3, 7) if round(x, d)), 3)
    return signed(x, decimals)


def limit(x: float) -> str:
    """Return a threshold of the policy: three decimals, or as many more (up to six) as it takes to show it whole.

    >>> limit(0.02), limit(0.0005), limit(-0.01)
    ('0.020', '0.0005', '−0.010')
    """
    decimals = next((d for d in range(3, 6) if abs(round(x, d) - x) < 1e-9), 6)
    return number(x, decimals)


def points(share: float | None) -> str:
    """Return a ΔGSB, given as a share in [-1, 1], in percentage points: one decimal, signed.

    >>> points(-0.25), points(0.0001)
    ('−25.0%', '0.0%')
    """
    return NOT_DEFINED if share is None else signed(100 * share, 1) + "%"


def points_between(low: float | None, high: float | None) -> str:
    """Return the ends of an interval of ΔGSB: "−77.8 to +50.5"."""
    ends = [signed(None if end is None else 100 * end, 1) for end in (low, high)]
    return " to ".join(ends)


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


def thousands(n: int) -> str:
    """Return a whole number in little room: from 10,000 on in thousands.

    >>> thousands(9_999), thousands(10_000), thousands(500_251)
    ('9,999', '10k', '500k')
    """
    return f"{n / 1000:,.0f}k" if n >= 10_000 else count(n)


def about(n: float) -> str:
    """Return a number that is an estimate: two digits that count above one hundred.

    >>> about(1133), about(87), about(942)
    ('1,100', '87', '940')
    """
    size = 10 ** max(len(f"{n:.0f}") - 2, 0) if n >= 100 else 1
    return count(round(n / size) * size)
