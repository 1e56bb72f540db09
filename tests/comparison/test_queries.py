"""What is known about the queries, and what follows for the sample: weights, segments, severe changes. Those of weight
0 are in no count.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.evidence.paired import Paired, bh, holm, paired
from rankdash.metrics import parse_measures
from rankdash.report.notes import query_numbers
from rankdash.scoring import QuerySample
from rankdash.scoring.concerns import concerns as rows_behind
from rankdash.scoring.queries import facts
from rankdash.scoring.results import weigh
from rankdash.verdict import evidence_of
from tests.made import judgments, run

TABLE = [
    {"query_id": "q1", "text": "one", "weight": 2.0, "kind": "x", "alone": "s"},
    {"query_id": "q2", "text": "two", "weight": 0.0, "kind": "y", "alone": "s"},
    {"query_id": "q9", "text": "nine", "weight": 5.0, "kind": "z", "alone": "s"},
]


def test_facts_stand_in_the_order_of_the_judged_queries() -> None:
    """Text, weight and segment of each; "" and a weight of 0 where nothing is known, which is counted."""
    found = facts(rd.read_queries(TABLE), arrow.from_strings(["q2", "q3", "q1"]))
    assert found.weights.tolist() == [0.0, 0.0, 2.0]
    assert found.texts == ("two", "", "one")
    assert {name: values.tolist() for name, values in found.segments.items()} == {"kind": ["y", "", "x"]}
    assert found.unknown == 1
    named = facts(rd.read_queries(TABLE), arrow.from_strings(["q2", "q3", "q1"]), ["alone"])
    assert list(named.segments) == ["kind", "alone"]
    plain = facts(rd.read_queries([{"query_id": "q1", "text": "one"}]), arrow.from_strings(["q1"]))
    assert (plain.weights, plain.texts, dict(plain.segments), plain.unknown) == (None, ("one",), {}, 0)
    nothing = facts(None, arrow.from_strings(["q1"]))
    assert (nothing.weights, nothing.texts, dict(nothing.segments), nothing.unknown) == (None, (), {}, 0)


@pytest.mark.parametrize(("values", "explored"), [(1, False), (2, True), (30, True), (31, False)])
def test_a_column_of_2_to_30_values_is_explored(values: int, explored: bool) -> None:
    """One value splits nothing, and more than thirty say little; an empty cell is no value."""
    rows = [{"query_id": f"q{i}", "kind": f"k{i}" if i < values else ""} for i in range(40)]
    found = facts(rd.read_queries(rows), arrow.from_strings([f"q{i}" for i in range(40)]))
    assert ("kind" in found.segments) is explored


def test_huge_weights_are_scaled_down() -> None:
    """Beyond 1e100 the largest is 1, and the others keep their proportion to it; up to there they are as written."""
    ids = arrow.from_strings(["q1", "q2"])
    for largest, expected in ((1e100, [1e100, 5e99]), (1.5e100, [1.0, 1 / 3])):
        rows = [{"query_id": "q1", "weight": largest}, {"query_id": "q2", "weight": 5e99}]
        found = facts(rd.read_queries(rows), ids).weights
        assert found.tolist() == pytest.approx(expected)


POLICY = rd.Policy(segments=("kind",), segment_n_min=3, severe=0.5)
MEASURES = parse_measures((*POLICY.measures, "P@3"))
RNG = np.random.default_rng(11)
SCORES_A, SCORES_B = RNG.random((2, len(MEASURES), 16)).round(2)
KIND = np.array(["x"] * 6 + ["y"] * 5 + ["z"] * 2 + [""] * 3, object)
SIZE = np.array(["s", "l"] * 8, object)
COUNTED = np.arange(16) != 4
WEIGHTS = np.where(np.arange(16) == 7, 0.0, np.arange(1, 17) / 4)
SAMPLE = QuerySample(COUNTED, WEIGHTS, {"size": SIZE, "kind": KIND})
IN = [i for i in range(16) if i not in (4, 7)]


def of(rows: list[int], measure: int = 0) -> Paired:
    """The paired evidence of some queries."""
    return paired(SCORES_A[measure][rows], SCORES_B[measure][rows], weights=WEIGHTS[rows], mpe=None)


def test_segments_are_judged_where_the_policy_names_them_and_they_are_large_enough() -> None:
    """Those that it names come first; each family of p-values is adjusted by itself; empty values make no segment."""
    found = weigh(POLICY, MEASURES, SCORES_A, SCORES_B, SAMPLE).segments
    rows = {
        ("kind", "x"): [0, 1, 2, 3, 5], ("kind", "y"): [6, 8, 9, 10], ("kind", "z"): [11, 12],
        ("size", "s"): [i for i in IN if i % 2 == 0], ("size", "l"): [i for i in IN if i % 2],
    }  # fmt: skip
    assert [(one.column, one.value) for one in found] == list(rows)
    expected = {key: of(at) for key, at in rows.items()}
    assert [one.paired for one in found] == list(expected.values())
    assert [one.named for one in found] == [True, True, True, False, False]
    assert [one.judged for one in found] == [True, True, False, False, False]
    harm = holm([expected[key].p_harm for key in (("kind", "x"), ("kind", "y"))])
    explored = bh([expected[key].t_p for key in (("size", "s"), ("size", "l"))])
    assert [one.adjusted_p for one in found] == [*harm.tolist(), None, *explored.tolist()]


def test_severe_changes_are_counted_from_the_policys_step_on() -> None:
    """A rise or a fall of exactly the step is severe, queries that do not count are not."""
    a, b = np.zeros((2, len(MEASURES), 16))
    b[0, :6] = [0.5, 0.51, 0.49, 1.0, 1.0, 0.0]  # query 4 does not count
    a[0, 6:10] = [0.5, 0.9, 0.49, 0.7]  # nor does query 7
    found = weigh(POLICY, MEASURES, a, b, SAMPLE)
    assert (found.severe_wins, found.severe_losses) == (3, 2)


def test_a_query_without_a_segment_hides_no_other_one() -> None:
    """A value that is empty, or counts nowhere, makes no segment; those behind it in the table do."""
    ids = [f"q{i}" for i in range(6)]
    kinds = dict(zip(ids, ["", "gone", "x", "y", "x", "y"], strict=True))
    rows = [{"query_id": query, "kind": kinds[query], "weight": float(kinds[query] != "gone")} for query in ids]
    lists = {query: ["a", "b"] for query in ids}
    found = rd.compare(
        run(lists), run(lists), judgments({query: {"a": 1} for query in ids}), queries=rd.read_queries(rows)
    )
    assert [(one.column, one.value) for one in found.plain.segments] == [("kind", "x"), ("kind", "y")]


DOCS = [f"d{i}" for i in range(12)]
LISTS: Mapping[str, Any] = {doc: -at for at, doc in enumerate(DOCS)}
TURNED: Mapping[str, Any] = {doc: at for at, doc in enumerate(DOCS)}
#: Facts about whole files.
OF_FILES = ("distinct_grades", "likeness", "same_file")
#: What the queries of weight 0 are like: judgments, A, B.
LIKE: dict[str, tuple[Mapping[str, float], Mapping[str, Any], Mapping[str, Any]]] = {
    "missing in A": ({"d0": 1}, {}, TURNED),
    "missing in B": ({"d0": 1}, LISTS, {}),
    "missing in both": ({"d0": 1}, {}, {}),
    "without a relevant document": ({"d0": 0}, LISTS, TURNED),
    "all that changed": ({"d0": 1, "d5": 2}, LISTS, TURNED),
}


@pytest.mark.parametrize("population", ["all", "affected"])
@pytest.mark.parametrize("like", LIKE)
def test_a_query_of_weight_0_is_in_no_count(like: str, population: str) -> None:
    """Data checks, numbers and statuses are those of the files without these queries."""
    grades, a, b = LIKE[like]
    counted = {f"q{i:02}": ({"d1": 1, "d2": i % 3}, LISTS, TURNED if i % 2 else LISTS) for i in range(40)}
    if like == "all that changed":
        counted = {query: (judged, LISTS, LISTS) for query, (judged, _, _) in counted.items()}
    weightless = {f"z{i}": (grades, a, b) for i in range(12)}
    policy = rd.Policy(population=population, segments=())
    found = []
    for rows in (counted, counted | weightless):
        judged, run_a, run_b = ({query: row[at] for query, row in rows.items() if row[at]} for at in range(3))
        weights = [{"query_id": query, "weight": float(query in counted)} for query in rows]
        comparison = rd.compare(
            rd.read_run(run_a),
            rd.read_run(run_b),
            rd.read_judgments(judged),
            policy=policy,
            queries=rd.read_queries(weights),
        )
        numbers = query_numbers(comparison)
        numbers.pop("weightless")
        concerns = {concern.name: concern.count for concern in rows_behind(comparison)}
        verdict = rd.decide(comparison)
        data = asdict(evidence_of(comparison).data)  # type: ignore[arg-type]
        seen = {name: value for name, value in data.items() if name not in OF_FILES}
        found.append(
            (
                seen,
                numbers,
                {name: concerns[name] for name in ("missing", "without_relevant")},
                {check.rule: check.status for check in verdict.checks if check.rule != "C7"},
            )
        )
    assert found[0] == found[1]
