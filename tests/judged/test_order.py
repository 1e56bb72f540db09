"""Ranked lists in order: ties, duplicates, scores that are no numbers, ranks with gaps, and judgments for one list
alone.
"""

from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.judged import OTHER, SIDES, Conflict, Order, RankedRun, inline_judgments, pooled, ranked, ranked_rows
from rankdash.judged.ranked import are_apart, own_grades, swapped_judgments, with_own
from rankdash.scoring import join
from tests.made import judgments, run


def listed(made: rd.Run, order: Order | None = None, query: str = "q") -> list[str]:
    """The documents of one list, best first."""
    rows, _, _ = ranked_rows(made, query, order or Order())
    ids = made.table.column("doc_id").to_pylist()
    return [ids[row] for row in rows]


def csv_run(text: str, **options: Any) -> rd.Run:
    """A run of CSV text."""
    return rd.read_run(text.encode(), name="run", **options)


def test_rank_only_sorts() -> None:
    """Ranks from 0, with gaps and with equal numbers, order the list; places are counted anew from 1."""
    made = csv_run("query_id,doc_id,rank\nq,c,7\nq,a,0\nq,b,3\nq,d,7\n")
    assert listed(made) == ["a", "b", "c", "d"]
    frame = rd.evaluate(made, judgments({"q": {"c": 1}}), ["RR"])
    assert frame["value"].tolist() == [pytest.approx(1 / 3)]


def test_ties_are_broken_only_in_lists_ordered_by_score() -> None:
    """Equal ranks keep the order of the file, whatever the convention says about ties."""
    made = csv_run("query_id,doc_id,rank,score\nq,a,1,5\nq,b,1,5\nq,c,1,5\n")
    assert listed(made, Order("docid_desc")) == ["a", "b", "c"]


def test_rank_and_score_that_disagree_are_counted() -> None:
    """Rows whose rank contradicts the score that orders the list are counted; ties contradict nothing."""
    trec = b"q Q0 a 2 3.0 x\nq Q0 b 1 2.0 x\nq Q0 c 4 1.0 x\nq Q0 d 3 1.0 x\n"
    made = rd.read_run(trec, name="run")
    assert listed(made) == ["a", "b", "d", "c"]
    assert ranked(made, pooled(judgments({"q": {"a": 1}})), Order(), 10).findings.disagreements == 1


def test_a_list_with_a_score_that_is_no_number_goes_by_rank() -> None:
    """One infinite or missing score sends its own list to the rank column, and no other list."""
    trec = b"q Q0 a 2 3.0 x\nq Q0 b 1 nan x\nr Q0 a 2 9.0 x\nr Q0 b 1 1.0 x\n"
    made = rd.read_run(trec, name="run")
    assert listed(made) == ["b", "a"]
    assert listed(made, query="r") == ["a", "b"]
    pool = pooled(judgments({"q": {"a": 1}, "r": {"a": 1}}))
    assert ranked(made, pool, Order(), 10).findings.by_rank_instead == 1


def test_two_grades_for_one_document_keep_the_first_and_tell() -> None:
    """A repeated judgment is counted; one that contradicts is a conflict with both grades named."""
    text = "query_id,doc_id,relevance\nq,a,2\nq,b,1\nq,a,2\nq,b,0\nr,b,0\n"
    pool = pooled(rd.read_judgments(text.encode()))
    assert (pool.repeated, pool.conflict_count, len(pool.relevance)) == (1, 1, 3)
    assert pool.conflict == Conflict("q", "b", 1.0, 0.0)


def _same(found: RankedRun, wanted: RankedRun) -> bool:
    arrays = [(getattr(found, name), getattr(wanted, name)) for name in ("top_row", "top_judgment")]
    of_hits = ("document", "rank", "tie_first", "tie_last")
    arrays += [(getattr(found.lists, name), getattr(wanted.lists, name)) for name in of_hits]
    return all(np.array_equal(one, other) for one, other in arrays)


@pytest.mark.parametrize("step", [1.0, 2.0**-30, 0.0], ids=["apart", "together as float32", "ties"])
@pytest.mark.parametrize("mixed", [False, True], ids=["sorted", "in no order"])
def test_a_comparison_finds_in_every_order_what_ranking_anew_finds(step: float, mixed: bool) -> None:
    """An order that decides nothing is not made again, and no order is taken for another that differs."""
    rng = np.random.default_rng(7)
    rows = [(f"q{q}", f"d{d:02}", 20.0 - step * d) for q in range(20) for d in rng.permutation(20).tolist()]
    rows.sort(key=lambda row: (row[0], -row[2]))
    if mixed:
        rng.shuffle(rows)
    made = csv_run("query_id,doc_id,score\n" + "".join(f"{q},{d},{score!r}\n" for q, d, score in rows))
    grades = rd.read_judgments({f"q{q}": {f"d{d:02}": int(rng.integers(0, 3)) for d in range(20)} for q in range(20)})
    joined = join(made, made, grades)
    orders = [
        Order(ties, kind) for ties in ("docid_desc", "docid_asc", "input_order") for kind in ("float64", "float32")
    ]
    for order in orders + orders[::-1]:
        assert _same(joined.ranked("a", order), ranked(made, joined.pool, order, joined.depth)), order
    made_anew = {id(joined.ranked("a", order)) for order in orders}
    assert len(made_anew) == {1.0: 2, 2.0**-30: 4, 0.0: 6}[step]


