"""Tables without a header line: what their columns are, by their number and by what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from rankdash.arrow import as_numpy, codes, from_numpy
from rankdash.reading.columns.grid import IDS, Grid
from rankdash.reading.columns.headings import Mapping, positional
from rankdash.reading.columns.iterations import ITERATION
from rankdash.reading.columns.synonyms import KINDS, MEANING, Wanted
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.vote_words import is_blank, on_a_scale, reading_of

Cells = list[list[str]]
_LEAST, _MOST = -2, 5
#: The columns of a table with a query and the votes of two raters.
_TWO_RATERS = 3


def by_position(
    file: str, rows: Cells, wanted: Wanted, *, white: bool = False, documents: int | None = None
) -> Mapping:
    """Return the meaning of the columns of a file without a header, by their number and by which have numbers.

    Words between ``white`` space without any number are prose or a log. ``documents`` is the column, from 0, that a
    person chose for the document ids.
    """
    width = len(rows[0])
    number = [all(j < len(row) and is_number(row[j]) for row in rows) for j in range(width)]
    iteration = width >= 4 and all(row[1].strip().lower() in ("q0", "0") for row in rows if len(row) > 1)
    if wanted == "judgments" and width == 4:
        iteration = iteration or (all(len(row) == 4 for row in rows) and has_iterations(rows, white=white))
    if wanted in ("run", "judgments") and are_raters(rows):
        what = (
            f"there is no header line, and each column behind the first holds votes, it seems: {KINDS[wanted].words}?"
        )
        raise refuse(
            "other_kind", file, what, f"Give the file as the votes, or put names above: {KINDS[wanted].header}."
        )
    if wanted == "run" and width == 2 and _are_queries(rows):
        raise refuse("other_kind", file, "these are queries (id, text), not a run", "Give the file as the queries.")
    texts = wanted in ("run", "judgments") and not (iteration or white) and _is_text_of_queries(rows)
    if documents is not None or (texts and wanted == "run"):
        names = _beside_texts(file, rows, wanted, documents)
    elif texts:
        names = None
    else:
        names = _names(width, number, iteration, wanted)
    if wanted == "votes" and width > 2 and are_raters(rows):
        names = ["query_id", *(f"rater {j}" for j in range(1, width))]
    if names is None:
        do = "column does" if width == 1 else "columns do"
        what = f"there is no header line, and {width} {do} not make {KINDS[wanted].words}"
        raise refuse("missing_column", file, what, f"Put the names of the columns above them: {KINDS[wanted].header}.")
    pairs = len({row[0] for row in rows}) < len(rows) and not (white and width > 2)
    if wanted == "run" and not any(number[1:]) and not pairs:
        what = "there is no header line and no rank or score, and rows are no pairs of query and document of a list"
        raise refuse("missing_column", file, what, f"Put the names of the columns above them: {KINDS[wanted].header}.")
    mapping = positional(names)
    read = ", ".join(MEANING[name].words for name in mapping.names.values() if name in MEANING)
    note = f"There is no header line; the columns were read as {read}."
    return replace(mapping, notes=(note,))


def has_iterations(rows: Cells, *, white: bool) -> bool:
    """Whether four columns are a query, an iteration or subtopic, a document and a grade, by the first rows.

    Both the second and the third could name documents: within a query documents repeat less. Numbers in the second
    that count through each query are ranks.
    """
    if not all(is_number(row[3]) for row in rows):
        return False
    second, third = (len({(row[0], row[at]) for row in rows}) for at in (1, 2))
    numeric = [all(is_number(row[at]) for row in rows) for at in (1, 2)]
    if numeric[1]:  # they could be ranks, beside documents in the second column
        return second * 2 <= len(rows) < third * 2
    if second < len(rows) or third < len(rows):
        return second < third or numeric[0]
    grades = are_small(np.array([float(row[3]) for row in rows]))
    return grades and (white or numeric[0]) and not (numeric[0] and _are_ranks(rows))


def are_raters(rows: Cells) -> bool:
    """Whether each row is a query that occurs once, and the vote of each rater: words, or numbers also below 0.

    Numbers from 0 to 2 are votes only where there are at least three raters, each with different votes.
    """
    width = len(rows[0])
    if (
        width < 2
        or len(rows) < 2
        or any(len(row) != width for row in rows)
        or len({row[0] for row in rows}) < len(rows)
    ):
        return False
    columns = [[row[j].strip() for row in rows] for j in range(1, width)]
    texts = {text for column in columns for text in column}
    if not all(text and is_number(text) for text in texts):
        reading = reading_of(sorted(texts))
        worded = any(not is_blank(text) and not is_number(text) for text in texts)
        return width > 2 and worded and bool(reading.votes) and not reading.unknown and not reading.doubt
    several = width > _TWO_RATERS and all(len({*column}) > 1 for column in columns)
    return on_a_scale(texts) and (several or min(map(float, texts)) < 0)


def _are_ranks(rows: Cells, column: int = 1) -> bool:
    """Whether the numbers in a column count 1, 2, 3, … or 0, 1, 2, … through each query."""
    seen: dict[str, list[float]] = {}
    for row in rows:
        seen.setdefault(row[0], []).append(float(row[column]))
    lists = [sorted(numbers) for numbers in seen.values()]
    return any(all(one == [*range(first, first + len(one))] for one in lists) for first in (0, 1))


def _are_queries(rows: Cells) -> bool:
    """Whether rows of two cells are different ids and texts of several words."""
    texts = sum(" " in row[1].strip() for row in rows if len(row) > 1)
    return len({row[0] for row in rows}) == len(rows) and texts * 2 > len(rows)


def _names(width: int, number: Sequence[bool], iteration: bool, wanted: Wanted) -> list[str | None] | None:
    if wanted == "models" or width < 2:
        return None
    if wanted == "queries":
        return ["query_id", "weight" if width == 2 and number[1] else "text", *_numbered(width)[2:]]
    if wanted == "votes":
        return ["query_id", "vote"] if width == 2 else None
    if wanted == "judgments":
        if iteration:
            return ["query_id", ITERATION, "doc_id", "relevance"] if width == 4 else None
        return ["query_id", "doc_id", "relevance"] if width >= 3 and not any(number[3:]) else None
    if iteration:
        return ["query_id", None, "doc_id", "rank", "score"] if width >= 5 else None
    names: list[str | None] = ["query_id", "doc_id"]
    if width > 3 and number[2] and number[3]:
        names += ["rank", "score"]
    elif width > 2 and number[2]:
        names += ["score"]
    elif any(number[2:]):
        return None
    return names + _numbered(width)[len(names) :]


def _is_text_of_queries(rows: Cells) -> bool:
    """Whether the second column is the same in all rows of a query, and some query has two rows: a document would
    differ.
    """
    said: dict[str, set[str]] = {}
    for row in rows:
        said.setdefault(row[0], set()).update(row[1:2])
    others = len(set(map(tuple, rows)))  # rows that are alike in everything tell nothing
    return len(said) < others and len(rows[0]) > 2 and all(len(values) == 1 for values in said.values())


def _beside_texts(file: str, rows: Cells, wanted: Wanted, documents: int | None) -> list[str | None] | None:
    """Return the columns of lists whose second column is not a document: a rank, documents, and perhaps a score.

    ReadError where several columns could be the documents. None where none can be.
    """
    width = len(rows[0])
    number = [all(j < len(row) and is_number(row[j]) for row in rows) for j in range(width)]
    free = [j for j in range(1, width) if j != documents]
    if any(len(row) != width for row in rows):
        return None
    rank = next((j for j in free if number[j] and wanted == "run" and _are_ranks(rows, j)), None)
    if documents is None:
        able = [j for j in free if j != rank and _may_name(rows, j)]
        able = [j for j in able if not any(" " in row[j].strip() for row in rows)] or able
        if len(able) != 1:
            raise _which_documents(file, able or free, width)
        documents = able[0]
    numbers = [j for j in free if number[j] and j not in (rank, documents)]
    names: list[str | None] = [*_numbered(width)]
    names[0], names[documents] = "query_id", "doc_id"
    if rank is not None:
        names[rank] = "rank"
    if len(numbers) == 1:
        names[numbers[0]] = "score" if wanted == "run" else "relevance"
    elif wanted == "judgments" or (rank is None and numbers):
        return None
    return names if wanted == "run" else [name if name in IDS or name == "relevance" else None for name in names]


def _may_name(rows: Cells, column: int) -> bool:
    """Whether the cells of a column may be documents: none twice in a query, and no numbers with decimals."""
    pairs = {(row[0], row[column]) for row in rows}
    return len(pairs) == len(rows) and not any(is_number(row[column]) and not row[column].isdecimal() for row in rows)


def _which_documents(file: str, able: Sequence[int], width: int) -> Exception:
    headings = tuple(f"column {j + 1}" for j in range(width))
    told = listed(headings[j] for j in able)
    what = (
        f"there is no header line, column 2 says the same in all rows of a query, and the document id could be {told}"
    )
    allowed = advice("choose_unnamed_column", key="doc_id")
    return refuse("unclear", file, what, allowed, Choice("columns", headings, "doc_id"))


def _numbered(width: int) -> list[str | None]:
    return [f"column {j + 1}" for j in range(width)]


def rank_or_score(grid: Grid) -> Grid:
    """Return the same Grid, its only number called rank where it counts 1, 2, 3, … (or 0, 1, 2, …) through
    each query.
    """
    if "score" not in grid.columns or "rank" in grid.columns or not grid.as_text:
        return grid
    values = as_numpy(grid.columns["score"])
    order, first, counts = _counting(grid, values)
    if not counts:
        return _no_grades(grid, values, order, first)
    columns = {name: column for name, column in grid.columns.items() if name != "score"}
    columns["rank"] = from_numpy(values.astype(np.int32))
    note = "The numbers count through each query and were read as ranks."
    return replace(grid, columns=columns, notes=(*grid.notes, note), as_text=None)


def _counting(grid: Grid, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return the rows by query, which of them are first, and whether the numbers count 1, 2, 3, … or 0, 1, 2, … in
    each.
    """
    query = codes(grid.columns["query_id"])
    order = np.argsort(query, kind="stable")
    first = np.concatenate(([True], query[order][1:] != query[order][:-1]))
    starts = np.flatnonzero(first)
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    counted = values[order] - place
    ones = np.array_equal(counted, np.ones(len(order))) or not counted.any()
    return order, first, bool(ones and place.any())


