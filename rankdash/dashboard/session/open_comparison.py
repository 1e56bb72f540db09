"""The open comparison, and what the address says about it: the id where it is saved, a digest where it is in memory
alone, for the demo how to open it again.

Every session has the demo, so that its address holds all there is to know: whether A and B are exchanged, and names. A
session that begins with a digest whose comparison it does not have has lost its uploads, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard import demo
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.kit import browser_history, widgets
from rankdash.dashboard.kit.browser_history import said, tell
from rankdash.dashboard.session import session
from rankdash.edits import Edit
from rankdash.tables import Votes

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


def _write_demo(shown: DemoView) -> None:
    """Put into the address how the demo is shown; nothing where it is as at a first visit."""
    parameters = {_NAMES[which]: name for which, name in (shown.names or {}).items()}
    parameters |= {_SWAPPED: _YES} if shown.swapped else {}
    _write({ADDRESS: DEMO, **parameters} if parameters else {})


def demo_view() -> DemoView | None:
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


def current() -> Case | None:
    """Return what is open in this session, with its edits; the demo at first. None where the address names a comparison
    that is gone.
    """
    case = session.now().case
    if case is None:
        shown = demo_view()
        if shown is None or (browser_history.came_back() and not is_named()):
            return None
        case = session.change(case=_demo_as(shown)).case
    return case


def edits() -> tuple[Edit, ...]:
    """Return the edits in force."""
    case = current()
    return () if case is None else case.edits


def uploaded() -> Case | None:
    """Return what is open without its edits. None as for ``current``."""
    case = current()
    return None if case is None else case.unedited


def demo_inputs() -> Case | None:
    """Return the demo comparison; None where its files are not installed."""
    tables = demo.tables()
    return None if tables is None else Case(tables[:2], *tables[2:], name=demo.NAME)


def write_address(opened: Case | Votes) -> None:
    """Put the id of what is open into the address, its digest where it is not saved; of the demo, which every session
    has, how it is shown, and a word of its own where it has edits: after a reload these alone are gone.
    """
    saved = session.now().saved
    if saved is not None:
        _write({COMPARISON: saved.id})
    elif isinstance(opened, Votes):
        _write({ADDRESS: digest(opened.source)[:12]})
    elif (shown := shown_demo(opened.unedited)) is None:
        _write({ADDRESS: digest(opened)[:12]})
    elif opened.edits:
        _write({ADDRESS: EDITED_DEMO})
    else:
        _write_demo(shown)


def _demo_as(shown: DemoView) -> Case | None:
    """Return the demo, turned around and under other names where the address says so."""
    case = demo_inputs()
    if case is None:
        return None
    case = case.swapped() if shown.swapped else case
    return case.renamed(**{**case.names, **(shown.names or {})}).with_distinct_names()


def shown_demo(case: Case) -> DemoView | None:
    """Return how the demo is shown, if it is the demo that is open."""
    for turned in (False, True):
        home = _demo_as(DemoView(turned))
        own = {} if home is None else home.names
        if home is None or digest(case.renamed(**own)) != digest(home.renamed(**own)):
            continue
        return DemoView(turned, {which: name for which, name in case.names.items() if name != own[which]})
    return None
