"""Cells that are longer than the limits: an id is refused with its row, a text that is only shown is cut and noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, as_numpy, from_numpy, from_strings
from rankdash.reading.columns.grid import IDS, NUMBERS, Grid
from rankdash.reading.source.limits import Limits, megabytes
from rankdash.reading.source.problems import BadCells, Rows, check, listed
from rankdash.reading.values.parsing import filled, is_text

#: Columns that decide something, so that nothing of them may be lost.
NEEDED = frozenset(
    (*IDS, *NUMBERS, "iteration", "only_for", "vote", "rater", "left", "right", "model_a", "model_b", "weight")
)


def bounded(grid: Grid, limits: Limits) -> Grid:
    """The Grid with long texts cut that are only shown. ReadError where an id has more bytes than an id may have."""
    most = min(limits.id, limits.cell)
    what, allowed = f"the id has more than {most:,} bytes", f"At most {most:,} are read. Give shorter ids."
    long_ids = {name: _longer(grid.columns[name], most) for name in IDS if name in grid.columns}
    check(grid.name, [BadCells(rows, grid.title(name), what, allowed) for name, rows in long_ids.items()], grid.row_of)
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
    """A note on the cells of a column that were too long to be shown whole; ``rows`` are data rows from 0."""
    first = int(row_of(rows[:1])[0])
    where = f"a text in row {first} was" if len(rows) == 1 else f"{len(rows):,} texts from row {first} on were"
    return f"Column {listed([title])}: {where} cut to {megabytes(most)}, for it is only shown."


def _longer(column: pa.Array, most: int) -> Rows:
    """The data rows whose text has more than ``most`` bytes, (n,); none in what is no text."""
    if pa.types.is_dictionary(column.type):
        values = _longer(column.dictionary, most)
        used = as_numpy(pc.fill_null(column.indices.cast(pa.int64()), -1)) if len(values) else values
        return np.flatnonzero(np.isin(used, values))
    if not is_text(column.type) or column.nbytes <= most:
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.diff(Text.of(filled(column)).offsets) > most)


def _cut(column: pa.Array, rows: Rows, most: int) -> pa.Array:
    """The same texts, those of some rows cut to ``most`` bytes."""
    if pa.types.is_dictionary(column.type):
        values = column.dictionary
        return pa.DictionaryArray.from_arrays(column.indices, _cut(values, _longer(values, most), most))
    texts = [begun(column[int(row)].as_py(), most) for row in rows]
    place = np.arange(len(column))
    place[rows] = len(column) + np.arange(len(rows))
    kind = pa.large_string()
    return pa.concat_arrays([column.cast(kind), from_strings(texts).cast(kind)]).take(from_numpy(place))


def begun(text: str, most: int) -> str:
    """The beginning of a text, at most so many bytes, an ellipsis in the place of the rest."""
    end = "…"
    return text.encode()[: most - len(end.encode())].decode("utf-8", "ignore") + end
