"""A first look at a text: its first lines."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from rankdash.reading.source.document import Document
from rankdash.reading.source.encodings import not_utf8
from rankdash.reading.source.problems import NotUtf8Error, Problem, ReadError, refuse

#: How many lines decide what a text is.
LINES = 50
#: The second words of TREC runs and qrels, as they are mostly written.
ITERATIONS = ("q0", "0")
_LINE_END = re.compile(r"\r\n|\n|\r")
_STROKES = frozenset("-=─━═")
_DRAWN = _STROKES | frozenset("|+: \t│┃║┼╪╬├┤┌┐└┘┬┴╞╡╔╗╚╝╠╣╦╩╟╢")


@dataclass(frozen=True)
class Head:
    """The beginning of a ``text``: its ``lines``, and the ``first`` of those that are not blank, at most 50."""

    text: str
    lines: list[str]
    first: list[str]


def has_rule(lines: Iterable[str]) -> bool:
    """Return whether one of the lines is only drawn."""
    return any(map(is_rule, lines))


def is_rule(line: str) -> bool:
    """Return whether a line is only drawn, as between the header and the rows of a printed table."""
    text = line.strip()
    signs = set(text)
    if not signs <= _DRAWN or not signs & _STROKES:
        return False
    return text[0] in "|+" or any(stroke * 3 in text for stroke in _STROKES)


def first_text(document: Document) -> str:
    """Return the text of the first lines, whole lines as far as there are any. ReadError where it is not UTF-8 text."""
    head = document.head.removeprefix(codecs.BOM_UTF8)
    whole = document.size == len(document.head)
    if not whole:
        head = head[: head.rfind(b"\n") + 1] or head
    try:
        text, _ = codecs.utf_8_decode(head, "strict", whole)
    except UnicodeDecodeError:
        row = document.first_row_not_utf8()
        raise NotUtf8Error((not_utf8(document, row or 1),)) from None
    if "\0" in text:
        problem = Problem(
            "unsupported",
            document.name,
            "this is not a text file: it holds zero bytes",
            text.count("\n", 0, text.index("\0")) + 1,
            allowed="Give TREC, CSV, TSV, JSON, Excel or Parquet.",
        )
        raise ReadError((problem,))
    if document.above:
        text = _LINE_END.split(text, maxsplit=document.above)[-1]
    if not text.strip():
        raise refuse("empty", document.name, "the file is empty")
    return text


def head_of(document: Document) -> Head:
    """Return the beginning of the text of a document. ReadError where it is not UTF-8 text."""
    text = first_text(document)
    lines = lines_of(text)
    return Head(text, lines, list(islice(filter(str.strip, lines), LINES)))


def first_lines(document: Document) -> list[str]:
    """Return the first lines that are not blank, at most 50."""
    return head_of(document).first


def blank_lines(document: Document) -> int:
    """Return the number of lines above the first line that is part of the table."""
    return document.above + next(i for i, line in enumerate(head_of(document).lines) if line.strip())


def lines_of(text: str) -> list[str]:
    """Return the first lines of a text that is not blank, at least one of them with content.

    (str.splitlines would also split at characters that are allowed in ids and titles.)
    """
    lines = _LINE_END.split(text, maxsplit=4 * LINES)
    return lines[: 4 * LINES] if any(map(str.strip, lines[: 4 * LINES])) else _LINE_END.split(text)


def is_remark(words: Sequence[str]) -> bool:
    """Return whether the words of a line are a comment in a TREC file: a # alone, and no second word of a row."""
    return words[0] == "#" and (len(words) == 1 or words[1].lower() not in ITERATIONS)


def words_of(line: str) -> list[str]:
    """Return the words between ASCII white space, as trec_eval separates them."""
    return re.findall(r"[^ \t\n\v\f\r]+", line)
