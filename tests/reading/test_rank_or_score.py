"""Which numbers are the rank and which the score: by what they hold, in tables without headings, and asked where both
could be.
"""

from __future__ import annotations

import itertools
import random

import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.tables import Run
from tests.long import every

Row = tuple[str, str, int, float]


def lists(run: Run) -> dict[str, list[str]]:
    """The documents of each query, best first, by the column that orders them."""
    best: dict[str, list[tuple[float, str]]] = {}
    for row in run.table.to_pylist():
        key = {"rank": row.get("rank", 0), "score": -row.get("score", 0), "position": 0}[run.ordered_by]
        best.setdefault(row["query_id"], []).append((float(key), row["doc_id"]))
    return {query: [doc for _, doc in sorted(rows, key=lambda pair: pair[0])] for query, rows in best.items()}


def text(rows: list[tuple[object, ...]], sign: str = ",") -> bytes:
    """Rows without a header line."""
    return "".join(sign.join(map(str, row)) + "\n" for row in rows).encode()


THREE = [("q", "a", 1, 0.9), ("q", "b", 2, 0.8), ("q", "c", 3, 0.1)]


@pytest.mark.parametrize("sign", [",", "\t", " ", ";"])
@pytest.mark.parametrize("order", [*itertools.permutations(THREE)])
def test_score_and_rank_may_stand_in_either_order(order: tuple[Row, ...], sign: str) -> None:
    """Query, document, score, rank is the same run as query, document, rank, score, whatever order the rows have."""
    for first in (0, 1):  # ranks count from 0, or from 1
        usual = [(query, doc, rank + first - 1, score) for query, doc, rank, score in order]
        other = [(query, doc, score, rank) for query, doc, rank, score in usual]
        for rows in (usual, other):
            run = read_run(text(rows, sign))
            assert lists(run) == {"q": ["a", "b", "c"]}
            assert set(run.table.column("score").to_pylist()) == {0.9, 0.8, 0.1}


def test_both_columns_counting_is_asked_and_can_be_answered() -> None:
    """Where both columns count through each query in opposite ways, the column of the ranks is asked for."""
    content = b"q,a,1,3\nq,b,2,2\nq,c,3,1\n"
    with pytest.raises(ReadError, match='"column 3" and "column 4" could be the rank or the score') as error:
        read_run(content)
    (choice,) = error.value.choices
    assert (choice.option, choice.key, choice.values) == ("columns", "rank", ("column 3", "column 4"))
    assert error.value.problems[0].code == "unclear"
    for at, expected in (("3", "abc"), ("column 3", "abc"), ("4", "cba"), ("column 4", "cba")):
        run = read_run(content, columns={"rank": at})
        assert (run.ordered_by, lists(run)) == ("rank", {"q": list(expected)})
    assert lists(read_run(content, columns={"score": "3"})) == {"q": ["c", "b", "a"]}
    assert lists(read_run(content, columns={"score": "4", "rank": ""})) == {"q": ["a", "b", "c"]}


@pytest.mark.parametrize("sign", every(2, [",", "\t", " ", "::"]))
@pytest.mark.parametrize("at", every(2, [881250949, 1112140800000]))
@pytest.mark.parametrize("users", ["abcd", "aabb", "aaaa"])
@pytest.mark.parametrize("ratings", [(5, 3, 2, 1), (1, 2, 4, 5), (3, 3, 3, 3), (4.5, 0.5, 3, 2), (1, 1, 1, 1)])
def test_times_beside_ratings_are_neither_rank_nor_score(
    ratings: tuple[float, ...], users: str, at: int, sign: str
) -> None:
    """User, item, rating, time without headings is no run, whatever the ratings, for one row of a user and for several:
    given as judgments it has the ratings.
    """
    for step in (0, -60, 60):
        rows = [
            (user, f"i{n}", rating, at + n * step) for n, (user, rating) in enumerate(zip(users, ratings, strict=True))
        ]
        with pytest.raises(ReadError, match=r"times stand in .*Give ratings as the judgments"):
            read_run(text(rows, sign))
        judgments = read_judgments(text(rows, sign))
        assert judgments.table.column("relevance").to_pylist() == [*ratings]
        assert 'Columns that were not read: "column 4".' in judgments.source.notes
        with pytest.raises(ReadError, match="the numbers are ids or times, it seems, and no grades"):
            read_judgments(text([(user, item, time) for user, item, _, time in rows], sign))


def test_times_beside_ranks_are_scores() -> None:
    """A model that shows the newest first has times for scores: beside ranks that count they are."""
    run = read_run(b"q,a,1,881250949\nq,b,2,881250940\nr,a,1,881250949\n")
    assert (run.ordered_by, lists(run)) == ("rank", {"q": ["a", "b"], "r": ["a"]})


