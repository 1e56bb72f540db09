"""Grid, the result of every format's reader: named columns, not yet checked, and the place of each cell.

What numbers without a name are is decided here too, by what they hold and by nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import DISARMED, Text, as_numpy, codes, from_numpy
from rankdash.notes import Note, advise, detail, warning
from rankdash.reading.problems import SHOWN, BadCells, Choice, Problem, ReadError, Rows, check, listed, refuse
from rankdash.reading.source import Limits
from rankdash.reading.values import Ids, encoded, filled, is_text, parse_ids, parse_numbers
from rankdash.tables import OrderedBy

NUMBERS = ("rank", "score", "relevance")
IDS = ("query_id", "doc_id", "model")


@dataclass(frozen=True)
class Grid:
    """The columns of one source, in one chunk each.

    ``columns`` are keyed by canonical name, or by their own name where they have no known meaning; ``called`` maps
    canonical names to headings of the source. ``order`` is the order that the format prescribes, if any. ``row_of``
    converts data rows from 0 to rows as counted in the source, and ``first_row`` is the first of these (0: there is no
    file). ``format`` is what people call the format. ``tag`` is the only tag of a TREC run.
    """

    name: str
    columns: Mapping[str, pa.Array]
    called: Mapping[str, str]
    headings: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    order: OrderedBy | None = None
    row_of: Callable[[Rows], Rows] = lambda rows: rows + 1
    first_row: int = 0
    format: str = ""
    tag: str = ""

    @property
    def rows(self) -> int:
        """The number of data rows."""
        return len(next(iter(self.columns.values())))

    def first(self, rows: int) -> Grid:
        """Return the Grid of the first rows and the last one, which shows a second model below the first."""
        if self.rows <= rows + 1:
            return self
        return self.taking(np.append(np.arange(rows), self.rows - 1))

    def taking(self, kept: Rows, *notes: Note) -> Grid:
        """Return the Grid of some rows, (n,), with further notes."""
        row_of = self.row_of
        columns = {name: column.take(from_numpy(kept)) for name, column in self.columns.items()}
        return replace(self.noting(*notes), columns=columns, row_of=lambda rows: row_of(kept[rows]))

    def noting(self, *notes: Note) -> Grid:
        """Return the Grid with further notes."""
        return replace(self, notes=(*self.notes, *notes))

    def ids(self, name: str) -> Ids:
        """Return a column as ids. ReadError where its type cannot be one."""
        try:
            return parse_ids(self.columns[name], harmless=DISARMED in self.headings)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            raise unfit(self, name, "ids") from None

    def title(self, name: str) -> str:
        """Return what the source calls a column."""
        return self.called.get(name, name)


def unfit(grid: Grid, name: str, needed: str) -> ReadError:
    """Return the error for a column whose type cannot be read as ``needed``, "numbers" or "text"."""
    return refuse("bad_value", grid.name, f'column "{grid.title(name)}" holds {grid.columns[name].type}, not {needed}')


def not_read(what: str, names: Iterable[str], code: str = "not_read") -> tuple[Note, ...]:
    """Return a note that names what was not read, the first 20 and how many there are; nothing where there is none.

    >>> [note.phrase("shell") for note in not_read("Columns that were not read", ["a", "b"])]
    ['Columns that were not read: "a", "b".']
    """
    unread = tuple(dict.fromkeys(names))
    if not unread:
        return ()
    many = f" ({len(unread):,} in all)" if len(unread) > SHOWN else ""
    return (detail(code, f"{what}: {listed(unread)}{many}."),)


def bound(grid: Grid, limits: Limits) -> Grid:
    """Return the Grid. ReadError for an id, or another text, longer than one may be."""
    bad = []
    for name, column in grid.columns.items():
        most = min(limits.id, limits.cell) if name in IDS else limits.cell
        what, allowed = f"the text has more than {most:,} bytes", f"At most {most:,} are read. Give a shorter one."
        bad.append(BadCells("too_large", _longer(column, most), grid.title(name), what, allowed))
    check(grid.name, bad, grid.row_of)
    return grid


def _longer(column: pa.Array, most: int) -> Rows:
    """Return the data rows whose text has more than ``most`` bytes, (n,); no rows of a column that is not text."""
    if pa.types.is_dictionary(column.type):
        values = _longer(column.dictionary, most)
        used = as_numpy(pc.fill_null(column.indices.cast(pa.int64()), -1)) if len(values) else values
        return np.flatnonzero(np.isin(used, values))
    if column.get_total_buffer_size() <= most or not is_text(column.type):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.diff(Text.of(filled(column)).offsets) > most)


# --- rank, score or grade --------------------------------------------------------------------------------------------


Floats = npt.NDArray[np.float64]
#: Grades are whole numbers from -2 (spam in TREC's qrels) to 5 (stars), and averages of a few raters.
_LEAST, _MOST = -2, 5


@dataclass(frozen=True)
class Lists:
    """The rows of a table by query: ``order`` (rows,) puts the rows of a list together as they stand; by this order,
    ``number`` (rows,) counts the lists and ``place`` (rows,) the rows of each, from 0.
    """

    order: npt.NDArray[np.intp]
    number: npt.NDArray[np.intp]
    place: npt.NDArray[np.intp]

    @classmethod
    def of(cls, query: npt.NDArray[np.int32]) -> Lists:
        """Return the lists of the codes of the queries, (rows,)."""
        order = np.argsort(query, kind="stable")
        first = np.append(True, query[order][1:] != query[order][:-1])[: len(order)]
        starts = np.flatnonzero(first)
        place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
        return cls(order, np.cumsum(first) - 1, place)

    @classmethod
    def of_words(cls, queries: Iterable[str]) -> Lists:
        """Return the lists of rows by the names of their queries."""
        numbers: dict[str, int] = {}
        return cls.of(np.array([numbers.setdefault(name, len(numbers)) for name in queries], np.int32))

    @property
    def longest(self) -> int:
        """The most rows that a list has."""
        return int(self.place.max(initial=-1)) + 1

    def steps(self, values: Floats, by: Floats | None = None) -> Floats:
        """Return by how much numbers, (rows,), rise from row to row of a list, as they stand or ``by`` rank."""
        order = self.order if by is None else self.order[np.lexsort((by[self.order], self.number))]
        steps: Floats = np.diff(values[order])[self.place[1:] > 0]
        return steps


def are_ranks(lists: Lists, values: Floats) -> bool:
    """Return whether numbers, (rows,), are 1, 2, 3, …, or 0, 1, 2, …, in each list, in any order of its rows."""
    if lists.longest < 2 or np.isnan(values).any():
        return False
    inside = values[lists.order]
    offset = inside[np.lexsort((inside, lists.number))] - lists.place
    return bool((offset == 1).all() or (offset == 0).all())


def may_be_ranks(lists: Lists, values: Floats) -> bool:
    """Return whether numbers, (rows,), are whole, none below 0, and none twice in a list: ranks, perhaps with gaps."""
    if not bool(((values >= 0) & (np.floor(values) == values) & (values < 10**8)).all()):
        return False
    inside = values[lists.order]
    ordered = inside[np.lexsort((inside, lists.number))]
    return bool((np.diff(ordered)[lists.place[1:] > 0] > 0).all())


def are_grades(values: Floats) -> bool:
    """Return whether all numbers are whole and as small as grades are."""
    return bool(np.all((values >= _LEAST) & (values <= _MOST) & (np.floor(values) == values)))


def are_scores(values: Floats) -> bool:
    """Return whether numbers that are given for grades are scores: most are no whole numbers, and they are no averages
    of a few raters, such as 1.5 and 2.67. A number is NaN where there is none.
    """
    odd = values[np.floor(values) != values]
    broken = odd[~np.isnan(odd)]
    if len(broken) <= len(values) - len(odd):
        return False
    there = values[~np.isnan(values)]
    if broken.min() < 0 or there.max() > _MOST:
        return True
    return not any(bool((np.abs(there * n - np.round(there * n)) <= n * 0.0051).all()) for n in range(2, 7))


def are_falling(lists: Lists, values: Floats) -> bool:
    """Return whether numbers, (rows,), fall or stay from row to row of each list, and fall somewhere."""
    steps = lists.steps(values)
    return bool((steps < 0).any() and (steps <= 0).all())


#: What numbers without a heading are called, beside a query and a document.
UNNAMED = "column 3"


def _decide_numbers(grid: Grid) -> Grid:
    """Return the Grid of a run without headings, its column of numbers called rank or score.

    ReadError where both readings are possible, or where the numbers may as well be grades.
    """
    lists = Lists.of(codes(encoded(grid.ids("query_id").array)))
    values = parse_numbers(grid.columns[UNNAMED]).values.astype(np.float64)
    rises = bool((lists.steps(values) > 0).any())
    count, ranks, grades = are_ranks(lists, values), may_be_ranks(lists, values), are_grades(values)
    role = "rank" if count and bool((lists.steps(values) > 0).all()) else "score"
    if role == "score" and (count or grades or (ranks and rises) or np.isnan(values).any()):
        could = " or ".join(["the rank"] * ranks + ["the score"] + ["grades"] * grades)
        what = f"there is no header line, and {listed([UNNAMED])} could be {could}"
        keys = ["rank"] * ranks + ["score"]
        headings = ("column 1", "column 2", UNNAMED)
        asks = [(advise("choose_unnamed_column", key=own), Choice("columns", headings, own)) for own in keys]
        raise ReadError([Problem("unclear", grid.name, what, allowed=do, choice=choice) for do, choice in asks])
    columns = {role if name == UNNAMED else name: column for name, column in grid.columns.items()}
    columns |= {"rank": from_numpy(values.astype(np.int32))} if role == "rank" else {}
    text = f"There is no header line; {listed([UNNAMED])} was read as the {role} by what its numbers hold."
    return replace(grid.noting(warning("no_header", text)), columns=columns)


def check_unnamed(grid: Grid, kind: str, wishes: Mapping[str, str]) -> Grid:
    """Return the Grid of a table without headings, its numbers read by what all of them hold.

    ReadError where they could be something else.
    """
    if kind == "judgments" and pa.types.is_floating(grid.columns["relevance"].type) and not wishes:
        refuse_scores(grid)
        values = as_numpy(grid.columns["relevance"])
        lists = Lists.of(codes(encoded(grid.columns["query_id"])))
        if (are_ranks(lists, values) and values.max() > 3) or (len(values) and values.min() >= 1_000):
            what = "the numbers look like ranks, ids or times, not grades"
            do = "Give a column of grades, with its name above it: relevance."
            raise refuse("other_kind", grid.name, what, do, Choice("columns", (), "relevance"))
    return _decide_numbers(grid) if kind == "run" and not wishes else grid


def refuse_scores(grid: Grid) -> None:
    """Raise ReadError where numbers that are given for grades are the scores of a run."""
    if are_scores(as_numpy(grid.columns["relevance"])):
        what = "the numbers look like scores: most are not whole numbers"
        choice = Choice("columns", (*grid.headings,), "relevance")
        raise refuse("other_kind", grid.name, what, advise("run_or_grades", key="relevance"), choice)
