"""Queries, weights, segments, votes, what explains a difference, and neighbouring settings, from tables to verdict."""

from __future__ import annotations

import pytest

import rankdash as rd
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


def test_a_side_that_is_not_known_does_not_hide_the_others() -> None:
    """Where B stood on the left in every row but one, which does not say, the pull of the side hides preference."""
    rows = [f"q{i},good,{'' if i == 7 else 'B'}\n" for i in range(N)]
    alone = rd.compare_votes(rd.read_votes(("query_id,vote,left\n" + "".join(rows)).encode()))
    assert alone.votes.side.left == 1.0
    assert alone.votes.side.n is not None
    assert alone.votes.side.n < N / 2
    assert rd.decide(alone).rule == "V1"


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
