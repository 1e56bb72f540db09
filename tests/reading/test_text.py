"""Delimited text and TREC files: the table that they hold, or one problem with a code and the row a person counts."""

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.headings import MEANINGS, match
from rankdash.reading.recognition import recognise
from rankdash.tables import Run
from tests.reading.made_files import rows

DOCS = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8").partition("## Texts that")[2]
HEADER = "query_id,doc_id,rank\n"
ROWS = "q,a,1\nq,b,2\n"
TABLE = HEADER + ROWS
READERS: dict[str, Callable[..., Any]] = {
    "run": read_run,
    "judgments": read_judgments,
    "models": read_models,
    "queries": read_queries,
}


def codes(table: Any) -> set[str]:
    """The codes of the notes."""
    return {note.code for note in table.source.notes}


def warnings(table: Any) -> set[str]:
    """The codes of the notes that can change a number."""
    return {note.code for note in table.source.notes if note.level == "warning"}


def refused(read: Callable[..., Any], text: str | bytes, **how: Any) -> list[tuple[str, int | None, str | None]]:
    """Code, row and column of each problem; every problem is one sentence."""
    with pytest.raises(ReadError) as error:
        read(text if isinstance(text, bytes) else text.encode(), **how)
    assert all(str(problem).count("\n") == 0 for problem in error.value.problems)
    return [(problem.code, problem.row, problem.column) for problem in error.value.problems]


def lists(run: Run) -> dict[str, list[str]]:
    """The documents of each query, best first, by what orders the run."""
    best: dict[str, list[tuple[float, str]]] = {}
    for row in run.table.to_pylist():
        number = {"rank": row.get("rank", 0), "score": -row.get("score", 0), "position": 0}[run.ordered_by]
        best.setdefault(row["query_id"], []).append((float(number), row["doc_id"]))
    return {query: [doc for _, doc in sorted(found, key=lambda pair: pair[0])] for query, found in best.items()}


def lines(table: list[tuple[Any, ...]], sign: str = ",") -> bytes:
    """Rows without a header line."""
    return "".join(sign.join(map(str, row)) + "\n" for row in table).encode()


# --- the same table in every spelling --------------------------------------------------------------------------------

RUN = [("q 1", "007", 1, 2.5), ("q 1", "1e5", 2, -1.0), ("NA", "null", 1, 0.125), ("é\u00a0x", "文 档", 1, 3.0)]
NAMES = ("query_id", "doc_id", "rank", "score")


def delimited(table: list[tuple[Any, ...]], sign: str, quoting: Any, end: str) -> str:
    """Rows below their names as the csv module writes them."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sign, quoting=quoting, lineterminator=end)
    writer.writerow(NAMES)
    writer.writerows(table)
    return out.getvalue()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("sign", [",", "\t", ";", "|"])
def test_the_spelling_of_a_table_changes_nothing(sign: str, quoting: Any, end: str) -> None:
    """Delimiters, quotes, line ends, blank lines and a byte order mark give the table that JSON gives."""
    if end == "\r" and quoting == csv.QUOTE_ALL:
        end = "\r\n"
    expected = read_run(json.dumps([dict(zip(NAMES, row, strict=True)) for row in RUN]).encode())
    assert rows(expected) == RUN
    text = delimited(RUN, sign, quoting, end)
    for content in (text, "\ufeff" + text, end + text, text.rstrip("\r\n")):
        run = read_run(content.encode())
        assert (rows(run), run.ordered_by) == (RUN, "rank")
        assert run.table.schema == expected.table.schema


TREC = b"q1 Q0 d1 1 3.5 bm25\nq1 Q0 d2 2 1e-3 bm25\n007 Q0 1e5 1 -2 bm25\n"
TREC_ROWS = [("q1", "d1", 1, 3.5), ("q1", "d2", 2, 0.001), ("007", "1e5", 1, -2.0)]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace(b" ", b"\t"),
        lambda text: text.replace(b" ", b"  "),
        lambda text: b"  " + text,
        lambda text: text.replace(b" ", b"  ").replace(b"\n", b"\r"),
        lambda text: text.replace(b"bm25\n", b"bm25 more words at the end\n", 1),
        lambda text: text.replace(b"\n", b"  \n\n"),
        lambda text: text.replace(b" 3.5", b" +3.5"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.replace(b" 1 ", b" 1.0 "),
    ],
)
def test_white_space_in_a_trec_run_changes_nothing(change: Callable[[bytes], bytes]) -> None:
    """Tabs, runs of blanks, empty lines, line ends and words behind the tag: the same table, by score."""
    run = read_run(change(TREC))
    assert rows(run) == TREC_ROWS
    assert run.ordered_by == "score"
    assert [str(kind).split("<")[0] for kind in run.table.schema.types] == ["dictionary", "string", "int32", "double"]
    assert all(column.num_chunks == 1 for column in run.table.columns)


def test_lines_that_turn_irregular_far_down_change_nothing() -> None:
    """A TREC run that has single blanks for several blocks only is the table of the regular one."""
    regular = [f"q{i // 100} Q0 d{i} {i % 100 + 1} {1000 - i % 100} tag\n" for i in range(60_000)]
    odd = [line.replace(" ", "   ") if i > 50_000 and i % 3 else line for i, line in enumerate(regular)]
    assert read_run("".join(odd).encode()).table.equals(read_run("".join(regular).encode()).table)


@pytest.mark.parametrize("query", ["[", "{", "[a]", "[]", "{}", '{"q"', '["', '{"q":x', '["a","b"]'])
def test_a_trec_file_is_no_json_for_a_bracket(query: str) -> None:
    """The first id may begin with a bracket: runs and judgments are read, and recognised."""
    run, grades = (f"{query} Q0 0 1 3.5 r\nq Q0 0 1 1 r\n".encode(), f"{query} 0 0 1\nq 0 0 1\n".encode())
    assert rows(read_run(run), "query_id") == rows(read_judgments(grades), "query_id") == [(query,), ("q",)]
    assert [recognise(content).kind for content in (run, grades)] == ["run", "judgments"]


@pytest.mark.parametrize(
    "cell",
    ["two\nlines", "a, b\nc, d\n\nf", "a, b, c, d\ne, f, g, h, i", 'with "quotes"\r\nin it', '24" wide', "x;y\tz|"],
)
def test_quoted_cells_keep_what_is_in_them(cell: str) -> None:
    """Delimiters, line ends and quotes within quotes belong to the cell; rows below are counted by lines."""
    out = io.StringIO()
    csv.writer(out).writerows([[*HEADER.strip().split(","), "title"], ["q", "a", 1, cell], ["q", "b", "x", "y"]])
    text = out.getvalue()
    row = 3 + cell.count("\n")
    assert refused(read_run, text) == [("bad_value", row, "rank")]
    assert rows(read_run(text.replace(",x,", ",2,").encode()), "doc_id", "title") == [("a", cell), ("b", "y")]


def test_a_quote_between_tabs_takes_in_no_rows() -> None:
    """Tools write tabs without quoting: a title that begins with a quote is a title, quotes around a cell go."""
    header = "query_id\tdoc_id\trank\ttitle\n"
    text = header + 'q\ta\t1\t"The end\nq\tb\t2\tof an era"\n"q"\t"c"\t"3"\t"say ""hi"""\n'
    titles = [("q", "a", 1, '"The end'), ("q", "b", 2, 'of an era"'), ("q", "c", 3, 'say "hi"')]
    assert rows(read_run(text.encode())) == titles
    quoted = read_run((header + 'q\ta\t1\t"two\nlines"\nq\tb\t2\t"a\tb"\n').encode())
    assert rows(quoted, "title") == [("two\nlines",), ("a\tb",)]


