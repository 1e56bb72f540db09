"""Rank or score: what the numbers of a table without headings are, decided by what they hold and by nothing else.

Ranks count each list from 1, or each from 0, in whatever order its rows stand. Scores fall along the ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Role = Literal["rank", "score", ""]

_LEAST, _MOST = -2, 5
#: A list of two rows with the numbers 0 and 1 may as well have two grades.
_TELLING = 3
#: From here on whole numbers are times, in seconds or parts of seconds since 1970 (from 1973 on), or ids, and no ranks.
_TIMES = 10**8
#: Beyond the grades and gains of every scale, where all numbers are.
_NO_GRADE = 1_000


@dataclass(frozen=True)
class RowsByQuery:
    """The rows of a table by query: ``order`` (rows,) puts the rows of a list together as they stood; by this order,
    ``number`` (rows,) counts the lists and ``place`` (rows,) the rows of each, from 0.
    """

    order: npt.NDArray[np.intp]
    number: npt.NDArray[np.intp]
    place: npt.NDArray[np.intp]

    @classmethod
    def of(cls, query: Ints) -> RowsByQuery:
        """Return the lists of the codes of the queries, (rows,)."""
        order = np.argsort(query, kind="stable")
        first = np.append(True, query[order][1:] != query[order][:-1])[: len(order)]
        starts = np.flatnonzero(first)
        place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
        return cls(order, np.cumsum(first) - 1, place)

    @property
    def longest(self) -> int:
        """The most rows that a list has."""
        return int(self.place.max(initial=-1)) + 1

    def steps(self, values: Floats) -> Floats:
        """Return by how much numbers, (rows,), rise from each row to the next of its list."""
        return self._inside(values[self.order])

    def count(self, values: Floats) -> bool:
        """Return whether numbers, (rows,), go 1, 2, 3, …, or 0, 1, 2, …, from row to row of each list."""
        return self.longest > 1 and _is_constant(values[self.order] - self.place)

    def are_ranks(self, values: Floats) -> bool:
        """Return whether numbers, (rows,), are 1, 2, 3, …, or 0, 1, 2, …, in each list, in any order of its rows."""
        if self.longest < 2 or values.min() not in (0, 1) or values.max() > self.longest:
            return False
        return self.count(values) or _is_constant(self._sorted(values) - self.place)

    def may_be_ranks(self, values: Floats) -> bool:
        """Return whether numbers, (rows,), are whole, none below 0, and none twice in a list: ranks, perhaps with
        gaps.
        """
        if not bool(((values >= 0) & (np.floor(values) == values)).all()) or are_times(values):
            return False
        return bool((self._inside(self._sorted(values)) > 0).all())

    def fall(self, score: Floats, rank: Floats) -> bool:
        """Return whether no score, (rows,), is above the one that stands one rank higher in its list."""
        by_rank = self.order[np.lexsort((rank[self.order], self.number))]
        return bool((self._inside(score[by_rank]) <= 0).all())

    def _inside(self, values: Floats) -> Floats:
        """Return the steps between numbers that stand list by list, those from one list to the next left out."""
        steps: Floats = np.diff(values)[self.place[1:] > 0]
        return steps

    def _sorted(self, values: Floats) -> Floats:
        """Return the numbers list by list, rising in each."""
        inside = values[self.order]
        result: Floats = inside[np.lexsort((inside, self.number))]
        return result


def _is_constant(values: Floats) -> bool:
    """Return whether all are 1, or all are 0."""
    return bool((values == 1).all() or (values == 0).all())


def roles(lists: RowsByQuery, numbers: Sequence[Floats]) -> tuple[Role, ...] | None:
    """Return what one or two columns of numbers, (rows,), are; None where they could be read in two ways.

    A number is NaN where there is none. Of a column that is neither the role is "".
    """
    return _alone(lists, numbers[0]) if len(numbers) == 1 else _both(lists, numbers[0], numbers[1])


def _alone(lists: RowsByQuery, values: Floats) -> tuple[Role] | None:
    """Return what the only column with numbers is. Lists stand best first: ranks rise and scores fall.

    Whole numbers that do neither may be both.
    """
    if lists.count(values):
        return ("rank",)
    falls = bool((lists.steps(values) <= 0).all())
    return None if lists.are_ranks(values) or (not falls and lists.may_be_ranks(values)) else ("score",)


def _both(lists: RowsByQuery, first: Floats, second: Floats) -> tuple[Role, ...] | None:
    """Return which column is the rank, and which the score, whatever order the rows stand in."""
    ranks = lists.are_ranks(first), lists.are_ranks(second)
    if all(ranks):
        return ("rank", "score") if np.array_equal(first, second) else None
    if any(ranks):
        rank, score = (first, second) if ranks[0] else (second, first)
        falls = lists.fall(score, rank)
        if lists.longest < _TELLING and not falls:
            return None
        other: Role = "score" if falls or not are_small(score) else ""
        return ("rank", other) if ranks[0] else (other, "rank")
    if are_times(first) or are_times(second):  # beside the ratings of users
        return None
    if lists.longest < 2:  # nothing is to be ordered, and a rank is the first
        return ("rank", "score") if _is_constant(first) else ("score", "rank") if _is_constant(second) else None
    may = lists.may_be_ranks(first), lists.may_be_ranks(second)
    if may == (True, False) and lists.fall(second, first):
        return ("rank", "score")
    return ("score", "rank") if may == (False, True) and lists.fall(first, second) else None


#: So many raters have averages that are told from scores, and so far may an average be rounded.
_RATERS, _ROUNDED = range(2, 7), 0.0051
#: So many rows are looked at before all of them.
_FIRST_ROWS = 1 << 10


def are_small(values: Floats) -> bool:
    """Return whether all numbers are whole and as small as grades are: from -2 (spam in TREC's qrels) to 5 (stars)."""
    return bool(np.all((values >= _LEAST) & (values <= _MOST) & (np.floor(values) == values)))


def are_times(values: Floats) -> bool:
    """Return whether all numbers are whole and as large as times are, counted from 1970."""
    return bool(len(values) and np.all((values >= _TIMES) & (np.floor(values) == values)))


def are_large(values: Floats) -> bool:
    """Return whether all numbers are whole, and none is as small as grades and gains are."""
    return bool(len(values) and np.all((values >= _NO_GRADE) & (np.floor(values) == values)))


def are_scores(values: Floats) -> bool:
    """Return whether numbers without a name are scores, and no grades: most are no whole numbers, and they are not
    averages of a few raters, such as 1.5 and 2.67.

    A number is NaN where there is none.
    """
    there = values[~np.isnan(values)]
    broken = there[np.floor(there) != there]
    if len(broken) * 2 <= len(there):
        return False
    if broken.min() < 0 or there.min() < _LEAST or there.max() > _MOST:
        return True
    return not any(bool((np.abs(there * n - np.round(there * n)) <= n * _ROUNDED).all()) for n in _RATERS)


def are_no_grades(values: Floats) -> bool:
    """Return whether numbers that are given for grades cannot be any: most are no whole numbers, and some of these are
    negative, as no scale of grades has them. Probabilities and other continuous grades can be grades.

    A number is NaN where there is none.
    """
    there = values[~np.isnan(values)]
    broken = there[np.floor(there) != there]
    return bool(len(broken) * 2 > len(there) and broken.min() < 0)


def are_rising(values: Floats, query: Ints) -> bool:
    """Return whether numbers, (rows,), rise from each row of a query to its next one, wherever that stands.

    Without two rows of one query they do not.
    """
    neighbours = np.diff(values[:_FIRST_ROWS])[np.diff(query[:_FIRST_ROWS]) == 0]
    if (~(neighbours > 0)).any():  # most lists tell by their first rows
        return False
    steps = RowsByQuery.of(query).steps(values)
    return bool(len(steps)) and bool((steps > 0).all())


def are_falling(values: Floats, query: Ints, *, ties: bool = False) -> bool:
    """Return whether numbers, (rows,), fall from row to row of each query, as scores of a list do; ``query``: codes,
    (rows,). With ``ties`` neighbours may be equal.

    Without two rows of one query, or without any that falls, they do not.
    """
    steps = RowsByQuery.of(query).steps(values)
    return bool(len(steps) and (steps < 0).any() and (steps <= 0 if ties else steps < 0).all())
