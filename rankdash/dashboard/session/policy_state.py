"""The policy of this browser session, and whether it was changed after results were seen.

Results are identified by the digests of their files, so that swapping A and B or renaming them does not reset this.
"""

from __future__ import annotations

from functools import cache

import streamlit as st

from rankdash.policy import Policy

_POLICY, _SEEN = "policy_in_force", "policy_first_seen"


def policy() -> Policy:
    """Return the policy of the session: the defaults until somebody changes it."""
    current: Policy = st.session_state.get(_POLICY) or _defaults()
    return current


@cache
def _defaults() -> Policy:
    """Return the policy that nobody has changed. A page asks for it eight times, and making it takes a millisecond."""
    return Policy()


def set_policy(policy: Policy) -> None:
    """Set the policy for every comparison of the session."""
    st.session_state[_POLICY] = policy


def saw_results(*digests: str, under: Policy | None = None) -> None:
    """Record the policy under which the results of files with these digests were seen first; None: the one in force."""
    seen = st.session_state.setdefault(_SEEN, {})
    seen.setdefault(frozenset(digests), under or policy())


def was_changed(*digests: str) -> bool:
    """Whether the policy differs from the one under which the results of these files were seen first."""
    first = st.session_state.get(_SEEN, {}).get(frozenset(digests))
    return first is not None and first != policy()
