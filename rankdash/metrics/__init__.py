"""Measures of ranked lists: JudgedRun -> per-query scores. Arrays in, arrays out; numpy only.

The measures of one list are in ``dcg.py``, ``binary.py``, ``incomplete.py``, ``diversity.py`` and ``items.py``, each
with its row; those of two lists are in ``similarity.py``. ``rows.py`` defines a row, ``lists.py`` the arrays that
measures take, and what a grade and a rank are worth, ``names.py`` the table of all rows and their notation, and
``scoring.py`` the functions that a comparison calls.
"""

from rankdash.metrics.items import Catalogue
from rankdash.metrics.lists import JudgedRun, Lists, MeasureError, NotComputed
from rankdash.metrics.names import DEFINITIONS, Measure, check_tool, definition_of, parse_measure, parse_measures
from rankdash.metrics.rows import Definition, Worked
from rankdash.metrics.scoring import compare_lists, lacking, mean, reading_relevance, score, uncovered
from rankdash.metrics.similarity import ListPair
