"""What a worker does with the rows of one source as they come: it checks them, and packs them into blocks by bucket.

A cluster then moves some thousands of blocks instead of millions of rows. A bucket has all rows of its queries, in any
order. Nothing is raised: what is wrong is passed on in words, in place of a block.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.drivers.cluster.lines import pieces
from rankdash.drivers.spec import PLACE
from rankdash.installation import __version__
from rankdash.reading.columns.column_checks import no_ranks
from rankdash.reading.values.numerals import COMMAS, SHARES, is_number
from rankdash.reading.values.parsing import encoded, ids, numbers

#: The columns of numbers that a source may have.
VALUES = ("score", "rank", "relevance")
#: The sources of rows, and how people call them.
SIDES = {"a": "A", "b": "B", "judgments": "the judgments"}
#: The columns of a row that holds a block: rows of some queries of a source as an Arrow stream, or what is wrong.
PACKED = {"side": pa.string(), "bucket": pa.int32(), "block": pa.binary(), "problem": pa.string()}
#: Bytes of rows that are made into blocks at a time; each time, every bucket gets a block.
_AT_ONCE = 1 << 23
#: Bytes of a block, about: a server puts some thousands of them into one array, which holds 2 GB.
_MOST = 1 << 17
#: Bytes of blocks up to which buckets are scored together, for much of the work does not depend on the rows.
_TOGETHER = 1 << 25
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


@dataclass(frozen=True)
class Packing:
    """What a worker has to know: whose rows these are, which columns they have beside the ids, into how many buckets
    the queries are cut, and the version that asks.
    """

    side: str
    columns: tuple[str, ...]
    buckets: int
    version: str = __version__


class WrongError(ValueError):
    """What is wrong with some rows, in words."""


def check_version(asking: str) -> None:
    """Raise WrongError where another version asks, whose values may differ."""
    if asking != __version__:
        raise WrongError(
            f"The workers have rankdash {__version__}, and this is rankdash {asking}: install the same version."
        )


def packed(batches: Iterable[pa.RecordBatch], packing: Packing) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a source in blocks, or what is wrong with some of them."""
    parts = pieces(batches, _AT_ONCE)
    try:
        check_version(packing.version)
        for piece in parts:
            yield _blocks(_checked(piece, packing), packing)
    except WrongError as error:
        yield _rows(packing.side, [0], pa.array([b""], pa.binary()), str(error))
        for _ in parts:  # Spark does not reuse a worker that has left rows unread
            pass


def unpacked(rows: pa.Table, side: str, columns: Iterable[str]) -> pa.Table:
    """Return the rows of a source in a bucket, one chunk per column, its query ids as a dictionary.

    WrongError where they could not be packed.
    """
    for problem in rows.column("problem").unique().to_pylist():
        if problem:
            raise WrongError(problem)
    blocks = zip(rows.column("side").to_pylist(), rows.column("block"), strict=True)
    tables = [pa.ipc.open_stream(block.as_buffer()).read_all() for of, block in blocks if of == side]
    whole = pa.concat_tables([_schema(columns).empty_table(), *tables])
    return pa.table({name: arrow.one_chunk(whole.column(name)) for name in whole.column_names})


