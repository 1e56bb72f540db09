"""What is in memory already: Arrow tables, frames, and dicts of dicts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.arrow import Text, as_numpy, codes, one_chunk
from rankdash.reading.binary.nested import flat, is_nested
from rankdash.reading.binary.python_values import check_ids, id_of, named_column
from rankdash.reading.binary.sizes import check_sizes
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.headings import RANX, match
from rankdash.reading.columns.unnamed import NAME_BESIDE, check_unnamed
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.options import OPTIONS, Options
from rankdash.reading.source.problems import Problem, ReadError, check_whole, printable, refuse, too_many
from rankdash.reading.source.signatures import are_measures
from rankdash.reading.source.unread import not_read
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.text_collector import Gathered
from rankdash.reading.words.headings import Kind

#: What is said of scores that could be ranks: a dict has a number of which nothing says what it is.
_COUNTED = (
    "The numbers count from document to document, and were read as scores, of which the highest is best: if they are "
    "ranks, give records with a column rank."
)
#: Meanings of columns that hold one text a row, and neither lists nor objects.
_PLAIN = frozenset(("model", "text"))
#: How a source without a file name is called in messages.
TABLE = "the table"


def table_grid(
    name: str,
    table: pa.Table,
    kind: Kind,
    limits: Limits,
    options: Options = OPTIONS,
    notes: tuple[str, ...] = (),
    *,
    parquet: bool = False,
) -> Grid:
    """Return the columns of an Arrow table, or of the table in a file of ``parquet``, that a kind of table has.

    ReadError where a column is missing, or there is no row.
    """
    check_sizes(name, table, limits)
    if any(is_nested(field.type) or field.name.startswith("__index") for field in table.schema):
        table, flat_notes = flat(name, table, kind, limits)
        notes = (*notes, *flat_notes)
    headings = tuple(table.column_names)
    if len(headings) > limits.columns:
        raise too_many(name, len(headings), "columns", limits.columns)
    if table.num_rows > limits.rows:
        raise too_many(name, table.num_rows, "rows", limits.rows)
    mapping = match(name, headings, kind, options.columns, ranx=parquet and writes_grades(table.schema))
    if not table.num_rows:
        raise refuse("empty", name, "there are columns but no rows")
    check_ids(name, table, mapping.names)
    for i, own in mapping.names.items():
        if own in _PLAIN and is_nested(arrow_type := table.schema.field(i).type):
            raise refuse(
                "bad_value", name, f'column "{headings[i]}" holds {arrow_type}, not text', "Give one text a row."
            )
    columns = {own: one_chunk(table.column(i)) for i, own in mapping.names.items()}
    return Grid(name, columns, mapping.called, headings, (*notes, *mapping.notes))


def writes_grades(schema: pa.Schema) -> bool:
    """Return whether a Parquet file may be qrels of ranx: its grades are whole numbers, the scores of its runs are none
    by their type.
    """
    return set(schema.names) == RANX and pa.types.is_integer(schema.field("score").type)


def is_table(source: Any) -> bool:
    """Return whether this is an Arrow table, a frame of pandas, or one that gives itself to Arrow (polars, duckdb)."""
    return isinstance(source, (pa.Table, pa.RecordBatch)) or _is_pandas(source) or hasattr(source, "__arrow_c_stream__")


def as_table(source: Any) -> pa.Table:
    """Return the Arrow table of a table or frame; columns of mixed objects become text."""
    if isinstance(source, pa.Table):
        return source
    if isinstance(source, pa.RecordBatch):
        return pa.Table.from_batches([source])
    if not _is_pandas(source):
        return pa.RecordBatchReader.from_stream(source).read_all()
    index = [name for name in source.index.names if name is not None]
    if index and not set(index) & set(source.columns):
        source = source.reset_index(level=index)
    check_whole(TABLE, map(str, source.columns))
    frame = source.set_axis([str(name) for name in source.columns], axis=1)
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (ValueError, pa.ArrowTypeError):  # mixed values, or two columns of one name
        columns = [named_column(str(name), frame.iloc[:, at]) for at, name in enumerate(frame.columns)]
        return pa.Table.from_arrays(
            [column for _, column in columns], schema=pa.schema([field for field, _ in columns])
        )


def index_note(source: Any) -> tuple[str, ...]:
    """Return the note on an index of a frame of pandas that is not read: labels without a name, or with the name of a
    column.
    """
    if not _is_pandas(source):
        return ()
    names = source.index.names
    twice = {name for name in names if name is not None} & {*source.columns}
    labels = len(names) > 1 or source.index.dtype.kind not in "iu"
    return not_read("Not read", [str(name or "the index") for name in names if (name is None and labels) or twice])


def with_unnamed(grid: Grid, kind: Kind, options: Options) -> Grid:
    """Return the same Grid, whose numbers have no name in the source. ReadError where they are given for grades, and
    are scores; not where somebody chose them.
    """
    if kind == "judgments" and not options.columns.get("relevance"):
        return check_unnamed(grid, NAME_BESIDE)
    return grid


def _is_pandas(source: Any) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


def dict_grid(source: Mapping[Any, Any], kind: Kind, limits: Limits, options: Options = OPTIONS) -> Grid:
    """Return the rows of {query: {doc: number}}, {query: [[doc, number], ...]} or {query: [doc, ...]}.

    The number is the score of a run, the relevance of judgments; None is blank. ReadError for anything else.
    """
    return with_unnamed(members_grid(source.items(), kind, TABLE, limits, options), kind, options)


def members_grid(
    source: Iterable[tuple[Any, Any]], kind: Kind, file: str, limits: Limits, options: Options = OPTIONS
) -> Grid:
    """Return the same of (query, documents), one after the other."""
    if kind in ("queries", "votes"):
        return _facts_grid(source, kind, file, limits, options)
    if kind == "models":
        raise refuse(
            "other_kind", file, "a dict holds the lists of one model", "Give a table with a column for the model."
        )
    gathered = Gathered(file, limits)
    number = "score" if kind == "run" else "relevance"
    bare = empty = longest = 0
    counting, measuring = kind == "run", True
    measured: set[str] = set()
    for name, documents in source:
        query = id_of(file, "query", name)
        pairs = _pairs(file, name, documents, kind)
        empty += not pairs
        bare += sum(len(pair) < 2 for pair in pairs)
        longest = max(longest, len(pairs))
        counting = counting and _count(pairs)
        measuring = measuring and all(len(pair) > 1 and are_measures((str(pair[0]),)) for pair in pairs)
        measured.update(str(pair[0]) for pair in (pairs if measuring else ()))
        columns = {
            "query_id": [query] * len(pairs),
            "doc_id": [p if (p := pair[0]).__class__ is str else id_of(file, query, p) for pair in pairs],
            number: [_id(pair[1]) if len(pair) > 1 else "" for pair in pairs],
        }
        gathered.extend([0] * len(pairs), columns)
    names = gathered.names
    if not gathered.rows:
        raise refuse("empty", file, "there are no rows", "Give {query: {document: number}}.")
    if measuring and are_measures(measured, telling=True):
        what = "these are values of measures for each query, {query: {measure: value}}, and no lists of documents"
        raise refuse("other_kind", file, what, "Give the run and the judgments that they were computed from.")
    if bare == gathered.rows:
        names = ("query_id", "doc_id")
    elif bare:
        raise refuse("missing_value", file, f"{bare:,} documents have no {number}", "Give every document one, or none.")
    notes = (f"{empty:,} {'query has' if empty == 1 else 'queries have'} no documents.",) if empty else ()
    notes = (*notes, _COUNTED) if counting and longest > 1 and bare < gathered.rows else notes
    made = {name: gathered.column(name) for name in names}
    return Grid(file, made, {}, names, (*notes, *gathered.notes()))


def _count(pairs: Sequence[tuple[Any, ...]]) -> bool:
    """Return whether the numbers of a list count 1, 2, 3, … or 0, 1, 2, … from document to document."""
    numbers = [pair[1] for pair in pairs if len(pair) > 1]
    first = str(numbers[0]) if numbers else "1"
    return first in ("0", "1") and [*map(str, numbers)] == [str(int(first) + at) for at in range(len(pairs))]


def _facts_grid(source: Iterable[tuple[Any, Any]], kind: Kind, file: str, limits: Limits, options: Options) -> Grid:
    """Return the rows of {query: text}, {query: weight}, {query: {column: value}}; {query: vote}, {query: [vote]},
    {query: {rater: vote}}.
    """
    gathered, are_numbers = Gathered(file, limits), True
    for name, value in source:
        query = {"query_id": id_of(file, "query", name)}
        are_numbers = are_numbers and isinstance(value, Mapping) and all(map(_is_number, value.values()))
        if kind == "queries":
            gathered.add(0, query | {column: _id(cell) for column, cell in _facts(file, value)})
        elif isinstance(value, Mapping):
            for rater, vote in value.items():
                gathered.add(0, query | {"rater": str(rater), "vote": _id(vote)})
        else:
            for cell in value if isinstance(value, (list, tuple)) else [value]:
                gathered.add(0, query | {"vote": _id(cell)})
    headings = gathered.names
    if not headings:
        raise refuse("empty", file, "there are no rows", f"Give {{query: {'text' if kind == 'queries' else 'vote'}}}.")
    mapping = match(file, headings, kind, options.columns)
    if kind == "queries" and not {"text", "weight"} & {*mapping.names.values()} and are_numbers:
        what = "these are numbers of documents by query, it seems, not queries"
        raise refuse(
            "other_kind", file, what, "Give {query: text} or {query: weight}; a run or judgments go elsewhere."
        )
    columns = {own: gathered.column(headings[i]) for i, own in mapping.names.items()}
    return Grid(file, columns, mapping.called, headings, (*mapping.notes, *gathered.notes()))


def _is_number(value: Any) -> bool:
    """Return whether a value of a dict is a number, as those of documents are."""
    return not isinstance(value, bool) and is_number(str(value))


def _facts(file: str, value: Any) -> Iterable[tuple[str, Any]]:
    """Return what is said of a query: its columns, a text, or a number, which is a weight. ReadError for documents."""
    if isinstance(value, Mapping):
        return ((str(column), cell) for column, cell in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        what = "these are lists of documents by query, not queries"
        raise refuse("other_kind", file, what, "Give {query: text}, {query: weight} or {query: {column: value}}.")
    return [("weight" if isinstance(value, Real) and not isinstance(value, bool) else "text", value)]


def _id(value: Any) -> str:
    return value if value.__class__ is str else "" if value is None else str(value)


def _pairs(file: str, query: Any, documents: Any, kind: Kind) -> Sequence[tuple[Any, ...]]:
    """Return (document, number) or (document,) for each document of a query; those of a set, of which judgments alone
    may be made, by their texts.
    """
    if isinstance(documents, Mapping):
        return list(documents.items())
    if isinstance(documents, (set, frozenset)):
        if kind == "run":
            what = f"the documents of query {printable(str(query))} are a set, which has no order"
            raise refuse("unclear", file, what, "Give a list with the best document first, or {document: score}.")
        return [(item,) for item in sorted(documents, key=str)]
    if isinstance(documents, (list, tuple)):
        rows = [tuple(item) if isinstance(item, (list, tuple)) else (item,) for item in documents]
        if all(0 < len(row) <= 2 for row in rows):
            return rows
    given = type(documents).__name__
    problem = Problem(
        "malformed",
        file,
        f"the documents of query {query} are no dict and no list, or not [document, number]",
        found=given,
        allowed="Give {document: number}, [[document, number], …] or [document, …].",
    )
    raise ReadError((problem,))


def digest(table: pa.Table) -> str:
    """Return the SHA-256 of the columns of a table as tables.py has them, whatever they were made from."""
    sha256 = hashlib.sha256()
    for name in table.column_names:
        array = one_chunk(table.column(name))
        sha256.update(f"{name}\0{len(array)}\0".encode())
        if pa.types.is_dictionary(array.type):
            sha256.update(codes(array).tobytes())
            array = array.dictionary
        if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
            text = Text.of(array)
            sha256.update(np.diff(text.offsets).astype(np.int64).tobytes())
            sha256.update(text.data[int(text.offsets[0]) : int(text.offsets[-1])].tobytes())
        else:
            sha256.update(as_numpy(array).tobytes())
    return sha256.hexdigest()
