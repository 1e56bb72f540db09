"""Text between commas, tabs, semicolons or bars, with and without a header line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import codes, from_strings
from rankdash.reading.columns.grid import IDS, NUMBERS, Grid
from rankdash.reading.columns.headings import Mapping, Wishes, match
from rankdash.reading.columns.headless import by_position
from rankdash.reading.columns.iterations import ITERATION
from rankdash.reading.columns.synonyms import mean_the_same
from rankdash.reading.columns.unnamed import with_grades, with_order
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import LimitError, Problem, ReadError, listed, refuse
from rankdash.reading.text.cells import Layout
from rankdash.reading.text.delimiters import Cells, Split, has_header, split
from rankdash.reading.text.first_lines import blank_lines
from rankdash.reading.text.lines import Lines, read_lines, read_with_quotes
from rankdash.reading.values.column_collector import bits
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import is_text
from rankdash.reading.words.blanks import BLANKS
from rankdash.reading.words.headings import Kind
from rankdash.strings.formulas import DISARMED, taken_back

#: What can be chosen by number while the other columns keep their places.
_CHOSEN = {"doc_id", "rank", "score"}
_NAMED_AGAIN = "The second line names the columns once more and was left out."
#: Whole numbers with a point before each three digits, as some countries write thousands, and others without any.
_POINTED, _WHOLE = re.compile(r"[1-9]\d{0,2}(\.\d{3})+"), re.compile(r"\d{1,3}")
#: A type behind each heading, as in the files of RecBole.
_TYPED = re.compile(r":(token|float)(_seq)?$")


def read_delimited(document: Document, kind: Kind) -> Grid:
    """Return the columns that the kind needs of a delimited text. ReadError when one is missing, or rows are uneven."""
    cut = split(document, kind)
    document, rows = cut.document, cut.rows
    chosen = document.options.header > 0 or _is_named(rows, document.options.columns)
    header = cut.numbered or chosen or has_header(rows, kind)
    again = header and _is_header(rows[0], rows[1:2], kind)
    blank = blank_lines(document)
    width, first = len(rows[0]), blank + int(not cut.numbered)
    if width > document.limits.columns:
        most = f"At most {document.limits.columns:,} are read."
        raise LimitError((Problem("too_large", document.name, f"there are {width:,} columns", first, allowed=most),))
    if header and len(rows) == 1 + again and document.size == len(document.head):
        raise refuse("empty", document.name, "there is a header but no row below it")
    headings = _headings(rows[0], document.options.columns) if header else ()
    mapping = _mapping(cut, headings, kind, first)
    layout = Layout(
        width,
        "\t" if cut.white else cut.delimiter,
        blank=blank,
        skip=header + again - cut.numbered,
        quoting=not cut.white and document.contains(b'"'),
    )
    where = "the header" if header else "the first row"
    read = read_with_quotes if layout.quoting and cut.delimiter == "\t" else read_lines
    grid = read(
        Lines(
            document,
            layout,
            mapping.names,
            mapping.called,
            headings,
            f"where {where} has {width}",
            (*mapping.notes, *[_NAMED_AGAIN][: int(again)], *_thousands(rows[header + again :], mapping)),
            words=width + 1 if cut.white else None,
            above=blank,
            worded=bool(document.options.grades) or _is_worded(rows[header + again :], mapping),
            numbers=mapping.undecided,
        )
    )
    grid = _as_written(replace(grid, delimiter=cut.delimiter))
    if header or kind not in ("run", "judgments"):
        return _checked(grid) if header else grid
    return with_grades(grid) if kind == "judgments" else with_order(grid, mapping.undecided, document.options.columns)


def _headings(row: Sequence[str], wishes: Wishes) -> tuple[str, ...]:
    """Return what the header calls the columns, as it was before it was made harmless for a spreadsheet, and without
    the types behind them.
    """
    headings = [cell.strip() for cell in row]
    if not {*headings} & {*wishes.values()} and all(map(_TYPED.search, headings)):
        headings = [_TYPED.sub("", heading) for heading in headings]
    return tuple(taken_back(from_strings(headings))[0].to_pylist() if DISARMED in headings else headings)


def _as_written(grid: Grid) -> Grid:
    """Return the Grid with the texts beside ids as they were before they were made harmless for a spreadsheet."""
    if not grid.is_harmless:
        return grid
    again = grid.as_text
    columns = {
        name: taken_back(column)[0] if name not in IDS and is_text(column.type) else column
        for name, column in grid.columns.items()
        if name != DISARMED
    }
    return replace(
        grid,
        columns=columns,
        as_text=again and (lambda: _as_written(replace(again(), delimiter=grid.delimiter))),
    )


def _checked(grid: Grid) -> Grid:
    """Return the Grid. ReadError where the header is repeated among rows without numbers."""
    if set(NUMBERS) & set(grid.columns) or not pa.types.is_dictionary(grid.columns["query_id"].type):
        return grid
    query, title = grid.columns["query_id"], grid.title("query_id")
    same = np.flatnonzero(bits(pc.is_in(query.dictionary, value_set=from_strings([title, f"\ufeff{title}"]))))
    if len(same):
        row = int(grid.row_of(np.flatnonzero(codes(query) == same[0])[:1])[0])
        do = "Take this line away."
        raise ReadError((Problem("malformed", grid.name, "the header stands here again", row, allowed=do),))
    return grid


def _is_named(rows: Cells, wishes: Wishes) -> bool:
    """Return whether a heading that was chosen stands in the first row."""
    headings = {heading for heading in wishes.values() if heading and not heading.isdecimal()}
    return any(cell.strip() in headings for row in rows[:1] for cell in row)


def _is_header(first: Sequence[str], rows: Cells, kind: Kind) -> bool:
    """Return whether a row has nothing but other names of the columns that the header names, and at least two of
    them.
    """
    cells = [(name, cell) for row in rows for name, cell in zip(first, row, strict=False) if cell.strip()]
    return len(cells) > 1 and mean_the_same(cells, kind)


def _mapping(cut: Split, headings: Sequence[str], kind: Kind, line: int) -> Mapping:
    """Return what the columns are: by their names, by the numbers that were chosen, or by their places."""
    document, rows = cut.document, cut.rows
    wishes = document.options.columns
    try:
        if headings:
            return match(document.name, headings, kind, wishes)
        chosen = _chosen(wishes, len(rows[0]))
        if chosen is not None:
            mapping = by_position(document.name, rows, kind, white=cut.white, chosen=chosen)
            return mapping.without(ITERATION) if ITERATION in wishes else mapping
        numbers = [f"column {j + 1}" for j in range(len(rows[0]))]
        by_number = {name: f"column {at}" if at.isdecimal() else at for name, at in wishes.items()}
        return match(document.name, numbers, kind, by_number)
    except ReadError as error:
        raise ReadError([replace(each, row=each.row or line) for each in error.problems], error.count) from None


def _chosen(wishes: Wishes, width: int) -> dict[str, int] | None:
    """Return the columns, from 0, that were chosen by number for the document, the rank or the score; None where
    another column was chosen, or a column by its name.
    """
    chosen = {name: heading.removeprefix("column ") for name, heading in wishes.items() if heading}
    by_number = all(at.isdecimal() and 1 < int(at) <= width for at in chosen.values())
    is_known = by_number and chosen.keys() <= _CHOSEN and len(set(chosen.values())) == len(chosen)
    return {name: int(at) - 1 for name, at in chosen.items()} if is_known else None


def _thousands(rows: Cells, mapping: Mapping) -> tuple[str, ...]:
    """Return notes on columns whose points may stand between thousands, by the first rows: "1.250" beside "900"."""
    notes = []
    for at, name in mapping.names.items():
        if name not in (*NUMBERS, "weight"):
            continue
        cells = [row[at].strip() for row in rows if at < len(row)]
        pointed = [cell for cell in cells if _POINTED.fullmatch(cell)]
        if pointed and len(pointed) < len(cells) and all(map(_WHOLE.fullmatch, {*cells} - {*pointed})):
            what = (
                f"Column {listed([mapping.called.get(name, name)])}: {listed(pointed[:1])} stands beside whole numbers"
            )
            notes.append(
                f"{what}, and was read with a decimal point; if it is more than a thousand, take the points away."
            )
    return tuple(notes)


def _is_worded(rows: Cells, mapping: Mapping) -> bool:
    """Return whether a grade among the first rows is a word."""
    at = next((i for i, name in mapping.names.items() if name == "relevance"), None)
    cells = (row[at].strip() for row in rows if at is not None and at < len(row))
    return any(cell not in BLANKS and not is_number(cell) for cell in cells)
