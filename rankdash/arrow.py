"""Arrow columns as numpy arrays and back, without importing pandas.

Many ordinary pyarrow calls import pandas when it is installed, which costs more than reading a small comparison.
Everything in rankdash that needs the numbers of an Arrow column comes through here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import eq
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.records import compared, frozen

_DTYPES: dict[pa.DataType, type] = {
    pa.int32(): np.int32,
    pa.int64(): np.int64,
    pa.float32(): np.float32,
    pa.float64(): np.float64,
}
_TYPES = {np.dtype(dtype): arrow for arrow, dtype in _DTYPES.items()}


def one_chunk(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Return the column as a single array, with 64-bit offsets where its text would not fit into 32-bit ones."""
    if isinstance(column, pa.Array):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_dictionary(column.type):
        # All values together may need wider codes than each chunk has.
        column = column.cast(pa.dictionary(pa.int32(), column.type.value_type)).unify_dictionaries()
    elif pa.types.is_string(column.type) and column.nbytes > 2**31 - 2**20:
        column = column.cast(pa.large_string())
    if column.num_chunks == 0:
        return pa.nulls(0, column.type)
    return pa.concat_arrays(column.chunks)


def distinct(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the distinct numbers among some, ascending; fast where equal ones are mostly beside each other.

    They are counted too, for without counts numpy first loads numpy.ma, which costs a small comparison milliseconds.
    """
    changes = np.append(values[:1], values[1:][values[1:] != values[:-1]])
    return np.unique(changes, return_counts=True)[0]


def brief(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return numbers from 0 on, in two bytes each where these hold them: a stable sort takes a fifth of the time."""
    return numbers.astype(np.uint16) if int(numbers.max(initial=0)) < 1 << 16 else numbers


def as_numpy(array: pa.Array) -> npt.NDArray[Any]:
    """Return a read-only view, without a copy, of an array of numbers without nulls.

    ValueError where there are nulls.
    """
    if array.null_count:
        raise ValueError(f"{array.null_count} nulls in a column of {array.type}")
    dtype = np.dtype(_DTYPES[array.type])
    if len(array) == 0:
        return np.empty(0, dtype)
    return np.frombuffer(array.buffers()[1], dtype, count=len(array), offset=array.offset * dtype.itemsize)


def from_numpy(values: npt.NDArray[Any]) -> pa.Array:
    """Return an Arrow array over the memory of a one-dimensional array of int32, int64, float32 or float64."""
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(_TYPES[values.dtype], len(values), [None, pa.py_buffer(values)])


#: Times of the tables: milliseconds since 1970.
UTC_TIMES = pa.timestamp("ms", "UTC")


def times(milliseconds: npt.NDArray[np.float64]) -> pa.Array:
    """Return milliseconds since 1970 as an Arrow array of times in UTC, null where they are NaN or infinite."""
    there = np.isfinite(milliseconds)
    whole = np.where(there, milliseconds, 0).astype(np.int64)
    return pa.Array.from_buffers(
        UTC_TIMES, len(whole), [pa.py_buffer(np.packbits(there, bitorder="little")), pa.py_buffer(whole)]
    )


def bare(column: pa.Array) -> pa.Array:
    """Return the numbers of a column of times, or of lists of a fixed size; any other column as it is."""
    if pa.types.is_timestamp(column.type):
        return column.cast(pa.int64())
    return column.flatten() if pa.types.is_fixed_size_list(column.type) else column


_NOWHERE = from_numpy(np.array([-1], np.int32))[0]  # pa.scalar would import pandas


def bits(array: pa.BooleanArray) -> npt.NDArray[np.bool_]:
    """Return a boolean array as numpy, (rows,) bool, False where it is null."""
    array = pc.fill_null(array, False) if array.null_count else array
    if not len(array):
        return np.zeros(0, bool)
    packed = np.frombuffer(array.buffers()[1], np.uint8)
    flags = np.unpackbits(packed, bitorder="little", count=array.offset + len(array))
    return flags[array.offset :].view(np.bool_)


def from_strings(values: list[str]) -> pa.Array:
    """Return an Arrow string array of Python strings."""
    joined = "".join(values)
    encoded = values if joined.isascii() else [value.encode() for value in values]
    offsets = np.zeros(len(values) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(values)), out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(joined.encode())]
    return pa.Array.from_buffers(pa.large_string(), len(values), buffers).cast(pa.string())


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is string or large_string."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def decoded(array: pa.Array) -> pa.Array:
    """Return the value of each row, also of a dictionary."""
    if not pa.types.is_dictionary(array.type):
        return array
    values = array.dictionary
    return (values.cast(pa.large_string()) if pa.types.is_string_view(values.type) else values).take(array.indices)


