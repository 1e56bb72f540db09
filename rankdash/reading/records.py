"""Nested records made flat: a record with a list of documents becomes one record for each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankdash.reading.folds import LISTS, side_of
from rankdash.reading.meanings import TIERS, Wanted, key
from rankdash.reading.problems import listed, refuse


@dataclass(frozen=True)
class Record:
    """One flat record: the text of each cell by its name, and the number, from 0, of the record it came from."""

    row: int
    cells: dict[str, str]


def records_of(file: str, rows: Sequence[Mapping[str, Any]], wanted: Wanted) -> list[Record]:
    """The flat records of nested ones. ReadError where it is not clear which list holds the documents."""
    if wanted in ("queries", "votes"):
        return [Record(i, {str(name): text_of(value) for name, value in row.items()}) for i, row in enumerate(rows)]
    found: list[Record] = []
    for i, row in enumerate(rows):
        if all(value.__class__ is str for value in row.values()):
            found.append(Record(i, dict(row)))
            continue
        found += [Record(i, cells) for cells in _flat(file, row, wanted)]
    if not found:
        raise refuse(file, "there are no documents in the lists")
    return found


def text_of(value: Any) -> str:
    """A value as the text of a cell; what is nested is written as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _flat(file: str, row: Mapping[str, Any], wanted: Wanted) -> Iterator[dict[str, str]]:
    lists = {name: value for name, value in row.items() if _holds_documents(name, value)}
    if not lists:
        yield _cells(row)
        return
    own = _cells({name: value for name, value in row.items() if name not in lists})
    if len(lists) > 1:
        if wanted == "run":
            what = f"a record has {len(lists)} lists: {listed(lists)}"
            raise refuse(file, what, "Give it as the one file with both models.")
        sides = {name: side_of(name) for name in lists}
        for name, value in lists.items():
            model = {"model": sides[name] or name}
            for cells in _documents(value, wanted, own):
                yield {**own, **model, **cells} if wanted == "models" else {**own, **cells}
        return
    ((_, value),) = lists.items()
    for cells in _documents(value, wanted, own):
        yield {**_renamed(own, cells), **cells}


def _holds_documents(name: str, value: Any) -> bool:
    """Whether a value is a list of documents: of objects, of pairs, of ids, or {document: number}."""
    if isinstance(value, list) and value:
        if all(isinstance(one, dict) for one in value):
            return True
        pairs = all(isinstance(one, list) and 0 < len(one) <= 2 for one in value)
        return pairs or (all(isinstance(one, str) for one in value) and _is_list_name(name))
    return isinstance(value, dict) and bool(value) and _is_list_name(name) and _is_flat(value)


def _is_flat(value: Mapping[str, Any]) -> bool:
    return all(not isinstance(one, (dict, list)) for one in value.values())


def _is_list_name(name: str) -> bool:
    return side_of(name) != "" or key(name) in LISTS


def _documents(value: Any, wanted: Wanted, own: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """The cells of each document of a list."""
    number = "relevance" if wanted == "judgments" else "score"
    if isinstance(value, dict):
        for document, cell in value.items():
            yield {"doc_id": str(document), number: text_of(cell)}
        return
    for place, one in enumerate(value, start=1):
        if isinstance(one, dict):
            cells = _cells(one)
            ordered = any(
                key(name) in tier for name in cells for part in ("rank", "score") for tier in TIERS["run"][part]
            )
            yield cells if ordered or wanted == "judgments" else {**cells, "rank": str(place)}
        elif isinstance(one, list):
            yield {"doc_id": text_of(one[0])} | ({number: text_of(one[1])} if len(one) > 1 else {})
        else:
            yield {"doc_id": text_of(one)} | ({} if wanted == "judgments" else {"rank": str(place)})


def _cells(row: Mapping[str, Any]) -> dict[str, str]:
    """The cells of one object; an object within is opened, where its names are new."""
    cells = {str(name): text_of(value) for name, value in row.items() if not isinstance(value, dict)}
    for name, value in row.items():
        if isinstance(value, dict) and _is_flat(value):
            for inner, cell in value.items():
                cells.setdefault(str(inner), text_of(cell))
        elif isinstance(value, dict):
            cells.setdefault(str(name), text_of(value))
    return cells


def _renamed(own: Mapping[str, str], cells: Mapping[str, str]) -> dict[str, str]:
    """The cells of the record that holds the list; its "id" is the query's where the documents have one too."""
    ids = TIERS["run"]["query_id"]
    if any(key(name) in tier for name in own for tier in ids[:2]):
        return {name: cell for name, cell in own.items() if key(name) != "id"} if "id" in map(key, cells) else dict(own)
    return {("query_id" if key(name) == "id" else name): cell for name, cell in own.items()}
