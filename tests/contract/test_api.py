"""What `import rankdash as rd` offers, on the demo and on the smallest inputs: numbers, outcomes and refusals."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd

DEMO = Path(__file__).parents[2] / "data" / "demo"
Golden = Callable[[str, Any], None]
A = {"q1": ["d1", "d2", "d3"], "q2": ["d4", "d5"], "q3": ["d6"]}
B = {"q1": ["d2", "d1", "d3"], "q2": ["d4", "d5"], "q3": ["d7", "d6"]}
J = {"q1": {"d1": 1, "d2": 3, "d3": 0}, "q2": {"d4": 0, "d5": 2}, "q3": {"d6": 2}}
VOTES = [
    {"query_id": query, "vote": vote, "rater": rater}
    for query, vote, rater in (("q1", "good", "r1"), ("q1", "good", "r2"), ("q2", "same", "r1"), ("q3", "bad", "r1"))
]


@cache
def demo(**how: Any) -> rd.Comparison:
    """The comparison of the demo."""
    return rd.compare(DEMO / "run_a.csv", DEMO / "run_b.csv", DEMO / "judgments.csv", **how)


def measures(comparison: rd.Comparison) -> list[list[Any]]:
    """The numbers of every measure."""
    fields = "measure role a b delta ci n wins ties losses".split()
    return [[one[name] for name in fields] for one in comparison.to_dict()["measures"]]


def decided(comparison: Any, **how: Any) -> list[Any]:
    """Whether it launches, and by which rule."""
    verdict = rd.decide(comparison, **how)
    return [verdict.launch, str(getattr(verdict.outcome, "name", verdict.outcome)), verdict.rule]


def policy(**fields: Any) -> rd.Comparison:
    """The demo under a policy."""
    queries = DEMO / "queries.csv" if "segments" in fields else None
    return demo(policy=rd.Policy(**fields), queries=queries)


def small(**how: Any) -> rd.Comparison:
    """The smallest comparison."""
    return rd.compare(A, B, J, **how)


#: Calls whose numbers are known.
CALLS: dict[str, Callable[[], Any]] = {
    "compare the demo": lambda: measures(demo()),
    "compare with experts": lambda: [one["bca"] for one in demo(experts=True).to_dict()["measures"]],
    "compare with measures": lambda: measures(demo(measures=("nDCG@5", "P@3", "RBP(p=0.8)"))),
    "compare with one measure": lambda: measures(small(measures="Success@1")),
    "compare small": lambda: measures(small()),
    "compare with weights": lambda: measures(
        small(queries=[{"query_id": f"q{i}", "query": str(i), "weight": i} for i in (1, 2, 3)])
    ),
    "compare with a weight missing": lambda: measures(
        small(queries=[{"query_id": "q1", "query": "x", "weight": 2}], missing_weight=1)
    ),
    "compare with votes": lambda: small(votes=VOTES).to_dict()["gsb"]["delta_gsb"],
    "compare under exponential gain": lambda: measures(small(convention=rd.Convention(gain="exp2"))),
    **{f"compare under {name}": lambda name=name: measures(small(convention=name)) for name in ("ranklib", "srw")},
    "decide": lambda: decided(demo()),
    "decide the other way round": lambda: decided(rd.compare(B, A, J)),
    "decide small": lambda: decided(small()),
    "decide on the same": lambda: decided(rd.compare(A, A, J)),
    "decide for two candidates": lambda: decided(demo(), candidates=2),
    "decide under another primary": lambda: decided(policy(primary="AP", guardrails=())),
    "decide where harm counts": lambda: decided(policy(intent="do_no_harm")),
    "decide on the affected": lambda: decided(policy(population="affected")),
    "decide by segments": lambda: decided(policy(segments=("traffic",))),
    "decide under a strict policy": lambda: decided(policy(mpe=0.05)),
    "decide on votes alone": lambda: decided(rd.compare_votes(VOTES)),
    "robustness": lambda: type(rd.robustness(demo())).__name__,
    "evaluate": lambda: rd.evaluate(A, J, ["nDCG@10", "AP", "RR", "P@1", "R@2"]).to_numpy().tolist(),
    "evaluate under trec_eval": lambda: rd.evaluate(A, J, "nDCG@2", "trec_eval-9").to_numpy().tolist(),
    "explain": lambda: rd.explain(B, J, "nDCG@10", "q3").to_dict()["value"],
    "similarity": lambda: rd.similarity(A, B, ["RBO(p=0.9)", "Jaccard@10"]).to_numpy().tolist(),
    "score, then compare": lambda: measures(rd.compare_scored(rd.score(A, B, J))),
    "score with measures": lambda: measures(rd.compare_scored(rd.score(A, B, J, measures=["P@2"]))),
    "votes alone": lambda: rd.compare_votes(VOTES).to_dict()["gsb"]["delta_gsb"],
    "the columns of a frame": lambda: sorted(map(str, small().to_pandas().columns)),
    "a report as JSON": lambda: rd.report(small(), format="json")[:1].decode(),
    "a report as Markdown": lambda: rd.report(small(), format="markdown")[:1].decode(),
    "names of measures": lambda: [
        str(rd.parse_measure(name)) for name in ("ndcg_cut.10", "map", "P.5", "recip_rank", "mrr@10", "bpref")
    ],
    "a policy from TOML": lambda: [rd.Policy.from_toml('primary = "AP"\nn_min = 7').n_min],
    "presets": lambda: sorted(rd.PRESETS),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_returns_what_it_did(call: str, golden: Golden) -> None:
    """Numbers, outcomes and rules are as they were."""
    golden(f"api: {call}", CALLS[call]())


#: Calls that are refused, and as what.
REFUSED: dict[str, tuple[type[Exception], Callable[[], Any]]] = {
    "no common query": (rd.ComparisonError, lambda: rd.compare(A, B, {"q9": {"d1": 1}})),
    "a file that is not there": (rd.ReadError, lambda: rd.read_run("no/such/file.csv")),
    "a repeated document": (
        rd.ReadError | rd.ComparisonError | rd.TableError,  # type: ignore[dict-item]
        lambda: rd.compare(b"q Q0 a 1 3 t\nq Q0 a 2 2 t\n", B, J),
    ),
    "an unknown measure": (rd.MeasureError, lambda: rd.parse_measure("nonsense@10")),
    "an unknown preset": (ValueError, lambda: small(convention="nonsense")),
    "an unknown field": (rd.PolicyError, lambda: rd.Policy.from_toml("nonsense = 1")),
    "a wrong value": (rd.PolicyError, lambda: rd.Policy(mpe=-1)),
    "a run that is a number": (TypeError, lambda: rd.read_run(7)),
    "an unknown segment": (rd.ComparisonError, lambda: small(policy=rd.Policy(segments=("planet",)))),
    "too few weights": (rd.ComparisonError, lambda: small(queries=[{"query_id": "q1", "query": "x", "weight": 2}])),
    "an unknown query": (Exception, lambda: rd.explain(A, J, "AP", "q9")),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_wrong_is_refused(what: str) -> None:
    """A call that cannot be right raises its own error, and says something."""
    error, call = REFUSED[what]
    with pytest.raises(error if isinstance(error, type) else error.__args__) as raised:
        call()
    assert str(raised.value)


def test_the_order_of_rows_and_columns_changes_nothing() -> None:
    """Numbers hang on names alone: rows in any order, and a swap of A and B turns every sign."""
    rows = [{"query_id": q, "doc_id": d, "rank": at} for q, docs in B.items() for at, d in enumerate(docs, 1)]
    assert measures(rd.compare(A, rows[::-1], J)) == measures(small())
    there, back = (comparison.to_dict()["measures"] for comparison in (small(), rd.compare(B, A, J)))
    for one, other in zip(there, back, strict=True):
        assert (one["a"], one["b"], one["delta"]) == (other["b"], other["a"], -other["delta"])
        assert (one["wins"], one["losses"]) == (other["losses"], other["wins"])
