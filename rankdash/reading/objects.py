"""JSON and values of Python as tables: records, {query: {document: number}}, {query: [document, …]}, and records with a
list of documents.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.arrow import from_numpy, from_strings
from rankdash.notes import Note, listed, printable, warning, whole_text
from rankdash.reading.grid import EXACT, IDS, NUMBERS, Grid, not_read, parse_numbers
from rankdash.reading.headings import KINDS, Kind, are_measures, is_known, key, match, means, names_queries
from rankdash.reading.problems import ReadError, refuse, too_many
from rankdash.reading.source import Document, Limits, Options, not_utf8
from rankdash.reading.values import Lists, are_falling, are_grades, are_ranks, are_scores, count_up, propose_grades

#: So many values show what a container holds.
SOME = 16
#: How a source without a file name is called in messages.
TABLE = "the table"
_ALLOWED = "Give records with a query and a document, or {query: {document: number}}."
#: Members that hold a table or a list in other files, and are no queries.
_MEMBERS = frozenset(
    "data rows records results items hits docs documents candidates passages response payload values queries run runs "
    "qrels judgments ratings grades votes columns index schema contexts ctxs chunks matches ranking ranked topk "
    "recommendations retrieved retrieveddocs retrieveddocuments retrievedpassages retrievedcontexts "
    "retrievedids docids documentids ids".split()
)
#: A row by the headings of its columns.
Row = dict[str, Any]


@dataclass
class Book:
    """What reading objects notes: the source, its options and limits, and what was left unread."""

    name: str
    kind: Kind
    options: Options
    limits: Limits
    notes: list[Note] = field(default_factory=list)
    unread: dict[str, None] = field(default_factory=dict)
    #: Whether the numbers beside documents have no name, and whether documents of judgments have none.
    unnamed: bool = False
    golden: bool = False

    def warn(self, code: str, said: str, queries: Iterable[Any]) -> None:
        """Warn of some queries, if there are any."""
        if names := [*map(str, queries)]:
            self.notes.append(warning(code, f"{said}: {listed(names)}."))

    def leave(self, names: Iterable[Any], *read: str) -> None:
        """Take names for unread, except those that were ``read``."""
        self.unread |= {str(name): None for name in names if str(name) not in read}


def no_documents(queries: int) -> list[Note]:
    """Return a warning on queries without documents, if there are any."""
    text = f"{queries:,} {'query has' if queries == 1 else 'queries have'} no documents."
    return [warning("no_documents", text)] if queries else []


# --- JSON ------------------------------------------------------------------------------------------------------------


def parse_json(document: Document, kind: Kind) -> tuple[Any, Book]:
    """Return the value of a JSON text, or the list of the values of its lines, and the notes on it.

    ReadError with the row where it is damaged.
    """
    content = document.content()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_utf8(document, content.count(b"\n", 0, error.start) + 1) from None
    book = Book(document.name, kind, document.options, document.limits, [*document.notes])
    return _parse(book, text), book


def _parse(book: Book, text: str) -> Any:
    """Return the value of a JSON text, or the list of the values of its lines."""
    decoder, row = json.JSONDecoder(object_pairs_hook=partial(_once, book.name)), 0
    try:
        value, end = decoder.raw_decode(text.lstrip())
        rest = text.lstrip()[end:].strip()
        if rest[:1] in ("[", "{"):
            value = []
            for line in text.split("\n"):
                row += 1
                value += [decoder.decode(line.strip())] if line.strip() else []
        elif rest:
            raise json.JSONDecodeError("there is more text after the value", text, text.rindex(rest))
    except json.JSONDecodeError as error:
        what = f"the JSON text is damaged: {error.msg.removesuffix(' at')} at column {error.colno}"
        do = "Write one value on each line." if 0 < row <= text.rstrip().count("\n") else "Export it again."
        raise refuse("malformed", book.name, what, do, row=row or error.lineno) from None
    except ReadError:
        raise
    except (RecursionError, ValueError) as error:
        what = "the JSON text is nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
        raise refuse("malformed", book.name, what, _ALLOWED) from None
    return value


def _once(file: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. ReadError where a name occurs twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise refuse("malformed", file, f"{listed([twice])} occurs twice in an object", "Write each name once.")
    return made


def join_objects(value: Any, book: Book) -> Any:
    """Return a list of {query: container}, such as a line each, as one object, and anything else as it is. ReadError
    where a query occurs twice.
    """
    items = value if isinstance(value, (list, tuple)) else []
    pairs = [pair for item in items if isinstance(item, Mapping) and len(item) == 1 for pair in item.items()]
    names = {name for name, _ in pairs}
    are_queries = all(_is_container(own) for _, own in pairs) and _MEMBERS.isdisjoint(key(str(name)) for name in names)
    return _once(book.name, pairs) if len(pairs) == len(items) > 0 and len(names) > 1 and are_queries else value


# --- rows ------------------------------------------------------------------------------------------------------------


def rows_of(value: Any, book: Book) -> list[Row]:
    """Return the rows that a value holds of the kind of ``book``. ReadError where it holds none."""
    if isinstance(value, (list, tuple)):
        return _rows_of_list(value, book)
    if isinstance(value, Mapping) and value:
        return _rows_of_dict(value, book)
    empty = isinstance(value, Mapping)
    what = "there is nothing in it" if empty else "it holds no table"
    raise refuse("empty" if empty else "malformed", book.name, what, _ALLOWED)


def _rows_of_list(items: Sequence[Any], book: Book) -> list[Row]:
    """Return the rows of records, or of lists: under the first of them, which has the names, or in the usual order."""
    if not items:
        raise refuse("empty", book.name, "there are no rows", _ALLOWED)
    if not isinstance(items[0], Mapping) and not hasattr(items[0], "_fields"):
        return _rows_of_tuples(items, book)
    rows: list[Row] = []
    for number, item in enumerate(items, start=1):
        record = dict(zip(item._fields, item, strict=True)) if hasattr(item, "_fields") else item
        if not isinstance(record, Mapping):
            raise refuse("malformed", book.name, "this is not a record, but the others are", _ALLOWED, row=number)
        plain = {str(name) for name, cell in record.items() if not _is_container(cell)}
        held = [str(name) for name, cell in record.items() if _is_container(cell) and _are_documents(str(name), cell)]
        # Beside a list of documents, "id" is the query's, except in a table of items.
        if held and not means(plain - {"id"} if book.kind != "items" else plain, "run", "doc_id"):
            what = f"this record holds a list of documents: {listed(held)}"
            do = 'Give {query: list}, or a record for each document: {"query": …, "id": …, "score": …}.'
            raise refuse("unsupported", book.name, what, do, row=number)
        rows.append(_cells(record, book))
    return rows


def _are_documents(name: str, cell: Any) -> bool:
    """Return whether a member of a record holds documents: by its name, or by ids with ranks or scores in it."""
    objects = [one for one in cell if isinstance(one, Mapping)]
    return key(name) in _MEMBERS or any(
        means(one, "run", "doc_id") and means(one, "run", "rank", "score") for one in objects
    )


#: What the members of a tuple are, by the kind of table and how many there are.
_TUPLES: Mapping[tuple[Kind, int], tuple[str, ...]] = {
    ("run", 2): ("query_id", "doc_id"),
    ("run", 3): ("query_id", "doc_id", "score"),
    ("judgments", 3): ("query_id", "doc_id", "relevance"),
    ("queries", 2): ("query_id", "text"),
    ("votes", 2): ("query_id", "vote"),
}


def _rows_of_tuples(items: Sequence[Any], book: Book) -> list[Row]:
    """Return the rows of lists below one with the names, or in the usual order."""
    first = items[0]
    if not isinstance(first, (list, tuple)):
        raise refuse("malformed", book.name, "is no record", _ALLOWED, row=1, found=type(first).__name__)
    named = all(isinstance(name, str) for name in first) and sum(is_known(name, book.kind) for name in first) > 1
    names = tuple(first) if named else _TUPLES.get((book.kind, len(first)))
    book.unnamed = not named
    rows: list[Row] = []
    for number, item in enumerate(items[int(named) :], start=1 + int(named)):
        if names is None or not isinstance(item, (list, tuple)) or len(item) != len(names):
            orders = [f"({', '.join(own)})" for (kind, _), own in _TUPLES.items() if kind == book.kind]
            what = f"this is no record of {KINDS[book.kind].words}"
            raise refuse("malformed", book.name, what, f"Give dicts, or tuples {' or '.join(orders)}.", row=number)
        rows.append(dict(zip(names, item, strict=True)))
    return rows


def _rows_of_dict(value: Mapping[Any, Any], book: Book) -> list[Row]:
    """Return the rows of one record, or of {query: …}. ReadError for members that hold a table, or several."""
    names, values = [*map(str, value)], [*value.values()]
    known = sum(is_known(name, book.kind) for name in names)
    if known > 1 and not any(map(_is_container, values)) and {"queryid", "qid", "id", "query"} & {*map(key, names)}:
        return [_cells(value, book)]
    _check_members(names, book)
    if book.kind in ("queries", "votes"):
        return _rows_of_facts(value, book)
    if known > 1 and all(map(_is_container, values)):
        do = 'Write a list of records, in pandas with orient="records".'
        raise refuse("malformed", book.name, "it holds a column under each name", do)
    nested = [isinstance(own, Mapping) and own and all(map(_is_container, own.values())) for own in values]
    for own in (own for own, is_nested in zip(values, nested, strict=True) if is_nested):
        _check_members([*map(str, own)], book, "")
    if book.kind == "models":
        if not all(nested):
            raise refuse("other_kind", book.name, "it names no models", "Give {model: {query: {document: score}}}.")
        return [{"model": model, **row} for model, own in value.items() for row in _by_query(own, book)]
    if any(nested):
        what = f"there is a level above or below {{query: {{document: number}}}}: {listed(names)}"
        do = "Give what one model’s name holds. Grades of subtopics are records: query_id, subtopic, doc_id, relevance."
        raise refuse("malformed", book.name, what, do)
    return _by_query(value, book)


def _check_members(names: Sequence[str], book: Book, do: str = "Give that table alone. ") -> None:
    """Raise ReadError where names are those of members, and not of queries."""
    members = [name for name in names if key(name) in _MEMBERS or key(name) in ("scores", "distances")]
    if 2 * len(members) > len(names):
        what = f"it holds a table under a name: {listed(members)}"
        raise refuse("malformed", book.name, what, f"{do}{_ALLOWED}")


def _is_container(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple, set, frozenset))


def _rows_of_facts(value: Mapping[Any, Any], book: Book) -> list[Row]:
    """Return the rows of {query: text}, {query: weight} or {query: vote}. ReadError for anything else."""
    votes = book.kind == "votes"
    numbers = {isinstance(own, (int, float, np.number)) and not isinstance(own, bool) for own in value.values()}
    mixed = not votes and (len(numbers) > 1 or are_measures(map(str, value)))
    if mixed or any(map(_is_container, value.values())):
        what = f"these are not {KINDS[book.kind].words}, all alike"
        do = "Give {query: vote}." if votes else "Give {query: text} or {query: weight}."
        raise refuse("other_kind", book.name, what, f"{do} Or give records.")
    column = "vote" if votes else "weight" if True in numbers else "text"
    return [{"query_id": name, column: own} for name, own in value.items()]


def _by_query(value: Mapping[Any, Any], book: Book) -> list[Row]:
    """Return the rows of {query: {document: number}}, {query: [document, …]} and {query: [{…}]}."""
    number = "relevance" if book.kind == "judgments" else "score"
    rows: list[Row] = []
    empty = bare = 0
    for query, documents in value.items():
        found = [{"query_id": query, **row} for row in _documents(query, documents, number, book)]
        empty += not found
        bare += sum(number not in row and "rank" not in row for row in found)
        rows += found
    if not rows:
        raise refuse("empty", book.name, "there are no rows", "Give {query: {document: number}}.")
    if 0 < bare < len(rows):
        what = f"{bare:,} documents have no {number}"
        raise refuse("missing_value", book.name, what, "Give every document one, or none.")
    if are_measures({own for row in rows if isinstance(own := row.get("doc_id"), str)}):
        what = "these are values of measures for each query, not lists of documents"
        raise refuse("other_kind", book.name, what, "Give the run and the judgments that they were computed from.")
    book.golden = book.kind == "judgments" and bare > 0
    book.notes += no_documents(empty)
    return rows


def _documents(query: Any, documents: Any, number: str, book: Book) -> Iterable[Row]:
    """Return the rows of the documents of one query. ReadError for what is no list, or has no order."""
    if isinstance(documents, Mapping) and not any(map(_is_container, documents.values())):
        book.unnamed = True
        return [{"doc_id": doc, number: own} for doc, own in documents.items()]
    if isinstance(documents, (set, frozenset)) and book.kind == "judgments":
        return [{"doc_id": doc} for doc in sorted(documents, key=str)]
    if isinstance(documents, (list, tuple, np.ndarray)):
        return _items(documents.tolist() if isinstance(documents, np.ndarray) else documents, number, book)
    what = f"the value of query {printable(str(query))} is not a list of documents"
    raise refuse("malformed", book.name, what, _ALLOWED)


def _items(documents: Sequence[Any], number: str, book: Book) -> Iterator[Row]:
    """Yield the rows of a list of documents: ids, pairs with a number, or objects."""
    ordered = False
    for place, item in enumerate(documents, start=1):
        if isinstance(item, Mapping):
            row = _cells(item, book)
            if names_queries(row):
                do = "Give a list of records, or leave the query to the name above the list."
                raise refuse("malformed", book.name, "a document in a list names a query of its own", do)
            ordered = ordered or means(row, "run", "rank", "score")
            yield row if ordered or book.kind == "judgments" else {**row, "rank": place}
        elif isinstance(item, (list, tuple)) and len(item) == 2:
            book.unnamed = True
            yield {"doc_id": item[0], number: item[1]}
        elif isinstance(item, (list, tuple)):
            raise refuse("malformed", book.name, "a list has not two items for a document", _ALLOWED)
        else:
            yield {"doc_id": item}


def _cells(record: Mapping[Any, Any], book: Book) -> Row:
    """Return the cells of a record; lists and objects in them are left unread, vectors of items apart."""
    vectors = {name for name, value in record.items() if isinstance(value, list) and means([name], book.kind, "vector")}
    unread = {name for name, value in record.items() if _is_container(value)} - vectors
    book.leave(name for name in record if name in unread)
    return {str(name): value for name, value in record.items() if name not in unread}


# --- columns ---------------------------------------------------------------------------------------------------------


def make_grid(book: Book, rows: Sequence[Row], *, first_row: int = 0) -> Grid:
    """Return the Grid of rows. ReadError where a column is missing, and for ids that are neither text nor numbers."""
    if len(rows) > book.limits.rows:
        raise too_many(book.name, len(rows), "rows", book.limits.rows)
    names: dict[str, None] = {}
    for row in rows:
        if len(names) < len(row) or not row.keys() <= names.keys():
            names |= dict.fromkeys(row)
            if len(names) > book.limits.columns:
                raise too_many(book.name, len(names), "columns", book.limits.columns)
    headings = tuple(map(str, names))
    matched = match(book.name, headings, book.kind, book.options.columns, golden=book.golden)
    keys = [*names]
    columns = {
        own: _column(book, own, headings[at], [row.get(keys[at]) for row in rows]) for at, own in matched.names.items()
    }
    notes = [*book.notes, *matched.notes, *not_read("Not read", book.unread)]
    called = {own: heading for own, heading in matched.called.items() if own != heading or not book.unnamed}
    shown = () if book.unnamed else headings
    grid = Grid(book.name, columns, called, shown, tuple(notes), first_row=first_row, format="JSON")
    return _check_unnamed(grid, book) if book.unnamed and not book.options.columns else grid


def _column(book: Book, name: str, heading: str, cells: Sequence[Any]) -> pa.Array:
    """Return the cells of a column as Arrow has them. ReadError for half characters."""
    if name in NUMBERS and all(isinstance(cell, (int, float, np.number)) or cell is None for cell in cells):
        try:
            return from_numpy(np.array([np.nan if cell is None else float(cell) for cell in cells], np.float64))
        except OverflowError:
            pass
    if name in IDS:
        texts = [
            cell if cell.__class__ is str else _id(book, heading, cell, row) for row, cell in enumerate(cells, start=1)
        ]
    else:
        texts = [cell if cell.__class__ is str else _text(cell) for cell in cells]
    try:
        return from_strings(texts)
    except UnicodeEncodeError:
        row = next(row for row, text in enumerate(texts, start=1) if whole_text(text) != text)
        what, do = "holds an incomplete character", "Export it again."
        raise refuse("bad_encoding", book.name, what, do, row=row, column=heading) from None


def _text(value: Any) -> str:
    """Return a value as the text of a cell."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < EXACT else str(value)


