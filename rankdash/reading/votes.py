"""From a Grid to Votes: what each vote says, seen from B, and which model was shown on the left.

Models are matched by exact names. Where no row names both models, the reader asks for the pair.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import from_strings
from rankdash.notes import Note, advise, detail, warning
from rankdash.reading.grid import Grid, unfit
from rankdash.reading.headings import COUNTS, RATER, VOTE_MEANINGS, key, means
from rankdash.reading.problems import BadCells, Choice, Problem, ReadError, check, listed, refuse, too_many
from rankdash.reading.values import (
    BAD,
    GOOD,
    LEFT,
    RIGHT,
    VoteReading,
    are_votes,
    is_no_vote,
    is_number,
    read_vote_words,
    texts_of,
)
from rankdash.tables import VOTE_COLUMNS, Source, Votes

#: The names of A and of B.
Pair = tuple[str, str]
Words = npt.NDArray[np.object_]

_ALLOWED = "Use good, same, bad (seen from B), a, b, tie, or numbers by sign."
_MEANT = frozenset(meaning.name for meaning in VOTE_MEANINGS)
_MOST_COUNTED = 20_000_000
_TURNED = {GOOD: BAD, BAD: GOOD}
_SIDES = ("left", "right")


@dataclass(frozen=True)
class _Ballots:
    """Votes in the making: columns of text, one entry per vote, and the data row of each."""

    columns: Mapping[str, Words]
    row: npt.NDArray[np.int64]
    notes: tuple[Note, ...] = ()

    def taking(self, rows: npt.NDArray[np.generic], *notes: Note) -> _Ballots:
        """Return some of the votes."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        return _Ballots(columns, self.row[rows], (*self.notes, *notes))


def pair_text(pair: Pair) -> str:
    """Return two names as people type them: with a comma between them, a name with a comma in quotes.

    >>> pair_text(("old", "new, tuned"))
    'old,"new, tuned"'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(pair)
    return out.getvalue().removesuffix("\r\n")


def pair_of(text: str) -> Pair:
    """Return the two names in a text that ``pair_text`` made or somebody typed. ValueError where it has not two."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    if len(rows) != 1 or len(rows[0]) != 2 or not all(map(str.strip, rows[0])):
        raise ValueError(f'{text!r} are not two names. Write them as old,new, and a name with a comma as "x, y".')
    a, b = (name.strip() for name in rows[0])
    return a, b


def ask_pair(file: str, what: str, pairs: Iterable[Pair]) -> ReadError:
    """Return the question which two models are meant, and which of them is A."""
    texts = [pair_text(way) for pair in pairs for way in (pair, pair[::-1])][:40]
    return refuse("unclear", file, what, advise("choose_pair"), Choice("pair", tuple(texts)) if texts else None)


def build_votes(grid: Grid, pair: Pair | None = None, runs: Pair | None = None, *, chosen: bool = False) -> Votes:
    """Return the votes of the Grid on one pair of models, seen from B, without rows that have no vote.

    ``pair`` names the models A and B; without it ``runs`` do, the names of the runs. ("B", "A") says of votes without
    names that they are seen from A. ``chosen``: a person named the column of the votes. ReadError for words that are
    not votes, votes with two possible meanings, grades of documents, and where no row names both models.
    """
    ballots = _ballots_of(grid)
    if not chosen:
        _check_are_votes(grid, ballots)
    models = pair or runs
    columns = ballots.columns
    if "model_a" in columns and "model_b" in columns:
        ballots, models, turned = _on_pair(grid, ballots, ("model_a", "model_b"), models)
    elif all(side in columns for side in _SIDES) and not _are_letters(columns):
        ballots, models, turned = _on_pair(grid, ballots, _SIDES, models)
        turned = np.zeros(len(ballots.row), bool)
    else:
        models = models if models and _names_models(ballots, models) else None
        turned = np.full(len(ballots.row), pair == ("B", "A") and models is None)
        ballots = replace(ballots, notes=(*ballots.notes, *([] if models else [_seen(turned)])))
    votes, notes = _read_words(grid, ballots, models, turned)
    made = {**ballots.columns, "vote": votes}
    if (left := _left(ballots, models)) is not None:
        made["left"] = left
    kept = {name: made[name] for name in VOTE_COLUMNS if name in made}
    arrays = [from_strings(values.tolist()) for values in kept.values()]
    all_notes = (*grid.notes, *ballots.notes, *notes, *_repeated(kept))
    source = Source(rows=grid.rows, first_row=grid.first_row, notes=all_notes)
    return Votes(pa.Table.from_arrays(arrays, names=list(kept)), source, models)


