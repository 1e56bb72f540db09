"""The words of TREC files, with regular white space between them or not; a comment is no row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import Problem, ReadError
from rankdash.reading.text.first_lines import is_remark, words_of
from rankdash.reading.text.lines import Lines, read_as_text, read_lines, read_typed
from rankdash.reading.values.column_collector import UnfitError
from rankdash.reading.values.parsing import as_text, encoded

_BLOCK = 1 << 20


def read_words(irregular: Lines, lines: Sequence[str], normalised: Callable[[Lines], Grid] = read_lines) -> Grid:
    """Return the Grid of the file as it is if all lines are regular, else with white space ``normalised``; the result
    is the same.
    """
    strict = strict_lines(irregular, lines)
    if strict is not None:
        try:
            grid = read_typed(strict, lambda: read_as_text(irregular))
            if strict.layout.delimiter == " " and has_blanks(grid):
                raise UnfitError("white space within an id")
            return grid
        except UnfitError:
            pass
    return normalised(irregular)


def strict_lines(irregular: Lines, lines: Sequence[str]) -> Lines | None:
    """Return how the file is read as it is; None where the first lines are not regular."""
    delimiter = _regular(lines, irregular.layout.width)
    if not delimiter:
        return None
    width = len(lines[0].split(delimiter))
    layout = replace(irregular.layout, width=width, delimiter=delimiter, strict=True)
    return replace(irregular, layout=layout, words=None)


def _regular(lines: Sequence[str], width: int) -> str:
    """Return the only character between the words of all first lines; "" where there are several."""
    for delimiter in ("\t", " "):
        rows = [line.split(delimiter) for line in lines]
        if all(len(row) == len(rows[0]) >= width and all(row) for row in rows):
            return delimiter
    return ""


def has_blanks(grid: Grid) -> bool:
    """Return whether an id holds white space, which then separates two words."""
    texts = (Text.of(grid.columns["query_id"].dictionary), Text.of(grid.columns["doc_id"]))
    used = (text.data[: int(text.offsets[-1])] for text in texts)  # a short array has zeros behind its bytes
    blocks = (data[at : at + _BLOCK] for data in used for at in range(0, len(data), _BLOCK))
    return any(bool(block.min() <= 32) for block in blocks)


def check_remarks(document: Document, grid: Grid) -> Grid:
    """Return the Grid. ReadError where a comment with as many words as a row was read as one."""
    if not has_sign(encoded(as_text(grid.columns["query_id"])[0]).dictionary):
        return grid
    number = 0
    for block in document.line_blocks():
        for line in block.decode("utf-8", "replace").splitlines():
            number += 1
            words = words_of(line)
            if words and is_remark(words):
                what, do = "is a comment among the rows", "Remove the lines that begin with # and a blank."
                raise ReadError((Problem("malformed", document.name, what, number, found=line[:40], allowed=do),))
    return grid


def has_sign(queries: pa.Array) -> bool:
    """Return whether one of the ids is # alone."""
    return bool(pc.any(pc.match_substring_regex(queries, "^#$")).as_py())
