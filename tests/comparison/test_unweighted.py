"""Judged queries without a weight: they never leave the comparison without a word."""

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.report.text import to_text
from rankdash.scoring import UnweightedError
from rankdash.scoring.queries import facts
from tests.made import judgments, run
from tests.truth.scale import scaled

#: B is better on the first 40 of 100 queries, by two different amounts, and worse on the others.
IDS = [f"q{at:03}" for at in range(100)]
WON = IDS[:40]
LISTS = (["good", "x", "y", "z"], ["x", "good", "y", "z"], ["x", "y", "z", "good"])
A = run({query: LISTS[1 + at % 2] if query in WON else LISTS[0] for at, query in enumerate(IDS)}, "old")
B = run({query: LISTS[0] if query in WON else LISTS[1 + at % 2] for at, query in enumerate(IDS)}, "new")
GRADES = judgments({query: {"good": 1, "x": 0, "y": 0, "z": 0} for query in IDS})


def weights(ids: list[str], weight: float | str = 1.0) -> list[dict[str, Any]]:
    """A table of weights for some queries."""
    return [{"query_id": query, "weight": weight} for query in ids]


def are_alike(one: rd.Comparison, other: rd.Comparison) -> bool:
    """Whether two comparisons say the same of the primary measure, but for the last bit of a weighted sum."""
    here, there = (
        (found.n, found.n_eff, found.wins, found.losses, found.delta, found.lower95, found.upper95, found.p_flip)
        for found in (one.primary.paired, other.primary.paired)
    )
    return here == pytest.approx(there)


def compared(rows: list[dict[str, Any]] | None, missing_weight: float | None = None) -> rd.Comparison:
    """A against B under a table of queries."""
    return rd.compare(A, B, GRADES, queries=rows, missing_weight=missing_weight)


def test_a_table_that_lacks_most_queries_launches_nothing() -> None:
    """WORSE on 100 queries does not become LAUNCH on the 40 that a table of weights happens to hold."""
    assert rd.decide(compared(None)).outcome.value == "WORSE"
    with pytest.raises(UnweightedError, match="60 of 100 judged queries have no weight") as error:
        compared([*weights(WON[:20], 0.5), *weights(WON[20:], 2.0)])
    assert (error.value.gap.count, error.value.gap.of) == (60, 100)


def test_what_a_missing_weight_is_decides_which_queries_count() -> None:
    """0 leaves the queries out, 1 is the number 1: with other weights of 1 nothing is weighted at all."""
    without = compared(weights(WON), 0)
    assert (without.primary.paired.n, rd.decide(without).outcome.value) == (40, "LAUNCH")
    with_them = compared(weights(WON), 1)
    assert are_alike(with_them, compared(None))
    assert rd.decide(with_them).outcome.value == "WORSE"
    heavy = compared(weights(WON, 9.0), 1)
    assert heavy.sample.weights.tolist() == [9.0] * 40 + [1.0] * 60


@pytest.mark.parametrize(
    ("judged", "lacking", "refused"), [(100, 5, False), (100, 6, True), (20, 1, False), (19, 1, True)]
)
def test_up_to_5_percent_are_left_out(judged: int, lacking: int, refused: bool) -> None:
    """Exactly 5% of the judged queries are not counted; above that it has to be said what they weigh."""
    ids = arrow.from_strings(IDS[:judged])
    found = facts(rd.read_queries(weights(IDS[lacking:])), ids)
    assert (found.gap.count, found.gap.is_large) == (lacking, refused)
    lists = {query: ["good"] for query in IDS[:judged]}
    arguments = (run(lists), run(lists), judgments({query: {"good": 1} for query in lists}))
    if refused:
        with pytest.raises(UnweightedError):
            rd.compare(*arguments, queries=weights(IDS[lacking:]))
    else:
        assert rd.compare(*arguments, queries=weights(IDS[lacking:])).primary.paired.n == judged - lacking


