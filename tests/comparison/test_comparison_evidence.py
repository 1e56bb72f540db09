"""Queries, weights, segments, votes, what explains a difference, and neighbouring settings, from tables to verdict."""

from __future__ import annotations

import numpy as np
import pytest

import rankdash as rd
from rankdash.evidence.paired import paired
from tests.made import judgments, run

N = 60


def lists(better: bool) -> dict[str, list[str]]:
    """One list per query; the better model puts the good document first on most queries, the other one on some."""
    return {f"q{i}": ["good", "u", "bad"] if (i % 5 > 0) == better else ["bad", "good", "fair"] for i in range(N)}


GRADES = {f"q{i}": {"good": 2, "fair": 1, "bad": 0} for i in range(N)}
QUERIES = "query_id,text,weight,language\n" + "".join(
    f"q{i},what is {i},{1 + (i % 5 == 0) * 9},{'en' if i % 2 else 'de'}\n" for i in range(N)
)
VOTES = "query_id,vote,rater,left\n" + "".join(
    f"q{i},{'bad' if i % 4 == 0 and r < 2 else 'good'},r{r},{'A' if (i + r) % 2 else 'B'}\n"
    for i in range(N)
    for r in range(3)
)


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Both models, with weights, segments, votes and everything that experts ask for."""
    return rd.compare(
        run(lists(False), "A"),
        run(lists(True), "B"),
        judgments(GRADES),
        policy=rd.Policy(segments=("language",)),
        queries=rd.read_queries(QUERIES.encode()),
        votes=rd.read_votes(VOTES.encode()),
        experts=True,
    )


def test_weights_count_in_every_mean(comparison: rd.Comparison) -> None:
    """The result is the weighted one, with the effective number of queries and the plain mean beside it."""
    weights = [10.0 if i % 5 == 0 else 1.0 for i in range(N)]
    expected = paired(comparison.scores_a[0], comparison.scores_b[0], weights=weights)
    found = comparison.primary.paired
    assert (found.delta, found.ci95, found.n_eff) == (expected.delta, expected.ci95, expected.n_eff)
    assert found.delta_unweighted == pytest.approx(comparison.deltas[0].mean())
    assert found.n_eff < N / 2
    assert "weights" in {caveat.id for caveat in rd.decide(comparison).caveats}


def test_segments_of_the_policy_are_judged_and_add_up(comparison: rd.Comparison) -> None:
    """Each value of a named column is a segment with its own interval; together they hold every query."""
    segments = comparison.plain.segments
    assert {(one.column, one.value, one.named) for one in segments} == {
        ("language", "en", True),
        ("language", "de", True),
    }
    assert sum(one.paired.n for one in segments) == N
    assert all(one.judged == (one.paired.n_eff >= 30) for one in segments)


def test_columns_that_the_policy_does_not_name_are_exploration() -> None:
    """Without the policy's word a column blocks nothing and is marked."""
    some = rd.compare(run(lists(False)), run(lists(True)), judgments(GRADES), queries=rd.read_queries(QUERIES.encode()))
    assert all(not one.named and not one.judged for one in some.plain.segments)
    assert all(one.adjusted_p is not None for one in some.plain.segments)


def test_a_segment_that_is_no_column_is_refused() -> None:
    """A policy that names a missing segment column gives one clear error with the columns there are."""
    with pytest.raises(rd.ComparisonError, match=r"'country'.*language"):
        rd.compare(
            run(lists(False)),
            run(lists(True)),
            judgments(GRADES),
            policy=rd.Policy(segments=("country",)),
            queries=rd.read_queries(QUERIES.encode()),
        )


@pytest.mark.parametrize("values", [1, N])
def test_a_named_column_is_a_segment_whatever_its_values(values: int) -> None:
    """A column that the policy names counts with one value alone, and with more than are ever explored."""
    queries = "query_id,country\n" + "".join(f"q{i},c{i % values}\n" for i in range(N))
    tables = (run(lists(False)), run(lists(True)), judgments(GRADES))
    named = rd.compare(*tables, policy=rd.Policy(segments=("country",)), queries=rd.read_queries(queries.encode()))
    assert len(named.plain.segments) == values
    assert not rd.compare(*tables, queries=rd.read_queries(queries.encode())).plain.segments


