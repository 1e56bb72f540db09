"""What the address says of the open comparison: the id where it is saved, the digest where it is in memory alone, for
the demo how to open it again.

Every session has the demo, so that its address holds all there is to know: whether A and B are exchanged, and names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from rankdash.dashboard.kit import browser_history, widgets
from rankdash.dashboard.kit.browser_history import said, tell
from rankdash.dashboard.session import session

#: The parameters of the address for the id of a saved comparison, and for the digest of one that is not saved.
COMPARISON, ADDRESS = "comparison", "c"
#: What stands there while the demo is open under other names or turned around, and while it is open with edits.
DEMO, EDITED_DEMO = "demo", "demo-edited"
_SWAPPED, _YES = "demo_swapped", "yes"
_NAMES = {"name": "demo_name", "a": "demo_a", "b": "demo_b"}
#: All that says which comparison is open; the rest of an address is what is viewed of it.
_OURS = (COMPARISON, ADDRESS, _SWAPPED, *_NAMES.values())
#: What belongs to a comparison, in the address and in the session: the query that is open, and filters.
OF_QUERIES = "query"
#: A field that nobody sees: what the address of an open tab says of its comparison.
_MARK = "address_mark"
_LONGEST_MARK = 20_000


@dataclass(frozen=True)
class DemoView:
    """How the demo is shown: A and B exchanged or not, and the names by "name", "a" and "b" that are its own."""

    swapped: bool = False
    names: Mapping[str, str] | None = None


def linked() -> str:
    """Return the saved comparison that the address names since the browser came with it, by a link or a step in its
    history; "" where it names none, or that which this session wrote there.
    """
    named = st.query_params.get(COMPARISON, "")
    return "" if named == session.now().address else named


def settle() -> None:
    """Let what this session has open count from here on, whatever saved comparison the address named before."""
    session.change(address=st.query_params.get(COMPARISON, ""))


def write_saved(comparison_id: str) -> None:
    """Put the id of a saved comparison into the address."""
    _write({COMPARISON: comparison_id})


def write(digest: str | None) -> None:
    """Put a digest, or a word in its place, into the address; None: nothing, as for the demo of a first visit."""
    _write({} if digest is None else {ADDRESS: digest})


def write_demo(shown: DemoView) -> None:
    """Put into the address how the demo is shown; nothing where it is as at a first visit."""
    parameters = {_NAMES[which]: name for which, name in (shown.names or {}).items()}
    parameters |= {_SWAPPED: _YES} if shown.swapped else {}
    _write({ADDRESS: DEMO, **parameters} if parameters else {})


def demo() -> DemoView | None:
    """Return how the address says that the demo is shown; None where it names another comparison."""
    if st.query_params.get(ADDRESS, DEMO) != DEMO or COMPARISON in st.query_params:
        return None
    names = {which: st.query_params.get(key, "").strip() for which, key in _NAMES.items()}
    return DemoView(st.query_params.get(_SWAPPED) == _YES, {which: name for which, name in names.items() if name})


def is_named() -> bool:
    """Return whether the address names a comparison."""
    return ADDRESS in st.query_params or COMPARISON in st.query_params


def take_up() -> None:
    """Put back into the address of a tab that came back what it said of the comparison there, for a link drops that.

    The browser sends what the widgets of the frame show, also to a server that has not seen it before.
    """
    if not widgets.is_drawn(_MARK) and not is_named() and browser_history.came_back():
        parameters = {key: [value] for key, value in parse_qsl(_mark())}
        session.change(is_taken_up=True)
        tell(said() | parameters)


def _mark() -> str:
    """Draw the field that nobody sees, and return what it shows."""
    with st.container(key="frame_mark"):
        return st.text_input(ADDRESS, max_chars=_LONGEST_MARK, key=_MARK, label_visibility="collapsed")


def forget_queries() -> None:
    """Take the query that is open, and filters, out of the address."""
    tell({key: values for key, values in said().items() if not key.startswith(OF_QUERIES)})


def forget_view() -> None:
    """Take everything out of the address that says what is viewed of a comparison."""
    tell({key: values for key, values in said().items() if key in _OURS})


def _write(own: Mapping[str, str]) -> None:
    session.change(address=own.get(COMPARISON, ""))
    now = said()
    others = {key: values for key, values in now.items() if key not in _OURS}
    parameters = {key: [own[key]] for key in _OURS if key in own}
    if now != parameters | others:
        tell(parameters | others)
    if session.now().is_taken_up:
        session.change(is_taken_up=False)
    else:
        widgets.set_value(_MARK, urlencode(own or {ADDRESS: DEMO}))
        _mark()
