"""A ranked run after edits of a few queries: these are ranked again, everything else is kept."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.judged.fingerprints import Prints
from rankdash.judged.order import Findings, Order
from rankdash.judged.pool import Pool
from rankdash.judged.ranked import RankedRun, ranked
from rankdash.metrics.lists import JudgedRun
from rankdash.metrics.segments import Bools, Ints
from rankdash.tables import Judgments, Run

#: Up to this many queries, comparing the whole column with each is faster than looking up every row.
_FEW = 8
_Tops = TypeVar("_Tops", Ints, Prints)
_Rows = TypeVar("_Rows", Run, Judgments)


@dataclass(frozen=True)
class Ranking:
    """A run, and the judgments that it is ranked against."""

    run: Run
    pool: Pool


def spliced(base: RankedRun, old: Ranking, new: Ranking, query_ids: pa.Array, order: Order, depth: int) -> RankedRun:
    """Return what ``ranked`` returns for the new run and judgments, from ``base``, its result for the old ones.

    ``query_ids`` names every query that differs; old and new must have the same judged queries in the same order.
    """
    edited = np.zeros(new.pool.queries, bool)
    at = arrow.positions(query_ids, new.pool.query_ids)
    edited[at[at >= 0]] = True
    before, _ = _only(old, query_ids, order, depth)
    part, rows = _only(new, query_ids, order, depth)
    findings = _difference(base.findings, before.findings) + part.findings
    lists, document = _lists(base, part, old.pool, new.pool, edited)
    kept_row = base.top_row
    if new.run is not old.run:
        kept_row = _moved(base.top_row, old.run, new.run, query_ids)
    kept_judgment, shift = base.top_judgment, _shift(old.pool, new.pool)
    if shift.any():
        kept_judgment = kept_judgment + np.where(kept_judgment >= 0, shift[:, None], 0)
    return RankedRun(
        lists,
        document,
        _with(kept_row, edited, np.append(rows, -1)[part.top_row[edited]]),
        _with(base.top_print, edited, part.top_print[edited]),
        _with(kept_judgment, edited, part.top_judgment[edited]),
        np.where(edited, part.duplicates, base.duplicates),
        np.where(edited, part.tied_rows, base.tied_rows),
        np.where(edited, part.by_rank, base.by_rank),
        findings,
    )


def _with(kept: _Tops, edited: Bools, part: _Tops) -> _Tops:
    """Return first ranks with those of the edited queries replaced; the same array where nothing changes."""
    if np.array_equal(kept[edited], part):
        return kept
    result = kept.copy()
    result[edited] = part
    return result


def _only(ranking: Ranking, query_ids: pa.Array, order: Order, depth: int) -> tuple[RankedRun, Ints]:
    """Return some queries of a run, ranked, and which row of the whole table each of their rows is."""
    small, rows = only(ranking.run, query_ids)
    return ranked(small, ranking.pool, order, depth), rows


def only(whole: _Rows, query_ids: pa.Array) -> tuple[_Rows, Ints]:
    """Return the rows of some queries of a run or of judgments, and which row of the whole table each of them is."""
    rows = np.flatnonzero(_rows_of(whole, query_ids)).astype(np.int64)
    names = whole.table.column_names
    columns = [arrow.taken(whole.table.column(name), rows) for name in names]
    return replace(whole, table=pa.Table.from_arrays(columns, names=names)), rows


def _rows_of(whole: Run | Judgments, query_ids: pa.Array) -> Bools:
    ids = arrow.one_chunk(whole.table.column("query_id"))
    some, codes = np.flatnonzero(arrow.positions(ids.dictionary, query_ids) >= 0), arrow.codes(ids)
    if len(some) <= _FEW:
        rows = np.zeros(len(codes), bool)
        for code in some:
            rows |= codes == np.int32(code)
        return rows
    among = np.zeros(len(ids.dictionary), bool)
    among[some] = True
    every: Bools = among[codes]
    return every


def _lists(base: RankedRun, part: RankedRun, old: Pool, new: Pool, edited: Bools) -> tuple[JudgedRun, Ints]:
    """Return the hits of both runs, by query; those that are kept point at the new judgments."""
    kept = np.flatnonzero(~edited[base.lists.query])
    document = base.document[kept] + _shift(old, new)[base.lists.query[kept]]
    columns = [
        np.concatenate((getattr(base.lists, name)[kept], getattr(part.lists, name)))
        for name in ("query", "rank", "tie_first", "tie_last")
    ]
    by_query = np.argsort(columns[0], kind="stable")
    query, rank, first, last = (column[by_query] for column in columns)
    document = np.concatenate((document, part.document))[by_query]
    length = np.where(edited, part.lists.length, base.lists.length)
    return JudgedRun(length, query, rank, first, last, new.relevance[document], new.judged), document


def _shift(old: Pool, new: Pool) -> Ints:
    """Return by how much the first judgment of each query has moved, (q,)."""
    queries = np.arange(new.queries)
    shift: Ints = np.searchsorted(new.query, queries) - np.searchsorted(old.query, queries)
    return shift


def _moved(rows: Ints, old: Run, new: Run, query_ids: pa.Array) -> Ints:
    """Return rows of the old table as rows of the new one; rows of edited queries may become -1."""
    if old.table.column("query_id").equals(new.table.column("query_id")):
        return rows
    kept_old, kept_new = (np.flatnonzero(~_rows_of(run, query_ids)) for run in (old, new))
    to_new: npt.NDArray[np.int64] = np.full(len(old.table) + 1, -1, np.int64)
    to_new[kept_old] = kept_new
    return to_new[rows]


def _difference(whole: Findings, part: Findings) -> Findings:
    return Findings(*(getattr(whole, axis.name) - getattr(part, axis.name) for axis in fields(Findings)))
