"""What is written for a spreadsheet and read again: nothing in it is a formula, and every id comes back."""

import csv
import io
import random

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.report.tables import judgments_csv, rows_csv
from rankdash.scoring import join

SIGNS = (
    *("=", "+", "-", "@", "\t", "\r", "'", "''", "'=", "''-", '"', ",", "a", "7", "-1", "=cmd|' /C calc'!A0"),
    *("é", "'a", "＝", "＋1", "－", "＠", "\u202e", "\u2066x", "\u200f=", "\u061c"),
    *("\\", "\\u202e", "\\u005c", "u202e"),
)


def texts(chance: random.Random, n: int) -> list[str]:
    """Different texts that begin and go on with every sign, and end with none that reading takes away."""
    found = {"".join(chance.choices(SIGNS, k=chance.randint(1, 4))) for _ in range(4 * n)}
    return sorted(text for text in found if text == text.rstrip())[:n]


def run_of(lists: dict[str, list[str]], titles: dict[str, str]) -> rd.Run:
    """A run whose ids are exactly these, white space and all."""
    rows = [(query, doc, rank) for query, docs in lists.items() for rank, doc in enumerate(docs, 1)]
    ids = [pa.array([row[i] for row in rows], pa.string()) for i in (0, 1)]
    columns = {
        "query_id": ids[0].dictionary_encode(),
        "doc_id": ids[1],
        "rank": pa.array([row[2] for row in rows], pa.int32()),
        "title": pa.array([titles[row[1]] for row in rows], pa.string()),
        "=heading()": pa.array(["-x"] * len(rows), pa.string()),
    }
    return rd.Run("run", pa.table(columns), "rank")


@pytest.mark.parametrize("seed", range(10))
def test_ids_and_texts_come_back_from_an_export(seed: int) -> None:
    """Whatever an id or a title begins with, the exported run and judgments give the same ids, texts and headings, and
    no cell of the file begins like a formula.
    """
    chance = random.Random(seed)
    docs, queries = texts(chance, 12), texts(chance, 4)
    run = run_of({query: chance.sample(docs, 6) for query in queries}, dict(zip(docs, texts(chance, 12), strict=True)))
    grade = pa.array(np.arange(len(run.table)) % 3, pa.float64())
    ids = {name: run.table.column(name) for name in ("query_id", "doc_id")}
    grades = rd.Judgments(pa.table({**ids, "relevance": grade}))
    joined = join(run, run, grades, depth=10)
    for written, read, table in (
        (
            rows_csv(run.table.set_column(0, "query_id", run.table["query_id"].cast(pa.string()))),
            rd.read_run,
            run.table,
        ),
        (judgments_csv(joined), rd.read_judgments, grades.table),
    ):
        again = read(written).table
        assert set(again.column_names) == set(table.column_names)
        for name in table.column_names:
            assert beside_ids(again, name) == beside_ids(table, name)
        cells = [cell for row in csv.reader(io.StringIO(written.decode(), newline="")) for cell in row]
        assert not [cell for cell in cells if cell.startswith(tuple("=+-@\t\r＝＋－＠"))]
        assert not set("\u202e\u2066\u200f\u061c") & set(written.decode())


def beside_ids(table: pa.Table, name: str) -> list[tuple[object, ...]]:
    """A column beside its ids, in the order of these."""
    return sorted(zip(*(table.column(one).to_pylist() for one in ("query_id", "doc_id", name)), strict=True))


def test_files_of_others_keep_their_apostrophes() -> None:
    """Only a table that says so was made harmless: elsewhere an apostrophe is a part of the id."""
    assert docs_of(rd.read_run(b"query_id,doc_id,rank\nq,'-a,1\nq,b,2\n")) == ["'-a", "b"]
    assert docs_of(rd.read_run(b"query_id,doc_id,rank\nq,'-a,1\nq,-b,2\n")) == ["'-a", "-b"]
    assert docs_of(rd.read_run(b"q Q0 '-a 1 2 t\nq Q0 'b 2 1 t\n")) == ["'-a", "'b"]
    assert docs_of(rd.read_run({"q": {"'-a": 1}})) == ["'-a"]
    assert docs_of(rd.read_run(b"query_id,doc_id,rank\nq,'a,1\nq,'7,2\n")) == ["'a", "'7"]


def test_apostrophes_that_are_taken_back_are_noted() -> None:
    """An id that changes on reading is counted in a note."""
    run = rd.read_run(b"query_id,doc_id,rank,disarmed\nq,'-a,1,yes\nq,b,2,\n")
    assert docs_of(run) == ["-a", "b"]
    assert run.table.column_names == ["query_id", "doc_id", "rank"]
    assert "disarmed" in [note.code for note in run.source.notes]


def test_votes_come_back() -> None:
    """Queries and raters of votes are the same after an export."""
    votes = rd.read_votes(
        [
            {"query": query, "rater": rater, "vote": vote}
            for query, rater, vote in (("-q", "=r", "good"), ("-q", "'@r", "bad"), ("+q", "r", "same"))
        ]
    )
    again = rd.read_votes(rows_csv(votes.table))
    assert again.table.to_pylist() == votes.table.to_pylist()


def docs_of(run: rd.Run) -> list[str]:
    """The documents of a run."""
    found: list[str] = run.table.column("doc_id").to_pylist()
    return found
