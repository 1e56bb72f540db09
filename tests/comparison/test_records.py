"""What a comparison says of itself: its line, its frames, and what it cannot answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rankdash as rd
from rankdash.judged import Order
from rankdash.scoring import PerQuery, compare_joined, compare_scored
from rankdash.scoring.rankings import order_of_ids
from tests.made import judgments, run

A = {"q1": {"x": 2.0, "y": 1.0}, "q2": {"y": 1.0, "x": 0.5}, "q3": {"x": 1.0}}
B = {"q1": {"y": 2.0, "x": 1.0}, "q2": {"x": 1.0, "y": 0.5}, "q4": {"x": 1.0}}
GRADES = {"q1": {"x": 2, "y": 1}, "q2": {"x": 1, "y": 0}, "q3": {"x": 0}, "q4": {"x": 1}}
POLICY = rd.Policy(primary="nDCG@2", guardrails=[], watch=[])


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Two small runs, with a further measure."""
    found = rd.compare(run(A, "old"), run(B, "new"), judgments(GRADES), policy=POLICY, measures=["P@1"])
    assert isinstance(found, rd.Comparison)
    return found


def test_a_comparison_is_shown_in_one_line(comparison: rd.Comparison) -> None:
    """Names, both means, how many queries and measures; without lists no names, without a query no means."""
    assert repr(comparison) == "Comparison('old' -> 'new': nDCG@2 0.408 -> 0.715 over 4 queries, 2 measures)"
    alone = rd.read_queries([{"query_id": "q1", "weight": 1.0}]).weighing(0)
    (one,) = [compare_joined(comparison.joined, POLICY, queries=alone)]
    assert repr(one) == "Comparison('old' -> 'new': nDCG@2 1.000 -> 0.860 over 1 query, 1 measures)"
    saved = compare_scored(PerQuery.from_arrow(comparison.scored.to_arrow()), POLICY)
    assert repr(saved) == repr(comparison)
    unnamed = replace(saved, scored=replace(saved.scored, inputs=None))
    assert repr(unnamed) == "Comparison(nDCG@2 0.408 -> 0.715 over 4 queries, 2 measures)"
    skipped = POLICY.changed(missing="skip")
    nothing = rd.compare(run({"q3": ["x"]}, "a"), run({"q4": ["x"]}, "b"), judgments(GRADES), policy=skipped)
    assert repr(nothing) == "Comparison('a' -> 'b': nDCG@2 no value over 0 queries, 1 measures)"


def test_what_needs_lists_says_so(comparison: rd.Comparison) -> None:
    """Of saved per-query values the documents are not known: a sentence says what to do."""
    saved = compare_scored(PerQuery.from_arrow(comparison.scored.to_arrow()), POLICY)
    with pytest.raises(rd.ComparisonError) as caught:
        _ = saved.joined
    assert str(caught.value) == (
        "This comparison was made of saved per-query values, and what was asked for needs the ranked lists: "
        "compare the two runs again."
    )


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


def test_a_summary_has_these_columns(comparison: rd.Comparison) -> None:
    """By these names; the interval is a list, None where there is none."""
    frame = comparison.summary
    assert list(frame.columns) == [
        *("measure", "role", "a", "b", "delta", "ci", "level", "n", "groups", "n_eff"),
        *("wins", "ties", "losses", "t_p", "effect_size", "holm_p", "mde80"),
    ]
    row = frame.iloc[0]
    paired = comparison.primary.paired
    assert (row["role"], row["a"], row["b"]) == ("primary", paired.mean_a, paired.mean_b)
    assert (row["wins"], row["ties"], row["losses"], row["n"]) == (2, 1, 1, 4)
    assert paired.ci95 is not None
    assert row["ci"] == list(paired.ci95)
    assert row["holm_p"] == comparison.primary.holm_p
    same = rd.compare(run(A), run(A), judgments(GRADES), policy=POLICY)
    assert same.summary.iloc[0]["ci"] is None


def test_a_summary_has_the_tests_for_experts_where_they_were_asked_for() -> None:
    """Behind the other columns, by the names that the JSON has."""
    asked = rd.compare(run(A), run(B), judgments(GRADES), policy=POLICY, experts=True)
    assert asked.experts is not None
    found = asked.summary.iloc[0][["permutation_p", "bca", "wilcoxon_p", "sign_p"]].tolist()
    told = asked.experts[0]
    assert found[0::2] == [told.permutation.p, told.wilcoxon.p]
    assert found[3] == told.sign_p


