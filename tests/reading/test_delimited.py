"""Comma, tab and semicolon separated text, with and without a header."""

from __future__ import annotations

import csv
import io
import math

import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.reading.source import Limits

ZEROS = "this is not a text file: it holds zero bytes. Give TREC, CSV, TSV, JSON, Excel or Parquet."
MISSING = (
    'the file, row 1: there is no column for the document id. Found: "query_id", "foo". Choose it with '
    'columns={"doc_id": …}, or name it doc_id (docno, item, url, … are understood too).'
)


def column(table: object, name: str) -> list[object]:
    """The values of one column."""
    return table.table.column(name).to_pylist()


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|", " ", "   "])
def test_the_delimiter_is_found(delimiter: str) -> None:
    """Commas, tabs, semicolons, bars and blanks separate columns."""
    text = "query_id,doc_id,score\nq1,d1,2.5\nq1,d2,1\n".replace(",", delimiter)
    run = read_run(text.encode())
    assert column(run, "query_id") == ["q1", "q1"]
    assert column(run, "doc_id") == ["d1", "d2"]
    assert column(run, "score") == [2.5, 1.0]


def test_rank_orders_before_score_before_position() -> None:
    """A table is ordered by rank if it has one, else by score, else as the rows stand; order= decides otherwise."""
    both = b"query_id,doc_id,rank,score\nq,a,2,9\nq,b,1,1\n"
    assert read_run(both).ordered_by == "rank"
    assert read_run(both, order="score").ordered_by == "score"
    assert read_run(both, order="position").ordered_by == "position"
    assert read_run(b"query_id,doc_id,score\nq,a,2\n").ordered_by == "score"
    assert read_run(b"query_id,doc_id\nq,a\n").ordered_by == "position"
    with pytest.raises(ReadError, match=r'no column for the rank to order by\. Found: "query_id", "doc_id", "score"\.'):
        read_run(b"query_id,doc_id,score\nq,a,2\n", order="rank")


def test_ids_stay_strings_and_are_trimmed() -> None:
    """Ids are never numbers or nulls; only the white space around them goes, with a note."""
    run = read_run(
        "query_id,doc_id,rank\n 007 ,NA,1\n007,null,2\n1e5,1234567890123456789,1\nNA,\u00a0x y\u3000,1\n".encode()
    )
    assert column(run, "query_id") == ["007", "007", "1e5", "NA"]
    assert column(run, "doc_id") == ["NA", "null", "1234567890123456789", "x y"]
    assert run.table.column("query_id").chunk(0).dictionary.to_pylist() == ["007", "1e5", "NA"]
    assert 'White space around 1 id in column "doc_id" was removed.' in run.source.notes


def test_quotes_hold_delimiters_line_ends_and_quotes() -> None:
    """Quoted cells are read as CSV has them, and rows below them are counted by lines, as an editor counts."""
    text = io.StringIO()
    csv.writer(text).writerows(
        [["query_id", "doc_id", "rank", "title"], ["q", "a,b", "1", 'say "hi"\nthere'], ["q", "c", "x", '5" pipe']]
    )
    with pytest.raises(ReadError, match=r'^the file, row 4, column "rank": "x" is not a number'):
        read_run(text.getvalue().encode())
    run = read_run(text.getvalue().replace(",x,", ",2,").encode())
    assert column(run, "doc_id") == ["a,b", "c"]
    assert column(run, "title") == ['say "hi"\nthere', '5" pipe']


def test_blank_lines_and_byte_order_marks_change_nothing() -> None:
    """A byte order mark, blank lines above, between and below, and CRLF give the same table."""
    run = read_run(b"\xef\xbb\xbf\r\n\r\nquery_id,doc_id,rank\r\n\r\nq,a,1\r\nq,b,2\r\n\r\n")
    assert run.table.to_pylist() == read_run(b"query_id,doc_id,rank\nq,a,1\nq,b,2").table.to_pylist()


def test_rows_are_counted_with_blank_lines() -> None:
    """The row of a problem is the line of the file, the header being line 1."""
    with pytest.raises(ReadError) as error:
        read_run(b"query_id,doc_id,rank\n\nq,a,1\n\n\nq,b,two\n")
    assert str(error.value) == 'the file, row 6, column "rank": "two" is not a number. Use 1, 2, 3, …'


