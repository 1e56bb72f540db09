"""Numbers without headings: read as the rank, the score or the grade by what all of their cells hold, or asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import as_numpy, codes, from_numpy
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.headless import columns_note
from rankdash.reading.columns.orders import (
    Floats,
    Ints,
    Role,
    RowsByQuery,
    are_falling,
    are_large,
    are_no_grades,
    are_scores,
    are_small,
    are_times,
    roles,
)
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import Problem, ReadError, listed, refuse
from rankdash.reading.source.unread import not_read
from rankdash.reading.values.parsing import encoded, numbers
from rankdash.reading.words.headings import MEANING

#: Grades are seldom larger than this, and ranks soon are.
_LARGEST_GRADE = 3
#: So few rows do not tell that columns are exchanged, or that numbers are scores.
_TELLING = 10
MAY_BE_SCORES = "Most grades are no whole numbers, as the scores of a run are: if this is a run, give it as one."
MAY_BE_ORDER = "The grades fall down every list, or count through it: if these are scores or ranks, give them as a run."
#: What to do where numbers without a name are grades all the same.
NAME_ABOVE = "put a header line with relevance above it"
NAME_BESIDE = "give records with a name for each value, such as relevance"
#: The words of a TREC run, by what they are.
_PLACES = {"rank": "4", "score": "5"}


def with_order(grid: Grid, undecided: Sequence[str], wishes: Mapping[str, str]) -> Grid:
    """Return the Grid of a run with its ``undecided`` columns called rank or score, and a note on all columns.

    ``wishes`` are the columns that a person chose. ReadError where both readings are possible, or where the numbers may
    as well be grades.
    """
    names = _decided(grid, undecided, wishes)
    columns = {names.get(name, name): column for name, column in grid.columns.items()}
    again = grid.as_text
    if "rank" in names.values() and pa.types.is_floating(columns["rank"].type):
        columns["rank"] = from_numpy(as_numpy(columns["rank"]).astype(np.int32))
        again = None  # there is nothing else in these cells
    further = [name for name in columns if name not in MEANING]
    notes = (columns_note(columns), *not_read("Further columns, which are only shown", further), *_exchange_note(grid))
    return replace(
        grid,
        columns=columns,
        notes=(*grid.notes, *notes),
        as_text=again and (lambda: _renamed(again(), names, notes)),
    )


def _renamed(grid: Grid, names: Mapping[str, str], notes: Sequence[str]) -> Grid:
    columns = {names.get(name, name): column for name, column in grid.columns.items()}
    return replace(grid, columns=columns, notes=(*grid.notes, *notes))


def _decided(grid: Grid, undecided: Sequence[str], wishes: Mapping[str, str]) -> dict[str, Role]:
    """Return which of the undecided columns are the rank and the score; the others keep their names."""
    if not undecided or "rank" in grid.columns:
        return {undecided[0]: "score"} if len(undecided) == 1 and "score" not in grid.columns else {}
    lists, values = RowsByQuery.of(_query(grid)), {name: _values(grid, name) for name in undecided}
    may_be_ranks = [name for name, own in values.items() if wishes.get("rank") != "" and lists.may_be_ranks(own)]
    if "score" in grid.columns:
        ranks = [name for name in may_be_ranks if lists.fall(_values(grid, "score"), values[name])]
        return {ranks[0]: "rank"} if len(ranks) == 1 else {}
    if wishes.get("rank") == "" and len(undecided) == 1:
        return {undecided[0]: "score"}
    decided = None if wishes.get("rank") == "" else roles(lists, [*values.values()])
    times = [name for name in undecided if are_times(values[name])] if decided is None else []
    if times:
        raise _of_users(grid, undecided, times)
    are_grades = decided != ("rank",) and len(undecided) == 1 and are_small(values[undecided[0]])
    if decided is None or are_grades:
        raise _unclear(grid, undecided, ranks=bool(may_be_ranks), grades=are_grades)
    return {name: role for name, role in zip(undecided, decided, strict=True) if role}


def _unclear(grid: Grid, undecided: Sequence[str], *, ranks: bool, grades: bool) -> ReadError:
    """Return the question which column is the rank and which the score, or what a column alone holds."""
    could = " or ".join(["the rank"] * ranks + ["the score"] + ["grades"] * grades)
    what = f"there is no header line, and {' and '.join(listed([name]) for name in undecided)} could be {could}"
    keys = ["rank"] * ranks + ["score"] * (len(undecided) == 1 or not ranks)
    problems = [
        Problem(
            "unclear",
            grid.name,
            what,
            allowed=advice(f"which_{key}", key=key, more=" Give grades as the judgments." if grades else ""),
            choice=Choice("columns", tuple(undecided), key),
        )
        for key in keys
    ]
    return ReadError(problems)


def _of_users(grid: Grid, undecided: Sequence[str], times: Sequence[str]) -> ReadError:
    """Return the problem of numbers beside times, as in ratings of users, given as a run."""
    what = f"there is no header line, and times stand in {listed(times)}, it seems, as beside ratings of users"
    allowed = advice("which_score", key="score", more=" Give ratings as the judgments.")
    return refuse("unclear", grid.name, what, allowed, Choice("columns", tuple(undecided), "score"))


def _exchange_note(grid: Grid) -> tuple[str, ...]:
    """Return the note on a table in which each query has one row and documents repeat, as if they were exchanged."""
    column = grid.columns["doc_id"]
    if (
        grid.rows < _TELLING
        or RowsByQuery.of(_query(grid)).longest > 1
        or 2 * pc.count_distinct(column).as_py() > grid.rows
    ):
        return ()
    return (
        "Each query has one document, and documents repeat: if the columns are exchanged, put their names above them.",
    )


def _query(grid: Grid) -> Ints:
    column = grid.columns["query_id"]
    return codes(column if pa.types.is_dictionary(column.type) else encoded(grid.ids("query_id").array))


def _values(grid: Grid, name: str) -> Floats:
    return numbers(grid.columns[name]).values.astype(np.float64, copy=False)


def with_rank_and_score(grid: Grid, wishes: Mapping[str, str]) -> Grid:
    """Return the Grid of a TREC run, whose fourth words are the rank and whose fifth are the score; exchanged where
    their numbers, or a person, say so.

    ReadError where the fifth count through each query, and the fourth could be either.
    """
    wished = {name: wishes.get(name, "").removeprefix("column ") for name in _PLACES}
    if wished["rank"] == "5" or wished["score"] == "4":
        return _exchanged(grid, "The fourth words were read as the score, the fifth as the rank, as asked.")
    lists, rank, score = RowsByQuery.of(_query(grid)), _values(grid, "rank"), _values(grid, "score")
    as_usual = wished["rank"] == "4" or wished["score"] == "5" or bool(np.isnan(rank).any())
    if as_usual or lists.are_ranks(rank) or not lists.are_ranks(score):
        return grid
    are_whole = bool((np.floor(rank) == rank).all())
    if are_whole and bool((lists.steps(score) <= 0).all()):  # as scores do in a file that stands best first
        return grid
    if are_whole or not lists.fall(rank, score):
        what = "the fifth words, the scores of a TREC run, count like ranks, and the fourth do not"
        allowed, choice = advice("which_rank", key="rank", more=""), Choice("columns", ("column 4", "column 5"), "rank")
        raise refuse("unclear", grid.name, what, allowed, choice)
    return _exchanged(grid, "The fifth words count and the fourth fall: they were read as the rank and the score.")


def _exchanged(grid: Grid, note: str) -> Grid:
    again = grid.as_text
    other = {"rank": "score", "score": "rank"}
    return replace(
        grid,
        columns={other.get(name, name): column for name, column in grid.columns.items()},
        notes=(*grid.notes, note),
        as_text=again and (lambda: _exchanged(again(), note)),
    )


def with_grades(grid: Grid) -> Grid:
    """Return the same Grid of judgments, with a note where its only numbers may be ranks or scores.

    ReadError where they are, and no grades.
    """
    if not pa.types.is_floating(grid.columns["relevance"].type):
        return grid
    values = as_numpy(grid.columns["relevance"])
    grid = replace(grid, notes=(*grid.notes, *_exchange_note(grid)))
    if are_large(values):
        what = "the numbers are ids or times, it seems, and no grades"
        raise refuse("other_kind", grid.name, what, f"Give a column of grades; if these are, {NAME_ABOVE}.")
    counts = RowsByQuery.of(_query(grid)).count(values)
    if counts and values.max() > _LARGEST_GRADE:
        raise _no_grades(grid.name, "ranks: they count through each query", NAME_ABOVE)
    check_grades(grid, NAME_ABOVE, are_scores)  # three columns could as well be a run
    in_order = values.max() > 1 if counts else are_falling(values, _query(grid)) and not are_small(values)
    return replace(grid, notes=(*grid.notes, MAY_BE_ORDER)) if in_order else grid


def check_grades(grid: Grid, otherwise: str, tell: Callable[[Floats], bool] = are_no_grades) -> None:
    """Raise ReadError where the numbers that stand for grades, and are not called so, are the scores of a run, as
    ``tell`` tells; ``otherwise`` is what to do where they are grades all the same.
    """
    column = grid.columns.get("relevance")
    if column is not None and tell(numbers(column).values.astype(np.float64, copy=False)):
        raise _no_grades(grid.name, "scores: most are no whole numbers", otherwise)


def check_unnamed(grid: Grid, otherwise: str) -> Grid:
    """Return a Grid whose grades have no name, with a note where they may be scores.

    ReadError where they cannot be grades, and where many of them fall down every list, as the scores of a run do.
    """
    check_grades(grid, otherwise)
    column = grid.columns.get("relevance")
    values = np.empty(0) if column is None else numbers(column).values.astype(np.float64, copy=False)
    if not len(values):
        return grid
    falls = len(values) >= _TELLING and are_falling(values, _query(grid))
    counts = len(values) >= _TELLING and RowsByQuery.of(_query(grid)).count(values)
    if are_scores(values):
        if falls:
            raise _no_grades(grid.name, "scores: most are no whole numbers, and they fall down every list", otherwise)
        return replace(grid, notes=(*grid.notes, MAY_BE_SCORES))
    # Best first with ties, as grades may be saved too, but without a 0.
    tied = len(values) >= _TELLING and values.min() > 0 and are_falling(values, _query(grid), ties=True)
    in_order = (falls or counts or tied) and not are_small(values)
    return replace(grid, notes=(*grid.notes, MAY_BE_ORDER)) if in_order else grid


def _no_grades(file: str, other: str, otherwise: str) -> ReadError:
    what = f"the numbers are {other}, it seems"
    return refuse("other_kind", file, what, f"Give the file as a run, or {otherwise}.")