# --- the row that a person counts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_the_row_of_a_problem_is_the_line_that_an_editor_shows(seed: int) -> None:
    """Titles above, blank lines, line ends in cells and rows before it all count, in random tables of every form."""
    chance = random.Random(seed)
    form = chance.choice(["csv", "tsv", "words", "trec", "qrels"])
    sign = {"csv": ",", "tsv": "\t"}.get(form, chance.choice([" ", "\t", "  "]))
    end = chance.choice(["\n", "\r\n"])
    text = ""
    if form in ("csv", "tsv", "words"):
        text += chance.choice(["", end, "# exported" + end, "Export" + end + end] + ["sep=," + end] * (form == "csv"))
        text += sign.join(["query_id", "doc_id", "rank", "title"]) + end
    at = chance.randint(0, 300)
    row = 0
    for i in range(at + 5):
        if chance.random() < 0.2:
            text += end
        number = "two" if i == at else "1"
        if i == at:
            row = len(text.splitlines()) + 1
        title = f'"x{end}y"' if form == "csv" and chance.random() < 0.3 else "t"
        cells = {"trec": ("q", "Q0", f"d{i}", "1", number, "t"), "qrels": ("q", "0", f"d{i}", number)}
        text += sign.join(cells.get(form, ("q", f"d{i}", number, title))) + end
    read = read_judgments if form == "qrels" else read_run
    column = {"trec": "score", "qrels": "relevance"}.get(form, "rank")
    assert refused(read, text) == [("bad_value", row, column)], (form, at)


@pytest.mark.parametrize("above", ["", "\n", "Export\n\n", "sep=,\n", "a\nb\n"])
def test_the_first_row_is_counted_below_what_is_above_the_table(above: str) -> None:
    """Titles, blank lines and a line on the separator count as lines of the file."""
    assert read_run(f"{above}query_id,doc_id,rank\nq,d,1\n".encode()).source.first_row == above.count("\n") + 2