def encoded(array: pa.Array) -> pa.DictionaryArray:
    """Return the texts as dictionary<int32, string>, each value used and there once."""
    if pa.types.is_dictionary(array.type):
        return array
    made = array.dictionary_encode()
    return pa.DictionaryArray.from_arrays(made.indices, made.dictionary.cast(pa.string()))


def filled(text: pa.Array) -> pa.Array:
    """Return the text with empty text in the place of nulls."""
    return one_chunk(pc.coalesce(text, from_strings([""]).cast(text.type)[0])) if text.null_count else text


def reworded(table: pa.Table, name: str, words: Mapping[str, str]) -> pa.Table:
    """Return the table with some words of a column of strings replaced by others."""
    values = [words.get(value, value) for value in table.column(name).to_pylist()]
    return table.set_column(table.column_names.index(name), name, from_strings(values))


def codes(ids: pa.DictionaryArray) -> npt.NDArray[np.int32]:
    """Return the integer codes of a dictionary-encoded column without nulls, (rows,) int32."""
    indices = ids.indices
    if indices.type != pa.int32():
        indices = indices.cast(pa.int32())
    view: npt.NDArray[np.int32] = as_numpy(indices).astype(np.int32, copy=False)
    return view


def positions(values: pa.Array, among: pa.Array) -> npt.NDArray[np.int64]:
    """Return where each string stands among others, (values,) int64; -1 where it does not."""
    indices = pc.index_in(values.cast(among.type), value_set=among)
    return as_numpy(pc.coalesce(indices, _NOWHERE) if indices.null_count else indices).astype(np.int64)


def places(values: pa.Array, among: pa.Array) -> npt.NDArray[np.int64]:
    """Return where some strings stand among many others, ascending, (places,), without a dictionary of the many."""
    return np.flatnonzero(bits(pc.is_in(among, value_set=values.cast(among.type))))


@dataclass(frozen=True, eq=False)
class Numbered:
    """A column of strings as numbers: ``values`` are its distinct strings, ascending; ``of``, (rows,) int64, is the
    number of each row's string.
    """

    values: Sequence[str]
    of: npt.NDArray[np.int64]


def numbered(column: pa.ChunkedArray) -> Numbered:
    """Return a column of strings without nulls as numbers.

    Only distinct strings become Python strings, some at a time: a list of a million would hold up every other thread.
    """
    array = one_chunk(column)
    ids = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    there, of = np.unique(codes(ids), return_inverse=True)
    values = ids.dictionary.take(from_numpy(there.astype(np.int64)))
    order = as_numpy(pc.array_sort_indices(values).cast(pa.int64()))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return Numbered([*Strings(values.take(from_numpy(order)))], place[of])


def position(values: pa.Array, value: str) -> int | None:
    """Return where a string stands in a string array; None where it does not."""
    at = int(positions(from_strings([value]), values)[0])
    return None if at < 0 else at


