"""Grades as words: what a column of them is read as, by the mapping that was given or by what the words say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from rankdash.arrow import codes, from_numpy
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.headings import missing_column
from rankdash.reading.source.advice import advice
from rankdash.reading.source.problems import ReadError, listed, printable, refuse
from rankdash.reading.values.column_collector import nulls
from rankdash.reading.values.grade_words import folded, proposed
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, encoded, is_text
from rankdash.reading.words.blanks import BLANKS
from rankdash.tables import ONE_GRADE

_MOST_WORDS, _MOST_EXACT = 50, 1e15
_BLANKS = frozenset(blank.casefold() for blank in BLANKS)


def graded(grid: Grid, wished: Mapping[str, float]) -> Grid:
    """Return the Grid with numbers in place of grade words: those ``wished``, or those of a scale that has all words.

    A Grid without words is returned as it is. ReadError where a grade that is wished is not a finite number.
    """
    as_words = grid.as_text
    if as_words is not None:
        grid = replace(grid, as_text=lambda: graded(as_words(), wished))
    column = grid.columns.get("relevance")
    if column is None or not (wished or is_text(column.type) or pa.types.is_dictionary(column.type)):
        return grid
    try:
        column = encoded(as_text(column)[0])
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return grid
    values = [*column.dictionary.to_pylist(), ""]
    grades, notes = _as_wished(grid.name, values, wished) if wished else _as_said(values)
    grid = replace(grid, notes=(*grid.notes, *notes))
    if not grades:
        return grid
    texts = pa.array([_written(grades[word]) if word in grades else word for word in values], pa.string())
    place = np.where(nulls(column), len(values) - 1, codes(column)).astype(np.int64)
    return replace(grid, columns={**grid.columns, "relevance": texts.take(from_numpy(place))})


def _as_said(values: Sequence[str]) -> tuple[dict[str, float], list[str]]:
    """Return the grade of each word by a scale or the number in it; empty where there are too many words
    for a scale.
    """
    words = [word for word in values if not is_number(word) and word.strip().casefold() not in _BLANKS]
    grades = proposed(words, alone=not any(map(is_number, values))) if len(words) <= _MOST_WORDS else {}
    return grades, [advice("words_as_grades", grades=_listed(grades))] if grades else []


def _as_wished(file: str, values: Sequence[str], wished: Mapping[str, float]) -> tuple[dict[str, float], list[str]]:
    """Return the wished grade of each value, matched exactly, else without case, width and white space around it.

    The second way is used only if it does not make words with different grades equal.
    """
    given = {str(word): _finite(file, word, grade) for word, grade in wished.items()}
    alike: dict[str, set[str]] = {}
    for word in given:
        alike.setdefault(folded(word), set()).add(word)
    loose = {key: words for key, words in alike.items() if len({given[word] for word in words}) == 1}
    sources = {value: {value} if value in given else loose.get(folded(value), set()) for value in values}
    grades = {value: given[min(words)] for value, words in sources.items() if words}
    unused = [word for word in given if word not in set().union(*sources.values())]
    notes = [f"Words were read as grades: {_listed(grades)}, as asked."] if grades else []
    return grades, notes + ([f"A grade was given for {listed(unused)}, which no row has."] if unused else [])


def _finite(file: str, word: object, grade: object) -> float:
    try:
        number = float(grade)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        what = f'the grade of "{printable(str(word))}" is to be {printable(str(grade))}, which is no finite number'
        raise refuse("bad_option", file, what, "Give each word a number such as 3 or 0.5.")
    return number + 0.0


def _written(grade: float) -> str:
    """Return a grade as text that reads as exactly this number, also beside decimal commas."""
    return f"{grade:.17e}"


def _listed(grades: Mapping[str, float]) -> str:
    pairs = sorted(grades.items(), key=lambda pair: -pair[1])[:_MOST_WORDS]
    return ", ".join(f"{printable(word)} = {_shown(grade)}" for word, grade in pairs) + (
        ", …" if len(grades) > _MOST_WORDS else ""
    )


def _shown(grade: float) -> str:
    return str(int(grade)) if grade.is_integer() and abs(grade) < _MOST_EXACT else repr(grade)


def with_one_grade(grid: Grid, *, supposing: bool) -> Grid:
    """Return the Grid with grade 1 for every document, as golden sets and interactions mean it, with a note.

    ReadError where nothing may be supposed.
    """
    if not supposing:
        raise ReadError((missing_column(grid.name, "relevance", grid.headings, "judgments"),))
    return replace(
        grid, columns={**grid.columns, "relevance": from_numpy(np.ones(grid.rows))}, notes=(*grid.notes, ONE_GRADE)
    )
