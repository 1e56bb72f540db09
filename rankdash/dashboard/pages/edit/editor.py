"""The two lists of a query as editors side by side. What is typed becomes edits at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.comparison import SIDES, Comparison, Side
from rankdash.dashboard.kit.literal import plain, problems, short
from rankdash.dashboard.new.uploads import MISTAKES
from rankdash.dashboard.pages.edit import typed_cells
from rankdash.dashboard.session import edit_state, state
from rankdash.edits import Edit, Line, clashes, differences
from rankdash.inspect.lists import QueryList, query_lists
from rankdash.style import editing as words
from rankdash.wording import count, number, shown

_SAID = "edit_refused"
_DRAWN, _DRAWINGS = "editor_drawn_{side}", "editor_drawings"
_WHOLE = 1_000_000
_ROW, _HEAD, _MOST = 35, 38, 16


@dataclass(frozen=True)
class _Drawn:
    """An editor on the screen, and the list that it was drawn with. It stays there, with the cursor in it, as long as
    that list with what was typed into it is the list in force; a cell that was typed cannot be taken back, so for
    everything else another editor begins.
    """

    key: str
    generation: int
    query_id: str
    lines: tuple[Line, ...]

    def shows(self, lines: Sequence[Line]) -> bool:
        """Whether it shows a list."""
        if self.key not in st.session_state:
            return False
        event: Mapping[str, Any] = st.session_state[self.key]
        typed, wrong = typed_cells.typed_lines(self.lines, {"edited_rows": event.get("edited_rows", {})})
        pairs = ([(one.doc_id, one.grade) for one in both] for both in (typed, lines))
        return not wrong and next(pairs) == next(pairs)


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
    own = side if comparison.joined.apart else None
    lines = [Line(one.document.doc_id, one.rank, one.document.relevance) for one in found.placed]
    drawn = _drawn(side, query_id, lines, lambda now: taken_up(now.key, lambda: _typed(now, side, own)))
    rows = [(line.rank, line.grade, line.doc_id) for line in drawn.lines]
    frame = pd.DataFrame(rows, columns=["rank", "grade", "id"])
    frame = frame.astype({"rank": "Int64", "grade": "Float64", "id": "str"})
    titles = [one.document.title for one in found.placed]
    if any(titles):
        frame["title"] = pd.Series(titles, dtype="str")
    st.data_editor(
        frame, key=drawn.key, num_rows="dynamic", hide_index=True, column_config=_columns(), disabled=["title"],
        height=_HEAD + _ROW * (min(max(len(rows), 3), _MOST) + 1), row_height=_ROW, placeholder=words.NOTHING,
        on_change=_typed, args=(drawn, side, own),
        alt=words.EDITOR_ALT.format(side=style.SIDE[side], n=len(rows)),
    )  # fmt: skip


def _drawn(side: Side, query_id: str, lines: Sequence[Line], take: Callable[[_Drawn], None]) -> _Drawn:
    """The editor that is on the screen already, once what was typed into it is taken over; or another one."""
    now: _Drawn | None = st.session_state.get(_DRAWN.format(side=side))
    if now is not None and (now.generation, now.query_id) == (edit_state.generation(), query_id):
        take(now)
        if now.shows(lines):
            return now
    number = st.session_state[_DRAWINGS] = st.session_state.get(_DRAWINGS, 0) + 1
    now = st.session_state[_DRAWN.format(side=side)] = _Drawn(
        f"edit_{side}_{number}", edit_state.generation(), query_id, tuple(lines)
    )
    return now


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
    before = edit_state.generation(), edit_state.history()
    if any(st.session_state.get(key, {}).values()):
        take()
        if before != (edit_state.generation(), edit_state.history()):
            st.rerun()


def said() -> None:
    """Why what was typed last was not taken over, once."""
    lines = st.session_state.pop(_SAID, ())
    if lines:
        st.markdown(words.REFUSED)
        problems(lines)


def _typed(drawn: _Drawn, side: Side, own: Side | None) -> None:
    """Takes over what was typed. A row that has no document yet waits for one."""
    event: Mapping[str, Any] = st.session_state[drawn.key]
    if not all(_id(row) for row in event.get("added_rows", ())):
        return
    after, wrong = typed_cells.typed_lines(drawn.lines, event)
    edits = differences(drawn.query_id, side, _in_force(drawn, own), after, own)
    grades_only = not any(row.keys() - {"grade"} for row in event.get("edited_rows", {}).values())
    if wrong:
        refuse(wrong)
    elif edits:
        take_over(edits, in_place=all(edit.what == "grade" for edit in edits))
    elif not grades_only:
        edit_state.renew()  # a rank or an id that changes nothing would stay on the screen


def _in_force(drawn: _Drawn, own: Side | None) -> list[Line]:
    """The list that an editor was drawn with, with the grades that were typed since then."""
    typed = {
        edit.doc_id: edit.after
        for edit in edit_state.history().edits
        if edit.what == "grade" and edit.query_id == drawn.query_id and edit.side == own
    }
    return [replace(line, grade=typed.get(line.doc_id, line.grade)) for line in drawn.lines]


def _id(row: Mapping[str, Any]) -> str:
    """The document of a row that was added, "" where none is typed yet."""
    return str(row.get("id") or "").strip()


def refuse(lines: tuple[str, ...]) -> None:
    """Says why nothing was taken over, and shows the editors as they were."""
    st.session_state[_SAID] = lines
    edit_state.renew()


def take_over(edits: tuple[Edit, ...], *, in_place: bool = False) -> bool:
    """Puts edits in force, unless the comparison would not stand with them; then that is said. ``in_place``: in an
    editor that stays on the screen as it is.
    """
    base, history = state.uploaded(), edit_state.history().done(*edits)
    if base is None or history is edit_state.history():
        edit_state.renew()
        return False
    wrong = clashes(history.edits, base.a, base.b, base.judgments)
    wrong = wrong or _wrong(lambda: state.opened(replace(base, edits=history.edits)).comparison, edits)
    if wrong:
        refuse(wrong)
        return False
    edit_state.set_history(history, in_place=in_place)
    return True


def _wrong(compared: Callable[[], Comparison], edits: tuple[Edit, ...]) -> tuple[str, ...]:
    """What is wrong with a comparison: nothing to compare with, a grade that a measure does not take."""
    try:
        left = compared().query_ids
    except MISTAKES as error:
        return tuple(str(error).splitlines())
    return () if all(edit.query_id in left for edit in edits) else (words.LAST_GRADE,)
