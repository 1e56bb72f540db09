"""The chart of the sorted deltas, and a mark over the bar of the query that is open.

The mark is a drawing over the chart: a chart that changes is mounted anew and drawn twice, and a click would wait for
that. A chart that is sent again as it was costs next to nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash import charts, style
from rankdash.dashboard.host.results import cached
from rankdash.dashboard.kit import widgets
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts.one_query import grade, named, side_by_side, title, whole_title
from rankdash.dashboard.session import actions, session, verdicts, views
from rankdash.inspect.lists import Changes, Ints, ShownDocument, highest_grade
from rankdash.scoring import SIDES, Side
from rankdash.style import queries as words
from rankdash.wording import count, signed


def show_chart(changes: Changes, measure: str, height: int, key: str, alt: str) -> None:
    """Draw the chart. A click on a bar opens its query."""

    def clicked() -> None:
        event: Any = widgets.value_of(key)
        points = event["selection"]["points"]
        if points:
            place = points[0]["customdata"]
            place = int(place[0] if isinstance(place, list) else place)
            views.click(changes.query_ids[place] if 0 <= place < len(changes) else None)
        # A second click on a bar takes its selection back, and means the bar all the same: meanwhile another query may
        # have been opened by other ways.
        query_id = session.now().clicked
        if query_id is not None and query_id in changes.query_ids:
            views.choose_query(query_id)

    with st.container(key="marked", gap=None):
        st.plotly_chart(
            _figure(changes, measure, height),
            key=key,
            config=charts.CONFIG,
            on_select=clicked,
            selection_mode="points",
            alt=alt,
        )
        with st.container(key="mark"):
            _mark(changes)


@cached()
def _figure(changes: Changes, measure: str, height: int) -> go.Figure:
    return charts.delta_chart(changes, measure, height)


def _mark(changes: Changes) -> None:
    """Draw the mark, at the query that is open."""
    place = changes.query_ids.index(views.query_among(changes.query_ids, changes.query_ids[0]))
    drawing = charts.mark(changes, place, charts.names_height(changes))
    st.image(drawing, alt=style.MARK_ALT.format(place=place + 1, n=len(changes)))


# --- the per-query deltas in order, the two lists of the query that was clicked, and the largest losses and gains ---


#: The part of the page that a click draws anew: the chart, the mark in it and the query that is open.
_OPEN = "part_open"
_HEIGHT = 450
#: Columns of letters that the name of a query may take.
_QUERY = 44


def per_query(opened: verdicts.Opened) -> None:
    """Draw the sorted deltas, and beside them the query that was clicked or chosen. At first the largest loss."""
    if not len(opened.changes):
        st.markdown(style.DELTAS_NONE.format(measure=plain(opened.comparison.primary.label)))
        return
    changes, paired = opened.changes, opened.comparison.primary.paired
    measure = opened.comparison.primary.label
    tally = {"won": count(paired.wins), "tied": count(paired.ties), "lost": count(paired.losses)}
    left, right = st.columns([1, 1.8], gap="small")
    panel = right.container(border=True, height="stretch", key="query_panel")
    with left.container(border=True, height="stretch"):
        st.subheader(style.DELTAS.format(measure=plain(measure)), anchor=False)
        st.caption(style.DELTAS_HINT.format(**tally))
        _open(opened, measure, style.DELTAS_ALT.format(measure=measure, **tally), panel)
        if len(changes) > charts.MOST_BARS:
            st.caption(style.DELTAS_THINNED.format(shown=count(charts.MOST_BARS), n=count(len(changes))))
        views.query_list(changes.query_ids, partial(_named, changes), _OPEN)
    panel.caption(words.LEGEND)


@st.fragment(key=_OPEN)
def _open(opened: verdicts.Opened, measure: str, alt: str, panel: DeltaGenerator) -> None:
    """Draw what a click draws anew: the chart, with the mark at the query that is open, and that query in the panel."""
    if actions.refresh():
        st.rerun()
    changes = opened.changes
    show_chart(changes, measure, _HEIGHT, "query_chart", alt)
    query_id = views.query_among(changes.query_ids, changes.query_ids[0])
    with panel:
        _lists(opened, measure, changes.query_ids.index(query_id))
    views.write_query(query_id)


def _named(changes: Changes, place: int) -> str:
    """Return the label of a query in the list: its text, its id, which is unique, and the difference."""
    text, query_id = changes.texts[place], changes.query_ids[place]
    name = f"{text} · {query_id}" if text else query_id
    return f"{name}  ({signed(float(changes.delta[place]))})"


def _lists(opened: verdicts.Opened, measure: str, place: int) -> None:
    """Draw the two lists of a query side by side, with its name and numbers over them."""
    changes = opened.changes
    query_id, text, delta = changes.query_ids[place], changes.texts[place], float(changes.delta[place])
    heading = f"**{title(text or query_id)}**" + (f" :gray[{plain(query_id)}]" if text else "")
    colour = style.THEME[style.tone(delta)]
    with st.container(horizontal=True, gap="small"):
        st.markdown(f"{heading} :gray[·] {plain(measure)} :{colour}[**{signed(delta)}**]", width="content")
        whole_title(text or query_id)
    side_by_side(opened.lists_of(query_id))


def extremes(opened: verdicts.Opened) -> None:
    """Draw the largest losses and gains, with the top result of each model."""
    both = (("losses", opened.changes.losses), ("gains", opened.changes.gains))
    # A grid, not columns: those are put below each other in print.
    with st.grid(2, key="extremes"):
        for side, places in both:
            with st.container(border=True, height="stretch"):
                hint = f" :small[:gray[{style.EXTREMES_HINT}]]" if opened.tops else ""
                st.subheader(f"{style.EXTREMES[side]}{hint}", anchor=False)
                if len(places):
                    _extremes(opened, side, places)
                else:
                    st.markdown(style.NO_EXTREMES[side])


def _extremes(opened: verdicts.Opened, side: str, places: Ints) -> None:
    """Draw each query's difference and name, which open it, and beside them the top results of both models.

    One text for all queries, and the style sheet makes its rows as high as the buttons: a container per row would be
    drawn anew in the browser with every click on the page.
    """
    highest = highest_grade(opened.comparison)
    left, right = st.columns([1, 1.7] if opened.tops else [1, 0.01], gap="small")
    for row, place in enumerate(places.tolist()):
        delta = float(opened.changes.delta[place])
        name = plain(charts.short_name(opened.changes, place, _QUERY))
        if left.button(
            f":{style.THEME[style.tone(delta)]}[**{signed(delta)}**] {name}",
            key=f"open_{side}_{row}",
            type="tertiary",
            icon=":material/arrow_forward:",
            icon_position="right",
            width="stretch",
        ):
            views.show_query(opened.changes.query_ids[place])
    if not opened.tops:
        return
    pairs = (zip(SIDES, opened.tops[place], strict=True) for place in places.tolist())
    right.markdown("\n\n".join("  \n".join(_top(model, top, highest) for model, top in pair) for pair in pairs))


def _top(model: Side, document: ShownDocument | None, highest: float) -> str:
    """Return the first result of a model, with its grade."""
    result = style.NO_RESULT if document is None else f"{grade(document, highest)} {named(document)}"
    return f":gray[{style.SIDE[model]}] {result}"
