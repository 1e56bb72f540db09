"""The columns of a per-query table that lies elsewhere in several parts, read when they are first asked for."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import one_chunk
from rankdash.scored.header import Header, TableError, listed
from rankdash.scored.scope import Scope
from rankdash.scored.table import METADATA, PerQuery, as_numpy, check_each_once, misfit

Array = npt.NDArray[Any]
#: Parts that are read at a time: a thread per part takes less than Arrow's one per column.
_READERS = min(4, os.cpu_count() or 1)
#: Parts of the table that are asked for once, and not kept.
_READ_ONCE = frozenset({"tie_ends", "next_grade"})
#: Values by which columns are told apart, before they are compared whole.
_FIRST = 256
_DTYPES: Mapping[pa.DataType, Any] = {pa.int64(): np.int64, pa.float64(): np.float64, pa.bool_(): np.bool_}


class PartReader(Protocol):
    """Where the parts lie."""

    def read(self, part: str, names: Sequence[str]) -> pa.Table:
        """Return some columns of a part in this order. TableError where they cannot be read."""

    def broken(self, why: str) -> TableError:
        """Return the error for parts that are not as they were written; ``why`` is the rest of a sentence."""


@dataclass(frozen=True)
class Group:
    """Columns that are read together, for whoever asks for one asks for the others: of a setting, "" for the policy,
    those of a part of the table, or of this half of it.
    """

    setting: str
    part: str
    half: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether somebody may ask for them again."""
        return not self.setting and self.part not in _READ_ONCE


def groups(asked: Scope) -> Mapping[str, Group]:
    """Return the group of each column. Of the ends of ties A's best are weighed against B's worst, and the reverse."""
    found = {
        name: Group(asked.beside[name][0].name if name in asked.beside else "", part)
        for name, part in asked.parts.items()
    }
    for reading, side in (("worst_of_ties", "a"), ("best_of_ties", "b")):
        for name in asked.value_columns(reading, side):  # type: ignore[arg-type]
            if name in found:
                found[name] = Group("", found[name].part, 1)
    return found


def in_parts(schema: pa.Schema, source: PartReader, sizes: Mapping[str, int]) -> PerQuery:
    """Return the table whose parts have this schema, as ``to_arrow`` made it, in order. TableError as for
    ``PerQuery.from_arrow``; what is wrong with the values of a column is said when it is read.
    """
    header = Header.from_json((schema.metadata or {}).get(METADATA))
    types = header.asked.types
    missing = [name for name in ("query_id", *types) if name not in schema.names]
    if missing:
        raise TableError(f"The table of per-query values lacks {listed(missing)}.")
    columns = Parts(source, sizes, None, types, groups(header.asked))
    ids = one_chunk(columns.arrow("query_id", pa.string())).cast(pa.string())
    check_each_once(ids)
    return PerQuery(header.asked, ids, header.outside, columns, header.noticed, header.inputs)


@dataclass(frozen=True)
class _Misfit:
    """In place of a column: what is wrong with it, as the rest of a sentence."""

    why: str


