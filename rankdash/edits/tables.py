"""Edits on top of the tables of an upload: edited tables come back, the upload stays as it is.

Only the rows of edited queries are made anew; everything else is copied in whole stretches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import STANDARD, Convention
from rankdash.edits.edit import Edit
from rankdash.judged import Order, are_apart, inline_judgments, no_judgments, ranked_lists
from rankdash.notes import detail
from rankdash.records import replace
from rankdash.tables import Judgments, Run, Source

Ints = npt.NDArray[np.int64]
#: What the column only_for says, by the list that a grade is for.
_ONLY_FOR = {"a": "A", "b": "B", None: ""}


class EditedTables(NamedTuple):
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
        labelled = _graded(grades or _labelled_here(), graded)
        grades = labelled if grades or len(labelled.table) else None
    return EditedTables(runs[0], runs[1], grades)


# --- judgments -------------------------------------------------------------------------------------------------------


def _labelled_here() -> Judgments:
    source = Source().noting(detail("labelled_here", "There were no judgments: every grade was given on a page."))
    return replace(no_judgments(), source=source)


def _graded(judgments: Judgments, edits: Sequence[Edit]) -> Judgments:
    """Return the judgments with one row for each edited pair, at its first row or at the end, or with none.

    A document that was relevant to subtopics has its new grade for each of these; one that was relevant to none has it
    for no subtopic.
    """
    last = {(edit.query_id, edit.doc_id): edit for edit in edits}
    rows_of = _documents(judgments.table, (query for query, _ in last))
    keep = np.ones(len(judgments.table), bool)
    of_subtopics = "subtopic" in judgments.table.column_names
    grades = arrow.as_numpy(judgments.array("relevance"))
    graded: dict[int, float] = {}
    new: list[Edit] = []
    for (query_id, doc_id), edit in last.items():
        rows = rows_of[query_id].get(doc_id, [])
        stays = [row for row in rows if grades[row] > 0] if of_subtopics else rows[:1]
        keep[rows] = False
        if edit.after is not None and stays:
            keep[stays] = True
            graded |= dict.fromkeys(stays, edit.after)
        elif edit.after is not None:
            new.append(edit)
    table = _with_values(judgments.table, "relevance", np.array([*graded], np.int64), [*graded.values()])
    added: dict[str, list[Any]] = {
        "query_id": [edit.query_id for edit in new],
        "doc_id": [edit.doc_id for edit in new],
        "relevance": [edit.after for edit in new],
        "only_for": [_ONLY_FOR[edit.side] for edit in new],
        "subtopic": [""] * len(new),
    }
    source = _noted(judgments.source, len(last), "grade was given or changed", "grades were given or changed")
    return Judgments(appended(gathered(table, np.flatnonzero(keep)), added), source)


def _documents(table: pa.Table, query_ids: Iterable[str]) -> dict[str, dict[str, list[int]]]:
    """Return the rows of each document of some queries, by query."""
    result: dict[str, dict[str, list[int]]] = {}
    doc_ids = table.column("doc_id")
    for query_id, rows in arrow.rows_of_each(arrow.one_chunk(table.column("query_id")), query_ids).items():
        documents = result.setdefault(query_id, {})
        for row, doc_id in zip(rows.tolist(), doc_ids.take(arrow.from_numpy(rows)).to_pylist(), strict=True):
            documents.setdefault(doc_id, []).append(row)
    return result


def unlisted(edits: Sequence[Edit], *runs: Run) -> int:
    """Return how many edits grade a document that had no grade, and that no list of its query has."""
    listed = {(edit.query_id, edit.doc_id) for edit in edits if edit.what != "grade"}
    given = {(edit.query_id, edit.doc_id) for edit in edits if edit.what == "grade" and edit.before is None} - listed
    for run in runs if given else ():
        by_query = _documents(run.table, {query_id for query_id, _ in given})
        given = {(query_id, doc_id) for query_id, doc_id in given if doc_id not in by_query[query_id]}
    return len(given)


# --- runs ------------------------------------------------------------------------------------------------------------


def _edited_run(run: Run, other: Run, edits: Sequence[Edit], order: Order) -> Run:
    by_query: dict[str, list[Edit]] = {}
    for edit in edits:
        by_query.setdefault(edit.query_id, []).append(edit)
    ranked, rows, new = ranked_lists(run, by_query, order) if by_query else {}, {}, list[tuple[str, str]]()
    for query, own in by_query.items():
        before = ranked[query]
        doc_ids = run.table.column("doc_id").take(arrow.from_numpy(before)).to_pylist()
        documents = list(doc_ids)
        for edit in own:
            _move(documents, edit)
        if documents != doc_ids:
            row_of = dict(zip(doc_ids, before.tolist(), strict=True))
            added = [(query, doc_id) for doc_id in documents if doc_id not in row_of]
            row_of |= {doc_id: len(run.table) + at for at, (_, doc_id) in enumerate(added, len(new))}
            new += added
            rows[query] = np.array([row_of[doc_id] for doc_id in documents], np.int64)
    if not rows:
        return run
    table = _numbered(appended(run.table, _described(run, other, new)), [*rows.values()])
    table = gathered(table, _whole(run.table, rows))
    columns = zip(run.table.columns, table.columns, strict=True)
    table = pa.Table.from_arrays([old if old.equals(new) else new for old, new in columns], table.column_names)
    source = _noted(run.source, len(rows), "list was edited", "lists were edited")
    return replace(run, table=table, source=source)


def _whole(table: pa.Table, lists: Mapping[str, Ints]) -> Ints:
    """Return the rows of the whole table, each edited list at the place of its first row, a new list at the end."""
    keep, places, rows = np.ones(len(table), bool), [], []
    for query_id, before in arrow.rows_of_each(arrow.one_chunk(table.column("query_id")), lists).items():
        keep[before] = False
        places.append(np.full(len(lists[query_id]), before[0] if len(before) else len(table)))
        rows.append(lists[query_id])
    rest = np.flatnonzero(keep)
    return np.concatenate([rest, *rows])[np.argsort(np.concatenate([rest, *places]), kind="stable")]


def _numbered(table: pa.Table, lists: Sequence[Ints]) -> pa.Table:
    """Return the table with ranks from 1, and scores that fall, in each of the lists of rows."""
    for name, way in (("rank", 1), ("score", -1)):
        if name in table.column_names:
            numbers = np.concatenate([np.arange(1, len(rows) + 1)[::way] for rows in lists])
            table = _with_values(table, name, np.concatenate(lists), numbers)
    return table


def _described(run: Run, other: Run, new: Sequence[tuple[str, str]]) -> dict[str, list[Any]]:
    """Return added documents as columns; title and text as the other run has them, or as the query's own rows do."""
    names = [name for name in run.table.column_names if name not in _NUMBERS_AND_IDS]
    sources = (other.table, run.table) if names else ()
    rows_of = [(table, _documents(table, (query for query, _ in new))) for table in sources]

    def text(name: str, query_id: str, doc_id: str) -> str | None:
        for table, documents in rows_of:
            rows = documents[query_id]
            row = rows.get(doc_id) or (next(iter(rows.values()), None) if name == "query_text" else None)
            if row and name in table.column_names:
                found: str | None = table.column(name)[row[0]].as_py()
                return found
        return None

    ids: dict[str, list[Any]] = {"query_id": [query for query, _ in new], "doc_id": [doc_id for _, doc_id in new]}
    return ids | {name: [text(name, *pair) for pair in new] for name in names}


