"""What a reader must know beside the verdict: three at most, the rest on demand."""

from __future__ import annotations

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.literal import plain
from rankdash.verdict import Verdict
from rankdash.verdict.caveats.table import SHOWN


def panel(verdict: Verdict) -> None:
    """Draw the first caveats, and a way to the others, where there are any."""
    if not verdict.caveats:
        return
    sentences = [f"- {plain(caveat.sentence)}" for caveat in verdict.caveats]
    with st.container(border=True, key="caveats"):
        st.subheader(style.CAVEATS, anchor=False)
        st.markdown("\n".join(sentences[:SHOWN]))
        if len(sentences) > SHOWN:
            with st.expander(style.MORE_CAVEATS.format(n=len(sentences) - SHOWN)):
                st.markdown("\n".join(sentences[SHOWN:]))
