"""The digest of the content of a table, independent of its file: the digest of its canonical columns.

The same lists have one digest as TREC, CSV, Parquet or packed, with the queries in any order. The digest covers:

1. what the table is, and what orders its lists;
2. the ids of the queries in the order of their bytes, each with its number of rows;
3. every other column, by name: its rows query by query in that order, within a query in the order of the table;
4. the weight of queries without one, and the time of the queries, where a user chose them.

Items are written in the same way, by their own ids.

Text is the same whether it is a dictionary or has wide offsets. Numbers are float64, with one zero and one NaN. A rank
beside finite scores that order the list is left out: TREC files always have one, and nothing depends on it. Names,
sources and notes are left out too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.judged import Order, rows_in_order
from rankdash.metrics.lists import same_as_before
from rankdash.records import remembered, replace
from rankdash.tables import Items, Judgments, Queries, Run, Votes

Tabled = Run | Judgments | Queries | Votes | Items
#: The digest changes its meaning with this number only.
FORMAT = "rankdash content 1"
Update = Callable[[Any], None]
Ints = npt.NDArray[np.int64]


def content_digest(record: Tabled) -> str:
    """Return the SHA-256, 64 hexadecimal digits, of the canonical columns of a table; it is computed once for a table
    in memory, whatever its names.
    """
    kind, order = type(record).__name__.lower(), record.ordered_by if isinstance(record, Run) else ""
    said, computed = _said(record), _computed(record.table)
    if (kind, order, said) not in computed:
        computed[kind, order, said] = _digest(record, kind, order, said)
    return computed[kind, order, said]


def lists_digest(run: Run) -> str:
    """Return the digest of the lists of a run, whatever is shown or graded beside the documents."""
    return content_digest(replace(run, table=_lists_alone(run.table)))


def ranked_digest(run: Run, order: Order) -> str:
    """Return the digest of the documents of each query in their order, whatever else is in the file: scores, ranks,
    titles, or rows that are there again.
    """
    key, computed = ("ranked", run.ordered_by, order.score_type), _computed(run.table)
    if key not in computed:
        table = run.table.select(["query_id", "doc_id"])
        table = table if _is_in_order(run, order) else table.take(arrow.from_numpy(rows_in_order(run, order)))
        computed[key] = content_digest(replace(run, table=table, ordered_by="position"))
    return computed[key]


def _is_in_order(run: Run, order: Order) -> bool:
    codes = arrow.codes(run.array("query_id"))
    beside = same_as_before(codes)
    if len(beside) - np.count_nonzero(beside) > len(arrow.distinct(codes)):
        return False
    if run.ordered_by == "position":
        return True
    values = arrow.as_numpy(run.array(run.ordered_by))
    values = -values.astype(order.score_type) if run.ordered_by == "score" else values
    return bool((values[1:] > values[:-1])[beside[1:]].all())


@remembered
def _lists_alone(table: pa.Table) -> pa.Table:
    names = [name for name in table.column_names if name in ("query_id", "doc_id", "rank", "score")]
    return table.select(names) if len(names) < table.num_columns else table  # whose digest may be known


def _said(record: Tabled) -> str:
    """Return what a user decided about a table, as text; "" for nothing."""
    if isinstance(record, Queries) and record.missing_weight is not None:
        return f"missing_weight {record.missing_weight:g}"
    return f"at {record.at}" if isinstance(record, Items) and record.at else ""


@remembered
def _computed(_: Any) -> dict[tuple[str, ...], str]:
    """Return the digests of a table as they are computed, by what the record is, what orders its lists, and what was
    decided on it.
    """
    return {}


def _digest(record: Tabled, kind: str, order: str, said: str) -> str:
    digest = hashlib.sha256()
    for word in (FORMAT, kind, order):
        _word(digest.update, word)
    about = "doc_id" if isinstance(record, Items) else "query_id"
    names, counts, table = _by_id(record.table, about)
    _column(digest.update, about, names)
    digest.update(counts.astype("<i8").data)
    for name in sorted(_that_count(record) - {about}, key=str.encode):
        _column(digest.update, name, arrow.one_chunk(table.column(name)))
    if said:
        _word(digest.update, said)
    return digest.hexdigest()


def _that_count(record: Tabled) -> set[str]:
    """Return the columns that are part of the content."""
    names = set(record.table.column_names)
    if isinstance(record, Run) and record.ordered_by == "score" and {"rank", "score"} <= names:
        score = record.array("score")
        if not score.null_count and np.isfinite(arrow.as_numpy(score.cast(pa.float64()))).all():
            names.remove("rank")
    return names


def _by_id(table: pa.Table, about: str) -> tuple[pa.Array, Ints, pa.Table]:
    """Return the ids in a column in the order of their bytes, the number of rows of each, and the table of the other
    columns, its rows id by id in that order.
    """
    ids = arrow.encoded(arrow.one_chunk(table.column(about)))
    values = ids.dictionary.unique()
    names = values.take(pc.array_sort_indices(values))
    place_of = arrow.positions(ids.dictionary, names).astype(np.int32)
    codes = arrow.codes(ids)
    starts = np.flatnonzero(~same_as_before(codes))  # rows of an id are mostly contiguous
    places, lengths = place_of[codes[starts]], np.diff(starts, append=len(ids))
    counts = np.bincount(places, lengths, len(names)).astype(np.int64)
    used, order = np.flatnonzero(counts), np.argsort(places, kind="stable")
    from rankdash.edits import stretches

    rows = stretches(table.drop_columns([about]), starts[order], lengths[order])
    return names.take(arrow.from_numpy(used)), counts[used], rows


def _word(update: Update, word: str) -> None:
    data = word.encode()
    update(len(data).to_bytes(8, "little"))
    update(data)


def _column(update: Update, name: str, column: pa.Array) -> None:
    """Add the name, kind and length of a column to the digest, then the rows without a value, and the values; a row
    without a value counts as empty.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    column = arrow.bare(column)
    is_number = _fits_float(column)
    _word(update, name)
    update(b"n" if is_number else b"t")
    update(len(column).to_bytes(8, "little"))
    missing = np.flatnonzero(arrow.bits(column.is_null())) if column.null_count else np.empty(0, np.int64)
    update(len(missing).to_bytes(8, "little"))
    update(missing.astype("<i8"))
    (_numbers if is_number else _texts)(update, column)


def _fits_float(column: pa.Array) -> bool:
    """Return whether a column holds numbers that float64 can tell apart."""
    if pa.types.is_integer(column.type):
        ends = pc.min_max(column).as_py()
        return max(-(ends["min"] or 0), ends["max"] or 0) <= 2**53
    return bool(pa.types.is_floating(column.type))


def _numbers(update: Update, column: pa.Array) -> None:
    values = arrow.as_numpy((pc.fill_null(column, 0) if column.null_count else column).cast(pa.float64()))
    values = values + 0.0  # one zero
    values[np.isnan(values)] = np.nan
    update(values.astype("<f8", copy=False))


def _texts(update: Update, column: pa.Array) -> None:
    """Add the lengths of all values in bytes to the digest, and then the bytes."""
    if not arrow.is_text(column.type):
        column = pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.large_string())
    text = arrow.Text.of(pc.fill_null(column, "") if column.null_count else column)
    update(np.diff(text.offsets).astype("<i8", copy=False))
    update(text.data[text.offsets[0] : text.offsets[-1]])
