"""Bytes, frames and dicts -> tables. The only room that knows file formats.

``source`` opens and unpacks bytes, and makes UTF-8 of texts. ``text``, ``letor``, ``objects``, ``columnar`` and
``workbook`` each make a ``Grid`` of a format; ``tools`` knows the forms of other tools. ``headings`` says what a column
means, ``values`` what a cell holds, ``build`` and ``votes`` make the table. ``readers`` is what others call.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankdash.reading.headings import KINDS, Kind
from rankdash.reading.problems import Choice, LimitError, Problem, ReadError
from rankdash.reading.readers import How, read_as, read_judgments, read_models, read_queries, read_run, read_votes, stem
from rankdash.reading.source import ENCODINGS, LIMITS, Limits, Options, megabytes

if TYPE_CHECKING:
    from rankdash.reading.recognition import LETOR, NUMBERS, Recognised, Understood, recognise, understand
    from rankdash.reading.votes import pair_of, pair_text

__all__ = [
    "ENCODINGS",
    "KINDS",
    "LETOR",
    "LIMITS",
    "NUMBERS",
    "Choice",
    "How",
    "Kind",
    "LimitError",
    "Limits",
    "Options",
    "Problem",
    "ReadError",
    "Recognised",
    "Understood",
    "megabytes",
    "pair_of",
    "pair_text",
    "read_as",
    "read_judgments",
    "read_models",
    "read_queries",
    "read_run",
    "read_votes",
    "recognise",
    "stem",
    "understand",
]

_LATER = {
    **dict.fromkeys(
        ("LETOR", "NUMBERS", "Recognised", "Understood", "recognise", "understand"), "rankdash.reading.recognition"
    ),
    **dict.fromkeys(("pair_of", "pair_text"), "rankdash.reading.votes"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value
