"""Properties of the evidence and the verdict, searched for counterexamples; and agreement with scipy.stats."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from rankdash.evidence.experts import permutation, sign_test, wilcoxon
from rankdash.evidence.paired import Paired, bh, deltas, holm, paired
from rankdash.evidence.votes import gsb, rated, tango
from rankdash.policy import Policy
from rankdash.verdict import RULES, VOTES_RULES, Evidence, Outcome, Status, VoteNumbers, decide_from
from rankdash.verdict.records import Numbers, Reading, Severe
from tests.made_evidence import data, from_scores, votes

CLOSE = 1e-9
#: A busy machine is no counterexample.
CALM = settings(deadline=None)
FEW = settings(deadline=None, max_examples=20)
SCORES = st.floats(0, 1).map(lambda x: round(x, 4))
COUNTS = st.integers(0, 400)
MEASURES = ("nDCG@10", "AP", "nDCG@1", "RR")


@st.composite
def two_models(draw: st.DrawFn, least: int = 2, most: int = 60) -> tuple[Any, Any]:
    """Scores of two models on the same queries, with ties and now and then a shift of all of B."""
    n = draw(st.integers(least, most))
    a = draw(arrays.arrays(np.float64, n, elements=SCORES))
    b = draw(arrays.arrays(np.float64, n, elements=SCORES))
    same = draw(arrays.arrays(np.bool_, n))
    return a, np.where(same, a, np.clip(b + draw(st.sampled_from([0.0, 0.0, 0.3, -0.3])), 0, 1))


@st.composite
def many_measures(draw: st.DrawFn) -> dict[str, tuple[Any, Any]]:
    """Scores of two models on four measures over the same queries."""
    n = draw(st.integers(2, 60))
    vector = arrays.arrays(np.float64, n, elements=SCORES)
    return {name: (draw(vector), draw(vector)) for name in MEASURES}


DELTA = st.none() | st.floats(-0.4, 0.4).map(lambda x: round(x, 4))
P = st.none() | st.floats(0, 1)


@st.composite
def primaries(draw: st.DrawFn) -> Numbers:
    """A primary result whose bounds stand in order, or that has none."""
    wins, losses, ties = draw(COUNTS), draw(COUNTS), draw(COUNTS)
    n = max(wins + losses + ties, 1)
    delta = draw(st.floats(-0.3, 0.3))
    if draw(st.booleans()) and draw(st.booleans()):
        return Numbers(n=n, changed=wins + losses, wins=wins, losses=losses, delta=delta)
    wide, narrow = sorted((draw(st.floats(1e-6, 0.3)), draw(st.floats(1e-6, 0.3))), reverse=True)
    return Numbers(
        n=n,
        changed=wins + losses,
        wins=wins,
        losses=losses,
        delta=delta,
        lower95=delta - wide,
        upper95=delta + wide,
        lower90=delta - narrow,
        upper90=delta + narrow,
        n_eff=draw(st.none() | st.floats(1, n)),
    )


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Any reading that the measures could give."""
    low, delta, high = sorted(draw(st.floats(-0.3, 0.3)) for _ in range(3))
    rail = Numbers("AP", n=400, changed=200, delta=delta, lower90=low, upper90=high)
    rails = [(), (rail,), (replace(rail, lower90=None, upper90=None),)]
    named = {"column": st.sampled_from(["x", "y"]), "value": st.text(max_size=3)}
    segments = st.builds(Numbers, **named, n=COUNTS, changed=COUNTS, delta=DELTA, p_harm=P)
    return Reading(
        primary=draw(primaries()),
        guardrails=draw(st.sampled_from(rails)),
        watch=tuple(
            Numbers(name, n=400, changed=200, delta=draw(DELTA), p_harm=draw(P))
            for name in draw(st.sampled_from([(), ("RR",), ("nDCG@1", "RR")]))
        ),
        segments=tuple(draw(st.lists(segments, max_size=3))),
        severe=draw(st.none() | st.builds(Severe, COUNTS, COUNTS)),
    )


