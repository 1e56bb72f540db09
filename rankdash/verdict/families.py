"""What a policy asks to be kept from harm, found in the evidence: guardrails, watch measures, segments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rankdash import wording
from rankdash.evidence.multiple import holm
from rankdash.verdict.rule import LEVEL, Case, above, below


@dataclass(frozen=True)
class Guard:
    """A guardrail with its margin. The bounds are None where there is no interval."""

    what: str
    delta: float
    lower90: float | None
    upper90: float | None
    margin: float

    @property
    def proven_loss(self) -> bool:
        """Whether the one-sided 95% upper bound is below 0."""
        return self.upper90 is not None and below(self.upper90, 0.0)

    @property
    def harmed(self) -> bool:
        """Whether a loss is proven and reaches the margin."""
        return self.proven_loss and not above(self.delta, -self.margin)

    @property
    def safe(self) -> bool:
        """Whether a loss of the margin is ruled out; without an interval only where nothing changed on any query."""
        return self.delta == 0 if self.lower90 is None else above(self.lower90, -self.margin)


@dataclass(frozen=True)
class Harm:
    """A watch measure or a segment, held against its margin; ``p`` is Holm-adjusted within its family."""

    what: str
    delta: float
    margin: float
    p: float
    n: int
    column: str = ""

    @property
    def harmed(self) -> bool:
        """Whether harm is proven and reaches the margin."""
        return not above(self.delta, -self.margin) and self.p < LEVEL


def guards(case: Case) -> list[Guard]:
    """The guardrails that the policy asks for and the evidence holds, in the policy's order."""
    found = {guardrail.measure: guardrail for guardrail in case.reading.guardrails}
    asked = [(found[name], margin) for name, margin in case.policy.guardrails if name in found]
    return [
        Guard(wording.shown(rail.measure), rail.delta, rail.lower90, rail.upper90, margin)
        for rail, margin in asked
        if rail.delta is not None
    ]


def watched(case: Case) -> list[Harm]:
    """The watch measures with a defined p, Holm-adjusted among themselves."""
    found = {watch.measure: watch for watch in case.reading.watch}
    asked = [(found[name], margin) for name, margin in case.policy.watch if name in found]
    n = case.primary.n
    return _family(
        Harm(wording.shown(watch.measure), watch.delta, margin, watch.p_harm, n)
        for watch, margin in asked
        if watch.delta is not None and watch.p_harm is not None
    )


def segmented(case: Case) -> list[Harm]:
    """The segments of the policy's columns that are large enough, Holm-adjusted among themselves."""
    policy = case.policy
    return _family(
        Harm(f"{part.column} “{part.name}”", part.delta, policy.segment_margin, part.p_harm, part.n, part.column)
        for part in case.reading.segments
        if part.column in policy.segments
        and part.n >= policy.segment_n_min
        and part.delta is not None
        and part.p_harm is not None
    )


def _family(raw: Iterable[Harm]) -> list[Harm]:
    """The same, with each p adjusted for all of them together."""
    parts = list(raw)
    adjusted = holm([part.p for part in parts]).tolist()
    return [replace(part, p=p) for part, p in zip(parts, adjusted, strict=True)]
