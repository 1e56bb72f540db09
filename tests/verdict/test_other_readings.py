"""Other readings of the same data, each as a comparison of its own gives it; counts, and grades below 1."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

import rankdash as rd
from rankdash.report.notes import query_notes
from rankdash.scoring.table import cut
from rankdash.verdict import Fragility, Outcome, decide, evidence_of
from rankdash.verdict.caveats import CaveatInput
from rankdash.verdict.decide import caveat_input
from tests.long import every
from tests.made import compared_anyway, judgments, run

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


#: By caveat: the field that holds the difference under the other reading, and the comparison under it.
OTHER_READINGS: dict[str, tuple[str, Callable[[], rd.Comparison]]] = {
    "unjudged": ("delta_condensed", lambda: compared(POLICY.changed(convention=rd.Convention(unjudged="condensed")))),
    "missing": ("delta_without_missing", lambda: compared(POLICY.changed(missing="skip"))),
    "weights": ("delta_unweighted", lambda: compared(weighted=False)),
}


@pytest.mark.parametrize("caveat", OTHER_READINGS)
def test_another_reading_is_a_comparison_under_it(caveat: str, known: CaveatInput) -> None:
    """Without unjudged documents, queries that a run lacks, or weights: difference and outcome are those of it."""
    field, under = OTHER_READINGS[caveat]
    other = under()
    assert getattr(known, field) == pytest.approx(delta_of(other))
    assert known.other_deltas[caveat] == pytest.approx(delta_of(other))
    assert known.other_outcomes[caveat] is rd.decide(other).outcome
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


@pytest.mark.parametrize(
    ("lists_a", "lists_b", "side"),
    [(["a", "b"], ["a"], "A"), (["a"], ["a", "b"], "B"), (["a", "b"], ["b", "a"], None), (["a"], ["b"], None)],
)
def test_labels_come_from_the_model_that_shows_them_all(lists_a: list[str], lists_b: list[str], side: str) -> None:
    """Where one model's lists hold every judged document and the other's do not, of the queries that both answer."""
    graded = judgments({"q": {"a": 1, "b": 2}, "only B's": {"c": 1}})
    found = rd.compare(run({"q": lists_a}), run({"q": lists_b, "only B's": ["c"]}), graded)
    assert caveat_input(found, evidence_of(found), None, 1, 1).labels_from == side


def test_data_checks_are_counted() -> None:
    """What is judged, shared, missing, without a relevant document, unjudged and affected, query by query."""
    grades = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 1}}
    lists_a = {"q1": ["a", "x", "b"], "q2": ["a"], "q4": ["x"]}
    lists_b = {"q1": ["b", "a"], "q2": ["a"], "q3": ["a"]}
    compared = rd.compare(run(lists_a), run(lists_b), judgments(grades))
    data = evidence_of(compared).data
    assert data is not None
    assert (data.judged, data.common, data.missing_a, data.missing_b) == (4, 2, 1, 1)
    assert (data.primary_rises, data.distinct_grades, data.unjudged_shown) == (3, 3, 2)
    assert (data.identical, data.kind, data.affected) == (False, "judged", 3)
    assert data.judged_a == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert data.judged_b == pytest.approx(1.0)


def test_another_cutoff_is_that_of_the_primary_where_it_has_one() -> None:
    """nDCG@10 is cut elsewhere; AP has no cutoff, so what is shown of the lists is cut."""
    cut_off = cut(rd.Policy(), 5)
    assert (cut_off.primary, cut_off.cutoff) == ("nDCG@5", 5)
    whole = cut(rd.Policy(primary="AP"), 7)
    assert (whole.primary, whole.cutoff) == ("AP", 7)


DOCS = [f"d{i}" for i in range(5)]
KINDS = {
    "fractions": (0, 0.25, 0.8),
    "all below 1, none 0": (0.2, 0.6),
    "one query has 1": (0, 0.5),
    "whole": (0, 1, 2),
    "nothing": (0,),
    "below 0": (-1, 0),
}
CONVENTIONS = {
    "standard": rd.PRESETS["standard"],
    "count 1": rd.PRESETS["standard"].with_axes({"no_relevant": "1"}),
    "left out": rd.PRESETS["standard"].with_axes({"no_relevant": "skip"}),
    "rel=2": rd.PRESETS["standard"].with_axes({"rel": 2}),
    "rel=0.5": rd.PRESETS["standard"].with_axes({"rel": 0.5}),
    "table": rd.PRESETS["standard"].with_axes({"gain": {0.8: 3, 2: 1}}),
}
PRIMARIES = ("nDCG@3", "AP", "P@3", "ERR@3", "AP(rel=0.2)", "nDCG(gain={0.25:1})@3")


def grades(kind: str) -> dict[str, dict[str, float]]:
    """40 queries of a kind; A and B show all documents, so that only the grades decide."""
    rng = np.random.default_rng(3)
    made = {f"q{q}": {doc: float(rng.choice(KINDS[kind])) for doc in DOCS} for q in range(40)}
    if kind == "one query has 1":
        made["q0"][DOCS[0]] = 1.0
    return made


def best(judged: dict[str, float], measure: str, convention: rd.Convention) -> bool:
    """Whether some order of the documents has a value above 0: tried with all of them relevant ones first."""
    if "(rel=" in measure:
        return max(judged.values()) >= 0.2
    if "gain=" in measure:
        return 0.25 in judged.values()
    if measure in ("AP", "P@3"):
        return max(judged.values()) >= convention.rel
    table = {0.8: 3, 2: 1} if convention == CONVENTIONS["table"] and measure.startswith("nDCG") else None
    return any(grade in table if table else grade > 0 for grade in judged.values())


@pytest.mark.parametrize(("kind", "convention"), every(5, product(KINDS, CONVENTIONS)))
def test_labels_are_mute_exactly_where_the_primary_cannot_rise_above_0(kind: str, convention: str) -> None:
    """Rule C2 fails exactly where no query lets the primary measure be above 0, or all grades are one; what is said of
    queries without a relevant document names the measures that lose them, with their number and what they count.
    """
    made, rules = grades(kind), CONVENTIONS[convention]
    a, b = (dict.fromkeys(made, DOCS[::step]) for step in (1, -1))
    for primary in PRIMARIES:
        policy = rd.Policy(primary=primary, convention=rules, guardrails=(("R@3", 0.01),), watch=())
        comparison = compared_anyway(
            rd.read_run(a, name="A"), rd.read_run(b, name="B"), rd.read_judgments(made), policy=policy
        )
        rising = sum(best(judged, primary, rules) for judged in made.values())
        failed = next(check for check in decide(comparison).checks if check.rule == "C2").status
        if comparison.primary.paired.n == 0:  # C1: queries that cannot score are left out
            assert rising == 0
            continue
        assert (failed == "failed") == (rising == 0 or len(KINDS[kind]) == 1), primary
        said = " ".join(str(note) for note in query_notes(comparison) if note.code == "without_relevant")
        lost = sum(not best(judged, "AP", rules) for judged in made.values())
        own = {name: sum(not best(judged, name, rules) for judged in made.values()) for name in (primary, "AP")}
        assert bool(re.search(rf"(?<!\d){lost} of 40", said)) == bool(lost)
        if lost and own[primary] != lost:
            name = re.escape(comparison.results[1].label)
            assert re.search(rf"{lost} of 40 judged queries ha(s|ve) no relevant document. [^.]* in {name}", said)


def test_a_verdict_has_the_looks_and_candidates_that_are_asked_for() -> None:
    """Whatever was asked before of a comparison, its verdict is that of a comparison nobody has asked."""
    rng = np.random.default_rng(5)
    lists = [{f"q{i}": rng.permutation(list("abcdef")).tolist() for i in range(60)} for _ in range(2)]
    grades = {f"q{i}": {name: int(rng.integers(3)) for name in "abcdef"} for i in range(60)}
    asked, ways = rd.compare(*lists, grades), [(1, None), (3, None), (1, 5), (1, None)]
    verdicts = [rd.decide(asked, *way) for way in ways]
    assert verdicts == [rd.decide(rd.compare(*lists, grades), *way) for way in ways]
    assert verdicts[0] is verdicts[3]
    assert verdicts[0] != verdicts[1] != verdicts[2] != verdicts[0]
