"""Whether the open comparison is saved, why not, and what to ask where two people edited the same document."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rankdash.conventions import number
from rankdash.dashboard.kit.literal import plain, table
from rankdash.dashboard.session import actions
from rankdash.dashboard.session.saved import head, shelf
from rankdash.edits import Edit
from rankdash.style import saving as words


def badge(*, is_demo: bool) -> None:
    """That nothing is saved on this server; the demo as it is has nothing to lose."""
    if not is_demo and not shelf.is_on():
        st.badge(words.OFF, color="gray", help=words.OFF_HELP)


def problem() -> None:
    """Why the open comparison could not be saved, with the way to try it again; nothing where all of it is saved."""
    why = head.problem()
    if not why:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="not_saved"):
        st.markdown(f":orange[:material/warning:] {plain(why)}", width="stretch")
        st.button(words.SAVE_AGAIN, key="save_again", on_click=actions.save_again)
        if head.now() is not None:
            st.button(words.SAVE_AS_NEW, key="save_as_new", on_click=actions.save_as_new)


def clash() -> None:
    """Ask which edits stand where somebody else edited the same documents meanwhile."""
    if head.clashes():
        _dialog()


@st.dialog(words.CLASH, dismissible=False)
def _dialog() -> None:
    found = head.clashes()
    st.markdown(words.CLASH_WHY)
    rows = [
        tuple(map(plain, (one.query_id, one.doc_id, _said(one.theirs), _said(one.mine))))
        for one in (() if found is None else found.clashes)
    ]
    with st.container(key="clashes"):
        st.markdown(table(words.CLASH_COLUMNS, rows))
    st.space("xsmall")
    with st.container(horizontal=True):
        for label, key, mine in ((words.THEIRS, "clash_theirs", False), (words.MINE, "clash_mine", True)):
            if st.button(label, key=key, on_click=partial(actions.settle, mine)):
                st.rerun()


def _said(edit: Edit | None) -> str:
    """Return what an edit made of its document."""
    if edit is None:
        return words.TAKEN_BACK
    if edit.what == "grade":
        return words.UNJUDGED if edit.after is None else words.GRADE.format(value=number(edit.after))
    side = (edit.side or "").upper()
    if edit.after is None:
        return words.REMOVED.format(side=side)
    return words.RANK.format(value=number(edit.after), side=side)