def test_all_problems_are_told_together_with_their_number() -> None:
    """The first 20 problems of all columns come in the order of the file, with the count of the others."""
    rows = "".join(f"q,,{'x' if i % 2 else 1},dreadful\n" for i in range(30))
    with pytest.raises(ReadError) as error:
        read_run(f"query_id,doc_id,rank,label\n{rows}".encode())
    lines = str(error.value).splitlines()
    assert error.value.count == 30 + 15 + 30
    assert len(error.value.problems) == 20
    assert lines[:2] == [
        'the file, row 2, column "doc_id": the document id is empty.',
        'the file, row 2, column "label": "dreadful" is not a number. Use 0, 1, 2, …, or grades={…: …}',
    ]
    assert lines[-1] == "the file: and 55 more problems."
    assert [problem.row for problem in error.value.problems] == sorted(p.row for p in error.value.problems)


def test_a_problem_carries_file_row_column_found_and_allowed() -> None:
    """A problem can be read by a program: file, row, column, found and allowed are fields."""
    with pytest.raises(ReadError) as error:
        read_judgments(b"qid,docno,grade\nq,a,great\n")
    problem = error.value.problems[0]
    assert (problem.file, problem.row, problem.column, problem.found) == ("the file", 2, "grade", "great")
    assert problem.allowed == "Use 0, 1, 2, …, or --grades WORD=GRADE,…"


def test_blank_grades_are_unjudged() -> None:
    """Blank, NA and null grades are NaN beside a run and no row among judgments, and are counted in a note."""
    text = b"query_id,doc_id,rank,relevance\nq,a,1,2\nq,b,2,\nq,c,3,NA\nq,d,4,null\n"
    run = read_run(text)
    assert [math.isnan(value) for value in column(run, "relevance")] == [False, True, True, True]
    assert "3 rows have no grade: not judged." in run.source.notes
    judgments = read_judgments(text)
    assert judgments.table.to_pylist() == [{"query_id": "q", "doc_id": "a", "relevance": 2.0}]
    assert judgments.source.rows == 4
    assert judgments.source.notes == ('Columns that were not read: "rank".', "3 rows have no grade: not judged.")


def test_queries_without_any_grade_are_not_among_the_judged() -> None:
    """The ids of judgments are those of rows with a grade."""
    judgments = read_judgments(b"query_id,doc_id,relevance\nq1,a,\nq2,a,1\n")
    assert judgments.table.column("query_id").chunk(0).dictionary.to_pylist() == ["q2"]
    with pytest.raises(ReadError, match=r'^the file: no row has a grade in column "relevance"'):
        read_judgments(b"query_id,doc_id,relevance\nq1,a,\n")


@pytest.mark.parametrize("grade", ["inf", "-inf", "1,5,3", "0x1", "great", "1e400"])
def test_grades_must_be_finite_numbers(grade: str) -> None:
    """Infinity and words are no grades."""
    with pytest.raises(ReadError, match=f'row 2, column "relevance": "{grade}" is not a number'):
        read_judgments(f"query_id;doc_id;relevance\nq;a;{grade}\n".encode())


def test_scores_without_rank_must_be_finite() -> None:
    """Without a rank column every score that is not finite is a problem of its row."""
    with pytest.raises(ReadError) as error:
        read_run(b"query_id,doc_id,score\nq,a,1\nq,b,nan\nq,c,inf\nq,d,high\n")
    assert [str(problem) for problem in error.value.problems] == [
        'the file, row 3, column "score": the score is empty. Use a number such as 12.5, or add a column rank.',
        'the file, row 4, column "score": "inf" is not a number. Use a number such as 12.5, or add a column rank.',
        'the file, row 5, column "score": "high" is not a number. Use a number such as 12.5, or add a column rank.',
    ]


def test_scores_that_do_not_order_may_be_anything() -> None:
    """Where the rank orders the lists, a word in the score column is a note, not an error."""
    run = read_run(b"query_id,doc_id,rank,score\nq,a,1,high\nq,b,2,1\n")
    assert "1 row has no finite score; the order does not need it." in run.source.notes


def test_gaps_and_repeated_ranks_are_noted() -> None:
    """Ranks that skip or repeat are counted by query in a note."""
    run = read_run(b"query_id,doc_id,rank\nq,a,0\nq,b,1\nr,a,1\nr,b,3\ns,a,1\ns,b,1\nt,a,4\n")
    assert "In 2 queries the ranks have gaps; positions are counted anew." in run.source.notes
    assert "In 1 query ranks repeat; rows of equal rank keep their order." in run.source.notes


def test_rows_of_another_width_are_named() -> None:
    """Too few and too many cells are problems of their rows."""
    with pytest.raises(ReadError) as error:
        read_run(b"query_id,doc_id,rank\nq,a,1\n\nq,b\nq,c,3,4\n")
    assert str(error.value).splitlines() == [
        "the file, row 4: 2 cells where the header has 3.",
        "the file, row 5: 4 cells where the header has 3.",
    ]


