"""Lines that are no part of a table: comments among the rows, rules drawn between them, the header, remarks below.

Left out only where reading fails, or a rule is drawn at the top. A line is left out by making it blank, so that rows
keep their numbers.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.reading.source.document import LINE_ENDS, Document, in_memory
from rankdash.reading.source.problems import ReadError, printable
from rankdash.reading.text.first_lines import is_remark, is_rule, words_of
from rankdash.reading.words.footers import FOOTER

Repair = Callable[[Document], Document | None]

_COMMENT = re.compile(rb"#|//|%|\[[\w .-]+\]\s*$")
#: The first bytes of lines that may be no rows.
_MARKS = b"#/%[ \t\v\f|+-=:\xe2\xef"
_WHITE, _HEADER, _RULE, _REMARK = "white line", "header line further down", "line of signs", "comment line"
_MOST_REMARKS = 100_000
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|$)")
_MOST_FOOTER_LINES = 10
_LONGEST_FOOTER = 300
_TAIL = 1 << 16
#: How headers of Quepid begin, with commas or as spreadsheets save them, each with a line that has a query and nothing
#: behind it but empty cells.
_CELL, _CELL_WITH_SEMICOLONS = rb'(?:"(?:[^"]|"")+"|[^",][^,]*)', rb'(?:"(?:[^"]|"")+"|[^";][^;]*)'
_ALONE = (
    (re.compile(rb"query,docid,rating$"), re.compile(_CELL + rb",*")),
    (
        re.compile(rb"Team Name,Case Name,Case ID,Query Text,Doc ID,"),
        re.compile(rb"(?:" + _CELL + rb"?,){3}" + _CELL + rb",*"),
    ),
    (re.compile(rb"query;docid;rating$"), re.compile(_CELL_WITH_SEMICOLONS + rb";*")),
    (
        re.compile(rb"Team Name;Case Name;Case ID;Query Text;Doc ID;"),
        re.compile(rb"(?:" + _CELL_WITH_SEMICOLONS + rb"?;){3}" + _CELL_WITH_SEMICOLONS + rb";*"),
    ),
)
_FOOTER = re.compile(FOOTER, re.IGNORECASE | re.DOTALL)
#: The number of bytes that tells a repeated header from rows that begin with the same letter.
_TELLING = 16


def without_remarks(document: Document) -> Document | None:
    """Return the document without lines that are not rows, with a note on each kind; None where there are none."""
    top = next((line for line in _lines(document.head) if line.strip() and not _COMMENT.match(line)), b"")
    header = _bare(top)
    usual = _usual(document.head)
    marks = np.frombuffer(_MARKS + b'"', np.uint8)
    below = document.head.index(top) + len(top)
    out, counts, rows = pa.BufferOutputStream(), Counter[str](), 0
    for at, block in _blocks(document, below):
        kept, left_out, filled = _blanked(
            block, marks, header, partial(_kind, header=header if at else b"", usual=usual)
        )
        counts += left_out
        rows += filled - left_out.total()
        if counts.total() > _MOST_REMARKS:
            return None
        out.write(kept)
    if not counts or not rows:
        return None
    notes = [f"{_counted(n, what)} left out." for what, n in counts.items() if what != _WHITE]
    return in_memory(document, out.getvalue(), *notes)


def _blocks(document: Document, below: int) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes in blocks of whole lines, those up to ``below`` first, and where each begins."""
    at = 0
    for block in document.line_blocks():
        parts = (block[:below], block[below:]) if at == 0 else (block,)
        for part in filter(None, parts):
            yield at, part
            at += len(part)


def _bare(line: bytes) -> bytes:
    return line.strip().removeprefix(codecs.BOM_UTF8).strip()


def _kind(line: bytes, header: bytes, usual: tuple[bytes, int] | None) -> str:
    """Return what a line is that is no row: white space, a comment, a line of signs, the header; "" for a row."""
    text = _bare(line)
    if not text:
        return _WHITE
    if text == header:
        return _HEADER
    if is_rule(text[:10_000].decode("utf-8", "replace")):
        return _RULE
    if not _COMMENT.match(line) or (usual and line.count(usual[0]) == usual[1] and not _is_signed(line, usual[0])):
        return ""
    return _REMARK


def _is_signed(line: bytes, delimiter: bytes) -> bool:
    """Return whether a line with as many words as a row is a comment of a TREC file all the same."""
    return delimiter == b" " and is_remark(words_of(line.decode("utf-8", "replace")))


def _blanked(
    block: bytes, marks: npt.NDArray[np.uint8], header: bytes, kind: Callable[[bytes], str]
) -> tuple[bytes, Counter[str], int]:
    """Return a block with blank lines in the place of those that are no rows, their kinds, and all lines
    with content.
    """
    values = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(LINE_ENDS[values])
    starts = np.concatenate(([0], ends + 1))
    starts = starts[starts < len(values)]
    starts = starts[~LINE_ENDS[values[starts]]]
    marked = starts[np.isin(values[starts], marks) | _begin_with(header[:_TELLING], values, starts)]
    stops = np.append(ends, len(block))[np.searchsorted(ends, marked)]
    parts: list[bytes] = []
    kinds: Counter[str] = Counter()
    last = 0
    for start, end in zip(marked.tolist(), stops.tolist(), strict=True):
        if what := kind(block[start:end]):
            parts.append(block[last:start])
            last = end
            kinds[what] += 1
    return b"".join([*parts, block[last:]]), kinds, len(starts)


