"""Columns as ids and numbers: what parses, what is blank, and which cells are neither."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, as_numpy, codes, from_numpy, from_strings, one_chunk
from rankdash.reading.source.problems import Rows
from rankdash.reading.values.column_collector import bits, nulls
from rankdash.reading.values.numerals import all_plain, parsed
from rankdash.reading.words.blanks import BLANKS
from rankdash.strings.formulas import taken_back

_NONE = np.zeros(0, np.int64)
#: Bytes at either end of a text that may belong to white space: the ASCII ones, and all of other characters.
_MAYBE_BLANK = np.zeros(256, bool)
_MAYBE_BLANK[[*range(9, 14), *range(28, 33), *range(128, 256)]] = True
_ROWS = 1 << 20
#: Up to here every whole number is a float64 of its own.
_EXACT = 2**53
#: Invisible characters that are removed at either end of an id.
_ARMOUR, _EQUALS = r'^="([^"]*)"$', ord("=")
_INVISIBLE = "\u200b\u2060\ufeff"


@dataclass(frozen=True)
class Ids:
    """Ids as text without nulls: ``array`` is string, large_string, or dictionary<int32, string> where the source was
    one.

    ``empty`` are the data rows without an id, ``odd`` those with a number that is not whole. ``trimmed`` is the number
    of ids (distinct ones in a dictionary) with white space around them, ``typed`` the original type if it was not text,
    ``armoured`` the number written as ="…", which keeps Excel from converting them, ``disarmed`` the number with an
    apostrophe in front, which keeps spreadsheets from running them.
    """

    array: pa.Array
    empty: Rows
    trimmed: int = 0
    typed: str = ""
    armoured: int = 0
    disarmed: int = 0
    odd: Rows = field(default_factory=lambda: _NONE)


@dataclass(frozen=True)
class Numbers:
    """``values`` (rows,) float64, NaN where there is no finite number; ``blank`` and ``bad`` data rows say why.

    Whole int32 columns stay int32. ``notes`` say what was no plain number.
    """

    values: npt.NDArray[np.float64] | npt.NDArray[np.int32]
    blank: Rows
    bad: Rows
    notes: tuple[str, ...] = ()

    @property
    def missing(self) -> Rows:
        """Data rows without a finite number, in order."""
        return np.sort(np.concatenate((self.blank, self.bad)))


def ids(array: pa.Array, *, harmless: bool = False) -> Ids:
    """Return the column as ids; ``harmless``: of a text for spreadsheets, where an apostrophe may stand before a
    formula.

    ArrowInvalid when bytes are no text, ArrowNotImplementedError for lists and the like.
    """
    if pa.types.is_dictionary(array.type):
        return _encoded_ids(array, harmless)
    _check_type(array.type)
    text, typed = as_text(array)
    return replace(_bare(filled(text), harmless), typed=typed, odd=_odd(array))


def _check_type(kind: pa.DataType) -> None:
    """Raise ArrowNotImplementedError for a type of which nothing is an id: true and false, times."""
    if pa.types.is_boolean(kind) or pa.types.is_temporal(kind):
        raise pa.ArrowNotImplementedError(f"{kind} is no id")


def _odd(array: pa.Array) -> Rows:
    """Return the data rows whose number is not whole."""
    if not pa.types.is_floating(array.type) and not (pa.types.is_decimal(array.type) and array.type.scale):
        return _NONE
    values = as_numpy(pc.fill_null(array.cast(pa.float64()), 0.0))
    return np.flatnonzero(~(np.floor(values) == values) | (np.abs(values) >= _EXACT))


def _bare(text: pa.Array, harmless: bool) -> Ids:
    """Return texts as ids, without what stands around them."""
    view = Text.of(text)
    text, trimmed = _trimmed(text, view)
    view = Text.of(text) if trimmed else view
    text, armoured = _without_armour(text, view)
    view = Text.of(text) if armoured else view
    disarmed = 0
    if harmless:
        text, disarmed = taken_back(text)
        view = Text.of(text)
    empty = np.flatnonzero(view.offsets[1:] == view.offsets[:-1])
    return Ids(text, empty, trimmed, "", armoured, disarmed)


def empty_cells(text: pa.Array) -> Rows:
    """Return the data rows whose text is empty."""
    offsets = Text.of(text).offsets
    return np.flatnonzero(offsets[1:] == offsets[:-1])


def _encoded_ids(array: pa.DictionaryArray, harmless: bool) -> Ids:
    """Return ids of a dictionary in the order of appearance, spelled out only where one stands in it twice."""
    _check_type(array.dictionary.type)
    values, typed = as_text(array.dictionary)
    if array.null_count or values.null_count or typed:
        plain = ids(array.cast(values.type) if not typed else as_text(array.dictionary_decode())[0], harmless=harmless)
        odd = _odd(decoded(array)) if typed else _NONE
        return replace(plain, typed=typed, odd=odd)
    bare = _bare(values, harmless)
    key = codes(array)
    begins = np.append(True, key[1:] != key[:-1])[: len(key)]  # rows of a query mostly stand together
    seen = as_numpy(pc.unique(from_numpy(key[begins])))  # in order of appearance
    empty, names = bare.empty, bare.array.cast(pa.string())
    if len(pc.unique(names)) < len(names):
        array = encoded(pa.DictionaryArray.from_arrays(from_numpy(key), names).dictionary_decode())
        empty, key = empty_cells(array.dictionary), codes(array)
    else:
        if not np.array_equal(seen, np.arange(len(names))):
            places = np.full(len(names), -1, key.dtype)
            places[seen] = np.arange(len(seen), dtype=key.dtype)
            key, names = places[key], names.take(from_numpy(seen))
            empty = empty_cells(names)
        array = pa.DictionaryArray.from_arrays(from_numpy(key), names)
    return replace(bare, array=array, empty=np.flatnonzero(key == empty[0]) if len(empty) else _NONE)


def encoded(array: pa.Array) -> pa.DictionaryArray:
    """Return the ids as dictionary<int32, string>, each value used and there once."""
    if pa.types.is_dictionary(array.type):
        return array
    made = array.dictionary_encode()
    return pa.DictionaryArray.from_arrays(made.indices, made.dictionary.cast(pa.string()))


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is string or large_string."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def as_text(array: pa.Array) -> tuple[pa.Array, str]:
    """Return the column as string or large_string with its nulls, and the name of its type if that was another."""
    kind = array.type
    if is_text(kind):
        return array, ""
    if pa.types.is_dictionary(kind):
        return as_text(decoded(array))
    if pa.types.is_string_view(kind):  # views may share their bytes, so that only the text says how long it is
        array = array.cast(pa.large_string())
    if pa.types.is_string_view(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return array.cast(pa.large_string() if array.nbytes > 2**31 - 2**20 else pa.string()), ""
    if (pa.types.is_floating(kind) or (pa.types.is_decimal(kind) and kind.scale)) and _whole(array):
        return array.cast(pa.int64()).cast(pa.string()), "whole numbers"
    return array.cast(pa.string()), "numbers" if pa.types.is_primitive(kind) else str(kind)


def decoded(array: pa.DictionaryArray) -> pa.Array:
    """Return the value of each row; text that stands in views as plain text, for Arrow takes nothing from views."""
    values = array.dictionary
    return (values.cast(pa.large_string()) if pa.types.is_string_view(values.type) else values).take(array.indices)


def _whole(array: pa.Array) -> bool:
    values = as_numpy(array.drop_null().cast(pa.float64()))
    return bool(np.all(np.isfinite(values) & (np.floor(values) == values) & (np.abs(values) < _EXACT)))


def numbers(array: pa.Array, *, counting: bool = False) -> Numbers:
    """Return the column as numbers, ``counting`` ones as ranks are. ArrowNotImplementedError for lists and the like."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        return numbers(decoded(array), counting=counting)
    if is_text(kind) or pa.types.is_string_view(kind):
        return _parsed(filled(array.cast(pa.large_string())), counting)
    if kind == pa.int32() and not array.null_count:
        return Numbers(as_numpy(array), _NONE, _NONE)
    if pa.types.is_boolean(kind):
        array = array.cast(pa.int8())
    array = array.cast(pa.float64(), safe=False)
    blank = nulls(array)
    if array.null_count:
        buffer = array.buffers()[1]
        values = np.frombuffer(buffer, np.float64, len(array), array.offset * 8).copy()
        values[blank] = np.nan
    else:
        values = as_numpy(array).astype(np.float64, copy=False)
    return _numbers(values, np.isnan(values))