def test_whether_the_primary_measure_is_the_one_explained(comparison: rd.Comparison) -> None:
    """The one at the policy's cutoff is nDCG; at another cutoff, or another measure, it is not."""
    assert comparison.primary_is_explained
    for primary, cutoff, explained in (("nDCG@2", 3, False), ("P@2", None, False), ("nDCG@3", 3, True)):
        policy = rd.Policy(primary=primary, cutoff=cutoff, guardrails=[], watch=[])
        found = compare_joined(comparison.joined, policy, ["nDCG@2"])
        assert found.primary_is_explained == explained


def test_each_run_has_an_order_of_its_own_where_two_are_asked_for() -> None:
    """The order of ties of A, then that of B; one alone is for both."""
    tied = {"q1": {"x": 1.0, "y": 1.0}}
    rankings = rd.join(run(tied), run(tied), judgments({"q1": {"x": 1, "y": 2}}))
    up, down = Order(ties="docid_asc"), Order(ties="docid_desc")
    relevance = {up: [1.0, 2.0], down: [2.0, 1.0]}
    for orders in ((up, down), (down, up), (up, up), (up, None)):
        both = rankings.both(*orders)
        asked = (orders[0], orders[1] or orders[0])
        for found, order in zip(both, asked, strict=True):
            by_rank = found.lists.relevance[np.argsort(found.lists.rank)]
            assert by_rank.tolist() == relevance[order]


def test_an_order_that_decides_nothing_is_no_other_one() -> None:
    """Where no scores are equal, ties in any order are the ranking that is there; float32 counts where it does."""
    apart = rd.join(run(A), run(B), judgments(GRADES))
    usual = apart.ranked("a", Order())
    assert apart.decisive("a", Order(ties="docid_asc", score_type="float32")) == Order()
    assert apart.ranked("a", Order(ties="docid_asc")) is usual
    close = rd.join(run({"q1": {"x": 1 + 1e-9, "y": 1.0}}), run(B), judgments(GRADES))
    assert close.decisive("a", Order(score_type="float32")) == Order(score_type="float32")
    assert close.decisive("a", Order()) == Order()


def test_lists_are_held_against_each_other_where_they_may_be_the_same() -> None:
    """Outside the queries that are asked about the answer is no, whatever the lists are."""
    rankings = rd.join(run(A), run(A), judgments(GRADES))
    assert rankings.identical(Order()).tolist() == [True] * 4
    among = np.array([True, False, True, False])
    assert rankings.identical(Order(), among).tolist() == among.tolist()


@pytest.mark.parametrize("depth", [1, 2, 6])
def test_documents_of_both_lists_are_found_however_few_ranks_are_kept(depth: int) -> None:
    """The ranks in A and in B of what both hold, as deep as the lists go, or as is asked."""
    a, b = {"q1": ["x", "y", "z", "u"], "q2": ["x"]}, {"q1": ["u", "v", "x"], "q2": ["y"]}
    rankings = rd.join(run(a), run(b), judgments(GRADES), depth=depth)
    pair = rankings.shared((Order(), Order()), 9)
    assert sorted(zip(pair.rank_a.tolist(), pair.rank_b.tolist(), strict=True)) == [(1, 3), (4, 1)]
    assert set(pair.query.tolist()) == {0}
    shallow = rankings.shared((Order(), Order()), 3)
    assert (shallow.rank_a.tolist(), shallow.rank_b.tolist()) == ([1], [3])


def test_swapped_rankings_hold_the_judgments_that_they_are_given(comparison: rd.Comparison) -> None:
    """B and A with the same lists in order, and the judgments as they are for them."""
    graded = judgments(GRADES)
    turned = comparison.joined.swapped(graded)
    assert (turned.a, turned.b, turned.judgments) == (comparison.b, comparison.a, graded)
    assert turned.judgments is graded
    assert turned.ranked("a", Order()) is comparison.joined.ranked("b", Order())


def test_unjudged_documents_stand_in_the_order_of_their_ids() -> None:
    """By query id, then by document id, also the one in the first row of a run's table."""
    a, b = run({"q2": ["z", "x"], "q1": ["y"]}), run({"q2": ["x"], "q1": ["w"]})
    found = rd.compare(a, b, judgments({"q2": {"x": 1}, "q1": {"v": 1}}), policy=POLICY)
    shown, place = found.shown, order_of_ids(found.joined, found.shown)
    unjudged = np.flatnonzero(~shown.documents.judged)
    docs = [run.table.column("doc_id").to_pylist() for run in (a, b)]
    names = {
        int(place[at]): docs[0][shown.row_a[at]] if shown.row_a[at] >= 0 else docs[1][shown.row_b[at]]
        for at in unjudged
    }
    assert names == {0: "w", 1: "y", 2: "z"}
