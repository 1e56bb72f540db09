"""TREC runs and qrels."""

from __future__ import annotations

import math

import pytest

from rankdash import tables
from rankdash.reading import ReadError, read_judgments, read_run, recognise

REGULAR = b"q1 Q0 d1 1 3.5 bm25\nq1 Q0 d2 2 1e-3 bm25\n007 Q0 1e5 1 -2 bm25\n"
ROWS = [
    {"query_id": "q1", "doc_id": "d1", "rank": 1, "score": 3.5},
    {"query_id": "q1", "doc_id": "d2", "rank": 2, "score": 0.001},
    {"query_id": "007", "doc_id": "1e5", "rank": 1, "score": -2.0},
]


def rows(table: tables.Run | tables.Judgments) -> list[dict[str, object]]:
    """The rows of a table as Python values."""
    return table.table.to_pylist()


def test_a_run_has_its_columns_and_is_ordered_by_score() -> None:
    """A TREC run gives query, document, rank and score, and its score orders the lists."""
    run = read_run(REGULAR)
    assert rows(run) == ROWS
    assert run.ordered_by == "score"
    assert [str(kind) for kind in run.table.schema.types] == [
        "dictionary<values=string, indices=int32, ordered=0>",
        "string",
        "int32",
        "double",
    ]
    assert all(column.num_chunks == 1 for column in run.table.columns)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b" ", b"\t"),
        lambda text: text.replace(b" ", b"  "),
        lambda text: text.replace(b" ", b" \t "),
        lambda text: b"  " + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b" ", b"  ").replace(b"\n", b"\r\n"),
        lambda text: text.replace(b" ", b"  ").replace(b"\n", b"\r"),
        lambda text: text.replace(b"\n", b"\r"),
        lambda text: text.replace(b"bm25\n", b"bm25 more junk at the end\n", 1),
        lambda text: text.replace(b"\n", b"  \n"),
        lambda text: text.replace(b"\n", b"\n\n"),
        lambda text: b"\n \n" + text,
        lambda text: text.rstrip(b"\n"),
        lambda text: text.replace(b" bm25", b""),
        lambda text: text.replace(b" 3.5", b" +3.5"),
        lambda text: text.replace(b"Q0 d2", b"Q0\td2"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: b"qid Q0 docno rank score tag\n" + text,
        lambda text: text.replace(b" 1 ", b" 1.0 "),
    ],
)
def test_irregular_white_space_gives_the_same_table(change: object) -> None:
    """Tabs, runs of blanks, leading blanks, empty lines, line ends, a missing tag and extra words change nothing."""
    run = read_run(change(REGULAR))
    assert rows(run) == ROWS
    assert run.table.schema == read_run(REGULAR).table.schema


def test_irregular_lines_far_down_give_the_same_table() -> None:
    """A file that turns irregular after several blocks gives the table of the regular one."""
    lines = [f"q{i // 100} Q0 d{i} {i % 100 + 1} {1000 - i % 100} tag\n" for i in range(60_000)]
    irregular = [line.replace(" ", "   ") if i > 50_000 and i % 3 else line for i, line in enumerate(lines)]
    expected, found = read_run("".join(lines).encode()), read_run("".join(irregular).encode())
    assert expected.table.num_rows == 60_000
    assert found.table.equals(expected.table)


def test_ids_stay_strings() -> None:
    """Leading zeros, long numbers, exponents and words for nothing are ids like any other."""
    ids = ["007", "1234567890123456789", "1e5", "NA", "null", "nan", "-1", "d#1", '"d', "日本"]
    run = read_run("".join(f"{i} Q0 {i} 1 1 t\n" for i in ids).encode())
    assert run.table.column("doc_id").to_pylist() == ids
    assert run.table.column("query_id").to_pylist() == ids


def test_qrels_become_judgments() -> None:
    """Query, iteration, document and grade of qrels; grades may be negative or fractions."""
    judgments = read_judgments(b"q1 0 d1 3\nq1 0 d2 -1\nq2 Q0  d1 0.5\n")
    assert rows(judgments) == [
        {"query_id": "q1", "doc_id": "d1", "relevance": 3.0},
        {"query_id": "q1", "doc_id": "d2", "relevance": -1.0},
        {"query_id": "q2", "doc_id": "d1", "relevance": 0.5},
    ]


def test_scores_that_are_not_finite_leave_the_order_to_the_rank() -> None:
    """nan, inf, 1e999 and nothing in the score column become NaN, are counted in a note, and keep their ranks."""
    run = read_run(b"q Q0 a 1 nan t\nq Q0 b 2 inf t\nq Q0 c 3 2 t\nq Q0 d 4 none t\nq Q0 e 5 -1e999 t\n")
    assert [math.isfinite(score) for score in run.table.column("score").to_pylist()] == [
        False,
        False,
        True,
        False,
        False,
    ]
    assert run.table.column("rank").to_pylist() == [1, 2, 3, 4, 5]
    assert "4 rows have no finite score; their queries are ordered by rank." in run.source.notes


