"""The content digest again in plain Python, row by row, and whether two tables are the same to the bit."""

import hashlib
import math
import struct
from typing import Any

import pyarrow as pa

from rankdash.tables import Judgments, Queries, Run, Votes


def slow_digest(record: Run | Judgments | Queries | Votes) -> str:
    """The content digest by its definition."""
    rows = record.table.to_pylist()
    by_query: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_query.setdefault(row["query_id"], []).append(row)
    ids = sorted(by_query, key=str.encode)
    ordered_by = record.ordered_by if isinstance(record, Run) else ""
    told = b"".join(_word(word) for word in ("rankdash content 1", type(record).__name__.lower(), ordered_by))
    told += _column("query_id", ids, False) + b"".join(struct.pack("<q", len(by_query[one])) for one in ids)
    for name in sorted(set(record.table.column_names) - {"query_id"}, key=str.encode):
        if name == "rank" and ordered_by == "score" and all(math.isfinite(row["score"]) for row in rows):
            continue
        values = [row[name] for one in ids for row in by_query[one]]
        kind = record.table.schema.field(name).type
        told += _column(name, values, pa.types.is_integer(kind) or pa.types.is_floating(kind))
    return hashlib.sha256(told).hexdigest()


def _word(word: str) -> bytes:
    return struct.pack("<q", len(word.encode())) + word.encode()


def _column(name: str, values: list[Any], are_numbers: bool) -> bytes:
    missing = [i for i, value in enumerate(values) if value is None]
    told = _word(name) + (b"n" if are_numbers else b"t") + struct.pack("<qq", len(values), len(missing))
    told += b"".join(struct.pack("<q", i) for i in missing)
    if are_numbers:
        numbers = [math.nan if value is None or math.isnan(value) else float(value) + 0.0 for value in values]
        numbers = [0.0 if i in set(missing) else number for i, number in enumerate(numbers)]
        return told + b"".join(struct.pack("<d", number) for number in numbers)
    texts = [("" if value is None else value).encode() for value in values]
    return told + b"".join(struct.pack("<q", len(text)) for text in texts) + b"".join(texts)


def same_to_the_bit(first: pa.Table, second: pa.Table) -> bool:
    """Whether schemas, metadata, values, nulls, the bits of numbers and the order of dictionaries are the same."""
    if not first.schema.equals(second.schema, check_metadata=True) or len(first) != len(second):
        return False
    return all(_same(one, other) for one, other in zip(first.columns, second.columns, strict=True))


def _same(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    if other.num_chunks != 1:
        return False
    a, b = pa.concat_arrays(one.chunks), other.chunk(0)
    if pa.types.is_dictionary(a.type):
        return bool(a.indices.equals(b.indices) and a.dictionary.equals(b.dictionary))
    if pa.types.is_floating(a.type):
        width = a.type.bit_width
        a, b = (side.view(pa.int64() if width == 64 else pa.int32() if width == 32 else pa.int16()) for side in (a, b))
    return bool(a.equals(b))
