"""TREC files with irregular white space, made regular: whole blocks of bytes at a time."""

from __future__ import annotations

import io
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.reading.source.blocks import streamed

#: The bytes between words: space, tab, vertical tab, form feed, carriage return; and the line feed.
BETWEEN = np.zeros(256, bool)
BETWEEN[[9, 10, 11, 12, 13, 32]] = True


def squeezed(block: bytes | pa.Buffer, words: int) -> bytes:
    """Return the first ``words`` words of each line, separated by single tabs, without removing empty lines.

    ``block`` consists of whole lines. Words are separated by any run of ASCII white space, as in trec_eval.
    """
    values = np.frombuffer(block, np.uint8).copy()
    returns = np.flatnonzero(values == 13)
    if len(returns):  # alone they end lines, as in other tables; before a line feed they are white space
        values[returns[values[np.minimum(returns + 1, len(values) - 1)] != 10]] = 10
    inside = ~BETWEEN[values]
    before = np.concatenate(([False], inside[:-1]))
    starts = np.flatnonzero(inside & ~before)
    lines = np.flatnonzero(values == 10)
    line = np.searchsorted(lines, starts)
    number = np.arange(len(starts)) - np.searchsorted(line, line)  # of the word in its line, from 0
    _drop(inside, before, starts, number, words)
    separators = starts[(number > 0) & (number < words)] - 1
    values[separators] = 9
    inside[separators] = True
    inside[lines] = True
    return values[inside].tobytes()


def _drop(
    inside: npt.NDArray[np.bool_],
    before: npt.NDArray[np.bool_],
    starts: npt.NDArray[np.int64],
    number: npt.NDArray[np.int64],
    words: int,
) -> None:
    """Take the words after the first ``words`` of each line out of ``inside``."""
    extra = np.flatnonzero(number >= words)
    if not len(extra):
        return
    ends = np.append(np.flatnonzero(before & ~inside), len(inside))
    steps = np.zeros(len(inside) + 1, np.int8)
    steps[starts[extra]] = 1
    steps[ends[extra]] = -1
    inside &= np.cumsum(steps[:-1], dtype=np.int8) == 0


def squeezed_stream(blocks: Iterable[bytes], words: int) -> io.BufferedReader:
    """Return a stream over the squeezed blocks, each made when it is needed."""
    return streamed(squeezed(block, words) for block in blocks)