@pytest.mark.parametrize("line_end", [b"\n", b" \n"])
def test_words_for_scores_are_refused(line_end: bytes) -> None:
    """A word in the score column is a problem of its row and column, though ranks stand beside it."""
    with pytest.raises(ReadError) as error:
        read_run(line_end.join([b"q Q0 a 1 2.5 t", b"q Q0 b 2 inf t", b"q Q0 c 3 high t", b""]))
    (problem,) = error.value.problems
    assert (problem.row, problem.column, problem.found) == (3, "score", "high")
    assert problem.allowed == "Use a number such as 12.5; nan leaves the order to the rank."


def test_ranks_that_are_no_numbers_are_not_used() -> None:
    """A TREC run is ordered by score, so ranks that are no numbers are dropped with a note."""
    run = read_run(b"q Q0 a - 2 t\nq Q0 b - 1 t\n")
    assert "rank" not in run.table.column_names
    assert "The ranks are not used: 2 rows have no whole number from 0 there." in run.source.notes


def test_a_run_given_as_judgments_is_refused() -> None:
    """A TREC run given as judgments, and qrels given as a run, are each refused in one sentence."""
    with pytest.raises(ReadError, match=r"^the file: this is a TREC run .*, not judgments\. Give it as a run\.$"):
        read_judgments(REGULAR)
    with pytest.raises(ReadError, match=r"^the file: these are judgments .*, not a run\. Give the file as the judg"):
        read_run(b"q1 0 d1 1\n")


def test_a_bad_grade_is_named_by_row() -> None:
    """A word for a grade in qrels is an error with its row; empty lines are counted."""
    with pytest.raises(ReadError) as error:
        read_judgments(b"q1 0 d1 1\n\nq1 0 d2 great\nq1 0 d3 1\n")
    assert str(error.value) == (
        'the file, row 3, column "relevance": "great" is not a number. Use 0, 1, 2, …, or grades={…: …}'
    )


def test_short_lines_are_named_by_row() -> None:
    """A line with too few words is an error with its row, also behind empty and irregular lines."""
    with pytest.raises(ReadError) as error:
        read_run(b"q1 Q0 d1 1 3.5 t\n\n  q1  Q0 d2 2 2.5 t\nq1 Q0 d3\nq1 Q0 d4 4 1 t\n")
    assert str(error.value) == (
        "the file, row 4: 3 cells where a TREC run has 6 (query, Q0, document, rank, score, tag)."
    )


@pytest.mark.parametrize(
    "query_id", ["[", "{", "[a]", "{x", "[1", "[]", "{}", '{"q"', '{"q', '["', '{"q":x', '["a","b"]']
)
def test_a_query_id_may_begin_with_a_bracket(query_id: str) -> None:
    """A TREC file is no JSON for the beginning of its first id: runs and judgments are read, and recognised."""
    run = f"{query_id} Q0 0 1 3.5 run\n{query_id} Q0 d 2 2.5 run\nq Q0 0 1 1 run\n".encode()
    grades = f"{query_id} 0 0 1\n{query_id} 0 d 0\nq 0 0 1\n".encode()
    assert read_run(run).table.column("query_id").to_pylist() == [query_id, query_id, "q"]
    assert read_judgments(grades).table.column("query_id").to_pylist() == [query_id, query_id, "q"]
    assert [recognise(content).kind for content in (run, grades)] == ["run", "judgments"]


@pytest.mark.parametrize(
    "text",
    [
        '{"iphone 12 13 14 15 pro": {"d1": 3}}',
        '{ "a b 1 2 c" : {"d1": 3} }',
        '[ { "query_id" : "q" , "doc_id" : "d" , "score" : 1 } ]',
        '[\n {"query_id": "q", "doc_id": "d", "score": 1}\n]',
        '{ "q" : { "d" : 1 } }',
        '{"a Q0 d 1 2.5 run": {"d1": 3}}',
        '{"a Q0 \\" 1 2.5 run": {"d1": 3}}',
    ],
)
def test_json_stays_json(text: str) -> None:
    """Names with blanks and numbers, and spaces around every mark, make no TREC file of JSON."""
    assert read_run(text.encode()).table.num_rows == 1


@pytest.mark.parametrize(
    "text", ['{"a": 1 "b": 2\n}', '[ "a" 1 2 3 4 ]', '{"q": {"d1" 1, "d2": 2}}', '{ "q" 0 "d" 1 }']
)
def test_damaged_json_is_no_trec_file(text: str) -> None:
    """JSON in which a comma or a colon is missing is refused as the JSON that it is."""
    with pytest.raises(ReadError, match="the JSON text is damaged"):
        recognise(text.encode())