def test_all_problems_come_together_with_their_number() -> None:
    """The first 20 problems of all columns come in the order of the file, with the count of all."""
    text = "query_id,doc_id,rank,label\n" + "".join(f"q,,{'x' if i % 2 else 1},dreadful\n" for i in range(30))
    with pytest.raises(ReadError) as error:
        read_run(text.encode())
    assert (error.value.count, len(error.value.problems)) == (75, 20)
    first = error.value.problems[:2]
    assert [(one.code, one.row, one.column, one.found) for one in first] == [
        ("missing_value", 2, "doc_id", None),
        ("bad_value", 2, "label", "dreadful"),
    ]
    assert [one.row for one in error.value.problems] == sorted(one.row or 0 for one in error.value.problems)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("empty", None)]),
        ("query_id,doc_id\n\n", [("empty", None)]),
        ("query_id,foo\nq,1\n", [("missing_column", 1)]),
        ("q\0,d,1\n", [("unsupported", 1)]),
        (HEADER + "q,a,1\n\nq,b\nq,c,3,4\n", [("malformed", 4), ("malformed", 5)]),
        ("q1 Q0 d1 1 3.5 t\n\n  q1  Q0 d2 2 2.5 t\nq1 Q0 d3\nq1 Q0 d4 4 1 t\n", [("malformed", 4)]),
        ("query_id doc_id rank\nq a 1\nq b 2 x\n", [("malformed", 3)]),
        ("q Q0 a 1 3.0 t\nq b 2 2.0 t\n", [("malformed", 2)]),
    ],
)
def test_what_is_wrong_with_the_form_of_a_file_is_told_once(text: str, found: list[tuple[str, int | None]]) -> None:
    """An empty file, a header alone, a missing column, zero bytes, too few or too many cells."""
    assert [(code, row) for code, row, _ in refused(read_run, text)] == found


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        ('q,a,1,"24 inch\nq,b,2,x\nq,c,3,y\n', 2),
        ('q,a,1,"24 inch\nq,b,2,27 inch"\nq,c,3,y\n', 2),
        ('q,a,1,x\np,a,1,"24 inch\nr,b,2,27 inch"\n', 3),
        ('q,"a,1,x\nq,"b,2,y\n', 2),
    ],
)
def test_no_quote_swallows_rows(cells: str, row: int) -> None:
    """A quote that takes in the rows below it is refused where it opens."""
    found = refused(read_run, HEADER.strip() + ",title\n" + cells)
    assert [(code, at) for code, at, _ in found] == [("malformed", row)]


# --- columns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("meaning", MEANINGS, ids=lambda meaning: meaning.name)
def test_every_synonym_is_understood(meaning: Any) -> None:
    """Each synonym, in any case and with blanks, hyphens or underscores, has its meaning."""
    others = sorted({"query_id", "doc_id"} - {meaning.name})
    for name in (meaning.name, *meaning.synonyms.replace("|", " ").split()):
        for heading in (name, name.upper(), name.replace("_", " ").title(), name.replace("_", "-")):
            assert match("f", [*others, heading], "run").names[len(others)] == meaning.name, heading


@pytest.mark.parametrize(
    ("header", "read"),
    [
        ("query_id,query,doc_id", {"query_id": "1", "query_text": "2", "doc_id": "3"}),
        ("query,qid,doc_id", {"query_id": "2", "query_text": "1"}),
        ("qid,docid,docno", {"doc_id": "3", "docid": "2"}),
        ("query_id,doc_id,", {"column 3": "3"}),
        ("ｑｕｅｒｙ＿ｉｄ,文书ID, Doc-ID ", {"query_id": "1", "doc_id": "3"}),
        ('"Query.Id","\u200bDocId","rel:"', {"query_id": "1", "doc_id": "2", "relevance": 3.0}),
    ],
)
def test_headings_have_their_meanings(header: str, read: dict[str, Any]) -> None:
    """Usual names in any spelling, the text beside another id, docno first."""
    (row,) = read_run(f"{header}\n1,2,3\n".encode()).table.to_pylist()
    assert row | read == row


def test_exact_names_win_and_the_others_are_told() -> None:
    """Where several columns could have a meaning, the exact name has it; a warning names the others."""
    run = read_run(b"docno,doc_id,query_id,qid,Rank,rank,brand,brand\nx,d,q,y,9,1,2,3\n")
    own = {"query_id": "q", "doc_id": "d", "rank": 1, "docno": "x", "qid": "y", "Rank": "9"}
    assert run.table.to_pylist() == [own | {"brand": "2", "brand (2)": "3"}]
    assert warnings(run) == {"column_passed_over"}
    assert "further_columns" in codes(run)


@pytest.mark.parametrize(
    ("read", "header", "found"),
    [
        ("run", "qid,docno,item_id,position", ["unclear"]),
        ("run", "query_id,retrieved_doc_id,bm25_score,x", ["missing_column"]),
        ("run", "query_id,session_id,row_id,page_no", ["missing_column"]),
        ("run", "foo,bar,baz,x", ["missing_column"] * 2),
        ("judgments", "query_id,doc_id,seller_rating,x", ["missing_column"]),
        ("run", "query_id,image_url,rank,x", ["missing_column"]),
        ("models", "query_id,doc_id,device_model,rank", ["missing_column"]),
    ],
)
def test_columns_are_asked_for_where_headings_do_not_tell(read: str, header: str, found: list[str]) -> None:
    """Two columns of one meaning and missing ones: all are told together, each with the choice that helps."""
    with pytest.raises(ReadError) as error:
        READERS[read](f"{header}\nq,a,1,2\n".encode())
    assert [(one.code, one.row) for one in error.value.problems] == [(code, 1) for code in found]
    assert all(one.choice and one.choice.option == "columns" for one in error.value.problems)


