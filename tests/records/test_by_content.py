"""Every record of the API compares by content, has a hash, and can be stored and copied with pickle."""

import copy
import math
import pickle
from dataclasses import replace

import pytest

import rankdash as rd

QUERIES, DOCS = [f"q{i}" for i in range(12)], [f"d{j}" for j in range(5)]
A = {q: {d: 1 / (j + 1) for j, d in enumerate(DOCS)} for q in QUERIES}
B = {q: {d: 1 / (6 - j) for j, d in enumerate(DOCS)} for q in QUERIES}
GRADES: dict[str, dict[str, float]] = {q: {d: j % 3 for j, d in enumerate(DOCS[:4])} for q in QUERIES} | {
    "none": {"d0": 0}
}
WEIGHTS = [{"query_id": q, "text": f"text {q}", "weight": at + 1} for at, q in enumerate(QUERIES[:-1])]
MODELS = b"model,query_id,doc_id,rank,relevance\nx,q1,a,1,2\nx,q1,b,2,\ny,q1,b,1,\n"


def compared() -> rd.Comparison:
    """A comparison with everything beside the lists, and values that are not defined."""
    return rd.compare(A, B, GRADES, votes=dict.fromkeys(QUERIES, "good"), queries=WEIGHTS, missing_weight=0)


RECORDS = {
    "Comparison": compared,
    "Comparison of scored": lambda: rd.compare_scored(rd.score(A, B, GRADES)),
    "PerQuery": lambda: rd.score(A, B, GRADES),
    "Verdict": lambda: rd.decide(compared()),
    "Run": lambda: rd.read_run(A),
    "Judgments": lambda: rd.read_judgments(GRADES),
    "Queries": lambda: rd.read_queries(WEIGHTS),
    "Votes": lambda: rd.read_votes(dict.fromkeys(QUERIES, "good")),
    "VotesAlone": lambda: rd.compare_votes(rd.read_votes(dict.fromkeys(QUERIES, "good"))),
    "Models": lambda: rd.read_models(MODELS),
    "Explanation": lambda: rd.explain(A, GRADES, "nDCG@10", "q1"),
    "Policy": rd.Policy,
    "Measure": lambda: rd.parse_measure("nDCG@10"),
    "Source": lambda: rd.read_run(A).source,
    "Robustness": lambda: rd.robustness(compared()),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_compares_by_content_has_a_hash_and_can_be_stored(name: str) -> None:
    """Made twice it is equal with one hash; so are a copy, and what is stored and read, also after it was used."""
    one, other = RECORDS[name](), RECORDS[name]()
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == one
    if isinstance(one, rd.Comparison):
        rd.report(one, format="json")
        assert one == other
        assert hash(one) == hash(other)
        assert rd.decide(pickle.loads(pickle.dumps(one))) == rd.decide(other)
    assert one != "x"


def test_another_content_is_another_record() -> None:
    """A score, a grade, a vote, a policy or a name that differs makes another record; NaN beside NaN does not."""
    first = compared()
    worse = {q: {**docs, "d0": 0.0} for q, docs in B.items()}
    assert first != rd.compare(
        A, worse, GRADES, votes=dict.fromkeys(QUERIES, "good"), queries=WEIGHTS, missing_weight=0
    )
    assert first != rd.compare(A, B, GRADES)
    assert rd.read_run(A) != rd.read_run(B)
    assert rd.read_run(A) != replace(rd.read_run(A), name="x")
    blank = [{"query_id": "q1", "weight": math.nan}, {"query_id": "q2", "weight": 1.0}]
    assert rd.read_queries(blank) == rd.read_queries(blank)
