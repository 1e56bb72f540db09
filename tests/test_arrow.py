"""Strings as Arrow has them behave like a tuple of the same."""

import random

import numpy as np
import pyarrow as pa
import pytest

from rankdash import arrow
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


def test_distinct_numbers_are_those_of_a_set() -> None:
    """Ascending, each once, of codes and of grades, none of none."""
    rng = np.random.default_rng(5)
    for values in (rng.integers(0, 9, 50).astype(np.int32), rng.integers(-3, 3, 20) / 2, np.zeros(0, np.int32)):
        found = arrow.distinct(values)
        assert (found.tolist(), found.dtype) == (sorted(set(values.tolist())), values.dtype)


@pytest.mark.parametrize("seed", range(10))
def test_places_of_some_strings_among_many(seed: int) -> None:
    """Ascending, each place where one of them stands, whatever type either has."""
    chance = random.Random(seed)
    among, wanted = chance.choices(LETTERS, k=chance.randrange(30)), chance.choices(LETTERS, k=chance.randrange(4))
    found = arrow.places(pa.array(wanted, pa.large_string()), pa.array(["x", *among], pa.string())[1:])
    assert found.tolist() == [place for place, value in enumerate(among) if value in wanted]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("is_dictionary", [False, True])
def test_numbered_strings_are_in_the_order_of_their_names(seed: int, is_dictionary: bool) -> None:
    """Each row's number is the place of its string among the different ones that occur, sorted as Python sorts."""
    words = random.Random(seed).choices(LETTERS, k=seed * 5)
    array = pa.array(words, pa.string())
    array = pa.concat_arrays([array, pa.array(["unused"])]).dictionary_encode()[:-1] if is_dictionary else array
    found = arrow.numbered(pa.chunked_array([array]))
    assert found.values == sorted(set(words))
    assert [found.values[at] for at in found.of] == words
