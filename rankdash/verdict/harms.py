"""The families of harm tests: the guardrails, watch measures, segments and large changes that a policy asks for.

Whether a launch is stopped is decided measure by measure, with watch measures and segments as families of their own.
Harm is claimed only if it also holds among all harm tests together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from rankdash.evidence.distributions import coin_at_most
from rankdash.evidence.paired import EXACT_UP_TO, holm
from rankdash.policy import Policy
from rankdash.policy.fields import Margins
from rankdash.records import frozen, replace
from rankdash.verdict.records import Condition, Numbers, Reading, Severe, all_of, are_met

#: Significance is 5% everywhere; it is not a field of the policy.
LEVEL = 0.05


@frozen
class Tested:
    """A guardrail, watch measure or segment compared with its margin. The bounds are None where there is no interval.

    One of the conditions ``harmless`` must hold, or the loss stops a launch; there are none if the numbers are
    undefined. If ``proof`` holds too, among all harm tests, the loss is proven. ``is_counted``: it has enough queries
    for the outcome worse; ``claimable``: it also changed on enough of them. Where less is better, ``delta`` and the
    bounds are of A - B, so that a loss is below 0.
    """

    of: Numbers
    what: str  # as people read it
    delta: float
    margin: float
    lower90: float | None
    upper90: float | None
    is_counted: bool
    claimable: bool
    harmless: tuple[Condition, ...] = ()
    proof: tuple[Condition, ...] = ()

    @property
    def stops(self) -> bool:
        """Whether the loss exceeds the margin, and a launch must not ignore it."""
        return bool(self.harmless) and not are_met((self.harmless,))

    @property
    def proven(self) -> bool:
        """Whether the loss also holds among all harm tests."""
        return self.stops and are_met(all_of(*self.proof))

    @property
    def p(self) -> float | None:
        """The p of a claim of harm: by sign flips where few queries changed, or where there is no t-test."""
        few = self.of.changed <= EXACT_UP_TO and self.of.p_flip is not None
        return self.of.p_flip if self.of.p_harm is None or few else self.of.p_harm

    @property
    def p_stop(self) -> float | None:
        """The p that stops a launch: of the t-test, else of sign flips if the loss is claimable."""
        return self.of.p_flip if self.of.p_harm is None and self.claimable else self.of.p_harm

    @property
    def within(self) -> Condition:
        """That the loss does not reach the margin."""
        if self.of.good < 0:
            return Condition(self.what, -self.delta, "<", self.margin)
        return Condition(self.what, self.delta, ">", -self.margin)

    @property
    def is_safe(self) -> tuple[Condition, ...]:
        """The conditions of which one must hold, or a loss of the margin is not ruled out; without an interval only a
        measure that changed on no query is safe.
        """
        bound = Condition(f"{self.what} lower bound", self.lower90, ">", -self.margin)
        same = Condition(f"{self.what}, up or down", abs(self.delta), "≤", 0.0)
        return (bound,) if self.lower90 is not None else (bound, same)

    @property
    def proven_loss(self) -> bool:
        """Whether the one-sided 95% upper bound is below 0."""
        return self.upper90 is not None and below(self.upper90, 0.0)

    @property
    def safe(self) -> bool:
        """Whether a loss of the margin is ruled out."""
        return are_met((self.is_safe,))

    @property
    def margins_lost(self) -> float:
        """The difference in margins; the lowest lost most."""
        return self.delta / self.margin


@frozen
class Harms:
    """Everything that may be harmed, in the policy's order, and how many harm tests there are."""

    guards: tuple[Tested, ...]
    watched: tuple[Tested, ...]
    segmented: tuple[Tested, ...]
    severe: Severe
    severe_proof: tuple[Condition, ...]
    tests: int


def harms(reading: Reading, policy: Policy, full: Reading | None = None) -> Harms:
    """Return everything that may be harmed under the policy, with what makes it harmless and what makes it a claim
    among all harm tests. ``full`` is the reading whose queries the gates count, where it is another.
    """
    whole, severe = full or reading, reading.severe or Severe(0, 0)
    sizes = {one.measure: one.size for one in (*whole.guardrails, *whole.watch)}
    guards = _measures(reading.guardrails, policy.guardrails, policy, sizes)
    watched = _measures(reading.watch, policy.watch, policy, sizes)
    segmented = _segments(reading, policy)
    if policy.inference == "fixed":
        guards, watched, segmented = (
            [replace(one, harmless=(replace(one.within, relation="≥" if one.of.good > 0 else "≤"),)) for one in group]
            for group in (guards, watched, segmented)
        )
        return Harms(tuple(guards), tuple(watched), tuple(segmented), severe, severe_proof=(), tests=0)
    groups = ([_bounded(harm) for harm in guards], _family(watched, "watch measures"), _family(segmented, "segments"))
    severe_p = severe_harm_p(severe) if severe.wins + severe.losses else np.nan
    raw = [_or_nan(harm.p) if harm.claimable else np.nan for group in groups for harm in group]
    adjusted = holm([*raw, severe_p])
    tests, of_each = int((~np.isnan(adjusted)).sum()), iter(adjusted.tolist())
    guarded, watching, segments = (
        tuple(replace(harm, proof=_proof(harm, next(of_each), tests, policy)) for harm in group) for group in groups
    )
    return Harms(guarded, watching, segments, severe, (_holds_among(tests, "big losses", next(of_each)),), tests)