@dataclass(frozen=True)
class Parts:
    """The columns of a table in parts. Columns that are the same to the bit share their memory: half of those of scored
    queries are others again. Those of settings beside the policy are not kept.
    """

    source: PartReader
    sizes: Mapping[str, int]  # the queries of each part, by its name, in order
    order: npt.NDArray[np.int64] | None  # of the queries, where the parts are not in the order of the judgments
    types: Mapping[str, pa.DataType]
    groups: Mapping[str, Group]  # of each column
    _read: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)
    _waiting: dict[str, Array | _Misfit] = field(default_factory=dict, repr=False, compare=False)
    _known: dict[str, weakref.ref[Array]] = field(default_factory=dict, repr=False, compare=False)

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError for one that the table does not have."""
        if name in self._read:
            return self._read[name]
        if name not in self.types:
            raise KeyError(f"{name!r} was left out of these per-query values, or never asked for")
        waiting = self._waiting.pop(name, None)
        column = self._await(name) if waiting is None else waiting  # another thread may have taken it
        if isinstance(column, _Misfit):
            raise self.source.broken(f"{name!r} {column.why}")
        if self.groups[name].is_kept:
            self._read[name] = column
        return column

    @property
    def at_hand(self) -> Collection[str]:
        """All that the table has."""
        return self.types.keys()

    def arrow(self, name: str, kind: pa.DataType) -> pa.ChunkedArray:
        """Return a column as it stands in the parts. TableError where one cannot be read."""
        tables: list[pa.Table] = self._each_part(lambda part: self._part(part, [name]), list(self.sizes))
        self._check_alike([table.schema for table in tables])
        column = pa.concat_tables(tables).column(name)
        if why := misfit(column, kind):
            raise self.source.broken(f"{name!r} {why}")
        return column

    def _await(self, name: str) -> Array | _Misfit:
        """Return a column, read with all that are likely to be asked for next; those wait, and what waits for another
        setting goes.
        """
        group = self.groups[name]
        for other in [one for one in list(self._waiting) if self.groups[one].setting not in ("", group.setting)]:
            self._waiting.pop(other, None)
        together = [one for one, other in self.groups.items() if other == group]
        try:
            columns = self._columns([one for one in together if one == name or one not in self._read])
        except TableError:  # another one may be broken
            columns = self._columns([name])
        found = columns.pop(name)
        self._waiting.update(columns)
        return found

    def _columns(self, names: Sequence[str], *, sharing: bool = True) -> dict[str, Array | _Misfit]:
        """Return some columns.

        What is read of a part is put to its place at once, and the next part takes its memory: columns that are put
        together at the end lie twice in memory that is all new, which costs more than reading. So does a column that is
        another one again: what the first part says of that is asked of every part.
        """
        if not self.sizes:
            raise self.source.broken("it has no parts")
        starts = dict(zip(self.sizes, accumulate(self.sizes.values(), initial=0), strict=False))
        first, *others = self.sizes
        table = self._part(first, names)
        room = _Room(self.types, sum(self.sizes.values()))
        room.make(table, names, self._alive() if sharing else None)
        found = [room.put(table, names, 0)]
        found += self._each_part(lambda part: room.put(self._part(part, names), names, starts[part]), others)
        self._check_alike([one.schema for one in found])
        wrong = {name: why for one in reversed(found) for name, why in one.wrong.items()}
        unlike = {name for one in found for name in one.unlike}
        columns: dict[str, Array | _Misfit] = {**room.finished(self.order)}
        if unlike:
            columns |= self._columns([name for name in names if name in unlike], sharing=False)
        columns |= {name: _Misfit(why) for name, why in wrong.items()}
        for name, values in columns.items():
            if not isinstance(values, _Misfit):
                self._known[name] = weakref.ref(values)
        return columns

    def _alive(self) -> list[Array]:
        """Return the columns that were read and that somebody has. Those in another order than the parts are none."""
        if self.order is not None:
            return []
        several = (known() for known in list(self._known.values()))
        return list({id(one): one for one in several if one is not None}.values())

    def _each_part(self, work: Callable[[str], Any], parts: Sequence[str]) -> list[Any]:
        """Return what some work makes of each part, by its name."""
        if len(parts) < 2:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(_READERS, "rankdash-parts") as readers:
            return list(readers.map(work, parts))

    def _check_alike(self, schemas: Sequence[pa.Schema]) -> None:
        different = next((part for part, one in zip(self.sizes, schemas, strict=True) if one != schemas[0]), None)
        if different is not None:
            raise self.source.broken(f"the columns of {different} are not those of the other parts")

    def _part(self, part: str, names: Sequence[str]) -> pa.Table:
        table = self.source.read(part, names)
        if len(table) != self.sizes[part]:
            raise self.source.broken("its parts have another number of queries than the manifest")
        return table


@dataclass(frozen=True)
class _Put:
    """What was seen when a part was put to its place: its columns, what is wrong with some, and which are no others
    again.
    """

    schema: pa.Schema
    wrong: Mapping[str, str]
    unlike: Collection[str]


class _Room:
    """Memory for columns that are being read: the rows of one array for each type, and none for what seems to be
    another column again.
    """

    def __init__(self, types: Mapping[str, pa.DataType], queries: int) -> None:
        self._types, self._queries = types, queries
        self._blocks: list[Array] = []
        self._whole: dict[str, Array] = {}
        self._again = set[str]()

    def make(self, first: pa.Table, names: Sequence[str], known: Sequence[Array] | None) -> None:
        """Make room for columns by their first part, which begins at row 0; ``known`` are columns that they may be,
        None: each gets memory of its own.
        """
        like: dict[str, str | Array] = {}
        own: dict[str, Array | None] = {}
        for name in names:
            values = None if misfit(first.column(name), self._types[name]) else as_numpy(first.column(name))
            if values is not None and known is not None:
                twins: list[tuple[str | Array, Array | None]] = [*own.items(), *((one, one) for one in known)]
                twin = next((twin for twin, begins in twins if begins is not None and _begins(begins, values)), None)
                if twin is not None:
                    like[name] = twin
                    continue
            own[name] = values
        for kind in dict.fromkeys(self._types[name] for name in own):
            mine = [name for name in own if self._types[name] == kind]
            self._blocks.append(np.empty((len(mine), self._queries), _DTYPES[kind]))
            self._whole |= dict(zip(mine, self._blocks[-1], strict=True))
        self._whole |= {name: self._whole[twin] if isinstance(twin, str) else twin for name, twin in like.items()}
        self._again.update(like)

    def put(self, part: pa.Table, names: Sequence[str], start: int) -> _Put:
        """Put a part to its place, or see whether it is there."""
        wrong, unlike = dict[str, str](), set[str]()
        for name in names:
            column = part.column(name)
            if why := misfit(column, self._types[name]):
                wrong[name] = why
                continue
            values, to = as_numpy(column), self._whole[name][start : start + len(column)]
            if name not in self._again:
                to[:] = values
            elif not _begins(to, values):
                unlike.add(name)
        return _Put(part.schema, wrong, unlike)

    def finished(self, order: npt.NDArray[np.int64] | None) -> Mapping[str, Array]:
        """Return the columns, put in an order, as nobody changes them."""
        for block in self._blocks:
            for row in block if order is not None else ():
                row[:] = row[order]
            block.flags.writeable = False
        for values in self._whole.values():
            values.flags.writeable = False
        return self._whole


def _begins(values: Array, other: Array) -> bool:
    """Whether an array begins with another one, bit for bit."""
    if values.dtype != other.dtype:
        return False
    bits = np.uint8 if values.dtype == np.bool_ else np.int64
    one, two = values[: len(other)].view(bits), other.view(bits)
    return all(np.array_equal(one[part], two[part]) for part in (slice(_FIRST), slice(_FIRST, None)))
