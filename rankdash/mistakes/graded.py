"""Judgments that were given as a run: grades with nothing that orders them, or scores that are the grades."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.reading import ReadError
from rankdash.reading.columns.orders import are_falling, are_small
from rankdash.reading.columns.unnamed import MAY_BE_ORDER, MAY_BE_SCORES
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import Problem
from rankdash.tables import ONE_GRADE, Judgments, Run, Source

_Side = TypeVar("_Side", bound=str)
#: How many judged documents have to have their grade for a score, and how many rows are looked at.
_LEAST, _ROWS = 10, 2_000
_LARGEST = 100


def judgments_as_runs(
    runs: Mapping[_Side, Run], judgments: Judgments | None, twice: Container[str] = ()
) -> dict[_Side, Problem]:
    """Return the question about each run that looks like judgments, where there are judgments of their own.

    ``twice`` are the runs that came from the same object as the judgments, of which few rows tell enough. No question
    is asked about a run whose order somebody decided, nor about the runs of a file with several models.
    """
    if judgments is None or judgments.source == Source():  # the grades in the runs are all there is
        return {}
    alone = {side: run for side, run in runs.items() if not any(_share_a_file(run, other) for other in runs.values())}
    return {side: problem for side, run in alone.items() if (problem := _question(run, side, judgments, side in twice))}


def _share_a_file(run: Run, other: Run) -> bool:
    """Return whether two runs are different models of one file."""
    return run is not other and run.source.sha256 == other.source.sha256 and not run.table.equals(other.table)


def check_roles(runs: Mapping[_Side, Run], judgments: Judgments | None, twice: Container[str] = ()) -> None:
    """Raise ReadError for judgments that were given as a run, beside judgments of their own; ``twice`` as above."""
    wrong = judgments_as_runs(runs, judgments, twice)
    if wrong:
        raise ReadError([*wrong.values()])


def _question(run: Run, side: str, judgments: Judgments, is_twice: bool) -> Problem | None:
    if run.order_was_asked:
        return None
    code = "judgments_or_order"
    if run.ordered_by == "position" and "relevance" in run.table.column_names:
        what = "has grades and neither rank nor score: these look like judgments, given as a run"
    elif run.ordered_by == "score" and _are_grades(run, judgments, is_twice):
        what = "has no scores but the grades of its documents: these look like judgments, given as a run"
        if not _are_small(arrow.as_numpy(arrow.one_chunk(run.table.column("score")))):
            code, what = "run_or_order", "has the grades for its scores: this looks like a run, given as the judgments"
    elif _are_exchanged(run, judgments):
        what = "has small whole numbers for its scores, and the judgments those of a run: they may be exchanged"
    else:
        return None
    called = side.upper() if len(side) == 1 else side
    name, order = run.source.name or run.name, run.ordered_by
    return Problem(
        "unclear", name, f"{called} {what}", allowed=advice(code, key=order), choice=Choice("order", (order,))
    )


def _are_exchanged(run: Run, judgments: Judgments) -> bool:
    """Return whether a run has small whole numbers for its scores that do not fall from row to row, and the judgments,
    without a name for them, what may be scores or ranks, or lists of documents without grades.
    """
    are_lists = ONE_GRADE in judgments.source.notes
    if run.ordered_by != "score" or not (are_lists or {MAY_BE_SCORES, MAY_BE_ORDER} & {*judgments.source.notes}):
        return False
    scores = arrow.as_numpy(arrow.one_chunk(run.table.column("score")))
    query = arrow.one_chunk(run.table.column("query_id"))
    return (
        len(scores) >= (1 if are_lists else _LEAST)
        and are_small(scores)
        and not are_falling(scores, arrow.codes(query))
    )


def _are_grades(run: Run, judgments: Judgments, is_twice: bool) -> bool:
    """Return whether each judged document has its grade for a score: small whole numbers, or those that the judgments
    have, for grades with decimals are no scores by accident.
    """
    scores, graded = (
        arrow.as_numpy(arrow.one_chunk(table.column(name)))
        for table, name in ((run.table, "score"), (judgments.table, "relevance"))
    )
    if not len(scores) or not (_are_small(scores) or (np.isfinite(scores).all() and not _are_small(graded))):
        return False
    if is_twice or (run.source.name and run.source.sha256 == judgments.source.sha256):
        return _are_the_same(run, judgments, scores, graded)
    rows = run.table.select(["query_id", "doc_id", "score"]).slice(0, _ROWS)
    among = pc.unique(rows.column("doc_id").cast(pa.large_string()))
    judged = judgments.table.filter(pc.is_in(judgments.table.column("doc_id").cast(pa.large_string()), value_set=among))
    grades = {
        (row["query_id"], row["doc_id"]): row["relevance"] for row in judged.to_pylist()[::-1]
    }  # the first counts
    pairs = [(grades.get((row["query_id"], row["doc_id"])), row["score"]) for row in rows.to_pylist()]
    met = [pair for pair in pairs if pair[0] is not None]
    return len(met) >= _LEAST and len(set(met)) > 1 and all(grade == score for grade, score in met)


def _are_small(numbers: npt.NDArray[np.float64]) -> bool:
    """Return whether these are small whole numbers, as grades are."""
    return bool(((np.floor(numbers) == numbers) & (np.abs(numbers) <= _LARGEST)).all())


def _are_the_same(
    run: Run, judgments: Judgments, scores: npt.NDArray[np.float64], graded: npt.NDArray[np.float64]
) -> bool:
    """Return whether a source that was given twice has the same rows as a run and as judgments."""
    return (
        len(scores) == len(graded)
        and np.array_equal(scores, graded)
        and all(
            run.table.column(name).cast(pa.large_string()).equals(judgments.table.column(name).cast(pa.large_string()))
            for name in ("query_id", "doc_id")
        )
    )