def test_columns_can_be_chosen() -> None:
    """columns= decides, by heading or by number; "" leaves a name unread; what is not there is refused. Words of a
    question between commas are no columns.
    """
    text = b"query_id,doc_id,asin,grade,gain\nq,a,b,1,100\n"
    assert rows(read_judgments(text, columns={"doc_id": "asin", "relevance": "GAIN"})) == [("q", "b", 100)]
    numbered = read_run(b"7,a,q\n6,b,q\n", columns={"query_id": "3", "doc_id": "2", "score": "1"})
    assert rows(numbered) == [("q", "a", 7), ("q", "b", 6)]
    assert refused(read_run, b"query_id,doc_id\nq,a\n", columns={"score": "points"}) == [("bad_option", 1, None)]
    assert refused(read_run, b"query_id,doc_id\nq,a\n", columns={"points": "x"}) == [("bad_option", None, None)]
    text = b"query_id,doc_id,rank,score\nq,a,2,9\nq,b,1,1\n"
    assert read_run(text, columns={"rank": ""}).ordered_by == "score"
    assert read_run(text, columns={"rank": "", "score": ""}).ordered_by == "position"
    form = b"Your name,Search term,Which result is better?\nAnn,tent,good\nBen,bike lock kids,same\n"
    voted = read_votes(form, columns={"vote": "Which result is better?"}).table
    assert voted.column("query_id").to_pylist() == ["tent", "bike lock kids"]
    titled = b"Report,of,May\nrows:,2,\nQ,D,P\nq1,d2,2\n"
    assert refused(read_run, titled, columns={"query_id": "Q", "doc_id": "D"})[0][:2] == ("bad_option", 1)


# --- order -----------------------------------------------------------------------------------------------------------


def test_rank_orders_before_score_before_position() -> None:
    """A table is ordered by rank, else by score, else as the rows stand; order= decides otherwise."""
    both = b"query_id,doc_id,rank,score\nq,a,2,9\nq,b,1,1\n"
    orders = [read_run(both, order=own).ordered_by for own in ("auto", "score", "position")]
    assert orders == ["rank", "score", "position"]
    assert read_run(b"query_id,doc_id,score\nq,a,2\n").ordered_by == "score"
    assert read_run(b"query_id,doc_id\nq,a\n").ordered_by == "position"
    assert refused(read_run, b"query_id,doc_id,score\nq,a,2\n", order="rank")[0][0] == "missing_column"


def test_what_may_turn_a_list_over_is_warned_about() -> None:
    """Repeated ranks, rising scores, and numbers beside lists without an order."""
    assert "ranks_mixed" in warnings(read_run(b"query_id,doc_id,rank\ns,a,1\ns,b,1\n"))
    assert "two exports" in str(read_run(b"query_id,doc_id,rank\ns,a,1\ns,b,2\ns,b,1\ns,a,2\n").source.notes)
    assert not warnings(read_run(b"query_id,doc_id,rank\ns,a,1\ns,b,2\ns,a,1\ns,b,2\n"))  # rows that are there twice
    assert "scores_rise" in warnings(read_run(b"query_id,doc_id,score\nq,a,1\nq,b,2\nq,c,3\n"))
    unnamed = read_run(b"query_id,doc_id,platz\nq,a,2\nq,b,1\n")
    assert (unnamed.ordered_by, warnings(unnamed)) == ("position", {"numbers_beside"})
    assert not warnings(read_run(b"query_id,doc_id,title,brand\nq,a,5,x\nq,b,6,7\n"))


def test_blank_rows_go_and_a_blank_id_is_a_problem() -> None:
    """Rows of nothing but delimiters are left out with a note; an id that is empty in a row is refused, also in
    a last row of means.
    """
    run = read_run(b"query_id,doc_id,rank\n,,\nq,a,1\n,,\n")
    assert (rows(run), "blank_rows" in codes(run)) == ([("q", "a", 1)], True)
    assert refused(read_run, HEADER + ",,\nq,,1\n") == [("missing_value", 3, "doc_id")]
    assert refused(read_judgments, "query,doc,grade\nq,a,1\nmean,,1.5\n") == [("missing_value", 3, "doc")]


@pytest.mark.parametrize(
    ("text", "columns", "order"),
    [
        ("q1,d1,2.5\nq1,d2,1.5\n", "score", "score"),
        ("q1,d1,1\nq1,d2,2\nq2,d1,1\n", "rank", "rank"),
        ("q1,d1,0\nq1,d2,1\nq2,d1,0\n", "rank", "rank"),
        ("1\t7\t1\n1\t5\t2\n", "rank", "rank"),
        ("q1 d1 2.5\nq1 d2 1.5\n", "score", "score"),
    ],
)
def test_query_document_and_numbers_need_no_header(text: str, columns: str, order: str) -> None:
    """Numbers without a name are the rank where they count through each query, else the score; a warning says so."""
    run = read_run(text.encode())
    assert run.table.column_names == ["query_id", "doc_id", *columns.split()]
    assert run.ordered_by == order
    assert "no_header" in warnings(run)


@pytest.mark.parametrize(
    "text",
    [
        "q,a,3\nq,b,2\nq,c,1\n",
        "q Q0 a 0.9 1 t\nq Q0 b 0.8 2 t\nq Q0 c 0.1 3 t\n",
        "q Q0 c 10 3 t\nq Q0 a 30 1 t\nq Q0 b 20 2 t\n",
    ],
)
def test_numbers_that_could_be_rank_or_score_are_asked(text: str) -> None:
    """Ranks or scores, grades, times: nothing is guessed, with and without headings."""
    assert {code for code, _, _ in refused(read_run, text)} == {"unclear"}


