"""JSON and JSON Lines: flat records, records with a list of documents, dicts of dicts, columns.

A small text is parsed as a whole. A large one is read member by member, by the structure of the first ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from rankdash.reading.binary.memory import members_grid
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import KINDS, TIERS, Wanted, is_known, key
from rankdash.reading.json.grids import ALLOWED, Members, columns_grid, records_grid, rows_grid
from rankdash.reading.json.records import is_list_name
from rankdash.reading.json.stream import LARGE, JsonText
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import NotUtf8Error, Problem, ReadError, listed, refuse
from rankdash.reading.text import trec
from rankdash.reading.text.sniffing import first_text

_START = re.compile(r"\s*[\[{]")
#: A line that is the heading of a section: a word in brackets that is no value.
_SECTION = re.compile(r"\s*\[([^\[\]{}\",:\r\n]*)\][ \t]*[\r\n]")
_LETTER = re.compile(r"[^\W\d]")
_OPENING, _BRACKETS = frozenset("[{\"'"), frozenset("[]{}")
#: A name and a colon, with quotes or a bracket or comma in front.
_NAME_THERE = re.compile(r"[\"'][ \t]*:|[\[{,][ \t]*\w+[ \t]*:")
_VALUES = frozenset(("true", "false", "null", "NaN", "Infinity", "-Infinity"))
#: Names under which services put the rows.
WRAPPERS = frozenset(
    "data rows records results items queries runs run qrels judgments response payload values hits requests "
    "judgmentratings".split()
)
#: Names of members beside columns, as pandas writes them, that hold no rows.
_BESIDE = frozenset(("index", "schema"))
_ENOUGH = 16
_DEEPEST = 8


def is_json(document: Document) -> bool:
    """Whether the text begins as a JSON object or array, even if damaged later, and is not a TREC file whose first id
    begins with a bracket.
    """
    text = first_text(document)
    begins = _START.match(text) is not None and not _is_section(text) and not _is_row(text)
    return begins and not trec.is_no_json(text)


def _is_row(text: str) -> bool:
    """Whether the first line has a bracket at its beginning, and nothing else of JSON: cells, the first an id."""
    line = text.lstrip().partition("\n")[0].strip()
    inside = line[1:].lstrip()
    begins = not inside or inside[0] in _OPENING
    return not (begins or line.rstrip(",")[-1:] in _BRACKETS or _NAME_THERE.search(line))


def _is_section(text: str) -> bool:
    """Whether the first line is the heading of a section."""
    found = _SECTION.match(text)
    return found is not None and found[1].strip() not in _VALUES and _LETTER.search(found[1]) is not None


def read_json(document: Document, wanted: Wanted) -> Grid:
    """Return the rows of a JSON or JSON Lines text. ReadError with the line where it is damaged, or holds no rows."""
    with document.stream() as stream:
        text = JsonText(document, stream)
        grid = _text_grid(document, text, wanted)
        if text.peek():
            what = "there is something else behind the JSON text"
            do = "Give one array, or one object a line."
            raise ReadError((Problem("malformed", document.name, what, text.row(), allowed=do),))
    notes = (f"{text.twice:,} names occur twice in an object; the first of each counts.",) if text.twice else ()
    return replace(grid, notes=(*document.notes, *notes, *grid.notes))


def _text_grid(document: Document, text: JsonText, wanted: Wanted) -> Grid:
    text.peek()
    row, first = text.row(), text.whole()
    if first is LARGE:
        return _large_grid(document, text, wanted)
    if text.peek():
        return _items_grid(document, chain([(row, first)], _following(text)), wanted)
    return _value_grid(document, first, wanted)


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


def _value_grid(document: Document, value: Any, wanted: Wanted) -> Grid:
    value = _stored(value)
    if isinstance(value, list):
        return _items_grid(document, enumerate(value, start=1), wanted)
    if isinstance(value, dict):
        return _object_grid(document, value, value.items(), wanted)
    raise refuse("malformed", document.name, "the JSON text holds no table", ALLOWED)


def _large_grid(document: Document, text: JsonText, wanted: Wanted, depth: int = 0) -> Grid:
    """Return the Grid of a value that is read member by member."""
    if text.enter() == "[":
        return _items_grid(document, ((number, text.value()) for number in text.items()), wanted)
    names = _names(text)
    sample: dict[str, Any] = {}
    for name in names:
        value = text.whole()
        if value is LARGE and name.casefold() in _BESIDE:
            text.skip()
            continue
        if value is LARGE and "columns" in sample and name == "data":
            text.enter()
            rows = ((number, text.value()) for number in text.items())
            return _and_rest(text, names, rows_grid(document, chain([(0, sample["columns"])], rows), wanted))
        if value is LARGE and name.casefold() in WRAPPERS and depth < _DEEPEST:
            return _and_rest(text, names, _large_grid(document, text, wanted, depth + 1))
        if value is LARGE and is_known(name, wanted):
            held = ((own, _items(cells)) for own, cells in sample.items() if _is_container(cells))
            return columns_grid(document, chain(held, _large(text, chain([name], names))), wanted)
        if value is LARGE and wanted == "models":
            held = ((model, _items(lists)) for model, lists in sample.items())
            models = chain(held, _large(text, chain([name], names)))
            return records_grid(document, _by_model(document, models), wanted)
        sample[name] = text.value() if value is LARGE else value
        if len(sample) >= _ENOUGH:
            break
    return _object_grid(document, sample, chain(sample.items(), ((name, text.value()) for name in names)), wanted)


def _names(text: JsonText) -> Iterator[str]:
    """Yield the names in an object that was entered; of equal ones the first counts."""
    seen: set[str] = set()
    for name in text.members():
        if name in seen:
            text.twice += 1
            text.skip()
            continue
        seen.add(name)
        yield name


def _and_rest(text: JsonText, names: Iterator[str], grid: Grid) -> Grid:
    """Return the Grid, after the members behind what it is of."""
    for _ in names:
        text.skip()
    return grid


def _object_grid(document: Document, sample: Mapping[str, Any], members: Members, wanted: Wanted) -> Grid:
    """Return the Grid of an object, by the shape of the members in ``sample``; where it has few, these are all."""
    if not sample:
        raise refuse("empty", document.name, "there is nothing in the JSON text")
    inner = list(sample.values())
    wrapped = [name for name, one in sample.items() if name.casefold() in WRAPPERS and one and _is_container(one)]
    if isinstance(sample.get("columns"), list) and isinstance(sample.get("data"), list):
        return rows_grid(document, enumerate([sample["columns"], *sample["data"]]), wanted)
    named = wanted not in ("queries", "votes") and _is_record(sample, wanted) and all(map(_is_container, inner))
    if named or (sum(is_known(name, wanted) for name in sample) > 1 and _are_columns(inner)):
        return columns_grid(document, ((name, _items(cells)) for name, cells in sample.items()), wanted)
    if all(_is_record(one, wanted) for one in inner):
        return records_grid(document, ((i, record) for i, (_, record) in enumerate(members, start=1)), wanted)
    if wanted == "models" and not wrapped and all(isinstance(one, dict) for one in inner):
        return records_grid(document, _by_model(document, ((model, _items(one)) for model, one in members)), wanted)
    documents = all(map(_is_list_of_documents, inner)) and not (wrapped and len(sample) == 1)
    if documents or (wanted in ("queries", "votes") and not wrapped):
        return members_grid(members, wanted, document.name, document.limits, document.options)
    if wrapped:
        return _value_grid(document, sample[wrapped[0]], wanted)
    if all(map(_is_group, inner)):
        what = f"the documents stand two names deep, below {listed(sample)}"
        do = "Give {model: {query: …}} as the file with both models, or keep one model."
        raise refuse("other_kind", document.name, what, do)
    return records_grid(document, enumerate(_by_query(document, members), start=1), wanted)


def _stored(value: Any) -> Any:
    """Return the record inside one hit of a search engine's answer, where rows are wrapped: [{"_source": {…}}]."""
    source = value[0].get("_source") if isinstance(value, list) and len(value) == 1 and _is_hit(value[0]) else None
    wraps = isinstance(source, dict) and any(name.casefold() in WRAPPERS for name in source)
    return source if wraps else value


