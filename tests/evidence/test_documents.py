"""Where evidence about documents comes from: the lists beside each other, the exact decomposition of a difference of
nDCG@k, derived votes, the kind of judgments, and what to label next.
"""

from dataclasses import replace
from itertools import product
from math import log2
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.documents import (
    PARTS,
    Documents,
    decompose,
    derived,
    disagreements,
    judgment_kind,
    label_bounds,
    worklist,
)
from rankdash.evidence.experts import bootstrap, expertise, permutation, sign_test, wilcoxon
from tests.evidence.cases import CASES, Floats, all_close, close, documents, ideal_dcg, of


def test_experts_see_every_test_of_the_same_differences() -> None:
    """Each is the test of its name, with the seed that was asked for; what is not a number is left out."""
    delta = np.round(np.random.default_rng(1).normal(0.02, 0.1, 40), 3)
    delta[:5] = 0
    found = expertise(np.append(delta, np.nan), seed=3)
    assert found.permutation_p == permutation(delta, seed=3)
    assert found.bca95 == bootstrap(delta, seed=3)
    assert found.wilcoxon_p == wilcoxon(delta)
    assert found.sign_p == sign_test(delta)
    assert expertise(delta).permutation_p == permutation(delta)


EXACT = 1e-12


def made_lists(queries: int, seed: int) -> tuple[Documents, Floats, int]:
    """Random lists of two models, partly judged, with their IDCG at cutoff 5."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(queries):
        pool = [f"d{i}" for i in range(12)]
        judged = {doc: int(random.integers(0, 4)) for doc in pool if random.random() < 0.6}
        a, b = (list(random.permutation(pool)[: random.integers(1, 12)]) for _ in range(2))
        rows.append({"A": a, "B": b, "grades": judged})
    shown, ideal, _ = documents(rows, "linear", 5)
    return shown, ideal_dcg(ideal), 5


@pytest.mark.parametrize("case", of("decomposition_cases"))
def test_parts_and_documents_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Every part, every document's contribution and part, and the unjudged that came and went equal the reference."""
    shown, ideal, names = documents([case], case["gain"], case["k"])
    found, expected = decompose(shown, ideal_dcg(ideal), case["k"]), case["expected"]
    assert all(
        close(part, expected["parts"][name], EXACT) for name, part in zip(PARTS, found.parts.mean(axis=0), strict=True)
    )
    assert close(float(found.parts.sum()), expected["delta"], EXACT)
    listed = {names[at]: (found.contribution[at], PARTS[found.part[at]]) for at in np.flatnonzero(found.part >= 0)}
    assert {doc: part for doc, (_, part) in listed.items()} == {
        row["doc"]: row["kind"] for row in expected["documents"]
    }
    assert all(close(listed[row["doc"]][0], row["contribution"], EXACT) for row in expected["documents"])


TOLERANCE = CASES["query_level_tolerance"]


@pytest.mark.parametrize("expected", TOLERANCE["expected"], ids=lambda row: f"tau {row['tau']}")
def test_queries_are_labelled_by_their_difference(expected: dict[str, Any]) -> None:
    """A difference of exactly tau is same, above it good, below -tau bad."""
    found = derived(TOLERANCE["deltas"], expected["tau"])
    assert [found.good, found.same, found.bad] == [expected[name] for name in ("good", "same", "bad")]
    assert close(found.delta, expected["delta_gsb"])


@pytest.mark.parametrize("case", of("judgment_kind_cases"))
def test_the_kind_and_the_question_are_those_of_the_reference(case: dict[str, Any]) -> None:
    """Clicks are told from grades, the policy's word goes first, and only what is in doubt is asked."""
    found = judgment_kind(
        case["distinct_grades"], case["unjudged_shown"], case["judged_share_lower"], case["policy_judgments"]
    )
    assert found == (case["kind"], case["ask"])


def test_a_negative_grade_shows_that_somebody_judged() -> None:
    """One positive grade beside a negative one is not a list of clicks, although negative grades count as unjudged."""
    assert judgment_kind([-1, 1], 900, 0.1)[0] == "judged"


def ndcg_difference(query: dict[str, Any], extra: dict[str, float], k: int, shift: int) -> float:
    """nDCG@k of B less that of A with some more grades, linear gain, discount log2(rank + shift)."""
    grades = {**query["grades"], **extra}
    inverse = [max(np.log2(i + shift), 1) for i in range(1, k + 1)]
    best = sorted(grades.values(), reverse=True)[:k]
    ideal = sum(gain / by for gain, by in zip(best, inverse, strict=False))
    if not ideal:
        return 0.0
    dcg = [sum(grades.get(doc, 0) / by for doc, by in zip(query[x][:k], inverse, strict=False)) for x in "AB"]
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


