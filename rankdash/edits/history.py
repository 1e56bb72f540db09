"""What an edit is, and what was done, undone and taken back, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rankdash.scoring import OTHER, Side

What = Literal["grade", "rank", "add", "remove"]


@dataclass(frozen=True)
class Edit:
    """One change to one document of one query.

    ``before`` and ``after`` are grades (``what`` is "grade"; None: unjudged) or ranks from 1 (None: not in the list).
    ``side`` is the list that changes. A grade has no side, because it counts in both lists, except where A and B share
    no documents.
    """

    query_id: str
    doc_id: str
    what: What
    side: Side | None
    before: float | None
    after: float | None


@dataclass(frozen=True)
class Held:
    """Two lists for which votes hold, as somebody said, though people voted on others.

    ``a`` and ``b`` are their digests: of the first documents of one query, of the whole lists where ``query_id`` is "".
    """

    query_id: str
    a: str
    b: str


@dataclass(frozen=True)
class EditStep:
    """What one undo takes back: edits that were made together, the taking back of all edits of some queries, or what
    somebody said about votes on other lists.

    ``by`` tells the browser in which it was made from others, ``who`` is what the person there is called, and ``at``
    is when, in UTC as ISO text; "": unknown.
    """

    edits: tuple[Edit, ...] = ()
    reset: tuple[str, ...] = ()
    held: tuple[Held, ...] = ()
    by: str = ""
    who: str = ""
    at: str = ""


@dataclass(frozen=True)
class History:
    """Every step in order; those up to ``position`` are in force, the others were undone."""

    steps: tuple[EditStep, ...] = ()
    position: int = 0

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits in force, in order."""
        active: list[Edit] = []
        for step in self.steps[: self.position]:
            if gone := frozenset(step.reset):
                active = [edit for edit in active if edit.query_id not in gone]
            active += step.edits
        return tuple(active)

    @property
    def held(self) -> tuple[Held, ...]:
        """The lists for which votes hold as somebody said, each once."""
        return tuple(dict.fromkeys(lists for step in self.steps[: self.position] for lists in step.held))

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries with an edit in force, in order of their first."""
        return tuple(dict.fromkeys(edit.query_id for edit in self.edits))

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self.position > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step."""
        return self.position < len(self.steps)

    def done(self, *edits: Edit) -> History:
        """Return the history with a further step; undone steps are forgotten. Without edits, return it as it is."""
        return self._with(EditStep(edits)) if edits else self

    def holding(self, *held: Held) -> History:
        """Return the history with a further step that says that votes hold for some lists; without lists as it is."""
        return self._with(EditStep(held=held)) if held else self

    def reset(self, *query_ids: str) -> History:
        """Return the history with the edits of some queries taken back, of all where none is named; undo brings them
        back.
        """
        edited = tuple(query for query in self.query_ids if not query_ids or query in query_ids)
        return self._with(EditStep(reset=edited)) if edited else self

    def undone(self) -> History:
        """Return one step back."""
        return replace(self, position=max(self.position - 1, 0))

    def redone(self) -> History:
        """Return one step forward again."""
        return replace(self, position=min(self.position + 1, len(self.steps)))

    def swapped(self) -> History:
        """Return the same steps after A and B were exchanged: an edit stays with its list, undone ones too."""
        return History(tuple(map(_swapped, self.steps)), self.position)

    def signed(self, before: History, by: str, who: str, at: str) -> History:
        """Return the same, those steps that are not in ``before`` as made by somebody at a time."""
        kept = common(before.steps, self.steps)
        new = (step if step in before.steps else replace(step, by=by, who=who, at=at) for step in self.steps[kept:])
        return History((*self.steps[:kept], *new), self.position)

    def _with(self, step: EditStep) -> History:
        return History((*self.steps[: self.position], step), self.position + 1)


def common(first: Sequence[EditStep], second: Sequence[EditStep]) -> int:
    """Return how many steps two histories begin with in common."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    return next((i for i, (left, right) in pairs if left is not right and left != right), shorter)


def _swapped(step: EditStep) -> EditStep:
    return replace(step, edits=tuple(map(swapped_edit, step.edits)), held=tuple(map(swapped_held, step.held)))


def swapped_held(held: Held) -> Held:
    """Return the same two lists after A and B were exchanged."""
    return Held(held.query_id, held.b, held.a)


def swapped_edit(edit: Edit) -> Edit:
    """Return the same edit after A and B were exchanged."""
    return edit if edit.side is None else replace(edit, side=OTHER[edit.side])
