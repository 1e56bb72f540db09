"""Dicts in memory: {query: {document: number}} and the like as they stand, all else as JSON would have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from rankdash.reading.binary.memory import TABLE, dict_grid
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import is_known
from rankdash.reading.json.attributes import is_plain, plainly
from rankdash.reading.json.job import Job
from rankdash.reading.json.objects import value_grid, without_lists
from rankdash.reading.json.shapes import is_fact, is_part_name
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.options import Options
from rankdash.reading.tools.forms import form_of
from rankdash.reading.words.headings import Kind

#: So many members show the structure of a dict.
_SAMPLE = 64


def mapping_grid(source: Mapping[Any, Any] | Sequence[Any], kind: Kind, limits: Limits, options: Options) -> Grid:
    """Return the rows of a dict, or of a list in a form of another tool.

    ReadError for values that are neither lists of documents nor records.
    """
    job, form = Job(TABLE, kind, limits, options), form_of(source)
    if isinstance(source, Mapping) and (form is None or not form.speaks_of(kind)) and _is_simple(source, kind):
        facts = dict(without_lists(job, source.items())) if kind == "queries" else source
        grid = dict_grid(facts, kind, limits, options)
        return replace(grid, notes=(*job.unread.notes(), *grid.notes))
    grid = value_grid(job, plainly(job, source), 0)
    notes = (*job.notes, *job.unread.notes(), *grid.notes)
    return replace(grid, notes=notes, first_row=0, snapshot=job.snapshot)


def _is_simple(source: Mapping[Any, Any], kind: Kind) -> bool:
    """Return whether a dict has nothing but queries, each with numbers by document, pairs, ids, or facts."""
    values = [*islice(source.values(), _SAMPLE)]
    if not values or all(map(is_plain, values)):
        return kind not in ("queries", "votes") or not is_fact(source)
    names = [name for name in islice(source, _SAMPLE) if isinstance(name, str)]
    if len(source) <= _SAMPLE and (any(map(is_part_name, names)) or sum(is_known(name, kind) for name in names) > 1):
        return False
    return all(map(_is_simple_list, values))


def _is_simple_list(value: Any) -> bool:
    """Return whether a value is {name: plain}, [plain, …] or [[plain, plain], …], by its first item, and no answer
    of a search engine.
    """
    if isinstance(value, Mapping):
        return all(map(is_plain, islice(value.values(), 1))) and is_plain(value.get("hits"))
    if isinstance(value, (set, frozenset)):
        return all(map(is_plain, value))
    if not isinstance(value, (list, tuple)) or hasattr(value, "_fields"):
        return False
    first = value[0] if value else None
    if isinstance(first, (list, tuple)) and not hasattr(first, "_fields"):
        return all(map(is_plain, first[:1]))
    return is_plain(first)
