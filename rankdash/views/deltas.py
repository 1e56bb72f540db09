"""The per-query deltas in order, the two lists of the query that was clicked, and the largest losses and gains."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rankdash import charts, style
from rankdash.lists import Changes, Ints, highest_grade
from rankdash.style import queries as words
from rankdash.views import looked_at, marked, state
from rankdash.views.literal import plain, short
from rankdash.views.two_lists import grade, named, side_by_side
from rankdash.wording import count, shown, signed

#: The part of the page that a click waits for: the query that is open.
_ONE = "part_lists"
_HEIGHT = 450
#: Columns of letters that a title and a query may take.
_TOP, _QUERY = 44, 48


def per_query(opened: state.Opened) -> None:
    """The sorted deltas, and beside them the query that was clicked or chosen. At first the largest loss."""
    if not len(opened.changes):
        measure = plain(shown(opened.comparison.primary.measure))
        st.markdown(style.DELTAS_NONE.format(measure=measure))
        return
    left, right = st.columns([1, 1.8], gap="small")
    with right.container(border=True, height="stretch", key="query_panel"):
        _one(opened)
    with left.container(border=True, height="stretch"):
        _all(opened)


@st.fragment(key=_ONE)
def _one(opened: state.Opened) -> None:
    """The query that is open."""
    found = opened.changes
    place = found.query_ids.index(looked_at.opened(found.query_ids))
    _lists(opened, place)


def _all(opened: state.Opened) -> None:
    """The chart of the sorted deltas, with a mark at the query that is open."""
    found, paired = opened.changes, opened.comparison.primary.paired
    measure = shown(opened.comparison.primary.measure)
    tally = {"won": count(paired.wins), "tied": count(paired.ties), "lost": count(paired.losses)}
    st.subheader(style.DELTAS.format(measure=plain(measure)), anchor=False)
    st.caption(style.DELTAS_HINT.format(**tally))
    marked.chart(
        found, measure, _HEIGHT, "query_chart", style.DELTAS_ALT.format(measure=measure, **tally), _open_another
    )
    if len(found) > charts.MOST_BARS:
        st.caption(style.DELTAS_THINNED.format(shown=count(charts.MOST_BARS), n=count(len(found))))
    looked_at.box(found.query_ids, partial(_named, found), _open_another)


def _named(found: Changes, place: int) -> str:
    """A query in the list: what was asked, the id, which no other one has, and the difference."""
    text, query_id = found.texts[place], found.query_ids[place]
    name = f"{text} · {query_id}" if text else query_id
    return f"{name}  ({signed(float(found.delta[place]))})"


def _open_another(query_id: str, *more: str) -> None:
    """Opens a query: its lists are drawn anew, and the mark over the chart. Only for a widget's callback."""
    looked_at.choose(query_id)
    st.rerun([_ONE, marked.MARK, *more])


def _lists(opened: state.Opened, place: int) -> None:
    """The two lists of a query side by side, with its name and numbers over them."""
    found = opened.lists(place)
    text = opened.changes.texts[place]
    measure = plain(shown(opened.comparison.primary.measure))
    title = f"**{plain(text or found.query_id)}**" + (f" :gray[{plain(found.query_id)}]" if text else "")
    colour = style.THEME[style.tone(found.delta)]
    st.markdown(f"{title} :gray[·] {measure} :{colour}[**{signed(found.delta)}**]")
    side_by_side(found)
    st.caption(words.LEGEND)


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
    highest = highest_grade(opened.comparison)
    for row, place in enumerate(places.tolist()):
        delta = float(opened.changes.delta[place])
        name = plain(short(charts.name_of(opened.changes, place), _QUERY))
        tops = "  \n".join(
            f":gray[{style.SIDE[model]}] {f'{grade(top, highest)} {named(top, _TOP)}' if top else style.NO_RESULT}"
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
