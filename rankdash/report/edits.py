"""Edits, and the files that hold them, as CSV: the command line reads back what the screen shows."""

from __future__ import annotations

import io
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.csv

from rankdash import arrow
from rankdash.comparison import Joined, Side
from rankdash.edits import Candidate, Edit
from rankdash.formulas import disarmed
from rankdash.judged import Order, all_ranked_rows
from rankdash.tables import Run, Votes

#: What the column list says, by the side of an edit: a grade counts in both lists.
_LIST = {"a": "A", "b": "B", None: "A and B"}


def edits_csv(edits: Iterable[Edit]) -> bytes:
    """The list of edits: query_id, doc_id, what, list, before, after; grades and ranks, empty where there was none."""
    rows = [
        (edit.query_id, edit.doc_id, edit.what, _LIST[edit.side], _number(edit.before), _number(edit.after))
        for edit in edits
    ]
    return csv_of({name: [row[i] for row in rows] for i, name in enumerate(_EDIT_COLUMNS)})


_EDIT_COLUMNS = ("query_id", "doc_id", "what", "list", "before", "after")


def run_csv(joined: Joined, side: Side, order: Order) -> bytes:
    """One run as it stands: every list in order, duplicates gone, with rank; with score instead where scores are equal.

    A reader prefers ranks to scores, and ranks would hide which scores are equal.
    """
    run = joined.run(side)
    _, rows, ranks = all_ranked_rows(run, joined.pool, order)
    taken = run.table.take(arrow.from_numpy(rows))
    columns = {"query_id": taken.column("query_id").cast(pa.string()), "doc_id": taken.column("doc_id")}
    if joined.ranked(side, order).findings.tied_rows and _scored(run):
        columns["score"] = taken.column("score")
    else:
        columns["rank"] = pa.chunked_array([arrow.from_numpy(ranks)])
    for name in taken.column_names:
        if name not in (*columns, "rank", "score", "relevance"):
            columns[name] = taken.column(name)
    return _written(columns)


def _scored(run: Run) -> bool:
    """Whether every score is a number that orders the run."""
    score = arrow.one_chunk(run.table.column("score")) if run.ordered_by == "score" else None
    return score is not None and bool(np.isfinite(arrow.as_numpy(score)).all())


def judgments_csv(joined: Joined) -> bytes:
    """The judgments as they stand: query_id, doc_id, relevance, and only_for where typed lists share no documents."""
    table = joined.judgments.table
    columns = {name: table.column(name) for name in table.column_names}
    columns["query_id"] = columns["query_id"].cast(pa.string())
    return _written(columns)


def votes_csv(votes: Votes) -> bytes:
    """The votes as they count now, seen from B: typed ones have no file, and a swap turns them around."""
    return _written({name: votes.table.column(name) for name in votes.table.column_names})


def worklist_csv(found: Iterable[Candidate]) -> bytes:
    """What to label next, with an empty column relevance to fill in: read back, it is a file of judgments."""
    rows = [(one.query_id, one.doc_id, "", one.title, f"{abs(one.effect):.6f}") for one in found]
    names = ("query_id", "doc_id", "relevance", "title", "effect")
    return csv_of({name: [row[i] for row in rows] for i, name in enumerate(names)})


def csv_of(columns: dict[str, list[str]]) -> bytes:
    """Columns of text as UTF-8 CSV, harmless in a spreadsheet."""
    return _written({name: pa.chunked_array([arrow.from_strings(values)]) for name, values in columns.items()})


def _written(columns: dict[str, pa.ChunkedArray]) -> bytes:
    safe = [
        disarmed(column) if pa.types.is_string(column.type) or pa.types.is_large_string(column.type) else column
        for column in columns.values()
    ]
    buffer = io.BytesIO()
    names = disarmed(arrow.from_strings(list(columns))).to_pylist()
    pyarrow.csv.write_csv(pa.Table.from_arrays(safe, names=names), buffer)
    return buffer.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"
