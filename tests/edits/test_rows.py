"""Rows of tables with other values in them: the values of a slow twin, and the memory of the column they came from."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pyarrow as pa
import pytest

from rankdash import arrow
from rankdash.edits import rows as edited_rows
from rankdash.edits.rows import with_values


def a_column(random: np.random.Generator, count: int) -> pa.ChunkedArray:
    """Numbers in chunks of any length, empty ones among them; the chunks are parts of larger arrays."""
    kind = random.choice([np.float64, np.float32, np.int64, np.int32])
    values = arrow.from_numpy(random.integers(-9, 9, count + 5).astype(kind)).slice(5)
    cuts = np.sort(random.integers(0, count + 1, random.integers(0, 4))).tolist()
    return pa.chunked_array([values.slice(a, b - a) for a, b in zip([0, *cuts], [*cuts, count], strict=True)])


@pytest.mark.parametrize("most", [1, 3, 1_000])
def test_other_values_stand_in_their_rows_and_nowhere_else(most: int) -> None:
    """Rows in any order, neighbours or not, hold what was given for them; all others, and the type, are as before."""
    random = np.random.default_rng(most)
    for _ in range(300):
        count = int(random.integers(1, 40))
        column = a_column(random, count)
        rows = random.permutation(count)[: random.integers(0, count + 1)]
        values = random.integers(100, 200, len(rows))
        with mock.patch.object(edited_rows, "_MOST_CHUNKS", most):
            found = with_values(column, rows, values)
        expected = column.to_pylist()
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            expected[row] = value
        assert found.to_pylist() == expected
        assert found.type == column.type
        asked = random.integers(0, count, (3, 4))
        assert np.array_equal(arrow.numbers_at(found, asked), np.array(expected)[asked])


def test_what_is_not_edited_is_not_copied() -> None:
    """The chunks around an edited stretch lie in the memory of the column that they come from."""
    column = pa.chunked_array([arrow.from_numpy(np.arange(1_000.0))])
    before, new, after = with_values(column, np.array([501, 500]), np.array([7, 8])).chunks
    assert before.buffers()[1].address == after.buffers()[1].address == column.chunk(0).buffers()[1].address
    assert new.to_pylist() == [8, 7]
