"""Queries that a run does not answer, negative grades, and grades of one list alone: who counts, and as what."""

import numpy as np
import pytest

import rankdash as rd
from rankdash.report.notes import query_notes
from rankdash.scoring import join, score_queries
from rankdash.scoring.concerns import concerns
from tests.made import judgments, run

#: q2 is not in B, q3 not in A, q4 in neither; one document is a whole list.
A = {"q1": ["x"], "q2": ["x", "y"], "q5": ["u", "x"]}
B = {"q1": ["y"], "q3": ["x"], "q5": ["x", "u"]}
GRADES = {query: {"x": 1, "y": 0} for query in ("q1", "q2", "q3", "q4", "q5")}


def compared(**said: object) -> rd.Comparison:
    """Both runs under a policy."""
    return rd.compare(run(A), run(B), judgments(GRADES), policy=rd.Policy.from_dict(said))


@pytest.mark.parametrize(
    ("missing", "convention", "counted", "n", "axis"),
    [
        ("unknown", "standard", [1, 1, 1, 1, 1], 5, "zero"),
        ("empty", "standard", [1, 1, 1, 1, 1], 5, "zero"),
        ("skip", "standard", [1, 0, 0, 0, 1], 2, "skip"),
        ("unknown", "trec_eval-9", [1, 0, 0, 0, 1], 2, "skip"),
        ("empty", "trec_eval-9", [1, 1, 1, 1, 1], 5, "zero"),
        ("skip", "trec_eval-9", [1, 0, 0, 0, 1], 2, "skip"),
    ],
)
def test_the_policy_says_what_a_missing_query_counts_as(
    missing: str, convention: str, counted: list[int], n: int, axis: str
) -> None:
    """Empty counts 0 and skip leaves the pair out, whatever the convention says; unknown asks the convention."""
    found = compared(missing=missing, convention=convention)
    assert found.counted.tolist() == [bool(one) for one in counted]
    assert found.primary.paired.n == n
    assert found.convention.missing_query == axis
    policy = rd.Policy.from_dict({"missing": missing, "convention": convention})
    assert policy.in_force == policy.scoring.with_axes({"missing_query": axis})


APART = b"query_id,doc_id,relevance,only_for\nq,a,3,A\nq,b,2,B\nq,c,1,\np,a,1,B\n"


def test_lists_that_share_no_documents_have_no_likeness_and_no_parts() -> None:
    """Where each list has grades of its own, nobody can say what both hold, what moved, or what a label would do."""
    a, b = run({"q": ["a", "c"], "p": ["a"]}), run({"q": ["b", "c"], "p": ["a"]})
    scored = score_queries(join(a, b, rd.read_judgments(APART)), rd.Policy(primary="nDCG@2"), ["RBO", "overlap@2"])
    assert scored.scope.apart
    parts = ("unjudged_moved_in", "relevant_dropped", "relevant_gained", "reordering")
    for name in ("overlap", "rbo", "least", "most", *parts, "alike:RBO_ext", "alike:overlap@2"):
        assert np.isnan(scored[name]).tolist() == [True, True], name
        assert scored[name].dtype == np.float64, name
    assert scored["may_not_count"].tolist() == [True, True]
    assert scored["may_not_count"].dtype == bool
    np.testing.assert_allclose(scored["plain_a:nDCG@2"], [1.0, 0.0])
    assert rd.PerQuery.from_arrow(scored.to_arrow()) == scored


def test_where_every_grade_is_positive_the_next_one_is_read_as_the_threshold() -> None:
    """Grades of 1, 2 and 3: relevant from 2 on is another reading of the policy's measures; else there is none."""
    lists = {"q": ["a", "b", "c"]}
    policy = rd.Policy(primary="AP", guardrails=[], watch=[])
    scored = score_queries(join(run(lists), run(lists), judgments({"q": {"a": 1, "b": 2, "c": 3}})), policy)
    (name,) = scored.scope.value_columns("next_grade", "a")
    np.testing.assert_allclose(scored[name], [(1 / 2 + 2 / 3) / 2])
    plain = score_queries(join(run(lists), run(lists), judgments({"q": {"a": 0, "b": 2, "c": 3}})), policy)
    assert plain.scope.value_columns("next_grade", "a") == ()
    assert plain.values("next_grade", "a").shape == (0, 1)


