"""Which two models ballots are about, and which of the rows have them the other way round.

The names come from the columns of models, from those of sides, or stand in the place of votes. Who of them is A decides
``orientation.oriented`` alone; here is where the names are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from rankdash.orientation import (
    OrientationError,
    Oriented,
    Pair,
    check_said,
    oriented,
    pair_text,
    place_of,
    side_of,
    sides_of,
    spelled,
)
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import BadCells, ReadError, check, listed, refuse
from rankdash.reading.tables.ballots import Ballots, Bools, Words
from rankdash.reading.values.vote_words import VoteReading, is_blank
from rankdash.reading.words.votes import BAD, BOTH_BAD, BOTH_GOOD, GOOD, SAME

_AB, _SIDES = ("model_a", "model_b"), ("left", "right")
_MOST_OFFERED = 200
_UNCLEAR = "Write good, same and bad in their place."
_SEEN_FROM_B = "Votes: they name no model; good is good for B, the candidate."
_SEEN_FROM = "Leave the pair out; A,B says that they are seen from B, B,A from A."
_SEEN_FROM_A = "Votes: they name no model, and were turned around, for the pair says that they are seen from A."


@dataclass(frozen=True)
class VotedPair:
    """The ballots on one pair of models.

    ``names`` are those of A and B; None where no model is named. ``turned`` (v,) are the ballots whose words are seen
    from the other side, ``is_by_row`` says that this is a matter of each row: its columns name model A and B.
    ``notes`` say who was taken for whom, ``others`` are the names of further models of the file.
    """

    ballots: Ballots
    names: Pair | None
    turned: Bools
    notes: tuple[str, ...]
    others: frozenset[str] = frozenset()
    is_by_row: bool = False


def voted_pair(grid: Grid, ballots: Ballots, reading: VoteReading, pair: Pair | None, runs: Pair | None) -> VotedPair:
    """Return the ballots on one pair of models; ``reading`` is what the texts of the votes say by themselves.

    ``pair`` is what somebody said, ``runs`` the names of the runs A and B. ReadError where the names leave open which
    is A, where there are none on the pair, and where rows do not say which two models they are about.
    """
    columns = ballots.columns
    with _refusing(grid.name):
        if pair is not None:
            check_said(pair, runs)
        present = [name for name in _AB if name in columns and any(columns[name])]
        if len(present) == 2:
            return _by_columns(grid, ballots, pair, runs)
        said = [_lone(columns[name], name, runs) for name in present]
        _check_sides(grid, ballots)
        if pair is None and runs is not None and _speak_of_ab(ballots, reading):
            _check_letters(runs)
        pairs, names = _named_elsewhere(ballots, _winners(reading, pair, runs))
        if pairs or len(names) == 2:
            with _of_winners(names, reading):
                chosen = oriented(pairs or [(names[0], names[1])], are_ab=False, pair=pair, runs=runs)
            return _by_sides(ballots, chosen, runs)
        meant = pair or runs
        if names and meant and any(side_of(name, meant) for name in names):
            why = "by the names of the runs" if pair is None else "as the pair says"
            return _by_sides(ballots, Oriented(meant, why), runs)
        _check_named_sides(ballots, reading)
        return _nameless(ballots, pair, runs, names, said)


@contextmanager
def _refusing(file: str) -> Iterator[None]:
    """Turn what the names leave open into a problem of the file."""
    try:
        yield
    except OrientationError as error:
        raise unclear(file, error) from None


@contextmanager
def _of_winners(names: Sequence[str], reading: VoteReading) -> Iterator[None]:
    """Say of names that stand in the place of votes how these were understood."""
    try:
        yield
    except OrientationError as error:
        if error.is_said or not {*names} & {*reading.unknown}:
            raise
        raise OrientationError(f"the votes name the winner, it seems: {listed(names)}", error.pairs) from None


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


# --- columns for model A and model B ---------------------------------------------------------------------------------


def _by_columns(grid: Grid, ballots: Ballots, pair: Pair | None, runs: Pair | None) -> VotedPair:
    first, second = (ballots.columns[name] for name in _AB)
    what, do = "the name of the model is empty, and a vote is on two", "Name both models, or leave the row out."
    empty = [
        BadCells("missing_value", ballots.row[np.flatnonzero(values == "")], grid.title(name), what, do)
        for name, values in zip(_AB, (first, second), strict=True)
    ]
    check(grid.name, empty, grid.row_of)
    two = list(zip(first.tolist(), second.tolist(), strict=True))
    chosen = oriented(two, are_ab=True, pair=pair, runs=runs)
    on_pair = np.array([{*names} == {*chosen.pair} for names in two], bool)
    turned = np.array([names != chosen.pair for names in two], bool)[on_pair]
    notes = [chosen.note("Votes", runs), *_others(~on_pair, two)]
    n = int(turned.sum())
    if n:
        single = "1 vote names the two models the other way round and was" if n == 1 else ""
        notes.append(f"{single or f'{n:,} votes name the two models the other way round and were'} turned.")
    others = frozenset(name for names in two for name in names if name not in chosen.pair)
    return VotedPair(ballots.taken(on_pair), chosen.pair, turned, tuple(notes), others, is_by_row=True)


def _others(rows: Bools, two: Sequence[Pair]) -> list[str]:
    """Return a note on the votes that are left out, for they are on other pairs."""
    if not rows.any():
        return []
    pairs = dict.fromkeys(pair_text(two[at]) for at in np.flatnonzero(rows).tolist())
    n = int(rows.sum())
    return [f"{'1 vote' if n == 1 else f'{n:,} votes'} on other pairs of models left out: {listed(pairs)}."]


def _lone(values: Words, column: str, runs: Pair | None) -> str:
    """Return the note on a column for one model alone. OrientationError unless it says what it is named for."""
    names, own = list(dict.fromkeys(values)), "A" if column == "model_a" else "B"
    other = "model_b" if column == "model_a" else "model_a"
    do = f"Add a column {other} with the other model of each vote."
    if len(names) > 1:
        raise OrientationError(f"the votes are on several models ({listed(names)}), each against one not named", (), do)
    sides = {place_of(names[0]), *({} if runs is None else sides_of(names, runs)).values()}
    if sides - {"", own}:
        raise OrientationError(f"every vote has {listed(names)} as model {own}, and that is the other one", (), do)
    return f"Votes: {listed(names)} is {own}, for every vote has it as model {own}."


# --- columns of sides, and winners -----------------------------------------------------------------------------------


def _named_elsewhere(ballots: Ballots, strange: Iterable[str]) -> tuple[list[Pair], list[str]]:
    """Return the pairs of names that stand left and right of each other, and where none do, all names that occur."""
    sides = _sides_named(ballots)
    if len(sides) == 2:
        pairs = [(left, right) for left, right in dict.fromkeys(zip(*sides, strict=True)) if left and right]
        if pairs:
            return pairs, []
    shown = dict.fromkeys(name for side in sides for name in side if name)
    if len(distinct := _distinct(shown)) > 2:
        what = f"the votes are on several models ({listed(distinct)}), each against one not named"
        raise OrientationError(what, (), "Give one column for the model on the left, and one for that on the right.")
    return [], _distinct([*shown, *strange])


def _sides_named(ballots: Ballots) -> list[list[str]]:
    """Return the columns of sides with the names of models in them, "" for none. Nothing is a name where there are only
    A, B, 1, 2 and the like; beside another name these are the names of models too.
    """
    sides = [ballots.columns[name].tolist() for name in _SIDES if name in ballots.columns]
    texts = {text for side in sides for text in side}
    names = {text for text in texts if not is_blank(text)}
    return [[text if text in names else "" for text in side] for side in sides if not all(map(place_of, names))]


def _winners(reading: VoteReading, pair: Pair | None, runs: Pair | None) -> tuple[str, ...]:
    """Return the texts of votes that are names of models: those that are no vote, where only votes for neither stand
    beside them, or all of them name one of the two models; and words that a pair says are names.

    OrientationError where every vote for a model could be a name, and some could be words for other votes as well.
    """
    voting = {text for text, vote in reading.votes.items() if vote not in (SAME, BOTH_GOOD, BOTH_BAD)}
    meant = pair or runs
    if meant is None or not all(side_of(text, meant) for text in reading.unknown):
        return () if voting else reading.unknown
    if not all(side_of(text, meant) for text in voting):
        return reading.unknown
    own = sorted(text for text in reading.votes.keys() - reading.of_ab if side_of(text, meant))
    double = [text for text in own if reading.votes[text] != _for(text, meant)]
    settled = voting if pair is not None else set() if not reading.unknown else voting
    if left := [text for text in double if text not in settled]:
        pairs = [meant, ("A", "B")] if pair is None else []
        raise OrientationError(f"{listed(left)} could be words for votes, and names of the models", pairs, _UNCLEAR)
    return reading.unknown if pair is None else (*reading.unknown, *sorted(voting - reading.of_ab))


def _for(text: str, models: Pair | None = None) -> str:
    """Return the vote for a model, or for what a word means by itself, seen from B."""
    return GOOD if (place_of(text) if models is None else side_of(text, models)) == "B" else BAD


def _distinct(names: Iterable[str]) -> list[str]:
    """Return names in the order of their letters, one spelling of each; all spellings where these make just two."""
    names = sorted(dict.fromkeys(names))
    spellings = {spelled(name): name for name in reversed(names)}
    return sorted(spellings.values()) if len(spellings) > 1 or len(names) != 2 else names


def _by_sides(ballots: Ballots, chosen: Oriented, runs: Pair | None) -> VotedPair:
    """Return the ballots without those that have another model on a side, or one model on both."""
    sides = _sides_named(ballots)
    names = {name for side in sides for name in side if name}
    strange = frozenset(names - sides_of(names, chosen.pair).keys())
    others = np.zeros(len(ballots.row), bool)
    for side in sides:
        others |= np.array([name in strange for name in side], bool)
    if len(sides) == 2:
        others |= np.array([bool(left) and left == right for left, right in zip(*sides, strict=True)], bool)
    notes = [chosen.note("Votes", runs), *_others(others, list(zip(*(sides * 2)[:2], strict=True)))]
    kept = ballots.taken(~others)
    return VotedPair(kept, chosen.pair, np.zeros(len(kept.row), bool), tuple(notes), strange)


# --- no names --------------------------------------------------------------------------------------------------------


def _check_sides(grid: Grid, ballots: Ballots) -> None:
    """Raise ReadError for rows that have A, or B, on both sides."""
    sides = [list(map(place_of, ballots.columns[name])) for name in _SIDES if name in ballots.columns]
    same = [bool(left) and left == right for left, right in zip(*sides, strict=True)] if len(sides) == 2 else []
    rows = ballots.row[np.flatnonzero(np.array(same, bool))]
    what, do = "the same model stands on both sides", "Name A on one side and B on the other, or leave the row out."
    check(grid.name, [BadCells("bad_value", rows, grid.title("right"), what, do)], grid.row_of)


def _check_named_sides(ballots: Ballots, reading: VoteReading) -> None:
    """Raise OrientationError where the votes name what stands on a side, and could mean something else."""
    shown = {text for name in _SIDES if name in ballots.columns for text in ballots.columns[name] if place_of(text)}
    voting = {text: vote for text, vote in reading.votes.items() if vote not in (SAME, BOTH_GOOD, BOTH_BAD)}
    double = [text for text in sorted(voting.keys() - reading.of_ab) if voting[text] != _for(text)]
    if double and voting.keys() <= shown:
        raise OrientationError(f"{listed(double)} could be a vote, and the model on a side", (), _UNCLEAR)


def _speak_of_ab(ballots: Ballots, reading: VoteReading) -> bool:
    """Return whether votes or sides speak of A or B, or of the baseline or the candidate, as such."""
    sides = (text for name in _SIDES if name in ballots.columns for text in ballots.columns[name])
    return bool(reading.of_ab) or any(map(place_of, (*reading.unknown, *sides)))


def _check_letters(runs: Pair) -> None:
    """Raise OrientationError where a run is called as the other side is: whom do votes for that mean?"""
    turned = [name for name, side in zip(runs, "AB", strict=True) if place_of(name) not in ("", side)]
    if turned:
        what = f"the votes speak of A and B, and {listed(turned[:1])} is the run {'AB'[runs.index(turned[0])]}"
        raise OrientationError(what, [("A", "B")])


def _nameless(
    ballots: Ballots, pair: Pair | None, runs: Pair | None, names: Sequence[str], said: Sequence[str]
) -> VotedPair:
    """Return ballots that do not name two models: seen from B, unless a pair of words says that they are seen from A.

    ``said`` is the note on a column for one of the two alone.
    """
    sides = None if pair is None else tuple(map(place_of, pair))
    if pair is not None and sides not in (("A", "B"), ("B", "A")) and (runs is None or len(sides_of(pair, runs)) < 2):
        there = f"the votes name {listed(names)} alone" if names else "the votes name no model"
        what = f"there are no votes on the pair {listed([pair_text(pair)])}: {there}"
        raise OrientationError(what, (), _SEEN_FROM, is_said=True)
    from_a = sides == ("B", "A")
    notes = [_SEEN_FROM_A] if from_a else said or [_SEEN_FROM_B]
    return VotedPair(ballots, None, np.full(len(ballots.row), from_a), tuple(notes))
