"""Lists that nothing orders but their rows, though numbers stand beside them: one may be the rank or the score."""

from __future__ import annotations

import pyarrow as pa

from rankdash.reading.source.advice import advice
from rankdash.reading.source.problems import listed
from rankdash.reading.values.numerals import is_number
from rankdash.tables import RUN_COLUMNS

#: Rows that decide whether a column holds numbers.
_ROWS = 50


def numbers_beside(table: pa.Table) -> tuple[str, ...]:
    """The further columns of a run whose first cells are all numbers; none where a rank or a score is known."""
    if {"rank", "score"} & set(table.column_names):
        return ()
    first = table.slice(0, _ROWS)
    others = [name for name in first.column_names if name not in RUN_COLUMNS]
    return tuple(name for name in others if _are_numbers(first.column(name).to_pylist()))


def _are_numbers(cells: list[str]) -> bool:
    found = [cell for cell in cells if cell and cell.strip()]
    return bool(found) and all(map(is_number, found))


def unordered_note(table: pa.Table) -> tuple[str, ...]:
    """What is said of them; nothing where there are none."""
    names = numbers_beside(table)
    return (advice("numbers_beside", key="rank", columns=listed(names)),) if names else ()
