"""From a Grid to Votes: what each vote says, seen from B, and which model was shown on the left.

Models are matched by exact names. Where no row names both models, the reader asks for the pair.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import decoded, from_strings, is_text
from rankdash.notes import Note, advise, detail, listed, warning
from rankdash.reading.grid import BadCells, Grid, check, is_blank, is_number, texts_of
from rankdash.reading.headings import RATER, VOTE_MEANINGS, key, means, missing_columns
from rankdash.reading.problems import Choice, ReadError, refuse
from rankdash.reading.values import (
    BAD,
    BOTH_BAD,
    BOTH_GOOD,
    GOOD,
    LEFT,
    RIGHT,
    SAME,
    SHORT_VOTES,
    VoteReading,
    are_votes,
    read_vote_words,
)
from rankdash.records import frozen, replace
from rankdash.tables import VOTE_COLUMNS, Pair, Votes, side_of

Words = npt.NDArray[np.object_]
Bools = npt.NDArray[np.bool_]
#: The names that are a side by themselves, in files that name no model.
LETTERS: Pair = ("A", "B")

_ALLOWED = "Use good, same, bad (seen from B), a, b, tie, the better model’s name, or numbers by sign."
_MEANT = frozenset(meaning.name for meaning in VOTE_MEANINGS)
_TURNED = {GOOD: BAD, BAD: GOOD}
_OTHER = {"A": "B", "B": "A", "": ""}
_FOR = {"A": BAD, "B": GOOD}
_NEITHER = (SAME, BOTH_GOOD, BOTH_BAD)
_MODELS, _SIDES = ("model_a", "model_b"), ("left", "right")


@frozen
class _Ballots:
    """Votes in the making: columns of text, one entry per vote, and the data row of each.

    ``turned`` (votes,) are those whose words are seen from the other side, ``models`` the names of A and B; None where
    no model is named.
    """

    columns: Mapping[str, Words]
    row: npt.NDArray[np.int64]
    turned: Bools
    models: Pair | None = None
    notes: tuple[Note, ...] = ()

    def taking(self, rows: npt.NDArray[np.generic], *notes: Note) -> _Ballots:
        """Return some of the votes."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        return _Ballots(columns, self.row[rows], self.turned[rows], self.models, (*self.notes, *notes))

    def on(self, models: Pair | None, *notes: Note) -> _Ballots:
        """Return the votes as those on a pair of models."""
        return replace(self, models=models, notes=(*self.notes, *notes))


