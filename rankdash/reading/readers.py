"""The readers: from a source of any kind to the table that is wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, TypeVar, Unpack

from rankdash.reading.binary.memory import (
    as_table,
    dict_grid,
    digest,
    is_records,
    is_table,
    records_table,
    table_grid,
)
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.long_cells import bounded
from rankdash.reading.columns.synonyms import MEANING, Wanted
from rankdash.reading.columns.wide_tables import unfolded
from rankdash.reading.formats import read_document
from rankdash.reading.source.document import opened
from rankdash.reading.source.limits import LIMITS, Limits
from rankdash.reading.source.options import Options
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.tables.build import judgments_of, models_of, run_of, settled
from rankdash.reading.tables.grades import graded
from rankdash.reading.tables.queries import queries_of
from rankdash.reading.tables.votes import votes_of
from rankdash.strings.nearest import did_you_mean, nearest
from rankdash.tables import Judgments, Models, Queries, Run, Votes

_Table = TypeVar("_Table", Run, Judgments, Queries, Votes)
_Built = TypeVar("_Built")
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
    tell: Callable[[Grid], None]
    rows: int


def read_run(
    source: Any, *, name: str | None = None, order: str = "auto", limits: Limits = LIMITS, **how: Unpack[How]
) -> Run:
    """One model's ranked lists.

    ``source`` is a path, bytes, a binary file object, a frame, an Arrow table, a dict ({query: {doc: score}},
    {query: [[doc, score], ...]}, {query: [doc, ...]}), or records: any iterable of dicts, named tuples, (query, doc)
    or (query, doc, score), and a numpy array of these. ``order`` is auto, score, rank or position: auto orders a
    TREC run by score, anything else by rank if it has one, else by score, else as the rows stand. The name is that
    of the file without its ending, unless one is given. ``how``: columns, encoding, sheet, member, header, grades, as
    in ``Options``. ReadError for anything that is no run.
    """
    run, origin = _read(source, "run", limits, Options(**how), lambda grid: run_of(grid, "run", order))
    return replace(_stamped(run, *origin), name=name or _stem(origin[0]) or "run")


def read_judgments(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Judgments:
    """The grades of documents: qrels, any table with a relevance column, {query: {doc: relevance}}, or records.

    Records are dicts, named tuples or (query, doc, relevance).

    Rows without a grade are unjudged and left out. ReadError for anything without grades.
    """
    judgments, origin = _read(source, "judgments", limits, Options(**how), judgments_of)
    return _stamped(judgments, *origin)


def read_models(
    source: Any,
    *,
    names: Sequence[str] | None = None,
    order: str = "auto",
    limits: Limits = LIMITS,
    **how: Unpack[How],
) -> Models:
    """The runs of a combined table with a column for the model, and the grades beside them.

    Runs come in order of appearance, or as ``names`` lists them. ``judgments`` is None where no row has a grade.
    """
    models, origin = _read(source, "models", limits, Options(**how), lambda grid: models_of(grid, order, names))
    runs = tuple(_stamped(run, *origin) for run in models.runs)
    return Models(runs, models.judgments and _stamped(models.judgments, *origin))


def read_queries(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Queries:
    """The texts, weights and segments of queries: a table, id and text without a header, or {query: text}.

    Of rows with the same id the first is kept. ReadError for anything without ids, and weights that are none.
    """
    queries, origin = _read(source, "queries", limits, Options(**how), queries_of)
    return _stamped(queries, *origin)


def read_votes(
    source: Any, *, pair: tuple[str, str] | None = None, limits: Limits = LIMITS, **how: Unpack[How]
) -> Votes:
    """Side-by-side judgments, seen from B: a row per vote, a column per rater, or numbers of votes; {query: vote}.

    ``pair`` names the models A and B where the table has votes on several; votes on the reversed pair are turned.
    ReadError for words that are no vote, votes that could mean two things, and several pairs where none is chosen.
    """
    options = Options(**how, pair=pair)
    votes, origin = _read(source, "votes", limits, options, lambda grid: votes_of(grid, pair))
    return _stamped(votes, *origin)


def _read(
    source: Any, wanted: Wanted, limits: Limits, options: Options, build: Callable[[Grid], _Built]
) -> tuple[_Built, tuple[str, str]]:
    """What is built of the source, and its file name and SHA-256 ("" for what was made in memory)."""

    _check_meanings(options.columns)

    def built(grid: Grid) -> _Built:
        grid = bounded(unfolded(grid.first(options.rows) if options.rows else grid, wanted, limits.rows), limits)
        if options.tell is not None:
            options.tell(grid)
        return settled(graded(grid, options.grades), build)

    if is_table(source):
        return built(table_grid("the table", as_table(source), wanted, limits, options)), ("", "")
    if isinstance(source, Mapping):
        return built(dict_grid(source, wanted, limits, options)), ("", "")
    if not isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)) and not hasattr(source, "read"):
        if not is_records(source):
            raise TypeError(f"{type(source).__name__} is no path, bytes, file, frame, Arrow table, dict or records")
        return built(table_grid("the table", records_table(source, wanted, limits), wanted, limits, options)), ("", "")
    with opened(source, limits, options) as document:
        return read_document(document, wanted, built), (document.name, document.digest())


def _check_meanings(columns: Mapping[str, str]) -> None:
    """Nothing. ReadError for a key of ``columns`` that no column of any table can mean."""
    for name in columns:
        if name not in MEANING:
            meant = did_you_mean(nearest(str(name), MEANING))
            raise refuse(
                "columns", f"{listed([str(name)])} is not what a column can mean", f"{meant} {_MEANINGS}".strip()
            )


def _stamped(table: _Table, name: str, sha256: str) -> _Table:
    source = replace(table.source, name=name, sha256=sha256 or digest(table.table))
    return replace(table, source=source)


def _stem(name: str) -> str:
    """A file name without the ending of its format, and of its packing."""
    stem, ending = os.path.splitext(name)
    return os.path.splitext(stem)[0] if ending.lower() == ".gz" else stem
