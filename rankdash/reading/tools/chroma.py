"""Results of Chroma: lists of ids for queries that they do not name, the nearest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.tools.form import AS_RUN, SOME, Form, Notebook, Row, counted, is_plain, leave
from rankdash.tables import UNNAMED_QUERIES

#: What stands beside the ids, each a list for each query, or null where it was not asked for.
_BESIDE = ("distances", "documents", "metadatas", "embeddings")


def _is_result(value: Any) -> bool:
    """Return whether a value has lists of ids, and two of what Chroma returns beside them."""
    if not isinstance(value, Mapping) or not _are_lists(value.get("ids")):
        return False
    beside = [value[name] for name in _BESIDE if name in value]
    return len(beside) > 1 and all(part is None or isinstance(part, (list, tuple)) for part in beside)


def _are_lists(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(ids, (list, tuple)) for ids in value)


def _are_named(value: Any) -> bool:
    """Return whether these are results by query."""
    return isinstance(value, Mapping) and bool(value) and all(map(_is_result, islice(value.values(), SOME)))


def _numbered(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the documents of each query, numbered in the order in which they were asked."""
    lists = value["ids"]
    book.notes.append(f"{UNNAMED_QUERIES[0]}: they are numbered from 1 to {len(lists):,}, in their order.")
    return _rows({str(number): ids for number, ids in enumerate(lists, start=1)}, value, book)


def _by_query(value: Any, book: Notebook) -> Iterator[Row]:
    for query, result in value.items():
        if not _is_result(result) or len(result["ids"]) != 1:
            what = f"the member {listed([str(query)])} is no result of one query"
            raise refuse("malformed", book.name, what, "Give {query: result}, each of one query.")
        yield from _rows({query: result["ids"][0]}, result, book)


def _rows(lists: Mapping[Any, Any], result: Mapping[str, Any], book: Notebook) -> Iterator[Row]:
    leave(book, result, "ids")
    empty = sum(not ids for ids in lists.values())
    if empty:
        book.notes.append(f"{counted(empty, 'query')} {'has' if empty == 1 else 'have'} no documents.")
    for query, ids in lists.items():
        if not isinstance(ids, (list, tuple)) or not all(map(is_plain, ids)):
            what = f"the ids of query {listed([str(query)])} are no list of texts"
            raise refuse("malformed", book.name, what, "Give the result as Chroma returned it.")
        for place, own in enumerate(ids, start=1):
            yield {"query_id": query, "doc_id": own, "rank": str(place)}


_REFUSED: Mapping[Any, str] = {
    "judgments": f"It holds no grades. {AS_RUN}",
    "models": f"It holds the lists of one model. {AS_RUN}",
}
FORMS = (
    Form("this is a result of Chroma", _is_result, {"run": _numbered}, _REFUSED),
    Form("these are results of Chroma, by query", _are_named, {"run": _by_query}, _REFUSED, large=False),
)
