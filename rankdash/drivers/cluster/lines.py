"""The lines of TREC files as columns of text: cut by workers, batch by batch, all columns of a batch at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow

#: Bytes of lines that are cut at a time.
_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class LineWords:
    """The word of a line, counted from 0, that each column holds; a line has ``fewest`` to ``most`` words."""

    columns: Mapping[str, int]
    fewest: int
    most: int


RUN = LineWords({"query_id": 0, "doc_id": 2, "rank": 3, "score": 4}, 5, 6)
JUDGMENTS = LineWords({"query_id": 0, "iteration": 1, "doc_id": 2, "relevance": 3}, 4, 4)


def pieces(batches: Iterable[pa.RecordBatch], size: int) -> Iterator[pa.Table]:
    """Yield batches joined to at least ``size`` bytes: much of the work on a batch does not depend on its rows."""
    waiting: list[pa.RecordBatch] = []
    held = 0
    for batch in filter(len, batches):
        waiting.append(batch)
        held += batch.nbytes
        if held >= size:
            yield pa.Table.from_batches(waiting)
            waiting, held = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def cut(batches: Iterable[pa.RecordBatch], words: LineWords) -> Iterator[pa.RecordBatch]:
    """Yield the words of lines, between any ASCII white space, as columns; empty lines are left out.

    A line with another number of words becomes a document without a query, which is refused where rows are checked.
    """
    for piece in pieces(batches, _AT_ONCE):
        trimmed = pc.ascii_trim_whitespace(arrow.one_chunk(piece.column(0)).cast(pa.string()))
        line = trimmed.filter(pc.not_equal(trimmed, ""))
        split = pc.ascii_split_whitespace(line)
        count = arrow.as_numpy(pc.list_value_length(split))
        fits = (words.fewest <= count) & (count <= words.most)
        first = np.cumsum(count, dtype=np.int64) - count
        columns = {
            name: split.flatten().take(pa.array(np.where(fits, first + at, 0), pa.int64(), mask=~fits))
            for name, at in words.columns.items()
        }
        if not fits.all():
            columns["doc_id"] = pc.coalesce(columns["doc_id"], line)
        yield pa.RecordBatch.from_pydict(columns)