SHARES = st.none() | st.floats(0, 1)
VOTES = st.none() | st.builds(
    votes,
    COUNTS,
    COUNTS,
    COUNTS,
    alpha=st.none() | st.floats(-1, 1),
    n_side=st.none() | st.floats(0, 100),
)
DATA = st.builds(
    lambda judged, common, missing_a, missing_b, **more: data(
        judged, common=common, missing_a=missing_a, missing_b=missing_b, **more
    ),
    COUNTS,
    COUNTS,
    st.integers(0, 20),
    st.integers(0, 20),
    primary_rises=COUNTS,
    distinct_grades=st.integers(0, 4),
    unjudged_shown=COUNTS,
    identical=st.booleans(),
    kind=st.sampled_from(["judged", "positive_only"]),
    judged_a=SHARES,
    judged_b=SHARES,
)
EVIDENCE = st.builds(Evidence, DATA, readings(), st.none() | readings(), VOTES)
POLICIES = st.builds(
    Policy,
    intent=st.sampled_from(["improve", "do_no_harm"]),
    votes=st.sampled_from(["veto", "confirm", "inform"]),
    missing=st.sampled_from(["unknown", "empty", "skip"]),
    segments=st.sampled_from([(), ("x",), ("x", "y")]),
    n_min=st.sampled_from([1, 30]),
    changed_min=st.sampled_from([1, 20]),
)


@CALM
@given(two_models())
def test_swapping_the_models_turns_every_sign(scores: tuple[Any, Any]) -> None:
    """The other way round every difference, bound and t changes its sign, and wins and losses change places."""
    a, b = scores
    forth, back = paired(a, b), paired(b, a)
    assert (forth.wins, forth.ties, forth.losses) == (back.losses, back.ties, back.wins)
    turned = {"delta": "delta", "t": "t", "lower95": "upper95", "lower90": "upper90"}
    for name, other in turned.items():
        value, mirrored = getattr(forth, name), getattr(back, other)
        assert (value is None) == (mirrored is None)
        assert value is None or value == pytest.approx(-mirrored, abs=1e-12)
    assert forth.t_p == back.t_p
    assert (forth.required_n_mpe, forth.required_n_seen) == (back.required_n_mpe, back.required_n_seen)


@CALM
@given(many_measures(), VOTES)
def test_at_most_one_of_two_models_launches(scores: dict[str, tuple[Any, Any]], raters: VoteNumbers | None) -> None:
    """Under improve B over A and A over B never both launch, and a launch one way is never a launch the other way."""
    mirrored = None if raters is None else votes(raters.bad, raters.same, raters.good)
    forth = decide_from(from_scores(scores, raters), Policy(n_min=1, changed_min=1))
    back = decide_from(
        from_scores({m: (b, a) for m, (a, b) in scores.items()}, mirrored), Policy(n_min=1, changed_min=1)
    )
    assert not (forth.launch and back.launch)


@CALM
@given(two_models(least=1))
def test_a_model_against_itself_changes_nothing(scores: tuple[Any, Any]) -> None:
    """A against A gains nothing, and harms nothing: under do_no_harm it launches."""
    a, _ = scores
    same = from_scores(dict.fromkeys(MEASURES, (a, a)), identical=True)
    assert decide_from(same, Policy()).outcome is Outcome.TOO_SMALL
    assert decide_from(same, Policy(intent="do_no_harm")).launch


@CALM
@given(EVIDENCE, POLICIES)
def test_the_outcome_is_a_function_of_the_checklist(evidence: Evidence, policy: Policy) -> None:
    """The first rule that is failed or not proven names the outcome, among harm rules a failed one first; not proven
    always means not proven; without such a rule it is a launch.
    """
    verdict = decide_from(evidence, policy)
    outcomes = {rule.id: rule.outcome for rule in RULES}
    stops = [check for check in verdict.checks if check.status in (Status.FAILED, Status.NOT_PROVEN)]
    if not stops:
        assert (verdict.outcome, verdict.rule) == (Outcome.LAUNCH, "L1" if policy.intent == "improve" else "L2")
        return
    first = stops[0]
    if first.rule.startswith("H"):
        proven = [check for check in stops if check.rule.startswith("H") and check.status is Status.FAILED]
        first = (proven or stops)[0]
    assert verdict.rule == first.rule
    assert verdict.outcome == (outcomes[first.rule] if first.status is Status.FAILED else Outcome.NOT_PROVEN)
    for check in stops:
        assert check.status is Status.NOT_PROVEN or outcomes[check.rule] is not Outcome.NOT_PROVEN


