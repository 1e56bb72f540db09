"""JSON and JSON Lines: flat records, records with a list of documents, dicts of dicts, columns.

A small text is parsed as a whole. A large one is read member by member, by the structure of the first ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import is_known
from rankdash.reading.json.grids import Members, columns_grid, records_grid, rows_grid
from rankdash.reading.json.job import Job
from rankdash.reading.json.objects import (
    DEEPEST,
    by_model,
    form_grid,
    items_grid,
    items_of,
    object_grid,
    too_deep,
    value_grid,
)
from rankdash.reading.json.parts import best, fit
from rankdash.reading.json.shapes import holds_queries, is_container, is_part_name, key
from rankdash.reading.json.stream import LARGE, JsonText
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import NotUtf8Error, Problem, ReadError
from rankdash.reading.text import trec
from rankdash.reading.text.first_lines import first_text
from rankdash.reading.tools.forms import form_of
from rankdash.reading.tools.search_engines import check_named
from rankdash.reading.words.headings import Kind

_START = re.compile(r"\s*[\[{]")
#: A line that is the heading of a section: a word in brackets that is no value.
_SECTION = re.compile(r"\s*\[([^\[\]{}\",:\r\n]*)\][ \t]*[\r\n]")
_LETTER = re.compile(r"[^\W\d]")
_OPENING, _BRACKETS = frozenset("[{\"'"), frozenset("[]{}")
#: A name and a colon, with quotes or a bracket or comma in front.
_NAME_THERE = re.compile(r"[\"'][ \t]*:|[\[{,][ \t]*\w+[ \t]*:")
_VALUES = frozenset(("true", "false", "null", "NaN", "Infinity", "-Infinity"))
#: Names of members beside columns, as pandas writes them, that hold no rows.
_BESIDE = frozenset(("index", "schema"))
_ENOUGH = 16


def is_json(document: Document) -> bool:
    """Return whether the text begins as a JSON object or array, even if damaged later, and is not a TREC file whose
    first id begins with a bracket.
    """
    text = first_text(document)
    begins = _START.match(text) is not None and not _is_section(text) and not _is_row(text)
    return begins and not trec.is_no_json(text)


def _is_row(text: str) -> bool:
    """Return whether the first line has a bracket at its beginning, and nothing else of JSON: cells, the first an
    id.
    """
    line = text.lstrip().partition("\n")[0].strip()
    inside = line[1:].lstrip()
    begins = not inside or inside[0] in _OPENING
    return not (begins or line.rstrip(",")[-1:] in _BRACKETS or _NAME_THERE.search(line))


def _is_section(text: str) -> bool:
    """Return whether the first line is the heading of a section."""
    section = _SECTION.match(text)
    return section is not None and section[1].strip() not in _VALUES and _LETTER.search(section[1]) is not None


def read_json(document: Document, kind: Kind) -> Grid:
    """Return the rows of a JSON or JSON Lines text. ReadError with the line where it is damaged, or holds no rows."""
    job = Job(document.name, kind, document.limits, document.options)
    with document.stream() as stream:
        text = JsonText(document, stream)
        grid = _text_grid(job, text)
        if text.peek():
            what = "there is something else behind the JSON text"
            do = "Give one array, or one object a line."
            raise ReadError((Problem("malformed", document.name, what, text.row(), allowed=do),))
    notes = (f"{text.twice:,} names occur twice in an object; the first of each counts.",) if text.twice else ()
    notes = (*document.notes, *notes, *job.notes, *job.unread.notes(), *grid.notes)
    return replace(grid, notes=notes, snapshot=job.snapshot)


def _text_grid(job: Job, text: JsonText) -> Grid:
    text.peek()
    row, first = text.row(), text.whole()
    if first is LARGE and _is_of_a_tool(job, text):
        first = text.value()
    if first is LARGE:
        return _large_grid(job, text, 0)
    if text.peek():
        if job.kind == "run" and "query_id" not in job.options.columns:
            check_named(first, job.name)
        form = form_of([first])
        if form is not None and form.speaks_of(job.kind):
            return form_grid(job, form, [first, *(value for _, value in _following(text))])
        return items_grid(job, chain([(row, first)], _following(text)))
    return value_grid(job, first, 0)


def _is_of_a_tool(job: Job, text: JsonText) -> bool:
    """Return whether a large value begins as a form of another tool, which is read as a whole."""
    form = form_of(text.beginning())
    return form is not None and form.large and form.speaks_of(job.kind)


def _following(text: JsonText) -> Iterator[tuple[int, Any]]:
    """Yield the line and the value of each further line. ReadError, at the end, for those that are no JSON."""
    bad: list[Problem] = []
    text.damage = "this line is no JSON"
    while text.peek():
        row = text.row()
        if lines := text.lines():
            yield from enumerate(lines, start=row)
            continue
        try:
            value = text.value()
        except NotUtf8Error:
            raise
        except ReadError as error:
            bad.append(replace(error.problems[0], row=row))
            text.next_line(row)
        else:
            yield row, value
    if bad:
        raise ReadError(bad, len(bad))


def _large_grid(job: Job, text: JsonText, depth: int) -> Grid:
    """Return the Grid of a value that is read member by member."""
    if depth > DEEPEST:
        raise too_deep(job)
    if text.enter() == "[":
        return items_grid(job, ((number, text.value()) for number in text.items()))
    names = _names(text)
    held: dict[str, Any] = {}
    for name in names:
        value = text.whole()
        if value is LARGE and key(name) in _BESIDE:
            job.unread.add(name)
            text.skip()
            continue
        if value is LARGE and (grid := _of_large_member(job, text, names, held, name, depth)):
            return grid
        held[name] = text.value() if value is LARGE else value
        if sum(map(is_container, held.values())) >= _ENOUGH:
            break
    return object_grid(job, held, chain(held.items(), ((name, text.value()) for name in names)), depth)


def _of_large_member(
    job: Job, text: JsonText, names: Iterator[str], held: dict[str, Any], name: str, depth: int
) -> Grid | None:
    """Return the Grid of an object at one of its large members, by what this could be; None: one query's documents."""
    if "columns" in held and name == "data":
        text.enter()
        rows = ((number, text.value()) for number in text.items())
        grid = rows_grid(job, chain([(0, held.pop("columns"))], rows))
        for other in chain(held, names):
            job.unread.add(other)
            if other not in held:
                text.skip()
        return grid
    begun = text.beginning()
    queries = holds_queries(begun)
    if is_known(name, job.kind) and not queries:
        job.unread.add_all(own for own, member in held.items() if not is_container(member))
        cells = ((own, items_of(member)) for own, member in held.items() if is_container(member))
        return columns_grid(job, chain(cells, _large(text, chain([name], names))))
    if is_part_name(name) or (queries and job.kind != "models"):
        return _large_part(job, text, chain([name], names), held, depth)
    if job.kind == "models":
        models = ((model, items_of(lists)) for model, lists in held.items())
        return records_grid(job, by_model(job, chain(models, _large(text, chain([name], names)))))
    return None


