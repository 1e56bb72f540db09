"""Which of two named models is A and which is B: by the names of the runs, by words for a side, or as somebody says.

Whatever speaks of two models by name - votes, a file with both models, a pair on the command line - is oriented here
and nowhere else. Where stands what in a file decides nothing, but for one rule: where every vote has the same model in
the column for model A, that is A. What the names leave open is an ``OrientationError``, for somebody to settle.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rankdash.strings.normalforms import normalized
from rankdash.strings.quoting import listed

#: Names of A and of B.
Pair = tuple[str, str]
Place = Literal["A", "B", ""]

_SIGNS = re.compile(r"[\W_]+")
#: Names that say themselves which of the two they mean, after ``spelled``.
_PLACES: Mapping[str, Place] = {"a": "A", "1": "A", "baseline": "A", "b": "B", "2": "B", "candidate": "B"}
_KIND = re.compile(r"^(?:model|system|run|list|模型|モデル) ?(?=(?:a|b|1|2)$)")
#: Words in a name that tell a side.
_TELLING: Mapping[Place, frozenset[str]] = {
    "A": frozenset(
        "a baseline base control old before prod production current online champion reference v1 "
        "旧 基线 对照 线上 現行 旧版 ベースライン".split()
    ),
    "B": frozenset(
        "b candidate treatment new after variant challenger experiment experimental proposed v2 新 实验 候选 新版 候補 "
        "改善".split()
    ),
}
_BETWEEN_WORDS = re.compile(r"[\s_.\-()\[\]]+")
#: Names that a question offers in pairs.
_OFFERED = 20


class OrientationError(ValueError):
    """Names that leave open which model is A, or contradict what somebody said.

    ``str()`` is the clause that says so. ``pairs`` are what there is to choose from, each of them either way round;
    ``advice`` is what to do where none of them would help. ``is_said``: what was said is wrong, and not the names.
    """

    def __init__(self, what: str, pairs: Iterable[Pair] = (), advice: str = "", *, is_said: bool = False) -> None:
        self.pairs, self.advice, self.is_said = tuple(pairs), advice, is_said
        super().__init__(what)


@dataclass(frozen=True)
class Oriented:
    """The names of A and B as a table has them, and a clause that says why."""

    pair: Pair
    why: str

    def note(self, what: str, runs: Pair | None = None) -> str:
        """Return the sentence that says who was taken for whom; ``runs`` are the names of A and B in the comparison."""
        a, b = (_told(name, run) for name, run in zip(self.pair, runs or self.pair, strict=True))
        return f"{what}: {a} is A, {b} is B, {self.why}."


# --- names -----------------------------------------------------------------------------------------------------------


def spelled(name: str) -> str:
    """Return a name without what people vary in spelling it: case, width, and the signs between its words.

    >>> spelled("GPT-4_Turbo"), spelled("gpt 4 turbo"), spelled("v1.0") == spelled("v10")
    ('gpt 4 turbo', 'gpt 4 turbo', False)
    """
    return _SIGNS.sub(" ", normalized("NFKC", name).casefold()).strip()


#: What two spellings of a name have in common, the closest first.
FOLDS: tuple[Callable[[str], str], ...] = (str, spelled)


def sides_of(names: Iterable[str], models: Pair) -> dict[str, Place]:
    """Return which of two models each name is, for the names that are one: the one with the same text, else the only
    one with the same spelling, where this tells the two models apart.

    >>> sides_of(["New", "old", "other"], ("old", "new"))
    {'old': 'A', 'New': 'B'}
    """
    names, sides = list(dict.fromkeys(names)), dict[str, Place]()
    for fold in FOLDS:
        a, b = map(fold, models)
        if a == b:
            break
        for text, side in ((a, "A"), (b, "B")):
            alike = [name for name in names if name not in sides and fold(name) == text]
            if text and len(alike) == 1 and side not in sides.values():
                sides[alike[0]] = "A" if side == "A" else "B"
    return sides


def side_of(text: str, models: Pair, folds: Sequence[Callable[[str], str]] = FOLDS) -> Place:
    """Return which of two models a text names; "" for neither, and where only their exact texts tell them apart and it
    is none of these.
    """
    for fold in folds:
        a, b, own = fold(models[0]), fold(models[1]), fold(text)
        if a == b:
            break
        if own and own in (a, b):
            return "A" if own == a else "B"
    return ""


def place_of(name: str) -> Place:
    """Return the side that a name says itself: "A", "model B", "1", "candidate"; "" for any other name."""
    return _PLACES.get(_KIND.sub("", spelled(name)), "")


def telling_word(name: str) -> tuple[Place, str]:
    """Return the side that the words of a name tell, and the word; empty texts where none does, or both sides.

    >>> telling_word("run_old.v3"), telling_word("old_new"), telling_word("bm25")
    (('A', 'old'), ('', ''), ('', ''))
    """
    words = [word for word in _BETWEEN_WORDS.split(name.casefold()) if word]
    told = {side: word for side, telling in _TELLING.items() for word in words if word in telling}
    return next(iter(told.items())) if len(told) == 1 else ("", "")


# --- pairs as text ---------------------------------------------------------------------------------------------------


def pair_text(pair: Pair) -> str:
    """Return two names as people type them: with a comma between them, a name with a comma in quotes.

    >>> pair_text(("old", "new, tuned"))
    'old,"new, tuned"'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(pair)
    return out.getvalue()


