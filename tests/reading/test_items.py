"""Tables of items: what is read of documents, what is refused, and what a comparison keeps of it."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.case import Case, content_digest
from rankdash.reading.recognition import recognise
from rankdash.store import Settings, State, Store
from tests.store.promises import reopened

DAY = datetime(2026, 10, 1, tzinfo=UTC)
FRAME = pd.DataFrame({"item_id": ["a", "b"], "genres": ["x|y", ""], "created": [pd.Timestamp(DAY), pd.NaT]})


def parquet(frame: pd.DataFrame) -> bytes:
    """The file of a frame."""
    frame.to_parquet(buffer := io.BytesIO())
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"doc_id,date\na,2026-10-01\nb,\n", {"date": [DAY, None]}),
        (b"sku,published_at\na,2026-10-01T02:00:00+02:00\nb,NA\n", {"date": [DAY, None]}),
        (b"doc_id,unix_time\na,1790812800\nb,\n", {"date": [DAY, None]}),
        (b"doc_id,unix_time_ms\na,1790812800000\nb,\n", {"date": [DAY, None]}),
        (b"doc_id,title\na,T\nb,\n", {"title": ["T", ""]}),
        (b'{"id": "a", "title": "T"}\n{"id": "b", "title": ""}\n', {"title": ["T", ""]}),
        (b"movie_id,title,genres\na,T,x|y\nb,,\n", {"title": ["T", ""], "category": ["x|y", ""]}),
        (b'doc_id,embedding\na,"[1, 2]"\nb,\n', {"vector": [[1, 2], [np.nan, np.nan]]}),
        ([{"doc_id": "a", "vector": [1, 2]}, {"doc_id": "b", "vector": None}], {"vector": [[1, 2], [np.nan, np.nan]]}),
        (b"doc_id,users,category_2\na,3,u\nb,,v\n", {"users": [3, np.nan], "category_2": ["u", "v"]}),
        (FRAME, {"date": [DAY, None], "category": ["x|y", ""]}),
        (parquet(FRAME.assign(vector=[[1.0, 2.0], None])), {"date": [DAY, None], "vector": [[1, 2], [np.nan, np.nan]]}),
        (b"doc_id,category\na,x\na,y\nb,z\n", {"category": ["x", "z"]}),
    ],
)
def test_items_are_read_by_what_their_columns_mean(source: Any, expected: dict[str, list[Any]]) -> None:
    """Dates in UTC, vectors of one length, the first of two rows; the file is recognised by its columns."""
    items = rd.read_items(source)
    assert items.table.column("doc_id").to_pylist() == ["a", "b"]
    for name, values in expected.items():
        np.testing.assert_equal(items.table.column(name).to_pylist(), values)
    if isinstance(source, bytes) and b"_2" not in source:
        assert recognise(source).kind == "items"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"doc_id,date\na,20261001\n", "bad_value"),
        (b"doc_id,timestamp\na,1790812800\n", "bad_value"),
        (b"doc_id,date\na,01.10.2026\n", "bad_value"),
        (b"doc_id,date\na,2026-02-30\n", "bad_value"),
        (b"doc_id,unix_time\na,1e30\n", "bad_value"),
        (b"doc_id,date\n", "empty"),
        (b'doc_id,vector\na,"[1]"\nb,"[1, 2]"\n', "bad_value"),
        (b"doc_id,vector\na,near\n", "bad_value"),
        (b"doc_id,users\na,-1\n", "bad_value"),
        (b"doc_id,category\n,x\n", "missing_value"),
        (b"query_id,doc_id,score\nq,a,1\n", "other_kind"),
        (b"doc_id,created_at,timestamp\na,2026-10-01,2026-10-02\n", "unclear"),
        (b"category,date\nx,2026-10-01\n", "missing_column"),
    ],
)
def test_what_is_no_table_of_items_is_refused_with_its_place(content: bytes, code: str) -> None:
    """Numbers are no dates unless the heading says so, and nothing is guessed."""
    with pytest.raises(rd.ReadError) as caught:
        rd.read_items(content)
    assert {problem.code for problem in caught.value.problems} == {code}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"user_id,item_id,timestamp\n1,2,3\n1,3,3\n", "run"),
        (b"query_id,category\n1,x\n2,y\n", "queries"),
        (b"id,text,date\n1,x,2026-10-01\n2,y,2026-10-01\n", "queries"),
        (b"id,title,weight\n1,x,2\n2,y,3\n", "queries"),
        (b"query_id,doc_id,relevance,date\n1,2,1,2026-10-01\n", "judgments"),
        (b"query,product_id,stars,date\nlamp,2,5,2026-10-01\n", "judgments"),
    ],
)
def test_no_other_table_is_taken_for_items(content: bytes, kind: str) -> None:
    """A row about a query, or an id that may be that of a query, is not about a document."""
    assert recognise(content).kind == kind


ITEMS = b'doc_id,category,date,vector\na,x,2026-10-01,"[1, 2]"\nb,y,,\n'


def test_items_and_their_time_are_part_of_the_case(tmp_path: Path) -> None:
    """They are saved and come back; their digest knows the content and the time, not the order of the rows."""
    plain, turned = rd.read_items(ITEMS), rd.read_items(b"\n".join([ITEMS.split(b"\n")[at] for at in (0, 2, 1)]))
    asked = plain.asked_at("2026-11-01")
    assert content_digest(plain) == content_digest(turned) != content_digest(asked)
    found = rd.compare({"q": ["a", "b"]}, {"q": ["b", "a"]}, {"q": {"a": 1}}, items=asked)
    case = Case((found.a, found.b), found.joined.judgments, items=found.items)
    assert case.swapped().tables["items"] is asked
    store = Store.open(Settings(tmp_path))
    again = reopened(store, store.create(case, State("", "A", "B"))).content.items
    assert again == asked != plain


def test_items_are_given_at_the_shell(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """--items with --at stand in the JSON; --at alone, and what is no date, are refused."""
    for name, content in {"a": b"q,a,1\n", "b": b"q,b,1\n", "q": b"q,a,1\n", "i": ITEMS}.items():
        heading = b"" if name == "i" else b"query_id,doc_id,relevance\n" if name == "q" else b"query_id,doc_id,rank\n"
        (tmp_path / f"{name}.csv").write_bytes(heading + content)
    a, b, q, i = (str(tmp_path / f"{name}.csv") for name in "abqi")
    assert main(["compare", a, b, "-q", q, "--items", i, "--at", "2026-11-01", "--json", "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["inputs"]["items"]["at"] == "2026-11-01T00:00:00+00:00"
    assert main(["compare", a, b, "-q", q, "--at", "2026-11-01"]) == 2
    assert main(["compare", a, b, "-q", q, "--items", i, "--at", "today"]) == 2
    with pytest.raises(rd.ComparisonError):
        rd.compare({"q": ["a"]}, {"q": ["b"]}, {"q": {"a": 1}}, at="2026-11-01")