@CALM
@given(EVIDENCE, POLICIES)
def test_nothing_launches_without_an_interval(evidence: Evidence, policy: Policy) -> None:
    """A comparison whose primary measure has no interval never launches and is never called worse for it, unless it is
    the same difference on six queries or more.
    """
    assert evidence.plain is not None
    bare = replace(evidence.plain.primary, changed=5, lower95=None, upper95=None, lower90=None, upper90=None)
    verdict = decide_from(replace(evidence, plain=replace(evidence.plain, primary=bare)), policy)
    assert not verdict.launch
    assert verdict.rule != "H1"


@CALM
@given(EVIDENCE, POLICIES)
def test_a_rule_without_its_input_never_passes(evidence: Evidence, policy: Policy) -> None:
    """Without votes, guardrails, watch measures, segments and severe counts their rules are not applicable."""
    assert evidence.plain is not None
    bare = replace(evidence.plain, guardrails=(), watch=(), segments=(), severe=None)
    without = replace(evidence, plain=bare, votes=None, data=replace(evidence.data, judged_a=None))  # type: ignore[type-var]
    statuses = {check.rule: check.status for check in decide_from(without, policy).checks}
    assert {statuses[rule] for rule in ("H2", "H3", "H4", "H5", "U3", "C5")} == {Status.NOT_APPLICABLE}
    if policy.votes == "confirm" and statuses["C1"] is Status.PASSED:
        assert statuses["U4"] is Status.NOT_PROVEN


@CALM
@given(EVIDENCE, POLICIES)
def test_every_verdict_can_be_read(evidence: Evidence, policy: Policy) -> None:
    """Whatever the evidence, every sentence is there, and none shows a Python value."""
    verdict = decide_from(evidence, policy)
    texts = [verdict.sentence, verdict.next_step, verdict.would_change, *(check.sentence for check in verdict.checks)]
    assert all(texts)
    assert not any(
        word in text
        for text in texts
        for word in ("None ", "nan", "inf", "{", "Outcome.")
        if not text.startswith("None of")
    )


@CALM
@given(VOTES, POLICIES)
def test_votes_alone_always_have_a_verdict(raters: VoteNumbers | None, policy: Policy) -> None:
    """Without judgments the rules for votes decide, with every rule in its place."""
    verdict = decide_from(Evidence(votes=raters), policy)
    assert [check.rule for check in verdict.checks] == [rule.id for rule in VOTES_RULES]
    assert not verdict.launch or (raters is not None and raters.good > raters.bad)


@CALM
@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from([-1, 0, 1])), min_size=1, max_size=40), st.randoms())
def test_the_order_of_votes_changes_nothing(rows: list[tuple[int, int]], random: Any) -> None:
    """Rows of votes in any order give the same labels, counts, intervals and agreement."""
    shuffled = random.sample(rows, len(rows))
    first, second = (rated([q for q, _ in some], [v for _, v in some]) for some in (rows, shuffled))
    assert first.labels.tolist() == second.labels.tolist()
    assert (first.gsb, first.raters) == (second.gsb, second.raters)
    assert (first.alpha is None) == (second.alpha is None)
    assert first.alpha is None or first.alpha == pytest.approx(second.alpha, abs=1e-12)


