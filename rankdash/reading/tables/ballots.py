"""From a Grid to ballots: one entry per vote, whatever the form of the table. What words mean is decided elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.reading.columns.grid import Grid, unfit
from rankdash.reading.columns.synonyms import key
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import BadCells, check, listed, refuse, too_many
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, empty_cells, filled
from rankdash.reading.values.vote_words import is_blank, on_a_scale, reading_of
from rankdash.reading.words.headings import COUNTS, RATER, SHORT_RATER, VOTE_MEANINGS

Words = npt.NDArray[np.object_]
Bools = npt.NDArray[np.bool_]

_MOST_COUNTED = 20_000_000
_MEANT = frozenset(meaning.name for meaning in VOTE_MEANINGS)


@dataclass(frozen=True)
class Ballots:
    """Votes in the making: columns of text, one entry per vote, and the data row of each.

    ``texts`` are the distinct texts of all votes of the table, ``blanks`` those that were left out as no vote.
    """

    columns: Mapping[str, Words]
    row: npt.NDArray[np.int64]
    notes: tuple[str, ...] = field(default=())
    texts: frozenset[str] = frozenset()
    blanks: frozenset[str] = frozenset()

    def taken(self, rows: npt.NDArray[np.generic]) -> Ballots:
        """Return some of the votes."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        return replace(self, columns=columns, row=self.row[rows])

    def put(self, notes: Sequence[str] = (), **columns: Words) -> Ballots:
        """Return the same votes with some columns replaced, and notes added."""
        return replace(self, columns={**self.columns, **columns}, notes=(*self.notes, *notes))


def ballots_of(grid: Grid, names_model: Callable[[str], bool]) -> Ballots:
    """Return one entry per vote, without rows that have none. ReadError where there is no vote, or no query id.

    ``names_model`` tells whether a text names one of the two models, as far as they are named.
    """
    queries = grid.ids("query_id")
    rows = np.arange(grid.rows)
    columns = {name: _text(grid, name) for name in grid.columns if name in _MEANT and name != "query_id"}
    columns["query_id"] = np.array([*queries.array.to_pylist(), None], object)[:-1]
    counts = _count_columns(grid)
    if "vote" in columns:
        ballots = Ballots(columns, rows)
    elif counts:
        ballots = _counted(grid, columns, counts)
    else:
        ballots = _wide(grid, columns, _raters(grid, names_model))
    texts = frozenset(ballots.columns["vote"].tolist())
    blanks = frozenset(filter(is_blank, texts))
    _check_blanks(grid, columns, blanks)
    kept = np.array([text not in blanks for text in ballots.columns["vote"]], bool)
    blank = len(kept) - int(kept.sum())
    if not kept.any():
        raise refuse("empty", grid.name, "no row has a vote")
    notes = [f"{'1 vote is' if blank == 1 else f'{blank:,} votes are'} blank and left out."] if blank else []
    ballots = replace(ballots.taken(kept).put(notes), texts=texts - blanks, blanks=blanks)
    empty = np.intersect1d(empty_cells(filled(as_text(queries.array)[0])), ballots.row)
    check(grid.name, [BadCells("missing_value", empty, grid.title("query_id"), "the query id is empty")], grid.row_of)
    return ballots


def _check_blanks(grid: Grid, columns: Mapping[str, Words], blanks: Collection[str]) -> None:
    """Raise ReadError where a text that stands for no vote is the name of a model: nobody knows which is meant."""
    names = {text for name in ("model_a", "model_b") if name in columns for text in columns[name]} - {""}
    if double := sorted(names.intersection(blanks)):
        what = f"{listed(double)} stands for no vote, and is the name of a model"
        raise refuse("unclear", grid.name, what, "Give the model another name, or leave out the rows without a vote.")


def _text(grid: Grid, name: str) -> Words:
    """Return a column as text without white space around it."""
    try:
        values = filled(as_text(grid.columns[name])[0]).to_pylist()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise unfit(grid, name, "text") from None
    return np.array([value.strip() for value in values] + [None], object)[:-1]