def _numbers(values: npt.NDArray[np.float64], blank: npt.NDArray[np.bool_]) -> Numbers:
    bad = ~np.isfinite(values) & ~blank
    if bad.any():
        values = np.where(bad, np.nan, values)
    return Numbers(values, np.flatnonzero(blank), np.flatnonzero(bad))


def _parsed(text: pa.Array, counting: bool) -> Numbers:
    """Return the numbers of a text column without nulls."""
    plain = all_plain(text)
    if plain is not None:
        return _numbers(plain, np.zeros(len(plain), bool))
    text = pc.utf8_trim_whitespace(text)
    blank = bits(pc.is_in(text, value_set=from_strings(list(BLANKS)).cast(text.type)))
    numbers_read = parsed(text, blank, counting=counting)
    values = np.where(np.isnan(numbers_read.values) & ~blank, np.inf, numbers_read.values)
    return replace(_numbers(values, blank), notes=numbers_read.notes)


def filled(text: pa.Array) -> pa.Array:
    """Return the text with empty text in the place of nulls."""
    if not text.null_count:
        return text
    parts = [from_strings([""]).cast(text.type), text]
    joined = pa.concat_arrays(parts)
    place = np.where(nulls(text), 0, np.arange(1, len(joined)))
    return joined.take(from_numpy(place))


