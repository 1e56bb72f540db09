"""From a Grid to Votes: long and wide tables, several pairs of models, sides; what was decided is noted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import from_strings
from rankdash.reading.columns.grid import Grid, unfit
from rankdash.reading.columns.synonyms import VOTE_MEANINGS, key
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import BadCells, Problem, ReadError, check, listed, refuse, too_many
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, empty_cells, filled
from rankdash.reading.values.vote_words import (
    BAD,
    BOTH_BAD,
    BOTH_GOOD,
    GOOD,
    LEFT,
    RIGHT,
    SAME,
    Reading,
    is_blank,
    on_a_scale,
    plain,
    reading_of,
)
from rankdash.tables import VOTE_COLUMNS, Source, Votes

Words = npt.NDArray[np.object_]
Pair = tuple[str, str]

_RATER = (
    r"(rater|annotator|judge|assessor|labell?er|worker|evaluator|reviewer|user|vote|verdict|"
    r"评估员|评估者|标注员|标注者|评委|評審|標註員|標註者|評価者|判定者|アノテーター)([0-9]+|[a-z])(vote|verdict)?"
)
_SHORT_RATER = r"(r|a|e|j|v|p|ann|annot|eval|expert|person|participant|subject)[0-9]+"
_COUNTS = {
    "good": "good g better wins win bwins bbetter 胜 勝 好 更好 b胜 b更好 勝ち",
    "same": "same s ties tie draws draw equal 平 一样 一樣 平局 分 引き分け",
    "bad": "bad b worse losses loss lose awins abetter 负 負 差 坏 a胜 a更好 負け",
}
_KNOWN = frozenset(meaning.name for meaning in VOTE_MEANINGS)
_ALLOWED = "Use good, same, bad (seen from B), G, S, B, A, B, tie, or numbers by sign."


@dataclass(frozen=True)
class Ballots:
    """Votes in the making: columns of text, one entry per vote, and the data row of each."""

    columns: Mapping[str, Words]
    row: npt.NDArray[np.int64]
    notes: tuple[str, ...] = field(default=())

    def taken(self, rows: npt.NDArray[np.generic], *notes: str) -> Ballots:
        """Return some of the votes."""
        return Ballots(
            {name: values[rows] for name, values in self.columns.items()}, self.row[rows], (*self.notes, *notes)
        )

    def put(self, notes: Sequence[str] = (), **columns: Words) -> Ballots:
        """Return the same votes with some columns replaced."""
        return replace(self, columns={**self.columns, **columns}, notes=(*self.notes, *notes))


def votes_of(grid: Grid, pair: Pair | None) -> Votes:
    """Return the votes of the Grid on one pair of models, seen from B, without rows that have no vote.

    ReadError for words that are not votes, votes with two possible meanings, and several pairs where none is chosen.
    """
    every = _ballots(grid, pair)
    ballots = _worded(grid, _paired(grid, every, pair), pair, set(every.columns["vote"].tolist()))
    columns = {name: ballots.columns[name] for name in VOTE_COLUMNS if name in ballots.columns}
    arrays = [from_strings(values.tolist()) for values in columns.values()]
    notes = (*grid.notes, *ballots.notes, *_repeated(columns))
    source = Source(rows=grid.rows, first_row=grid.first_row, notes=notes)
    return Votes(pa.Table.from_arrays(arrays, names=list(columns)), source)


def _text(grid: Grid, name: str) -> Words:
    """Return a column as text without white space around it."""
    try:
        values = filled(as_text(grid.columns[name])[0]).to_pylist()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise unfit(grid, name, "text") from None
    return np.array([value.strip() for value in values] + [None], object)[:-1]


def _ballots(grid: Grid, pair: Pair | None) -> Ballots:
    """Return one entry per vote, whatever the form of the table."""
    found = grid.ids("query_id")
    rows = np.arange(grid.rows)
    columns = {name: _text(grid, name) for name in grid.columns if name in _KNOWN and name != "query_id"}
    columns["query_id"] = np.array([*found.array.to_pylist(), None], object)[:-1]
    counts = _count_columns(grid)
    if "vote" in columns:
        ballots = Ballots(columns, rows)
    elif counts:
        ballots = _counted(grid, columns, counts)
    else:
        ballots = _wide(grid, columns, _raters(grid, pair))
    kept = np.array([not is_blank(text) for text in ballots.columns["vote"]], bool)
    blank = len(kept) - int(kept.sum())
    if not kept.any():
        raise refuse("empty", grid.name, "no row has a vote")
    ballots = ballots.taken(kept, *([f"{_votes(blank)} blank and left out."] if blank else []))
    empty = np.intersect1d(empty_cells(filled(as_text(found.array)[0])), ballots.row)
    check(grid.name, [BadCells("missing_value", empty, grid.title("query_id"), "the query id is empty")], grid.row_of)
    return ballots


def _votes(n: int) -> str:
    return "1 vote is" if n == 1 else f"{n:,} votes are"


def _raters(grid: Grid, pair: Pair | None) -> list[str]:
    """Return the columns with one rater's votes each: by their names, else because all of their cells are votes."""
    others = [name for name in grid.columns if name not in _KNOWN]
    numbered = [name for name in others if re.fullmatch(_RATER, key(name))]
    if numbered:
        return numbered
    voting = [name for name in others if _all_votes(grid, name, pair)] or _on_scales(grid, others)
    if not voting:
        what = "there is no column for the vote"
        found = listed(grid.headings or grid.columns)
        allowed = advice("choose_column", key="vote", found=found, examples="verdict, preference", more="")
        raise refuse("missing_column", grid.name, what, allowed, Choice("columns", grid.headings, "vote"))
    return voting


