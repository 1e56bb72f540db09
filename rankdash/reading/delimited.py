"""Text between commas, tabs, semicolons or bars, with and without a header line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pyarrow as pa

from rankdash.arrow import as_numpy, codes, from_numpy
from rankdash.reading.cells import BLANKS, Layout
from rankdash.reading.columns import Mapping, match, positional
from rankdash.reading.document import Document
from rankdash.reading.grid import Grid
from rankdash.reading.lines import Lines, read_lines
from rankdash.reading.meanings import KINDS, MEANING, Wanted, is_known
from rankdash.reading.problems import listed, refuse
from rankdash.reading.quotes import read_with_quotes
from rankdash.reading.sniffing import LINES, blank_lines, first_text, is_number, lines_of, words_of

_DELIMITERS = (",", "\t", ";", "|")
_SPACES = " "
_SEPARATOR = re.compile(r'"?sep=([\t!#-&(-/:-@\[-`{-~])"?[,;\t]*', re.IGNORECASE)
_MOST_ABOVE = 20
Cells = list[list[str]]


def is_delimited(document: Document) -> bool:
    """Whether this is text at all: what is not another format is read as a table."""
    return bool(first_text(document))


def read_delimited(document: Document, wanted: Wanted) -> Grid:
    """The columns that are wanted of a delimited text. ReadError when it lacks one, or has uneven rows."""
    document, delimiters = _below_the_top(document, wanted)
    text = first_text(document)
    delimiter, rows = _split(text, document.size > len(document.head), wanted, delimiters)
    header = _has_header(rows, wanted)
    width = len(rows[0])
    if width > document.limits.columns:
        raise refuse(document.name, f"there are {width:,} columns", f"At most {document.limits.columns:,} are read.")
    if header and len(rows) == 1 and document.size == len(document.head):
        raise refuse(document.name, "there is a header but no row below it")
    headings = tuple(cell.strip() for cell in rows[0]) if header else ()
    mapping = _mapping(document, rows, headings, wanted)
    squeeze = delimiter == _SPACES
    layout = Layout(
        width,
        "\t" if squeeze else delimiter,
        blank=document.above if squeeze else blank_lines(document),
        skip=int(header),
        quoting=not squeeze and document.contains(b'"'),
    )
    where = "the header" if header else "the first row"
    read = read_with_quotes if layout.quoting and delimiter == "\t" else read_lines
    grid = read(
        Lines(
            document,
            layout,
            mapping.names,
            mapping.called,
            headings,
            f"where {where} has {width}",
            mapping.notes,
            words=width if squeeze else None,
            worded=bool(document.options.grades) or _is_worded(rows[int(header) :], mapping),
        )
    )
    if header or wanted not in ("run", "judgments"):
        return grid
    return _rank_or_score(grid) if wanted == "run" else _grades(grid)


def _mapping(document: Document, rows: Cells, headings: Sequence[str], wanted: Wanted) -> Mapping:
    """What the columns are: by their names, by the numbers that were asked for, or by where they stand."""
    wishes = document.options.columns
    if headings:
        return match(document.name, headings, wanted, wishes)
    if not wishes:
        return _by_position(document.name, rows, wanted)
    numbers = [f"column {j + 1}" for j in range(len(rows[0]))]
    asked = {name: f"column {at}" if at.isdecimal() else at for name, at in wishes.items()}
    return match(document.name, numbers, wanted, asked)


def _is_worded(rows: Cells, mapping: Mapping) -> bool:
    """Whether a grade among the first rows is a word."""
    at = next((i for i, name in mapping.names.items() if name == "relevance"), None)
    cells = (row[at].strip() for row in rows if at is not None and at < len(row))
    return any(cell not in BLANKS and not is_number(cell) for cell in cells)


def _below_the_top(document: Document, wanted: Wanted) -> tuple[Document, Sequence[str]]:
    """The document below Excel's "sep=" and other lines above a header, and the delimiters that it may have."""
    lines = list(enumerate(lines_of(first_text(document))))
    filled = [(i, line) for i, line in lines if line.strip()]
    first, line = filled[0]
    told = _SEPARATOR.fullmatch(line)
    delimiters = (document.delimiter,) if document.delimiter else _DELIMITERS
    if told and not document.delimiter:
        note = f"The delimiter is {listed([told[1]])}, as the first line says."
        document = replace(document, above=first + 1, notes=(*document.notes, note))
        return document, (told[1],)
    if _known(line, wanted):
        return document, delimiters
    for i, below in filled[1:_MOST_ABOVE]:
        if _known(below, wanted) > 1:
            n = len([j for j, _ in filled if j < i])
            note = f"{n} {'line' if n == 1 else 'lines'} above the header left out, beginning with {listed([line])}."
            return replace(document, above=i, notes=(*document.notes, note)), delimiters
    return document, delimiters


