"""compare(): roles, counts, populations, conventions, and the frames that come out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rankdash as rd
from tests.made import judgments, run

A = {"q1": ["a", "b", "c"], "q2": ["a", "b"], "q3": ["a", "b"], "q5": ["x"]}
B = {"q1": ["b", "a", "c"], "q2": ["a", "b"], "q4": ["a"], "q5": ["x"]}
GRADES = {"q1": {"b": 2, "a": 1}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1}, "q4": {"a": 1}, "q6": {"z": -1}}


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Two runs that answer different queries."""
    return rd.compare(run(A, "first"), run(B, "second"), judgments(GRADES), measures=["P@10", "RR", "ndcg_cut_10"])


def test_the_policys_measures_come_first_and_each_once(comparison: rd.Comparison) -> None:
    """Primary, guardrails, watch, then what was asked for; another spelling of one of them is not a second one."""
    assert comparison.measure_names == ["nDCG@10", "AP", "nDCG@1", "RR", "P@10"]
    assert [result.role for result in comparison.results] == ["primary", "guardrail", "watch", "watch", "information"]


def test_counts_say_what_is_missing_where(comparison: rd.Comparison) -> None:
    """Judged, common, missing and affected queries are counted; a query with only negative grades is judged."""
    counts = comparison.counts
    assert (counts.judged, counts.common, counts.missing_a, counts.missing_b) == (5, 2, 2, 2)
    assert (counts.without_relevant, counts.affected, counts.identical) == (1, 3, False)


def test_standard_scores_a_missing_query_as_zero_and_trec_eval_skips_it(comparison: rd.Comparison) -> None:
    """Under standard every judged query counts; under trec_eval 9 only those that both runs answer."""
    assert comparison.primary.paired.n == 5
    skipped = rd.compare(run(A), run(B), judgments(GRADES), convention="trec_eval-9")
    assert skipped.primary.paired.n == 2
    assert np.isnan(skipped.deltas[0]).sum() == 3


def test_the_policy_may_count_only_affected_queries() -> None:
    """With population affected the results speak of the queries whose top k differ, and the mean over all is kept."""
    policy = rd.Policy(population="affected")
    some = rd.compare(run(A), run(B), judgments(GRADES), policy=policy)
    assert some.primary.paired.n == 3
    assert some.primary_everywhere.n == 5


def test_what_is_judged_is_asked_of_the_queries_that_count() -> None:
    """With population affected, judged@k and the unjudged documents are those of the affected queries alone."""
    lists = {f"q{i}": ["d1", "d2"] for i in range(4)}
    moved = lists | {"q0": ["new", "d1"]}
    graded = judgments({query: {"d1": 1, "d2": 0} for query in lists})
    everywhere = rd.compare(run(lists), run(moved), graded).counts
    affected = rd.compare(run(lists), run(moved), graded, policy=rd.Policy(population="affected")).counts
    assert (everywhere.judged_b, everywhere.unjudged_shown) == (pytest.approx(3.5 / 4), 1)
    assert (affected.judged_a, affected.judged_b, affected.unjudged_shown) == (1.0, 0.5, 1)
    assert everywhere.kind == affected.kind


def test_deltas_are_b_minus_a_and_rounding_noise_is_a_tie(comparison: rd.Comparison) -> None:
    """Delta is B - A, rounded to twelve decimals."""
    row = comparison.scores_b[0] - comparison.scores_a[0]
    assert comparison.deltas[0] == pytest.approx(row, abs=1e-12)
    assert set(np.sign(comparison.deltas[0])) == {-1.0, 0.0, 1.0}


def test_per_query_is_one_row_per_measure_and_query(comparison: rd.Comparison) -> None:
    """The frame has query_id, measure, a, b, delta and equals the arrays."""
    frame = comparison.per_query
    assert list(frame.columns) == ["query_id", "measure", "a", "b", "delta"]
    assert len(frame) == 5 * len(comparison.measures)
    primary = frame[frame["measure"] == "nDCG@10"]
    assert primary["query_id"].tolist() == comparison.query_ids == ["q1", "q2", "q3", "q4", "q6"]
    assert primary["delta"].tolist() == comparison.deltas[0].tolist()


def test_summary_is_one_row_per_measure(comparison: rd.Comparison) -> None:
    """The frame repeats the results."""
    frame = comparison.summary
    assert frame["measure"].tolist() == comparison.measure_names
    assert frame["delta"].tolist() == [result.paired.delta for result in comparison.results]


def test_grades_beside_the_documents_are_pooled_from_both_runs() -> None:
    """Without judgments the grades in both files count in both lists; the first of two different ones is kept."""
    a = rd.read_run(b"query_id,doc_id,rank,relevance\nq,a,1,2\nq,b,2,\n", name="a")
    b = rd.read_run(b"query_id,doc_id,rank,relevance\nq,b,1,3\nq,a,2,1\n", name="b")
    comparison = rd.compare(a, b)
    grades = dict(zip(["b", "a"], comparison.joined.pool.relevance, strict=True))
    assert grades == {"b": 3.0, "a": 2.0}
    assert comparison.joined.pool.conflict_count == 1