def _seen(turned: npt.NDArray[np.bool_]) -> Note:
    side = "A, as the pair says" if turned.any() else "B"
    return detail("seen_from", f"The votes name no models and were read as seen from {side}.")


# --- one entry per vote ----------------------------------------------------------------------------------------------


def _ballots_of(grid: Grid) -> _Ballots:
    """Return one entry per vote, without rows that have none. ReadError where there is no vote, or no query id."""
    queries = grid.ids("query_id")
    rows = np.arange(grid.rows)
    columns = {name: _text(grid, name) for name in grid.columns if name in _MEANT and name != "query_id"}
    columns["query_id"] = _array(queries.array.to_pylist())
    counts = {
        vote: next((name for name in grid.columns if name not in _MEANT and key(name) in names.split()), "")
        for vote, names in COUNTS.items()
    }
    if "vote" in columns:
        ballots = _Ballots(columns, rows)
    elif all(counts.values()):
        ballots = _counted(grid, columns, counts)
    else:
        ballots = _wide(grid, columns)
    texts = ballots.columns["vote"]
    kept = ~np.array([*map(is_no_vote, texts)], bool)
    if not kept.any():
        raise refuse("empty", grid.name, "no row has a vote")
    blank = len(kept) - int(kept.sum())
    notes = [detail("no_vote", f"{'1 vote is' if blank == 1 else f'{blank:,} votes are'} blank and left out.")]
    ballots = ballots.taking(np.flatnonzero(kept), *notes[: min(blank, 1)])
    empty = np.intersect1d(queries.empty, ballots.row)
    check(grid.name, [BadCells("missing_value", empty, grid.title("query_id"), "the query id is empty")], grid.row_of)
    return ballots


def _array(values: Sequence[str]) -> Words:
    return np.array([*values, None], object)[:-1]


def _text(grid: Grid, name: str) -> Words:
    """Return a column as text without white space around it."""
    try:
        return _array([cell.strip() for cell in texts_of(grid.columns[name])])
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise unfit(grid, name, "text") from None


def _wide(grid: Grid, columns: Mapping[str, Words]) -> _Ballots:
    """Return a table with a column per rater, by its name or because all of its cells are votes."""
    others = [name for name in grid.columns if name not in _MEANT]
    raters = [name for name in others if RATER.fullmatch(key(name))]
    raters = raters or [name for name in others if _are_words(_text(grid, name))]
    if not raters:
        allowed = advise(
            "choose_column", key="vote", found=listed(grid.headings or grid.columns), examples="vote, winner", more=""
        )
        choice = Choice("columns", grid.headings, "vote")
        raise refuse("missing_column", grid.name, "there is no column for the vote", allowed, choice)
    n, k = grid.rows, len(raters)
    spread = {name: np.repeat(values, k) for name, values in columns.items() if name != "rater"}
    spread["vote"] = np.array([_text(grid, name) for name in raters], object).reshape(k, n).T.reshape(-1)
    spread["rater"] = np.tile(_array(raters), n)
    read = "Column {} was read as votes." if k == 1 else "Columns {} were read as votes, one for each rater."
    return _Ballots(spread, np.repeat(np.arange(n), k), (detail("raters", read.format(listed(raters))),))


def _are_words(texts: Words) -> bool:
    said = {*texts.tolist()}
    return any(not is_number(text) and not is_no_vote(text) for text in said) and are_votes(said)


