"""From a Grid to Votes: what each vote says, seen from B, and which model stood on the left; what was decided is noted.

The ballots are those of ``ballots.py``, the two models those of ``voted_pair.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rankdash.arrow import from_strings
from rankdash.orientation import Pair, letter_of, side_of
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import TIERS, key, meanings_of
from rankdash.reading.source.advice import advice
from rankdash.reading.source.problems import BadCells, Problem, ReadError, check, listed, refuse
from rankdash.reading.tables.ballots import Ballots, Bools, Words, ballots_of
from rankdash.reading.tables.voted_pair import VotedPair, voted_pair
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.vote_words import VoteReading, reading_of
from rankdash.reading.words.votes import BAD, GOOD, LEFT, RIGHT
from rankdash.tables import VOTE_COLUMNS, Source, Votes

_ALLOWED = "Use good, same, bad (seen from B), G, S, B, A, B, tie, or numbers by sign."
_UNCLEAR = "Write good, same and bad in its place."
#: Names of documents, as judgments have them: not "id", which may be that of a query.
_DOCUMENTS = frozenset().union(*TIERS["run"]["doc_id"][:-1])
_RANKS = frozenset().union(*TIERS["run"]["rank"])
_TURNED = {GOOD: BAD, BAD: GOOD}
_OTHER = {"A": "B", "B": "A"}


def votes_of(grid: Grid, pair: Pair | None, runs: Pair | None, *, chosen: bool = False) -> Votes:
    """Return the votes of the Grid on one pair of models, seen from B, without rows that have no vote.

    ``pair`` names the models A and B, ``runs`` are the names of the runs; ``chosen``: a person named the column of the
    votes. ReadError for words that are not votes, votes with two possible meanings, grades of documents, and models of
    which nothing tells which is A.
    """
    meant = [models for models in (pair, runs) if models is not None]
    every = ballots_of(grid, lambda text: any(side_of(text, models) for models in meant))
    if not chosen:
        _check_kind(grid, every)
    reading = reading_of(sorted(every.texts))
    voted = voted_pair(grid, every, reading, pair, runs)
    ballots = _seen_from_b(grid, voted, _VoteWords.of(grid, voted, reading))
    columns = {name: ballots.columns[name] for name in VOTE_COLUMNS if name in ballots.columns}
    arrays = [from_strings(values.tolist()) for values in columns.values()]
    notes = (*grid.notes, *ballots.notes, *_repeated(columns))
    source = Source(rows=grid.rows, first_row=grid.first_row, notes=notes, warnings=voted.warnings)
    return Votes(pa.Table.from_arrays(arrays, names=list(columns)), source, voted.names)


def _check_kind(grid: Grid, ballots: Ballots) -> None:
    """Raise ReadError for documents with ranks, and with numbers in a column that is called as grades or scores are,
    none of them below 0, or some not whole.
    """
    heading, names = grid.called.get("vote"), [*map(key, grid.headings)]
    if "doc_id" not in grid.columns and _DOCUMENTS.isdisjoint(names):
        return
    if heading is None and not _RANKS.isdisjoint(names):
        raise refuse("other_kind", grid.name, "documents have ranks: these are lists, not votes", "Give them as a run.")
    if heading is None or not meanings_of(heading, "run") & {"relevance", "score"} or not ballots.texts:
        return
    if all(map(is_number, ballots.texts)) and not _are_signed({*map(float, ballots.texts)}):
        what = f"documents have such numbers in column {listed([heading])} as grades are: these are judgments, it seems"
        raise refuse("other_kind", grid.name, what, advice("grades_or_votes", key="vote", column=heading))


def _are_signed(numbers: Set[float]) -> bool:
    """Return whether numbers are whole, and some below 0, as votes are on a scale with two sides."""
    return min(numbers) < 0 and all(number.is_integer() for number in numbers)


@dataclass(frozen=True)
class _VoteWords:
    """What the texts of votes say: ``by_name`` is a vote for a named model, ``by_word`` what they say as words."""

    by_name: Mapping[str, str]
    by_word: Mapping[str, str]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, grid: Grid, voted: VotedPair, reading: VoteReading) -> _VoteWords:
        """Return what the texts of some ballots say; ``reading`` is what they say where no model has a name.

        ReadError where a text is the name of a model, and nobody knows what else it could be.
        """
        texts = voted.ballots.texts - voted.others
        named = {text: side_of(text, voted.names) for text in texts | voted.ballots.blanks}
        by_name = {text: GOOD if side == "B" else BAD for text, side in named.items() if side}
        alone = reading_of(sorted(texts - by_name.keys())) if by_name else reading
        unclear = sorted(by_name.keys() & voted.ballots.blanks) or (sorted(by_name) if reading.doubt else [])
        if alone.doubt or unclear:
            doubt = f"{listed(unclear[:1])} is the name of a model, and has a meaning of its own as a vote"
            column = grid.title("vote") if "vote" in grid.columns else None
            allowed = _ALLOWED if alone.doubt else _UNCLEAR
            raise ReadError((Problem("unclear", grid.name, alone.doubt or doubt, column=column, allowed=allowed),))
        both = {} if voted.is_winner else {text: reading.votes[text] for text in by_name.keys() & reading.votes.keys()}
        return cls(by_name, {**alone.votes, **both}, alone.notes)  # each row is asked whether both say the same


def _seen_from_b(grid: Grid, voted: VotedPair, words: _VoteWords) -> Ballots:
    """Return the ballots with votes and sides seen from B. ReadError for each vote that cannot be."""
    ballots, texts = voted.ballots, voted.ballots.columns["vote"]
    left, notes, doubtful = _left(voted)
    worded = _mapped(texts, words.by_word)
    votes = worded.copy()
    for side, other in ((LEFT, "B"), (RIGHT, "A")):
        sided = votes == side
        votes[sided] = "" if left is None else [_for_side(at, other) for at in left[sided]]
    swapped = voted.turned & (worded != LEFT) & (worded != RIGHT)
    votes[swapped] = [_TURNED.get(vote, vote) for vote in votes[swapped]]
    named = _mapped(texts, words.by_name)
    clash = (named != "") & (worded != "") & (named != votes)
    votes = np.where(named != "", named, votes)
    column = grid.title("vote") if "vote" in grid.columns else "vote"
    unsided = {LEFT, RIGHT} & {*words.by_word.values()}
    what = "is no vote" + (", for the side of the models is not known" if unsided else "")
    double = "is the name of a model, and means the other one in this row"
    sides = "is a side and the name of a model that stands on the other"
    wrong = [
        _cells(ballots, votes == "", column, what, _ALLOWED, texts),
        _cells(ballots, clash, column, double, _UNCLEAR, texts),
        _cells(ballots, doubtful, "left", sides, _UNCLEAR),
    ]
    check(grid.name, wrong, grid.row_of)
    finished = ballots.put((*words.notes, *voted.notes, *voted.warnings, *notes), vote=votes)
    return finished if left is None else finished.put(left=left)


def _mapped(texts: Words, meanings: Mapping[str, str]) -> Words:
    """Return what each text means, "" where it means nothing."""
    return np.array([meanings.get(text, "") for text in texts] + [None], object)[:-1]


def _for_side(left: str, other: str) -> str:
    """Return the vote for the side on which ``other`` would make it a vote for B; "" where nobody knows who stood."""
    return "" if not left else GOOD if left == other else BAD


def _cells(ballots: Ballots, bad: Bools, column: str, what: str, allowed: str, texts: Words | None = None) -> BadCells:
    rows = np.flatnonzero(bad)
    data_rows = ballots.row[rows]
    text = None if texts is None else lambda row: str(texts[rows[np.searchsorted(data_rows, row)]])
    return BadCells("bad_value", data_rows, column, what, allowed, text)


def _left(voted: VotedPair) -> tuple[Words | None, list[str], Bools]:
    """Return the model on the left: A, B, or "" where it is not known, None without such a column; a note on those;
    and the rows in which a name is that of one model, and the word for the other.
    """
    columns = voted.ballots.columns
    side = "left" if "left" in columns else "right" if "right" in columns else ""
    if not side:
        return None, [], np.zeros(len(voted.ballots.row), bool)
    texts = columns[side]
    named = _mapped(texts, {text: side_of(text, voted.names) for text in {*texts}})
    placed = _mapped(texts, {text: letter_of(text) for text in {*texts}})
    placed[voted.turned] = [_OTHER.get(place, "") for place in placed[voted.turned]]
    doubtful = (named != "") & (placed != "") & (named != placed)
    left = np.where(named != "", named, placed)
    if side == "right":
        left = np.array([_OTHER.get(place, "") for place in left] + [None], object)[:-1]
    unknown = int((left == "").sum())
    of = "1 vote" if unknown == 1 else f"{unknown:,} votes"
    notes = [f"For {of} it is not known which model stood on the left."] if unknown else []
    return left, notes, doubtful


def _repeated(columns: Mapping[str, Words]) -> list[str]:
    """Return a note on raters with two votes on one pair; a rater without a name is a different one in every row."""
    if "rater" not in columns:
        return []
    about: Iterable[list[str]] = [columns[name].tolist() for name in ("query_id", "rater", "doc_id") if name in columns]
    rows = [row for row in zip(*about, strict=True) if row[1]]
    twice = len(rows) - len(set(rows))
    return [f"{twice:,} votes are by a rater who voted on the same query before; the last counts."] if twice else []
