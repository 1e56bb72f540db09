"""A column of grades for each rater, as Quepid exports a book: the grade of a document is the mean of those given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankdash.arrow import from_strings
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.source.problems import Problem, ReadError
from rankdash.reading.values.averages import Averages
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text
from rankdash.reading.words.headings import BOOK, Wanted

#: What the name of a column with the grades of one rater begins with; no heading has it.
RATED = "\x1frated\x1f"
_HIGHEST = 10
_ALLOWED = "Grades of raters are numbers from 0 to 10, or nothing. Else name the column with the grade relevance."
_MEANT = frozenset().union(*(tier for tiers in TIERS["run"].values() for tier in tiers))


def raters_of(headings: Sequence[str], wanted: Wanted, taken: Mapping[int, str]) -> dict[int, str]:
    """Return the names for the columns of raters, by column number; empty where the headings are not those of a book,
    or one of them means something else.
    """
    if wanted != "judgments" or tuple(headings[: len(BOOK)]) != BOOK:
        return {}
    others = [i for i in range(len(headings)) if i not in taken]
    if any(not headings[i].strip() or key(headings[i]) in _MEANT for i in others):
        return {}
    return {i: f"{RATED}{i}" for i in others}


def averaged(grid: Grid) -> Grid:
    """Return the Grid with the mean of the grades of each row. ReadError for what is no grade."""
    names = [name for name in grid.columns if name.startswith(RATED)]
    cells = [as_text(grid.columns[name])[0].to_pylist() for name in names]
    bad: list[Problem] = []
    averages = Averages()
    means = []
    for row in range(grid.rows):
        grades: dict[str, float] = {}
        for name, column in zip(names, cells, strict=True):
            cell = (column[row] or "").strip()
            if not cell:
                continue
            if not is_number(cell) or not 0 <= float(cell) <= _HIGHEST:
                at = int(grid.row_of(np.array([row], np.int64))[0])
                bad.append(Problem("bad_value", grid.name, "is no grade", at, grid.title(name), cell, _ALLOWED))
                continue
            grades[name] = float(cell)
        means.append(averages.of(grades))
    if bad:
        raise ReadError(bad)
    columns = {name: column for name, column in grid.columns.items() if name not in names}
    columns["relevance"] = from_strings(means)
    return replace(grid, columns=columns, notes=(*grid.notes, *averages.notes()), as_text=None)