def _counted(grid: Grid, columns: Mapping[str, Words], counts: Mapping[str, str]) -> _Ballots:
    """Return a table with the number of good, same and bad votes of each query."""
    numbers = []
    for name in counts.values():
        texts = _text(grid, name)
        bad = [
            i for i, text in enumerate(texts) if text and not (text.isascii() and text.isdecimal() and len(text) < 5)
        ]
        what, do = "is not a number of votes", "Use 0 … 9999."
        check(
            grid.name, [BadCells("bad_value", np.array(bad, np.int64), name, what, do, texts.__getitem__)], grid.row_of
        )
        numbers.append(np.array([int(text or 0) for text in texts], np.int64))
    repeats = np.stack(numbers, axis=1).reshape(-1)
    if repeats.sum() > _MOST_COUNTED:
        raise too_many(grid.name, int(repeats.sum()), "votes", _MOST_COUNTED)
    rows = np.repeat(np.repeat(np.arange(grid.rows), len(counts)), repeats)
    spread = {name: values[rows] for name, values in columns.items()}
    spread["vote"] = np.repeat(np.tile(_array([*counts]), grid.rows), repeats)
    text = f"Columns {listed(counts.values())} were read as numbers of good, same and bad votes."
    return _Ballots(spread, rows, (detail("vote_counts", text),))


def _check_are_votes(grid: Grid, ballots: _Ballots) -> None:
    """Raise ReadError for grades of documents, and for documents with ranks."""
    if not ("doc_id" in grid.columns or means(grid.headings, "run", "doc_id")):
        return
    heading = grid.called.get("vote")
    if heading is None and means(grid.headings, "run", "rank"):
        raise refuse("other_kind", grid.name, "documents have ranks: these are lists, not votes", "Give them as a run.")
    if heading is None or not means([heading], "run", "relevance", "score"):
        return
    texts = {*ballots.columns["vote"].tolist()}
    if all(map(is_number, texts)) and min(map(float, texts)) >= 0:
        what = f"documents have grades in column {listed([heading])}: these are judgments, it seems"
        allowed = advise("judgments_or_votes", key="vote", column=heading)
        raise refuse("other_kind", grid.name, what, allowed, Choice("columns", grid.headings, "vote"))


# --- the pair of models ----------------------------------------------------------------------------------------------


def _are_letters(columns: Mapping[str, Words]) -> bool:
    return all({*columns[side].tolist()} <= {"A", "B", "a", "b", ""} for side in _SIDES)


def _on_pair(
    grid: Grid, ballots: _Ballots, sides: Sequence[str], models: Pair | None
) -> tuple[_Ballots, Pair, npt.NDArray[np.bool_]]:
    """Return the votes whose sides name the two models, these models, and which rows name B first.

    Without ``models`` one pair in one order is taken as A and B. ReadError where no row names both.
    """
    rows = [*zip(*(ballots.columns[side].tolist() for side in sides), strict=True)]
    pairs = [pair for pair in dict.fromkeys(rows) if all(pair) and pair[0] != pair[1]]
    distinct: list[Pair] = []
    for pair in pairs:
        if pair[::-1] not in distinct:
            distinct.append(pair)
    if models is None and len(pairs) == 1 and sides[0] == "model_a":
        models = pairs[0]
    named = f"the votes are on {listed(map(pair_text, distinct))}" if distinct else "no vote names two models"
    if models is None or not {models, models[::-1]} & {*pairs}:
        missing = "" if models is None else f", and no row names both {listed([models[0]])} and {listed([models[1]])}"
        raise ask_pair(grid.name, f"{named}{missing}", distinct)
    straight = np.array([pair == models for pair in rows], bool)
    turned = np.array([pair == models[::-1] for pair in rows], bool)
    on_pair = straight | turned
    notes = [detail("pair", f"{listed([models[0]])} is A, {listed([models[1]])} is B.")]
    if aside := len(rows) - int(on_pair.sum()):
        what = "1 vote is" if aside == 1 else f"{aside:,} votes are"
        notes.append(warning("votes_aside", f"{what} on other models and set aside."))
    return ballots.taking(np.flatnonzero(on_pair), *notes), models, turned[on_pair]


def _names_models(ballots: _Ballots, models: Pair) -> bool:
    """Return whether votes or sides name one of two models."""
    said = {text for name in ("vote", *_SIDES) if name in ballots.columns for text in ballots.columns[name]}
    return not said.isdisjoint(models)


