"""The record of what a browser session has open: everything that outlives a run of the page, but widgets.

It is frozen, and each session has its own. ``now`` reads it; ``change`` puts another in its place, which only the
modules of this room do: pages call ``actions``.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache
from threading import Event
from typing import Any

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.session.files import Box, CachedFile
from rankdash.edits import History, Turn
from rankdash.policy import Policy
from rankdash.store import ListedRow, RecordedVerdict, Saved
from rankdash.tables import Votes

#: The one key of the session state.
KEY = "session"
#: A revision of a saved comparison: its id and its number.
Revision = tuple[str, int]


@cache
def default_policy() -> Policy:
    """Return the policy that nobody has changed; making it takes a millisecond."""
    return Policy()


@dataclass(frozen=True)
class Session:
    """What one browser session has open."""

    #: The comparison, without the edits of this session; None before anything is open.
    case: Case | None = None
    #: Votes that are open by themselves, in place of it.
    votes: Votes | None = None
    #: Whether A and B are exchanged, seen from the upload that the store keeps.
    is_turned: bool = False
    #: Edits of the comparison, with what was undone.
    history: History = field(default_factory=History)
    policy: Policy = field(default_factory=default_policy)
    #: The policy under which results were seen first, by the digests of their files.
    first_policies: Mapping[frozenset[str], Policy] = field(default_factory=dict)

    #: What the store had when this session saved, or took over, last; None for what has no record.
    saved: Saved | None = None
    #: Why the comparison could not be saved or followed.
    problem: str = ""
    #: Whether the later edits of clashes are this session's own; None: it has no question about any.
    owns_clashes: bool | None = None
    #: An undo, or a redo (True), that waits for an answer of this session, for somebody else's edits are at stake.
    turn: tuple[bool, Turn] | None = None
    #: What is written beside the page, and the event that hurries it.
    writing: tuple[Future[Saved], Event] | None = None
    #: The revision whose verdict is on record, that whose per-query values are kept with what these are, and that whose
    #: older verdict is shown.
    computed: Revision | None = None
    values_of: tuple[Revision, Any] | None = None
    older: tuple[Revision, RecordedVerdict | None] | None = None

    #: The query that is looked at, and that of the bar that was clicked last.
    query: str | None = None
    clicked: str | None = None
    #: What the row of the comparison says, and what widgets follow: their first values were made of it.
    row: tuple[object, ...] = ()
    followed: Mapping[str, Any] = field(default_factory=dict)
    #: What is said once, by where, and comparisons that were deleted and can be brought back.
    notices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    deleted: tuple[ListedRow, ...] = ()

    #: The saved comparison that this session wrote into the address; whether the address of a tab that came back was
    #: read.
    address: str = ""
    is_taken_up: bool = False
    #: What tells the browser of this session where it sends no cookie, and what the person here signs with.
    browser: str = ""
    person: str = ""
    #: The files of the comparison, by digest, and the boxes of drop zones, which remember readings as they come.
    files: Mapping[str, CachedFile] = field(default_factory=dict)
    boxes: Mapping[str, Box] = field(default_factory=dict)

    @property
    def opened(self) -> Case | Votes | None:
        """What is open: votes by themselves, or a comparison."""
        return self.votes or self.case

    def has_changed_policy(self, *digests: str) -> bool:
        """Return whether the policy differs from that under which the results of these files were seen first.

        Results belong to the digests of their files, so that exchanging A and B, or renaming them, changes nothing.
        """
        return self.first_policies.get(frozenset(digests), self.policy) != self.policy


def now() -> Session:
    """Return what this session has open."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Session()
    session: Session = st.session_state[KEY]
    return session


def change(**fields: Any) -> Session:
    """Put a record with other fields in place of that of this session; return it.

    The old record is removed first, for what is only replaced Streamlit keeps until the next run.
    """
    changed = replace(now(), **fields)
    st.session_state.pop(KEY)
    st.session_state[KEY] = changed
    return changed