def pair_text(pair: Pair) -> str:
    """Return two names as people type them: with a comma between them, a name with a comma in quotes.

    >>> pair_text(("old", "new, tuned"))
    'old,"new, tuned"'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(pair)
    return out.getvalue().removesuffix("\r\n")


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text that ``pair_text`` made or somebody typed; none where it is not understood."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    names = [name.strip() for name in rows[0]] if len(rows) == 1 else []
    return tuple(names) if all(names) else ()


def pair_of(text: str) -> Pair:
    """Return the two names in a text as ``names_in`` takes it. ValueError where it has not two."""
    names = names_in(text)
    if len(names) != 2:
        raise ValueError(f'{text!r} are not two names. Write them as old,new, and a name with a comma as "x, y".')
    return names[0], names[1]


def letter_of(name: str) -> str:
    """Return the side that a text is by itself: A or B, in any case."""
    return side_of(name.upper(), LETTERS)


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
    ballots = _ballots_of(grid, pair or runs)
    if not chosen:
        _check_are_votes(grid, ballots)
    ballots = _on_one_pair(grid, ballots, pair, runs)
    made, notes = _seen_from_b(grid, ballots)
    kept = {name: made[name] for name in VOTE_COLUMNS if name in made}
    arrays = [from_strings(values.tolist()) for values in kept.values()]
    source = grid.source((*grid.notes, *notes, *_repeated(kept)))
    return Votes(pa.Table.from_arrays(arrays, names=list(kept)), source, ballots.models)


# --- one entry per vote ----------------------------------------------------------------------------------------------


def _ballots_of(grid: Grid, models: Pair | None) -> _Ballots:
    """Return one entry per vote, without rows that have none. ReadError where there is no vote, or no query id."""
    queries = grid.ids("query_id")
    columns = {name: _text(grid, name) for name in grid.columns if name in _MEANT and name != "query_id"}
    columns["query_id"] = _array(queries.array.to_pylist())
    plain = _Ballots(columns, np.arange(grid.rows), np.zeros(grid.rows, bool))
    ballots = plain if "vote" in columns else _by_rater(grid, columns)
    said = {*ballots.columns["vote"]} - {""}
    if said <= SHORT_VOTES.keys() and not all(map(is_blank, said)):
        signs = warning("vote_signs", "The votes were read as + = good, = = same, - = bad (seen from B).")
        votes = _array([SHORT_VOTES.get(text, text) for text in ballots.columns["vote"]])
        ballots = replace(ballots, columns={**ballots.columns, "vote": votes}, notes=(*ballots.notes, signs))
    blanks = {*filter(is_blank, ballots.columns["vote"])}
    named = {text for name in _MODELS if name in columns for text in columns[name]} | {*(models or ())}
    if double := sorted(blanks & named - {""}):
        what = f"{listed(double)} is the name of a model, not a vote"
        raise refuse("unclear", grid.name, what, "Give the model another name, or leave out the rows without a vote.")
    kept = np.array([text not in blanks for text in ballots.columns["vote"]], bool)
    if not kept.any():
        raise refuse("empty", grid.name, "no row has a vote")
    blank = len(kept) - int(kept.sum())
    left_out = f"{'1 vote is' if blank == 1 else f'{blank:,} votes are'} blank and left out"
    words = blanks - {""}  # such as None, which may be an answer
    notes = [
        warning("no_vote", f"{left_out}: {listed(sorted(words))}.") if words else detail("no_vote", f"{left_out}.")
    ]
    ballots = ballots.taking(np.flatnonzero(kept), *notes[: min(blank, 1)])
    empty = np.intersect1d(queries.empty, ballots.row)
    check(grid.name, [BadCells("missing_value", empty, grid.title("query_id"), "the query id is empty")], grid.row_of)
    return ballots


def _array(values: Sequence[str]) -> Words:
    return np.array([*values, None], object)[:-1]


def _text(grid: Grid, name: str) -> Words:
    """Return a column as text without white space around it."""
    return _array([cell.strip() for cell in grid.parsed(name, texts_of, "text")])


def _by_rater(grid: Grid, columns: Mapping[str, Words]) -> _Ballots:
    """Return a table with a column for each rater: rater1 or the like, else two or more that hold words of votes.
    ReadError where there is none.
    """
    free = [name for name in grid.columns if name not in _MEANT]
    texts = [name for name in free if is_text(decoded(grid.columns[name]).type)]
    said = {name: {text for text in _text(grid, name) if not is_blank(text)} for name in texts}
    votes = {text for own in said.values() if are_votes(own) and not any(map(is_number, own)) for text in own}
    voting = [name for name in texts if votes and said[name] and are_votes(votes | said[name])]
    has_words = any(text[1:] for name in voting for text in said[name])  # A and B alone may be groups of queries
    raters = [name for name in free if RATER.fullmatch(key(name))] or voting * (has_words and len(voting) > 1)
    if not raters:
        raise ReadError(missing_columns(grid.name, ["vote"], grid.headings or [*grid.columns], "votes"))
    n, k = grid.rows, len(raters)
    spread = {name: np.repeat(values, k) for name, values in columns.items() if name != "rater"}
    spread["vote"] = np.array([_text(grid, name) for name in raters], object).reshape(k, n).T.reshape(-1)
    spread["rater"] = np.tile(_array(raters), n)
    text = f"Columns {listed(raters)} were read as votes, one for each rater."
    return _Ballots(spread, np.repeat(np.arange(n), k), np.zeros(n * k, bool), notes=(detail("raters", text),))


def _check_are_votes(grid: Grid, ballots: _Ballots) -> None:
    """Raise ReadError for grades of documents."""
    heading = grid.called.get("vote")
    if heading is None or not means([heading], "run", "relevance", "score"):
        return
    texts = {*ballots.columns["vote"].tolist()}
    numbers = [float(text) for text in texts if is_number(text)]
    is_signed = min(numbers, default=0) < 0 and all(number.is_integer() for number in numbers)
    if means(grid.headings, "run", "doc_id") and len(numbers) == len(texts) and not is_signed:
        what = f"column {listed([heading])} has grades of documents, so these look like judgments"
        allowed = advise("judgments_or_votes", key="vote", column=heading)
        raise refuse("other_kind", grid.name, what, allowed, Choice("columns", grid.headings, "vote"))


# --- the pair of models ----------------------------------------------------------------------------------------------


def orient(file: str, pairs: Iterable[Pair], pair: Pair | None, runs: Pair | None) -> Pair:
    """Return the names of A and B as votes write them: ``pair`` says which is A, else the names of the runs do.

    ReadError, with the question, where no vote names both models, and where ``pair`` contradicts the runs.
    """
    check_pair(file, pair, runs)
    first: dict[frozenset[str], Pair] = {}
    for two in pairs:
        first.setdefault(frozenset(two), two)
    distinct = [two for two in first.values() if two[0] != two[1]]
    for a, b in distinct:
        sides = side_of(a, pair or runs), side_of(b, pair or runs)
        if {*sides} == {"A", "B"}:
            return (a, b) if sides[0] == "A" else (b, a)
    if not distinct:
        raise refuse("unclear", file, "both models of each vote have the same name", "Name them apart.")
    if pair is not None:
        raise _no_pair(file, pair, f"Found: {listed(map(pair_text, distinct))}.")
    strange = f"no row names both {listed(runs[:1])} and {listed(runs[1:])}" if runs else "nothing says which is A"
    raise ask_pair(file, f"the votes are on {listed(map(pair_text, distinct))}, and {strange}", distinct)


def check_pair(file: str, pair: Pair | None, runs: Pair | None = None) -> None:
    """Raise ReadError where two names that somebody gave as A and B are one, or contradict the names of the runs."""
    if pair is None:
        return
    if not all(map(str.strip, pair)) or pair[0].strip() == pair[1].strip():
        raise refuse("bad_option", file, f"the pair {listed([pair_text(pair)])} does not name two models", "Name two.")
    for name, side, other in zip(pair, "AB", "BA", strict=True):
        if side_of(name, runs) == other:
            what = f"the pair takes {listed([name])} for {side}, and the run {other} has that name"
            raise refuse("bad_option", file, what, "Leave the pair out, or exchange A and B.")


def _no_pair(file: str, pair: Pair, do: str) -> ReadError:
    return refuse("bad_option", file, f"there are no votes on the pair {listed([pair_text(pair)])}", do)


def _on_one_pair(grid: Grid, ballots: _Ballots, pair: Pair | None, runs: Pair | None) -> _Ballots:
    """Return the ballots on one pair of models. ReadError where rows do not say which two models they are about."""
    check_pair(grid.name, pair, runs)
    sided = [name for name in _SIDES if not all(letter_of(text) for text in ballots.columns.get(name, ()) if text)]
    named = [name for name in _MODELS if any(ballots.columns.get(name, ()))] or sided
    reading = read_vote_words(sorted({*ballots.columns["vote"]}))
    if "model_a" not in named and "model_b" not in named:
        _check_letters(grid, ballots, reading, None if {*(pair or ())} == {*LETTERS} else pair or runs)
    if len(named) == 2:
        return _by_names(grid, ballots, named, pair, runs)
    models = pair or runs
    if models and named and named == sided and all(side_of(text, models) for text in ballots.columns[named[0]]):
        return ballots.on(models, _note(models))
    if named:
        missing = next(name for name in (_MODELS if named[0] in _MODELS else _SIDES) if name not in named)
        what = f"the votes name one model alone, in {listed([grid.title(named[0])])}"
        do = f"Add a column {missing} with the other model of each vote, or leave {named[0]} out."
        raise refuse("unclear", grid.name, what, do)
    if {*(pair or ())} != {*LETTERS} and (models := _winners(grid, ballots, reading, pair, runs)):
        return ballots.on(models, _note(models))
    from_a = pair == LETTERS[::-1]
    if pair is not None and {*pair} != {*LETTERS} and not (runs and all(side_of(name, runs) for name in pair)):
        raise _no_pair(grid.name, pair, "The votes name no model. Leave the pair out; B,A says that A is seen as B.")
    seen = detail("seen_from", f"The votes name no models and were read as seen from {'A' if from_a else 'B'}.")
    return replace(ballots.on(None, seen), turned=np.full(len(ballots.row), from_a))


def _note(models: Pair) -> Note:
    return detail("pair", f"{listed(models[:1])} is A, {listed(models[1:])} is B.")


def _by_names(grid: Grid, ballots: _Ballots, named: Sequence[str], pair: Pair | None, runs: Pair | None) -> _Ballots:
    """Return the ballots on the pair, of rows that name both models: as A and B, or as left and right."""
    first, second = (ballots.columns[name] for name in named)
    what, do = "the name of the model is empty, and a vote is on two", "Name both models, or leave the row out."
    empty = [
        BadCells("missing_value", ballots.row[np.flatnonzero(values == "")], grid.title(name), what, do)
        for name, values in zip(named, (first, second), strict=True)
    ]
    check(grid.name, empty, grid.row_of)
    two = [*zip(first.tolist(), second.tolist(), strict=True)]
    models = orient(grid.name, two, pair, runs)
    on_pair = np.array([{*names} == {*models} for names in two], bool)
    turned = np.array([named[0] in _MODELS and names != models for names in two], bool)
    return replace(ballots, turned=turned, models=models).taking(on_pair, _note(models), *_aside(~on_pair, two))


def _aside(rows: Bools, two: Sequence[Pair]) -> list[Note]:
    """Return the warning about votes that are set aside, for they are on other pairs."""
    n = int(rows.sum())
    pairs = dict.fromkeys(pair_text(two[at]) for at in np.flatnonzero(rows).tolist())
    votes = "1 vote on another pair" if n == 1 else f"{n:,} votes on other pairs"
    return [warning("votes_aside", f"{votes} of models set aside and not counted: {listed(pairs)}.")] if n else []


def _winners(grid: Grid, ballots: _Ballots, reading: VoteReading, pair: Pair | None, runs: Pair | None) -> Pair | None:
    """Return the two models, where names of models stand in the place of votes; None where these are words.

    ReadError where no run has such names.
    """
    models = pair or runs
    voting = {text for text, vote in reading.votes.items() if vote not in _NEITHER}
    unknown = {*reading.unknown}
    named = {text for text in {*ballots.columns["vote"]} if side_of(text, models)}
    if len(unknown) == 2 and not voting and not unknown <= named:
        a, b = sorted(unknown)
        called = "" if runs is None else f", and the runs are called {listed(runs)}"
        raise ask_pair(grid.name, f"the votes name {listed([a, b])}{called}", [(a, b)])
    return models if unknown & named or (voting and voting <= named) else None


def _check_letters(grid: Grid, ballots: _Ballots, reading: VoteReading, runs: Pair | None) -> None:
    """Refuse rows that have A, or B, on both sides, and A and B where a run is called as the other side is."""
    sides = [[*map(letter_of, ballots.columns[name])] for name in _SIDES if name in ballots.columns]
    same = [left == right != "" for left, right in zip(*sides, strict=True)] if len(sides) == 2 else []
    rows = ballots.row[np.flatnonzero(np.array(same, bool))]
    what, do = "the same model is on both sides", "Name A on one side and B on the other, or leave the row out."
    check(grid.name, [BadCells("bad_value", rows, grid.title("right"), what, do)], grid.row_of)
    shown = any(map(any, sides))
    turned = [name for name, side in zip(runs or (), "AB", strict=False) if letter_of(name) not in ("", side)]
    if turned and (shown or reading.of_ab):
        what = f"the votes speak of A and B, and the other run is called {listed(turned[:1])}"
        raise ask_pair(grid.name, what, [LETTERS])


# --- what the votes say ----------------------------------------------------------------------------------------------


def _seen_from_b(grid: Grid, ballots: _Ballots) -> tuple[dict[str, Words], tuple[Note, ...]]:
    """Return the columns of the ballots with votes and sides seen from B, and the notes on them.

    ReadError for each vote that cannot be.
    """
    texts = ballots.columns["vote"]
    by_name, by_word, notes = _meanings(grid, ballots)
    left = _left(grid, ballots)
    rows = zip(texts, left, ballots.turned, strict=True)
    votes = _array([by_name.get(text) or _seen(by_word.get(text, ""), place, turned) for text, place, turned in rows])
    what = "is no vote" + (", because the sides are not known" if {LEFT, RIGHT} & {*by_word.values()} else "")
    wrong = np.flatnonzero(votes == "")
    cell = dict(zip(ballots.row[wrong].tolist(), texts[wrong].tolist(), strict=True)).__getitem__
    check(grid.name, [BadCells("bad_value", ballots.row[wrong], grid.title("vote"), what, _ALLOWED, cell)], grid.row_of)
    columns = {**ballots.columns, "vote": votes}
    return columns | ({"left": left} if {*_SIDES} & {*columns} else {}), (*ballots.notes, *notes)


def _seen(vote: str, left: str, turned: bool) -> str:
    """Return a vote seen from B, where a model stood on the left, or the row has the models the other way round."""
    if vote in (LEFT, RIGHT):
        return _FOR.get(left if vote == LEFT else _OTHER[left], "")
    return _TURNED.get(vote, vote) if turned else vote


def _meanings(grid: Grid, ballots: _Ballots) -> tuple[Mapping[str, str], Mapping[str, str], tuple[Note, ...]]:
    """Return what texts of votes say as names of models, what they say as words, and notes on the words.

    ReadError where a text has two meanings.
    """
    texts = {*ballots.columns["vote"]}
    by_name = {text: _FOR[side] for text in texts if (side := side_of(text, ballots.models))}
    reading, whole = read_vote_words(sorted(texts - by_name.keys())), read_vote_words(sorted(texts))
    if reading.doubt:
        raise refuse("unclear", grid.name, reading.doubt, _ALLOWED, column=grid.title("vote"))
    said = {text: whole.votes[text] for text in by_name.keys() & whole.votes.keys()}
    double = [text for text, vote in said.items() if vote != by_name[text] or ballots.turned.any()]
    if double or (by_name and whole.doubt):
        what = f"{listed(sorted(double or by_name))} could be words for votes, and names of the models"
        raise ask_pair(grid.name, what, [] if {*_MODELS} & {*ballots.columns} else [LETTERS])
    return by_name, reading.votes, reading.notes


def _left(grid: Grid, ballots: _Ballots) -> Words:
    """Return the model on the left: A, B, or "" where it is not known. ReadError where a model has the letter of the
    other.
    """
    columns, turned = ballots.columns, ballots.turned
    side = next((name for name in _SIDES if name in columns), "")
    if not side:
        return _array([""] * len(turned))
    strange = [name for name, own in zip(ballots.models or (), "AB", strict=False) if letter_of(name) not in ("", own)]
    if strange and not {*strange}.isdisjoint(columns[side]):
        what = f"{listed(strange)} is a side, and the name of the model on the other"
        raise refuse("unclear", grid.name, what, "Give the model another name.")
    placed = _array([letter_of(text) for text in columns[side]])
    placed[turned] = [_OTHER[place] for place in placed[turned]]
    named = [side_of(text, ballots.models) for text in columns[side]]
    left = [name or place for name, place in zip(named, placed, strict=True)]
    return _array([_OTHER[place] for place in left] if side == "right" else left)


def _repeated(columns: Mapping[str, Words]) -> list[Note]:
    """Return a warning on raters with two votes on one pair; a rater without a name is another one in every row."""
    if "rater" not in columns:
        return []
    about = [columns[name].tolist() for name in ("query_id", "rater", "doc_id") if name in columns]
    rows = [row for row in zip(*about, strict=True) if row[1]]
    twice = len(rows) - len(set(rows))
    text = f"Votes that repeat a rater’s earlier vote on the same query: {twice:,}. The last counts."
    return [warning("votes_repeat", text)] if twice else []