def alike(shown: Documents, ideal: Floats) -> dict[str, Any]:
    """Queries that all count the same, and have no difference without an ideal list; documents in their own order."""
    nothing = np.zeros(len(ideal))
    return {"weights": nothing + 1, "nothing": nothing, "order": np.arange(len(shown.query))}


@pytest.mark.parametrize("case", of("worklist_cases"))
def test_worklist_and_bounds_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Order, both changes and the effect of every document, and both bounds equal the reference."""
    shown, ideal, names = documents(case["queries"], case["gain"], case["k"])
    expected = case["expected"]
    grades = {"best": float(expected["best_grade"]), "worst": float(expected["worst_grade"])}
    found = worklist(shown, ideal, case["k"], **grades, **alike(shown, ideal))
    assert [names[at] for at in found.row] == [row["doc"] for row in expected["rows"]]
    assert [case["queries"][shown.query[at]]["query"] for at in found.row] == [row["query"] for row in expected["rows"]]
    for values, name in (
        (found.if_best, "change_if_best"),
        (found.if_worst, "change_if_worst"),
        (found.effect, "effect"),
    ):
        assert all_close(values.tolist(), [row[name] for row in expected["rows"]], EXACT)
    weights, nothing = (alike(shown, ideal)[name] for name in ("weights", "nothing"))
    bounds = label_bounds(shown, ideal, case["k"], **grades, nothing=nothing).means(weights)
    assert all_close(bounds, expected["bounds"], EXACT)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("best", "worst"), [(4.0, 1.0), (4.0, 0.0), (2.0, 0.0)])
def test_bounds_equal_trying_every_labelling(seed: int, best: float, worst: float) -> None:
    """The bounds of each query, and their means, are those over all ways to label, tried one by one."""
    queries, k, shift = made(seed), 3, seed % 2
    shown, ideal, _ = documents(queries, "linear", k)
    shown = replace(shown, shift=shift)
    low, high = [], []
    for query in queries:
        open_ = unjudged(query, k)
        tried = [
            ndcg_difference(query, dict(zip(open_, labels, strict=True)), k, shift)
            for labels in product((best, worst), repeat=len(open_))
        ]
        low.append(min(tried))
        high.append(max(tried))
    found = label_bounds(shown, ideal, k, best=best, worst=worst, nothing=np.zeros(len(ideal)))
    assert all_close(found.means(np.ones(len(ideal))), (float(np.mean(low)), float(np.mean(high))), EXACT)
    assert all_close(found.least.tolist(), low, EXACT)
    assert all_close(found.most.tolist(), high, EXACT)


@pytest.mark.parametrize("seed", range(4))
def test_effects_equal_labelling_one_document(seed: int) -> None:
    """Each change is that of the mean difference when this document alone gets the grade, computed from scratch."""
    queries, k, (best, worst), shift = made(seed), 3, (4.0, 1.0), seed % 2
    shown, ideal, names = documents(queries, "linear", k)
    shown = replace(shown, shift=shift)
    found = worklist(shown, ideal, k, best=best, worst=worst, **alike(shown, ideal))
    assert len(found.row) == sum(len(unjudged(query, k)) for query in queries)
    for at, row in enumerate(found.row):
        query = queries[shown.query[row]]
        now = ndcg_difference(query, {}, k, shift)
        for values, grade in ((found.if_best, best), (found.if_worst, worst)):
            change = (ndcg_difference(query, {names[row]: grade}, k, shift) - now) / len(queries)
            assert values[at] == pytest.approx(change, abs=EXACT)
    assert (np.diff(np.abs(found.effect)) <= EXACT).all()


@pytest.mark.parametrize("seed", range(4))
def test_documents_without_judgments_come_by_how_far_the_lists_disagree(seed: int) -> None:
    """The order is that of the differences of discounts, worked out document by document, then the order given."""
    shown, _, k = made_lists(30, seed)
    order = np.random.default_rng(seed).permutation(len(shown.query))

    def discount(rank: int) -> float:
        return 1 / log2(1 + rank) if 0 < rank <= k else 0.0

    ranks = list(zip(shown.rank_a.tolist(), shown.rank_b.tolist(), strict=True))
    apart = {at: discount(b) - discount(a) for at, (a, b) in enumerate(ranks) if 0 < a <= k or 0 < b <= k}
    found = disagreements(shown, k, order)
    assert found.row.tolist() == sorted(apart, key=lambda at: (-round(abs(apart[at]), 12), order[at]))
    assert all_close(found.effect.tolist(), [apart[at] for at in found.row.tolist()], EXACT)
