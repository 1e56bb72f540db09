"""Ratings of the Rated Ranking Evaluator: groups of queries that share the documents relevant to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.tools.form import AS_JUDGMENTS, SOME, Form, Notebook, Row, leave, members, objects_in

_RELEVANT, _PLACEHOLDERS = "relevant_documents", "placeholders"
_ALLOWED = 'Give {document: {"gain": grade}}, or {grade: [document, …]}.'


def _is_rated(value: Any) -> bool:
    """Return whether queries with placeholders have relevant documents, or groups of them, in topics or in none."""
    return any(map(_holds_grades, [value, *members(value, "topics")[:SOME]]))


def _holds_grades(value: Any) -> bool:
    queries = members(value, "queries")[:SOME]
    groups = [node for node in (value, *members(value, "query_groups")[:SOME]) if isinstance(node, Mapping)]
    return any(isinstance(node.get(_RELEVANT), Mapping) and _PLACEHOLDERS in node for node in queries) or any(
        isinstance(node.get(_RELEVANT), Mapping) and _are_filled(members(node, "queries")[:SOME]) for node in groups
    )


def _are_filled(queries: list[Mapping[str, Any]]) -> bool:
    return any(_PLACEHOLDERS in query for query in queries)


def _rows(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the grades: of topics, of groups in them or beside them, and of queries alone."""
    leave(book, value, "topics", "query_groups", "queries", _RELEVANT)
    for topic in objects_in(value, "topics", book):
        leave(book, topic, "query_groups", "queries", _RELEVANT, within="topics.")
        yield from _groups(topic, book)
    yield from _groups(value, book)


def _groups(value: Mapping[str, Any], book: Notebook) -> Iterator[Row]:
    for group in objects_in(value, "query_groups", book):
        leave(book, group, "queries", _RELEVANT, within="query_groups.")
        grades = [*_grades(group, book)]
        for query in objects_in(group, "queries", book):
            leave(book, query, _PLACEHOLDERS, within="queries.")
            yield from ({"query_id": _name(query, book), **grade} for grade in grades)
    shared = [*_grades(value, book)]
    for query in objects_in(value, "queries", book):
        leave(book, query, _PLACEHOLDERS, _RELEVANT, within="queries.")
        own = _grades(query, book) if _RELEVANT in query else shared
        yield from ({"query_id": _name(query, book), **grade} for grade in own)


def _name(query: Mapping[str, Any], book: Notebook) -> str:
    """Return the query that a template is filled in with: $query, the only placeholder, or all of them as JSON."""
    filled = query.get(_PLACEHOLDERS)
    if not isinstance(filled, Mapping) or not filled:
        raise refuse("missing_value", book.name, "a query has no placeholders", 'Give {"placeholders": {"$query": …}}.')
    if "$query" in filled or len(filled) == 1:
        name = "$query" if "$query" in filled else next(iter(filled))
        leave(book, filled, name, within="queries.placeholders.")
        if not isinstance(filled[name], (str, int)) or isinstance(filled[name], bool):
            what = f"the placeholder {listed([name])} of a query is neither a text nor a whole number"
            raise refuse("malformed", book.name, what, 'Give {"placeholders": {"$query": text}}.')
        return str(filled[name])
    return json.dumps(dict(filled), ensure_ascii=False, default=str, sort_keys=True)


def _grades(group: Mapping[str, Any], book: Notebook) -> Iterator[Row]:
    """Yield the documents of a group with their grades, which stand within them or above their lists."""
    relevant = group.get(_RELEVANT, {})
    if not isinstance(relevant, Mapping):
        raise refuse("malformed", book.name, f'"{_RELEVANT}" of a query is no object', _ALLOWED)
    for name, value in relevant.items():
        if isinstance(value, Mapping) and "gain" in value:
            leave(book, value, "gain", within=f"{_RELEVANT}.")
            yield {"doc_id": name, "relevance": value["gain"]}
        elif isinstance(value, (list, tuple)):
            yield from ({"doc_id": document, "relevance": name} for document in value)
        else:
            raise refuse("malformed", book.name, "the relevant documents of a query have no gain", _ALLOWED)


def _is_evaluation(value: Any) -> bool:
    """Return whether this is what RRE writes of an evaluation: corpora, with topics, and its metrics."""
    return (
        isinstance(value, Mapping) and "metrics" in value and any("topics" in one for one in members(value, "corpora"))
    )


_ELSEWHERE = (
    "Its lists are not read: give the answers of the search engine for each version as {query: answer}, and the "
    "ratings of RRE as the judgments."
)
_REFUSED = f"It holds grades and no order. {AS_JUDGMENTS}"
FORMS = (
    Form(
        "these are the ratings of the Rated Ranking Evaluator",
        _is_rated,
        {"judgments": _rows},
        {"run": _REFUSED, "models": _REFUSED},
    ),
    Form(
        "this is an evaluation of the Rated Ranking Evaluator",
        _is_evaluation,
        {},
        dict.fromkeys(("run", "models", "judgments", "queries", "votes"), _ELSEWHERE),
    ),
)