def _on_scales(grid: Grid, names: Sequence[str]) -> list[str]:
    """Return the columns, two at least, that are numbered as raters are, short for them, and hold votes as numbers."""
    numbered = [name for name in names if re.fullmatch(_SHORT_RATER, key(name))]
    texts = {text for name in numbered for text in _text(grid, name).tolist()}
    return numbered if len(numbered) > 1 and on_a_scale(texts) else []


def _all_votes(grid: Grid, name: str, pair: Pair | None) -> bool:
    texts = set(_text(grid, name).tolist())
    if all(map(is_blank, texts)):
        return False
    if not any(text and not is_blank(text) and not is_number(text) for text in texts):
        return False
    reading = reading_of(texts, _names(pair))
    return bool(reading.votes) and not reading.unknown and not reading.doubt


def _wide(grid: Grid, columns: Mapping[str, Words], raters: Sequence[str]) -> Ballots:
    """Return a table with a column per rater: every row has as many votes as raters."""
    n, k = grid.rows, len(raters)
    spread = {name: np.repeat(values, k) for name, values in columns.items() if name != "rater"}
    spread["vote"] = np.array([_text(grid, name) for name in raters], object).reshape(k, n).T.reshape(-1)
    spread["rater"] = np.tile(np.array([*raters, None], object)[:-1], n)
    note = f"{k:,} {'column was' if k == 1 else 'columns were'} read as votes, one for each rater: {listed(raters)}."
    return Ballots(spread, np.repeat(np.arange(n), k), (note,))


def _count_columns(grid: Grid) -> dict[str, str]:
    """Return the columns with numbers of votes, by what they count; empty unless there is one for good,
    same and bad.
    """
    found: dict[str, str] = {}
    for vote, names in _COUNTS.items():
        for name in grid.columns:
            if name not in _KNOWN and key(name) in names.split() and vote not in found:
                found[vote] = name
    return found if len(found) == len(_COUNTS) else {}


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
    if repeats.sum() > 20_000_000:
        raise too_many(grid.name, repeats.sum(), "votes", 20_000_000)
    rows = np.repeat(np.repeat(np.arange(grid.rows), len(counts)), repeats)
    spread = {name: values[rows] for name, values in columns.items()}
    spread["vote"] = np.repeat(np.tile(np.array([*counts], object), grid.rows), repeats)
    note = f"Columns {listed(counts.values())} were read as numbers of good, same and bad votes."
    return Ballots(spread, rows, (note,))


def _paired(grid: Grid, ballots: Ballots, pair: Pair | None) -> Ballots:
    """Return the votes on one pair of models, those on the reversed pair turned (column ``turned``)."""
    columns = ballots.columns
    sides = ("model_a", "model_b") if {"model_a", "model_b"} <= set(columns) else ("left", "right")
    if not set(sides) <= set(columns):
        return ballots
    found = list(zip(columns[sides[0]].tolist(), columns[sides[1]].tolist(), strict=True))
    pairs: dict[frozenset[str], Pair] = {}
    for one in dict.fromkeys(found):
        pairs.setdefault(frozenset(one), one)
    if sides == ("left", "right") and all(set(map(plain, one)) <= {"a", "b", ""} for one in pairs.values()):
        return ballots
    if pair is None and (len(pairs) > 1 or sides == ("left", "right")):
        raise _several(grid, [*pairs.values()])
    a, b = pair or next(iter(pairs.values()))
    chosen = np.array([frozenset(one) == {a, b} for one in found], bool)
    if not chosen.any():
        told = ", ".join(f'"{x},{y}"' for x, y in list(pairs.values())[:20])
        raise refuse(
            "bad_option",
            grid.name,
            f'there are no votes on the pair "{a},{b}"',
            f"Found: {told}.",
            _pair_choice(pairs.values()),
        )
    turned = np.array([one != (a, b) for one in found], bool)
    notes = [f"The votes on A = {listed([a])} and B = {listed([b])} were read."] if len(pairs) > 1 or pair else []
    if sides == ("model_a", "model_b") and (turned & chosen).any():
        notes.append(f"{int((turned & chosen).sum()):,} votes name the two models the other way round and were turned.")
    named = {"name_a": np.full(len(found), a, object), "name_b": np.full(len(found), b, object)}
    marked = ballots.put(notes, turned=turned if sides[0] == "model_a" else np.zeros(len(found), bool), **named)
    return marked.taken(chosen)


