"""Saved comparisons as a table for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdash.wording import count, end, literal, shown, signed

if TYPE_CHECKING:
    from rankdash.store import Listed, Row

_HEAD = ("id", "changed", "name", "A → B", "measure", "B − A", "95% interval", "verdict", "decision", "tags")
#: Longer texts are cut: a table is read across.
_LONGEST = 40
NOTHING_SAVED = "No comparison is saved here yet. Save one: rankdash save A B -q Q\n"
NOTHING_FOUND = "No saved comparison has {words} in its names and tags.\n"
_CHOICES = {"launch": "launch", "no_launch": "do not launch", "postponed": "postponed"}


def listed_text(listed: Listed, words: str = "") -> str:
    """The rows as a table, times in UTC, and how many more there are; ends with a line break.

    Text that people typed stands there letter for letter, on one line, cut where it is long.
    """
    if not listed.rows:
        return NOTHING_FOUND.format(words=_cut(repr(words))) if words.strip() else NOTHING_SAVED
    table = [_HEAD, *map(_cells, listed.rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    more = listed.total - len(listed.rows)
    return "\n".join([*lines, *([f"and {count(more)} more: --most {listed.total}"] if more > 0 else [])]) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    interval = "" if row.lower is None or row.upper is None else f"{end(row.lower)} to {end(row.upper)}"
    models = f"{_cut(row.a)} → {_cut(row.b)}" if row.a or row.b else ""
    numbers = ("" if row.measure is None else shown(row.measure), "" if row.delta is None else signed(row.delta))
    said = (row.outcome or "").replace("_", " ").lower()
    changed = row.changed.strftime("%Y-%m-%d %H:%M")
    return (
        row.id,
        changed,
        _cut(row.name),
        models,
        *numbers,
        interval,
        said,
        _CHOICES.get(row.choice or "", ""),
        _cut(", ".join(row.tags)),
    )


def _cut(text: str) -> str:
    text = literal(text[: 4 * _LONGEST])
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
