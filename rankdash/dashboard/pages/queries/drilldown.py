"""One query: its numbers, both lists joined by lines, and how each value comes about."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.literal import literal_cells, plain, table
from rankdash.dashboard.parts.needs_lists import lists_of
from rankdash.dashboard.parts.two_lists import side_by_side, title, whole_title
from rankdash.dashboard.parts.worked_calculation import calculation
from rankdash.dashboard.session import verdicts, views
from rankdash.inspect.lists import QueryLists, further_columns
from rankdash.inspect.view import Viewed
from rankdash.style import queries as words
from rankdash.wording import count, literal, number, percent, signed

#: More ranks of a list than this are not drawn.
_MOST_RANKS = 30
_TWO = 2
#: The arrow of the button one query further back or ahead, and its key.
_ARROWS = {-1: ("arrow_back", words.KEY_PREVIOUS), 1: ("arrow_forward", words.KEY_NEXT)}


def query(opened: verdicts.Opened, viewed: Viewed, chosen: str) -> None:
    """Draw the query that is open, among those that pass the filters."""
    place = viewed.changes.query_ids.index(chosen)
    with st.container(border=True, key="query_panel"):
        _head(viewed, place)
        st.markdown(_cards(viewed, place, opened.comparison.has_lists))
        lists = lists_of(opened, chosen, min(viewed.k, _MOST_RANKS), viewed.measure)
        if lists is None:
            return
        st.markdown(f"**{words.SIDE_BY_SIDE}**  \n:small[{words.LEGEND} {_depth(lists)}]")
        side_by_side(lists)
        _further(opened, lists)
    left, right = st.columns(2, gap="small")
    with left.container(border=True, height="stretch", key="worked_a"):
        calculation(lists.a, "A")
    with right.container(border=True, height="stretch", key="worked_b"):
        calculation(lists.b, "B")


def _head(viewed: Viewed, place: int) -> None:
    """Draw the name of the query, its place among all that pass, and the buttons to its neighbours."""
    ids, text = viewed.changes.query_ids, viewed.changes.texts[place]
    behind = [plain(ids[place])] if text else []
    behind.append(words.PLACE.format(place=count(place + 1), n=count(len(ids))))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(f"{title(text or ids[place])} :small[:gray[{'  ·  '.join(behind)}]]", anchor=False)
        with st.container(horizontal=True, gap="small", width="content"):
            _step(words.PREVIOUS, "previous", ids, -1, is_last=place == 0)
            _step(words.NEXT, "next", ids, 1, is_last=place == len(ids) - 1)
        whole_title(text or ids[place])


def _step(label: str, name: str, ids: Sequence[str], by: int, *, is_last: bool) -> None:
    """Draw the button to the query before or after; its key is told beside its label."""
    arrow, shortcut = _ARROWS[by]
    st.button(
        label,
        icon=f":material/{arrow}:",
        key=f"query_{name}",
        shortcut=shortcut,
        disabled=is_last,
        on_click=_go_on,
        args=(ids, by),
    )


def _go_on(ids: Sequence[str], by: int) -> None:
    """Open the query before or after that which is selected by now: a key may be pressed again before the page is
    drawn.
    """
    place = ids.index(views.query_among(ids, ids[0])) + by
    views.choose_query(ids[min(max(place, 0), len(ids) - 1)])


def _cards(viewed: Viewed, place: int, has_lists: bool) -> str:
    """Return the query's numbers as a single piece of Markdown, for cards of their own would each be drawn anew with a
    click.
    """
    changes = viewed.changes
    a, b, delta = (_unless_missing(values[place]) for values in (changes.a, changes.b, changes.delta))
    colour = style.THEME[style.tone(delta)]
    cards = {
        plain(viewed.measure.label): (
            number(b),
            f":{colour}-badge[{signed(delta)}] {style.FROM} {number(a)}",
        )
    }
    values = {
        "overlap": number(_unless_missing(viewed.overlap[place]), _TWO),
        "unjudged": percent(_unless_missing(viewed.unjudged[place])),
        "churn": number(_unless_missing(viewed.churn[place]), _TWO),
    }
    cards |= {
        words.CARD_LABELS[name].format(k=viewed.k): (value, words.CARD_LINES[name])
        for name, value in values.items()
        if has_lists or name not in words.OF_LISTS
    }
    return table(list(cards), zip(*cards.values(), strict=True))


def _unless_missing(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def _depth(lists: QueryLists) -> str:
    """Return how much of each list is shown, where that is not all."""
    cut = [
        words.DEEPER.format(n=count(len(listed.placed)), length=count(listed.length), side=side)
        for side, listed in (("A", lists.a), ("B", lists.b))
        if len(listed.placed) < listed.length
    ]
    return words.DEEPER_SAID.format(lists=" and ".join(cut)) if cut else ""


def _further(opened: verdicts.Opened, lists: QueryLists) -> None:
    """Draw every column of the files for these documents, as they are."""
    with st.expander(words.FURTHER, key="query_columns", on_change="rerun") as expander:
        if not expander.open:
            return
        rows = opened.comparison.joined
        for side, run, listed in (("A", rows.a, lists.a), ("B", rows.b, lists.b)):
            st.text(literal(words.LIST_OF.format(side=side, model=listed.model)))
            documents = [(row.rank, row.document.doc_id, row.document.title) for row in listed.placed]
            frame = pd.DataFrame(documents, columns=[words.RANK, "doc_id", "title"])
            further_frame = pd.DataFrame(further_columns(run, listed))
            st.dataframe(
                literal_cells(pd.concat((frame, further_frame), axis=1)),
                hide_index=True,
                key=f"query_columns_{side}",
                alt=words.FURTHER_ALT.format(side=side, n=len(documents)),
            )