_NUMBERS_AND_IDS = {"query_id", "doc_id", "rank", "score", "relevance"}


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

_CLASH = "{doc!r} is in the other list already, and lists typed without names share no documents. Use another id."


def clashes(edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None) -> tuple[str, ...]:
    """Return a sentence for each document that edits put into a list although the other has it, where the two share no
    documents.
    """
    edits, grades = tuple(edits), judgments or inline_judgments(a, b)
    if grades is None or not are_apart(grades):
        return ()
    edited, queries = apply(edits, a, b, judgments), {edit.query_id for edit in edits}
    listed = {"A": _documents(edited.a.table, queries), "B": _documents(edited.b.table, queries)}
    rows_of, only_for = _documents(grades.table, queries), grades.table.column("only_for")
    sentences = {}
    for edit in edits:
        graded = {only_for[row].as_py() for row in rows_of[edit.query_id].get(edit.doc_id, ())}
        there = graded | {side for side, lists in listed.items() if edit.doc_id in lists[edit.query_id]}
        if edit.what in ("add", "grade") and "" not in graded and there - {_ONLY_FOR[edit.side]}:
            sentences[edit.doc_id] = _CLASH.format(doc=edit.doc_id)
    return tuple(sentences.values())


# --- rows of Arrow tables: appended, replaced and gathered, without importing pandas ---------------------------------

