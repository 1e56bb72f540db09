"""Slow twins of who is A: which model a name means, what a vote says of it, and which votes count, in plain Python."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

Pair = tuple[str, str]
Lists = dict[str, list[str]]

_WORD = {"a": 0, "1": 0, "baseline": 0, "b": 1, "2": 1, "candidate": 1}


def alike(name: str) -> tuple[str, ...]:
    """What two spellings of one name share: their words in small letters."""
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name).casefold()))


def word_for(name: str) -> int | None:
    """The side that a name says itself: 0 for A, 1 for B."""
    words = alike(name)
    if len(words) == 2 and words[0] in ("model", "system", "run", "list", "模型", "モデル") and words[1] in "ab12":
        words = words[1:]
    elif len(words) == 1 and re.fullmatch("(model|system|run|list|模型|モデル)[ab12]", words[0]):
        words = (words[0][-1],)
    return _WORD.get(words[0]) if len(words) == 1 else None


@dataclass(frozen=True)
class Names:
    """All names of a file, and the two that they are matched with."""

    names: frozenset[str]
    of: Pair | None

    def means(self, name: str, side: int) -> bool:
        """Whether a name is that of a side: the same text, or the only one that is spelled like it."""
        if self.of is None or self.of[0] == self.of[1]:
            return False
        own, other = self.of[side], self.of[1 - side]
        if not own:
            return False
        if own in self.names or name == other:
            return name == own
        if not alike(own) or alike(own) == alike(other):
            return False
        return [one for one in self.names if alike(one) == alike(own)] == [name]

    def side(self, name: str) -> int | None:
        """The side that a name means; None for neither."""
        return next((side for side in (0, 1) if self.means(name, side)), None)

    def strange(self, name: str) -> bool:
        """Whether a name could be one of the two, and is not told apart; or says that it is the other."""
        side = self.side(name)
        if side is None:
            return self.of is not None and alike(name) in {alike(one) for one in self.of if alike(one)}
        return word_for(name) == 1 - side


def is_contrary(said: Pair, runs: Pair | None) -> bool:
    """Whether what was said takes a run for the other one."""
    names = Names(frozenset(said), runs)
    return said[0] == said[1] or not all(said) or any(names.side(name) == 1 - side for side, name in enumerate(said))


def pair_of(rows: Sequence[Pair], are_ab: bool, said: Pair | None, runs: Pair | None) -> Pair | None:
    """The names of A and of B in the rows of a file; None where it is asked or refused."""
    names = frozenset(name for row in rows for name in row)
    both = {(x, y) for p, q in rows for x, y in ((p, q), (q, p)) if x != y}
    if said is not None:
        matched = Names(names, said)
        found = [two for two in both if matched.means(two[0], 0) and matched.means(two[1], 1)]
        return None if is_contrary(said, runs) or not found else found[0]
    known = Names(frozenset(name for two in both for name in two), runs)
    sided = [two for two in both if known.means(two[0], 0) and known.means(two[1], 1)]
    alone = len({frozenset(two) for two in both}) == 1
    if not sided and alone:
        side = {name: word_for(name) if known.side(name) is None else known.side(name) for name in known.names}
        sided = [two for two in both if (side[two[0]], side[two[1]]) == (0, 1)]
        strange = any(map(known.strange, known.names))
        constant = {row for row in rows if row[0] != row[1]}
        if not sided and not strange and are_ab and len(constant) == 1:
            ((a, b),) = constant
            return None if side[a] == 1 or side[b] == 0 else (a, b)
    if len(sided) != 1 or any(map(known.strange, sided[0])):
        return None
    return sided[0]


def seen_from_b(winners: Iterable[str | None], pair: Pair) -> list[str]:
    """The votes for models by name, None for neither, seen from B."""
    return ["good" if winner == pair[1] else "bad" if winner == pair[0] else "same" for winner in winners]


# --- votes beside lists that change ----------------------------------------------------------------------------------


@dataclass
class Voted:
    """Votes on two lists, and what stands there now: A and B the way around in which the lists were uploaded."""

    votes: dict[str, int]  # by query: 1, 0, -1 for the list of B that people saw
    saw: tuple[Lists, Lists]
    uploaded: tuple[Lists, Lists]
    moves: list[tuple[int, str, str, int]] = field(default_factory=list)  # side, query, document, to
    said: set[str] = field(default_factory=set)  # what somebody said that votes hold for

    def lists(self) -> tuple[Lists, Lists]:
        """The lists with the moves in them."""
        now = tuple({query: list(docs) for query, docs in side.items()} for side in self.uploaded)
        for side, query, doc, to in self.moves:
            now[side][query].remove(doc)
            now[side][query].insert(to - 1, doc)
        return now[0], now[1]

    def counted(self, k: int, swapped: bool) -> dict[str, int]:
        """The votes that count, seen from B as it is shown."""
        turn = -1 if swapped else 1
        if self.uploaded == self.saw[::-1] != self.saw:
            turn = -turn
        elif self.saw != self.uploaded and repr(self.uploaded) not in self.said:
            return {}
        return {query: turn * vote for query, vote in self.votes.items() if query not in self.changed(k)}

    def changed(self, k: int) -> list[str]:
        """The queries whose first k documents a move has changed, and of which nobody has said that the votes hold."""
        now = self.lists()
        found = []
        for query in self.votes:
            was, here = ([side.get(query, [])[:k] for side in both] for both in (self.uploaded, now))
            if was != here and repr((query, here)) not in self.said:
                found.append(query)
        return found

    def hold(self, k: int) -> None:
        """Somebody says that the votes hold for what stands there."""
        if self.uploaded not in (self.saw, self.saw[::-1]) and repr(self.uploaded) not in self.said:
            self.said.add(repr(self.uploaded))
            return
        now = self.lists()
        self.said |= {repr((query, [side.get(query, [])[:k] for side in now])) for query in self.changed(k)}

    def copy(self) -> Voted:
        """The same, to go on from."""
        return replace(self, moves=list(self.moves), said=set(self.said))
