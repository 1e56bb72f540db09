"""H1 to H5: is anything proven to be harmed? Each says WORSE, and each needs less evidence than a launch."""

from __future__ import annotations

import math

from rankdash import wording
from rankdash.evidence.distributions import coin_at_most
from rankdash.verdict.families import Guard, Harm, guards, segmented, watched
from rankdash.verdict.records import Outcome, Severe
from rankdash.verdict.rule import LEVEL, Case, Need, Rule, above, below
from rankdash.verdict.voting import USABLE_VOTES, delta_gsb
from rankdash.verdict.words import on_queries, shown_interval


def _enough_to_say_worse(case: Case) -> bool:
    policy, primary = case.policy, case.primary
    return not below(primary.size, policy.harm_n_min) and primary.changed >= policy.harm_changed_min


GATE = Need(
    _enough_to_say_worse,
    lambda case: (
        f"Too little to say worse: {wording.count(math.floor(case.primary.size), 'query', 'queries')}, "
        f"{case.primary.changed} changed; {case.policy.harm_n_min} and {case.policy.harm_changed_min} are needed."
    ),
)
INTERVAL = Need(lambda case: case.primary.upper95 is not None, "The primary measure has no interval.")
GUARDED = Need(lambda case: bool(guards(case)), "The policy names no guardrail that was measured.")


def _improve(case: Case) -> bool:
    return case.policy.intent == "improve"


def _limit(margin: float) -> str:
    return wording.limit(-margin)


def _primary_harmed(case: Case) -> bool:
    primary = case.primary
    reaches = _improve(case) or not above(primary.delta or 0.0, -case.policy.primary_margin)
    return below(primary.upper95 or 0.0, 0.0) and reaches


def _primary_note(case: Case) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    if not below(primary.upper95 or 0.0, 0.0):
        return ""
    return f"A loss of {wording.signed(primary.delta)} is proven, but it is inside the limit of {_limit(margin)}."


H1 = Rule(
    "H1",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, INTERVAL),
    trips=_primary_harmed,
    observed=lambda case: case.primary.upper95 if _improve(case) else case.primary.delta,
    limit=lambda case: 0.0 if _improve(case) else -case.policy.primary_margin,
    says=lambda case: (
        f"B is worse: {wording.shown(case.policy.primary)} {wording.signed(case.primary.delta)} "
        f"({shown_interval(case.primary)}) {on_queries(case)}."
    ),
    passes=lambda case: (
        _primary_note(case) or f"No loss is proven: the 95% interval ends at {wording.end(case.primary.upper95)}."
    ),
    note=_primary_note,
    would_change=lambda case: (
        f"upper bound {wording.end(case.primary.upper95)}, needs ≥ 0"
        if _improve(case)
        else f"difference {wording.signed(case.primary.delta)}, needs > {_limit(case.policy.primary_margin)}"
    ),
)


def _bounded(case: Case) -> list[Guard]:
    return [guard for guard in guards(case) if guard.upper90 is not None]


def _worst_guard(case: Case) -> Guard:
    """The harmed guardrail that is furthest beyond its margin; the nearest to it where none is harmed."""
    return min(_bounded(case), key=lambda guard: (not guard.harmed, guard.delta / guard.margin))


def _guard_note(case: Case) -> str:
    proven = [f"{guard.what} {wording.signed(guard.delta)}" for guard in _bounded(case) if guard.proven_loss]
    return f"A loss is proven, but it is inside the limit: {', '.join(proven)}." if proven else ""


def _guards_pass(case: Case) -> str:
    each = (f"{guard.what} {wording.signed(guard.delta)}, limit {_limit(guard.margin)}" for guard in _bounded(case))
    return f"No guardrail is harmed: {'; '.join(each)}. {_guard_note(case)}".rstrip()


def _lost(harm: Guard | Harm) -> str:
    return f"{harm.what} {wording.signed(harm.delta)}, needs > {_limit(harm.margin)}"


def _guard_says(case: Case) -> str:
    worst = _worst_guard(case)
    return f"B harms {worst.what}: {wording.signed(worst.delta)}, beyond the limit of {_limit(worst.margin)}."


