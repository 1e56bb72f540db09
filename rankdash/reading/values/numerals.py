"""Numbers as people write them: full-width digits, true minus signs, decimal commas, thousands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, as_numpy, codes, from_numpy
from rankdash.reading.values.column_collector import bits
from rankdash.strings.normalforms import normalized

_DECIMAL = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)

_NUMBER = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)
_DOTS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+", re.ASCII)
#: Ranks as people count: #1, No. 1, 1st, 第1位.
_COUNTED = re.compile(r"(?:#|no\.? ?|第)?(\d{1,9})(?:st|nd|rd|th|位|名)?", re.ASCII | re.IGNORECASE)
_BETWEEN = re.compile(r"(?<=\d)[ '](?=\d{3}(?:\D|$))", re.ASCII)
_LONGEST = 400
#: What only all cells of a column tell together: part of them alone might be read otherwise.
COMMAS = ("Decimal commas were read as decimal points.", "Commas between thousands were left out.")
SHARES = "Percentages were read as hundredths: 50% is 0.5."
_SIGNS = str.maketrans({"−": "-", "–": "-", "﹣": "-", "’": "'", "٫": "."})
#: The bytes of plain numbers, and of how many bytes at a time it is asked whether all are such.
_PLAIN = np.zeros(256, bool)
_PLAIN[list(b"0123456789+-.eE")] = True
_BLOCK = 1 << 20
#: Digits above or below the line are no digits of the number beside them.
_RAISED = ("<super>", "<sub>")


@dataclass(frozen=True)
class Parsed:
    """``values`` (rows,) float64, NaN where there is no number; ``notes`` on numbers in an unusual notation."""

    values: npt.NDArray[np.float64]
    notes: tuple[str, ...] = ()


def all_plain(text: pa.Array) -> npt.NDArray[np.float64] | None:
    """Return the numbers of a text column without nulls where every cell is a plain one, else None: look closer.

    Several times as quick as ``parsed``, whose values these are: of these bytes Arrow reads nothing but plain numbers.
    """
    view = Text.of(text)
    first, end = int(view.offsets[0]), int(view.offsets[-1])
    blocks = (view.data[at : min(at + _BLOCK, end)] for at in range(first, end, _BLOCK))
    if not all(bool(_PLAIN[block].all()) for block in blocks):
        return None
    try:
        return as_numpy(text.cast(pa.float64()))
    except pa.ArrowInvalid:  # an empty cell, or something like 1-2
        return None


def parsed(text: pa.Array, blank: npt.NDArray[np.bool_], *, counting: bool = False) -> Parsed:
    """Return the numbers of a text column without white space around its cells; ``blank`` cells are skipped.

    In a column that is ``counting``, 1st and #1 are 1.
    """
    values = np.full(len(text), np.nan)
    plain = bits(pc.match_substring_regex(text, _NUMBER))
    odd = np.flatnonzero(~plain & ~blank)
    commas = False
    notes: tuple[str, ...] = ()
    if len(odd):
        values[odd], commas, notes = _odd(text.take(from_numpy(odd)), alone=not plain.any(), counting=counting)
    number = np.flatnonzero(plain)
    if len(number):
        values[number] = as_numpy(text.take(from_numpy(number)).cast(pa.float64()))
        if commas:  # with decimal commas, a point separates thousands
            dotted = np.flatnonzero(bits(pc.match_substring_regex(text, f"^{_DOTS.pattern}$")))
            for row in dotted.tolist():
                values[row] = float(str(text[row].as_py()).replace(".", ""))
    return Parsed(values, notes)


def _odd(text: pa.Array, *, alone: bool, counting: bool) -> tuple[npt.NDArray[np.float64], bool, tuple[str, ...]]:
    """Return the values of cells that are no plain numbers; whether they have decimal commas; notes."""
    encoded = text.dictionary_encode()
    written = [_plain(cell) for cell in encoded.dictionary.to_pylist()]
    with_comma = [cell for cell in written if "," in cell]
    grouped = bool(with_comma) and all(map(_THOUSANDS.fullmatch, with_comma))
    decimal = bool(with_comma) and all(map(_COMMA.fullmatch, with_comma)) and (not grouped or alone)
    shares = sum(cell.endswith("%") for cell in written)
    if shares and (shares < len(written) or not alone):  # 50% beside 2 could be half of anything
        written = ["" if cell.endswith("%") else cell for cell in written]
        shares = 0
    values = np.array([_number(cell, decimal, grouped, counting) for cell in written] + [np.nan])[:-1]
    notes = []
    if shares:
        notes.append(SHARES)
    if decimal:
        notes.append(COMMAS[0])
    elif grouped:
        notes.append(COMMAS[1])
    read = [cell for cell, value in zip(written, values.tolist(), strict=True) if value == value]
    if any("," not in cell and "%" not in cell for cell in read):
        notes.append("Full-width digits and signs beside numbers were read as plain numbers.")
    return values[codes(encoded)], decimal, tuple(notes)


def _plain(cell: str) -> str:
    """Return a cell in ASCII digits and signs, without blanks and apostrophes between thousands, or an apostrophe in
    front.

    What is too long for a number is none.
    """
    if len(cell) > _LONGEST or any(unicodedata.decomposition(sign).startswith(_RAISED) for sign in cell):
        return ""
    text = normalized("NFKC", cell).translate(_SIGNS).strip()
    return _BETWEEN.sub("", text.removeprefix("'"))


def _number(cell: str, decimal: bool, grouped: bool, counting: bool) -> float:
    if "," in cell and decimal:
        cell = cell.replace(".", "").replace(",", ".")
    elif "," in cell and grouped:
        cell = cell.replace(",", "")
    counted = _COUNTED.fullmatch(cell) if counting else None
    if counted:
        return float(counted[1])
    share = cell.removesuffix("%").rstrip()
    if re.fullmatch(_NUMBER, share):
        return float(share) / 100 if share != cell else float(cell)
    return np.nan


def is_number(cell: str) -> bool:
    """Return whether a cell is a finite decimal number."""
    return _DECIMAL.fullmatch(cell) is not None


def are_numbers(cells: Iterable[str]) -> list[bool]:
    """Return the same of each cell."""
    return [is_number(cell) for cell in cells]
