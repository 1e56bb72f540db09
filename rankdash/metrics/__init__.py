"""Measures of ranked lists: JudgedRun -> per-query scores. Arrays in, arrays out; numpy only.

Read ``gain.py``, ``binary.py`` and ``preference.py`` for the measures of one list, ``similarity.py`` for those of two,
``lists.py`` for the arrays that they see, ``segments.py`` for the operations on these, ``definitions.py`` for the table
of all measures, ``names.py`` for how they are written, ``scoring.py`` for how a comparison asks for them.
"""

from rankdash.metrics.definitions import DEFINITIONS, Definition
from rankdash.metrics.lists import JudgedRun, Lists, MeasureError, NotComputed
from rankdash.metrics.names import Measure, parse_measure, parse_measures
from rankdash.metrics.scoring import compare_lists, mean, score
from rankdash.metrics.similarity import ListPair

__all__ = [
    "DEFINITIONS",
    "Definition",
    "JudgedRun",
    "ListPair",
    "Lists",
    "Measure",
    "MeasureError",
    "NotComputed",
    "compare_lists",
    "mean",
    "parse_measure",
    "parse_measures",
    "score",
]
