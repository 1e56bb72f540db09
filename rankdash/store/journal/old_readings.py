"""Tables that were read under older rules, which may have understood them wrongly.

What a reader makes of a file changes with the number of its rules, which is stored with each table; a table without one
was read before there were numbers. A row here says which tables of which readings may hold something else than their
file said. The file is gone, so nothing here reads it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rankdash.store.journal.subjects import Table

#: The field of a table's description that says under which rules it was read.
RULES = "rules"


@dataclass(frozen=True)
class OldReading:
    """Tables of some roles that may be wrong where they were read under rules before ``since``.

    ``is_table`` says whether the table itself holds what was misread, so that computing it again mends nothing.
    """

    roles: tuple[str, ...]
    since: int
    may_be: Callable[[Table], bool]
    is_table: bool = True


def _notes(table: Table) -> tuple[str, ...]:
    return tuple(table.description["source"]["notes"])


def _is_headless(table: Table) -> bool:
    """Whether a run came without a header, with a rank and a score: the one may be the other."""
    said = [note for note in _notes(table) if note.startswith("There is no header line")]
    return any("the rank" in note and "the score" in note for note in said)


def _may_name_models(table: Table) -> bool:
    """Whether votes may have named their models: B was the second in the first row, unless somebody said who is B."""
    return not any(note.startswith("The votes on A = ") for note in _notes(table))


OLD_READINGS = (
    OldReading(("a", "b"), 2, _is_headless),
    OldReading(("votes",), 2, _may_name_models),
    # Judged queries without a weight were left out in silence; now they are asked about before anything is computed.
    OldReading(("queries",), 2, lambda table: True, is_table=False),
)


def suspects(tables: Iterable[Table], *, is_recomputed: bool) -> tuple[str, ...]:
    """Return the roles of the tables that may have been read wrongly, in order.

    ``is_recomputed``: there is a result of this version, by which nothing is wrong that does not lie in the table.
    """
    return tuple(
        table.role
        for table in tables
        for one in OLD_READINGS
        if table.role in one.roles
        and int(table.description.get(RULES, 1)) < one.since
        and (one.is_table or not is_recomputed)
        and one.may_be(table)
    )