def _large_part(job: Job, text: JsonText, names: Iterable[str], held: Mapping[str, Any], depth: int) -> Grid:
    """Return the Grid of the member of an object that is to be read.

    The text of a large member can be read once only, so it is read at once where it fits better than all before it.
    """
    wish, samples = job.options.member, dict(held)
    top = max((fit(name, value, job.kind) for name, value in held.items()), default=-1)
    read, inner, grid = "", job.within(), None
    for name in names:
        value = text.whole()
        sample = samples[name] = text.beginning() if value is LARGE else value if is_container(value) else None
        fits = fit(name, sample, job.kind)
        if value is LARGE and (name == wish or (fits > top and not wish)):
            read, inner = name, job.within(name)
            grid = _large_grid(inner, text, depth + 1)
        elif value is LARGE:
            text.skip()
        top = max(top, fits)
    chosen = best(job, samples)
    if grid is None or chosen != read:
        return value_grid(job, samples[chosen], depth + 1)
    job.take(inner)
    return grid


def _names(text: JsonText) -> Iterator[str]:
    """Yield the names in an object that was entered; of equal names the first counts."""
    seen: set[str] = set()
    for name in text.members():
        if name in seen:
            text.twice += 1
            text.skip()
            continue
        seen.add(name)
        yield name


def _large(text: JsonText, names: Iterator[str]) -> Iterator[tuple[str, Members]]:
    """Yield each name with the members or items of its value, which may be large."""
    for name in names:
        value = text.whole()
        if value is not LARGE:
            yield name, items_of(value)
        elif text.enter() == "[":
            yield name, (("", text.value()) for _ in text.items())
        else:
            yield name, ((own, text.value()) for own in _names(text))
