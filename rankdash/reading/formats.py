"""The table of formats: how each is recognised from its content, and which reader it has. Names do not count."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from rankdash.reading.binary import arrow_files, parquet, workbooks
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.iterations import SubtopicsError
from rankdash.reading.columns.synonyms import Wanted
from rankdash.reading.json import documents
from rankdash.reading.source import archives
from rankdash.reading.source.document import Document
from rankdash.reading.source.foreign import refuse_foreign
from rankdash.reading.source.problems import LimitError, NotUtf8Error, ReadError
from rankdash.reading.source.recoding import as_utf8, from_guess
from rankdash.reading.text import delimited, letor, trec
from rankdash.reading.text.repairs import repaired
from rankdash.reading.text.sniffing import first_text

_Built = TypeVar("_Built")


@dataclass(frozen=True)
class Format:
    """A file format: its name, whether a document is one, and the reader of the columns that are wanted.

    ``lined``: lines that are no part of the table may be left out.
    """

    name: str
    recognised: Callable[[Document], bool]
    read: Callable[[Document, Wanted], Grid]
    lined: bool = True


#: Tried from the top, on the bytes as they are.
BINARY = (
    Format("Parquet", parquet.is_parquet, parquet.read_parquet, lined=False),
    Format("Arrow", arrow_files.is_arrow, arrow_files.read_arrow, lined=False),
)


def _is_json(document: Document) -> bool:
    """Whether a text is JSON, as its beginning says, and no TREC file whose first id begins with a bracket."""
    return documents.is_json(document) and not trec.is_no_json(first_text(document))


#: Tried from the top, on text in UTF-8. The last one takes every text.
TEXTS = (
    Format("JSON", _is_json, documents.read_json, lined=False),
    Format("LETOR", letor.is_letor, letor.read_letor),
    Format("TREC run", trec.is_run, trec.read_run),
    Format("TREC qrels", trec.is_qrels, trec.read_qrels),
    Format("delimited text", delimited.is_delimited, delimited.read_delimited),
)


def read_document(document: Document, wanted: Wanted, build: Callable[[Grid], _Built]) -> _Built:
    """What is built of the Grid of a document of any format. ReadError when it cannot be read as what is wanted."""
    if workbooks.is_workbook(document):
        return _read_text(workbooks.as_text(document, wanted), wanted, build)
    if archives.is_archive(document) or archives.is_tar(document):
        document = archives.member_of(document)
        if workbooks.is_workbook(document):
            return _read_text(workbooks.as_text(document, wanted), wanted, build)
    refuse_foreign(document)
    for form in BINARY:
        if form.recognised(document):
            return build(form.read(document.held(), wanted))
    text = as_utf8(document)
    try:
        return _read_text(text, wanted, build)
    except NotUtf8Error as problem:
        return _read_text(from_guess(text, problem), wanted, build)


def _read_text(document: Document, wanted: Wanted, build: Callable[[Grid], _Built]) -> _Built:
    """The same of a text in UTF-8; where it fails, without lines that are no part of the table."""
    form = _form(document)
    try:
        return build(form.read(document, wanted))
    except (NotUtf8Error, LimitError, SubtopicsError):
        raise
    except ReadError:
        better = _repaired(document, wanted, build) if form.lined else None
        if better is None:
            raise
        return better


def _repaired(document: Document, wanted: Wanted, build: Callable[[Grid], _Built]) -> _Built | None:
    """What is built without such lines; None where that is not possible either."""
    with suppress(ReadError):
        for better in repaired(document):
            with suppress(ReadError):
                return build(_form(better).read(better, wanted))
    return None


def _form(document: Document) -> Format:
    """The format of a text. Where its delimiter is known, it is a table."""
    return TEXTS[-1] if document.delimiter else next(form for form in TEXTS if form.recognised(document))