def rows_of(ids: pa.Array, value: str) -> npt.NDArray[np.int64]:
    """Return the rows of a dictionary-encoded column that hold a string, in their order, (rows,)."""
    code = position(ids.dictionary, value)
    return np.flatnonzero(codes(ids) == (-1 if code is None else code)).astype(np.int64)


def rows_of_each(ids: pa.Array, values: Iterable[str]) -> dict[str, npt.NDArray[np.int64]]:
    """Return ``rows_of`` for each of many strings, by string, in a single pass over the column."""
    names = list(dict.fromkeys(values))
    number = np.full(len(ids.dictionary) + 1, -1)  # the last is for strings that are not there
    number[positions(from_strings(names), ids.dictionary)] = np.arange(len(names))
    of_row = number[:-1][codes(ids)]
    rows = np.flatnonzero(of_row >= 0)
    rows = rows[np.argsort(of_row[rows], kind="stable")]
    ends = np.searchsorted(of_row[rows], np.arange(len(names) + 1))
    return {name: rows[start:end] for name, start, end in zip(names, ends[:-1], ends[1:], strict=True)}


#: Masks that keep the first 0 .. 8 bytes of a big-endian word.
_FIRST_BYTES = np.array([0, *((2**64 - 1) >> (64 - 8 * n) << (64 - 8 * n) for n in range(1, 9))], np.uint64)


@frozen
class Text:
    """The bytes of a string column: row i is ``data[offsets[i]:offsets[i + 1]]``, in UTF-8.

    ``offsets`` (rows + 1,) int32 or int64; ``data`` (bytes,) uint8, at least eight bytes long.
    """

    offsets: npt.NDArray[np.int32] | npt.NDArray[np.int64]
    data: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, column: pa.ChunkedArray | pa.Array) -> Text:
        """Return the bytes of a string or large_string column without nulls, without a copy."""
        array = one_chunk(column)
        if array.null_count:
            raise ValueError(f"{array.null_count} nulls in a column of ids")
        offset_type = np.dtype(np.int64 if pa.types.is_large_string(array.type) else np.int32)
        _, offsets, data = array.buffers()
        if len(array) == 0 or data is None or data.size < 8:
            padded = np.zeros(16, np.uint8)
            if data is not None and data.size:
                padded[: data.size] = np.frombuffer(data, np.uint8)
        else:
            padded = np.frombuffer(data, np.uint8)
        if len(array) == 0:
            return cls(np.zeros(1, np.int32), padded)
        view = np.frombuffer(offsets, offset_type, count=len(array) + 1, offset=array.offset * offset_type.itemsize)
        return cls(view, padded)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def at(self, rows: slice | npt.NDArray[np.int64]) -> Rows:
        """Return some rows: consecutive rows, or any rows by their numbers, (rows,)."""
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self))
            edges = self.offsets[start : stop + 1].astype(np.int64)
            return Rows(self.data, edges[:-1], np.diff(edges))
        starts = self.offsets[rows].astype(np.int64)
        return Rows(self.data, starts, self.offsets[rows + 1] - starts)


@frozen
class Rows:
    """The bytes of some rows of a string column: ``starts`` and ``lengths`` (rows,) int64 in ``data``."""

    data: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]

    def word(self, i: int, among: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.uint64]:
        """Return bytes 8i .. 8i+7 of each row as a big-endian number, zero where the row is shorter; (rows,) uint64.

        ``among`` are the places of the rows to return. Comparing words from the first on compares the rows as bytes, as
        trec_eval does.
        """
        starts, lengths = self.starts, self.lengths
        if among is not None:
            starts, lengths = starts[among], lengths[among]
        at = starts + 8 * i
        last = len(self.data) - 8
        windows: npt.NDArray[np.uint64] = np.ndarray((last + 1,), ">u8", self.data, 0, (1,))
        if int(at.max(initial=0)) <= last:
            words: npt.NDArray[np.uint64] = windows[at].astype(np.uint64)
        else:  # a window of eight bytes would pass the end: take the last window, shifted
            words = windows[np.minimum(at, last)].astype(np.uint64)
            near_end = np.flatnonzero(at > last)
            words[near_end] <<= (np.minimum(at[near_end] - last, 7) * 8).astype(np.uint64)
        # A row that ended before this word keeps no byte of it.
        words &= _FIRST_BYTES.take(lengths - 8 * i, mode="clip")
        return words


