"""Nested records made flat: a record with a list of documents becomes one record for each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rankdash.reading.columns.synonyms import TIERS, Wanted
from rankdash.reading.columns.wide_tables import LISTS, side_of
from rankdash.reading.json.shapes import are_grades, holds_documents, is_flat, is_list_name, key, means
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.source.unread import Unread

_MANY = 1 << 10
#: What the documents of a query are called, where nothing but the query names them.
INNER = "documents"
#: Names of documents that are shown beside a list and are not in it.
_ASIDE = frozenset(("ratedonly",))


def cells_of(file: str, row: Mapping[str, Any], wanted: Wanted, unread: Unread) -> Iterator[dict[str, str]]:
    """Yield the flat records of a record that may be nested; ``unread`` takes the names of what is in none of them.

    ReadError where several lists could be the documents.
    """
    if wanted in ("queries", "votes"):
        yield {name: text_of(value) for name, value in row.items()}
    elif all(value.__class__ is str for value in row.values()):
        yield dict(row)
    else:
        yield from _flat(file, row, wanted, unread)


def text_of(value: Any) -> str:
    """Return a value as the text of a cell; what is nested is written as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _flat(file: str, row: Mapping[str, Any], wanted: Wanted, unread: Unread) -> Iterator[dict[str, str]]:
    row = {name: _unwrapped(name, value, unread) for name, value in row.items()}
    found = {name: value for name, value in row.items() if holds_documents(name, value)}
    if not found:
        yield _cells(row, unread)
        return
    own = _cells({name: value for name, value in row.items() if name not in found}, unread)
    lists = _chosen(file, found, wanted, unread)
    if len(lists) > 1:
        sides = {name: side_of(name) for name in lists}
        for name, value in lists.items():
            model = {"model": sides[name] or name}
            for cells in _documents(name, value, wanted, unread):
                unread.add_all(other for other in own if other in cells)
                yield {**own, **model, **cells} if wanted == "models" else {**own, **cells}
        return
    ((name, value),) = lists.items()
    names, renamed = None, own
    for cells in _documents(name, value, wanted, unread):
        if cells.keys() != names:
            names, renamed = cells.keys(), _renamed(own, cells, unread)
        yield {**renamed, **cells}


def _chosen(file: str, lists: Mapping[str, Any], wanted: Wanted, unread: Unread) -> Mapping[str, Any]:
    """Return the lists of a record that hold what is wanted: documents in an order, or their grades.

    ReadError where a run is wanted and several lists, or none, could be it.
    """
    grades = [name for name in lists if are_grades(name)]
    others = [name for name in lists if name not in grades]
    named = [name for name in others if is_list_name(name)]
    chosen = grades if wanted == "judgments" and grades else named if len(named) == 1 else others
    if wanted == "run" and len(chosen) > 1:
        what = f"a record has {len(chosen)} lists: {listed(chosen)}"
        raise refuse("other_kind", file, what, "Give it as the one file with both models.")
    if not chosen:
        what = f"the documents stand in {listed(grades)}, which hold grades and no order"
        raise refuse("other_kind", file, what, "Give the file as the judgments.")
    unread.add_all(name for name in lists if name not in chosen)
    return {name: lists[name] for name in chosen}


def _unwrapped(name: str, value: Any, unread: Unread) -> Any:
    """Return the list in an object that only wraps it, as search engines do: {"total": 2, "hits": [{…}, {…}]}."""
    if not isinstance(value, dict):
        return value
    lists = [inner for inner, one in value.items() if isinstance(one, list) and key(inner) in LISTS]
    if len(lists) != 1 or not all(isinstance(one, dict) for one in value[lists[0]]):
        lists = [inner for inner, one in value.items() if isinstance(one, dict) and key(inner) in LISTS]
        inner = _unwrapped(f"{name}.{lists[0]}", value[lists[0]], unread) if len(lists) == 1 else None
        if inner is None or inner is value[lists[0]]:
            return value
    else:
        inner = value[lists[0]]
    unread.add_all(other if name == INNER else f"{name}.{other}" for other in value if other != lists[0])
    return inner


def _documents(name: str, value: Any, wanted: Wanted, unread: Unread) -> Iterator[dict[str, str]]:
    """Yield the cells of each document of a list; where nothing else orders them, the place of each is its rank."""
    graded = wanted == "judgments" or are_grades(name)
    number = "relevance" if graded else "score"
    if isinstance(value, dict):
        for document, cell in value.items():
            yield {"doc_id": str(document), number: text_of(cell)}
        return
    for place, one in enumerate(value, start=1):
        if isinstance(one, dict):
            if not graded and any(one[own] is True for own in one if key(own) in _ASIDE):
                unread.add(f"documents where {next(own for own in one if key(own) in _ASIDE)} is true")
                continue
            cells = _cells(one, unread)
            yield cells if graded or _has_order(tuple(cells)) else {**cells, "rank": str(place)}
        elif isinstance(one, list):
            yield {"doc_id": text_of(one[0])} | ({number: text_of(one[1])} if len(one) > 1 else {})
        else:
            yield {"doc_id": text_of(one)} | ({} if graded else {"rank": str(place)})


@lru_cache(_MANY)
def _has_order(names: tuple[str, ...]) -> bool:
    return means(names, "run", "rank", "score")


def _cells(row: Mapping[str, Any], unread: Unread) -> dict[str, str]:
    """Return the cells of one object; an object within is opened, where its names are new."""
    if set(map(type, row.values())) <= {str}:
        return dict(row)
    cells = {str(name): text_of(value) for name, value in row.items() if not isinstance(value, dict)}
    for name, value in row.items():
        if isinstance(value, dict) and is_flat(value):
            for inner, cell in value.items():
                if inner in cells:
                    unread.add(f"{name}.{inner}")
                cells.setdefault(str(inner), text_of(cell))
        elif isinstance(value, dict):
            if name in cells:
                unread.add(name)
            cells.setdefault(str(name), text_of(value))
    return cells


def _renamed(own: Mapping[str, str], cells: Mapping[str, str], unread: Unread) -> dict[str, str]:
    """Return the cells of the record around a list; its "id" is the query's where the documents have an "id" too."""
    names = _new_names(tuple(own), tuple(cells))
    unread.add_all(name for name in own if name not in names or names[name] in cells)
    return {names[name]: cell for name, cell in own.items() if name in names}


@lru_cache(_MANY)
def _new_names(own: tuple[str, ...], cells: tuple[str, ...]) -> dict[str, str]:
    """Return what the names of the record become; an "id" that neither query nor document needs is left out."""
    ids = TIERS["run"]["query_id"]
    if any(key(name) in tier for name in own for tier in ids[:2]):
        twice = "id" in map(key, cells)
        return {name: name for name in own if not (twice and key(name) == "id")}
    return {name: "query_id" if key(name) == "id" else name for name in own}
