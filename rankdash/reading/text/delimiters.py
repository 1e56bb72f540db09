"""Where a table begins in a text, and what stands between its cells: judged by the first lines, and noted."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import pyarrow as pa

from rankdash.reading.columns.synonyms import is_known, known_names
from rankdash.reading.source.advice import advice
from rankdash.reading.source.document import Document, in_memory
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.text.first_lines import (
    LINES,
    Head,
    first_lines,
    first_text,
    has_rule,
    head_of,
    lines_of,
    words_of,
)
from rankdash.reading.text.repairs import without_remarks
from rankdash.reading.values.numerals import are_numbers
from rankdash.reading.words.headings import Kind
from rankdash.strings.normalforms import normalized

_DELIMITERS = (",", "\t", ";", "|")
WHITE = " "
_SEPARATOR = re.compile(r'"?sep=([\t!#-&(-/:-@\[-`{-~])"?[,;\t]*', re.IGNORECASE)
_MOST_ABOVE = 20
_LONGEST = 10_000
_WIDEST = 1_000
#: Signs that occur within names, and therefore are not delimiters.
_WITHIN = frozenset("\"'_-./\\()[]{}#%?!&*@")
_BLANK = frozenset(" \t\v\f\r\n\xa0\u3000\ufeff\u200b\xad")
#: A delimiter that no text contains, which replaces one that is longer than a byte.
_STAND_IN = "\x1e"
_QUERY = re.compile(rb"^[ \t]*([^\s:]+)(?::[ \t]*|[ \t]+)(?=\S)", re.MULTILINE)
_COLON = re.compile(r"\s*[^\s:]+:\s*\S")
#: Cells without blanks and other delimiters, the last one a number, as users' ratings are written.
_COLONS = re.compile(r"[^\s,;|:]+(::[^\s,;|:]+)+::[\d.]+")
_DIGIT = re.compile(r"\d")
Cells = list[list[str]]


@dataclass(frozen=True)
class Split:
    """The ``document`` from where its table begins, the ``delimiter``, and the cells of its first rows.

    ``white``: any white space separates, and is made regular. ``numbered``: each row begins with its number, and the
    header, which is the first of ``rows`` but lies above ``document``, has an empty heading for it.
    """

    document: Document
    delimiter: str
    rows: Cells
    white: bool = False
    numbered: bool = False


def split(document: Document, kind: Kind) -> Split:
    """Return how the text is cut into cells. ReadError where there are only comments."""
    document = _from_its_header(document)
    head = head_of(document)
    if has_rule(head.first[:_MOST_ABOVE]) and (bare := without_remarks(document)) is not None:
        document, head = bare, head_of(bare)
    _check_comments(document.name, head.first, kind)
    plain = _with_plain_sign(document, head, kind)
    head = head if plain is document else head_of(plain)
    document, delimiters = _below_the_top(plain, head, kind)
    head = head if document is plain else head_of(document)
    best = _cells(head, document.size > len(document.head), kind, delimiters)
    if best is not None:
        return Split(document, *best)
    rows = [words for words in map(words_of, head.lines) if words][:LINES]
    if len(rows[0]) == 1 and is_known(rows[0][0], kind) and any(len(row) > 1 for row in rows):
        return Split(document, _STAND_IN, [[line.strip()] for line in head.first])
    if kind == "queries" and not is_known(rows[0][0], kind):
        return _queries(document, rows)
    if _count_names(WHITE.join(rows[0]), kind, (WHITE,)) and _is_numbered(rows):
        above = document.above + head.lines.index(head.first[0]) + 1
        note = "Every row begins with its number, which the header lacks."
        document = replace(document, above=above, notes=(*document.notes, note))
        return Split(document, WHITE, [["", *rows[0]], *rows[1:]], white=True, numbered=True)
    return Split(document, WHITE, rows, white=True)


def _check_comments(file: str, lines: Sequence[str], kind: Kind) -> None:
    """Raise ReadError where there are only comments, none of which could be a header."""
    if all(line.lstrip().startswith("#") and not _count_names(line, kind) for line in lines):
        signed = [line.lstrip(" #").strip() for line in lines]
        if not any(line.count(sign) for line in signed for sign in _DELIMITERS):
            raise refuse("empty", file, "there are only comment lines, no table")


def _from_its_header(document: Document) -> Document:
    """Return the document from the row that was chosen as its header."""
    row = document.options.header
    if not row:
        return document
    rows = len(lines_of(first_text(document).rstrip()))
    if row >= rows:
        what = f"there is no row below row {row:,}, which was asked for as the header"
        raise refuse("bad_option", document.name, what, advice("move_header", last=rows - 1) if rows > 1 else "")
    note = f"The headings stand in row {row:,}, as asked."
    return replace(document, above=row - 1, notes=(*document.notes, note))


def _below_the_top(document: Document, head: Head, kind: Kind) -> tuple[Document, Sequence[str]]:
    """Return the document below Excel's "sep=" and other lines above a header, and the delimiters that it may have."""
    filled = [(i, line) for i, line in enumerate(head.lines) if line.strip()][: _MOST_ABOVE + 1]
    first, line = filled[0]
    separator = _SEPARATOR.fullmatch(line)
    delimiters = (document.delimiter,) if document.delimiter else _DELIMITERS
    if not document.delimiter and line.lstrip().startswith('"'):
        delimiters = (*delimiters, WHITE)
    if document.options.header:
        return document, delimiters
    if separator and not document.delimiter:
        note = f"The delimiter is {listed([separator[1]])}, as the first line says."
        document = replace(document, above=first + 1, notes=(*document.notes, note))
        delimiters, filled = (separator[1],), filled[1:]
        if not filled:
            return document, delimiters
        line = filled[0][1]
    names = [_count_names(line, kind, (*_DELIMITERS, *delimiters)) for _, line in filled]
    open_quote = line.count('"') % 2 == 1
    below = names[1:] if names[0] < 2 else names[1:2]
    if names[0] and (open_quote or max(below, default=0) <= max(names[0], 1)):
        return document, delimiters
    at = next((at for at, n in enumerate(names) if at and n > 1), 0)
    if at:
        note = f"{at} {'line' if at == 1 else 'lines'} above the header left out, beginning with {listed([line])}."
        return replace(document, above=filled[at][0], notes=(*document.notes, note)), delimiters
    return document, delimiters


