"""A column of grades for each rater, as Quepid exports a book: the grade of a document is the mean of those given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import as_numpy, from_numpy, from_strings
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import TIERS, key, words_of
from rankdash.reading.source.problems import SHOWN, Problem, ReadError, listed
from rankdash.reading.values.averages import Averages
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text
from rankdash.reading.words.headings import BOOK, MEASURES, Kind

#: What the name of a column with the grades of one rater begins with; no heading has it.
RATED = "\x1frated\x1f"
_HIGHEST = 10
#: What stands for a cell without a grade, and for one with something else.
_BLANK, _NO_GRADE = -1, -2
Grades = npt.NDArray[np.int8]
_ALLOWED = "Grades of raters are whole numbers from 0 to 10, or nothing. Else name the column with the grade relevance."
_MEANT = frozenset().union(*(tier for tiers in TIERS["run"].values() for tier in tiers))
_MEASURES = frozenset(map(key, MEASURES.split()))
#: What a spreadsheet may put behind a whole number.
_COMMA = re.compile(r"(?<=\d),00?$")
#: The names of people: two words or more that begin with a capital.
_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]*\.?([ '’-]+[^\W\d_a-z][^\W\d_]*\.?)+")


def raters_of(headings: Sequence[str], kind: Kind, taken: Mapping[int, str]) -> dict[int, str]:
    """Return the names for the columns of raters, by column number; empty where the headings are not those of a book,
    or one of them means something else, or measures something.
    """
    if kind != "judgments" or tuple(headings[: len(BOOK)]) != BOOK:
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
    grades = {name: _grades(grid.columns[name]) for name in names}
    _check(grid, grades)
    means, averages = _means(grades, grid.rows)
    columns = {name: column for name, column in grid.columns.items() if name not in names}
    columns["relevance"] = means
    titles = listed([grid.title(name) for name in names])
    note = f"Column {titles} was read as the grades of a rater."
    if len(names) > 1:
        note = f"Columns {titles} were read as the grades of raters."
    return replace(grid, columns=columns, notes=(*grid.notes, note, *averages.book_notes()), as_text=None)


def _grades(column: pa.Array) -> Grades:
    """Return the grade of each cell, (n,): _BLANK where there is none, _NO_GRADE where there is something else."""
    cells = as_text(column)[0].dictionary_encode()
    of_cells = np.array([*map(_grade, cells.dictionary.to_pylist()), _BLANK], np.int8)
    grades: Grades = of_cells[as_numpy(cells.indices.fill_null(len(of_cells) - 1))]
    return grades


def _grade(cell: str) -> int:
    cell = _COMMA.sub("", cell.strip())
    if not cell:
        return _BLANK
    return int(float(cell)) if _is_grade(cell) else _NO_GRADE


def _check(grid: Grid, grades: Mapping[str, Grades]) -> None:
    """Raise ReadError for the cells that are no grades, row by row."""
    bad = [(name, np.flatnonzero(of_rater == _NO_GRADE)) for name, of_rater in grades.items()]
    if not any(len(rows) for _, rows in bad):
        return
    places = sorted((row, at) for at, (_, rows) in enumerate(bad) for row in rows[:SHOWN].tolist())[:SHOWN]
    problems = []
    for row, at in places:
        name = bad[at][0]
        cell = str(as_text(grid.columns[name])[0][row]).strip()
        number = int(grid.row_of(np.array([row], np.int64))[0])
        problems.append(Problem("bad_value", grid.name, "is no grade", number, grid.title(name), cell, _ALLOWED))
    raise ReadError(problems, sum(len(rows) for _, rows in bad))


def _means(grades: Mapping[str, Grades], rows: int) -> tuple[pa.Array, Averages]:
    """Return the mean of each row as text, "" where nobody gave a grade, and how the means were made."""
    total, count = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    lowest, highest = np.full(rows, _HIGHEST, np.int8), np.zeros(rows, np.int8)
    for of_rater in grades.values():
        given = of_rater != _BLANK
        total += np.where(given, of_rater, 0)
        count += given
        np.minimum(lowest, of_rater, out=lowest, where=given)
        np.maximum(highest, of_rater, out=highest, where=given)
    spread = np.where(count > 0, highest - lowest, 0)
    # Each pair of a sum and a number is one mean, and there are few.
    pairs, of_row = np.unique(np.stack([total, count]), axis=1, return_inverse=True)
    texts = [repr(added / number) if number else "" for added, number in pairs.T.tolist()]
    raters = {name for name, of_rater in grades.items() if (of_rater != _BLANK).any()}
    several, differ = int((count > 1).sum()), int((spread > 0).sum())
    averages = Averages(raters, several=several, differ=differ, most=float(spread.max(initial=0)))
    return from_strings(texts).take(from_numpy(of_row.reshape(-1))), averages


def _is_grade(cell: str) -> bool:
    return is_number(cell) and 0 <= float(cell) <= _HIGHEST and float(cell).is_integer()
