"""Caveats about the mean: how few queries carry it, its shape, how often it was looked at, how many were compared."""

from __future__ import annotations

from rankdash import wording
from rankdash.policy import Policy
from rankdash.verdict.caveats.caveat_input import CaveatInput, CaveatRow
from rankdash.verdict.records import Outcome, VoteNumbers
from rankdash.verdict.rules.families import below
from rankdash.verdict.rules.voting import delta_gsb, why_unusable
from rankdash.verdict.rules.words import IN_WORDS, queries, worth

#: Fewer queries than these always say so, and launches on fewer than those.
_SMALL, _SMALL_LAUNCH = 100, 300
_CELLS = 12
#: A verdict is fragile that so many queries turn, or such a share of them; so many are named.
_FEW, _FEW_SHARE, _NAMED = 3, 0.01, 10
#: A share of queries with repeated texts from which on it is said.
_REPEATED = 0.05
_TUNED = "The interval is too optimistic if B was tuned on these queries."
_FIXED = "This says nothing about other queries."


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
    turns = "" if found.turns_to is None else IN_WORDS[found.turns_to]
    return f"Without {wording.count(found.n or 0, 'query', 'queries')} ({listed}) the answer is another: {turns}."


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
        f"A few large differences on one side: corrected for skewness the interval is {wording.near(low, 0.0)} "
        f"to {wording.near(high, 0.0)}."
    )


def _looks_says(known: CaveatInput, policy: Policy) -> str:
    return (
        f"This verdict was looked at with {wording.count(known.looks)} states of the data. Looking until it launches "
        f"would launch up to {wording.chance_of_one(known.looks)} of models that are no better, one look "
        f"{wording.chance_of_one(1)}."
    )


def _family_says(known: CaveatInput, policy: Policy) -> str:
    return (
        f"{wording.count(known.candidates)} candidates were compared with this A. If none were better, up to "
        f"{wording.chance_of_one(known.candidates)} of such families would launch one."
    )


def _by_votes(known: CaveatInput, policy: Policy) -> VoteNumbers | None:
    """Return the votes, where they can be used: then they, and not what is derived from judgments, are the majority."""
    votes = known.evidence.votes
    return votes if votes is not None and votes.delta is not None and why_unusable(votes, policy) is None else None


def _majority_sign(known: CaveatInput, policy: Policy) -> float:
    votes = _by_votes(known, policy)
    if votes is not None:
        return votes.delta or 0.0
    return known.derived[0][1] if known.derived else 0.0


def _majority(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary = known.primary
    if primary is None or primary.delta is None:
        return False
    signs = {share > 0 for _, share in known.derived if share}
    return _majority_sign(known, policy) * primary.delta < 0 or len(signs) > 1


def _majority_says(known: CaveatInput, policy: Policy) -> str:
    primary, votes = known.primary, _by_votes(known, policy)
    delta = (primary.delta if primary else None) or 0.0
    if _majority_sign(known, policy) * delta >= 0:
        return "Which model wins more queries depends on how small a difference counts as the same."
    if votes is not None:
        return f"Raters see it the other way: {delta_gsb(votes, policy)}."
    more, bigger = ("wins", "loses") if delta < 0 else ("loses", "wins")
    return f"B {more} more queries but {bigger} bigger."


def _small(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary = known.primary
    if primary is None or not primary.size or outcome is Outcome.NOT_COMPARABLE or known.unchanged:
        return False
    return below(primary.size, _SMALL_LAUNCH if outcome is Outcome.LAUNCH else _SMALL)


def _small_says(known: CaveatInput, policy: Policy) -> str:
    assert known.primary is not None
    hidden = min(1.0, 3 / max(worth(known.primary.size), 1))
    return (
        f"With {queries(known.primary)}, up to {wording.percent(hidden)} of all queries may lose badly without one "
        "showing here."
    )


def _repeated(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary, texts = known.primary, known.data.repeated_texts if known.data else None
    if primary is None or primary.clusters is not None or not texts:
        return False
    return not below(texts, _REPEATED * primary.n)


def _repeated_says(known: CaveatInput, policy: Policy) -> str:
    assert known.primary is not None
    assert known.data is not None
    of = f"{wording.count(known.data.repeated_texts or 0)} of {wording.count(known.primary.n, 'query', 'queries')}"
    return (
        f"{of} share their text with another one, and count as if they were independent. "
        "A column cluster would say which belong together."
    )


def _comparisons(known: CaveatInput) -> int:
    return max(known.exploratory, known.cells)


FRAGILE = CaveatRow("fragile", _fragile, _fragile_says, of_samples=True)
SKEWED = CaveatRow(
    "skewed", lambda known, policy, outcome: _corrected(known) is not None, _skewed_says, of_samples=True
)
REPEATED_LOOKS = CaveatRow("looks", lambda known, policy, outcome: known.looks > 1, _looks_says, of_samples=True)
FAMILY = CaveatRow("family", lambda known, policy, outcome: known.candidates > 1, _family_says, of_samples=True)
FIXED = CaveatRow(
    "fixed",
    lambda known, policy, outcome: policy.inference == "fixed" and known.primary is not None,
    lambda known, policy: _FIXED,
)
REPEATED = CaveatRow("repeated", _repeated, _repeated_says, of_samples=True)
MAJORITY = CaveatRow("majority", _majority, _majority_says)
TUNED = CaveatRow(
    "tuned", lambda known, policy, outcome: not known.not_tuned, lambda known, policy: _TUNED, of_samples=True
)
SMALL = CaveatRow("small", _small, _small_says, of_samples=True)
SLICES = CaveatRow(
    "slices",
    lambda known, policy, outcome: known.exploratory > 0 or known.cells > _CELLS,
    lambda known, policy: (
        f"{wording.count(_comparisons(known), 'comparison', 'comparisons')}; if nothing differed, about "
        f"{wording.number(0.05 * _comparisons(known), 1)} would look as if it did."
    ),
    of_samples=True,
)
