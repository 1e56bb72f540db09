"""What other tools write: read with these documents, or refused with this sentence, as docs/formats.md says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankdash as rd
from rankdash.reading import ReadError, read_judgments, read_models, read_run, recognise
from tests.reading.other_tools import CASES, EVALUATED, MANY, SEARCH, SNAPSHOT, Case, answer, stored

READERS = {"run": read_run, "judgments": read_judgments, "models": read_models}
ROOT = Path(__file__).parents[2]


def _rows(table: Any) -> list[tuple[Any, ...]]:
    names = [name for name in ("query_id", "doc_id", "relevance") if name in table.column_names]
    return [tuple(row[name] for name in names) for row in table.to_pylist()]


def rows_of(kind: str, read: Any) -> Any:
    """What was read, as a row of the table has it."""
    if kind == "models":
        return {run.name: [row[:2] for row in _rows(run.table)] for run in read.runs}
    return [row if kind == "judgments" else row[:2] for row in _rows(read.table)]


def _read(kind: str, source: Any) -> tuple[Any, tuple[str, ...]]:
    """What is read, as a row of the table has it, and the notes."""
    read = READERS[kind](source)
    return rows_of(kind, read), (read.runs[0] if kind == "models" else read).source.notes


def _name(case: Case) -> str:
    return f"{case.tool}: {case.what}"


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_each_form_is_read_or_refused_as_the_table_says(case: Case, tmp_path: Path) -> None:
    """A run, judgments or both models, with exactly these rows and a note; else one sentence with the way out."""
    for kind, expected in case.reads.items():
        source = case.made(case.source, tmp_path)
        if isinstance(expected, str):
            with pytest.raises(ReadError, match=re.escape(expected)):
                READERS[kind](source)
            continue
        found, notes = _read(kind, source)
        assert found == expected
        first = next(one for one in case.reads if not isinstance(case.reads[one], str))
        assert kind != first or case.note in "\n".join(notes)


@pytest.mark.parametrize("case", [case for case in CASES if case.open], ids=_name)
def test_an_unknown_member_is_named(case: Case, tmp_path: Path) -> None:
    """A member or a column that no reader knows changes nothing that is read, and is in the notes."""
    if isinstance(case.source, str):
        first, *rest = case.source.splitlines()
        more: Any = "\n".join([f"{first},surprise", *(f"{line},x" for line in rest)]) + "\n"
    else:
        more = {"surprise": {"x": 1}, **case.source}
    for kind, expected in case.reads.items():
        if isinstance(expected, str):
            continue
        found, notes = _read(kind, replace(case, source=more).made(more, tmp_path))
        assert found == expected
        assert any('"surprise"' in note for note in notes), notes


def test_the_table_in_the_documents_has_each_form_once() -> None:
    """docs/formats.md lists the forms that are tested here, and no other; the README links to it."""
    lines = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8").partition("\n## ")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    table = [(row[0], row[1]) for row in cells[2:]]
    assert table == [(case.tool, case.what) for case in CASES]
    for row, case in zip(cells[2:], CASES, strict=True):
        read = [kind for kind, expected in case.reads.items() if not isinstance(expected, str)]
        words = {"run": "run", "judgments": "judgments", "models": "both models"}
        assert {word for kind, word in words.items() if word in row[2]} == {words[kind] for kind in read}, row
    assert "docs/formats.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_large_answers_are_read_as_small_ones() -> None:
    """An answer beyond what is held whole at first has the same rows as its parts."""
    many = {"took": 1, "responses": [answer(("x" * 400 + str(n), 2.0), ("b", 1.0)) for n in range(3_000)]}
    found, notes = _read("run", json.dumps(many).encode())
    assert len(found) == 6_000
    assert found[-1] == ("3000", "b")
    assert any("numbered from 1 to 3,000" in note for note in notes)


def test_hits_that_name_their_query_are_read_by_it() -> None:
    """An answer over rows of a run, as a search engine may store them, is read by the ids in them as before."""
    found, _ = _read("run", json.dumps(answer(("x", 1.0), query_id="q", doc_id="d")).encode())
    assert {query for query, _ in found} == {"q"}


def test_lists_of_several_models_are_never_one() -> None:
    """Results of two search configurations, two experiments and two lists of judgments are refused."""
    one = EVALUATED["hits"]["hits"][0]["_source"]
    both = stored(one, {**one, "searchConfigurationId": "new"})
    with pytest.raises(ReadError, match="the lists of 2 search configurations"):
        read_run(json.dumps(both).encode())
    assert [run.name for run in read_models(json.dumps(both).encode()).runs] == ["old", "new"]


@pytest.mark.parametrize(
    "columns", ["ctr", "bm25", "BM25", "fold", "tag", "price,stock", "clicks,views", "alice,price", "is_ad"]
)
def test_what_measures_something_is_no_rater(columns: str) -> None:
    """A column whose heading measures or describes something is no grade of a rater, and the table is a run."""
    table = f"query,docid,{columns}\ntv,d1{',1' * len(columns.split(','))}\n".encode()
    with pytest.raises(ReadError, match="no column for the relevance"):
        read_judgments(table)
    assert recognise(table).kind == "run"


@pytest.mark.parametrize("cell", ["399", "0.5", "-1", "nan", "true"])
def test_raters_of_a_book_have_grades(cell: str) -> None:
    """A cell that is no whole number from 0 to 10 is refused, and not taken for a grade."""
    with pytest.raises(ReadError, match=f'column "alice": "{cell}" is no grade'):
        read_judgments(f"query,docid,alice\ntv,d1,{cell}\n".encode())


def test_columns_of_raters_are_named() -> None:
    """A note names the columns that were read as grades, also where it is one; who says that none is is heard."""
    two, one = b"query,docid,alice,bob\ntv,d1,3,2\n", b"query,docid,alice\ntv,d1,3\n"
    assert 'Columns "alice", "bob" were read as the grades of raters.' in read_judgments(two).source.notes
    assert 'Column "alice" was read as the grades of a rater.' in read_judgments(one).source.notes
    with pytest.raises(ReadError, match="no column for the relevance"):
        read_judgments(two, columns={"relevance": ""})
    kinds = [recognise(table).kind for table in (two, one, b"query,docid,bob@x.org\ntv,d1,3\n")]
    assert kinds == ["judgments", "run", "judgments"]


def _of_book(*given: tuple[Any, str | None]) -> dict[str, Any]:
    ratings = [{"rating": rating, "user_email": by} for rating, by in given]
    return {"name": "B", "query_doc_pairs": [{"query_text": "tv", "doc_id": "d1", "judgements": ratings}]}


def test_every_rating_of_a_book_counts() -> None:
    """Two ratings by one rater count as their mean, with a note; ratings without a name are not counted as raters."""
    twice, notes = _read("judgments", _of_book((3, "a@x"), (0, "a@x"), (0.5, "b@x")))
    assert twice == [("tv", "d1", 1.0)]
    assert "Raters who rated a document more than once count there with their mean: 1." in notes
    unnamed, notes = _read("judgments", _of_book((3, "a@x"), (0, None), (0, None)))
    assert unnamed == [("tv", "d1", 1.0)]
    assert any("the mean of 1 rater and 2 ratings without a name" in note for note in notes)


@pytest.mark.parametrize("rating", ["nan", "inf", True, 10**400, [3]], ids=["nan", "inf", "bool", "huge", "list"])
def test_a_rating_of_a_book_is_a_finite_number(rating: Any) -> None:
    """Any other rating is refused."""
    with pytest.raises(ReadError, match="a rating of the book is no number"):
        read_judgments(_of_book((rating, "a@x")))


def test_tables_with_an_order_or_votes_are_no_interactions() -> None:
    """Users beside items with a score, a rank or a vote are not taken for relevant items."""
    for column in ("score", "bm25_score", "rank", "verdict"):
        with pytest.raises(ReadError, match="no column for the relevance"):
            read_judgments(f"user_id,item_id,{column}\nu,i,1\n".encode())


@pytest.mark.parametrize(
    "column", ["clicked", "purchased", "converted", "target", "implicit", "like", "weight", "ctr", "playcount", "time"]
)
def test_what_users_did_not_take_has_no_grade(column: str) -> None:
    """A column beside users and items that is no date or time may say that an item was not taken."""
    table = f"user_id,item_id,{column}\nu,i,1\nu,j,0\n".encode()
    offered = f'no column for the relevance.*columns={{"relevance": "{column}"}}; '
    with pytest.raises(ReadError, match=offered):
        read_judgments(table)
    found = read_judgments(table, columns={"relevance": column})
    assert _rows(found.table) == [("u", "i", 1.0), ("u", "j", 0.0)]


def test_events_and_several_columns_are_no_times() -> None:
    """Words are refused as numbers are; of several columns, or one with an odd name, none is offered."""
    for heading, cell in (
        ("event", "skip"),
        ("timestamp", "skip"),
        ("when said", "x"),
        ("clicked,time", "0,1700000000"),
    ):
        with pytest.raises(ReadError, match="no column for the relevance"):
            read_judgments(f"user_id,item_id,{heading}\nu,i,{cell}\n".encode())
    with pytest.raises(ReadError, match=r'columns={"relevance": "…"}; '):
        read_judgments(b'user_id,item_id,"a; b"\nu,i,1\n')


@pytest.mark.parametrize(
    "time",
    [
        "2024-05-06",
        "2024-05-06T07:08:09.123Z",
        "6/5/2024 7:08 PM",
        "20240506",
        "1700000000",
        "1700000000123",
        "6 May 2024",
    ],
)
def test_times_beside_what_users_took_are_left_out(time: str) -> None:
    """Dates and times in any usual form leave grade 1, and a note names the column; an empty cell may be a no."""
    found = read_judgments(f"user_id,item_id,timestamp\nu,i,{time}\nu,j,{time}\n".encode())
    assert _rows(found.table) == [("u", "i", 1.0), ("u", "j", 1.0)]
    assert 'Columns that were not read: "timestamp".' in found.source.notes
    assert found.table.column_names == ["query_id", "doc_id", "relevance"]
    with pytest.raises(ReadError, match="no column for the relevance"):
        read_judgments(f"user_id,item_id,clicked_at\nu,i,{time}\nu,j,\n".encode())


@pytest.mark.parametrize(
    "rows",
    [
        np.array([["q", "Q0", "d1", 1, 2, "m"], ["q", "Q0", "d2", 2, 1, "m"]], object),
        np.array([["q", "0", "d1", "1"], ["q", "0", "d2", "0"]]),
        np.array([[7, 0, 23, 1], [8, 0, 24, 2]]),
        np.array([[7, 1, 23, 2], [7, 1, 24, 3]]),
    ],
    ids=["run", "judgments", "numbers", "numbers with an iteration"],
)
def test_rows_of_a_run_or_of_judgments_are_no_lists_of_ids(rows: Any) -> None:
    """An array of texts, or one whose second column is an iteration, is refused; what its cells are is not guessed."""
    for read in (read_run, read_judgments):
        with pytest.raises(ReadError, match="is not a record"):
            read(rows)


def test_headings_of_ranx_are_its_own_in_parquet_alone(tmp_path: Path) -> None:
    """The same columns in a text or a frame are a run; a score that is said to be the grade is read, whatever it is."""
    text = b"q_id,doc_id,score\ntv,d1,3\ntv,d2,1\n"
    frame = pd.DataFrame({"q_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "score": [3, 1]})
    for source in (text, frame):
        assert recognise(source).kind == "run"
        with pytest.raises(ReadError, match="no column for the relevance"):
            read_judgments(source)
    frame["score"] = [0.5, 0.0]
    frame.to_parquet(tmp_path / "qrels.parquet")
    for source in (frame, tmp_path / "qrels.parquet"):
        assert _rows(read_judgments(source, columns={"relevance": "score"}).table)[0] == ("tv", "d1", 0.5)


def test_a_file_without_grades_is_recognised_as_lists() -> None:
    """Where nobody says that it is judgments, grades are not supposed."""
    assert recognise(b'{"tv": ["d1", "d2"]}').kind == "run"
    assert recognise(b"user_id,item_id\nu,i\nu,j\n").kind == "run"
    assert recognise(b"query,docid,Ann Lee\ntv,d1,3\ntv,d2,0\n").kind == "judgments"


def test_numbers_of_the_other_tool_come_out() -> None:
    """The DCG of a list with grades 3 and 0 is 3 from the answer of a rank evaluation and from Quepid's snapshot."""
    rank_eval = next(case.source for case in CASES if case.what == "`_rank_eval`")
    for source in (rank_eval, SNAPSHOT):
        values = rd.evaluate(source, source, ["DCG@10"])
        assert values["value"].tolist() == [3.0]
    assert rd.evaluate(MANY, {"1": {"d2": 1}}, ["RR"])["value"].tolist() == [0.5]
    assert SEARCH["hits"]["hits"]