def by_bucket(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield the blocks of each bucket, which come in any order; small buckets together."""
    blocks: dict[int, list[pa.RecordBatch]] = {}
    for batch in batches:
        for row, bucket in enumerate(batch.column("bucket").to_pylist()):
            blocks.setdefault(bucket, []).append(batch.slice(row, 1))
    waiting: list[pa.RecordBatch] = []
    size = 0
    while blocks:
        _, rows = blocks.popitem()
        more = sum(row.nbytes for row in rows)
        if waiting and size + more > _TOGETHER:
            yield pa.Table.from_batches(waiting)
            waiting, size = [], 0
        waiting, size = [*waiting, *rows], size + more
    if waiting:
        yield pa.Table.from_batches(waiting)


def _schema(columns: Iterable[str]) -> pa.Schema:
    ids = {"query_id": pa.dictionary(pa.int32(), pa.string()), "doc_id": pa.string()}
    return pa.schema(ids | {name: pa.int64() if name == PLACE else pa.float64() for name in columns})


def _checked(piece: pa.Table, packing: Packing) -> pa.Table:
    """Return rows with ids as text and values as numbers. WrongError for a row that lacks one."""
    columns = {name: _ids(piece, name, packing.side) for name in ("query_id", "doc_id")}
    for name in packing.columns:
        columns[name] = _places(piece, packing.side) if name == PLACE else _numbers(piece, name, packing)
    return pa.table(columns | {"query_id": encoded(columns["query_id"])})


def _ids(piece: pa.Table, name: str, side: str) -> pa.Array:
    """Return ids as text. WrongError where an id is missing, or would be read as another."""
    column = arrow.one_chunk(piece.column(name))
    parsed = ids(column)
    if len(parsed.empty):
        other = "doc_id" if name == "query_id" else "query_id"
        beside = piece.column(other)[int(parsed.empty[0])].as_py()
        raise WrongError(f"{SIDES[side]}: a row has no {name}; beside it stands {shown(beside)}.")
    if parsed.trimmed or parsed.armoured:
        raise WrongError(f'{SIDES[side]}: ids in column "{name}" have white space or ="…" around them: remove it.')
    return column.cast(pa.string())


def _places(piece: pa.Table, side: str) -> pa.Array:
    """Return the numbers of the rows. WrongError where a row has none."""
    column = arrow.one_chunk(piece.column(PLACE))
    if column.null_count:
        raise WrongError(f'{SIDES[side]}: a row has no whole number in column "row_number": number each row.')
    return column.cast(pa.int64())


def _numbers(piece: pa.Table, name: str, packing: Packing) -> pa.Array:
    """Return numbers, NaN where none is needed. WrongError for a cell that has to be a number and is none."""
    side, column = packing.side, arrow.one_chunk(piece.column(name))
    parsed = numbers(column, counting=name == "rank")
    wrong = parsed.missing
    if name == "rank":
        wrong = np.union1d(wrong, no_ranks(parsed))
    elif name == "relevance":
        wrong = parsed.bad  # without a grade: not judged
    elif name == "score" and "rank" in packing.columns:
        wrong = np.array([row for row in parsed.missing.tolist() if not _is_no_score(column[row].as_py())], np.int64)
    if {*COMMAS, SHARES} & set(parsed.notes):
        what = "have commas or percent signs"
        raise WrongError(f"{SIDES[side]}: numbers in column {name!r} {what}: write them with decimal points.")
    if len(wrong):
        cell = column[int(wrong[0])].as_py()
        query = piece.column("query_id")[int(wrong[0])].as_py()
        what = "no whole number from 0" if name == "rank" else "no number"
        raise WrongError(f"{SIDES[side]}: the {name} of a row of query {shown(query)} is {shown(cell)}, {what}.")
    return arrow.from_numpy(parsed.values.astype(np.float64))


def _is_no_score(cell: Any) -> bool:
    """Return whether a cell beside a rank may stand for no score: it is empty, or what programs write for nothing."""
    if not isinstance(cell, str):
        return True
    text = cell.strip()
    return not text or is_number(text) or _NOT_FINITE.fullmatch(text) is not None


def shown(value: Any) -> str:
    """Return a cell as a sentence shows it."""
    return repr(value if not isinstance(value, str) or len(value) <= 60 else f"{value[:59]}…")


def _blocks(rows: pa.Table, packing: Packing) -> pa.RecordBatch:
    """Return checked rows as blocks, list by list. The bucket of a query is CRC-32 of its id."""
    query = arrow.one_chunk(rows.column("query_id"))
    names = query.dictionary
    bucket = np.array([zlib.crc32(name.encode()) % packing.buckets for name in names.to_pylist()], np.int32)
    sort = np.argsort(bucket, kind="stable")
    bucket, names = bucket[sort], names.take(arrow.from_numpy(sort))
    number = np.empty(len(names), np.min_scalar_type(len(names)))  # narrow numbers are sorted several times as fast
    number[sort] = np.arange(len(names))
    code = number[arrow.codes(query)]
    order = np.argsort(code, kind="stable")
    code = code[order].astype(np.int32)
    rest = rows.drop_columns(["query_id"]).take(arrow.from_numpy(order))
    edges = np.searchsorted(code, np.flatnonzero(np.diff(bucket, prepend=-1))).tolist()
    most = max(1, _MOST * len(rows) // rows.nbytes)
    starts = [at for start, end in pairwise([*edges, len(rows)]) for at in range(start, end, most)]
    sink, ends = pa.BufferOutputStream(), [0]
    for start, end in pairwise([*starts, len(rows)]):
        first, last = int(code[start]), int(code[end - 1])
        ids = pa.DictionaryArray.from_arrays(
            arrow.from_numpy(code[start:end] - np.int32(first)), names[first : last + 1]
        )
        block = rest.slice(start, end - start).add_column(0, "query_id", ids)
        with pa.ipc.new_stream(sink, block.schema) as writer:
            writer.write_table(block)
        ends.append(sink.tell())
    streams = [None, pa.py_buffer(np.array(ends, np.int32)), sink.getvalue()]
    blocks = pa.Array.from_buffers(pa.binary(), len(starts), streams)
    return _rows(packing.side, bucket[code[starts]].tolist(), blocks, "")


def _rows(side: str, buckets: list[int], blocks: pa.Array, problem: str) -> pa.RecordBatch:
    values = [[side] * len(blocks), buckets, blocks, [problem] * len(blocks)]
    columns = [pa.array(some, kind) for some, kind in zip(values, PACKED.values(), strict=True)]
    return pa.RecordBatch.from_arrays(columns, names=list(PACKED))
