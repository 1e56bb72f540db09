"""What the order of tied scores could do, against every order that there is."""

from itertools import permutations, product

import numpy as np
import pytest

import rankdash as rd
from rankdash.judged import Order
from rankdash.metrics import parse_measures
from rankdash.scoring import compare_joined, join, score_queries
from rankdash.scoring.rankings import scores_at_tie_end, tied_among, tied_places
from tests.made import judgments, run, value, values

#: Per query groups of equal scores, best first. A letter is a grade: x relevant, y less, n not, u unjudged.
GROUPS = {
    "q1": [["n1"], ["x1", "n2", "u1"], ["y1"]],
    "q2": [["u1", "n1"], ["x1", "y1", "n2", "u3"], ["u2"]],
    "q3": [["x1"], ["y1"]],
}
GRADES = {"x": 2.0, "y": 1.0, "n": 0.0}
JUDGED = {
    query: {doc: GRADES[doc[0]] for group in groups for doc in group if doc[0] in GRADES}
    for query, groups in GROUPS.items()
}
SCORED = {
    query: [[doc, float(-place)] for place, group in enumerate(groups) for doc in group]
    for query, groups in GROUPS.items()
}
MEASURES = ("nDCG@2", "P@3", "AP", "RR", "nDCG(gain='exp2')")


def every_order(groups: list[list[str]]) -> list[list[str]]:
    """The list in every order of its groups of equal scores."""
    return [[doc for group in orders for doc in group] for orders in product(*map(permutations, groups))]


def in_every_order(query: str, name: str) -> list[float | None]:
    """The values of a measure for the list of a query, in every order of its groups of equal scores."""
    orders = {f"order {i}": docs for i, docs in enumerate(every_order(GROUPS[query]))}
    return list(values(orders, dict.fromkeys(orders, JUDGED[query]), name).values())


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("best", [True, False])
def test_the_best_and_the_worst_order_are_those_of_all_orders(name: str, best: bool) -> None:
    """No order of equal scores gives a query a larger value than the best one, or a smaller one than the worst."""
    joined = join(run(SCORED), run(SCORED), judgments(JUDGED))
    (measure,) = parse_measures(name)
    found = scores_at_tie_end(joined, "a", (measure,), best=best)[0]
    for at, query in enumerate(GROUPS):
        tried = in_every_order(query, name)
        assert found[at] == pytest.approx((max if best else min)(v for v in tried if v is not None)), query


def test_the_share_of_tied_places_is_counted() -> None:
    """Places of the first k with the score of a neighbour, also of the one behind; over the places that there are."""
    tied = run({"q1": [["a", 2.0], ["b", 1.0], ["c", 1.0]], "q2": [["a", 2.0]], "q3": [["a", 1.0], ["b", 1.0]]})
    apart = run({"q1": [["a", 3.0], ["b", 2.0], ["c", 1.0]], "q2": [["a", 2.0]]})
    grades = judgments({query: {"a": 1} for query in ("q1", "q2", "q3")})
    joined = join(tied, apart, grades)
    assert tied_places(joined, "a", Order(), 2).tolist() == [[False, True], [False, False], [True, True]]
    assert tied_among(joined, "a", Order(), 2).tolist() == [[False, False], [False, False], [True, True]]
    assert tied_places(joined, "b", Order(), 2).tolist() == [[False] * 2] * 3
    for k, share in ((2, 3 / 8), (3, 4 / 10)):
        assert compare_joined(joined, rd.Policy(cutoff=k)).tied_share == share
    scored = score_queries(joined, rd.Policy(cutoff=2))
    assert [scored[name].tolist() for name in ("tied_a", "tied_b")] == [[1, 0, 2], [0, 0, 0]]
    without_last = rd.read_queries(
        [{"query_id": query, "weight": float(query != "q3")} for query in ("q1", "q2", "q3")]
    )
    assert compare_joined(joined, rd.Policy(cutoff=2), queries=without_last).tied_share == 1 / 6
    by_position = join(run({"q1": ["a", "b"]}), run({"q1": ["a"]}), grades)
    assert compare_joined(by_position, rd.Policy(cutoff=2)).tied_share == 0.0
    nothing = join(run({"q9": ["a", "b"]}), run({"q9": ["a"]}), grades)
    assert compare_joined(nothing, rd.Policy(cutoff=2)).tied_share == 0.0


def test_scores_are_tied_as_they_are_compared() -> None:
    """Two scores that float32 cannot tell apart are tied there; infinite ones, where float32 ends, are not numbers."""
    close = run({"q1": [["a", 1 + 1e-9], ["b", 1.0]], "q2": [["a", 2e300], ["b", 1e300]]})
    joined = join(close, close, judgments({"q1": {"a": 1}, "q2": {"a": 1}}))
    assert not tied_among(joined, "a", Order(), 2).any()
    assert tied_among(joined, "a", Order(score_type="float32"), 2).tolist() == [[True, True], [False, False]]


def test_bounds_of_a_comparison_hold_for_every_order() -> None:
    """The smallest and the largest mean difference over all orders of both runs; without ties the difference itself."""
    b = {query: list(reversed(rows)) for query, rows in SCORED.items()}
    turned = {query: [[doc, float(place)] for place, (doc, _) in enumerate(rows)] for query, rows in b.items()}
    compared = rd.compare(run(SCORED), run(turned), judgments(JUDGED), measures=["RR"])
    every = []
    for query in GROUPS:
        now = value({query: turned[query]}, {query: JUDGED[query]}, "nDCG@10", query)
        tried = in_every_order(query, "nDCG@10")
        every.append((now - max(tried), now - min(tried)))  # type: ignore[type-var, operator]
    assert compared.tie_bounds == pytest.approx(tuple(np.mean(every, axis=0)))
    untied = rd.compare(run(turned), run(turned), judgments(JUDGED))
    assert untied.tie_bounds == (0.0, 0.0)
    assert untied.tied_share == 0.0


def test_ties_below_the_cutoff_are_told_where_a_measure_reads_so_deep() -> None:
    """AP reads the whole list: equal scores behind the first k bound its mean, and the caveat says what they can do."""
    lists = {f"q{i}": {f"d{j:02}": 20.0 - j for j in range(11)} for i in range(10)}
    tied = {query: {**docs, "e": 1.0, "f": 1.0} for query, docs in lists.items()}
    grades = {query: {"e": 1, "d00": 0} for query in lists}
    policy = rd.Policy(primary="AP", guardrails=[], watch=[])
    compared = rd.compare(run(lists), run(tied), judgments(grades), policy=policy)
    assert compared.tied_share == 0.0
    assert compared.tie_bounds == pytest.approx((1 / 13, 1 / 12))
    (said,) = (one.sentence for one in rd.decide(compared).caveats if one.id == "ties")
    assert "between +0.077 and +0.083" in said
    without = rd.read_queries([{"query_id": query, "weight": float(query == "other")} for query in (*lists, "other")])
    lists["other"], grades["other"] = {"d00": 2.0, "d01": 1.0}, {"d01": 1}
    apart = rd.compare(run(lists), run(tied), judgments(grades), policy=policy, queries=without)
    assert apart.tie_bounds == (-0.5, -0.5)
    assert not any(one.id == "ties" for one in rd.decide(apart).caveats)
