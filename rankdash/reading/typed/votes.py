"""Votes that are typed or pasted by themselves: ``good, same, bad, bad``, counts ``60 100 40``, or ids with votes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.reading.readers import read_votes
from rankdash.reading.source.problems import ReadError
from rankdash.reading.values.vote_words import is_blank, reading_of
from rankdash.reading.words.votes import SIGNS
from rankdash.tables import Source, Votes

#: More votes than these come as a file.
MOST_VOTES = 1_000_000
_ALLOWED = (
    "Use good, same and bad, seen from B: one word for each query, a line for each query with its id first, or three "
    "counts, as in good 60, same 100, bad 40."
)
_WHICH_IS_A = "Give these votes as a file, which asks for it, or write good, same and bad, seen from B."
_MOST_PROBLEMS = 20
_LONGEST_SHOWN = 40
_BETWEEN_CELLS = re.compile(r"[,;\t，；、]")
_BETWEEN_COUNTS = re.compile(r"[\s,;:/|=，；：、]+")
#: Three numbers that could be votes on a scale as well as counts.
_SCALE = 2
_Row = tuple[str, str]


class VotesError(ValueError):
    """Votes that cannot be read: one sentence per line, each with the text and what is allowed."""


@dataclass(frozen=True)
class _TypedWords:
    """Votes word by word, one query each unless ``ids`` name the queries; ``notes`` say what was decided."""

    words: Sequence[str]
    ids: Sequence[str] | None = None


def typed_votes(text: str) -> Votes:
    """Return votes that were typed into a field. Queries without an id are numbered from 1.

    VotesError for a word that is not a vote, and for a text with several possible meanings.
    """
    counts = _counts(text)
    if counts is not None:
        totals = ", ".join(f"{n} {vote}" for vote, n in counts.items())
        ids = arrow.from_numpy(np.arange(1, sum(counts.values()) + 1)).cast(pa.string())
        which = np.repeat(np.arange(len(counts)), [*counts.values()])
        words = arrow.from_strings([*counts]).take(arrow.from_numpy(which))
        return _table(text, (ids, words), (f"Read as counts of queries: {totals}.",))
    lines = [line for line in text.splitlines() if line.strip()]
    typed = _with_ids(lines) or _by_word(lines)
    try:
        return _read(text, typed)
    except VotesError:
        table = _as_file(text) if len(lines) > 1 else None
        if table is None:
            raise
        return table


def _counts(text: str) -> dict[str, int] | None:
    """Return numbers of good, same and bad: three bare numbers, or each with its word; None for any other text."""
    tokens = [token for token in _BETWEEN_COUNTS.split(text.strip()) if token]
    numbers = [int(token) for token in tokens if re.fullmatch(r"\d{1,9}", token)]
    words = [token for token in tokens if not re.fullmatch(r"\d+", token)]
    if len(tokens) > 2 * len(("good", "same", "bad")) or len(numbers) + len(words) < len(tokens):
        return None
    votes = [*reading_of(words).votes.values()]
    if words and (len(words) != len(numbers) or not {*votes} <= {"good", "same", "bad"} or len({*votes}) < len(words)):
        return None
    if len(numbers) < 2 or (not words and len(numbers) != len(("good", "same", "bad"))):
        return None
    if words and "\n" in text.strip() and tokens[0].isdecimal() and tokens[1] == words[0]:
        raise VotesError("A number before each vote could be an id or a count. Write good 60, bad 40, or q60 as an id.")
    if not words and max(numbers) <= _SCALE:
        raise VotesError(f'"{text.strip()}" could be three votes or three counts. {_ALLOWED}')
    if sum(numbers) > MOST_VOTES:
        raise VotesError(f"{sum(numbers):,} votes are counted; at most {MOST_VOTES:,} are read here.")
    named = dict(zip(votes or ("good", "same", "bad"), numbers, strict=True))
    return {vote: named.get(vote, 0) for vote in ("good", "same", "bad")}


def _cells(line: str) -> list[str]:
    """Return the cells of a line: between commas, semicolons or tabs, else its words."""
    cells = [cell.strip() for cell in _BETWEEN_CELLS.split(line)]
    return cells if len(cells) > 1 else line.split()


def _with_ids(lines: Sequence[str]) -> _TypedWords | None:
    """Return lines that begin with the id of a query, which is not a vote; further cells are votes. None for any other
    text.
    """
    rows = [_cells(line) for line in lines]
    if not rows or min(map(len, rows)) < 2 or (len(rows) == 1 and "\t" not in lines[0]):
        return None
    for body in (rows, rows[1:]):  # with a line of names above them
        votes = [cell for row in body for cell in row[1:]]
        ids = [row[0] for row in body for _ in row[1:]]
        if votes and _are_votes(votes) and not any(map(_is_word, ids)) and any(map(_is_word, votes)):
            return _TypedWords(votes, ids)
    return None


def _is_word(cell: str) -> bool:
    """Return whether a cell is a vote in words; a number may be an id."""
    return not re.fullmatch(r"[-+−]?\d+", cell) and (cell in SIGNS or bool(reading_of([cell]).votes))


def _are_votes(cells: Sequence[str]) -> bool:
    reading = reading_of(SIGNS.get(cell, cell) for cell in cells)
    return bool(reading.votes) and not reading.unknown and not reading.doubt


def _by_word(lines: Sequence[str]) -> _TypedWords:
    """Return one vote after another. VotesError where several lines hold several votes, which may be of several
    raters.
    """
    rows = [[*_split(line)] for line in lines]
    if len(rows) > 1 and max(map(len, rows)) > 1 and _are_votes([cell for row in rows for cell in row if cell]):
        raise VotesError(
            "Several lines hold several votes, so that a line could be one query or many. Put all votes on one line, "
            "one on each line, or the id of its query at the beginning of each line."
        )
    return _TypedWords([cell for row in rows for cell in row])


def _split(line: str) -> Iterator[str]:
    """Yield the votes of a line: its cells, or the words of a cell that is not a vote as a whole (“B better” is one
    vote).
    """
    for cell in _BETWEEN_CELLS.split(line.strip().rstrip(",;，；、")):
        whole = cell.strip()
        if not whole or whole in SIGNS or reading_of([whole]).votes:
            yield whole
        else:
            yield from whole.split()


def _read(text: str, typed: _TypedWords) -> Votes:
    """Return the votes as a table, or an error for each word that is none."""
    words = [SIGNS.get(word, word) for word in typed.words]
    reading = reading_of(words)
    if reading.doubt:
        raise VotesError(f"{reading.doubt[:1].upper()}{reading.doubt[1:]}. {_ALLOWED}")
    rows, wrong = list[_Row](), list[str]()
    for at, word in enumerate(words):
        query_id = str(at + 1) if typed.ids is None else typed.ids[at]
        vote = reading.votes.get(word)
        if vote in ("left", "right") or (vote is None and not is_blank(word)):
            wrong.append(f'Vote {at + 1:,}: "{word[:_LONGEST_SHOWN]}" is no vote. {_ALLOWED}')
        elif vote is not None:
            rows.append((query_id, vote))
    if wrong:
        more = len(wrong) - _MOST_PROBLEMS
        raise VotesError("\n".join([*wrong[:_MOST_PROBLEMS], *([f"And {more:,} more."] if more > 0 else [])]))
    if not rows:
        raise VotesError(f"There is no vote. {_ALLOWED}")
    if len(words) > MOST_VOTES:
        raise VotesError(f"{len(words):,} votes are typed; at most {MOST_VOTES:,} are read here.")
    left_out = len(words) - len(rows)
    columns = [arrow.from_strings([*column]) for column in zip(*rows, strict=True)]
    return _table(
        text, columns, (*reading.notes, *([f"Without a vote, and left out: {left_out:,}."] if left_out else []))
    )


def _as_file(text: str) -> Votes | None:
    """Return the votes of a file with named columns; None where the text is no such file. VotesError where models are
    named, and nothing decides which of them is A.
    """
    try:
        votes = read_votes(text.encode())
    except ReadError as error:
        if any(choice.option == "pair" for choice in error.choices):
            what = error.problems[0].what
            raise VotesError(f"{what[:1].upper()}{what[1:]}. {_WHICH_IS_A}") from None
        return None
    return replace(votes, source=_source(text, len(votes.table), votes.source.notes))


def _table(text: str, columns: Sequence[pa.Array], notes: tuple[str, ...]) -> Votes:
    return Votes(pa.Table.from_arrays([*columns], ["query_id", "vote"]), _source(text, len(columns[0]), notes))


def _source(text: str, rows: int, notes: tuple[str, ...]) -> Source:
    return Source("typed votes", hashlib.sha256(text.encode()).hexdigest(), rows, notes=notes)
