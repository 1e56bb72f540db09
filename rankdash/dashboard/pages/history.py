"""The History page: every saved comparison with its verdict and decision, and what can be done with it."""

import streamlit as st

from rankdash.dashboard import shell
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import history_parts
from rankdash.dashboard.session import saving, session
from rankdash.store import Listed, Search, StoreError
from rankdash.style import history as words


def page() -> None:
    """Draw the controls, what can be done with what is ticked, and the list."""
    history_parts.said()
    saving.store()  # where it cannot be opened, that alone is said
    if not session.now().problem:
        shell.show_read_only()
    searched = history_parts.controls()
    listed = saving.store().listed(searched)
    if listed.total:
        comparisons(searched, history_parts.page_of(searched, listed))
    elif history_parts.is_narrowed(searched):
        st.markdown(words.NO_MATCH)
    else:
        st.header(words.EMPTY, anchor=False)
        st.markdown(words.EMPTY_WHY)
    if saving.is_shared():
        st.caption(words.SHARED)
    history_parts.show_launches()


def comparisons(searched: Search, listed: Listed) -> None:
    """Draw the actions above the list that they act on."""
    above = st.container(key="history_list", gap="small")
    ticked, clicked = history_parts.table(listed)
    with above:
        history_parts.count_of(listed)
        history_parts.actions_on(ticked)
    if clicked is not None:
        history_parts.open_saved(clicked)


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