@pytest.mark.parametrize("numbers", [(2, 0.5), (5, 3), (0.5, 2), (3, 17)])
def test_one_row_for_each_query_is_a_run_where_the_rank_is_the_first(numbers: tuple[float, float]) -> None:
    """Of lists with one row the rank is 1, or 0: any other number may be a grade, and is asked for."""
    for first in (0, 1):
        for rows in ([(q, f"d{q}", first, numbers[1]) for q in "xy"], [(q, f"d{q}", numbers[1], first) for q in "xy"]):
            assert read_run(text(rows)).table.column("rank").to_pylist() == [first, first]
    with pytest.raises(ReadError, match="could be"):
        read_run(text([(q, f"d{q}", *numbers) for q in "xy"]))


@pytest.mark.parametrize("sign", [",", "\t", " "])
@pytest.mark.parametrize("second", ["0", "Q0", "q0"])
def test_query_iteration_and_document_are_a_run(second: str, sign: str) -> None:
    """Three columns with 0 or Q0 in the second have the documents in the third, also where these are numbers; as
    judgments they lack a grade.
    """
    for documents in ("abc", ("12", "7", "9")):
        content = text([("q1", second, doc) for doc in documents], sign)
        assert lists(read_run(content)) == {"q1": [*documents]}
        with pytest.raises(ReadError, match="behind the query, the iteration and the document there is no grade"):
            read_judgments(content)


@pytest.mark.parametrize("grades", ["201", "555", "030"])
def test_grades_before_documents_are_no_documents(grades: str) -> None:
    """Query, grade, document as a run asks for the document: no grade is one without a word."""
    rows = [(query, grade, f"d{at}") for query in ("q1", "q2") for at, grade in enumerate(grades)]
    with pytest.raises(ReadError, match=r'"column 2".* could be|could be "column 2", "column 3"'):
        read_run(text(rows))
    assert len(read_run(text(rows), columns={"doc_id": "3", "score": "2"}).table) == 6
    for title in ("a red one", "red"):
        assert len(read_run(text([("q1", 7, title), ("q1", 9, title), ("q2", 8, title)])).table) == 3


@pytest.mark.parametrize("numbers", [(3, 2, 1), (2, 3, 1), (12, 7, 9), (4, 7, 9)])
def test_one_column_that_could_be_both_is_asked_for(numbers: tuple[int, ...]) -> None:
    """Whole numbers that do not count from row to row may be ranks in another order, or scores: either can be said."""
    content = text([("q", doc, number) for doc, number in zip("abc", numbers, strict=True)])
    with pytest.raises(ReadError, match='"column 3" could be the rank or the score') as error:
        read_run(content)
    assert [choice.key for choice in error.value.choices] == ["rank", "score"]
    rising = [doc for _, doc in sorted(zip(numbers, "abc", strict=True))]
    assert lists(read_run(content, columns={"rank": "3"})) == {"q": rising}
    assert lists(read_run(content, columns={"score": "3"})) == {"q": rising[::-1]}
    assert lists(read_run(content, columns={"rank": ""})) == {"q": rising[::-1]}


def test_whole_numbers_that_fall_and_are_no_ranks_are_scores() -> None:
    """30, 20, 10 from row to row order a list by score; beside them ranks are ranks."""
    assert read_run(b"q,a,30\nq,b,20\nq,c,10\n").ordered_by == "score"
    for content in (b"q,a,30,1\nq,b,20,2\nq,c,10,3\n", b"q,c,10,3\nq,b,20,2\nq,a,30,1\n"):
        run = read_run(content)
        assert (run.ordered_by, lists(run)) == ("rank", {"q": ["a", "b", "c"]})


def test_lists_of_one_document_are_never_asked_for() -> None:
    """Where no query has two documents there is no order to mistake: the whole number is the rank."""
    run = read_run(b"q,a,0.5,1\nr,b,0.25,1\ns,c,0.75,1\n")
    assert run.table.column("rank").to_pylist() == [1, 1, 1]
    assert run.table.column("score").to_pylist() == [0.5, 0.25, 0.75]


def test_ranks_with_gaps_are_known_by_the_scores_beside_them() -> None:
    """Ranks of lists that lack documents count where the scores fall along them; else they are asked for."""
    assert lists(read_run(b"q,a,0.5,9\nq,b,.9,1\nq,c,.7,3\n")) == {"q": ["b", "c", "a"]}
    with pytest.raises(ReadError, match="could be the rank or the score"):
        read_run(b"q,a,0.5,1\nq,b,.9,9\nq,c,.7,3\n")


def test_a_grade_beside_ranks_is_no_score() -> None:
    """Small whole numbers beside the ranks that do not fall along them keep their place as a further column."""
    run = read_run(b"q,a,1,0\nq,b,2,3\nq,c,3,1\n")
    assert run.table.column_names == ["query_id", "doc_id", "rank", "column 4"]


