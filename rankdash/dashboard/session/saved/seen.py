"""What was seen of the open comparison: how many states of its data, and the verdict of each revision, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import streamlit as st

from rankdash.comparison import Comparison, VotesAlone
from rankdash.dashboard.kit.digests import digest
from rankdash.dashboard.session.inputs import Inputs
from rankdash.dashboard.session.saved import head, shelf
from rankdash.dashboard.session.saved import record as record_of
from rankdash.store import Result, is_large
from rankdash.verdict import Verdict

_SEEN, _OLDER, _KEPT = "seen_result", "seen_older", "seen_kept"
#: One thread for the values of all sessions; what it has begun is written before the server ends.
_WRITER = ThreadPoolExecutor(1, "rankdash-values")


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
    known = head.now()
    if known is None:
        return ONCE
    return head.attempt(lambda: Times(shelf.store().looks(known), shelf.store().candidates(known))) or ONCE


def record(comparison: Comparison | VotesAlone, verdict: Verdict) -> Result | None:
    """Write down that a verdict is shown, with its look; each revision of the open comparison once.

    Return the result on record; None where there is none.
    """
    known = head.now()
    if known is None or head.problem() or head.clashes() or shelf.read_only():
        return None
    at = (known.id, known.number)
    last: tuple[tuple[str, int], Result] | None = st.session_state.get(_SEEN)
    if last is None or last[0] != at:
        found = head.attempt(lambda: shelf.store().seen(known, comparison, verdict))
        if found is None:
            return None
        last = st.session_state[_SEEN] = at, found
    return last[1]


def keep_values(inputs: Inputs, comparison: Comparison) -> None:
    """Keep what was computed of the open comparison, where it is a large one, so that it opens quickly the next time.

    Written beside the page, for ``inputs`` alone that are those of the saved comparison.
    """
    known = head.now()
    if known is None or head.problem() or head.clashes() or not is_large(known.content):
        return
    at = (known.id, known.number, comparison.scored.at_hand)
    saved = (record_of.edited_inputs_of(known), known.state.policy)
    if st.session_state.get(_KEPT) != at and digest((inputs, comparison.policy)) == digest(saved):
        st.session_state[_KEPT] = at
        _WRITER.submit(shelf.store().keep_scored, known, comparison.scored)


def older() -> Result | None:
    """Return the verdict that an older rankdash, or older rules, gave to what is open, until it is computed anew."""
    known = head.now()
    if known is None:
        return None
    at = (known.id, known.number)
    last: tuple[tuple[str, int], Result | None] | None = st.session_state.get(_OLDER)
    if last is None or last[0] != at:
        last = at, _older(known.id, known.number)
        st.session_state[_OLDER] = last
    return last[1]


def compute_anew() -> None:
    """Let the verdict of this version stand in place of the older one."""
    known = head.now()
    if known is not None:
        st.session_state[_OLDER] = (known.id, known.number), None


def _older(comparison: str, revision: int) -> Result | None:
    found = head.attempt(lambda: shelf.store().results(comparison)) or ()
    of_now = [one for one in found if one.revision == revision]
    return of_now[0] if of_now and not any(one.is_current for one in of_now) else None
