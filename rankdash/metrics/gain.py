"""What a grade is worth, and what a rank takes off: the gain of a document and its discount."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankdash.conventions import LARGEST_GAIN, Gains

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: 2^30 - 1 is the largest gain that is still a sensible number; LightGBM and RankLib stop near it too.
LARGEST_EXP2_GRADE = 30


class MeasureError(ValueError):
    """A measure that cannot be computed as asked: an unknown name, a missing cutoff, a grade out of range."""


class NotComputed(MeasureError, KeyError):
    """A measure that exists, looked up in a comparison that does not hold it."""

    __str__ = Exception.__str__  # KeyError's puts the sentence into quotation marks


def gains(relevance: Floats, gain: str | Gains) -> Floats:
    """Return gains of grades, same shape, >= 0. Relevance <= 0 gains 0. MeasureError for grades too large to add."""
    if isinstance(gain, Gains):
        from_table = np.zeros(len(relevance))
        for grade, value in gain.table:  # a handful of grades, however many documents
            if grade > 0:
                from_table[relevance == grade] = value
        return from_table
    positive = np.maximum(relevance, 0.0)
    largest = float(positive.max(initial=0.0))
    if gain == "linear":
        if largest > LARGEST_GAIN:
            raise MeasureError(
                f"The grade {largest:g} is too large to be added up; the largest is {LARGEST_GAIN:g}. "
                "Use smaller grades, or a table of gains."
            )
        return positive
    if largest > LARGEST_EXP2_GRADE:
        raise MeasureError(
            f"The grade {largest:g} is too large for the gain 2^grade - 1; the largest is {LARGEST_EXP2_GRADE}. "
            "Use the gain linear, or a table of gains."
        )
    return np.exp2(positive) - 1.0


def inverse_discount(rank: Ints, shift: int) -> Floats:
    """Return what a gain is divided by at each rank, same shape, >= 1: log2(rank + shift)."""
    return np.log2(np.maximum(rank + shift, 2))
