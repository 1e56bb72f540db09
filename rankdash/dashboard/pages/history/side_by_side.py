"""Saved comparisons side by side: what each says, what stands in the way of comparing them, and their differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from rankdash import charts, style
from rankdash.comparison import Comparison, VotesAlone
from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain, short, table
from rankdash.dashboard.new.fit import MISTAKES
from rankdash.dashboard.pages.history.listing import called
from rankdash.dashboard.pages.history.opening import open_saved
from rankdash.dashboard.session import verdicts
from rankdash.dashboard.session.saved import shelf
from rankdash.report.population import query_notes
from rankdash.report.saved import decision_words, said_words, verdict_words
from rankdash.report.sections.cards import counted, voted_card
from rankdash.store import ListedRow, StoreError, comparison_of, entry_of
from rankdash.store.journal import comparable
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
    entry: comparable.Comparand
    verdict: Verdict

    @property
    def models(self) -> tuple[str, str]:
        """The pair that is compared."""
        return self.row.a, self.row.b


@dialogs.dialog(words.SIDE_BY_SIDE, width="large", icon=":material/compare:")
def dialog(rows: tuple[ListedRow, ...]) -> None:
    """Draw what each says, how it differs from the first in what it is about, and a chart of the differences."""
    found: list[_Computed] = []
    for row in rows[:MOST]:
        name = plain(short(row.name, _NAME))
        try:
            with st.spinner(words.COMPUTING.format(name=name)):
                found.append(_computed(row))
        except (*MISTAKES, StoreError) as error:
            st.warning(f"{name}: {plain(str(error))}", icon=":material/warning:")
    if len(found) < 2:
        return
    names = called([one.row for one in found])
    with st.container(key="side_by_side", gap="small"):
        st.markdown(table(("", *(f"**{plain(name)}**" for name in names)), _rows(found)))
        st.space("xsmall")
        with st.container(horizontal=True, gap="small"):
            for at, (one, name) in enumerate(zip(found, names, strict=True)):
                if st.button(words.OPEN_ONE.format(name=plain(short(name, _BRIEF))), key=f"side_open_{at}"):
                    open_saved(one.row.id)
        st.caption(words.HOLM)
        for one, name in zip(found, names, strict=True):
            for note in query_notes(one.comparison):
                if note.decides:
                    st.caption(words.OF_QUERIES.format(name=plain(name), note=plain(note.sentence)))
    _differences(found, names)
    _chart(found, names)


def _computed(row: ListedRow) -> _Computed:
    """Return a comparison as it is now."""
    saved = shelf.store().load(row.id)
    opened = verdicts.opened_saved(saved)
    if opened is not None:
        return _Computed(row, opened.comparison, entry_of(saved, opened.comparison), opened.verdict)
    found = comparison_of(saved.content, saved.state)
    return _Computed(row, found, entry_of(saved, found), decide(found))


# --- the table: each fact is a row, each comparison a column ---------------------------------------------------------


def _rows(found: Sequence[_Computed]) -> list[tuple[str, ...]]:
    """Return the rows of the table, in Markdown."""
    tried = [words.HOLM_OF.format(p=_holm(one), n=count(one.tried)) for one in comparable.tried(_entries(found))]
    measured = [_measured(one.comparison) for one in found]
    measures = dict.fromkeys(label for one in measured for label in one)
    return [
        *((label, *map(tell, found)) for label, tell in _BEFORE.items()),
        *((plain(label), *(one.get(label, words.NOTHING) for one in measured)) for label in measures),
        *((label, *map(tell, found)) for label, tell in _BEHIND.items()),
        (words.SIDE_HOLM, *tried),
    ]


def _entries(found: Sequence[_Computed]) -> list[comparable.Comparand]:
    return [one.entry for one in found]


def _models(one: _Computed) -> str:
    a, b = (plain(short(name, _NAME)) for name in one.models)
    return words.MODELS.format(a=a, b=b)


def _verdict(one: _Computed) -> str:
    """Return the verdict as the list has it; where nobody has seen it since the last change, as it is computed now."""
    row, now = one.row, one.verdict
    outcome, said = row.outcome, verdict_words(row)
    if outcome is None and not row.misread:
        outcome, said = now.outcome.value, said_words(now.outcome.value, now.screen, now.tag)
    colour = style.THEME[style.OUTCOME_COLOUR.get(outcome or "", style.SAME)]
    return f":{colour}[**{plain(said)}**]"


def _decision(one: _Computed) -> str:
    return plain(decision_words(one.row)) or words.UNDECIDED


def _measured(comparison: Comparison | VotesAlone) -> dict[str, str]:
    """Return the values of A and B and their difference, of each measure that the rules read, by its label."""
    if isinstance(comparison, VotesAlone):
        card = voted_card(comparison.votes)
        return {card.label: plain(f"{card.value} · {card.lines[0]}")}
    found = {}
    for result in comparison.results:
        if result.role in _RULED:
            paired = result.paired
            label = words.SIDE_MEASURE.format(measure=result.label, role=style.ROLES[result.role])
            values = words.SIDE_VALUES.format(
                a=number(paired.mean_a), b=number(paired.mean_b), delta=signed(paired.delta)
            )
            found[label] = values if paired.ci95 is None else f"{values} ({_interval(*paired.ci95)})"
    return found


def _interval(low: float, high: float) -> str:
    return words.INTERVAL.format(low=signed(low), high=signed(high)).replace(" ", _JOINED)


def _won(one: _Computed) -> str:
    if isinstance(one.comparison, VotesAlone):
        gsb = one.comparison.votes.gsb
        return counted(gsb.good, gsb.same, gsb.bad)[0]
    paired = one.comparison.primary.paired
    return counted(paired.wins, paired.ties, paired.losses)[0]


def _queries(one: _Computed) -> str:
    return count(one.entry.n)


def _holm(tried: comparable.Tried) -> str:
    return words.NOTHING if tried.holm_p is None else p_value(tried.holm_p)


#: What the table says before and behind the measures.
_BEFORE: Mapping[str, Callable[[_Computed], str]] = {
    words.COLUMNS["models"]: _models,
    words.VERDICT: _verdict,
    words.DECISION: _decision,
}
_BEHIND: Mapping[str, Callable[[_Computed], str]] = {words.SIDE_WON: _won, words.SIDE_QUERIES: _queries}


# --- what differs, and the chart -------------------------------------------------------------------------------------


def _differences(found: Sequence[_Computed], names: Sequence[str]) -> None:
    """Say in one line which are comparable with the first, and of each other one what differs."""
    reference, alike = plain(names[0]), []
    for one, name in zip(found[1:], map(plain, names[1:]), strict=True):
        differ = comparable.differences(one.entry, found[0].entry)
        if not differ:
            alike.append(name)
            continue
        said = "\n".join(f"- {plain(each.sentence)}" for each in differ)
        told = words.NOT_COMPARABLE.format(name=name, reference=reference)
        st.warning(f"{told}\n{said}", icon=":material/warning:")
    if alike:
        told = words.COMPARABLE.format(reference=reference, names=", ".join(alike))
        st.markdown(f":green[:material/check:] {told}")


def _chart(found: Sequence[_Computed], names: Sequence[str]) -> None:
    """Draw the differences in the measure of the first: a line where all are one pair over time, else a dot each."""
    first = found[0]
    called = {one.entry.id: name for one, name in zip(found, names, strict=True)}
    points = comparable.trend(_entries(found), first.entry)
    if len(points) == len(called) and len({one.models for one in found}) == 1:
        line = [(called[one.id], one.at, one.delta or 0.0, one.lower, one.upper) for one in points]
        st.subheader(words.TREND, anchor=False)
        figure, key, alt = charts.trend_chart(line, first.entry.measure), "trend_chart", words.TREND_ALT
    else:
        alike = {one.id for one in comparable.comparable(_entries(found), first.entry)}
        dots = [
            (
                short(called[one.entry.id], _BRIEF),
                one.entry.delta,
                one.entry.lower,
                one.entry.upper,
                one.entry.id in alike,
            )
            for one in found
            if one.entry.measure == first.entry.measure and one.entry.delta is not None
        ]
        if len(dots) < 2:
            return
        st.subheader(words.DOTS.format(measure=plain(first.entry.measure)), anchor=False)
        if not all(is_alike for *_, is_alike in dots):
            st.caption(words.DOTS_HOLLOW.format(reference=plain(names[0])))
        figure, key, alt = charts.dot_chart(dots, first.entry.measure), "dot_chart", words.DOTS_ALT
    st.plotly_chart(figure, key=key, config=charts.CONFIG, alt=alt.format(n=count(len(found))))
