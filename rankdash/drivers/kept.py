"""Two runs of which only the first ranks and the judged documents are kept, against judgments.

A comparison, its verdict and its neighbouring settings read nothing else, with one exception: whether two lists are the
same to their ends. Where the first ranks do not tell, both runs are read again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.comparison.rankings import Rankings, RunRankings
from rankdash.judged import Order, Pool, RankedRun, Side, all_ranked_rows, same_tops
from rankdash.judged.splicing import only
from rankdash.metrics import ListPair
from rankdash.reading.pieces import WholeNeededError
from rankdash.tables import Run

Bools = npt.NDArray[np.bool_]
#: Reads a run again, and yields it in blocks of whole lists.
Again = Callable[[Side], Iterator[Run]]


class NotKeptError(WholeNeededError):
    """The whole lists are needed, or an order of ties that the runs were not put in."""


@dataclass(frozen=True)
class KeptRun(RunRankings):
    """A run in each order that it was put in while it was read; ``run`` has the rows of the first ranks."""

    by_order: Mapping[Order, RankedRun] = None  # type: ignore[assignment]  # the fields of a ranking have defaults

    def ranked(self, order: Order) -> RankedRun:
        """Return the run in an order of ties. NotKeptError for one that it was not put in."""
        if order not in self.by_order:
            raise NotKeptError(f"the run was not put in {order}")
        return self.by_order[order]

    def decisive(self, order: Order) -> Order:
        """Return the order as it is: the run was put in it."""
        return order

    def is_quick(self, order: Order) -> bool:
        """Return whether the run was put in this order."""
        return order in self.by_order


@dataclass(frozen=True)
class KeptRankings(Rankings):
    """Two runs in order, their lists as far as they are kept; ``longest`` is the length of the longest list."""

    longest: int
    again: Again

    def shared(self, orders: tuple[Order, Order], depth: int) -> ListPair:
        """Return the documents in the first ranks of both A and B. NotKeptError beyond the ranks that are kept."""
        self.reaching(depth)
        return super().shared(orders, min(depth, self.depth))

    def reaching(self, depth: int) -> Rankings:
        """Return these rankings. NotKeptError beyond the ranks that are kept."""
        if min(depth, self.longest) > self.depth:
            raise NotKeptError(f"{self.depth} first ranks are kept, not {depth}")
        return self

    def identical(self, order: Order, among: Bools | None = None) -> Bools:
        """Return whether the lists of both runs are the same to their ends, (q,); False outside the queries
        ``among``.
        """
        a, b = self.both(order)
        alike: Bools = same_tops(self.a, a, self.b, b, self.depth) & (a.lists.length == b.lists.length)
        if among is not None:
            alike &= among
        longer = np.flatnonzero(alike & (a.lists.length > self.depth))
        if len(longer):
            digests = [_digests(self.again(side), self.pool, order, longer) for side in ("a", "b")]
            alike[longer] = [of_a == of_b for of_a, of_b in zip(*digests, strict=True)]
        return alike


def _digests(blocks: Iterator[Run], pool: Pool, order: Order, queries: npt.NDArray[np.int64]) -> list[bytes]:
    """Return the SHA-256 of each query's documents in their order, each id with its length, so that no two lists have
    the same bytes. WholeNeededError where a list is missing.
    """
    query_ids = pool.query_ids.take(arrow.from_numpy(queries))
    digests: dict[int, bytes] = {}
    for block in blocks:
        some, _ = only(block, query_ids)
        query, rows, _ = all_ranked_rows(some, pool, order)
        ids = arrow.one_chunk(some.table.column("doc_id")).take(arrow.from_numpy(rows))
        edges = np.flatnonzero(np.diff(query, prepend=-1, append=-1))
        for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            text = Text.of(ids.slice(start, end - start))
            digest = hashlib.sha256(np.diff(text.offsets.astype(np.int64)).tobytes())
            digest.update(text.data[text.offsets[0] : text.offsets[-1]].tobytes())
            digests[int(query[start])] = digest.digest()
    try:
        return [digests[query] for query in queries.tolist()]
    except KeyError:  # the file has changed since
        raise WholeNeededError from None
