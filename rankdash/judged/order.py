"""Ranked lists in order: sorted only where they are not, ties broken only where there are ties, duplicates dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.conventions import Convention
from rankdash.judged.pool import BLOCK, Pool, Prints, by_bytes, fingerprints, occurring_twice, pair_prints, repeats
from rankdash.metrics.lists import Bools, Ints, positions, same_as_before
from rankdash.records import frozen
from rankdash.tables import Run

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


#: Above this share of steps rank and score do not disagree by chance.
_MOST_STEPS = 0.5


@frozen
class Findings:
    """Counts of what was noticed while the lists of a run were put in order."""

    rows: int = 0
    lists: int = 0
    unjudged_queries: int = 0  # lists of queries without judgments; they never count
    duplicates: int = 0  # rows with a document that occurred higher in the list; removed
    tied_rows: int = 0  # rows whose score equals a neighbour's
    disagreements: int = 0  # rows where rank and score order the list differently
    by_rank_instead: int = 0  # lists ordered by rank because a score is not a finite number
    level: int = 0  # lists of several rows that all have one score

    @property
    def contradicted(self) -> float:
        """The share of the steps from row to row of a list in which rank and score disagree; 0 unless these are most:
        fewer may be an accident.
        """
        share = self.disagreements / max(self.rows - self.lists, 1)
        return share if share > _MOST_STEPS else 0.0

    def __add__(self, other: Findings) -> Findings:
        return Findings(*(getattr(self, axis.name) + getattr(other, axis.name) for axis in fields(self)))


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
