"""Quoted cells that span lines: on which line each record begins, and quotes that swallow the rows below them.

A quote that is never closed, or closed by a quote of another row, would take whole rows into one cell without a word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.reading.source.document import LINE_ENDS, Document, in_memory
from rankdash.reading.source.problems import Problem, ReadError, Rows, refuse
from rankdash.reading.values.numerals import is_number

_QUOTE = 34
#: Larger texts are not loaded to search for rows inside a cell; only the number of their quotes is checked.
_LARGEST = 1 << 28
_LINE_END = re.compile(rb"\r\n|\n|\r")
#: How tables of Quepid begin in which a cell is enclosed only where it holds a comma or a line end, while the quotes of
#: every cell are doubled; their cells, and runs of quotes. An enclosed cell begins with an odd number of quotes.
_QUEPID = (b"Snapshot Name,Snapshot Time,Case ID,Query Text,", b"Team Name,Case Name,Case ID,Query Text,")
_ITS_CELL = re.compile(rb'"(?:"")*(?!")(?:[^"]|"")*"(?=[,\r\n]|\Z)|([^,\r\n]+)')
_QUOTES = re.compile(rb'"+')
_REST = re.compile(rb'[^"]*(?:""[^"]*)*')
_MARK = b"\xef\xbb\xbf"
_NEWLINE, _RETURN = b"\n\r"
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class QuotedCells:
    """The quoted cells with line ends of a text: where each begins, with its quote, and ends, behind its quote.

    ``closed`` is False where the last one is not closed; ``ended`` is False for those that do not end with their quote.
    """

    begin: Places
    end: Places
    closed: bool
    ended: npt.NDArray[np.bool_]


def enclosed(document: Document) -> Document:
    """Return a table of Quepid with quotes around the cells whose quotes it doubled without enclosing them.

    Any other document as it is, and one in which quotes stand alone in such a cell: somebody else wrote these.
    """
    if not document.head.removeprefix(_MARK).startswith(_QUEPID) or not document.contains(b'""'):
        return document
    is_doubled, number = True, 0

    def in_quotes(cell: re.Match[bytes]) -> bytes:
        nonlocal is_doubled, number
        text = cell[1] or b""
        if b'"' not in text or not text.strip(b'"'):
            return cell[0]
        is_doubled &= all(len(run) % 2 == 0 for run in _QUOTES.findall(text))
        number += 1
        return b'"%s"' % text

    content = _ITS_CELL.sub(in_quotes, bytes(document.content(0, document.size)))
    if not number or not is_doubled:
        return document
    cells = "1 cell was" if number == 1 else f"{number:,} cells were"
    return in_memory(
        document, pa.py_buffer(content), f"{cells} read with single quotes: Quepid doubles those of every cell."
    )


def spans_lines(document: Document, rows: int) -> bool:
    """Return whether there are more lines than ``rows``, so that some are blank or lie within a cell."""
    lines = returns = 0
    last = b""
    with document.stream() as stream:
        while block := stream.read(1 << 20):
            values = np.frombuffer(block, np.uint8)  # ends are frequent: counting them in numpy is three times as fast
            lines += int(np.count_nonzero(values == _NEWLINE))
            returns += 0 if lines else int(np.count_nonzero(values == _RETURN))
            last = block[-1:]
    return (lines or returns) + (last not in (b"\n", b"\r")) > rows


def record_lines(document: Document, delimiter: str) -> Rows:
    """Return the line, from 1, on which each record below ``document.above`` begins, (records,), without empty lines.

    No records of a text of more than 256 MB.
    """
    if document.size > _LARGEST:
        return np.zeros(0, np.int64)
    content = bytes(document.content(0, document.size))
    cells = _cells(content, delimiter.encode())
    ends = _line_ends(content)
    starts = np.concatenate(([0], ends + 1))
    inside = np.searchsorted(cells.begin, starts, "right") > np.searchsorted(cells.end, starts, "right")
    begun = starts < len(content)
    values = np.frombuffer(content, np.uint8)
    filled = begun & ~LINE_ENDS[values[np.minimum(starts, len(content) - 1)]]
    lines = np.flatnonzero(filled & ~inside) + 1
    return lines[lines > document.above]


def check_quotes(document: Document, delimiter: str, headings: tuple[str, ...], numeric: Collection[int]) -> None:
    """Raise ReadError where a quote is not closed, or closes in the middle of a later row, or the cell holds whole
    rows.

    ``numeric`` columns have numbers: a line within a cell that has them in their places is a row.
    """
    if document.size > _LARGEST:
        if sum(block.count(b'"') for block in document.line_blocks()) % 2:
            raise refuse("malformed", document.name, "a quote is never closed", "There is an odd number of them.")
        return
    content, sign = bytes(document.content(0, document.size)), delimiter.encode()
    cells = _cells(content, sign)
    signs = np.flatnonzero(np.frombuffer(content, np.uint8) == sign[0])
    within = np.searchsorted(signs, cells.end) - np.searchsorted(signs, cells.begin)
    doubtful = (within >= max(numeric, default=1)) | ~cells.ended
    doubtful[len(doubtful) - 1 + cells.closed :] = True
    for place in np.flatnonzero(doubtful).tolist():
        begin, end = int(cells.begin[place]), int(cells.end[place])
        closed = cells.closed or place < len(doubtful) - 1
        column, first = _column(content, begin, cells, place, sign)
        rows = _rows_in(content[begin + 1 : end], sign, column, first, numeric)
        if closed and bool(cells.ended[place]) and not rows:
            continue
        line = len(_LINE_END.findall(content[:begin])) + 1
        last = line + len(_LINE_END.findall(content[begin:end]))
        what = "a quote is never closed and takes in the rows below"
        if closed:
            what = f"a quote opens this cell and closes on line {last:,}, with rows between"
        do = "Take it away, write it twice inside a cell that has quotes around it, or export the table anew."
        heading = headings[column] if column < len(headings) else None
        raise ReadError((Problem("malformed", document.name, what, line, heading, allowed=do),))


def _rows_in(text: bytes, sign: bytes, column: int, first: bytes, numeric: Collection[int]) -> bool:
    """Return whether a line within a cell is a row: it begins with the same cell, or has numbers where rows have
    them.
    """
    below = (line for line in _LINE_END.split(text)[1:] if line.count(sign) >= column)
    return any((first and line.startswith(first)) or _is_row(line.split(sign), numeric) for line in below)


def _is_row(cells: Sequence[bytes], numeric: Collection[int]) -> bool:
    numbers = [cells[column].decode("utf-8", "replace") for column in numeric if column < len(cells)]
    return bool(cells[0].strip()) and bool(numbers) and all(map(is_number, numbers))


def _column(content: bytes, begin: int, cells: QuotedCells, place: int, sign: bytes) -> tuple[int, bytes]:
    """Return the column of a cell, from 0, as far as the delimiters before it tell, and the first cell of
    its record.
    """
    start = max(content.rfind(b"\n", 0, begin), content.rfind(b"\r", 0, begin)) + 1
    while place and start <= cells.end[place - 1] and start > cells.begin[place - 1]:
        place -= 1
        start = max(content.rfind(b"\n", 0, int(cells.begin[place])), content.rfind(b"\r", 0, int(cells.begin[place])))
        start += 1
    before = re.sub(rb'"[^"]*"', b"", content[start:begin])
    return before.count(sign), content[start:begin].split(sign)[0] + sign if before else b""


def _line_ends(content: bytes) -> Places:
    """Return the last byte of each line end."""
    values = np.frombuffer(content, np.uint8)
    ends = np.flatnonzero(LINE_ENDS[values])
    pairs = (values[ends] == 13) & (values[np.minimum(ends + 1, len(values) - 1)] == 10) & (ends + 1 < len(values))
    result: Places = ends[~pairs]
    return result


def _cells(content: bytes, sign: bytes) -> QuotedCells:
    """Return the quoted cells that hold line ends."""
    values = np.frombuffer(content, np.uint8)
    quotes = np.flatnonzero(values == _QUOTE)
    begin, end, closed = _in_pairs(content, values, quotes, sign) or _one_by_one(content, values, quotes, sign)
    ends = _line_ends(content)
    spanning = np.searchsorted(ends, begin) < np.searchsorted(ends, end)
    begin, end = begin[spanning], end[spanning]
    after = values[np.minimum(end, len(values) - 1)]
    ended = (end >= len(values)) | LINE_ENDS[after] | (after == sign[0]) | (after == 32)
    return QuotedCells(begin, end, closed or not spanning[-1:].any(), ended)


Spans = tuple[Places, Places, bool]


def _in_pairs(content: bytes, values: npt.NDArray[np.uint8], quotes: Places, sign: bytes) -> Spans | None:
    """Return where cells begin and end in a text whose quotes are all around cells or doubled inside; else None."""
    if len(quotes) % 2:
        return None
    opening, closing = quotes[0::2], quotes[1::2]
    beside = LINE_ENDS.copy()
    beside[[_QUOTE, sign[0]]] = True
    good = (opening == _start(content)) | beside[values[np.maximum(opening - 1, 0)]]
    good &= (closing == len(values) - 1) | beside[values[np.minimum(closing + 1, len(values) - 1)]]
    if not good.all():
        return None
    apart = opening[1:] != closing[:-1] + 1
    begin = np.concatenate(([True], apart))[: len(opening)]
    end = np.append(apart, True)[: len(closing)]
    return opening[begin], closing[end] + 1, True


def _one_by_one(content: bytes, values: npt.NDArray[np.uint8], quotes: Places, sign: bytes) -> Spans:
    """Return the same of any text: a quote opens a cell only at its beginning."""
    beside = LINE_ENDS.copy()
    beside[sign[0]] = True
    at_start = (quotes == _start(content)) | beside[values[np.maximum(quotes - 1, 0)]]
    opening = quotes[at_start].tolist()
    begin: list[int] = []
    end: list[int] = []
    place, closed = 0, True
    while place < len(opening):
        rest = _REST.match(content, opening[place] + 1)
        stop = rest.end() if rest else len(content)
        closed = stop < len(content)
        begin.append(opening[place])
        end.append(min(stop + 1, len(content)))
        place = bisect_left(opening, end[-1], place + 1)
    return np.array(begin, np.int64), np.array(end, np.int64), closed


def _start(content: bytes) -> int:
    return len(_MARK) if content.startswith(_MARK) else 0
