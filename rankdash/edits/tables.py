"""Edits on top of the tables of an upload: edited tables come back, the upload stays as it is.

Only the rows of edited queries are made anew; everything else is copied in whole stretches, or shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import STANDARD, Convention
from rankdash.edits.edit import Edit
from rankdash.judged import Order, are_apart, inline_judgments, ranked_lists
from rankdash.notes import detail
from rankdash.scoring import Side
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
    current = list(doc_ids)
    for edit in edits:
        _move(current, edit)
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


def _move(documents: list[str], edit: Edit) -> None:
    """Move a document of a list to its new place, or take it out; one that the list lacks comes in only by "add"."""
    if edit.doc_id in documents:
        documents.remove(edit.doc_id)
    elif edit.what != "add":
        return
    if edit.after is not None:
        documents.insert(max(int(edit.after), 1) - 1, edit.doc_id)


# --- edits that clash ------------------------------------------------------------------------------------------------

_SIDES: tuple[Side, Side] = ("a", "b")
_CLASH = "{doc!r} is in the other list already, and lists typed without names share no documents. Use another id."


@dataclass
class _Tables:
    """Lists and grades of the queries that were read so far, as the edits before have left them."""

    runs: dict[Side, Run]
    judgments: Judgments | None
    order: Order
    query_ids: frozenset[str]  # all that edits are of
    _lists: dict[tuple[Side, str], list[str]] = field(default_factory=dict)
    _grades: dict[str, dict[tuple[str, str], float]] = field(default_factory=dict)

    @classmethod
    def of(cls, edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None) -> _Tables:
        """Return the tables for edits, before the first of them."""
        grades, queries = judgments or inline_judgments(a, b), frozenset(edit.query_id for edit in edits)
        return cls({"a": a, "b": b}, grades, Order.of(STANDARD), queries)

    @cached_property
    def _ranked(self) -> dict[Side, dict[str, Ints]]:
        """The rows of every list, in order."""
        return {side: ranked_lists(run, self.query_ids, self.order) for side, run in self.runs.items()}

    @cached_property
    def _judged(self) -> dict[str, Ints]:
        """The rows of the judgments of every query."""
        none = dict[str, Ints]()
        return none if self.judgments is None else rows_by_query(self.judgments.table, self.query_ids)

    def documents(self, side: Side, query_id: str) -> list[str]:
        """Return one list, in order."""
        if (side, query_id) not in self._lists:
            rows = arrow.from_numpy(self._ranked[side][query_id])
            self._lists[side, query_id] = self.runs[side].table.column("doc_id").take(rows).to_pylist()
        return self._lists[side, query_id]

    def grades(self, query_id: str) -> dict[tuple[str, str], float]:
        """Return the grades of a query by document and the list that they are for ("" for both); the first counts."""
        if query_id not in self._grades:
            grades: dict[tuple[str, str], float] = {}
            if self.judgments is not None and len(rows := self._judged[query_id]):
                taken = self.judgments.table.take(arrow.from_numpy(rows)).to_pydict()
                sides = taken.get("only_for") or [""] * len(rows)
                for key, grade in zip(zip(taken["doc_id"], sides, strict=True), taken["relevance"], strict=True):
                    grades.setdefault(key, grade)
            self._grades[query_id] = grades
        return self._grades[query_id]

    def clashes(self, edit: Edit) -> bool:
        """Return whether an edit would make lists that share no documents share one, whose grade would count in
        both.
        """
        grades = self.grades(edit.query_id)
        if not self.apart or edit.what not in ("add", "grade") or (edit.doc_id, "") in grades:
            return False
        others = [side for side in _SIDES if side != edit.side]
        graded = any((edit.doc_id, side.upper()) in grades for side in others)
        return graded or (len(others) == 1 and edit.doc_id in self.documents(others[0], edit.query_id))

    @property
    def apart(self) -> bool:
        """Whether A and B share no documents."""
        return self.judgments is not None and are_apart(self.judgments)

    def do(self, edit: Edit) -> None:
        """Take an edit over, as ``apply`` does."""
        if edit.what == "grade" or edit.side is None:
            grades = self.grades(edit.query_id)
            own = (edit.side or "").upper()
            key = next((key for key in ((edit.doc_id, own), (edit.doc_id, "")) if key in grades), (edit.doc_id, own))
            grades.pop(key, None)
            if edit.after is not None:
                grades[key] = edit.after
            return
        _move(self.documents(edit.side, edit.query_id), edit)


def clashes(edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None) -> tuple[str, ...]:
    """Return a sentence for each document that edits put into a list although the other has it, where the two share no
    documents.
    """
    edits = tuple(edits)
    tables = _Tables.of(edits, a, b, judgments)
    sentences = []
    for edit in edits if tables.apart else ():
        if tables.clashes(edit):
            sentences.append(_CLASH.format(doc=edit.doc_id))
        tables.do(edit)
    return tuple(dict.fromkeys(sentences))


# --- rows of Arrow tables: appended, replaced and gathered, without importing pandas ---------------------------------

#: Stretches of neighbouring rows up to which joining slices beats gathering rows.
_STRETCHES = 20_000
#: Bytes from which on a table that differs in a few rows shares the memory of the table before, unless it is in so many
#: chunks that each reading of it would be slow.
_LARGE, _MOST_CHUNKS = 16_000_000, 1_000


def with_column(table: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    """Return the table with another column in the place of one of its own."""
    return table.set_column(table.column_names.index(name), name, column)


def with_values(column: pa.ChunkedArray, rows: Ints, values: npt.NDArray[Any]) -> pa.ChunkedArray:
    """Return a column of numbers with other values in some rows, each named once."""
    if not len(rows):
        return column
    whole = arrow.as_numpy(arrow.one_chunk(column)).copy()
    whole[rows] = values
    return pa.chunked_array([arrow.from_numpy(whole)])


def rows_by_query(table: pa.Table, query_ids: Iterable[str]) -> dict[str, Ints]:
    """Return the rows of some queries in a table, by query."""
    return arrow.rows_of_each(arrow.one_chunk(table.column("query_id")), query_ids)


def new_rows(columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Return a table of ids, texts and numbers: ``query_id`` as a dictionary, lists of str as strings, others as
    float64.
    """
    texts = {"query_id", "doc_id", "title", "query_text", "only_for"}
    arrays = [
        arrow.from_strings(list(values)) if name in texts else arrow.from_numpy(np.array(values, np.float64))
        for name, values in columns.items()
    ]
    table = pa.Table.from_arrays(arrays, names=list(columns))
    ids = arrow.one_chunk(table.column("query_id"))
    return with_column(table, "query_id", ids.dictionary_encode())


