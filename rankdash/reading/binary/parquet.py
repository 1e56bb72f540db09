"""Parquet files: only the columns that are needed, ids kept as dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from rankdash.arrow import as_numpy
from rankdash.reading.binary.footer import Column, Footer, FooterError, footer_of
from rankdash.reading.binary.memory import table_grid, writes_grades
from rankdash.reading.binary.nested import is_nested
from rankdash.reading.binary.sizes import check_sizes
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.headings import RANX, match
from rankdash.reading.columns.orders import are_small
from rankdash.reading.source.advice import advice
from rankdash.reading.source.document import Document
from rankdash.reading.source.limits import LEAST, may_unpack, megabytes
from rankdash.reading.source.problems import Problem, ReadError, refuse, too_many
from rankdash.reading.values.column_collector import UnfitError
from rankdash.reading.values.parsing import is_text
from rankdash.reading.words.headings import Kind

if TYPE_CHECKING:
    import pyarrow.parquet as pq


def read_parquet(document: Document, kind: Kind) -> Grid:
    """Return the columns that the kind needs. ReadError when the file is damaged, too large, or lacks a column."""
    import pyarrow.parquet as pq  # loading it costs more than reading a small file of another kind

    try:
        with document.stream() as stream:
            footer = footer_of(document)
            _check(document, footer)
            file = pq.ParquetFile(stream)
            headings = tuple(file.schema_arrow.names)
            nested = any(is_nested(field.type) or field.name.startswith("__index") for field in file.schema_arrow)
            wishes = document.options.columns
            names = (
                {}
                if nested
                else match(document.name, headings, kind, wishes, ranx=writes_grades(file.schema_arrow)).names
            )
            columns = [headings[i] for i in names] or None
            ids = [headings[i] for i, name in names.items() if name in ("query_id", "model")]
            repeated = [] if nested else _repeated(file, footer)
            stream.seek(0)
            encoded = pq.ParquetFile(stream, read_dictionary=list({*ids, *repeated} & set(columns or ())))
            table = encoded.read(columns=columns)
        table = _decoded(document, table, [name for name in repeated if name not in ids])
    except (MemoryError, ReadError):
        raise
    except (pa.ArrowException, FooterError, OSError, KeyError, UnicodeDecodeError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise refuse("unreadable", document.name, f"the Parquet file is damaged ({first})") from None
    grid = table_grid(document.name, table, kind, document.limits, document.options, document.notes, parquet=True)
    if kind == "run" and set(headings) == RANX and not wishes:
        _check_scores(grid)
    return replace(grid, first_row=1)


def _check_scores(grid: Grid) -> None:
    """Raise ReadError where the scores of a run are written as ranx writes grades: small whole numbers."""
    scores = grid.columns["score"]
    if pa.types.is_integer(scores.type) and are_small(as_numpy(scores.drop_null().cast(pa.float64()))):
        do = advice("grades_or_scores", key="score")
        what = "the scores are small whole numbers, as ranx writes grades"
        raise ReadError((Problem("other_kind", grid.name, what, column="score", allowed=do),))


def run_in_pieces(document: Document, size: int) -> Iterator[tuple[int, Grid]]:
    """Yield what ``read_parquet`` returns of a run in pieces of about ``size`` bytes of the file, each with the rows up
    to its end in bytes of the file. UnfitError where it has more than ids and numbers; ReadError where it is damaged.
    """
    import pyarrow.parquet as pq

    try:
        with document.stream() as stream:
            footer = footer_of(document)
            _check(document, footer)
            if 4 * sum(column.values for column in footer.columns.values()) > document.limits.ratio * document.size:
                raise UnfitError("more values than a file of this size holds unless they repeat")
            schema = pq.ParquetFile(stream).schema_arrow
            headings = tuple(schema.names)
            mapping = match(document.name, headings, "run", document.options.columns)
            kinds = {name: schema.field(i).type for i, name in mapping.names.items()}
            if any(kinds[name] not in _PLAIN.get(name, ()) for name in kinds) or len(set(headings)) < len(headings):
                raise UnfitError("a column that is read as a whole")
            stream.seek(0)
            ids = [headings[i] for i, name in mapping.names.items() if name == "query_id"]
            # Else it would hold the file as it is packed.
            file = pq.ParquetFile(stream, read_dictionary=ids, pre_buffer=False, buffer_size=1 << 20)
            rows = min(_MOST_ROWS, max(1, size * footer.rows // document.size))
            done = 0
            for batch in file.iter_batches(rows, columns=[headings[i] for i in mapping.names], use_threads=False):
                if any(column.null_count for column in batch.columns):
                    raise UnfitError("an empty cell")
                done += batch.num_rows
                columns = {name: batch.column(headings[i]) for i, name in mapping.names.items()}
                notes = (*document.notes, *mapping.notes)
                yield (
                    document.size * done // footer.rows,
                    Grid(document.name, columns, mapping.called, headings, notes, first_row=1),
                )
    except (MemoryError, ReadError):
        raise
    except (pa.ArrowException, FooterError, OSError, KeyError, UnicodeDecodeError) as error:
        raise UnfitError(str(error)) from None


#: The most rows of a piece, however few bytes they take packed: unpacked they are as many as in a text.
_MOST_ROWS = 1 << 17
#: The types of the columns of a run that is read in pieces.
_PLAIN: Mapping[str, tuple[pa.DataType, ...]] = {
    "query_id": (pa.string(), pa.large_string()),
    "doc_id": (pa.string(), pa.large_string()),
    "rank": (pa.int32(), pa.int64()),
    "score": (pa.float64(), pa.float32()),
}


def _check(document: Document, footer: Footer) -> None:
    """Raise ReadError where the file is larger than the limits, by what it says of itself."""
    limits = document.limits
    if footer.rows > limits.rows:
        raise too_many(document.name, footer.rows, "rows", limits.rows)
    if footer.leaves > limits.columns:
        raise too_many(document.name, footer.leaves, "columns", limits.columns)
    if footer.longest > limits.rows:
        raise too_many(document.name, footer.longest, "values in a column", limits.rows)
    size = sum(max(column.size, 4 * column.values) for column in footer.columns.values())
    largest, allowed = may_unpack(document.size, LEAST, limits)
    if size > largest:
        raise refuse("too_large", document.name, f"the file unpacks to {megabytes(size)}", allowed)


def _repeated(file: pq.ParquetFile, footer: Footer) -> list[str]:
    """Return the columns of text with few bytes for each value, which may be far larger than the file says."""
    result = []
    for field in file.schema_arrow:
        column = footer.columns.get(field.name, Column())
        if pa.types.is_dictionary(field.type) or (is_text(field.type) and column.size < 8 * column.values):
            result.append(field.name)
    return result


def _decoded(document: Document, table: pa.Table, repeated: Sequence[str]) -> pa.Table:
    """Return the table with repeated text as text. ReadError where that would be larger than the limits."""
    check_sizes(document.name, table.select([name for name in table.column_names if name in repeated]), document.limits)
    for name in repeated:
        if name not in table.column_names or not pa.types.is_dictionary(table.column(name).type):
            continue
        kind = table.column(name).type.value_type
        if is_text(kind):
            plain = pa.chunked_array([chunk.dictionary_decode() for chunk in table.column(name).chunks], kind)
            table = table.set_column(table.column_names.index(name), name, plain)
    return table