@pytest.mark.parametrize("cell", ["1.5", "-1", "0.2", "99999999999"])
def test_a_rank_is_a_whole_number_even_under_its_heading(cell: str) -> None:
    """What is no whole number from 0 is named with its row, and with the option by which scores are read there."""
    content = f"query_id,doc_id,rank\nq,a,1\nq,b,{cell}\n".encode()
    with pytest.raises(ReadError, match=rf'row 3, column "rank": "{cell}" is no rank\. .*columns={{"score"') as error:
        read_run(content)
    assert error.value.choices[0].key == "score"
    run = read_run(content, columns={"score": "rank"})
    assert (run.ordered_by, run.table.column("score").to_pylist()) == ("score", [1.0, float(cell)])


def test_ranks_that_are_none_are_left_out_where_the_score_decides() -> None:
    """Asked to order by score, a reader leaves fractional ranks out, and says so."""
    run = read_run(b"query_id,doc_id,rank,score\nq,a,1.5,2\nq,b,1.5,3\n", order="score")
    assert "rank" not in run.table.column_names
    assert "The ranks are not used: 2 rows have no whole number from 0 there." in run.source.notes


@pytest.mark.parametrize("last", ["t", ""])
def test_a_trec_run_with_score_and_rank_exchanged_is_read_as_it_is_meant(last: str) -> None:
    """Where the fifth words count and the fourth fall along them, the fifth are the ranks; a note says so."""
    rows = [("q", "Q0", doc, score, rank, last) for _, doc, rank, score in THREE]
    for order in itertools.permutations(rows):
        run = read_run(text(list(order), " "))
        assert lists(run) == {"q": ["a", "b", "c"]}
        assert any("they were read as the rank and the score" in note for note in run.source.notes)


def test_a_trec_run_whose_scores_count_like_ranks_is_asked_for() -> None:
    """Where the fifth words count and the fourth are other whole numbers, the column of the ranks is asked for."""
    content = b"q Q0 a 30 1 t\nq Q0 b 20 2 t\nq Q0 c 10 3 t\n"
    with pytest.raises(ReadError, match="the fifth words, the scores of a TREC run, count like ranks"):
        read_run(content)
    assert lists(read_run(content, columns={"rank": "5"})) == {"q": ["a", "b", "c"]}
    assert lists(read_run(content, columns={"rank": "4"})) == {"q": ["c", "b", "a"]}


def test_a_trec_run_keeps_its_columns_where_only_its_ranks_are_odd() -> None:
    """Constant ranks, no ranks, and scores that count down are as trec_eval reads them: by score."""
    for ranks, scores in (((0, 0, 0), (3, 2, 1)), (("-", "-", "-"), (3, 2, 1)), ((1, 2, 3), (3, 2, 1))):
        rows = [("q", "Q0", doc, rank, score, "t") for doc, rank, score in zip("abc", ranks, scores, strict=True)]
        assert lists(read_run(text(rows, " "))) == {"q": ["a", "b", "c"]}


def test_a_column_of_ranks_before_the_documents_is_asked_for() -> None:
    """Query, 1, 2, 3, …, and another column: which of the two holds the documents is asked."""
    content = b"q,1,a\nq,2,b\n"
    with pytest.raises(ReadError, match="column 2 counts through each query, and the document id could be"):
        read_run(content)
    assert lists(read_run(content, columns={"doc_id": "3"})) == {"q": ["a", "b"]}
    assert lists(read_run(content, columns={"doc_id": "2"})) == {"q": ["1", "2"]}


def test_no_table_without_headings_stands_on_its_head() -> None:
    """Random lists with ranks, scores or both, columns and rows in any order: read as they are meant, or asked for."""
    chance = random.Random(6)
    asked = 0
    for _ in range(400):
        rows: list[Row] = []
        base, step = chance.choice([0, 1]), chance.choice([1, 1, 1, 3])
        whole = chance.random() < 0.3
        for query in range(chance.randint(1, 4)):
            score = 1000.0
            for place in range(chance.randint(1, 5)):
                score -= chance.randint(0, 90) if whole else chance.random() * 90
                rows.append((f"q{query}", f"d{place}", base + place * step, int(score) if whole else score))
        chance.shuffle(rows)
        turned = chance.random() < 0.5
        content = text([(query, doc, score, rank) if turned else (query, doc, rank, score)
                        for query, doc, rank, score in rows])  # fmt: skip
        columns: dict[str, str] = {}
        try:
            run = read_run(content)
        except ReadError as error:
            asked += {problem.code for problem in error.problems} == {"unclear"}
            columns = {"rank": "4" if turned else "3"}
            run = read_run(content, columns=columns)
        ranks = {(query, doc): rank for query, doc, rank, _ in rows}
        for query, docs in lists(run).items():
            assert [ranks[query, doc] for doc in docs] == sorted(ranks[query, doc] for doc in docs), (content, columns)
    assert 0 < asked < 200
