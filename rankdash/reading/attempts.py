"""From a document to a table: the format is determined once, then the document can be read as several kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rankdash.reading.columns.grid import Grid, bounded
from rankdash.reading.columns.interactions import TIMED, without_times
from rankdash.reading.columns.iterations import SubtopicsError
from rankdash.reading.columns.raters import RATED, averaged
from rankdash.reading.columns.wide_tables import FOR, unfolded
from rankdash.reading.formats import BINARY, TEXTS, Format
from rankdash.reading.source.document import Document
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.problems import LimitError, NotUtf8Error, ReadError, no_memory, refuse
from rankdash.reading.source.recoding import as_utf8, from_guess
from rankdash.reading.source.signatures import marked, signature_of
from rankdash.reading.tables.grades import graded
from rankdash.reading.text.first_lines import first_lines
from rankdash.reading.text.quoted_records import enclosed
from rankdash.reading.words.headings import Kind

#: Other ways of reading a text do not mend these.
_FINAL = (NotUtf8Error, LimitError, SubtopicsError)
_PACKED_TWICE = ("the file is packed twice", "Pack it once, as .gz or .zip.")


@dataclass(frozen=True)
class Looked:
    """A document with its format, unpacked and in UTF-8.

    ``form`` is the format of a text, ``name`` that of a binary file. A workbook has neither, because each of its sheets
    is read as a text.
    """

    document: Document
    form: Format | None = None
    name: str = ""


@dataclass(frozen=True)
class ReadOutcome:
    """The result of reading a document as one kind of table: a ``table`` or an ``error``.

    ``grid`` is what the format's reader returned, before words became grades; None where reading failed earlier.
    """

    table: Any = None
    error: ReadError | None = None
    grid: Grid | None = None

    def result(self) -> Any:
        """Return the table. ReadError where there is none."""
        if self.error is not None:
            raise self.error
        return self.table


@dataclass(frozen=True)
class Request:
    """The kind of table to read from a document, and the function that builds it from a Grid.

    ``grades`` are those of words. With ``rows`` other than 0 only that many rows are read.
    """

    kind: Kind
    build: Callable[[Grid], Any]
    limits: Limits
    grades: Mapping[str, float]
    rows: int = 0

    def outcome(self, grid: Grid) -> ReadOutcome:
        """Return the outcome for a Grid that a format's reader returned."""
        try:
            grid = grid.first(self.rows) if self.rows else grid
            if any(name.startswith(RATED) for name in grid.columns):
                grid = averaged(grid)
            elif any(name.startswith(TIMED) for name in grid.columns):
                grid = without_times(grid)
            elif any(FOR in name for name in grid.columns):
                grid = unfolded(grid, self.kind, self.limits.rows)
            grid = bounded(grid, self.limits)
        except ReadError as error:
            return ReadOutcome(error=error)
        try:
            return ReadOutcome(self._built(grid), grid=grid)
        except ReadError as error:
            return ReadOutcome(error=error, grid=grid)

    def _built(self, grid: Grid) -> Any:
        """Return what is built; explain problems from the text of the cells, where there is one."""
        if "relevance" in grid.columns:
            grid = graded(grid, self.grades)
        try:
            return self.build(grid)
        except ReadError:
            if grid.as_text is None:
                raise
            return self.build(grid.as_text())


def looked_at(document: Document) -> Looked:
    """Return the document unpacked and in UTF-8, with its format by the first bytes and lines.

    ReadError where it is no table, or an archive of several files.
    """
    sign = signature_of(document.head)
    if sign.role == "archive":
        document = _member_of(document)
        sign = signature_of(document.head)
    if sign.role == "packing":
        raise refuse("unsupported", document.name, *_PACKED_TWICE)
    if sign.role == "other":
        raise refuse("unsupported", document.name, sign.what, sign.do)
    if sign.role == "table":
        return Looked(document.held(), name=sign.name)
    if sign.role != "text":
        return Looked(document)
    if document.options.encoding or marked(document.head):
        document = as_utf8(document)
    try:
        return _text(document)
    except NotUtf8Error as problem:
        return _text(from_guess(document, problem))


def _text(document: Document) -> Looked:
    document = enclosed(document)
    return Looked(document, form_of_text(document))


def _member_of(document: Document) -> Document:
    """Return the one file in an archive, or a workbook as it is. ReadError for several files, or packed twice."""
    from rankdash.reading.binary.workbooks import is_workbook
    from rankdash.reading.source.archives import member_of

    if is_workbook(document):
        return document
    member = member_of(document)
    sign = signature_of(member.head)
    if sign.role == "archive" and not is_workbook(member):
        raise refuse("unsupported", member.name, *_PACKED_TWICE)
    return member


def attempt(looked: Looked, request: Request) -> ReadOutcome:
    """Return the outcome of reading a document as a kind of table."""
    document = looked.document
    try:
        if looked.name:
            return request.outcome(BINARY[looked.name](document, request.kind))
        if looked.form is None:
            from rankdash.reading.binary import workbooks

            sheet = workbooks.as_text(document, request.kind)
            return _of_text(sheet, form_of_text(sheet), request)
        outcome = _of_text(document, looked.form, request)
        if isinstance(outcome.error, NotUtf8Error):
            document = from_guess(document, outcome.error)
            outcome = _of_text(document, form_of_text(document), request)
    except ReadError as error:
        return ReadOutcome(error=error)
    except MemoryError:
        if request.limits.apart:  # its caller says how much it may take
            raise
        return ReadOutcome(error=no_memory(document.name))
    return outcome


def form_of_text(document: Document) -> Format:
    """Return the format of a text. With a delimiter it is a table."""
    if document.delimiter:
        return TEXTS[-1]
    first = first_lines(document)[0]
    return next(form for form in TEXTS if form.begins.match(first) and form.recognised(document))


def _of_text(document: Document, form: Format, request: Request) -> ReadOutcome:
    """Return the outcome for a text; where that is an error, try again without lines that are not part of the table."""
    outcome = _of_form(document, form, request)
    if not form.lined or outcome.error is None or isinstance(outcome.error, _FINAL):
        return outcome
    from rankdash.reading.text.repairs import repaired

    with suppress(ReadError):
        for better in repaired(document):
            again = _of_form(better, form_of_text(better), request)
            if again.error is None:
                return again
    return outcome


def _of_form(document: Document, form: Format, request: Request) -> ReadOutcome:
    try:
        grid = form.read(document, request.kind)
    except ReadError as error:
        return ReadOutcome(error=error)
    return request.outcome(grid)
