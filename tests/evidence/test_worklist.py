"""What to label next, and how far labels could move the difference."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.documents.worklist import label_bounds, worklist
from tests.evidence.cases import CASES, all_close, documents, of

EXACT = 1e-12


def ndcg_difference(query: dict[str, Any], extra: dict[str, float], k: int) -> float:
    """nDCG@k of B less that of A with some more grades, linear gain, from the definition."""
    grades = {**query["grades"], **extra}
    ideal = sum(gain / np.log2(i + 1) for i, gain in enumerate(sorted(grades.values(), reverse=True)[:k], 1))
    if not ideal:
        return 0.0
    dcg = [sum(grades.get(doc, 0) / np.log2(i + 1) for i, doc in enumerate(query[x][:k], 1)) for x in "AB"]
    return float((dcg[1] - dcg[0]) / ideal)


def unjudged(query: dict[str, Any], k: int) -> list[str]:
    """The unjudged documents in the top k of A or B."""
    return [doc for doc in dict.fromkeys(query["A"][:k] + query["B"][:k]) if doc not in query["grades"]]


def made(seed: int, queries: int = 25) -> list[dict[str, Any]]:
    """Random queries with a few unjudged documents each, grades 1 to 4, some without any judgment."""
    random = np.random.default_rng(seed)
    pool = [f"d{i}" for i in range(9)]
    return [
        {
            "A": list(random.permutation(pool)[: random.integers(0, 8)]),
            "B": list(random.permutation(pool)[: random.integers(1, 8)]),
            "grades": {doc: int(random.integers(1, 5)) for doc in pool if random.random() < share},
        }
        for share in random.choice([0.0, 0.5, 0.7, 1.0], queries)
    ]


@pytest.mark.parametrize("case", of("worklist_cases"))
def test_worklist_and_bounds_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Order, both changes and the effect of every document, and both bounds equal the reference."""
    shown, ideal, names = documents(case["queries"], case["gain"], case["k"])
    expected = case["expected"]
    grades = {"best": float(expected["best_grade"]), "worst": float(expected["worst_grade"])}
    found = worklist(shown, ideal, case["k"], **grades)
    assert [names[at] for at in found.row] == [row["doc"] for row in expected["rows"]]
    assert [case["queries"][shown.query[at]]["query"] for at in found.row] == [row["query"] for row in expected["rows"]]
    for values, name in (
        (found.if_best, "change_if_best"),
        (found.if_worst, "change_if_worst"),
        (found.effect, "effect"),
    ):
        assert all_close(values.tolist(), [row[name] for row in expected["rows"]], EXACT)
    assert all_close(label_bounds(shown, ideal, case["k"], **grades).means(), expected["bounds"], EXACT)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("best", "worst"), [(4.0, 1.0), (4.0, 0.0), (2.0, 0.0)])
def test_bounds_equal_trying_every_labelling(seed: int, best: float, worst: float) -> None:
    """The bounds of each query, and their means, are those over all ways to label, tried one by one."""
    queries, k = made(seed), 3
    shown, ideal, _ = documents(queries, "linear", k)
    low, high = [], []
    for query in queries:
        open_ = unjudged(query, k)
        tried = [
            ndcg_difference(query, dict(zip(open_, labels, strict=True)), k)
            for labels in product((best, worst), repeat=len(open_))
        ]
        low.append(min(tried))
        high.append(max(tried))
    found = label_bounds(shown, ideal, k, best=best, worst=worst)
    assert all_close(found.means(), (float(np.mean(low)), float(np.mean(high))), EXACT)
    assert all_close(found.least.tolist(), low, EXACT)
    assert all_close(found.most.tolist(), high, EXACT)


@pytest.mark.parametrize("seed", range(4))
def test_effects_equal_labelling_one_document(seed: int) -> None:
    """Each change is that of the mean difference when this document alone gets the grade, computed from scratch."""
    queries, k, (best, worst) = made(seed), 3, (4.0, 1.0)
    shown, ideal, names = documents(queries, "linear", k)
    found = worklist(shown, ideal, k, best=best, worst=worst)
    assert len(found.row) == sum(len(unjudged(query, k)) for query in queries)
    for at, row in enumerate(found.row):
        query = queries[shown.query[row]]
        now = ndcg_difference(query, {}, k)
        for values, grade in ((found.if_best, best), (found.if_worst, worst)):
            change = (ndcg_difference(query, {names[row]: grade}, k) - now) / len(queries)
            assert values[at] == pytest.approx(change, abs=EXACT)
    assert (np.diff(np.abs(found.effect)) <= EXACT).all()


def test_equal_effects_come_in_the_order_asked_for() -> None:
    """Documents with the same effect are listed by the order given, query first, then document."""
    twins = [{"A": ["x", "y"], "B": ["y", "u"], "grades": {"x": 1, "y": 2}} for _ in range(3)]
    shown, ideal, _ = documents(twins, "linear", 2)
    order = -np.arange(len(shown.query))
    found = worklist(shown, ideal, 2, best=2.0, worst=0.0, order=order)
    assert shown.query[found.row].tolist() == [2, 1, 0]


def test_everything_judged_leaves_nothing_to_do() -> None:
    """Without unjudged documents the list is empty and both bounds are the difference itself."""
    case = CASES["worklist_cases"][0]
    query = {"A": ["d1", "d2"], "B": ["d2", "d1"], "grades": {"d1": 2, "d2": 1}}
    shown, ideal, _ = documents([query], "linear", case["k"])
    assert len(worklist(shown, ideal, case["k"], best=2.0, worst=0.0).row) == 0
    delta = ndcg_difference(query, {}, case["k"])
    assert all_close(label_bounds(shown, ideal, case["k"], best=2.0, worst=0.0).means(), (delta, delta), EXACT)


def test_weights_move_the_bounds() -> None:
    """With all the weight on one query the bounds are those of the query."""
    queries = made(9, 6)
    shown, ideal, _ = documents(queries, "linear", 3)
    weights = np.array([0, 0, 1, 0, 0, 0])
    alone, its_ideal, _ = documents([queries[2]], "linear", 3)
    assert all_close(
        label_bounds(shown, ideal, 3, best=4.0, worst=0.0).means(weights),
        label_bounds(alone, its_ideal, 3, best=4.0, worst=0.0).means(),
        EXACT,
    )
