"""Cells longer than the limits, in every format: an id is refused with its row, what is only shown is cut and noted."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.reading import LIMITS, Limits, ReadError, read_judgments, read_queries, read_run, read_votes

Rows = list[dict[str, str]]


def parquet(rows: Rows) -> bytes:
    """The rows as a Parquet file."""
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def arrow(rows: Rows) -> bytes:
    """The rows as an Arrow stream."""
    sink, table = io.BytesIO(), pa.Table.from_pylist(rows)
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue()


FORMATS: dict[str, Callable[[Rows], object]] = {
    "csv": lambda rows: "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]).encode(),
    "json": lambda rows: json.dumps(rows).encode(),
    "json lines": lambda rows: "\n".join(map(json.dumps, rows)).encode(),
    "columns": lambda rows: json.dumps({name: [row[name] for row in rows] for name in rows[0]}).encode(),
    "parquet": parquet,
    "arrow": arrow,
    "table": pa.Table.from_pylist,
    "dictionary": lambda rows: pa.table(
        {name: pa.array([row[name] for row in rows]).dictionary_encode() for name in rows[0]}
    ),
    "records": lambda rows: rows,
}


def lists(title: str, doc_id: str = "b") -> Rows:
    """A list of two documents, the second with a title and an id."""
    first = {"query_id": "q", "doc_id": "a", "score": "2.5", "title": "short"}
    return [first, {"query_id": "q", "doc_id": doc_id, "score": "1.5", "title": title}]


@pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS)
def test_a_long_text_that_is_only_shown_is_cut_and_noted(make: Callable[[Rows], object]) -> None:
    """A title of 1.1 MB does not refuse a file of any format: it is cut, and a note names its row."""
    run = read_run(make(lists("é" * 550_000)))
    short, cut = run.table.column("title").to_pylist()
    assert short == "short"
    assert len(cut.encode()) <= LIMITS.cell
    assert cut.endswith("é…")
    told = [note for note in run.source.notes if "was cut to 1 MB, for it is only shown" in note]
    assert len(told) == 1
    assert 'Column "title": a text in row ' in told[0]
    assert run.table.column("doc_id").to_pylist() == ["a", "b"]


@pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS)
def test_an_id_has_a_limit_in_every_format(make: Callable[[Rows], object]) -> None:
    """An id of 10,000 bytes is read; one byte more is refused with its row and column."""
    assert read_run(make(lists("t", "x" * LIMITS.id))).table.num_rows == 2
    with pytest.raises(ReadError) as error:
        read_run(make(lists("t", "x" * (LIMITS.id + 1))))
    assert len(error.value.problems) == 1
    told = str(error.value)
    assert 'column "doc_id": the id has more than 10,000 bytes. At most 10,000 are read. Give shorter ids.' in told
    assert error.value.problems[0].row in (2, 3)


LONG = "é" * 5_001


@pytest.mark.parametrize(
    ("reader", "text", "row"),
    [
        (read_run, f"q Q0 a 1 2 t\nq Q0 {LONG} 2 1 t\n", 2),
        (read_run, f"q Q0 a 1 2 t\n{LONG} Q0 b 2 1 t\n", 2),
        (read_judgments, f"q 0 a 1\nq 0 b 0\nq 0 {LONG} 1\n", 3),
        (read_judgments, f"query_id,doc_id,relevance\n{LONG},b,1\n", 2),
        (read_queries, f"query_id,text\n{LONG},shoes\n", 2),
        (read_votes, f"query_id,vote\nq,good\n{LONG},bad\n", 3),
        (read_run, json.dumps({"q": {"a": 2.5, LONG: 1.5}}), None),
    ],
)
def test_an_id_has_a_limit_in_every_table(reader: Callable[[bytes], object], text: str, row: int | None) -> None:
    """Ids of queries and documents, in runs, judgments, queries and votes, have at most 10,000 bytes."""
    with pytest.raises(ReadError, match="the id has more than 10,000 bytes") as error:
        reader(text.encode())
    assert row is None or error.value.problems[0].row == row


def test_the_limits_of_ids_and_cells_are_settings() -> None:
    """Other limits hold where they are given."""
    rows = pa.Table.from_pylist(lists("t" * 300, "x" * 50))
    assert read_run(rows, limits=Limits(cell=200)).table.column("title").to_pylist()[1] == "t" * 197 + "…"
    with pytest.raises(ReadError, match="more than 40 bytes"):
        read_run(rows, limits=Limits(id=40))
