"""What caveats compare the verdict with: other readings of the same data, each as a comparison of its own gives it."""

from __future__ import annotations

import numpy as np
import pytest

import rankdash as rd
from rankdash.verdict import CaveatInput, Fragility, Outcome
from rankdash.verdict.rule_evidence import evidence_of
from rankdash.verdict.sensitivity import caveat_input
from tests.made import judgments, run

N = 40
POLICY = rd.Policy(primary="nDCG@2", guardrails=(), watch=(), segments=("market",), n_min=5, changed_min=5)
GRADES = {f"q{i}": {"best": 2, "good": 1, "bad": 0} for i in range(N)}
#: A ties two documents at times and lacks a query; B shows a document nobody judged, and lacks two.
LISTS_A = {
    f"q{i}": {"good": 2.5, "best": 2.5 if i % 4 == 0 else 1.5, "bad": 0.5} for i in range(N) if i != 3
}  # fmt: skip
LISTS_B = {
    f"q{i}": {"new": 3.5, "best": 2.5} if i % 3 == 0 else {"best": 2.5, "good": 1.5}
    for i in range(N)
    if i not in (5, 6)
}
TABLE = "query_id,weight,market,device\n" + "".join(
    f"q{i},{1 + (i % 5 == 0) * 4},{'de' if i % 2 else 'fr'},{('phone', 'desk', 'tv')[i % 3]}\n" for i in range(N)
)
VOTES = "query_id,vote\n" + "".join(f"q{i},{'good' if i < 4 else 'bad'}\n" for i in range(6))


def compared(policy: rd.Policy = POLICY, *, weighted: bool = True, voted: bool = True) -> rd.Comparison:
    """The comparison of these lists, weighted, with segments and too few votes."""
    found = rd.compare(
        run(LISTS_A), run(LISTS_B), judgments(GRADES), policy=policy,
        queries=rd.read_queries(TABLE.encode()) if weighted else rd.read_queries(TABLE.replace("weight", "w").encode()),
        votes=rd.read_votes(VOTES.encode()) if voted else None,
    )  # fmt: skip
    assert isinstance(found, rd.Comparison)
    return found


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """All of it."""
    return compared()


@pytest.fixture(scope="module")
def known(comparison: rd.Comparison) -> CaveatInput:
    """What the caveats of it speak of; two queries are said to turn it."""
    return caveat_input(comparison, evidence_of(comparison), Fragility(2, ("q1", "q2"), Outcome.WORSE, 10), 3, 4)


def delta_of(found: rd.Comparison) -> float:
    """The mean difference of the primary measure."""
    assert found.primary.paired.delta is not None
    return found.primary.paired.delta


def test_without_unjudged_documents_as_if_they_were_in_neither_list(known: CaveatInput) -> None:
    """The difference and the outcome are those of condensed lists."""
    other = compared(POLICY.changed(convention=rd.Convention(unjudged="condensed")))
    assert known.delta_condensed == pytest.approx(delta_of(other))
    assert known.other_deltas["unjudged"] == pytest.approx(delta_of(other))
    assert known.other_outcomes["unjudged"] is rd.decide(other).outcome


def test_without_queries_that_a_run_lacks(known: CaveatInput) -> None:
    """The difference and the outcome are those of a policy that leaves them out."""
    other = compared(POLICY.changed(missing="skip"))
    assert known.delta_without_missing == pytest.approx(delta_of(other))
    assert known.other_deltas["missing"] == pytest.approx(delta_of(other))
    assert known.other_outcomes["missing"] is rd.decide(other).outcome


def test_without_weights(known: CaveatInput) -> None:
    """The difference and the outcome where every query counts the same, and how much the heaviest one counts."""
    other = compared(weighted=False)
    assert known.delta_unweighted == pytest.approx(delta_of(other))
    assert known.other_deltas["weights"] == pytest.approx(delta_of(other))
    assert known.other_outcomes["weights"] is rd.decide(other).outcome
    assert known.largest_weight == pytest.approx(5 / (8 * 5 + 32))


def test_without_the_queries_that_turn_it(known: CaveatInput, comparison: rd.Comparison) -> None:
    """The weighted mean of the others."""
    weights = np.array([5.0 if int(q[1:]) % 5 == 0 else 1.0 for q in comparison.query_ids])
    others = np.array([q not in ("q1", "q2") for q in comparison.query_ids])
    expected = float((comparison.deltas[0] * weights)[others].sum() / weights[others].sum())
    assert known.other_outcomes["fragile"] is Outcome.WORSE
    assert known.other_deltas["fragile"] == pytest.approx(expected)
    quiet = caveat_input(comparison, evidence_of(comparison), Fragility(None, (), None, 10), 1, 1)
    assert "fragile" not in quiet.other_outcomes
    assert "fragile" not in caveat_input(comparison, evidence_of(comparison), None, 1, 1).other_outcomes


def test_with_the_other_kind_of_judgments(known: CaveatInput, comparison: rd.Comparison) -> None:
    """Judged, or naming only what is relevant: the outcome under the other answer, with the same difference."""
    assert comparison.counts.kind == "judged"
    other = compared(POLICY.changed(judgments="positive_only"))
    assert known.other_outcomes["judgments"] is rd.decide(other).outcome
    assert known.other_deltas["judgments"] == pytest.approx(delta_of(comparison))


def test_with_votes_although_they_are_too_few(known: CaveatInput) -> None:
    """The outcome if they were trusted; there is no difference to compare it with."""
    trusting = compared(POLICY.changed(votes_min=1))
    assert known.other_outcomes["votes_ignored"] is rd.decide(trusting).outcome
    assert known.other_deltas["votes_ignored"] is None
    silent = compared(voted=False)
    assert "votes_ignored" not in caveat_input(silent, evidence_of(silent), None, 1, 1).other_outcomes


def test_at_the_ends_of_ties(known: CaveatInput, comparison: rd.Comparison) -> None:
    """The end that moves the mean further, and the share of the first places that are tied."""
    assert known.tied_share == comparison.tied_share > 0
    assert known.tie_bounds == comparison.tie_bounds
    assert comparison.tie_bounds is not None
    now = delta_of(comparison)
    assert known.other_deltas["ties"] == pytest.approx(max(comparison.tie_bounds, key=lambda end: abs(end - now)))
    assert "ties" in known.other_outcomes


def test_what_was_counted_on_the_way(known: CaveatInput, comparison: rd.Comparison) -> None:
    """Bounds, looks and candidates."""
    assert known.delta_bounds == comparison.delta_bounds is not None
    assert (known.looks, known.candidates, known.judgments) == (3, 4, "")
    assert known.evidence == evidence_of(comparison)


@pytest.mark.parametrize(
    ("lists_a", "lists_b", "side"),
    [(["a", "b"], ["a"], "A"), (["a"], ["a", "b"], "B"), (["a", "b"], ["b", "a"], None), (["a"], ["b"], None)],
)
def test_labels_come_from_the_model_that_shows_them_all(lists_a: list[str], lists_b: list[str], side: str) -> None:
    """Where one model's lists hold every judged document and the other's do not."""
    found = rd.compare(run({"q": lists_a}), run({"q": lists_b}), judgments({"q": {"a": 1, "b": 2}}))
    assert isinstance(found, rd.Comparison)
    assert caveat_input(found, evidence_of(found), None, 1, 1).labels_from == side