def _count_names(line: str, kind: Kind, delimiters: Sequence[str] = _DELIMITERS) -> int:
    """Return how many known names stand in a line, cut by the delimiter that gives most of them."""
    splits = [next(csv.reader([line[:_LONGEST]], delimiter=delimiter), []) for delimiter in delimiters]
    return max(known_names(splits, kind))


def _with_plain_sign(document: Document, head: Head, kind: Kind) -> Document:
    """Return the document with an unusual delimiter, if its header has one."""
    lines = head.first[:_MOST_ABOVE]
    if document.delimiter or any(_count_names(line, kind) > 1 for line in lines):
        return document
    if all(map(_COLONS.fullmatch, lines)):
        content = bytes(document.content(0, document.size)).replace(b"::", b"\t")
        return in_memory(document, pa.py_buffer(content), 'The delimiter is "::".')
    for line in lines:
        signs = {sign for sign in line[:_LONGEST] if not sign.isalnum() and sign not in _BLANK} - _WITHIN
        cells = {sign: line[:_LONGEST].split(sign) for sign in sorted(signs)}
        counts = dict(zip(cells, known_names(cells.values(), kind), strict=True))
        best = max(counts, key=lambda sign: counts[sign], default="")
        if best and counts[best] > 1:
            note = f"The delimiter is {listed([best])}."
            if best.isascii():
                return replace(document, delimiter=best, notes=(*document.notes, note))
            plain = normalized("NFKC", best)
            plain = plain if plain in _DELIMITERS else _STAND_IN
            content = bytes(document.content(0, document.size)).replace(best.encode(), plain.encode())
            return replace(in_memory(document, pa.py_buffer(content), note), delimiter=plain)
    return document


