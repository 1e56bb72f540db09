"""The decision which of two named models is A; where the names leave it open, an error with what to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rankdash.orientation.matching import Pair, Place, pair_text, place_of, sides_of, spelled, telling_word
from rankdash.strings.quoting import listed

#: Names that a question offers in pairs.
_OFFERED = 20


class OrientationError(ValueError):
    """Names that leave open which model is A, or contradict what somebody said.

    ``str()`` is the clause that says so. ``pairs`` are the pairs to choose from, each of them either way round;
    ``advice`` is what to do where none of them would help. ``is_said``: what somebody said is wrong, not the names.
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
        """Return the sentence that says which name is A and which is B; ``runs`` are the names in the comparison."""
        a, b = (_with_run(name, run) for name, run in zip(self.pair, runs or self.pair, strict=True))
        return f"{what}: {a} is A, {b} is B, {self.why}."


def oriented(pairs: Iterable[Pair], *, are_ab: bool, pair: Pair | None = None, runs: Pair | None = None) -> Oriented:
    """Return the two models that votes are about, A first.

    ``pairs`` are the two names of each vote, as they stand; ``are_ab`` says that they stand in columns for model A and
    for model B. ``pair`` is what somebody said, ``runs`` are the names of the runs A and B. OrientationError where
    nothing tells which is A, where several pairs fit, and where ``pair`` contradicts the runs.
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
    """The side of each name, ``by_run`` and ``by_word``. A name is ``doubtful`` where these two differ, or where it is
    spelled like a run, as other names are too.
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
        """Return whether two names are A and B: by the runs or, where there is this pair ``alone``, also by words."""
        return {*map(self.side if alone else self.by_run.get, two)} == {"A", "B"}

    def oriented(self, two: Pair) -> Oriented:
        """Return two names that fit, A first."""
        why = "by the names of the runs" if {*two} <= {*self.by_run} else "as these words say"
        return Oriented(two if self.side(two[0]) == "A" else (two[1], two[0]), why)


def check_said(pair: Pair, runs: Pair | None) -> None:
    """Raise OrientationError where two names that somebody gave as A and B contradict the names of the runs."""
    if not all(map(str.strip, pair)):
        raise OrientationError("the pair has an empty name", advice="Name two models.", is_said=True)
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
    """Return the pair in the order of its columns, where every vote has this order and no name contradicts it."""
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
    """Return whether votes name the runs the other way round: their A is run B; False where they name other models.

    OrientationError where a name could be either run, and where only one of the two is exchanged.
    """
    sides = _Sides.of(pair, runs)
    own = [sides.by_run.get(name) for name in pair]
    straight, turned = ([side == other for side, other in zip(own, two, strict=True)] for two in ("AB", "BA"))
    if sides.doubtful or (any(turned) and (any(straight) or not all(turned))):
        what = f"the votes are on {listed([pair_text(pair)])}, A first, and the runs are {listed([pair_text(runs)])}"
        raise OrientationError(what, advice="Read the votes with pair=(A, B), or name the runs as the votes do.")
    return all(turned)


def models_in_order(names: Sequence[str], pair: Pair | None = None) -> Oriented:
    """Return which models of a file are A and B: those of ``pair``, else, of two models, as words in the names tell.

    OrientationError for models that do not exist, for any other number than two, and where nothing tells which is A.
    """
    if pair is not None:
        check_said(pair, None)
        chosen = {side: name for name, side in sides_of(names, pair).items()}
        missing = [name for name, side in zip(pair, "AB", strict=True) if side not in chosen]
        if missing:
            raise OrientationError(
                f"there is no model {listed(missing)}", advice=f"Found: {listed(names)}.", is_said=True
            )
        return Oriented((chosen["A"], chosen["B"]), "as the pair says")
    if len(names) != 2:
        raise OrientationError(
            f"there are {len(names):,} models, {listed(names)}", [] if len(names) < 2 else _two(names)
        )
    sides = [place_of(name) or telling_word(name)[0] for name in names]
    if {*sides} != {"A", "B"}:
        raise OrientationError(f"nothing tells which of {listed(names)} is A", _two(names))
    first, second = names
    return Oriented((first, second) if sides[0] == "A" else (second, first), "as these words say")


def _two(names: Sequence[str]) -> list[Pair]:
    """Return the pairs of the first names."""
    few = names[:_OFFERED]
    return [(a, b) for at, a in enumerate(few) for b in few[at + 1 :]]


def _with_run(name: str, run: str) -> str:
    return listed([name]) if name == run else f"{listed([name])} (run {listed([run])})"
