"""What was computed and seen of the open comparison: its verdict, once for each case, and how many states of its data.

A verdict goes on record for the revision that it is of and for no other: where what is shown is not what is saved,
because it could not be saved or somebody waits for an answer, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from rankdash.case import Case
from rankdash.comparison import Comparison, VotesAlone
from rankdash.dashboard.host import background
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.session import record as session
from rankdash.dashboard.session.saved import head, shelf, translation
from rankdash.policy import Policy
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
    """Return what is on record of the open comparison. Asked each time: any comparison may have added to it."""
    known = session.now().saved
    if known is None:
        return ONCE
    return head.attempt(lambda: Times(shelf.store().looks(known), shelf.store().candidates(known))) or ONCE


def computed(
    opened: Case | Votes, policy: Policy, comparison: Comparison | VotesAlone, decide: Callable[[Times], Verdict]
) -> None:
    """Write down the verdict of what is open, whatever page is shown: lists have it from here on. Each revision once.

    ``comparison`` is that of ``opened`` under ``policy``, and ``decide`` its verdict for so many looks and candidates.
    """
    known = session.now().saved
    if known is None or session.now().computed == (known.id, known.number):
        return
    if not _is_on_record(known, opened, policy) or older() is not None:
        return
    if head.attempt(lambda: shelf.store().computed(known, comparison, decide(times()))) is not None:
        session.change(computed=(known.id, known.number))


def record(
    opened: Case | Votes, policy: Policy, comparison: Comparison | VotesAlone, verdict: Verdict
) -> RecordedVerdict | None:
    """Write down that a verdict is shown, with its look. Return the result as it is shown; None where it is not on
    record. The arguments are those of ``computed``.
    """
    known = session.now().saved
    if known is None or not _is_on_record(known, opened, policy):
        return None
    found = head.attempt(lambda: shelf.store().seen(known, comparison, verdict))
    return None if found is None else replace(result_of(comparison, verdict, known, found.content), at=found.at)


def _is_on_record(known: Saved, opened: Case | Votes, policy: Policy) -> bool:
    """Return whether what is open is what is saved, nobody is asked about it, and results can be written."""
    if session.now().problem or head.clashes() or shelf.read_only():
        return False
    return _is_saved(known, opened, policy)


def _is_saved(known: Saved, opened: Case | Votes, policy: Policy) -> bool:
    """Return whether what is saved is just this."""
    saved: Any = translation.shown(known.content, known.state) or known.content.votes
    return digest((opened, policy)) == digest((saved, known.state.policy))


def keep_values(case: Case, comparison: Comparison) -> None:
    """Keep what was computed of the open comparison, where it is a large one, so that it opens quickly the next time.

    Written beside the page, for a ``case`` alone that is that of the saved comparison.
    """
    known = session.now().saved
    if known is None or session.now().problem or head.clashes() or not is_large(known.content):
        return
    at = (known.id, known.number), comparison.scored.at_hand
    if session.now().values_of != at and _is_saved(known, case, comparison.policy):
        session.change(values_of=at)
        background.begin(shelf.store().keep_scored, known, comparison.scored)


def older() -> RecordedVerdict | None:
    """Return the verdict that an older rankdash, or older rules, gave to what is open, until it is computed anew."""
    known = session.now().saved
    if known is None:
        return None
    at = (known.id, known.number)
    last = session.now().older
    if last is None or last[0] != at:
        last = at, _older(known)
        session.change(older=last)
    return last[1]


def compute_anew() -> None:
    """Let the verdict of this version stand in place of the older one."""
    known = session.now().saved
    if known is not None:
        session.change(older=((known.id, known.number), None))


def _older(known: Saved) -> RecordedVerdict | None:
    found = head.attempt(lambda: shelf.store().results(known.id)) or ()
    of_case = sorted((one for one in found if one.case == known.case), key=lambda one: one.at)
    return of_case[-1] if of_case and not any(one.is_current for one in of_case) else None