def appended(table: pa.Table, columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Return the table with further rows. Columns of the table that are not named are empty there."""
    count = len(columns["query_id"])
    if not count:
        return table
    arrays = []
    for name in table.column_names:
        column = table.column(name)
        if name == "query_id":
            arrays.append(_more_ids(arrow.one_chunk(column), list(columns[name])))
        else:
            more = _column(column.type, columns.get(name, [None] * count))
            arrays.append(pa.chunked_array([*column.chunks, more]))
    return _compact(pa.Table.from_arrays(arrays, names=table.column_names))


def gathered(table: pa.Table, rows: Ints) -> pa.Table:
    """Return some rows of a table in a given order; neighbours stay together."""
    if len(rows) == len(table) and (rows == np.arange(len(rows))).all():
        return table
    starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
    if len(starts) > _STRETCHES or not len(rows):
        taken = table.take(arrow.from_numpy(rows))
    else:
        lengths = np.diff(np.append(starts, len(rows)))
        stretches = zip(rows[starts].tolist(), lengths.tolist(), strict=True)
        taken = pa.concat_tables([table.slice(start, length) for start, length in stretches])
    return _compact(taken)


def _compact(table: pa.Table) -> pa.Table:
    """Return the table with one chunk per column, so that every reading of it is quick.

    A large table keeps its chunks where they are few: they share the memory of the table from which they were taken,
    but for the queries of its rows, which everybody asks for.
    """
    large = table.nbytes > _LARGE
    arrays = []
    for name in table.column_names:
        column = table.column(name)
        shared = large and name != "query_id" and column.num_chunks < _MOST_CHUNKS
        arrays.append(column if shared else arrow.one_chunk(column))
    return pa.Table.from_arrays(arrays, names=table.column_names)


def _more_ids(ids: pa.DictionaryArray, more: list[str]) -> pa.DictionaryArray:
    """Return a dictionary column with further values; new ones join the dictionary."""
    names = list(dict.fromkeys(more))
    places = arrow.positions(arrow.from_strings(names), ids.dictionary)
    new = [name for name, at in zip(names, places, strict=True) if at < 0]
    dictionary = ids.dictionary
    if new:
        dictionary = pa.concat_arrays([dictionary, arrow.from_strings(new).cast(dictionary.type)])
    added = arrow.positions(arrow.from_strings(more), dictionary).astype(np.int32)
    codes = np.concatenate((arrow.codes(ids), added))
    return pa.DictionaryArray.from_arrays(arrow.from_numpy(codes), dictionary)


def _column(kind: pa.DataType, values: Sequence[Any]) -> pa.Array:
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return arrow.from_strings([value or "" for value in values]).cast(kind)
    if pa.types.is_floating(kind) or pa.types.is_integer(kind):
        empty = float("nan") if pa.types.is_floating(kind) else 0
        numbers = np.array([empty if value is None else value for value in values], kind.to_pandas_dtype())
        return arrow.from_numpy(numbers)
    return pa.nulls(len(values), kind)
