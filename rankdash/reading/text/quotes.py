"""Quotes in tab separated text: most tools write such lines as they are, some quote cells as in CSV.

A title that merely begins with a quote would swallow the rows up to the next quote. So where every line has the same
number of tabs, lines are rows, and a quote is one only where it stands around a whole cell.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import from_numpy
from rankdash.reading.columns.grid import Grid
from rankdash.reading.text.lines import Lines, read_lines, read_plainly
from rankdash.reading.values.column_collector import UnfitError, bits
from rankdash.reading.values.parsing import is_text

_QUOTED = r'(?s)^".*"$'


def read_with_quotes(lines: Lines) -> Grid:
    """The Grid of lines that are rows, quotes around whole cells taken off; else of text with quotes as in CSV."""
    try:
        return _unquoted(read_plainly(replace(lines, layout=replace(lines.layout, quoting=False))))
    except UnfitError:
        return read_lines(lines)


def _unquoted(grid: Grid) -> Grid:
    as_text = grid.as_text
    return replace(
        grid,
        columns={name: _without_quotes(column) for name, column in grid.columns.items()},
        as_text=as_text and (lambda: _unquoted(as_text())),
    )


def _without_quotes(column: pa.Array) -> pa.Array:
    """The same cells, those in quotes without them."""
    if pa.types.is_dictionary(column.type):
        return pa.DictionaryArray.from_arrays(column.indices, _without_quotes(column.dictionary))
    if not is_text(column.type):
        return column
    quoted = bits(pc.match_substring_regex(column, _QUOTED))
    if not quoted.any():
        return column
    place = np.flatnonzero(quoted)
    bare = pc.utf8_slice_codeunits(column.take(from_numpy(place)), 1, -1)
    bare = pc.replace_substring(bare, '""', '"')
    order = np.arange(len(column))
    order[place] = len(column) + np.arange(len(place))
    return pa.concat_arrays([column, bare]).take(from_numpy(order))
