"""What the address says of the open comparison: its digest; of the demo, how it can be opened again.

Every session has the demo, so that its address holds all there is to know: whether A and B are exchanged, and names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

#: The name of the digest in the address.
ADDRESS = "c"
#: What stands there while the demo is open under other names or turned around, and while it is open with edits.
DEMO, EDITED_DEMO = "demo", "demo-edited"
_SWAPPED, _YES = "demo_swapped", "yes"
_NAMES = {"name": "demo_name", "a": "demo_a", "b": "demo_b"}


@dataclass(frozen=True)
class Shown:
    """How the demo is shown: A and B exchanged or not, and the names by "name", "a" and "b" that are its own."""

    swapped: bool = False
    names: Mapping[str, str] | None = None


def write(digest: str | None) -> None:
    """Puts a digest, or a word in its place, into the address; None: nothing, as for the demo of a first visit."""
    _write({} if digest is None else {ADDRESS: digest})


def write_demo(shown: Shown) -> None:
    """Puts into the address how the demo is shown; nothing where it is as at a first visit."""
    told = {_NAMES[which]: name for which, name in (shown.names or {}).items()}
    told |= {_SWAPPED: _YES} if shown.swapped else {}
    _write({ADDRESS: DEMO, **told} if told else {})


def demo() -> Shown | None:
    """How the address says that the demo is shown; None where it names another comparison."""
    if st.query_params.get(ADDRESS, DEMO) != DEMO:
        return None
    names = {which: st.query_params.get(key, "").strip() for which, key in _NAMES.items()}
    return Shown(st.query_params.get(_SWAPPED) == _YES, {which: name for which, name in names.items() if name})


def came_back() -> bool:
    """Whether the tab had a session before, which this server does not know: it was restarted, or waited too long.

    A browser that connects again names the session that it had, behind a token (the protocols of its connection). The
    links of the navigation leave the address behind, so that nothing else tells such a tab from a first visit.
    """
    protocols = st.context.headers.get("Sec-WebSocket-Protocol") or ""
    return len([part for part in protocols.split(",") if part.strip()]) > 2


def _write(wanted: Mapping[str, str]) -> None:
    for key in (ADDRESS, _SWAPPED, *_NAMES.values()):
        if key not in wanted and key in st.query_params:
            del st.query_params[key]
        elif key in wanted and st.query_params.get(key) != wanted[key]:
            st.query_params[key] = wanted[key]