def _several(grid: Grid, pairs: Sequence[Pair]) -> Exception:
    told = ", ".join(f'"{a},{b}"' for a, b in pairs[:20])
    what = f"there are votes on {len(pairs)} {'pair' if len(pairs) == 1 else 'pairs'} of models: {told}"
    return refuse("unclear", grid.name, what, advice("choose_pair"), _pair_choice(pairs))


def _pair_choice(pairs: Iterable[Pair]) -> Choice:
    return Choice("pair", tuple(f"{a},{b}" for a, b in pairs)[:200])


def _names(pair: Pair | None) -> dict[str, str]:
    return {} if pair is None else {pair[0]: BAD, pair[1]: GOOD}


def _worded(grid: Grid, ballots: Ballots, pair: Pair | None, texts: Iterable[str]) -> Ballots:
    """Return the votes as tables.py has them, and the sides as A and B.

    All ``texts`` of the table tell what each means.
    """
    columns = ballots.columns
    if "name_a" in columns:
        pair = (columns["name_a"][0], columns["name_b"][0])
    reading = reading_of(sorted(texts), _names(pair))
    if reading.doubt:
        column = grid.title("vote") if "vote" in grid.columns else None
        raise ReadError((Problem("unclear", grid.name, reading.doubt, column=column, allowed=_ALLOWED),))
    names = _winners(reading) if pair is None else ()
    if names:
        what = f"the votes name the winner, it seems: {listed(names)}"
        raise refuse("unclear", grid.name, what, advice("choose_a"), _pair_choice([names]))
    texts = columns["vote"]
    votes = np.array([reading.votes.get(text, "") for text in texts] + [None], object)[:-1]
    left, notes = _left(columns, pair)
    for side, other in ((LEFT, "B"), (RIGHT, "A")):
        sided = votes == side
        known = np.zeros(len(votes), bool) if left is None else (left == "A") | (left == "B")
        votes[sided & ~known] = ""
        if left is not None:
            votes[sided & known] = np.where(left[sided & known] == other, GOOD, BAD)
    turned = columns.get("turned")
    if turned is not None and turned.any():
        by_name = np.array([plain(text) in {plain(name) for name in pair or ()} for text in texts], bool)
        by_side = np.array([reading.votes.get(text) in (LEFT, RIGHT) for text in texts], bool)
        swap = turned.astype(bool) & ~by_name & ~by_side
        votes[swap] = [{GOOD: BAD, BAD: GOOD}.get(vote, vote) for vote in votes[swap]]
    bad = np.flatnonzero(votes == "")
    cells = BadCells(
        "bad_value",
        ballots.row[bad],
        grid.title("vote") if "vote" in grid.columns else "vote",
        "is no vote"
        + (", for the side of the models is not known" if set(reading.votes.values()) & {LEFT, RIGHT} else ""),
        _ALLOWED,
        lambda row: str(texts[bad[np.searchsorted(ballots.row[bad], row)]]),
    )
    check(grid.name, [cells], grid.row_of)
    finished = ballots.put((*reading.notes, *notes), vote=votes)
    return finished if left is None else finished.put(left=left)


def _winners(reading: Reading) -> tuple[()] | Pair:
    """Return the two names that stand in the place of votes, where nothing else does but votes for neither; else
    nothing.
    """
    names = {plain(text): text for text in reversed(reading.unknown)}
    neither = set(reading.votes.values()) <= {SAME, BOTH_GOOD, BOTH_BAD}
    if len(names) != 2 or not neither or any("," in name for name in names.values()):
        return ()
    a, b = sorted(names.values())
    return a, b


def _left(columns: Mapping[str, Words], pair: Pair | None) -> tuple[Words | None, list[str]]:
    """Return the model on the left: A, B, or "" where it is not known; None without such a column."""
    side = "left" if "left" in columns else "right" if "right" in columns else ""
    if not side:
        return None, []
    names = {"a": "A", "b": "B", "1": "A", "2": "B", "baseline": "A", "candidate": "B"}
    absolute = {plain(name): letter for name, letter in zip(pair or (), "AB", strict=False)}
    texts = [plain(text) for text in columns[side]]
    found = np.array([absolute.get(text) or names.get(text, "") for text in texts] + [None], object)[:-1]
    other = {"A": "B", "B": "A"}
    turned = columns.get("turned", np.zeros(len(texts), bool))
    for i, text in enumerate(texts):
        if bool(turned[i]) and text not in absolute:
            found[i] = other.get(found[i], "")
    if side == "right":
        found = np.array([other.get(value, "") for value in found] + [None], object)[:-1]
    unknown = sum(value == "" for value in found)
    notes = [f"For {unknown:,} votes it is not known which model stood on the left."] if unknown else []
    return found, notes


def _repeated(columns: Mapping[str, Words]) -> list[str]:
    """Return a note on raters with two votes on one pair; a rater without a name is a different one in every row."""
    if "rater" not in columns:
        return []
    about = [columns[name].tolist() for name in ("query_id", "rater", "doc_id") if name in columns]
    rows = [row for row in zip(*about, strict=True) if row[1]]
    twice = len(rows) - len(set(rows))
    return [f"{twice:,} votes are by a rater who voted on the same query before; the last counts."] if twice else []
