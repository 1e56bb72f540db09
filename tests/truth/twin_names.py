"""Slow twins of who is A: which model a name means, what a vote says of it, and which votes count, in plain Python."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Pair = tuple[str, str]
Lists = dict[str, list[str]]


def side(name: str, two: Pair | None) -> int | None:
    """Which of two models a name is, letter for letter: 0 for A, 1 for B, None for neither."""
    names = [] if two is None else [one.strip() for one in two]
    return names.index(name.strip()) if name.strip() and names.count(name.strip()) == 1 else None


def is_contrary(said: Pair, runs: Pair | None) -> bool:
    """Whether what was said takes a run for the other one."""
    if said[0].strip() == said[1].strip() or not all(map(str.strip, said)):
        return True
    return any(side(name, runs) == 1 - at for at, name in enumerate(said))


def pair_of(rows: Sequence[Pair], said: Pair | None, runs: Pair | None) -> Pair | None:
    """The names of A and of B in the rows of a file; None where it is asked or refused."""
    if said is not None and is_contrary(said, runs):
        return None
    wanted = said or runs
    both = [(x, y) for p, q in rows for x, y in ((p, q), (q, p))]
    return next((two for two in both if (side(two[0], wanted), side(two[1], wanted)) == (0, 1)), None)


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
