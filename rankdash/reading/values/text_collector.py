"""Columns of text that are gathered row by row: kept as Python strings only for a while, then as Arrow arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import numpy as np
import pyarrow as pa

from rankdash.arrow import from_strings, one_chunk
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.problems import Rows, refuse, too_many
from rankdash.strings.quoting import whole_text

_WAITING = 1 << 15


class Gathered:
    """Rows in the making. A column that a row lacks is empty there.

    ReadError beyond the limits.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self._name, self._limits = name, limits
        self._waiting: list[Mapping[str, str]] = []
        self._lists: dict[str, list[str]] = {}
        self._origins: list[int] = []
        self._done: dict[str, list[pa.Array]] = {}
        self._numbers: list[Rows] = []
        self._settled = self.repaired = 0

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._settled + len(self._origins)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns in the order in which they came."""
        self._settle()
        return tuple(self._done)

    def add(self, origin: int, cells: Mapping[str, str]) -> None:
        """Add one row, the text of each cell by the name of its column.

        ``origin`` is the number, as people count in the source, of what the row comes from.
        """
        self._waiting.append(cells)
        self._origins.append(origin)
        if len(self._origins) >= _WAITING:
            self._settle()

    def extend(self, origins: Sequence[int], columns: Mapping[str, Sequence[str]]) -> None:
        """Add rows by their columns, all of them equally long."""
        if self._waiting:
            self._settle()
        before = len(self._origins)
        for name in columns:  # in the order of the source: the order of a set differs from process to process
            self._lists.setdefault(name, [""] * before)
        self.check_names(len(self._lists))
        for name in self._lists:
            self._lists[name] += columns[name] if name in columns else [""] * len(origins)
        self._origins += origins
        if len(self._origins) >= _WAITING:
            self._settle()

    def notes(self) -> tuple[str, ...]:
        """Return what was decided about the cells."""
        n = self.repaired
        what = "1 text holds" if n == 1 else f"{n:,} texts hold"
        return (f"{what} half a character; the replacement character stands there.",) if n else ()

    def column(self, name: str) -> pa.Array:
        """Return all cells of one column."""
        self._settle()
        return one_chunk(pa.chunked_array(self._done.pop(name)))

    def numbers(self) -> Callable[[Rows], Rows]:
        """Return a function from data rows to where they come from."""
        self._settle()
        origins = np.concatenate([np.zeros(0, np.int64), *self._numbers])
        return lambda rows: origins[rows]

    def _settle(self) -> None:
        """Make arrays of the rows that wait."""
        if not self._origins:
            return
        limits, rows = self._limits, self._waiting
        if self.rows > limits.rows:
            raise refuse(
                "too_large",
                self._name,
                f"there are more than {limits.rows:,} rows",
                f"At most {limits.rows:,} are read.",
            )
        filled = dict.fromkeys(chain.from_iterable(rows)) if rows else self._lists
        names = dict.fromkeys(chain(self._done, filled))
        self.check_names(len(names))
        for name in names:
            if name not in self._done:
                self._done[name] = [_empty(self._settled)] if self._settled else []
            cells = [row.get(name, "") for row in rows] if rows else self._lists.get(name)
            self._done[name].append(self._array(cells) if cells else _empty(len(self._origins)))
        self._numbers.append(np.array(self._origins, np.int64))
        self._settled += len(self._origins)
        self._waiting, self._lists, self._origins = [], {}, []

    def check_names(self, count: int) -> None:
        """Raise ReadError where there are more names than columns may be."""
        if count > self._limits.columns:
            raise too_many(self._name, count, "different names", self._limits.columns)

    def _array(self, cells: list[str]) -> pa.Array:
        try:
            return from_strings(cells)
        except UnicodeEncodeError:
            whole = [whole_text(cell) for cell in cells]
            self.repaired += sum(cell != other for cell, other in zip(cells, whole, strict=True))
            return from_strings(whole)


def _empty(rows: int) -> pa.Array:
    """Return that many empty cells."""
    return pa.Array.from_buffers(pa.string(), rows, [None, pa.py_buffer(bytes(4 * rows + 4)), pa.py_buffer(b"")])
