"""Bytes, frames and dicts -> tables. The only rooms that know file formats.

``formats.py`` is the table of formats. ``attempts.py`` looks at a source once; the reader of its format makes a
``Grid``, and ``tables/`` makes a table of it. ``readers.py`` is what others call. ``recognise/`` is imported when one
of its names is first used: reading a file of a kind that is given needs none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankdash.reading.readers import How, read_as, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.source.advice import Advice, advice, phrased
from rankdash.reading.source.encodings import ENCODINGS
from rankdash.reading.source.limits import LIMITS, Limits
from rankdash.reading.source.options import Choice, Options
from rankdash.reading.source.problems import Problem, ReadError
from rankdash.reading.tables.build import numbers_beside
from rankdash.reading.tables.two_models import two_models

if TYPE_CHECKING:
    from rankdash.reading.recognise.recognising import LETOR, Recognised, recognised
    from rankdash.reading.recognise.understanding import Understood, form_of

__all__ = [
    "ENCODINGS",
    "LETOR",
    "LIMITS",
    "Advice",
    "Choice",
    "How",
    "Limits",
    "Options",
    "Problem",
    "ReadError",
    "Recognised",
    "Understood",
    "advice",
    "form_of",
    "numbers_beside",
    "phrased",
    "read_as",
    "read_judgments",
    "read_models",
    "read_queries",
    "read_run",
    "read_votes",
    "recognised",
    "two_models",
]

_LATER = {
    **dict.fromkeys(("LETOR", "Recognised", "recognised"), "rankdash.reading.recognise.recognising"),
    **dict.fromkeys(("Understood", "form_of"), "rankdash.reading.recognise.understanding"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value
