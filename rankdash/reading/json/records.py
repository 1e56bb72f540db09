"""Nested records made flat: a record with a list of documents becomes one record for each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rankdash.reading.columns.synonyms import TIERS, is_known
from rankdash.reading.columns.wide_tables import side_of
from rankdash.reading.json.job import Job
from rankdash.reading.json.shapes import (
    are_described,
    are_grades,
    holds_documents,
    is_container,
    is_document,
    is_flat,
    is_list_name,
    key,
    means,
    speaks_of_query,
)
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.tools.form import is_plain
from rankdash.reading.tools.hits import PARTIAL, at_path, hits_of, is_failure, is_grade, is_partial, is_row
from rankdash.reading.words.headings import LISTS

_MANY = 1 << 10
_QUERIES = frozenset().union(*TIERS["run"]["query_id"])
#: What the documents of a query are called, where nothing but the query names them.
INNER = "documents"
#: What Algolia calls the id of a document.
_OBJECT = "objectID"
#: What hits of search engines have: Elasticsearch and its kin, Algolia, Typesense.
_HITS = ({"_id", "_score"}, {_OBJECT}, {"document", "text_match"})
#: Where a hit comes from, and not what it is.
_ORIGIN = frozenset(("_federation",))
#: Names of documents that are shown beside a list and are not in it.
_ASIDE = frozenset(("ratedonly",))


def cells_of(job: Job, row: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the flat records of a record that may be nested; note in the job what is in none of them.

    ReadError where several lists could be the documents.
    """
    if job.kind in ("queries", "votes"):
        for name, value in row.items():
            job.mark(name, type(value))
            job.look(name, value)
        yield {name: text_of(value) for name, value in row.items()}
    elif all(value.__class__ is str for value in row.values()):
        yield dict(row)
    else:
        yield from _flat(job, row)


def text_of(value: Any) -> str:
    """Return a value as the text of a cell; what is nested is written as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _flat(job: Job, row: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    whole, row = row, row if is_document(row) else {name: _unwrapped(job, name, value) for name, value in row.items()}
    nested = {} if is_document(row) else {name: value for name, value in row.items() if holds_documents(name, value)}
    if not nested:
        if query := _failed_query(job, row):
            job.failed.append(query)
        elif any(_is_empty_list(name, value, whole[name]) for name, value in row.items()):
            job.empty += 1
        else:
            yield _cells(job, row)
        return
    empty = [name for name, value in row.items() if value == [] and job.kind == "models" and side_of(name)]
    own = _cells(job, {name: value for name, value in row.items() if name not in nested and name not in empty})
    lists = _chosen(job, nested)
    sides = {name: side_of(name) for name in lists}
    if len(lists) > 1 or (empty and all(sides.values())):
        for name, value in lists.items():
            model = {"model": sides[name] or name}
            for cells in _documents(job, name, value):
                job.unread.add_all(other for other in own if other in cells)
                yield {**own, **model, **cells} if job.kind == "models" else {**own, **cells}
        return
    ((name, value),) = lists.items()
    names, renamed, texts = None, own, frozenset[str]()
    for cells in _documents(job, name, value, asked=any(key(own_name) in _QUERIES for own_name in own)):
        if cells.keys() != names:
            names, renamed = cells.keys(), _renamed(job, own, cells, graded=are_grades(name))
            texts = _of_documents(job, tuple(renamed), tuple(cells))
        yield {**renamed, **{name: cell for name, cell in cells.items() if name not in texts}}


def _is_empty_list(name: str, value: Any, whole: Any) -> bool:
    """Return whether a member is a list without documents, by its name or as that of the answer of a search engine."""
    return value in ([], {}) and (is_list_name(name) or bool(side_of(name)) or hits_of(whole) is not None)


def _failed_query(job: Job, row: Mapping[str, Any]) -> str:
    """Return the query of a record that has, in place of documents, the error of a search engine; "" of any other."""
    failed = (
        job.kind in ("run", "models") and any(map(is_failure, (row, *row.values()))) and not means(row, "run", "doc_id")
    )
    query = next((value for name, value in row.items() if key(name) in _QUERIES), None) if failed else None
    return text_of(query) if is_plain(query) else ""


def _of_documents(job: Job, own: tuple[str, ...], cells: tuple[str, ...]) -> frozenset[str]:
    """Return the names of a query among those of its documents that speak of the document, where the record around
    them names the query: its text, its topic, the user who wrote it.
    """
    if not any(key(name) in _QUERIES for name in own):
        return frozenset()
    asked = job.options.columns.values()
    texts = frozenset(
        name for name in cells if key(name) in _QUERIES and not speaks_of_query(name) and name not in asked
    )
    job.unread.add_all(name for name in cells if name in texts)
    return texts


def _chosen(job: Job, lists: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the lists of a record that fit the kind of table: documents in an order, or their grades.

    ReadError where several lists, or none, could be the run.
    """
    grades = [name for name in lists if are_grades(name)]
    others = [name for name in lists if name not in grades]
    named = [name for name in others if is_list_name(name)]
    chosen = grades if job.kind == "judgments" and grades else named if len(named) == 1 else others
    if job.kind == "run" and len(chosen) > 1:
        what = f"a record has {len(chosen)} lists: {listed(chosen)}"
        raise refuse("other_kind", job.name, what, "Give it as the one file with both models.")
    if not chosen:
        what = f"the documents stand in {listed(grades)}, which hold grades and no order"
        raise refuse("other_kind", job.name, what, "Give the file as the judgments.")
    job.unread.add_all(name for name in lists if name not in chosen)
    return {name: lists[name] for name in chosen}


