"""What was decided over time: the launch log, and how offline differences went together with online ones."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from rankdash import charts
from rankdash.dashboard.kit import editors
from rankdash.dashboard.kit.literal import literal_cells
from rankdash.dashboard.session.saved import shelf
from rankdash.report.saved import decided_words, delta_cell
from rankdash.store import Logged
from rankdash.style import decisions as words
from rankdash.style import history
from rankdash.wording import count, signed

#: Comparisons with both differences from which on a chart says anything.
_LEAST = 3
#: Decisions that the page lists, and of these so many without scrolling.
_MOST, _TALLEST = 200, 8


def panel() -> None:
    """Draw the decisions, their file, and the chart once there are enough points; nothing where nothing was decided."""
    store, browser = shelf.store(), shelf.listed()
    logged = store.logged(browser, most=_MOST)
    if not logged:
        return
    with st.container(border=True, key="launches"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(words.LOG, anchor=False, width="content")
            st.space("stretch")
            st.download_button(
                words.LOG_CSV,
                lambda: store.launch_log(browser),
                words.LOG_FILE,
                "text/csv",
                key="launch_log",
                icon=":material/download:",
                help=words.LOG_HELP,
                on_click="ignore",
            )
        st.caption(words.LOG_WHY)
        _table(logged)
        points = store.points(browser)
        if len(points) < _LEAST:
            return
        st.subheader(words.CHART, anchor=False)
        st.caption(words.CHART_WHY)
        st.plotly_chart(
            charts.launch_chart([(point.name, point.offline, point.online, None, None) for point in points]),
            key="launch_chart",
            config=charts.CONFIG,
            alt=words.CHART_ALT.format(n=len(points)),
        )


def _table(logged: Sequence[Logged]) -> None:
    """Draw the decisions, the newest first."""
    cells = literal_cells(pd.DataFrame(list(map(_cells, logged[::-1])), columns=list(words.LOG_COLUMNS)))
    st.dataframe(
        cells,
        hide_index=True,
        key="launch_table",
        column_order=[name for name in words.LOG_COLUMNS if name != words.LOG_MODELS or cells[name].any()],
        column_config={name: st.column_config.TextColumn(width=width) for name, width in words.LOG_COLUMNS.items()},
        height=editors.height(min(len(logged), _TALLEST)),
        row_height=editors.ROW,
        alt=words.LOG_ALT.format(n=count(len(logged))),
    )
    if len(logged) == _MOST:
        st.caption(words.LOG_MORE.format(n=count(_MOST)))


def _cells(line: Logged) -> tuple[str, ...]:
    decision, about, verdict = line.decision, line.decision.subject, line.decision.verdict
    models = history.MODELS.format(a=about.model_a, b=about.model_b) if about.model_a or about.model_b else ""
    return (
        f"{decision.at:%Y-%m-%d %H:%M}",
        about.name,
        "" if models == about.name else models,
        history.CHOICES[decision.choice],
        decision.by,
        decided_words(verdict),
        "" if verdict.get("delta") is None else delta_cell(verdict["measure"], verdict["delta"]),
        words.SINCE[decision.since] if line.is_in_force else words.CORRECTED,
        _online(line),
    )


def _online(line: Logged) -> str:
    return (
        "" if line.online is None or line.online.delta is None else f"{line.online.metric} {signed(line.online.delta)}"
    )
