"""The families of harm tests: the guardrails, watch measures, segments and large changes that a policy asks for.

Whether a launch is stopped is decided measure by measure, with watch measures and segments as families of their own.
Harm is claimed only if it also holds among all harm tests together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from rankdash.evidence.distributions import coin_at_most
from rankdash.evidence.multiple import holm
from rankdash.evidence.signflips import EXACT_UP_TO
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
        """The p that stops a launch: that of the t-test, where there is one."""
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
    """Return what the policy asks to be kept from harm, with what stops a launch and what is proven among all harm
    tests.
    """
    groups = (_guards(reading, policy), _watched(reading, policy), _segmented(reading, policy))
    severe = reading.severe or Severe(0, 0)
    if policy.inference == "fixed":
        on_these = [tuple(replace(one, stops=one.lost, proven=one.lost) for one in group) for group in groups]
        return Harms(on_these[0], on_these[1], on_these[2], severe, severe_proven=True, tests=0)
    severe_p = severe_harm_p(severe) if severe.wins + severe.losses else np.nan
    raw = [_known(one.p) if one.claimable else np.nan for group in groups for one in group]
    adjusted = holm([*raw, severe_p])
    ends = np.cumsum([len(group) for group in groups])
    guards, watched, segmented = (
        tuple(replace(one, proven=one.stops and bool(said)) for one, said in zip(group, significant, strict=True))
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
    found = {guardrail.measure: guardrail for guardrail in reading.guardrails}
    asked = [(found[name], margin) for name, margin in policy.guardrails if name in found]
    tested = (_tested(one.measure, one, margin, policy) for one, margin in asked)
    return [replace(one, stops=one.proven_loss and one.reaches) for one in tested if one is not None]


def _watched(reading: Reading, policy: Policy) -> list[Tested]:
    """Return the watch measures with a defined p, Holm-adjusted among themselves."""
    found = {watch.measure: watch for watch in reading.watch}
    asked = [(found[name], margin) for name, margin in policy.watch if name in found]
    tested = (_tested(one.measure, one, margin, policy) for one, margin in asked)
    parts = [one for one in tested if one is not None]
    return parts if policy.inference == "fixed" else _family(parts)


def _segmented(reading: Reading, policy: Policy) -> list[Tested]:
    """Return the segments of the policy's columns that are large enough, Holm-adjusted among themselves."""
    fixed = policy.inference == "fixed"
    named = [one for one in reading.segments if one.column in policy.segments]
    judged = [one for one in named if fixed or not below(one.size, policy.segment_n_min)]
    tested = ((_tested(one.name, one, policy.segment_margin, policy), one) for one in judged)
    parts = [replace(part, what=f"{one.column} “{one.name}”", segment=one) for part, one in tested if part is not None]
    return parts if fixed else _family(parts)


def _tested(name: str, one: Guardrail | Watch | Segment, margin: float, policy: Policy) -> Tested | None:
    """Return one result compared with its margin; None where it has no difference."""
    if one.delta is None:
        return None
    claimable = one.changed is None or one.changed >= policy.harm_changed_min
    low, high = one.lower90, one.upper90
    if low is None and one.delta and one.changed is not None and claimable and one.clusters != 1:
        low = high = one.delta  # the same difference on enough queries: the exact test decides
    return Tested(name, name, one.delta, margin, one.changed, low, high, one.p_harm, one.p_flip, claimable)


def _family(raw: Iterable[Tested]) -> list[Tested]:
    """Return those with a p, each with whether it stops a launch when all of them are held together."""
    parts = [part for part in raw if part.p_stop is not None]
    adjusted = holm([_known(part.p_stop) for part in parts]).tolist()
    return [replace(part, stops=part.reaches and p < LEVEL) for part, p in zip(parts, adjusted, strict=True)]


def _known(p: float | None) -> float:
    return np.nan if p is None else p


def above(x: float, limit: float) -> bool:
    """Return whether x > limit, where a difference in the 13th decimal is rounding noise: .97 - .96 is not above
    .01.
    """
    return round(x - limit, 12) > 0


def below(x: float, limit: float) -> bool:
    """Return whether x < limit, in the same sense."""
    return round(x - limit, 12) < 0