def test_rows_with_nothing_in_them_are_left_out() -> None:
    """Rows of nothing but delimiters, as spreadsheets append them, are left out with a note."""
    run = read_run(b"query_id,doc_id,rank\n,,\nq,a,1\n,,\n")
    assert column(run, "doc_id") == ["a"]
    assert "2 rows have nothing in them and were left out." in run.source.notes
    with pytest.raises(ReadError, match="row 3, column"):
        read_run(b"query_id,doc_id,rank\n,,\nq,a,x\n,,\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "the file: the file is empty."),
        (b" \n\n", "the file: the file is empty."),
        (b"\xef\xbb\xbf", "the file: the file is empty."),
        (b"query_id,doc_id\n", "the file: there is a header but no row below it."),
        (b"query_id,doc_id", "the file: there is a header but no row below it."),
        (b"query_id,doc_id\n\n\n", "the file: there is a header but no row below it."),
        (
            b"query_id,foo\nq,1\n",
            MISSING,
        ),
        (
            b"query_id,doc_id\nq,\xc3\xa9\xc3\xa9\xc3\xa9\nq,b\xff\n",
            "the file, row 3: the text is not UTF-8. Save the file as UTF-8, or name its encoding with encoding=….",
        ),
        (
            b"q\x00,d,1\n",
            "the file, row 1: " + ZEROS,
        ),
    ],
)
def test_what_is_wrong_with_a_whole_file_is_one_sentence(text: bytes, sentence: str) -> None:
    """An empty file, a header alone, a missing column, another encoding: one sentence each."""
    with pytest.raises(ReadError) as error:
        read_run(text)
    assert str(error.value) == sentence


def test_bytes_that_are_no_utf8_are_found_far_down() -> None:
    """The row of the first bad byte is named, also behind the first block and in a column that is not needed."""
    rows = b"q,\xc3\xa9\xc3\xa9\xc3\xa9,1\n" + b"".join(b"q,document-%d,1\n" % i for i in range(100_000))
    with pytest.raises(ReadError, match=r"^the file, row 100003: the text is not UTF-8"):
        read_run(b"query_id,doc_id,rank\n" + rows + b"q,caf\xe9,1\n")


@pytest.mark.parametrize(
    ("text", "columns", "order"),
    [
        (b"q1,d1\nq1,d2\n", ["query_id", "doc_id"], "position"),
        (b"q1,d1,2.5\nq1,d2,1.5\n", ["query_id", "doc_id", "score"], "score"),
        (b"q1,d1,1\nq1,d2,2\nq2,d1,1\n", ["query_id", "doc_id", "rank"], "rank"),
        (b"q1,d1,0\nq1,d2,1\nq2,d1,0\n", ["query_id", "doc_id", "rank"], "rank"),
        (b"q1,d1,9\nq1,d2,7\nq2,d1,8\n", ["query_id", "doc_id", "score"], "score"),
        (b"1\t7\t1\n1\t5\t2\n", ["query_id", "doc_id", "rank"], "rank"),
        (b"q1,d1,1,9.5\nq1,d2,2,8.5\n", ["query_id", "doc_id", "rank", "score"], "rank"),
        (b"q1,d1,1,9.5,bm25\nq1,d2,2,8.5,bm25\n", ["query_id", "doc_id", "rank", "score", "column 5"], "rank"),
        (b"q1,Q0,d1,1,9.5,bm25\nq1,Q0,d2,2,8.5,bm25\n", ["query_id", "doc_id", "rank", "score"], "rank"),
        (b"q1,d1,red shoe\nq1,d2,blue shoe\n", ["query_id", "doc_id", "column 3"], "position"),
        (b"q1 d1 2.5\nq1 d2 1.5\n", ["query_id", "doc_id", "score"], "score"),
    ],
)
def test_columns_without_a_header_are_read_by_position(text: bytes, columns: list[str], order: str) -> None:
    """Without a header: query, document, then the rank if it counts 1, 2, 3 through each query, else the score."""
    run = read_run(text)
    assert run.table.column_names == columns
    assert run.ordered_by == order
    assert run.source.notes[0].startswith("There is no header line; the columns were read as the query id, the doc")


def test_judgments_without_a_header_are_read_by_position() -> None:
    """Without a header three columns are query, document and grade; four are qrels."""
    for text in (b"q1,d1,2\nq1,d2,0\n", b"q1,0,d1,2\nq1,0,d2,0\n", b"q1\td1\t2\nq1\td2\t0\n"):
        judgments = read_judgments(text)
        assert judgments.table.to_pylist() == [
            {"query_id": "q1", "doc_id": "d1", "relevance": 2.0},
            {"query_id": "q1", "doc_id": "d2", "relevance": 0.0},
        ]


