"""A run that comes in blocks of whole lists, of which only what a comparison reads is kept.

That is the judged documents with their ranks, the first ranks with their ids and scores, and counts. Each block is
reduced as soon as it comes, so that memory does not grow with the length of the lists, and A and B need not have their
queries in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.judged.order import Blocks, Order
from rankdash.judged.pool import JudgedFilter, Pool
from rankdash.judged.ranked import RankedBlock, RankedRun, put_together, ranked_block
from rankdash.metrics.lists import Ints
from rankdash.tables import Run

#: The columns that are kept beside the query, where the run has them.
KEPT = ("doc_id", "rank", "score")


class ScatteredError(ValueError):
    """The rows of a query stand in more than one block."""


class FirstRanks:
    """Lists in order against the judgments, block after block; the first ``depth`` ranks of each are kept by row.

    ``orders`` are all orders of ties that will be needed.
    """

    def __init__(self, pool: Pool, orders: Sequence[Order], depth: int) -> None:
        self._pool, self._depth, self._filter = pool, depth, JudgedFilter.of(pool)
        self._parts: dict[Order, list[RankedBlock]] = {order: [] for order in orders}
        self._ids: list[pa.Array] = []  # of the lists, in the order in which they came
        self._list: list[Ints] = []  # of each kept row, the number of its list
        self._tables: list[pa.Table] = []  # the kept rows
        self._seen = np.zeros(pool.queries, bool)
        self._lists = self._rows = self.longest = 0

    def add(self, run: Run) -> None:
        """Add whole lists. ScatteredError where a judged query had rows before, or the dictionary of ids is not in the
        order of the rows.
        """
        blocks = Blocks.of(run, self._pool)
        judged = blocks.query[blocks.query < self._pool.queries]
        if self._seen[judged].any() or (np.diff(blocks.codes) < 0).any():
            raise ScatteredError
        self._seen[judged] = True
        sizes = np.diff(blocks.starts)
        self.longest = max(self.longest, int(sizes.max(initial=0)))
        first = blocks.starts[:-1] if blocks.gathered is None else blocks.gathered[blocks.starts[:-1]]
        made = {order: self._ranked(blocks, order) for order in self._parts}
        kept = np.zeros(len(run.table), bool)
        for rows in (first, *(part.top[2] for parts in made.values() for part in parts)):
            kept[rows] = True
        rows = np.flatnonzero(kept)
        for order, parts in made.items():
            self._parts[order] += [self._moved(part, rows) for part in parts]
        self._keep(run, blocks, rows)

    def _ranked(self, blocks: Blocks, order: Order) -> list[RankedBlock]:
        return [ranked_block(blocks, block, self._pool, self._filter, order, self._depth) for block in blocks]

    def _moved(self, part: RankedBlock, rows: Ints) -> RankedBlock:
        """Return a block whose first ranks are rows of the table of kept rows."""
        query, rank, row, prints, judgment = part.top
        return replace(part, top=(query, rank, np.searchsorted(rows, row) + self._rows, prints, judgment))

    def _keep(self, run: Run, blocks: Blocks, rows: Ints) -> None:
        """Keep some rows: those of the first ranks, and at least one of every list."""
        ids = arrow.one_chunk(run.table.column("query_id"))
        number = np.empty(len(ids.dictionary), np.int64)
        number[blocks.codes] = self._lists + np.arange(len(blocks.codes))
        self._ids.append(ids.dictionary.take(arrow.from_numpy(blocks.codes)))
        self._list.append(number[arrow.codes(ids)[rows]])
        others = [name for name in KEPT if name in run.table.column_names]
        self._tables.append(run.table.select(others).take(arrow.from_numpy(rows)))
        self._lists += len(blocks.codes)
        self._rows += len(rows)

    def query_ids(self) -> pa.Array:
        """Return the ids of all lists in the order in which they came. ScatteredError where a list came twice."""
        ids = arrow.one_chunk(pa.chunked_array(self._ids, pa.string()))
        if len(ids.unique()) < len(ids):
            raise ScatteredError
        return ids

    def table(self, query_ids: pa.Array) -> pa.Table:
        """Return the kept rows as the table of a run; ``query_ids`` has the ids of all lists, in any order."""
        places = arrow.positions(self.query_ids(), query_ids)
        codes = places[np.concatenate([np.empty(0, np.int64), *self._list])].astype(np.int32)
        table = pa.concat_tables(self._tables)
        columns = [arrow.one_chunk(table.column(name)) for name in table.column_names]
        ids = pa.DictionaryArray.from_arrays(arrow.from_numpy(codes), query_ids)
        return pa.Table.from_arrays([ids, *columns], names=["query_id", *table.column_names])

    def ranked(self, depth: int) -> dict[Order, RankedRun]:
        """Return the run in each of the orders; ``depth`` is the same for both runs, at most that of this run."""
        return {order: put_together(parts, self._pool, depth) for order, parts in self._parts.items()}
