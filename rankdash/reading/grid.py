"""Grid, the result of every format's reader: named columns, not yet checked, and the place of each cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import DISARMED, Text, as_numpy, from_numpy
from rankdash.notes import Note, detail
from rankdash.reading.problems import SHOWN, BadCells, ReadError, Rows, check, listed, refuse
from rankdash.reading.source import Limits
from rankdash.reading.values import Ids, filled, is_text, parse_ids
from rankdash.tables import OrderedBy

NUMBERS = ("rank", "score", "relevance")
IDS = ("query_id", "doc_id", "model")


def count_from_one(rows: Rows) -> Rows:
    """Return data rows as counted in a table without lines: from 1."""
    return rows + 1


@dataclass(frozen=True)
class Grid:
    """The columns of one source, in one chunk each.

    ``columns`` are keyed by canonical name, or by their own name where they have no known meaning; ``called`` maps
    canonical names to headings of the source. ``order`` is the order that the format prescribes, if any. ``row_of``
    converts data rows from 0 to rows as counted in the source, and ``first_row`` is the first of these (0: there is no
    file). ``as_text`` reads the source again with all cells as text, None where that would not tell more. ``format`` is
    what people call the format. ``tag`` is the only tag of a TREC run.
    """

    name: str
    columns: Mapping[str, pa.Array]
    called: Mapping[str, str]
    headings: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    order: OrderedBy | None = None
    row_of: Callable[[Rows], Rows] = count_from_one
    first_row: int = 0
    as_text: Callable[[], Grid] | None = None
    format: str = ""
    tag: str = ""

    @property
    def rows(self) -> int:
        """The number of data rows."""
        return len(next(iter(self.columns.values())))

    def first(self, rows: int) -> Grid:
        """Return the Grid of the first rows and the last one, which shows a second model below the first."""
        if self.rows <= rows + 1:
            return self
        return self.taking(np.append(np.arange(rows), self.rows - 1))

    def taking(self, kept: Rows, *notes: Note) -> Grid:
        """Return the Grid of some rows, (n,), with further notes."""
        again, row_of = self.as_text, self.row_of
        columns = {name: column.take(from_numpy(kept)) for name, column in self.columns.items()}
        return replace(
            self,
            columns=columns,
            notes=(*self.notes, *notes),
            row_of=lambda rows: row_of(kept[rows]),
            as_text=again and (lambda: again().taking(kept, *notes)),
        )

    def noting(self, *notes: Note) -> Grid:
        """Return the Grid with further notes."""
        again = self.as_text
        noted = again and (lambda: again().noting(*notes))
        return replace(self, notes=(*self.notes, *notes), as_text=noted) if notes else self

    def ids(self, name: str) -> Ids:
        """Return a column as ids. ReadError where its type cannot be one."""
        try:
            return parse_ids(self.columns[name], harmless=DISARMED in self.headings)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            raise unfit(self, name, "ids") from None

    def title(self, name: str) -> str:
        """Return what the source calls a column."""
        return self.called.get(name, name)


def unfit(grid: Grid, name: str, needed: str) -> ReadError:
    """Return the error for a column whose type cannot be read as ``needed``, "numbers" or "text"."""
    return refuse("bad_value", grid.name, f'column "{grid.title(name)}" holds {grid.columns[name].type}, not {needed}')


def not_read(what: str, names: Iterable[str], code: str = "not_read") -> tuple[Note, ...]:
    """Return a note that names what was not read, the first 20 and how many there are; nothing where there is none.

    >>> [note.phrase("shell") for note in not_read("Columns that were not read", ["a", "b"])]
    ['Columns that were not read: "a", "b".']
    """
    unread = tuple(dict.fromkeys(names))
    if not unread:
        return ()
    many = f" ({len(unread):,} in all)" if len(unread) > SHOWN else ""
    return (detail(code, f"{what}: {listed(unread)}{many}."),)


def bound(grid: Grid, limits: Limits) -> Grid:
    """Return the Grid. ReadError for an id, or another text, longer than one may be."""
    bad = []
    for name, column in grid.columns.items():
        most = min(limits.id, limits.cell) if name in IDS else limits.cell
        what, allowed = f"the text has more than {most:,} bytes", f"At most {most:,} are read. Give a shorter one."
        bad.append(BadCells("too_large", _longer(column, most), grid.title(name), what, allowed))
    check(grid.name, bad, grid.row_of)
    return grid


def _longer(column: pa.Array, most: int) -> Rows:
    """Return the data rows whose text has more than ``most`` bytes, (n,); no rows of a column that is not text."""
    if pa.types.is_dictionary(column.type):
        values = _longer(column.dictionary, most)
        used = as_numpy(pc.fill_null(column.indices.cast(pa.int64()), -1)) if len(values) else values
        return np.flatnonzero(np.isin(used, values))
    if column.get_total_buffer_size() <= most or not is_text(column.type):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.diff(Text.of(filled(column)).offsets) > most)
