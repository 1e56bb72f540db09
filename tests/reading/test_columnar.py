"""Parquet, Arrow and frames: ids and numbers of any type, names, indexes, damage, and the limits of small files."""

import contextlib
import datetime
import decimal
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from rankdash.reading import Limits, ReadError, read_queries, read_run
from rankdash.reading.recognition import recognise
from tests.reading.made_files import rows
from tests.reading.other_tools import parquet
from tests.reading.test_tools import READERS, refusal

RANKED = [("q1", "a", 1), ("q1", "b", 2), ("q2", "c", 1)]
COLUMNS: dict[str, Any] = {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "c"], "rank": [1, 2, 1]}


def arrow(table: pa.Table, *, stream: bool = False, compression: str | None = None) -> bytes:
    """A table as an Arrow file, or as a stream."""
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with make(out := io.BytesIO(), table.schema, options=options) as written:
        written.write_table(table)
    return out.getvalue()


FORMS: dict[str, Callable[[pa.Table], Any]] = {
    "Parquet": parquet,
    "Arrow": arrow,
    "stream": lambda table: arrow(table, stream=True),
    "table": lambda table: table,
    "batch": lambda table: table.combine_chunks().to_batches()[0],
    "frame": lambda table: table.to_pandas(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_table_is_the_same_run(form: str) -> None:
    """With further columns, which are kept; columns of lists and objects are left unread, with a note."""
    table = pa.table({**COLUMNS, "tags": [["x"], [], None], "price": [1.5, 2.0, None], "more": [{"a": 1}] * 3})
    source = FORMS[form](table)
    run = read_run(source)
    assert rows(run, "query_id", "doc_id", "rank") == RANKED
    assert set(run.table.column_names) == {"query_id", "doc_id", "rank", "price"}
    assert "not_read" in {note.code for note in run.source.notes}
    if isinstance(source, bytes):
        assert recognise(source).kind == "run"


@pytest.mark.parametrize("form", [*FORMS, "CSV"])
def test_what_qrels_call_a_score_is_read_as_somebody_says(form: str) -> None:
    """Under the headings of BEIR grades are no scores and scores no grades, in any form, until a decision says so."""
    write = FORMS.get(form, lambda table: table.to_pandas().to_csv(index=False).encode())
    for kind, values, meaning in (("run", [1, 2, 1], "score"), ("judgments", [9.53, 4.17, 2.31], "relevance")):
        source = write(pa.table({"query-id": ["q1", "q1", "q2"], "corpus-id": ["a", "b", "c"], "score": values}))
        assert refusal(source, kind) == "other_kind"
        assert rows(READERS[kind](source, columns={meaning: "score"}), meaning) == [(value,) for value in values]
        assert not isinstance(source, bytes) or recognise(source).kind == ({"run", "judgments"} - {kind}).pop()


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([decimal.Decimal("1.00"), decimal.Decimal("2.00")], pa.decimal128(10, 2), ["1", "2"]),
        ([decimal.Decimal(10**30), decimal.Decimal(2)], pa.decimal128(38, 0), ["1" + "0" * 30, "2"]),
        ([2**63 + 1, 3], pa.uint64(), ["9223372036854775809", "3"]),
        (np.float16([7, 8]), pa.float16(), ["7", "8"]),
        ([7.0, 8.0], pa.float64(), ["7", "8"]),
        (["a", "b"], pa.dictionary(pa.int8(), pa.string()), ["a", "b"]),
        (["a", "b"], pa.string_view(), ["a", "b"]),
        ([b"a", b"\xc3\xa9"], pa.binary(), ["a", "é"]),
        ([b"a", b"b"], pa.large_binary(), ["a", "b"]),
        (
            pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(["a", "b"], pa.string_view())),
            None,
            ["a", "b"],
        ),
    ],
)
@pytest.mark.parametrize("form", ["table", "Parquet", "Arrow"])
def test_ids_of_any_type_are_text(values: list[Any], kind: pa.DataType, expected: list[str], form: str) -> None:
    """Whole numbers of any type and bytes are ids as people write them."""
    table = pa.table({"query_id": ["q", "q"], "doc_id": pa.array(values, kind) if kind else values, "rank": [1, 2]})
    run = None
    with contextlib.suppress(pa.ArrowNotImplementedError):  # Parquet has no float16 before pyarrow 15
        run = read_run(FORMS[form](table))
    assert run is None or [own for (own,) in rows(run, "doc_id")] == expected
    assert run is None or str(run.table.schema.field("doc_id").type) in ("string", "large_string")


