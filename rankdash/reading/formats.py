"""The table of formats: how each is recognised from its content, and which reader it has. Names do not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rankdash.reading import delimited, parquet, trec
from rankdash.reading.document import Document
from rankdash.reading.grid import Grid
from rankdash.reading.meanings import Wanted
from rankdash.reading.problems import NotUtf8Error
from rankdash.reading.recoding import as_utf8, from_guess


@dataclass(frozen=True)
class Format:
    """A file format: its name, whether a document is one, and the reader of the columns that are wanted."""

    name: str
    recognised: Callable[[Document], bool]
    read: Callable[[Document, Wanted], Grid]


#: Tried from the top, on the bytes as they are.
BINARY = (Format("Parquet", parquet.is_parquet, parquet.read_parquet),)

#: Tried from the top, on text in UTF-8. The last one takes every text.
TEXTS = (
    Format("TREC run", trec.is_run, trec.read_run),
    Format("TREC qrels", trec.is_qrels, trec.read_qrels),
    Format("delimited text", delimited.is_delimited, delimited.read_delimited),
)


def read_document(document: Document, wanted: Wanted) -> Grid:
    """The Grid of a document of any format. ReadError when it cannot be read as what is wanted."""
    for form in BINARY:
        if form.recognised(document):
            return form.read(document, wanted)
    text = as_utf8(document)
    try:
        return _read_text(text, wanted)
    except NotUtf8Error as problem:
        return _read_text(from_guess(text, problem), wanted)


def _read_text(document: Document, wanted: Wanted) -> Grid:
    return next(form for form in TEXTS if form.recognised(document)).read(document, wanted)