def test_a_named_column_that_names_the_queries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """More values than a table of segments can hold are refused, with what is allowed."""
    monkeypatch.setattr("rankdash.scoring.queries.MOST_NAMED", N - 1)
    queries = "query_id,country\n" + "".join(f"q{i},c{i}\n" for i in range(N))
    with pytest.raises(rd.ComparisonError, match=r"'country'.*at most"):
        rd.compare(
            run(lists(False)),
            run(lists(True)),
            judgments(GRADES),
            policy=rd.Policy(segments=("country",)),
            queries=rd.read_queries(queries.encode()),
        )


def test_the_weight_of_one_query_is_its_share_of_the_queries_that_count() -> None:
    """Where only affected queries count, a heavy query outside them carries none of the weight."""
    heavy = "query_id,weight\n" + "".join(f"q{i},{1000 if i == 0 else 1}\n" for i in range(N))
    better = {**lists(True), "q0": lists(False)["q0"]}
    for population, told in (("all", True), ("affected", False)):
        some = rd.compare(
            run(lists(False)),
            run(better),
            judgments(GRADES),
            policy=rd.Policy(population=population),
            queries=rd.read_queries(heavy.encode()),
        )
        said = {caveat.id: caveat.sentence for caveat in rd.decide(some).caveats}
        assert ("of the weight" in said.get("weights", "")) == told


def test_the_segment_that_the_weights_favour_is_named(comparison: rd.Comparison) -> None:
    """The caveat about weights says which segment moves the mean, where one does."""
    columns = "query_id,weight,kind\n" + "".join(
        f"q{i},{10 if i % 5 == 0 else 1},{'rare' if i % 5 == 0 else 'common'}\n" for i in range(N)
    )
    some = rd.compare(comparison.a, comparison.b, judgments(GRADES), queries=rd.read_queries(columns.encode()))
    said = {caveat.id: caveat.sentence for caveat in rd.decide(some).caveats}
    assert "most of the difference between them comes from kind “rare”" in said["weights"]


def test_votes_are_counted_by_majority_and_reach_the_rules(comparison: rd.Comparison) -> None:
    """A query's label is that of most of its raters; the rules about votes are then evaluated."""
    said = comparison.votes
    assert said is not None
    assert (said.gsb.good, said.gsb.same, said.gsb.bad, said.raters) == (45, 0, 15, 3)
    statuses = {check.rule: check.status.value for check in rd.decide(comparison).checks}
    assert statuses["H3"] == "passed"


def test_a_side_that_is_not_known_does_not_hide_the_others() -> None:
    """Where B stood on the left in every row but one, which does not say, the pull of the side hides preference."""
    rows = [f"q{i},good,{'' if i == 7 else 'B'}\n" for i in range(N)]
    alone = rd.compare_votes(rd.read_votes(("query_id,vote,left\n" + "".join(rows)).encode()))
    assert alone.votes.side.left == 1.0
    assert alone.votes.side.n is not None
    assert alone.votes.side.n < N / 2
    assert rd.decide(alone).rule == "V1"


def test_votes_alone_decide_without_judgments() -> None:
    """Without lists the verdict speaks of ΔGSB, and every other rule is absent."""
    alone = rd.compare_votes(rd.read_votes(VOTES.encode()))
    verdict = rd.decide(alone)
    assert {check.rule for check in verdict.checks} == {"C1", "V1", "H3", "F1", "U1", "U2"}
    assert "ΔGSB" in verdict.sentence


def test_the_waterfall_adds_up_to_the_delta(comparison: rd.Comparison) -> None:
    """The weighted mean of the four parts is the weighted mean difference of nDCG@k."""
    decomposition = comparison.decomposition
    assert decomposition is not None
    parts = decomposition.waterfall(comparison.population_weights)
    assert sum(parts.values()) == pytest.approx(comparison.primary.paired.delta, abs=1e-12)
    assert np.allclose(decomposition.parts.sum(axis=1), comparison.deltas[0], atol=1e-12)