def _is_hit(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("_source"), dict)


def _is_container(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _are_columns(columns: list[Any]) -> bool:
    """Whether these are [cell, …] or {row: cell}, all of them of one kind and as long."""
    kinds = {type(cells) for cells in columns}
    return kinds in ({list}, {dict}) and len({len(cells) for cells in columns}) == 1


def _is_group(value: Any) -> bool:
    """{query: {document: number}}, {document: {name: value}}: one name deeper than a list of documents."""
    if not isinstance(value, dict) or not value or any(is_list_name(name) for name in value):
        return False
    return all(_is_container(one) and _is_list_of_documents(one) for one in value.values())


def _is_record(value: Any, wanted: Wanted) -> bool:
    """Whether an object has a name for the query and, where one is needed, for the document."""
    if not isinstance(value, dict):
        return False
    found = {key(name) for name in value}
    return all(
        any(found & tier for tier in TIERS[wanted][name]) for name in KINDS[wanted].required if name[-3:] == "_id"
    )


def _is_list_of_documents(value: Any) -> bool:
    """{document: number}, [document, …] or [[document, number], …]."""
    if isinstance(value, dict):
        return not any(map(_is_container, value.values()))
    if not isinstance(value, list):
        return False
    return all(isinstance(one, str) or (isinstance(one, list) and 0 < len(one) <= 2) for one in value)


def _items_grid(document: Document, items: Iterable[tuple[int, Any]], wanted: Wanted) -> Grid:
    """Return the Grid of objects, or of lists of which the first has the names; each with its number or its line."""
    items = iter(items)
    number, first = next(items, (0, None))
    if not number:
        raise refuse("empty", document.name, "the JSON text holds an empty list", ALLOWED)
    if isinstance(first, dict):
        return records_grid(document, chain([(number, first)], items), wanted)
    if isinstance(first, list):
        return rows_grid(document, chain([(number, first)], items), wanted)
    raise refuse("malformed", document.name, "the items of the JSON list are no objects", ALLOWED)


def _items(value: Any) -> Members:
    """Return the members of an object, or the items of a list."""
    if not _is_container(value):
        return [("", value)]
    return value.items() if isinstance(value, dict) else (("", item) for item in value)


def _large(text: JsonText, names: Iterator[str]) -> Iterator[tuple[str, Members]]:
    """Yield each name with the members or items of its value, which may be large."""
    for name in names:
        value = text.whole()
        if value is not LARGE:
            yield name, _items(value)
        elif text.enter() == "[":
            yield name, (("", text.value()) for _ in text.items())
        else:
            yield name, ((own, text.value()) for own in _names(text))


def _by_model(document: Document, models: Iterable[tuple[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Records of {model: {query: …}}."""
    number = 0
    for model, lists in models:
        for record in _by_query(document, lists):
            number += 1
            yield number, {"model": model, **record}


def _by_query(document: Document, members: Members) -> Iterator[dict[str, Any]]:
    """Records of {query: {…}} and {query: [{…}]}."""
    for query, inner in members:
        if isinstance(inner, dict) and any(isinstance(one, list) for one in inner.values()):
            yield {"query_id": query, **inner}
        elif _is_container(inner):
            yield {"query_id": query, "documents": inner}
        else:
            raise refuse("malformed", document.name, f"{listed([query])} is neither a list nor an object", ALLOWED)
