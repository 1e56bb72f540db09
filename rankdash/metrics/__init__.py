"""Measures of ranked lists: JudgedRun -> per-query scores. Arrays in, arrays out; numpy only.

Read ``gain.py``, ``binary.py``, ``users.py``, ``incomplete.py`` and ``pairs.py`` for the measures of one list, each
with its row, ``similarity.py`` for those of two, ``rows.py`` for what a row holds and ``definitions.py`` for the table
of all of them, ``lists.py`` for the arrays that they see, ``segments.py`` for the operations on these, ``names.py`` for
how measures are written, ``scoring.py`` for how a comparison asks for them.
"""

from rankdash.metrics.definitions import DEFINITIONS
from rankdash.metrics.lists import JudgedRun, Lists, MeasureError, NotComputed
from rankdash.metrics.names import Measure, parse_measure, parse_measures
from rankdash.metrics.rows import Definition, Example, Worked
from rankdash.metrics.scoring import compare_lists, mean, score
from rankdash.metrics.similarity import ListPair

__all__ = [
    "DEFINITIONS",
    "Definition",
    "Example",
    "JudgedRun",
    "ListPair",
    "Lists",
    "Measure",
    "MeasureError",
    "NotComputed",
    "Worked",
    "compare_lists",
    "mean",
    "parse_measure",
    "parse_measures",
    "score",
]
