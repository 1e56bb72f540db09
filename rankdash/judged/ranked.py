"""Runs in order and against their judgments: whole, for one side, after edits, and list by list beside another.

Lists are sorted only where they are not, ties broken only where there are ties, and duplicates dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.conventions import Convention
from rankdash.judged.pool import (
    BLOCK,
    Index,
    Pool,
    Prints,
    by_bytes,
    fingerprints,
    occurring_twice,
    pair_prints,
    repeats,
    same_text,
    without_judgments,
)
from rankdash.metrics.lists import Bools, Ints, JudgedRun, positions, same_as_before
from rankdash.metrics.similarity import ListPair
from rankdash.notes import Findings
from rankdash.records import frozen
from rankdash.tables import Judgments, Run

Numbers = npt.NDArray[Any]  # float64 or float32 scores, int32 or float64 ranks
_Values = TypeVar("_Values", bound=npt.NDArray[Any])


@frozen
class Order:
    """The order of equal scores: how ties are broken, and the type in which scores are compared."""

    ties: str = "docid_desc"
    score_type: str = "float64"

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, convention: Convention) -> Order:
        """Return the order of a convention; ``average`` keeps the tie groups and orders them by id, descending."""
        return cls("docid_desc" if convention.ties == "average" else convention.ties, convention.score_type)


@frozen
class Block:
    """Rows of whole lists, list after list: the rows of the table, and the list (or query) that each belongs to."""

    rows: slice | Ints
    query: Ints  # (rows,) the pool's query, or a number beyond it for a query without judgments


@frozen
class OrderColumns:
    """The columns of a run that decide its order, as numpy arrays; None for a column that the run does not have."""

    ordered_by: str
    text: Text
    score: Numbers | None
    rank: Numbers | None

    @classmethod
    def of(cls, run: Run) -> OrderColumns:
        """Return the columns of a run's table, without copies."""
        named = {
            name: arrow.as_numpy(run.array(name)) if name in run.table.column_names else None
            for name in ("score", "rank")
        }
        return cls(run.ordered_by, Text.of(run.table.column("doc_id")), **named)