@pytest.mark.parametrize(
    "column",
    [
        pa.array([True, False]), pa.array([7.5, 8.0]), pa.array([datetime.date(2026, 5, 1)] * 2),
        pa.array([b"\xff", b"a"]),
        pa.array([None, "a"]), pa.array([["a"], ["b"]]), pa.array([{"x": 1}] * 2), pa.nulls(2),
        pa.array([decimal.Decimal("1.5"), decimal.Decimal("2.0")]),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("form", ["table", "Parquet", "frame"])
def test_what_is_no_id_is_refused(column: pa.Array, form: str) -> None:
    """Truths, numbers with decimals, dates, bytes that are no text, blanks, lists and objects are never ids."""
    for name in ("doc_id", "query_id"):
        columns = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": [1, 2]} | {name: column}
        dated = pa.types.is_date(column.type)
        assert refusal(FORMS[form](pa.table(columns))) or dated


def test_the_index_of_a_frame_holds_columns_if_it_has_names() -> None:
    """A named index is read as columns, a nameless one is ignored, in frames and in Parquet files of them."""
    index = pd.MultiIndex.from_tuples([("q", "a"), ("q", "b")], names=["query_id", "doc_id"])
    named = pd.DataFrame({"score": [2.0, 1.0]}, index=index)
    nameless = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0]}, index=["x", "y"])
    for frame in (named, nameless):
        frame.to_parquet(out := io.BytesIO())
        for source in (frame, out.getvalue()):
            run = read_run(source)
            assert rows(run, "query_id", "doc_id", "score") == [("q", "a", 2), ("q", "b", 1)]
            assert set(run.table.column_names) == {"query_id", "doc_id", "score"}
    unnamed = pd.DataFrame({"score": [1.0]}, index=pd.MultiIndex.from_tuples([("q", "a")]))
    assert refusal(unnamed) == refusal(unnamed, "judgments") == "missing_column"


def test_frames_of_mixed_and_missing_values_are_read() -> None:
    """Objects, categories and extension types of pandas; blanks of further columns stay blank."""
    frame = pd.DataFrame(
        {
            "query_id": pd.Categorical(["q", "q"]),
            "doc_id": pd.Series(["a", 7], dtype=object),
            "score": pd.array([2, 1], dtype="Int64"),
            "title": pd.Series(["x", None], dtype="string"),
        }
    )
    assert rows(read_run(frame), "query_id", "doc_id", "score", "title") == [("q", "a", 2, "x"), ("q", "7", 1, "")]
    assert rows(read_queries(pd.DataFrame({"query_id": [1, 2], "weight": [0.5, np.nan]})), "query_id")[0] == ("1",)
    twice = pd.DataFrame([["q", "a", "b"]], columns=["query_id", "doc_id", "doc_id"])
    assert refusal(twice) == "unclear"


@pytest.mark.parametrize(
    ("columns", "code", "limits"),
    [
        ({**COLUMNS, **{f"c{i}": [1, 2, 3] for i in range(30)}}, "too_large", Limits(columns=20)),
        (COLUMNS, "too_large", Limits(rows=2)),
        ({name: values[:0] for name, values in COLUMNS.items()}, "empty", Limits()),
        ({**COLUMNS, "doc_id": ["\ud800", "b", "c"]}, "bad_encoding", Limits()),
        ({"query_id": ["q"], "doc_id": ["a"], "\ud800": [1]}, "bad_encoding", Limits()),
    ],
)
def test_odd_tables_are_refused(columns: dict[str, Any], code: str, limits: Limits) -> None:
    """Too many columns and rows, no row, and half a character in a cell or a name, in every form that can hold it."""
    cells = [*zip(*columns.values(), strict=True)]
    frame = pd.DataFrame(cells, columns=pd.Index([*columns], dtype=object), dtype=object)
    assert refusal(frame, limits=limits) == code
    if code != "bad_encoding":
        for form in ("table", "Parquet", "Arrow"):
            assert refusal(FORMS[form](pa.table(columns)), limits=limits) == code


@pytest.mark.parametrize("form", ["Parquet", "Arrow", "packed"])
def test_a_damaged_file_is_one_sentence(form: str) -> None:
    """Cut anywhere, or with other bytes in it: refused, or rows of a run, and never another exception."""
    rng, each = np.random.default_rng(7), range(300)
    columns = {"query_id": [f"q{i // 9}" for i in each], "doc_id": [f"d{i}" for i in each], "rank": [*each]}
    content = (FORMS | {"packed": lambda table: arrow(table, compression="lz4")})[form](pa.table(columns))
    for _ in range(600):
        changed = bytearray(content)
        for at in rng.integers(-len(content), len(content), 3) // rng.choice([1, 8]):
            changed[at] = rng.integers(256)
        refusal(bytes(changed))
        refusal(content[: rng.integers(1, len(content))])
    assert refusal(content[: len(content) // 2]) in ("unreadable", "missing_column")
    with pytest.raises(ReadError, match="ends too early"):
        read_run(pa.compress(content, "zstd", asbytes=True)[:-9])
