"""The families of harm tests: the guardrails, watch measures, segments and large changes that a policy asks for.

Whether a launch is stopped is decided measure by measure, with watch measures and segments as families of their own.
Harm is claimed only if it also holds among all harm tests together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from rankdash.evidence.distributions import coin_at_most
from rankdash.evidence.harm_signflips import EXACT_UP_TO
from rankdash.evidence.multiple import holm
from rankdash.policy import Policy
from rankdash.verdict.records import Guardrail, Reading, Segment, Severe, Watch

#: Significance is 5% everywhere; it is not a field of the policy.
LEVEL = 0.05


@dataclass(frozen=True)
class Tested:
    """A guardrail, watch measure or segment compared with its margin. The bounds are None where there is no interval.

    ``stops``: the loss exceeds the margin, and a launch must not ignore it. ``proven``: the loss also holds among all
    harm tests. ``claimable``: the measure changed on enough queries for a claim.
    """

    name: str  # of the measure, or the value of a segment
    what: str  # as people read it
    delta: float
    margin: float
    changed: int | None
    lower90: float | None
    upper90: float | None
    p_harm: float | None
    p_flip: float | None
    claimable: bool
    segment: Segment | None = None  # None: a measure, over all queries
    stops: bool = False
    proven: bool = False

    @property
    def p(self) -> float | None:
        """The p of a claim of harm: by sign flips where few queries changed, or where there is no t-test."""
        few = self.changed is not None and self.changed <= EXACT_UP_TO
        return self.p_flip if self.p_harm is None or (few and self.p_flip is not None) else self.p_harm

    @property
    def p_stop(self) -> float | None:
        """The p that stops a launch: that of the t-test, else that of sign flips where the loss is claimable."""
        return self.p_flip if self.p_harm is None and self.claimable else self.p_harm

    @property
    def reaches(self) -> bool:
        """Whether the loss reaches the margin."""
        return not above(self.delta, -self.margin)

    @property
    def lost(self) -> bool:
        """Whether the loss exceeds the margin, on exactly these queries."""
        return below(self.delta, -self.margin)

    @property
    def proven_loss(self) -> bool:
        """Whether the one-sided 95% upper bound is below 0."""
        return self.upper90 is not None and below(self.upper90, 0.0)

    @property
    def safe(self) -> bool:
        """Whether a loss of the margin is ruled out; without an interval only where nothing changed on any query."""
        return self.delta == 0 if self.lower90 is None else above(self.lower90, -self.margin)

    @property
    def margins_lost(self) -> float:
        """The difference in margins; the lowest lost most."""
        return self.delta / self.margin


@dataclass(frozen=True)
class Harms:
    """Everything that may be harmed, in the policy's order, and how many harm tests there are."""

    guards: tuple[Tested, ...]
    watched: tuple[Tested, ...]
    segmented: tuple[Tested, ...]
    severe: Severe
    severe_proven: bool
    tests: int


def harms(reading: Reading, policy: Policy) -> Harms:
    """Return everything that may be harmed under the policy, marked where it stops a launch and where the harm is
    proven among all harm tests.
    """
    groups = (_guards(reading, policy), _watched(reading, policy), _segmented(reading, policy))
    severe = reading.severe or Severe(0, 0)
    if policy.inference == "fixed":
        on_these = [tuple(replace(harm, stops=harm.lost, proven=harm.lost) for harm in group) for group in groups]
        return Harms(on_these[0], on_these[1], on_these[2], severe, severe_proven=True, tests=0)
    severe_p = severe_harm_p(severe) if severe.wins + severe.losses else np.nan
    raw = [_or_nan(harm.p) if harm.claimable else np.nan for group in groups for harm in group]
    adjusted = holm([*raw, severe_p])
    ends = np.cumsum([len(group) for group in groups])
    guards, watched, segmented = (
        tuple(
            replace(harm, proven=harm.stops and bool(is_proven))
            for harm, is_proven in zip(group, significant, strict=True)
        )
        for group, significant in zip(groups, np.split(adjusted[:-1] < LEVEL, ends[:-1]), strict=True)
    )
    return Harms(
        guards,
        watched,
        segmented,
        severe=severe,
        severe_proven=bool(adjusted[-1] < LEVEL),
        tests=int((~np.isnan(adjusted)).sum()),
    )


def severe_harm_p(severe: Severe) -> float:
    """Return P(X >= losses) for X ~ Bin(wins + losses, 1/2), one-sided."""
    return coin_at_most(severe.wins, severe.wins + severe.losses)


def _guards(reading: Reading, policy: Policy) -> list[Tested]:
    """Return the guardrails that the policy asks for and the evidence holds."""
    guardrails = {guardrail.measure: guardrail for guardrail in reading.guardrails}
    named = [(guardrails[name], margin) for name, margin in policy.guardrails if name in guardrails]
    tested = (_tested(guardrail.measure, guardrail, margin, policy) for guardrail, margin in named)
    return [
        replace(harm, what=policy.label(harm.name), stops=harm.proven_loss and harm.reaches)
        for harm in tested
        if harm is not None
    ]


def _watched(reading: Reading, policy: Policy) -> list[Tested]:
    """Return the watch measures with a defined p, Holm-adjusted among themselves."""
    watches = {watch.measure: watch for watch in reading.watch}
    named = [(watches[name], margin) for name, margin in policy.watch if name in watches]
    tested = (_tested(watch.measure, watch, margin, policy) for watch, margin in named)
    watched = [replace(harm, what=policy.label(harm.name)) for harm in tested if harm is not None]
    return watched if policy.inference == "fixed" else _family(watched)


def _segmented(reading: Reading, policy: Policy) -> list[Tested]:
    """Return the segments of the policy's columns that are large enough, Holm-adjusted among themselves."""
    fixed = policy.inference == "fixed"
    named = [segment for segment in reading.segments if segment.column in policy.segments]
    judged = [segment for segment in named if fixed or not below(segment.size, policy.segment_n_min)]
    tested = ((_tested(segment.name, segment, policy.segment_margin, policy), segment) for segment in judged)
    segmented = [
        replace(harm, what=f"{segment.column} “{segment.name}”", segment=segment)
        for harm, segment in tested
        if harm is not None
    ]
    return segmented if fixed else _family(segmented)


def _tested(name: str, result: Guardrail | Watch | Segment, margin: float, policy: Policy) -> Tested | None:
    """Return a result compared with its margin; None where it has no difference."""
    if result.delta is None:
        return None
    claimable = result.changed is None or result.changed >= policy.harm_changed_min
    low, high = result.lower90, result.upper90
    if low is None and result.delta and result.changed is not None and claimable and result.clusters != 1:
        low = high = result.delta  # the same difference on enough queries: the exact test decides
    return Tested(name, name, result.delta, margin, result.changed, low, high, result.p_harm, result.p_flip, claimable)


def _family(raw: Iterable[Tested]) -> list[Tested]:
    """Return those that have a p, marked where they stop a launch when all are tested together."""
    family = [harm for harm in raw if harm.p_stop is not None]
    adjusted = holm([_or_nan(harm.p_stop) for harm in family]).tolist()
    return [replace(harm, stops=harm.reaches and p < LEVEL) for harm, p in zip(family, adjusted, strict=True)]


def _or_nan(p: float | None) -> float:
    return np.nan if p is None else p


def above(x: float, limit: float) -> bool:
    """Return whether x > limit by more than rounding noise in the 13th decimal: .97 - .96 is not above .01."""
    return round(x - limit, 12) > 0


def below(x: float, limit: float) -> bool:
    """Return whether x < limit, in the same sense."""
    return round(x - limit, 12) < 0
