"""Predictions of MTEB, which hold the lists of one model and no grades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankdash.reading.tools.form import AS_RUN, Form


def _is_predicted(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("mteb_model_meta"), Mapping)


FORMS = (
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
