"""The second column of qrels: a round of judging, which nothing uses, or subtopics, which are refused."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from rankdash.arrow import codes
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.advice import advice
from rankdash.reading.source.problems import Problem, ReadError, printable
from rankdash.reading.values.parsing import as_text, encoded, filled, ids

ITERATION = "iteration"
_USUAL = frozenset(("0", "q0"))
_NAMED = 3


class SubtopicsError(ReadError):
    """Judgments in which a document has a grade for each of several subtopics of a query."""


def iteration_notes(grid: Grid) -> list[str]:
    """Return notes on how the column of iterations was read, if there is one with several values.

    SubtopicsError where a document of a query is in several rows with different values in it.
    """
    if ITERATION not in grid.columns:
        return []
    try:
        words = encoded(ids(filled(as_text(grid.columns[ITERATION])[0])).array)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return []
    values = words.dictionary.to_pylist()
    if len(values) > 1:
        _check(grid, codes(words).astype(np.int64), values)
    elif set(map(str.lower, values)) <= _USUAL:
        return []
    rounds = ", ".join(f'"{printable(value)}"' for value in values[:_NAMED])
    more = f" and {len(values) - _NAMED:,} more" if len(values) > _NAMED else ""
    return [f'Column "{grid.title(ITERATION)}" tells the round of judging ({rounds}{more}); nothing uses it.']


def _check(grid: Grid, word: np.ndarray, values: list[str]) -> None:
    """Raise SubtopicsError with the first row that repeats a pair with another word; ``word``: codes of ``values``."""
    query, document = (encoded(grid.ids(name).array) for name in ("query_id", "doc_id"))
    pair = codes(query).astype(np.int64) * len(document.dictionary) + codes(document)
    order = np.lexsort((np.arange(len(pair)), pair))
    begins = np.concatenate(([True], np.diff(pair[order]) != 0))
    first = order[np.flatnonzero(begins)][np.cumsum(begins) - 1]
    differ = order[word[order] != word[first]]
    if not len(differ):
        return
    at = int(differ.min())
    before = int(first[np.flatnonzero(order == at)[0]])
    row, above = grid.row_of(np.array([at, before], np.int64)).tolist()
    name, doc = (printable(str(ids_[at].as_py())) for ids_ in (query, document))
    what = (
        f'is a subtopic: document "{doc}" of query "{name}" is judged for "{printable(values[int(word[before])])}" too '
        f"(row {above:,}), and subtopics are not supported yet"
    )
    allowed = advice("leave_out_iteration", key=ITERATION)
    raise SubtopicsError(
        (Problem("unsupported", grid.name, what, row, grid.title(ITERATION), values[int(word[at])], allowed),)
    )
