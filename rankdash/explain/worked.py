"""``explain``: one list walked from rank 1 down."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import STANDARD, Convention, preset
from rankdash.explain.records import Explanation, Ideal, Rank
from rankdash.explain.terms import ADDS, BELOW, Step, no_denominator, nothing
from rankdash.judged import Order, pooled, ranked, ranked_rows
from rankdash.metrics import Lists, Measure, MeasureError, parse_measure, score
from rankdash.metrics.lists import gains
from rankdash.metrics.segments import Bools, Floats, Ints
from rankdash.tables import Judgments, Run


def explain(
    run: Run,
    judgments: Judgments,
    measure: str | Measure,
    query_id: str,
    convention: str | Convention = STANDARD,
) -> Explanation:
    """The worked calculation of one measure on one query of a run.

    A query that the run does not answer has an empty list. MeasureError for a measure that does not exist or compares
    two lists, and for a query without judgments.
    """
    active = preset(convention) if isinstance(convention, str) else convention
    measure = parse_measure(measure, active) if isinstance(measure, str) else measure
    if measure.compares_lists:
        raise MeasureError(f"{measure.name} compares two lists; it has no calculation of its own.")
    measure = _with_max_grade(measure, judgments)
    judgments = Judgments(judgments.table.take(arrow.from_numpy(_rows(judgments.table, query_id))))
    if not len(judgments.table):
        raise MeasureError(f"The query {query_id!r} has no judgments.")
    rows = _rows(run.table, query_id)
    own = replace(run, table=run.table.take(arrow.from_numpy(rows)))
    pool, order = pooled(judgments), Order.of(measure.convention)
    joined = ranked(own, pool, order, depth=1)
    value = float(score(joined.lists, [measure])[0, 0])
    lists = Lists(joined.lists, measure.convention)
    walked = _walk(own, query_id, judgments, measure, order, lists)
    walked = replace(walked, row=rows[walked.row])
    ranks = tuple(_ranks(walked))
    ideal = tuple(_ideal(lists, measure)) if measure.key in ("nDCG", "IDCG") else ()
    counted = [rank for rank in ranks if rank.counted]
    below, below_is = BELOW.get(measure.key, no_denominator)(lists, measure)
    above = float(walked.adds.sum())
    return Explanation(
        measure,
        query_id,
        None if math.isnan(value) else value,
        above,
        below,
        below_is,
        ranks,
        ideal,
        int(lists.judged_relevant[0]),
        len(pool.relevance),
        sum(rank.relevance is None for rank in counted),
        any(walked.tied[i] and walked.cut_inside[i] for i in range(len(ranks))),
    )


def _with_max_grade(measure: Measure, judgments: Judgments) -> Measure:
    """ERR with the largest grade of all judgments written into it: that of one query would give another number."""
    if measure.key != "ERR" or dict(measure.parameters)["max_grade"] is not None:
        return measure
    largest = max(0.0, float(_numbers(judgments.table, "relevance").max(initial=0.0)))
    return replace(measure, parameters=(("max_grade", largest),))


def _rows(table: pa.Table, query_id: str) -> Ints:
    return arrow.rows_of(arrow.one_chunk(table.column("query_id")), query_id)


def _numbers(table: pa.Table, name: str) -> Floats:
    return arrow.as_numpy(arrow.one_chunk(table.column(name))).astype(np.float64, copy=False)


@dataclass(frozen=True)
class _Walk:
    """One list from rank 1 down; all arrays are (n,)."""

    doc_ids: list[str]
    row: Ints
    place: Ints  # the rank that counts; 0: condensed lists leave the document out
    relevance: Floats  # NaN: unjudged
    relevant: Bools
    gain: Floats
    discount: Floats
    hits: Ints
    counted: Bools
    tied: Bools
    repeated: Bools
    cut_inside: Bools  # the cutoff runs through the group of equal scores
    adds: Floats


def _walk(run: Run, query_id: str, judgments: Judgments, measure: Measure, order: Order, lists: Lists) -> _Walk:
    convention = measure.convention
    row, first, last = ranked_rows(run, query_id, order)
    doc_ids = run.table.column("doc_id").take(arrow.from_numpy(row)).to_pylist()
    relevance = _relevance(doc_ids, judgments, convention)
    judged = ~np.isnan(relevance)
    place = np.cumsum(judged) * judged if convention.unjudged == "condensed" else np.arange(1, len(row) + 1)
    cut = {"Rprec": int(lists.judged_relevant[0])}.get(measure.key, measure.k or len(row))
    counted = (place > 0) & (place <= cut)
    discount = np.divide(1.0, np.log2(place + 1.0), out=np.zeros(len(row)), where=place > 0)
    relevant = relevance >= convention.rel
    gain = gains(np.nan_to_num(relevance), convention.gain)
    weight = counted * (np.ones(len(row)) if measure.key == "CG" else discount)
    if convention.ties == "average" and measure.key in ("CG", "DCG", "nDCG"):
        weight = discount = _group_means(weight, first)
    step = Step(
        place, counted & relevant, np.cumsum(relevant), gain * weight, np.nan_to_num(relevance), counted, measure
    )
    adds = ADDS.get(measure.key, nothing)(step)
    cut_inside = (first <= cut) & (last > cut)
    return _Walk(
        doc_ids, row, place, relevance, relevant, gain, discount, step.hits, counted, last > first,
        _repeated(run, doc_ids), cut_inside, adds,
    )  # fmt: skip


def _repeated(run: Run, doc_ids: list[str]) -> Bools:
    """Which documents the run, which is of one query alone, holds more than once."""
    if len(run.table) == len(doc_ids):
        return np.zeros(len(doc_ids), bool)
    counts = Counter(run.table.column("doc_id").to_pylist())
    return np.array([counts[doc_id] > 1 for doc_id in doc_ids], bool)


def _relevance(doc_ids: list[str], judgments: Judgments, convention: Convention) -> Floats:
    """The relevance of each document under the convention, NaN where it counts as unjudged; the first grade counts."""
    grades: dict[str, float] = {}
    for doc_id, grade in zip(
        judgments.table.column("doc_id").to_pylist(), _numbers(judgments.table, "relevance"), strict=True
    ):
        grades.setdefault(doc_id, float(grade))
    relevance = np.array([grades.get(doc_id, np.nan) for doc_id in doc_ids])
    instead = 0.0 if convention.negative == "clip" else np.nan
    return np.where(relevance < 0, instead, relevance)


def _group_means(values: Floats, group: Ints) -> Floats:
    """The mean over each group of equal scores, (n,)."""
    _, at, size = np.unique(group, return_inverse=True, return_counts=True)
    means: Floats = (np.bincount(at, weights=values) / size)[at]
    return means


def _ranks(walk: _Walk) -> Iterator[Rank]:
    known = (None if math.isnan(grade) else grade for grade in walk.relevance.tolist())
    arrays = (
        walk.relevant, walk.gain, walk.discount, walk.hits, walk.adds, np.cumsum(walk.adds), walk.counted, walk.tied,
        walk.repeated, walk.row,
    )  # fmt: skip
    columns = (array.tolist() for array in arrays)
    for place, doc_id, relevance, *rest in zip(walk.place.tolist(), walk.doc_ids, known, *columns, strict=True):
        yield Rank(place or None, doc_id, relevance, *rest)


def _ideal(lists: Lists, measure: Measure) -> Iterator[Ideal]:
    """The ideal list, as far as it counts."""
    _, rank, gain = lists.ideal
    _, relevance = lists.pool
    cut = measure.k if measure.k is not None and measure.convention.ideal_cut == "k" else len(rank)
    by_gain = sorted(relevance, key=lambda grade: -float(gains(np.array([grade]), measure.convention.gain)[0]))
    running = 0.0
    for i in range(min(cut, len(rank))):
        discount = 1 / math.log2(rank[i] + 1)
        running += gain[i] * discount
        yield Ideal(
            int(rank[i]), float(by_gain[i]), float(gain[i]), discount, float(gain[i] * discount), float(running)
        )
