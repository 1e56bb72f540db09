"""Which of two named models is A and which is B: by the names of the runs, letter for letter, or as somebody says.

Whatever names two models - votes, a file with both models, a pair on the command line - is oriented here and nowhere
else. Neither the order in a file nor a spelling or word that looks like a side decides anything. What the names leave
open is an ``OrientationError``, for somebody to settle.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rankdash.strings.quoting import listed

#: Names of A and of B.
Pair = tuple[str, str]
Place = Literal["A", "B", ""]
#: The names that are a side by themselves, in files that name no model.
LETTERS: Pair = ("A", "B")
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


def side_of(name: str, models: Pair | None) -> Place:
    """Return which of two models has this name, apart from white space around it; "" for neither.

    >>> side_of("new", ("old", "new")), side_of("New", ("old", "new")), side_of("x", ("x", "x"))
    ('B', '', '')
    """
    if models is None:
        return ""
    own, a, b = name.strip(), models[0].strip(), models[1].strip()
    return "" if not own or a == b else "A" if own == a else "B" if own == b else ""


def letter_of(name: str) -> Place:
    """Return the side that a text is by itself: A or B, in any case."""
    return side_of(name.upper(), LETTERS)


def oriented(pairs: Iterable[Pair], *, pair: Pair | None = None, runs: Pair | None = None) -> Oriented:
    """Return the two models that votes are about, A first.

    ``pairs`` are the two names of each vote, as they stand. ``pair`` is what somebody said, ``runs`` are the names of
    the runs A and B. OrientationError where no vote names both models, and where ``pair`` contradicts the runs.
    """
    first: dict[frozenset[str], Pair] = {}
    for two in pairs:
        first.setdefault(frozenset(two), two)
    distinct = [two for two in first.values() if two[0] != two[1]]
    if pair is not None:
        check_said(pair, runs)
    for a, b in distinct:
        sides = side_of(a, pair or runs), side_of(b, pair or runs)
        if {*sides} == {"A", "B"}:
            why = "by the names of the runs" if pair is None else "as the pair says"
            return Oriented((a, b) if sides[0] == "A" else (b, a), why)
    if pair is not None:
        raise OrientationError(f"there are no votes on the pair {listed([pair_text(pair)])}", distinct, is_said=True)
    if not distinct:
        raise OrientationError("both models of each vote have the same name", advice="Name them apart.")
    number = f"{len(distinct)} pairs of models" if len(distinct) > 1 else "1 pair of models"
    strange = "nothing says which is A" if runs is None else f"the runs are called {listed(runs)}"
    raise OrientationError(f"there are votes on {number}: {listed(map(pair_text, distinct))}, and {strange}", distinct)


def check_said(pair: Pair, runs: Pair | None) -> None:
    """Raise OrientationError where two names that somebody gave as A and B contradict the names of the runs."""
    if not all(map(str.strip, pair)):
        raise OrientationError("the pair has an empty name", advice="Name two models.", is_said=True)
    if pair[0].strip() == pair[1].strip():
        raise OrientationError(f"the pair names {listed([pair[0]])} twice", advice="Name two models.", is_said=True)
    for name, side, other in zip(pair, "AB", "BA", strict=True):
        if side_of(name, runs) == other:
            what = f"the pair takes {listed([name])} for {side}, and that is what the run {other} is called"
            raise OrientationError(what, advice="Leave the pair out, or exchange A and B.", is_said=True)


def is_turned(pair: Pair, runs: Pair) -> bool:
    """Return whether votes name the runs the other way round: their A is run B; False where they name other models.

    OrientationError where only one of the two is exchanged.
    """
    sides = [side_of(name, runs) for name in pair]
    straight, turned = ([side == other for side, other in zip(sides, two, strict=True)] for two in ("AB", "BA"))
    if any(turned) and (any(straight) or not all(turned)):
        what = f"the votes are on {listed([pair_text(pair)])}, A first, and the runs are {listed([pair_text(runs)])}"
        raise OrientationError(what, advice="Read the votes with pair=(A, B), or name the runs as the votes do.")
    return all(turned)


def models_in_order(names: Sequence[str], pair: Pair | None = None) -> Oriented:
    """Return which models of a file are A and B: those of ``pair``, else those that are called A and B.

    OrientationError for models that do not exist, and where nothing says which is A.
    """
    if pair is not None:
        check_said(pair, None)
    chosen = {side_of(name, pair or LETTERS): name for name in names}
    missing = [name for name, side in zip(pair or LETTERS, "AB", strict=True) if side not in chosen]
    if not missing and (pair is not None or len(names) == 2):
        return Oriented((chosen["A"], chosen["B"]), "as the pair says" if pair else "by these names")
    if pair is not None:
        raise OrientationError(f"there is no model {listed(missing)}", advice=f"Found: {listed(names)}.", is_said=True)
    few = names[:_OFFERED]
    two = [(a, b) for at, a in enumerate(few) for b in few[at + 1 :]]
    what = f"nothing says which of {listed(names)} is A" if len(names) == 2 else _number_of(names)
    raise OrientationError(what, two)


def _number_of(names: Sequence[str]) -> str:
    return f"there {'is 1 model' if len(names) == 1 else f'are {len(names):,} models'}, {listed(names)}"


def pair_of(text: str) -> Pair:
    """Return the two names in a text that ``pair_text`` made or somebody typed. ValueError where it has not two."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    if len(rows) != 1 or len(rows[0]) != 2:
        raise ValueError(f'{text!r} are not two names. Write them as old,new, and a name with a comma as "x, y".')
    a, b = (name.strip() for name in rows[0])
    return a, b


def pair_text(pair: Pair) -> str:
    """Return two names as people type them: with a comma between them, a name with a comma in quotes.

    >>> pair_text(("old", "new, tuned"))
    'old,"new, tuned"'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(pair)  # so that a name with either sign is quoted
    return out.getvalue().removesuffix("\r\n")


def _with_run(name: str, run: str) -> str:
    return listed([name]) if name == run else f"{listed([name])} (run {listed([run])})"
