"""Rows that rank a document of a query twice, and the column of words that tells the two lists apart."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import codes, from_numpy
from rankdash.reading.values.numerals import are_numbers
from rankdash.reading.values.parsing import as_text, encoded, filled

Ints = npt.NDArray[np.int32]
#: With more names than this, a column tells something else than models.
_MOST_NAMES = 50
#: So many rows are looked at: those of the first queries.
_ROWS = 1 << 16


def names_of_lists(
    query: Ints, documents: pa.Array, columns: Mapping[str, pa.Array], rank: npt.NDArray[np.generic] | None = None
) -> tuple[str, list[str]] | None:
    """Return the column whose words tell lists of the same query apart, and these words; None where none does.

    ``query``: codes, (rows,). Such a column has a few words, and of each word no document of a query twice, though the
    documents of some queries repeat. Numbers in it are names only where the ranks begin anew with each. With more than
    2**16 rows only those of the first queries are looked at.
    """
    place = _first_rows(query)
    if not columns or not len(place):
        return None
    some = from_numpy(place)
    document = codes(encoded(documents.take(some)))
    pair = query[place].astype(np.int64) * (int(document.max()) + 1) + document
    if not _repeats(pair):
        return None
    telling = []
    for name, column in columns.items():
        try:
            words = encoded(filled(as_text(column.take(some))[0]))
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            continue
        names, number = words.dictionary.to_pylist(), codes(words)
        if not 1 < len(names) <= _MOST_NAMES or _repeats(pair * len(names) + number):
            continue
        if all(are_numbers(names)) and not _begin_anew(query[place], number, None if rank is None else rank[place]):
            continue
        telling.append((name, names))
    return min(telling, key=lambda named: len(named[1]), default=None)


def _first_rows(query: Ints) -> npt.NDArray[np.int64]:
    """Return the rows of the first queries, at most about 2**16."""
    if len(query) <= _ROWS:
        return np.arange(len(query))
    most = max(1, (int(query.max()) + 1) * _ROWS // len(query))
    return np.flatnonzero(query < most)[: 2 * _ROWS]


def _repeats(values: npt.NDArray[np.int64]) -> bool:
    return len(np.unique(values, return_counts=True)[0]) < len(values)


def _begin_anew(query: Ints, number: Ints, rank: npt.NDArray[np.generic] | None) -> bool:
    """Return whether the ranks of each query begin at the same number for each word, (rows,)."""
    if rank is None:
        return False
    group = query.astype(np.int64) * (int(number.max()) + 1) + number
    order = np.lexsort((rank, group))
    first = np.flatnonzero(np.append(True, np.diff(group[order]) != 0))
    return len(np.unique(rank[order][first], return_counts=True)[0]) == 1
