"""From cells of a text document to a Grid: the fast reading, the slow one that can explain, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from rankdash.arrow import from_numpy
from rankdash.reading.columns.grid import NEEDED, NUMBERS, Grid, cut_note
from rankdash.reading.columns.wide_tables import FOR
from rankdash.reading.source.document import LINE_ENDS, Document
from rankdash.reading.source.encodings import not_utf8
from rankdash.reading.source.problems import NotUtf8Error, Problem, ReadError, Rows, refuse
from rankdash.reading.text.cells import Layout, cells_by_piece, read_cells
from rankdash.reading.text.quoted_records import check_quotes, record_lines, spans_lines
from rankdash.reading.text.whitespace import BETWEEN, squeezed_stream
from rankdash.reading.values.column_collector import CellKind, UnfitError, bits
from rankdash.reading.values.parsing import is_text
from rankdash.tables import OrderedBy

_LARGE_BLOCK = 1 << 24  # as long as a line may be
_MOST_BAD_ROWS = 100_000
_QUOTED = r'(?s)^".*"$'

#: The tags of TREC runs; no heading is that.
TAG = "\x1ftag"
#: The kinds of the columns with a meaning, and of the second words and the tags of TREC files; other columns are text.
KINDS: Mapping[str, CellKind] = {
    "query_id": "code",
    "model": "code",
    "rank": "int",
    "score": "float",
    "relevance": "float",
    "iteration": "code",
    TAG: "code",
}


@dataclass(frozen=True)
class Lines:
    """How the lines of a document become a Grid.

    ``names`` maps column numbers to names. With ``words`` the white space is normalised first, and only that many words
    of each line are read. ``above`` is the number of lines above the table. ``expected`` ends the sentence about a row
    of another width. ``worded`` says that grades are words; ``numbers`` are names of further columns of numbers.
    """

    document: Document
    layout: Layout
    names: Mapping[int, str]
    called: Mapping[str, str]
    headings: tuple[str, ...]
    expected: str
    notes: tuple[str, ...] = ()
    order: OrderedBy | None = None
    words: int | None = None
    above: int = 0
    worded: bool = False
    numbers: tuple[str, ...] = ()

    def kind(self, name: str) -> CellKind:
        """Return the kind in which a column is read at first."""
        if name == "relevance" and self.worded:
            return "code"
        return "float" if name in self.numbers else KINDS.get(name, "text")

    def stream(self) -> pa.NativeFile | IO[bytes]:
        """Return the bytes to parse."""
        if self.words is None:
            return self.document.stream()
        return squeezed_stream(self.document.line_blocks(), self.words)


def read_lines(lines: Lines) -> Grid:
    """Return the Grid of numbers and ids where every cell allows it, else of text.

    ReadError when the lines are uneven.
    """
    try:
        return read_plainly(lines)
    except UnfitError as error:
        raise _explained(lines, str(error)) from None


def read_plainly(lines: Lines) -> Grid:
    """Return the same Grid. UnfitError when the lines are uneven."""
    try:
        return read_typed(lines, lambda: _as_text(lines))
    except UnfitError:
        return _as_text(lines)


def read_typed(lines: Lines, as_text: Callable[[], Grid]) -> Grid:
    """Return the Grid of numbers and ids. UnfitError when a cell does not allow it, or the lines are uneven."""
    kinds = {i: lines.kind(name) for i, name in lines.names.items()}
    return replace(_grid(lines, kinds), as_text=as_text)


def grids_of(lines: Lines, size: int) -> Iterator[tuple[int, Grid]]:
    """Yield what ``read_typed`` returns piece by piece, each of about ``size`` bytes, with the bytes up to its end.

    UnfitError where it might return something else than the pieces, one below the other.
    """
    kinds = {i: lines.kind(name) for i, name in lines.names.items()}
    above = lines.above + lines.layout.skip + 1
    for piece, cells in cells_by_piece(lines.document, lines.layout, kinds, size):
        columns = {lines.names[i]: column for i, column in cells.items()}
        notes = (*lines.document.notes, *lines.notes)
        yield (
            piece.end,
            Grid(lines.document.name, columns, lines.called, lines.headings, notes, lines.order, first_row=above),
        )


def read_as_text(lines: Lines) -> Grid:
    """Return the Grid with every cell as it stands. ReadError with the first uneven lines when there are any."""
    try:
        return _as_text(lines)
    except UnfitError as error:
        raise _explained(lines, str(error)) from None


def _as_text(lines: Lines) -> Grid:
    return _grid(lines, dict.fromkeys(lines.names, "text"))


def _grid(lines: Lines, kinds: Mapping[int, CellKind]) -> Grid:
    document = lines.document
    shown = [i for i, name in lines.names.items() if kinds[i] == "text" and name not in NEEDED and FOR not in name]
    cells = read_cells(document, lines.layout, kinds, lines.words, shown)
    columns = {lines.names[i]: column for i, column in cells.columns.items()}
    records = len(next(iter(columns.values())))
    if not records:
        raise refuse("empty", document.name, "there is a header but no row below it")
    if lines.layout.quoting and spans_lines(document, records + lines.layout.skip + lines.layout.blank):
        numeric = [i for i, name in lines.names.items() if name in NUMBERS]
        check_quotes(document, lines.layout.delimiter, lines.headings, numeric)
    row_of = _row_of(lines, records)
    titles = {i: lines.called.get(name, name) for i, name in lines.names.items()}
    cut = {titles[i]: np.array(rows, np.int64) for i, rows in cells.cut.items()}
    notes = [cut_note(title, rows, document.limits.cell, row_of) for title, rows in cut.items()]
    return Grid(
        document.name,
        columns,
        lines.called,
        lines.headings,
        (*document.notes, *lines.notes, *notes),
        lines.order,
        row_of,
        lines.above + lines.layout.skip + 1,
    )


def _row_of(lines: Lines, records: int) -> Callable[[Rows], Rows]:
    """Return a function from data rows to lines of the file; it looks for empty lines only when it is called."""

    def row_of(rows: Rows) -> Rows:
        filled = lines.document.lines_with_content(LINE_ENDS if lines.words is None else BETWEEN)
        if len(filled) != records + lines.layout.skip and lines.words is None:  # cells span lines, or CR ends them
            filled = record_lines(lines.document, lines.layout.delimiter)
        if len(filled) == records + lines.layout.skip:
            return filled[rows + lines.layout.skip]
        return rows + lines.document.above + lines.layout.skip + 1

    return row_of


def _explained(lines: Lines, error: str) -> ReadError:
    """Return the error that says why the cells could not even be read as text."""
    document = lines.document
    row = document.first_row_not_utf8()
    if row is not None:
        return NotUtf8Error((not_utf8(document, row),))
    if "straddling" in error:
        return refuse("malformed", document.name, "a row is too long, or a quote is never closed")
    bad, count, good = _uneven(lines)
    if not bad:
        return refuse("malformed", document.name, f"the file cannot be read as a table ({error.splitlines()[0]})")
    above = 1 + lines.layout.blank + lines.layout.skip  # Arrow counts the lines that it skips at the top
    rows = np.array([number for number, _ in bad], np.int64) - above
    numbers = _row_of(lines, count + good)(rows).tolist()
    problems = [
        Problem(
            "malformed", document.name, f"{width} {'cell' if width == 1 else 'cells'} {lines.expected}", int(number)
        )
        for number, (_, width) in zip(numbers, bad, strict=True)
    ]
    return ReadError(problems, count)


def _uneven(lines: Lines) -> tuple[list[tuple[int, int]], int, int]:
    """Return the first rows of another width (number of the record from 1, width), the number of such rows, and that of
    the others.
    """
    bad: list[tuple[int, int]] = []
    count = 0

    def note(row: Any) -> str:
        nonlocal count
        count += 1
        if len(bad) < 20:
            bad.append((row.number, row.actual_columns))
        return "skip" if count < _MOST_BAD_ROWS else "error"

    layout = replace(lines.layout, strict=False)
    options = layout.options(block=_LARGE_BLOCK, uneven=note)
    convert = pa.csv.ConvertOptions(include_columns=["0"], column_types={"0": pa.string()})
    try:
        good = pa.csv.read_csv(lines.stream(), convert_options=convert, **options).num_rows
    except pa.ArrowInvalid:
        good = 0
    return bad, count, good


def read_with_quotes(lines: Lines) -> Grid:
    """Return the Grid of lines that are rows, without quotes around whole cells; else that of a text with quotes as in
    CSV.

    Most tools write tab separated lines without quoting, some quote cells as in CSV. A title that merely begins with a
    quote would swallow the following rows. So where every line has the same number of tabs, each line is a row, and
    quotes count only around a whole cell.
    """
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
    """Return the same cells, those in quotes without them."""
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
