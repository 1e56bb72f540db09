import streamlit as st

from rankdash.style import method as words
from rankdash.views import axes, explained, state
from rankdash.views.address import linked

inputs = state.current()
if inputs is not None:
    opened = state.opened(inputs)
    comparison = opened.comparison
    section = linked(
        st.segmented_control, words.SECTION, list(words.SECTIONS), default="presets", required=True,
        format_func=words.SECTIONS.__getitem__, key="section", label_visibility="collapsed",
    )  # fmt: skip
    with st.container(border=section != "cutoff", key="method_section"):
        if section == "convention":
            axes.axes(comparison, tuple(name.format(k=comparison.policy.cutoff) for name in words.COMPARED))
        elif section == "measures":
            explained.measures()
        elif section == "cutoff":
            explained.cutoff()
        elif section == "textbook":
            explained.textbook()
        elif section == "verdict":
            explained.verdict()
        elif section == "limits":
            explained.limits()
        else:
            explained.presets(opened)
