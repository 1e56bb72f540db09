"""The History page: every saved comparison with its verdict and decision, and what can be done with it."""

import streamlit as st

from rankdash.dashboard import shell
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import history_parts
from rankdash.dashboard.session import saving, session
from rankdash.store import Listed, Search, StoreError
from rankdash.style import history as words


def page() -> None:
    """Draw the controls, what can be done with what is ticked, the list, and one picture of it."""
    history_parts.said()
    saving.store()  # where it cannot be opened, that alone is said
    if not session.now().problem:
        shell.show_read_only()
    saved = saving.store().listed(Search(browser=saving.listed(), folded=True, most=1)).total
    if not saved:
        st.header(words.EMPTY, anchor=False)
        st.markdown(words.EMPTY_WHY)
    else:
        listed = saving.store().listed(history_parts.searched())
        if listed.total:
            comparisons(listed, saved)
        else:
            st.markdown(words.NO_MATCH)
    history_parts.decisions()
    if saving.is_shared():
        st.caption(words.SHARED)


def comparisons(listed: Listed, saved: int) -> None:
    """Draw the actions above the list that they act on, of so many that are saved, and the picture below it."""
    with st.spinner(words.UPDATING):
        rows = [*map(saving.store().with_verdict, listed.rows)]
    above, lines = st.container(key="history_list"), history_parts.lines_of(rows)
    ticked, clicked = history_parts.table(lines)
    with above:
        history_parts.actions_on(ticked, lines, saved)
    if clicked is not None:
        history_parts.open_saved(clicked)
    history_parts.picture(lines)


if session.now().problem:
    shell.show_problem()
if saving.is_on():
    try:
        page()
    except StoreError as error:
        if str(error) != session.now().problem:  # said above
            st.warning(plain(str(error)), icon=":material/warning:")
else:
    st.markdown(words.OFF)
