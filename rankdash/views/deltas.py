"""The per-query deltas in order, the two lists of the query that was clicked, and the largest losses and gains."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from rankdash import charts, style
from rankdash.lists import Document, Ints, Placed, QueryList
from rankdash.views import state
from rankdash.views.literal import plain
from rankdash.wording import count, number, shown, signed

_CHART, _CHOSEN = "query_chart", "query_chosen"
_HEIGHT = 470


@st.fragment
def per_query(opened: state.Opened) -> None:
    """The sorted deltas, and beside them the query that was clicked or chosen. At first the largest loss."""
    found, paired = opened.changes, opened.comparison.primary.paired
    measure = shown(opened.comparison.primary.measure)
    if not len(found):
        st.markdown(style.DELTAS_NONE.format(measure=plain(measure)))
        return
    st.session_state.setdefault(_CHOSEN, 0)
    tally = {"won": count(paired.wins), "tied": count(paired.ties), "lost": count(paired.losses)}
    left, right = st.columns([1, 1.45], gap="medium")
    with right.container(border=True, height="stretch", key="query_panel"):
        place = _choose(opened)
        _lists(opened, place)
    with left.container(border=True, height="stretch"):
        st.subheader(style.DELTAS.format(measure=plain(measure)), anchor=False)
        st.caption(style.DELTAS_HINT.format(**tally))
        st.plotly_chart(
            charts.delta_chart(found, measure, place, _HEIGHT), key=_CHART, config=charts.CONFIG,
            on_select=_clicked, selection_mode="points", alt=style.DELTAS_ALT.format(measure=measure, **tally),
        )  # fmt: skip
        if len(found) > charts.MOST_BARS:
            st.caption(style.DELTAS_THINNED.format(shown=count(charts.MOST_BARS), n=count(len(found))))


def _clicked() -> None:
    """Remembers the query of the bar that was clicked. A click on nothing changes nothing."""
    event: Any = st.session_state[_CHART]
    points = event["selection"]["points"]
    if points:
        place = points[0]["customdata"]
        st.session_state[_CHOSEN] = int(place[0] if isinstance(place, list) else place)


def _choose(opened: state.Opened) -> int:
    found = opened.changes
    names = [
        f"{charts.name_of(found, place)}  ({signed(float(delta))})" for place, delta in enumerate(found.delta.tolist())
    ]
    return int(
        st.selectbox(
            style.OPEN_QUERY, range(len(found)), format_func=names.__getitem__, key=_CHOSEN, required=True,
            label_visibility="collapsed",
        )
    )  # fmt: skip


def _lists(opened: state.Opened, place: int) -> None:
    """The two lists of a query side by side, with its name and numbers over them."""
    found = opened.lists(place)
    text = opened.changes.texts[place]
    measure = plain(shown(opened.comparison.primary.measure))
    title = f"**{plain(text or found.query_id)}**" + (f" :gray[{plain(found.query_id)}]" if text else "")
    colour = style.THEME[style.tone(found.delta)]
    st.markdown(f"{title} :gray[·] {measure} :{colour}[**{signed(found.delta)}**]")
    for side, column, listed in zip("ab", st.columns(2, gap="small"), (found.a, found.b), strict=True):
        with column:
            st.markdown(
                f"**{style.SIDE[side]}** {plain(listed.model)} :gray[·] {number(listed.value)}", width="stretch"
            )
            if listed.placed:
                _list(listed, side)
            else:
                st.caption(style.EMPTY_LIST.format(model=plain(listed.model)))
    st.caption(style.LIST_LEGEND)


def _list(listed: QueryList, side: str) -> None:
    rows = [(str(row.rank), _grade(row.document), _name(row), _move(row, side)) for row in listed.placed]
    st.table(
        pd.DataFrame(rows, columns=list(style.LIST_COLUMNS)), border="horizontal", hide_index=True,
        alt=style.LIST_ALT.format(n=len(rows), model=listed.model),
    )  # fmt: skip


def _grade(document: Document) -> str:
    if document.relevance is None:
        return f":gray[{style.UNJUDGED}]"
    grade = plain(f"{document.relevance:g}")
    return f":blue-badge[{grade}]" if document.relevance > 0 else f":gray-badge[{grade}]"


def _name(row: Placed) -> str:
    return _document(row.document) + (f" :gray[· {style.TIED}]" if row.tied else "")


def _document(document: Document) -> str:
    """The title with the id behind it; the id alone where there is no title."""
    if not document.title:
        return plain(document.doc_id)
    return f"{plain(document.title)} :gray[{plain(document.doc_id)}]"


def _move(row: Placed, side: str) -> str:
    words = style.MOVES.get(row.move) or style.MOVES["to" if side == "a" else "from"].format(rank=row.other_rank)
    icon = style.MOVE_ICON[row.move]
    colour = {True: style.WIN, False: style.LOSS, None: style.SAME}[row.helps]
    return f":{style.THEME[colour]}[{icon} {words}]"


def extremes(opened: state.Opened) -> None:
    """The largest losses and gains, with the top result of each model."""
    both = ((style.LOSSES, style.NO_LOSSES, opened.changes.losses), (style.GAINS, style.NO_GAINS, opened.changes.gains))
    for column, (title, none, places) in zip(st.columns(2, gap="medium"), both, strict=True):
        with column.container(border=True, height="stretch"):
            st.subheader(title, anchor=False)
            if len(places):
                _extremes(opened, title, places)
            else:
                st.markdown(none)


def _extremes(opened: state.Opened, title: str, places: Ints) -> None:
    rows = []
    for place in places.tolist():
        delta = float(opened.changes.delta[place])
        colour = style.THEME[style.tone(delta)]
        tops = [style.NO_RESULT if top is None else f"{_grade(top)} {_document(top)}" for top in opened.tops[place]]
        rows.append((plain(charts.name_of(opened.changes, place)), f":{colour}[{signed(delta)}]", *tops))
    st.table(
        pd.DataFrame(rows, columns=list(style.EXTREME_COLUMNS)), border="horizontal", hide_index=True, alt=title,
    )  # fmt: skip
