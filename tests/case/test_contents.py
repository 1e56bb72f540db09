"""What a table's content is known by: the same for the same lists, another for any other."""

import gzip
import io
import math
import random
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

import rankdash as rd
from rankdash.case import content_digest
from rankdash.tables import Judgments, Queries, Run, Source, Votes
from tests.store.twin import slow_digest
from tests.store.worlds import any_table, run_of

TREC = b"q2 Q0 d\xc3\xa9 1 2.5 m\nq2 Q0 d2 2 -0.0 m\nq10 Q0 007 1 9e300 m\nq1 Q0 7 1 1 m\n"
ROWS = [("q2", "dé", 2.5), ("q2", "d2", 0.0), ("q10", "007", 9e300), ("q1", "7", 1.0)]


def parquet(large: bool = False) -> bytes:
    """The lists as a Parquet file."""
    text = pa.large_string() if large else pa.string()
    columns = list(zip(*ROWS, strict=True))
    table = pa.table(
        {"query_id": pa.array(columns[0], text), "doc_id": pa.array(columns[1], text), "score": columns[2]}
    )
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=2)
    return sink.getvalue()


def csv(rows: list[tuple[str, str, float]], columns: tuple[int, int, int] = (0, 1, 2)) -> bytes:
    """Rows as CSV, in any order of the columns."""
    lines = [("query_id", "doc_id", "score"), *((a, b, repr(c)) for a, b, c in rows)]
    return "\n".join(",".join(line[i] for i in columns) for line in lines).encode()


SAME = {
    "gzip": gzip.compress(TREC),
    "csv": csv(ROWS),
    "csv, other columns first": csv(ROWS, (2, 0, 1)),
    "csv, queries in another order": csv([ROWS[3], ROWS[0], ROWS[2], ROWS[1]]),
    "parquet": parquet(),
    "parquet, wide text": parquet(large=True),
    "dict": {"q1": {"7": 1.0}, "q2": {"dé": 2.5, "d2": 0.0}, "q10": {"007": 9e300}},
}


@pytest.mark.parametrize("source", SAME.values(), ids=SAME)
def test_the_same_lists_have_one_digest(source: object) -> None:
    """TREC, gzip, CSV, Parquet and a dict of the same lists, the queries in any order: one digest."""
    run = rd.read_run(source, name="another name")
    assert content_digest(run) == content_digest(rd.read_run(TREC)) == slow_digest(run)


def test_names_and_sources_are_no_content() -> None:
    """A display name, a file name and notes are no part of it."""
    run = rd.read_run(TREC)
    other = replace(run.renamed("x"), source=Source("elsewhere", "0" * 64, 7, 1, ("a note",)))
    assert content_digest(run) == content_digest(other)


def test_what_a_table_is_and_how_it_is_ordered_is_content() -> None:
    """The same columns as run, judgments, queries or votes, or ordered by something else, are different contents."""
    table = rd.read_run(TREC).table
    records = [Run("", table, "score"), Run("", table, "rank"), Run("", table, "position")]
    others = [Judgments(table), Queries(table), Votes(table)]
    assert len({content_digest(record) for record in (*records, *others)}) == 6


@given(any_table(), st.randoms(use_true_random=False))
def test_the_fast_digest_is_the_slow_one_and_knows_no_storage(table: pa.Table, rng: random.Random) -> None:
    """For any table the digest is that of plain Python; chunks, dictionaries, widths and query order do not count."""
    run = run_of(table)
    expected = slow_digest(run)
    assert content_digest(run) == expected
    assert content_digest(replace(run, table=stored_otherwise(table, rng))) == expected
    order = list(range(len(table)))
    ids = table.column("query_id").to_pylist()
    rank = {one: rng.random() for one in ids}
    order.sort(key=lambda row: rank[ids[row]])
    moved = table.take(pa.array(order, pa.int64()))
    assert content_digest(replace(run, table=moved)) == expected


@given(any_table(1), st.data())
def test_every_cell_counts(table: pa.Table, data: st.DataObject) -> None:
    """Another value in any cell that can count is another digest."""
    run = run_of(table)
    name = data.draw(st.sampled_from([n for n in table.column_names if n != "rank" or run.ordered_by != "score"]))
    rows = table.to_pylist()
    row = data.draw(st.sampled_from(rows))
    row[name] = another(row[name], table.schema.field(name).type)
    changed = pa.Table.from_pylist(rows, schema=plain(table.schema))
    assert content_digest(replace(run, table=changed)) != content_digest(run)


def another(value: Any, kind: pa.DataType) -> Any:
    """A value that differs from a value."""
    if pa.types.is_integer(kind):
        return value + 1
    if pa.types.is_floating(kind):
        is_odd = value is None or math.isnan(value) or value == math.inf
        return 1.0 if is_odd else math.nextafter(value, math.inf)
    return (value or "") + "x"


@given(any_table(2), st.data())
def test_the_order_within_a_query_counts(table: pa.Table, data: st.DataObject) -> None:
    """Two different rows of one query in each other's place are another content; the same or of other queries not."""
    run = run_of(table)
    first, second = data.draw(st.tuples(*[st.integers(0, len(table) - 1)] * 2))
    order = list(range(len(table)))
    order[first], order[second] = order[second], order[first]
    moved = replace(run, table=table.take(pa.array(order, pa.int64())))
    assert (content_digest(moved) == content_digest(run)) == (slow_digest(moved) == slow_digest(run))


def test_two_rows_exchanged_are_another_content() -> None:
    """The order in which documents stand in a query is content."""
    lists = [Run("", rd.read_run({"q1": order}).table, "position") for order in (["a", "b"], ["b", "a"])]
    assert content_digest(lists[0]) != content_digest(lists[1])


def plain(schema: pa.Schema) -> pa.Schema:
    """A schema with text in the place of dictionaries."""
    return pa.schema([f.with_type(pa.string()) if pa.types.is_dictionary(f.type) else f for f in schema])


def stored_otherwise(table: pa.Table, rng: random.Random) -> pa.Table:
    """The same cells: other chunks, text as dictionaries or wide, dictionaries in another order, columns moved."""
    columns = {}
    for name in rng.sample(table.column_names, len(table.column_names)):
        column = pa.concat_arrays(table.column(name).chunks)
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            column = column.cast(rng.choice([pa.string(), pa.large_string()]))
            if rng.random() < 0.5 and not column.null_count:
                values = [*{*column.to_pylist()}, "never used"]
                rng.shuffle(values)
                codes = pa.array([values.index(value) for value in column.to_pylist()], pa.int32())
                column = pa.DictionaryArray.from_arrays(codes, pa.array(values, pa.string()))
        cut = rng.randint(0, len(column))
        columns[name] = pa.chunked_array([column[:cut], column[cut:]])
    return pa.table(columns)
