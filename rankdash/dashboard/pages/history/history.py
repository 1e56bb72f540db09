"""The History page: every saved comparison with its verdict and decision, and what can be done with it."""

import streamlit as st

from rankdash.dashboard.frame import saving_row
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.pages.history import disk, launches, listing, one_comparison
from rankdash.dashboard.session import record
from rankdash.dashboard.session.saved import shelf
from rankdash.store import StoreError
from rankdash.style import history as words


def page() -> None:
    """Draw the controls, the list, what can be done with what is selected, and the disk."""
    one_comparison.said()
    shelf.store()  # where it cannot be opened, that alone is said
    if record.now().saved is None and not record.now().problem:  # else the row above says it
        saving_row.read_only()
    search = listing.controls()
    found = shelf.store().listed(search)
    if found.total:
        chosen = listing.table(search, found)
        one_comparison.actions_on(chosen, archived=search.archived)
    elif listing.is_narrowed(search):
        st.markdown(words.NO_MATCH)
    else:
        st.header(words.EMPTY, anchor=False)
        st.markdown(words.EMPTY_WHY)
    if shelf.is_shared():
        st.caption(words.SHARED)
    launches.panel()
    disk.panel()


st.subheader(words.HISTORY, anchor=False)
if shelf.is_on():
    try:
        page()
    except StoreError as error:
        if str(error) != record.now().problem:  # the row above says it
            st.warning(plain(str(error)), icon=":material/warning:")
else:
    st.markdown(words.OFF)