def _cells(head: Head, more: bool, kind: Kind, delimiters: Sequence[str]) -> tuple[str, Cells] | None:
    """Return the delimiter and the first rows; None where white space separates.

    The header line decides by the names it has, then the even widths.
    """
    rows = [_rows(head, delimiter, more) for delimiter in delimiters]
    headings = [cells[0][:_WIDEST] if len(cells[0]) > 1 else [] for cells in rows]
    counts = known_names(headings, kind)
    fits = [(names, _is_even(cells), len(cells[0])) for names, cells in zip(counts, rows, strict=True)]
    at = max(range(len(rows)), key=fits.__getitem__)
    best = delimiters[at], rows[at]
    if len(delimiters) == 1 or (len(best[1][0]) > 1 and (_is_even(best[1]) or is_known(best[1][0][0], kind))):
        return best
    spaced = list(filter(None, map(words_of, head.lines)))[:LINES]
    return best if len(best[1][0]) > 1 and not _is_even(spaced) else None


def _is_even(rows: Cells) -> bool:
    return len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)


def _is_numbered(rows: Cells) -> bool:
    """Return whether all rows have one word more than the header, and begin with 0, 1, 2, … or 1, 2, 3, …."""
    if len(rows) < 2 or any(len(row) != len(rows[0]) + 1 for row in rows[1:]):
        return False
    return any([row[0] for row in rows[1:]] == [str(n + first) for n in range(len(rows) - 1)] for first in (0, 1))


def _queries(document: Document, rows: Cells) -> Split:
    """Split lines of an id and a text, between them white space or a colon."""
    if all(len(row) == 2 for row in rows) and not any(row[0].endswith(":") for row in rows):
        return Split(document, WHITE, rows, white=True)
    lines = first_lines(document)
    if any(len(row) < 2 and not _COLON.match(line) for row, line in zip(rows, lines, strict=False)):
        return Split(document, WHITE, rows, white=True)
    content = _QUERY.sub(rb"\1\t", bytes(document.content(0, document.size)).replace(b"\t", b" "))
    made = in_memory(document, pa.py_buffer(content), "The first word of each line was read as the query id.")
    return Split(made, "\t", [line.split("\t", 1) for line in first_lines(made)])


def _rows(head: Head, delimiter: str, more: bool) -> Cells:
    try:
        reader = csv.reader(io.StringIO(head.text, newline=""), delimiter=delimiter)
        rows = [row for row in islice(reader, LINES + 1) if len(row) > 1 or any(map(str.strip, row))]
    except csv.Error:  # a cell of more than 128 kB, for example: the first line has to do
        rows = []
    rows = rows or [head.first[0].split(delimiter)]
    return rows[:-1] if more and 1 < len(rows) <= LINES else rows[:LINES]


def has_header(rows: Cells, kind: Kind) -> bool:
    """Return whether the first row contains the names of the columns.

    It does not if it has a number above numbers, or no known name. An unknown name is accepted above a column of
    numbers only, and words without a digit above ids that all have one.
    """
    first, rest = rows[0][:_WIDEST], rows[1:]
    below = [[row[j] for row in rest if j < len(row) and row[j].strip()] for j in range(len(first))]
    numeric = [bool(cells) and all(are_numbers(cells)) for cells in below]
    numbers = are_numbers(first)
    if any(number and (is_below or not rest) for number, is_below in zip(numbers, numeric, strict=True)):
        return False
    if sum(known_names([first], kind)):
        return True
    if any(is_below and not number for number, is_below in zip(numbers, numeric, strict=True)):
        return True
    return not any(map(_DIGIT.search, first)) and any(
        first[j].strip() and len(cells) > 1 and all(map(_DIGIT.search, cells)) for j, cells in enumerate(below)
    )
