"""What to label next, as rows for a screen or a file, and labels from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rankdash import arrow
from rankdash.edits.history import Edit
from rankdash.scoring import Comparison, Side
from rankdash.tables import Judgments


@dataclass(frozen=True)
class LabelCandidate:
    """One unjudged document, and how far one label could move the mean difference; a rank is None where the list lacks
    it.
    """

    query_id: str
    doc_id: str
    title: str
    effect: float
    rank_a: int | None
    rank_b: int | None


def candidates(comparison: Comparison, most: int | None = None) -> tuple[LabelCandidate, ...] | None:
    """Return unjudged documents in the first k of A or B, the largest effect first; None where labels do not count."""
    work, shown = comparison.worklist, comparison.shown
    if work is None:
        return None
    row = work.row[:most]
    names = _names(comparison, row)
    ranks = [[int(r) or None for r in column[row]] for column in (shown.documents.rank_a, shown.documents.rank_b)]
    queries = [comparison.query_ids[at] for at in shown.documents.query[row]]
    effects = work.effect[:most].tolist()
    return tuple(
        LabelCandidate(query, doc_id, title, effect, a, b)
        for query, (doc_id, title), effect, a, b in zip(queries, names, effects, *ranks, strict=True)
    )


def why_none(comparison: Comparison) -> str:
    """Return why there are no candidates, as a word; "" where there are. The first reason that holds."""
    scope = comparison.scored.scope
    reasons = {
        "apart": scope.apart,
        "relevant_only": not comparison.explained.unjudged_count,
        "no_grade": scope.label_gains is None,
        "own_ideal": scope.convention.ideal != "judged",
        "uncut": scope.convention.ideal_cut != "k",
        "left_out": scope.convention.unjudged != "nonrelevant",
        "ties": not comparison.explained.is_sum,
    }
    return next((why for why, holds in reasons.items() if holds), "")


def _names(comparison: Comparison, row: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[tuple[str, str]]:
    """Return id and title of documents, as A has them, or B where A does not show them."""
    names: list[tuple[str, str]] = [("", "")] * len(row)
    sides: tuple[Side, Side] = ("b", "a")
    for side in sides:
        rows = (comparison.shown.row_b if side == "b" else comparison.shown.row_a)[row]
        at = np.flatnonzero(rows >= 0)
        taken = comparison.joined.run(side).table.take(arrow.from_numpy(rows[at].astype(np.int64)))
        doc_ids = taken.column("doc_id").to_pylist()
        titles = taken.column("title").to_pylist() if "title" in taken.column_names else [""] * len(at)
        for i, doc_id, title in zip(at.tolist(), doc_ids, titles, strict=True):
            names[i] = (doc_id, title or "")
    return names


def labels_from(table: Judgments, comparison: Comparison) -> tuple[Edit, ...]:
    """Return the grades of a file as edits: those that are new, and those that differ from the ones in force."""
    labels = _grades(table)
    queries = {query for query, _ in labels}
    now = {pair: grade for pair, grade in _grades(comparison.joined.judgments).items() if pair[0] in queries}
    return tuple(
        Edit(query, doc_id, "grade", None, now.get((query, doc_id)), grade)
        for (query, doc_id), grade in labels.items()
        if now.get((query, doc_id)) != grade
    )


def _grades(judgments: Judgments) -> Mapping[tuple[str, str], float]:
    """Return the grade of each (query, document); the first counts."""
    columns = [judgments.table.column(name).to_pylist() for name in ("query_id", "doc_id", "relevance")]
    grades: dict[tuple[str, str], float] = {}
    for query, doc_id, grade in zip(*columns, strict=True):
        grades.setdefault((query, doc_id), grade)
    return grades