def _known(line: str, wanted: Wanted) -> int:
    """How many known names stand in a line, by the delimiter that finds most."""
    splits = (next(csv.reader([line[:10_000]], delimiter=delimiter), []) for delimiter in _DELIMITERS)
    return max(sum(is_known(cell, wanted) for cell in cells) for cells in splits)


def _split(text: str, more: bool, wanted: Wanted, delimiters: Sequence[str]) -> tuple[str, Cells]:
    """The delimiter and the first rows. The header line decides by the names it has, then the even widths."""
    best = max(((d, _rows(text, d, more)) for d in delimiters), key=lambda split: _fit(split[1], wanted))
    if len(delimiters) == 1 or (len(best[1][0]) > 1 and (_is_even(best[1]) or is_known(best[1][0][0], wanted))):
        return best
    spaced = list(filter(None, map(words_of, lines_of(text))))[:LINES]
    return best if len(best[1][0]) > 1 and not _is_even(spaced) else (_SPACES, spaced)


def _is_even(rows: Cells) -> bool:
    return len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)


def _rows(text: str, delimiter: str, more: bool) -> Cells:
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [row for row in islice(reader, LINES + 1) if len(row) > 1 or any(map(str.strip, row))]
    except csv.Error:  # a cell of more than 128 kB, for example: the first line has to do
        rows = []
    rows = rows or [next(filter(str.strip, lines_of(text))).split(delimiter)]
    return rows[:-1] if more and 1 < len(rows) <= LINES else rows[:LINES]


def _fit(rows: Cells, wanted: Wanted) -> tuple[int, bool, int]:
    width = len(rows[0])
    known = sum(is_known(cell, wanted) for cell in rows[0]) if width > 1 else 0
    return known, width > 1 and all(len(row) == width for row in rows), width


def _has_header(rows: Cells, wanted: Wanted) -> bool:
    """Whether the first row names the columns.

    It does not where it has a number above numbers, or no known name; but text above nothing but numbers is a name,
    if an unknown one.
    """
    first, rest = rows[0], rows[1:]
    below = [[row[j] for row in rest if j < len(row) and row[j].strip()] for j in range(len(first))]
    numeric = [bool(cells) and all(map(is_number, cells)) for cells in below]
    if any(is_number(cell) and (is_below or not rest) for cell, is_below in zip(first, numeric, strict=True)):
        return False
    if any(is_known(cell, wanted) for cell in first):
        return True
    return any(is_below and not is_number(cell) for cell, is_below in zip(first, numeric, strict=True))


def _by_position(file: str, rows: Cells, wanted: Wanted) -> Mapping:
    """What the columns of a file without a header are, by their number and by where numbers stand."""
    width = len(rows[0])
    number = [all(j < len(row) and is_number(row[j]) for row in rows) for j in range(width)]
    iteration = width >= 4 and all(row[1].strip().lower() in ("q0", "0") for row in rows if len(row) > 1)
    if wanted == "run" and width == 2 and _are_queries(rows):
        raise refuse(file, "these are queries (id, text), not a run", "Give the file as the queries.")
    names = _names(width, number, iteration, wanted)
    if names is None:
        do = "column does" if width == 1 else "columns do"
        what = f"there is no header line, and {width} {do} not make {KINDS[wanted].words}"
        raise refuse(file, what, f"Put the names of the columns above them: {KINDS[wanted].header}.")
    mapping = positional(names)
    read = ", ".join(MEANING[name].words for name in mapping.names.values() if name in MEANING)
    note = f"There is no header line; the columns were read as {read}."
    return replace(mapping, notes=(note,))


