"""Edits on top of the tables of an upload: edited tables come back, the upload stays as it is.

Only the rows of edited queries are made anew; everything else is copied in whole stretches, or shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.comparison import Side
from rankdash.edits.history import Edit
from rankdash.judged import Order, inline_judgments, ranked_rows
from rankdash.tables import Judgments, Run, Source

Ints = npt.NDArray[np.int64]

#: Stretches of rows up to which copying them one by one beats gathering rows.
_STRETCHES = 5_000
#: What the column only_for says, by the list that a grade is for.
_ONLY_FOR = {"a": "A", "b": "B", None: ""}


@dataclass(frozen=True)
class Edited:
    """The tables of a comparison with edits in them. Judgments None: no edit asked for them, and there were none."""

    a: Run
    b: Run
    judgments: Judgments | None


def apply(
    edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None, order: Order | None = None
) -> Edited:
    """The tables with the edits in them, one after the other; a run that no edit changes is the same object.

    ``order`` says how equal scores stood when ranks were edited. A list whose order changes loses its scores: it is
    numbered anew. Judgments None means the grades written beside the documents; with edits they become a table of
    their own. A move of a document that is not in the list, and an unknown removal, change nothing.
    """
    edits, order = tuple(edits), order or Order()
    if not edits:
        return Edited(a, b, judgments)
    grades = judgments or inline_judgments(a, b)
    graded = [edit for edit in edits if edit.what == "grade"]
    runs = [
        _edited_run(run, other, [edit for edit in edits if edit.side == side and edit.what != "grade"], order)
        for side, run, other in (("a", a, b), ("b", b, a))
    ]
    if graded:
        grades = _graded(grades or _no_judgments(), graded)
    return Edited(runs[0], runs[1], grades)


# --- judgments -------------------------------------------------------------------------------------------------------


def _no_judgments() -> Judgments:
    return Judgments(_rows_of({"query_id": [], "doc_id": [], "relevance": []}))


def _graded(judgments: Judgments, edits: Sequence[Edit]) -> Judgments:
    """The judgments with each edited pair standing once, at its first row or at the end, or not at all."""
    table = judgments.table
    last = {(edit.query_id, edit.doc_id): edit for edit in edits}
    ids = arrow.one_chunk(table.column("query_id"))
    codes, relevance = arrow.codes(ids), arrow.as_numpy(arrow.one_chunk(table.column("relevance"))).copy()
    keep = np.ones(len(table), bool)
    rows_of = {query: _documents(table, ids, codes, query) for query in dict.fromkeys(query for query, _ in last)}
    new: list[Edit] = []
    for (query_id, doc_id), edit in last.items():
        rows = rows_of[query_id].get(doc_id, [])
        keep[rows if edit.after is None else rows[1:]] = False
        if edit.after is not None and rows:
            relevance[rows[0]] = edit.after
        elif edit.after is not None:
            new.append(edit)
    kept = _gathered(_with_column(table, "relevance", arrow.from_numpy(relevance)), np.flatnonzero(keep))
    added: dict[str, list[Any]] = {
        "query_id": [edit.query_id for edit in new],
        "doc_id": [edit.doc_id for edit in new],
        "relevance": [edit.after for edit in new],
        "only_for": [_ONLY_FOR[edit.side] for edit in new],
    }
    source = _noted(judgments.source, len(last), "grade was given or changed", "grades were given or changed")
    return Judgments(_appended(kept, added), source)


def _documents(table: pa.Table, ids: pa.Array, codes: npt.NDArray[np.int32], query_id: str) -> dict[str, list[int]]:
    """The rows of each document of a query."""
    code = arrow.position(ids.dictionary, query_id)
    rows = np.flatnonzero(codes == (-1 if code is None else code)).astype(np.int64)
    found: dict[str, list[int]] = {}
    for row, doc_id in zip(
        rows.tolist(), table.column("doc_id").take(arrow.from_numpy(rows)).to_pylist(), strict=True
    ):
        found.setdefault(doc_id, []).append(row)
    return found


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _List:
    """One list of an edited run: the rows of its table, and the documents in order, by row or new."""

    query_id: str
    rows: Ints  # every row of the query, duplicates too
    before: Ints  # in ranked order
    after: tuple[int | str, ...]


def _edited_run(run: Run, other: Run, edits: Sequence[Edit], order: Order) -> Run:
    lists = [_edited_list(run, query, edits, order) for query in dict.fromkeys(edit.query_id for edit in edits)]
    lists = [one for one in lists if one.after != tuple(one.before.tolist())]
    if not lists:
        return run
    new = [(one.query_id, doc_id) for one in lists for doc_id in one.after if isinstance(doc_id, str)]
    table = _appended(run.table, _described(run, other, new))
    at = dict(zip(new, range(len(run.table), len(table)), strict=True))
    resolved = [
        np.array([at[one.query_id, d] if isinstance(d, str) else d for d in one.after], np.int64) for one in lists
    ]
    table = _numbered(table, resolved)
    instead = {int(one.rows[0]): rows for one, rows in zip(lists, resolved, strict=True) if len(one.rows)}
    gone = np.zeros(len(run.table), bool)
    gone[np.concatenate([one.rows for one in lists])] = True
    pieces: list[Ints] = []
    start = 0
    for first in sorted(instead):
        pieces += [np.arange(start, first), instead[first]]
        start = first
    untouched = [piece if piece is instead.get(-1) else piece for piece in pieces]
    appended = [rows for one, rows in zip(lists, resolved, strict=True) if not len(one.rows)]
    source = _noted(run.source, len(lists), "list was edited", "lists were edited")
    rows = _without(untouched, np.arange(start, len(run.table)), gone, set(instead), appended)
    return replace(run, table=_gathered(table, rows), source=source)
