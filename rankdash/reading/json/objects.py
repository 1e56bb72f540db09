"""JSON values that are held whole: which shape an object has, and its rows. The shapes are the rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np

from rankdash.arrow import from_numpy
from rankdash.reading.binary.memory import members_grid, with_unnamed
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import is_known
from rankdash.reading.json.grids import ALLOWED, Members, columns_grid, records_grid, rows_grid
from rankdash.reading.json.job import Job
from rankdash.reading.json.parts import best, models_of
from rankdash.reading.json.records import INNER
from rankdash.reading.json.shapes import (
    are_called_grades,
    are_columns,
    are_described,
    holds_queries,
    is_answer,
    is_container,
    is_fact,
    is_group,
    is_list_name,
    is_list_of_documents,
    is_part_name,
    is_record,
    key,
    means,
)
from rankdash.reading.source.problems import ReadError, listed, refuse
from rankdash.reading.tools.form import Form, is_plain
from rankdash.reading.tools.forms import form_of
from rankdash.reading.tools.hits import hits_of, is_hit
from rankdash.reading.values.numerals import is_number
from rankdash.reading.words.headings import KINDS, NUMBER_LISTS, RELEVANT
from rankdash.tables import ONE_GRADE

#: So many names may stand above the rows.
DEEPEST = 8
_BLOCK = 1 << 12


@dataclass(frozen=True)
class Object:
    """An object of JSON: its first members, which are all where it has few, and all of them as they come."""

    job: Job
    sample: Mapping[str, Any]
    members: Members
    depth: int

    @property
    def values(self) -> list[Any]:
        """The values of the first members."""
        return list(self.sample.values())

    @property
    def holds_facts(self) -> bool:
        """Whether the kind of table holds facts about queries, and no documents."""
        return self.job.kind in ("queries", "votes")

    @property
    def parts(self) -> list[str]:
        """The names of the first members that are called as parts of a document are."""
        return [name for name, node in self.sample.items() if is_part_name(name) and node and is_container(node)]


@dataclass(frozen=True)
class Shape:
    """A shape of objects: whether one has it, and how its rows are read."""

    fits: Callable[[Object], bool]
    read: Callable[[Object], Grid]


def value_grid(job: Job, value: Any, depth: int) -> Grid:
    """Return the Grid of a value that is held whole, so many names below the beginning."""
    form = None if depth else form_of(value)
    if form is not None and form.speaks_of(job.kind):
        return form_grid(job, form, value)
    value = _stored(job, value)
    if depth > DEEPEST:
        raise too_deep(job)
    if isinstance(value, list):
        return items_grid(job, enumerate(value, start=1))
    if isinstance(value, dict):
        return object_grid(job, value, value.items(), depth)
    raise refuse("malformed", job.name, "the JSON text holds no table", ALLOWED)


def form_grid(job: Job, form: Form, value: Any) -> Grid:
    """Return the Grid of a value in a form of another tool. ReadError where it holds no table of the kind."""
    if job.kind in form.refused:
        what = f"{form.called}, not {KINDS[job.kind].words}"
        raise refuse("other_kind", job.name, what, form.refused[job.kind])
    return records_grid(job, enumerate(form.rows[job.kind](value, job), start=1))


def too_deep(job: Job) -> ReadError:
    """Return the error for rows below more names than are looked through."""
    return refuse("malformed", job.name, f"the rows stand more than {DEEPEST} names deep", ALLOWED)


def _stored(job: Job, value: Any) -> Any:
    """Return the record inside one hit of a search engine's answer, where rows are wrapped: [{"_source": {…}}]."""
    source = value[0].get("_source") if isinstance(value, list) and len(value) == 1 and _is_hit(value[0]) else None
    if not isinstance(source, dict) or not any(map(is_part_name, source)):
        return value
    job.unread.add_all(name for name in value[0] if name != "_source")
    return source


def _is_hit(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("_source"), dict)


def items_grid(job: Job, items: Iterable[tuple[int, Any]]) -> Grid:
    """Return the Grid of objects, or of lists of which the first has the names; each with its number or its line."""
    items = iter(items)
    number, first = next(items, (0, None))
    if not number:
        raise refuse("empty", job.name, "the JSON text holds an empty list", ALLOWED)
    if job.kind in ("queries", "votes") and is_hit(first):
        what = f"these are hits of a search engine, not {KINDS[job.kind].words}"
        raise refuse("other_kind", job.name, what, 'Give what stands in their "_source".')
    if isinstance(first, dict):
        return records_grid(job, chain([(number, first)], items))
    if isinstance(first, list):
        return rows_grid(job, chain([(number, first)], items))
    raise refuse("malformed", job.name, "the items of the JSON list are no objects", ALLOWED)


def object_grid(job: Job, sample: Mapping[str, Any], members: Members, depth: int) -> Grid:
    """Return the Grid of an object, by the shape of the members in ``sample``; where it has few, these are all."""
    if not sample:
        raise refuse("empty", job.name, "there is nothing in the JSON text")
    node = Object(job, sample, members, depth)
    return next(shape for shape in SHAPES if shape.fits(node)).read(node)


def _is_split(node: Object) -> bool:
    return isinstance(node.sample.get("columns"), list) and isinstance(node.sample.get("data"), list)


def _read_split(node: Object) -> Grid:
    node.job.unread.add_all(name for name in node.sample if name not in ("columns", "data"))
    return rows_grid(node.job, enumerate([node.sample["columns"], *node.sample["data"]]))


def _is_a_record(node: Object) -> bool:
    """Return whether the object is itself the only record: its ids are single values, or it is a query's answer."""
    if node.holds_facts and not node.depth:
        return is_fact(node.sample)
    if node.holds_facts:
        return False
    ids = [value for name, value in node.sample.items() if means([name], "run", "query_id", "doc_id")]
    named = is_record(node.sample, node.job.kind) and not any(map(is_container, ids))
    return named or is_answer(node.sample) or _is_answered(node.sample)


