"""Saved comparisons in a list: their verdict and decision in words, and a table for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rankdash.style import decisions, history
from rankdash.wording import GSB, count, delta_text, end, literal, points

if TYPE_CHECKING:
    from rankdash.store import Listed, ListedRow

_HEAD = ("id", "changed", "name", "A → B", "measure", "B − A", "95% interval", "verdict", "decision", "tags")
#: When a comparison began, each more exactly than the one before; in UTC.
_DATES = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S")
#: Longer texts are cut: a table is read across.
_LONGEST = 40
NOTHING_SAVED = "No comparison is saved here yet. Save one: rankdash save A B -q Q\n"
NOTHING_FOUND = "No saved comparison has {words} in its names and tags.\n"


def verdict_words(row: ListedRow) -> str:
    """Return the verdict of the revision in a row in the words of the Verdict page, and of how many queries, where some
    judged queries do not count; or why there is no verdict.
    """
    if row.outcome is None:
        return history.NOT_COMPUTED
    said = said_words(row.outcome, row.screen, row.tag)
    if row.n is not None and row.judged is not None and row.n < row.judged:
        said = history.OF_SOME.format(verdict=said, n=count(row.n), judged=count(row.judged))
    return history.SAID_BY.format(verdict=said, engine=row.engine) if row.engine else said


def decided_words(verdict: Mapping[str, Any]) -> str:
    """Return the verdict that a decision was made on, in the words of the Verdict page at the time."""
    return said_words(*(str(verdict.get(name, "")) for name in ("outcome", "screen", "tag")))


def told_apart(names: Sequence[str], begun: Sequence[datetime]) -> list[str]:
    """Return the names of comparisons in a list; where several have the same name, followed by dates as exact as it
    takes to tell them apart, or by numbers where the dates are the same.
    """
    labels = list(names)
    for name in {name for name in names if names.count(name) > 1}:
        places = [at for at, other in enumerate(names) if other == name]
        several = [[format(begun[at], form) for at in places] for form in _DATES]
        dates = next((dates for dates in several if len({*dates}) == len(dates)), None)
        for number, at in enumerate(places):
            labels[at] = history.DATED.format(name=name, date=dates[number] if dates else number + 1)
    return labels


def said_words(outcome: str, screen: str, tag: str) -> str:
    """Return a verdict in the words of its page; only its outcome where an old version stored no more."""
    return history.SAID.format(screen=screen, tag=tag) if screen and tag else history.OUTCOMES.get(outcome, "")


def delta_words(measure: str, delta: float) -> str:
    """Return the difference of a measure: "ΔnDCG@10 +0.012"."""
    return f"{'' if measure.startswith('Δ') else 'Δ'}{measure} {delta_text(measure, delta)}"


def delta_cell(measure: str, delta: float) -> str:
    """Return the difference of a measure for a narrow column, which may cut the name off: "+0.012 nDCG@10"."""
    return f"{delta_text(measure, delta)} {measure}"


def decision_words(row: ListedRow) -> str:
    """Return the decision in force in a row, and what has changed since; "" where nothing was decided."""
    choice = history.CHOICES.get(row.choice or "", "")
    return decisions.CHOSEN.format(choice=choice, since=decisions.SINCE[row.since]) if row.since else choice


def listed_text(listed: Listed, words: str = "") -> str:
    """Return the rows as a table, times in UTC, and how many more there are; ends with a line break.

    Text that people typed is literal, on one line, and cut where it is long.
    """
    if not listed.rows:
        return NOTHING_FOUND.format(words=_cut(repr(words))) if words.strip() else NOTHING_SAVED
    names = told_apart([_cut(row.name) for row in listed.rows], [row.created for row in listed.rows])
    table = [_HEAD, *map(_cells, listed.rows, names)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    more = listed.total - len(listed.rows)
    return "\n".join([*lines, *([f"and {count(more)} more: --most {listed.total}"] if more > 0 else [])]) + "\n"


def _cells(row: ListedRow, name: str) -> tuple[str, ...]:
    ends = points if row.measure == GSB else end
    interval = "" if row.lower is None or row.upper is None else f"{ends(row.lower)} to {ends(row.upper)}"
    models = f"{_cut(row.a)} → {_cut(row.b)}" if row.a or row.b else ""
    numbers = (row.measure or "", "" if row.delta is None else delta_text(row.measure or "", row.delta))
    changed = row.changed.strftime("%Y-%m-%d %H:%M")
    return (
        row.id,
        changed,
        name,
        models,
        *numbers,
        interval,
        literal(verdict_words(row)),
        decision_words(row),
        _cut(", ".join(row.tags)),
    )


def _cut(text: str) -> str:
    text = literal(text[: 4 * _LONGEST])
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
