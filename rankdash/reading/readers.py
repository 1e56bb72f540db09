"""The readers: from a source of any kind to a table. The content decides the format, never the name."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from os import PathLike
from typing import Any, BinaryIO, Literal, Protocol, TypedDict, TypeVar, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.notes import whole_text
from rankdash.reading import build, source as files
from rankdash.reading.grid import Grid, bound, is_number
from rankdash.reading.headings import MEASURE, Kind, check_document_ids, check_meanings, key
from rankdash.reading.problems import NotUtf8Error, ReadError, exceed, refuse
from rankdash.reading.source import LIMITS, Document, Limits, Options
from rankdash.reading.text import is_qrels, is_trec_run, read_delimited, read_head, read_qrels, read_trec_run
from rankdash.records import frozen, replace
from rankdash.tables import Items, Judgments, Models, Queries, Run, Votes

_Table = TypeVar("_Table", bound=Run | Judgments | Queries | Votes | Items)
_Made = TypeVar("_Made", Run, Judgments, Models, Queries, Votes, Items)


class ArrowStream(Protocol):
    """A frame or a table: what pandas, polars, Arrow and others hand on column by column."""

    def __arrow_c_stream__(self, _: object = None, /) -> object: ...


File = str | PathLike[str] | bytes | BinaryIO
#: What a reader takes: a path, bytes, an open file, a frame or table, a dict, records.
Data = File | Document | ArrowStream | Mapping[Any, Any] | Iterable[Any]
By = Literal["auto", "score", "rank", "position"]


class How(TypedDict, total=False):
    """The decisions about a source that every reader takes by name; ``Options`` says what they are."""

    columns: Mapping[str, str]
    encoding: str
    sheet: str | int
    member: str
    grades: Mapping[str, float]
    scores: File | Mapping[str, File]
    groups: File


def read_run(
    source: Data, *, name: str | None = None, order: By = "auto", limits: Limits = LIMITS, **how: Unpack[How]
) -> Run:
    """Return one model's ranked lists.

    ``source`` is one of these:

    - a path, bytes, a binary file object, a frame, or an Arrow table;
    - a dict: {query: {doc: score}}, {query: [[doc, score], ...]}, or {query: [doc, ...]};
    - records: any iterable of dicts, named tuples, (query, doc) or (query, doc, score).

    ``order`` is auto, score, rank or position. auto orders a TREC run by score, anything else by rank if it has one,
    else by score, else by the order of the rows. The default name is the name of the file without its ending.
    ``how``: columns, encoding, sheet, member, grades, as in ``Options``. ReadError for anything that is no run.
    """
    return _read("run", Run, source, limits=limits, name=name, order=order, **how)


def read_judgments(source: Data, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Judgments:
    """Return the grades of documents: qrels, any table with a relevance column, {query: {doc: relevance}}, or records,
    which may name a subtopic.

    Rows without a grade are unjudged and left out. ReadError for anything without grades.
    """
    return _read("judgments", Judgments, source, limits=limits, **how)


def read_interactions(source: Data, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Judgments:
    """Return every pair of a user and an item in a table, whatever else stands beside them; each has grade 1."""
    how["columns"] = {**how.get("columns", {}), "relevance": ""}
    return _read("judgments", Judgments, source, limits=limits, **how)


def read_models(
    source: Data, *, names: Sequence[str] | None = None, order: By = "auto", limits: Limits = LIMITS, **how: Unpack[How]
) -> Models:
    """Return the runs of a combined table with a column for the model, and the grades beside them.

    Runs come in order of appearance, or as ``names`` lists them. ``judgments`` is None where no row has a grade.
    """
    return _read("models", Models, source, limits=limits, names=names, order=order, **how)


def read_queries(source: Data, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Queries:
    """Return the texts, weights and segments of queries: a table, id and text without a header, {query: text} or
    {query: weight}.

    Of rows with the same id the first is read. A blank weight is none: ``missing_weight`` of ``compare`` decides
    what such a query weighs. ReadError where there are no ids, for weights that are not numbers of at least 0, or
    differ for a query, and for lists and judgments.
    """
    return _read("queries", Queries, source, limits=limits, **how)


def read_votes(
    source: Data,
    *,
    pair: tuple[str, str] | None = None,
    models: tuple[str, str] | None = None,
    limits: Limits = LIMITS,
    **how: Unpack[How],
) -> Votes:
    """Return side-by-side votes, seen from B: a row per vote, columns rater1, rater2, …, or {query: vote}.

    ``models`` are the names of the runs A and B, ``pair`` the names that the votes give them, matched exactly. The pair
    ("B", "A") says of votes without names that they are seen from A. Votes on other models are set aside, with a
    warning. ReadError where no vote names both models, for words that are not votes, and for votes with two meanings.
    """
    return _read("votes", Votes, source, limits=limits, pair=pair, models=models, **how)


def read_items(source: Data, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Items:
    """Return what is known about documents: a row for each, with its id and its category, date, vector or users.

    Dates are ISO dates or date-times, in UTC unless they say otherwise; numbers are Unix times under a heading that
    says so (unix_time, unix_time_ms). A vector is a list of numbers; further categories are
    category_2, …; users is how many users had the document. ReadError for anything else, and for lists and judgments.
    """
    return _read("items", Items, source, limits=limits, **how)


def _read(kind: Kind, made: type[_Made], source: Data, **how: Any) -> _Made:
    """Return the table of a source. ReadError where it is no such table."""
    table = read_as(kind, source, **how).result()
    assert isinstance(table, made)
    return table


@frozen
class ReadOutcome:
    """The result of reading a source as one kind of table: a ``table`` or an ``error``.

    ``grid`` is what the format's reader returned, before words became grades; None where reading failed earlier.
    """

    table: Any = None
    error: ReadError | None = None
    grid: Grid | None = None

    def result(self) -> Any:
        """Return the table. ReadError where there is none."""
        if self.error is not None:
            raise self.error
        return self.table


def build_as(
    kind: Kind,
    grid: Grid,
    options: Options,
    limits: Limits,
    order: str = "auto",
    names: Sequence[str] | None = None,
    rows: int = 0,
) -> ReadOutcome:
    """Return the outcome of making a kind of table of a Grid, with ``rows`` of its first rows alone."""
    try:
        grid = bound(grid.first(rows) if rows else grid, limits)
        return ReadOutcome(_build(kind, grid, options, order, names, suppose=not rows), grid=grid)
    except ReadError as error:
        return ReadOutcome(error=error, grid=grid)


def _build(kind: Kind, grid: Grid, options: Options, order: str, names: Sequence[str] | None, *, suppose: bool) -> Any:
    columns = options.columns
    if kind in ("judgments", "models") or "relevance" in grid.columns:
        grid = build.grade_words(grid, options.grades)
    if not columns and order == "auto":
        build.check_scores(grid, kind)
    if not columns.get("doc_id"):
        check_document_ids(grid)
    if kind == "votes":
        from rankdash.reading.votes import build_votes

        return build_votes(grid, options.pair, options.models, chosen=bool(columns.get("vote")))
    made: Mapping[str, Callable[[], Any]] = {
        "run": lambda: build.build_run(grid, order, alone=columns.get("model") == ""),
        "judgments": lambda: build.build_judgments(grid, suppose=suppose),
        "models": lambda: build.build_models(grid, order, names),
        "queries": lambda: build.build_queries(grid),
        "items": lambda: build.build_items(grid),
    }
    return made[kind]()


def read_as(
    kind: Kind,
    source: Any,
    *,
    limits: Limits = LIMITS,
    name: str | None = None,
    names: Sequence[str] | None = None,
    order: str = "auto",
    pair: tuple[str, str] | None = None,
    models: tuple[str, str] | None = None,
    rows: int = 0,
    **how: Unpack[How],
) -> ReadOutcome:
    """Return the outcome of reading a source as a kind of table, with what the reader of that kind takes.

    Never raises ReadError. TypeError for what is no source.
    """
    options = Options(**how, pair=pair, models=models)
    file = ""
    try:
        check_meanings(options.columns)
        document = files.open_document(source, limits, options) if files.is_file(source) else None
        if document is None:
            grid, own = read_object(source, kind, limits, options)
        else:
            file = document.name
            grid = read_document(document, kind)
            # each part of a file is a run under a name of its own
            own = "/".join(filter(None, (stem(file) or "run", options.member, str(options.sheet))))
        outcome = build_as(kind, grid, options, limits, order, names, rows)

        def stamped(table: _Table) -> _Table:
            digest = _digest(table.table) if document is None else document.digest()
            return replace(table, source=replace(table.source, name=file, sha256=digest))

        table = outcome.table
        if isinstance(table, Models):
            table = Models(tuple(map(stamped, table.runs)), table.judgments and stamped(table.judgments))
        elif table is not None:
            table = stamped(table)
        if isinstance(table, Run):
            table = replace(table, name=whole_text(name or table.name or own or "run"))
        return replace(outcome, table=table)
    except ReadError as error:
        return ReadOutcome(error=error)
    except MemoryError:
        what = "there is not enough memory to read it"
        return ReadOutcome(error=exceed(file or "the source", what, "Give a smaller file."))


def read_document(document: Document, kind: Kind) -> Grid:
    """Return the Grid of a file, read as a kind of table in the format that its first bytes and lines tell.

    ReadError where it is no table of that kind.
    """
    refuse_other_files(document)
    form = files.form_of(document)
    if form == files.WORKBOOK:
        from rankdash.reading import workbook

        document = workbook.as_text(document, kind)
    elif form:
        from rankdash.reading import columnar

        return columnar.read_file(document, kind, form)
    text = files.as_utf8(document)
    try:
        return _read_text(text, kind)
    except NotUtf8Error as problem:
        return _read_text(files.guess_encoding(text, problem), kind)


def _read_text(document: Document, kind: Kind) -> Grid:
    """Return the Grid of a text, in the first format that its first lines have."""
    head = read_head(document)
    begins = head.text.lstrip()[:1]
    if begins in ("[", "{") and not is_trec_run(head) and not is_qrels(head):  # whose first id may have a bracket
        from rankdash.reading import objects, tools

        value, book = objects.parse_json(document, kind)
        return objects.make_grid(book, tools.rows_of_value(value, book), first_row=1)
    if begins in "#+-." or begins.isdigit():
        from rankdash.reading.letor import is_letor, read_letor

        if is_letor(head):
            return read_letor(document, kind)
    if is_trec_run(head):
        return read_trec_run(document, head, kind)
    if is_qrels(head):
        return read_qrels(document, head, kind)
    if key(head.first[0][:100]).startswith(("querydocid", "teamname")):
        from rankdash.reading.tools import plain_csv

        document = plain_csv(document, head.first[0], kind)
        head = read_head(document)
    return read_delimited(document, head, kind)


def read_object(source: Any, kind: Kind, limits: Limits, options: Options) -> tuple[Grid, str]:
    """Return the Grid of a frame, an Arrow table, a dict or records, and its name. TypeError for anything else."""
    from rankdash.reading import columnar, tools
    from rankdash.reading.objects import TABLE, Book, make_grid

    source, name = tools.unwrap(source, kind)
    if columnar.is_table(source):
        table = columnar.as_table(source)
        return columnar.make_grid(TABLE, table.schema, len(table), table.select, kind, limits, options), name
    if isinstance(source, np.ndarray):
        if source.dtype.kind not in "OUV":
            do = "Give a dict, {query: [document, …]}, or records."
            raise refuse("unclear", TABLE, "these are rows of numbers, and nothing says what they mean", do)
        source = [*([source.dtype.names] if source.dtype.names else []), *source.tolist()]
    if not isinstance(source, Mapping) and (not isinstance(source, Iterable) or isinstance(source, (set, frozenset))):
        raise TypeError(f"{type(source).__name__} is no path, bytes, file, frame, Arrow table, dict or records")
    value = source if isinstance(source, (Mapping, list, tuple)) else [*islice(source, limits.rows + 1)]
    book = Book(TABLE, kind, options, limits)
    return make_grid(book, tools.rows_of_value(value, book)), name


def _digest(table: pa.Table) -> str:
    """Return the SHA-256 of the columns of a table as tables.py has them, whatever they were made from."""
    sha256 = hashlib.sha256()
    for name in table.column_names:
        array = arrow.one_chunk(table.column(name))
        sha256.update(f"{name}\0{len(array)}\0".encode())
        if pa.types.is_dictionary(array.type):
            sha256.update(arrow.codes(array).tobytes())
            array = array.dictionary
        array = arrow.bare(array)
        if arrow.is_text(array.type):
            text = arrow.Text.of(array)
            sha256.update(np.diff(text.offsets).astype(np.int64).tobytes())
            sha256.update(text.data[int(text.offsets[0]) : int(text.offsets[-1])].tobytes())
        else:
            sha256.update(arrow.as_numpy(pc.fill_null(array, -(2**63)) if array.null_count else array).tobytes())
    return sha256.hexdigest()


def stem(name: str) -> str:
    """Return a file name without the ending of its format, and of its packing."""
    first, ending = os.path.splitext(whole_text(name))
    return os.path.splitext(first)[0] if ending.lower() in (".gz", ".bz2", ".xz", ".zst", ".zip") else first


# --- what is no table ------------------------------------------------------------------------------------------------

_TABLES = "Give TREC, CSV, TSV, JSON, Excel, LETOR, Parquet or Arrow."
#: What would otherwise be read as a text: its first bytes, what it is, and what to do. Other binary files hold zero
#: bytes.
_OTHERS: tuple[tuple[re.Pattern[bytes], str, str], ...] = (
    (re.compile(rb"%PDF"), "a PDF document, not a table", _TABLES),
    (re.compile(rb"\x04\x22\x4d\x18"), "packed with LZ4, not a table", _TABLES),
    (re.compile(rb"\{\\rtf"), "a text document (RTF), not a table", _TABLES),
    (re.compile(rb"version https://git-lfs"), "a pointer of Git LFS to the file, not a table", _TABLES),
    (re.compile(rb"(?s).{257}ustar"), "a tar archive", "Unpack it, or pack the file as .gz or .zip."),
    (
        re.compile(rb"\x80[\x02-\x05]|\((dp|lp)\d+\n|c(__builtin__|copy_reg|numpy|pandas)[.\n]"),
        "a pickled Python object, which is never loaded",
        "Save the table as Parquet or CSV.",
    ),
    (
        re.compile(rb"\s*<(!doctype|html|head|body|script|meta|title|div|table|!--|\?xml|svg|top\b|topics)", re.I),
        "markup (HTML or XML), not a table",
        _TABLES,
    ),
)


def refuse_other_files(document: Document) -> None:
    """Raise ReadError for a file that is no table."""
    head, name = document.head, document.name
    for pattern, what, do in _OTHERS:
        if pattern.match(head.removeprefix(codecs.BOM_UTF8)):
            raise refuse("unsupported", name, f"this is {what}", do)
    lines = [line.split() for line in head[: 1 << 12].decode("utf-8", "replace").splitlines() if line.strip()]
    lines = lines if document.whole and len(head) < 1 << 12 else lines[:-1]
    if lines and _are_evaluations(lines):
        what = "these are values of measures for queries, not a run or judgments"
        raise refuse("unsupported", name, what, "Give the run and the judgments that were evaluated.")


def _are_evaluations(lines: Sequence[Sequence[str]]) -> bool:
    """Return whether lines are measure, query, value, as trec_eval prints them, or query, measure, value, as
    ir_measures does; some may be names.
    """
    valued = [line for line in lines if len(line) == 3 and is_number(line[2])]
    first = [line[0] for line in valued if MEASURE.fullmatch(line[0])]
    second = [line for line in valued if MEASURE.fullmatch(line[1])]
    if len(first) * 5 < len(lines) * 4:
        return len(second) == len(lines)
    return len({*first}) > 1 or any(line[1:2] == ["all"] for line in lines)
