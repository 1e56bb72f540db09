"""What a reader must know beside the verdict: an ordered table of caveats over plain numbers.

First come those whose other reading, recomputed, gives another outcome; then the order of the table. Three are shown,
the rest on demand. What was not measured is None, and its caveat stays silent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rankdash import wording
from rankdash.policy import Policy
from rankdash.verdict.records import Caveat, DataChecks, Evidence, Outcome, Primary, Verdict
from rankdash.verdict.voting import delta_gsb, unusable_sentence, why_unusable

SHOWN = 3
_JUDGED_ENOUGH, _GAP, _NO_RELEVANT, _HEAVY = 0.90, 0.01, 0.20, 0.05
_SMALL, _CELLS, _AGREEMENT = 100, 12, 0.40


@dataclass(frozen=True)
class CaveatInput:
    """The evidence, and what else the caveats speak of. Shares are in [0, 1].

    ``favourites`` are the five queries that favour the leader most, ``delta_without`` the mean difference without
    them; ``weight_segment`` is where most of what the weights change comes from; ``derived`` pairs each tolerance with
    the ΔGSB derived from the judgments, the policy's own (0.01) first; ``not_finite`` counts the lists that had to be
    ordered by rank; ``other_outcomes`` holds, per caveat id, the outcome when its other reading is recomputed.
    """

    evidence: Evidence
    delta_condensed: float | None = None
    delta_bounds: tuple[float, float] | None = None
    labels_from: Literal["A", "B"] | None = None
    delta_without_missing: float | None = None
    judgments: str = ""
    favourites: tuple[str, ...] = ()
    delta_without: float | None = None
    bca95: tuple[float, float] | None = None
    delta_unweighted: float | None = None
    largest_weight: float | None = None
    weight_segment: str = ""
    derived: tuple[tuple[float, float], ...] = ()
    not_tuned: bool = True
    duplicates: int = 0
    not_finite: int = 0
    conflicts: int = 0
    tied: int = 0
    exploratory: int = 0
    cells: int = 0
    other_outcomes: Mapping[str, Outcome] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """One caveat: when it is shown and what it says. Both see the input and the policy."""

    id: str
    shown: Callable[[CaveatInput, Policy], bool]
    says: Callable[[CaveatInput, Policy], str]


def caveats(known: CaveatInput, policy: Policy, outcome: Outcome) -> tuple[Caveat, ...]:
    """Every caveat that applies, those that turn the outcome first. The first three (SHOWN) belong on the page."""
    found = [
        Caveat(row.id, row.says(known, policy), known.other_outcomes.get(row.id))
        for row in ROWS
        if row.shown(known, policy)
    ]
    return tuple(sorted(found, key=lambda caveat: caveat.turns_to in (None, outcome)))


def with_caveats(verdict: Verdict, known: CaveatInput, policy: Policy) -> Verdict:
    """The verdict with its caveats; nothing else changes."""
    return replace(verdict, caveats=caveats(known, policy, verdict.outcome))


def _data(known: CaveatInput) -> DataChecks | None:
    return known.evidence.data if known.evidence.plain else None


def _primary(known: CaveatInput) -> Primary | None:
    return known.evidence.plain.primary if known.evidence.plain else None


def _unjudged(known: CaveatInput, policy: Policy) -> bool:
    data = _data(known)
    if data is None or data.kind != "judged" or data.judged_a is None or data.judged_b is None:
        return False
    gap = round(abs(data.judged_a - data.judged_b), 12)
    return min(data.judged_a, data.judged_b) < _JUDGED_ENOUGH or gap > _GAP


def _unjudged_says(known: CaveatInput, policy: Policy) -> str:
    data = known.evidence.data
    assert data is not None
    shares = f"{wording.percent(data.judged_a)} are judged in A, {wording.percent(data.judged_b)} in B"
    parts = [f"Of the top {policy.cutoff}, {shares}"]
    if known.delta_condensed is not None:
        parts.append(f"without the unjudged documents Δ is {wording.signed(known.delta_condensed)}")
    if known.delta_bounds is not None:
        low, high = (wording.signed(end) for end in known.delta_bounds)
        parts.append(f"whatever their labels, Δ lies between {low} and {high}")
    if known.labels_from:
        parts.append(f"the labels come from {known.labels_from}’s results only")
    return "; ".join(parts) + "."


def _votes_ignored(known: CaveatInput, policy: Policy) -> bool:
    votes = known.evidence.votes
    return _primary(known) is not None and votes is not None and votes.n > 0 and why_unusable(votes, policy) is not None


def _votes_ignored_says(known: CaveatInput, policy: Policy) -> str:
    votes = known.evidence.votes
    assert votes is not None
    return f"The votes are ignored. {unusable_sentence(votes, policy)} They would have said {delta_gsb(votes)}."


def _missing(known: CaveatInput, policy: Policy) -> bool:
    data = _data(known)
    return data is not None and data.missing_a + data.missing_b > 0


def _missing_says(known: CaveatInput, policy: Policy) -> str:
    data = known.evidence.data
    assert data is not None
    left_out = policy.missing == "skip" or (policy.missing == "unknown" and policy.scoring.missing_query == "skip")
    what = "they are left out" if left_out else "they count 0"
    skipped = known.delta_without_missing
    other = "" if skipped is None or left_out else f"; left out, Δ is {wording.signed(skipped)}"
    missing_a = wording.count(data.missing_a, "judged query has", "judged queries have")
    rates = [  # of lists that came back empty
        f" ({wording.percent(n / data.judged_queries)})" if policy.missing == "empty" else ""
        for n in (data.missing_a, data.missing_b)
    ]
    return f"{missing_a} no result in A{rates[0]}, {wording.count(data.missing_b)} in B{rates[1]}; {what}{other}."


def _turns_without(known: CaveatInput) -> bool:
    primary = _primary(known)
    if primary is None or not primary.delta or known.delta_without is None:
        return False
    return known.delta_without * primary.delta <= 0


def _bca_disagrees(known: CaveatInput) -> bool:
    primary = _primary(known)
    if primary is None or known.bca95 is None or primary.lower95 is None or primary.upper95 is None:
        return False
    return (primary.lower95 <= 0 <= primary.upper95) is not (known.bca95[0] <= 0 <= known.bca95[1])


def _few_queries_says(known: CaveatInput, policy: Policy) -> str:
    parts = []
    if _turns_without(known):
        names = f" ({', '.join(known.favourites)})" if known.favourites else ""
        these = wording.count(len(known.favourites) or 5, "query that favours", "queries that favour")
        without = wording.signed(known.delta_without)
        parts.append(f"Without the {these} the leader most{names} Δ is {without}.")
    if _bca_disagrees(known):
        parts.append("The t interval and the bootstrap (BCa) disagree about zero.")
    return " ".join(parts)


def _weights(known: CaveatInput, policy: Policy) -> bool:
    primary = _primary(known)
    if primary is None or primary.n_eff is None or primary.delta is None:
        return False
    turns = known.delta_unweighted is not None and primary.delta * known.delta_unweighted < 0
    return turns or (known.largest_weight or 0.0) > _HEAVY or primary.n_eff < primary.n / 2


def _weights_says(known: CaveatInput, policy: Policy) -> str:
    primary = _primary(known)
    assert primary is not None
    means = f"Weighted, Δ is {wording.signed(primary.delta)}; unweighted {wording.signed(known.delta_unweighted)}"
    parts = [means]
    if known.weight_segment:
        parts.append(f"most of that comes from {known.weight_segment}")
    parts.append(f"{wording.count(primary.n)} queries count as {wording.count(primary.size)}")
    if (known.largest_weight or 0.0) > _HEAVY:
        parts.append(f"one query carries {wording.percent(known.largest_weight)} of the weight")
    return "; ".join(parts) + "."


def _majority_sign(known: CaveatInput) -> float:
    votes = known.evidence.votes
    if votes is not None and votes.delta is not None:
        return votes.delta
    return known.derived[0][1] if known.derived else 0.0


def _majority(known: CaveatInput, policy: Policy) -> bool:
    primary = _primary(known)
    if primary is None or primary.delta is None:
        return False
    signs = {share > 0 for _, share in known.derived if share}
    return _majority_sign(known) * primary.delta < 0 or len(signs) > 1


def _majority_says(known: CaveatInput, policy: Policy) -> str:
    primary = _primary(known)
    delta = (primary.delta if primary else None) or 0.0
    if _majority_sign(known) * delta >= 0:
        return "Which model wins more queries depends on how small a difference counts as the same."
    more, bigger = ("wins", "loses") if delta < 0 else ("loses", "wins")
    votes = known.evidence.votes
    by = "" if votes is None or votes.delta is None else "By the votes "
    return f"{by}B {more} more queries but {bigger} bigger."


def _small(known: CaveatInput, policy: Policy) -> bool:
    primary = _primary(known)
    return primary is not None and 0 < primary.size < _SMALL


def _no_relevant_share(known: CaveatInput) -> float:
    data = _data(known)
    return 1.0 - data.queries_with_relevant / data.judged_queries if data and data.judged_queries else 0.0


def _no_relevant_says(known: CaveatInput, policy: Policy) -> str:
    counts = {"0": "they count 0", "1": "they count 1", "skip": "they are left out"}[policy.scoring.no_relevant]
    return f"{wording.percent(_no_relevant_share(known))} of the queries have no relevant document; {counts}."


def _agreement(known: CaveatInput, policy: Policy) -> bool:
    votes = known.evidence.votes
    if votes is None or not votes.n:
        return False
    return votes.raters <= 1 or (votes.alpha is not None and policy.agreement_min <= votes.alpha < _AGREEMENT)


def _agreement_says(known: CaveatInput, policy: Policy) -> str:
    votes = known.evidence.votes
    assert votes is not None
    if votes.raters <= 1:
        return "One rater per query: how far raters agree is not known."
    return f"The raters agree only moderately: α {wording.number(votes.alpha, 2)}, {votes.raters} raters per query."


def _dirt(known: CaveatInput) -> list[str]:
    found = (
        (known.duplicates, "duplicate row", "duplicate rows"),
        (known.not_finite, "list with scores that are not numbers", "lists with scores that are not numbers"),
        (known.conflicts, "conflicting judgment", "conflicting judgments"),
        (known.tied, "tied score", "tied scores"),
    )
    return [wording.count(n, one, many) for n, one, many in found if n]


def _comparisons(known: CaveatInput) -> int:
    return max(known.exploratory, known.cells)


_TUNED = "The interval is too optimistic if B was tuned on these queries."

#: In the order in which they are shown.
ROWS = (
    Row("unjudged", _unjudged, _unjudged_says),
    Row("votes_ignored", _votes_ignored, _votes_ignored_says),
    Row("missing", _missing, _missing_says),
    Row("judgments", lambda known, policy: bool(known.judgments), lambda known, policy: known.judgments),
    Row("few_queries", lambda known, policy: _turns_without(known) or _bca_disagrees(known), _few_queries_says),
    Row("weights", _weights, _weights_says),
    Row("majority", _majority, _majority_says),
    Row("tuned", lambda known, policy: not known.not_tuned, lambda known, policy: _TUNED),
    Row("small", _small, lambda known, policy: f"Fewer than {_SMALL} queries."),
    Row("no_relevant", lambda known, policy: _no_relevant_share(known) > _NO_RELEVANT, _no_relevant_says),
    Row("agreement", _agreement, _agreement_says),
    Row(
        "dirt",
        lambda known, policy: bool(_dirt(known)),
        lambda known, policy: ", ".join(_dirt(known)) + ".",
    ),
    Row(
        "slices",
        lambda known, policy: known.exploratory > 0 or known.cells > _CELLS,
        lambda known, policy: (
            f"{wording.count(_comparisons(known), 'comparison', 'comparisons')}; "
            f"expect {wording.number(0.05 * _comparisons(known), 1)} false alarms."
        ),
    ),
)
