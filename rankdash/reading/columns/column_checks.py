"""The columns with a meaning, checked: no id is empty, what orders a list is a number, a grade is a number or blank."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import from_numpy
from rankdash.reading.columns.alike import documents_alike, queries_alike
from rankdash.reading.columns.grid import IDS, NUMBERS, Grid
from rankdash.reading.columns.synonyms import MEANING
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import BadCells, check, printable, refuse
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import Ids, Numbers, as_text, encoded, is_text, numbers
from rankdash.tables import OrderedBy

#: What to do about a cell that is no number.
ALLOWED = {
    "relevance": advice("grade_words"),
    "rank": "Use 1, 2, 3, …",
    "score": "Use a number such as 12.5, or add a column rank.",
}


_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_SCORES_BESIDE_RANKS = "Use a number such as 12.5; nan leaves the order to the rank."
#: Up to here every whole number is a float64 of its own.
_EXACT = 2**53 - 1


@dataclass(frozen=True)
class Checked:
    """The columns of a Grid as a Run has them (and ``model``, encoded), the order, and what was decided."""

    columns: Mapping[str, pa.Array]
    order: OrderedBy
    notes: tuple[str, ...]


def checked(grid: Grid, order: OrderedBy) -> Checked:
    """The columns of the Grid, of the types that tables.py promises. ReadError with all bad cells."""
    named = {name: _ids(grid, name) for name in IDS if name in grid.columns}
    counts = {name: _numbers(grid, name) for name in NUMBERS if name in grid.columns}
    grid, named, counts = _without_blank_rows(grid, named, counts)
    bad = [cells for name, found in named.items() for cells in _empty_ids(grid, name, found)]
    notes = [note for name, found in named.items() for note in _id_notes(grid, name, found)]
    notes += [f'Column "{grid.title(name)}": {note}' for name, found in counts.items() for note in found.notes]
    if order == "rank" and "rank" in counts:
        bad += _bad_numbers(grid, "rank", counts["rank"], blanks=True)
    elif "rank" in counts and len(counts["rank"].missing):
        if grid.order == "score":  # white space within an id moves all that follows
            bad += _bad_numbers(grid, "rank", counts["rank"], blanks=False)
        unused = counts.pop("rank")
        notes.append(f"The ranks are not used: {_rows(len(unused.missing))} no number there.")
        notes += _first_bad(grid, "rank", unused)
    if "score" in counts and (n := len(counts["score"].missing)):
        if order == "score" and "rank" not in counts:
            bad += _bad_numbers(grid, "score", counts["score"], blanks=True)
        elif order == "score":
            bad += _words_for_scores(grid, counts["score"])
            notes.append(f"{_rows(n)} no finite score; their queries are ordered by rank.")
        else:
            notes.append(f"{_rows(n)} no finite score; the order does not need it.")
        notes += _first_bad(grid, "score", counts["score"])
    if "score" in counts and order == "score" and (n := int((np.abs(counts["score"].values) > _EXACT).sum())):
        notes.append(f"{_rows(n)} a score beyond {_EXACT:,}: scores that differ in their last digits alone are equal.")
    if "relevance" in counts:
        bad += _bad_numbers(grid, "relevance", counts["relevance"], blanks=False)
        if n := len(counts["relevance"].blank):
            notes.append(f"{_rows(n)} no grade: not judged.")
    check(grid.name, bad, grid.row_of)
    columns = {name: values for name, values in grid.columns.items() if name not in (*IDS, *NUMBERS)}
    columns |= {name: found.array if name == "doc_id" else encoded(found.array) for name, found in named.items()}
    columns |= {name: _array(name, found) for name, found in counts.items()}
    notes += queries_alike(columns["query_id"])
    notes += documents_alike(columns["doc_id"]) if "doc_id" in columns else []
    return Checked(columns, order, (*grid.notes, *notes))


def counted(query: npt.NDArray[np.int32], rank: npt.NDArray[np.generic]) -> list[str]:
    """Notes on ranks that leave gaps or repeat, by query; at most two."""
    same, step = query[1:] == query[:-1], np.diff(rank.astype(np.float64, copy=False))
    first = np.append(0, np.flatnonzero(~same) + 1)
    ones = len(query) and bool((step[same] == 1).all() and (rank[first] <= np.int32(1)).all())
    if ones and len(np.unique(query[first])) == len(first):  # as ranks nearly always stand
        return []
    order = np.lexsort((rank, query))
    query, rank = query[order], rank[order]
    same, step = query[1:] == query[:-1], np.diff(rank.astype(np.float64, copy=False))
    first = np.append(0, np.flatnonzero(~same) + 1)
    late = query[first][rank[first] > np.int32(1)]
    gaps = len(np.unique(np.append(late, query[1:][same & (step > 1)])))
    twice = len(np.unique(query[1:][same & (step == 0)]))
    notes = []
    if gaps:
        notes.append(f"In {_queries(gaps)} the ranks have gaps; positions are counted anew.")
    if twice:
        notes.append(f"In {_queries(twice)} ranks repeat; rows of equal rank keep their order.")
    return notes


def _ids(grid: Grid, name: str) -> Ids:
    try:
        column = grid.columns[name]
        if name == "doc_id" and pa.types.is_dictionary(column.type):
            column = as_text(column)[0]
        return replace(grid, columns={name: column}).ids(name)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise _unfit(grid, name, "ids") from None


def _numbers(grid: Grid, name: str) -> Numbers:
    try:
        return numbers(grid.columns[name], counting=name == "rank")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise _unfit(grid, name, "numbers") from None


def _unfit(grid: Grid, name: str, wanted: str) -> Exception:
    return refuse(grid.name, f'column "{grid.title(name)}" holds {grid.columns[name].type}, not {wanted}')


def _without_blank_rows(
    grid: Grid, named: dict[str, Ids], counts: dict[str, Numbers]
) -> tuple[Grid, dict[str, Ids], dict[str, Numbers]]:
    """The same without the rows that have neither an id nor a number (spreadsheets append them)."""
    absent = [found.empty for found in named.values()] + [found.blank for found in counts.values()]
    blank = reduce(np.intersect1d, absent) if all(map(len, absent)) else np.zeros(0, np.int64)
    if not len(blank) or len(blank) == grid.rows:
        return grid, named, counts
    kept = np.setdiff1d(np.arange(grid.rows), blank)
    row_of = grid.row_of
    grid = replace(
        grid,
        columns={name: values.take(from_numpy(kept)) for name, values in grid.columns.items()},
        notes=(*grid.notes, f"{_rows(len(blank))} nothing in them and were left out."),
        row_of=lambda rows: row_of(kept[rows]),
    )
    return grid, {name: _ids(grid, name) for name in named}, {name: _numbers(grid, name) for name in counts}


def _empty_ids(grid: Grid, name: str, found: Ids) -> list[BadCells]:
    return [BadCells(found.empty, grid.title(name), f"{MEANING[name].words} is empty")]


def _id_notes(grid: Grid, name: str, found: Ids) -> list[str]:
    title, notes = grid.title(name), []
    if found.trimmed:
        ids_had = "1 id" if found.trimmed == 1 else f"{found.trimmed:,} ids"
        notes.append(f'White space around {ids_had} in column "{title}" was removed.')
    if found.armoured:
        notes.append(f'Column "{title}": {found.armoured:,} ids stood as ="…", as Excel keeps them; the id was read.')
    if found.disarmed:
        had, them = ("1 id", "it") if found.disarmed == 1 else (f"{found.disarmed:,} ids", "them")
        notes.append(f'Column "{title}": {had} stood behind an apostrophe that keeps spreadsheets from running {them}.')
    if found.typed:
        notes.append(f'Column "{title}" holds {found.typed}; they were read as text.')
    return notes


def _bad_numbers(grid: Grid, name: str, found: Numbers, *, blanks: bool) -> list[BadCells]:
    column, title = grid.columns[name], grid.title(name)
    choice = _words(column, found) if name == "relevance" and len(found.bad) else None
    cells = [BadCells(found.bad, title, "is not a number", ALLOWED[name], lambda row: str(column[row].as_py()), choice)]
    if blanks:
        cells.append(BadCells(found.blank, title, f"{MEANING[name].words} is empty", ALLOWED[name]))
    return cells


def _first_bad(grid: Grid, name: str, found: Numbers) -> list[str]:
    """A note on the first cell that should be a number and is none, where reading goes on without it."""
    if not len(found.bad):
        return []
    row = int(grid.row_of(found.bad[:1])[0])
    text = printable(str(grid.columns[name][int(found.bad[0])].as_py()))
    return [f'Column "{grid.title(name)}": "{text}" in row {row} is the first that is no finite number.']


def _words_for_scores(grid: Grid, found: Numbers) -> list[BadCells]:
    """The cells that are no numbers at all, not even infinite; where only the text tells, all that may be.

    (``settled`` then reads the text.)
    """
    column = grid.columns["score"]
    texts = {row: str(column[row].as_py()) for row in found.bad.tolist()}
    if is_text(column.type):
        bad = [row for row, text in texts.items() if not is_number(text) and not _NOT_FINITE.fullmatch(text.strip())]
    else:
        bad = list(texts) if grid.as_text is not None else []
    rows = np.array(bad, np.int64)
    return [BadCells(rows, grid.title("score"), "is not a number", _SCORES_BESIDE_RANKS, texts.__getitem__)]


def _words(column: pa.Array, found: Numbers) -> Choice:
    """The words that need a grade: the first 50 different ones."""
    words = dict.fromkeys(str(column[row].as_py()) for row in found.bad[:10_000].tolist())
    return Choice("grades", tuple(words)[:50])


def _array(name: str, found: Numbers) -> pa.Array:
    """float64, or int32 for ranks that are whole numbers."""
    values = found.values
    if name != "rank":
        return from_numpy(values.astype(np.float64, copy=False))
    whole = values.dtype == np.int32 or bool(np.all((np.floor(values) == values) & (np.abs(values) < 2**31)))
    return from_numpy(values.astype(np.int32, copy=False) if whole else values)


def _rows(n: int) -> str:
    return "1 row has" if n == 1 else f"{n:,} rows have"


def _queries(n: int) -> str:
    return "1 query" if n == 1 else f"{n:,} queries"