@pytest.mark.parametrize(
    ("columns", "missing"),
    [("{q} Q0 {d} {score} bm25", "rank"), ("{q} Q0 {d} {score} 7", "rank"), ("{q} Q0 {d} {rank} bm25", "score")],
)
def test_a_run_of_five_words_says_which_is_missing(columns: str, missing: str) -> None:
    """One sentence, not one for each line; where rank and score are there, only the tag is missing, and it is read."""
    lines = [(q, d, d, 9.25 - d) for q in ("q1", "q2") for d in range(1, 15)]
    rows_of = (columns.format(q=q, d=f"d{d}", rank=rank, score=score) for q, d, rank, score in lines)
    with pytest.raises(ReadError, match=f"the {missing} is missing. Write one") as error:
        read_run("\n".join(rows_of).encode())
    assert len(error.value.problems) == 1
    complete = "\n".join(f"{q} Q0 d{d} {rank} {score}" for q, d, rank, score in lines)
    assert len(read_run(complete.encode()).table) == len(lines)


@pytest.mark.parametrize("at", [0, 2])
@pytest.mark.parametrize("remark", ["# part two 2", "#", "# NIST", "# a longer remark of 7 words"])
@pytest.mark.parametrize("white", [" ", "\t", "  "])
def test_a_comment_among_judgments_is_no_judgment(remark: str, at: int, white: str) -> None:
    """Whatever number of words a line that begins with # alone has, it is left out and told."""
    rows = [white.join(("q1", "0", f"d{i}", str(i))) for i in range(4)]
    read = read_judgments("\n".join([*rows[:at], remark, *rows[at:]]).encode())
    assert [tuple(row.values()) for row in read.table.to_pylist()] == [("q1", f"d{i}", i) for i in range(4)]
    assert "1 comment line was left out." in read.source.notes


def test_judgments_with_a_further_column_are_no_run() -> None:
    """Query, 0, document, grade and a judge, or a stratum before the grade, are refused as a run and as judgments; runs
    without a tag are read, with ranks or one number for all of them.
    """
    for rows in ("q1 0 a 1 7\nq1 0 b 0 8\nq1 0 c 1 7\n", "q1 0 a 1 -1\nq1 0 b 1 2\nq1 0 c 2 0\n"):
        for read in (read_run, read_judgments):
            with pytest.raises(ReadError, match=r"these may be judgments with a further column\. Write"):
                read(rows.encode())
    for rows in (
        "q1 0 a 1 7\nq1 0 b 2 5\nq2 0 a 1 7\n",
        "q1 0 a 0 7\nq1 0 b 0 9\n",
        "q1 0 a 1 7.5\nq1 0 b 1 9\nq2 0 c 2 3\n",
    ):
        assert read_run(rows.encode()).ordered_by == "score"


@pytest.mark.parametrize("white", [" ", "\t", "  "])
def test_second_words_that_come_again_decide_nothing(white: str) -> None:
    """Second words that are no round of judging are kinds of documents where they come again in a list, and the third
    do not, which is noted; where both could name documents, or the third come again, the lines are no TREC run.
    """
    kinds = [("q1", "web"), ("q1", "web"), ("q1", "map"), ("q2", "map")]
    lines = [white.join((q, kind, f"d{at}", str(at), f"{9 - at}.5", "t")) for at, (q, kind) in enumerate(kinds)]
    run = read_run("\n".join(lines).encode())
    assert run.table.column("doc_id").to_pylist() == ["d0", "d1", "d2", "d3"]
    assert 'The second words, which decide nothing: "web", "map".' in run.source.notes
    assert not any("second words" in note for note in read_run(b"q 0 a 1 2 t\nq Q0 b 2 1 t\n").source.notes)
    for other in ("\n".join(lines[1:]), "\n".join(lines).replace("d1", "d0").replace("web", "e1", 1)):
        with pytest.raises(ReadError):
            read_run(other.encode())


@pytest.mark.parametrize("at", [0, 2])
@pytest.mark.parametrize("remark", ["# a b 3 4 x", "# run of 3 5"])
def test_a_comment_among_results_is_no_result(remark: str, at: int) -> None:
    """A comment with as many words as a row of a run is left out and told."""
    rows = [f"q1 Q0 d{i} {i + 1} {9 - i} tag" for i in range(4)]
    read = read_run("\n".join([*rows[:at], remark, *rows[at:]]).encode())
    assert read.table.column("doc_id").to_pylist() == ["d0", "d1", "d2", "d3"]
    assert "1 comment line was left out." in read.source.notes


def test_a_heading_that_ends_with_0_is_no_iteration() -> None:
    """Tabs between the index of pandas, a rank, a document, a score and a query are the columns that the headings
    name.
    """
    run = read_run(b"Unnamed: 0\tposition\tURL\tscore\tQuery\n0\t1\td1\t8.5\t7\n1\t2\td2\t7.5\t7\n")
    assert [(row["query_id"], row["doc_id"], row["rank"]) for row in run.table.to_pylist()] == [
        ("7", "d1", 1),
        ("7", "d2", 2),
    ]


def test_a_query_may_be_a_sign() -> None:
    """A query whose id is # alone is one where an iteration follows, as in every other row."""
    assert read_judgments(b"# 0 d1 1\nq2 0 d1 1\n").table.column("query_id").to_pylist() == ["#", "q2"]
    assert read_run(b"# Q0 d1 1 5 t\nq2 Q0 d1 1 4 t\n").table.column("query_id").to_pylist() == ["#", "q2"]
