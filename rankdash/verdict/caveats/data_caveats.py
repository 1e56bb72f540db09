"""Caveats about the data: documents without a judgment, missing queries, ties, weights, and data that is not clean."""

from __future__ import annotations

from rankdash import wording
from rankdash.policy import Policy
from rankdash.verdict.caveats.caveat_input import CaveatInput, CaveatRow
from rankdash.verdict.records import Outcome
from rankdash.verdict.rules.families import above
from rankdash.verdict.rules.words import worth

_JUDGED_ENOUGH, _GAP, _NO_RELEVANT, _HEAVY, _TIED = 0.90, 0.01, 0.20, 0.05, 0.10


def _unjudged(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    data = facts.data
    if data is None or data.kind != "judged" or data.judged_a is None or data.judged_b is None:
        return False
    gap = round(abs(data.judged_a - data.judged_b), 12)
    return min(data.judged_a, data.judged_b) < _JUDGED_ENOUGH or gap > _GAP


def _unjudged_says(facts: CaveatInput, policy: Policy) -> str:
    data = facts.evidence.data
    assert data is not None
    shares = f"{wording.percent(data.judged_a)} are judged in A, {wording.percent(data.judged_b)} in B"
    sentences = [f"Of the top {policy.cutoff}, {shares}."]
    if facts.delta_condensed is not None:
        sentences.append(f"Without the unjudged documents Δ is {wording.near(facts.delta_condensed, 0.0)}.")
    if facts.delta_bounds is not None:
        low, high = (wording.near(end, 0.0) for end in facts.delta_bounds)
        sentences.append(f"With each of them at grade 0 or at the highest grade, Δ lies between {low} and {high}.")
    if facts.labels_from:
        other = "B" if facts.labels_from == "A" else "A"
        sentences.append(
            f"The labels come from {facts.labels_from}’s results only: what only {other} shows counts as not relevant, "
            f"which favours {facts.labels_from}."
        )
    return " ".join(sentences)


def _missing(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    data = facts.data
    return data is not None and data.missing_a + data.missing_b > 0


def _missing_says(facts: CaveatInput, policy: Policy) -> str:
    data = facts.evidence.data
    assert data is not None
    left_out = policy.missing == "skip" or (policy.missing == "unknown" and policy.scoring.missing_query == "skip")
    what = "they are left out" if left_out else "they count 0"
    skipped = facts.delta_without_missing
    other = "" if skipped is None or left_out else f"; left out, Δ is {wording.near(skipped, 0.0)}"
    missing_a = wording.count(data.missing_a, "judged query has", "judged queries have")
    rates = [  # of lists that came back empty
        f" ({wording.percent(n / data.judged_queries)})" if policy.missing == "empty" and data.judged_queries else ""
        for n in (data.missing_a, data.missing_b)
    ]
    return f"{missing_a} no result in A{rates[0]}, {wording.count(data.missing_b)} in B{rates[1]}; {what}{other}."


def _ties(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary, bounds = facts.primary, facts.tie_bounds
    if bounds is None or primary is None or primary.delta is None:
        return False
    moved = max(abs(end - primary.delta) for end in bounds)
    turns = facts.other_outcomes.get("ties", outcome) is not outcome
    return turns or above(moved, policy.mpe) or above(facts.tied_share, _TIED)


def _ties_says(facts: CaveatInput, policy: Policy) -> str:
    low, high = (wording.near(end, 0.0) for end in facts.tie_bounds or (None, None))
    return (
        f"Depending on the order of tied scores Δ lies between {low} and {high}; "
        f"{wording.percent(facts.tied_share)} of the top {policy.cutoff} are tied."
    )


def _weights(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    primary = facts.primary
    if primary is None or primary.n_eff is None or primary.delta is None:
        return False
    turns = facts.delta_unweighted is not None and primary.delta * facts.delta_unweighted < 0
    return turns or (facts.largest_weight or 0.0) > _HEAVY or primary.n_eff < primary.n / 2


def _weights_says(facts: CaveatInput, policy: Policy) -> str:
    primary = facts.primary
    assert primary is not None
    means = f"Weighted, Δ is {wording.near(primary.delta, 0.0)}; unweighted {wording.near(facts.delta_unweighted, 0.0)}"
    if facts.weight_segment:
        means += f"; most of the difference between them comes from {facts.weight_segment}"
    parts = []
    if primary.n_eff is not None and worth(primary.n_eff) < primary.n:
        ones = wording.count(worth(primary.n_eff), "equal one", "equal ones")
        parts.append(f"{wording.count(primary.n, 'query is', 'queries are')} worth {ones}")
    if (facts.largest_weight or 0.0) > _HEAVY:
        parts.append(f"one query carries {wording.percent(facts.largest_weight)} of the weight")
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in (means, "; ".join(parts)) if part)


def _no_relevant_share(facts: CaveatInput) -> float:
    data = facts.data
    return 1.0 - data.queries_with_relevant / data.judged_queries if data and data.judged_queries else 0.0


def _no_relevant_says(facts: CaveatInput, policy: Policy) -> str:
    counts = {"0": "they count 0", "1": "they count 1", "skip": "they are left out"}[policy.scoring.no_relevant]
    return f"{wording.percent(_no_relevant_share(facts))} of the queries have no relevant document; {counts}."


def _dirt(facts: CaveatInput) -> list[str]:
    counts = (
        (facts.duplicates, "duplicate row", "duplicate rows"),
        (facts.not_finite, "list with scores that are not numbers", "lists with scores that are not numbers"),
        (facts.conflicts, "conflicting judgment", "conflicting judgments"),
    )
    return [wording.count(n, singular, plural) for n, singular, plural in counts if n]


ORDER = CaveatRow(
    "order",
    lambda facts, policy, outcome: bool(facts.turned),
    lambda facts, policy: " ".join(wording.turned(*each) for each in facts.turned),
)
LEVEL = CaveatRow(
    "level", lambda facts, policy, outcome: bool(facts.level), lambda facts, policy: " ".join(facts.level)
)
THRESHOLD = CaveatRow(
    "threshold", lambda facts, policy, outcome: bool(facts.threshold), lambda facts, policy: facts.threshold
)
UNJUDGED = CaveatRow("unjudged", _unjudged, _unjudged_says)
MISSING = CaveatRow("missing", _missing, _missing_says)
JUDGMENTS = CaveatRow(
    "judgments", lambda facts, policy, outcome: bool(facts.judgments), lambda facts, policy: facts.judgments
)
TIES = CaveatRow("ties", _ties, _ties_says)
WEIGHTS = CaveatRow("weights", _weights, _weights_says)
NO_RELEVANT = CaveatRow(
    "no_relevant", lambda facts, policy, outcome: _no_relevant_share(facts) > _NO_RELEVANT, _no_relevant_says
)
DIRT = CaveatRow(
    "dirt",
    lambda facts, policy, outcome: bool(_dirt(facts)),
    lambda facts, policy: ", ".join(_dirt(facts)) + ".",
)
