"""The edits of each document, and a history whose end is given by document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rankdash.edits.history import Edit, EditStep, History

#: A document of a query, and what was done to each, in order.
Pair = tuple[str, str]
Touched = dict[Pair, tuple[Edit, ...]]
_NOBODY = EditStep()


def pair_of(edit: Edit) -> Pair:
    """Return the document that an edit is about."""
    return edit.query_id, edit.doc_id


def by_document(edits: Iterable[Edit]) -> Touched:
    """Return the edits of each document of each query, in order."""
    edits_of: dict[Pair, list[Edit]] = {}
    for edit in edits:
        edits_of.setdefault(pair_of(edit), []).append(edit)
    return {pair: tuple(several) for pair, several in edits_of.items()}


def same(some: Iterable[Edit], others: Iterable[Edit]) -> bool:
    """Return whether a document becomes the same by some edits of it as by others."""
    return _effect(some) == _effect(others)


def ending(history: History, target: Mapping[Pair, tuple[Edit, ...]], by: EditStep = _NOBODY) -> History:
    """Return a history that ends with ``target``, the edits of every document that shall have some: with a further step
    where a document would end otherwise. The step is by whoever made the step ``by``.
    """
    current = by_document(history.edits)
    wrong = {pair for pair in current.keys() | target.keys() if not same(current.get(pair, ()), target.get(pair, ()))}
    if not wrong:
        return history
    queries = tuple(sorted({query for query, _ in wrong}))
    again = [edit for edit in history.edits if edit.query_id in queries and pair_of(edit) not in wrong]
    again += [edit for pair in sorted(wrong) for edit in target.get(pair, ())]
    step = replace(by, edits=tuple(again), reset=queries, held=())
    steps = (*history.steps[: history.position], step)
    return History(steps, len(steps))


def _effect(edits: Iterable[Edit]) -> dict[object, object]:
    """Return what a document becomes: its grade, and its place in each list."""
    return {(edit.what == "grade", edit.side): edit.after for edit in edits}
