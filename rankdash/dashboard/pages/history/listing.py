"""The list of saved comparisons: a click on a name opens it, and ticked rows are what buttons act on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.dashboard.kit import editors, session_values
from rankdash.dashboard.kit.literal import button_cell, literal_cells, short
from rankdash.dashboard.pages.history.search import MOST
from rankdash.dashboard.session.saved import shelf
from rankdash.report.saved import decision_words, delta_cell, told_apart, verdict_words
from rankdash.store import Listed, ListedRow, Search
from rankdash.style import history as words
from rankdash.wording import count, delta_text, literal, short_inside

#: Rows without scrolling, and columns of letters of a name, which its cell does not cut by itself.
_TALLEST, _NAME = 14, 36
#: Letters of a verdict that its column has room for, and the width of a further one.
_VERDICT, _LETTER = 34, 7
#: The key of the table: under a new key it begins without a tick. The name that was clicked, and which comparisons the
#: table had then.
_TABLE, _CLICKED, _DRAWN = "history_table", "history_clicked", "history_drawn"


class Picked(NamedTuple):
    """What was done with the table: the rows that are ticked, and the id of the comparison whose name was clicked."""

    ticked: tuple[ListedRow, ...]
    clicked: str | None


def renew() -> None:
    """Let the table begin anew, with nothing ticked."""
    session_values.renew(_TABLE)
    session_values.forget(_DRAWN)


def page_of(search: Search, listed: Listed) -> Listed:
    """Return the page of the list that is chosen, with a field for its number where there are several."""
    if listed.total <= MOST:
        return listed
    pages = -(-listed.total // MOST)
    at = int(st.number_input(words.PAGE, 1, pages, key="history_page", width=120))
    return listed if at == 1 else shelf.store().listed(replace(search, offset=(at - 1) * MOST))


def table(listed: Listed) -> Picked:
    """Draw a page of the list; return what was done with it."""
    ids = tuple(row.id for row in listed.rows)
    drawn, click = session_values.value(_DRAWN, ids), session_values.value(_CLICKED)
    if drawn != ids:  # a tick is a place, and another comparison stands there now
        renew()
    session_values.set_value(_DRAWN, ids)
    # Verdicts of some queries alone, or of an older version, take the room of the models, which names tell as a rule.
    longest = max(len(_verdict(row)) for row in listed.rows)
    named = any(_models(row) for row in listed.rows)
    event: Any = st.dataframe(
        _styled(listed.rows),
        hide_index=True,
        column_order=[name for name in words.COLUMNS_SHOWN if name != "models" or (longest <= _VERDICT and named)],
        column_config=_columns(listed.rows),
        key=session_values.numbered(_TABLE),
        on_select="rerun",
        selection_mode="multi-row",
        height=editors.height(min(len(ids), _TALLEST)) + 2,
        row_height=editors.ROW,
        alt=words.TABLE_ALT.format(n=count(listed.total)),
    )
    ticked = tuple(listed.rows[at] for at in event["selection"]["rows"] if at < len(ids))
    return Picked(ticked, drawn[click["row"]] if click is not None and click["row"] < len(drawn) else None)


def called(rows: Sequence[ListedRow]) -> list[str]:
    """Return what the comparisons are called, cut where that is long; several of one name are told apart."""
    names = [row.name for row in rows]
    apart = told_apart(names, [row.created for row in rows])
    ends = [name[len(own) :] for own, name in zip(names, apart, strict=True)]
    return [_cut(row, _NAME - len(end)) + end for row, end in zip(rows, ends, strict=True)]


def _cut(row: ListedRow, width: int) -> str:
    """Return the name of a comparison, cut at its end; in its middle where both models make it up."""
    models = words.MODELS.format(a=row.a, b=row.b)
    return (short_inside if row.name == models else short)(row.name, width)


def _columns(rows: Sequence[ListedRow]) -> dict[str, Any]:
    """Return the columns; verdicts are in their colours, grey where no colour says more than the words."""
    columns = st.column_config
    texts: dict[str, Any] = {
        name: columns.TextColumn(label, width=words.WIDTHS[name]) for name, label in words.COLUMNS.items()
    }
    colours = {_verdict(row): style.BADGE.get(style.OUTCOME_COLOUR.get(row.outcome or "", "")) for row in rows}
    return texts | {
        "name": columns.ButtonColumn(
            words.COLUMNS["name"], width=words.WIDTHS["name"], type="tertiary", alignment="left", key=_CLICKED
        ),
        "outcome": columns.MultiselectColumn(
            words.COLUMNS["outcome"],
            width=words.WIDTHS["outcome"] + _LETTER * max(0, max(map(len, colours)) - _VERDICT),
            options=list(colours),
            color=[colour or style.BADGE[style.SAME] for colour in colours.values()],
        ),
        "changed": columns.DatetimeColumn(words.COLUMNS["changed"], format="YYYY-MM-DD", width=words.WIDTHS["changed"]),
    }


def _styled(rows: Sequence[ListedRow]) -> Any:
    """Return the cells, names in the colour of links."""
    cells = [_cells(row, name) for row, name in zip(rows, called(rows), strict=True)]
    frame = literal_cells(pd.DataFrame(cells, columns=list(words.COLUMNS)))
    frame["changed"] = pd.to_datetime([row.changed for row in rows], utc=True)
    frame["outcome"] = [[_verdict(row)] for row in rows]
    return frame.style.set_properties(subset=["name"], color=style.LINK)


def _cells(row: ListedRow, name: str) -> tuple[str, ...]:
    interval = ""
    if row.lower is not None and row.upper is not None:
        low, high = (delta_text(row.measure or "", end) for end in (row.lower, row.upper))
        interval = words.INTERVAL.format(low=low, high=high)
    return (
        button_cell(name),
        "",
        decision_words(row),
        "" if row.measure is None or row.delta is None else delta_cell(row.measure, row.delta),
        _models(row),
        "",
        interval,
        ", ".join(row.tags),
    )


def _models(row: ListedRow) -> str:
    """Return the models of a comparison, where its name does not say them already."""
    models = words.MODELS.format(a=row.a, b=row.b) if row.a or row.b else ""
    return "" if models == row.name else models


def _verdict(row: ListedRow) -> str:
    return literal(verdict_words(row))