def test_grades_of_one_run_are_enough() -> None:
    """A run without grades beside its documents is passed over; those of the others are read, the first one kept."""
    plain = csv_run("query_id,doc_id,score\nq,a,2\n")
    graded = csv_run("query_id,doc_id,score,relevance\nq,a,2,1\nq,b,1,\n")
    again = csv_run("query_id,doc_id,score,relevance\nq,a,2,3\nq,c,1,0\n")
    found = inline_judgments(plain, graded, again)
    columns = ("query_id", "doc_id", "relevance")
    rows = [tuple(row[name] for name in columns) for row in found.table.select(columns).to_pylist()]
    assert rows == [("q", "a", 1.0), ("q", "a", 3.0), ("q", "c", 0.0)]
    assert inline_judgments(plain) is None
    assert inline_judgments() is None


@pytest.mark.parametrize("seed", range(20))
def test_lists_whose_documents_have_one_score_are_counted(seed: int) -> None:
    """As many as plain counting finds, in the whole run and in its queries one by one; a single document is no tie."""
    rng = np.random.default_rng(seed)
    lists = {
        f"q{n}": {
            f"d{i}": float(score) for i, score in enumerate(rng.integers(0, rng.integers(1, 3), rng.integers(1, 5)))
        }
        for n in range(12)
    }
    expected = {query: int(len(scored) > 1 and len(set(scored.values())) == 1) for query, scored in lists.items()}
    assert 0 < sum(expected.values()) < len(lists)
    pool = pooled(judgments({query: {"d0": 1} for query in lists}))

    def counted(made: dict[str, dict[str, float]]) -> int:
        return ranked(rd.read_run(made), pool, Order(), 0).findings.level

    assert counted(lists) == sum(expected.values())
    assert {query: counted({query: scored}) for query, scored in lists.items()} == expected


TEXT = b"query_id,doc_id,relevance,only_for\nq,a,3,A\nq,b,2,B\nq,c,1,\np,a,1,B\n"


def test_a_list_is_ranked_against_its_own_judgments_alone() -> None:
    """A grade for the other list counts neither among the hits, nor in the ideal, nor among the first ranks."""
    judgments = rd.read_judgments(TEXT)
    pool = pooled(judgments)
    found = ranked(run({"q": ["b", "a", "x", "c"], "p": ["a"]}), pool, Order(), 5)
    own = own_grades(judgments, pool, "a")
    assert are_apart(judgments)
    assert dict(zip(pool.relevance[pool.query == 0], own[pool.query == 0], strict=True)) == {3: True, 2: False, 1: True}
    alone = with_own(found, own)
    assert (alone.lists.rank.tolist(), alone.lists.relevance.tolist()) == ([2, 4], [3.0, 1.0])
    assert alone.lists.query.tolist() == alone.lists.query[:2].tolist() == [0, 0]
    assert (alone.lists.tie_first.tolist(), alone.lists.tie_last.tolist()) == ([2, 4], [2, 4])
    assert alone.lists.length.tolist() == [4, 1]
    assert alone.lists.pool.relevance.tolist() == [3.0, 1.0]
    assert pool.relevance[alone.lists.document].tolist() == [3.0, 1.0]
    grade = [[float(pool.relevance[one]) if one >= 0 else None for one in top] for top in alone.top_judgment]
    assert grade == [[None, 3.0, None, 1.0, None], [None] * 5]
    assert np.array_equal(alone.top_row, found.top_row)
    assert own_grades(judgments, pool, "b").tolist() == [one in (2, 1) for one in pool.relevance.tolist()]


def test_what_is_for_a_is_for_b_when_the_models_are_exchanged() -> None:
    """Each side becomes the other one; what is for both lists stays, and so do the grades and their order."""
    assert (SIDES, dict(OTHER)) == (("a", "b"), {"a": "b", "b": "a"})
    judgments = rd.read_judgments(TEXT)
    swapped = swapped_judgments(judgments).table
    assert judgments.table.column("only_for").to_pylist() == ["A", "B", "", "B"]
    assert swapped.column("only_for").to_pylist() == ["B", "A", "", "A"]
    assert swapped.drop_columns(["only_for"]).equals(judgments.table.drop_columns(["only_for"]))