@frozen
class Blocks:
    """A run cut into blocks of whole lists. Rows of a query that are not contiguous are gathered first."""

    columns: OrderColumns
    gathered: Ints | None  # (rows,) rows by query; None where they are in that order already
    starts: Ints  # (lists + 1,) where each list begins, and the end of the last
    query: Ints  # (lists,) the pool's query of each list, numbers beyond the pool for queries without judgments

    @classmethod
    def of(cls, run: Run, pool: Pool) -> Blocks:
        """Return the lists of a run, each with the number of its query in the pool."""
        ids = run.array("query_id")
        codes, gathered = arrow.codes(ids), None
        starts = np.flatnonzero(~same_as_before(codes))
        if len(arrow.distinct(codes[starts])) < len(starts):
            gathered = np.argsort(arrow.brief(codes), kind="stable")
            codes = codes[gathered]
            starts = np.flatnonzero(~same_as_before(codes))
        query = arrow.positions(ids.dictionary, pool.query_ids)[codes[starts]] if len(codes) else np.empty(0, np.int64)
        query = np.where(query < 0, pool.queries + np.arange(len(query)), query)
        return cls(OrderColumns.of(run), gathered, np.append(starts, len(codes)), query)

    def __iter__(self) -> Iterator[Block]:
        edges = np.flatnonzero(np.diff(self.starts[:-1] // BLOCK, prepend=-1))
        for first, last in pairwise(np.append(edges, len(self.query)) if len(edges) else edges):
            start, stop = int(self.starts[first]), int(self.starts[last])
            sizes = np.diff(self.starts[first : last + 1])
            rows = slice(start, stop) if self.gathered is None else self.gathered[start:stop]
            yield Block(rows, np.repeat(self.query[first:last], sizes))


@frozen
class RankedRows:
    """Rows of a block in ranked order, duplicates gone. ``tied``: the row has the score of the row above it."""

    rows: Ints
    query: Ints
    prints: Prints
    pairs: Prints  # fingerprints of (query, document)
    place: Ints  # rank in the list, from 1
    tied: Bools
    findings: Findings
    tied_query: Ints  # the query of each row with the score of a neighbour, duplicates among them


def in_order(columns: OrderColumns, block: Block, order: Order) -> RankedRows:
    """Return the rows of a block in ranked order: sorted, ties broken, duplicates removed."""
    query, rows, prints = block.query, block.rows, fingerprints(columns.text, block.rows)
    rows = np.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows
    key, by_score, instead = _sort_key(columns, block, order)
    follows = same_as_before(query)
    pairs = pair_prints(prints, query)
    if (follows[1:] & (key[1:] > key[:-1])).any():
        # Each list by key, highest first; the lists stay where they are.
        moved = np.lexsort((-key, arrow.brief(np.cumsum(~follows))))
        key, by_score = key[moved], by_score[moved]
        rows, prints, pairs = rows[moved], prints[moved], pairs[moved]
    tied = np.zeros(len(key), bool)
    tied[1:] = follows[1:] & (key[1:] == key[:-1]) & by_score[1:]
    neighbours, twice, place = _neighbours(tied), occurring_twice(pairs), positions(query)
    if order.ties != "input_order" and tied.any():
        # Groups of equal scores are sorted by document id, compared as bytes.
        at = np.flatnonzero(neighbours)
        by_id, _ = by_bytes(columns.text, rows[at], np.cumsum(~tied[at]), descending=order.ties == "docid_desc")
        moved = at[by_id]
        rows, prints = _exchanged(rows, at, moved), _exchanged(prints, at, moved)
        pairs = _exchanged(pairs, at, moved)
    findings = _findings(columns, rows, key, follows, tied, instead)
    repeated, _ = repeats(pairs, query, columns.text, rows, twice)
    tied_query = query[neighbours]
    if len(repeated):
        keep = np.ones(len(rows), bool)
        keep[repeated] = False
        rows, query, prints, pairs = rows[keep], query[keep], prints[keep], pairs[keep]
        key, by_score = key[keep], by_score[keep]
        follows = same_as_before(query)
        place = positions(query)
        tied = follows & by_score
        tied[1:] &= key[1:] == key[:-1]
        findings += Findings(duplicates=len(repeated))
    return RankedRows(rows, query, prints, pairs, place, tied, findings, tied_query)


def _exchanged(values: _Values, at: Ints, by: Ints) -> _Values:
    """Return the values, those at the places ``at`` replaced by those at the places ``by``."""
    result = values.copy()
    result[at] = values[by]
    return result


def _sort_key(columns: OrderColumns, block: Block, order: Order) -> tuple[Numbers, Bools, int]:
    """Return the sort key of each row, highest first; whether it is a score; how many lists go by rank instead."""
    rows = len(block.query)
    nothing, everything = np.zeros(rows, bool), np.ones(rows, bool)
    if columns.ordered_by == "position":
        return np.zeros(rows), nothing, 0
    if columns.ordered_by == "rank":
        assert columns.rank is not None
        return -columns.rank[block.rows].astype(np.float64), nothing, 0
    assert columns.score is not None
    with np.errstate(over="ignore"):  # beyond float32 a score is infinite, as it is for the tools that use float32
        score = columns.score[block.rows].astype(order.score_type, copy=False)
    finite = np.isfinite(columns.score[block.rows])
    if finite.all():
        return score, everything, 0
    lists = np.cumsum(~same_as_before(block.query)) - 1
    broken = np.bincount(lists, weights=~finite)[lists] > 0
    position = np.arange(rows) if columns.rank is None else columns.rank[block.rows]
    key = np.where(broken, -position.astype(np.float64), score)
    return key, ~broken, len(arrow.distinct(block.query[broken]))


def tie_spans(ordered: RankedRows, at: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Return first and last rank of the group of equal scores in which each of the rows ``at`` stands, two (at,)."""
    first, last = place[at], place[at]
    grouped = np.flatnonzero(_neighbours(ordered.tied)[at])
    if not len(grouped):
        return first, last
    starts = np.append(np.flatnonzero(~ordered.tied), len(place))
    group = np.searchsorted(starts, at[grouped], side="right") - 1
    first[grouped] = place[starts[group]]
    last[grouped] = first[grouped] + np.diff(starts)[group] - 1
    return first, last


def _neighbours(tied: Bools) -> Bools:
    """Return the rows that have the score of the row above or below them, (rows,)."""
    neighbours = tied.copy()
    neighbours[:-1] |= tied[1:]
    return neighbours


def _findings(columns: OrderColumns, rows: Ints, key: Numbers, follows: Bools, tied: Bools, instead: int) -> Findings:
    """Return what the order of a block shows: ties, and where rank and score disagree."""
    other = columns.rank if columns.ordered_by == "score" else columns.score
    disagreements = 0
    if columns.ordered_by != "position" and other is not None:
        seen = other[rows] if columns.ordered_by == "score" else -other[rows]
        disagreements = int((follows[1:] & (seen[1:] < seen[:-1]) & (key[1:] != key[:-1])).sum())
    return Findings(
        rows=len(rows),
        lists=int((~follows).sum()),
        tied_rows=int(_neighbours(tied).sum()),
        disagreements=disagreements,
        by_rank_instead=instead,
        level=_level(follows, tied),
    )


def _level(follows: Bools, tied: Bools) -> int:
    """Return the number of lists of several rows that all have the score of the row above them."""
    if not tied.any():
        return 0
    starts = np.flatnonzero(~follows)
    has_steps = np.maximum.reduceat(follows & ~tied, starts)
    return int(((np.diff(starts, append=len(follows)) > 1) & ~has_steps).sum())


@frozen
class RankedRun:
    """A run in order, and against its judgments. ``lists`` is what measures read; axes as there, and d first ranks."""

    lists: JudgedRun
    top_row: Any  # (q, d) int32, the row of its table at each of the first ranks, -1 behind its end
    top_print: Prints  # (q, d) fingerprint of that document, 0 where the list has ended
    top_judgment: Any  # (q, d) int32, which judgment of the pool it is, -1 where it is unjudged
    list_print: Prints  # (q,) fingerprint of the whole list, 0 where there is none
    tied_rows: Ints  # (q,) rows whose score equals a neighbour's
    findings: Findings  # of all lists, judged or not


def ranked(run: Run, pool: Pool, order: Order, depth: int) -> RankedRun:
    """Return the run's lists in order, joined to the judgments; the first ``depth`` ranks are kept by row."""
    blocks, filter_, queries = Blocks.of(run, pool), pool.filter, pool.queries
    text, findings, tied = blocks.columns.text, Findings(), [np.empty(0, np.int64)]
    length = np.zeros(queries, np.int64)
    top_row, top_judgment = np.full((2, queries, depth), -1, np.int32)
    top_print, whole = np.zeros((queries, depth), np.uint64), np.zeros(queries, np.uint64)
    hits = [np.empty((5, 0), np.int64)]  # query, rank, first and last rank of the tie group, judgment
    for block in blocks:
        ordered = in_order(blocks.columns, block, order)
        query, place = ordered.query, ordered.place
        at, judgment = filter_.matches(ordered.pairs, text, ordered.rows)
        hits.append(np.array([query[at], place[at], *tie_spans(ordered, at, place), judgment]))
        judgment_of = np.full(len(query), -1, np.int64)
        judgment_of[at] = judgment
        starts, is_judged = np.flatnonzero(place == 1), query < queries
        judged = is_judged[starts]
        length[query[starts][judged]] = np.diff(np.append(starts, len(query)))[judged]
        # Odd multiples of random numbers: lists that differ in a document or a place nearly never have one sum.
        weighted = ordered.prints * (2 * place + 1).astype(np.uint64)
        whole[query[starts][judged]] = np.add.reduceat(weighted, starts)[judged]
        here = np.flatnonzero((place <= depth) & is_judged)
        to = query[here], place[here] - 1
        top_row[to], top_print[to], top_judgment[to] = ordered.rows[here], ordered.prints[here], judgment_of[here]
        tied.append(ordered.tied_query[ordered.tied_query < queries])
        findings += ordered.findings + Findings(unjudged_queries=int((~judged).sum()))
    query, rank, first, last, document = np.concatenate(hits, axis=1)
    if (query[1:] < query[:-1]).any():
        by_query = np.argsort(query, kind="stable")  # within a query the ranks already rise
        query, rank, first, last, document = (hit[by_query] for hit in (query, rank, first, last, document))
    lists = pool.lists(length, query, rank, first, last, document)
    if pool.known is not None:
        lists = replace(lists, listed=pool.known.listed(run.table, top_row))
    tied_rows = np.bincount(np.concatenate(tied), minlength=queries)
    return RankedRun(lists, top_row, top_print, top_judgment, whole, tied_rows, findings)


def ranked_rows(run: Run, query_id: str, order: Order) -> tuple[Ints, Ints, Ints]:
    """Return one list: rows of the run's table in ranked order, without duplicates, and the tie group of each.

    Returns rows (n,), first and last rank of the group of equal scores (n,), (n,). Empty where the run has no list.
    """
    rows = arrow.rows_of(run.array("query_id"), query_id)
    block = Block(rows, np.zeros(len(rows), np.int64))
    if not len(rows):
        return rows, rows, rows
    ordered = in_order(OrderColumns.of(run), block, order)
    first, last = tie_spans(ordered, np.arange(len(ordered.rows)), ordered.place)
    return ordered.rows, first, last


def rows_in_order(run: Run, order: Order) -> Ints:
    """Return the rows of all lists in ranked order, list by list, without duplicates."""
    blocks = Blocks.of(run, without_judgments(run))
    return np.concatenate([np.empty(0, np.int64), *(in_order(blocks.columns, block, order).rows for block in blocks)])


def ranked_lists(run: Run, query_ids: Iterable[str], order: Order) -> dict[str, Ints]:
    """Return the rows of some lists in ranked order, without duplicates, by query; empty where the run has no list."""
    rows_of = arrow.rows_of_each(run.array("query_id"), query_ids)
    rows = np.concatenate([np.empty(0, np.int64), *rows_of.values()])
    if not len(rows):
        return rows_of
    block = Block(rows, np.repeat(np.arange(len(rows_of)), [len(some) for some in rows_of.values()]))
    ordered = in_order(OrderColumns.of(run), block, order)
    ends = np.searchsorted(ordered.query, np.arange(len(rows_of) + 1))
    return {query_id: ordered.rows[ends[at] : ends[at + 1]] for at, query_id in enumerate(rows_of)}


Side = Literal["a", "b"]
ONLY_FOR = "only_for"
SIDES: tuple[Side, Side] = ("a", "b")
OTHER: Mapping[Side, Side] = {"a": "b", "b": "a"}
#: The sides as tables write them, exchanged.
EXCHANGED = {"A": "B", "B": "A"}


def are_apart(judgments: Judgments) -> bool:
    """Return whether the judgments say which list a grade is for."""
    return ONLY_FOR in judgments.table.column_names


def own_grades(judgments: Judgments, pool: Pool, side: Side) -> Bools:
    """Return which judgments of the pool are for the list of a side, alone or with the other, (j,).

    ValueError where there is no such side.
    """
    if side not in ("a", "b"):
        raise ValueError(f'side is {side!r}; it can be "a", "b" or None')
    said = judgments.array(ONLY_FOR)
    mine: Bools = (arrow.positions(said, arrow.from_strings([side.upper(), ""])) >= 0)[pool.row]
    return mine


def with_own(ranked_run: RankedRun, own: Bools) -> RankedRun:
    """Return a run in order against its ``own`` judgments, (j,): no other grade counts, in the list or its ideal."""
    lists = ranked_run.lists
    kept, columns = own[lists.document], ("query", "rank", "tie_first", "tie_last", "relevance", "document", "age")
    hits = {name: values[kept] for name in columns if (values := getattr(lists, name)) is not None}
    top = ranked_run.top_judgment
    mine = np.append(own, False)[top]  # -1, an unjudged document, stays -1
    return replace(
        ranked_run, lists=replace(lists, pool=lists.pool.part(own), **hits), top_judgment=np.where(mine, top, -1)
    )


def swapped_judgments(judgments: Judgments) -> Judgments:
    """Return the judgments with A and B exchanged; the same object where they do not say which list a grade is for."""
    if not are_apart(judgments):
        return judgments
    return replace(judgments, table=arrow.reworded(judgments.table, ONLY_FOR, EXCHANGED))


_Rows = TypeVar("_Rows", Run, Judgments)


def only(whole: _Rows, query_ids: pa.Array) -> tuple[_Rows, Ints]:
    """Return the rows of some queries of a run or of judgments, and which row of the whole table each of them is."""
    ids = whole.array("query_id")
    among, codes = arrow.positions(ids.dictionary, query_ids) >= 0, arrow.codes(ids)
    few = np.flatnonzero(among).tolist()
    # Comparing all rows with a few numbers takes less time than looking each row up.
    rows = np.flatnonzero(reduce(np.logical_or, [codes == one for one in few]) if 0 < len(few) < 5 else among[codes])
    names = whole.table.column_names
    columns = [arrow.one_chunk(column.take(arrow.from_numpy(rows))) for column in whole.table.columns]
    return replace(whole, table=pa.Table.from_arrays(columns, names=names)), rows


@frozen
class Top:
    """Documents among the first ranks of a run, of all queries. Axis d: documents, by query and rank."""

    text: Text  # the document ids of the run
    row: Ints  # (d,) the row of its table
    query: Ints  # (d,)
    rank: Ints  # (d,) from 1
    prints: Prints  # (d,) fingerprints of (query, document)


def top(run: Run, ranked: RankedRun, k: int, among: Bools | None = None) -> Top:
    """Return the first ``k`` ranks of a run, or those ``among`` them, (q, k)."""
    rows = ranked.top_row[:, :k]
    query, place = np.nonzero(rows >= 0 if among is None else (rows >= 0) & among)
    prints = pair_prints(ranked.top_print[query, place], query)
    return Top(Text.of(run.table.column("doc_id")), rows[query, place], query, place + 1, prints)


def matches(a: Top, b: Top) -> Ints:
    """Return the index in ``b`` of each document of ``a`` for the same query, (d,); -1 where ``b`` does not have it."""
    return Index.of(b.prints, b.text, b.row).find(a.prints, a.text, a.row)


def same_tops(a: Run, ranked_a: RankedRun, b: Run, ranked_b: RankedRun, k: int) -> Bools:
    """Return whether the first ``k`` of two runs are the same documents in the same order, (q,)."""
    same: Bools = (ranked_a.top_print[:, :k] == ranked_b.top_print[:, :k]) & (
        (ranked_a.top_row[:, :k] >= 0) == (ranked_b.top_row[:, :k] >= 0)
    )
    query, place = np.nonzero(same & (ranked_a.top_row[:, :k] >= 0))
    rows_a, rows_b = ranked_a.top_row[query, place], ranked_b.top_row[query, place]
    same[query, place] = same_text(Text.of(a.table.column("doc_id")), rows_a, Text.of(b.table.column("doc_id")), rows_b)
    whole: Bools = np.all(same, axis=1)
    return whole


def same_lists(a: Run, b: Run, pool: Pool, order: Order, among: Bools | None = None) -> Bools:
    """Return whether the lists of two runs are the same, documents and order, (q,); False outside the queries
    ``among``, whose lists are not put in order.
    """
    same: Bools = np.ones(pool.queries, bool) if among is None else among.copy()
    if not same.any():
        return same
    query_ids = pool.query_ids.take(arrow.from_numpy(np.flatnonzero(same)))
    some = ((run if same.all() else only(run, query_ids)[0]) for run in (a, b))
    (of_a, _), (of_b, _) = [whole_lists(run, pool, order) for run in some]
    same &= np.bincount(of_a.query, minlength=pool.queries) == np.bincount(of_b.query, minlength=pool.queries)
    rows_a, rows_b = (of.row[same[of.query]] for of in (of_a, of_b))
    same[of_a.query[same[of_a.query]][~same_text(of_a.text, rows_a, of_b.text, rows_b)]] = False
    return same


def whole_lists(run: Run, pool: Pool, order: Order) -> tuple[Top, Ints]:
    """Return all ranks of the judged queries of a run, and the first rank of the tie group of each document, (d,)."""
    blocks, parts = Blocks.of(run, pool), [np.empty((5, 0), np.int64)]
    for block in blocks:
        one = in_order(blocks.columns, block, order)
        first, _ = tie_spans(one, np.arange(len(one.rows)), one.place)
        parts.append(np.array([one.query, one.rows, one.place, first, one.pairs.view(np.int64)]))
    every = np.concatenate(parts, axis=1)
    every = every[:, np.argsort(every[0], kind="stable")]  # within a query the rows are in ranked order
    query, rows, ranks, first, prints = every[:, every[0] < pool.queries]
    return Top(blocks.columns.text, rows, query, ranks, prints.view(np.uint64)), first


def list_pair(a: Run, b: Run, query_ids: pa.Array, order: Order) -> ListPair:
    """Return the documents that A and B share on each of the queries, (q,) in the order of ``query_ids``."""
    pool = replace(without_judgments(a), query_ids=query_ids)
    (of_a, first_a), (of_b, first_b) = (whole_lists(run, pool, order) for run in (a, b))
    in_b = matches(of_a, of_b)
    in_a = np.flatnonzero(in_b >= 0)
    in_b = in_b[in_a]
    length_a, length_b = (np.bincount(of.query, minlength=pool.queries) for of in (of_a, of_b))
    ranks = of_a.rank[in_a], of_b.rank[in_b]
    return ListPair(length_a, length_b, of_a.query[in_a], *ranks, first_a[in_a], first_b[in_b])