def test_a_header_of_unknown_names_is_a_header() -> None:
    """Names above columns of numbers are a header, also when none of them is known."""
    with pytest.raises(ReadError, match=r'no column for the query id\. Found: "foo", "bar", "baz"'):
        read_run(b"foo,bar,baz\nq1,d1,0.5\nq1,d2,0.4\n")


def test_further_columns_are_kept_as_text() -> None:
    """Titles, query texts and columns without a meaning are text, under their own names and different from another."""
    run = read_run(b"query_id,query,doc_id,name,brand,brand,\nq,red,a,Shoe,007,x,y\n")
    assert run.table.to_pylist() == [
        {
            "query_id": "q",
            "doc_id": "a",
            "title": "Shoe",
            "query_text": "red",
            "brand": "007",
            "brand (2)": "x",
            "column 7": "y",
        }
    ]


def test_limits_are_told_clearly() -> None:
    """Too many bytes, rows, columns, and too large cells are refused with the limit."""
    text = b"query_id,doc_id,rank\n" + b"q,d,1\n" * 50
    with pytest.raises(ReadError, match=r"^the file: the file has 0.00032 MB. At most 0.0001 MB are read"):
        read_run(text, limits=Limits(upload=100))
    with pytest.raises(ReadError, match=r"there are more than 10 rows\. That is the limit\."):
        read_run(text, limits=Limits(rows=10))
    with pytest.raises(ReadError, match=r"there are 3 columns\. At most 2 are read"):
        read_run(text, limits=Limits(columns=2))
    with pytest.raises(ReadError, match=r"a cell near row 52 has 2 MB\. At most 1 MB are read"):
        read_run(text + b"q," + b"x" * 2_000_000 + b",1\n")


def test_a_row_longer_than_a_block_is_read() -> None:
    """A row of several megabytes is read as long as none of its cells is too large, quoted or not."""
    cells = ["x" * 900_000] * 4
    header = b"query_id,doc_id,a,b,c,d\n"
    for quote in ("", '"'):
        row = ",".join(["q", "d", *(quote + cell + quote for cell in cells)])
        assert read_run(header + row.encode() + b"\n").table.num_rows == 1


def test_rows_of_another_width_are_named_below_blank_lines() -> None:
    """Blank lines above the header are counted as lines too."""
    with pytest.raises(ReadError, match=r"^the file, row 5: 1 cell where the header has 2\.$"):
        read_run(b"\n\nquery_id,doc_id\nq,a\nq\n")


def test_a_quote_in_a_tab_separated_cell_swallows_no_rows() -> None:
    """Where tabs separate, a title that begins with a quote is a title; quotes around a whole cell are taken off."""
    header = b"query_id\tdoc_id\trank\ttitle\n"
    run = read_run(header + b'q\ta\t1\t"The end\nq\tb\t2\tx\nq\tc\t3\tof an era"\n"q"\t"d"\t"4"\t"say ""hi"""\n')
    assert column(run, "query_id") == ["q"] * 4
    assert column(run, "doc_id") == ["a", "b", "c", "d"]
    assert column(run, "rank") == [1, 2, 3, 4]
    assert column(run, "title") == ['"The end', "x", 'of an era"', 'say "hi"']
    assert column(read_run(header + b'q\ta\t1\t"two\nlines"\nq\tb\t2\t"a\tb"\n'), "title") == ["two\nlines", "a\tb"]


def test_ids_beyond_two_gigabytes_get_long_offsets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the text of a column does not fit into 32-bit offsets, it is a large_string with the same cells."""
    monkeypatch.setattr("rankdash.reading.values.column_collector._LARGEST_INT32", 1000)
    rows = "".join(f"q{i // 9},doc-{i},{i}\n" for i in range(200_000))
    run = read_run(f"query_id,doc_id,rank\n{rows}".encode())
    assert str(run.table.schema.field("doc_id").type) == "large_string"
    assert column(run, "doc_id") == [f"doc-{i}" for i in range(200_000)]


def test_the_row_of_the_headings_can_be_told() -> None:
    """With header=4 the headings are those of row 4, whatever stands above; row numbers stay those of the file."""
    text = b"Report,of,May\nrows:,2,\nfoo,bar,baz\nQ,D,P\nq1,d2,2\nq1,d1,1\n"
    columns = {"query_id": "Q", "doc_id": "D", "rank": "P"}
    run = read_run(text, header=4, columns=columns)
    assert run.table.column("doc_id").to_pylist() == ["d2", "d1"]
    assert "The headings stand in row 4, as asked." in run.source.notes
    with pytest.raises(ReadError, match="no row below row 6"):
        read_run(text, header=6, columns=columns)
    with pytest.raises(ReadError, match='the file, row 5, column "P": "two" is not a number'):
        read_run(text.replace(b"d2,2", b"d2,two"), header=4, columns=columns)