def test_no_table_without_headings_stands_on_its_head() -> None:
    """Random lists with ranks or scores, rows in any order: read as they are meant, or asked for."""
    chance, asked = random.Random(6), 0
    for _ in range(300):
        scored, whole = chance.random() < 0.5, chance.random() < 0.3
        best: dict[tuple[str, str], float] = {}
        for query in range(chance.randint(1, 4)):
            score, base, step = 1000.0, chance.choice([0, 1]), chance.choice([1, 1, 1, 3])
            for place in range(chance.randint(1, 5)):
                score -= chance.randint(1, 90) if whole else chance.random() * 90
                best[f"q{query}", f"d{place}"] = (int(score) if whole else score) if scored else base + place * step
        table = [(query, doc, number) for (query, doc), number in best.items()]
        chance.shuffle(table)
        try:
            run = read_run(lines(table))
        except ReadError as error:
            asked += {problem.code for problem in error.problems} == {"unclear"}
            run = read_run(lines(table), columns={"score" if scored else "rank": "3"})
        for query, docs in lists(run).items():
            numbers = [best[query, doc] for doc in docs]
            assert numbers == sorted(numbers, reverse=scored), table
    assert 0 < asked < 200


@pytest.mark.parametrize("cell", ["1.5", "-1", "0.2", "99999999999"])
def test_a_rank_is_a_whole_number(cell: str) -> None:
    """What is no whole number from 0 is named with its row, and can be read as the score."""
    text = f"{HEADER}q,a,1\nq,b,{cell}\n".encode()
    assert refused(read_run, text) == [("bad_value", 3, "rank")]
    assert rows(read_run(text, columns={"score": "rank"}), "score") == [(1.0,), (float(cell),)]


# --- TREC ------------------------------------------------------------------------------------------------------------


def test_scores_of_a_trec_run_that_are_none_leave_the_order_to_the_rank() -> None:
    """nan, inf, 1e999 and none become NaN with a warning; a word is a problem of its row; odd ranks are not used."""
    run = read_run(b"q Q0 a 1 nan t\nq Q0 b 2 inf t\nq Q0 c 3 2 t\nq Q0 d 4 none t\nq Q0 e 5 -1e999 t\n")
    assert np.isfinite(run.table.column("score").to_numpy()).tolist() == [False, False, True, False, False]
    assert "no_score" in warnings(run)
    for end in (b"\n", b" \n"):
        text = end.join([b"q Q0 a 1 2.5 t", b"q Q0 b 2 inf t", b"q Q0 c 3 high t", b""])
        assert refused(read_run, text) == [("bad_value", 3, "score")]
    odd = read_run(b"q Q0 a - 2 t\nq Q0 b - 1 t\n")
    assert "rank" not in odd.table.column_names
    assert "ranks_unused" in codes(odd)
    for ranks, scores in (((0, 0, 0), (3, 2, 1)), ((1, 2, 3), (3, 2, 1)), ((3, 2, 1), (1, 2, 3))):
        run = read_run(lines([("q", "Q0", d, r, s, "t") for d, r, s in zip("abc", ranks, scores, strict=True)], " "))
        assert [*lists(run)["q"]] == [doc for _, doc in sorted(zip(scores, "abc", strict=True), reverse=True)]


def test_a_trec_file_of_two_models_is_no_run() -> None:
    """Several tags over the same documents are several models; a run is no judgments, and judgments are no run."""
    two = "".join(f"q Q0 d{i} {i} {9 - i} {tag}\n" for tag in "ab" for i in range(3))
    assert refused(read_run, two)[0][0] == "other_kind"
    assert read_run(TREC).source.tag == "bm25"
    one = read_run(b"q Q0 a 1 2 x\nq Q0 b 2 1 y\n")
    assert "several_tags" in warnings(one)
    assert refused(read_judgments, TREC)[0][0] == refused(read_run, "q1 0 d1 1\n")[0][0] == "other_kind"
    assert refused(read_queries, TREC)[0][0] == "other_kind"


@pytest.mark.parametrize(
    "row", ["{q} Q0 {d} {s} bm25", "{q} Q0 {d} {r} {s}", "{q} Q0 {d} {r} bm25", "{q} 0 {d} {g} {r}", "{q} 0 {d} {g} -1"]
)
def test_a_run_of_five_words_is_refused_once(row: str) -> None:
    """Without its rank, its score or its tag, or with a grade and another number: one problem."""
    table = [(q, f"d{d}", d, 9.25 - d, d % 3) for q in ("q1", "q2") for d in range(1, 15)]
    text = "\n".join(row.format(q=q, d=d, r=r, s=s, g=g) for q, d, r, s, g in table)
    assert [code for code, _, _ in refused(read_run, text)] == ["malformed"]


def test_qrels_are_judgments() -> None:
    """Query, iteration, document, grade, in text and below headings; grades may be negative or fractions."""
    for text in ("q1 0 d1 3\nq1 0 d2 -1\nq2 Q0  d1 0.5\n", "query_id,doc_id,relevance\nq1,d1,3\nq1,d2,-1\nq2,d1,.5\n"):
        assert rows(read_judgments(text.encode())) == [("q1", "d1", 3.0), ("q1", "d2", -1.0), ("q2", "d1", 0.5)]
    for text in ("q1,d1,2\nq1,d2,0\n", "q1\td1\t2\nq1\td2\t0\n", "q1 d1 2\nq1 d2 0\n"):
        assert rows(read_judgments(text.encode())) == [("q1", "d1", 2.0), ("q1", "d2", 0.0)]


