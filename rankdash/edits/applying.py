"""Edits on top of the tables of an upload: edited tables come back, the upload stays as it is.

Only the rows of edited queries are made anew; everything else is copied in whole stretches, or shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import STANDARD, Convention
from rankdash.edits.history import Edit
from rankdash.edits.ordered import OrderedList
from rankdash.edits.rows import appended, gathered, new_rows, rows_by_query, with_column, with_values
from rankdash.judged import Order, inline_judgments, ranked_lists
from rankdash.notes import detail
from rankdash.tables import Judgments, Run, Source

Ints = npt.NDArray[np.int64]

#: What the column only_for says, by the list that a grade is for.
_ONLY_FOR = {"a": "A", "b": "B", None: ""}


@dataclass(frozen=True)
class EditedTables:
    """The tables of a comparison after edits. ``judgments`` is None where there were none and no edit added one."""

    a: Run
    b: Run
    judgments: Judgments | None


def apply(
    edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None, convention: Convention = STANDARD
) -> EditedTables:
    """Return the tables with edits applied in order; a run that no edit changes is the same object.

    ``convention`` tells the order of equal scores when ranks were edited. A list whose order changes loses its scores
    and is numbered: under every convention it is ordered by rank, without ties. ``judgments`` None means the grades in
    the runs; with edits they become a table. Moving or removing a document that is not in
    the list changes nothing.
    """
    edits, order = tuple(edits), Order.of(convention)
    if not edits:
        return EditedTables(a, b, judgments)
    grades = judgments or inline_judgments(a, b)
    graded = [edit for edit in edits if edit.what == "grade"]
    runs = [
        _edited_run(run, other, [edit for edit in edits if edit.side == side and edit.what != "grade"], order)
        for side, run, other in (("a", a, b), ("b", b, a))
    ]
    if graded:
        grades = _graded(grades or _no_judgments(), graded)
    return EditedTables(runs[0], runs[1], grades)


# --- judgments -------------------------------------------------------------------------------------------------------


def _no_judgments() -> Judgments:
    return Judgments(new_rows({"query_id": [], "doc_id": [], "relevance": []}))


def _graded(judgments: Judgments, edits: Sequence[Edit]) -> Judgments:
    """Return the judgments with each edited pair standing once, at its first row or at the end, or not at all."""
    table = judgments.table
    last = {(edit.query_id, edit.doc_id): edit for edit in edits}
    relevance = arrow.as_numpy(arrow.one_chunk(table.column("relevance"))).copy()
    keep = np.ones(len(table), bool)
    rows_of = _documents(judgments.table, (query for query, _ in last))
    new: list[Edit] = []
    for (query_id, doc_id), edit in last.items():
        rows = rows_of[query_id].get(doc_id, [])
        keep[rows if edit.after is None else rows[1:]] = False
        if edit.after is not None and rows:
            relevance[rows[0]] = edit.after
        elif edit.after is not None:
            new.append(edit)
    kept = gathered(with_column(table, "relevance", arrow.from_numpy(relevance)), np.flatnonzero(keep))
    added: dict[str, list[Any]] = {
        "query_id": [edit.query_id for edit in new],
        "doc_id": [edit.doc_id for edit in new],
        "relevance": [edit.after for edit in new],
        "only_for": [_ONLY_FOR[edit.side] for edit in new],
    }
    source = _noted(judgments.source, len(last), "grade was given or changed", "grades were given or changed")
    return Judgments(appended(kept, added), source)


def _documents(table: pa.Table, query_ids: Iterable[str]) -> dict[str, dict[str, list[int]]]:
    """Return the rows of each document of some queries, by query."""
    result: dict[str, dict[str, list[int]]] = {}
    doc_ids = table.column("doc_id")
    for query_id, rows in rows_by_query(table, query_ids).items():
        documents = result.setdefault(query_id, {})
        for row, doc_id in zip(rows.tolist(), doc_ids.take(arrow.from_numpy(rows)).to_pylist(), strict=True):
            documents.setdefault(doc_id, []).append(row)
    return result


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _EditedList:
    """One list of an edited run: the rows of its table, and the documents in order, by row or new."""

    query_id: str
    rows: Ints  # every row of the query, duplicates too
    before: Ints  # in ranked order
    after: tuple[int | str, ...]


def _edited_run(run: Run, other: Run, edits: Sequence[Edit], order: Order) -> Run:
    by_query: dict[str, list[Edit]] = {}
    for edit in edits:
        by_query.setdefault(edit.query_id, []).append(edit)
    ranked, rows_of = ranked_lists(run, by_query, order), rows_by_query(run.table, by_query)
    lists = [_edited_list(run, query, rows_of[query], ranked[query], own) for query, own in by_query.items()]
    lists = [edited for edited in lists if edited.after != tuple(edited.before.tolist())]
    if not lists:
        return run
    new = [(edited.query_id, doc_id) for edited in lists for doc_id in edited.after if isinstance(doc_id, str)]
    at = dict(zip(new, range(len(run.table), len(run.table) + len(new)), strict=True))
    rows = [
        np.array([at[edited.query_id, d] if isinstance(d, str) else d for d in edited.after], np.int64)
        for edited in lists
    ]
    table = _numbered(appended(run.table, _described(run, other, new)), rows)
    source = _noted(run.source, len(lists), "list was edited", "lists were edited")
    if run.ordered_by != "position" and not any(_resized(edited) for edited in lists):
        return replace(run, table=table, source=source)  # the numbers say the order: the rows stay where they are
    return replace(run, table=gathered(table, _whole(len(run.table), lists, rows)), source=source)


def _resized(edited: _EditedList) -> bool:
    """Return whether an edited list holds other rows than before, and not only in another order."""
    return sorted(edited.rows.tolist()) != sorted(place for place in edited.after if isinstance(place, int)) or any(
        isinstance(place, str) for place in edited.after
    )


def _edited_list(run: Run, query_id: str, rows: Ints, before: Ints, edits: Sequence[Edit]) -> _EditedList:
    doc_ids = run.table.column("doc_id").take(arrow.from_numpy(before)).to_pylist()
    row_of: dict[str, int] = dict(zip(doc_ids, before.tolist(), strict=True))
    current = OrderedList(doc_ids)
    for edit in edits:
        current.edit(edit.doc_id, edit.after, adds=edit.what == "add")
    return _EditedList(query_id, rows, before, tuple(row_of.get(doc_id, doc_id) for doc_id in current))


def _whole(length: int, lists: Sequence[_EditedList], edited: Sequence[Ints]) -> Ints:
    """Return the rows of the whole table, each edited list where its first row stood, a new list at the end."""
    keep = np.ones(length, bool)
    for edited_list in lists:
        keep[edited_list.rows] = False
    places = [int(edited_list.rows[0]) if len(edited_list.rows) else length for edited_list in lists]
    pieces, start = [], 0
    for i in np.argsort(places, kind="stable").tolist():
        pieces += [start + np.flatnonzero(keep[start : places[i]]), edited[i]]
        start = places[i]
    return np.concatenate([*pieces, start + np.flatnonzero(keep[start:])])


def _numbered(table: pa.Table, lists: Sequence[Ints]) -> pa.Table:
    """Return the table with ranks from 1, and scores that fall, in each of the lists of rows."""
    at = np.concatenate(lists)
    values = {
        "rank": np.concatenate([np.arange(1, len(rows) + 1) for rows in lists]),
        "score": np.concatenate([np.arange(len(rows), 0, -1) for rows in lists]),
    }
    for name, numbers in values.items():
        if name in table.column_names:
            table = with_column(table, name, with_values(table.column(name), at, numbers))
    return table


def _described(run: Run, other: Run, new: Sequence[tuple[str, str]]) -> dict[str, list[Any]]:
    """Return added documents as columns; title and text as the other run has them, or as the query's own rows do."""
    result: dict[str, list[Any]] = {"query_id": [query for query, _ in new], "doc_id": [doc_id for _, doc_id in new]}
    names = [name for name in run.table.column_names if name not in _NUMBERS_AND_IDS]
    rows_of = (
        [(source.table, _documents(source.table, (query for query, _ in new))) for source in (other, run)]
        if names
        else []
    )
    for name in names:
        columns = [(table.column(name), rows) for table, rows in rows_of if name in table.column_names]
        result[name] = [_text_of(columns, name, query_id, doc_id) for query_id, doc_id in new]
    return result


_NUMBERS_AND_IDS = {"query_id", "doc_id", "rank", "score", "relevance"}


def _text_of(
    columns: Sequence[tuple[pa.ChunkedArray, Mapping[str, Mapping[str, list[int]]]]],
    name: str,
    query_id: str,
    doc_id: str,
) -> str | None:
    for column, rows_of in columns:
        rows = rows_of[query_id]
        row = rows.get(doc_id) or (next(iter(rows.values()), None) if name == "query_text" else None)
        if row:
            text: str | None = column[row[0]].as_py()
            return text
    return None


def _noted(source: Source, n: int, singular: str, plural: str) -> Source:
    """Return the source with a note that it was edited, so that every output says so."""
    return source.noting(detail("edited", f"{n:,} {singular if n == 1 else plural}."))
