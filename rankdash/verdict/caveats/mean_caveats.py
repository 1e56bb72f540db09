"""Caveats about the mean: how few queries carry it, how skewed it is, how many looks and candidates there were."""

from __future__ import annotations

from rankdash import wording
from rankdash.policy import Policy
from rankdash.verdict.caveats.caveat_input import CaveatInput, CaveatRow
from rankdash.verdict.records import Outcome, VoteNumbers
from rankdash.verdict.rules.families import below
from rankdash.verdict.rules.voting import delta_gsb, why_unusable
from rankdash.verdict.rules.words import IN_WORDS, queries, worth

#: Below the first number of queries the caveat is always shown, below the second for a launch.
_SMALL, _SMALL_LAUNCH = 100, 300
_CELLS = 12
#: A verdict is fragile where so few queries turn it, or so small a share of them; at most so many are named.
_FEW, _FEW_SHARE, _NAMED = 3, 0.01, 10
#: The least share of queries with repeated texts for which the caveat is shown.
_REPEATED = 0.05
_TUNED = "The interval is too optimistic if B was tuned on these queries."
_FIXED = "This says nothing about other queries."


def _fragile(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary, fragility = facts.primary, facts.fragility
    if primary is None or fragility is None or fragility.n is None or outcome not in (Outcome.LAUNCH, Outcome.WORSE):
        return False
    return fragility.n <= max(_FEW, _FEW_SHARE * primary.n)


def _fragile_says(facts: CaveatInput, policy: Policy) -> str:
    fragility = facts.fragility
    assert fragility is not None
    names = ", ".join(fragility.queries[:_NAMED])
    more = len(fragility.queries) - _NAMED
    listed = f"{names} and {wording.count(more)} more" if more > 0 else names
    turns = "" if fragility.turns_to is None else IN_WORDS[fragility.turns_to]
    return f"Without {wording.count(fragility.n or 0, 'query', 'queries')} ({listed}) the answer is another: {turns}."


def _corrected(facts: CaveatInput) -> tuple[float, float] | None:
    """Return the first interval corrected for skewness that holds 0 where that of t does not, or the reverse."""
    primary = facts.primary
    if primary is None or primary.lower95 is None or primary.upper95 is None:
        return None
    holds = primary.lower95 <= 0 <= primary.upper95
    others = (interval for interval in (facts.johnson95, facts.bca95) if interval is not None)
    return next((interval for interval in others if (interval[0] <= 0 <= interval[1]) is not holds), None)


def _skewed_says(facts: CaveatInput, policy: Policy) -> str:
    low, high = _corrected(facts) or (None, None)
    return (
        f"A few large differences on one side: corrected for skewness the interval is {wording.near(low, 0.0)} "
        f"to {wording.near(high, 0.0)}."
    )


def _looks_says(facts: CaveatInput, policy: Policy) -> str:
    return (
        f"This verdict was looked at with {wording.count(facts.looks)} states of the data. Looking until it launches "
        f"would launch up to {wording.chance_of_one(facts.looks)} of models that are no better, one look "
        f"{wording.chance_of_one(1)}."
    )


def _family_says(facts: CaveatInput, policy: Policy) -> str:
    return (
        f"{wording.count(facts.candidates)} candidates were compared with this A. If none were better, up to "
        f"{wording.chance_of_one(facts.candidates)} of such families would launch one."
    )


def _by_votes(facts: CaveatInput, policy: Policy) -> VoteNumbers | None:
    """Return the votes where they can be used; the majority is then theirs, and not derived from the judgments."""
    votes = facts.evidence.votes
    return votes if votes is not None and votes.delta is not None and why_unusable(votes, policy) is None else None


def _majority_sign(facts: CaveatInput, policy: Policy) -> float:
    votes = _by_votes(facts, policy)
    if votes is not None:
        return votes.delta or 0.0
    return facts.derived[0][1] if facts.derived else 0.0


def _majority(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary = facts.primary
    if primary is None or primary.delta is None:
        return False
    signs = {share > 0 for _, share in facts.derived if share}
    return _majority_sign(facts, policy) * primary.delta < 0 or len(signs) > 1


def _majority_says(facts: CaveatInput, policy: Policy) -> str:
    primary, votes = facts.primary, _by_votes(facts, policy)
    delta = (primary.delta if primary else None) or 0.0
    if _majority_sign(facts, policy) * delta >= 0:
        return "Which model wins more queries depends on how small a difference counts as the same."
    if votes is not None:
        return f"Raters see it the other way: {delta_gsb(votes, policy)}."
    more, bigger = ("wins", "loses") if delta < 0 else ("loses", "wins")
    return f"B {more} more queries but {bigger} bigger."


def _small(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary = facts.primary
    if primary is None or not primary.size or outcome is Outcome.NOT_COMPARABLE or facts.unchanged:
        return False
    return below(primary.size, _SMALL_LAUNCH if outcome is Outcome.LAUNCH else _SMALL)


def _small_says(facts: CaveatInput, policy: Policy) -> str:
    assert facts.primary is not None
    hidden = min(1.0, 3 / max(worth(facts.primary.size), 1))
    return (
        f"With {queries(facts.primary)}, up to {wording.percent(hidden)} of all queries may lose badly without one "
        "showing here."
    )


def _repeated(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary, texts = facts.primary, facts.data.repeated_texts if facts.data else None
    if primary is None or primary.clusters is not None or not texts:
        return False
    return not below(texts, _REPEATED * primary.n)


def _repeated_says(facts: CaveatInput, policy: Policy) -> str:
    assert facts.primary is not None
    assert facts.data is not None
    of = f"{wording.count(facts.data.repeated_texts or 0)} of {wording.count(facts.primary.n, 'query', 'queries')}"
    return (
        f"{of} share their text with another one, and count as if they were independent. "
        "A column cluster would say which belong together."
    )


def _comparisons(facts: CaveatInput) -> int:
    return max(facts.exploratory, facts.cells)


FRAGILE = CaveatRow("fragile", _fragile, _fragile_says, of_samples=True)
SKEWED = CaveatRow(
    "skewed", lambda facts, policy, outcome: _corrected(facts) is not None, _skewed_says, of_samples=True
)
REPEATED_LOOKS = CaveatRow("looks", lambda facts, policy, outcome: facts.looks > 1, _looks_says, of_samples=True)
FAMILY = CaveatRow("family", lambda facts, policy, outcome: facts.candidates > 1, _family_says, of_samples=True)
FIXED = CaveatRow(
    "fixed",
    lambda facts, policy, outcome: policy.inference == "fixed" and facts.primary is not None,
    lambda facts, policy: _FIXED,
)
REPEATED = CaveatRow("repeated", _repeated, _repeated_says, of_samples=True)
MAJORITY = CaveatRow("majority", _majority, _majority_says)
TUNED = CaveatRow(
    "tuned", lambda facts, policy, outcome: not facts.not_tuned, lambda facts, policy: _TUNED, of_samples=True
)
SMALL = CaveatRow("small", _small, _small_says, of_samples=True)
SLICES = CaveatRow(
    "slices",
    lambda facts, policy, outcome: facts.exploratory > 0 or facts.cells > _CELLS,
    lambda facts, policy: (
        f"{wording.count(_comparisons(facts), 'comparison', 'comparisons')}; if nothing differed, about "
        f"{wording.number(0.05 * _comparisons(facts), 1)} would look as if it did."
    ),
    of_samples=True,
)