H2 = Rule(
    "H2",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, GUARDED, Need(lambda case: bool(_bounded(case)), "No guardrail has an interval.")),
    trips=lambda case: _worst_guard(case).harmed,
    observed=lambda case: _worst_guard(case).delta,
    limit=lambda case: -_worst_guard(case).margin,
    says=_guard_says,
    passes=_guards_pass,
    note=_guard_note,
    would_change=lambda case: _lost(_worst_guard(case)),
)


def raters_say_worse(case: Case) -> str:
    """The headline of H3."""
    losses, wins = wording.count(case.votes.bad, "loss", "losses"), wording.count(case.votes.good, "win", "wins")
    return f"Raters prefer A: {losses} against {wins}."


H3 = Rule(
    "H3",
    "harmed",
    Outcome.WORSE,
    needs=(
        Need(lambda case: case.policy.votes != "inform", "The policy only shows votes."),
        USABLE_VOTES,
        GATE,
    ),
    trips=lambda case: below(case.votes.upper95 or 0.0, 0.0),
    observed=lambda case: case.votes.upper95,
    limit=lambda case: 0.0,
    says=raters_say_worse,
    passes=lambda case: f"Raters do not object: {delta_gsb(case.votes)}.",
    would_change=lambda case: f"upper bound of ΔGSB {wording.points(case.votes.upper95)}, needs ≥ 0",
)


def _worst(case: Case) -> Harm:
    """The harmed measure or segment that lost most, in margins; the one that lost most where none is harmed."""
    return min([*watched(case), *segmented(case)], key=lambda harm: (not harm.harmed, harm.delta / harm.margin))


def _watch_says(case: Case) -> str:
    worst = _worst(case)
    return f"B harms {worst.what}: {wording.signed(worst.delta)} on {wording.count(worst.n, 'query', 'queries')}."


def _watch_passes(case: Case) -> str:
    worst = _worst(case)
    return f"Watch measures and segments: no harm is proven; the lowest is {worst.what} {wording.signed(worst.delta)}."


H4 = Rule(
    "H4",
    "harmed",
    Outcome.WORSE,
    needs=(
        GATE,
        Need(lambda case: bool(watched(case) or segmented(case)), "No watch measure and no segment can be judged."),
    ),
    trips=lambda case: _worst(case).harmed,
    observed=lambda case: _worst(case).delta,
    limit=lambda case: -_worst(case).margin,
    says=_watch_says,
    passes=_watch_passes,
    would_change=lambda case: _lost(_worst(case)),
)


def _severe(case: Case) -> Severe:
    return case.reading.severe or Severe(0, 0)


def _breaks_more(wins: int, losses: int) -> bool:
    """More severe losses than wins, and P(X >= losses) < .05 for X ~ Bin(wins + losses, 1/2)."""
    return losses > wins and coin_at_most(wins, wins + losses) < LEVEL


def _severe_allowed(case: Case) -> int:
    """The most severe losses that pass beside so many severe wins."""
    wins = losses = _severe(case).wins
    while not _breaks_more(wins, losses + 1):
        losses += 1
    return losses


def _severe_counts(case: Case) -> str:
    losses = wording.count(_severe(case).losses, "big loss", "big losses")
    return f"{losses} against {wording.count(_severe(case).wins, 'big win', 'big wins')}"


H5 = Rule(
    "H5",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, Need(lambda case: case.reading.severe is not None, "Severe changes were not counted.")),
    trips=lambda case: _breaks_more(_severe(case).wins, _severe(case).losses),
    observed=lambda case: float(_severe(case).losses),
    limit=lambda case: float(_severe_allowed(case)),
    says=lambda case: f"B breaks more queries than it rescues: {_severe_counts(case)}.",
    passes=lambda case: f"B does not break more queries than it rescues: {_severe_counts(case)}.",
    would_change=lambda case: f"{_severe_counts(case)}, needs ≤ {wording.count(_severe_allowed(case))}",
)

HARM = (H1, H2, H3, H4, H5)
