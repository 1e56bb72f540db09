"""The input of caveats, and the record of a caveat: when it is shown and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rankdash.policy import Policy
from rankdash.verdict.records import DataChecks, Evidence, Fragility, Outcome, Primary


@dataclass(frozen=True)
class CaveatInput:
    """The facts that caveats read: the evidence, and further numbers. Shares are in [0, 1].

    ``looks`` counts the states of the data with which the verdict was looked at, ``candidates`` the models that were
    compared with this A on these judgments; ``tie_bounds`` are the mean differences under the worst and the best order
    of tied scores, ``tied_share`` the share of the first places with a tied document; ``johnson95`` is the interval
    corrected for skewness; ``weight_segment`` is the segment from which most of the weights' effect comes; ``derived``
    pairs each tolerance with the ΔGSB derived from the judgments, the policy's own (0.01) first; ``not_finite`` counts
    the lists that had to be ordered by rank; ``other_outcomes`` and ``other_deltas`` hold, by caveat id, the outcome
    and the deciding difference under its other reading, recomputed.

    ``turned`` are the models whose lists may stand on their heads, each with the order that would put them right and
    the share of rows that say so; ``level`` are sentences on models whose documents have one score, ``threshold`` is
    that on grades below 1, which gain and are not relevant.
    """

    evidence: Evidence
    delta_condensed: float | None = None
    delta_bounds: tuple[float, float] | None = None
    labels_from: Literal["A", "B"] | None = None
    delta_without_missing: float | None = None
    judgments: str = ""
    fragility: Fragility | None = None
    tie_bounds: tuple[float, float] | None = None
    tied_share: float = 0.0
    johnson95: tuple[float, float] | None = None
    bca95: tuple[float, float] | None = None
    looks: int = 1
    candidates: int = 1
    delta_unweighted: float | None = None
    largest_weight: float | None = None
    weight_segment: str = ""
    derived: tuple[tuple[float, float], ...] = ()
    not_tuned: bool = True
    duplicates: int = 0
    not_finite: int = 0
    conflicts: int = 0
    turned: tuple[tuple[Literal["A", "B"], Literal["rank", "position"], float], ...] = ()
    level: tuple[str, ...] = ()
    threshold: str = ""
    exploratory: int = 0
    cells: int = 0
    other_outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    other_deltas: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def data(self) -> DataChecks | None:
        """The data checks, where there are judgments."""
        return self.evidence.data if self.evidence.plain else None

    @property
    def unchanged(self) -> bool:
        """Whether B changes nothing that is shown or measured."""
        return self.evidence.changes_nothing

    @property
    def primary(self) -> Primary | None:
        """The primary measure as counted, where there are judgments."""
        return self.evidence.plain.primary if self.evidence.plain else None


@dataclass(frozen=True)
class CaveatRow:
    """A caveat: what it says, and whether it is ``shown`` for these facts, this policy and this outcome.

    A caveat ``of_samples`` has no meaning where the queries are all that matters.
    """

    id: str
    shown: Callable[[CaveatInput, Policy, Outcome], bool]
    says: Callable[[CaveatInput, Policy], str]
    of_samples: bool = False
