"""The digest of the content of a table, whatever file it came from: that of its canonical columns.

The same lists have one digest as TREC, CSV, Parquet or packed, with the queries in any order. The digest covers:

1. what the table is, and what orders its lists;
2. the ids of the queries in the order of their bytes, each with its number of rows;
3. every other column, by name: its rows query by query in that order, within a query in the order of the table;
4. what a query without a weight weighs, where somebody decided on it.

Text is the same whether it is a dictionary or has wide offsets. Numbers are float64, with one zero and one NaN. A rank
beside finite scores that order the list is left out: TREC files always have one, and nothing depends on it. Names,
sources and notes are left out too. Of scored queries it covers every byte, and what they were scored for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.edits.rows import gathered
from rankdash.metrics.lists import same_as_before
from rankdash.records.lazy import remembered
from rankdash.tables import Judgments, Queries, Run, Scored, VotedList, Votes

Tabled = Run | Judgments | Queries | Votes | Scored
#: The digest changes its meaning with this number only.
FORMAT = "rankdash content 1"
#: A table of at most so many stretches of rows is read stretch by stretch; any other is put in order first.
_STRETCHES = 20_000
_BLOCK = 1 << 17
Update = Callable[[Any], None]
Ints = npt.NDArray[np.int64]


def content_digest(record: Tabled) -> str:
    """Return the SHA-256, 64 hexadecimal digits, of the canonical columns of a table; it is computed once for a table
    in memory, whatever its names.
    """
    kind, order = type(record).__name__.lower(), record.ordered_by if isinstance(record, Run) else ""
    computed = _computed(record.table)
    if (kind, order) not in computed:
        computed[kind, order] = _digest(record, kind, order)
    return computed[kind, order]


@remembered
def _computed(_: Any) -> dict[tuple[str, str], str]:
    """Return the digests of a table as they are computed, by what the record is and what orders its lists."""
    return {}


def _digest(record: Tabled, kind: str, order: str) -> str:
    digest = hashlib.sha256()
    if isinstance(record, Scored):
        _word(digest.update, f"{FORMAT} scored")
        table = record.table
        digest.update(_stream_of(table if isinstance(table, pa.Table) else table.whole()))
        return digest.hexdigest()
    for word in (FORMAT, kind, order):
        _word(digest.update, word)
    names, counts, table, stretches = _by_query(record.table)
    _column(digest.update, "query_id", names, np.array([[0, len(names)]]))
    digest.update(counts.astype("<i8").data)
    for name in sorted(_that_count(record) - {"query_id"}, key=str.encode):
        _column(digest.update, name, arrow.one_chunk(table.column(name)), stretches)
    if isinstance(record, Queries) and record.missing_weight is not None:
        _word(digest.update, f"missing_weight {record.missing_weight:g}")
    return digest.hexdigest()


def lists_of(a: Run, b: Run) -> tuple[VotedList, VotedList]:
    """Return the names and digests by which votes know the lists that they are on. The lists of scored queries are not
    at hand: their digests are those of the files from which they were read.
    """
    of_a, of_b = (VotedList(run.name, content_digest(run) if len(run.table) else run.source.sha256) for run in (a, b))
    return of_a, of_b


def about_lists(votes: Votes, a: Run, b: Run) -> Votes:
    """Return votes that know which lists they are on: those of A and B, unless they know others already."""
    return votes if votes.about is not None else replace(votes, about=lists_of(a, b))


def _stream_of(table: pa.Table) -> pa.Buffer:
    """Return a table with its metadata as an Arrow stream, one chunk per column."""
    columns = [arrow.one_chunk(column) for column in table.columns]
    batch = pa.RecordBatch.from_arrays(columns, schema=table.schema)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def _that_count(record: Tabled) -> set[str]:
    """Return the columns that are part of the content."""
    names = set(record.table.column_names)
    if isinstance(record, Run) and record.ordered_by == "score" and {"rank", "score"} <= names:
        score = arrow.one_chunk(record.table.column("score"))
        if not score.null_count and np.isfinite(arrow.as_numpy(score.cast(pa.float64()))).all():
            names.remove("rank")
    return names


def _by_query(table: pa.Table) -> tuple[pa.Array, Ints, pa.Table, Ints]:
    """Return the ids of the queries in the order of their bytes, the number of rows of each, the table of the other
    columns, and the stretches of its rows, (n, 2) from and to, in the order of the queries.
    """
    ids = arrow.one_chunk(table.column("query_id"))
    if not pa.types.is_dictionary(ids.type):
        ids = ids.dictionary_encode()
    values = ids.dictionary.unique()
    names = values.take(pc.array_sort_indices(values))
    place_of = arrow.positions(ids.dictionary, names).astype(np.int32)
    places = place_of[arrow.codes(ids)] if len(ids) else np.empty(0, np.int32)
    counts = np.bincount(places, minlength=len(names))
    table = table.drop_columns(["query_id"])  # in the digest already
    starts = np.flatnonzero(~same_as_before(places))
    if len(starts) > _STRETCHES:
        table = gathered(table, np.argsort(places, kind="stable"))
    if not 0 < len(starts) <= _STRETCHES:
        stretches = np.array([[0, len(places)]])
    else:
        ends = np.append(starts[1:], len(places))
        stretches = np.column_stack((starts, ends))[np.argsort(places[starts], kind="stable")]
    used = np.flatnonzero(counts)
    return names.take(arrow.from_numpy(used)), counts[used], table, stretches


def _word(update: Update, word: str) -> None:
    data = word.encode()
    update(len(data).to_bytes(8, "little"))
    update(data)


def _column(update: Update, name: str, column: pa.Array, stretches: Ints) -> None:
    """Add the name, kind and length of a column to the digest, then the rows without a value, and the values; a row
    without a value counts as empty.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    is_number = _fits_float(column)
    _word(update, name)
    update(b"n" if is_number else b"t")
    update(len(column).to_bytes(8, "little"))
    missing = np.empty(0, np.int64)
    if column.null_count:
        absent = arrow.as_numpy(column.is_null().cast(pa.int32()))
        missing = np.flatnonzero(np.concatenate([absent[start:end] for start, end in stretches]))
    update(len(missing).to_bytes(8, "little"))
    update(missing.astype("<i8"))
    (_numbers if is_number else _texts)(update, column, stretches)


