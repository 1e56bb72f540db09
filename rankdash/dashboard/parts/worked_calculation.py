"""The worked calculation of one list, rank by rank, as in a textbook: anyone can redo it by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from rankdash.dashboard.kit.literal import plain, table
from rankdash.explain import Explanation, Ideal, Rank
from rankdash.inspect.lists import QueryList
from rankdash.style import queries as words
from rankdash.wording import count, number, shown

#: Rows of a calculation that are shown whether or not they add anything.
_ALWAYS = 10
_WHOLE = ("rank", "hits")


def calculation(listed: QueryList, side: str) -> None:
    """Heading, table, and the sentence that ends in the value."""
    found = listed.worked
    measure = plain(shown(found.measure.name))
    st.subheader(words.WORKED.format(measure=measure, side=side), anchor=False)
    columns = words.WORKED_COLUMNS.get(found.measure.key)
    if columns is None:
        st.markdown(words.NOT_A_SUM.format(measure=measure))
        st.markdown(words.PLAIN_SUM.format(measure=measure, value=number(found.value)))
        return
    kept = [one for one in found.ranks if one.contribution or (one.counted and (one.rank or 0) <= _ALWAYS)]
    counted = sum(bool(rank.counted or rank.contribution) for rank in found.ranks)
    parts = [_table(kept, columns) if kept else words.EMPTY]
    if counted > len(kept):
        parts.append(_note(count(counted - len(kept), *words.LEFT_OUT)))
    st.markdown("\n\n".join([*parts, _ends(found, measure), *map(_note, _notes(found))]))
    if found.ideal:
        grades = ", ".join(f"{one.relevance:g}" for one in found.ideal)
        label = words.IDEAL_GRADES.format(name=words.IDEAL_LIST, grades=grades, sum=number(found.ideal[-1].running))
        with st.expander(plain(label), key=f"ideal_{side}", on_change="rerun") as expander:
            if expander.open:
                st.markdown(_table(found.ideal, words.IDEAL_COLUMNS))


def _table(rows: Sequence[Rank | Ideal], columns: Mapping[str, str]) -> str:
    return table(list(columns.values()), [tuple(_cell(one, name) for name in columns) for one in rows])


def _note(text: str) -> str:
    return f":small[:gray[{plain(text)}]]"


def _cell(rank: Rank | Ideal, name: str) -> str:
    value = getattr(rank, name)
    if name == "relevance":
        return words.UNJUDGED_MARK if value is None else plain(f"{value:g}")
    if name == "gain":
        return plain(f"{value:g}")
    return str(value) if name in _WHOLE else number(value)


def _ends(found: Explanation, measure: str) -> str:
    """How the value comes out of the sum: "DCG@10 4.387 ÷ ideal DCG 7.526 = 0.583"."""
    if found.value is None:
        return words.UNDEFINED_OF.get(found.measure.key, words.UNDEFINED).format(measure=measure)
    value = number(found.value)
    if found.below is None:
        return words.PLAIN_SUM.format(measure=measure, value=value)
    if not found.below:
        return words.NOTHING_IDEAL.format(value=value)
    cut = "" if found.measure.k is None else f"@{found.measure.k}"
    name = words.SUM_OF.get(found.measure.key, measure).format(cut=cut)
    below = words.BELOW.get(found.below_is)
    under = words.IDEAL_BELOW.format(n=number(found.below)) if below is None else below.format(n=f"{found.below:g}")
    return words.QUOTIENT.format(name=plain(name), above=number(found.above), below=plain(under), value=value)


def _notes(found: Explanation) -> list[str]:
    """R, the unjudged, and a cut through equal scores."""
    known = words.R_LINE.format(
        relevant=count(found.relevant), judged=count(found.judged), unjudged=count(found.unjudged_shown)
    )
    return [known, words.TIES_CUT] if found.tied_at_cutoff else [known]
