"""Wide tables: a column per rank, a column of lists, or columns for A and B. They are reshaped to one row per document.

``fold_of`` recognises them by their headings, ``unfolded`` reshapes what was read. In between, the name of such a
column is its meaning followed by a sign that no heading has, and the model or rank that it is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.arrow import from_strings
from rankdash.reading.columns.grid import Grid, unfit
from rankdash.reading.columns.list_cells import is_list, items_of
from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.source.problems import Problem, ReadError, listed, refuse
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, filled
from rankdash.reading.words.headings import LISTS, NUMBER_LISTS, RANKED, Kind
from rankdash.reading.words.sides import SIDES

#: Between what a column holds, for whom, and at which rank.
FOR = "\x1f"
_RANKED = re.compile(RANKED)
_PARTS = ("doc_id", "rank", "score", "relevance", "title")
_NO_LIST = 'Write ids between |, or ["a", "b"] as JSON does.'
_NO_DOCUMENTS = "Give for each query the list of its documents alone: {query: {document: number}}, or [document, …]."


def fold_of(headings: Sequence[str], kind: Kind, taken: Mapping[int, str]) -> dict[int, str]:
    """Return the names for the columns of lists side by side, by column number; empty where the table is not wide."""
    if kind not in ("run", "models", "judgments"):
        return {}
    free = {i: key(heading) for i, heading in enumerate(headings)}
    return _sides(free, taken) or _ranked(free, taken) or _lists(free, taken)


def _sides(free: Mapping[int, str], taken: Mapping[int, str]) -> dict[int, str]:
    """Return columns for A and for B: of documents, or of ranks or scores beside a document of both."""
    columns: dict[int, str] = {}
    for i, heading in free.items():
        for part in _PARTS:
            side = _side_of(heading, part)
            if side and f"{part}{FOR}{side}" not in columns.values():
                columns[i] = f"{part}{FOR}{side}"
                break
    names = set(columns.values())
    both = [part for part in _PARTS if {f"{part}{FOR}A", f"{part}{FOR}B"} <= names]
    if "doc_id" in both or ("doc_id" in taken.values() and {"rank", "score"} & set(both)):
        return {i: name for i, name in columns.items() if name.split(FOR)[0] in both}
    return {}


def _side_of(heading: str, part: str) -> str:
    """Return A or B where a heading is a part of one side ("doc_a", "Rank (A)", "model B score"), else ""."""
    for tier in TIERS["run"][part]:
        for name in tier:
            rest = heading.removeprefix(name) if heading.startswith(name) else heading.removesuffix(name)
            if rest != heading and rest in SIDES:
                return SIDES[rest][0]
    if part != "doc_id":
        return ""
    if heading in ("a", "b", "modela", "modelb", "systema", "systemb"):
        return "A" if heading.endswith("a") else "B"
    return _side_of_list(heading)


def _side_of_list(heading: str) -> str:
    """Return A or B where a heading names the lists of one side ("docs_a", "baseline results"), else ""."""
    return next(
        (
            SIDES[rest]
            for name in LISTS
            for rest in (heading.removeprefix(name), heading.removesuffix(name))
            if rest != heading and rest in SIDES
        ),
        "",
    )


def _ranked(free: Mapping[int, str], taken: Mapping[int, str]) -> dict[int, str]:
    """Return columns for rank 1, 2, 3, …, or 0, 1, 2, …."""
    if "doc_id" in taken.values():
        return {}
    series: dict[tuple[str, str], dict[int, int]] = {}
    for i, heading in free.items():
        match = _RANKED.fullmatch(heading)
        if match:
            series.setdefault((match[1] or "", match[3] or ""), {}).setdefault(int(match[2]), i)
    places = max(series.values(), key=len, default={})
    numbers = sorted(places)
    if len(numbers) < 2 or numbers != list(range(numbers[0], numbers[0] + len(numbers))) or numbers[0] > 1:
        return {}
    return {places[n]: f"doc_id{FOR}{FOR}{n - numbers[0] + 1}" for n in numbers}


def _lists(free: Mapping[int, str], taken: Mapping[int, str]) -> dict[int, str]:
    """Return a column whose cells are lists, and columns of as many scores or grades."""
    if "doc_id" in taken.values():
        return {}
    place = next((i for i, heading in free.items() if heading in LISTS), None)
    if place is None:
        return {}
    numbers = {i: f"{NUMBER_LISTS[heading]}{FOR}{FOR}list" for i, heading in free.items() if heading in NUMBER_LISTS}
    return {place: f"doc_id{FOR}{FOR}list"} | numbers


def side_of(name: str) -> str:
    """Return A or B where the name of a list says for which model it is ("results_a", "baseline"), else ""."""
    own = key(name)
    return SIDES.get(own) or _side_of(own, "doc_id")


def is_folded(name: str) -> bool:
    """Return whether a column of the Grid is one of several lists side by side."""
    return FOR in name


def unfolded(grid: Grid, kind: Kind, most: int) -> Grid:
    """Return the Grid with one row for each document, at most ``most``; the same where nothing is side by side."""
    folded = [name for name in grid.columns if is_folded(name)]
    if not folded:
        return grid
    parts = [(name, *name.split(FOR)) for name in folded]
    sides = sorted({part[2] for part in parts if part[2]})
    if sides and kind == "run":
        raise refuse(
            "other_kind", grid.name, "there are two models side by side", "Give it as the one file with both models."
        )
    texts = {name: _texts(grid, name) for name in grid.columns}
    if sides:
        rows = _rows_of_sides(grid, texts, parts, sides)
    else:
        rows = _rows_of_lists(grid, texts, parts)
    columns, origin = _columns(rows, grid.name, most)
    if not origin:
        raise refuse("empty", grid.name, "there are no documents in the lists")
    at = np.array(origin, np.int64)
    made: dict[str, pa.Array] = {name: from_strings(values) for name, values in columns.items()}
    for name in grid.columns:
        if not is_folded(name) and name not in made:
            made[name] = from_strings([texts[name][row] for row in origin])
    row_of = grid.row_of
    headings = [f"{grid.called.get(name, name)}{f' ({side})' if side else ''}" for name, _, side, *_ in parts]
    note = f"Columns {listed(headings[:6])} were read as lists side by side: {len(origin):,} documents."
    return replace(grid, columns=made, notes=(*grid.notes, note), row_of=lambda rows: row_of(at[rows]), as_text=None)


def _texts(grid: Grid, name: str) -> list[str]:
    try:
        return list(filled(as_text(grid.columns[name])[0]).to_pylist())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise unfit(grid, name, "text") from None


Rows = Iterator[tuple[int, dict[str, str]]]


def _columns(rows: Rows, file: str, most: int) -> tuple[dict[str, list[str]], list[int]]:
    """Return the values of each column, "" where a row has none, and the row of the source that each comes from."""
    columns: dict[str, list[str]] = {}
    origin: list[int] = []
    for row, values in rows:
        origin.append(row)
        if len(origin) > most:
            raise refuse("too_large", file, f"there are more than {most:,} documents", "That is the limit.")
        for name, value in values.items():
            column = columns.setdefault(name, [])
            column.extend([""] * (len(origin) - 1 - len(column)))  # rows above that have none
            column.append(value)
    for column in columns.values():
        column.extend([""] * (len(origin) - len(column)))
    return columns, origin


def _rows_of_sides(
    grid: Grid, texts: Mapping[str, list[str]], parts: Sequence[tuple[str, ...]], sides: Sequence[str]
) -> Rows:
    """Yield each row once for each side that has a document, or a rank or score, in it; all of A, then all of B."""
    for side in sides:
        own = {part[1]: texts[part[0]] for part in parts if part[2] == side}
        deciding = next(name for name in ("doc_id", "rank", "score") if name in own)
        title = next(grid.called.get(part[0], part[0]) for part in parts if part[1:3] == (deciding, side))
        lists = deciding == "doc_id" and "rank" not in (*own, *grid.columns) and bool(_side_of_list(key(title)))
        separator = _separator(own[deciding]) if lists else ","
        for row in range(grid.rows):
            if not own[deciding][row].strip():
                continue
            values = {name: cells[row] for name, cells in own.items()} | {"model": side}
            if not lists and (deciding != "doc_id" or not is_list(own["doc_id"][row])):
                yield row, values
                continue
            for place, cell in enumerate(_cells(grid, title, row, own["doc_id"][row], separator), start=1):
                yield row, values | {"doc_id": cell[0], "rank": str(place)}


def _rows_of_lists(grid: Grid, texts: Mapping[str, list[str]], parts: Sequence[tuple[str, ...]]) -> Rows:
    """Yield each document of each list, with its rank."""
    if parts[0][3] != "list":
        for row in range(grid.rows):
            for name, _, _, rank in parts:
                if texts[name][row].strip():
                    yield row, {"doc_id": texts[name][row], "rank": rank}
        return
    own = {part[1]: texts[part[0]] for part in parts}
    titles = {part[1]: grid.called.get(part[0], part[0]) for part in parts}
    separator = {name: _separator(cells) for name, cells in own.items()}
    for row in range(grid.rows):
        lists = {name: _cells(grid, titles[name], row, cells[row], separator[name]) for name, cells in own.items()}
        documents = lists.pop("doc_id")
        if any(len(numbers) != len(documents) for numbers in lists.values()):
            raise _bad_list(grid, titles["doc_id"], row, "the lists of this row have different lengths")
        for place, cell in enumerate(documents, start=1):
            values = {"doc_id": cell[0], "rank": str(place)} | {
                name: cells[place - 1][0] for name, cells in lists.items()
            }
            if "score" in own or len(cell) > 1:
                values.setdefault("score", cell[1] if len(cell) > 1 else "")
            yield row, values


def _separator(cells: Sequence[str]) -> str:
    """Return what stands between the documents of a list: the first of | ; , or white space that occurs."""
    some = [cell for cell in cells[:1000] if not is_list(cell, braces=True)]
    return next((sign for sign in "|;,、\n" if any(sign in cell.strip() for cell in some)), " ")


def _cells(grid: Grid, title: str, row: int, cell: str, separator: str) -> list[tuple[str, ...]]:
    """Return the documents of one list: (id,) or (id, number). ReadError for brackets that do not fit."""
    if is_list(cell, braces=True):
        items = items_of(cell)
        if items is None:
            raise _bad_list(grid, title, row, "is no list that can be read", cell)
        pairs = [_pair(item) for item in items]
        _check_numbers(grid, title, row, items)
        scored = cell.lstrip().startswith("{") and all(len(pair) > 1 and is_number(pair[1]) for pair in pairs)
        return sorted(pairs, key=lambda pair: -float(pair[1])) if scored else pairs
    parts = cell.split() if separator == " " else cell.split(separator)
    return [(part.strip(),) for part in parts if part.strip()]


def _check_numbers(grid: Grid, title: str, row: int, items: Sequence[Any]) -> None:
    """Raise ReadError where an object or a list stands in the place of the number beside an id: it is no document."""
    for item in items:
        if isinstance(item, list) and len(item) > 1 and isinstance(item[1], (dict, list)):
            held = "an object" if isinstance(item[1], dict) else "a list"
            what = f"{listed([str(item[0])])} has {held} where the number of a document should stand"
            raise _bad_list(grid, title, row, what, allowed=_NO_DOCUMENTS)


def _bad_list(
    grid: Grid, title: str, row: int, what: str, cell: str | None = None, allowed: str = _NO_LIST
) -> ReadError:
    number = int(grid.row_of(np.array([row], np.int64))[0])
    return ReadError((Problem("bad_value", grid.name, what, number, title, cell, allowed),))


def _pair(item: Any) -> tuple[str, ...]:
    """Return a document of a list: its id, and a number beside it."""
    if isinstance(item, Mapping):
        ids = [value for name, value in item.items() if any(key(str(name)) in tier for tier in TIERS["run"]["doc_id"])]
        numbers = [
            value for name, value in item.items() if any(key(str(name)) in tier for tier in TIERS["run"]["score"])
        ]
        return tuple(str(value) for value in (*ids[:1], *numbers[:1])) or ("",)
    if isinstance(item, (list, tuple)):
        return tuple(str(value) for value in item[:2]) or ("",)
    return ("" if item is None else str(item),)
