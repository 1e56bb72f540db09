"""Predictions of MTEB, which hold the lists of one model and no grades, or no lists at all; and reports
and results of tools that evaluate and annotate, which hold neither lists nor grades of documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankdash.reading.source.signatures import are_measures
from rankdash.reading.tools.form import AS_RUN, Form, is_plain
from rankdash.reading.values.numerals import is_number
from rankdash.reading.words.headings import Kind

#: So deep are values of measures looked for: by data set, model, query.
_DEEPEST = 4
_LISTS: tuple[Kind, ...] = ("run", "judgments", "models")


def _is_predicted(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("mteb_model_meta"), Mapping)


def _is_of_another_task(value: Any) -> bool:
    """Return whether the predictions of a split are a list, as those of a task without lists of documents are."""
    if not _is_predicted(value):
        return False
    subsets = [subset for subset in value.values() if isinstance(subset, Mapping)]
    return any(isinstance(split, (list, tuple)) for subset in subsets for split in subset.values())


def _is_report(value: Any) -> bool:
    """Return whether it is what a comparison of ranx saves: the test, the measures and the models by their names."""
    if not isinstance(value, Mapping) or not isinstance(value.get("stat_test"), str):
        return False
    return isinstance(value.get("metrics"), list) and isinstance(value.get("model_names"), list)


def _are_values(value: Any, depth: int = 0) -> bool:
    """Return whether these are values by measure, or measures by anything else, or both the other way round.

    A query may be called as a measure is: several are, or one with its cutoff.
    """
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(item, Mapping) and _are_values(item, depth) for item in value)
    if not isinstance(value, Mapping) or not value or depth > _DEEPEST:
        return False
    numbers = all(map(_is_number, value.values()))
    names = [*map(str, value)]
    if numbers:
        return are_measures(names, telling=True)
    if not all(isinstance(inner, Mapping) for inner in value.values()):
        return False
    by_measure = (len(names) > 1 or "@" in names[0]) and are_measures(names, telling=True)
    if by_measure and all(map(_is_number, (own for inner in value.values() for own in inner.values()))):
        return True
    return all(_are_values(inner, depth + 1) for inner in value.values())


def _is_number(value: Any) -> bool:
    return is_plain(value) and is_number(str(value))


def _is_of_promptfoo(value: Any) -> bool:
    results = value.get("results") if isinstance(value, Mapping) else None
    return isinstance(results, Mapping) and isinstance(results.get("results"), list) and "stats" in results


def _are_annotated(value: Any) -> bool:
    """Return whether these are tasks of Label Studio with their annotations."""
    first = value[0] if isinstance(value, (list, tuple)) and value else None
    return (
        isinstance(first, Mapping)
        and isinstance(first.get("data"), Mapping)
        and isinstance(first.get("annotations"), (list, tuple))
    )


_NO_LISTS = "Give the predictions of a retrieval task."
_NO_REPORT = "Give the runs and the qrels that were compared."
FORMS = (
    Form(
        "this is a report of ranx, with means and p-values of models",
        _is_report,
        {},
        {"run": _NO_REPORT, "models": _NO_REPORT, "judgments": _NO_REPORT},
    ),
    Form(
        "these are predictions of MTEB without lists of documents",
        _is_of_another_task,
        {},
        {"run": _NO_LISTS, "models": _NO_LISTS, "judgments": _NO_LISTS},
    ),
    Form(
        "this is a file of predictions of MTEB",
        _is_predicted,
        {},
        {
            "judgments": f"It holds scores and no grades. {AS_RUN}",
            "models": f"It holds the lists of one model. {AS_RUN}",
        },
    ),
    Form(
        "these are values of measures",
        _are_values,
        {},
        dict.fromkeys(_LISTS, "Give the run and the judgments that they were computed from."),
    ),
    Form(
        "these are results of promptfoo",
        _is_of_promptfoo,
        {},
        dict.fromkeys(_LISTS, "They hold no lists of documents: give the lists that were put into the prompts."),
    ),
    Form(
        "these are tasks of Label Studio",
        _are_annotated,
        {},
        dict.fromkeys(_LISTS, "Export them as CSV or as JSON-MIN."),
    ),
)
