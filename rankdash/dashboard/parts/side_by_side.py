"""Saved comparisons side by side: what each says, what stands in the way of comparing them, and their
differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from rankdash import charts, style
from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, short, table
from rankdash.dashboard.new.fit import MISTAKES
from rankdash.dashboard.parts.history_parts import called, open_saved
from rankdash.dashboard.session import saving, verdicts
from rankdash.report.notes import query_notes
from rankdash.report.sections import counted, voted_card
from rankdash.report.text import decision_words, said_words, verdict_words
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import (
    Comparand,
    ListedRow,
    StoreError,
    Tried,
    comparable,
    comparison_of,
    differences,
    entry_of,
    trend,
    tried,
)
from rankdash.style import history as words
from rankdash.verdict import Verdict, decide
from rankdash.wording import count, number, p_value, signed

#: Comparisons that are put side by side at most: each is computed with its tables in memory.
MOST = 8
#: Columns of letters of a name, and on a button or beside a chart.
_NAME, _BRIEF = 40, 30
#: A space at which a line does not break.
_JOINED = "\u00a0"
#: The measures that are shown of each: what the rules read.
_RULED = ("primary", "guardrail")


@dataclass(frozen=True)
class _Computed:
    """One comparison as it is now: its row in the list, what it brings along, and its verdict."""

    row: ListedRow
    comparison: Comparison | VotesAlone
    entry: Comparand
    verdict: Verdict

    @property
    def models(self) -> tuple[str, str]:
        """The pair that is compared."""
        return self.row.a, self.row.b


@screen.dialog(words.SIDE_BY_SIDE, width="large", icon=":material/compare:")
def dialog(rows: tuple[ListedRow, ...]) -> None:
    """Draw what each says, how it differs from the first in what it is about, and a chart of the differences."""
    columns: list[_Computed] = []
    for row in rows[:MOST]:
        name = plain(short(row.name, _NAME))
        try:
            with st.spinner(words.COMPUTING.format(name=name)):
                columns.append(_computed(row))
        except (*MISTAKES, StoreError) as error:
            st.warning(f"{name}: {plain(str(error))}", icon=":material/warning:")
    if len(columns) < 2:
        return
    names = called([column.row for column in columns])
    with st.container(key="side_by_side", gap="small"):
        st.markdown(table(("", *(f"**{plain(name)}**" for name in names)), _rows(columns)))
        st.space("xsmall")
        with st.container(horizontal=True, gap="small"):
            for at, (column, name) in enumerate(zip(columns, names, strict=True)):
                if st.button(words.OPEN_ONE.format(name=plain(short(name, _BRIEF))), key=f"side_open_{at}"):
                    open_saved(column.row.id)
        st.caption(words.HOLM)
        for column, name in zip(columns, names, strict=True):
            for note in query_notes(column.comparison):
                if note.decides:
                    st.caption(words.OF_QUERIES.format(name=plain(name), note=plain(note.sentence)))
    _differences(columns, names)
    _chart(columns, names)


def _computed(row: ListedRow) -> _Computed:
    """Return a comparison as it is now."""
    saved = saving.store().load(row.id)
    opened = verdicts.opened_saved(saved)
    if opened is not None:
        return _Computed(row, opened.comparison, entry_of(saved, opened.comparison), opened.verdict)
    comparison = comparison_of(saved.content, saved.state)
    return _Computed(row, comparison, entry_of(saved, comparison), decide(comparison))


# --- the table: each fact is a row, each comparison a column ---------------------------------------------------------


def _rows(columns: Sequence[_Computed]) -> list[tuple[str, ...]]:
    """Return the rows of the table, in Markdown."""
    tests = [words.HOLM_OF.format(p=_holm(test), n=count(test.tried)) for test in tried(_entries(columns))]
    measured = [_measured(column.comparison) for column in columns]
    measures = dict.fromkeys(label for values in measured for label in values)
    return [
        *((label, *map(tell, columns)) for label, tell in _BEFORE.items()),
        *((plain(label), *(values.get(label, words.NOTHING) for values in measured)) for label in measures),
        *((label, *map(tell, columns)) for label, tell in _BEHIND.items()),
        (words.SIDE_HOLM, *tests),
    ]


def _entries(columns: Sequence[_Computed]) -> list[Comparand]:
    return [column.entry for column in columns]


def _models(column: _Computed) -> str:
    a, b = (plain(short(name, _NAME)) for name in column.models)
    return words.MODELS.format(a=a, b=b) if a or b else words.NOTHING


def _verdict(column: _Computed) -> str:
    """Return the verdict as the list has it; where nobody has seen it since the last change, as it is computed now."""
    row, now = column.row, column.verdict
    outcome, said = row.outcome, verdict_words(row)
    if outcome is None:
        outcome, said = now.outcome.value, said_words(now.outcome.value, now.screen, now.tag)
    colour = style.THEME[style.OUTCOME_COLOUR.get(outcome or "", style.SAME)]
    return f":{colour}[**{plain(said)}**]"


def _decision(column: _Computed) -> str:
    return plain(decision_words(column.row)) or words.UNDECIDED


def _measured(comparison: Comparison | VotesAlone) -> dict[str, str]:
    """Return the values of A and B and their difference, of each measure that the rules read, by its label."""
    if isinstance(comparison, VotesAlone):
        card = voted_card(comparison.votes)
        return {card.label: plain(f"{card.value} · {card.lines[0]}")}
    values = {}
    for result in comparison.results:
        if result.role in _RULED:
            paired = result.paired
            label = words.SIDE_MEASURE.format(measure=result.label, role=style.ROLES[result.role])
            line = words.SIDE_VALUES.format(
                a=number(paired.mean_a), b=number(paired.mean_b), delta=signed(paired.delta)
            )
            values[label] = line if paired.ci95 is None else f"{line} ({_interval(*paired.ci95)})"
    return values


def _interval(low: float, high: float) -> str:
    return words.INTERVAL.format(low=signed(low), high=signed(high)).replace(" ", _JOINED)


def _won(column: _Computed) -> str:
    if isinstance(column.comparison, VotesAlone):
        gsb = column.comparison.votes.gsb
        return counted(gsb.good, gsb.same, gsb.bad)[0]
    paired = column.comparison.primary.paired
    return counted(paired.wins, paired.ties, paired.losses)[0]


def _queries(column: _Computed) -> str:
    return count(column.entry.n)


def _holm(test: Tried) -> str:
    return words.NOTHING if test.holm_p is None else p_value(test.holm_p)


#: What the table says before and behind the measures.
_BEFORE: Mapping[str, Callable[[_Computed], str]] = {
    words.COLUMNS["models"]: _models,
    words.VERDICT: _verdict,
    words.DECISION: _decision,
}
_BEHIND: Mapping[str, Callable[[_Computed], str]] = {words.SIDE_WON: _won, words.SIDE_QUERIES: _queries}


# --- what differs, and the chart -------------------------------------------------------------------------------------


def _differences(columns: Sequence[_Computed], names: Sequence[str]) -> None:
    """Say in a line which are comparable with the first, and what differs in each of the others."""
    reference, alike = plain(names[0]), []
    for column, name in zip(columns[1:], map(plain, names[1:]), strict=True):
        differ = differences(column.entry, columns[0].entry)
        if not differ:
            alike.append(name)
            continue
        said = "\n".join(f"- {plain(each.sentence)}" for each in differ)
        sentence = words.NOT_COMPARABLE.format(name=name, reference=reference)
        st.warning(f"{sentence}\n{said}", icon=":material/warning:")
    if alike:
        sentence = words.COMPARABLE.format(reference=reference, names=", ".join(alike))
        st.markdown(f":green[:material/check:] {sentence}")


def _chart(columns: Sequence[_Computed], names: Sequence[str]) -> None:
    """Draw the differences in the measure of the first: a line where all are one pair over time, else a dot each."""
    first = columns[0]
    called = {column.entry.id: name for column, name in zip(columns, names, strict=True)}
    points = trend(_entries(columns), first.entry)
    if len(points) == len(called) and len({column.models for column in columns}) == 1:
        line = [(called[point.id], point.at, point.delta or 0.0, point.lower, point.upper) for point in points]
        st.subheader(words.TREND, anchor=False)
        figure, key, alt = charts.trend_chart(line, first.entry.measure), "trend_chart", words.TREND_ALT
    else:
        alike = {entry.id for entry in comparable(_entries(columns), first.entry)}
        dots = [
            (
                short(called[column.entry.id], _BRIEF),
                column.entry.delta,
                column.entry.lower,
                column.entry.upper,
                column.entry.id in alike,
            )
            for column in columns
            if column.entry.measure == first.entry.measure and column.entry.delta is not None
        ]
        if len(dots) < 2:
            return
        st.subheader(words.DOTS.format(measure=plain(first.entry.measure)), anchor=False)
        if not all(is_alike for *_, is_alike in dots):
            st.caption(words.DOTS_HOLLOW.format(reference=plain(names[0])))
        figure, key, alt = charts.dot_chart(dots, first.entry.measure), "dot_chart", words.DOTS_ALT
    st.plotly_chart(figure, key=key, config=charts.CONFIG, alt=alt.format(n=count(len(columns))))
