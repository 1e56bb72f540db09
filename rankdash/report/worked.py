"""A calculation in words and as a table: how a value comes out of its sum, rank by rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rankdash.inspect.explain import Explanation, Ideal, Rank
from rankdash.report.text import aligned
from rankdash.scoring import Comparison
from rankdash.style import AXIS_WORDS, queries as query_words
from rankdash.wording import SEARCH, Nouns, count, grade_text, literal, number

#: Decimals of a value on a page, as trec_eval prints it.
ON_PAGE = 4


def ending(explanation: Explanation, measure: str, shown: Callable[[str], str] = str, digits: int = ON_PAGE) -> str:
    """Return how the value comes out of the sum: "DCG@10 4.387 ÷ ideal DCG 7.526 = **0.583**".

    ``shown`` makes a text literal in the form, and ``measure`` is so already; numbers have so many ``digits``.
    """
    row, worked = explanation.measure.definition, explanation.measure.definition.worked
    if explanation.value is None:
        left_out = query_words.LEFT_OUT_WHY if explanation.ranks else query_words.MISSING_WHY
        return query_words.UNDEFINED.format(measure=measure, why=row.undefined or left_out)
    value = number(explanation.value, digits)
    if worked is None:
        return query_words.BY_FORMULA.format(measure=measure, value=value, formula=shown(row.formula))
    if explanation.below is None:
        return query_words.PLAIN_SUM.format(measure=measure, value=value)
    if not explanation.below:
        return query_words.NOTHING_IDEAL.format(value=value)
    name = worked.sum_is.format(cut="" if explanation.measure.k is None else f"@{explanation.measure.k}") or measure
    below = query_words.BELOW.get(explanation.below_is, query_words.OTHER_BELOW)
    under = below.format(n=_amount(explanation.below, digits), letter=explanation.below_is)
    if worked.ideal:
        under = query_words.IDEAL_BELOW.format(n=number(explanation.below, digits))
    parts = worked.shows in ("parts", "novelty")
    above = _amount(explanation.above, digits) if parts else number(explanation.above, digits)
    return query_words.QUOTIENT.format(name=shown(name), above=above, below=shown(under), value=value)


def _amount(x: float, digits: int) -> str:
    """Return a count, of documents or of pairs of them, as a whole number; any other sum with decimals."""
    return count(int(x)) if x.is_integer() else number(x, digits)


def beneath(explanation: Explanation) -> list[str]:
    """Return the lines about the discount, R, the unjudged, and a cut through equal scores."""
    worked, convention = explanation.measure.definition.worked, explanation.measure.convention
    known = query_words.R_LINE.format(
        relevant=count(explanation.relevant),
        judged=count(explanation.judged),
        unjudged=count(explanation.unjudged_shown),
        where=query_words.WHERE[explanation.measure.k is not None],
    )
    own = {name: grade_text(value) for name, value in explanation.measure.parameters if isinstance(value, float)}
    how = {"alpha": query_words.NOVELTY_LINE, "half_life": query_words.FADING_LINE}
    lines = [line.format(**own) for name, line in how.items() if name in own]
    if worked and worked.shows == "discounted gains" and convention.ties != "average":
        lines.append(query_words.DISCOUNT_LINE.format(discount=AXIS_WORDS["discount"].values[convention.discount]))
    if explanation.ideal_gains:
        lines.append(query_words.IDEAL_GAINS.format(gains=", ".join(map(grade_text, explanation.ideal_gains))))
    return [*lines, known, *[query_words.TIES_CUT] * explanation.tied_at_cutoff]


def worked_columns(explanation: Explanation) -> Mapping[str, str]:
    """Return the columns of a calculation: attributes of a rank, and their headings."""
    worked = explanation.measure.definition.worked
    columns = query_words.WORKED_COLUMNS[worked.shows if worked else ""]
    if explanation.measure.fades:  # before the gain
        return {"rank": columns["rank"], "relevance": columns["relevance"], **query_words.FADING, **columns}
    return {**columns, "age": query_words.FADING["age"]} if "date" in explanation.measure.definition.needs else columns


_DIGITS = 6
_WHOLE = ("rank", "hits")


def calculation_text(explanation: Explanation, run: str, called: Nouns = SEARCH) -> str:
    """Return heading, the list rank by rank, the ideal list, and how the value comes out; ends with a line break."""
    measure, worked = explanation.measure.label, explanation.measure.definition.worked
    where = f"{measure} of {literal(run)} for {literal(explanation.query_id)}"
    ends = called.say(ending(explanation, measure, digits=_DIGITS)).replace("**", "")
    if worked and worked.adds is None:
        blocks = [where, query_words.NOT_A_SUM.format(measure=measure), ends]
    else:
        counted = [rank for rank in explanation.ranks if rank.counted or rank.contribution]
        columns = worked_columns(explanation)
        blocks = [where, _worked_table(counted, columns) if counted else query_words.EMPTY]
        if explanation.ideal:
            blocks.append(f"{query_words.IDEAL_LIST}\n{_worked_table(explanation.ideal, columns)}")
        blocks.append("\n".join([ends, *beneath(explanation)]))
    return "\n\n".join(blocks) + "\n"


def _worked_table(rows: Sequence[Rank | Ideal], columns: Mapping[str, str]) -> str:
    """Return the rows, with the document behind the rank where there is one."""
    headings = {"rank": columns["rank"], "doc_id": "Id", **columns} if hasattr(rows[0], "doc_id") else columns
    return "\n".join(aligned([[*headings.values()], *([worked_cell(row, name) for name in headings] for row in rows)]))


def worked_cell(row: Rank | Ideal, name: str, shown: Callable[[str], str] = literal, digits: int = _DIGITS) -> str:
    """Return a cell of a calculation; ``shown`` makes a text literal, and numbers have so many ``digits``."""
    value = getattr(row, name)
    if name == "doc_id":
        return shown(value)
    if name == "subtopics":  # with how many documents above have each that was seen
        return shown(", ".join(query_words.SEEN.format(name=own, n=n) if n else own for own, n in value))
    if value is None:
        return query_words.UNJUDGED_MARK if name == "relevance" else ""
    if name == "relevance" or (name in ("gain", "age") and abs(value) == float(grade_text(abs(value)))):
        return shown(grade_text(value))
    return str(value) if name in _WHOLE else number(value, digits)


def beside_primary(comparison: Comparison) -> str:
    """Return which measure the verdict is on, where parts, bounds and labels speak of nDCG; "" where it is that one."""
    if comparison.primary_is_explained:
        return ""
    return query_words.VIEW_DIFFERS.format(decided=comparison.primary.label)
