"""Tables as CSV and Parquet: values per query, edited lists, judgments and votes, and the list of edits."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pyarrow as pa
import pyarrow.csv

from rankdash import arrow
from rankdash.arrow import for_spreadsheets, taken_back
from rankdash.edits import Edit, LabelCandidate, What
from rankdash.judged import Order, all_ranked_rows
from rankdash.scoring import Comparison, Rankings, Side
from rankdash.tables import Run, Votes

if TYPE_CHECKING:
    from rankdash.inspect.view import Viewed


#: The column that says which queries were edited, in a table of an edited comparison.
EDITED = "edited"


def marked(table: pa.Table, edited: Collection[str]) -> pa.Table:
    """Return the table with a column "edited" at its end: yes in the rows of the queries that were edited.

    The table is returned as it is where nothing was edited; where its rows name no queries, all of them say yes.
    """
    if not edited:
        return table
    if EDITED in table.column_names:
        table = table.drop_columns([EDITED])
    if "query_id" in table.column_names:
        ids = set(edited)
        said = ["yes" if query in ids else "" for query in table.column("query_id").to_pylist()]
    else:
        said = ["yes"] * len(table)
    return table.append_column(EDITED, arrow.from_strings(said))


def file_name(name: str, edited: Collection[str]) -> str:
    """Return the name of a file, which says so where the comparison is edited: label_next_edited.csv."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}_{EDITED}{dot}{ending}" if edited else name


def per_query_csv(comparison: Comparison, edited: Collection[str] = ()) -> bytes:
    """Return columns query_id, measure, a, b, delta as UTF-8 CSV; empty where undefined. ``edited`` as for ``marked``.

    Ids that a spreadsheet would run as a formula get an apostrophe in front.
    """
    return rows_csv(comparison.per_query_table, edited)


def rows_csv(table: pa.Table, edited: Collection[str] = ()) -> bytes:
    """Return a table of text and numbers as UTF-8 CSV, in which no cell is a formula; cells of undefined numbers are
    empty.

    ``edited`` as for ``marked``. Text that begins like a formula gets an apostrophe, and the column "disarmed" says so.
    """
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(for_spreadsheets(marked(table, edited)), buffer)
    return buffer.getvalue()


def viewed_csv(viewed: Viewed, edited: Collection[str] = ()) -> bytes:
    """Return the queries of a view, in their order, as UTF-8 CSV; ids and texts are disarmed. ``edited`` as above."""
    changes = viewed.changes
    text = {"query_id": changes.query_ids, "text": changes.texts}
    numbers = {
        "a": changes.a,
        "b": changes.b,
        "delta": changes.delta,
        f"overlap@{viewed.k}": viewed.overlap,
        f"unjudged@{viewed.k}": viewed.unjudged,
        "churn": viewed.churn,
    }
    columns = {name: arrow.Strings.of(values).array.cast(pa.string()) for name, values in text.items()}
    columns |= {name: pa.array(values, pa.float64(), from_pandas=True) for name, values in numbers.items()}
    return rows_csv(pa.table(columns), edited)


def per_query_parquet(comparison: Comparison, edited: Collection[str] = ()) -> bytes:
    """Return columns query_id, measure, a, b, delta as Parquet; null where undefined; ids as they are. ``edited`` as
    above.
    """
    import pyarrow.parquet as pq  # loading it costs more than a small comparison

    buffer = io.BytesIO()
    pq.write_table(marked(comparison.per_query_table, edited), buffer)
    return buffer.getvalue()


#: The order with the most equal scores; these keep the order of the upload.
_COARSEST = Order("input_order", "float32")


def run_csv(joined: Rankings, side: Side, order: Order, edited: Collection[str] = ()) -> bytes:
    """Return a run as CSV: every list in order, without duplicates, with ranks, or with scores where some are equal.

    A reader prefers ranks to scores, and ranks would hide which scores are equal, even if only in float32. Equal scores
    stay in the order of the upload. So, when read again, the lists are those on the screen under every convention, not
    only under ``order``. ``edited`` are the queries with an edit: if there are any, a column tells for each row whether
    its query was edited.
    """
    run = joined.run(side)
    by_score = _scored(run) and joined.ranked(side, _COARSEST).findings.tied_rows > 0
    _, rows, ranks = all_ranked_rows(run, joined.pool, _COARSEST if by_score else order)
    taken = run.table.take(arrow.from_numpy(rows))
    columns = {"query_id": taken.column("query_id").cast(pa.string()), "doc_id": taken.column("doc_id")}
    if by_score:
        columns["score"] = taken.column("score")
    else:
        columns["rank"] = pa.chunked_array([arrow.from_numpy(ranks)])
    for name in taken.column_names:
        if name not in (*columns, "rank", "score", "relevance"):
            columns[name] = taken.column(name)
    return _written(columns, edited)