def _fits_float(column: pa.Array) -> bool:
    """Return whether a column holds numbers that float64 can tell apart."""
    if pa.types.is_integer(column.type):
        ends = pc.min_max(column).as_py()
        return max(-(ends["min"] or 0), ends["max"] or 0) <= 2**53
    return bool(pa.types.is_floating(column.type))


def _numbers(update: Update, column: pa.Array, stretches: Ints) -> None:
    values = arrow.as_numpy((pc.fill_null(column, 0) if column.null_count else column).cast(pa.float64()))
    for block in _blocks(stretches):
        part = np.concatenate([values[start:end] for start, end in block])
        update(np.where(np.isnan(part), np.nan, part + 0.0).astype("<f8"))


def _texts(update: Update, column: pa.Array, stretches: Ints) -> None:
    """Add the lengths of all values in bytes to the digest, and behind them the bytes."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        column = pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.large_string())
    text = arrow.Text.of(pc.fill_null(column, "") if column.null_count else column)
    offsets = text.offsets
    for block in _blocks(stretches):
        update(np.concatenate([np.diff(offsets[start : end + 1]) for start, end in block]).astype("<i8"))
    for start, end in stretches:
        update(text.data[offsets[start] : offsets[end]])


def _blocks(stretches: Ints) -> Iterator[Ints]:
    """Yield neighbouring stretches, of about a hundred thousand rows together: few enough for the cache."""
    behind = np.cumsum(stretches[:, 1] - stretches[:, 0])
    yield from np.split(stretches, np.flatnonzero(np.diff(behind // _BLOCK)) + 1)
