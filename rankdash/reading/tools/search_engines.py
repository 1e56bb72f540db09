"""Answers of Elasticsearch and OpenSearch to _search and _msearch: lists of hits for queries that they do not name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.tools.form import (
    AS_RUN,
    SOME,
    Form,
    Notebook,
    Row,
    counted,
    is_plain,
    leave,
    members,
    objects_in,
    only_objects,
)
from rankdash.reading.tools.hits import (
    WITHIN,
    at_path,
    failed_searches,
    hits_of,
    is_failure,
    is_grade,
    is_partial,
    is_row,
    leave_answer,
    sources_of,
)
from rankdash.reading.words.headings import Kind
from rankdash.tables import UNNAMED_QUERIES

#: What only an answer has.
_SIGNS = ("took", "_shards", "timed_out")
#: What sources without a file are called, which name no query.
_UNNAMED = ("the file", "the table")
#: What the answer to a search that failed has.
_OF_FAILURES = frozenset(("error", "status", "took"))
#: So many answers show what an object holds.
_MOST = 1 << 10
_QUERIES = frozenset().union(*TIERS["run"]["query_id"])
_TITLES = frozenset().union(*TIERS["run"]["title"])


def _are_rows_of_grades(value: Any) -> bool:
    """Return whether a value is an answer whose hits are rows of judgments, and so no answer that names no query."""
    hits = hits_of(value) or []
    return bool(hits) and all(is_row(stored := _stored(hit)) and is_grade(stored) for hit in hits[:SOME])


def _is_single(value: Any) -> bool:
    """Return whether a value is an answer, and its hits are no rows of a run."""
    hits = hits_of(value) or []
    return _is_answer(value) and not (hits and all(is_row(hit.get("_source")) for hit in hits[:SOME]))


def _is_answer(value: Any) -> bool:
    """Return whether a value is an answer that names no query, nor do its hits, whatever was stored under them."""
    hits = hits_of(value)
    if hits is None or not (any(sign in value for sign in _SIGNS) or set(value) == {"hits"}):
        return False
    return not any(
        key(str(name)) in _QUERIES and is_plain(node[name]) for node in (value, *hits[:SOME]) for name in node
    )


def _stored(hit: Mapping[str, Any]) -> Mapping[str, Any]:
    source = hit.get("_source")
    return source if isinstance(source, Mapping) else {}


def _are_answers(values: Iterable[Any]) -> bool:
    """Return whether values are answers, at least one of them, and failures; the last value of a sample may be cut."""
    some = list(values)
    whole = some[:-1] or some
    return any(map(_is_answer, some)) and all(_is_answer(answer) or is_failure(answer) for answer in whole)


def _is_error(value: Any) -> bool:
    """Return whether this is an error in place of an answer, or one in place of each of several."""
    several = members(value, "responses")
    alone = is_failure(value) and set(value) <= _OF_FAILURES
    return alone or (bool(several) and all(map(is_failure, several)))


def _is_multiple(value: Any) -> bool:
    return isinstance(value, Mapping) and _are_answers(members(value, "responses"))


def _graded(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield what is stored under the hits of an answer, where it is judgments. ReadError of anything else."""
    stored = sources_of(value)
    if not stored or not all(map(is_grade, stored)):
        what = "this is the answer to a search, not judgments"
        raise refuse("other_kind", book.name, what, _REFUSED["judgments"])
    leave_answer(book, value)
    for grade in stored:
        leave(book, grade, *(name for name in grade if is_plain(grade[name])))
        yield {name: cell for name, cell in grade.items() if is_plain(cell)}


def _are_named(value: Any) -> bool:
    """Return whether these are answers by query, some of them failures; without one they are lists as any other."""
    some = list(islice(value.values(), _MOST)) if isinstance(value, Mapping) else []
    return any(map(is_failure, some)) and _are_answers([*some, *some[-1:]])  # the last is whole here


def _named_rows(value: Any, book: Notebook) -> Iterator[Row]:
    return _rows([*value.items()], book)