def test_qrels_with_document_and_grade_exchanged_are_refused() -> None:
    """A few small numbers that come again in a query are no documents where the last words are no grades."""
    turned = b"7 0 0 993242811\n7 0 2 993267438\n7 0 0 993284525\n8 0 1 993552537\n"
    for read in (read_judgments, recognise):
        with pytest.raises(ReadError, match="column 3 holds 0, 1, 2, and column 4 numbers such as 993552537"):
            read(turned)
    for whole in (b"7 0 993242811 0\n7 0 2 1\n", b"7 0 1 90\n7 0 2 300\n8 0 1 0\n", b"7 0 1 60\n7 0 2 0\n7 0 1 60\n"):
        assert read_judgments(whole).table.column("doc_id").to_pylist()[1] == "2"


ROUNDS = [("1", "4.5", "005b", 2), ("1", "4", "00fm", 1), ("1", "0.5", "g7dh", 2), ("2", "1", "005b", 0)]


@pytest.mark.parametrize("header", ["", "query_id,iteration,doc_id,relevance\n", "qid,round,docno,rel\n"])
@pytest.mark.parametrize("sign", [" ", "\t", ","])
def test_rounds_of_judging_are_read_and_documents_judged_in_several_refused(sign: str, header: str) -> None:
    """Rounds of judging are passed over. Documents judged in several are refused below a heading, and are judged for
    subtopics in TREC qrels, which have none, unless a person says that the first grade counts.
    """
    head = header.replace(",", sign).encode()
    if sign == "," and not header:
        assert refused(read_judgments, lines(ROUNDS, sign))[0][0] == "missing_column"
        return
    of_rounds = [(query, doc, float(grade)) for query, _, doc, grade in ROUNDS]
    assert rows(read_judgments(head + lines(ROUNDS, sign))) == of_rounds
    assert rows(read_judgments(head + lines([*ROUNDS, ("1", "4", "00fm", 0)], sign)))[-1] == ("1", "00fm", 0)
    both = head + lines([*ROUNDS, ("1", "5", "00fm", 0)], sign)
    if header:
        assert [(code, row) for code, row, _ in refused(read_judgments, both)] == [("unsupported", 6)]
    else:
        read = read_judgments(both)
        assert read.table.column("subtopic").to_pylist() == ["4.5", "4", "0.5", "1", "5"]
        assert read.source.has("subtopics")
        assert read_judgments(b"q r1 d 1\nq r2 d 2\nq r1 e 0\n").source.has("may_be_raters")
    assert recognise(both).kind == "judgments"
    assert rows(read_judgments(both, columns={"iteration": ""}))[-1] == ("1", "00fm", 0)


OF_SUBTOPICS = [("q", "x", "d", 1), ("q", "y", "d", 2), ("q", "x", "e", 0)]


@pytest.mark.parametrize("heading", ["subtopic", "subtopic_id", "Intent", "aspect", "facet", "子主题"])
@pytest.mark.parametrize("form", ["csv", "json", "frame", "parquet"])
def test_a_column_of_subtopics_is_read(heading: str, form: str, tmp_path: Path) -> None:
    """Whatever the form, and whatever usual name the column has; a number is the same subtopic as its digits."""
    frame = pd.DataFrame(OF_SUBTOPICS, columns=["query_id", heading, "doc_id", "relevance"])
    source: Any = frame
    if form == "parquet":
        frame.to_parquet(tmp_path / "q.parquet")
        source = tmp_path / "q.parquet"
    elif form != "frame":
        source = (frame.to_csv(index=False) if form == "csv" else frame.to_json(orient="records")).encode()
    read = read_judgments(source)
    assert read.table.column("subtopic").to_pylist() == ["x", "y", "x"]
    assert read.source.has("subtopics")


@pytest.mark.parametrize("lines_", [b"1 1 d1 1\n1 2 d1 1\n1 3 d2 0\n", b"1 a d1 1\n1 b d1 1\n1 a d2 0\n"])
def test_qrels_of_subtopics_are_recognised(lines_: bytes) -> None:
    """Also where the numbers of the subtopics rise like ranks, and where they are words."""
    assert recognise(lines_).kind == "judgments"
    assert len(read_judgments(lines_).table) == 3
    asked = read_judgments(b"1 1 d1 1\n1 1 d2 1\n1 2 d3 0\n", columns={"subtopic": "iteration"})
    assert asked.table.column("subtopic").to_pylist() == ["1", "1", "2"]


@pytest.mark.parametrize("sign", [" ", "\t", ","])
@pytest.mark.parametrize(
    "numbers", [[5.63, -1.27, 0.88, 12.5], [0.931, 0.872, 5.871, 0.713], [1, 2, 3, 4], [881250949, 881250950, 7e8, 8e8]]
)
def test_scores_ranks_and_times_are_no_grades(numbers: list[float], sign: str) -> None:
    """Numbers without a name that are given for grades and hold something else are refused; named, they are grades."""
    table = [("q1", f"d{i}", number) for i, number in enumerate(numbers)]
    assert [code for code, _, _ in refused(read_judgments, lines(table, sign))] == ["other_kind"]
    named = b"query_id,doc_id,relevance\n" + lines(table)
    assert rows(read_judgments(named), "relevance") == [(number,) for number in numbers]