@CALM
@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_the_score_interval_is_honest_and_mirrors(good: int, same: int, bad: int) -> None:
    """The ends lie in [-1, 1] around ΔGSB, the wider level holds the narrower, and exchanging good and bad mirrors."""
    assume(good + same + bad > 0)
    table, mirror = gsb(good, same, bad), gsb(bad, same, good)
    assert table.ci95 is not None
    assert table.ci90 is not None
    assert mirror.ci95 is not None
    low, high = table.ci95
    assert -1 <= low <= table.ci90[0] <= (table.delta or 0) <= table.ci90[1] <= high <= 1
    assert (-mirror.ci95[1], -mirror.ci95[0]) == pytest.approx((low, high), abs=1e-12)
    assert tango(good, same, bad, 0.99)[0] <= low


@CALM
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjusting_never_helps(p: list[float]) -> None:
    """An adjusted p is at least the raw one and at most 1, keeps the order, and Holm is at least as strict as BH."""
    strict, loose = holm(p), bh(p)
    assert (strict >= np.array(p) - 1e-15).all()
    assert (loose >= np.array(p) - 1e-15).all()
    assert (strict <= 1).all()
    assert (strict >= loose - 1e-15).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(strict[order]) >= 0).all()


@CALM
@given(two_models())
def test_the_t_test_is_that_of_scipy(scores: tuple[Any, Any]) -> None:
    """t, its p, the interval and the harm p equal scipy's paired t-test on the rounded differences."""
    result = paired(*scores)
    assume(result.t is not None)
    reference = stats.ttest_1samp(deltas(*scores), 0)
    low, high = reference.confidence_interval(0.95)
    assert (result.t, result.t_p) == pytest.approx((reference.statistic, reference.pvalue), rel=1e-7, abs=CLOSE)
    assert result.ci95 == pytest.approx((low, high), rel=1e-7, abs=CLOSE)
    harm = stats.ttest_rel(scores[1], scores[0], alternative="less").pvalue
    assert result.p_harm == pytest.approx(harm, abs=1e-6)


@CALM
@given(two_models(), st.sampled_from(["wilcox", "pratt"]))
def test_wilcoxon_is_that_of_scipy(scores: tuple[Any, Any], zero_method: Any) -> None:
    """Rank sum and p equal scipy's, with ties in size and ties at zero."""
    delta = np.round(deltas(*scores), 2)
    assume((delta != 0).any())
    found = wilcoxon(delta, zero_method)
    reference = stats.wilcoxon(delta, zero_method=zero_method, correction=False, method="approx")
    assert (found.w, found.p) == pytest.approx((reference.statistic, reference.pvalue), abs=CLOSE)


@CALM
@given(two_models())
def test_the_sign_test_is_that_of_scipy(scores: tuple[Any, Any]) -> None:
    """The p of wins against losses equals scipy's exact binomial test."""
    delta = deltas(*scores)
    wins, changed = int((delta > 0).sum()), int((delta != 0).sum())
    expected = stats.binomtest(wins, changed, 0.5).pvalue if changed else 1.0
    assert sign_test(delta) == pytest.approx(expected, abs=CLOSE)


@FEW
@given(two_models(least=2, most=10))
def test_exact_permutation_is_that_of_scipy(scores: tuple[Any, Any]) -> None:
    """The exact p equals scipy's over all sign patterns."""
    delta = np.round(deltas(*scores), 2)
    assume((delta != 0).sum() > 1)
    reference = stats.permutation_test(
        (delta[delta != 0],),
        lambda x: abs(x.sum()),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="greater",
    )
    assert permutation(delta).p == pytest.approx(reference.pvalue, abs=CLOSE)


@CALM
@given(two_models(), st.integers(2, 5))
def test_weights_count_like_copies_of_a_query(scores: tuple[Any, Any], copies: int) -> None:
    """The weighted mean is that of queries repeated as often as they weigh, and only proportions matter."""
    a, b = scores
    weights = np.arange(len(a)) % copies + 1
    found = paired(a, b, weights=weights)
    assert found.delta == pytest.approx(np.repeat(deltas(a, b), weights).mean(), abs=1e-12)
    again = paired(a, b, weights=weights * 7.5)
    values = [(getattr(found, part.name), getattr(again, part.name)) for part in fields(Paired)]
    assert all(
        (x is None) == (y is None) and (x is None or x == pytest.approx(y, rel=1e-6, abs=1e-9)) for x, y in values
    )
