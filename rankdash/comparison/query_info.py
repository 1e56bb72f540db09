"""What is known about the queries, lined up with the queries of a comparison: weights, clusters, texts, segments."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.lazy import cached_property
from rankdash.strings.normalforms import normalized
from rankdash.tables import CLUSTER_HEADING, Queries

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
#: A column with more values than this, or with one alone, is a segment only where the policy names it.
MOST_EXPLORED = 30
#: With more values than this it is none at all: it names the queries, and each value takes an interval of its own.
MOST_NAMED = 1_000
#: Weights beyond this are scaled down: their squares and sums would be infinite.
_LARGEST_WEIGHT = 1e100


@dataclass(frozen=True)
class Facts:
    """Axis q: the judged queries. ``weights`` is None where no weights are given, ``clusters`` where no column says
    which queries belong together; ``texts`` is "" and a segment "" where nothing is known about a query.
    """

    weights: Floats | None = None  # (q,) >= 0
    clusters: Ints | None = None  # (q,) a number for each cluster; a query without one is on its own
    texts: tuple[str, ...] = ()  # (q,), or empty
    segments: Mapping[str, npt.NDArray[np.object_]] = field(default_factory=dict)  # column -> (q,) value of each query
    unknown: int = 0  # judged queries that the table does not hold; with weights they weigh nothing

    @cached_property
    def _text_numbers(self) -> Ints:
        """A number for each text, (q,), equal ones alike whatever their case, width and blanks; -1 without one."""
        plain = [" ".join(normalized("NFKC", text).lower().split()) for text in self.texts]
        numbers: dict[str, int] = {"": -1}
        return np.array([numbers.setdefault(text, len(numbers)) for text in plain], np.int64)

    def repeated_texts(self, counted: Bools) -> int | None:
        """Return how many of some queries, (q,), share their text with another of them; None where no text is known."""
        if not self.texts:
            return None
        numbers = self._text_numbers[counted]
        _, times = np.unique(numbers[numbers >= 0], return_counts=True)
        return int(times[times > 1].sum())


def facts(queries: Queries | None, query_ids: pa.Array, named: Collection[str] = ()) -> Facts:
    """Return what a table of queries says about the judged queries, in their order; ``named`` are segments of the
    policy.
    """
    if queries is None:
        return Facts()
    table = queries.table
    at = arrow.positions(query_ids, arrow.one_chunk(table.column("query_id")))
    known = at >= 0
    columns = {name: _text(table, name, at) for name in table.column_names if name not in ("query_id", "weight")}
    texts = tuple(columns.pop("text", ()))
    heading, groups = cluster_heading(table), columns.pop("cluster", None)
    if heading is not None and groups is not None and heading in named:  # the policy says what the column is
        columns[heading], groups = groups, None
    clusters = None if groups is None else _clusters(groups)
    segments = {name: values for name, values in columns.items() if _splits(len(set(values) - {""}), name in named)}
    return Facts(_weights(table, at), clusters, texts, segments, int((~known).sum()))


def cluster_heading(table: pa.Table) -> str | None:
    """Return what the source calls the column of clusters; None without one."""
    if "cluster" not in table.column_names:
        return None
    heading = (table.field("cluster").metadata or {}).get(CLUSTER_HEADING, b"cluster")
    return bytes(heading).decode()


def _clusters(values: npt.NDArray[np.object_]) -> Ints:
    """Return a number for each value; an empty one is a cluster of its own."""
    _, numbers = np.unique(values.astype(str), return_inverse=True)
    alone = values == ""
    return np.where(alone, len(values) + np.arange(len(values)), numbers).astype(np.int64)


def places_of(queries: Collection[str], query_ids: pa.Array) -> tuple[int, ...]:
    """Return where some queries stand among the judged ones, ascending."""
    return tuple(arrow.places(arrow.from_strings(list(queries)), query_ids).tolist())


def _splits(values: int, named: bool) -> bool:
    """Whether a column with so many values makes segments."""
    return values <= MOST_NAMED if named else 1 < values <= MOST_EXPLORED


def _text(table: pa.Table, name: str, at: npt.NDArray[np.int64]) -> npt.NDArray[np.object_]:
    values = np.array([*table.column(name).to_pylist(), ""], object)
    return np.where(at >= 0, values[at], "")


def _weights(table: pa.Table, at: npt.NDArray[np.int64]) -> Floats | None:
    if "weight" not in table.column_names:
        return None
    weights = np.append(arrow.as_numpy(arrow.one_chunk(table.column("weight"))), 0.0)[at]
    weights = np.where(at >= 0, weights, 0.0)
    largest = weights.max(initial=0.0)
    return weights / largest if largest > _LARGEST_WEIGHT else weights  # only proportions matter, and sums are numbers
