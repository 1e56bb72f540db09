"""Texts as databases, spreadsheets and shells print them: each is the same small table, or is refused in a sentence."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_judgments, read_queries, read_run

HEADER = "query_id,doc_id,rank\n"
ROWS = "q,a,1\nq,b,2\n"
TABLE = HEADER + ROWS


def lists(content: str | bytes) -> dict[str, list[str]]:
    """The documents of each query, in their order."""
    run = read_run(content if isinstance(content, bytes) else content.encode())
    key = "rank" if run.ordered_by == "rank" else None
    rows = run.table.to_pylist()
    if key:
        rows.sort(key=lambda row: row[key])
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["query_id"], []).append(row["doc_id"])
    return found


def notes(content: str | bytes) -> str:
    """What reading says it decided."""
    return " ".join(read_run(content if isinstance(content, bytes) else content.encode()).source.notes)


@pytest.mark.parametrize("sign", ["\x01", "\x1f", "^", "~", ":", "，", "；", "、", "│"])
def test_any_sign_that_separates_known_names_is_the_delimiter(sign: str) -> None:
    """A header whose names stand between an unusual sign tells the delimiter, and a note says so."""
    assert lists(TABLE.replace(",", sign)) == {"q": ["a", "b"]}
    assert "The delimiter is" in notes(TABLE.replace(",", sign))


PRINTED = {
    "markdown": """
| query_id | doc_id | rank |
|---|:--|--:|
| q | a | 1 |
| q | b | 2 |
""",
    "markdown without outer bars": """# Results

query_id | doc_id | rank
--- | --- | ---
q | a | 1
q | b | 2
""",
    "mysql": """+----------+--------+------+
| query_id | doc_id | rank |
+----------+--------+------+
| q        | a      |    1 |
| q        | b      |    2 |
+----------+--------+------+
2 rows in set
""",
    "psql": """ query_id | doc_id | rank
----------+--------+------
 q        | a      |    1
 q        | b      |    2
(2 rows)

""",
    "sqlplus": """
QUERY_ID DOC_ID       RANK
-------- ------ ----------
q        a               1
q        b               2

2 rows selected.
""",
    "rst": """======== ====== ====
query_id doc_id rank
======== ====== ====
q        a      1
q        b      2
======== ====== ====
""",
    "spark": """+--------+------+----+
