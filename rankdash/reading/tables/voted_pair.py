"""Which two models ballots are about, and which of the rows have them the other way round.

The names come from the columns of models, from those of sides, or stand in the place of votes. Who of them is A decides
``orientation.oriented`` alone; here is where the names are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from rankdash.orientation import (
    LETTERS,
    OrientationError,
    Oriented,
    Pair,
    check_said,
    letter_of,
    oriented,
    pair_text,
    side_of,
)
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import BadCells, ReadError, check, listed, refuse
from rankdash.reading.tables.ballots import Ballots, Bools
from rankdash.reading.values.vote_words import VoteReading, is_blank
from rankdash.reading.words.votes import BAD, BOTH_BAD, BOTH_GOOD, GOOD, SAME

_AB, _SIDES = ("model_a", "model_b"), ("left", "right")
_NEITHER = (SAME, BOTH_GOOD, BOTH_BAD)
_MOST_OFFERED = 200
_UNCLEAR = "Write good, same and bad in their place."
_SEEN_FROM_B = "Votes: they name no model; good is good for B, the candidate."
_SEEN_FROM = "Leave the pair out; A,B says that they are seen from B, B,A from A."
_SEEN_FROM_A = "Votes: they name no model, and were turned around, for the pair says that they are seen from A."


@dataclass(frozen=True)
class VotedPair:
    """The ballots on one pair of models.

    ``names`` are those of A and B; None where no model is named. ``turned`` (v,) are the ballots whose words are seen
    from the other side. ``by_name`` are the texts of votes that name one of the two, each with its vote, and
    ``is_winner`` says that these are names and nothing else. ``notes`` say who was taken for whom, ``warnings`` are
    the notes on ballots that were set aside, and ``others`` the names of further models of the file.
    """

    ballots: Ballots
    names: Pair | None
    turned: Bools
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    others: frozenset[str] = frozenset()
    is_winner: bool = False


def voted_pair(grid: Grid, ballots: Ballots, reading: VoteReading, pair: Pair | None, runs: Pair | None) -> VotedPair:
    """Return the ballots on one pair of models; ``reading`` is what the texts of the votes say by themselves.

    ``pair`` is what somebody said, ``runs`` the names of the runs A and B. ReadError where no row names both, and where
    rows do not say which two models they are about.
    """
    with _refusing(grid.name):
        if pair is not None:
            check_said(pair, runs)
        present = [name for name in _AB if any(ballots.columns.get(name, ()))]
        if len(present) == 2:
            return _by_columns(grid, ballots, pair, runs)
        if present:
            missing = next(name for name in _AB if name not in present)
            do = f"Add a column {missing} with the other model of each vote, or leave {present[0]} out."
            raise OrientationError(f"the votes name one model alone, in {listed([grid.title(present[0])])}", (), do)
        _check_letters(grid, ballots, reading, None if {*(pair or ())} == {*LETTERS} else pair or runs)
        shown = _sides_named(ballots)
        if shown:
            return _by_sides(ballots, shown, pair, runs)
        if chosen := _winners(ballots, reading, pair, runs):
            none = np.zeros(len(ballots.row), bool)
            return VotedPair(ballots, chosen.pair, none, (chosen.note("Votes", runs),), is_winner=True)
        return _nameless(ballots, pair, runs)


@contextmanager
def _refusing(file: str) -> Iterator[None]:
    """Turn what the names leave open into a problem of the file."""
    try:
        yield
    except OrientationError as error:
        raise unclear(file, error) from None


def unclear(file: str, error: OrientationError, more: str = "") -> ReadError:
    """Return the problem of a file whose names of models leave something open, with the pairs to choose from.

    ``more`` is what else there is to say of the names, a clause behind a semicolon.
    """
    texts = tuple(map(pair_text, error.pairs))[:_MOST_OFFERED]
    choice = Choice("pair", texts) if texts else None
    if error.is_said:
        return refuse("bad_option", file, str(error), error.advice or f"Found: {listed(texts)}.", choice)
    do = error.advice or advice("choose_pair" if len(texts) > 1 else "choose_a")
    return refuse("unclear", file, f"{error}{more}", do, choice)


def _by_columns(grid: Grid, ballots: Ballots, pair: Pair | None, runs: Pair | None) -> VotedPair:
    """Return the ballots on the pair, of rows with a column for model A and one for model B."""
    first, second = (ballots.columns[name] for name in _AB)
    what, do = "the name of the model is empty, and a vote is on two", "Name both models, or leave the row out."
    empty = [
        BadCells("missing_value", ballots.row[np.flatnonzero(values == "")], grid.title(name), what, do)
        for name, values in zip(_AB, (first, second), strict=True)
    ]
    check(grid.name, empty, grid.row_of)
    two = list(zip(first.tolist(), second.tolist(), strict=True))
    chosen = oriented(two, pair=pair, runs=runs)
    on_pair = np.array([{*names} == {*chosen.pair} for names in two], bool)
    turned = np.array([names != chosen.pair for names in two], bool)[on_pair]
    notes, n = [chosen.note("Votes", runs)], int(turned.sum())
    if n:
        single = "1 vote names the two models the other way round and was" if n == 1 else ""
        notes.append(f"{single or f'{n:,} votes name the two models the other way round and were'} turned.")
    others = frozenset(name for names in two for name in names if name not in chosen.pair)
    return VotedPair(ballots.taken(on_pair), chosen.pair, turned, tuple(notes), _others(~on_pair, two), others)


def _others(rows: Bools, two: Sequence[Pair]) -> tuple[str, ...]:
    """Return the warning about votes that are set aside, for they are on other pairs."""
    if not rows.any():
        return ()
    pairs = dict.fromkeys(pair_text(two[at]) for at in np.flatnonzero(rows).tolist())
    n = int(rows.sum())
    votes = "1 vote on another pair" if n == 1 else f"{n:,} votes on other pairs"
    return (f"{votes} of models set aside and not counted: {listed(pairs)}.",)


def _sides_named(ballots: Ballots) -> list[list[str]]:
    """Return the columns of sides with the names of models in them, "" for none. A and B alone are no names."""
    sides = [ballots.columns[name].tolist() for name in _SIDES if name in ballots.columns]
    named = [["" if is_blank(text) else text for text in side] for side in sides]
    return [side for side in named if not all(letter_of(text) for text in side if text)]


def _by_sides(ballots: Ballots, shown: list[list[str]], pair: Pair | None, runs: Pair | None) -> VotedPair:
    """Return the ballots on the pair, of rows that name the model on the left, on the right, or both; without those
    that have another model on a side, or one model on both.
    """
    names = list(dict.fromkeys(name for side in shown for name in side if name))
    if len(shown) == 2:
        pairs = [two for two in dict.fromkeys(zip(*shown, strict=True)) if all(two)]
    else:
        pairs = [(names[0], names[1])] if len(names) == 2 else []
    if not pairs and not all(side_of(name, pair or runs) for name in names):
        what = f"the votes are on {listed(names)}, each against a model that is not named"
        raise OrientationError(what, (), "Give a column for the model on the left, and one for that on the right.")
    chosen = oriented(pairs or [pair or runs or ("", "")], pair=pair, runs=runs)
    strange = frozenset(name for name in names if not side_of(name, chosen.pair))
    rows = [tuple(row) for row in zip(*shown, strict=True)]
    aside = np.array([not strange.isdisjoint(row) or (len(row) == 2 and row[0] == row[1] != "") for row in rows], bool)
    kept = ballots.taken(~aside)
    warnings = _others(aside, [(row[0], row[-1]) for row in rows])
    none = np.zeros(len(kept.row), bool)
    return VotedPair(kept, chosen.pair, none, (chosen.note("Votes", runs),), warnings, strange)


def _winners(ballots: Ballots, reading: VoteReading, pair: Pair | None, runs: Pair | None) -> Oriented | None:
    """Return the two models, where names of models stand in the place of votes; None where these are words.

    OrientationError where no run has such names, and where a text could be a name and a word for another vote.
    """
    models = pair or runs
    voting = {text for text, vote in reading.votes.items() if vote not in _NEITHER}
    unknown = {*reading.unknown}
    named = {text for text in ballots.texts | ballots.blanks if side_of(text, models)}
    if len(unknown) == 2 and not voting and not unknown <= named:
        a, b = sorted(unknown)
        what = f"the votes name the winner, it seems: {listed([a, b])}"
        raise OrientationError(what + ("" if runs is None else f"; the runs are called {listed(runs)}"), [(a, b)])
    if models is None or not (unknown & named or (voting and voting <= named)):
        return None
    meant = {text: GOOD if side_of(text, models) == "B" else BAD for text in named}
    double = {text for text in named if reading.votes.get(text, meant[text]) != meant[text]} | named & ballots.blanks
    if pair is not None:
        double -= voting  # somebody said that these are names
    if double:
        pairs = [models, LETTERS] if pair is None else []
        raise OrientationError(f"{listed(sorted(double))} could be words for votes, and names of the models", pairs)
    return Oriented(models, "by the names of the runs" if pair is None else "as the pair says")


def _check_letters(grid: Grid, ballots: Ballots, reading: VoteReading, runs: Pair | None) -> None:
    """Refuse rows that have A, or B, on both sides, and A and B where nobody knows whom they mean: a run is called as
    the other side is, or a letter could be a vote as well.
    """
    sides = [list(map(letter_of, ballots.columns[name])) for name in _SIDES if name in ballots.columns]
    same = [left == right != "" for left, right in zip(*sides, strict=True)] if len(sides) == 2 else []
    rows = ballots.row[np.flatnonzero(np.array(same, bool))]
    what, do = "the same model stands on both sides", "Name A on one side and B on the other, or leave the row out."
    check(grid.name, [BadCells("bad_value", rows, grid.title("right"), what, do)], grid.row_of)
    shown = any(map(any, sides))
    turned = [name for name, side in zip(runs or (), "AB", strict=False) if letter_of(name) not in ("", side)]
    if turned and runs and (shown or reading.of_ab):
        what = f"the votes speak of A and B, and {listed(turned[:1])} is the run {'AB'[runs.index(turned[0])]}"
        raise OrientationError(what, [LETTERS])
    voting = {text: vote for text, vote in reading.votes.items() if vote not in _NEITHER}
    double = [text for text, vote in voting.items() if letter_of(text) and vote != _FOR[letter_of(text)]]
    if shown and double and all(map(letter_of, voting)):
        raise OrientationError(f"{listed(double)} could be a vote, and the model on a side", (), _UNCLEAR)


_FOR = {"A": BAD, "B": GOOD}


def _nameless(ballots: Ballots, pair: Pair | None, runs: Pair | None) -> VotedPair:
    """Return ballots that do not name two models: seen from B, unless the pair B,A says that they are seen from A."""
    from_a = pair == LETTERS[::-1]
    if pair is not None and {*pair} != {*LETTERS} and not (runs and all(side_of(name, runs) for name in pair)):
        what = f"there are no votes on the pair {listed([pair_text(pair)])}: the votes name no model"
        raise OrientationError(what, (), _SEEN_FROM, is_said=True)
    return VotedPair(ballots, None, np.full(len(ballots.row), from_a), (_SEEN_FROM_A if from_a else _SEEN_FROM_B,))
