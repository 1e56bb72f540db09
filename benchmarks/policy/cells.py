"""One number beside its reference.

The references come from an earlier simulation with a generator of its own, so numbers agree within Monte-Carlo error
and a tolerance for the other generator (``Cell.allowed``), not to the digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.policy.tally import Tally

#: What is allowed for the other generator: this much, and a tenth of the distance to the nearer of 0 and 100%.
POINTS, TENTH = 0.01, 0.10


@dataclass(frozen=True)
class Cell:
    """One number beside its reference."""

    tally: Tally
    reference: str
    replicates: int
    open: bool = False

    @property
    def compared(self) -> bool:
        """Whether there is a reference."""
        return self.reference != "-"

    @property
    def ratio(self) -> bool:
        """Whether it is a ratio, not a share."""
        return self.reference.endswith("x")

    @property
    def known(self) -> float:
        """The reference as a number, in the unit of the tally."""
        value = float(self.reference.strip("≤x"))
        return value if self.ratio else value / 100

    @property
    def error(self) -> float:
        """Monte-Carlo standard error; one replicate's worth where nothing, or everything, was counted."""
        return max(self.tally.error, 1 / max(self.tally.count, 1))

    @property
    def allowed(self) -> float:
        """How far the two may be apart: two standard errors of both simulations, rounding, and the generator."""
        known = self.known
        digits = len(self.reference.strip("≤x").partition(".")[2])
        rounding = 0.5 * 10.0**-digits * (1 if self.ratio else 0.01)
        if self.ratio:
            return 2 * math.sqrt(2) * self.error + rounding + TENTH * known
        theirs = math.sqrt(max(known * (1 - known), 0.0) / self.replicates)
        return 2 * math.hypot(self.error, theirs) + rounding + POINTS + TENTH * min(known, 1 - known)

    @property
    def agrees(self) -> bool:
        """Whether the two agree; "≤" asks only that ours is not larger. True without a reference."""
        if not self.compared:
            return True
        difference = self.tally.mean - self.known
        return (difference if self.reference.startswith("≤") else abs(difference)) <= self.allowed
