"""The columns of a folder of scored queries, read from its Parquet files when they are first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.comparison import TableError
from rankdash.comparison.per_query.table import as_numpy, misfit

Array = npt.NDArray[Any]
#: Parts that are read at a time: a thread per part takes less than Arrow's one per column.
_READERS = min(4, os.cpu_count() or 1)
#: Parts of the table that are asked for once, and not kept.
_READ_ONCE = frozenset({"tie_ends", "next_grade"})
_DTYPES: Mapping[pa.DataType, Any] = {pa.int64(): np.int64, pa.float64(): np.float64, pa.bool_(): np.bool_}


@dataclass(frozen=True)
class Misfit:
    """In place of a column: what is wrong with it, as the rest of a sentence."""

    why: str


@dataclass(frozen=True)
class Parts:
    """The columns of a folder. One is read with all that belong to it, for whoever asks for one asks for the others;
    those of settings beside the policy are not kept.
    """

    folder: Path
    sizes: Mapping[str, int]  # the queries of each part, by its name, in order
    order: npt.NDArray[np.int64] | None  # of the queries, where the parts are not in the order of the judgments
    types: Mapping[str, pa.DataType]
    groups: Mapping[str, tuple[str, str]]  # of each column: the setting that it is of, "" for the policy, and its part
    _read: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)
    _waiting: dict[str, Array | Misfit] = field(default_factory=dict, repr=False, compare=False)
    _footers: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError for one that the folder does not have."""
        if name in self._read:
            return self._read[name]
        if name not in self.types:
            raise KeyError(f"{name!r} was left out of these per-query values, or never asked for")
        waiting = self._waiting.pop(name, None)
        column = self._await(name) if waiting is None else waiting  # another thread may have taken it
        if isinstance(column, Misfit):
            raise broken(self.folder, f"{name!r} {column.why}")
        values = column if self.order is None else column[self.order]
        setting, part = self.groups[name]
        if not setting and part not in _READ_ONCE:
            self._read[name] = values
        return values

    @property
    def at_hand(self) -> Collection[str]:
        """All that the folder has."""
        return self.types.keys()

    def arrow(self, name: str, kind: pa.DataType) -> pa.ChunkedArray:
        """Return a column as it stands in the parts. TableError where one cannot be read."""
        tables: list[pa.Table] = self._each_part(lambda part: self._part(part, [name]))
        self._check_alike([table.schema for table in tables])
        column = pa.concat_tables(tables).column(name)
        if why := misfit(column, kind):
            raise broken(self.folder, f"{name!r} {why}")
        return column

    def _await(self, name: str) -> Array | Misfit:
        """Return a column, read with all that are likely to be asked for next; those wait, and what waits for another
        setting goes.
        """
        setting, part = self.groups[name]
        for other in [one for one in list(self._waiting) if self.groups[one][0] not in ("", setting)]:
            self._waiting.pop(other, None)
        together = [one for one, group in self.groups.items() if group == (setting, part)]
        try:
            columns = self._columns([one for one in together if one == name or one not in self._read])
        except TableError:  # another one may be broken
            columns = self._columns([name])
        found = columns.pop(name)
        self._waiting.update(columns)
        return found

    def _columns(self, names: Sequence[str]) -> dict[str, Array | Misfit]:
        """Return some columns. What is read of a part is put to its place at once, and the next part takes its memory:
        columns that are put together at the end lie twice in memory that is all new, which costs more than reading.
        """
        queries = sum(self.sizes.values())
        whole: dict[str, Array] = {name: np.empty(queries, _DTYPES[self.types[name]]) for name in names}

        def put(part: str) -> tuple[pa.Schema, dict[str, str]]:
            table = self._part(part, names)
            start, wrong = starts[part], {}
            for name, to in whole.items():
                column = table.column(name)
                if why := misfit(column, self.types[name]):
                    wrong[name] = why
                else:
                    to[start : start + len(column)] = as_numpy(column)
            return table.schema, wrong

        starts = dict(zip(self.sizes, accumulate(self.sizes.values(), initial=0), strict=False))
        found = self._each_part(put)
        self._check_alike([schema for schema, _ in found])
        wrong = {name: why for _, each in reversed(found) for name, why in each.items()}
        for values in whole.values():
            values.flags.writeable = False
        return {name: Misfit(wrong[name]) if name in wrong else values for name, values in whole.items()}

    def _each_part(self, work: Callable[[str], Any]) -> list[Any]:
        """Return what some work makes of each part, by its name."""
        if not self.sizes:
            raise broken(self.folder, "it has no parts")
        with ThreadPoolExecutor(_READERS, "rankdash-parts") as readers:
            return list(readers.map(work, self.sizes))

    def _check_alike(self, schemas: Sequence[pa.Schema]) -> None:
        different = next((part for part, one in zip(self.sizes, schemas, strict=True) if one != schemas[0]), None)
        if different is not None:
            raise broken(self.folder, f"the columns of {different} are not those of the other parts")

    def _part(self, part: str, names: Sequence[str]) -> pa.Table:
        """Return some columns of a part. What its file says of all columns is read once."""
        import pyarrow.parquet as pq  # loading it costs more than a small comparison

        try:
            known = self._footers.get(part)
            with pq.ParquetFile(self.folder / part, metadata=known, page_checksum_verification=True) as file:
                self._footers[part] = file.metadata
                table = file.read(columns=list(names), use_threads=False).select(names)
        except (pa.ArrowException, OSError, KeyError) as error:
            raise broken(self.folder, f"{names[0]!r} of {part} cannot be read ({_first(error)})") from None
        if len(table) != self.sizes[part]:
            raise broken(self.folder, "its parts have another number of queries than the manifest")
        return table


def broken(place: Path, why: str) -> TableError:
    """Return the error for a folder that is not as it was written."""
    return TableError(f"{place}: the scored queries are broken, {why}; score the runs again.")


def _first(error: Exception) -> str:
    """Return the first line of an error, without a full stop."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(".")
