"""Whether the open comparison is saved, why not, and what to ask where somebody else has changed it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.session import actions, saving, session
from rankdash.style import history as words

#: Seconds between two looks whether somebody else has changed the open comparison.
_WATCHED = 8.0
#: Letters of a name.
_NAME = 40


def badge(*, is_demo: bool) -> None:
    """Say that nothing is saved on this server; the demo as it is has nothing to lose."""
    if not is_demo and not saving.is_on():
        st.badge(words.SAVING_OFF, color="gray", help=words.OFF_HELP)


def record() -> None:
    """Say what people wrote down about the open comparison, and that somebody else changed it or its record, soon after
    it happens and without a click.
    """
    if session.now().saved is None:
        return
    drawn = saving.mark()
    watched(lambda: saving.is_behind(drawn))
    _noted(() if drawn is None else drawn.tags)


def watched(is_behind: Callable[[], bool]) -> None:
    """Say that what is shown is another one by now, with the way to see it, as soon as it is."""
    screen.repeat(_WATCHED, partial(_changed, is_behind))


def _changed(is_behind: Callable[[], bool]) -> None:
    if is_behind():
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="changed_elsewhere"):
            st.markdown(f":blue[:material/sync:] {words.CHANGED}", width="stretch")
            if st.button(words.SHOW, key="show_changed", type="primary"):
                st.rerun()  # a page that is run shows what is saved


def problem() -> None:
    """Say why the open comparison could not be saved, with the ways out, unless all of it is saved."""
    now = session.now()
    if not now.problem:
        if now.saved is not None:
            read_only()
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="not_saved"):
        said = f"{now.problem} {words.NOT_ON_TOP}" if now.conflict is not None else now.problem
        st.markdown(f":orange[:material/warning:] {plain(said)}", width="stretch")
        if now.conflict is not None:
            st.button(words.TAKE_THEIRS, key="take_theirs", on_click=actions.take_theirs)
            st.button(words.SAVE_COPY, key="save_as_new", on_click=actions.save_as_new)
            return
        st.button(words.SAVE_AGAIN, key="save_again", on_click=actions.save_again)
        if now.saved is not None:
            st.button(words.SAVE_AS_NEW, key="save_as_new", on_click=actions.save_as_new)


def read_only() -> None:
    """Say that what is saved can only be read here, and what to do, unless it can be written."""
    if where := saving.read_only():
        with st.container(border=True, key="read_only"):
            why = saving.store().refusal or words.READ_ONLY.format(where=where)
            st.markdown(f":material/lock: {plain(why)}")


def _noted(tags: Iterable[str]) -> None:
    """Draw the tags of the comparison and its note, in a line."""
    said = [f":gray-badge[{plain(short(tag, _NAME))}]" for tag in tags] + [plain(saving.note())]
    if any(said):
        with st.container(key="note"):
            st.caption(" ".join(said))