# --- what the votes say ----------------------------------------------------------------------------------------------


def _read_words(
    grid: Grid, ballots: _Ballots, models: Pair | None, turned: npt.NDArray[np.bool_]
) -> tuple[Words, tuple[Note, ...]]:
    """Return the votes seen from B, and notes. ReadError for each that says nothing, or could say two things."""
    texts = ballots.columns["vote"]
    by_name = {} if models is None else {models[0]: BAD, models[1]: GOOD}
    said = sorted({*texts.tolist()} - by_name.keys())
    reading = read_vote_words(_model_words(said, ballots))
    if reading.doubt:
        raise ReadError((Problem("unclear", grid.name, reading.doubt, column=grid.title("vote"), allowed=_ALLOWED),))
    names = [text for text in reading.unknown if not is_number(text)]
    known = [text for text in said if text not in reading.unknown]
    if models is None and len(names) == 2 and not any(reading.votes.get(t) in (GOOD, BAD) for t in known):
        raise ask_pair(grid.name, f"the votes name {listed(names)}", [(names[0], names[1])])
    votes = _array([by_name.get(text) or reading.votes.get(_model_word(text, ballots), "") for text in texts])
    named = np.array([text in by_name for text in texts], bool)
    left = _left(ballots, models)
    for side, other in ((LEFT, "B"), (RIGHT, "A")):
        rows = np.flatnonzero(votes == side)
        votes[rows] = ["" if left is None or not left[row] else GOOD if left[row] == other else BAD for row in rows]
    flip = np.flatnonzero(turned & ~named)
    worded = [reading.votes.get(_model_word(texts[row], ballots)) not in (LEFT, RIGHT) for row in flip]
    flip = flip[np.array(worded, bool)] if len(flip) else flip
    votes[flip] = [_TURNED.get(vote, vote) for vote in votes[flip]]
    bad = np.flatnonzero(votes == "")
    unsided = bool({LEFT, RIGHT} & {*reading.votes.values()})
    what = "is no vote" + (", for the side of the models is not known" if unsided else "")
    rows = ballots.row[bad]
    cells = BadCells(
        "bad_value", rows, grid.title("vote"), what, _ALLOWED, lambda row: str(texts[bad[np.searchsorted(rows, row)]])
    )
    check(grid.name, [cells], grid.row_of)
    return votes, reading.notes


def _model_words(texts: Iterable[str], ballots: _Ballots) -> list[str]:
    return [_model_word(text, ballots) for text in texts]


def _model_word(text: str, ballots: _Ballots) -> str:
    """Return "a" and "b" for the names of the columns of the two models, as arenas write them."""
    plain = key(text)
    if "model_a" in ballots.columns and plain in ("modela", "modelb"):
        return f"{plain[-1]} better"
    return text


def _left(ballots: _Ballots, models: Pair | None) -> Words | None:
    """Return the model on the left: A, B, or "" where it is not known; None without a column for a side."""
    side = next((name for name in _SIDES if name in ballots.columns), "")
    if not side:
        return None
    sides = {"a": "A", "A": "A", "b": "B", "B": "B"} | ({} if models is None else {models[0]: "A", models[1]: "B"})
    other = {"A": "B", "B": "A"} if side == "right" else {"A": "A", "B": "B"}
    return _array([other.get(sides.get(text, ""), "") for text in ballots.columns[side]])


def _repeated(columns: Mapping[str, Words]) -> list[Note]:
    """Return a warning on raters with two votes on one pair; a rater without a name is another one in every row."""
    if "rater" not in columns:
        return []
    about = [columns[name].tolist() for name in ("query_id", "rater", "doc_id") if name in columns]
    rows = [row for row in zip(*about, strict=True) if row[1]]
    twice = len(rows) - len(set(rows))
    text = f"{twice:,} votes are by a rater who voted on the same query before; the last counts."
    return [warning("votes_repeat", text)] if twice else []


def vote_reading(texts: Iterable[str]) -> VoteReading:
    """Return what the texts of votes say, for lists that are typed."""
    return read_vote_words(texts)
