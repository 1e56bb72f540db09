"""The Method page: how every number and the verdict come about."""

import streamlit as st

from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.pages.method import axes, sections
from rankdash.dashboard.parts import lists_elsewhere
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.inspect.method import at_cutoff
from rankdash.style import method as words

case = open_comparison.current()
if case is not None:
    opened = verdicts.opened(case)
    comparison = opened.comparison
    # One part: on a phone it is what scrolls where a table is wide, with what the keyboard can reach in it.
    body = st.container(key="method")
    section = linked(
        body.segmented_control,
        words.SECTION,
        list(words.SECTIONS),
        default="presets",
        required=True,
        format_func=words.SECTIONS.__getitem__,
        key="section",
        label_visibility="collapsed",
    )
    with body, st.container(border=section != "cutoff", key="method_section"):
        if section in ("convention", "presets") and not comparison.has_lists:
            lists_elsewhere.needed_for("presets")
        elif section == "convention":
            axes.axes(comparison, at_cutoff(words.COMPARED, comparison.policy.cutoff))
        elif section == "measures":
            sections.measures()
        elif section == "cutoff":
            sections.cutoff()
        elif section == "textbook":
            sections.textbook()
        elif section == "verdict":
            sections.verdict()
        elif section == "limits":
            sections.limits()
        else:
            sections.presets(opened)
