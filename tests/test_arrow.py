"""Strings as Arrow has them behave like a tuple of the same."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from rankdash.arrow import Strings

LETTERS = ["", "q", "Q1", "q10", "ä", "日本", "Straße", "q q", "\u0130", "x" * 40]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_strings_are_a_sequence_like_any_other(seed: int, kind: pa.DataType) -> None:
    """Length, places, slices, what is in them and where, equality and hash: as a tuple says."""
    chance = random.Random(seed)
    expected = tuple(chance.choices(LETTERS, k=chance.randrange(30)))
    strings = Strings(pa.array(expected, kind))
    assert strings == expected == tuple(strings)
    assert len(strings) == len(expected)
    assert hash(strings) == hash(expected)
    assert [strings[place] for place in range(-len(expected), len(expected))] == [*expected, *expected]
    assert strings[2:7] == expected[2:7]
    assert strings != (*expected, "more")
    assert strings != 3
    for value in [*LETTERS, "other", "\ud800"]:
        for _ in range(2):
            assert (value in strings) is (value in expected)
        if value in expected:
            assert strings.index(value) == expected.index(value)
        else:
            with pytest.raises(ValueError, match="not in tuple"):
                strings.index(value)
    assert None not in strings
    order = np.array(chance.sample(range(len(expected)), len(expected)), np.int64)
    assert strings.take(order) == [expected[place] for place in order]
    assert Strings.of(expected) == strings == Strings.of(strings)


def test_the_places_that_are_kept_do_not_grow() -> None:
    """Whoever asks for very many strings gets each right, and no more than some stay."""
    strings = Strings.of([str(n) for n in range(500)])
    assert [strings.index(str(n)) for n in range(500)] == list(range(500))
    assert len(vars(strings)["_places"]) <= 100