def grades(grid: Grid) -> Grid:
    """Return the same Grid. ReadError where its only numbers are ranks or scores, and no grades."""
    if not pa.types.is_floating(grid.columns["relevance"].type):
        return grid
    values = as_numpy(grid.columns["relevance"])
    found = ""
    if _counting(grid, values)[2] and values.max() > 3:
        found = "ranks: they count through each query"
    elif np.count_nonzero(np.floor(values) != values) * 2 > len(values):
        found = "scores: most are no whole numbers"
    if found:
        what = f"the numbers are {found}, it seems"
        raise refuse(
            "other_kind", grid.name, what, "Give the file as a run, or put a header line with relevance above it."
        )
    return grid


def are_small(values: np.ndarray) -> bool:
    """Whether all numbers are whole and as small as grades are: from -2 (spam in TREC's qrels) to 5 (stars)."""
    return bool(np.all((values >= _LEAST) & (values <= _MOST) & (np.floor(values) == values)))


def are_falling(values: np.ndarray, query: np.ndarray) -> bool:
    """Whether numbers, (rows,), fall from row to row of each query, as scores of a list do; ``query``: codes, (rows,).

    Without two rows of one query they do not.
    """
    order = np.argsort(query, kind="stable")
    steps = np.diff(values[order])[query[order][1:] == query[order][:-1]]
    return bool(len(steps) and np.all(steps < 0))


def _no_grades(grid: Grid, values: np.ndarray, order: np.ndarray, first: np.ndarray) -> Grid:
    """Return the same Grid. ReadError where its only numbers are as small as grades and rise within a query."""
    inside = values[order]
    if are_small(inside) and bool(np.any((np.diff(inside) > 0) & ~first[1:])):
        what = f"the numbers are grades, it seems: whole, from {_LEAST} to {_MOST}, and not in order"
        raise refuse(
            "other_kind", grid.name, what, "Give the file as the judgments, or put a header line with score above it."
        )
    return grid
