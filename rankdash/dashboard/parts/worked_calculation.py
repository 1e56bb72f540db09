"""The worked calculation of one list, rank by rank, as in a textbook: anyone can redo it by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from rankdash.dashboard.kit.literal import plain, table
from rankdash.explain import Ideal, Rank
from rankdash.inspect.lists import QueryList
from rankdash.metrics import Worked
from rankdash.report.sections.calculation import beneath, ending
from rankdash.style import queries as words
from rankdash.wording import count, grade_text, number

#: Rows of a calculation that are shown whether or not they add anything.
_ALWAYS = 10
_WHOLE = ("rank", "hits")


def calculation(listed: QueryList, side: str) -> None:
    """Draw heading, table, and the sentence that ends in the value."""
    explanation = listed.worked
    measure, worked = plain(explanation.measure.label), explanation.measure.definition.worked
    st.subheader(words.WORKED.format(measure=measure, side=side), anchor=False)
    if worked and worked.adds is None:
        st.markdown(words.NOT_A_SUM.format(measure=measure))
        st.markdown(words.PLAIN_SUM.format(measure=measure, value=number(explanation.value)))
        return
    counted = [rank for rank in explanation.ranks if rank.counted or rank.contribution]
    kept = [rank for rank in counted if _tells(rank, worked) or (rank.rank or 0) <= _ALWAYS]
    parts = [_table(kept, words.WORKED_COLUMNS[worked.shows if worked else ""]) if kept else words.EMPTY]
    if len(counted) > len(kept):
        parts.append(_note(count(len(counted) - len(kept), *(words.LEFT_OUT if worked else words.NOT_SHOWN))))
    st.markdown("\n\n".join([*parts, ending(explanation, measure, plain), *map(_note, beneath(explanation))]))
    if explanation.ideal:
        grades = ", ".join(grade_text(place.relevance) for place in explanation.ideal)
        label = words.IDEAL_GRADES.format(
            name=words.IDEAL_LIST, grades=grades, sum=number(explanation.ideal[-1].running)
        )
        with st.expander(plain(label), key=f"ideal_{side}", on_change="rerun") as expander:
            if expander.open:
                st.markdown(_table(explanation.ideal, words.WORKED_COLUMNS["discounted gains"]))


def _tells(rank: Rank, worked: Worked | None) -> bool:
    """Return whether a rank is shown however deep it is: it contributes to the sum, or without a sum it has a grade."""
    return bool(rank.contribution if worked else rank.relevance and rank.relevance > 0)


def _table(rows: Sequence[Rank | Ideal], columns: Mapping[str, str]) -> str:
    return table(list(columns.values()), [tuple(_cell(row, name) for name in columns) for row in rows])


def _note(text: str) -> str:
    return f":small[:gray[{plain(text)}]]"


def _cell(rank: Rank | Ideal, name: str) -> str:
    value = getattr(rank, name)
    if name == "relevance":
        return words.UNJUDGED_MARK if value is None else plain(grade_text(value))
    if name == "gain":
        return plain(grade_text(value))
    return str(value) if name in _WHOLE else number(value)
