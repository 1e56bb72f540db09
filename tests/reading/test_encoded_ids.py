"""Ids that come as categories are those of the same rows as plain text."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from rankdash.reading.values.parsing import encoded, ids

#: Some are one id once white space is gone, and one is none.
NAMES = ("q1", " q1", "q2 ", "é", "", "q3", "long " * 9, "q4")


@pytest.mark.parametrize("seed", range(60))
def test_categories_in_any_order_and_number_are_read_as_their_texts(seed: int) -> None:
    """Unused, repeated and exchanged values of a dictionary change neither the ids, nor their order, nor the blanks."""
    random = np.random.default_rng(seed)
    values = random.permutation(NAMES)[: random.integers(1, len(NAMES) + 1)].tolist()
    keys = random.integers(0, random.integers(1, len(values) + 1), random.integers(0, 30)).astype(np.int32)
    keys = np.sort(keys) if seed % 2 else keys
    array = pa.DictionaryArray.from_arrays(pa.array(keys), pa.array(values, pa.string()))
    found, plain = ids(array), ids(array.cast(pa.string()))
    assert found.array.to_pylist() == plain.array.to_pylist()
    assert found.array.dictionary.to_pylist() == encoded(plain.array).dictionary.to_pylist()
    assert found.empty.tolist() == plain.empty.tolist()
