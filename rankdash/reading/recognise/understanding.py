"""What was understood of a source, for people who want to check it, and correct it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from rankdash.reading.attempts import form_of_text
from rankdash.reading.binary import workbooks
from rankdash.reading.columns.grid import Grid
from rankdash.reading.formats import TEXTS
from rankdash.reading.source import archives
from rankdash.reading.source.document import Document, opened
from rankdash.reading.source.encodings import guessed
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.options import Options
from rankdash.reading.source.problems import ReadError
from rankdash.reading.source.recoding import as_utf8
from rankdash.reading.source.signatures import marked, signature_of
from rankdash.reading.text.first_lines import first_lines
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, encoded, is_text
from rankdash.reading.words.blanks import BLANKS
from rankdash.reading.words.headings import MEANING

NUMBERS_ALONE = "numbers"
_MOST_WORDS = 50
_DELIMITED = {
    ",": "CSV",
    "\t": "TSV",
    ";": "CSV with semicolons",
    "|": "text with bars",
    " ": "text with white space",
}


@dataclass(frozen=True)
class Understood:
    """How a source was understood.

    ``format`` is for people ("CSV", "Excel workbook", ``NUMBERS_ALONE``), ``encoding`` that of its text ("" for binary
    formats), ``sheets`` those of a workbook, ``members`` those of an archive. ``headings`` are in the order of the
    source; ``columns`` are pairs of a meaning and the heading read as it; ``words`` are the words used as grades, at
    most 50.
    """

    format: str = ""
    encoding: str = ""
    sheets: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()

    def with_grid(self, grid: Grid) -> Understood:
        """Return the same with what the columns mean, as a reader understood it."""
        named = {meaning: heading for meaning, heading in grid.called.items() if meaning in MEANING}
        return replace(
            self,
            format=_DELIMITED.get(grid.delimiter, self.format) if self.format == TEXTS[-1].name else self.format,
            headings=grid.headings,
            columns=tuple(named.items()),
            words=_words(grid),
        )


def form_of(source: Any, limits: Limits, options: Options) -> Understood:
    """Return the form of a file: its format, encoding, sheets and members. What cannot be told stays empty."""
    with suppress(ReadError), opened(source, limits, options) as document:
        return form_of_document(document)
    return Understood()


def form_of_document(document: Document) -> Understood:
    """Return the same of a file that is open."""
    result = Understood()
    with suppress(ReadError):
        sign = signature_of(document.head)
        if sign.role in ("archive", "workbook") and workbooks.is_workbook(document):
            return Understood("Excel workbook", sheets=_names(workbooks.sheet_names, document))
        if sign.name == "zip":
            result = Understood("zip archive", members=_names(archives.member_names, document))
            document = archives.member_of(document)
            if workbooks.is_workbook(document):
                sheets = _names(workbooks.sheet_names, document)
                return replace(result, format="Excel workbook", sheets=sheets)
            sign = signature_of(document.head)
        if sign.role == "table":
            return replace(result, format=sign.name)
        encoding, text = _as_text(document)
        result = replace(result, encoding=encoding)
        result = replace(result, format=_format(text))
    return result


def _names(listed: Callable[[Document], tuple[str, ...]], document: Document) -> tuple[str, ...]:
    """Return what a workbook or an archive holds; nothing where it cannot be opened."""
    with suppress(ReadError):
        return listed(document)
    return ()


def _as_text(document: Document) -> tuple[str, Document]:
    """Return the encoding of a text, and the text in UTF-8."""
    options = document.options
    mark = options.encoding or marked(document.head).upper()
    if mark:
        return mark, as_utf8(document)
    try:
        first_lines(document)
    except ReadError:
        content = bytes(document.content(0, min(document.size, 1 << 20)))
        for name, codec in guessed(content[: content.rfind(b"\n") + 1] or content):
            with suppress(ReadError):
                return name, as_utf8(replace(document, options=replace(options, encoding=codec)))
        raise
    return "UTF-8", document


def _format(text: Document) -> str:
    lines = [line.split() for line in first_lines(text)]
    numbers = [len(words) == 1 and is_number(words[0]) for words in lines]
    headed = len(lines) > 1 and len(lines[0]) == 1 and lines[0][0].isidentifier()
    if all(numbers) or (headed and all(numbers[1:])):
        return NUMBERS_ALONE
    return form_of_text(text).name


def _words(grid: Grid) -> tuple[str, ...]:
    """Return the words of the column of grades that are no numbers, in order of appearance."""
    column = grid.columns.get("relevance")
    if column is None or not (is_text(column.type) or pa.types.is_dictionary(column.type)):
        return ()
    try:
        values = encoded(as_text(column)[0]).dictionary.to_pylist()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return ()
    words = [word for word in values if not is_number(word) and word.strip().casefold() not in _BLANKS]
    return tuple(words[:_MOST_WORDS])


_BLANKS = frozenset(blank.casefold() for blank in BLANKS)
