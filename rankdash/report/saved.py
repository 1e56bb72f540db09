"""Saved comparisons, their decisions and what online tests showed, in words and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rankdash.records import frozen
from rankdash.report.text import LONGEST, aligned
from rankdash.style import history as history_words, verdict as words
from rankdash.verdict import Outcome
from rankdash.wording import GSB, columns, count, delta_name, delta_text, end, literal, points, short_inside, signed

if TYPE_CHECKING:
    from rankdash.store import Decision, Listed, ListedRow, Observation

_LISTED = ("id", "changed", "name", "A → B", "measure", "B − A", "95% interval", "verdict", "decision", "tags")
#: Letters of a name in a table of the page; of two models in place of a name, and of the first of them.
_NAME, _PAIR, _A = 40, 34, 8
NOTHING_SAVED = "No comparison is saved here yet. Save one: rankdash save A B -q Q\n"
NOTHING_FOUND = "No saved comparison has {words} in its names and tags.\n"


def verdict_words(row: ListedRow) -> str:
    """Return the verdict of the revision in a row in the words of the Verdict page, or why there is none."""
    if row.outcome is None:
        words = history_words.NOT_COMPUTED if row.measure is None else history_words.NOT_FOR_ALL
        return words.format(n=count(row.candidates))
    said = history_words.SAID.format(screen=row.screen, tag=row.tag)
    if row.candidates > 1 and row.outcome != Outcome.NOT_COMPARABLE:  # the same for any number of them
        said = history_words.SAID_OF.format(verdict=said, n=count(row.candidates))
    return history_words.SAID_BY.format(verdict=said, engine=row.engine) if row.engine else said


def decided_words(verdict: Mapping[str, Any]) -> str:
    """Return the verdict that a decision was made on, in the words of the Verdict page at the time."""
    return history_words.SAID.format(screen=verdict["screen"], tag=verdict["tag"])


def delta_words(measure: str, delta: float) -> str:
    """Return the difference of a measure: "ΔnDCG@10 +0.012"."""
    return f"{delta_name(measure)} {delta_text(measure, delta)}"


def interval_words(row: ListedRow) -> str:
    """Return the 95% interval of the difference in a row; "" where it has none."""
    if row.lower is None or row.upper is None:
        return ""
    ends = points if row.measure == GSB else end
    return history_words.INTERVAL.format(low=ends(row.lower), high=ends(row.upper))


def largest_words(drawn: Sequence[tuple[str, float, float | None, float | None]]) -> str:
    """Return which of several comparisons has the largest difference, where one has, and that none was compared with
    another one. Each is a name, its difference, and the ends of the interval.
    """
    first = sorted(drawn, key=lambda one: -one[1])[:2]
    if len({delta for _, delta, *_ in first}) < 2:
        return history_words.NOT_WITH_EACH_OTHER
    name, _, low, high = first[0]
    lies = history_words.LIES[None if low is None or high is None else (low > 0) - (high < 0)]
    return f"{history_words.LARGEST.format(name=name, interval=lies)} {history_words.NOT_WITH_EACH_OTHER}"


def decision_words(row: ListedRow) -> str:
    """Return the current decision in a row, and what has changed since; "" without a decision."""
    choice = history_words.CHOICES.get(row.choice or "", "")
    return history_words.CHOSEN.format(choice=choice, since=history_words.SINCE[row.since]) if row.since else choice


def listed_text(listed: Listed, words: str = "") -> str:
    """Return the rows as a table, times in UTC, and how many more there are; ends with a line break.

    Text that people typed is literal, on one line, and cut where it is long.
    """
    if not listed.rows:
        return NOTHING_FOUND.format(words=_cut(repr(words))) if words.strip() else NOTHING_SAVED
    lines = aligned([_LISTED, *map(_cells, listed.rows)], len(_LISTED))
    more = listed.total - len(listed.rows)
    return "\n".join([*lines, *([f"and {count(more)} more: --most {listed.total}"] if more > 0 else [])]) + "\n"


def _cells(row: ListedRow) -> tuple[str, ...]:
    models = f"{_cut(row.a)} → {_cut(row.b)}" if row.a or row.b else ""
    delta = "" if row.delta is None else delta_text(row.measure or "", row.delta)
    numbers = (row.measure or "", delta, interval_words(row))
    about = (row.id, row.changed.strftime("%Y-%m-%d %H:%M"), _cut(row.name), models)
    return (*about, *numbers, literal(verdict_words(row)), decision_words(row), _cut(", ".join(row.tags)))


def _cut(text: str) -> str:
    text = literal(text[: 4 * LONGEST])
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@frozen
class DecisionRow:
    """A decision as text; ``reason`` may be ""."""

    line: str
    reason: str
    on: str


def decision_row(entry: Decision) -> DecisionRow:
    """Return what was decided, by whom, why, and on which verdict."""
    choice, verdict, delta = history_words.CHOICES[entry.choice], entry.verdict, ""
    if verdict.get("delta") is not None:
        delta = history_words.DELTA_WAS.format(delta=delta_words(verdict["measure"], verdict["delta"]))
    on = history_words.DECIDED_ON.format(
        revision=entry.revision, since=_since(entry), verdict=decided_words(verdict), models=_models(entry)
    )
    line = words.IN_FORCE.format(choice=choice, by=entry.by, at=f"{entry.at:%Y-%m-%d %H:%M} UTC")
    return DecisionRow(line, entry.reason, f"{on}{delta}")


def observation_line(entry: Observation) -> str:
    """Return what an online test showed."""
    observed = entry.observed
    named = {"models": _models(entry), "metric": observed.metric, "delta": signed(observed.delta)}
    return words.OBSERVED.format(**named, since=_since(entry), by=observed.by)


def _models(entry: Decision | Observation) -> str:
    return history_words.MODELS.format(a=entry.subject.model_a, b=entry.subject.model_b)


def _since(entry: Decision | Observation) -> str:
    return history_words.ON_REVISION.format(since=history_words.SINCE[entry.since]) if entry.since else ""


def called(rows: Sequence[ListedRow], among: Sequence[ListedRow] = ()) -> list[str]:
    """Return the names of comparisons, cut to a width: in a group the name of the group, or else of A, and the name of
    B. Equal names are numbered by age, ``among`` all that are listed.
    """
    ages: dict[str, set[tuple[datetime, str]]] = {}
    for row in among or rows:
        ages.setdefault(_name(row), set()).add((row.created, row.id))
    names = []
    for row in rows:
        name, end = _name(row), ""
        if len(alike := sorted(ages[name])) > 1:
            end = history_words.NUMBERED.format(n=alike.index((row.created, row.id)) + 1)
        if columns(name) > _PAIR - len(end) and name == models_of(row):
            # A is mostly the same, and candidates may differ at either end.
            a = short_inside(row.a, _A)
            name = history_words.MODELS.format(a=a, b=short_inside(row.b, _PAIR - len(end) - columns(a) - 3))
        names.append(short_inside(name, _NAME - len(end)) + end)
    return names


def _name(row: ListedRow) -> str:
    group = row.name if of_named(row) else row.a
    return history_words.OF_GROUP.format(group=group, name=row.b) if row.group else row.name


def of_named(row: ListedRow) -> bool:
    """Return whether a row belongs to a group with a name of its own."""
    return bool(row.group) and row.name != models_of(row)


def models_of(row: ListedRow) -> str:
    """Return the models of a comparison, "" where it has none."""
    return history_words.MODELS.format(a=row.a, b=row.b) if row.a or row.b else ""
