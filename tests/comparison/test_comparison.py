"""compare(): roles, counts, populations, conventions, queries, votes, and the frames that come out."""

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


N = 60


def lists(better: bool) -> dict[str, list[str]]:
    """One list per query; the better model puts the good document first on most queries, the other one on some."""
    return {f"q{i}": ["good", "u", "bad"] if (i % 5 > 0) == better else ["bad", "good", "fair"] for i in range(N)}


GOOD_TO_BAD = {f"q{i}": {"good": 2, "fair": 1, "bad": 0} for i in range(N)}


@pytest.mark.parametrize("values", [1, N])
def test_a_named_column_is_a_segment_whatever_its_values(values: int) -> None:
    """A column that the policy names counts with one value alone, and with more than are ever explored."""
    queries = "query_id,country\n" + "".join(f"q{i},c{i % values}\n" for i in range(N))
    tables = (run(lists(False)), run(lists(True)), judgments(GOOD_TO_BAD))
    named = rd.compare(*tables, policy=rd.Policy(segments=("country",)), queries=rd.read_queries(queries.encode()))
    assert len(named.plain.segments) == values
    assert not rd.compare(*tables, queries=rd.read_queries(queries.encode())).plain.segments


def test_a_side_that_is_not_known_does_not_hide_the_others() -> None:
    """Where B stood on the left in every row but one, which does not say, the pull of the side hides preference."""
    rows = [f"q{i},good,{'' if i == 7 else 'B'}\n" for i in range(N)]
    alone = rd.compare_votes(rd.read_votes(("query_id,vote,left\n" + "".join(rows)).encode()))
    assert alone.votes.side.left == 1.0
    assert alone.votes.side.n < N / 2
    assert rd.decide(alone).rule == "V1"