@pytest.mark.parametrize("numbers", [[2.67, 1.33, 0.5, 3], [0.5, 1.5, 2.5, 0.5], [0.5, 1, 0, 2], [3, 2, 1, 0]])
def test_averages_of_raters_are_grades(numbers: list[float]) -> None:
    """Averages of a few raters and half steps are grades, in qrels and without headings."""
    table = [("q1", f"d{i}", number) for i, number in enumerate(numbers)]
    for text in (lines(table), lines([(q, 0, d, n) for q, d, n in table], " ")):
        assert rows(read_judgments(text), "relevance") == [(number,) for number in numbers]


# --- withdrawn forms -------------------------------------------------------------------------------------------------

PRINTED = {
    "psql": " query_id | doc_id\n----------+-------\n q | a\n(1 row)\n",
    "R with row names": '"query_id"\t"doc_id"\t"rank"\n"1"\t"q"\t"a"\t1\n',
    "exports below each other": "query_id,doc_id\nq,a\nquery_id,doc_id\nq,b\n",
    "two headers": "query_id,doc_id\n查询,文档ID\nq,a\n",
    "a count below": "query_id,doc_id\nq,a\n(1 row)\n",
    "a comment among the rows": "query_id,doc_id,rank\nq,a,1\n# part two\nq,b,2\n",
    "a backslash before a quote": HEADER.strip() + ',title\nq,a,1,"say \\"hi\\", you"\n',
    "blanks in ids": "red shoes Q0 a 1 3.0 t\nred shoes Q0 b 2 2.0 t\n",
    "a word for Q0": "q my a 1 3.0 t\nq his b 2 2.0 t\n",
    "unknown words above ids": "frage;treffer;wertung\nf1;d1;gut\nf1;d2;mäßig\n",
    "a header above words": "qid Q0 docno rank score tag\nq1 Q0 d1 1 9.5 t\n",
    "a title without a name": "q1,d1,red shoe\nq1,d2,blue shoe\n",
    "rank and score without names": "q1,d1,1,9.5\nq1,d2,2,8.5\n",
    "documents without a number": "q1,d1\nq1,d2\n",
}
PIVOTED = {
    "columns for ranks": "query_id,rank1,rank2,rank3\nq1,a,b,c\nq2,d,,\n",
    "lists of words": "query,docs\nq1,a b c\nq2,d\n",
    "a list in brackets": "query,doc\nq1,\"['a', 'b']\"\nq2,\"['c', 'd']\"\n",
    "documents of A and of B": "query_id,rank,doc_a,doc_b\nq1,1,a,b\nq1,2,c,\n",
    "lists of A and of B": "query_id,docs_a,docs_b\nq1,a|b,b|a\n",
}
SIGNS = {sign: TABLE.replace(",", sign) for sign in ("\x01", "^", ":", "，", "│", "::")}


@pytest.mark.parametrize("text", [*PRINTED.values(), *PIVOTED.values(), *SIGNS.values()])
def test_withdrawn_forms_of_text_are_refused(text: str) -> None:
    """Printed tables, repairs, pivoted sheets, lists in cells and other delimiters are refused, never misread."""
    found = refused(read_run, text)
    assert {code for code, _, _ in found} <= {
        *("malformed", "bad_value", "missing_column", "unclear", "unsupported", "other_kind")
    }
    if text in PIVOTED.values():
        assert refused(read_models, text)


#: What stands in docs/formats.md for each form, and a text of it.
MADE_PLAIN = {
    "a table of psql, mysql or Markdown": "| query_id | doc_id |\n|---|---|\n| q | a |\n| q | b |\n(2 rows)\n",
    "comments among the rows": "# NIST\nq Q0 a 1 9 t\n# more\nq Q0 b 2 8 t\n",
    "a table that pandas printed, with numbers of rows": "  query_id doc_id  rank\n0  q  a  1\n1  q  b  2\n",
    "another delimiter": TABLE.replace(",", "^"),
    "columns without names": "q 1 a 9.5\nq 2 b 8.5\n",
    "a column for each rank": "query_id,rank1,rank2,rank3\nq,a,b,\n",
    "a list in a cell": "query,docs\nq,a|b\n",
    "A beside B": "query_id,rank,doc_a,doc_b\nq,1,a,b\nq,2,b,a\n",
}


@pytest.mark.parametrize("name", MADE_PLAIN)
def test_the_documents_show_the_plain_form_of_a_text(name: str) -> None:
    """The line of docs/formats.md makes of a withdrawn text, which is refused, the lists that it holds."""
    shown = dict(line.split("  # ")[::-1] for line in DOCS.split("```py\n")[1].split("```")[0].splitlines())
    assert shown.keys() == MADE_PLAIN.keys()
    assert refused(read_run, MADE_PLAIN[name])
    made = eval(shown[name], {"x": MADE_PLAIN[name], "re": re, "csv": csv})
    if name == "A beside B":
        assert [lists(run) for run in read_models(made).runs] == [{"q": ["a", "b"]}, {"q": ["b", "a"]}]
    else:
        assert lists(read_run(made.encode() if isinstance(made, str) else made)) == {"q": ["a", "b"]}


