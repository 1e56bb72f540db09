"""Grid, the result of every format's reader: named columns, the place of each cell, and what the cells hold.

Cells are ids or numbers; which of them are neither is said with their rows.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.arrow import Text, as_numpy, codes, decoded, filled, from_numpy, from_strings, is_text, one_chunk
from rankdash.notes import Advice, Note, detail, listed, warning
from rankdash.reading.problems import SHOWN, Choice, Code, Problem, ReadError, refuse
from rankdash.reading.source import Limits
from rankdash.records import field, frozen, replace
from rankdash.strings import normalized
from rankdash.tables import OrderedBy, Source, moment

NUMBERS = ("rank", "score", "relevance")
IDS = ("query_id", "doc_id", "model")
Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_Parsed = TypeVar("_Parsed")
_NONE = np.zeros(0, np.int64)
#: Up to here every whole number is a float64 of its own.
EXACT = 2**53
_BLOCK = 1 << 20
#: Errors of spreadsheets, in the languages that Excel has them in; of all others for a missing value.
_ERRORS = (
    "#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC! #ERROR! #NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! "
    "#VALEUR! #NOM? #NOMBRE! #NUL! #N/D #¡REF! #¡VALOR! #¡DIV/0! #¿NOMBRE? #¡NUM! #RIF! #VALORE! #NOME? #VALOR! #NÚM! "
    "#N/B #VERW! #WAARDE! #DEEL/0! #NAAM? #GETAL! #ADR! #ARG! #DZIEL/0! #NAZWA? #LICZBA! #Н/Д #ССЫЛКА! #ЗНАЧ! #ДЕЛ/0!"
)
#: Texts that mean a missing number in a numeric column.
BLANKS = (
    *("", *r"NA N/A n/a na <NA> NaN nan null NULL None none \N (null)".split(), *_ERRORS.split()),
    *"- -- — – ? . unjudged unrated missing skip skipped 未标注 未評価".split(),
)
_BLANK_KEYS = frozenset(blank.casefold() for blank in BLANKS)
#: Characters without width, which Python does not count as white space.
_INVISIBLE = "\u200b\u2060\ufeff"


# --- columns and their rows -------------------------------------------------------------------------------------------


@frozen
class Grid:
    """The columns of one source, in one chunk each.

    ``columns`` are keyed by canonical name, or by their own name where they have no known meaning; ``called`` maps
    canonical names to headings of the source. ``order`` is the order that the format prescribes, if any. ``row_of``
    converts data rows from 0 to rows as counted in the source, and ``first_row`` is the first of these (0: there is no
    file). ``format`` is what people call the format. ``tag`` is the only tag of a TREC run. ``typed``: the source
    gives its columns types.
    """

    name: str
    columns: Mapping[str, pa.Array]
    called: Mapping[str, str]
    headings: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    order: OrderedBy | None = None
    row_of: Callable[[Rows], Rows] = lambda rows: rows + 1
    first_row: int = 0
    format: str = ""
    tag: str = ""
    typed: bool = False

    @property
    def rows(self) -> int:
        """The number of data rows."""
        return len(next(iter(self.columns.values())))

    def first(self, rows: int) -> Grid:
        """Return the Grid of the first rows and the last one, which shows a second model below the first."""
        return self if self.rows <= rows + 1 else self.taking(np.append(np.arange(rows), self.rows - 1))

    def taking(self, kept: Rows, *notes: Note) -> Grid:
        """Return the Grid of some rows, (n,), with further notes."""
        row_of = self.row_of
        columns = {name: column.take(from_numpy(kept)) for name, column in self.columns.items()}
        return replace(self.noting(*notes), columns=columns, row_of=lambda rows: row_of(kept[rows]))

    def noting(self, *notes: Note) -> Grid:
        """Return the Grid with further notes."""
        return replace(self, notes=(*self.notes, *notes))

    def ids(self, name: str) -> Ids:
        """Return a column as ids. ReadError where its type cannot be one."""
        return self.parsed(name, partial(parse_ids, harmless=arrow.DISARMED in self.headings), "ids")

    def numbers(self, name: str) -> Numbers:
        """Return a column as numbers. ReadError where its type cannot be one."""
        return self.parsed(name, parse_numbers, "numbers")

    def parsed(self, name: str, parse: Callable[[pa.Array], _Parsed], needed: str) -> _Parsed:
        """Return what ``parse`` makes of a column. ReadError where its type cannot be read as ``needed``."""
        column = self.columns[name]
        try:
            return parse(column)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            what = f'column "{self.title(name)}" holds {column.type}, not {needed}'
            raise refuse("bad_value", self.name, what) from None

    def source(self, notes: Iterable[Note]) -> Source:
        """Return where a table of all rows came from."""
        return Source(rows=self.rows, first_row=self.first_row, notes=tuple(notes), tag=self.tag)

    def title(self, name: str) -> str:
        """Return what the source calls a column."""
        return self.called.get(name, name)


def not_read(what: str, names: Iterable[str], code: str = "not_read") -> tuple[Note, ...]:
    """Return a note that names what was not read, the first 20 and how many there are; nothing where there is none.

    >>> [note.phrase("shell") for note in not_read("Columns that were not read", ["a", "b"])]
    ['Columns that were not read: "a", "b".']
    """
    unread = tuple(dict.fromkeys(names))
    many = f" ({len(unread):,} in all)" if len(unread) > SHOWN else ""
    return (detail(code, f"{what}: {listed(unread)}{many}."),) if unread else ()


def bound(grid: Grid, limits: Limits) -> Grid:
    """Return the Grid. ReadError for an id, or another text, longer than one may be."""
    bad = []
    for name, column in grid.columns.items():
        most = min(limits.id, limits.cell) if name in IDS else limits.cell
        what, allowed = f"the text has more than {most:,} bytes", f"At most {most:,} are read. Give a shorter one."
        bad.append(BadCells("too_large", _longer(column, most), grid.title(name), what, allowed))
    check(grid.name, bad, grid.row_of)
    return grid


def _longer(column: pa.Array, most: int) -> Rows:
    """Return the data rows whose text has more than ``most`` bytes, (n,); no rows of a column that is not text."""
    if pa.types.is_dictionary(column.type):
        values = _longer(column.dictionary, most)
        used = as_numpy(pc.fill_null(column.indices.cast(pa.int64()), -1)) if len(values) else values
        return np.flatnonzero(np.isin(used, values))
    if column.get_total_buffer_size() <= most or not is_text(column.type):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.diff(Text.of(filled(column)).offsets) > most)


@frozen
class BadCells:
    """Cells of one column that are all wrong in the same way.

    ``rows`` are data rows from 0. ``text`` returns the content of the cell in one data row; None where it is not worth
    showing.
    """

    code: Code
    rows: Rows
    column: str
    what: str
    allowed: str | Advice = ""
    text: Callable[[int], str] | None = None
    choice: Choice | None = None


def check(file: str, bad: Iterable[BadCells], row_of: Callable[[Rows], Rows]) -> None:
    """Raise one ReadError for all bad cells, with the first 20 in the order of the file; return if there are none.

    ``row_of`` turns data rows from 0 into rows as counted in the file.
    """
    groups = [cells for cells in bad if len(cells.rows)]
    if not groups:
        return
    places = sorted((int(row), i) for i, cells in enumerate(groups) for row in cells.rows[:SHOWN].tolist())[:SHOWN]
    numbers = row_of(np.array([row for row, _ in places], np.int64)).tolist()
    problems = []
    for (row, at), number in zip(places, numbers, strict=True):
        own = groups[at]
        found = own.text and own.text(row)
        problems.append(Problem(own.code, file, own.what, number, own.column, found, own.allowed, own.choice))
    raise ReadError(problems, sum(len(cells.rows) for cells in groups))


# --- Arrow arrays as text --------------------------------------------------------------------------------------------


def as_text(array: pa.Array) -> pa.Array:
    """Return the column as string or large_string with its nulls. ArrowNotImplementedError for lists and the like."""
    array = decoded(array)
    kind = array.type
    if is_text(kind):
        return array
    if pa.types.is_string_view(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return array.cast(pa.large_string())
    if (pa.types.is_floating(kind) or (pa.types.is_decimal(kind) and kind.scale)) and _are_whole(array):
        array = array.cast(pa.int64())
    return array.cast(pa.string())


def texts_of(array: pa.Array) -> list[str]:
    """Return the cells of a column as Python texts, "" for nulls. ArrowNotImplementedError for lists and the like."""
    cells: list[str] = filled(as_text(array)).to_pylist()
    return cells


def _are_whole(array: pa.Array) -> bool:
    values = as_numpy(array.drop_null().cast(pa.float64()))
    return bool(np.all(np.isfinite(values) & (np.floor(values) == values) & (np.abs(values) < EXACT)))


# --- ids -------------------------------------------------------------------------------------------------------------


@frozen
class Ids:
    """Ids as text without nulls: ``array`` is string, large_string, or dictionary<int32, string> where the source was
    one.

    ``empty`` are the data rows without an id, ``odd`` those with a number that is not whole.
    """

    array: pa.Array
    empty: Rows
    odd: Rows = field(default_factory=lambda: _NONE)


def parse_ids(array: pa.Array, *, harmless: bool = False) -> Ids:
    """Return the column as ids; ``harmless``: apostrophes were put before formulas, and are removed.

    ArrowInvalid when bytes are no text, ArrowNotImplementedError for lists, times and the like.
    """
    if pa.types.is_dictionary(array.type):
        return _encoded_ids(array, harmless)
    _check_type(array.type)
    text = _bare(filled(as_text(array)), harmless)
    return Ids(text, empty_cells(text), _odd(array))


def _check_type(kind: pa.DataType) -> None:
    if pa.types.is_boolean(kind) or pa.types.is_temporal(kind):
        raise pa.ArrowNotImplementedError(f"{kind} is no id")


def _odd(array: pa.Array) -> Rows:
    """Return the data rows whose number is not whole."""
    if not pa.types.is_floating(array.type) and not (pa.types.is_decimal(array.type) and array.type.scale):
        return _NONE
    values = as_numpy(pc.fill_null(array.cast(pa.float64()), 0.0))
    return np.flatnonzero(~(np.floor(values) == values) | (np.abs(values) >= EXACT))


def _bare(text: pa.Array, harmless: bool) -> pa.Array:
    """Return texts without the white space around them, and what cannot be seen."""
    data = Text.of(text)
    spans = data.data[int(data.offsets[0]) : int(data.offsets[-1])]
    blocks = [spans[at : at + _BLOCK] for at in range(0, len(spans), _BLOCK)]
    if any(int(block.min()) <= 32 or int(block.max()) >= 128 for block in blocks):
        text = one_chunk(pc.utf8_trim_whitespace(pc.utf8_trim(pc.utf8_trim_whitespace(text), _INVISIBLE)))
    return arrow.taken_back(text) if harmless else text


def empty_cells(text: pa.Array) -> Rows:
    """Return the data rows whose text is empty."""
    offsets = Text.of(text).offsets
    return np.flatnonzero(offsets[1:] == offsets[:-1])


def _encoded_ids(array: pa.DictionaryArray, harmless: bool) -> Ids:
    """Return ids of a dictionary in the order of appearance, each there once."""
    _check_type(array.dictionary.type)
    if array.null_count or array.dictionary.null_count or not is_text(array.dictionary.type):
        return parse_ids(decoded(array), harmless=harmless)
    key, names = codes(array), _bare(array.dictionary, harmless).cast(pa.string())
    begins = np.append(True, key[1:] != key[:-1])[: len(key)]  # rows of a query are mostly contiguous
    seen = as_numpy(pc.unique(from_numpy(key[begins])))  # in order of appearance
    if len(pc.unique(names)) < len(names):
        made = pa.DictionaryArray.from_arrays(from_numpy(key), names).dictionary_decode().dictionary_encode()
        key, names = codes(made), made.dictionary
    elif not np.array_equal(seen, np.arange(len(names))):
        places = np.full(len(names), -1, key.dtype)
        places[seen] = np.arange(len(seen), dtype=key.dtype)
        key, names = places[key], names.take(from_numpy(seen))
    empty = empty_cells(names)
    array = pa.DictionaryArray.from_arrays(from_numpy(key), names)
    return Ids(array, np.flatnonzero(key == empty[0]) if len(empty) else _NONE)


# --- numbers ---------------------------------------------------------------------------------------------------------

_NUMBER = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_DECIMAL = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3},\d{3}", re.ASCII)
_DOTS = r"^[+-]?\d{1,3}(\.\d{3})+$"
_LONGEST = 400
_SIGNS = str.maketrans("−–", "--")
#: The bytes of plain numbers: of these Arrow reads nothing but plain numbers.
_PLAIN = np.zeros(256, bool)
_PLAIN[list(b"0123456789+-.eE")] = True


@frozen
class Numbers:
    """``values`` (rows,) float64, NaN where there is no finite number; ``blank`` and ``bad`` data rows say why.

    Whole int32 columns stay int32. ``commas``: decimal commas were read as points.
    """

    values: npt.NDArray[np.float64] | npt.NDArray[np.int32]
    blank: Rows
    bad: Rows
    commas: bool = False

    @property
    def missing(self) -> Rows:
        """Data rows without a finite number, in order."""
        return np.sort(np.concatenate((self.blank, self.bad)))


def is_number(cell: str) -> bool:
    """Return whether a cell is a finite decimal number."""
    return _DECIMAL.fullmatch(cell) is not None


def is_blank(cell: str) -> bool:
    """Return whether a cell means a missing number, or no vote."""
    return normalized("NFKC", cell).strip().casefold() in _BLANK_KEYS


#: The end of the year 9999, in milliseconds since 1970.
_LAST = 253_402_300_800_000


def milliseconds(cell: str, unit: int) -> float:
    """Return the milliseconds since 1970 that a cell means, NaN for a blank one, infinity for no date."""
    if is_blank(cell):
        return math.nan
    try:
        found = float(cell) * unit if unit else round(moment(cell.strip()) * 1000)
    except ValueError:
        return math.inf
    return found if abs(found) < _LAST else math.inf


def parse_numbers(array: pa.Array) -> Numbers:
    """Return the column as numbers. ArrowNotImplementedError for lists and the like."""
    array = decoded(array)
    kind = array.type
    if is_text(kind) or pa.types.is_string_view(kind):
        return _parse_text(filled(array.cast(pa.large_string())))
    if kind == pa.int32() and not array.null_count:
        return Numbers(as_numpy(array), _NONE, _NONE)
    array = array.cast(pa.int8()) if pa.types.is_boolean(kind) else array
    array = array.cast(pa.float64(), safe=False)
    if array.null_count:  # a scalar in place of the column of NaN would import pandas
        array = pc.if_else(array.is_valid(), array, from_numpy(np.full(len(array), np.nan)))
    values = as_numpy(array)
    return _numbers(values, np.isnan(values))


def _numbers(values: npt.NDArray[np.float64], blank: npt.NDArray[np.bool_], commas: bool = False) -> Numbers:
    bad = ~np.isfinite(values) & ~blank
    if bad.any():
        values = np.where(bad, np.nan, values)
    return Numbers(values, np.flatnonzero(blank), np.flatnonzero(bad), commas)


def _parse_text(text: pa.Array) -> Numbers:
    """Return the numbers of a text column without nulls."""
    view = Text.of(text)
    first, end = int(view.offsets[0]), int(view.offsets[-1])
    if all(bool(_PLAIN[view.data[at : min(at + _BLOCK, end)]].all()) for at in range(first, end, _BLOCK)):
        try:
            values = as_numpy(text.cast(pa.float64()))
            return _numbers(values, np.zeros(len(values), bool))
        except pa.ArrowInvalid:  # an empty cell, or something like 1-2
            pass
    text = one_chunk(pc.utf8_trim_whitespace(text))
    blank = arrow.bits(pc.is_in(text, value_set=from_strings(list(BLANKS)).cast(text.type)))
    plain = arrow.bits(pc.match_substring_regex(text, _NUMBER))
    values = np.full(len(text), np.inf)
    odd = np.flatnonzero(~plain & ~blank)
    commas = False
    if len(odd):
        values[odd], commas = _parse_odd(text.take(from_numpy(odd)), alone=not plain.any())
    number = np.flatnonzero(plain)
    values[number] = as_numpy(text.take(from_numpy(number)).cast(pa.float64())) if len(number) else 0
    if commas:  # with decimal commas, a point may separate thousands
        values[arrow.bits(pc.match_substring_regex(text, _DOTS))] = np.inf
    values[blank] = np.nan
    return _numbers(values, blank, commas)


def _parse_odd(text: pa.Array, *, alone: bool) -> tuple[npt.NDArray[np.float64], bool]:
    """Return the values of cells that are no plain numbers, inf for none, and whether they have decimal commas.

    Beside plain numbers commas may separate thousands: then they are no numbers.
    """
    cells = text.dictionary_encode()
    written = [_plainly(cell) for cell in cells.dictionary.to_pylist()]
    with_comma = [cell for cell in written if "," in cell]
    decimal = bool(with_comma) and all(map(_COMMA.fullmatch, with_comma))
    decimal = decimal and (alone or not all(map(_THOUSANDS.fullmatch, with_comma)))
    plain = [cell.replace(",", ".") if decimal else cell for cell in written]
    values = np.array([float(cell) if re.fullmatch(_NUMBER, cell) else np.inf for cell in plain] + [np.inf])[:-1]
    return values[codes(cells)], decimal


def _plainly(cell: str) -> str:
    """Return a cell in ASCII digits and signs."""
    if len(cell) > _LONGEST or any(unicodedata.decomposition(sign).startswith(("<super>", "<sub>")) for sign in cell):
        return ""  # raised digits are no digits of the number beside them
    return normalized("NFKC", cell).translate(_SIGNS).strip()


# --- what a spreadsheet made of numbers ------------------------------------------------------------------------------

_MONTHS = (
    "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mrz|mär|mai|okt|dez|janv|févr|mars|avr|juin|juil|août|sept|déc|"
    "ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|out|mrt|mei"
)
_DATES = (
    *(rf"\d\d?[-. /]+({_MONTHS})\.?([-. /]+\d+)?", rf"({_MONTHS})\.?[-. /]+\d+", r"\d\d?月\d\d?日"),
    *(r"\d{4}-\d\d-\d\d([ T].*)?", r"\d\d?[./-]\d\d?[./-](\d\d){1,2}"),
)
ERROR, _EXPORT = "^#", "Export the file again without a spreadsheet, or import the column there as text."
#: Of cells that are no numbers, and of blank ones, what a spreadsheet wrote: a pattern, what the first is, and what to
#: do.
CHANGED = (
    (rf"(?i)^({'|'.join(_DATES)})$", "is a date{more}: a spreadsheet changed the number", _EXPORT),
    (ERROR, "is an error of a spreadsheet{more}", "Correct it there, or leave the row out."),
)
#: A whole number has lost its decimals where it is so many times as high as all scores with decimals in its list, and
#: more than so many scores are. So many scores are looked at first.
_TIMES, _FEW, _SOME = 100, 5, 10_000


def are_like(pattern: str, column: pa.Array, rows: Rows) -> npt.NDArray[np.bool_]:
    """Return whether the cells of some data rows are like a pattern."""
    text = pc.utf8_trim_whitespace(filled(as_text(column.take(from_numpy(rows)))))
    return arrow.bits(pc.match_substring_regex(text, pattern))


def changed(
    grid: Grid, name: str, parsed: Numbers, text: Callable[[int], str], *, blanks: bool
) -> tuple[list[BadCells], Rows, Rows]:
    """Return the first cell of each kind that a spreadsheet changed, and the other rows that are bad, and with
    ``blanks`` blank.
    """
    bad, left = list[BadCells](), list[Rows]()
    for (pattern, what, do), rows in zip(CHANGED, (parsed.bad, parsed.blank if blanks else _NONE), strict=True):
        are = are_like(pattern, grid.columns[name], rows)
        own, more = rows[are], f" (and {are.sum() - 1:,} more)" if are.sum() > 1 else ""
        bad.append(BadCells("bad_value", own[:1], grid.title(name), what.format(more=more), do, text))
        left.append(rows[~are])
    return bad, left[0], left[1]


def lost_decimals(grid: Grid) -> list[Note]:
    """Return a warning on scores that order a run and may have lost their decimal point: whole numbers far above all
    with decimals in their list. A few that come again and again are pins of documents.
    """
    query = codes(grid.columns["query_id"])
    scores = as_numpy(grid.columns["score"]) if grid.order == "score" else np.zeros(0)
    some = scores[:: len(scores) // _SOME + 1]
    some = np.abs(some[np.floor(some) < some])
    if not len(some) or max(scores.max(), -scores.min()) < _TIMES * np.sort(some)[len(some) // 2]:
        return []
    size, has_decimals, top = np.abs(scores), np.floor(scores) < scores, np.zeros(int(query.max()) + 1)
    np.maximum.at(top, query, np.where(has_decimals, size, 0.0))
    lost = ~has_decimals & (size >= _TIMES * top[query]) & (top[query] > 0)
    count = int(lost.sum())
    if len(np.unique(scores[lost])) <= max(count / 2, _FEW):
        return []
    order = np.argsort(query, kind="stable")
    pair = order[(np.diff(lost[order]) & (np.diff(query[order]) == 0)).argmax() :][:2]
    shown = " beside ".join(f"{scores[at]:.15g} in row {row}" for at, row in zip(pair, grid.row_of(pair), strict=True))
    what = f"{count:,} scores are whole numbers far above those with decimals in their list: {shown}."
    return [warning("decimals_lost", f"{what} If decimal points were lost, the ranks are wrong. {_EXPORT}")]


#: No more people judge the same documents, as a rule.
_MOST_RATERS = 5


def note_subtopics(names: Sequence[str], *, is_named: bool) -> Note:
    """Return what is noted on grades for subtopics: a warning where nothing has named their column, and they may be
    those of raters.
    """
    read = "measures without subtopics read the highest grade of each document."
    if is_named or len(names) > _MOST_RATERS or any(map(is_number, names)):
        return detail("subtopics", f"The grades are for subtopics: {read}")
    what = f"Column 2 holds {listed(names)} for the same documents, which were read as subtopics: {read}"
    return warning("may_be_raters", f"{what} If they are raters, write one grade for each document.")
