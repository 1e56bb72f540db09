"""The per-query deltas in order, the two lists of the query that was clicked, and the largest losses and gains."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import charts, style
from rankdash.lists import Changes, Document, Ints, Placed, QueryLists
from rankdash.views import looked_at, state
from rankdash.views.literal import plain, short
from rankdash.wording import count, number, shown, signed

_CHART, _CHOSEN = "query_chart", state.CHOSEN
_HEIGHT = 560
#: Columns of letters that a title, a model's name and a query may take.
_TITLE, _TOP, _MODEL, _QUERY = 72, 44, 28, 48


@st.fragment
def per_query(opened: state.Opened) -> None:
    """The sorted deltas, and beside them the query that was clicked or chosen. At first the largest loss."""
    found, paired = opened.changes, opened.comparison.primary.paired
    measure = shown(opened.comparison.primary.measure)
    if not len(found):
        st.markdown(style.DELTAS_NONE.format(measure=plain(measure)))
        return
    if not 0 <= st.session_state.get(_CHOSEN, -1) < len(found):
        st.session_state[_CHOSEN] = _from_address(found)
    tally = {"won": count(paired.wins), "tied": count(paired.ties), "lost": count(paired.losses)}
    left, right = st.columns([1, 1.6], gap="small")
    with right.container(border=True, height="stretch", key="query_panel"):
        place = _choose(opened)
        if place != _from_address(found):
            st.query_params[state.QUERY] = found.query_ids[place]
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


def _from_address(found: Changes) -> int:
    """The place of the query that the address names; the largest loss where it names none that there is."""
    named = st.query_params.get(state.QUERY)
    return found.query_ids.index(named) if named in found.query_ids else 0


def _clicked() -> None:
    """Remembers the query of the bar that was clicked. A click on nothing changes nothing."""
    event: Any = st.session_state[_CHART]
    points = event["selection"]["points"]
    if points:
        place = points[0]["customdata"]
        st.session_state[_CHOSEN] = int(place[0] if isinstance(place, list) else place)


def _choose(opened: state.Opened) -> int:
    found = opened.changes

    def name(place: int) -> str:
        return f"{charts.name_of(found, place)}  ({signed(float(found.delta[place]))})"

    places = looked_at.offered(len(found), st.session_state[_CHOSEN])
    return int(st.selectbox(style.OPEN_QUERY, places, format_func=name, key=_CHOSEN, persist_state="session"))


def _lists(opened: state.Opened, place: int) -> None:
    """The two lists of a query side by side, with its name and numbers over them."""
    found = opened.lists(place)
    text = opened.changes.texts[place]
    measure = plain(shown(opened.comparison.primary.measure))
    title = f"**{plain(text or found.query_id)}**" + (f" :gray[{plain(found.query_id)}]" if text else "")
    colour = style.THEME[style.tone(found.delta)]
    st.markdown(f"{title} :gray[·] {measure} :{colour}[**{signed(found.delta)}**]")
    _side_by_side(found)
    st.caption(style.LIST_LEGEND)


def _side_by_side(found: QueryLists) -> None:
    """One row per rank: the document of A and where it goes in B, the document of B and where it comes from."""
    heads = style.LIST_COLUMNS
    titles = [
        f"{heads[side]} {plain(short(listed.model, _MODEL))} :gray[· {number(listed.value)}]"
        for side, listed in (("a", found.a), ("b", found.b))
    ]
    rows = [
        (str(rank), *_cells(in_a), *_cells(in_b))
        for rank, (in_a, in_b) in enumerate(zip_longest(found.a.placed, found.b.placed), start=1)
    ] or [("", style.EMPTY_LIST, "", style.EMPTY_LIST, "")]
    st.table(
        pd.DataFrame(rows, columns=[heads["rank"], titles[0], heads["to"], titles[1], heads["from"]]),
        border="horizontal", hide_index=True, alt=style.LIST_ALT.format(n=len(rows)),
    )  # fmt: skip


def _cells(row: Placed | None) -> tuple[str, str]:
    """A document and its move; where the list has ended, nothing, and at its first rank that there is no list."""
    if row is None:
        return "", ""
    tied = f" :gray[· {style.TIED}]" if row.tied else ""
    return f"{_grade(row.document)} {_document(row.document)}{tied}", _move(row)


def _grade(document: Document) -> str:
    if document.relevance is None:
        return f":gray-badge[{style.UNJUDGED}]"
    grade = plain(f"{document.relevance:g}")
    return f":blue-badge[{grade}]" if document.relevance > 0 else f":gray-badge[{grade}]"


def _document(document: Document, width: int = _TITLE) -> str:
    """The title with the id behind it; the id alone where there is no title."""
    if not document.title:
        return plain(document.doc_id)
    return f"{plain(short(document.title, width))} :gray[{plain(document.doc_id)}]"


def _move(row: Placed) -> str:
    words = style.MOVES.get(row.move) or style.MOVED.format(rank=row.other_rank)
    colour = {True: style.WIN, False: style.LOSS, None: style.SAME}[row.helps]
    return f":{style.THEME[colour]}[{style.EFFECT[row.helps].format(move=words)}]"


def extremes(opened: state.Opened) -> None:
    """The largest losses and gains, with the top result of each model."""
    both = (("losses", opened.changes.losses), ("gains", opened.changes.gains))
    # A grid, not columns: those are put below each other in print.
    with st.grid(2, key="extremes"):
        for side, places in both:
            with st.container(border=True, height="stretch"):
                st.subheader(f"{style.EXTREMES[side]} :small[:gray[{style.EXTREMES_HINT}]]", anchor=False)
                if len(places):
                    _extremes(opened, side, places)
                else:
                    st.markdown(style.NO_EXTREMES[side])


def _extremes(opened: state.Opened, side: str, places: Ints) -> None:
    """One row per query: its name, which opens it, its difference, and the top result of each model."""
    for row, place in enumerate(places.tolist()):
        delta = float(opened.changes.delta[place])
        name = plain(short(charts.name_of(opened.changes, place), _QUERY))
        tops = "  \n".join(
            f":gray[{style.SIDE[model]}] {style.NO_RESULT if top is None else f'{_grade(top)} {_document(top, _TOP)}'}"
            for model, top in zip("ab", opened.tops[place], strict=True)
        )
        left, right = st.columns([1, 1.6], gap="small", vertical_alignment="center")
        with left.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            st.markdown(f":{style.THEME[style.tone(delta)]}[**{signed(delta)}**]", width="content")
            if st.button(
                name,
                key=f"open_{side}_{row}",
                type="tertiary",
                icon=":material/arrow_forward:",
                icon_position="right",
                help=style.OPEN_HELP,
                width="stretch",
            ):
                state.show_query(opened.changes.query_ids[place])
        right.markdown(f":small[{tops}]")
