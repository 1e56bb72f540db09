"""The edited lists, judgments and votes as CSV: the command line reads back what the screen shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.csv

from rankdash import arrow
from rankdash.edits import LabelCandidate
from rankdash.judged import Order, all_ranked_rows
from rankdash.report.files import rows_csv
from rankdash.scoring import Rankings, Side
from rankdash.tables import Run, Votes

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