def test_labels_cannot_move_the_delta_beyond_the_bounds(comparison: rd.Comparison) -> None:
    """Grading every unjudged document best, or worst, keeps the mean within the bounds that were announced."""
    low, high = comparison.delta_bounds or (0.0, 0.0)
    assert low < high
    for grade in (0, 2):
        grades = {query: {**docs, "u": grade} for query, docs in GRADES.items()}
        again = rd.compare(comparison.a, comparison.b, judgments(grades), queries=comparison.queries)
        assert low - 1e-9 <= (again.primary.paired.delta or 0.0) <= high + 1e-9


def test_the_first_of_the_worklist_moves_the_mean_as_announced(comparison: rd.Comparison) -> None:
    """Labelling the first document of the worklist with the best grade changes the mean by the announced effect."""
    work = comparison.worklist
    assert work is not None
    row = int(work.row[0])
    documents = comparison.shown.documents
    query = comparison.query_ids[int(documents.query[row])]
    grades = {**GRADES, query: {**GRADES[query], "u": 2}}
    again = rd.compare(comparison.a, comparison.b, judgments(grades), queries=comparison.queries)
    moved = (again.primary.paired.delta or 0.0) - (comparison.primary.paired.delta or 0.0)
    assert moved == pytest.approx(work.if_best[0], abs=1e-9)


def test_equal_effects_stand_in_the_order_of_the_ids(comparison: rd.Comparison) -> None:
    """Documents whose labels could move the mean by as much are listed by query, then by document."""
    work, shown = comparison.worklist, comparison.shown
    assert work is not None
    size = [round(abs(effect), 12) for effect in work.effect]
    query_ids = [comparison.query_ids[at] for at in shown.documents.query[work.row]]
    assert len(set(size)) < len(size)
    assert [*zip(size, query_ids, strict=True)] == sorted(
        zip(size, query_ids, strict=True), key=lambda row: (-row[0], row[1])
    )


def test_no_worklist_where_a_and_b_share_no_ideal() -> None:
    """Under a convention whose ideal is the list itself, labels and parts have no exact meaning and are absent."""
    some = rd.compare(run(lists(False)), run(lists(True)), judgments(GRADES), convention="ranklib")
    assert (some.decomposition, some.worklist, some.delta_bounds) == (None, None, None)


def test_experts_see_every_measure_checked(comparison: rd.Comparison) -> None:
    """Permutation, bootstrap, Wilcoxon and sign test stand beside each measure."""
    assert comparison.experts is not None
    assert len(comparison.experts) == len(comparison.measures)
    assert all(0 <= one.permutation.p <= 1 and 0 <= one.sign_p <= 1 for one in comparison.experts)


def test_neighbouring_settings_are_tried_and_named(comparison: rd.Comparison) -> None:
    """Gain, cutoffs, unjudged and each rater: every setting with its outcome."""
    tried = rd.robustness(comparison)
    assert [setting.name for setting in tried.settings] == [
        "gain exp2",
        "cutoff 5",
        "cutoff 20",
        "unjudged documents removed",
        "rater r0 left out",
        "rater r1 left out",
        "rater r2 left out",
    ]
    outcome = rd.decide(comparison).outcome
    assert [setting.holds for setting in tried.settings] == [setting.outcome is outcome for setting in tried.settings]
    assert tried.sentence.startswith(f"Holds in {tried.holding} of 7")


def test_swapped_models_turn_the_waterfall() -> None:
    """The other way round, every part turns its sign, and dropped and gained change places."""
    one = rd.compare(run(lists(False)), run(lists(True)), judgments(GRADES)).decomposition
    other = rd.compare(run(lists(True)), run(lists(False)), judgments(GRADES)).decomposition
    assert one is not None
    assert other is not None
    there, back = one.waterfall(), other.waterfall()
    assert there["relevant_dropped"] == pytest.approx(-back["relevant_gained"])
    assert there["reordering"] == pytest.approx(-back["reordering"])
    assert there["unjudged_moved_in"] == pytest.approx(-back["unjudged_moved_in"])
