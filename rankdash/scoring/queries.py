"""Facts about the queries of a comparison, in their order: weights, clusters, texts, segments.

A table of queries need not hold every judged query. What it lacks is counted here, so that no query leaves a comparison
silently.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import number
from rankdash.records import cached_property, field, frozen, replace
from rankdash.scoring.rankings import ComparisonError
from rankdash.strings import normalized
from rankdash.tables import CLUSTER_HEADING, MISSING_WEIGHTS, Queries

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
#: A column with more values than this, or with a single value, makes segments only where the policy names it.
MOST_EXPLORED = 30
#: A column with more values than this makes none at all: it names the queries, and an interval for each takes long.
MOST_NAMED = 1_000
#: Weights beyond this are scaled down: their squares and sums would be infinite.
_LARGEST_WEIGHT = 1e100
#: Where more than this share of the judged queries has no weight, somebody has to say what they weigh. Otherwise they
#: weigh 0: a table is about the queries that it names, and a weight of 1 would outweigh all shares of the traffic.
MOST_UNWEIGHTED = 0.05
#: How many ids a message shows, and letters of each.
_EXAMPLES, _LONGEST_ID = 3, 60


@frozen
class WeightGap:
    """Judged queries without a weight in a table of weights: ``count`` of ``of``. ``lacking`` are examples of them,
    ``others`` examples of queries in the table that nobody judged; ``given`` is the least and the largest weight of a
    judged query, None where no judged query has a weight.
    """

    count: int
    of: int
    lacking: tuple[str, ...]
    others: tuple[str, ...]
    given: tuple[float, float] | None

    @property
    def is_large(self) -> bool:
        """Whether somebody has to say what these queries weigh."""
        return self.count > 0 and self.count / self.of > MOST_UNWEIGHTED

    @property
    def answers(self) -> tuple[float, ...]:
        """The weights that they can get: 0 and 1, or 1 alone where with 0 no query would count."""
        return MISSING_WEIGHTS if self.given is not None and self.given[1] > 0 else MISSING_WEIGHTS[1:]


class UnweightedError(ComparisonError):
    """A table of weights lacks too many of the judged queries, ``gap``, and their weight was not chosen."""

    def __init__(self, gap: WeightGap, table: str) -> None:
        self.gap = gap
        super().__init__(f"{table or 'the queries'}: {_lacks(gap)} {_decision(gap)}")


@frozen
class Facts:
    """What a table of queries says about the judged queries, axis q. ``weights`` is None where no weights are given,
    ``clusters`` where no column says which queries belong together; a text or a segment is "" where the table does not
    say it.
    """

    weights: Floats | None = None  # (q,) >= 0
    clusters: Ints | None = None  # (q,) a number for each cluster; a query without one is on its own
    texts: tuple[str, ...] = ()  # (q,), or empty
    segments: Mapping[str, npt.NDArray[np.object_]] = field(default_factory=dict)  # column -> (q,) value of each query
    unsplit: Mapping[str, int] = field(default_factory=dict)  # columns that make no segments, with their values
    unknown: int = 0  # judged queries that the table does not hold
    gap: WeightGap | None = None  # judged queries without a weight; None where no weights are given
    unweighted: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # their places, ascending
    weightless: int = 0  # judged queries with a weight of 0
    unjudged: int = 0  # queries of the table that nobody judged
    unjudged_weight: float | None = None  # their share in [0, 1] of all weights that are given

    @cached_property
    def _text_numbers(self) -> Ints:
        """Return a number for each text, (q,), whatever its case, width and blanks; -1 for a query without a text."""
        plain = [" ".join(normalized("NFKC", text).lower().split()) for text in self.texts]
        numbers: dict[str, int] = {"": -1}
        return np.array([numbers.setdefault(text, len(numbers)) for text in plain], np.int64)

    def repeated_texts(self, counted: Bools) -> int | None:
        """Return how many of the queries ``counted``, (q,), share their text with another; None without texts."""
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
    ids = arrow.one_chunk(table.column("query_id"))
    at = arrow.positions(query_ids, ids)
    columns = {name: _text(table, name, at) for name in table.column_names if _is_fact(table, name)}
    texts = tuple(columns.pop("text", ()))
    heading, groups = cluster_heading(table), columns.pop("cluster", None)
    if heading is not None and groups is not None and heading in named:  # the policy says what the column is
        columns[heading], groups = groups, None
    values = {name: len(set(column) - {""}) for name, column in columns.items()}
    segments = {
        own: columns[own] for own, n in values.items() if (n <= MOST_NAMED if own in named else 1 < n <= MOST_EXPLORED)
    }
    facts = Facts(
        clusters=None if groups is None else _clusters(groups),
        texts=texts,
        segments=segments,
        unsplit={name: n for name, n in values.items() if name not in segments},
        unknown=int(np.count_nonzero(at < 0)),
        unjudged=len(ids) - int(np.count_nonzero(at >= 0)),
    )
    if "weight" not in table.column_names:
        return facts
    given = arrow.as_numpy(arrow.one_chunk(table.column("weight").fill_null(np.nan)))
    if np.isinf(given).any() or (given < 0).any():
        raise ComparisonError("The table of queries has weights below 0, or infinite ones: use numbers of at least 0.")
    return _weighed(facts, given, at, ids, query_ids, queries.missing_weight or 0.0)


def _is_fact(table: pa.Table, name: str) -> bool:
    """Return whether a column is a text or a segment."""
    return name not in ("query_id", "weight") and not pa.types.is_timestamp(table.schema.field(name).type)


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


def check_weights(queries: Queries | None, facts: Facts) -> None:
    """Raise ComparisonError where too many queries lack a weight and nobody decided on it, or no query would count."""
    if queries is None:
        return
    decided = queries.missing_weight
    if facts.gap is None:
        if decided is not None:
            where = queries.source.name or "the table of queries"
            raise ComparisonError(f"missing_weight is {decided:g}, but there is no column of weights in {where}.")
        return
    if facts.gap.is_large and decided is None:
        raise UnweightedError(facts.gap, queries.source.name)
    if facts.weights is not None and len(facts.weights) and not facts.weights.any():
        raise ComparisonError(
            "Every judged query weighs 0 in the table of queries, so no query would count. Give the queries that count "
            "a weight above 0, under the ids that the judgments have, or leave the column of weights out."
        )


def _lacks(gap: WeightGap) -> str:
    lacking = _named(gap.lacking, gap.count)
    if gap.given is None and gap.others:
        return (
            f"no judged query ({lacking}) has a weight; the table is about others, such as {_named(gap.others)}. If "
            "these are the same queries, write their ids alike."
        )
    judged = f"{gap.of:,} judged {'query' if gap.of == 1 else 'queries'}"
    return (
        f"{gap.count:,} of {judged} {'has' if gap.count == 1 else 'have'} no weight ({lacking}), more than "
        f"{MOST_UNWEIGHTED:.0%}."
    )


def _decision(gap: WeightGap) -> str:
    """Return the sentence that asks for a decision, and says how to give it."""
    where = "on the command line, missing_weight= in Python, or the question on the page."
    if 0 not in gap.answers:
        return f"To count every query once, use --missing-weight 1 {where}"
    given = ""
    if gap.given is not None:
        least, most = map(number, gap.given)
        given = f" The weights given {f'go from {least} to {most}' if least != most else f'are all {most}'}."
    return f"Choose 0 (ignore them) or 1 (count each once): --missing-weight {where}{given}"


def _named(ids: Sequence[str], of: int = 0) -> str:
    """Return a few ids, quoted, long ones cut; "…" behind them where there are more."""
    shown = ", ".join(repr(text if len(text) <= _LONGEST_ID else f"{text[:_LONGEST_ID]}…") for text in ids)
    return f"{shown} …" if of > len(ids) else shown


def places_of(queries: Collection[str], query_ids: pa.Array) -> tuple[int, ...]:
    """Return the places of some queries among the judged queries, ascending."""
    return tuple(arrow.places(arrow.from_strings(list(queries)), query_ids).tolist())


def _text(table: pa.Table, name: str, at: npt.NDArray[np.int64]) -> npt.NDArray[np.object_]:
    values = np.array([*table.column(name).to_pylist(), ""], object)
    return np.where(at >= 0, values[at], "")


def _weighed(
    facts: Facts, given: Floats, at: npt.NDArray[np.int64], ids: pa.Array, query_ids: pa.Array, instead: float
) -> Facts:
    """Return the facts with weights: those ``given`` by row of the table, ``instead`` where there is none."""
    own = np.append(given, np.nan)[at]  # -1, where the table does not hold a query, is the NaN behind the others
    lacking = np.isnan(own)
    weights = np.where(lacking, instead, own)
    largest = weights.max(initial=0.0)
    if largest > _LARGEST_WEIGHT:  # only proportions matter, and sums are numbers
        weights = weights / largest
    unweighted = np.flatnonzero(lacking)
    gap = WeightGap(
        len(unweighted),
        len(own),
        _first(query_ids, unweighted),
        _first(ids, np.setdiff1d(np.arange(len(ids)), at)),
        None if lacking.all() else (float(np.nanmin(own)), float(np.nanmax(own))),
    )
    return replace(
        facts,
        weights=weights,
        gap=gap,
        unweighted=unweighted,
        weightless=int(np.count_nonzero(own == 0)),
        unjudged_weight=_share(given, at),
    )


def _first(ids: pa.Array, rows: npt.NDArray[np.int64]) -> tuple[str, ...]:
    return tuple(ids.take(arrow.from_numpy(rows[:_EXAMPLES])).to_pylist())


def _share(given: Floats, at: npt.NDArray[np.int64]) -> float | None:
    """Return the share of all weights that the queries without judgments have; None where all weights are 0."""
    weights = np.nan_to_num(given / np.fmax(np.nanmax(given, initial=0.0), np.finfo(float).tiny))
    total = float(weights.sum())
    rest = weights.copy()
    rest[at[at >= 0]] = 0.0
    return float(rest.sum()) / total if total else None