|query_id|doc_id|rank|
+--------+------+----+
|       q|     a|   1|
|       q|     b|   2|
+--------+------+----+
only showing top 2 rows
""",
}


@pytest.mark.parametrize("text", PRINTED.values(), ids=PRINTED.keys())
def test_tables_printed_for_people_are_read(text: str) -> None:
    """Rules between header and rows, bars at both ends and counts below are no rows."""
    assert lists(text) == {"q": ["a", "b"]}


def test_a_printed_table_of_ids_alone_has_no_rule_among_its_documents() -> None:
    """Where no number gives a rule away, it is still no row."""
    assert lists("| query_id | doc_id |\n|---|---|\n| q | a |\n| q | b |\n") == {"q": ["a", "b"]}


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "q,a,1\n" + HEADER + "q,b,2\n",
        "\ufeff" + HEADER + "q,a,1\n\ufeff" + HEADER + "q,b,2\n",
        "query_id,doc_id\nq,a\nquery_id,doc_id\nq,b\n",
        "\ufeffquery_id,doc_id\nq,a\n\ufeffquery_id,doc_id\nq,b\n",
    ],
)
def test_exports_set_one_below_the_other_are_one_table(text: str) -> None:
    """The header of the second is no row, with and without a mark before it, with and without numbers."""
    assert lists(text) == {"q": ["a", "b"]}
    assert "1 header line further down was left out." in notes(text)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Query,Document,\n" + TABLE, "1 line above the header left out"),
        (",Result,Result\n" + TABLE, "1 line above the header left out"),
        ("Model:,BM25\nDate:,today\n\n" + TABLE, "2 lines above the header left out"),
        ("---\ntitle: x\n---\n" + TABLE, "above the header left out"),
        (HEADER + "查询,文档ID,排名\n" + ROWS, "The second line names the columns once more"),
    ],
)
def test_headers_of_two_rows_have_one_that_counts(text: str, note: str) -> None:
    """Of several lines at the top the one with most known names is the header; a second one below it is no row."""
    assert lists(text) == {"q": ["a", "b"]}
    assert note in notes(text)


@pytest.mark.parametrize(
    "text",
    [
        "  query_id doc_id  rank\n0        q      a     1\n1        q      b     2\n",
        "  query_id doc_id\n0        q      a\n1        q      b\n",
        '"query_id" "doc_id" "rank"\n"1" "q" "a" 1\n"2" "q" "b" 2\n',
        '"query_id"\t"doc_id"\t"rank"\n"1"\t"q"\t"a"\t1\n"2"\t"q"\t"b"\t2\n',
        "query_id,doc_id,rank\n1,q,a,1\n2,q,b,2\n",
    ],
)
def test_row_numbers_that_the_header_lacks_are_no_ids(text: str) -> None:
    """Tables of pandas and R whose header is one name short begin each row with its number."""
    assert lists(text) == {"q": ["a", "b"]}
    assert "Every row begins with its number, which the header lacks." in notes(text)


def test_more_words_than_the_header_has_are_a_problem_of_the_row() -> None:
    """No word of a row is dropped where white space separates."""
    with pytest.raises(ReadError, match="row 3: 4 cells where the header has 3"):
        read_run(b"query_id doc_id rank\nq a 1\nq b 2 x\n")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('q,a,1,"24 inch\nq,b,2,x\nq,c,3,y\n', r'row 2, column "title": a quote is never closed'),
        ('q,a,1,"24 inch\nq,b,2,"27 inch\nq,c,3,y\n', r'row 2, column "title": a quote opens .* closes on line 3'),
        ('q,a,1,"24 inch\nq,b,2,27 inch"\nq,c,3,y\n', r'row 2, column "title": a quote opens .* closes on line 3'),
        ('q,a,1,x\np,a,1,"24 inch\nr,b,2,27 inch"\n', r'row 3, column "title": a quote opens .* closes on line 4'),
    ],
)
def test_no_quote_swallows_rows(text: str, place: str) -> None:
    """A quote that takes in rows below it is refused where it opens."""
    with pytest.raises(ReadError, match=place):
        read_run(("query_id,doc_id,rank,title\n" + text).encode())


@pytest.mark.parametrize(
    "title",
    [
        '"two\nlines"',
        '"a, b\nc, d, e\n\nf"',
        '"with ""quotes""\r\nin it"',
        '24" wide',
        '"24"" wide"',
        r'"say \"hi\", you"',
    ],
)
def test_quotes_of_all_kinds_keep_their_rows(title: str) -> None:
    """Line ends in quoted titles, quotes written twice, behind a backslash or in the middle of a cell lose no row."""
    assert lists(f"query_id,doc_id,rank,title\nq,a,1,{title}\nq,b,2,x\n") == {"q": ["a", "b"]}


@pytest.mark.parametrize(
    ("above", "row"),
    [
        ("", 3),
        ("\n\n", 5),
        ("# a\n# b\n", 5),
        ("sep=,\n", 4),
        ("Export\n\n", 5),
    ],
)
@pytest.mark.parametrize("title", ["plain", '"two\nlines"'])
def test_problems_stand_on_the_line_that_an_editor_shows(above: str, row: int, title: str) -> None:
    """Blank lines, comments, titles and line ends within cells all count as lines."""
    text = f"{above}query_id,doc_id,rank,title\nq,a,1,{title}\nq,b,two,x\n"
    with pytest.raises(ReadError, match=f'^the file, row {row + title.count(chr(10))}, column "rank": "two" is not'):
        read_run(text.encode())


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"# a\n# b\n", "there are only comment lines"),
        (b"Error: connection timed out\n", "row 1: there is no header line and no rank or score"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n", "a pointer of Git LFS"),
        (b"red shoes Q0 a 1 3.0 t\nred shoes Q0 b 2 2.0 t\n", "row 1: there is no header line, and 7 columns"),
        (
            b"10:00 INFO query=q doc=a\n10:01 INFO query=q doc=b\n",
            "row 1: there is no header line and no rank or score",
        ),
        (b"q my a 1 3.0 t\nq his b 2 2.0 t\n", "row 1: there is no header line, and 6 columns"),
        (b"q,a,x,1\nq,b,y,2\n", "row 1: there is no header line, and 4 columns"),
        (b"q Q0 my a 1 3.0 t\nq Q0 my b 2 2.0 t\n", 'row 1, column "rank": "a" is not a number'),
        (b"q Q0 a 1 3.0 t\nq b 2 2.0 t\n", 'row 2, column "iteration": "b" stands where other rows have Q0'),
        (
            "query_id,doc_id,rank\nGrüße,a,1\n".encode() + "Grüße,b,2\n".encode("latin-1"),
            "row 3: the text is not UTF-8",
        ),
        (b"query_id,doc_id,rank\nq,\xed\xa0\x80,1\n", "row 2: the text is not UTF-8"),
    ],
)
def test_what_is_no_run_is_refused(content: bytes, what: str) -> None:
    """Messages, pointers, ids with white space, lost words and mixed encodings are refused, by line."""
    with pytest.raises(ReadError, match=what):
        read_run(content)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("query,doc_id,rank,title\n휴대폰,삼성,1,갤럭시 휴대폰\n휴대폰,엘지,2,벨벳 휴대폰\n", "euc_kr"),
        ("查詢,文件編號,排名\n手機,蘋果手機,1\n手機,華為手機,2\n", "cp950"),
        ("query_id,doc_id,rank\nq,a,1\nq,b,2\n", "utf-32-le"),
        ("query_id,doc_id,rank\nq,a,1\nq,b,2\n", "utf-32-be"),
    ],
)
def test_encodings_without_a_mark_give_the_same_ids(text: str, codec: str) -> None:
    """Korean, traditional Chinese and UTF-32 are told from their bytes."""
    assert lists(text.encode(codec)) == lists(text)


@pytest.mark.parametrize("text", ["q1 red running shoes\nq2 hat\n", "q1:red running shoes\nq2: hat\n"])
def test_lines_of_an_id_and_a_text_are_queries(text: str) -> None:
    """The first word is the id, with or without a colon, and the rest of the line is the text."""
    assert read_queries(text.encode()).table.to_pylist() == [
        {"query_id": "q1", "text": "red running shoes"},
        {"query_id": "q2", "text": "hat"},
    ]


def test_a_heading_of_one_column_is_that_of_whole_lines() -> None:
    """Queries below the one heading "query" are whole lines, blanks and all."""
    table = read_queries(b"query\nred shoes\nblue hat\n").table
    assert table.to_pylist() == [{"query_id": "red shoes"}, {"query_id": "blue hat"}]


def test_qrels_of_other_shapes_are_refused() -> None:
    """Numbers behind the grade, and numbers that count like ranks, are not read as something else."""
    for text in (b"q a 0 1 1.0\nq b 0 1 0.5\n", b"q 1 a 3\nq 2 b 2\nq 3 c 1\n"):
        with pytest.raises(ReadError, match="row 1: there is no header line, and"):
            read_judgments(text)
    assert read_judgments(b"q 1 a 1\nq 1 b 0\n").table.num_rows == 2