def test_a_table_of_other_queries_is_refused_with_examples_of_both() -> None:
    """Where no judged query has a weight, ids of the table are shown: they are probably written otherwise."""
    with pytest.raises(UnweightedError, match="the table is about others, such as 'Q000'"):
        compared(weights([query.upper() for query in IDS]))
    with pytest.raises(UnweightedError, match="60 of 100 judged queries have no weight"):
        compared([*weights(WON, 0.0), *weights(IDS[40:], "")])
    with pytest.raises(rd.ComparisonError, match="Every judged query weighs 0"):
        compared(weights(["Q1"]), 0)
    assert are_alike(compared(weights(["Q1"]), 1), compared(None))


def test_a_decision_without_weights_is_refused() -> None:
    """missing_weight says something about a column of weights: without one it is an error, not silently unused."""
    with pytest.raises(rd.ComparisonError, match="missing_weight is 0, but there is no table of queries"):
        compared(None, 0)
    with pytest.raises(rd.ComparisonError, match="missing_weight is 1, but there is no column of weights"):
        compared([{"query_id": "q000", "text": "one"}], 1)
    with pytest.raises(ValueError, match=r"missing_weight is 0\.5: it is 0 or 1"):
        compared(weights(WON), 0.5)


@pytest.mark.parametrize("weight", [-1.0, math.inf])
def test_a_table_made_in_memory_has_weights_of_at_least_0(weight: float) -> None:
    """Records that no reader has checked are: a weight below 0 would be left out in silence. A null is a blank cell."""
    table = pa.table({"query_id": IDS, "weight": [weight, *[1.0] * 99]})
    with pytest.raises(rd.ComparisonError, match="use numbers of at least 0"):
        rd.compare(A, B, GRADES, queries=rd.Queries(table))
    table = pa.table({"query_id": IDS, "weight": [None, *[1.0] * 99]})
    found = rd.compare(A, B, GRADES, queries=rd.Queries(table))
    assert (found.primary.paired.n, found.facts.weightless) == (99, 0)


def test_weights_are_those_of_a_slow_twin() -> None:
    """Random tables - some queries lacking, some cells blank, some of queries that nobody judged - against a loop."""
    rng = np.random.default_rng(25)
    for _ in range(scaled(60)):
        judged = [f"q{at}" for at in rng.permutation(30)[: rng.integers(1, 30)].tolist()]
        rows = [
            {"query_id": f"q{at}", "weight": None if rng.random() < 0.2 else float(rng.integers(0, 4))}
            for at in rng.permutation(40)[: rng.integers(1, 40)].tolist()
        ]
        if all(row["weight"] is None for row in rows):
            continue
        decided = [None, 0, 1][int(rng.integers(3))]
        table = rd.read_queries(rows)
        found = facts(table.weighing(decided), arrow.from_strings(judged))
        given = {row["query_id"]: row["weight"] for row in rows}
        lacking = [query for query in judged if given.get(query) is None]
        expected = [decided or 0 if query in lacking else given[query] for query in judged]
        assert found.weights.tolist() == expected
        assert (found.gap.count, found.gap.of) == (len(lacking), len(judged))
        assert found.gap.is_large == (len(lacking) * 20 > len(judged))
        assert found.weightless == sum(given.get(query) == 0 for query in judged)
        assert found.unknown == sum(query not in given for query in judged)
        assert found.unjudged == len(given.keys() - set(judged))
        total = sum(weight or 0 for weight in given.values())
        others = sum(weight or 0 for query, weight in given.items() if query not in judged)
        share = others / total if total else 0.0
        assert math.isclose(found.unjudged_weight or 0.0, share)


def test_numbers_in_which_each_query_counts_once_say_so() -> None:
    """Beside weighted means the terminal names what knows no weights: the derived ΔGSB and the tests for experts."""
    for table in (None, weights(IDS[:50], 9) + weights(IDS[50:], 1)):
        found = rd.compare(A, B, GRADES, queries=table, experts=True)
        said = [line for line in to_text(found, rd.decide(found)).splitlines() if "without weights" in line]
        assert [line.split(",")[0].split()[0] for line in said] == ([] if table is None else ["ΔGSB", "Measure"])
