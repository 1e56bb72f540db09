"""Documents that would be judged if their ids were written as the judgments write them: in another case, without zeros.

In large tables they are looked for among the first rows and in queries from all over the judgments; in small ones, in
all rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.mistakes.near import EXAMPLES, MOST, Near, Way, near
from rankdash.tables import Judgments

#: A table of at most so many rows is looked at as a whole, of others so many of the first rows and of the further ones.
ALL, _FIRST, _OTHERS = 5_000, 1_000, 2_000
#: At most so many queries are taken from all over the judgments, and so many of their rows are kept.
_QUERIES, _KEPT = 64, 1 << 16
#: Ways of writing an id, and so many documents, that tell of it.
_WRITTEN: tuple[Way, ...] = ("space", "case", "zeros", "quotes")
_LEAST = 3
_GOLDEN = (5**0.5 - 1) / 2


class Sampled:
    """The documents of a run that are looked at, gathered part by part: the first, and those of some judged queries."""

    def __init__(self, judged: pa.Table) -> None:
        self._judged, self._queries = judged, _some_queries(judged)
        self._first: list[pa.Table] = []
        self._others: list[str] = []
        self._rows = 0

    def add(self, part: pa.Table) -> None:
        """Take the next rows of the run."""
        left = max(0, ALL - self._rows)
        self._rows += len(part)
        if left:
            self._first.append(part.select(["query_id", "doc_id"]).slice(0, left))
        if left < len(part) and len(self._others) < _KEPT:
            self._others += _documents_of(part.slice(left), self._queries, _KEPT - len(self._others))

    def written_otherwise(self) -> Near:
        """Return how many of the unjudged documents would be judged under the way to write ids that suits most."""
        head = pa.concat_tables(self._first)
        if self._rows > ALL:
            head = head.slice(0, _FIRST)
        first = head.column("doc_id").to_pylist()
        others = [self._others[at] for at in _spread(len(self._others), _OTHERS)]
        judged, had = self._documents_judged(head), {*first, *self._others}
        here = [document for document in dict.fromkeys([*first, *others]) if document not in judged]
        almost = near(here, (document for document in judged if document not in had), _WRITTEN)
        return replace(almost or Near("case", 0, ()), of=len(here))

    def _documents_judged(self, head: pa.Table) -> dict[str, None]:
        """Return the judged documents of the queries of which documents are looked at; of few judgments all."""
        if len(self._judged) <= ALL:
            return dict.fromkeys(self._judged.column("doc_id").to_pylist())
        queries = self._queries.union(head.column("query_id").unique().to_pylist())
        return dict.fromkeys(_documents_of(self._judged, queries, MOST))


def written_otherwise(table: pa.Table, judgments: Judgments) -> Near | None:
    """Return how the unjudged documents of a run would be judged if their ids were written as the judgments write
    them; None where less than half would.
    """
    sampled = Sampled(judgments.table)
    sampled.add(table)
    return together([sampled.written_otherwise()])


def together(parts: Iterable[Near]) -> Near | None:
    """Return what parts of a run say together, each with its number of unjudged documents; None where it is less than
    half of these.
    """
    ways = dict[Way, Near]()
    of = 0
    for part in parts:
        of += part.of
        own = ways.get(part.way, Near(part.way, 0, ()))
        examples = (*own.examples, *part.examples)[:EXAMPLES]
        ways[part.way] = replace(own, count=own.count + part.count, examples=examples)
    best = max(ways.values(), key=lambda way: way.count, default=None)
    return None if best is None or best.count < max(_LEAST, of / 2) else replace(best, of=of)


def _some_queries(judged: pa.Table) -> frozenset[str]:
    """Return judged queries from all over the table, at most so many that about ALL rows are theirs."""
    queries = _with_dictionary(judged).dictionary
    most = len(queries) if len(judged) <= ALL else ALL * len(queries) // len(judged) + 1
    return frozenset(queries[at].as_py() for at in _spread(len(queries), min(_QUERIES, most)))


def _with_dictionary(table: pa.Table) -> pa.DictionaryArray:
    """Return the query ids of a table by a dictionary."""
    column = arrow.one_chunk(table.column("query_id"))
    return column if pa.types.is_dictionary(column.type) else column.dictionary_encode()


def _documents_of(table: pa.Table, queries: Collection[str], most: int) -> list[str]:
    """Return the documents of some queries, row by row, at most so many."""
    column = _with_dictionary(table)
    known = np.array([query in queries for query in column.dictionary.to_pylist()], bool)
    rows = np.flatnonzero(known[arrow.codes(column)])[:most] if known.any() else np.empty(0, np.int64)
    documents: list[str] = arrow.taken(table.column("doc_id"), rows).to_pylist()
    return documents


def _spread(number: int, most: int) -> list[int]:
    """Return places below a number, ascending, at most so many, at no step that a table could have too."""
    if number <= most:
        return [*range(number)]
    places: list[int] = arrow.distinct((np.arange(most) * _GOLDEN % 1 * number).astype(np.int64)).tolist()
    return places
