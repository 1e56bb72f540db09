"""What was computed and seen of the open comparison: its verdict, once for each case, and how many states of its data.

A verdict goes on record for the revision that it is of and for no other: where what is shown is not what is saved,
because it could not be saved or somebody waits for an answer, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from rankdash.case import Case
from rankdash.dashboard.host import background
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.session import session
from rankdash.dashboard.session.saved import head, shelf, translation
from rankdash.policy import Policy
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import RecordedVerdict, Saved, is_large, result_of
from rankdash.tables import Votes
from rankdash.verdict import Verdict


class Times(NamedTuple):
    """For how many states of the data the verdict of a pair was shown, and how many candidates were compared with this
    A on these judgments; this one included.
    """

    looks: int
    candidates: int


#: Of what is not saved.
ONCE = Times(1, 1)


def times() -> Times:
    """Return what is on record of the open comparison. It is read each time, for any comparison may have added to
    it.
    """
    saved = session.now().saved
    if saved is None:
        return ONCE
    return head.attempt(lambda: Times(shelf.store().looks(saved), shelf.store().candidates(saved))) or ONCE


def computed(
    opened: Case | Votes, policy: Policy, comparison: Comparison | VotesAlone, decide: Callable[[Times], Verdict]
) -> None:
    """Write down the verdict of what is open, whatever page is shown: lists have it from here on. Each revision once.

    ``comparison`` is that of ``opened`` under ``policy``, and ``decide`` its verdict for so many looks and candidates.
    """
    saved = session.now().saved
    if saved is None or session.now().computed == (saved.id, saved.number):
        return
    if not _is_on_record(saved, opened, policy) or older() is not None:
        return
    if head.attempt(lambda: shelf.store().computed(saved, comparison, decide(times()))) is not None:
        session.change(computed=(saved.id, saved.number))


def record(
    opened: Case | Votes, policy: Policy, comparison: Comparison | VotesAlone, verdict: Verdict
) -> RecordedVerdict | None:
    """Write down that a verdict is shown, with its look. Return the result as it is shown; None where it is not on
    record. The arguments are those of ``computed``.
    """
    saved = session.now().saved
    if saved is None or not _is_on_record(saved, opened, policy):
        return None
    recorded = head.attempt(lambda: shelf.store().seen(saved, comparison, verdict))
    return (
        None if recorded is None else replace(result_of(comparison, verdict, saved, recorded.content), at=recorded.at)
    )


def _is_on_record(saved: Saved, opened: Case | Votes, policy: Policy) -> bool:
    """Return whether what is open is what is saved, without a question about it, and results can be written."""
    if session.now().problem or head.clashes() or shelf.read_only():
        return False
    return _is_saved(saved, opened, policy)


def _is_saved(saved: Saved, opened: Case | Votes, policy: Policy) -> bool:
    """Return whether what is saved is just this."""
    shown: Any = translation.shown(saved.content, saved.state) or saved.content.votes
    return digest((opened, policy)) == digest((shown, saved.state.policy))


def keep_values(case: Case, comparison: Comparison) -> None:
    """Keep what was computed of the open comparison, where it is large, so that it opens quickly the next time.

    Written beside the page, for a ``case`` alone that is that of the saved comparison.
    """
    saved = session.now().saved
    if saved is None or session.now().problem or head.clashes() or not is_large(saved.content):
        return
    at = (saved.id, saved.number), comparison.scored.at_hand
    if session.now().values_of != at and _is_saved(saved, case, comparison.policy):
        session.change(values_of=at)
        background.begin(shelf.store().keep_scored, saved, comparison.scored)


def older() -> RecordedVerdict | None:
    """Return the verdict that an older rankdash, or older rules, gave to what is open, until it is computed anew."""
    saved = session.now().saved
    if saved is None:
        return None
    at = (saved.id, saved.number)
    last = session.now().older
    if last is None or last[0] != at:
        last = at, _older(saved)
        session.change(older=last)
    return last[1]


def compute_anew() -> None:
    """Let the verdict of this version stand in place of the older one."""
    saved = session.now().saved
    if saved is not None:
        session.change(older=((saved.id, saved.number), None))


def _older(saved: Saved) -> RecordedVerdict | None:
    results = head.attempt(lambda: shelf.store().results(saved.id)) or ()
    of_case = sorted((result for result in results if result.case == saved.case), key=lambda result: result.at)
    return of_case[-1] if of_case and not any(result.is_current for result in of_case) else None
