"""One run against its judgments in every order of ties that was asked for, each made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import RLock

import numpy as np
import numpy.typing as npt

from rankdash.judged import Order, Pool, RankedRun, float32_keeps, ranked, with_own
from rankdash.tables import Run

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Rankings:
    """A run in order against a pool of judgments, ``depth`` first ranks kept by row.

    Everything that a ranking depends on stands in the fields, and what was made is kept beside them: whoever shares a
    ``Rankings``, another thread or the same comparison the other way around, reads the same rankings. ``own`` marks
    the judgments that count for this run, (j,); None: all of them.
    """

    run: Run
    pool: Pool
    depth: int
    own: Bools | None = None
    _made: dict[Order, RankedRun] = field(default_factory=dict, repr=False, compare=False)
    _narrow: list[bool] = field(default_factory=list, repr=False, compare=False)  # float32 changes no list
    _lock: RLock = field(default_factory=RLock, repr=False, compare=False)

    @property
    def made(self) -> Mapping[Order, RankedRun]:
        """The rankings that were made so far."""
        with self._lock:
            return dict(self._made)

    def decisive(self, order: Order) -> Order:
        """An order without what decides nothing here: a type that tells the same scores apart, the order of ties
        where there are none. To put a long run in order once more takes longer than to find out.
        """
        with self._lock:
            if order.score_type == "float32":
                if not self._narrow:
                    self._narrow.append(float32_keeps(self.run))
                if self._narrow[0]:
                    order = replace(order, score_type="float64")
            usual = replace(order, ties=Order.ties)
            found = self._made.get(usual)
            return usual if found is not None and not found.findings.tied_rows else order

    def ranked(self, order: Order) -> RankedRun:
        """The run in an order of ties. A second thread that asks waits for the first."""
        with self._lock:
            order = self.decisive(order)
            if order not in self._made:
                found = ranked(self.run, self.pool, order, self.depth)
                self._made[order] = found if self.own is None else with_own(found, self.own)
            return self._made[order]

    def keep(self, order: Order, found: RankedRun) -> None:
        """Takes over a ranking that was made elsewhere: what ``ranked`` would return."""
        with self._lock:
            self._made[order] = found
