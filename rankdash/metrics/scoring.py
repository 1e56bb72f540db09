"""Measures over queries: per-query values first, one row per measure, and what an absent list or answer means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from rankdash.conventions import PRESETS, Convention
from rankdash.metrics.lists import Floats, JudgedRun, Lists, MeasureError
from rankdash.metrics.names import COVERS, WRITTEN, Measure
from rankdash.metrics.similarity import ListPair


def score(run: JudgedRun, measures: Sequence[Measure]) -> Floats:
    """Return per-query values, (measures, queries) float64; NaN where a value is undefined or the query is left out.

    ``run`` must be in the order that the measures' conventions require (``judged.Order``). The values of a query depend
    only on its own list and judgments (and, for ERR without max_grade, on the largest grade of all). MeasureError where
    a grade is out of a measure's range.
    """
    views: dict[Convention, Lists] = {}
    values = np.empty((len(measures), run.queries))
    for row, measure in enumerate(measures):
        lists = views.setdefault(measure.convention, Lists(run, measure.convention))
        values[row] = _score_one(lists, measure)
    return values


def compare_lists(pair: ListPair, measures: Sequence[Measure]) -> Floats:
    """Return per-query values of measures that compare two lists, (measures, queries) float64, NaN where undefined."""
    values = np.empty((len(measures), len(pair.length_a)))
    for row, measure in enumerate(measures):
        if measure.definition.of_pair is None:
            raise MeasureError(f"{measure.name} scores one list; it does not compare two.")
        arguments = {} if measure.k is None else {"k": measure.k}
        values[row] = measure.definition.of_pair(pair, **arguments, **dict(measure.parameters))
    return values


def _score_one(lists: Lists, measure: Measure) -> Floats:
    definition, convention = measure.definition, measure.convention
    compute = definition.of_lists or definition.of_items
    if compute is None:
        raise MeasureError(f"{measure.name} compares two lists; it does not score one. Use it in a comparison.")
    if lacks := lacking(lists, measure):
        raise MeasureError(lacks)
    values = compute(lists, measure.k, **dict(measure.parameters))
    if definition.lacking is not None and (definition.substitute or convention.no_relevant == "skip"):
        instead = np.nan if convention.no_relevant == "skip" else float(convention.no_relevant)
        values = np.where(definition.lacking(lists, measure.k) > 0, values, instead)
    absent: float | Floats = values if definition.of_judgments else definition.empty or 0.0
    if convention.missing_query == "skip" or definition.empty is None:
        absent = np.nan
    scored: Floats = np.where(lists.run.length > 0, values, absent)
    return scored


#: What a measure may need, and how it is given.
_GIVEN = {
    **{
        name: f"a column {name} of the documents, with values, in a table of items"
        for name in ("category", "vector", "date", "users")
    },
    "time": "the time of every judged query: a column time of the queries, or one time for all",
    "within": "a number of days in its name, as in fresh(within=7)@10",
    "n_users": "the number of all users in its name, as in MIUF(n_users=1000)@10",
}


def lacking(lists: Lists, measure: Measure) -> str:
    """Return what the measure needs of items or queries that is not there, in a sentence; "" where all is."""
    own, listed = dict(measure.parameters), lists.run.listed
    for need in ("date", "time") if measure.fades else measure.definition.needs:
        name = own.get(need, need)  # a parameter may name a column
        found = listed and isinstance(name, str) and (listed.time if name == "time" else listed.known(name))
        # Only NaN, an empty cell, differs from itself.
        if name is None or (isinstance(name, str) and (found is None or found is False or np.all(found != found))):
            return f"{measure.name} needs {_GIVEN[name or need]}."
    return ""


def mean(values: Floats) -> tuple[float | None, int]:
    """Return the mean of the defined values of a query set, and their number; None where no value is defined."""
    defined = values[~np.isnan(values)]
    return (float(defined.mean()), len(defined)) if len(defined) else (None, 0)


def reading_relevance(measures: Iterable[Measure]) -> list[str]:
    """Return the names of the measures that ask whether a grade counts as relevant, at the usual threshold."""
    return [one.name for one in measures if "rel" in one.definition.axes and one.convention.rel == 1]


def uncovered(measures: Iterable[Measure], active: str | None) -> dict[str, list[str]]:
    """Return the names of the measures that the tools of their presets do not print, by these presets: the one before
    the colon of a name, otherwise the ``active`` one. Measures that have axes of their own, and a convention that has
    no name, are left aside.
    """
    by_preset: dict[str, list[str]] = {}
    for measure in measures:
        name = measure.preset or active
        if name is None or name == "standard" or measure.convention != PRESETS[name]:
            continue
        spelled = measure.name.removeprefix(f"{name}:")
        forms = {_form(measure, spelled), *(() if measure.fades else (_form(measure, measure.key),))}
        if not forms & {*COVERS[name], *WRITTEN.get(name, ())}:
            by_preset.setdefault(name, []).append(measure.name)
    return by_preset


def _form(measure: Measure, name: str) -> str:
    return name if measure.k is None else f"{name.removesuffix(f'@{measure.k}')}@k"
