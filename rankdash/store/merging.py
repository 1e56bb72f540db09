"""Two people changed the same comparison: what each did since a common base is put together.

Names, note, orientation and policy are merged field by field: the later one counts where he changed it. Edits are small
records, and those of the later person are done again after those of the earlier. A document of a query is in question
only where both changed it, and not to the same. Until somebody answers, the later edits stand, those of the earlier
person are steps before them, and the comparison keeps the question. So nothing else is asked, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

from rankdash.edits import EditStep, History, common
from rankdash.edits.documents import Pair, by_document, ending, pair_of, same
from rankdash.policy import Policy, PolicyError
from rankdash.store.records import Clash, State


def merged(base: State, mine: State, theirs: State) -> State:
    """Return what ``mine`` did since ``base`` on top of ``theirs``, with the questions that are left."""
    both = replace(
        theirs,
        name=_later(base.name, mine.name, theirs.name),
        a=_later(base.a, mine.a, theirs.a),
        b=_later(base.b, mine.b, theirs.b),
        note=_later(base.note, mine.note, theirs.note),
        swapped=theirs.swapped if mine.swapped == base.swapped else mine.swapped,
        policy=_policy(base.policy, mine.policy, theirs.policy),
        clashes=_clashes(base.clashes, mine.clashes, theirs.clashes),
    )
    if mine.history == base.history or mine.history == theirs.history:
        return both
    was, own, other = (by_document(state.history.edits) for state in (base, mine, theirs))
    changed = {pair for pair in was.keys() | own.keys() if own.get(pair) != was.get(pair)}
    edits = {pair: (own if pair in changed else other).get(pair, ()) for pair in own.keys() | other.keys() | changed}
    of_both = (Clash(*pair, other.get(pair, ()), own.get(pair, ())) for pair in sorted(changed))
    clashes = (
        clash
        for clash in of_both
        if clash.earlier != was.get(_pair(clash), ()) and not same(clash.earlier, clash.later)
    )
    history = ending(_replayed(base.history, mine.history, theirs.history), edits, _last(base.history, mine.history))
    result = replace(both, history=history, clashes=(*both.clashes, *clashes))
    return replace(result, clashes=questions(result))


def questions(state: State) -> tuple[Clash, ...]:
    """Return what waits for an answer: documents that are as the later person left them. A document that was
    edited again is in question no more.
    """
    now = by_document(state.history.edits)
    return tuple(
        {_pair(clash): clash for clash in state.clashes if same(now.get(_pair(clash), ()), clash.later)}.values()
    )


def answered(state: State, clashes: Iterable[Clash], *, later: bool) -> History:
    """Return the history with an answer to questions: the later edits of their documents stand, or the earlier ones, by
    a further step where they do not stand yet. What was edited again stays as it is.
    """
    now = by_document(state.history.edits)
    sides = {_pair(clash): (clash.earlier, clash.later) if later else (clash.later, clash.earlier) for clash in clashes}
    answers = {pair: chosen for pair, (other, chosen) in sides.items() if same(now.get(pair, ()), other)}
    return ending(state.history, now | answers)


def _later(base: str, mine: str, theirs: str) -> str:
    return theirs if mine == base else mine


def _clashes(base: tuple[Clash, ...], mine: tuple[Clash, ...], theirs: tuple[Clash, ...]) -> tuple[Clash, ...]:
    """Return the clashes that neither has answered, and those that are new to either."""
    every = dict.fromkeys((*theirs, *mine))
    return tuple(clash for clash in every if clash not in base or (clash in mine and clash in theirs))


def _policy(base: Policy, mine: Policy, theirs: Policy) -> Policy:
    """Merge policies field by field; return the whole of mine where the fields of both do not fit together."""
    was, own, other = (policy.to_dict() for policy in (base, mine, theirs))
    if own in (was, other):
        return theirs
    try:
        return Policy.from_dict({name: other[name] if own[name] == was[name] else own[name] for name in own})
    except PolicyError:
        return mine


def _replayed(base: History, mine: History, theirs: History) -> History:
    """Return the steps of theirs without what mine took back, then those of mine. What mine undid can be redone."""
    was, own, other = (history.steps[: history.position] for history in (base, mine, theirs))
    shared = min(common(was, own), common(was, other))
    before, base_on, own_on, other_on = was[:shared], was[shared:], own[shared:], other[shared:]
    gone = [step for step in base_on if step not in own_on or step not in other_on]  # whoever took it back
    earlier = [step for step in other_on if step not in gone]
    new = [step for step in own_on if step not in earlier and step not in gone]
    familiar = by_document(base.edits) | by_document(mine.edits)
    foreign = by_document(theirs.edits).keys() - familiar.keys()
    steps = (*before, *earlier)
    for step in (step for step in new if step.edits or step.reset or step.held):
        steps = (*steps, _resetting(step, steps, foreign))
    undone = tuple(step for step in mine.steps[mine.position :] if step not in earlier)
    return History((*steps, *undone), len(steps))


def _last(base: History, mine: History) -> EditStep:
    """Return the last step that mine did, or took back: what puts things right after it is by the same person."""
    was, own = base.steps[: base.position], mine.steps[: mine.position]
    kept = common(was, own)
    done = [step for step in own[kept:] if step not in was[kept:]]
    gone = [step for step in was[kept:] if step not in own[kept:]]
    return (done or gone or [EditStep()])[-1]


def _resetting(step: EditStep, before: tuple[EditStep, ...], unknown: Set[Pair]) -> EditStep:
    """Return a step that takes back all edits of a query, save those that its maker could not know."""
    if not step.reset:
        return step
    of_queries = [edit for edit in History(before, len(before)).edits if edit.query_id in step.reset]
    others = [edit for edit in of_queries if pair_of(edit) in unknown]
    return replace(step, edits=(*others, *step.edits))


def _pair(clash: Clash) -> Pair:
    return clash.query_id, clash.doc_id
