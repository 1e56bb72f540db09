"""The Edit page: the two lists of a query as editors, and what was edited."""

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.parts import editing_parts, labels, verdict_parts
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.style import editing as words


def page(case: Case) -> None:
    """Draw everything on the page, without the frame around it."""
    before, after = verdicts.opened(case.unedited), verdicts.opened(case)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="edit_toolbar"):
        way = linked(
            st.segmented_control,
            words.EDIT,
            list(words.WAYS),
            format_func=words.WAYS.__getitem__,
            default="lists",
            key="edit_way",
            required=True,
            label_visibility="collapsed",
            width="content",
        )
        chosen = editing_parts.choose(after) if way == "lists" else None
        if chosen is None:
            st.space("stretch")
        editing_parts.take_back(chosen)
    verdict_parts.show_set_aside(after)
    if way == "labels":
        labels.work(before, after)
    elif chosen is not None:
        editing_parts.numbers(before, after, chosen)
        editing_parts.both_lists(after.comparison, chosen)
    else:
        st.markdown(words.NO_QUERIES)
    editing_parts.show(after)


current = open_comparison.current()
if current is not None:
    page(current)