def test_without_any_grade_there_is_nothing_to_compare() -> None:
    """No judgments and no relevance column is one clear error that names both runs."""
    with pytest.raises(
        rd.ComparisonError, match='neither a judgments file nor a column "relevance" in first or second'
    ):
        rd.compare(run(A, "first"), run(B, "second"))


def test_condensed_lists_leave_unjudged_documents_out() -> None:
    """The condensed reading equals the measure with unjudged=condensed, under the policy's own names."""
    lists_a, lists_b = {"q": ["u", "v", "a"]}, {"q": ["a", "u"]}
    comparison = rd.compare(run(lists_a), run(lists_b), judgments({"q": {"a": 1}}))
    assert comparison.primary.paired.mean_a == pytest.approx(0.5)
    assert comparison.condensed.results[0].paired.mean_a == 1.0
    assert [result.measure for result in comparison.condensed.results] == ["nDCG@10", "AP", "nDCG@1", "RR"]


def test_good_same_and_bad_are_derived_from_deltas_beyond_the_tolerance() -> None:
    """A change of at most 0.01 is "same"; the counts give the derived ΔGSB."""
    lists_a = {f"q{i}": ["a", "b"] for i in range(4)}
    lists_b = {"q0": ["b", "a"], "q1": ["b", "a"], "q2": ["a", "b"], "q3": ["b", "a"]}
    grades = {"q0": {"a": 0, "b": 1}, "q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 1000, "b": 1001}}
    derived = rd.compare(run(lists_a), run(lists_b), judgments(grades)).gsb_derived
    assert (derived.good, derived.same, derived.bad, derived.delta) == (1, 2, 1, 0.0)


def test_lists_are_compared_over_the_queries_of_both_runs() -> None:
    """similarity() has a row for every query of A or B; a list that is empty makes the value undefined."""
    frame = rd.similarity(run(A), run(B), ["overlap@10", "RBO", "tau_b"])
    overlap = dict(zip(frame["query_id"], frame["value"][frame["measure"] == "overlap@10"], strict=False))
    assert overlap["q1"] == 1.0
    assert math.isnan(overlap["q3"])
    assert math.isnan(overlap["q4"])
    assert overlap["q5"] == 1.0


def test_measures_of_two_lists_are_part_of_a_comparison_when_asked_for() -> None:
    """compare() computes overlap, RBO and tau-b on the judged queries, beside the measures that are judged."""
    asked = ["overlap@10", "RBO", "P@10", "tau_b"]
    comparison = rd.compare(run(A), run(B), judgments(GRADES), measures=asked)
    assert [one.measure for one in comparison.likeness] == ["overlap@10", "RBO_ext", "tau_b"]
    assert comparison.measure_names[-1] == "P@10"
    overlap = comparison.likeness[0]
    assert (overlap.mean, overlap.n) == (1.0, 2)
    expected = rd.similarity(run(A), run(B), ["RBO"]).set_index("query_id")["value"]
    assert comparison.likeness[1].values[0] == expected["q1"]


def test_a_cutoff_far_beyond_the_lists_costs_nothing() -> None:
    """A policy with a cutoff of a billion compares short lists as if they were whole."""
    policy = rd.Policy(primary="nDCG@1000000000")
    comparison = rd.compare(run(A), run(B), judgments(GRADES), policy=policy)
    whole = rd.compare(run(A), run(B), judgments(GRADES), policy=rd.Policy(primary="nDCG"))
    assert comparison.primary.paired.delta == whole.primary.paired.delta
    assert comparison.joined.depth == 3


def test_scores_beyond_float32_are_infinite_there() -> None:
    """Two scores too large for float32 are equal under trec_eval 9, without a word of warning."""
    frame = rd.evaluate(run({"q": [["a", 1e300], ["b", 1e299]]}), judgments({"q": {"b": 1}}), ["RR"], "trec_eval-9")
    assert frame["value"].tolist() == [1.0]


def test_a_measure_of_two_lists_scores_no_single_one() -> None:
    """Asking evaluate() for overlap, or similarity() for nDCG, is one clear error."""
    with pytest.raises(rd.MeasureError, match="compares two lists"):
        rd.evaluate(run(A), judgments(GRADES), ["overlap@10"])
    with pytest.raises(rd.MeasureError, match="scores one list"):
        rd.similarity(run(A), run(B), ["nDCG@10"])


def test_grades_beyond_a_measure_are_refused() -> None:
    """A grade above 30 with gain 2^y - 1, or above ERR's max_grade, is an error that says what to do."""
    large = judgments({"q1": {"a": 31}})
    with pytest.raises(rd.MeasureError, match="Use the gain linear"):
        rd.evaluate(run(A), large, ["nDCG(gain='exp2')@3"])
    with pytest.raises(rd.MeasureError, match=r"max_grade=31"):
        rd.evaluate(run(A), large, ["ERR(max_grade=4)@3"])
