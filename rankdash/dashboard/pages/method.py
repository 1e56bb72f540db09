"""The Method page: how every number and the verdict come about."""

from collections.abc import Callable, Mapping

import streamlit as st

from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.parts import method_parts
from rankdash.dashboard.session import open_comparison, session, verdicts
from rankdash.inspect.view import at_cutoff
from rankdash.style import method as words

#: The sections that are the same whatever is open.
_ALWAYS: Mapping[str, Callable[[], None]] = {
    "measures": method_parts.measures,
    "cutoff": method_parts.cutoff,
    "textbook": method_parts.textbook,
    "verdict": method_parts.verdict,
    "limits": method_parts.limits,
}

votes, case = session.now().votes, open_comparison.current()
opened = verdicts.opened(case) if case is not None and votes is None else None
if opened is not None or votes is not None:
    # One part: on a phone it is what scrolls where a table is wide, with what the keyboard can reach in it.
    body = st.container(key="method")
    offered = [name for name in words.SECTIONS if opened is not None or name in _ALWAYS]
    section = linked(
        body.segmented_control,
        words.SECTION,
        offered,
        default=offered[0],
        required=True,
        format_func=words.SECTIONS.__getitem__,
        key="section",
        label_visibility="collapsed",
    )
    with body, st.container(border=section != "cutoff", key="method_section"):
        if opened is None or section in _ALWAYS:
            _ALWAYS.get(section, method_parts.measures)()
        elif section == "convention":
            method_parts.axes(opened.comparison, at_cutoff(words.COMPARED, opened.policy.cutoff))
        else:
            method_parts.presets(opened)
