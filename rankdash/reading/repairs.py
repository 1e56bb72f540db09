"""Lines that are no part of a table: comments among the rows, remarks below them. Left out only where reading fails.

A line is left out by making it blank, so that rows keep their numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa

from rankdash.reading.document import LINE_ENDS, Document, in_memory
from rankdash.reading.problems import ReadError

Repair = Callable[[Document, ReadError], Document | None]

_COMMENT = re.compile(rb"#|//|%")
_MARKS = np.frombuffer(b"#/%", np.uint8)
_MOST_COMMENTS = 100_000
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|$)")
_MOST_FOOTER_LINES = 10
_LONGEST_FOOTER = 300
_TAIL = 1 << 16
_FOOTER = re.compile(
    r"[\W_]*(grand total|sub ?total|total|sum|count|average|mean|median|rows?|records?|lines?|results?|generated|"
    r"exported|created|printed|source|notes?|remarks?|legend|end|eof|page|copyright|confidential|report|elapsed|finished|"
    r"query (took|time))(?![A-Za-z0-9_]).*"
    r"|[\W_]*(合计|总计|总共|合計|総計|件数|共计|共|注|备注|来源|导出|生成|出典|注記).*"
    r"|\W*\d[\d,.]* *(rows?|records?|lines?|results?|queries|documents|行|条|件).*|[\W_]+",
    re.IGNORECASE | re.DOTALL,
)


def without_comments(document: Document, problem: ReadError) -> Document | None:
    """The document without the lines that begin with #, // or % and are no rows like others; None without any."""
    if not any(document.contains(mark) for mark in (b"#", b"%", b"/")):
        return None
    usual = _usual(document.head)
    out, comments, others = pa.BufferOutputStream(), 0, 0
    for block in document.line_blocks():
        kept, n, lines = _blanked(block, usual)
        comments, others = comments + n, others + lines - n
        if comments > _MOST_COMMENTS:
            return None
        out.write(kept)
    if not comments or not others:
        return None
    return in_memory(document, out.getvalue(), f"{_counted(comments, 'comment line')} left out.")


def _blanked(block: bytes, usual: tuple[bytes, int] | None) -> tuple[bytes, int, int]:
    """A block with its comments as blank lines; how many comments and lines with content it has."""
    values = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(LINE_ENDS[values])
    starts = np.concatenate(([0], ends + 1))
    starts = starts[starts < len(values)]
    lines = int(np.count_nonzero(~LINE_ENDS[values[starts]]))
    marked = starts[np.isin(values[starts], _MARKS)][: _MOST_COMMENTS + 1]
    parts: list[bytes] = []
    last = n = 0
    stops = np.append(ends, len(block))[np.searchsorted(ends, marked)]
    for start, end in zip(marked.tolist(), stops.tolist(), strict=True):
        line = block[start:end]
        if _COMMENT.match(line) and not (usual and line.count(usual[0]) == usual[1]):
            parts.append(block[last:start])
            last, n = end, n + 1
    return b"".join([*parts, block[last:]]), n, lines


def _usual(head: bytes) -> tuple[bytes, int] | None:
    """The delimiter that stands as often in most of the first lines that are no comments, and how often."""
    lines = [line for line in list(_lines(head))[:50] if line.strip() and not _COMMENT.match(line)]
    for delimiter in (b",", b"\t", b";", b"|"):
        counts = Counter(line.count(delimiter) for line in lines)
        if counts and (most := counts.most_common(1)[0])[0] and most[1] * 2 > len(lines):
            return delimiter, most[0]
    return None


def with_last_heading(document: Document, problem: ReadError) -> Document | None:
    """The document with one more, empty, heading, where every row ends with a delimiter that the header lacks."""
    lines = [line.rstrip(b"\r\n") for line in list(_lines(document.head))[:50]]
    filled = [line for line in lines if line.strip()][: -1 if document.size > len(document.head) else None]
    usual = _usual(b"\n".join(filled[1:]))
    if usual is None or len(filled) < 2 or filled[0].count(usual[0]) + 1 != usual[1]:
        return None
    if not all(line.endswith(usual[0]) and line.count(usual[0]) == usual[1] for line in filled[1:]):
        return None
    at = document.head.index(filled[0]) + len(filled[0])
    out = pa.BufferOutputStream()
    for part in (document.content(0, at), usual[0], document.content(at, document.size)):
        out.write(part)
    return in_memory(document, out.getvalue(), "Every row ends with a delimiter that the header lacks.")


def without_footer(document: Document, problem: ReadError) -> Document | None:
    """The document without the remarks at its end: the last lines, if each says so or holds only signs."""
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
    told = footer[-1].decode("utf-8", "replace").strip()[:40]
    note = f'{_counted(len(footer), "line")} below the table left out, beginning with "{told}".'
    return in_memory(document, data.getvalue(), note)


def _lines(block: bytes) -> Iterator[bytes]:
    return (found.group() for found in _LINE.finditer(block) if found.group())


def _counted(n: int, what: str) -> str:
    return f"1 {what} was" if n == 1 else f"{n:,} {what}s were"


#: Tried in this order, and together, where a text cannot be read as it is.
REPAIRS: tuple[Repair, ...] = (without_comments, with_last_heading, without_footer)


def repaired(document: Document, problem: ReadError) -> Iterator[Document]:
    """The document after each repair that changes it, and after all of them."""
    current = document
    for repair in REPAIRS:
        alone = repair(document, problem)
        if alone is not None:
            yield alone
            if current is not document:
                both = repair(current, problem)
                if both is not None:
                    yield both
            current = alone
