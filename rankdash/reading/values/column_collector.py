"""Columns that are collected batch by batch, each into memory that is taken once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import from_numpy, one_chunk

#: Ids that repeat (dictionary), text, numbers.
CellKind = Literal["code", "text", "float", "int"]

Lengths = npt.NDArray[np.integer]
_LARGEST_INT32 = 2**31 - 1


class UnfitError(ValueError):
    """The cells do not fit the kinds of their columns; a slower reading may explain it."""


class _Codes:
    """Dictionary-encoded ids. Their codes are small, so they are joined at the end.

    As each column in the making it takes batches, tells the bytes of each of their cells, (rows,), or None of numbers,
    and returns all of them as one array.
    """

    def __init__(self, expected: int) -> None:
        self._chunks: list[pa.Array] = []

    def append(self, values: pa.Array) -> Lengths | None:
        self._chunks.append(values)
        return np.diff(_offsets(values.dictionary))

    def finish(self) -> pa.Array:
        return one_chunk(pa.chunked_array(self._chunks))


class _Text:
    """Strings as a buffer of offsets and a buffer of bytes. Memory that is allocated and not used costs nothing."""

    def __init__(self, expected: int) -> None:
        self._offsets: npt.NDArray[np.integer] = np.zeros(1, np.int32)
        self._data = np.empty(0, np.uint8)
        self._expected, self._rows, self._size = expected, 0, 0

    def append(self, values: pa.Array) -> Lengths | None:
        offsets = _offsets(values)
        rows, size = len(values), int(offsets[-1] - offsets[0])
        if self._size + size > _LARGEST_INT32 and self._offsets.dtype == np.int32:
            self._offsets = self._offsets.astype(np.int64)
        expected = self._expected if self._rows else max(self._expected, rows)
        self._offsets = _room(self._offsets, self._rows + rows + 1, expected + 1)
        self._data = _room(self._data, self._size + size, size * expected // max(self._rows + rows, 1))
        to = self._offsets[self._rows + 1 : self._rows + rows + 1]
        np.add(offsets[1:], np.int64(self._size - int(offsets[0])), out=to, casting="unsafe")
        data = values.buffers()[2]
        if size:
            self._data[self._size : self._size + size] = np.frombuffer(data, np.uint8, size, int(offsets[0]))
        self._rows += rows
        self._size += size
        return np.diff(offsets)

    def finish(self) -> pa.Array:
        offsets = np.ascontiguousarray(self._offsets[: self._rows + 1])
        kind = pa.string() if offsets.dtype == np.int32 else pa.large_string()
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(self._data[: self._size])]
        return pa.Array.from_buffers(kind, self._rows, buffers)


class _Numbers:
    """Numbers; a blank is NaN, and unfit where the type has none."""

    def __init__(self, expected: int, dtype: type[np.float64] | type[np.int32]) -> None:
        self._values: npt.NDArray[Any] = np.empty(0, dtype)
        self._expected, self._rows = expected, 0

    def append(self, values: pa.Array) -> Lengths | None:
        rows, dtype = len(values), self._values.dtype
        if not rows:
            return None
        self._values = _room(self._values, self._rows + rows, max(self._expected, rows))
        to = self._values[self._rows : self._rows + rows]
        to[:] = np.frombuffer(values.buffers()[1], dtype, rows, values.offset * dtype.itemsize)
        if values.null_count:
            if dtype == np.int32:
                raise UnfitError("a blank in a column of integers")
            to[nulls(values)] = np.nan
        self._rows += rows
        return None

    def finish(self) -> pa.Array:
        return from_numpy(self._values[: self._rows])


_GROWING: Mapping[CellKind, Callable[[int], _Codes | _Text | _Numbers]] = {
    "code": _Codes,
    "text": _Text,
    "float": lambda expected: _Numbers(expected, np.float64),
    "int": lambda expected: _Numbers(expected, np.int32),
}


class Collector:
    """The columns of a table, by number, collected batch by batch; about as many rows as ``expected``."""

    def __init__(self, kinds: Mapping[int, CellKind], expected: int) -> None:
        self._columns = {i: _GROWING[kind](expected) for i, kind in kinds.items()}

    def append(self, values: Sequence[pa.Array]) -> list[Lengths]:
        """Add a batch of each column. Of the columns of text the bytes of each of its cells, (rows,)."""
        added = [column.append(batch) for column, batch in zip(self._columns.values(), values, strict=True)]
        return [lengths for lengths in added if lengths is not None]

    def finish(self) -> dict[int, pa.Array]:
        """Return the columns that were collected."""
        return {i: column.finish() for i, column in self._columns.items()}


def nulls(array: pa.Array) -> npt.NDArray[np.bool_]:
    """Return which cells are null, (rows,) bool."""
    if not array.null_count:
        return np.zeros(len(array), bool)
    return bits(array.is_null())


def bits(array: pa.BooleanArray) -> npt.NDArray[np.bool_]:
    """Return a boolean array without nulls as numpy, (rows,) bool."""
    if not len(array):
        return np.zeros(0, bool)
    packed = np.frombuffer(array.buffers()[1], np.uint8)
    flags = np.unpackbits(packed, bitorder="little", count=array.offset + len(array))
    return flags[array.offset :].view(np.bool_)


def _offsets(values: pa.Array) -> npt.NDArray[np.integer]:
    """Return where each string of a string or large_string array begins, and the end; (rows + 1,)."""
    dtype = np.dtype(np.int64 if pa.types.is_large_string(values.type) else np.int32)
    buffer = values.buffers()[1]
    if buffer is None or not buffer.size:
        return np.zeros(1, dtype)
    return np.frombuffer(buffer, dtype, len(values) + 1, values.offset * dtype.itemsize)


_Values = TypeVar("_Values", bound=npt.NDArray[Any])


def _room(values: _Values, needed: int, expected: int) -> _Values:
    """Return the same values with room for ``needed``; at first as much as is expected, then by half more."""
    if needed <= len(values):
        return values
    larger = np.empty(max(needed, expected if len(values) <= 1 else len(values) * 3 // 2), values.dtype)
    larger[: len(values)] = values
    return larger  # type: ignore[return-value]
