"""Two runs in order against one set of judgments, the ends of their ties, and the documents that they show."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash import arrow, judged
from rankdash.conventions import SHIFTS, Convention, Gains
from rankdash.evidence.documents import ABSENT, Documents
from rankdash.judged import SIDES, Order, Pool, RankedRun, Side, Top, are_apart, matches, pooled, ranked, top
from rankdash.metrics import ListPair, Lists, Measure, score
from rankdash.metrics.dcg import ideal_dcg
from rankdash.metrics.lists import JudgedRun, gains, same_as_before
from rankdash.records import cached_property, field, frozen, remembered, replace
from rankdash.tables import Items, Judgments, Queries, Run

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_KEPT = 64  # values of measures that a run keeps


class ComparisonError(ValueError):
    """Two runs that cannot be compared at all: nothing says which documents are relevant."""


@frozen
class RunRankings:
    """One run against judgments, in every order of ties. Each order is computed when it is first needed.

    A ranking depends on these fields alone. Another thread and the swapped comparison share this object, and so its
    rankings and values. ``own`` marks the judgments that count for this run, (j,); None: all of them.
    """

    is_whole = True  # whether the table holds all rows
    run: Run
    pool: Pool
    depth: int
    own: Bools | None = None
    _made: dict[Order, RankedRun] = field(default_factory=dict, init=False, repr=False, compare=False)
    _scored: dict[Hashable, Floats] = field(default_factory=dict, init=False, repr=False, compare=False)

    def ranked(self, order: Order) -> RankedRun:
        """Return the run in an order of ties."""
        order = self.decisive(order)
        if order not in self._made:
            run = ranked(self.run, self.pool, order, self.depth)
            self._made[order] = run if self.own is None else judged.with_own(run, self.own)
        return self._made[order]

    def decisive(self, order: Order) -> Order:
        """Return the usual order of ties where the run was in it and has none: the ranking is the same."""
        usual = replace(order, ties=Order.ties)
        there = self._made.get(usual)
        return usual if there is not None and not there.findings.tied_rows else order


@frozen
class Rankings:
    """Two runs against one set of judgments, in order. Axis q: the queries of the judgments, in order of appearance.

    ``depth`` is the number of first ranks that are kept by row. A ranking is computed once per order of ties, from the
    content of the tables: the names of ``a`` and ``b`` do not matter. Where the column ``only_for`` of the judgments
    says for which run a grade is, each run is scored with its own grades alone, also in its ideal list and R.
    """

    a: Run
    b: Run
    judgments: Judgments
    pool: Pool
    depth: int
    by_side: Mapping[Side, RunRankings]

    def __repr__(self) -> str:
        return f"Rankings({self.a!r}, {self.b!r}, {self.judgments!r})"

    @property
    def items(self) -> Items | None:
        """The table of items, where there is one."""
        return None if self.pool.known is None else self.pool.known.items

    @property
    def is_whole(self) -> bool:
        """Whether the tables hold all rows of both runs."""
        return all(rankings.is_whole for rankings in self.by_side.values())

    def run(self, side: Side) -> Run:
        """Return the run of a side."""
        return self.a if side == "a" else self.b

    def lists(self, side: Side) -> int:
        """Return how many queries a run answers, judged or not."""
        return len(arrow.distinct(arrow.codes(arrow.one_chunk(self.run(side).table.column("query_id")))))

    def decisive(self, side: Side, order: Order) -> Order:
        """Return the simplest order in which a run has the same ranking."""
        return self.by_side[side].decisive(order)

    def ranked(self, side: Side, order: Order) -> RankedRun:
        """Return the run of a side in an order of ties."""
        return self.by_side[side].ranked(order)

    @property
    def apart(self) -> bool:
        """Whether A and B share no documents, and each has grades of its own."""
        return are_apart(self.judgments)

    def both(self, a: Order, b: Order | None = None) -> tuple[RankedRun, RankedRun]:
        """Return both runs in order, A by ``a`` and B by ``b``, or both by ``a``."""
        return self.ranked("a", a), self.ranked("b", a if b is None else b)

    def shared(self, orders: tuple[Order, Order], depth: int) -> ListPair:
        """Return the documents in the first ranks of both A and B, to ``depth`` or to the ends of the lists.

        Fast where that many ranks are kept by row; else both runs are put in order again. The order of ties does not
        matter, because neither overlap nor RBO depends on it.
        """
        a, b = self.reaching(depth).both(*orders)
        top_a, top_b = (top(run, lists, depth) for run, lists in ((self.a, a), (self.b, b)))
        in_b = matches(top_a, top_b)
        in_a = np.flatnonzero(in_b >= 0)
        ranks = top_a.rank[in_a], top_b.rank[in_b[in_a]]
        return ListPair(a.lists.length, b.lists.length, top_a.query[in_a], *ranks, *ranks)

    def scores(self, side: Side, measures: tuple[Measure, ...]) -> Floats:
        """Return per-query values of a run, (measures, q); NaN where undefined or left out."""
        deepest = max((one.k or 0 for one in measures if one.definition.of_items is not None), default=0)
        if deepest > self.depth and (deep := self.reaching(deepest)) is not self:
            return deep.scores(side, measures)
        run, nothing = self.by_side[side], np.full(self.pool.queries, np.nan)
        is_judged = bool(len(self.pool.row))  # without judgments no list has a value; how much is judged is known
        known = dict(run._scored)  # another thread may empty it
        new = {one.meaning: one for one in measures if one.meaning not in known}
        for order in {Order.of(measure.convention) for measure in new.values()}:
            at = [
                one for one in new.values() if Order.of(one.convention) == order and (is_judged or one.key == "Judged")
            ]
            known.update(zip([one.meaning for one in at], score(run.ranked(order).lists, at), strict=True))
        if len(run._scored) > _KEPT:
            run._scored.clear()
        run._scored.update((one, known[one]) for one in new if one in known)
        rows = [known.get(measure.meaning, nothing) for measure in measures]
        return np.array(rows, np.float64).reshape(len(rows), self.pool.queries)

    def reaching(self, depth: int) -> Rankings:
        """Return these rankings where so many first ranks are kept by row, or all ranks; else deeper rankings."""
        deep = self.depth if self.depth >= depth else min(depth, max(_longest(self.a), _longest(self.b)))
        if deep <= self.depth:
            return self
        by_side = {side: replace(rankings, depth=deep) for side, rankings in self.by_side.items()}
        return replace(self, depth=deep, by_side=by_side)

    def swapped(self, judgments: Judgments) -> Rankings:
        """Return what ``join`` returns for B and A; both objects share their rankings.

        ``judgments`` are those of this object as ``swapped_judgments`` returns them.
        """
        by_side = {side: self.by_side[judged.OTHER[side]] for side in SIDES}
        return replace(self, a=self.b, b=self.a, judgments=judgments, by_side=by_side)


def join(
    a: Run,
    b: Run,
    judgments: Judgments | None = None,
    *,
    depth: int = 10,
    items: Items | None = None,
    queries: Queries | None = None,
) -> Rankings:
    """Return both runs in order against the judgments; without judgments, against the grades in the runs.

    ``depth`` is the number of first ranks that are kept by row, for lists on a screen and for what changed in the top
    k. Where no document has a grade the queries are those of the runs, and nothing about them is judged.
    """
    judgments = judgments or judged.inline_judgments(a, b)
    pool = pooled(judgments) if judgments is not None else judged.without_judgments(a, b)
    judgments = judgments or judged.no_judgments()
    pool = pool.knowing(judgments, items, queries)
    depth = min(depth, max(_longest(a), _longest(b)))
    own = {side: judged.own_grades(judgments, pool, side) if are_apart(judgments) else None for side in SIDES}
    by_side = {side: RunRankings(run, pool, depth, own[side]) for side, run in zip(SIDES, (a, b), strict=True)}
    return Rankings(a, b, judgments, pool, depth, by_side)


def join_each(
    runs: Sequence[Run],
    judgments: Judgments | None,
    *,
    depth: int,
    items: Items | None = None,
    queries: Queries | None = None,
    one: Callable[[Run, Judgments, int, Items | None, Queries | None], RunRankings] | None = None,
) -> Callable[[int, int], Rankings]:
    """Return what ``join`` would return for two of several runs, by their numbers; each run is put in order once.

    ``one`` returns a run in order, to a depth, for callers that share it between calls. Without judgments, or with
    grades for one side alone, each pair is joined by itself.
    """
    if judgments is None or are_apart(judgments):
        return lambda a, b: join(runs[a], runs[b], judgments, depth=depth, items=items, queries=queries)
    depth = min(depth, max(map(_longest, runs)))
    if one is None:
        pool = pooled(judgments).knowing(judgments, items, queries)
        each = [RunRankings(run, pool, depth) for run in runs]
    else:
        each = [one(run, judgments, depth, items, queries) for run in runs]
        pool = each[0].pool
    return lambda a, b: Rankings(runs[a], runs[b], judgments, pool, depth, {"a": each[a], "b": each[b]})


@remembered
def _longest(run: Run) -> int:
    """Return how many rows the query with the most rows has: no more ranks need be kept."""
    codes = arrow.codes(run.array("query_id"))
    starts = np.flatnonzero(~same_as_before(codes))  # rows of a query are mostly contiguous
    return int(np.bincount(codes[starts], weights=np.diff(starts, append=len(codes))).max(initial=0))


def scores_at_tie_end(joined: Rankings, side: Side, measures: tuple[Measure, ...], *, best: bool) -> Floats:
    """Return per-query values of a run, (measures, q), with every group of equal scores in its best or worst order for
    each measure.
    """
    values = np.empty((len(measures), joined.pool.queries))
    ends: dict[tuple[Order, float, str | Gains], list[int]] = {}
    for at, measure in enumerate(measures):
        convention, axes = measure.convention, measure.definition.axes
        rel = convention.rel if "rel" in axes else 1.0
        if rel <= 0 and convention.negative == "clip":
            rel = -np.inf  # a grade below 0 is read as 0, and that is relevant
        gain = convention.gain if "gain" in axes and isinstance(convention.gain, Gains) else "linear"
        ends.setdefault((Order.of(convention), rel, gain), []).append(at)
    for (order, rel, gain), rows in ends.items():
        run = joined.ranked(side, order)
        lists = at_tie_end(run.lists, best=best, rel=rel, gain=gain) if run.findings.tied_rows else run.lists
        values[rows] = score(lists, [measures[row] for row in rows])
    return values


def has_tie_ends(measure: Measure) -> bool:
    """Return whether no order of ties gives a higher value than the best by grade, or a lower one than the worst.

    AP@k over the hits falls where one more relevant document comes into the first k at their end.
    """
    if measure.definition.of_items is not None or measure.fades:
        return False  # what is known of documents decides, not their grades alone
    return measure.key != "AP" or measure.k is None or measure.convention.ap_denominator != "hits"


def at_tie_end(run: JudgedRun, *, best: bool, rel: float = 1.0, gain: str | Gains = "linear") -> JudgedRun:
    """Return the lists with each group of equal scores ordered by what a grade is worth: what gains or is relevant
    first (or last), the other graded documents last (or first), and those without a grade between them. No tie remains.
    """
    tied = np.flatnonzero(run.tie_first < run.tie_last)  # the hits of a group are contiguous
    query, first, last = run.query[tied], run.tie_first[tied], run.tie_last[tied]
    grade = run.relevance[tied]
    worth = grade if isinstance(gain, str) else gains(grade, gain)
    order = np.lexsort((-worth if best else worth, first, query))
    starts = np.flatnonzero(~same_as_before(query, first))
    size = np.diff(starts, append=len(tied))
    place = np.arange(len(tied)) - np.repeat(starts, size)
    in_front = ((worth > 0) | (grade >= rel))[order] == best
    ranks, moved = run.tie_first.copy(), dict[str, Any]()
    ranks[tied] = np.where(in_front, first + place, last - (np.repeat(size, size) - 1 - place))
    for name in ("relevance", "document", "age"):
        values = getattr(run, name)
        if values is not None:
            moved[name] = values.copy()
            moved[name][tied] = values[tied][order]
    return replace(run, rank=ranks, tie_first=ranks, tie_last=ranks, **moved)


def tied_places(joined: Rankings, side: Side, order: Order, k: int) -> Bools:
    """Return which of the first k places hold a document with the score of a neighbour, (q, at most k).

    The neighbour may stand at place k + 1: where fewer first ranks are kept, the run is put in order again.
    """
    return tied_among(joined.reaching(k + 1), side, order, k + 1)[:, :k]


def tied_among(joined: Rankings, side: Side, order: Order, depth: int) -> Bools:
    """Return which of the first ``depth`` places have the score of a neighbour among them, (q, at most ``depth``)."""
    run = joined.run(side)
    rows = joined.ranked(side, order).top_row[:, :depth]
    tied = np.zeros(rows.shape, bool)
    if run.ordered_by == "score" and len(run.table):
        scores = arrow.as_numpy(run.array("score"))[np.maximum(rows, 0)]
        with np.errstate(over="ignore"):
            values = np.where(rows >= 0, scores.astype(order.score_type), np.nan)
        same = (values[:, 1:] == values[:, :-1]) & np.isfinite(values[:, 1:])
        tied[:, 1:] = same
        tied[:, :-1] |= same
    return tied


@frozen
class ShownDocuments:
    """Every document in the top k of A or B, once per query. Axes: d these documents, q the judged queries.

    ``row_a`` and ``row_b`` are rows of the runs' tables, -1 where that list does not hold the document in its top k.
    """

    documents: Documents
    row_a: Ints  # (d,)
    row_b: Ints  # (d,)
    ideal: Floats  # (q,) IDCG@k over all judged documents
    ideal_lists: tuple[Ints, Ints, Floats]  # query, rank and gain of every document of the ideal lists
    k: int

    @cached_property
    def ideal_gains(self) -> Floats:
        """Return the gains of each query's best judged documents, highest first, filled up with 0, (q, w).

        w is k, or less where no list would grow to k if every unjudged document were relevant.
        """
        query, rank, gain = self.ideal_lists
        unjudged = np.bincount(self.documents.query[~self.documents.judged], minlength=1)
        width = min(self.k, int(rank.max(initial=0)) + int(unjudged.max(initial=0)))
        top = rank <= width
        best = np.zeros((len(self.ideal), max(width, 1)))
        best[query[top], rank[top] - 1] = gain[top]
        return best


def shown_documents(joined: Rankings, convention: Convention, k: int) -> ShownDocuments:
    """Return the documents in the top k of A or B, with their ranks in both lists, however deep.

    k is at most the depth to which the runs were joined. The ideal list is that of all judged documents, the same for A
    and B, whatever pool the convention takes it from.
    """
    shared = convention.with_axes({"ideal": "judged", "ideal_cut": "k", "unjudged": "nonrelevant"})
    sides = [_Side.of(joined, "a", shared), _Side.of(joined, "b", shared)]
    columns = zip(_judged(joined.pool, sides, k), _unjudged(joined, sides, k), strict=True)
    *of_document, row_a, row_b = (np.concatenate(column) for column in columns)
    lists = sides[0].lists
    documents = Documents(*of_document, shift=SHIFTS[convention.discount])
    return ShownDocuments(documents, row_a, row_b, ideal_dcg(lists, k), lists.ideal, k)


def shown_texts(joined: Rankings, shown: ShownDocuments, at: Ints, column: str = "doc_id") -> npt.NDArray[np.object_]:
    """Return the ids of some shown documents, or another column of text, (at,): as A has them, or else B; "" where
    there is none.
    """
    texts = np.full(len(at), "", object)
    for run, rows in ((joined.b, shown.row_b[at]), (joined.a, shown.row_a[at])):
        there = np.flatnonzero(rows >= 0)
        own = texts_of(joined, run, rows[there], column)
        texts[there] = [text or other for text, other in zip(own, texts[there], strict=True)]
    return texts


def texts_of(joined: Rankings, run: Run, rows: Ints, column: str = "doc_id") -> list[str]:
    """Return the ids of the documents in some rows of a run, or another column of text: as the table of items has it,
    where the run has no such column; "" where there is none.
    """
    at, known = arrow.from_numpy(rows.astype(np.int64)), joined.pool.known
    if column in run.table.column_names:
        return [text or "" for text in run.table.column(column).take(at).to_pylist()]
    return [""] * len(rows) if known is None else known.texts(column, arrow.one_chunk(run.table["doc_id"].take(at)))


def order_of_ids(joined: Rankings, shown: ShownDocuments) -> Ints:
    """Return the place of each unjudged document in the order of query id and document id, (d,), which decides where
    all else is equal.
    """
    unjudged = np.flatnonzero(~shown.documents.judged)
    doc_ids, query_ids = shown_texts(joined, shown, unjudged), joined.pool.query_ids.to_pylist()
    pairs = [(query_ids[query], doc) for query, doc in zip(shown.documents.query[unjudged], doc_ids, strict=True)]
    place = np.zeros(len(shown.row_a), np.int64)
    place[unjudged[sorted(range(len(pairs)), key=pairs.__getitem__)]] = np.arange(len(pairs))
    return place


@frozen
class _Side:
    """One run: its judged documents by judgment, and its first ranks."""

    ranked: RankedRun
    lists: Lists
    rank: Ints  # (j,) by judgment of the pool, 0 where the list does not hold the document
    condensed: Ints  # (j,) rank among judged documents

    @classmethod
    def of(cls, joined: Rankings, side: Side, convention: Convention) -> _Side:
        ranked = joined.ranked(side, Order.of(convention))
        lists = Lists(ranked.lists, convention)
        among_judged = Lists(ranked.lists, convention.with_axes({"unjudged": "condensed"}))
        kept = ranked.lists.document
        kept = kept if convention.negative == "clip" else kept[ranked.lists.relevance >= 0]
        rank, condensed = np.zeros((2, len(joined.pool.query)), np.int64)
        rank[kept], condensed[kept] = lists.rank, among_judged.rank
        return cls(ranked, lists, rank, condensed)


_Columns = tuple[npt.NDArray[Any], ...]


def _judged(pool: Pool, sides: list[_Side], k: int) -> _Columns:
    """Return judged documents in either top k: the columns of ``Documents``, then both rows."""
    a, b = sides
    at = np.flatnonzero(_within(a.rank, k) | _within(b.rank, k))
    gain = gains(np.maximum(pool.relevance[at], 0.0), a.lists.convention.gain)
    rows = [_rows_of(side.ranked, pool.query[at], side.rank[at], k) for side in sides]
    judged = np.ones(len(at), bool)
    return (pool.query[at], a.rank[at], b.rank[at], gain, judged, a.condensed[at], b.condensed[at], *rows)


def _unjudged(joined: Rankings, sides: list[_Side], k: int) -> _Columns:
    """Return the same columns of the unjudged documents, each once: first of A, then of B alone."""
    a, b = (_unjudged_of(run, side, k) for run, side in zip((joined.a, joined.b), sides, strict=True))
    in_b = matches(a, b)
    common = np.flatnonzero(in_b >= 0)
    new = np.delete(np.arange(len(b.row)), in_b[common])
    size = len(a.row) + len(new)
    rank_a, rank_b = np.full((2, size), ABSENT, np.int64)
    row_a, row_b = np.full((2, size), -1, np.int64)
    rank_a[: len(a.row)], row_a[: len(a.row)] = a.rank, a.row
    rank_b[common], row_b[common] = b.rank[in_b[common]], b.row[in_b[common]]
    rank_b[len(a.row) :], row_b[len(a.row) :] = b.rank[new], b.row[new]
    query, nothing = np.concatenate((a.query, b.query[new])), np.zeros(size, np.int64)
    return (query, rank_a, rank_b, np.zeros(size), np.zeros(size, bool), nothing, nothing, row_a, row_b)


def _unjudged_of(run: Run, side: _Side, k: int) -> Top:
    """Return the unjudged documents in the top k of one run."""
    judgment = side.ranked.top_judgment[:, :k]
    counts = (judgment >= 0) & (side.rank[np.maximum(judgment, 0)] > 0) if len(side.rank) else judgment >= 0
    return top(run, side.ranked, k, ~counts)


def _rows_of(ranked: RankedRun, query: Ints, rank: Ints, k: int) -> Ints:
    """Return the row of the run's table at each rank of the top k, -1 outside it."""
    inside = _within(rank, k)
    rows = np.full(len(rank), -1, np.int64)
    rows[inside] = ranked.top_row[query[inside], rank[inside] - 1]
    return rows


def _within(rank: Ints, k: int) -> npt.NDArray[np.bool_]:
    return (rank > ABSENT) & (rank <= k)
