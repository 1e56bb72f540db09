"""L1 and L2: what a launch says. It names only rules that were evaluated, and how near the nearest limit is."""

from __future__ import annotations

from collections.abc import Sequence

from rankdash import wording
from rankdash.verdict.records import Check, Status
from rankdash.verdict.rules.families import above
from rankdash.verdict.rules.harm import limit_of
from rankdash.verdict.rules.rule import Case
from rankdash.verdict.rules.voting import voted
from rankdash.verdict.rules.words import on_queries, shown_interval


def launch_sentence(case: Case, checks: Sequence[Check]) -> str:
    """Return why B may launch, and in a second sentence every safeguard that was really looked at."""
    if case.evidence.plain is None:
        mpe = case.policy.votes_mpe
        enough = f"{_compared(case.votes.delta, mpe)} {wording.limit(100 * mpe, decimals=1)}% that matters"
        return f"Raters prefer B: {voted(case)}, {enough}."
    passed = {check.rule for check in checks if check.status is Status.PASSED}
    reason = _no_harm(case) if case.policy.intent == "do_no_harm" else _gain(case)
    return f"{reason}{_fixed_safeguards(case, passed) if case.fixed else _safeguards(case, passed)}"


def _compared(value: float | None, limit: float) -> str:
    return "estimated above the" if above(value or 0.0, limit) else "estimated as much as the"


def _gain(case: Case) -> str:
    primary, policy = case.primary, case.policy
    means = ""
    if primary.mean_a is not None and primary.mean_b is not None:
        means = f"{wording.number(primary.mean_a)} → {wording.number(primary.mean_b)}"
    gain = f"B raises {wording.shown(policy.primary)} by {wording.near(primary.delta, 0.0, policy.mpe)}"
    inside = [part for part in (means, "" if case.fixed else shown_interval(primary)) if part]
    shown = f" ({'; '.join(inside)})" if inside else ""
    if not policy.mpe:
        return f"{gain}{shown} {on_queries(case)}, any {'' if case.fixed else 'proven '}gain counts."
    enough = _compared(primary.delta, policy.mpe)
    enough = enough.removeprefix("estimated ") if case.fixed else enough
    return f"{gain}{shown} {on_queries(case)}, {enough} {wording.limit(policy.mpe)} that matters."


def _no_harm(case: Case) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    start = f"B is as good as A: {wording.shown(case.policy.primary)} {wording.near(primary.delta, 0.0, -margin)}"
    if case.fixed:
        return f"{start} {on_queries(case)}, limit {limit_of(margin)}."
    at_worst = wording.near(primary.lower90, -margin)
    return f"{start}, at worst {at_worst}, limit {limit_of(margin)}, {on_queries(case)}."


def _safeguards(case: Case, passed: set[str]) -> str:
    """Return what was evaluated, as a second sentence; the mean over all queries where not all count."""
    parts: list[str] = []
    if "U3" in passed:
        parts += [f"{guard.what} is safe within {wording.limit(guard.margin)}" for guard in case.harms.guards]
    if "H4" in passed:
        parts.append(f"no harm proven to {', '.join(_watched(case))}")
    parts += _raters(case, passed)
    safe = f" {_begun('; '.join(parts))}." if parts else ""
    overall = case.primary.delta_all if case.policy.population == "affected" else None
    return safe if overall is None else f"{safe} Over all queries the mean is {wording.near(overall, 0.0)}."


def _fixed_safeguards(case: Case, passed: set[str]) -> str:
    looked_at = [guard.what for guard in case.harms.guards] if "H2" in passed else []
    looked_at += _watched(case) if "H4" in passed else []
    parts = [f"no loss beyond its limit on {', '.join(looked_at)}"] if looked_at else []
    parts += _raters(case, passed)
    return f" {_begun('; '.join(parts))}." if parts else ""


def _watched(case: Case) -> list[str]:
    """Return the watch measures, and the columns whose segments are watched."""
    segments = (harm.segment for harm in case.harms.segmented)
    columns = dict.fromkeys(f"segments of {segment.column}" for segment in segments if segment is not None)
    return [*(harm.what for harm in case.harms.watched), *columns]


def _raters(case: Case, passed: set[str]) -> list[str]:
    if "U4" in passed:
        return [f"raters confirm it: {voted(case)}"]
    return [f"raters: {voted(case)}, no objection proven"] if "H3" in passed else []


def _begun(text: str) -> str:
    """Return a sentence with a capital, unless it begins with the name of a measure."""
    return text[0].upper() + text[1:] if text.startswith(("no ", "raters")) else text


def launch_would_change(case: Case) -> str:
    """Return the limit that is nearest to stopping this launch, with what was observed."""
    if case.evidence.plain is None:
        return f"lower bound of ΔGSB {wording.points_near(case.votes.lower95, 0.0)}%, must stay > 0"
    limits = _fixed_limits(case) if case.fixed else _limits(case)
    what, observed, limit = min(limits, key=lambda row: row[1] - row[2])
    strict = not case.fixed and what != "difference"
    shown = "0" if limit == 0 else wording.limit(limit)
    return f"{what} {wording.near(observed, limit)}, must stay {'>' if strict else '≥'} {shown}"


def _limits(case: Case) -> list[tuple[str, float, float]]:
    primary, policy = case.primary, case.policy
    guards = (guard for guard in case.harms.guards if guard.lower90 is not None)
    limits = [(f"{guard.what} lower bound", guard.lower90 or 0.0, -guard.margin) for guard in guards]
    if policy.intent == "do_no_harm":
        return [*limits, ("lower bound", primary.lower90 or 0.0, -policy.primary_margin)]
    return [*limits, ("lower bound", primary.lower95 or 0.0, 0.0), ("difference", primary.delta or 0.0, policy.mpe)]


def _fixed_limits(case: Case) -> list[tuple[str, float, float]]:
    policy = case.policy
    tested = (*case.harms.guards, *case.harms.watched, *case.harms.segmented)
    limits = [(one.what, one.delta, -one.margin) for one in tested]
    least = policy.mpe if policy.intent == "improve" else -policy.primary_margin
    return [*limits, ("difference", case.primary.delta or 0.0, least)]
