"""The primary measure, segment by segment: the policy's first, the others as exploration."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.comparison import Comparison, SegmentResult
from rankdash.dashboard.kit.literal import plain, short
from rankdash.style import evidence as words
from rankdash.wording import NOT_DEFINED, count, p_value, shown, signed

_NAME = 36
#: A space at which a cell does not break.
_JOINED = "\u00a0"


def panel(comparison: Comparison) -> None:
    """One row per segment, and what its p-values are worth."""
    found = comparison.plain.segments
    st.subheader(words.SEGMENTS, anchor=False)
    st.caption(words.SEGMENTS_HINT.format(measure=plain(shown(comparison.primary.measure))))
    st.table(
        pd.DataFrame([_row(one) for one in found], columns=list(words.SEGMENT_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=words.SEGMENTS,
    )
    explored = sum(not one.named for one in found)
    said = [words.SEGMENTS_JUDGED] if explored < len(found) else []
    if explored:
        said.append(words.SEGMENTS_EXPLORED.format(n=count(explored)))
    st.caption(" ".join(said))


def _row(one: SegmentResult) -> tuple[str, ...]:
    found = one.paired
    role = "judged" if one.judged else "small" if one.named else "explored"
    interval = NOT_DEFINED if found.ci95 is None else f"{signed(found.ci95[0])} to {signed(found.ci95[1])}"
    colour = style.THEME[style.proven_tone(found.ci95) if one.judged else style.SAME]
    return (
        f":gray[{plain(short(one.column, _NAME))}] {plain(short(one.value, _NAME))}",
        words.SEGMENT_ROLES[role],
        f":{colour}[**{signed(found.delta)}**]" if one.judged else signed(found.delta),
        interval.replace(" ", _JOINED),
        f"{count(found.wins)} / {count(found.ties)} / {count(found.losses)}".replace(" ", _JOINED),
        count(found.n),
        p_value(one.adjusted_p),
    )
