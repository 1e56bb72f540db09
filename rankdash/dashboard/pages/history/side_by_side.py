"""Saved comparisons side by side: their numbers, what stands in the way of comparing them, and a trend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from rankdash import charts
from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain, short, table
from rankdash.dashboard.new.uploads import MISTAKES
from rankdash.dashboard.session import verdicts
from rankdash.dashboard.session.saved import shelf
from rankdash.report.population import query_notes
from rankdash.store import ListedRow, Saved, State, StoreError, comparison_of, entry_of
from rankdash.store.journal import comparable
from rankdash.style import history as words
from rankdash.wording import count, p_value, signed

#: Comparisons that are put side by side at most: each is computed with its tables in memory.
MOST = 8
_NAME = 40


@dataclass(frozen=True)
class _Column:
    """One comparison: what it and its models are called, what it brings along, and what a table beside the judgments
    decides about its queries, all of one revision.
    """

    name: str
    models: str
    entry: comparable.Comparand
    notes: tuple[str, ...]


@dialogs.dialog(words.SIDE_BY_SIDE, width="large", icon=":material/compare:")
def dialog(rows: tuple[ListedRow, ...]) -> None:
    """Draw the numbers of each, Holm over the candidates of one baseline, and what differs from the first."""
    found: list[tuple[Saved, comparable.Comparand, tuple[str, ...]]] = []
    for row in rows[:MOST]:
        name = plain(short(row.name, _NAME))
        try:
            with st.spinner(words.COMPUTING.format(name=name)):
                found.append(_computed(row.id))
        except (*MISTAKES, StoreError) as error:
            st.warning(f"{name}: {plain(str(error))}", icon=":material/warning:")
    if len(found) < 2:
        return
    names = _names([saved.state.name for saved, _, _ in found])
    columns = [
        _Column(name, _models(saved.state), entry, notes)
        for name, (saved, entry, notes) in zip(names, found, strict=True)
    ]
    entries = [one.entry for one in columns]
    cells = [_cells(one, tried) for one, tried in zip(columns, comparable.tried(entries), strict=True)]
    with st.container(key="side_by_side", gap="medium"):
        st.markdown(table(words.SIDE_COLUMNS, cells))
        st.caption(words.HOLM)
        for one in columns:
            for note in one.notes:
                st.caption(words.OF_QUERIES.format(name=plain(one.name), note=plain(note)))
    _differences(columns)
    _trend(columns)


def _names(known: Sequence[str]) -> list[str]:
    """Return what the comparisons are called: several of one name have a number."""
    return [
        short(name, _NAME) if known.count(name) == 1
        else words.NUMBERED.format(name=short(name, _NAME), n=known[: at + 1].count(name))
        for at, name in enumerate(known)
    ]  # fmt: skip


def _models(shown: State) -> str:
    a, b = (shown.b, shown.a) if shown.swapped else (shown.a, shown.b)
    return words.MODELS.format(a=short(a, _NAME), b=short(b, _NAME))


def _computed(comparison: str) -> tuple[Saved, comparable.Comparand, tuple[str, ...]]:
    """Return a comparison as it is now, what it brings along, and what a table decides about its queries."""
    saved = shelf.store().load(comparison)
    opened = verdicts.opened_saved(saved)
    compared = comparison_of(saved.content, saved.state) if opened is None else opened.comparison
    notes = tuple(note.sentence for note in query_notes(compared) if note.decides)
    return saved, entry_of(saved, compared), notes


def _cells(one: _Column, tried: comparable.Tried) -> tuple[str, ...]:
    found = one.entry
    interval = words.NOTHING
    if found.lower is not None and found.upper is not None:
        interval = words.INTERVAL.format(low=signed(found.lower), high=signed(found.upper))
    holm = words.NOTHING if tried.holm_p is None else p_value(tried.holm_p)
    return (
        plain(one.name),
        plain(one.models),
        plain(found.measure),
        words.NOTHING if found.delta is None else signed(found.delta),
        interval,
        count(found.n),
        words.HOLM_OF.format(p=holm, n=count(tried.tried)),
    )


def _differences(columns: list[_Column]) -> None:
    """Say in one line which are comparable with the first, and of each other one what differs."""
    first, alike = columns[0], []
    reference = plain(first.name)
    for one in columns[1:]:
        found, name = comparable.differences(one.entry, first.entry), plain(one.name)
        if not found:
            alike.append(name)
            continue
        said = "\n".join(f"- {plain(each.sentence)}" for each in found)
        told = words.NOT_COMPARABLE.format(name=name, reference=reference)
        st.warning(f"{told}\n{said}", icon=":material/warning:")
    if alike:
        told = words.COMPARABLE.format(reference=reference, names=", ".join(alike))
        st.markdown(f":green[:material/check:] {told}")


def _trend(columns: list[_Column]) -> None:
    """Draw a line over the comparable ones, where there are two or more."""
    names = {one.entry.id: one.name for one in columns}
    found = comparable.trend([one.entry for one in columns], columns[0].entry)
    if not found:
        return
    points = [(names[one.id], one.at, one.delta or 0.0, one.lower, one.upper) for one in found]
    st.subheader(words.TREND, anchor=False)
    alt = words.TREND_ALT.format(n=count(len(points)))
    st.plotly_chart(charts.trend_chart(points, found[0].measure), key="trend_chart", config=charts.CONFIG, alt=alt)