def _begin_with(text: bytes, values: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return whether a text stands at each of the starts; (starts,) bool."""
    result = np.full(len(starts), bool(text))
    for at, byte in enumerate(text):
        result &= values[np.minimum(starts + at, len(values) - 1)] == byte
    return result


def _usual(head: bytes) -> tuple[bytes, int] | None:
    """Return the delimiter that stands as often in most of the first lines that are no comments, and how often."""
    lines = [line for line in list(_lines(head))[:50] if line.strip() and not _COMMENT.match(line)]
    for delimiter in (b",", b"\t", b";", b"|", b" "):
        counts = Counter(line.count(delimiter) for line in lines)
        if counts and (most := counts.most_common(1)[0])[0] and most[1] * 2 > len(lines):
            return delimiter, most[0]
    return None


def without_queries_alone(document: Document) -> Document | None:
    """Return the document without lines that have a query and no document, as Quepid writes those without ratings or
    results.

    None where there are none, where its header is not that of Quepid, and where a quoted cell does not end.
    """
    header = next((_bare(line) for line in _lines(document.head) if line.strip()), b"")
    alone = next((query for begins, query in _ALONE if begins.match(header)), None)
    if alone is None:
        return None
    out, number, is_quoted = pa.BufferOutputStream(), 0, False
    for line in _lines(bytes(document.content(0, document.size))):
        bare = line.rstrip(b"\r\n")
        is_alone = not is_quoted and alone.fullmatch(bare) is not None
        number += is_alone
        out.write(line[len(bare) :] if is_alone else line)
        is_quoted ^= line.count(b'"') % 2 == 1
    if is_quoted or not number:
        return None
    note = "1 query has no documents." if number == 1 else f"{number:,} queries have no documents."
    return in_memory(document, out.getvalue(), note)


def with_missing_heading(document: Document) -> Document | None:
    """Return the document with one more, empty, heading, where every row has a cell more than the header.

    That is a delimiter at the end of each row, or a row number, as R and pandas write it, at its beginning.
    """
    lines = [line.rstrip(b"\r\n") for line in list(_lines(document.head))[:50]]
    filled = [line for line in lines if line.strip()][: -1 if document.size > len(document.head) else None]
    usual = _usual(b"\n".join(filled[1:]))
    if usual is None or len(filled) < 2 or filled[0].count(usual[0]) + 1 != usual[1]:
        return None
    rows = filled[1:]
    first = document.head.index(filled[0])
    if all(line.endswith(usual[0]) and line.count(usual[0]) == usual[1] for line in rows):
        at, note = first + len(filled[0]), "Every row ends with a delimiter that the header lacks."
    elif _are_counted([line.split(usual[0])[0] for line in rows]):
        at, note = first, "Every row begins with its number, which the header lacks."
    else:
        return None
    out = pa.BufferOutputStream()
    for part in (document.content(0, at), usual[0], document.content(at, document.size)):
        out.write(part)
    return in_memory(document, out.getvalue(), note)


def _are_counted(cells: list[bytes]) -> bool:
    """Return whether cells are 0, 1, 2, … or 1, 2, 3, …."""
    bare = [cell.strip(b'" ') for cell in cells]
    return any(bare == [b"%d" % n for n in range(first, first + len(bare))] for first in (0, 1))


def with_doubled_quotes(document: Document) -> Document | None:
    """Return the document with doubled quotes in place of quotes behind a backslash; None where there are none."""
    content = bytes(document.content(0, document.size))
    if b'\\"' not in content:
        return None
    made = content.replace(b'\\"', b'""')
    return in_memory(document, pa.py_buffer(made), r"Quotes written as \" were read as quotes within a cell.")


def without_footer(document: Document) -> Document | None:
    """Return the document without remarks at its end: last lines that say so, or consist of signs."""
    start = max(document.size - _TAIL, 0)
    tail = list(_lines(bytes(document.content(start, document.size))))
    footer: list[bytes] = []
    for line in reversed(tail):
        text = line.decode("utf-8", "replace").strip().strip('"')
        if text.strip(',;|\t" ') and (len(text) > _LONGEST_FOOTER or not _FOOTER.fullmatch(text)):
            break
        if text:
            footer.append(line)
        if len(footer) > _MOST_FOOTER_LINES:
            return None
    if not footer:
        return None
    cut = len(tail) - next(i for i, line in enumerate(reversed(tail)) if line is footer[-1]) - 1
    if cut <= 0:
        return None
    kept = b"".join(tail[:cut])
    data = pa.BufferOutputStream()
    data.write(document.content(0, start))
    data.write(kept)
    beginning = printable(footer[-1].decode("utf-8", "replace").strip()[:40])
    note = f'{_counted(len(footer), "line")} below the table left out, beginning with "{beginning}".'
    return in_memory(document, data.getvalue(), note)


def _lines(block: bytes) -> Iterator[bytes]:
    return (line.group() for line in _LINE.finditer(block) if line.group())


def _counted(n: int, what: str) -> str:
    return f"1 {what} was" if n == 1 else f"{n:,} {what}s were"


#: Tried in this order, and together, where a text cannot be read as it is.
REPAIRS: tuple[Repair, ...] = (
    without_queries_alone,
    without_remarks,
    with_missing_heading,
    without_footer,
    with_doubled_quotes,
)


def _tried(repair: Repair, document: Document) -> Document | None:
    """Return the repaired document; None where its lines are beyond the limits."""
    with suppress(ReadError):
        return repair(document)
    return None


def repaired(document: Document) -> Iterator[Document]:
    """Yield the document after each repair that changes it, and after all of them so far."""
    current = document
    for repair in REPAIRS:
        alone = _tried(repair, document)
        together = _tried(repair, current) if current is not document else alone
        if alone is not None:
            yield alone
        if together is not None:
            if current is not document:
                yield together
            current = together
