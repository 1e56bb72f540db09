"""The primary measure, segment by segment: the policy's first, the others as exploration."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.literal import plain, short
from rankdash.report.sections.segments import SegmentRow, segment_note, segment_rows
from rankdash.scoring import Comparison
from rankdash.style import evidence as words

_NAME = 36
#: A space at which a cell does not break.
_JOINED = "\u00a0"


def panel(comparison: Comparison) -> None:
    """Draw a row per segment, and what its p-values are worth."""
    st.subheader(words.SEGMENTS, anchor=False)
    st.caption(words.SEGMENTS_HINT.format(measure=plain(comparison.primary.label)))
    st.table(
        pd.DataFrame(map(_cells, segment_rows(comparison)), columns=list(words.SEGMENT_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=words.SEGMENTS,
    )
    st.caption(segment_note(comparison))


def _cells(row: SegmentRow) -> tuple[str, ...]:
    return (
        f":gray[{plain(short(row.column, _NAME))}] {plain(short(row.value, _NAME))}",
        row.role,
        f":{style.THEME[row.colour]}[**{row.delta}**]" if row.judged else row.delta,
        row.interval.replace(" ", _JOINED),
        row.won.replace(" ", _JOINED),
        row.n,
        row.p,
    )
