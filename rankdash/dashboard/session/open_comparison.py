"""The open comparison with the edits of this session, and what its address says about it.

The tables stay here, the files are forgotten. The address carries a short digest of the open comparison: a session that
begins with a digest whose comparison it does not have has lost its uploads, and says so.
"""

from __future__ import annotations

from dataclasses import replace

from rankdash.case import Case
from rankdash.dashboard import demo
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.kit import browser_history
from rankdash.dashboard.session import address, session
from rankdash.tables import Votes


def current() -> Case | None:
    """Return what is open in this session, with its edits; None where the address names a comparison that is gone."""
    case = uploaded()
    history = session.now().history
    return None if case is None else replace(case, edits=history.edits, held=history.held)


def uploaded() -> Case | None:
    """Return what is open without the edits of this session; the demo at first. None as for ``current``."""
    case = session.now().case
    if case is None:
        shown = address.demo()
        if shown is None or (browser_history.came_back() and not address.is_named()):
            return None
        case = session.change(case=_demo_as(shown)).case
    return case


def put(opened: Case | Votes, turned: bool) -> None:
    """Make a comparison, without its edits, or votes alone the open ones. ``turned``: A and B of it are B and A of the
    upload that the store keeps.
    """
    if isinstance(opened, Votes):
        session.change(votes=opened, is_turned=turned)
    else:
        session.change(case=opened.unedited, votes=None, is_turned=turned)


def as_uploaded(opened: Case | Votes) -> Case | Votes:
    """Return what is open, the way around in which the store keeps it."""
    return opened.swapped() if isinstance(opened, Case) and session.now().is_turned else opened


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
        address.write_saved(saved.id)
    elif isinstance(opened, Votes):
        address.write(digest(opened.source)[:12])
    elif (shown := shown_demo(opened.unedited)) is None:
        address.write(digest(opened)[:12])
    elif opened.edits:
        address.write(address.EDITED_DEMO)
    else:
        address.write_demo(shown)


def _demo_as(shown: address.DemoView) -> Case | None:
    """Return the demo, turned around and under other names where the address says so."""
    case = demo_inputs()
    if case is None:
        return None
    case = case.swapped() if shown.swapped else case
    return case.renamed(**{**case.names, **(shown.names or {})}).with_distinct_names()


def shown_demo(case: Case) -> address.DemoView | None:
    """Return how the demo is shown, if it is the demo that is open."""
    for turned in (False, True):
        home = _demo_as(address.DemoView(turned))
        own = {} if home is None else home.names
        if home is None or digest(case.renamed(**own)) != digest(home.renamed(**own)):
            continue
        return address.DemoView(turned, {which: name for which, name in case.names.items() if name != own[which]})
    return None
