"""The rows that a comparability check is about: which queries, which documents. Names and counts, no words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.judged import SIDES, Side
from rankdash.judged.pool import fingerprints, pair_prints, repeats, subtopics_of
from rankdash.records import frozen
from rankdash.scoring.comparison import Comparison
from rankdash.scoring.rankings import shown_texts, tied_among

Ints = npt.NDArray[np.int64]
#: More rows than this are counted, and not listed.
MOST = 100_000


@frozen
class Concern:
    """The rows behind one finding.

    ``name`` is missing, strange, without_relevant, alike, unweighted, unjudged, conflicts, duplicates or ties;
    ``count`` how many rows there are; ``table`` the first 100,000 of them, columns of text: model ("A", "B", where it
    applies), query_id, and doc_id, rank_a, rank_b, kept, other, rank, score where they apply.
    """

    name: str
    count: int
    table: pa.Table

    def examples(self, most: int = 3) -> tuple[Mapping[str, str], ...]:
        """Return the first rows, by the names of their columns."""
        return tuple(self.table.slice(0, most).to_pylist())


def concerns(comparison: Comparison) -> tuple[Concern, ...]:
    """Return the rows behind every finding, in the order of the names in ``Concern``; those without rows too."""
    return tuple(_concern(name, rows_of(comparison)) for name, rows_of in _ROWS_OF.items())


_Columns = dict[str, list[Any]]


def _concern(name: str, columns: _Columns) -> Concern:
    count = len(next(iter(columns.values())))
    arrays = [arrow.from_strings([_text(value) for value in values[:MOST]]) for values in columns.values()]
    return Concern(name, count, pa.Table.from_arrays(arrays, names=list(columns)))


def _text(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _both(rows_of: Callable[[Comparison, Side], _Columns], comparison: Comparison) -> _Columns:
    """Return the rows of A, then those of B, with the side in front."""
    parts = [rows_of(comparison, side) for side in SIDES]
    sizes = [len(next(iter(part.values()))) for part in parts]
    models = [side.upper() for side, size in zip(SIDES, sizes, strict=True) for _ in range(size)]
    return {"model": models} | {name: [*parts[0][name], *parts[1][name]] for name in parts[0]}


def _missing(comparison: Comparison, side: Side) -> _Columns:
    absent = np.flatnonzero((comparison.scored[f"length_{side}"] == 0) & comparison.sample.everywhere().counted)
    return {"query_id": [comparison.query_ids[i] for i in absent.tolist()]}


def _strange(comparison: Comparison, side: Side) -> _Columns:
    ids = arrow.one_chunk(comparison.joined.run(side).table.column("query_id"))
    used = arrow.distinct(arrow.codes(ids))
    unknown = used[arrow.positions(ids.dictionary, comparison.joined.pool.query_ids)[used] < 0]
    return {"query_id": ids.dictionary.take(arrow.from_numpy(unknown.astype(np.int64))).to_pylist()}


def _without_relevant(comparison: Comparison) -> _Columns:
    good = np.add(*comparison.scored.pair("relevant"))
    without = np.flatnonzero((good == 0) & comparison.sample.everywhere().counted & comparison.is_judged)
    return {"query_id": [comparison.query_ids[i] for i in without.tolist()]}


def _alike(comparison: Comparison) -> _Columns:
    """Return the judged documents where all have the same grade."""
    table = comparison.joined.judgments.table
    are_alike = len(comparison.scored.scope.grades) == 1
    rows = np.arange(len(table) if are_alike else 0)
    return {**_pairs(table, rows), "kept": arrow.as_numpy(arrow.one_chunk(table.column("relevance")))[rows].tolist()}


def _unjudged(comparison: Comparison) -> _Columns:
    documents, shown = comparison.shown.documents, comparison.shown
    at = np.flatnonzero(~documents.judged)
    last = np.iinfo(np.int64).max
    rank_a, rank_b = (np.where(ranks[at] > 0, ranks[at], last) for ranks in (documents.rank_a, documents.rank_b))
    at = at[np.lexsort((documents.query[at], np.minimum(rank_a, rank_b)))]
    ids = shown_texts(comparison.joined, shown, at[:MOST]).tolist()
    ranks = {f"rank_{side}": _ranks(values[at]) for side, values in (("a", documents.rank_a), ("b", documents.rank_b))}
    return {"query_id": [comparison.query_ids[i] for i in documents.query[at].tolist()], "doc_id": ids, **ranks}


def _ranks(values: Ints) -> list[str]:
    return [str(value) if value > 0 else "" for value in values.tolist()]


def _repeated(table: pa.Table, subtopic: Ints | None = None) -> tuple[Ints, Ints]:
    """Return the rows whose query and document, and subtopic, stand in an earlier row, and the earlier rows."""
    query = arrow.codes(arrow.one_chunk(table.column("query_id"))).astype(np.int64)
    if subtopic is not None:
        query = query * (int(subtopic.max(initial=0)) + 2) + subtopic + 1
    text = Text.of(table.column("doc_id"))
    prints = pair_prints(fingerprints(text, slice(0, len(text))), query)
    return repeats(prints, query, text, np.arange(len(query)))


def _conflicts(comparison: Comparison) -> _Columns:
    table = comparison.joined.judgments.table
    some = comparison.scored.noticed.conflicts
    again, first = _repeated(table, subtopics_of(table)) if some else (np.zeros(0, np.int64),) * 2
    grades = arrow.as_numpy(arrow.one_chunk(table.column("relevance")))
    differ = np.flatnonzero(grades[again] != grades[first])
    again, first = again[differ], first[differ]
    return {**_pairs(table, again), "kept": grades[first].tolist(), "other": grades[again].tolist()}


def _duplicates(comparison: Comparison, side: Side) -> _Columns:
    table = comparison.joined.run(side).table
    some = comparison.scored.noticed.findings(side).duplicates
    again = np.sort(_repeated(table)[0]) if some else np.zeros(0, np.int64)
    return _pairs(table, again)


def _ties(comparison: Comparison, side: Side) -> _Columns:
    """Return the rows of the first k + 1 places that have the score of a neighbour."""
    order, depth = comparison.order, comparison.policy.cutoff + 1
    joined = comparison.joined.reaching(depth)
    table = joined.run(side).table
    query, place = np.nonzero(tied_among(joined, side, order, depth))
    at = joined.ranked(side, order).top_row[query, place]
    scores = [] if not len(at) else arrow.as_numpy(arrow.one_chunk(table.column("score")))[at].tolist()
    return {**_pairs(table, at), "rank": _ranks(place + 1), "score": scores}


def _pairs(table: pa.Table, rows: Ints) -> _Columns:
    place = arrow.from_numpy(rows.astype(np.int64))
    ids = arrow.one_chunk(table.column("query_id")).take(place)
    docs = arrow.one_chunk(table.column("doc_id")).take(place)
    return {"query_id": ids.to_pylist(), "doc_id": docs.to_pylist()}


_ROWS_OF: Mapping[str, Callable[[Comparison], _Columns]] = {
    "missing": lambda comparison: _both(_missing, comparison),
    "strange": lambda comparison: _both(_strange, comparison),
    "without_relevant": _without_relevant,
    "alike": _alike,
    "unweighted": lambda compared: {"query_id": [compared.query_ids[i] for i in compared.facts.unweighted.tolist()]},
    "unjudged": _unjudged,
    "conflicts": _conflicts,
    "duplicates": lambda comparison: _both(_duplicates, comparison),
    "ties": lambda comparison: _both(_ties, comparison),
}
