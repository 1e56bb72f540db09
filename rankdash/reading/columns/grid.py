"""Grid, the result of every format's reader: named columns, not yet checked, and the place of each cell in the source.

Cells may be longer than the limits: a long id is refused with its row, a text that is only shown is cut, with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, as_numpy, from_numpy, from_strings
from rankdash.reading.source.limits import Limits, megabytes
from rankdash.reading.source.problems import BadCells, ReadError, Rows, check, listed, refuse
from rankdash.reading.values.parsing import Ids, filled, ids, is_text
from rankdash.strings.formulas import DISARMED
from rankdash.tables import OrderedBy

#: The kinds in which columns with a meaning are read at first; every other column is text.
NUMBERS = ("rank", "score", "relevance")
IDS = ("query_id", "doc_id", "model")
#: Columns that decide something, so that nothing of them may be lost.
NEEDED = frozenset((*IDS, *NUMBERS, *"iteration only_for vote rater left right model_a model_b weight cluster".split()))


def from_one(rows: Rows) -> Rows:
    """Return data rows as counted in a table without lines: from 1."""
    return rows + 1


@dataclass(frozen=True)
class Grid:
    """The columns of one source, in one chunk each.

    ``columns`` are keyed by canonical name, or by their own name where they have no known meaning; ``called`` maps
    canonical names to headings of the source. ``order`` is the order that the format prescribes, if any. ``row_of``
    converts data rows from 0 to rows as counted in the source, and ``first_row`` is the first of these (0: there is no
    file). ``as_text`` reads the source again with all cells as text, None where that would not tell more. ``delimiter``
    separates the cells of a text, "" where that has no meaning. ``stored`` is what stands under the first hits of a
    search engine, by its paths. ``snapshot`` are the name and the time of the snapshot that a JSON text is, else empty
    texts.
    """

    name: str
    columns: Mapping[str, pa.Array]
    called: Mapping[str, str]
    headings: tuple[str, ...]
    notes: tuple[str, ...] = ()
    order: OrderedBy | None = None
    row_of: Callable[[Rows], Rows] = from_one
    first_row: int = 0
    as_text: Callable[[], Grid] | None = None
    delimiter: str = ""
    stored: Mapping[str, Sequence[str]] = field(default_factory=dict)
    snapshot: tuple[str, str] = ("", "")

    @property
    def rows(self) -> int:
        """The number of data rows."""
        return len(next(iter(self.columns.values())))

    def first(self, rows: int) -> Grid:
        """Return the Grid of the first rows and the last one. The last one shows a second model below the first."""
        if self.rows <= rows + 1:
            return self
        again, row_of = self.as_text, self.row_of
        kept = np.append(np.arange(rows), self.rows - 1)
        taken = {name: column.take(from_numpy(kept)) for name, column in self.columns.items()}
        columns = {
            name: column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
            for name, column in taken.items()
        }
        return replace(
            self,
            columns=columns,
            row_of=lambda places: row_of(kept[places]),
            as_text=again and (lambda: again().first(rows)),
        )

    @property
    def is_harmless(self) -> bool:
        """Whether it is a text whose header says that apostrophes prevent spreadsheets from running cells."""
        return self.delimiter not in ("", " ") and DISARMED in self.headings

    def ids(self, name: str) -> Ids:
        """Return a column as ids; errors as ``values.ids`` has them."""
        return ids(self.columns[name], harmless=self.is_harmless)

    def title(self, name: str) -> str:
        """Return what the source calls a column."""
        return self.called.get(name, name)


def unfit(grid: Grid, name: str, needed: str) -> ReadError:
    """Return the error for a column whose type cannot be read as ``needed``, "numbers" or "text"."""
    dtype = grid.columns[name].type
    dtype = dtype.value_type if pa.types.is_dictionary(dtype) else dtype
    return refuse("bad_value", grid.name, f'column "{grid.title(name)}" holds {dtype}, not {needed}')


def bounded(grid: Grid, limits: Limits) -> Grid:
    """Return the Grid with long texts cut that are only shown.

    ReadError where an id has more bytes than an id may have.
    """
    most = min(limits.id, limits.cell)
    what, allowed = f"the id has more than {most:,} bytes", f"At most {most:,} are read. Give shorter ids."
    long_ids = {name: _longer(grid.columns[name], most) for name in IDS if name in grid.columns}
    bad = [BadCells("too_large", rows, grid.title(name), what, allowed) for name, rows in long_ids.items() if len(rows)]
    if bad:
        check(grid.name, bad, grid.row_of)
    shown = {name: _longer(grid.columns[name], limits.cell) for name in grid.columns if name not in NEEDED}
    cut = {name: rows for name, rows in shown.items() if len(rows)}
    if not cut:
        return grid
    columns = {
        name: _cut(column, cut[name], limits.cell) if name in cut else column for name, column in grid.columns.items()
    }
    notes = [cut_note(grid.title(name), rows, limits.cell, grid.row_of) for name, rows in cut.items()]
    again = grid.as_text
    return replace(
        grid, columns=columns, notes=(*grid.notes, *notes), as_text=again and (lambda: bounded(again(), limits))
    )


def cut_note(title: str, rows: Rows, most: int, row_of: Callable[[Rows], Rows]) -> str:
    """Return a note on the cells of a column that were too long to be shown whole; ``rows`` are data rows from 0."""
    first = int(row_of(rows[:1])[0])
    where = f"a text in row {first} was" if len(rows) == 1 else f"{len(rows):,} texts from row {first} on were"
    return f"Column {listed([title])}: {where} cut to {megabytes(most)}, for it is only shown."


def _longer(column: pa.Array, most: int) -> Rows:
    """Return the data rows whose text has more than ``most`` bytes, (n,); no rows of a column that is not text."""
    if pa.types.is_dictionary(column.type):
        values = _longer(column.dictionary, most)
        used = as_numpy(pc.fill_null(column.indices.cast(pa.int64()), -1)) if len(values) else values
        return np.flatnonzero(np.isin(used, values))
    # (pyarrow 18 cannot tell nbytes of a string_view.)
    if column.get_total_buffer_size() <= most or not is_text(column.type):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.diff(Text.of(filled(column)).offsets) > most)


def _cut(column: pa.Array, rows: Rows, most: int) -> pa.Array:
    """Return the same texts, those of some rows cut to ``most`` bytes."""
    if pa.types.is_dictionary(column.type):
        values = column.dictionary
        return pa.DictionaryArray.from_arrays(column.indices, _cut(values, _longer(values, most), most))
    texts = [begun(column[int(row)].as_py(), most) for row in rows]
    place = np.arange(len(column))
    place[rows] = len(column) + np.arange(len(rows))
    kind = pa.large_string()
    return pa.concat_arrays([column.cast(kind), from_strings(texts).cast(kind)]).take(from_numpy(place))


def begun(text: str, most: int) -> str:
    """Return the beginning of a text, at most so many bytes, an ellipsis in the place of the rest."""
    end = "…"
    return text.encode()[: most - len(end.encode())].decode("utf-8", "ignore") + end