def _raters(grid: Grid, names_model: Callable[[str], bool]) -> list[str]:
    """Return the columns with one rater's votes each: by their names, else because all of their cells are votes."""
    others = [name for name in grid.columns if name not in _MEANT]
    numbered = [name for name in others if re.fullmatch(RATER, key(name))]
    if numbered:
        return numbered
    voting = [name for name in others if _all_votes(grid, name, names_model)] or _on_scales(grid, others)
    if not voting:
        what = "there is no column for the vote"
        headings = listed(grid.headings or grid.columns)
        allowed = advice("choose_column", key="vote", found=headings, examples="verdict, preference", more="")
        raise refuse("missing_column", grid.name, what, allowed, Choice("columns", grid.headings, "vote"))
    return voting


def _on_scales(grid: Grid, names: Sequence[str]) -> list[str]:
    """Return the columns, two at least, that are numbered as raters are, short for them, and hold votes as numbers."""
    numbered = [name for name in names if re.fullmatch(SHORT_RATER, key(name))]
    texts = {text for name in numbered for text in _text(grid, name).tolist()}
    return numbered if len(numbered) > 1 and on_a_scale(texts) else []


def _all_votes(grid: Grid, name: str, names_model: Callable[[str], bool]) -> bool:
    texts = set(_text(grid, name).tolist())
    if not any(text and not is_blank(text) and not is_number(text) for text in texts):
        return False
    named = {text for text in texts if names_model(text)}
    reading = reading_of(texts - named)
    return bool(reading.votes or named) and not reading.unknown and not reading.doubt


def _wide(grid: Grid, columns: Mapping[str, Words], raters: Sequence[str]) -> Ballots:
    """Return a table with a column per rater: every row has as many votes as raters."""
    n, k = grid.rows, len(raters)
    spread = {name: np.repeat(values, k) for name, values in columns.items() if name != "rater"}
    spread["vote"] = np.array([_text(grid, name) for name in raters], object).reshape(k, n).T.reshape(-1)
    spread["rater"] = np.tile(np.array([*raters, None], object)[:-1], n)
    note = f"{k:,} {'column was' if k == 1 else 'columns were'} read as votes, one for each rater: {listed(raters)}."
    return Ballots(spread, np.repeat(np.arange(n), k), (note,))


def _count_columns(grid: Grid) -> dict[str, str]:
    """Return the columns with numbers of votes, by what they count; empty unless there is one for good, same and
    bad.
    """
    counted: dict[str, str] = {}
    for vote, names in COUNTS.items():
        for name in grid.columns:
            if name not in _MEANT and key(name) in names.split() and vote not in counted:
                counted[vote] = name
    return counted if len(counted) == len(COUNTS) else {}


def _counted(grid: Grid, columns: Mapping[str, Words], counts: Mapping[str, str]) -> Ballots:
    """Return a table with the number of good, same and bad votes of each query."""
    numbers = []
    for name in counts.values():
        texts = _text(grid, name)
        bad = np.array([i for i, text in enumerate(texts) if not re.fullmatch(r"\d{0,4}", text, re.ASCII)], np.int64)
        cells = BadCells("bad_value", bad, name, "is not a number of votes", "Use 0 … 9999.", texts.__getitem__)
        check(grid.name, [cells], grid.row_of)
        numbers.append(np.array([int(text or 0) for text in texts], np.int64))
    repeats = np.stack(numbers, axis=1).reshape(-1)
    if repeats.sum() > _MOST_COUNTED:
        raise too_many(grid.name, repeats.sum(), "votes", _MOST_COUNTED)
    rows = np.repeat(np.repeat(np.arange(grid.rows), len(counts)), repeats)
    spread = {name: values[rows] for name, values in columns.items()}
    spread["vote"] = np.repeat(np.tile(np.array([*counts], object), grid.rows), repeats)
    note = f"Columns {listed(counts.values())} were read as numbers of good, same and bad votes."
    return Ballots(spread, rows, (note,))
