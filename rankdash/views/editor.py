"""The two lists of a query as editors side by side. What is typed becomes edits at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.comparison import SIDES, Comparison, Side
from rankdash.edits import Edit, Line, differences
from rankdash.lists import QueryList, query_lists
from rankdash.style import editing as words
from rankdash.views import cells, edited, state
from rankdash.views.literal import plain, problems, short
from rankdash.views.uploads import MISTAKES
from rankdash.wording import count, number, shown

_SAID = "edit_refused"
_WHOLE = 1_000_000
_ROW, _HEAD, _MOST = 35, 38, 16


def both_lists(comparison: Comparison, query_id: str) -> None:
    """Both lists of a query, whole, with rank, grade and id open to editing."""
    found = query_lists(comparison, query_id, _WHOLE)
    with st.container(border=True, key="edit_lists", gap="xsmall"):
        said()
        for side, column in zip(SIDES, st.columns(2, gap="medium"), strict=True):
            with column:
                _editor(comparison, query_id, side, found.a if side == "a" else found.b)
        st.caption(words.EDITOR_HINT)


def _editor(comparison: Comparison, query_id: str, side: Side, found: QueryList) -> None:
    model = plain(short(found.model, 40))
    title = words.LIST_OF.format(side=style.SIDE[side], model=model)
    measure = plain(shown(comparison.primary.measure))
    st.markdown(
        f"**{title}** :gray[· {measure} {number(found.value)} · {count(found.length, 'document', 'documents')}]"
    )
    rows = [(one.rank, one.document.relevance, one.document.doc_id, one.document.title) for one in found.placed]
    frame = pd.DataFrame(rows, columns=["rank", "grade", "id", "title"])
    frame = frame.astype({"rank": "Int64", "grade": "Float64", "title": "str", "id": "str"})
    if not any(frame["title"]):
        frame = frame.drop(columns="title")
    key = f"edit_{side}_{edited.generation()}_{comparison.query_ids.index(query_id)}"
    before = [Line(one.document.doc_id, one.rank, one.document.relevance) for one in found.placed]
    own = side if comparison.joined.apart else None
    taken_up(key, lambda: _typed(key, query_id, side, before, own))
    st.data_editor(
        frame, key=key, num_rows="dynamic", hide_index=True, column_config=_columns(), disabled=["title"],
        height=_HEAD + _ROW * (min(max(len(rows), 3), _MOST) + 1), row_height=_ROW, placeholder=words.NOTHING,
        on_change=_typed, args=(key, query_id, side, before, own),
        alt=words.EDITOR_ALT.format(side=style.SIDE[side], n=len(rows)),
    )  # fmt: skip


def _columns() -> dict[str, Any]:
    name, help_ = words.COLUMNS, words.COLUMN_HELP
    return {
        "rank": st.column_config.NumberColumn(name["rank"], help=help_["rank"], min_value=1, step=1, width=82),
        "grade": st.column_config.NumberColumn(name["grade"], help=help_["grade"], format="%g", width=88),
        "title": st.column_config.TextColumn(name["title"]),
        "id": st.column_config.TextColumn(name["id"], help=help_["id"], width=112),
    }


def taken_up(key: str, take: Callable[[], None]) -> None:
    """Takes over what an editor holds though no callback told of it, as when a page is driven without a browser."""
    before = edited.generation(), edited.history()
    if any(st.session_state.get(key, {}).values()):
        take()
        if before != (edited.generation(), edited.history()):
            st.rerun()


def said() -> None:
    """Why what was typed last was not taken over, once."""
    lines = st.session_state.pop(_SAID, ())
    if lines:
        st.markdown(words.REFUSED)
        problems(lines)


def _typed(key: str, query_id: str, side: Side, before: list[Line], own: Side | None) -> None:
    """Takes over what was typed. A row that has no document yet waits for one."""
    event: Mapping[str, Any] = st.session_state[key]
    added = event.get("added_rows", [])
    if any(not str(row.get("id") or "").strip() for row in added):
        return
    after, wrong = cells.typed_lines(before, event)
    if wrong:
        refuse(wrong)
    else:
        take_over(differences(query_id, side, before, after, own))


def refuse(lines: tuple[str, ...]) -> None:
    """Says why nothing was taken over, and shows the editors as they were."""
    st.session_state[_SAID] = lines
    edited.renew()


def take_over(edits: tuple[Edit, ...], *, in_place: bool = False) -> bool:
    """Puts edits in force, unless the comparison would not stand with them; then that is said. ``in_place``: in an
    editor that stays on the screen as it is.
    """
    base, history = state.uploaded(), edited.history().done(*edits)
    if base is None or history is edited.history():
        edited.renew()
        return False
    wrong = _wrong(lambda: state.opened(state.with_edits(base, history.edits)).comparison, edits)
    if wrong:
        refuse(wrong)
        return False
    edited.set_history(history, in_place=in_place)
    return True


def _wrong(compared: Callable[[], Comparison], edits: tuple[Edit, ...]) -> tuple[str, ...]:
    """What is wrong with a comparison: nothing to compare with, a grade that a measure does not take."""
    try:
        left = compared().query_ids
    except MISTAKES as error:
        return tuple(str(error).splitlines())
    return () if all(edit.query_id in left for edit in edits) else (words.LAST_GRADE,)
