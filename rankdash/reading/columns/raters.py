"""A column of grades for each rater, as Quepid exports a book: the grade of a document is the mean of those given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankdash.arrow import from_strings
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import TIERS, key, words_of
from rankdash.reading.source.problems import Problem, ReadError, listed
from rankdash.reading.values.averages import Averages
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text
from rankdash.reading.words.headings import BOOK, MEASURES, Wanted

#: What the name of a column with the grades of one rater begins with; no heading has it.
RATED = "\x1frated\x1f"
_HIGHEST = 10
_ALLOWED = "Grades of raters are whole numbers from 0 to 10, or nothing. Else name the column with the grade relevance."
_MEANT = frozenset().union(*(tier for tiers in TIERS["run"].values() for tier in tiers))
_MEASURES = frozenset(map(key, MEASURES.split()))
#: The names of people: two words or more that begin with a capital.
_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]*\.?([ '’-]+[^\W\d_a-z][^\W\d_]*\.?)+")


def raters_of(headings: Sequence[str], wanted: Wanted, taken: Mapping[int, str]) -> dict[int, str]:
    """Return the names for the columns of raters, by column number; empty where the headings are not those of a book,
    or one of them means something else, or measures something.
    """
    if wanted != "judgments" or tuple(headings[: len(BOOK)]) != BOOK:
        return {}
    others = [i for i in range(len(headings)) if i not in taken]
    if any(not headings[i].strip() or _means_else(headings[i]) for i in others):
        return {}
    return {i: f"{RATED}{i}" for i in others}


def _means_else(heading: str) -> bool:
    """Return whether a heading is no rater's: it has a meaning of its own, or measures something."""
    return not _is_address(heading) and (key(heading) in _MEANT or not _MEASURES.isdisjoint(words_of(heading)))


def _is_address(heading: str) -> bool:
    return re.fullmatch(r"[^@\s]+@[^@\s]+", heading.strip()) is not None


def are_surely_raters(called: Mapping[str, str]) -> bool:
    """Return whether the columns that were read as grades of raters are a book's beyond doubt: several, or one with
    an address or a name of two words. ``called`` are the headings of columns by what they were read as.
    """
    headings = [heading.strip() for name, heading in called.items() if name.startswith(RATED)]
    return len(headings) != 1 or _is_address(headings[0]) or _NAME.fullmatch(headings[0]) is not None


def averaged(grid: Grid) -> Grid:
    """Return the Grid with the mean of the grades of each row, and a note that names the columns.

    ReadError for what is no grade.
    """
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
            if not _is_grade(cell):
                at = int(grid.row_of(np.array([row], np.int64))[0])
                bad.append(Problem("bad_value", grid.name, "is no grade", at, grid.title(name), cell, _ALLOWED))
                continue
            grades[name] = float(cell)
        means.append(averages.of(grades))
    if bad:
        raise ReadError(bad)
    columns = {name: column for name, column in grid.columns.items() if name not in names}
    columns["relevance"] = from_strings(means)
    titles = listed([grid.title(name) for name in names])
    note = f"Column {titles} was read as the grades of a rater."
    if len(names) > 1:
        note = f"Columns {titles} were read as the grades of raters."
    return replace(grid, columns=columns, notes=(*grid.notes, note, *averages.notes()), as_text=None)


def _is_grade(cell: str) -> bool:
    return is_number(cell) and 0 <= float(cell) <= _HIGHEST and float(cell).is_integer()