def _single(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the hits of one answer, for the query by whose name the file is called. ReadError where it has none."""
    return _rows([(query_of(book), value)], book)


def query_of(book: Notebook) -> str:
    """Return the query by whose name a file is called, and note it. ReadError where it has none."""
    query = os.path.basename(book.name)
    while os.path.splitext(query)[1].lower() in (".json", ".gz", ".zst", ".bz2", ".xz"):
        query = os.path.splitext(query)[0]
    if query in _UNNAMED or not query:
        what = "the answer to one search names no query"
        do = "Give {query: answer}, or a file whose name is that of the query."
        raise refuse("missing_column", book.name, what, do)
    book.notes.append(f"{UNNAMED_QUERIES[1]}: it is that of {listed([query])}, by the name of the file.")
    return query


def check_named(value: Any, name: str) -> None:
    """ReadError where the first of several values, one a line, is the answer to a search and names no query."""
    if _is_single(value) or (is_failure(value) and set(value) <= _OF_FAILURES):
        what = "these are answers to searches, one behind the other, that name no queries"
        raise refuse("missing_column", name, what, "Give {query: answer}: docs/formats.md shows how to make it.")


def _multiple(value: Any, book: Notebook) -> Iterator[Row]:
    leave(book, value, "responses")
    return _numbered(objects_in(value, "responses", book), book)


def _numbered(answers: list[Any], book: Notebook) -> Iterator[Row]:
    """Yield the hits of answers in the order of their searches."""
    only_objects(answers, "the list", book)
    book.notes.append(f"{UNNAMED_QUERIES[0]}: they are numbered from 1 to {len(answers):,}, in their order.")
    return _rows([(str(number), answer) for number, answer in enumerate(answers, start=1)], book)


def _rows(answers: list[tuple[Any, Any]], book: Notebook) -> Iterator[Row]:
    """Yield the hits, in their order."""
    failed = [query for query, answer in answers if hits_of(answer) is None]
    if failed:
        book.notes.append(failed_searches([*map(str, failed)]))
    held = [(query, answer) for query, answer in answers if hits_of(answer) is not None]
    lists = {query: objects_in(answer["hits"], "hits", book) for query, answer in held}
    empty = sum(not hits for hits in lists.values())
    if empty:
        book.notes.append(f"{counted(empty, 'query')} {'has' if empty == 1 else 'have'} no documents.")
    partial = [query for query, answer in held if is_partial(answer)]
    if partial:
        what = "Searches timed out or failed in part, so that documents may be missing"
        book.notes.append(f"{what}: {listed([*map(str, partial)])}.")
    scored = all(is_plain(hit.get("_score")) for hits in lists.values() for hit in hits)
    for query, answer in answers:
        leave(book, answer, "hits")
        if query in lists:
            leave(book, answer["hits"], "hits", within="hits.")
        for place, hit in enumerate(lists.get(query, ()), start=1):
            yield _row(hit, query, place, scored, book)


def _row(hit: Mapping[str, Any], query: Any, place: int, scored: bool, book: Notebook) -> Row:
    stored = _stored(hit)
    book.stored.add({"_id": hit.get("_id"), **stored})
    named_so = (name for name in stored if key(str(name)) in _TITLES and isinstance(stored[name], str))
    called = "title" if "title" in stored else next(named_so, "title")
    title = stored.get(called)
    row: Row = {"query_id": query, "doc_id": hit.get("_id"), "rank": str(place)}
    row |= {"score": hit["_score"]} if scored else {}
    row |= {"title": title} if isinstance(title, str) else {}
    named = _named(hit, stored, book)
    for meaning in named:
        row.pop(meaning, None)
    row |= dict(named.values())
    own = {"doc_id": "_id", "score": "_score"}
    leave(book, hit, "_source", *(name for meaning, name in own.items() if meaning in row), *dict(named.values()))
    within = (heading.removeprefix(WITHIN).partition(".")[0] for heading, _ in named.values())
    leave(book, stored, *within, *((called,) if "title" in row else ()), within=WITHIN)
    return row


def _named(hit: Mapping[str, Any], stored: Mapping[str, Any], book: Notebook) -> dict[str, tuple[str, Any]]:
    """Return the members of a hit, or of what is stored under it, that were said to have a meaning, by this meaning:
    how they were called, and their value. A name with points is a path.
    """
    named: dict[str, tuple[str, Any]] = {}
    for meaning, heading in book.options.columns.items():
        value = hit.get(heading) if heading in hit else at_path(stored, heading)
        if value is not None:
            named[meaning] = (heading, value)
    return named


_REFUSED: Mapping[Kind, str] = {
    "judgments": f"It holds no grades. {AS_RUN}",
    "models": f"It holds the lists of one model. {AS_RUN}",
}
_FAILED = "It has no hits: search again."
FORMS = (
    Form(
        "this is the error of a search engine",
        _is_error,
        {},
        dict.fromkeys(("run", "models", "judgments", "queries", "votes"), _FAILED),
    ),
    Form(
        "this is the answer to a search",
        _is_single,
        {"run": _single, "judgments": _graded},
        {"models": _REFUSED["models"]},
    ),
    Form("these are judgments in a search engine", _are_rows_of_grades, {"judgments": _graded}),
    Form("these are answers to searches, by query", _are_named, {"run": _named_rows}, _REFUSED, large=False),
    Form("this is the answer to several searches", _is_multiple, {"run": _multiple}, _REFUSED),
    Form(
        "this is a list of answers to searches",
        lambda value: isinstance(value, (list, tuple)) and _are_answers(value),
        {"run": _numbered},
        _REFUSED,
    ),
)