def _are_queries(rows: Cells) -> bool:
    """Whether rows of two cells are different ids and texts of several words."""
    texts = sum(" " in row[1].strip() for row in rows if len(row) > 1)
    return len({row[0] for row in rows}) == len(rows) and texts * 2 > len(rows)


def _names(width: int, number: Sequence[bool], iteration: bool, wanted: Wanted) -> list[str | None] | None:
    if wanted == "models" or width < 2:
        return None
    if wanted == "queries":
        return ["query_id", "weight" if width == 2 and number[1] else "text", *_numbered(width)[2:]]
    if wanted == "votes":
        return ["query_id", "vote"] if width == 2 else None
    if wanted == "judgments":
        if iteration:
            return ["query_id", None, "doc_id", "relevance"] if width == 4 else None
        return ["query_id", "doc_id", "relevance"] if width >= 3 else None
    if iteration:
        return ["query_id", None, "doc_id", "rank", "score"] if width >= 5 else None
    names: list[str | None] = ["query_id", "doc_id"]
    if width > 3 and number[2] and number[3]:
        names += ["rank", "score"]
    elif width > 2 and number[2]:
        names += ["score"]
    return names + _numbered(width)[len(names) :]


def _numbered(width: int) -> list[str | None]:
    return [f"column {j + 1}" for j in range(width)]


def _rank_or_score(grid: Grid) -> Grid:
    """The same Grid, its only number called rank where it counts 1, 2, 3, … (or 0, 1, 2, …) through each query."""
    if "score" not in grid.columns or "rank" in grid.columns or not grid.as_text:
        return grid
    values = as_numpy(grid.columns["score"])
    order, first, counts = _counting(grid, values)
    if not counts:
        return _no_grades(grid, values, order, first)
    columns = {name: column for name, column in grid.columns.items() if name != "score"}
    columns["rank"] = from_numpy(values.astype(np.int32))
    note = "The numbers count through each query and were read as ranks."
    return replace(grid, columns=columns, notes=(*grid.notes, note), as_text=None)


def _counting(grid: Grid, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """The rows by query, which of them are first, and whether the numbers count 1, 2, 3, … or 0, 1, 2, … in each."""
    query = codes(grid.columns["query_id"])
    order = np.argsort(query, kind="stable")
    first = np.concatenate(([True], query[order][1:] != query[order][:-1]))
    starts = np.flatnonzero(first)
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    counted = values[order] - place
    ones = np.array_equal(counted, np.ones(len(order))) or not counted.any()
    return order, first, bool(ones and place.any())


def _grades(grid: Grid) -> Grid:
    """The same Grid. ReadError where its only numbers are ranks or scores, and no grades."""
    if not pa.types.is_floating(grid.columns["relevance"].type):
        return grid
    values = as_numpy(grid.columns["relevance"])
    found = ""
    if _counting(grid, values)[2] and values.max() > 3:
        found = "ranks: they count through each query"
    elif np.count_nonzero(np.floor(values) != values) * 2 > len(values):
        found = "scores: most are no whole numbers"
    if found:
        what = f"the numbers are {found}, it seems"
        raise refuse(grid.name, what, "Give the file as a run, or put a header line with relevance above it.")
    return grid


def _no_grades(grid: Grid, values: np.ndarray, order: np.ndarray, first: np.ndarray) -> Grid:
    """The same Grid. ReadError where its only numbers are 0 to 4 and do not fall within each query: they are grades."""
    inside = values[order]
    small = bool(np.all((inside >= 0) & (inside <= 4) & (np.floor(inside) == inside)))
    if small and bool(np.any((np.diff(inside) > 0) & ~first[1:])):
        what = "the numbers are grades, it seems: whole, from 0 to 4, and not in order"
        raise refuse(grid.name, what, "Give the file as the judgments, or put a header line with score above it.")
    return grid
