"""Rows of tables with other values in them: the values of a slow twin, and the memory of the column they came from."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pyarrow as pa
import pytest

from rankdash import arrow
from rankdash.edits import tables as edited_rows
from rankdash.edits.tables import appended, gathered, new_rows, with_values


def a_column(random: np.random.Generator, count: int) -> pa.ChunkedArray:
    """Numbers in chunks of any length, empty ones among them; the chunks are parts of larger arrays."""
    kind = random.choice([np.float64, np.float32, np.int64, np.int32])
    values = arrow.from_numpy(random.integers(-9, 9, count + 5).astype(kind)).slice(5)
    cuts = np.sort(random.integers(0, count + 1, random.integers(0, 4))).tolist()
    return pa.chunked_array([values.slice(a, b - a) for a, b in zip([0, *cuts], [*cuts, count], strict=True)])


def test_other_values_stand_in_their_rows_and_nowhere_else() -> None:
    """Rows in any order, neighbours or not, hold what was given for them; all others, and the type, are as before."""
    random = np.random.default_rng(1)
    for _ in range(300):
        count = int(random.integers(1, 40))
        column = a_column(random, count)
        rows = random.permutation(count)[: random.integers(0, count + 1)]
        values = random.integers(100, 200, len(rows))
        found = with_values(column, rows, values)
        expected = column.to_pylist()
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            expected[row] = value
        assert found.to_pylist() == expected
        assert found.type == column.type
        asked = random.integers(0, count, (3, 4))
        assert np.array_equal(arrow.numbers_at(found, asked), np.array(expected)[asked])


def a_table(random: np.random.Generator, count: int) -> pa.Table:
    """Rows of a run."""
    columns = {
        "query_id": [f"q{x}" for x in np.sort(random.integers(0, 5, count))],
        "doc_id": [f"d{x}" for x in random.integers(0, 99, count)],
        "score": random.integers(0, 9, count).tolist(),
    }
    return new_rows(columns)


@pytest.mark.long
def test_a_large_table_that_shares_memory_has_the_rows_of_one_that_is_copied() -> None:
    """Appended and gathered, in any order and number, the rows are the same with shared chunks and without."""
    random = np.random.default_rng(5)
    for _ in range(300):
        table = a_table(random, int(random.integers(1, 30)))
        more = {"query_id": ["q1", "new"], "doc_id": ["x", "y"]} if random.integers(2) else {"query_id": []}
        rows = np.sort(random.permutation(len(table) + len(more["query_id"]))[: random.integers(0, 30)])
        if random.integers(2):
            rows = random.permutation(rows)
        found = []
        for large in (0, 1 << 40):
            with mock.patch.object(edited_rows, "_LARGE", large):
                found.append(gathered(appended(table, more), rows.astype(np.int64)))
        shared, copied = found
        assert shared.to_pydict().keys() == copied.to_pydict().keys()
        assert str(shared.to_pydict()) == str(copied.to_pydict())  # as text: an empty score is no number
        assert shared.column("query_id").num_chunks == 1


def test_a_row_added_to_a_large_table_copies_no_ids_of_documents() -> None:
    """The documents of the rows before and after an added one lie where they lay."""
    table = a_table(np.random.default_rng(1), 100)
    with mock.patch.object(edited_rows, "_LARGE", 0):
        added = appended(table, {"query_id": ["q0"], "doc_id": ["x"]})
        found = gathered(added, np.concatenate([np.arange(50), [100], np.arange(50, 100)]))
    first, new, last = found.column("doc_id").chunks
    was = table.column("doc_id").chunk(0).buffers()[2].address
    assert (first.buffers()[2].address, last.buffers()[2].address) == (was, was)
    assert new.to_pylist() == ["x"]
