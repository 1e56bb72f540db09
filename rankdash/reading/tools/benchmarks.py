"""Predictions of MTEB, which hold the lists of one model and no grades, or no lists at all; reports of ranx."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankdash.reading.tools.form import AS_RUN, Form


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
)
