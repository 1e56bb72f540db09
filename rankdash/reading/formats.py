"""The table of formats: how each is recognised from its content, and which reader it has. Names do not count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rankdash.reading.binary import arrow_files, parquet
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import Wanted
from rankdash.reading.json import documents
from rankdash.reading.source.document import Document
from rankdash.reading.text import delimited, letor, trec

Reader = Callable[[Document, Wanted], Grid]
#: Yields a run in pieces of about so many bytes, each with the bytes up to its end.
Pieces = Callable[[Document, int], Iterator[tuple[int, Grid]]]


@dataclass(frozen=True)
class Format:
    """A text format: its name, whether a document is one, and the reader of the columns that are wanted.

    ``lined``: lines that are no part of the table may be left out. ``begins`` matches the first line of every such
    text, so that no other is asked. Without ``pieces`` a run is read as a whole.
    """

    name: str
    recognised: Callable[[Document], bool]
    read: Reader
    lined: bool = True
    begins: re.Pattern[str] = re.compile("")
    pieces: Pieces | None = None


#: By the name of the signature that their first bytes have.
BINARY: Mapping[str, Reader] = {"Parquet": parquet.read_parquet, "Arrow": arrow_files.read_arrow}

#: The same for runs that are read in pieces, as ``Format.pieces`` does.
BINARY_PIECES: Mapping[str, Pieces] = {"Parquet": parquet.run_in_pieces}

_FOUR_WORDS = re.compile(r"\A[ \t\v\f]*([^ \t\v\f]+[ \t\v\f]+){3}[^ \t\v\f]")
#: In the order of trial, on text in UTF-8. The last format accepts every text.
TEXTS = (
    Format("JSON", documents.is_json, documents.read_json, lined=False, begins=re.compile(r"\A\s*[\[{]")),
    Format("LETOR", letor.is_letor, letor.read_letor, begins=re.compile(r"\A\s*[#\d.+-]")),
    Format("TREC run", trec.is_run, trec.read_run, begins=_FOUR_WORDS, pieces=trec.run_in_pieces),
    Format("TREC qrels", trec.is_qrels, trec.read_qrels, begins=_FOUR_WORDS),
    Format("delimited text", delimited.is_delimited, delimited.read_delimited),
)
