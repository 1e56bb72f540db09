"""Tables that were read under older rules, which may have understood them wrongly.

What a reader makes of a file changes with the number of its rules, which is stored with each table; a table without
a number was read before there were any. A row here says which tables may hold something else than their file said. The
file is gone, so nothing here reads it again: somebody drops it again, or says that it was read rightly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OldReading:
    """Tables of some roles that may be wrong where they were read under rules before ``since``.

    ``may_be`` says so by the notes of the reader. ``in_table``: what was misread is in the table itself, so that
    computing it again mends nothing.
    """

    roles: tuple[str, ...]
    since: int
    may_be: Callable[[Sequence[str]], bool]
    in_table: bool = True


def _is_headless(notes: Sequence[str]) -> bool:
    """Return whether a run came without a header line, with a rank and a score, which may have been confused."""
    read_as = [note for note in notes if note.startswith("There is no header line")]
    return any("the rank" in note and "the score" in note for note in read_as)


def _may_name_models(notes: Sequence[str]) -> bool:
    """Return whether votes may have named their models: B was the second in the first row, unless somebody said who is
    B.
    """
    return not any(note.startswith("The votes on A = ") for note in notes)


OLD_READINGS = (
    OldReading(("a", "b"), 2, _is_headless),
    OldReading(("votes",), 2, _may_name_models),
    # Judged queries without a weight were left out in silence. What is computed now asks about them.
    OldReading(("queries",), 2, lambda notes: True, in_table=False),
)


def suspects(tables: Iterable[tuple[str, Mapping[str, Any]]], *, is_recomputed: bool) -> tuple[str, ...]:
    """Return the roles of the tables that may have been read wrongly, in order; ``tables`` are roles and descriptions.

    ``is_recomputed``: there is a result of this version, so only what is wrong in the table itself counts.
    """
    return tuple(
        role
        for role, description in tables
        for reading in OLD_READINGS
        if role in reading.roles
        and description.get("rules", 1) < reading.since
        and (reading.in_table or not is_recomputed)
        and reading.may_be(description.get("source", {}).get("notes", ()))
    )
