"""A verdict that an older rankdash gave: shown as it was seen, with its version, until somebody computes it anew."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import headline
from rankdash.dashboard.session.saved import seen
from rankdash.report.saved import delta_words, said_words
from rankdash.store import Decision, RecordedVerdict
from rankdash.style import saving as words
from rankdash.verdict import VERSION


def panel(result: RecordedVerdict, decided: Sequence[Decision]) -> None:
    """Draw the stored verdict with what was decided, what it was computed by, and the button that computes it with this
    version.
    """
    said = said_words(result.outcome, result.screen, result.tag)
    word = f"{style.ICONS[result.outcome]} {plain(said)}"
    colour = style.THEME.get(style.OUTCOME_COLOUR.get(result.outcome, ""), "")
    with st.container(border=True, key="stored_verdict"):
        st.title(f":{colour}[{word}]" if colour else word, anchor=False)
        headline.stamped(headline.stamps(result.outcome, decided=decided))
        st.markdown(plain(str(result.json.get("sentence", ""))))
        if result.measure is not None and result.delta is not None:
            st.markdown(f"**{plain(delta_words(result.measure, result.delta))}**")
        made = {"engine": result.engine, "policy": result.policy_version, "at": f"{result.at:%Y-%m-%d}"}
        st.caption(words.STORED.format(**made))
        st.button(
            words.COMPUTE_ANEW.format(version=VERSION), key="compute_anew", type="primary", on_click=seen.compute_anew
        )
