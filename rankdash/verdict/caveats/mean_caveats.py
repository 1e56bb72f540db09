"""Caveats about the mean: how few queries carry it, its shape, how often it was looked at, how many were compared."""

from __future__ import annotations

from rankdash import wording
from rankdash.policy import Policy
from rankdash.verdict.caveats.caveat_input import CaveatInput, Row
from rankdash.verdict.records import Outcome

_SMALL, _CELLS = 100, 12
#: A verdict is fragile that so many queries turn, or such a share of them; so many are named.
_FEW, _FEW_SHARE, _NAMED = 3, 0.01, 10
#: Up to so many looks a policy that stops at the first launch launches such a share of models that are no better.
LOOKS = ((1, 0.025), (2, 0.040), (3, 0.053), (5, 0.072), (10, 0.095), (20, 0.123))
_TUNED = "The interval is too optimistic if B was tuned on these queries."


def _fragile(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary, found = known.primary, known.fragility
    if primary is None or found is None or found.n is None or outcome not in (Outcome.LAUNCH, Outcome.WORSE):
        return False
    return found.n <= max(_FEW, _FEW_SHARE * primary.n)


def _fragile_says(known: CaveatInput, policy: Policy) -> str:
    found = known.fragility
    assert found is not None
    names = ", ".join(found.queries[:_NAMED])
    more = len(found.queries) - _NAMED
    listed = f"{names} and {wording.count(more)} more" if more > 0 else names
    turns = "" if found.turns_to is None else found.turns_to.value
    return f"Without {wording.count(found.n or 0, 'query', 'queries')} ({listed}) the outcome is {turns}."


def _corrected(known: CaveatInput) -> tuple[float, float] | None:
    """Return the first interval corrected for skewness that says something else about zero than t does."""
    primary = known.primary
    if primary is None or primary.lower95 is None or primary.upper95 is None:
        return None
    holds = primary.lower95 <= 0 <= primary.upper95
    others = (found for found in (known.johnson95, known.bca95) if found is not None)
    return next((found for found in others if (found[0] <= 0 <= found[1]) is not holds), None)


def _skewed_says(known: CaveatInput, policy: Policy) -> str:
    low, high = _corrected(known) or (None, None)
    return (
        f"A few large differences on one side: corrected for skewness the interval is {wording.signed(low)} "
        f"to {wording.signed(high)}."
    )


def _looks_says(known: CaveatInput, policy: Policy) -> str:
    limit = next((share for most, share in LOOKS if known.looks <= most), None)
    rate = f"up to {wording.percent(limit)}" if limit is not None else f"more than {wording.percent(LOOKS[-1][1])}"
    return (
        f"This verdict was looked at with {wording.count(known.looks)} states of the data. Looking until it launches "
        f"would launch {rate} of models that are no better, one look {wording.percent(LOOKS[0][1])}."
    )


def _majority_sign(known: CaveatInput) -> float:
    votes = known.evidence.votes
    if votes is not None and votes.delta is not None:
        return votes.delta
    return known.derived[0][1] if known.derived else 0.0


def _majority(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary = known.primary
    if primary is None or primary.delta is None:
        return False
    signs = {share > 0 for _, share in known.derived if share}
    return _majority_sign(known) * primary.delta < 0 or len(signs) > 1


def _majority_says(known: CaveatInput, policy: Policy) -> str:
    primary = known.primary
    delta = (primary.delta if primary else None) or 0.0
    if _majority_sign(known) * delta >= 0:
        return "Which model wins more queries depends on how small a difference counts as the same."
    more, bigger = ("wins", "loses") if delta < 0 else ("loses", "wins")
    votes = known.evidence.votes
    by = "" if votes is None or votes.delta is None else "By the votes "
    return f"{by}B {more} more queries but {bigger} bigger."


def _small(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary = known.primary
    return primary is not None and 0 < primary.size < _SMALL


def _comparisons(known: CaveatInput) -> int:
    return max(known.exploratory, known.cells)


FRAGILE = Row("fragile", _fragile, _fragile_says)
SKEWED = Row("skewed", lambda known, policy, outcome: _corrected(known) is not None, _skewed_says)
REPEATED_LOOKS = Row("looks", lambda known, policy, outcome: known.looks >= LOOKS[1][0], _looks_says)
MAJORITY = Row("majority", _majority, _majority_says)
TUNED = Row("tuned", lambda known, policy, outcome: not known.not_tuned, lambda known, policy: _TUNED)
SMALL = Row("small", _small, lambda known, policy: f"Fewer than {_SMALL} queries.")
SLICES = Row(
    "slices",
    lambda known, policy, outcome: known.exploratory > 0 or known.cells > _CELLS,
    lambda known, policy: (
        f"{wording.count(_comparisons(known), 'comparison', 'comparisons')}; "
        f"expect {wording.number(0.05 * _comparisons(known), 1)} false alarms."
    ),
)
