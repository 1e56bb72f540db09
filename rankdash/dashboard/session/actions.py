"""What can be done to the open comparison: another one, other names, edits, a policy. Each is saved as it happens, and
what others did to it meanwhile is taken over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from rankdash.case import Case, given_name
from rankdash.dashboard import demo
from rankdash.dashboard.kit import widgets
from rankdash.dashboard.session import open_comparison, saving, session, verdicts
from rankdash.edits import Edit, Held, merge_grades
from rankdash.metrics import MeasureError
from rankdash.policy import Policy
from rankdash.scoring import ComparisonError, UnweightedError
from rankdash.store import Saved, StoreError, case_of, new_id
from rankdash.style import history as words
from rankdash.tables import Votes


def open_inputs(
    case: Case,
    *others: Case,
    replacing: bool = False,
    reread: bool = False,
    policy: Policy | None = None,
    set_aside: tuple[str, ...] = (),
) -> None:
    """Open a comparison, whose edits can be undone, and save it. What belongs to the comparison before is forgotten,
    and its policy too, unless it is given as ``policy``. ``replacing``: it is the comparison that is open, with other
    files, which all candidates share but those of B; ``reread``: with the same files, read in another way.

    ``others`` are the same with further candidates, ``replacing`` those with these names, and ``set_aside`` says why
    others are none.
    """
    now = session.now()
    before = {} if now.case is None else now.case.tables
    case = case.with_distinct_names().knowing_lists()
    # With other files A and B stay exchanged as they are saved, for other users.
    turned = replacing and now.saved is not None and now.is_turned
    policy = policy or (now.policy if replacing else session.DEFAULT_POLICY)
    session.change(case=case, votes=None, is_turned=turned, policy=policy, undone=())
    if not replacing:
        several = tuple(session.Pair(one, policy=policy) for one in (case, *others)) if others else ()
        session.change(group=several, member=0, group_id=new_id() if others else "", set_aside=set_aside)
    session.change(past=(case.unedited,) if case.edits or case.held else ())
    widgets.renew_editors()
    try:
        verdicts.opened(case)
    except UnweightedError:
        pass  # asked in place of the verdict
    except (ComparisonError, MeasureError) as error:  # the policy was made for other queries or grades
        if policy != Policy():
            open_comparison.say(open_comparison.THEIRS, words.POLICY_UNFIT.format(why=error))
        policy = session.change(policy=Policy()).policy
    if not replacing:
        saving.take(None)
    _save(tables=True, reread=reread)
    new = {role: table for role, table in case.tables.items() if table is not before.get(role)}
    shared: dict[str, Any] = {role: table for role, table in new.items() if role not in ("b", "votes")}
    again = {one.b.name: one for one in others}

    def put(other: Case) -> None:
        mine = again.get(other.b.name)
        is_new = bool(mine or shared)
        if replacing and is_new:
            with_new = mine or other.with_tables(**shared)
            session.change(case=with_new.with_distinct_names(), past=(), undone=())
        if is_new or session.now().policy != policy:
            session.change(policy=policy)
            _save(tables=is_new, reread=reread)

    _in_others(put)
    _begin_view(anew=not replacing)


def _in_others(act: Callable[[Case], object]) -> None:
    """Do something to every other candidate of the group, as if it was the one that is open."""
    at = session.now().member
    for other in range(len(session.now().group)):
        if other != at:
            session.switch(other)
            act(session.now().case or Case())
    session.switch(at)


def open_candidate(member: int) -> None:
    """Open another candidate of the group, with its edits and its decision; what is viewed stays."""
    session.switch(member)
    widgets.renew_editors()


def see_candidates() -> None:
    """Write down that the verdicts of all candidates of the group are shown."""
    _in_others(lambda case: verdicts.put_on_record(case, is_look=True))


def open_votes(votes: Votes, policy: Policy | None = None) -> None:
    """Make votes without lists the open comparison under a policy, None: the default one, and save them."""
    session.change(votes=votes, is_turned=False, policy=policy or session.DEFAULT_POLICY, group=(), group_id="")
    saving.take(None)
    _save()
    _begin_view()


def _begin_view(*, anew: bool = True) -> None:
    """Show what is open from its beginning, whatever the address named before; with other files, what was viewed but
    for queries that may be gone.
    """
    session.change(address=open_comparison.named())
    if anew:
        open_comparison.forget_views(in_address=True)
    else:
        open_comparison.forget_query_views()


def open_saved(comparison_id: str, *, by_link: bool = True) -> None:
    """Open a saved comparison as it is now. StoreError where it cannot be opened; then what is open stays open.

    ``by_link``: the address names it, with the query and the filters that it shall show.
    """
    if not saving.is_on():
        raise StoreError(words.OFF_LINK)
    store = saving.store()
    saved = store.load(comparison_id)
    several = store.group(saved)
    try:
        if saved.content.runs is not None:
            verdicts.opened(case_of(saved.content, saved.state), saved.state.policy)
    except UnweightedError:
        pass  # asked in place of the verdict
    except (ComparisonError, MeasureError) as error:
        raise StoreError(words.CANNOT_COMPUTE.format(why=" ".join(str(error).splitlines()))) from None
    if session.now().case is not None:
        open_comparison.forget_views()
    session.change(group=(), member=0, group_id=saved.group, set_aside=saved.state.set_aside)
    saving.take(saved)
    saving.note_browser()
    _show(saved, goes_on=False)
    if len(several) > 1:
        session.change(group=tuple(map(_pair, several)), member=[one.id for one in several].index(saved.id))
    opened = session.now().case
    if opened is not None and demo.is_shown(opened):  # it is saved when it is changed, and was seen before
        open_comparison.saw_results(session.DEFAULT_POLICY)
    elif (first := saving.attempt(lambda: saving.store().first_policy(saved))) is not None:
        open_comparison.saw_results(first)  # as they were seen first, in whatever session that was
    if not by_link:
        _begin_view()


def arrive() -> StoreError | None:
    """Open the saved comparison that the address names, and take over what others did since. Return why it cannot be
    opened, None where it is open.
    """
    linked = open_comparison.linked()
    for at, pair in enumerate(session.now().pairs if linked else ()):
        if pair.saved is not None and pair.saved.id == linked:
            open_candidate(at)
    saved = session.now().saved
    if not linked or (saved is not None and saved.id == linked):
        refresh()
        return None
    try:
        open_saved(linked)
    except StoreError as error:
        return error
    return None


def bring_back(id: str) -> None:
    """Bring a comparison back that somebody has deleted."""
    saving.attempt(lambda: saving.store().undelete(id))


def refresh() -> bool:
    """Take over what others did to the open comparison, or save what could not be saved before. Return whether anything
    has changed.
    """
    now = session.now()
    if now.saved is None or now.conflict is not None or now.opened is None:
        return False
    if now.problem and (now.has_new_tables or saving.state_of(now.opened) != now.saved.state):
        return _save()
    newer = saving.newer()
    if newer is None:
        return False
    saving.take(newer)
    open_comparison.say(open_comparison.THEIRS, newer.last_change)
    _show(newer)
    _share_grades()
    return True


def _pair(saved: Saved) -> session.Pair:
    case, state = case_of(saved.content, saved.state), saved.state
    return session.Pair(case, policy=state.policy, is_turned=state.swapped, saved=saved)


def swap() -> None:
    """Exchange A and B of what is open. Edits stay with their lists, votes are turned around, names go along."""
    case = open_comparison.current()
    if case is not None:
        session.change(is_turned=not session.now().is_turned)
        _put_on(case.swapped(), swapped=True)
        widgets.renew_editors()
        _save()


def rename(name: str, a: str = "", b: str = "") -> None:
    """Rename what is open and its models. A name that says no more than the models do follows them. All candidates
    share the name of the comparison and the name of A.
    """
    if session.now().votes is not None:
        _save(name=name)
    elif (case := open_comparison.current()) is not None:
        name = given_name(given_name(name, case.a.name, case.b.name), a, b)
        _put_on(case.renamed(name, a, b))
        _save()

        def share(other: Case) -> None:
            _put_on(other.renamed(name, a))
            _save()

        _in_others(share)


def _put_on(case: Case, *, swapped: bool = False) -> None:
    """Show a case in place of the same one that is shown, and in each of those that undo and redo go to."""

    def same_edits(other: Case) -> Case:
        turned = other.swapped() if swapped else other
        return replace(case, edits=turned.edits, held=turned.held)

    now = session.now()
    session.change(case=case, past=tuple(map(same_edits, now.past)), undone=tuple(map(same_edits, now.undone)))


def edit(edits: Iterable[Edit], held: Iterable[Held] | None = None, *, in_place: bool = False) -> None:
    """Replace the current edits; ``held`` None: confirmed votes are unchanged. ``in_place``: the editors keep their
    state.
    """
    case = open_comparison.current()
    if case is None:
        return
    changed = replace(case, edits=tuple(edits), held=case.held if held is None else tuple(held))
    if (changed.edits, changed.held) != (case.edits, case.held):
        _go_to(changed, (*session.now().past, case), (), in_place=in_place)


def undo() -> None:
    """Go back to the case before the last edit of this session."""
    refresh()
    now = session.now()
    if now.past and now.case is not None:
        _go_to(now.past[-1], now.past[:-1], (*now.undone, now.case))


def redo() -> None:
    """Go to the case that was left by undo last."""
    refresh()
    now = session.now()
    if now.undone and now.case is not None:
        _go_to(now.undone[-1], (*now.past, now.case), now.undone[:-1])


def _go_to(case: Case, past: tuple[Case, ...], undone: tuple[Case, ...], *, in_place: bool = False) -> None:
    """Show a case and save it. Editors on the screen are replaced, because typed cells are part of their tables now;
    with ``in_place`` they stay, with the cursor and the typed cells.
    """
    session.change(case=case, past=past, undone=undone)
    if not in_place:
        widgets.renew_editors()
    _save()
    _share_grades()


def _share_grades() -> None:
    """Let the grades of the candidate that is open count for all candidates, before and after their own edits too."""
    case = session.now().case
    grades = () if case is None else verdicts.grades_of_all(case)

    def put(other: Case) -> None:
        if verdicts.grades_of_all(other) != grades:
            now = session.now()
            past, undone = ([_graded(one, grades) for one in cases] for cases in (now.past, now.undone))
            session.change(case=_graded(other, grades), past=tuple(past), undone=tuple(undone))
            _save()

    _in_others(put)


def _graded(case: Case, grades: tuple[Edit, ...]) -> Case:
    own = set(verdicts.grades_of_all(case))
    return replace(case, edits=(*(edit for edit in case.edits if edit not in own), *grades))


def sign(person: str) -> None:
    """Remember what the person at this browser is called, for those who edit beside them."""
    session.change(person=person)


def hold_votes(*held: Held) -> None:
    """Let votes count on lists other than those that people voted on, as this person says; undone like an edit."""
    case = open_comparison.current()
    if case is not None:
        edit(case.edits, dict.fromkeys((*case.held, *held)))


def decide_by(policy: Policy) -> None:
    """Put a policy in force, for all candidates of a group."""

    def put(*_: Case) -> None:
        session.change(policy=policy)
        _save()

    put()
    _in_others(put)


def change_tables(change: Callable[[Case], Case]) -> None:
    """Apply a change of the tables to the open comparison, and to its other candidates."""

    def put(case: Case) -> None:
        _put_on(change(case))
        _save(tables=True)

    put(open_comparison.current() or Case())
    _in_others(put)


def save_again() -> None:
    """Save what could not be saved; what somebody has deleted is brought back first."""
    saved = session.now().saved
    if saved is not None:
        bring_back(saved.id)
    _save()


def save_as_new() -> None:
    """Save the open comparison as a new one, because its record is gone or another user has changed it."""
    saving.take(None)
    _save()


def take_theirs() -> None:
    """Show what somebody else has saved, and let go of what this session changed meanwhile."""
    theirs = session.now().conflict
    if theirs is not None:
        saving.take(theirs)
        _show(theirs, goes_on=False)


def _save(*, tables: bool = False, reread: bool = False, **changes: Any) -> bool:
    """Save what is open after a change, with its ``tables`` where these are others. Return whether others had changed
    it too, so that it has changed on the page. ``changes`` are fields of its state that nothing on the screen holds.

    A demo as every session has it needs no record.
    """
    now = session.now()
    if now.opened is None or not saving.is_on():
        return False
    if now.saved is None:
        which = open_comparison.demo_of(now.opened)
        if which is None or now.policy != demo.POLICIES.get(which, Policy()):
            session.change(is_turned=False)
            saving.create(now.opened)
        return False
    state = replace(saving.state_of(now.opened), **changes)
    newest = saving.save(now.opened, state, tables=tables or now.has_new_tables, reread=reread)
    if newest is None or newest.state == state:
        return False
    open_comparison.say(open_comparison.THEIRS, words.BOTH_COUNT)
    _show(newest)
    return True


def _show(saved: Saved, *, goes_on: bool = True) -> None:
    """Show a saved comparison. ``goes_on``: it is the one that is open, with what others changed; then undo goes on
    from before.
    """
    now, votes = session.now(), saved.content.votes
    session.change(policy=saved.state.policy, is_turned=saved.state.swapped)
    if saved.content.runs is None:
        session.change(votes=votes)
        return
    case = case_of(saved.content, saved.state)
    past, undone = (_beside(cases, now.case, case) if goes_on else () for cases in (now.past, now.undone))
    session.change(case=case, votes=None, past=past, undone=undone)
    if not goes_on or now.case is None or now.case.edits != case.edits:
        widgets.renew_editors()


def _beside(cases: tuple[Case, ...], before: Case | None, after: Case) -> tuple[Case, ...]:
    """Return cases that undo goes back to with what others changed since; those from which that would change what
    others did are forgotten.
    """
    kept: list[Case] = []
    for case in reversed(cases):
        edits = None if before is None else merge_grades(before.edits, case.edits, after.edits)
        if edits is None or case.held != after.held:
            break
        kept.insert(0, replace(after, edits=edits))
    return tuple(kept)
