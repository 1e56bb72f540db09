"""Undo and redo among several people: each takes back what he did himself, and learns what others did to it since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from rankdash.edits.documents import Pair, by_document, ending, pair_of
from rankdash.edits.history import EditStep, History


@dataclass(frozen=True)
class Turn:
    """What undo, or redo, does for one person.

    ``step`` is taken back, or done again, and ``history`` is the history afterwards. ``is_own``: this person made it,
    or it is not on record who did. ``since`` are later steps of others on the same documents, and ``before`` is the
    history before the step, both of undo.
    """

    step: EditStep
    history: History
    is_own: bool
    since: tuple[EditStep, ...]
    before: History

    @property
    def needs_consent(self) -> bool:
        """Whether anything that somebody else did is at stake."""
        return bool(self.since) or not self.is_own

    @property
    def documents(self) -> tuple[Pair, ...]:
        """The documents that are at stake: those that others changed since; where nobody did, those of the step."""
        own = _documents(self.step, self.before)
        shared = tuple(pair for pair in own if any(_changes(step, {pair}) for step in self.since))
        return shared or tuple(own)

    @property
    def with_theirs(self) -> History:
        """The history in which documents that others changed since are as they were before the step, too."""
        target = by_document(self.history.edits)
        was = by_document(self.before.edits)
        target |= {pair: was.get(pair, ()) for pair in self.documents}
        return ending(self.history, target, self.step)


def undoing(history: History, me: str) -> Turn | None:
    """Return what undo does for a person: the last step in force of his own goes, else the last one. None where there
    is none.
    """
    steps, undone = history.steps[: history.position], history.steps[history.position :]
    if not steps:
        return None
    own = [at for at, step in enumerate(steps) if _is_by(step, me)]
    at = own[-1] if own else len(steps) - 1
    last = History((*steps[:at], *steps[at + 1 :], steps[at], *undone), len(steps))
    before = History(steps[:at], at)
    return Turn(steps[at], last.undone(), bool(own), _others_on(steps[at], before, steps[at + 1 :], me), before)


def redoing(history: History, me: str) -> Turn | None:
    """Return what redo does for a person: the step of his own that was taken back last is done again, after all that
    others did; else the last one. None where there is none.
    """
    steps, undone = history.steps[: history.position], history.steps[history.position :]
    if not undone:
        return None
    own = [at for at, step in enumerate(undone) if _is_by(step, me)]
    at = own[0] if own else 0
    first = History((*steps, undone[at], *undone[:at], *undone[at + 1 :]), len(steps))
    before = History(steps, len(steps))
    later = [step for step in steps if step.at > undone[at].at]
    return Turn(undone[at], first.redone(), bool(own), _others_on(undone[at], before, later, me), before)


def _is_by(step: EditStep, me: str) -> bool:
    return step.by in ("", me)


def _others_on(step: EditStep, before: History, later: Sequence[EditStep], me: str) -> tuple[EditStep, ...]:
    """Return the later steps of others that changed a document that a step changes."""
    own = _documents(step, before)
    return tuple(other for other in later if not _is_by(other, me) and _changes(other, own.keys()))


def _documents(step: EditStep, before: History) -> dict[Pair, None]:
    """Return the documents that a step changes: those that it edits, and those whose edits it takes back."""
    reset: Iterable[Pair] = (pair_of(edit) for edit in before.edits if edit.query_id in step.reset)
    return dict.fromkeys((*map(pair_of, step.edits), *reset))


def _changes(step: EditStep, documents: Set[Pair]) -> bool:
    """Return whether a step edits a document among some, or takes its edits back."""
    return any(pair_of(edit) in documents for edit in step.edits) or any(query in step.reset for query, _ in documents)
