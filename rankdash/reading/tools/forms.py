"""The table of forms, and which of them a value has."""

from __future__ import annotations

from typing import Any

from rankdash.reading.tools import (
    benchmarks,
    opensearch,
    other_engines,
    quepid,
    rank_eval,
    relevance_studio,
    rre,
    search_engines,
)
from rankdash.reading.tools.form import Form

#: The first that fits counts; what is stored in a search engine comes before what it answers.
FORMS: tuple[Form, ...] = (
    *opensearch.FORMS,
    *relevance_studio.FORMS,
    *rank_eval.FORMS,
    *search_engines.FORMS,
    *quepid.FORMS,
    *rre.FORMS,
    *benchmarks.FORMS,
    *other_engines.FORMS,
)


def form_of(value: Any) -> Form | None:
    """Return the form of another tool that a value has; None where it has none."""
    return next((form for form in FORMS if form.fits(value)), None)
