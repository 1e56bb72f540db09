"""What raters said: the panel of good, same and bad queries."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from rankdash import charts
from rankdash.dashboard.kit.literal import plain
from rankdash.report.sections import votes
from rankdash.scoring import Comparison, VotesAlone
from rankdash.style import evidence as words


def panel(comparison: Comparison | VotesAlone) -> None:
    """Draw the bars of the votes and of the derived counts, with the numbers of each as text."""
    bars = votes.bars(comparison)
    st.subheader(words.GSB_PANEL, anchor=False)
    st.caption(words.GSB_PANEL_HINT)
    st.plotly_chart(charts.gsb_chart(bars), key="gsb_chart", config=charts.CONFIG, alt=charts.gsb_alt(bars))
    st.table(
        pd.DataFrame(votes.rows(comparison), columns=list(words.GSB_TABLE)),
        border="horizontal",
        hide_index=True,
        alt=words.GSB_PANEL,
    )
    for note in _together(comparison):
        st.caption(note)


def _together(comparison: Comparison | VotesAlone) -> list[str]:
    """Return the notes as captions: a single caption beside other panels, several where there are votes alone."""
    notes = [plain(note) for note in votes.notes(comparison)]
    return notes if isinstance(comparison, VotesAlone) else [" ".join(notes)]
