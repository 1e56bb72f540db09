"""Nested records made flat: a record with a list of documents becomes one record for each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rankdash.reading.columns.synonyms import TIERS, Wanted, key
from rankdash.reading.columns.wide_tables import LISTS, side_of
from rankdash.reading.source.problems import listed, refuse

#: Lists of grades: in them the place of a document says nothing.
_GRADES = frozenset(("ratings", "judgments", "judgements", "qrels"))
_MANY = 1 << 10
_key = lru_cache(_MANY)(key)


def cells_of(file: str, row: Mapping[str, Any], wanted: Wanted) -> Iterator[dict[str, str]]:
    """Yield the flat records of a record that may be nested.

    ReadError where several lists could be the documents.
    """
    if wanted in ("queries", "votes"):
        yield {name: text_of(value) for name, value in row.items()}
    elif all(value.__class__ is str for value in row.values()):
        yield dict(row)
    else:
        yield from _flat(file, row, wanted)


def text_of(value: Any) -> str:
    """Return a value as the text of a cell; what is nested is written as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _flat(file: str, row: Mapping[str, Any], wanted: Wanted) -> Iterator[dict[str, str]]:
    row = {name: _unwrapped(value) for name, value in row.items()}
    lists = {name: value for name, value in row.items() if _holds_documents(name, value)}
    if not lists:
        yield _cells(row)
        return
    own = _cells({name: value for name, value in row.items() if name not in lists})
    if len(lists) > 1:
        if wanted == "run":
            what = f"a record has {len(lists)} lists: {listed(lists)}"
            raise refuse("other_kind", file, what, "Give it as the one file with both models.")
        sides = {name: side_of(name) for name in lists}
        for name, value in lists.items():
            model = {"model": sides[name] or name}
            for cells in _documents(value, wanted):
                yield {**own, **model, **cells} if wanted == "models" else {**own, **cells}
        return
    ((name, value),) = lists.items()
    names, renamed = None, own
    for cells in _documents(value, wanted, placed=_key(name) not in _GRADES):
        if cells.keys() != names:
            names, renamed = cells.keys(), _renamed(own, cells)
        yield {**renamed, **cells}


def _unwrapped(value: Any) -> Any:
    """Return the list in an object that only wraps it, as search engines do: {"total": 2, "hits": [{…}, {…}]}."""
    if not isinstance(value, dict):
        return value
    lists = [one for name, one in value.items() if isinstance(one, list) and _key(name) in LISTS]
    if len(lists) == 1 and all(isinstance(one, dict) for one in lists[0]):
        return lists[0]
    inner = [one for name, one in value.items() if isinstance(one, dict) and _key(name) in LISTS]
    return _unwrapped(inner[0]) if len(inner) == 1 and _unwrapped(inner[0]) is not inner[0] else value


def _holds_documents(name: str, value: Any) -> bool:
    """Whether a value is a list of documents: of objects, of pairs, of ids, or {document: number}."""
    if isinstance(value, list) and value:
        if all(isinstance(one, dict) for one in value):
            return True
        pairs = all(isinstance(one, list) and 0 < len(one) <= 2 for one in value)
        return pairs or (all(isinstance(one, str) for one in value) and is_list_name(name))
    return isinstance(value, dict) and bool(value) and is_list_name(name) and _is_flat(value)


def _is_flat(value: Mapping[str, Any]) -> bool:
    return all(not isinstance(one, (dict, list)) for one in value.values())


def is_list_name(name: str) -> bool:
    """Whether this is what people call a list of documents."""
    return side_of(name) != "" or _key(name) in LISTS


def _documents(value: Any, wanted: Wanted, *, placed: bool = True) -> Iterator[dict[str, str]]:
    """Yield the cells of each document of a list; ``placed``: where nothing else orders it, its place is its rank."""
    placed = placed and wanted != "judgments"
    number = "relevance" if wanted == "judgments" else "score"
    if isinstance(value, dict):
        for document, cell in value.items():
            yield {"doc_id": str(document), number: text_of(cell)}
        return
    for place, one in enumerate(value, start=1):
        if isinstance(one, dict):
            cells = _cells(one)
            yield {**cells, "rank": str(place)} if placed and not _has_order(tuple(cells)) else cells
        elif isinstance(one, list):
            yield {"doc_id": text_of(one[0])} | ({number: text_of(one[1])} if len(one) > 1 else {})
        else:
            yield {"doc_id": text_of(one)} | ({"rank": str(place)} if placed else {})


@lru_cache(_MANY)
def _has_order(names: tuple[str, ...]) -> bool:
    return any(_key(name) in tier for name in names for part in ("rank", "score") for tier in TIERS["run"][part])


def _cells(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of one object; an object within is opened, where its names are new."""
    if set(map(type, row.values())) <= {str}:
        return dict(row)
    cells = {str(name): text_of(value) for name, value in row.items() if not isinstance(value, dict)}
    for name, value in row.items():
        if isinstance(value, dict) and _is_flat(value):
            for inner, cell in value.items():
                cells.setdefault(str(inner), text_of(cell))
        elif isinstance(value, dict):
            cells.setdefault(str(name), text_of(value))
    return cells


def _renamed(own: Mapping[str, str], cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of the record around a list; its "id" is the query's where the documents have an "id" too."""
    names = _new_names(tuple(own), tuple(cells))
    return {names[name]: cell for name, cell in own.items() if name in names}


@lru_cache(_MANY)
def _new_names(own: tuple[str, ...], cells: tuple[str, ...]) -> dict[str, str]:
    """Return what the names of the record become; an "id" that neither query nor document needs is left out."""
    ids = TIERS["run"]["query_id"]
    if any(_key(name) in tier for name in own for tier in ids[:2]):
        twice = "id" in map(_key, cells)
        return {name: name for name in own if not (twice and _key(name) == "id")}
    return {name: "query_id" if _key(name) == "id" else name for name in own}