def _trimmed(text: pa.Array, view: Text) -> tuple[pa.Array, int]:
    """Return the text without white space around it, and how many cells had some."""
    if not _has_blanks(view) or not any(_edges(view, start).any() for start in range(0, len(view), _ROWS)):
        return text, 0
    trimmed = one_chunk(pc.utf8_trim_whitespace(pc.utf8_trim(pc.utf8_trim_whitespace(text), _INVISIBLE)))
    changed = int(np.count_nonzero(np.diff(Text.of(trimmed).offsets) != np.diff(view.offsets)))
    return (trimmed, changed) if changed else (text, 0)


def _without_armour(text: pa.Array, view: Text) -> tuple[pa.Array, int]:
    """Return the text without ="…" around whole cells, and how many had it."""
    used = view.data[view.offsets[0] : view.offsets[-1]]
    if not np.count_nonzero(used == _EQUALS):  # no sign at all: quicker than a look at the first of every text
        return text, 0
    if not bool((view.data[view.offsets[:-1][view.offsets[:-1] < view.offsets[1:]]] == _EQUALS).any()):
        return text, 0
    armoured = bits(pc.match_substring_regex(text, _ARMOUR))
    bare = pc.replace_substring_regex(text, _ARMOUR, r"\1")
    return (one_chunk(bare), int(armoured.sum())) if armoured.any() else (text, 0)


def _has_blanks(view: Text) -> bool:
    """Return whether any byte at all may belong to white space; quicker than a look at both ends of every text."""
    first, end = int(view.offsets[0]), int(view.offsets[-1])
    blocks = (view.data[at : min(at + _ROWS, end)] for at in range(first, end, _ROWS))
    return any(bool(block.min() <= 32 or block.max() >= 128) for block in blocks)


def _edges(view: Text, start: int) -> npt.NDArray[np.bool_]:
    """Return which texts of one block of rows may begin or end with white space, (rows,) bool."""
    offsets = view.offsets[start : start + _ROWS + 1]
    begin, end = offsets[:-1], offsets[1:]
    filled = begin < end
    first, last = np.where(filled, begin, 0), np.where(filled, end - 1, 0)
    edges: npt.NDArray[np.bool_] = filled & (_MAYBE_BLANK[view.data[first]] | _MAYBE_BLANK[view.data[last]])
    return edges
