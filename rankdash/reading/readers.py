"""The readers: from a source of any kind to a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, TypeVar, Unpack

from rankdash.reading.attempts import ReadOutcome, Request, attempt, looked_at
from rankdash.reading.binary.memory import (
    TABLE,
    as_table,
    digest,
    index_note,
    is_table,
    table_grid,
)
from rankdash.reading.binary.records import is_records, records_of
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.document import opened
from rankdash.reading.source.limits import LIMITS, Limits
from rankdash.reading.source.options import Options
from rankdash.reading.source.problems import ReadError, listed, no_memory, refuse
from rankdash.reading.tables.build import judgments_of, models_of, run_of
from rankdash.reading.tables.quepid_snapshots import snapshot_of, with_texts
from rankdash.reading.tables.queries import queries_of
from rankdash.reading.tables.votes import votes_of
from rankdash.reading.tools.objects import held
from rankdash.reading.words.headings import MEANING, Kind
from rankdash.strings.nearest import did_you_mean, nearest
from rankdash.tables import QUEPID_IDS, Judgments, Models, Queries, Run, Votes

_Table = TypeVar("_Table", Run, Judgments, Queries, Votes)
_MEANINGS = f"There are {', '.join(MEANING)}."


class How(TypedDict, total=False):
    """The decisions about a source that every reader takes by name; ``Options`` says what they are."""

    columns: Mapping[str, str]
    encoding: str
    sheet: str | int
    member: str
    header: int
    grades: Mapping[str, float]
    scores: Any
    groups: Any


def read_run(
    source: Any, *, name: str | None = None, order: str = "auto", limits: Limits = LIMITS, **how: Unpack[How]
) -> Run:
    """Return one model's ranked lists.

    ``source`` is a path, bytes, a binary file object, a frame, an Arrow table, a dict ({query: {doc: score}},
    {query: [[doc, score], ...]}, {query: [doc, ...]}), or records: any iterable of dicts, named tuples, dataclasses,
    (query, doc) or (query, doc, score), and a numpy array of these. ``order`` is auto, score, rank or position: auto
    orders a TREC run by score, anything else by rank if it has one, else by score, else as the rows stand. The name is
    that of the file without its ending, unless one is given. ``how``: columns, encoding, sheet, member, header, grades,
    as in ``Options``. ReadError for anything that is no run.
    """
    run: Run = read_as("run", source, limits=limits, name=name, order=order, **how).result()
    return run


def read_judgments(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Judgments:
    """Return the grades of documents: qrels, any table with a relevance column, {query: {doc: relevance}}, or records.

    Records are dicts, named tuples, dataclasses or (query, doc, relevance).

    Rows without a grade are unjudged and left out. ReadError for anything without grades.
    """
    judgments: Judgments = read_as("judgments", source, limits=limits, **how).result()
    return judgments


def read_models(
    source: Any,
    *,
    names: Sequence[str] | None = None,
    order: str = "auto",
    limits: Limits = LIMITS,
    **how: Unpack[How],
) -> Models:
    """Return the runs of a combined table with a column for the model, and the grades beside them.

    Runs come in order of appearance, or as ``names`` lists them. ``judgments`` is None where no row has a grade.
    """
    models: Models = read_as("models", source, limits=limits, names=names, order=order, **how).result()
    return models


def read_queries(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Queries:
    """Return the texts, weights and segments of queries: a table, id and text without a header, {query: text} or
    {query: weight}.

    Of rows with the same id the first is read. A blank weight is none: what such a query weighs is decided where it is
    compared. ReadError where there are no ids, for weights that are not numbers of at least 0, or differ for a query,
    and for lists and judgments, in which queries come again beside documents.
    """
    queries: Queries = read_as("queries", source, limits=limits, **how).result()
    return queries


def read_votes(
    source: Any,
    *,
    pair: tuple[str, str] | None = None,
    models: tuple[str, str] | None = None,
    limits: Limits = LIMITS,
    **how: Unpack[How],
) -> Votes:
    """Return side-by-side votes, seen from B: a row per vote, a column per rater, numbers of votes, or {query: vote}.

    ``models`` are the names of the runs A and B, ``pair`` the names that the votes give them; ("B", "A") says of votes
    without names that they are seen from A. Names of models are matched exactly: with ``pair``, else with ``models``.
    Votes on other pairs are set aside with a warning. ReadError where no row names both models, for words that are not
    votes, and for votes with two possible meanings.
    """
    votes: Votes = read_as("votes", source, limits=limits, pair=pair, models=models, **how).result()
    return votes


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
    **how: Unpack[How],
) -> ReadOutcome:
    """Return the outcome of reading a source as a kind of table, with what the reader of that kind takes. Never raises
    ReadError.
    """
    options = Options(**how, pair=pair, models=models)
    notes: tuple[str, ...] = ()
    request = request_of(kind, limits, options, order=order, names=names)
    try:
        check_meanings(options.columns)
        if not isinstance(source, (str, os.PathLike, bytes)):
            thing = held(source, kind)
            source, name, notes = thing.source, name or thing.name, thing.notes
        if isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)) or _is_open_file(source):
            return _read_file(source, request, options, name)
    except ReadError as error:
        return ReadOutcome(error=error)
    outcome = in_memory(source, request, options, notes)
    outcome = _with_texts(outcome, limits, lambda queries: in_memory(source, queries, Options()))
    return _stamped(outcome, name or snapshot_of(outcome.grid)[0] or "run")


#: So many records show whether they have hits of a search engine.
_SAMPLE = 64


def _is_open_file(source: Any) -> bool:
    return hasattr(source, "read") and not is_table(source) and not isinstance(source, Mapping)


def in_memory(source: Any, request: Request, options: Options, notes: tuple[str, ...] = ()) -> ReadOutcome:
    """Return the outcome for a frame, an Arrow table, a dict or records, with ``notes`` before those of reading it.

    TypeError for anything else.
    """
    kind, limits = request.kind, request.limits
    try:
        if is_table(source):
            grid = table_grid(TABLE, as_table(source), kind, limits, options, index_note(source))
        elif isinstance(source, Mapping) or _are_answers(source):
            from rankdash.reading.json.in_memory import mapping_grid

            grid = mapping_grid(source, kind, limits, options)
        elif is_records(source):
            grid = records_of(source, kind, limits, options)
        else:
            raise TypeError(f"{type(source).__name__} is no path, bytes, file, frame, Arrow table, dict or records")
        return request.outcome(replace(grid, notes=(*notes, *grid.notes)))
    except ReadError as error:
        return ReadOutcome(error=error)
    except MemoryError:
        return ReadOutcome(error=no_memory(TABLE))


def _are_answers(source: Any) -> bool:
    """Return whether this is a list of dicts in a form of another tool, or with hits of a search engine within."""
    if not isinstance(source, (list, tuple)) or not source or not isinstance(source[0], Mapping):
        return False
    from rankdash.reading.tools.forms import form_of
    from rankdash.reading.tools.hits import holds_hits

    return form_of(source) is not None or any(map(holds_hits, source[:_SAMPLE]))


def request_of(
    kind: Kind,
    limits: Limits,
    options: Options,
    *,
    order: str = "auto",
    names: Sequence[str] | None = None,
    rows: int = 0,
) -> Request:
    """Return the request for a kind of table: with the function that builds it."""
    chosen = bool(options.columns.get("relevance"))
    alone = options.columns.get("model") == ""
    build: dict[Kind, Callable[[Grid], Any]] = {
        "run": lambda grid: run_of(grid, "run", order, alone=alone, doubting=not rows),
        "judgments": lambda grid: judgments_of(grid, supposing=not rows, chosen=chosen),
        "models": lambda grid: models_of(grid, order, names),
        "queries": queries_of,
        "votes": lambda grid: votes_of(grid, options.pair, options.models, chosen=bool(options.columns.get("vote"))),
    }
    return Request(kind, build[kind], limits, options.grades, rows)


def _read_file(source: Any, request: Request, options: Options, name: str | None) -> ReadOutcome:
    """Return the outcome for a file. ReadError where it cannot be opened, or is no table."""
    with opened(source, request.limits, options) as document:
        looked = looked_at(document)
        outcome = attempt(looked, request)
        if outcome.error is not None:
            return outcome
        if request.kind == "queries" and any(snapshot_of(outcome.grid)):
            what = "this is a snapshot of Quepid: it holds lists and ratings"
            do = "Give it as a run or as the judgments, which bring the texts of their queries."
            raise refuse("other_kind", document.name, what, do)
        outcome = _with_texts(outcome, request.limits, lambda queries: attempt(looked, queries))
        called = name or snapshot_of(outcome.grid)[0] or stem(document.name) or "run"
        return _stamped(outcome, called, document.name, document.digest())


def _with_texts(outcome: ReadOutcome, limits: Limits, read: Callable[[Request], ReadOutcome]) -> ReadOutcome:
    """Return the outcome with the texts that a snapshot of Quepid has beside the ids of its queries; ``read`` reads it
    once more.
    """
    table = outcome.table
    if not isinstance(table, (Run, Judgments)) or QUEPID_IDS not in table.source.notes:
        return outcome
    queries = read(request_of("queries", limits, Options())).table
    return outcome if queries is None else replace(outcome, table=with_texts(table, queries))


def check_meanings(columns: Mapping[str, str]) -> None:
    """Raise ReadError for a key of ``columns`` that is not the meaning of any column."""
    for name in columns:
        if name not in MEANING:
            meant = did_you_mean(nearest(str(name), MEANING))
            raise refuse(
                "bad_option",
                "columns",
                f"{listed([str(name)])} is not what a column can mean",
                f"{meant} {_MEANINGS}".strip(),
            )


def _stamped(outcome: ReadOutcome, run: str, name: str = "", sha256: str = "") -> ReadOutcome:
    """Return the outcome with name and SHA-256 of the file in the table ("" for data in memory), and ``run`` as the
    name of a run.
    """
    table = outcome.table
    if isinstance(table, Models):
        runs = tuple(_with_origin(model, name, sha256) for model in table.runs)
        judgments = table.judgments and _with_origin(table.judgments, name, sha256)
        return replace(outcome, table=Models(runs, judgments))
    if table is not None:
        table = _with_origin(table, name, sha256)
    return replace(outcome, table=replace(table, name=run) if isinstance(table, Run) else table)


def _with_origin(table: _Table, name: str, sha256: str) -> _Table:
    source = replace(table.source, name=name, sha256=sha256 or digest(table.table))
    return replace(table, source=source)


def stem(name: str) -> str:
    """Return a file name without the ending of its format, and of its packing."""
    stem, ending = os.path.splitext(name)
    return os.path.splitext(stem)[0] if ending.lower() == ".gz" else stem
