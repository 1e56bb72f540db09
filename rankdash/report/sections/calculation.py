"""How a worked calculation ends, and what is told beneath it, in the words of every form."""

from __future__ import annotations

from collections.abc import Callable

from rankdash.explain import Explanation
from rankdash.style import queries as words
from rankdash.wording import count, number


def ending(explanation: Explanation, measure: str, shown: Callable[[str], str] = str, digits: int = 3) -> str:
    """Return how the value comes out of the sum: "DCG@10 4.387 ÷ ideal DCG 7.526 = **0.583**".

    ``shown`` makes a text literal in the form, and ``measure`` is so already; numbers have so many ``digits``.
    """
    row, worked = explanation.measure.definition, explanation.measure.definition.worked
    if explanation.value is None:
        return words.UNDEFINED.format(measure=measure, why=row.undefined or words.LEFT_OUT_WHY)
    value = number(explanation.value, digits)
    if worked is None:
        return words.BY_FORMULA.format(measure=measure, value=value, formula=shown(row.formula))
    if explanation.below is None:
        return words.PLAIN_SUM.format(measure=measure, value=value)
    if not explanation.below:
        return words.NOTHING_IDEAL.format(value=value)
    name = worked.sum_is.format(cut="" if explanation.measure.k is None else f"@{explanation.measure.k}") or measure
    below = words.BELOW.get(explanation.below_is, words.OTHER_BELOW)
    under = below.format(n=_amount(explanation.below, digits), letter=explanation.below_is)
    if worked.ideal:
        under = words.IDEAL_BELOW.format(n=number(explanation.below, digits))
    parts = worked.shows == "parts"
    above = _amount(explanation.above, digits) if parts else number(explanation.above, digits)
    return words.QUOTIENT.format(name=shown(name), above=above, below=shown(under), value=value)


def _amount(x: float, digits: int) -> str:
    """Return a count, of documents or of pairs of them, as a whole number; any other sum with decimals."""
    return count(int(x)) if x.is_integer() else number(x, digits)


def beneath(explanation: Explanation) -> list[str]:
    """Return the lines about R, the unjudged, and a cut through equal scores."""
    known = words.R_LINE.format(
        relevant=count(explanation.relevant),
        judged=count(explanation.judged),
        unjudged=count(explanation.unjudged_shown),
    )
    return [known, words.TIES_CUT] if explanation.tied_at_cutoff else [known]