def _unwrapped(job: Job, name: str, value: Any) -> Any:
    """Return the list in an object that only wraps it, as search engines do: {"total": 2, "hits": [{…}, {…}]}."""
    if not isinstance(value, dict):
        return value
    if is_partial(value) and PARTIAL not in job.notes:
        job.notes.append(PARTIAL)
    lists = [inner for inner, member in value.items() if isinstance(member, list) and key(inner) in LISTS]
    if len(lists) != 1 or not all(isinstance(member, dict) for member in value[lists[0]]):
        lists = [inner for inner, member in value.items() if isinstance(member, dict) and key(inner) in LISTS]
        inner = _unwrapped(job, f"{name}.{lists[0]}", value[lists[0]]) if len(lists) == 1 else None
        if inner is None or inner is value[lists[0]]:
            return value
    else:
        inner = value[lists[0]]
    job.unread.add_all(other if name == INNER else f"{name}.{other}" for other in value if other != lists[0])
    return inner


def _documents(job: Job, name: str, value: Any, *, asked: bool = False) -> Iterator[dict[str, str]]:
    """Yield the cells of each document of a list; where nothing else orders them, the place of each is its rank.

    ``asked``: the query is named around the list, and by no document.
    """
    graded = job.kind == "judgments" or are_grades(name)
    number = "relevance" if graded else "score"
    if isinstance(value, dict):
        if not are_described(value):
            yield from ({"doc_id": str(document), number: text_of(cell)} for document, cell in value.items())
            return
        value = [{**described, "doc_id": document} for document, described in value.items()]
    for place, item in enumerate(value, start=1):
        if isinstance(item, dict):
            if not graded and any(item[own] is True for own in item if key(own) in _ASIDE):
                job.unread.add(f"documents where {next(own for own in item if key(own) in _ASIDE)} is true")
                continue
            cells = _of_algolia(job, _cells(job, item, asked=asked))
            ordered = _has_order(tuple(cells)) and not _is_hit(item)
            yield cells if graded or ordered else {**cells, "rank": str(place)}
        elif isinstance(item, list):
            cells = _cells(job, item[0]) if isinstance(item[0], dict) else {"doc_id": text_of(item[0])}
            job.mark("doc_id", str if isinstance(item[0], dict) else type(item[0]))
            yield {**cells, number: text_of(item[1])} if len(item) > 1 else cells
        else:
            job.mark("doc_id", type(item))
            yield {"doc_id": text_of(item)} | ({} if graded else {"rank": str(place)})