class Strings(Sequence[str]):
    """Strings in an Arrow array, which become Python strings when they are read. Equal to any sequence of the same.

    ``array`` is an Arrow array of strings without nulls.
    """

    def __init__(self, array: pa.Array) -> None:
        self.array = array

    @classmethod
    def of(cls, values: Sequence[str]) -> Strings:
        """Return the strings of any sequence."""
        return values if isinstance(values, Strings) else cls(from_strings(list(values)))

    def take(self, places: npt.NDArray[np.int64]) -> Strings:
        """Return the strings at some places, in their order."""
        return Strings(self.array.take(from_numpy(places.astype(np.int64))))

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, place: Any) -> Any:
        item = self.array[place]
        return tuple(item.to_pylist()) if isinstance(place, slice) else item.as_py()

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self.array), _AT_A_TIME):
            yield from self.array.slice(start, _AT_A_TIME).to_pylist()

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and self._place(value) is not None

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """Return where a string stands first. ValueError where it does not."""
        place = self._place(value)
        if place is None or (start, stop) != (0, None):
            return tuple(self).index(value, start, len(self) if stop is None else stop)
        return place

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Strings):
            return bool(self.array.cast(pa.large_string()).equals(other.array.cast(pa.large_string())))
        return isinstance(other, Sequence) and len(other) == len(self) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Strings({len(self):,})"

    def _place(self, value: str) -> int | None:
        """Return where a string stands first; None where it does not."""
        at = pc.index(self.array, from_strings([value]).cast(self.array.type)[0]).as_py() if _is_text(value) else -1
        return None if at < 0 else int(at)


#: How many strings are made at a time where all are read.
_AT_A_TIME = 100_000


