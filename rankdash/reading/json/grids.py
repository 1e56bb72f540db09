"""The Grid of JSON values of a known shape: lists, records and columns, each read one after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from rankdash.reading.columns.grid import Grid, from_one
from rankdash.reading.columns.synonyms import is_known
from rankdash.reading.json.job import Job
from rankdash.reading.json.records import cells_of, text_of
from rankdash.reading.source.problems import Problem, ReadError, listed, refuse
from rankdash.reading.values.text_collector import Gathered
from rankdash.reading.words.headings import KINDS

#: Names, or nothing, and values.
Members = Iterable[tuple[str, Any]]
_BLOCK = 1 << 12
#: So many names are seldom those of one table.
_MANY = 200
ALLOWED = "Give records with a query and a document, or {query: {document: number}}."


def rows_grid(job: Job, rows: Iterable[tuple[int, Any]]) -> Grid:
    """Return the Grid of lists, the first of which has the names."""
    rows = iter(rows)
    header = [text_of(name) for name in next(rows)[1]]
    if not any(is_known(name, job.kind) for name in header):
        what = "the first of the JSON lists names no columns"
        raise refuse("missing_column", job.name, what, f"Begin with {KINDS[job.kind].header}.")
    if len(set(header)) < len(header):
        twice = next(name for at, name in enumerate(header) if name in header[:at])
        what = f"the first of the JSON lists names {listed([twice])} twice"
        raise refuse("unclear", job.name, what, "Give each column a name of its own.")
    gathered = job.gathered()
    for number, row in rows:
        if not isinstance(row, list) or len(row) != len(header):
            raise ReadError(
                (Problem("malformed", job.name, f"this list has not {len(header)} items as the first", number),)
            )
        for name, cell in zip(header, row, strict=True):
            if cell.__class__ is not str:
                job.mark(name, type(cell))
                job.look(name, cell)
        gathered.add(number, dict(zip(header, map(text_of, row), strict=True)))
    return grid_of(job, gathered)


def records_grid(job: Job, records: Iterable[tuple[int, Any]]) -> Grid:
    """Return the Grid of records, flat or nested."""
    gathered = job.gathered()
    records = iter(records)
    while block := list(islice(records, _BLOCK)):
        numbers = [number for number, _ in block]
        values = [value for _, value in block]
        if set(map(type, values)) != {dict}:
            wrong = next(number for number, value in block if not isinstance(value, dict))
            what = "this is no object, as the others are"
            raise ReadError((Problem("malformed", job.name, what, wrong, allowed=ALLOWED),))
        columns = _flat(job, values, gathered.check_names)
        if columns is not None:
            gathered.extend(numbers, columns)
            continue
        for number, record in block:
            for cells in cells_of(job, record):
                gathered.add(number, cells)
    if not gathered.rows:
        raise refuse("empty", job.name, "there are no documents in the lists")
    return grid_of(job, gathered)


def _flat(job: Job, records: Sequence[Mapping[str, Any]], check: Callable[[int], None]) -> dict[str, list[str]] | None:
    """Return the columns of records that hold neither lists nor objects; None where a record holds any.

    ``check`` gets the number of names before any column is made.
    """
    columns: dict[str, list[str]] = {}
    names = dict.fromkeys(chain.from_iterable(records))
    if len(names) > _MANY:
        if any(isinstance(value, (dict, list)) for record in records for value in record.values()):
            return None
        check(len(names))
    for name in names:
        cells = [record.get(name) for record in records]
        kinds = set(map(type, cells))
        if job.kind not in ("queries", "votes") and kinds & {dict, list}:
            return None
        for kind in kinds - {str}:
            job.mark(name, kind)
        if kinds & {dict, list}:
            for cell in cells:
                job.look(name, cell)
        columns[name] = cells if kinds == {str} else [*map(text_of, cells)]  # type: ignore[assignment]
    return columns


def columns_grid(job: Job, columns: Iterable[tuple[str, Members]]) -> Grid:
    """Return the Grid of columns, each of them its cells by the names of the rows, or without names."""
    parts: dict[str, Gathered] = {}
    rows: bytes = b""
    for name, cells in columns:
        parts[name] = job.gathered()
        same = hashlib.blake2b()
        for number, (row, cell) in enumerate(cells, start=1):
            same.update(f"{row}\0".encode("utf-8", "surrogatepass"))
            if cell.__class__ is not str:
                job.mark(name, type(cell))
                job.look(name, cell)
            parts[name].add(number, {name: text_of(cell)})
        rows = rows or same.digest()
        if same.digest() != rows:
            what = f"the column {listed([name])} has other rows than the first column"
            raise refuse("malformed", job.name, what, "Give a cell for each row, in one order, in every column.")
    return job.grid(parts, tuple(parts), from_one)


def grid_of(job: Job, gathered: Gathered) -> Grid:
    """Return the Grid of rows that were gathered."""
    return job.grid(dict.fromkeys(gathered.names, gathered), gathered.names, gathered.numbers())
