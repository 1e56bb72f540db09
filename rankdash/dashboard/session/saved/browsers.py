"""Which browser asks, for a server of several people where each lists only what his own browser opened."""

from __future__ import annotations

import uuid

import streamlit as st

from rankdash.dashboard.host.identity import identity
from rankdash.dashboard.session.saved import shelf

_OWN = "browser_of_session"


def listed() -> str | None:
    """Return the browser whose comparisons may be listed: this one on a server of several people; None: everybody's."""
    return browser() if shelf.is_shared() else None


def browser() -> str:
    """Return what tells this browser from others, which nobody can guess; without cookies it is this session's own."""
    own: str = st.session_state.setdefault(_OWN, uuid.uuid4().hex)
    return identity() or own