def _is_text(value: str) -> bool:
    """Return whether a string can stand in a table: an address may hold half of a letter, which cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


class ByContent:
    """A frozen record that equals another one with the same content: arrays and tables too, NaN beside NaN.

    Comparing tuples of values would fail, because an array has no truth value.
    """

    def _content(self) -> tuple[Any, ...]:
        """Return what makes the record: its fields that are compared."""
        return compared(self)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _same(self._content(), other._content())

    def __hash__(self) -> int:
        return _hash(compared(self))


def _same(one: Any, other: Any) -> bool:
    """Return whether two values have the same content."""
    if one is other:
        return True
    if isinstance(one, pa.Table):
        return isinstance(other, pa.Table) and same_tables(one, other)
    if isinstance(one, (pa.Array, pa.ChunkedArray)):
        return type(one) is type(other) and _same_numbers(one, other)
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if type(one) is not type(other):
        return bool(one == other)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if dataclasses.is_dataclass(one) and not isinstance(one, ByContent):
        return _same(compared(one), compared(other))
    return bool(one == other or (one != one and other != other))  # NaN beside NaN


def same_tables(one: pa.Table, other: pa.Table) -> bool:
    """Return whether two tables have the same columns under the same names, NaN beside NaN."""
    return one.column_names == other.column_names and all(map(_same_numbers, one.columns, other.columns))


def _same_numbers(one: pa.Array | pa.ChunkedArray, other: pa.Array | pa.ChunkedArray) -> bool:
    if one.equals(other):
        return True
    if one.type == other.type and pa.types.is_fixed_size_list(one.type):
        return _same_numbers(bare(one_chunk(one)), bare(one_chunk(other)))
    if one.type != other.type or len(one) != len(other) or not pa.types.is_floating(one.type):
        return False
    alike = pc.or_(pc.equal(one, other), pc.and_(pc.is_nan(one), pc.is_nan(other)))  # null beside null is null
    return bool(pc.all(alike).as_py()) and bool(one.is_null().equals(other.is_null()))


def _hash(value: Any) -> int:
    """Return a hash that equal contents share; of what is large its size alone."""
    if isinstance(value, (tuple, list)):
        return hash(tuple(map(_hash, value)))
    if isinstance(value, (np.ndarray, pa.Table, pa.Array, pa.ChunkedArray, Mapping)):
        return len(value)
    if dataclasses.is_dataclass(value):
        return _hash(compared(value))
    return hash(value) if value == value and isinstance(value, Hashable) else 0  # NaN is not NaN


# --- formulas of spreadsheets ---
#
# Protection against texts that a spreadsheet would run as a formula, and its removal where such a table is read.
#
# An apostrophe is put in front of a text that begins like a formula, or like apostrophes and a formula, so that the
# change can be undone. Marks that turn the direction of writing, and make a cell look like another, are spelled out, as
# ``\u202e``. A table with such a text has a column that says so, and only such a table is changed back: in other files
# an apostrophe is part of the text.


#: The column of a written table that marks the rows in which an apostrophe was put in front of a text.
DISARMED = "disarmed"
_BEGINS = r"[=+\-@\t\r＝＋－＠]"
_TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SPELLED = {sign: f"\\u{ord(sign):04x}" for sign in _TURNS}
_BACKSLASH = "\\u005c"
#: Text that looks like a sign that was spelled out; its backslash is spelled out.
_LOOKS_SPELLED = rf"\\({'|'.join(text[1:] for text in (*_SPELLED.values(), _BACKSLASH))})"
_TURNED = f"[{_TURNS}]|{_LOOKS_SPELLED}"
_DANGEROUS = f"^'*{_BEGINS}|{_TURNED}"


def disarmed(text: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return a text column in which no text begins like a formula of a spreadsheet, or turns the writing."""
    if _any(pc.match_substring_regex(text, _TURNED)):
        text = pc.replace_substring_regex(text, pattern=_LOOKS_SPELLED, replacement=rf"\{_BACKSLASH}\1")
        for sign, spelled in _SPELLED.items():
            text = pc.replace_substring(text, pattern=sign, replacement=spelled)
    return pc.replace_substring_regex(text, pattern=f"^('*{_BEGINS})", replacement="'\\1")


def taken_back(text: pa.Array) -> pa.Array:
    """Return a column as it was before ``disarmed``."""
    text = pc.replace_substring_regex(text, pattern=f"^'('*{_BEGINS})", replacement="\\1")
    if _any(pc.match_substring_regex(text, _LOOKS_SPELLED)):
        for sign, spelled in {**_SPELLED, "\\": _BACKSLASH}.items():
            text = pc.replace_substring(text, pattern=spelled, replacement=sign)
    return text


def for_spreadsheets(table: pa.Table) -> pa.Table:
    """Return the table with its texts and headings disarmed, and with the column ``DISARMED`` where any had to be."""
    names = disarmed(from_strings(table.column_names)).to_pylist()
    texts = [column for column in table.columns if is_text(column.type)]
    if names == table.column_names and not any(_any(pc.match_substring_regex(text, _DANGEROUS)) for text in texts):
        return table
    rows = [False] * len(table)
    for text in texts:
        like = pc.fill_null(pc.match_substring_regex(text, _DANGEROUS), False).to_pylist()
        rows = [before or now for before, now in zip(rows, like, strict=True)]
    said = from_strings(["yes" if row else "" for row in rows])
    columns = [disarmed(column) if is_text(column.type) else column for column in table.columns]
    return pa.Table.from_arrays([*columns, said], names=[*names, DISARMED])


def _any(matched: pa.ChunkedArray) -> bool:
    return bool(pc.any(matched).as_py())
