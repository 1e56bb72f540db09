"""Saved comparisons: their list, what can be done with them, the launch log, and several side by side."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import charts, style
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.literal import button_cell, literal_cells, plain, short, table as table_literal
from rankdash.dashboard.session import actions, open_comparison, saving, session
from rankdash.report import saved
from rankdash.store import ListedRow, Search, StoreError
from rankdash.style import LONGEST_LINE, history as words
from rankdash.verdict import Outcome
from rankdash.wording import both_short, count, delta_name, literal, short_inside


def open_saved(ids: Sequence[str]) -> None:
    """Open a comparison and go to its verdict, or a group, by its best, and go to its candidates; where that cannot be
    opened, say why.
    """
    try:
        with st.spinner(words.OPEN):
            actions.open_saved(ids[0], by_link=False)
    except StoreError as error:
        st.warning(plain(str(error)), icon=":material/warning:")
    else:
        (open_comparison.show_opened if len(ids) > 1 else open_comparison.show_verdict)()


#: Comparisons that are listed at most; a search finds the others.
_MOST_LISTED = 500


def searched() -> Search:
    """Draw the search; return what it asks for."""
    text = st.text_input(
        words.SEARCH, max_chars=LONGEST_LINE, placeholder=words.SEARCH_HINT, key="history_words", width=320
    )
    return Search(text, saving.listed(), folded=True, most=_MOST_LISTED, choices=words.CHOICES)


# --- the list of saved comparisons: a click on a name opens it, and ticked rows are what buttons act on ---


#: A line of the list: a comparison, or those of a group, the best first.
Line = tuple[ListedRow, ...]
#: Rows without scrolling, and columns of letters of a name and of a model, which their cells would clip.
_TALLEST, _MODEL = 14, 13
#: The key of the table: under a new key it begins without a tick. The name that was clicked, and which comparisons the
#: table had then. Which groups are unfolded.
_TABLE, _CLICKED, _DRAWN, _UNFOLDED = "history_table", "history_clicked", "history_drawn", "history_unfolded"


def renew() -> None:
    """Let the table begin anew, with nothing ticked."""
    widgets.renew(_TABLE)
    widgets.forget(_DRAWN)


def lines_of(rows: Sequence[ListedRow]) -> tuple[Line, ...]:
    """Return the lines of the list: a group is one, below which each of its comparisons has its own where it is
    unfolded.
    """
    lines = [
        tuple(sorted(line, key=_worth, reverse=True)) for _, line in groupby(rows, lambda row: row.group or row.id)
    ]
    return tuple(
        one for line in lines for one in (line, *((row,) for row in line if len(line) > 1 and _is_unfolded(line)))
    )


def _worth(row: ListedRow) -> tuple[bool, float]:
    return row.outcome == Outcome.LAUNCH.value, -inf if row.delta is None else row.delta


def _is_unfolded(line: Line) -> bool:
    return line[0].group in widgets.value_of(_UNFOLDED, ())


def _unfold(line: Line) -> None:
    """Show the comparisons of a group below it, or hide them."""
    widgets.set_value(_UNFOLDED, {line[0].group} ^ {*widgets.value_of(_UNFOLDED, ())})
    renew()


def table(lines: Sequence[Line]) -> tuple[tuple[Line, ...], tuple[str, ...] | None]:
    """Draw the list; return the lines that are ticked, and the ids of the line whose name was clicked."""
    ids = tuple(tuple(row.id for row in line) for line in lines)
    drawn, click = widgets.value_of(_DRAWN, ids), widgets.value_of(_CLICKED)
    if drawn != ids:  # a tick is a place, which has another comparison now
        places = widgets.value_of(widgets.numbered(_TABLE), {"selection": {"rows": []}})["selection"]["rows"]
        kept = [ids.index(drawn[at]) for at in places if at < len(drawn) and drawn[at] in ids]
        renew()
        widgets.set_value(widgets.numbered(_TABLE), {"selection": {"rows": kept, "columns": [], "cells": []}})
    widgets.set_value(_DRAWN, ids)
    event: Any = st.dataframe(
        _frame(lines),
        hide_index=True,
        column_config=(columns := _columns([line[0] for line in lines])),
        column_order=list(columns),
        key=widgets.numbered(_TABLE),
        on_select="rerun",
        height=widgets.height(min(len(ids), _TALLEST)) + 2,
        row_height=widgets.ROW,
        alt=words.TABLE_ALT.format(n=count(len(lines))),
    )
    ticked = tuple(lines[at] for at in event["selection"]["rows"] if at < len(ids))
    return ticked, drawn[click["row"]] if click is not None and click["row"] < len(drawn) else None


def _columns(rows: Sequence[ListedRow]) -> dict[str, Any]:
    """Return the columns; verdicts are in their colours, grey where no colour says more than the words. Dates have a
    year where there are several.
    """
    columns = st.column_config
    date, wide = words.DATES[len({row.changed.year for row in rows}) == 1]
    colours = {_verdict(row): style.BADGE[style.outcome_tone(row.outcome)] for row in rows}
    kinds: dict[str, Any] = {
        "name": partial(columns.ButtonColumn, type="tertiary", alignment="left", key=_CLICKED),
        "outcome": partial(columns.MultiselectColumn, options=list(colours), color=list(colours.values())),
        "changed": partial(columns.DatetimeColumn, format=date),
    }
    heads = {**words.COLUMNS, "changed": (words.DATE, wide)}
    return {name: kinds.get(name, columns.TextColumn)(label, width=width) for name, (label, width) in heads.items()}


def _headed(line: Line, groups: Container[str]) -> ListedRow:
    """Return the row that a line shows. A group shows its best comparison, under its own name or the name of A; the
    rows below it have the names of B.
    """
    best, n = line[0], count(len(line))
    name = best.name
    if len(line) > 1:
        name = words.NAMED.format(name=name, n=n) if saved.of_named(best) else words.GROUP.format(name=best.a, n=n)
    elif best.group in groups:
        name = words.MEMBER.format(name=best.b)
    return replace(best, name=name, group="")


def _decision(line: Line) -> str:
    """Return the decision in force in a line: of a group the newest, with the candidate that it is about."""
    newest = max((row for row in line if row.decided is not None), key=attrgetter("decided"), default=line[0])
    said = saved.decision_words(newest)
    return words.DECIDED_OF.format(name=newest.b, choice=said) if said and len(line) > 1 else said


def _frame(lines: Sequence[Line]) -> pd.DataFrame:
    """Return the cells."""
    groups = {line[0].group for line in lines if len(line) > 1}
    rows = [_headed(line, groups) for line in lines]
    pairs = (both_short(row.a, row.b, _MODEL) for row in rows)
    models = [words.MODELS.format(a=a, b=b) if a or b else "" for a, b in pairs]
    texts = {"delta": [*map(_difference, rows)], "models": models, "choice": [*map(_decision, lines)]}
    frame = literal_cells(pd.DataFrame({"name": [*map(button_cell, saved.called(rows))], **texts}))
    frame["changed"] = pd.to_datetime([row.changed for row in rows], utc=True)
    frame["outcome"] = [[_verdict(row)] for row in rows]
    return frame


def _verdict(row: ListedRow) -> str:
    return literal(saved.verdict_words(row))


def _difference(row: ListedRow) -> str:
    return "" if row.delta is None else saved.delta_words(row.measure or "", row.delta)


# --- what can be done with the saved comparisons that are selected ---


_HISTORY = "history"
#: Columns of letters of a name in a sentence, and beside a chart; how many that are deleted are named.
_LONG, _BRIEF, _FEW = 40, 30, 3


def said() -> None:
    """Say what could not be done, and what was deleted, with the way back."""
    for why in open_comparison.notices_for(_HISTORY):
        st.warning(plain(why), icon=":material/warning:")
    if gone := session.now().deleted:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="history_gone"):
            names = ", ".join(plain(short(row.name, _LONG)) for row in gone)
            names = words.DELETED_MANY.format(n=count(len(gone))) if len(gone) > _FEW else names
            st.markdown(words.DELETED.format(names=names), width="stretch")
            st.button(words.UNDO, key="history_undo", icon=":material/undo:", on_click=_try, args=(_undelete, gone))


def actions_on(ticked: Sequence[Line], lines: Sequence[Line], total: int) -> None:
    """Draw how many comparisons there are and how to go on, and what can be done with the lines that are ticked.

    Every button is drawn whatever is ticked, so that a tick does not move the table.
    """
    chosen = tuple(dict.fromkeys(row for line in ticked for row in line))
    is_one = len(chosen) == 1
    with st.container(horizontal=True, vertical_alignment="center", key="history_actions"):
        shown = len({row.group or row.id for line in lines for row in line})
        said = f"{words.SHOWN.format(shown=count(shown), n=count(total))} · {words.SELECT}"
        st.caption(said, help=words.KEYS, width="content")
        if st.button(words.OPEN, key="history_open", type="primary", disabled=len(ticked) != 1):
            open_saved([row.id for row in chosen])
        if any(len(line) > 1 for line in lines):
            is_group = len(ticked) == 1 and not is_one
            label = words.UNFOLD[is_group and _is_unfolded(chosen)]
            st.button(label, key="history_unfold", disabled=not is_group, on_click=_unfold, args=(chosen,))
        if st.button(words.SIDE_BY_SIDE, key="history_side", disabled=len(chosen) < _LEAST):
            _side_by_side(chosen[:_MOST], tuple(row for line in lines for row in line))
        if st.button(words.TAGS, key="history_tags", disabled=len(ticked) != 1):
            _tags(chosen[0])
        st.button(words.DUPLICATE, key="history_duplicate", disabled=not is_one, on_click=_try, args=(_copy, chosen))
        st.button(words.DELETE, key="history_delete", disabled=not chosen, on_click=_try, args=(_delete, chosen))


def _try(act: Callable[[tuple[ListedRow, ...]], None], rows: tuple[ListedRow, ...]) -> None:
    """Do something with rows; where it cannot be done, say why when the page is drawn."""
    try:
        act(rows)
    except StoreError as error:
        open_comparison.say(_HISTORY, str(error))
    renew()


def _copy(rows: tuple[ListedRow, ...]) -> None:
    for row in rows:
        saving.store().duplicate(row.id, name=words.COPY_OF.format(name=row.name), browser=saving.listed() or "")


def _delete(rows: tuple[ListedRow, ...]) -> None:
    done: list[ListedRow] = []
    try:
        for row in rows:
            saving.store().delete(row.id)
            done.append(row)
    finally:
        open_comparison.offer_back(*done)


def _undelete(rows: tuple[ListedRow, ...]) -> None:
    open_comparison.offer_back()
    for row in rows:
        saving.store().undelete(row.id)


@st.dialog(words.TAGS, icon=":material/label:")
def _tags(row: ListedRow) -> None:
    offered = list(dict.fromkeys((*row.tags, *(() if saving.is_shared() else saving.store().all_tags()))))
    # The list of tags covers what is below it, not what is beside it.
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=False):
        chosen = st.multiselect(
            words.TAGS_LABEL, offered, row.tags, accept_new_options=True, help=words.TAGS_HELP, key="history_tag_box"
        )
        is_saved = st.button(words.SAVE, type="primary", key="history_tags_save")
    if not is_saved:
        return
    try:
        for tag in chosen:
            saving.store().tag(row.id, tag)
        for tag in {*row.tags} - {*chosen}:
            saving.store().untag(row.id, tag)
    except StoreError as error:
        st.markdown(f":red[:material/error:] {plain(str(error))}")
    else:
        renew()
        st.rerun()


# --- one picture over time, and every decision as a file ---


#: Comparisons of one measure from which on a picture says anything.
_LEAST = 2


def _measure_of_most(rows: Sequence[ListedRow]) -> str:
    measures = [row.measure for row in rows if row.measure is not None and row.delta is not None]
    return max(measures, key=measures.count, default="")


def picture(lines: Sequence[Line]) -> None:
    """Draw the differences of the listed comparisons, the oldest first, by the measure that most of them have; of a
    group that is folded the best.
    """
    rows = list(dict.fromkeys(line[0] for line in lines))
    measure = _measure_of_most(rows)
    dots = [
        (row.changed, short_inside(name, _BRIEF), row.delta, row.lower, row.upper, row.outcome)
        for row, name in zip(rows, saved.called(rows), strict=True)
        if row.delta is not None and row.measure == measure
    ]
    if len(dots) < _LEAST:
        return
    with st.container(border=True, key="history_picture"):
        st.subheader(words.PICTURE.format(difference=plain(delta_name(measure))), anchor=False)
        if len(dots) < len(rows):
            st.caption(words.PICTURE_OF.format(shown=count(len(dots)), n=count(len(rows))))
        screen.chart(charts.history_chart(dots, measure), "history_chart", words.PICTURE_ALT.format(n=len(dots)))


def decisions() -> None:
    """Draw the button for the file of every decision, where anything was decided."""
    store, browser = saving.store(), saving.listed()
    if store.logged(browser):
        screen.download(
            words.LOG_CSV, lambda: store.launch_log(browser), words.LOG_FILE, key="launch_log", help=words.LOG_HELP
        )


# --- saved comparisons side by side ---


#: Comparisons that are put side by side at most.
_MOST = 8


@st.dialog(words.SIDE_BY_SIDE, width="large")
def _side_by_side(rows: tuple[ListedRow, ...], listed: tuple[ListedRow, ...]) -> None:
    """Draw what the list says of each, and a chart of their differences in the measure that most of them have. Those on
    other data than most of these are named, and those with another measure.
    """
    names = saved.called(rows, listed)
    try:
        bases = [saving.store().basis(row.id) for row in rows]
    except StoreError as error:
        st.warning(plain(str(error)), icon=":material/warning:")
        return
    facts = [(label, *(plain(tell(row)) or words.NOTHING for row in rows)) for label, tell in _FACTS.items()]
    heads = ("", *(f"**{plain(name)}**" for name in names))
    st.container(key="side_by_side").markdown(table_literal(heads, facts))
    measure = _measure_of_most(rows)
    drawn = [basis for row, basis in zip(rows, bases, strict=True) if row.measure == measure] or bases
    alike = [basis == max(drawn, key=drawn.count) for basis in bases]
    if not all(alike):
        others = ", ".join(plain(name) for name, is_alike in zip(names, alike, strict=True) if not is_alike)
        known = [basis for basis in bases if basis is not None]
        parts = ", ".join(part for part, *own in zip(words.BASIS, *known, strict=True) if own.count(own[0]) < len(own))
        said = words.NOT_COMPARABLE.format(names=others, reference=plain(names[alike.index(True)]), parts=parts)
        st.warning(said, icon=":material/warning:")
    dots = [
        (short_inside(name, _BRIEF), row.delta, row.lower, row.upper, is_alike, row.outcome)
        for row, name, is_alike in zip(rows, names, alike, strict=True)
        if row.delta is not None and row.measure == measure
    ]
    if len(dots) > 1:
        is_hollow = not all(is_alike for *_, is_alike, _ in dots)
        st.subheader(words.DOTS[is_hollow].format(difference=plain(delta_name(measure))), anchor=False)
        by_name = zip(rows, names, strict=True)
        rest = ", ".join(plain(name) for row, name in by_name if row.delta is None or row.measure != measure)
        largest = plain(saved.largest_words([dot[:4] for dot in dots if dot[4]]))
        st.caption(f"{words.NOT_DRAWN.format(names=rest)} {largest}" if rest else largest)
        screen.chart(charts.dot_chart(dots, measure), "dot_chart", words.DOTS_ALT.format(n=count(len(dots))))


#: What is shown of each comparison.
_FACTS: Mapping[str, Callable[[ListedRow], str]] = {
    words.DATE: lambda row: f"{row.changed:%Y-%m-%d %H:%M}",
    words.COLUMNS["models"][0]: saved.models_of,
    words.VERDICT: saved.verdict_words,
    words.DECISION: saved.decision_words,
    words.COLUMNS["delta"][0]: _difference,
    words.SIDE_INTERVAL: saved.interval_words,
    words.SIDE_QUERIES: lambda row: "" if row.n is None else count(row.n),
}
