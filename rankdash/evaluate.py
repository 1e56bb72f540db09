"""One run against judgments, or two runs against each other, without a verdict: columns of per-query values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow, judged, metrics, wording
from rankdash.conventions import STANDARD, Convention, preset, preset_name
from rankdash.metrics import Catalogue, Measure, MeasureError, parse_measures, score
from rankdash.mistakes import mistakes_of_run
from rankdash.notes import Findings, Note, detail, warning
from rankdash.records import frozen
from rankdash.scoring import ComparisonError
from rankdash.tables import Items, Judgments, Queries, Run

#: Two runs with grades are compared by those of both.
OWN_GRADES = "Only the grades beside its own documents count. A comparison counts those of A and B together."
#: Ranks in which items are counted, where no measure of them has a cutoff.
_TOP = 10
#: Conventions whose tools know no rank but the order of the scores.
_GO_BY_SCORE = frozenset(("trec_eval-9", "trec_eval-10", "ir_measures"))

Floats = npt.NDArray[np.float64]
#: The columns of a frame, by name.
Columns = dict[str, npt.NDArray[Any]]


@frozen
class RunNotes:
    """The notes beside the values of a run: on its lists, on the judgments, on the measures."""

    run: tuple[Note, ...]
    judgments: tuple[Note, ...]
    measures: tuple[Note, ...]
    catalogue: Catalogue | None = None  # what the first ranks show of the items


def evaluated(
    run: Run,
    judgments: Judgments | None,
    measures: str | Measure | Iterable[str | Measure],
    convention: str | Convention = STANDARD,
    *,
    side: judged.Side | None = None,
    items: Items | None = None,
    queries: Queries | None = None,
) -> tuple[Columns, RunNotes]:
    """Return per-query values of one run (query_id, measure, value; NaN: undefined), and notes on them.

    There is a row for each judged query, unless the run lacks the query and the convention skips it. Without judgments
    the grades in the run are used. MeasureError for a measure that does not exist, compares two lists, or rejects the
    grades; ConventionError for a convention that does not exist.

    If the judgments have a column ``only_for``, ``side`` selects the grades of one list, "a" or "b" (None: all grades).

    The notes warn about lists that may be reversed, mistakes between the run and the judgments, grades taken from
    the run, and what was not counted: judged queries without a list, documents twice in a list, repeated or
    conflicting judgments, and queries without judgments. ComparisonError if the run answers no judged query.
    """
    named, active = (
        (convention, preset(convention)) if isinstance(convention, str) else (preset_name(convention), convention)
    )
    parsed = parse_measures(measures, active)
    given, judgments = judgments, judgments or judged.inline_judgments(run)
    if judgments is None:
        raise MeasureError(f'There are no judgments for {run.name}, and it has no column "relevance".')
    pool = judged.pooled(judgments).knowing(judgments, items, queries)
    usual = 0 if items is None else _TOP
    depth = max((one.k or 0 for one in parsed if one.definition.of_items is not None), default=usual)
    values = np.empty((len(parsed), pool.queries))
    answered = np.ones((len(parsed), pool.queries), bool)
    orders = {judged.Order.of(measure.convention) for measure in parsed} or {judged.Order()}
    runs = {order: judged.ranked(run, pool, order, min(depth, len(run.table))) for order in orders}
    noticed = next(iter(runs.values()))
    wrong = _checked(run, given, len(noticed.lists.document) / max(int(noticed.lists.length.sum()), 1))
    if side is not None and judged.are_apart(judgments):
        mine = judged.own_grades(judgments, pool, side)
        runs = {order: judged.with_own(found, mine) for order, found in runs.items()}
    for i, measure in enumerate(parsed):
        joined = runs[judged.Order.of(measure.convention)].lists
        values[i] = score(joined, [measure])[0]
        if measure.convention.missing_query == "skip":
            answered[i] = joined.length > 0
    columns = _columns(pool.query_ids, parsed, values, answered)
    catalogue = None if items is None else Catalogue.of(noticed.lists, depth)
    about = [_turned(run, noticed.findings), *wrong, _by_score(run, named), _missing(noticed, parsed)]
    unmet = "" if catalogue is None else wording.unmet(catalogue.k, catalogue.shown, catalogue.unknown)
    about += ["" if given else OWN_GRADES, unmet]
    fractions = wording.below_relevant(pool.grades, metrics.reading_relevance(parsed))
    of_lists = wording.list_notes(noticed.findings, run.ordered_by, "the run", noted=run.source.has("no_score"))
    return columns, RunNotes(
        (*_warnings("evaluated", about), *run.source.notes, *of_lists, *_unjudged(noticed.findings)),
        _warnings("judged", (*_of_judgments(pool, parsed), _undated(pool, parsed))),
        _warnings("measured", [fractions, *wording.uncovered(metrics.uncovered(parsed, named))]),
        catalogue,
    )


def _warnings(code: str, texts: Iterable[str]) -> tuple[Note, ...]:
    """Return a warning for each text that is not empty."""
    return tuple(warning(code, text) for text in texts if text)


def _checked(run: Run, judgments: Judgments | None, judged_share: float) -> tuple[str, ...]:
    """Return what is wrong between a run and its judgments. ComparisonError where no value would mean anything."""
    wrong = () if judgments is None else mistakes_of_run(run, judgments, judged_share=judged_share)
    if fatal := [mistake.sentence for mistake in wrong if mistake.fatal]:
        raise ComparisonError("\n".join(fatal))
    return tuple(mistake.sentence for mistake in wrong)


def _turned(run: Run, findings: Findings) -> str:
    """Return the sentence on lists that the ranks call reversed; "" for others. On scores that rise there is a note."""
    if run.ordered_by != "score" or run.source.order_was_asked or not findings.contradicted:
        return ""
    return wording.turned("the run", "rank", findings.contradicted)


def _by_score(run: Run, named: str | None) -> str:
    """Return that tools which are named go by score where the lists go by rank, and nobody asked for that; else ""."""
    by_rank = run.ordered_by == "rank" and "score" in run.table.column_names and not run.source.order_was_asked
    return wording.BY_SCORE.format(tools=named) if by_rank and named in _GO_BY_SCORE else ""


def _missing(ranked: judged.RankedRun, measures: Sequence[Measure]) -> str:
    """Return how many judged queries have no list, and what they count; "" where all have one."""
    if not (n := int((ranked.lists.length == 0).sum())):
        return ""
    without = [measure.name for measure in measures if measure.convention.missing_query == "skip"]
    left_out = "are left out" if len(without) == len(measures) else f"are left out of {', '.join(without)}"
    return f"Judged, without a list: {n:,}. They {left_out if without else 'count as empty lists'}."


def _unjudged(findings: Findings) -> list[Note]:
    n = findings.unjudged_queries
    return [detail("unjudged", f"Queries without judgments, which do not count: {n:,}.")] if n else []


def _of_judgments(pool: judged.Pool, measures: Sequence[Measure]) -> Iterator[str]:
    """Yield which judgments did not count, and how grades below 0 were read, "" where there are none."""
    if pool.repeated:
        yield f"Judgments that repeat an earlier one: {pool.repeated:,}."
    if first := pool.conflict:
        named = f'"{first.query_id}", "{first.doc_id}"'
        yield f"Judgments that contradict an earlier one, which counts ({named}): {pool.conflict_count:,}."
    yield wording.below_zero(pool.grades, (measures[0].convention if measures else STANDARD).negative)


def _undated(pool: judged.Pool, measures: Sequence[Measure]) -> str:
    """Return how many documents have no date, "" where no gain fades."""
    fades = pool.known is not None and any(measure.fades for measure in measures)
    return wording.undated(pool.known.undated, len(pool.row)) if pool.known and fades else ""


def similarity(a: Run, b: Run, measures: str | Measure | Iterable[str | Measure]) -> Columns:
    """Return how alike the lists of two runs are: query_id, measure, value, for every query of A and then of B alone.

    NaN where a list is empty. MeasureError for a measure that scores one list.
    """
    parsed = parse_measures(measures)
    ids = [run.array("query_id").dictionary for run in (a, b)]
    union = arrow.one_chunk(pa.chunked_array([part.cast(ids[0].type) for part in ids])).unique()
    values = metrics.compare_lists(judged.list_pair(a, b, union, judged.Order.of(STANDARD)), parsed)
    return _columns(union, parsed, values, np.ones(values.shape, bool))


def _columns(query_ids: pa.Array, measures: Sequence[Measure], values: Floats, shown: npt.NDArray[np.bool_]) -> Columns:
    rows, columns = np.nonzero(shown)
    ids, names = np.array(query_ids.to_pylist(), object), np.array([measure.name for measure in measures], object)
    return {"query_id": ids[columns], "measure": names[rows], "value": values[rows, columns]}
