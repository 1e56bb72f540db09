"""The table of formats: how each is recognised from its content, and which reader it has. Names do not count.

Only the readers of LETOR and TREC are imported with the table; the others are as soon as a file asks for them, so that
a small file is read in the time that its own format takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.document import Document
from rankdash.reading.text import letor, trec
from rankdash.reading.words.headings import Kind

Reader = Callable[[Document, Kind], Grid]
#: Yields a run in pieces of about so many bytes, each with the bytes up to its end.
Pieces = Callable[[Document, int], Iterator[tuple[int, Grid]]]


@dataclass(frozen=True)
class Format:
    """A text format: its name, whether a document has it, and its reader.

    ``lined``: lines that are no part of the table may be left out. ``begins`` matches the first line of every such
    text; ``recognised`` is not called for others. Without ``pieces`` a run is read as a whole.
    """

    name: str
    recognised: Callable[[Document], bool]
    read: Reader
    lined: bool = True
    begins: re.Pattern[str] = re.compile("")
    pieces: Pieces | None = None


def _parquet(document: Document, kind: Kind) -> Grid:
    from rankdash.reading.binary.parquet import read_parquet

    return read_parquet(document, kind)


def _parquet_pieces(document: Document, size: int) -> Iterator[tuple[int, Grid]]:
    from rankdash.reading.binary.parquet import run_in_pieces

    return run_in_pieces(document, size)


def _arrow(document: Document, kind: Kind) -> Grid:
    from rankdash.reading.binary.arrow_files import read_arrow

    return read_arrow(document, kind)


def _is_json(document: Document) -> bool:
    from rankdash.reading.json.documents import is_json

    return is_json(document)


def _json(document: Document, kind: Kind) -> Grid:
    from rankdash.reading.json.documents import read_json

    return read_json(document, kind)


def _delimited(document: Document, kind: Kind) -> Grid:
    from rankdash.reading.text.delimited import read_delimited

    return read_delimited(document, kind)


#: By the name of the signature that their first bytes have.
BINARY: Mapping[str, Reader] = {"Parquet": _parquet, "Arrow": _arrow}

#: The same for runs that are read in pieces, as ``Format.pieces`` does.
BINARY_PIECES: Mapping[str, Pieces] = {"Parquet": _parquet_pieces}

_FOUR_WORDS = re.compile(r"\A[ \t\v\f]*([^ \t\v\f]+[ \t\v\f]+){3}[^ \t\v\f]")
#: In the order of trial, on text in UTF-8. The last format accepts every text.
TEXTS = (
    Format("JSON", _is_json, _json, lined=False, begins=re.compile(r"\A\s*[\[{]")),
    Format("LETOR", letor.is_letor, letor.read_letor, begins=re.compile(r"\A\s*[#\d.+-]")),
    Format("TREC run", trec.is_run, trec.read_run, begins=_FOUR_WORDS, pieces=trec.run_in_pieces),
    Format("TREC qrels", trec.is_qrels, trec.read_qrels, begins=_FOUR_WORDS),
    Format("delimited text", lambda document: document.size > 0, _delimited),
)
