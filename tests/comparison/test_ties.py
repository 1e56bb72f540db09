"""What the order of tied scores could do, against every order that there is; a number that stands between two bounds
lies between them.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import permutations, product

import numpy as np
import pytest

import rankdash as rd
from rankdash.case import Case, compared
from rankdash.judged import Order
from rankdash.metrics import parse_measures
from rankdash.scoring import compare_joined, join, score_queries
from rankdash.scoring.rankings import has_tie_ends, scores_at_tie_end, tied_among, tied_places
from tests.made import judgments, run, value, values
from tests.truth.scale import scaled

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


EXACT = 1e-12
#: Grades by kind: what a file of judgments may hold.
KINDS: dict[str, Sequence[float]] = {
    "binary": (0, 1),
    "positive only": (1,),
    "stars": (1, 2, 3, 4, 5),
    "high stars": (3, 4, 5),
    "negative": (-2, -1, 0, 1, 2),
    "only negative": (-2, -1),
    "fractional": (0, 0.25, 0.5, 0.75),
    "fractional without 0": (0.3, 0.6, 1.5),
}
#: Conventions beside the presets in which a higher grade is not worth more, or a grade of 0 is relevant.
OTHERS = {
    "table": rd.PRESETS["standard"].with_axes({"gain": {1: 5, 2: 1, 3: 2}}),
    "rel=2": rd.PRESETS["standard"].with_axes({"rel": 2}),
    "rel=0": rd.PRESETS["standard"].with_axes({"rel": 0}),
    "rel=-1": rd.PRESETS["textbook"].with_axes({"rel": -1}),
    "rel=0.5": rd.PRESETS["standard"].with_axes({"rel": 0.5, "no_relevant": "1"}),
}
BOUNDED = [
    form.replace("@k", "@4")
    for row in rd.DEFINITIONS.values()
    if row.of_lists is not None and row.bounded and row.higher_is_better and not row.of_subtopics
    for form in row.forms
]


def offered(convention: rd.Convention) -> Iterator[rd.Measure]:
    """The measures that a convention has under their plain names; a tool's refuses those that the tool lacks."""
    for name in BOUNDED:
        with suppress(rd.MeasureError):
            yield from parse_measures([name], convention)


def world(kind: str, seed: int) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """Two runs with many equal scores, unjudged documents and holes, against judgments of a kind."""
    rng = np.random.default_rng(seed)
    pool = [f"d{i}" for i in range(9)]
    runs = [
        {
            f"q{q}": {doc: float(rng.integers(0, 4)) for doc in rng.permutation(pool)[: rng.integers(0, 8)]}
            for q in range(8)
        }
        for _ in "AB"
    ]
    grades = {
        f"q{q}": {str(doc): float(rng.choice(KINDS[kind])) for doc in rng.permutation(pool)[: rng.integers(1, 6)]}
        for q in range(8)
    }
    a, b = (
        rd.read_run({q: docs for q, docs in run.items() if docs}, name=x) for run, x in zip(runs, "AB", strict=True)
    )
    return a, b, rd.read_judgments(grades)


def compared_under(kind: str, preset: str, seed: int, primary: str = "nDCG@4") -> rd.Comparison:
    """The comparison of a world of these grades, with one measure and a cutoff of 4."""
    convention = OTHERS.get(preset, preset)
    policy = rd.Policy(primary=primary, convention=convention, cutoff=4, guardrails=(), watch=())
    a, b, judged = world(kind, seed)
    return compared(Case((a, b), judged), policy)


@pytest.mark.parametrize("preset", [*rd.PRESETS, *OTHERS])
@pytest.mark.parametrize("kind", KINDS)
def test_the_difference_lies_within_all_that_is_said_around_it(kind: str, preset: str) -> None:
    """Bounds of labels and of ties and both intervals hold Δ, whatever the grades and the convention are."""
    for seed in range(scaled(2)):
        comparison = compared_under(kind, preset, seed)
        paired = comparison.primary.paired
        around = (comparison.delta_bounds, comparison.tie_bounds, paired.ci95, (paired.lower90, paired.upper90))
        for low, high in (ends for ends in around if ends is not None and None not in ends):
            assert low <= paired.delta <= high
        labels, weights = comparison.explained.bounds, comparison.explained.weights
        if labels is not None and weights.any():
            now = float(np.average(comparison.explained.deltas[weights > 0], weights=weights[weights > 0]))
            assert labels[0] - EXACT <= now <= labels[1] + EXACT


@pytest.mark.parametrize("preset", [*rd.PRESETS, *OTHERS])
@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_ties_leaves_the_bounds_of_ties(kind: str, preset: str) -> None:
    """A value as counted lies between those at both ends of the ties, for each measure that has such ends."""
    convention = OTHERS.get(preset) or rd.PRESETS[preset]
    measures = tuple(filter(has_tie_ends, offered(convention)))
    for seed in range(scaled(2)):
        a, b, judged = world(kind, seed)
        lists = join(a, b, judged)
        best, worst = (scores_at_tie_end(lists, "a", measures, best=end) for end in (True, False))
        now = lists.scores("a", measures)
        assert (np.isnan(now) | ((worst - EXACT <= now) & (now <= best + EXACT))).all()


def test_a_measure_without_a_best_order_has_no_bounds_of_ties() -> None:
    """AP@k over the hits has none, and AP over the hits of the whole list has."""
    assert compared_under("binary", "textbook", 0, "AP@4").tie_bounds is None
    assert compared_under("binary", "textbook", 0, "AP").tie_bounds is not None
