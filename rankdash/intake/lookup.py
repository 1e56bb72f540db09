"""The rows of one query of a file that was read before and is not kept: for the lists of that query.

A file of any size is read block by block where it is regular, else as a whole. Its digest is computed meanwhile, so
that the caller can tell whether the file is still the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pyarrow as pa

from rankdash import arrow
from rankdash.intake.files import FileReading
from rankdash.reading import LIMITS, Limits, ReadError, read_judgments, read_models, read_run
from rankdash.reading.pieces import WholeNeededError, run_in_pieces
from rankdash.tables import QUEPID_IDS, Judgments, Run

_Rows = TypeVar("_Rows", Run, Judgments)
#: The decisions about a run that need no look at the whole file.
_IN_PIECES = {"order"}


def rows(
    path: str, kind: str, how: Mapping[str, Any], query_id: str, *, model: str = "", limits: Limits = LIMITS
) -> FileReading:
    """Return the rows of a query in a file, as a Run or Judgments without other rows; empty where the file has none.

    ``kind`` is "run", "judgments", "models" (for the run that is called ``model``) or "graded" (for the grades beside
    the documents of models). ``how`` are the decisions about the file, as its reader takes them. A ReadError is not
    raised, but returned in the reading.
    """
    try:
        if kind == "run" and not how.keys() - _IN_PIECES:
            try:
                return FileReading(_in_pieces(path, str(how.get("order", "auto")), query_id, limits))
            except WholeNeededError:
                pass
        if kind == "judgments":
            return FileReading(_of_query(read_judgments(path, limits=limits, **how), query_id))
        if kind == "graded":
            grades = read_models(path, limits=limits, **how).judgments
            return FileReading(None if grades is None else _of_query(grades, query_id))
        return FileReading(_of_query(_whole(path, kind, how, model, limits), query_id))
    except ReadError as error:
        return FileReading(error=error)


def _in_pieces(path: str, order: str, query_id: str, limits: Limits) -> Run:
    """Return the rows of a query of a run that is not held whole. WholeNeededError as for ``run_in_pieces``."""
    with run_in_pieces(path, order=order, limits=limits) as pieces:
        parts: list[pa.Table] = []
        first: Run | None = None
        count = 0
        for piece in pieces:
            first = first or piece.run
            count += len(piece.run.table)
            if len(part := _of_query(piece.run, query_id).table):
                parts.append(part)
        if first is None:
            raise WholeNeededError
        source = pieces.source(first.source, count, arrow.from_strings([]))
    table = pa.concat_tables(parts) if parts else first.table.slice(0, 0)
    return _of_query(replace(first, table=table, source=source), query_id)


def _whole(path: str, kind: str, how: Mapping[str, Any], model: str, limits: Limits) -> Run:
    if kind == "run":
        return read_run(path, limits=limits, **how)
    runs = read_models(path, limits=limits, **how).runs
    return next((run for run in runs if model in (run.name, run.first_name)), replace(runs[0], table=runs[0].table[:0]))


def _of_query(whole: _Rows, query_id: str) -> _Rows:
    ids = arrow.one_chunk(whole.table.column("query_id"))
    rows = arrow.rows_of(ids, query_id)
    if not len(rows) and QUEPID_IDS in whole.source.notes and "query_text" in whole.table.column_names:
        texts = arrow.one_chunk(whole.table.column("query_text")).cast(pa.string())  # it was scored by its text
        rows = arrow.rows_of(texts.dictionary_encode(), query_id)
    table = whole.table.take(arrow.from_numpy(rows))
    columns = {name: arrow.one_chunk(table.column(name)) for name in table.column_names}
    own = arrow.from_strings([query_id] * len(table)).dictionary_encode()  # no other ids
    return replace(whole, table=pa.table(columns | {"query_id": own}))
