"""compare(): roles, counts, populations, conventions, and the frames that come out."""

from __future__ import annotations

import pytest

import rankdash as rd
from tests.made import judgments, run

A = {"q1": ["a", "b", "c"], "q2": ["a", "b"], "q3": ["a", "b"], "q5": ["x"]}
B = {"q1": ["b", "a", "c"], "q2": ["a", "b"], "q4": ["a"], "q5": ["x"]}
GRADES = {"q1": {"b": 2, "a": 1}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1}, "q4": {"a": 1}, "q6": {"z": -1}}


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


def test_without_judgments_there_is_what_changed_and_no_value() -> None:
    """Without judgments no measure has a value; what changed is counted by hand, and the verdict is no launch."""
    lists = {"q1": list("abc"), "q2": list("abc"), "q3": list("abc")}
    other = {"q1": list("abc"), "q2": list("acb"), "q3": list("dbe")}
    found = rd.compare(run(lists, "first"), run(other, "second"))
    assert not found.is_judged
    assert [result.paired.n for result in found.results] == [0] * 4
    changed = found.turnover
    assert (changed.changed, changed.queries, changed.entered, changed.left, changed.moved) == (2, 3, 2, 2, 2)
    alike = rd.similarity(lists, other, ["overlap@10", "RBO"]).groupby("measure")["value"].mean()
    assert changed.overlap == pytest.approx(alike["overlap@10"])
    assert changed.rbo == pytest.approx(alike.drop("overlap@10").item())
    verdict = rd.decide(found)
    assert (verdict.rule, verdict.exit_code, verdict.caveats) == ("C1", 6, ())
    assert rd.decide(rd.compare(run(lists), run(lists))).next_step == verdict.next_step
    for form in ("html", "markdown", "json", "junit", "csv"):
        assert rd.report(found, format=form)
    with pytest.raises(rd.ComparisonError, match="first and second"):
        rd.score(run(lists, "first"), run(other, "second"))


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
