"""Which browser asks, for a server of several people where each lists only what his own browser opened."""

from __future__ import annotations

import uuid

import streamlit as st

from rankdash.dashboard.kit import browser_identity

_OWN = "browser_of_session"


def browser() -> str:
    """Return what tells this browser from others, which nobody can guess; without cookies it is this session's own."""
    own: str = st.session_state.setdefault(_OWN, uuid.uuid4().hex)
    return browser_identity.identity() or own
