"""What can be done to the open comparison: another one, other names, edits, a policy. Each is saved as it happens, and
what others did to it meanwhile is taken over.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from rankdash.case import Case, given_name
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.kit import editors
from rankdash.dashboard.session import address, open_comparison, session, verdicts, views
from rankdash.dashboard.session.saved import head, shelf, translation
from rankdash.edits import Held, History, redoing, undoing
from rankdash.metrics import MeasureError
from rankdash.policy import Policy
from rankdash.scoring import ComparisonError, UnweightedError
from rankdash.store import REREAD, Saved, State, StoreError, answered, merged
from rankdash.style import history as words
from rankdash.tables import Votes


def open_inputs(case: Case, *, replacing: bool = False, reread: bool = False, policy: Policy | None = None) -> None:
    """Open a comparison, its edits as a single step that can be undone, and save it. What belongs to the comparison
    before is forgotten, and its policy too, unless it is given as ``policy``. ``replacing``: it is the comparison that
    is open, with other files; ``reread``: with the same files, read in another way.
    """
    case = case.with_distinct_names().knowing_lists()
    # With other files it stays the way around that is saved, which others go on from.
    open_comparison.put(case, turned=replacing and session.now().saved is not None and session.now().is_turned)
    _put_history(_signed(History().holding(*case.held).done(*case.edits)))
    policy = policy or (session.now().policy if replacing else session.default_policy())
    session.change(policy=policy)
    try:
        verdicts.opened(case)
    except UnweightedError:
        pass  # asked in place of the verdict
    except (ComparisonError, MeasureError):
        # The policy was made for other queries or grades. What it cannot judge is judged by the defaults.
        session.change(policy=Policy())
    if not replacing:
        head.forget()
    if shelf.is_on() and (session.now().saved or case.edits or open_comparison.shown_demo(case) is None):
        content = translation.content_of(open_comparison.as_uploaded(case))
        _replace(content, _state(case), what=REREAD if reread else "replaced")
    address.settle()
    _begin_view(anew=not replacing)


def open_votes(votes: Votes, policy: Policy | None = None) -> None:
    """Make votes without lists the open comparison under a policy, None: the default one, and save them."""
    open_comparison.put(votes, turned=False)
    session.change(policy=policy or session.default_policy())
    head.forget()
    if shelf.is_on():
        head.create(translation.content_of(votes), _state(votes))
    address.settle()
    _begin_view()


def _begin_view(*, anew: bool = True) -> None:
    """Show what is open from its beginning; with other files, what was viewed but for queries that may be gone."""
    if anew:
        address.forget_view()
        views.forget_views()
    else:
        views.forget_queries()


def open_saved(comparison_id: str, *, by_link: bool = True) -> None:
    """Open a saved comparison as it is now. StoreError where it cannot be opened; then what is open stays open.

    ``by_link``: the address names it, with the query and the filters that it shall show.
    """
    if not shelf.is_on():
        raise StoreError(words.OFF_LINK)
    store = shelf.store()
    # Who may list all comparisons may name one by the beginning of its id; elsewhere that would be a way to guess ids.
    saved = store.load(comparison_id if shelf.is_shared() else store.named(comparison_id))
    try:
        verdicts.opened_saved(saved)
    except UnweightedError:
        pass  # asked in place of the verdict
    except (ComparisonError, MeasureError) as error:
        raise StoreError(words.CANNOT_COMPUTE.format(why=" ".join(str(error).splitlines()))) from None
    if session.now().case is not None:
        views.forget_views()
    head.take(saved)
    head.ask(own=False)
    head.note_browser()
    _show(saved, None)
    _saw_first(saved)
    if not by_link:
        address.settle()
        _begin_view()


def _saw_first(saved: Saved) -> None:
    """Take over under which policy the results of a comparison were seen first, in whatever session that was."""
    first = head.attempt(lambda: shelf.store().first_policy(saved))
    shown = saved.content.runs or (saved.content.votes,)
    if first is not None:
        views.saw_results(*(table.source.sha256 for table in shown if table is not None), under=first)


def arrive() -> str:
    """Open the saved comparison that the address names, and take over what others did since. Return why it cannot be
    opened, "" where it is open.
    """
    linked, saved = address.linked(), session.now().saved
    if not linked or (saved is not None and saved.id == linked):
        refresh()
        return ""
    try:
        open_saved(linked)
    except StoreError as error:
        return str(error)
    return ""


def refresh() -> bool:
    """Take over what others did to the open comparison, or save what could not be saved before. Return whether anything
    has changed.
    """
    was_written, saved = head.take_written(), session.now().saved
    if saved is None or head.clashes():
        return was_written
    if session.now().problem and not (_has_tables_of(saved) and _state_of_open() == saved.state):
        return _keep("edited")
    newer = head.newer()
    if newer is None:
        return was_written
    head.take(newer)
    _show(newer, saved)
    return True


def swap() -> None:
    """Exchange A and B of what is open. Edits stay with their lists, votes are turned around, names go along."""
    case = open_comparison.uploaded()
    if case is not None:
        open_comparison.put(case.swapped(), turned=not session.now().is_turned)
        _put_history(session.now().history.swapped())
        _keep("swapped")


def rename(name: str, a: str = "", b: str = "", note: str | None = None) -> None:
    """Rename what is open and its models, and give a saved comparison a note; None: it keeps its note. A name that says
    no more than the models do follows them.
    """
    noted = {} if note is None else {"note": note}
    if session.now().votes is not None:
        _keep("renamed", name=name, **noted)
    elif (case := open_comparison.uploaded()) is not None:
        name = given_name(given_name(name, case.a.name, case.b.name), a, b)
        open_comparison.put(case.renamed(name, a, b), turned=session.now().is_turned)
        _keep("renamed", **noted)


def edit(history: History, *, in_place: bool = False, what: str = "") -> None:
    """Put edits in force. ``in_place``: in editors that stay on the screen as they are. ``what`` is a word for what was
    done, "" where the edits tell it.
    """
    before = session.now().history
    history = _signed(history, before)
    _put_history(history, in_place=in_place)
    if history != before:
        _keep(what or translation.word(before, history))


def take_back(*, again: bool = False) -> None:
    """Undo the last step of this person, or do it ``again``; ask first where something that somebody else did is at
    stake.
    """
    refresh()
    turn = (redoing if again else undoing)(session.now().history, shelf.author())
    if turn is not None and turn.needs_consent:
        session.change(turn=(again, turn))
    elif turn is not None:
        edit(turn.history, what="redone" if again else "undone")


def answer_turn(*, with_theirs: bool = False) -> None:
    """Take back, or do again, the step of the question; ``with_theirs``: their later edits of the same documents go
    too. Where somebody has edited since then, ask again.
    """
    pending = session.now().turn
    drop_turn()
    if pending is None:
        return
    again, turn = pending
    take_back(again=again)
    if session.now().turn != pending:
        return
    drop_turn()
    edit(turn.with_theirs if with_theirs else turn.history, what="redone" if again else "undone")


def drop_turn() -> None:
    """Leave everything as it is."""
    session.change(turn=None)


def sign(person: str) -> None:
    """Remember what the person at this browser is called, for those who edit beside them."""
    session.change(person=person)


def hold_votes(*held: Held) -> None:
    """Let votes count on lists other than those that people voted on, as this person says; undone like an edit."""
    edit(session.now().history.holding(*held))


def with_others(history: History) -> History:
    """Return what a history of this session would be beside what others have saved meanwhile. Nothing is saved, and
    what is open stays as it is.
    """
    saved, own = session.now().saved, _state_of_open()
    newer = None if saved is None or own is None or session.now().problem else head.newer()
    if saved is None or own is None or newer is None or not translation.same_tables(saved.content, newer.content):
        return history
    turned = session.now().is_turned
    both = merged(saved.state, replace(own, history=history.swapped() if turned else history), newer.state)
    return translation.history_of(both) if both.swapped == turned else history


def decide_by(policy: Policy) -> None:
    """Put a policy in force."""
    session.change(policy=policy)
    _keep("policy")


def weigh_missing(weight: float) -> None:
    """Say what a judged query without a weight weighs in the open comparison, 0 or 1."""
    head.take_written(wait=True)
    case, saved = open_comparison.uploaded(), session.now().saved
    if case is None or case.queries is None:
        return
    weighed = case.weighing(weight)
    content = saved.content if saved is not None and _has_tables_of(saved) else None
    open_comparison.put(weighed, turned=session.now().is_turned)
    if saved is not None:
        content = content or translation.content_of(open_comparison.as_uploaded(weighed))
        _replace(replace(content, queries=weighed.queries), _state(weighed))


def save_again() -> None:
    """Save what could not be saved."""
    _keep("edited")


def save_as_new() -> None:
    """Save what is open as a comparison of its own, for its record is gone."""
    head.forget()
    _keep("opened")


def settle(later: bool) -> None:
    """Answer the question about clashes: the later edits of these documents stand; or the earlier edits, by a further
    step. Where this is undone the question comes back. Where somebody else answered meanwhile, the last answer counts.
    """
    clashes = head.clashes()
    session.change(owns_clashes=None)
    if later:
        _keep("answered", clashes=())
    open_state = _state_of_open()
    if open_state is not None:
        history = answered(open_state, clashes, later=later)
        edit(history.swapped() if open_state.swapped else history, what="answered")


def _keep(what: str, **changes: Any) -> bool:
    """Save what is open after a change. Return whether others had changed it too, so that it has changed on the page.
    ``changes`` are fields of its state that nothing on the screen holds.

    What its address can say needs no record: the demo turned around, or under other names.
    """
    head.take_written(wait=True)
    state_now = _state_of_open() if shelf.is_on() else None
    opened, saved = session.now().votes or open_comparison.uploaded(), session.now().saved
    if state_now is None or opened is None:
        return False
    state_now = replace(state_now, **changes)
    if saved is not None and session.now().problem and not _has_tables_of(saved):
        # Other files could not be saved before.
        return _replace(translation.content_of(open_comparison.as_uploaded(opened)), state_now)
    if saved is not None:
        is_merged = head.keep(state_now, what)
        newest = session.now().saved
        if is_merged and newest is not None:
            _show(newest, saved)
        return is_merged
    in_address = isinstance(opened, Case) and open_comparison.shown_demo(opened) is not None
    if not in_address or session.now().history.steps or session.now().policy != Policy():
        open_comparison.put(opened, turned=False)
        head.create(translation.content_of(opened), _state(opened))
    return False


def _replace(content: Case, state_now: State, *, what: str = "replaced") -> bool:
    """Save other tables, and show what is saved where others changed the comparison too; return whether they did."""
    is_merged = head.replace(content, state_now, what=what)
    newest = session.now().saved
    if is_merged and newest is not None:
        _show(newest, None)
    return is_merged


def _has_tables_of(saved: Saved) -> bool:
    """Return whether what is open has the tables of a saved comparison, whatever it is called."""
    opened = session.now().votes or open_comparison.uploaded()
    if opened is None:
        return True
    shown = translation.shown(saved.content, _state(opened)) or saved.content.votes
    return digest(shown.unedited if isinstance(shown, Case) else shown) == digest(opened)


def _state_of_open() -> State | None:
    """Return what is open as the store keeps it; None where nothing is open."""
    opened = session.now().votes or open_comparison.uploaded()
    return None if opened is None else _state(opened)


def _state(opened: Case | Votes) -> State:
    history = History() if isinstance(opened, Votes) else session.now().history
    saved = session.now().saved
    open_state = translation.state_of(opened, history, session.now().policy, swapped=session.now().is_turned)
    if saved is None:
        return open_state
    name = saved.state.name if isinstance(opened, Votes) else open_state.name  # votes have no name of their own
    return replace(open_state, name=name, note=saved.state.note, clashes=saved.state.clashes)


def _show(saved: Saved, before: Saved | None) -> None:
    """Show a saved comparison. Tables that stand as they stood ``before`` stay the same objects, with the results
    that are kept of them.
    """
    case = (
        open_comparison.uploaded()
        if before is not None and translation.same_tables(before.content, saved.content)
        else None
    )
    if case is not None and session.now().is_turned == saved.state.swapped and saved.content.runs is not None:
        case = translation.renamed(case, saved.state)
    else:
        case = translation.shown(saved.content, saved.state)
    shown = case or saved.content.votes
    if shown is not None:
        open_comparison.put(shown, turned=saved.state.swapped)
    session.change(policy=saved.state.policy)
    history = translation.history_of(saved.state)
    if history != session.now().history:
        _put_history(history)


def _signed(history: History, before: History | None = None) -> History:
    """Return a history whose steps that are not in the one ``before`` are by this session."""
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    return history.signed(before or History(), shelf.author(), session.now().person, at)


def _put_history(history: History, *, in_place: bool = False) -> None:
    """Put edits in force. Editors on the screen are replaced, because typed cells are part of their tables now; with
    ``in_place`` they stay, with the cursor and the typed cells.
    """
    session.change(history=history)
    if not in_place:
        editors.renew()
