"""Operations on flat arrays of rows that are sorted by query: the loop over queries, without the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def same_as_before(*keys: npt.NDArray[Any]) -> Bools:
    """Return whether each row equals the row above it in all keys, (rows,); False for the first row."""
    same = np.zeros(len(keys[0]), bool)
    if len(same):
        same[1:] = np.logical_and.reduce([key[1:] == key[:-1] for key in keys])
    return same


def segment_starts(query: Ints) -> Ints:
    """Return the row at which the query of each row begins, (rows,); the column is sorted by query."""
    starts = np.flatnonzero(~same_as_before(query))
    return np.repeat(starts, np.diff(starts, append=len(query)))


def positions(query: Ints) -> Ints:
    """Return the position of each row within its query, from 1, (rows,)."""
    return np.arange(1, len(query) + 1) - segment_starts(query)


def running_count(marked: Bools, query: Ints) -> Ints:
    """Return the number of marked rows up to and with each row, within its query, (rows,)."""
    total = np.cumsum(marked)
    starts = segment_starts(query)
    before = np.concatenate(([0], total))[starts]
    return total - before


def product_before(values: Floats, query: Ints) -> Floats:
    """Return the product of the values above each row, within its query, (rows,); 1 for its first row.

    Doubling: after pass s each row holds the product of the last 2^s values above it. No logarithms, so nothing is
    lost.
    """
    place = positions(query) - 1
    product = np.where(place > 0, np.concatenate((values[:1], values[:-1])), 1.0)
    step = 1
    while step <= place.max(initial=0):
        reaches = np.flatnonzero(place >= step)
        product[reaches] = product[reaches] * product[reaches - step]
        step *= 2
    return product