def _of_algolia(job: Job, cells: dict[str, str]) -> dict[str, str]:
    """Return the cells of a hit; of one of Algolia, whose id is ``objectID``, without the other ids that it has."""
    if _OBJECT not in cells or "doc_id" in job.options.columns:
        return cells
    others = [name for name in cells if name != _OBJECT and is_document({name: ""})]
    job.unread.add_all(others)
    return {name: cell for name, cell in cells.items() if name not in others}


def _is_hit(item: Mapping[str, Any]) -> bool:
    """Return whether this is a hit of a search engine, which stands at its place whatever its score."""
    hit = item["hit"] if isinstance(item.get("hit"), dict) else item  # that of a rank evaluation has a rating beside
    return any(hit.keys() >= signs for signs in _HITS)


@lru_cache(_MANY)
def _has_order(names: tuple[str, ...]) -> bool:
    return means(names, "run", "rank", "score")


def _cells(job: Job, row: Mapping[str, Any], *, asked: bool = False) -> dict[str, str]:
    """Return the cells of one object; an object within is opened, where its names are new, and where they do not
    describe the document of a hit in the words of a run, as they always do where its query was ``asked``.
    """
    if set(map(type, row.values())) <= {str}:
        return dict(row)
    cells: dict[str, str] = {}
    opened: list[tuple[str, dict[str, Any], bool]] = []
    job.unread.add_all(_ORIGIN & row.keys())
    row = {name: value for name, value in row.items() if name not in _ORIGIN}
    for name, value in row.items():
        described = name == "_source" and "_id" in row and (asked or not _is_own_row(job, value))
        graded = name == "_source" and job.kind == "judgments"
        if isinstance(value, dict) and value and (described or graded or is_flat(value)):
            opened.append((name, value, described))
        else:
            job.mark(name, type(value))
            cells[name] = text_of(value)
    for name, value, described in opened:
        for inner, cell in value.items():
            hidden = is_container(cell) or (described and not _is_shown(job, inner))
            if cells.get(inner) or hidden:
                job.unread.add(f"{name}.{inner}")
                continue
            job.mark(inner, type(cell))
            cells[inner] = text_of(cell)
    return cells | _stored_cells(job, row, cells)


def _is_own_row(job: Job, stored: Any) -> bool:
    """Return whether what is stored under a hit is a row of a run, or of the judgments that it is given as."""
    return is_row(stored) or (job.kind == "judgments" and isinstance(stored, dict) and is_grade(stored))


def _is_shown(job: Job, name: str) -> bool:
    """Return whether what describes a document is shown: its title, and in a run what is no word of a run."""
    if name in job.options.columns.values() or means([name], "run", "title"):
        return True
    return job.kind == "run" and not is_known(name, "run")


def _stored_cells(job: Job, row: Mapping[str, Any], cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells under ``_source`` of a hit of a search engine that a user gave a meaning."""
    stored = row.get("_source")
    extra: dict[str, str] = {}
    if not isinstance(stored, dict):
        return extra
    job.stored.add({"_id": row.get("_id"), **stored})
    for heading in job.options.columns.values():
        value = at_path(stored, heading) if heading not in cells else None
        if value is not None:
            job.mark(heading, type(value))
            extra[heading] = text_of(value)
    return extra


def _renamed(job: Job, own: Mapping[str, str], cells: Mapping[str, str], *, graded: bool) -> dict[str, str]:
    """Return the cells of the record around a list; its "id" is the query's, or that of the answer, and a document's
    only where the list is ``graded``: grades of this one document.
    """
    names = _new_names(tuple(own), tuple(cells), graded)
    job.unread.add_all(name for name in own if name not in names or names[name] in cells)
    return {names[name]: cell for name, cell in own.items() if name in names}


@lru_cache(_MANY)
def _new_names(own: tuple[str, ...], cells: tuple[str, ...], graded: bool) -> dict[str, str]:
    """Return the new names by those of the record; an "id" that is neither query nor document is left out."""
    ids = TIERS["run"]["query_id"]
    if any(key(name) in tier for name in own for tier in ids[:2]):
        aside = not graded or "id" in map(key, cells)
        return {name: name for name in own if not (aside and key(name) == "id")}
    return {name: "query_id" if key(name) == "id" else name for name in own}
