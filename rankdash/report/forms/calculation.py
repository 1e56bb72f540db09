"""A worked calculation as text, with the digits that it takes to redo it by hand: what `rankdash explain` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankdash.explain import Explanation, Ideal, Rank
from rankdash.report.sections.calculation import beneath, ending
from rankdash.report.text import aligned
from rankdash.style import queries as words
from rankdash.wording import grade_text, literal, number

_DIGITS = 6
_WHOLE = ("rank", "hits")


def calculation_text(explanation: Explanation, run: str) -> str:
    """Return heading, the list rank by rank, the ideal list, and how the value comes out; ends with a line break."""
    measure, worked = explanation.measure.label, explanation.measure.definition.worked
    where = f"{measure} of {literal(run)} for query {literal(explanation.query_id)}"
    ends = ending(explanation, measure, digits=_DIGITS).replace("**", "")
    if worked and worked.adds is None:
        blocks = [where, words.NOT_A_SUM.format(measure=measure), ends]
    else:
        counted = [rank for rank in explanation.ranks if rank.counted or rank.contribution]
        columns = words.WORKED_COLUMNS[worked.shows if worked else ""]
        blocks = [where, _table(counted, columns) if counted else words.EMPTY]
        if explanation.ideal:
            blocks.append(f"{words.IDEAL_LIST}\n{_table(explanation.ideal, words.WORKED_COLUMNS['discounted gains'])}")
        blocks.append("\n".join([ends, *beneath(explanation)]))
    return "\n\n".join(blocks) + "\n"


def _table(rows: Sequence[Rank | Ideal], columns: Mapping[str, str]) -> str:
    """Return the rows, with the document behind the rank where there is one."""
    named = all(isinstance(row, Rank) for row in rows)
    first, *others = columns
    names = [first, *(["doc_id"] if named else []), *others]
    headings = [{**columns, "doc_id": "Document"}[name] for name in names]
    return "\n".join(aligned([tuple(headings), *(tuple(_cell(row, name) for name in names) for row in rows)]))


def _cell(row: Rank | Ideal, name: str) -> str:
    value = getattr(row, name)
    if name == "doc_id":
        return literal(value)
    if name == "relevance":
        return words.UNJUDGED_MARK if value is None else grade_text(value)
    if name == "gain":
        return grade_text(value)
    if value is None:
        return ""
    return str(value) if name in _WHOLE else number(value, _DIGITS)
