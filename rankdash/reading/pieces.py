"""A run read piece by piece, for files that are larger than memory: the optimistic reading of what is regular.

What comes out is what ``read_run`` returns of the whole file, cut. Where that is not sure - a cell that is unusual, a
note that counts rows, a format that is read as a whole - the reading ends with WholeNeededError, and ``read_run`` says
what there is to say. Nothing is explained here, and nothing is guessed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pyarrow as pa

from rankdash import arrow
from rankdash.reading.attempts import Looked, looked_at
from rankdash.reading.columns.column_checks import queries_alike
from rankdash.reading.columns.grid import bounded
from rankdash.reading.formats import BINARY_PIECES
from rankdash.reading.readers import stem
from rankdash.reading.source.document import opened
from rankdash.reading.source.limits import LIMITS, Limits
from rankdash.reading.source.problems import ReadError
from rankdash.reading.tables.build import counted, part_of
from rankdash.reading.values.column_collector import UnfitError
from rankdash.tables import Run, Source

#: Bytes of a piece: few enough for the cache of the processor, enough to forget the calls.
PIECE = 1 << 22
_UNBOUNDED = 1 << 62


class WholeNeededError(ValueError):
    """The file can only be read as a whole."""


@dataclass(frozen=True)
class RunPiece:
    """Consecutive rows of a run, and the bytes of its file up to their end."""

    run: Run
    end: int


@dataclass(frozen=True)
class RunInPieces:
    """A run that is read when it is iterated over, each time anew.

    ``size`` is that of the file in bytes; 0: it is packed, and nobody knows how much comes out of it.
    """

    name: str
    size: int
    _looked: Looked
    _order: str
    _piece: int

    def __iter__(self) -> Iterator[RunPiece]:
        """Yield the rows in order. WholeNeededError where they are not what ``read_run`` would return."""
        form, document = self._looked.form, self._looked.document
        pieces = BINARY_PIECES.get(self._looked.name) if form is None else form.pieces
        if pieces is None:
            raise WholeNeededError
        seen: tuple[object, ...] = ()
        try:
            for end, grid in pieces(document, self._piece):
                run = part_of(bounded(grid, document.limits), self._order)
                # Types: ranks are whole numbers where all of the file are.
                if run is None or (seen and seen != (run.source.notes, run.table.schema)):
                    raise WholeNeededError
                seen = run.source.notes, run.table.schema
                yield RunPiece(replace(run, name=self.name), end)
        except (ReadError, UnfitError, pa.ArrowException) as error:
            raise WholeNeededError from error

    def has_noted_ranks(self, lists: Run) -> bool:
        """Return whether the ranks of whole lists show something that is noted of the whole run."""
        if lists.ordered_by != "rank":
            return False
        ids, ranks = (arrow.one_chunk(lists.table.column(name)) for name in ("query_id", "rank"))
        return bool(counted(arrow.codes(ids), arrow.as_numpy(ranks)))

    def source(self, first: Source, rows: int, query_ids: pa.Array) -> Source:
        """Return the source of the whole run: that of its first piece, for so many rows.

        WholeNeededError where its queries, each once, show something that is noted.
        """
        if queries_alike(query_ids):
            raise WholeNeededError
        return replace(first, name=self._looked.document.name, sha256=self._looked.document.digest(), rows=rows)


@contextmanager
def run_in_pieces(
    path: str | os.PathLike[str],
    *,
    order: str = "auto",
    digest: bool = True,
    piece: int = PIECE,
    limits: Limits = LIMITS,
) -> Iterator[RunInPieces]:
    """Open a file of one run to be read piece by piece, as many rows and bytes as it has.

    Without ``digest`` its source has none. WholeNeededError where it is no such file.
    """
    unbounded = replace(limits, rows=_UNBOUNDED, unpacked=_UNBOUNDED)
    try:
        with opened(path, unbounded, digest=digest, whole=False) as document:
            looked = looked_at(document)
            size = 0 if document.again is not None else document.size
            yield RunInPieces(stem(document.name) or "run", size, looked, order, piece)
    except ReadError as error:
        raise WholeNeededError from error
