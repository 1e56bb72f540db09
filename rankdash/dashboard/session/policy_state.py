"""The policy in force in this browser session, and whether it was changed after results were seen.

Results are known by the files they come from, so neither a swap nor another name makes a changed policy look untouched.
"""

from __future__ import annotations

import streamlit as st

from rankdash.policy import Policy

_POLICY, _SEEN = "policy_in_force", "policy_first_seen"


def policy() -> Policy:
    """The policy in force; the defaults until somebody changes it."""
    found: Policy = st.session_state.get(_POLICY) or Policy()
    return found


def set_policy(policy: Policy) -> None:
    """Puts a policy in force, for every comparison of the session."""
    st.session_state[_POLICY] = policy


def saw_results(*digests: str) -> None:
    """Remembers under which policy the results of some files, given by their digests, were seen first."""
    seen = st.session_state.setdefault(_SEEN, {})
    seen.setdefault(frozenset(digests), policy())


def was_changed(*digests: str) -> bool:
    """Whether another policy is in force than when the results of these files were seen first."""
    first = st.session_state.get(_SEEN, {}).get(frozenset(digests))
    return first is not None and first != policy()