def as_id(value: Any) -> str | None:
    """Return a value as an id, "" for one that is missing; None for what is neither text nor a whole number.

    >>> as_id("a"), as_id(7), as_id(7.0), as_id(7.5), as_id(True), as_id(None)
    ('a', '7', '7', None, None, '')
    """
    if value is None or isinstance(value, str):
        return str(value or "")
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return "" if number != number else str(int(number)) if number.is_integer() and abs(number) < EXACT else None
    return None


def _id(book: Book, heading: str, value: Any, row: int) -> str:
    plain = as_id(value)
    if plain is None:
        shown = str(value)[:40] if isinstance(value, (bool, int, float)) else None
        what = f"is of the type {type(value).__name__}, and no id"
        do = "Ids are texts or whole numbers."
        raise refuse("bad_value", book.name, what, do, row=row, column=heading, found=shown)
    return plain


#: What numbers without a name may be instead.
_DOUBTS = {
    "may_be_scores": "Most grades are not whole numbers. If these are scores, give the file as a run.",
    "may_be_ranks": "The numbers count from document to document, and were read as scores, of which the highest is "
    "best. If they are ranks, give records with a column rank.",
    "may_be_grades": "The scores look like grades: small whole numbers in no order. If so, give the file as judgments.",
}


def _check_unnamed(grid: Grid, book: Book) -> Grid:
    """Return a Grid whose numbers have no name, with a warning where they may be something else.

    ReadError where grades cannot be any.
    """
    name = "relevance" if book.kind == "judgments" else "score"
    column = grid.columns.get(name)
    if column is None or book.kind not in ("run", "judgments"):
        return grid
    lists, are_numbers = Lists.of_words(grid.columns["query_id"].to_pylist()), pa.types.is_floating(column.type)
    values = parse_numbers(column).values.astype(np.float64, copy=False)
    fall, are_run = are_falling(lists, values), name == "score"
    are_ids = bool((np.floor(values) == values).all()) and not (are_grades(values) or fall)
    are_ids = are_ids if are_numbers else not propose_grades({*column.to_pylist()})
    if are_ids and are_ranks(lists, parse_numbers(grid.columns["doc_id"]).values.astype(np.float64)):
        what, do = "ranks 1, 2, 3, … stand in the place of documents", "Give {query: [document, …]}, the best first."
        raise refuse("malformed", grid.name, what, do)
    if not are_run and are_scores(values) and ((fall and len(values) >= 10) or (values < 0).any()):
        what = "the numbers look like scores: most are not whole numbers"
        do = "Give them as a run; if they are grades, give records with a name for each value, such as relevance."
        raise refuse("other_kind", grid.name, what, do)
    doubts = {
        "may_be_scores": not are_run and are_scores(values),
        "may_be_ranks": are_run and count_up(lists, values),
        "may_be_grades": are_run and are_grades(values) and not fall,
    }
    notes = [warning(code, _DOUBTS[code]) for code, is_so in doubts.items() if is_so]
    return grid.noting(*notes[:1])