def _is_answered(sample: Mapping[str, Any]) -> bool:
    """Return whether an object names one query, and is or has the answer of a search engine to it."""
    asked = any(means([name], "run", "query_id") and is_plain(value) for name, value in sample.items())
    return asked and any(hits_of(value) is not None for value in (sample, *sample.values()))


def _read_record(node: Object) -> Grid:
    return records_grid(node.job, [(1, dict(node.members))])


def _has_columns(node: Object) -> bool:
    kind, values = node.job.kind, node.values
    if not node.holds_facts and is_record(node.sample, kind) and all(map(is_container, values)):
        return True
    return sum(is_known(name, kind) for name in node.sample) > 1 and are_columns(values)


def _read_columns(node: Object) -> Grid:
    return columns_grid(node.job, ((name, items_of(cells)) for name, cells in node.sample.items()))


def _has_records(node: Object) -> bool:
    return all(is_record(value, node.job.kind) for value in node.values)


def _read_records(node: Object) -> Grid:
    return records_grid(node.job, ((i, record) for i, (_, record) in enumerate(node.members, start=1)))


def _has_models(node: Object) -> bool:
    if node.job.kind != "models" or node.parts or not all(isinstance(value, dict) for value in node.values):
        return False
    if all(map(are_described, node.values)):  # these are queries, and their documents
        return False
    return not all(is_list_name(name) for value in node.values for name in value)


def _read_models(node: Object) -> Grid:
    return records_grid(node.job, by_model(node.job, ((model, items_of(lists)) for model, lists in node.members)))


def _has_lists(node: Object) -> bool:
    return all(map(is_list_of_documents, node.values)) and len(node.parts) < len(node.sample)


def _read_members(node: Object) -> Grid:
    job = node.job
    members = without_lists(job, node.members) if node.holds_facts else node.members
    grid = members_grid(members, job.kind, job.name, job.limits, job.options)
    if job.kind == "judgments" and key(job.part) in RELEVANT and "relevance" not in grid.columns:
        ones = {**grid.columns, "relevance": from_numpy(np.ones(grid.rows))}
        return replace(grid, columns=ones, notes=(*grid.notes, ONE_GRADE))
    return grid if are_called_grades(job.part) else with_unnamed(grid, job.kind, job.options)


def _has_parts(node: Object) -> bool:
    """Return whether members are parts of a document, by their names or because they differ in what they hold."""
    filled = [value for value in node.values if value not in ([], {})]
    holders = sum(map(holds_queries, filled))
    alike = holders > 0 and all(map(is_group, filled))
    return bool(node.parts) or 0 < holders < len(filled) or alike


def _read_part(node: Object) -> Grid:
    samples = dict(node.members)
    models = models_of(node.job, samples) if node.job.kind == "models" else {}
    if models:
        return records_grid(node.job, by_model(node.job, ((model, items_of(lists)) for model, lists in models.items())))
    return value_grid(node.job, samples[best(node.job, samples)], node.depth + 1)


def _read_queries(node: Object) -> Grid:
    return records_grid(node.job, enumerate(by_query(node.job, node.members), start=1))


#: In the order of trial; the last takes every object.
SHAPES = (
    Shape(_is_split, _read_split),
    Shape(_is_a_record, _read_record),
    Shape(_has_columns, _read_columns),
    Shape(_has_records, _read_records),
    Shape(_has_models, _read_models),
    Shape(_has_lists, _read_members),
    Shape(_has_parts, _read_part),
    Shape(lambda node: node.holds_facts, _read_members),
    Shape(lambda node: True, _read_queries),
)


def items_of(value: Any) -> Members:
    """Return the members of an object, or the items of a list."""
    if not is_container(value):
        return [("", value)]
    return value.items() if isinstance(value, dict) else (("", item) for item in value)


def without_lists(job: Job, members: Members) -> Iterator[tuple[str, Any]]:
    """Yield {query: {column: value}} without the columns that hold documents or grades, which are noted as unread."""
    members = iter(members)
    while block := list(islice(members, _BLOCK)):
        cells = [(name, cell) for _, value in block if isinstance(value, Mapping) for name, cell in value.items()]
        for name, cell in cells:
            job.look(name, cell)
        for query, value in block:
            yield query, _without(value, job.lists)
    job.unread.add_all(sorted(job.lists))


def _without(value: Any, names: Container[str]) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {name: cell for name, cell in value.items() if name not in names}


def by_model(job: Job, models: Iterable[tuple[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield records of {model: {query: …}}. ReadError where the numbers beside documents stand in place of a query."""
    number = 0
    for model, lists in models:
        for record in by_query(job, lists):
            number += 1
            cells = record.get(INNER)
            numbers = isinstance(cells, list) and all(isinstance(cell, str) and is_number(cell) for cell in cells)
            if numbers and key(record["query_id"]) in NUMBER_LISTS:
                what = f"{listed([record['query_id']])} of {listed([model])} are numbers, and no documents of a query"
                raise refuse("other_kind", job.name, what, "If these are the lists of one model, give them as a run.")
            yield number, {"model": model, **record}


def by_query(job: Job, members: Members) -> Iterator[dict[str, Any]]:
    """Yield records of {query: {…}} and {query: [{…}]}."""
    for query, inner in members:
        if isinstance(inner, dict) and any(isinstance(node, list) for node in inner.values()):
            yield {"query_id": query, **inner}
        elif is_container(inner):
            yield {"query_id": query, INNER: inner}
        else:
            raise refuse("malformed", job.name, f"{listed([query])} is neither a list nor an object", ALLOWED)
