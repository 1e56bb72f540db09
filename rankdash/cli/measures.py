"""`rankdash measures`: every measure and convention, with its definition; `rankdash evaluate`: the values of runs;
`rankdash explain`: one value, worked out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rankdash.cli import DONE, ArgumentError, progress, warn
from rankdash.cli.inputs import check_judged, decided, items_step, read_each, taken_for_measures
from rankdash.notes import Note
from rankdash.report.values import Evaluated, RunValues, measures_of, measures_text, written
from rankdash.report.worked import calculation_text
from rankdash.strings import did_you_mean, nearest
from rankdash.wording import nouns

if TYPE_CHECKING:
    from rankdash import Items, Judgments, Measure, Run
    from rankdash.evaluate import RunNotes

#: The table of items among the tables by path: no path holds this sign.
_ITEMS = "\0"


def measures_(options: argparse.Namespace) -> int:
    """Print them, or those that were named."""
    sys.stdout.write(measures_text(options.names))
    return DONE


def evaluate_(options: argparse.Namespace) -> int:
    """Print the values of runs."""
    if not options.runs:
        raise ArgumentError(f"Name the lists of a model.{taken_for_measures(options)}")
    preset = options.convention or ("trec_eval-9" if options.format == "trec_eval" else "standard")
    measures = measures_of(options.measures, preset, options.format, options.min_grade)
    runs, judgments, items = _read(options)
    values, told = [], []
    with progress("scoring"):
        for path, run in runs.items():
            value, beside = _values(path, run, judgments, measures, preset, items)
            values.append(value)
            told.append(beside)
    evaluated = Evaluated(
        tuple(values),
        measures,
        preset,
        options.per_query,
        options.judgments or "",
        () if judgments is None else _once(judgments.source.notes, *(beside.judgments for beside in told)),
        _once(*(beside.measures for beside in told)),
    )
    content = written(evaluated, options.format)
    warn(evaluated.lines(verbose=options.verbose), verbose=options.verbose)
    sys.stdout.write(content)
    return DONE


def _once(*several: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes, each once."""
    return tuple(dict.fromkeys(note for notes in several for note in notes))


def explain_(options: argparse.Namespace) -> int:
    """Print how values of one query come about, rank by rank."""
    from rankdash import explain

    if not options.runs:
        raise ArgumentError(f"Name the lists of a model.{taken_for_measures(options)}")
    preset = options.convention or "standard"
    measures = measures_of(options.measures or ["nDCG@10"], preset, "text", options.min_grade)
    runs, judgments, items = _read(options)
    if judgments is not None:
        ids = judgments.table.column("query_id").unique().to_pylist()
        if options.query_id not in ids:
            meant = did_you_mean(nearest(options.query_id, ids))
            raise ArgumentError(f"{options.query_id!r} is no query of {options.judgments}.{meant}")
    called = nouns(judgments is not None and judgments.source.has("of_users"))
    worked = [
        calculation_text(explain(run, judgments, measure, options.query_id, preset, items=items), run.name, called)
        for measure in measures
        for run in runs.values()
    ]
    sys.stdout.write(f"convention {preset}\n\n" + "\n".join(worked))
    return DONE


def _read(options: argparse.Namespace) -> tuple[dict[str, Run], Judgments | None, Items | None]:
    """Return the runs by their paths, and called so where they share a name, the judgments and the items.
    ComparisonError with the problems of all files.
    """
    from rankdash import read_judgments, read_run
    from rankdash.intake import without_seen
    from rankdash.reading import read_interactions

    twice = [path for path in dict.fromkeys(options.runs) if options.runs.count(path) > 1]
    if twice:
        raise ArgumentError(f"{twice[0]} is named twice.")
    steps: dict[str | None, Callable[[], Any]] = {}
    if options.judgments is not None:
        steps[None] = partial(read_judgments, options.judgments, **decided(options, "judgments"))
    if options.seen is not None:
        steps[""] = partial(read_interactions, options.seen, **decided(options, "seen"))
    for read in items_step(options).values():
        steps[_ITEMS] = partial(read, **decided(options, "items"))
    how = {"order": options.order, **decided(options, "a")}
    tables: dict[str | None, Any] = {}
    read_each(steps | {path: partial(read_run, path, **how) for path in options.runs}, tables)
    judgments = tables.get(None)
    runs = {path: without_seen(tables[path], tables.get("")) for path in options.runs}
    check_judged(runs, judgments)
    if len({run.name for run in runs.values()}) < len(runs):
        runs = {path: replace(run, name=path) for path, run in runs.items()}
    return runs, judgments, tables.get(_ITEMS)


def _values(
    path: str, run: Run, judgments: Judgments | None, measures: tuple[Measure, ...], preset: str, items: Items | None
) -> tuple[RunValues, RunNotes]:
    """Return the values of a run, and the notes on them. MeasureError with its path."""
    from rankdash import MeasureError
    from rankdash.evaluate import evaluated
    from rankdash.mistakes import check_roles

    check_roles({"the run": run}, judgments)
    try:
        columns, told = evaluated(run, judgments, measures, preset, items=items)
    except MeasureError as error:
        raise MeasureError(f"{path}: {error}") from None
    values: dict[str, dict[str, float]] = {}
    rows = zip(*(columns[name] for name in ("measure", "query_id", "value")), strict=True)
    for measure, query, value in rows:
        values.setdefault(query, {})[measure] = float(value)
    own = told.run if judgments is not None else (*told.run, *told.judgments)
    return RunValues(run.name, path, values, own, run.source.tag, told.catalogue), told
