"""A run in order and against its judgments, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.judged.fingerprints import Prints, fingerprints
from rankdash.judged.order import Block, Blocks, Findings, Marks, NeededRows, Order, OrderColumns, in_order, tie_spans
from rankdash.judged.pool import JudgedFilter, Pool
from rankdash.metrics.lists import JudgedRun
from rankdash.metrics.segments import Ints
from rankdash.tables import Run


@dataclass(frozen=True)
class RankedRun:
    """A run in order, and against its judgments. ``lists`` is what measures read; axes as there, and d first ranks."""

    lists: JudgedRun
    document: Ints  # (h,) which judgment of the pool each hit is
    top_row: Ints  # (q, d) the row of the run's table at each of the first ranks, -1 where the list has ended
    top_print: Prints  # (q, d) fingerprint of that document, 0 where the list has ended
    top_judgment: Ints  # (q, d) which judgment of the pool it is, -1 where it is unjudged
    duplicates: Ints  # (q,) rows with a document that occurred higher in the list; removed
    tied_rows: Ints  # (q,) rows whose score equals a neighbour's
    by_rank: Ints  # (q,) 1 where the list is ordered by rank because a score is not a finite number, else 0
    findings: Findings  # of all lists, judged or not


def ranked(run: Run, pool: Pool, order: Order, depth: int) -> RankedRun:
    """Return the run's lists in order, joined to the judgments; the first ``depth`` ranks are kept by row."""
    blocks = Blocks.of(run, pool)
    filter_ = JudgedFilter.of(pool)
    return put_together([ranked_block(blocks, block, pool, filter_, order, depth) for block in blocks], pool, depth)


def put_together(parts: Sequence[RankedBlock], pool: Pool, depth: int) -> RankedRun:
    """Return the run that blocks of whole lists make up, in any order; a query is in one block only."""
    none = np.empty(0, np.int64)
    query, rank, first, last, document = (np.concatenate([none, *(part.hits[i] for part in parts)]) for i in range(5))
    if (query[1:] < query[:-1]).any():
        by_query = np.argsort(query, kind="stable")  # within a query the ranks already rise
        query, rank, first, last, document = (hit[by_query] for hit in (query, rank, first, last, document))
    queries = pool.queries
    length = np.zeros(queries, np.int64)
    top = np.full((3, queries, depth), -1, np.int64)
    for part in parts:
        length[part.queries] = part.lengths
        for i in range(3):
            top[i, part.top[0], part.top[1] - 1] = part.top[2 + i]
    lists = JudgedRun(length, query, rank, first, last, pool.relevance[document], pool.judged)
    findings = sum((part.findings for part in parts), Findings())
    top_print = np.where(top[0] >= 0, top[1].view(np.uint64), np.uint64(0))
    duplicates, tied_rows, by_rank = (
        _per_query(queries, [getattr(part.marks, axis.name) for part in parts]) for axis in fields(Marks)
    )
    return RankedRun(lists, document, top[0], top_print, top[2], duplicates, tied_rows, by_rank, findings)


def _per_query(queries: int, marked: list[Ints]) -> Ints:
    """Return how often each of the judged queries is marked, (q,)."""
    every = np.concatenate([np.empty(0, np.int64), *marked])
    return np.bincount(every[every < queries], minlength=queries)


def ranked_rows(run: Run, query_id: str, order: Order) -> tuple[Ints, Ints, Ints]:
    """Return one list: rows of the run's table in ranked order, without duplicates, and the tie group of each.

    Returns rows (n,), first and last rank of the group of equal scores (n,), (n,). Empty where the run has no list.
    """
    rows = arrow.rows_of(arrow.one_chunk(run.table.column("query_id")), query_id)
    block = Block(rows, np.zeros(len(rows), np.int64))
    if not len(rows):
        return rows, rows, rows
    prints = fingerprints(Text.of(run.table.column("doc_id")), rows)
    ordered = in_order(OrderColumns.of(run), block, order, prints)
    first, last = tie_spans(ordered, np.arange(len(ordered.rows)), ordered.place)
    return ordered.rows, first, last


def ranked_lists(run: Run, query_ids: Iterable[str], order: Order) -> dict[str, Ints]:
    """Return the rows of some lists in ranked order, without duplicates, by query; empty where the run has no list."""
    rows_of = arrow.rows_of_each(arrow.one_chunk(run.table.column("query_id")), query_ids)
    rows = np.concatenate([np.empty(0, np.int64), *rows_of.values()])
    if not len(rows):
        return rows_of
    block = Block(rows, np.repeat(np.arange(len(rows_of)), [len(some) for some in rows_of.values()]))
    ordered = in_order(OrderColumns.of(run), block, order, fingerprints(Text.of(run.table.column("doc_id")), rows))
    ends = np.searchsorted(ordered.query, np.arange(len(rows_of) + 1))
    return {query_id: ordered.rows[ends[at] : ends[at + 1]] for at, query_id in enumerate(rows_of)}


def all_ranked_rows(run: Run, pool: Pool, order: Order) -> tuple[Ints, Ints, Ints]:
    """Return every list of a run, judged or not, without duplicates: query, row of the table and rank of each document.

    Each is (d,), list after list; a query without judgments has a number beyond those of the pool.
    """
    blocks = Blocks.of(run, pool)
    parts = [np.empty((3, 0), np.int64)]
    for block in blocks:
        ordered = in_order(blocks.columns, block, order, fingerprints(blocks.columns.text, block.rows))
        parts.append(np.array([ordered.query, ordered.rows, ordered.place]))
    query, rows, ranks = np.concatenate(parts, axis=1)
    return query, rows, ranks


@dataclass(frozen=True)
class RankedBlock:
    """What a block of whole lists adds to a ``RankedRun``."""

    queries: Ints
    lengths: Ints
    hits: tuple[Ints, Ints, Ints, Ints, Ints]  # query, rank, first and last rank of the tie group, judgment
    top: tuple[Ints, Ints, Ints, Ints, Ints]  # query, rank, row, fingerprint, judgment
    marks: Marks
    findings: Findings


def ranked_block(
    blocks: Blocks, block: Block, pool: Pool, filter_: JudgedFilter, order: Order, depth: int
) -> RankedBlock:
    """Return a block in order, joined to the judgments; the first ``depth`` ranks are kept by row."""
    text = blocks.columns.text
    ordered = in_order(blocks.columns, block, order, fingerprints(text, block.rows), NeededRows(depth, filter_.maybe))
    query, place = ordered.query, ordered.place
    at, judgment = filter_.matches(ordered.pairs, text, ordered.rows, ordered.maybe)
    first, last = tie_spans(ordered, at, place)
    starts = np.flatnonzero(place == 1)
    is_judged = query < pool.queries
    judged = is_judged[starts]
    top = np.flatnonzero((place <= depth) & is_judged)
    judgment_of = np.full(len(query), -1, np.int64)
    judgment_of[at] = judgment
    without_judgments = Findings(unjudged_queries=int((~judged).sum()))
    return RankedBlock(
        query[starts][judged],
        np.diff(np.append(starts, len(query)))[judged],
        (query[at], place[at], first, last, judgment),
        (query[top], place[top], ordered.rows[top], ordered.prints[top].view(np.int64), judgment_of[top]),
        ordered.marks,
        ordered.findings + without_judgments,
    )
