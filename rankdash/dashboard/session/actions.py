"""What can be done to the open comparison: another one, other names, edits, a policy. Each is saved as it happens, and
what others did to it meanwhile is taken over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rankdash.case import Case
from rankdash.comparison import ComparisonError, UnweightedError
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.session import address, edit_state, policy_state, state
from rankdash.dashboard.session.saved import head, record, shelf
from rankdash.edits import Held, History
from rankdash.metrics import MeasureError
from rankdash.policy import Policy
from rankdash.store import REREAD, Saved, State, StoreError, answered, merged, read_rightly
from rankdash.style import saving as words
from rankdash.tables import Votes


def open_inputs(case: Case, *, replacing: bool = False, reread: bool = False) -> None:
    """Make a comparison the open one, its edits as one step that can be undone, and save it. What belongs to the one
    before is forgotten. ``replacing``: it is the comparison that is open, with other files; ``reread``: with the same
    files, read in another way.
    """
    case = case.with_distinct_names().knowing_lists()
    state.put(case, turned=False)
    edit_state.begin(case.edits, case.held)
    if (own := state.own_policy(case)) is not None:
        policy_state.set_policy(own)
    try:
        state.opened(case)
    except UnweightedError:
        pass  # asked in place of the verdict
    except (ComparisonError, MeasureError):
        # The policy was made for other queries or grades. What it cannot judge is judged by the defaults.
        policy_state.set_policy(Policy())
    if not replacing:
        head.forget()
    if shelf.is_on() and (case.edits or state.shown_demo(case) is None):
        _replace(record.content_of(case), _state(case), what=REREAD if reread else "replaced")
    address.settle()
    state.forget_queries()


def open_votes(votes: Votes) -> None:
    """Make votes without lists the open comparison, and save them."""
    state.put(votes, turned=False)
    head.forget()
    if shelf.is_on():
        head.create(record.content_of(votes), _state(votes))
    address.settle()


def open_saved(comparison_id: str, *, by_link: bool = True) -> None:
    """Open a saved comparison as it is now. StoreError where it cannot be opened; then what is open stays open.

    ``by_link``: the address names it, with the query and the filters that it shall show.
    """
    if not shelf.is_on():
        raise StoreError(words.OFF_LINK)
    found = shelf.store().load(comparison_id)
    try:
        state.opened_saved(found)
    except UnweightedError:
        pass  # asked in place of the verdict
    except (ComparisonError, MeasureError) as error:
        raise StoreError(words.CANNOT_COMPUTE.format(why=" ".join(str(error).splitlines()))) from None
    if state.is_begun():
        state.forget_views()
    head.take(found)
    head.ask(own=False)
    head.note_browser()
    _show(found, None)
    _saw_first(found)
    if not by_link:
        address.settle()
        state.forget_queries()


def _saw_first(found: Saved) -> None:
    """Take over under which policy the results of a comparison were seen first, in whatever session that was."""
    first = head.attempt(lambda: shelf.store().first_policy(found))
    shown = found.content.runs or (found.content.votes,)
    if first is not None:
        policy_state.saw_results(*(table.source.sha256 for table in shown if table is not None), under=first)


def arrive() -> str:
    """Open the saved comparison that the address names, and take over what others did since; why it cannot be opened,
    "" where it is open.
    """
    wanted, known = address.asked(), head.now()
    if not wanted or (known is not None and known.id == wanted):
        refresh()
        return ""
    try:
        open_saved(wanted)
    except StoreError as error:
        return str(error)
    return ""


def refresh() -> bool:
    """Take over what others did to the open comparison, or save what could not be saved before; whether anything is
    another than it was.
    """
    was_written, known = head.take_written(), head.now()
    if known is None or head.clashes():
        return was_written
    if head.problem() and not (_has_tables_of(known) and _state_of_open() == known.state):
        return _keep("edited")
    newer = head.newer()
    if newer is None:
        return was_written
    head.take(newer)
    _show(newer, known)
    return True


def swap() -> None:
    """Exchange A and B of what is open. Edits stay with their lists, votes are turned around, names go along."""
    case = state.uploaded()
    if case is not None:
        state.put(case.swapped(), turned=not state.is_turned())
        edit_state.set_history(edit_state.history().swapped())
        _keep("swapped")


def rename(name: str, a: str, b: str, note: str | None = None) -> None:
    """Give what is open, and its models, other names; and a saved comparison a note, None: the one that it has."""
    case = state.uploaded()
    if case is not None:
        state.put(case.renamed(name, a, b), turned=state.is_turned())
        _keep("renamed", **({} if note is None else {"note": note}))


def edit(history: History, *, in_place: bool = False, what: str = "") -> None:
    """Put edits in force. ``in_place``: in editors that stay on the screen as they are. ``what`` is a word for what was
    done, "" where the edits tell it.
    """
    before = edit_state.history()
    edit_state.set_history(history, in_place=in_place)
    if history != before:
        _keep(what or record.word(before, history))


def hold_votes(*held: Held) -> None:
    """Let votes count on lists other than those that people voted on, as this person says; undone like an edit."""
    edit(edit_state.history().holding(*held))


def with_others(history: History) -> History:
    """Return what a history of this session would be beside what others have saved meanwhile. Nothing is saved, and
    what is open stays as it is.
    """
    known, own = head.now(), _state_of_open()
    newer = None if known is None or own is None or head.problem() else head.newer()
    if known is None or own is None or newer is None or not record.same_tables(known.content, newer.content):
        return history
    turned = state.is_turned()
    both = merged(known.state, replace(own, history=history.swapped() if turned else history), newer.state)
    return record.history_of(both) if both.swapped == turned else history


def decide_by(policy: Policy) -> None:
    """Put a policy in force."""
    policy_state.set_policy(policy)
    _keep("policy")


def weigh_missing(weight: float) -> None:
    """Say what a judged query without a weight weighs in the open comparison, 0 or 1."""
    head.take_written(wait=True)
    case, known = state.uploaded(), head.now()
    if case is None or case.queries is None:
        return
    weighed = case.weighing(weight)
    content = known.content if known is not None and _has_tables_of(known) else None
    state.put(weighed, turned=state.is_turned())
    if known is not None:
        content = content or record.content_of(state.as_uploaded(weighed))
        _replace(replace(content, queries=weighed.queries), _state(weighed))


def confirm_reading() -> None:
    """Put down that tables which an older version may have read wrongly were read rightly."""
    known, roles = head.now(), head.misread()
    if known is not None and roles and not head.problem():
        head.replace(read_rightly(known.content, roles), known.state, what="confirmed")
        _show(head.now() or known, None)


def save_again() -> None:
    """Saves what could not be saved."""
    _keep("edited")


def save_as_new() -> None:
    """Saves what is open as a comparison of its own, for its record is gone."""
    head.forget()
    _keep("opened")


def settle(later: bool) -> None:
    """Answer what is asked: the later edits of these documents stand; or the earlier ones, by one step more. Where this
    is undone the question comes back. Where somebody else answered meanwhile, the last answer counts.
    """
    asked = head.clashes()
    head.ask_no_more()
    if later:
        _keep("answered", asked=())
    found = _state_of_open()
    if found is not None:
        history = answered(found, asked, later=later)
        edit(history.swapped() if found.swapped else history, what="answered")


def _keep(what: str, **changes: Any) -> bool:
    """Saves what is open after a change; whether others had changed it too, so that it is another one now. ``changes``
    are fields of its state that nothing on the screen holds.

    What its address can say needs no record: the demo turned around, or under other names.
    """
    head.take_written(wait=True)
    state_now = _state_of_open() if shelf.is_on() else None
    opened, known = state.votes_alone() or state.uploaded(), head.now()
    if state_now is None or opened is None:
        return False
    state_now = replace(state_now, **changes)
    if known is not None and head.problem() and not _has_tables_of(known):  # other files could not be saved before
        _replace(record.content_of(state.as_uploaded(opened)), state_now)
        return False
    if known is not None:
        is_merged = head.keep(state_now, what)
        found = head.now()
        if is_merged and found is not None:
            _show(found, known)
        return is_merged
    in_address = isinstance(opened, Case) and state.shown_demo(opened) is not None
    if not in_address or edit_state.history().steps or policy_state.policy() != Policy():
        state.put(opened, turned=False)
        head.create(record.content_of(opened), _state(opened))
    return False


def _replace(content: Case, state_now: State, *, what: str = "replaced") -> None:
    """Save other tables, and show what is saved where others had changed the comparison too."""
    before = head.now()
    head.replace(content, state_now, what=what)
    found = head.now()
    if before is None or found is None or head.problem():
        return
    if found.state != state_now or not record.same_tables(found.content, content):
        _show(found, None)


def _has_tables_of(known: Saved) -> bool:
    """Whether what is open has the tables of a saved comparison, whatever it is called."""
    opened = state.votes_alone() or state.uploaded()
    if opened is None:
        return True
    saved = record.shown(known.content, _state(opened)) or known.content.votes
    return digest(saved.unedited if isinstance(saved, Case) else saved) == digest(opened)


def _state_of_open() -> State | None:
    """What is open as the store keeps it; None where nothing is open."""
    opened = state.votes_alone() or state.uploaded()
    return None if opened is None else _state(opened)


def _state(opened: Case | Votes) -> State:
    history = History() if isinstance(opened, Votes) else edit_state.history()
    known = head.now()
    found = record.state_of(opened, history, policy_state.policy(), swapped=state.is_turned())
    if known is None:
        return found
    name = known.state.name if isinstance(opened, Votes) else found.name  # votes have no name of their own
    return replace(found, name=name, note=known.state.note, asked=known.state.asked)


def _show(found: Saved, before: Saved | None) -> None:
    """Show a saved comparison. Tables that stand as they stood ``before`` stay the same objects, and so what is known
    of them.
    """
    case = state.uploaded() if before is not None and record.same_tables(before.content, found.content) else None
    if case is not None and state.is_turned() == found.state.swapped and found.content.runs is not None:
        case = record.renamed(case, found.state)
    else:
        case = record.shown(found.content, found.state)
    shown = case or found.content.votes
    if shown is not None:
        state.put(shown, turned=found.state.swapped)
    policy_state.set_policy(found.state.policy)
    history = record.history_of(found.state)
    if history != edit_state.history():
        edit_state.set_history(history)
