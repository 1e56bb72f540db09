"""Parquet and frames with rich types: lists, structs and maps in cells, indexes, decimals, dates."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import io
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.reading.source import Limits

RANKED = [("q1", "a", 1), ("q1", "b", 2), ("q2", "c", 1)]


def packed(table: pa.Table, **how: Any) -> bytes:
    """A table as the bytes of a Parquet file."""
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    return out.getvalue()


def rows(table: Any, *names: str) -> list[tuple[Any, ...]]:
    """Some columns of a table."""
    return [tuple(row[name] for name in names) for row in table.table.to_pylist()]


@pytest.mark.parametrize("name", ["doc_id", "docs", "results", "Documents", "文档列表"])
def test_a_list_of_documents_is_a_ranked_list(name: str) -> None:
    """A cell with a list gives a row for each document, ranked in its order; empty and missing lists give none."""
    table = pa.table({"query_id": ["q1", "q2", "q3", "q4"], name: [["a", "b"], ["c"], [], None]})
    for source in (table, packed(table)):
        run = read_run(source)
        assert rows(run, "query_id", "doc_id", "rank") == RANKED
        assert run.source.notes[0] == "The lists in the table were read as 3 rows."


def test_lists_of_numbers_and_structs_stand_beside_documents() -> None:
    """Parallel lists, lists of structs and maps give documents and scores, or grades."""
    scored = [("q1", "a", 2.5), ("q1", "b", 1)]
    pairs = pa.array([[("a", 2.5), ("b", 1.0)]], pa.map_(pa.string(), pa.float64()))
    for columns in (
        {"doc_id": [["a", "b"]], "score": [[2.5, 1.0]]},
        {"docs": [["a", "b"]], "scores": [[2.5, 1.0]]},
        {"hits": [[{"doc_id": "a", "score": 2.5}, {"doc_id": "b", "score": 1.0}]]},
        {"anything": pairs},
    ):
        table = pa.table({"query_id": ["q1"], **columns})
        assert rows(read_run(packed(table)), "query_id", "doc_id", "score") == scored
    graded = read_judgments(pa.table({"query_id": ["q1"], "grades": pairs}))
    assert rows(graded, "query_id", "doc_id", "relevance") == scored
    with pytest.raises(ReadError, match='row 2, column "doc_id": the lists of this row have different lengths'):
        read_run(pa.table({"query_id": ["q1", "q2"], "doc_id": [["a"], ["b"]], "score": [[1.0], [2.0, 3.0]]}))


def test_structs_are_columns() -> None:
    """The fields of a struct are columns; lists without a meaning are left out with a note."""
    query = pa.array([{"id": "q1", "text": "red"}])
    run = read_run(packed(pa.table({"query": query, "doc_id": ["a"], "rank": [1], "tags": [["x", "y"]]})))
    assert rows(run, "query_id", "query_text", "doc_id") == [("q1", "red", "a")]
    assert any('Column "tags" holds list' in note for note in run.source.notes)


def test_the_index_of_a_frame_holds_columns_if_it_has_names() -> None:
    """A named index is read as columns, a nameless one is ignored, in frames and in Parquet files of them."""
    index = pd.MultiIndex.from_tuples([("q", "a"), ("q", "b")], names=["query_id", "doc_id"])
    named = pd.DataFrame({"score": [2.0, 1.0]}, index=index)
    nameless = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0]}, index=["x", "y"])
    for frame in (named, nameless):
        out = io.BytesIO()
        frame.to_parquet(out)
        for source in (frame, out.getvalue()):
            run = read_run(source)
            assert rows(run, "query_id", "doc_id", "score") == [("q", "a", 2), ("q", "b", 1)]
            assert set(run.table.column_names) == {"query_id", "doc_id", "score"}


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([decimal.Decimal("1.00"), decimal.Decimal("2.00")], pa.decimal128(10, 2), ["1", "2"]),
        ([decimal.Decimal(10**30), decimal.Decimal(2)], pa.decimal128(38, 0), ["1" + "0" * 30, "2"]),
        ([2**63 + 1, 3], pa.uint64(), ["9223372036854775809", "3"]),
        (np.float16([7, 8]), pa.float16(), ["7", "8"]),
        (["a", "b"], pa.dictionary(pa.int8(), pa.string()), ["a", "b"]),
        (["a", "b"], pa.string_view(), ["a", "b"]),
        ([b"a", b"\xc3\xa9"], pa.binary(), ["a", "é"]),
    ],
)
def test_ids_of_any_type_are_text(values: list[Any], kind: pa.DataType, expected: list[str]) -> None:
    """Whole numbers of any type and bytes are ids as people write them."""
    table = pa.table({"query_id": ["q", "q"], "doc_id": pa.array(values, kind), "rank": [1, 2]})
    run = read_run(table)
    assert [row[0] for row in rows(run, "doc_id")] == expected
    assert str(run.table.schema.field("doc_id").type) == "string"


@pytest.mark.parametrize(
    ("values", "kind", "what"),
    [
        ([True, False], pa.bool_(), 'column "{name}" holds bool, not ids'),
        ([datetime.date(2026, 1, 2)] * 2, pa.date32(), 'column "{name}" holds date32.*, not ids'),
        ([1.0, 2.5], pa.float64(), 'row 2, column "{name}": "2.5" is neither text nor a whole number'),
        ([1.0, float("inf")], pa.float32(), 'row 2, column "{name}": "inf" is neither text nor a whole number'),
        ([decimal.Decimal("1.50"), decimal.Decimal("2.00")], pa.decimal128(10, 2), 'row 1, column "{name}": "1.50" is'),
    ],
)
def test_what_is_neither_text_nor_a_whole_number_is_no_id(values: list[Any], kind: pa.DataType, what: str) -> None:
    """Truths, dates and numbers with decimals are refused as queries and as documents, in a dictionary too."""
    array = pa.array(values, kind)
    for name, other in (("query_id", "doc_id"), ("doc_id", "query_id")):
        for column in (array, array.dictionary_encode()):
            with pytest.raises(ReadError, match=what.format(name=name)):
                read_run(pa.table({name: column, other: ["a", "b"], "rank": [1, 2]}))


def test_numbers_of_any_type_are_numbers() -> None:
    """Decimals, truths, half floats and large whole numbers are grades and scores; dates are refused."""
    for values, kind, expected in (
        ([decimal.Decimal("1.50"), decimal.Decimal("2.00")], pa.decimal128(10, 2), [1.5, 2]),
        ([True, False], pa.bool_(), [1, 0]),
        (np.float16([1, 2]), pa.float16(), [1, 2]),
        ([2**63 + 1, 3], pa.uint64(), [2.0**63, 3]),
    ):
        table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": pa.array(values, kind)})
        assert [row[0] for row in rows(read_judgments(table), "relevance")] == expected
    with pytest.raises(ReadError, match=r'column "relevance" holds date32\[day\], not numbers'):
        read_judgments(
            pa.table({"query_id": ["q"], "doc_id": ["a"], "relevance": pa.array([datetime.date(2026, 1, 2)])})
        )


def test_a_dictionary_that_would_fill_the_memory_is_refused_at_once() -> None:
    """One long value that a small file repeats for every row is refused before it is unpacked, in seconds of work."""
    long = pa.array(["x" * 900_000])
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000_000, pa.int32()), long)
    rows_of = {"query_id": pa.array(["q"]).take(pa.array([0] * 1_000_000)), "doc_id": repeated}
    content = packed(pa.table(rows_of), row_group_size=1_000_000)
    assert len(content) < 2_000_000
    with pytest.raises(ReadError, match='column "doc_id" unpacks to 900,000 MB'):
        read_run(content)


def test_a_cell_and_columns_beyond_the_limits_are_refused() -> None:
    """Long cells and too many columns are refused by what the file says of itself."""
    table = pa.table({"query_id": ["q"] * 3000, "doc_id": ["x" * 2000] * 3000})
    with pytest.raises(ReadError, match='row 1, column "doc_id": the id has more than 1,000 bytes'):
        read_run(packed(table), limits=Limits(cell=1000, ratio=10**6))
    wide = pa.table({f"c{i}": [1] for i in range(40)})
    with pytest.raises(ReadError, match="there are 40 columns"):
        read_run(packed(wide), limits=Limits(columns=30))
    lists = pa.table({"query_id": ["q"], "docs": [["a"] * 50]})
    with pytest.raises(ReadError, match="there are 50"):
        read_run(packed(lists), limits=Limits(rows=40))


@pytest.mark.long
def test_damaged_ends_of_files_are_refused() -> None:
    """Whatever byte of its end is changed, a Parquet file is read or refused; on some pyarrow ends the process."""
    content = packed(pa.table({"query_id": ["q"], "docs": [["a", "b"]], "score": [1.0]}))
    length = int.from_bytes(content[-8:-4], "little")
    for at in range(len(content) - 8 - length, len(content), 3):
        for change in (0, 4, 0x7F, 0xFF):
            with contextlib.suppress(ReadError):
                read_run(content[:at] + bytes([change]) + content[at + 1 :])