def _scored(run: Run) -> bool:
    """Return whether every score is a number that orders the run."""
    score = arrow.one_chunk(run.table.column("score")) if run.ordered_by == "score" else None
    return score is not None and bool(np.isfinite(arrow.as_numpy(score)).all())


def judgments_csv(joined: Rankings, edited: Collection[str] = ()) -> bytes:
    """Return the judgments as they stand: query_id, doc_id, relevance, and only_for where typed lists share no
    documents.

    ``edited`` as for ``run_csv``.
    """
    table = joined.judgments.table
    columns = {name: table.column(name) for name in table.column_names}
    columns["query_id"] = columns["query_id"].cast(pa.string())
    return _written(columns, edited)


def votes_csv(votes: Votes, edited: Collection[str] = ()) -> bytes:
    """Return the votes as they count now, seen from B: typed votes have no file, and a swap turns votes around."""
    return _written({name: votes.table.column(name) for name in votes.table.column_names}, edited)


def worklist_csv(candidates: Iterable[LabelCandidate], edited: Collection[str] = ()) -> bytes:
    """Return what to label next, with an empty column relevance: filled in and read back, it is a file of judgments."""
    rows = [(label.query_id, label.doc_id, "", label.title, f"{abs(label.effect):.6f}") for label in candidates]
    names = ("query_id", "doc_id", "relevance", "title", "effect")
    texts = {name: pa.chunked_array([arrow.from_strings([row[i] for row in rows])]) for i, name in enumerate(names)}
    return _written(texts, edited)


def _written(columns: dict[str, pa.ChunkedArray], edited: Collection[str]) -> bytes:
    return rows_csv(pa.Table.from_arrays([*columns.values()], names=[*columns]), edited)


COLUMNS = ("query_id", "doc_id", "what", "list", "before", "after")
#: The words of the column list, by the side of an edit: a grade counts in both lists.
_LIST: Mapping[Side | None, str] = {"a": "A", "b": "B", None: "A and B"}
_SIDE = {word: side for side, word in _LIST.items()}
_LARGEST, _MOST_PROBLEMS = 50_000_000, 20


class EditsError(ValueError):
    """A file of edits that cannot be read: one sentence per line."""


def is_edits(content: bytes | memoryview) -> bool:
    """Return whether a file begins like a file of edits."""
    head = bytes(content[:200]).decode("utf-8-sig", "replace").splitlines()
    return bool(head) and tuple(next(csv.reader(head[:1]), ())) == COLUMNS


def read_edits(content: bytes, name: str) -> tuple[Edit, ...]:
    """Return the edits of a file, in order. EditsError names the row, its content and what is allowed."""
    if not is_edits(content) or len(content) > _LARGEST:
        raise EditsError(f"{name}: this is no list of edits. Its columns are {', '.join(COLUMNS)}.")
    try:
        lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))[1:]
    except (UnicodeDecodeError, csv.Error):
        raise EditsError(f"{name}: the file is damaged. Save the list of edits again as CSV in UTF-8.") from None
    rows = [(number, row) for number, row in enumerate(lines, start=2) if any(row)]
    short = [number for number, row in rows if len(row) != len(COLUMNS)]
    if short:
        raise EditsError(f"{name}, row {short[0]:,}: there are not {len(COLUMNS)} cells.")
    ids = [taken_back(arrow.from_strings([row[i] for _, row in rows]))[0].to_pylist() for i in (0, 1)]
    edits, wrong = [], []
    for (number, row), query_id, doc_id in zip(rows, *ids, strict=True):
        try:
            edits.append(_edit(query_id, doc_id, *row[2:]))
        except ValueError as error:
            wrong.append(f"{name}, row {number:,}: {error}")
    if wrong:
        raise EditsError("\n".join(wrong[:_MOST_PROBLEMS]))
    return tuple(edits)


def _edit(query_id: str, doc_id: str, what: str, list_: str, before: str, after: str) -> Edit:
    """Return the edit of a row. ValueError where the row is none."""
    if what not in get_args(What):
        raise ValueError(f'{what!r} is no edit. "what" is {", ".join(get_args(What))}.')
    if list_ not in _SIDE or (what != "grade" and _SIDE[list_] is None):
        raise ValueError(f'{list_!r} is no list. "list" is A or B, and "A and B" for a grade of both.')
    if not query_id or not doc_id:
        raise ValueError("the query or the document has no id.")
    old, new = (None if text == "" else _checked(text, what) for text in (before, after))
    if what in ("rank", "add") and new is None:
        raise ValueError(f'"after" is empty. For {what!r} it is a rank from 1.')
    kind: Any = what
    return Edit(query_id, doc_id, kind, _SIDE[list_], old, new)


def _checked(text: str, what: str) -> float:
    value = float(text) if text.isascii() else math.nan
    if not math.isfinite(value) or (what != "grade" and (value < 1 or value != int(value))):
        raise ValueError(f"{text!r} is no {'grade' if what == 'grade' else 'rank from 1'}.")
    return value
