"""What a table of items says about the documents in lists and judgments, and when the queries were asked."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.metrics.lists import Floats, Ints, Listed
from rankdash.records import field, frozen
from rankdash.tables import Items, Queries, moment

_DAY = 86_400  # seconds
#: The second category of a document, and so on.
_FURTHER = re.compile(r"category_\d+")


@frozen
class Known:
    """Items and the judgments. Axes: i items, and one more for an unknown item; q judged queries; j judgments."""

    items: Items
    queries: Queries | None
    time: Floats | None  # (q,) days since 1970; None where a query has none
    item: Ints  # (j,) which item each judged document is, -1 where it is none
    _made: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, items: Items, queries: Queries | None, query_ids: pa.Array, doc_ids: pa.Array) -> Known:
        """Return items beside the judged queries, and the documents of their judgments."""
        time = np.full(len(query_ids), moment(items.at) / _DAY if items.at else np.nan)
        if queries is not None and "time" in queries.table.column_names:
            ids = queries.array("query_id")
            own = np.append(_days(queries.table.column("time")), np.nan)[arrow.positions(query_ids, ids)]
            time = np.where(np.isnan(own), time, own)
        there = None if np.isnan(time).any() else time
        return cls(items, queries, there, _places(items, doc_ids))

    def column(self, name: str) -> Any:
        """Return what is known of the items: ``category`` (i, c) numbers, -1 without one, ``vector`` (i, v) of length
        1, ``date`` (i,) in days since 1970 and ``users`` (i,), NaN without one; None where there is no such column.
        """
        if name not in self._made:
            table = self.items.table
            further = name == "category"
            names = [own for own in table.column_names if own == name or (further and _FURTHER.fullmatch(own))]
            made = [_READ[name](table.column(own)) for own in names]
            self._made[name] = None if not made else np.column_stack(made) if name == "category" else made[0]
        return self._made[name]

    def texts(self, name: str, doc_ids: pa.Array) -> list[str]:
        """Return what a further column says of documents, "" where it says nothing."""
        if name not in self.items.table.column_names:
            return [""] * len(doc_ids)
        at = _places(self.items, doc_ids)
        return [text or "" for text in self.items.table.column(name).take(pa.array(at, mask=at < 0)).to_pylist()]

    def ages(self, query: Ints) -> Floats | None:
        """Return the age of each judged document in days, (j,), 0 without a date; None where a query has no time."""
        date = self.column("date")
        if date is None or self.time is None:
            return None
        ages: Floats = np.nan_to_num(np.maximum(self.time[query] - date[self.item], 0))
        return ages

    @property
    def undated(self) -> int:
        """How many judged documents have no date."""
        date = self.column("date")
        return len(self.item) if date is None else int(np.isnan(date[self.item]).sum())

    def listed(self, run: pa.Table, rows: Any) -> Listed:
        """Return the first ranks of lists as items, from their rows in the table of the run, (q, d)."""
        item = np.full(rows.shape, -1, np.int64)
        there = rows >= 0
        item[there] = _places(self.items, arrow.one_chunk(run.column("doc_id").take(arrow.from_numpy(rows[there]))))
        return Listed(item, self.time, len(self.items.table), self.column)


def _places(items: Items, doc_ids: pa.Array) -> Ints:
    return arrow.positions(doc_ids, items.array("doc_id"))


def _days(column: pa.ChunkedArray) -> Floats:
    """Return times as days since 1970, (rows,), NaN where there is none."""
    numbers = arrow.one_chunk(column).cast(pa.int64())
    there = arrow.bits(numbers.is_valid())
    return np.where(there, arrow.as_numpy(pc.fill_null(numbers, 0)) / (1000 * _DAY), np.nan)


def _categories(column: pa.ChunkedArray) -> Ints:
    words = arrow.numbered(column)
    return np.append(np.where(words.of == 0, -1, words.of) if words.values[:1] == [""] else words.of, -1)


def _vectors(column: pa.ChunkedArray) -> Floats:
    array = arrow.one_chunk(column)
    rows = arrow.as_numpy(array.flatten()).reshape(len(array), array.type.list_size)
    with np.errstate(invalid="ignore"):
        unit = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))  # NaN for a vector without a direction
    return np.vstack([unit, np.full((1, unit.shape[1]), np.nan)])


def _dates(column: pa.ChunkedArray) -> Floats:
    return np.append(_days(column), np.nan)


def _users(column: pa.ChunkedArray) -> Floats:
    return np.append(arrow.as_numpy(arrow.one_chunk(column)), np.nan)


_READ = {"category": _categories, "vector": _vectors, "date": _dates, "users": _users}
