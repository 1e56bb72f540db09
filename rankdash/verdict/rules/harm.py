"""H1 to H5: is anything harmed? Where harm is only possible it stops a launch all the same, but nobody says "worse"."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence

from rankdash import wording
from rankdash.evidence.signflips import EXACT_UP_TO
from rankdash.verdict.records import Outcome, Severe
from rankdash.verdict.rules.families import LEVEL, Tested, above, below, severe_harm_p
from rankdash.verdict.rules.rule import Case, Doubt, Need, Rule
from rankdash.verdict.rules.voting import USABLE_VOTES, delta_gsb
from rankdash.verdict.rules.words import LOOK_AT_THESE, POSSIBLE, interval, on_queries, shown_interval

#: Below it sign flips agree with an interval of 95% that ends below 0.
_ONE_SIDED = 0.025


def _enough_to_say_worse(case: Case) -> bool:
    policy, gate = case.policy, case.gate
    return not below(gate.size, policy.harm_n_min) and gate.changed >= policy.harm_changed_min


GATE = Need(
    _enough_to_say_worse,
    lambda case: (
        f"Too little to say worse: {wording.count(math.floor(case.primary.size), 'query', 'queries')}, "
        f"{case.primary.changed} changed; {case.policy.harm_n_min} and {case.policy.harm_changed_min} are needed."
    ),
)
INTERVAL = Need(lambda case: case.primary.upper95 is not None, "The primary measure has no interval.")
GUARDED = Need(lambda case: bool(case.harms.guards), "The policy names no guardrail that was measured.")


def _improve(case: Case) -> bool:
    return case.policy.intent == "improve"


def _limit(margin: float) -> str:
    return wording.limit(-margin)


def _doubt(proven: Callable[[Case], bool], says: Callable[[Case], str]) -> Doubt:
    """Harm that stops a launch and is no claim."""
    return Doubt(proven, says, POSSIBLE, LOOK_AT_THESE)


def _primary_harmed(case: Case) -> bool:
    primary = case.primary
    reaches = _improve(case) or not above(primary.delta or 0.0, -case.policy.primary_margin)
    return below(primary.upper95 or 0.0, 0.0) and reaches


def _flips_agree(case: Case) -> bool:
    """Whether sign flips prove the loss as well, where so few queries changed that they are asked."""
    primary = case.primary
    return primary.p_flip is None or primary.changed > EXACT_UP_TO or primary.p_flip < _ONE_SIDED


def _primary_note(case: Case) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    if not below(primary.upper95 or 0.0, 0.0):
        return ""
    return f"A loss of {wording.signed(primary.delta)} is proven, but it is inside the limit of {_limit(margin)}."


def _primary_result(case: Case) -> str:
    primary = case.primary
    measured = f"{wording.shown(case.policy.primary)} {wording.signed(primary.delta)}"
    return f"{measured} ({shown_interval(primary)}) {on_queries(case)}"


H1 = Rule(
    "H1",
    "Primary measure not worse",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, INTERVAL),
    trips=_primary_harmed,
    observed=lambda case: case.primary.upper95 if _improve(case) else case.primary.delta,
    limit=lambda case: 0.0 if _improve(case) else -case.policy.primary_margin,
    must="at least",
    says=lambda case: f"B is worse: {_primary_result(case)}.",
    doubt=_doubt(
        _flips_agree,
        lambda case: (
            f"B may be worse: {_primary_result(case)}, but only {wording.count(case.primary.changed)} of them changed "
            f"and sign flips give p = {wording.p_value(case.primary.p_flip)}."
        ),
    ),
    passes=lambda case: (
        _primary_note(case) or f"No loss is proven: the 95% interval ends at {wording.signed(case.primary.upper95)}."
    ),
    note=_primary_note,
    would_change=lambda case: (
        f"upper bound {wording.signed(case.primary.upper95)}, needs ≥ 0"
        if _improve(case)
        else f"difference {wording.signed(case.primary.delta)}, needs > {_limit(case.policy.primary_margin)}"
    ),
)


def _worst(tested: Sequence[Tested]) -> Tested:
    """Return the proven harm that lost most, in margins; else what stops a launch, else the lowest."""
    return min(tested, key=lambda one: (not one.proven, not one.stops, one.margins_lost))


def _harmed(case: Case, one: Tested) -> str:
    measured = f"{one.what}: {wording.signed(one.delta)} ({interval(one.lower90, one.upper90, 90)})"
    return f"{measured} {on_queries(case, one.n)}"


def _claim(case: Case, one: Tested) -> str:
    return f"B harms {_harmed(case, one)}, beyond the limit of {_limit(one.margin)}."


def _possible(case: Case, one: Tested) -> str:
    """Return what keeps the harm from being a claim: too few queries that changed, or chance among all harm tests."""
    why = _by_chance(case)
    if not one.claimable:
        least = wording.count(case.policy.harm_changed_min)
        why = f"only {wording.count(one.changed or 0)} of them changed, {least} are needed to prove it"
    return f"Possible harm to {_harmed(case, one)}; {why}."


def _by_chance(case: Case) -> str:
    return f"among {wording.count(case.harms.tests, 'harm test', 'harm tests')} chance can do this"


def _lost(one: Tested) -> str:
    return f"{one.what} {wording.signed(one.delta)}, needs > {_limit(one.margin)}"


def _bounded(case: Case) -> list[Tested]:
    return [guard for guard in case.harms.guards if guard.upper90 is not None]


def _guard_note(case: Case) -> str:
    proven = [f"{guard.what} {wording.signed(guard.delta)}" for guard in _bounded(case) if guard.proven_loss]
    return f"A loss is proven, but it is inside the limit: {', '.join(proven)}." if proven else ""


def _guards_pass(case: Case) -> str:
    each = (f"{guard.what} {wording.signed(guard.delta)}, limit {_limit(guard.margin)}" for guard in _bounded(case))
    return f"No guardrail is harmed: {'; '.join(each)}. {_guard_note(case)}".rstrip()


H2 = Rule(
    "H2",
    "Guardrail not harmed",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, GUARDED, Need(lambda case: bool(_bounded(case)), "No guardrail has an interval.")),
    trips=lambda case: _worst(_bounded(case)).stops,
    observed=lambda case: _worst(_bounded(case)).delta,
    limit=lambda case: -_worst(_bounded(case)).margin,
    must="above",
    says=lambda case: _claim(case, _worst(_bounded(case))),
    tag=lambda case: f"B harms {_worst(_bounded(case)).what}",
    doubt=_doubt(lambda case: _worst(_bounded(case)).proven, lambda case: _possible(case, _worst(_bounded(case)))),
    passes=_guards_pass,
    note=_guard_note,
    would_change=lambda case: _lost(_worst(_bounded(case))),
)


def raters_say_worse(case: Case) -> str:
    """Return the headline of H3."""
    votes = case.votes
    losses, wins = wording.count(votes.bad, "loss", "losses"), wording.count(votes.good, "win", "wins")
    ends = wording.points_between(votes.lower95, votes.upper95)
    averaged = "" if votes.n_side is None else "; averaged over both sides"
    return (
        f"Raters prefer A: {losses} against {wins} on {wording.count(votes.n, 'query', 'queries')} "
        f"(ΔGSB {wording.points(votes.delta)}, 95% interval {ends}{averaged})."
    )


def _raters_tag(case: Case) -> str:
    """Raters against a proven gain are told as raters; otherwise B is worse."""
    return "raters prefer A" if above(case.primary.lower95 or 0.0, 0.0) else "B is worse"


H3 = Rule(
    "H3",
    "Raters do not object",
    "harmed",
    Outcome.WORSE,
    needs=(
        Need(lambda case: case.policy.votes != "inform", "The policy only shows votes."),
        USABLE_VOTES,
        GATE,
    ),
    trips=lambda case: case.votes.upper95 is not None and below(case.votes.upper95, 0.0),
    observed=lambda case: case.votes.upper95,
    limit=lambda case: 0.0,
    shown=wording.points,
    must="at least",
    says=raters_say_worse,
    tag=_raters_tag,
    passes=lambda case: f"Raters do not object: {delta_gsb(case.votes)}.",
    would_change=lambda case: f"upper bound of ΔGSB {wording.points(case.votes.upper95)}, needs ≥ 0",
)


def _watched(case: Case) -> Sequence[Tested]:
    return (*case.harms.watched, *case.harms.segmented)


def _watch_passes(case: Case) -> str:
    lowest = _worst(_watched(case))
    return (
        f"Watch measures and segments: no harm is proven; the lowest is {lowest.what} {wording.signed(lowest.delta)}."
    )


H4 = Rule(
    "H4",
    "Watched measures not harmed",
    "harmed",
    Outcome.WORSE,
    needs=(
        GATE,
        Need(lambda case: bool(_watched(case)), "No watch measure and no segment can be judged."),
    ),
    trips=lambda case: _worst(_watched(case)).stops,
    observed=lambda case: _worst(_watched(case)).delta,
    limit=lambda case: -_worst(_watched(case)).margin,
    must="above",
    says=lambda case: _claim(case, _worst(_watched(case))),
    tag=lambda case: f"B harms {_worst(_watched(case)).what}",
    doubt=_doubt(lambda case: _worst(_watched(case)).proven, lambda case: _possible(case, _worst(_watched(case)))),
    passes=_watch_passes,
    would_change=lambda case: _lost(_worst(_watched(case))),
)


def _breaks_more(wins: int, losses: int) -> bool:
    """More severe losses than wins, and more than chance makes of as many changes."""
    return losses > wins and severe_harm_p(Severe(wins, losses)) < LEVEL


def _severe_allowed(case: Case) -> int:
    """Return the most severe losses that pass beside so many severe wins."""
    wins = case.harms.severe.wins
    possible = range(wins, 4 * wins + 20)  # the last one breaks more, whatever the wins
    return possible[bisect_left(possible, True, key=lambda losses: _breaks_more(wins, losses)) - 1]


def _severe_counts(case: Case) -> str:
    severe = case.harms.severe
    losses = wording.count(severe.losses, "big loss", "big losses")
    return f"{losses} against {wording.count(severe.wins, 'big win', 'big wins')}"


def _severe_on(case: Case) -> str:
    return f"{_severe_counts(case)} (|Δ| ≥ {wording.limit(case.policy.severe)}) {on_queries(case)}"


H5 = Rule(
    "H5",
    "Big losses",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, Need(lambda case: case.reading.severe is not None, "Severe changes were not counted.")),
    trips=lambda case: _breaks_more(case.harms.severe.wins, case.harms.severe.losses),
    observed=lambda case: float(case.harms.severe.losses),
    limit=lambda case: float(_severe_allowed(case)),
    shown=wording.count,
    must="at most",
    says=lambda case: f"B breaks more queries than it rescues: {_severe_on(case)}.",
    tag=lambda case: "B breaks some queries",
    doubt=_doubt(
        lambda case: case.harms.severe_proven,
        lambda case: f"B may break more queries than it rescues: {_severe_on(case)}; {_by_chance(case)}.",
    ),
    passes=lambda case: f"B does not break more queries than it rescues: {_severe_counts(case)}.",
    would_change=lambda case: f"{_severe_counts(case)}, needs ≤ {wording.count(_severe_allowed(case))}",
)

HARM = (H1, H2, H3, H4, H5)


def named_by(rule: str, case: Case) -> Tested:
    """Return the guardrail that H2 speaks of, or the watch measure or segment that H4 does."""
    return _worst(_bounded(case) if rule == H2.id else _watched(case))