#: Stretches of neighbouring rows up to which joining slices beats gathering rows.
_STRETCHES = 20_000


def _with_values(table: pa.Table, name: str, rows: Ints, values: Sequence[float] | npt.NDArray[Any]) -> pa.Table:
    """Return the table with other numbers in some rows of a column, each named once."""
    whole = arrow.as_numpy(arrow.one_chunk(table.column(name))).copy()
    whole[rows] = values
    return table.set_column(table.column_names.index(name), name, arrow.from_numpy(whole))


def appended(table: pa.Table, columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Return the table with further rows. Columns of the table that are not named are empty there."""
    if not (added := len(columns["query_id"])):
        return table
    arrays = [_column(field.type, columns.get(field.name, [None] * added)) for field in table.schema]
    further = pa.Table.from_arrays(arrays, schema=table.schema)
    return _compact(pa.concat_tables([table, further]).unify_dictionaries())


def gathered(table: pa.Table, rows: Ints) -> pa.Table:
    """Return some rows of a table in a given order; neighbours stay together."""
    starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
    return stretches(table, rows[starts], np.diff(starts, append=len(rows)))


def stretches(table: pa.Table, starts: Ints, lengths: Ints) -> pa.Table:
    """Return ranges of rows of a table in this order; the table itself if they are all of its rows."""
    before, rows = np.cumsum(lengths) - lengths, lengths.sum()
    if rows == len(table) and not np.any(starts - before):
        return table
    if len(starts) > _STRETCHES or not rows:
        return _compact(table.take(arrow.from_numpy(np.repeat(starts - before, lengths) + np.arange(rows))))
    parts = [table.slice(*each) for each in zip(starts.tolist(), lengths.tolist(), strict=True)]
    return _compact(pa.concat_tables(parts))


def _compact(table: pa.Table) -> pa.Table:
    """Return the table with one chunk per column, so that every reading of it is quick."""
    return pa.Table.from_arrays([arrow.one_chunk(column) for column in table.columns], names=table.column_names)


def _column(kind: pa.DataType, values: Sequence[Any]) -> pa.Array:
    """Return values as a column of a kind: ids, texts or numbers; an empty one of any other kind."""
    if pa.types.is_dictionary(kind) and None not in values:
        ids = arrow.from_strings(list(values)).cast(kind.value_type).dictionary_encode()
        return pa.DictionaryArray.from_arrays(ids.indices.cast(kind.index_type), ids.dictionary)
    if arrow.is_text(kind):
        return arrow.from_strings([value or "" for value in values]).cast(kind)
    if pa.types.is_floating(kind) or pa.types.is_integer(kind):
        empty = float("nan") if pa.types.is_floating(kind) else 0
        numbers = np.array([empty if value is None else value for value in values], kind.to_pandas_dtype())
        return arrow.from_numpy(numbers)
    return pa.nulls(len(values), kind)
