"""L1 and L2: what a launch says. It names only rules that were evaluated, and how near the nearest limit is."""

from __future__ import annotations

from collections.abc import Sequence

from rankdash import wording
from rankdash.verdict.records import Check, Status
from rankdash.verdict.rules.rule import Case
from rankdash.verdict.rules.words import on_queries, shown_interval


def launch_sentence(case: Case, checks: Sequence[Check]) -> str:
    """Why B may launch, with every safeguard that was really looked at."""
    if case.evidence.plain is None:
        return _votes_sentence(case)
    primary, policy = case.primary, case.policy
    name, safeguards = wording.shown(policy.primary), _safeguards(case, checks)
    if policy.intent == "do_no_harm":
        return (
            f"B is as good as A: {name} {wording.signed(primary.delta)}, at worst {wording.signed(primary.lower90)}, "
            f"limit {wording.limit(-policy.primary_margin)}, {on_queries(case)}{safeguards}."
        )
    means = ""
    if primary.mean_a is not None and primary.mean_b is not None:
        means = f"{wording.number(primary.mean_a)} → {wording.number(primary.mean_b)}; "
    gain, mpe = wording.signed(primary.delta or 0.0), wording.limit(policy.mpe)
    above = "above" if round((primary.delta or 0.0) - policy.mpe, 12) else "as much as"
    enough = f", {above} the {mpe} that matters" if policy.mpe else "; any proven gain counts"
    return f"B raises {name} by {gain} ({means}{shown_interval(primary)}) {on_queries(case)}{enough}{safeguards}."


def _safeguards(case: Case, checks: Sequence[Check]) -> str:
    passed = {check.rule for check in checks if check.status is Status.PASSED}
    parts: list[str] = []
    if "U3" in passed:
        parts += [f"{guard.what} is safe within {wording.limit(guard.margin)}" for guard in case.harms.guards]
    if "H4" in passed:
        columns = dict.fromkeys(f"segments of {harm.column}" for harm in case.harms.segmented)
        parts.append(f"no harm to {', '.join([*(harm.what for harm in case.harms.watched), *columns])}")
    if "U4" in passed:
        parts.append("raters confirm it")
    elif "H3" in passed:
        parts.append("raters do not object")
    return "".join(f"; {part}" for part in parts)


def _votes_sentence(case: Case) -> str:
    votes = case.votes
    ends = wording.points_between(votes.lower95, votes.upper95)
    return (
        f"Raters prefer B: ΔGSB {wording.points(votes.delta)} (95% interval {ends}) "
        f"on {wording.count(votes.n, 'query', 'queries')}, "
        f"above the {wording.number(100 * case.policy.votes_mpe, 1)}% that matters."
    )


def launch_would_change(case: Case) -> str:
    """Return the limit that is nearest to stopping this launch, with what was observed."""
    if case.evidence.plain is None:
        return f"lower bound of ΔGSB {wording.points(case.votes.lower95)}, must stay > 0"
    primary, policy = case.primary, case.policy
    limits = [
        (f"{guard.what} lower bound", guard.lower90, -guard.margin)
        for guard in case.harms.guards
        if guard.lower90 is not None
    ]
    if policy.intent == "do_no_harm":
        limits.append(("lower bound", primary.lower90 or 0.0, -policy.primary_margin))
    else:
        limits += [("lower bound", primary.lower95 or 0.0, 0.0), ("difference", primary.delta or 0.0, policy.mpe)]
    what, observed, limit = min(limits, key=lambda row: row[1] - row[2])
    relation = "must stay ≥" if what == "difference" else "must stay >"
    shown = "0" if limit == 0 else wording.limit(limit)
    return f"{what} {wording.signed(observed)}, {relation} {shown}"
