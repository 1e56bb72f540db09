"""Hits of search engines: what stands around them, what was stored under them, and searches that failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.source.problems import listed
from rankdash.reading.tools.form import SOME, Notebook, counted, leave, members, objects_in

PARTIAL = "A search timed out or failed in part, so that documents may be missing."
#: What the names of members stand behind that were stored.
WITHIN = "_source."
#: A number of hits has fewer digits.
_DIGITS = 16
#: What the query and the document are called in the rows of a run, where these are stored in a search engine.
_OF_ROWS = (frozenset(("queryid", "qid")), TIERS["run"]["doc_id"][0] | TIERS["run"]["doc_id"][1])
#: What the query, the document and the grade are called in judgments.
_OF_GRADES = tuple(frozenset().union(*TIERS["judgments"][meaning]) for meaning in ("query_id", "doc_id", "relevance"))


def hits_of(answer: Any) -> list[Mapping[str, Any]] | None:
    """Return the objects among the hits of an answer; None where it is none."""
    outer = answer.get("hits") if isinstance(answer, Mapping) else None
    if not isinstance(outer, Mapping) or not isinstance(outer.get("hits"), (list, tuple)):
        return None
    hits = members(outer, "hits")
    return hits if bool(hits) == bool(outer["hits"]) and all("_id" in hit for hit in hits[:SOME]) else None


def sources_of(value: Any) -> list[Mapping[str, Any]]:
    """Return what was stored under the hits of an answer or a list, or in the one document; else the object itself, or
    the objects of the list.
    """
    if isinstance(value, (list, tuple)):
        return [one["_source"] if is_hit(one) else one for one in value if isinstance(one, Mapping)]
    hits = [value] if is_document(value) else hits_of(value)
    if hits is None:
        return [value] if isinstance(value, Mapping) else []
    return [hit["_source"] for hit in hits if isinstance(hit.get("_source"), Mapping)]


def is_document(value: Any) -> bool:
    """Return whether this is one document as a search engine hands it out by its id, or one hit."""
    return isinstance(value, Mapping) and "_id" in value and isinstance(value.get("_source"), Mapping)


def holds_hits(record: Any) -> bool:
    """Return whether a member of a record is the answer of a search engine, or a list of its hits or of ratings."""
    inner = record.values() if isinstance(record, Mapping) else ()
    lists = (value for value in inner if isinstance(value, (list, tuple)) and value)
    return any(hits_of(value) is not None for value in inner) or any(map(_are_hits, lists))


def _are_hits(value: Sequence[Any]) -> bool:
    return all(
        isinstance(one, Mapping) and "_id" in one and ("_score" in one or "rating" in one) for one in value[:SOME]
    )


def is_hit(value: Any) -> bool:
    """Return whether this is one hit of a search engine, as it is exported from there."""
    return is_document(value) and "_index" in value


def leave_answer(book: Notebook, value: Any) -> None:
    """Take for unread what stands around what was stored under the hits of an answer, or in the one document."""
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if is_document(one):
            leave(book, one, "_source")
    if hits_of(value) is None:
        return
    hits = objects_in(value["hits"], "hits", book)
    if is_partial(value):
        book.notes.append(PARTIAL)
    if (total := _total(value)) > len(hits):
        book.notes.append(f"The answer holds {len(hits):,} of {total:,} hits: the search asked for no more.")
    leave(book, value, "hits")
    leave(book, value["hits"], "hits", within="hits.")
    for hit in hits:
        leave(book, hit, "_source")
    bare = len(hits) - len(sources_of(value))
    if bare:
        book.notes.append(
            f"{counted(bare, 'hit')} without documents: {'it has' if bare == 1 else 'they have'} no _source."
        )


def is_partial(answer: Mapping[str, Any]) -> bool:
    """Return whether a search ended before its time, or without some of its shards."""
    shards = answer.get("_shards")
    failed = shards.get("failed") if isinstance(shards, Mapping) else 0
    return answer.get("timed_out") is True or _count(failed) > 0


def _total(answer: Mapping[str, Any]) -> int:
    """Return how many hits a search had, of which the answer holds the first; 0 where it does not say."""
    total = answer["hits"].get("total")
    return _count(total.get("value") if isinstance(total, Mapping) else total)


def _count(value: Any) -> int:
    """Return a whole number, which may stand as a text; 0 for anything else."""
    text = str(value)
    return int(text) if len(text) < _DIGITS and text.isascii() and text.isdigit() else 0


def is_row(stored: Any) -> bool:
    """Return whether what is stored under a hit names a query and a document, as a row of a run does; of anything else
    it describes the document.
    """
    names = {key(str(name)) for name in stored} if isinstance(stored, Mapping) else set()
    return not any(names.isdisjoint(needed) for needed in _OF_ROWS)


def is_grade(stored: Mapping[str, Any]) -> bool:
    """Return whether what is stored names a query, a document and a grade."""
    names = {key(str(name)) for name in stored}
    return not any(names.isdisjoint(needed) for needed in _OF_GRADES)


def is_failure(value: Any) -> bool:
    """Return whether this is what a search engine says of a search that failed."""
    error = value.get("error") if isinstance(value, Mapping) and "hits" not in value else None
    return bool(error) and isinstance(error, (Mapping, str))


def failed_searches(queries: Sequence[str]) -> str:
    """Return the note on queries without a list whose search failed."""
    return f"Searches failed, so that there is no list: {listed(queries)}."


def at_path(stored: Mapping[str, Any], path: str) -> Any:
    """Return what stands at a path of names in what is stored under a hit; None where nothing does.

    >>> at_path({"product": {"id": 7}}, "product.id"), at_path({"sku": 7}, "_source.sku")
    (7, 7)
    """
    path = path.removeprefix(WITHIN)
    name, _, rest = path.partition(".")
    if path in stored or not rest:
        return stored.get(path)
    inner = stored.get(name)
    return at_path(inner, rest) if isinstance(inner, Mapping) else None