def _holds_among(tests: int, what: str, p: float) -> Condition:
    """Return that a harm is significant among all harm tests, by its adjusted p."""
    return Condition(f"p of {what} among {tests} harm tests", None if np.isnan(p) else float(p), "<", LEVEL, "p")


def _proof(harm: Tested, p: float, tests: int, policy: Policy) -> tuple[Condition, ...]:
    """Return what must hold for a claim that something is harmed: enough changed queries, and its adjusted p."""
    enough = Condition(f"changes of {harm.what}", harm.of.changed, "≥", policy.harm_changed_min, "count")
    return enough, _holds_among(tests, harm.what, p)


def severe_harm_p(severe: Severe) -> float:
    """Return P(X >= losses) for X ~ Bin(wins + losses, 1/2), one-sided."""
    return coin_at_most(severe.wins, severe.wins + severe.losses)


def _measures(results: Iterable[Numbers], margins: Margins, policy: Policy, sizes: Mapping[str, float]) -> list[Tested]:
    """Return the measures that the policy names with a margin and the evidence holds."""
    found = {one.measure: one for one in results if one.delta is not None}
    named = [(found[name], margin) for name, margin in margins if name in found]
    return [_tested(one, policy.label(one.measure), margin, policy, sizes[one.measure]) for one, margin in named]


def _segments(reading: Reading, policy: Policy) -> list[Tested]:
    """Return the segments of the policy's columns that are large enough."""
    least = 0 if policy.inference == "fixed" else policy.segment_n_min
    named = [one for one in reading.segments if one.column in policy.segments and one.delta is not None]
    judged = [one for one in named if not below(one.size, least)]
    return [_tested(one, f"{one.column} “{one.value}”", policy.segment_margin, policy) for one in judged]


def _tested(result: Numbers, what: str, margin: float, policy: Policy, size: float = math.inf) -> Tested:
    """Return a result compared with its margin; ``size`` is what the gates count of it."""
    is_counted = not below(size, policy.harm_n_min)
    enough = result.changed >= policy.harm_changed_min
    low, delta, high = toward(result.good, result.lower90, result.delta, result.upper90)
    if low is None and delta and enough and result.clusters != 1:
        low = high = delta  # the same difference on enough queries: the exact test decides
    return Tested(result, what, delta or 0.0, margin, low, high, is_counted, is_counted and enough)


def toward(good: int, *numbers: float | None) -> list[float | None]:
    """Return differences, the lowest first, so that above 0 is better: if less is better, the signs are reversed."""
    return [None if number is None else good * number for number in numbers[::good]]


def _bounded(guard: Tested) -> Tested:
    """Return a guardrail with the conditions that make it harmless, where it has an interval on enough queries."""
    if guard.upper90 is None or not guard.is_counted:
        return guard
    return replace(guard, harmless=(guard.within, Condition(f"{guard.what} upper bound", guard.upper90, "≥", 0.0)))


def _family(raw: Iterable[Tested], among: str) -> list[Tested]:
    """Return those that have a p and enough queries, with the conditions that make them harmless when all are tested
    together.
    """
    family = [harm for harm in raw if harm.p_stop is not None and harm.is_counted]
    adjusted = holm([_or_nan(harm.p_stop) for harm in family]).tolist()
    return [
        replace(harm, harmless=(harm.within, Condition(f"p of {harm.what} among the {among}", p, "≥", LEVEL, "p")))
        for harm, p in zip(family, adjusted, strict=True)
    ]


def _or_nan(p: float | None) -> float:
    return np.nan if p is None else p


def above(x: float, limit: float) -> bool:
    """Return whether x > limit by more than rounding noise in the 13th decimal: .97 - .96 is not above .01."""
    return round(x - limit, 12) > 0


def below(x: float, limit: float) -> bool:
    """Return whether x < limit, in the same sense."""
    return round(x - limit, 12) < 0
