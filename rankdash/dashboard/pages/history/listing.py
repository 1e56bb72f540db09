"""The list of saved comparisons: what is searched, in which order, and the rows that are selected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from rankdash.dashboard.kit import editors, session_values
from rankdash.dashboard.kit.literal import literal_cells
from rankdash.dashboard.session.saved import shelf
from rankdash.report.saved import decision_words, verdict_words
from rankdash.store import UNDECIDED, Listed, ListedRow, Search
from rankdash.style import LONGEST_LINE
from rankdash.style import history as words
from rankdash.wording import count, signed

#: Rows of a page, and of those so many without scrolling.
MOST, _TALLEST = 50, 14
#: The table: another one begins without a selection.
_TABLE = "history_table"
#: The columns that need less, or more, than a share of what is left.
_WIDTHS = {"measure": 90, "delta": 70, "interval": 130, "outcome": 250, "choice": 200, "tags": 80}
_CHOICES: Mapping[str, str] = {**words.CHOICES, UNDECIDED: words.UNDECIDED}


def renew() -> None:
    """Let the table begin anew, with nothing selected."""
    session_values.renew(_TABLE)


def is_narrowed(search: Search) -> bool:
    """Return whether a search leaves anything out on purpose."""
    return replace(Search(), browser=search.browser) != replace(
        search, sort=Search.sort, descending=Search.descending, offset=0, most=Search.most
    )


def controls() -> Search:
    """Draw the search, the order and the filters; return what they ask for."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="history_controls"):
        text = st.text_input(
            words.SEARCH, max_chars=LONGEST_LINE, placeholder=words.SEARCH_HINT, key="history_words", width=260
        )
        sort = st.selectbox(words.SORT, list(words.SORTS), format_func=words.SORTS.__getitem__, key="history_sort")
        outcome = _filter(words.VERDICT, words.OUTCOMES, "history_outcome")
        choice = _filter(words.DECISION, _CHOICES, "history_choice")
        tags = {tag: tag for tag in shelf.store().all_tags()} if not shelf.is_shared() else {}
        tag = _filter(words.TAG, tags, "history_tag") if tags else None
        turned = st.checkbox(words.REVERSED, key="history_reversed")
        archived = st.checkbox(words.ARCHIVED, key="history_archived")
    return Search(
        words=text,
        sort=sort,
        descending=(sort not in ("name", "outcome", "choice")) != turned,
        archived=archived,
        outcome=outcome,
        choice=choice,
        tag=tag,
        browser=shelf.listed(),
        most=MOST,
    )


def _filter(label: str, options: Mapping[str, str], key: str) -> str | None:
    """Return a list of values, of which none need be chosen."""
    chosen: str | None = st.selectbox(
        label,
        list(options),
        index=None,
        placeholder=words.ANY,
        format_func=lambda value: options.get(value, value),
        key=key,
        width=190,
    )
    return chosen


def table(search: Search, found: Listed) -> tuple[ListedRow, ...]:
    """Draw one page of the list; return the rows that are selected."""
    if found.total > MOST:
        pages = -(-found.total // MOST)
        at = int(st.number_input(words.PAGE, 1, pages, key="history_page", width=120))
        found = found if at == 1 else shelf.store().listed(replace(search, offset=(at - 1) * MOST))
    with st.container(key="history_list"):
        st.caption(f"{words.SHOWN.format(shown=count(len(found.rows)), n=count(found.total))} · {words.SELECT}")
    cells = [_cells(row) for row in found.rows]
    frame = pd.DataFrame(cells, columns=list(words.COLUMNS))
    config: dict[str, Any] = {name: st.column_config.Column(label) for name, label in words.COLUMNS.items()}
    for name, width in _WIDTHS.items():
        config[name] = st.column_config.TextColumn(words.COLUMNS[name], width=width)
    config["changed"] = st.column_config.DatetimeColumn(words.COLUMNS["changed"], format="YYYY-MM-DD HH:mm")
    shown_frame = literal_cells(frame.drop(columns="changed"))
    shown_frame.insert(2, "changed", pd.to_datetime(frame["changed"], utc=True))
    event: Any = st.dataframe(
        shown_frame,
        hide_index=True,
        column_config=config,
        key=session_values.numbered(_TABLE),
        on_select="rerun",
        selection_mode="multi-row",
        height=editors.height(min(len(cells), _TALLEST)) + 2,
        row_height=editors.ROW,
        alt=words.TABLE_ALT.format(n=count(found.total)),
    )
    return tuple(found.rows[at] for at in event["selection"]["rows"] if at < len(found.rows))


def _cells(row: ListedRow) -> tuple[Any, ...]:
    interval = ""
    if row.lower is not None and row.upper is not None:
        interval = words.INTERVAL.format(low=signed(row.lower), high=signed(row.upper))
    return (
        row.name,
        words.MODELS.format(a=row.a, b=row.b) if row.a or row.b else "",
        row.changed,
        row.measure or "",
        signed(row.delta) if row.delta is not None else "",
        interval,
        verdict_words(row),
        decision_words(row),
        ", ".join(row.tags),
    )
