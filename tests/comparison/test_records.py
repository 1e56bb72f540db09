"""What a comparison says of itself: its line, its frames, and what it cannot answer."""

import pytest

import rankdash as rd
from rankdash.scoring import compare_joined
from tests.made import judgments, run

A = {"q1": {"x": 2.0, "y": 1.0}, "q2": {"y": 1.0, "x": 0.5}, "q3": {"x": 1.0}}
B = {"q1": {"y": 2.0, "x": 1.0}, "q2": {"x": 1.0, "y": 0.5}, "q4": {"x": 1.0}}
GRADES = {"q1": {"x": 2, "y": 1}, "q2": {"x": 1, "y": 0}, "q3": {"x": 0}, "q4": {"x": 1}}
POLICY = rd.Policy(primary="nDCG@2", guardrails=[], watch=[])


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Two small runs, with a further measure."""
    return rd.compare(run(A, "old"), run(B, "new"), judgments(GRADES), policy=POLICY, measures=["P@1"])


def test_a_frame_of_some_measures_has_their_rows(comparison: rd.Comparison) -> None:
    """One measure by any of its names, several, or all, each row as in ``per_query``; counted from 0 on."""
    assert comparison.to_pandas().equals(comparison.per_query)
    for asked in ("P@1", "P_1", rd.parse_measure("P@1"), ["P@1"]):
        frame = comparison.to_pandas(asked)
        assert frame["measure"].unique().tolist() == ["P@1"]
        assert frame["query_id"].tolist() == ["q1", "q2", "q3", "q4"]
        assert (frame["a"].tolist(), frame["b"].tolist()) == ([1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 1.0])
        assert frame.index.tolist() == [0, 1, 2, 3]
        assert list(frame.columns) == ["query_id", "measure", "a", "b", "delta"]
    assert len(comparison.to_pandas(["nDCG@2", "P@1"])) == 8
    with pytest.raises(rd.NotComputed) as caught:
        comparison.to_pandas("AP")
    assert str(caught.value.args[0]) == (
        "AP was not computed. Computed: nDCG@2, P@1. Ask for it with compare(..., measures=['AP'])."
    )


def test_a_value_that_one_side_lacks_is_null_there() -> None:
    """A query has a row where A or B has a value; what is undefined is null, with every other value in its place."""
    found = rd.compare(run(A), run(B), judgments(GRADES), policy=POLICY, measures="Judged@2")
    rows = [row for row in found.per_query_table.to_pylist() if row["measure"] == "Judged@2"]
    assert [(row["query_id"], row["a"], row["b"], row["delta"]) for row in rows] == [
        ("q1", 1.0, 1.0, 0.0),
        ("q2", 1.0, 1.0, 0.0),
        ("q3", 1.0, None, None),
        ("q4", None, 1.0, None),
    ]


def test_whether_the_primary_measure_is_the_one_explained(comparison: rd.Comparison) -> None:
    """The one at the policy's cutoff is nDCG; at another cutoff, or another measure, it is not."""
    assert comparison.primary_is_explained
    for primary, cutoff, explained in (("nDCG@2", 3, False), ("P@2", None, False), ("nDCG@3", 3, True)):
        policy = rd.Policy(primary=primary, cutoff=cutoff, guardrails=[], watch=[])
        found = compare_joined(comparison.joined, policy, ["nDCG@2"])
        assert found.primary_is_explained == explained
