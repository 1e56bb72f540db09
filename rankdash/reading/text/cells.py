"""Separated text into Arrow columns: read batch by batch, collected in place, one chunk per column.

Batches are copied to their place as they come, because collecting chunks first and joining them afterwards needs
nearly twice the memory.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from rankdash.arrow import Text
from rankdash.reading.columns.grid import begun
from rankdash.reading.source.document import Document, TextPiece
from rankdash.reading.source.limits import megabytes
from rankdash.reading.source.problems import LimitError, Problem
from rankdash.reading.text.whitespace import squeezed
from rankdash.reading.values.column_collector import CellKind, Collector, Lengths, UnfitError
from rankdash.reading.words.blanks import BLANKS

_BLOCK, _SEGMENT = 1 << 20, 1 << 22
_WORKERS = min(4, os.cpu_count() or 1)
_CODE = pa.dictionary(pa.int32(), pa.string())
_TYPES: dict[CellKind, pa.DataType] = {
    "code": _CODE,
    "text": pa.string(),
    "float": pa.float64(),
    "int": pa.int32(),
}


@dataclass(frozen=True)
class Layout:
    """How the cells of a text are separated.

    ``width`` columns between ``delimiter``; ``blank`` lines at the top, then ``skip`` rows above the data;
    ``quoting`` as in CSV. With ``strict``
    an empty cell is an UnfitError: in a TREC file it means that white space is irregular.
    """

    width: int
    delimiter: str
    blank: int = 0
    skip: int = 0
    quoting: bool = False
    strict: bool = False

    def options(self, *, block: int = _BLOCK, uneven: Callable[[Any], str] | None = None) -> dict[str, object]:
        """Return Arrow's own options. ``uneven`` decides what to do with each row of another width."""
        read = pa.csv.ReadOptions(
            column_names=[str(i) for i in range(self.width)],
            skip_rows=self.blank,
            skip_rows_after_names=self.skip,
            block_size=block,
            use_threads=False,  # with them Arrow would not know the number of an uneven row
        )
        parse = pa.csv.ParseOptions(
            delimiter=self.delimiter,
            quote_char='"' if self.quoting else False,
            newlines_in_values=self.quoting,
            invalid_row_handler=uneven,
        )
        return {"read_options": read, "parse_options": parse}


@dataclass(frozen=True)
class TextColumns:
    """The columns that were read, by number, and of those with cells that were cut the data rows of these."""

    columns: dict[int, pa.Array]
    cut: dict[int, list[int]]


def read_cells(
    document: Document,
    layout: Layout,
    kinds: Mapping[int, CellKind],
    words: int | None = None,
    shown: Collection[int] = (),
) -> TextColumns:
    """Return the columns of ``kinds`` of a text; without nulls, except NaN for a blank float. The ``shown`` ones may be
    cut.

    With ``words`` the white space is made regular first and that many words of a line are kept. UnfitError when a
    cell is not of its kind, a row has another number of cells, or bytes are not UTF-8. ReadError beyond the limits.
    """
    convert = _converted(kinds)
    collector: Collector | None = None
    cut: dict[int, list[int]] = {}
    rows = 0
    try:
        for batch, share in (
            _quoted(document, layout, convert) if layout.quoting else _plain(document, layout, convert, words)
        ):
            collector = collector or Collector(kinds, int(batch.num_rows / share * 1.1) + 1)
            columns = dict(zip(kinds, batch.columns, strict=True))
            for i in shown:
                columns[i], long = _shortened(columns[i], layout, document.limits.cell)
                if long:
                    cut.setdefault(i, []).extend(rows + row for row in long)
            for lengths in collector.append(list(columns.values())):
                _check_lengths(document, lengths, rows + layout.skip, layout.strict)
            rows += batch.num_rows
            if rows > document.limits.rows:
                what = f"there are more than {document.limits.rows:,} rows"
                raise LimitError((Problem("too_large", document.name, what, allowed="That is the limit."),))
    except pa.ArrowInvalid as error:
        raise UnfitError(str(error)) from None
    return TextColumns(
        collector.finish() if collector else {i: pa.nulls(0, _TYPES[kind]) for i, kind in kinds.items()}, cut
    )


def _converted(kinds: Mapping[int, CellKind]) -> pa.csv.ConvertOptions:
    """Return Arrow's options for the kinds of the columns."""
    return pa.csv.ConvertOptions(
        include_columns=[str(i) for i in kinds],
        column_types={str(i): _TYPES[kind] for i, kind in kinds.items()},
        null_values=list(BLANKS),
        strings_can_be_null=False,
    )


Batches = Iterator[tuple[pa.RecordBatch, float]]