def test_a_query_is_without_a_relevant_document_where_neither_list_has_one() -> None:
    """Where each list has grades of its own, one that is relevant for A alone, or for B alone, is enough."""
    a, b = (run({query: [doc] for query in ("q", "p", "r")}) for doc in "ab")
    rows = b"query_id,doc_id,relevance,only_for\nq,a,1,A\nq,b,0,B\np,a,0,A\np,b,1,B\nr,a,0,A\nr,b,0,B\n"
    found = score_queries(join(a, b, rd.read_judgments(rows)), rd.Policy(primary="nDCG@2"))
    assert (found["relevant_a"].tolist(), found["relevant_b"].tolist()) == ([1, 0, 0], [0, 1, 0])
    found = {one.name: one.count for one in concerns(rd.compare(a, b, rd.read_judgments(rows)))}
    assert found["without_relevant"] == 1


def test_where_an_empty_list_has_no_value_nothing_counts_as_0() -> None:
    """AUC is undefined for an empty list, so that the caveat says left out, and no note counts such queries as 0; nor
    a query whose judgments leave AUC undefined while other measures are 0 there.
    """
    grades = GRADES | {"q6": {"x": 0, "y": 0}}
    for primary, counts in (("AUC", False), ("nDCG@10", True)):
        a, b = A | {"q6": ["x"]}, B | {"q6": ["y"]}
        policy = rd.Policy(primary=primary, guardrails=(("RR", 0.05),), watch=())
        found = rd.compare(run(a), run(b), judgments(grades), policy=policy)
        (caveat,) = [one.sentence for one in rd.decide(found).caveats if one.id == "missing"]
        assert ("count as 0" in caveat, "left out of AUC" in caveat) == (counts, not counts)
        notes = {note.code: str(note) for note in query_notes(found)}
        assert ("as 0" in notes["missing_a"], "as 0" in notes["missing_b"]) == (counts, counts)
        assert notes["without_relevant"].endswith("as 0." if counts else "as 0 in RR.")


def test_queries_that_both_lack_do_not_count_among_the_affected() -> None:
    """Where changed lists count, a query that neither run answers is not one; one that only one lacks counts as 0."""
    found = compared(population="affected", missing="empty")
    assert found.counted.tolist() == [True, True, True, False, True]
    (caveat,) = [one.sentence for one in rd.decide(found).caveats if one.id == "missing"]
    for said in (caveat, *(str(note) for note in query_notes(found) if note.code.startswith("missing"))):
        assert "as 0 where only one model lacks" in said


def test_a_primary_measure_without_any_value_is_called_so() -> None:
    """Where lists differ and are answered, the cause is neither that they are the same nor what the policy counts."""
    only_relevant = {query: {"x": 1} for query in GRADES}
    for population in ("all", "affected"):
        policy = rd.Policy(primary="AUC", population=population, guardrails=(), watch=())
        verdict = rd.decide(rd.compare(run(A), run(B), judgments(only_relevant), policy=policy))
        assert verdict.rule == "C1"
        assert all("AUC has" in said and "value" in said for said in (verdict.sentence, verdict.would_change))
        assert "differ" not in verdict.next_step
        assert "count all" not in verdict.next_step


def test_another_measure_is_on_the_queries_where_it_has_a_value() -> None:
    """No number of queries is of fewer: where the primary measure is undefined on some, AP is on all of its own."""
    names = [f"q{i}" for i in range(40)]
    grades = {query: {"x": 1, "y": 0} if i < 25 else {"x": 1} for i, query in enumerate(names)}
    a, b = ({query: list(lists[i % 2]) for i, query in enumerate(names)} for lists in (("xy", "yx"), ("yx", "xy")))
    policy = rd.Policy(primary="AUC", population="affected", guardrails=(("AP", 0.01),), watch=())
    found = rd.decide(rd.compare(run(a), run(b), judgments(grades), policy=policy))
    (said,) = [check.sentence for check in found.checks if check.rule == "U3"]
    assert " on 40 queries" in said


def test_where_nothing_is_judged_is_said_of_the_queries_that_count() -> None:
    """Where only affected queries count, documents may well be judged on the others."""
    found = rd.compare(
        run({"q1": ["x", "y"], "q2": ["n"]}),
        run({"q1": ["x", "y"], "q2": ["x"]}),
        judgments({"q1": {"x": 1, "y": 0}, "q2": {"x": 1, "y": 0}}),
        policy=rd.Policy(population="affected"),
    )
    verdict = rd.decide(found)
    assert verdict.rule == "C6"
    assert "differ in list" in verdict.sentence
