"""Two people changed the same comparison: what each did since a common base is put together.

Names, note, orientation and policy are merged field by field: the later one counts where he changed it. Edits are small
records, and those of the later person are done again after those of the earlier. A document of a query is in question
only where both changed it, and not to the same; so nobody is asked about anything else, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

from rankdash.edits import Edit, History, Step
from rankdash.policy import Policy, PolicyError
from rankdash.store.records import Clash, State
from rankdash.store.steps import common

#: A document of a query, and what was done to it, in order.
Pair = tuple[str, str]
Touched = dict[Pair, tuple[Edit, ...]]


@dataclass(frozen=True)
class Merged:
    """Both together, where a document is in question as the later person has it, or as the earlier one has."""

    clashes: tuple[Clash, ...]
    mine: State
    yielded: State


def merged(base: State, mine: State, theirs: State) -> Merged:
    """What ``mine`` did since ``base`` on top of ``theirs``."""
    both = replace(
        theirs,
        name=_later(base.name, mine.name, theirs.name),
        a=_later(base.a, mine.a, theirs.a),
        b=_later(base.b, mine.b, theirs.b),
        note=_later(base.note, mine.note, theirs.note),
        swapped=theirs.swapped if mine.swapped == base.swapped else mine.swapped,
        policy=_policy(base.policy, mine.policy, theirs.policy),
    )
    if mine.history == base.history or mine.history == theirs.history:
        return Merged((), both, both)
    was, own, other = (by_document(state.history.edits) for state in (base, mine, theirs))
    changed = {pair for pair in was.keys() | own.keys() if own.get(pair) != was.get(pair)}
    wanted = {pair: (own if pair in changed else other).get(pair, ()) for pair in own.keys() | other.keys() | changed}
    asked = sorted(pair for pair in changed if other.get(pair) != was.get(pair) and other.get(pair) != own.get(pair))
    histories = (base.history, mine.history, theirs.history)
    yields = wanted | {pair: other.get(pair, ()) for pair in asked}
    clashes = tuple(Clash(*pair, _last(other.get(pair)), _last(own.get(pair))) for pair in asked)
    as_mine = _settled(_replayed(*histories), wanted)
    as_theirs = _settled(_replayed(*histories, frozenset(asked)), yields)
    return Merged(clashes, replace(both, history=as_mine), replace(both, history=as_theirs))


def by_document(edits: Iterable[Edit]) -> Touched:
    """The edits in force of each document of each query, in order."""
    found: dict[Pair, list[Edit]] = {}
    for edit in edits:
        found.setdefault((edit.query_id, edit.doc_id), []).append(edit)
    return {pair: tuple(several) for pair, several in found.items()}


def _later(base: str, mine: str, theirs: str) -> str:
    return theirs if mine == base else mine


def _policy(base: Policy, mine: Policy, theirs: Policy) -> Policy:
    """Field by field; the whole of mine where the fields of both do not fit together."""
    was, own, other = (policy.to_dict() for policy in (base, mine, theirs))
    if own in (was, other):
        return theirs
    try:
        return Policy.from_dict({name: other[name] if own[name] == was[name] else own[name] for name in own})
    except PolicyError:
        return mine


def _replayed(base: History, mine: History, theirs: History, without: Set[Pair] = frozenset()) -> History:
    """The steps of theirs without what mine took back, then those of mine, save edits of some documents.

    What mine undid can be redone.
    """
    was, own, other = (history.steps[: history.position] for history in (base, mine, theirs))
    kept, stayed = common(was, own), common(was, other)
    earlier, later = other[stayed:], own[kept:]
    new = [_without(step, without) for step in later if step not in earlier]
    before = (*was[: min(kept, stayed)], *earlier)
    known = by_document(base.edits) | by_document(mine.edits)
    unknown = by_document(theirs.edits).keys() - known.keys()
    steps = before
    for step in (step for step in new if step.edits or step.reset):
        steps = (*steps, _resetting(step, steps, unknown))
    undone = tuple(step for step in mine.steps[mine.position :] if step not in earlier)
    return History((*steps, *undone), len(steps))


def _without(step: Step, pairs: Set[Pair]) -> Step:
    return replace(step, edits=tuple(edit for edit in step.edits if (edit.query_id, edit.doc_id) not in pairs))


def _resetting(step: Step, before: tuple[Step, ...], unknown: Set[Pair]) -> Step:
    """A step that takes back all edits of a query, save those that its maker could not know."""
    if not step.reset:
        return step
    of_queries = [edit for edit in History(before, len(before)).edits if edit.query_id in step.reset]
    others = [edit for edit in of_queries if (edit.query_id, edit.doc_id) in unknown]
    return replace(step, edits=(*others, *step.edits))


def _settled(history: History, wanted: Touched) -> History:
    """A history with one step more where a document would end otherwise than it is wanted."""
    found = by_document(history.edits)
    pairs = found.keys() | wanted.keys()
    wrong = {pair for pair in pairs if _effect(found.get(pair, ())) != _effect(wanted.get(pair, ()))}
    if not wrong:
        return history
    queries = tuple(sorted({query for query, _ in wrong}))
    again = [edit for edit in history.edits if edit.query_id in queries and (edit.query_id, edit.doc_id) not in wrong]
    again += [edit for pair in sorted(wrong) for edit in wanted.get(pair, ())]
    steps = (*history.steps[: history.position], Step(tuple(again), queries))
    return History(steps, len(steps))


def _effect(edits: Iterable[Edit]) -> dict[object, object]:
    """What a document becomes: its grade, and its place in each list."""
    return {(edit.what == "grade", edit.side): edit.after for edit in edits}


def _last(edits: tuple[Edit, ...] | None) -> Edit | None:
    return edits[-1] if edits else None