def _quoted(document: Document, layout: Layout, convert: pa.csv.ConvertOptions) -> Batches:
    """Yield batches of a text whose cells may contain line ends, with their share of the bytes.

    Where a row is longer than a block, the rest is read again with larger blocks.
    """
    longest = document.limits.line
    given = 0
    for block in (min(_BLOCK, longest), longest):
        share = min(1.0, block / document.size)
        before = 0
        try:
            options = layout.options(block=block)
            with document.stream() as stream, pa.csv.open_csv(stream, convert_options=convert, **options) as batches:
                for batch in batches:
                    old = min(max(given - before, 0), batch.num_rows)
                    before += batch.num_rows
                    given = max(given, before)
                    if old < batch.num_rows:
                        yield batch.slice(old), share
            return
        except pa.ArrowInvalid as error:
            if "straddling" not in str(error):
                raise
    what = f"behind this row there is one with more than {megabytes(longest)}, or with a quote that is never closed"
    row = given + layout.skip + layout.blank
    raise LimitError(
        (Problem("malformed", document.name, what, row, allowed="Look for the quote, or export the table anew."),)
    )


def _plain(document: Document, layout: Layout, convert: pa.csv.ConvertOptions, words: int | None) -> Batches:
    """Yield batches of a text in which every line is a row, parsed side by side but in order, and their share."""
    parsed = partial(_parsed, layout=layout, convert=convert, words=words)
    with ThreadPoolExecutor(_WORKERS, "rankdash-cells") as workers:
        waiting: deque[tuple[Future[pa.RecordBatch | None], float]] = deque()
        for piece in document.pieces(_SEGMENT if words is None else _BLOCK):
            waiting.append((workers.submit(parsed, piece), (piece.end - piece.start) / document.size))
            if len(waiting) > _WORKERS:
                yield from _next(waiting)
        while waiting:
            yield from _next(waiting)


def _parsed(
    piece: TextPiece, layout: Layout, convert: pa.csv.ConvertOptions, words: int | None = None
) -> pa.RecordBatch | None:
    """Return the rows of whole lines; None where there are none. ArrowInvalid where they are uneven, or unfit."""
    text = piece.content()
    if words is not None:
        text = pa.py_buffer(squeezed(text, words))
    if not bytes(text.slice(0, min(64, text.size))).strip() and not bytes(text).strip():
        return None
    options = (replace(layout, blank=0, skip=0) if piece.start else layout).options(block=text.size + 1)
    table = pa.csv.read_csv(pa.BufferReader(text), convert_options=convert, **options)
    return next(iter(table.to_batches()), None)


def cells_by_piece(
    document: Document, layout: Layout, kinds: Mapping[int, CellKind], size: int
) -> Iterator[tuple[TextPiece, dict[int, pa.Array]]]:
    """Yield the columns of a text in which every line is a row, piece by piece of about ``size`` bytes.

    They are what ``read_cells`` returns of all of it, cut. UnfitError as there, and wherever it returns something
    else than stands in the cells: for a blank number, and a text that is too long. ReadError beyond the limits.
    """
    convert = _converted(kinds)
    try:
        for piece in document.pieces(size):
            batch = _parsed(piece, layout, convert)
            if batch is None:
                continue
            for values in batch.columns:
                texts = values.dictionary if pa.types.is_dictionary(values.type) else values
                if pa.types.is_string(texts.type):
                    _check_lengths(document, np.diff(Text.of(texts).offsets), 0, layout.strict)
                if values.null_count:
                    raise UnfitError("a blank in a column of numbers")
            yield piece, dict(zip(kinds, batch.columns, strict=True))
    except (pa.ArrowInvalid, LimitError) as error:
        raise UnfitError(str(error)) from None


def _next(waiting: deque[tuple[Future[pa.RecordBatch | None], float]]) -> Batches:
    batch, share = waiting.popleft()
    rows = batch.result()
    if rows is not None:
        yield rows, share


def _too_long(values: pa.Array, most: int) -> list[int]:
    """Return the rows of a batch of text with more than ``most`` bytes."""
    if not pa.types.is_string(values.type) or values.nbytes <= most:
        return []
    result: list[int] = np.flatnonzero(np.diff(Text.of(values).offsets) > most).tolist()
    return result


def _holds_rows(text: str, layout: Layout) -> bool:
    """Return whether lines of a text look like rows that a quote took in."""
    lines = text.count("\n")
    return bool(lines) and text.count(layout.delimiter) * 2 >= lines * (layout.width - 1)


def _shortened(values: pa.Array, layout: Layout, most: int) -> tuple[pa.Array, list[int]]:
    """Return a batch of text that is only shown with long cells cut, and their rows.

    Cells that seem to contain whole rows are not cut, and are refused later.
    """
    long = _too_long(values, most)
    if not long or any(_holds_rows(str(values[row]), layout) for row in long):
        return values, []
    texts = [text if len(text.encode()) <= most else begun(text, most) for text in values.to_pylist()]
    return pa.array(texts, pa.string()), long


def _check_lengths(document: Document, lengths: Lengths, above: int, strict: bool) -> None:
    """Raise UnfitError for an empty cell where ``strict``; LimitError for a cell beyond the limit."""
    if not len(lengths):
        return
    if strict and not lengths.min():
        raise UnfitError("an empty cell")
    if lengths.max() > document.limits.cell:
        where = f"near row {above + int(lengths.argmax()) + 1:,}"
        what = f"a cell {where} has {megabytes(int(lengths.max()))}"
        allowed = f"At most {megabytes(document.limits.cell)} are read."
        raise LimitError((Problem("too_large", document.name, what, allowed=allowed),))