def pair_of(text: str) -> Pair:
    """Return the two names of a text that ``pair_text`` made, or somebody typed. ValueError where there are not two."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    if len(rows) != 1 or len(rows[0]) != 2:
        raise ValueError(f'{text!r} are not two names. Write them as old,new, and a name with a comma as "x, y".')
    a, b = (name.strip() for name in rows[0])
    return a, b


# --- the decision ----------------------------------------------------------------------------------------------------


def oriented(pairs: Iterable[Pair], *, are_ab: bool, pair: Pair | None = None, runs: Pair | None = None) -> Oriented:
    """Return the two models that votes are about, A first.

    ``pairs`` are the two names of each vote, as they stand; ``are_ab`` says that they stand in columns for model A and
    for model B. ``pair`` is what somebody said, ``runs`` are the names of the runs A and B. OrientationError where
    nothing tells, where several pairs fit, and where what was said contradicts the runs.
    """
    ordered = list(dict.fromkeys(pairs))
    first: dict[frozenset[str], Pair] = {}
    for two in ordered:
        first.setdefault(frozenset(two), two)
    distinct = [two for two in first.values() if two[0] != two[1]]
    if pair is not None:
        return _as_said(pair, distinct, runs)
    if not distinct:
        raise OrientationError(f"both models of a vote are called {listed([ordered[0][0]])}", advice="Name them apart.")
    sides = _Sides.of([name for two in distinct for name in two], runs)
    fitting = [two for two in distinct if sides.fit(two, alone=len(distinct) == 1)]
    if len(fitting) == 1 and not sides.doubtful & {*fitting[0]}:
        return sides.oriented(fitting[0])
    if fitting or len(distinct) > 1 or sides.doubtful or not are_ab:
        raise OrientationError(_open(distinct, sides.doubtful), distinct)
    return _by_column(distinct[0], ordered, sides, runs)


@dataclass(frozen=True)
class _Sides:
    """Which side each name is, ``by_run`` and ``by_word``; of ``doubtful`` names the two say different things, or the
    spelling is that of a run, and other names have it too.
    """

    by_run: Mapping[str, Place]
    by_word: Mapping[str, Place]
    doubtful: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str], runs: Pair | None) -> _Sides:
        names = list(dict.fromkeys(names))
        by_run = {} if runs is None else sides_of(names, runs)
        by_word = {name: place for name in names if (place := place_of(name))}
        alike = {spelled(name) for name in runs or ()} - {""}
        doubtful = {name for name, side in by_run.items() if by_word.get(name, side) != side}
        doubtful |= {name for name in names if name not in by_run and spelled(name) in alike}
        return cls(by_run, by_word, frozenset(doubtful))

    def side(self, name: str) -> Place:
        """Return the side of a name; "" where nothing tells it."""
        return self.by_run.get(name) or self.by_word.get(name, "")

    def fit(self, two: Pair, *, alone: bool) -> bool:
        """Whether two names are A and B: by the runs, or, where votes are on one pair ``alone``, by words too."""
        return {*map(self.side if alone else self.by_run.get, two)} == {"A", "B"}

    def oriented(self, two: Pair) -> Oriented:
        """Return two names that fit, A first."""
        why = "by the names of the runs" if {*two} <= {*self.by_run} else "as these words say"
        return Oriented(two if self.side(two[0]) == "A" else (two[1], two[0]), why)


def check_said(pair: Pair, runs: Pair | None) -> None:
    """Raise OrientationError where two names that somebody gave as A and B contradict the names of the runs."""
    if pair[0] == pair[1]:
        raise OrientationError(f"the pair names {listed([pair[0]])} twice", advice="Name two models.", is_said=True)
    turned = {} if runs is None else sides_of(pair, runs)
    for name, side, other in zip(pair, "AB", "BA", strict=True):
        if turned.get(name) == other:
            what = f"the pair takes {listed([name])} for {side}, and that is what the run {other} is called"
            raise OrientationError(what, advice="Leave the pair out, or exchange A and B.", is_said=True)


def _as_said(pair: Pair, distinct: Sequence[Pair], runs: Pair | None) -> Oriented:
    check_said(pair, runs)
    names = {side: name for name, side in sides_of([name for two in distinct for name in two], pair).items()}
    a, b = names.get("A"), names.get("B")
    if a is None or b is None or {a, b} not in map(set, distinct):
        raise OrientationError(f"there are no votes on the pair {listed([pair_text(pair)])}", distinct, is_said=True)
    return Oriented((a, b), "as the pair says")


def _by_column(two: Pair, ordered: Sequence[Pair], sides: _Sides, runs: Pair | None) -> Oriented:
    """Return the pair as its columns have it, where they always have it this way and no name contradicts that."""
    a, b = next(pair for pair in ordered if {*pair} == {*two})
    if (b, a) in ordered or sides.side(a) == "B" or sides.side(b) == "A":
        raise OrientationError(_open([two], ()), [two])
    strange = [name for name in (a, b) if runs is not None and not sides.side(name)]
    none = f"; no run is called {' or '.join(listed([name]) for name in strange)}" if strange else ""
    return Oriented((a, b), f"because every vote has {listed([a])} as model A{none}")


def _open(distinct: Sequence[Pair], doubtful: Iterable[str]) -> str:
    number = f"{len(distinct)} pairs of models" if len(distinct) > 1 else "1 pair of models"
    strange = sorted(doubtful)
    why = f", and {listed(strange[:1])} could be either of them" if strange else ""
    why = why or (", and nothing tells which of the two is A" if len(distinct) == 1 else "")
    return f"there are votes on {number}: {listed(map(pair_text, distinct))}{why}"


def is_turned(pair: Pair, runs: Pair) -> bool:
    """Whether the names of votes' A and B are those of the runs B and A; False where they are not those of the runs.

    OrientationError where a name could be either of the two, and where only one of them is exchanged.
    """
    sides = _Sides.of(pair, runs)
    straight, turned = ([sides.by_run.get(name) == side for name, side in zip(pair, two)] for two in ("AB", "BA"))
    if sides.doubtful or (any(turned) and (any(straight) or not all(turned))):
        what = f"the votes are on {listed([pair_text(pair)])}, A first, and the runs are {listed([pair_text(runs)])}"
        raise OrientationError(what, advice="Read the votes with pair=(A, B), or name the runs as the votes do.")
    return all(turned)


def models_in_order(names: Sequence[str], pair: Pair | None = None) -> Oriented:
    """Return which two of the models of one file are A and B: those of ``pair``, else as the words of two names tell.

    OrientationError for models that are not there, for more than two, and where nothing tells which is A.
    """
    if pair is not None:
        check_said(pair, None)
        chosen = {side: name for name, side in sides_of(names, pair).items()}
        missing = [name for name, side in zip(pair, "AB", strict=True) if side not in chosen]
        if missing:
            raise OrientationError(f"there is no model {listed(missing)}", advice=f"Found: {listed(names)}.", is_said=True)
        return Oriented((chosen["A"], chosen["B"]), "as the pair says")
    if len(names) != 2:
        raise OrientationError(f"there are {len(names):,} models, {listed(names)}", [] if len(names) < 2 else _two(names))
    sides = [place_of(name) or telling_word(name)[0] for name in names]
    if {*sides} != {"A", "B"}:
        raise OrientationError(f"nothing tells which of {listed(names)} is A", _two(names))
    first, second = names
    return Oriented((first, second) if sides[0] == "A" else (second, first), "as these words say")


def _two(names: Sequence[str]) -> list[Pair]:
    """Return the pairs of some names, at most the first of them."""
    few = names[:_OFFERED]
    return [(a, b) for at, a in enumerate(few) for b in few[at + 1 :]]


def _told(name: str, run: str) -> str:
    return listed([name]) if name == run else f"{listed([name])} (run {listed([run])})"
