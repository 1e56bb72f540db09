"""The Method page: how every number and the verdict come about."""

import streamlit as st

from rankdash.dashboard.parts import method_parts
from rankdash.dashboard.session import open_comparison, session, verdicts
from rankdash.inspect.view import at_cutoff
from rankdash.report.notes import preset_of
from rankdash.style import method as words

votes, case = session.now().votes, open_comparison.current()
opened = verdicts.opened(case) if case is not None and votes is None else None
if opened is not None or votes is not None:
    if opened is not None:
        with st.container(border=True, key="method_find"):
            method_parts.find(opened)
    with st.container(border=True, key="method_measures"):
        method_parts.measures()
    policy = session.now().policy
    name = preset_of(opened.comparison) if opened is not None else str(policy.convention)
    with st.container(border=True, key="method_in_force"):
        method_parts.in_force(policy, name or words.OWN_CONVENTION)
    if opened is not None:
        with st.expander(words.TRY_ANOTHER, key="method_axes", on_change="rerun") as fold:
            if fold.open:
                method_parts.axes(opened, at_cutoff(words.COMPARED, policy.cutoff))
