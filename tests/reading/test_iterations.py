"""The second column of qrels: rounds of judging, which nothing uses, and subtopics, which are told and refused."""

from __future__ import annotations

import random
from io import BytesIO

import pytest

from rankdash.intake import Given, look, placed, read
from rankdash.reading import ReadError, read_judgments, read_run, recognise

#: Of TREC-COVID's form: the round, from 0.5 on, stands second.
ROUNDS = [
    ("1", "4.5", "005b2j4b", 2),
    ("1", "4", "00fmeepz", 1),
    ("1", "0.5", "g7dhmyyo", 2),
    ("2", "1", "005b2j4b", 0),
]


def text_of(rows: list[tuple[str, str, str, int]], delimiter: str, header: str = "") -> bytes:
    """Judgments with an iteration as text."""
    lines = [delimiter.join(map(str, row)) for row in rows]
    return "\n".join([header.replace(",", delimiter), *lines] if header else lines).encode() + b"\n"


def grades(text: bytes, **how: object) -> list[tuple[str, str, float]]:
    """What was read of judgments."""
    table = read_judgments(text, **how).table
    return list(zip(*(table.column(name).to_pylist() for name in ("query_id", "doc_id", "relevance")), strict=True))


HEADERS = ["", "query_id,iteration,doc_id,relevance", "qid,round,docno,rel", "qid,subtopic,docno,rel"]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("delimiter", [" ", "  ", "\t", ","])
def test_a_round_of_judging_is_an_iteration(delimiter: str, header: str) -> None:
    """Rounds of any number beside documents that stand once are told in a note, and not used; the file is judgments."""
    if header and delimiter == "  ":
        delimiter = "\t"
    text = text_of(ROUNDS, delimiter, header)
    assert grades(text) == [(query, doc, float(grade)) for query, _, doc, grade in ROUNDS]
    assert recognise(text).kind == "judgments"
    notes = read_judgments(text).source.notes
    assert any('tells the round of judging ("4.5", "4", "0.5" and 1 more); nothing uses it.' in note for note in notes)


@pytest.mark.parametrize("word", ["0", "Q0", "7", "iter", "round-1"])
def test_one_iteration_of_any_text_is_an_iteration(word: str) -> None:
    """The second column may hold any text: qrels have four columns, and only one of them is the document."""
    assert grades(text_of([("q", word, "a", 1), ("q", word, "b", 0)], " ")) == [("q", "a", 1), ("q", "b", 0)]
    rows = [("q", word, "a", 1), ("q", "later", "b", 0), ("r", "later", "a", 2)]
    assert [doc for _, doc, _ in grades(text_of(rows, " "))] == ["a", "b", "a"]


def test_documents_may_be_numbers() -> None:
    """Numbers in the third column are documents where the second repeats more than they do within a query."""
    rows = [("1", str(1 + i // 2), str(1000 + i), i % 3) for i in range(6)]
    assert [doc for _, doc, _ in grades(text_of(rows, " "))] == [row[2] for row in rows]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("delimiter", [" ", "\t", ","])
def test_subtopics_are_recognised_and_refused(delimiter: str, header: str) -> None:
    """A document of one query in two rows with different second columns is judged for subtopics: one sentence says so,
    with both rows, and the file takes the part of the judgments, so that no page calls it read.
    """
    text = text_of([*ROUNDS, ("1", "5", "00fmeepz", 0)], delimiter, header)
    with pytest.raises(ReadError) as error:
        read_judgments(text)
    (problem,) = error.value.problems
    first = 1 + bool(header)
    assert (problem.row, problem.found) == (first + 4, "5")
    assert f'document "00fmeepz" of query "1" is judged for "4" too (row {first + 1})' in problem.what
    assert "subtopics are not supported yet" in problem.what
    given = Given("qrels.txt", BytesIO(text))
    seen = look(given)
    (part,) = placed([seen], {})
    assert (seen.kind, part.role) == ("judgments", "judgments")
    assert read(given, "judgments", form=seen.form).table is None


@pytest.mark.parametrize("header", HEADERS)
def test_pairs_of_one_iteration_are_ordinary_duplicates(header: str) -> None:
    """The same pair with the same second column is a duplicate or a conflict, which judging settles."""
    rows = [*ROUNDS, ("1", "4", "00fmeepz", 0)]
    assert grades(text_of(rows, "\t", header))[-1] == ("1", "00fmeepz", 0)


@pytest.mark.parametrize("header", HEADERS)
def test_a_person_can_say_that_they_are_rounds(header: str) -> None:
    """Where no column is to be the iteration, pairs that repeat are duplicates and conflicts."""
    for delimiter in ",\t" if header else ", ":
        text = text_of([*ROUNDS, ("1", "5", "00fmeepz", 0)], delimiter, header)
        assert grades(text, columns={"iteration": ""})[-1] == ("1", "00fmeepz", 0)


def test_subtopics_far_down_are_recognised() -> None:
    """One pair among many that repeats with another second column makes them subtopics, wherever it stands."""
    rows = [("q", str(i % 5), f"d{i}", i % 2) for i in range(30_000)]
    assert len(grades(text_of(rows, " "))) == len(rows)
    with pytest.raises(
        ReadError, match='row 30001, column "iteration": "x" is a subtopic: document "d17" of query "q"'
    ):
        read_judgments(text_of([*rows, ("q", "x", "d17", 1)], " "))


def test_a_plain_search_agrees() -> None:
    """On random tables the answer is that of a dict of pairs, row by row."""
    chance = random.Random(3)
    for _ in range(60):
        size = chance.randint(2, 30)
        rows = [(f"q{chance.randint(0, 2)}", chance.choice("xyz"), f"d{chance.randint(0, 40)}", 1) for _ in range(size)]
        seen: dict[tuple[str, str], str] = {}
        wrong = next(
            (i for i, (query, word, doc, _) in enumerate(rows) if seen.setdefault((query, doc), word) != word), None
        )
        text = text_of(rows, ",", "query_id,iteration,doc_id,relevance")
        if wrong is None:
            assert len(grades(text)) == size
            continue
        with pytest.raises(ReadError, match=f"row {wrong + 2}, column"):
            read_judgments(text)


def test_ranks_and_scores_are_no_iterations() -> None:
    """Query, rank, document, score is no table of judgments, and no run that takes the rank for a document."""
    text = b"q 1 a 9.5\nq 2 b 8.5\nq 3 c 1.25\n"
    with pytest.raises(ReadError, match="there is no header line, and 4 columns do not make"):
        read_judgments(text)
    with pytest.raises(ReadError, match="column 2 counts through each query, and the document id could be"):
        read_run(text)
    found = recognise(text)
    assert (found.kind, [choice.key for choice in found.choices]) == ("run", ["doc_id"])
    run = read_run(text, columns={"doc_id": "column 3"})
    assert run.table.select(["doc_id", "rank", "score"]).to_pylist()[0] == {"doc_id": "a", "rank": 1, "score": 9.5}
