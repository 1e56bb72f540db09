"""Judgments that were given as a run: grades with nothing that orders them, or scores that are the grades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.reading import ReadError
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import Problem
from rankdash.tables import Judgments, Run, Source

_Side = TypeVar("_Side", bound=str)
#: How many judged documents have to have their grade for a score, and how many rows are looked at.
_LEAST, _ROWS = 10, 2_000
_LARGEST = 100


def judgments_as_runs(runs: Mapping[_Side, Run], judgments: Judgments | None) -> dict[_Side, Problem]:
    """Return the question about each run that looks like judgments, where there are judgments of their own.

    No question is asked about a run whose order somebody decided, nor about the runs of a file with several models.
    """
    if judgments is None or judgments.source == Source():  # the grades in the runs are all there is
        return {}
    digests = [run.source.sha256 for run in runs.values()]
    alone = {side: run for side, run in runs.items() if digests.count(run.source.sha256) == 1}
    return {side: problem for side, run in alone.items() if (problem := _question(run, side, judgments))}


def check_roles(runs: Mapping[_Side, Run], judgments: Judgments | None) -> None:
    """Raise ReadError for judgments that were given as a run, beside judgments of their own."""
    wrong = judgments_as_runs(runs, judgments)
    if wrong:
        raise ReadError([*wrong.values()])


def _question(run: Run, side: str, judgments: Judgments) -> Problem | None:
    if run.order_was_asked:
        return None
    if run.ordered_by == "position" and "relevance" in run.table.column_names:
        order, what = "position", "has grades and neither rank nor score"
    elif run.ordered_by == "score" and run.source.name and _are_grades(run, judgments):
        # Scores of a run without a file are taken for scores: an ideal list may have such; rule C7 says what it proves.
        order, what = "score", "has no scores but the grades of its documents"
    else:
        return None
    called = side.upper() if len(side) == 1 else side
    sentence = f"{called} {what}: these look like judgments, given as a run"
    name = run.source.name or run.name
    return Problem(
        "unclear", name, sentence, allowed=advice("judgments_or_order", key=order), choice=Choice("order", (order,))
    )


def _are_grades(run: Run, judgments: Judgments) -> bool:
    """Return whether the scores are small whole numbers, and each judged document has its grade for a score."""
    scores = arrow.as_numpy(arrow.one_chunk(run.table.column("score")))
    if not len(scores) or not bool(((np.floor(scores) == scores) & (np.abs(scores) <= _LARGEST)).all()):
        return False
    rows = run.table.select(["query_id", "doc_id", "score"]).slice(0, _ROWS)
    among = pc.unique(rows.column("doc_id").cast(pa.large_string()))
    judged = judgments.table.filter(pc.is_in(judgments.table.column("doc_id").cast(pa.large_string()), value_set=among))
    grades = {
        (row["query_id"], row["doc_id"]): row["relevance"] for row in judged.to_pylist()[::-1]
    }  # the first counts
    pairs = [(grades.get((row["query_id"], row["doc_id"])), row["score"]) for row in rows.to_pylist()]
    met = [pair for pair in pairs if pair[0] is not None]
    return len(met) >= _LEAST and len(set(met)) > 1 and all(grade == score for grade, score in met)