@pytest.mark.parametrize("remark", ["# part two 2", "#", "# NIST", "# a longer remark of 7 words"])
@pytest.mark.parametrize("sign", [" ", "\t", "  "])
@pytest.mark.parametrize("at", [0, 2])
def test_a_comment_among_judgments_is_refused_by_row(remark: str, sign: str, at: int) -> None:
    """Whatever number of words a comment has, it is no judgment, and its row is told."""
    table = [sign.join(("q1", "0", f"d{i}", str(i % 3))) for i in range(4)]
    found = refused(read_judgments, "\n".join([*table[:at], remark, *table[at:]]))
    assert [(code, row) for code, row, _ in found] == [("malformed", at + 1)]


# --- queries ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    ["query_id,text", "qid,query", "topic,title", "id,Query Text", "ID,text", "查询ID,查询词", "クエリID,検索クエリ"],
)
def test_queries_have_ids_texts_weights_and_segments(header: str) -> None:
    """Ids, texts and weights have many names; every further column is a segment and stays text."""
    queries = read_queries(f"{header},traffic_share,device\n007,red shoes,0.5,mobile\n8,boots,2,\n".encode())
    assert queries.table.column_names == ["query_id", "text", "weight", "device"]
    assert rows(queries) == [("007", "red shoes", 0.5, "mobile"), ("8", "boots", 2.0, "")]


def test_a_query_has_one_weight_of_at_least_0() -> None:
    """Other weights and empty ids are problems of their rows; repeated ids, blanks and commas are warned about."""
    for weight in ("-1", "inf", "many"):
        assert refused(read_queries, f"qid,frequency\na,1\nb,{weight}\n") == [("bad_value", 3, "frequency")]
    found = refused(read_queries, b"Top queries,Page,Impressions\na,x,100\nb,x,7\na,y,90\n")
    assert found == [("bad_value", 4, "Impressions")]
    assert refused(read_queries, b"qid,query\na,one\n,two\n") == [("missing_value", 3, "qid")]
    queries = read_queries(b"query,page,impressions\na,x,100\nb,x,\na,y,100\na,z,\n")
    assert np.isnan(queries.table.column("weight").to_pylist()[1])
    assert {"queries_repeat", "blank_weights"} <= warnings(queries)
    assert "decimal_commas" in warnings(read_queries(b"query;weight\na;1,5\nb;2,5\n"))
    assert len(read_queries(b"qid,query\na,one\n,\n").table) == 1


def test_queries_need_no_header() -> None:
    """Id, tab, text, as TREC topics are written, may hold commas and quotes; a line may be all that is known of a
    query; a warning says how they were read.
    """
    queries = read_queries(b'1\twho is "he", really?\n2\ta,b,c\n')
    assert rows(queries) == [("1", 'who is "he", really?'), ("2", "a,b,c")]
    assert warnings(queries) == {"no_header"}
    for header in (b"query\n", b""):
        assert rows(read_queries(header + b"red shoes\nblue\n")) == [("red shoes",), ("blue",)]


@pytest.mark.parametrize(
    "text",
    [
        "query,doc,rank\nq,a,1\nq,b,2\nr,a,1\n",
        "qid,docno,score\nq,a,1.5\nq,b,0.5\n",
        "user_id,movie_id,rating,time\nq,a,1,7\nq,b,0,7\n",
        "q1\ta\t1\t0.5\nq1\tb\t2\t0.2\n",
        "q1,a\nq1,b\n",
    ],
)
def test_lists_and_judgments_are_no_queries(text: str) -> None:
    """Documents of queries are no texts and no segments, and their scores no weights."""
    assert refused(read_queries, text)[0][0] in ("other_kind", "missing_column")
    assert recognise(text.encode()).kind != "queries"


@pytest.mark.parametrize("heading", ["cluster", "cluster_id", "Group ID", "session_id", "template", "分组", "グループ"])
def test_what_belongs_together_is_the_cluster(heading: str) -> None:
    """A column of groups, sessions or templates is the cluster; "" keeps it as a segment; alone a session is the id."""
    text = f"query_id,{heading},device\na,g1,phone\nb,g1,desk\nc,,phone\n".encode()
    assert read_queries(text).table.column("cluster").to_pylist() == ["g1", "g1", ""]
    assert heading in read_queries(text, columns={"cluster": ""}).table.column_names or heading == "cluster"
    assert read_queries(b"session_id,text\ns1,red\n").table.column_names == ["query_id", "text"]
    assert read_queries(b"query_id,group,template\na,x,t1\n").table.column_names == ["query_id", "cluster", "template"]


def test_a_row_far_down_without_a_tag_is_read() -> None:
    """Where rows stand in any order, tags are compared. One that is missing is a warning, and no other error."""
    rows = "".join(f"q{row % 5} Q0 d{row} {row} {-row} {'x' * (row < 9000)}\n" for row in range(9001))
    run = read_run(rows.encode())
    assert (len(run.table), 'several tags, "x" or none:' in str(run.source.notes)) == (9001, True)
