"""What was seen of the open comparison: how many states of its data, and the verdict of each revision, once."""

from __future__ import annotations

import streamlit as st

from rankdash.comparison import Comparison, VotesAlone
from rankdash.dashboard.session.saved import head, shelf
from rankdash.store import Result
from rankdash.verdict import Verdict

_LOOKS, _SEEN, _OLDER = "seen_looks", "seen_result", "seen_older"


def looks() -> int:
    """Return for how many states of the data the verdict of this pair was shown, this one included."""
    known = head.now()
    if known is None:
        return 1
    at = (known.id, known.number)
    last: tuple[tuple[str, int], int] | None = st.session_state.get(_LOOKS)
    if last is None or last[0] != at:
        last = at, head.attempt(lambda: shelf.store().looks(known)) or 1
        st.session_state[_LOOKS] = last
    return last[1]


def record(comparison: Comparison | VotesAlone, verdict: Verdict) -> Result | None:
    """Write down that a verdict is shown, with its look; each revision of the open comparison once.

    Return the result on record; None where there is none.
    """
    known = head.now()
    if known is None or head.problem() or head.clashes() is not None:
        return None
    at = (known.id, known.number)
    last: tuple[tuple[str, int], Result] | None = st.session_state.get(_SEEN)
    if last is None or last[0] != at:
        found = head.attempt(lambda: shelf.store().seen(known, comparison, verdict))
        if found is None:
            return None
        last = st.session_state[_SEEN] = at, found
    return last[1]


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
