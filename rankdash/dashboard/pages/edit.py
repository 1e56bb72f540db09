"""The Edit page: the two lists of a query as editors, and what was edited."""

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.parts import editing_parts, labels, verdict_parts
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.style import editing as words


def page(case: Case) -> None:
    """Draw everything on the page, without the frame around it."""
    now = verdicts.opened(case)
    listed = labels.listed(now)
    with st.container(horizontal=True, vertical_alignment="bottom", key="edit_toolbar"):
        chosen = editing_parts.choose(now, listed.query_ids)
        if chosen is None:
            st.space("stretch")
        editing_parts.take_back()
    verdict_parts.show_set_aside(now)
    if chosen is None:
        st.markdown(open_comparison.spoken(words.NO_QUERIES))
    else:
        with st.container():  # with or without numbers the editors keep their place, and what is being typed
            if case.edits:
                editing_parts.numbers(verdicts.opened(case.unedited), now, chosen)
        editing_parts.both_lists(now.comparison if chosen in now.comparison.query_ids else listed, chosen)
    editing_parts.show(now)


current = open_comparison.current()
if current is not None:
    page(current)
