"""What one browser session has open, and what its address says about it.

The tables stay here, the files are forgotten. The address carries a short digest of the open comparison: a session that
begins with one that it does not have has lost its uploads, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from rankdash.case import Case, compared, policy_of_scored, votes_standing
from rankdash.comparison import Comparison, PerQuery
from rankdash.dashboard import demo
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.host.results import ahead, once, otherwise
from rankdash.dashboard.kit import browser_history
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.session import address, edit_state, lists_elsewhere, policy_state, selected_query
from rankdash.dashboard.session.joined_runs import ranked
from rankdash.dashboard.session.saved import head, seen, shelf
from rankdash.dashboard.session.saved import record as record_of
from rankdash.edits import Standing
from rankdash.evidence.threads import each
from rankdash.inspect.lists import (
    BothRuns,
    Changes,
    Ints,
    QueryLists,
    ShownDocument,
    changes,
    query_lists,
    top_documents,
)
from rankdash.metrics import Measure
from rankdash.policy import Policy
from rankdash.store import Saved, is_large
from rankdash.tables import Scored, Votes
from rankdash.verdict import Verdict, decide

#: What is open, votes that are open without lists, and whether A and B of the saved comparison are exchanged.
_OPEN, _VOTES, _TURNED = "open", "open_votes", "open_turned"
#: The digest of what was computed before anybody opened it.
_AHEAD = "computed_ahead"


@dataclass(frozen=True)
class Opened:
    """Everything the pages show of the open comparison; shared by sessions, so nothing in it may change.

    ``case`` and ``policy`` are what all of it was made of, and what anything made of it is keyed on.
    """

    case: Case
    policy: Policy
    comparison: Comparison
    verdict: Verdict
    changes: Changes
    #: Top results of A and B by place of the extremes; empty where the lists are elsewhere.
    tops: dict[int, tuple[ShownDocument | None, ShownDocument | None]]
    #: Which of the votes count; None without votes.
    standing: Standing | None

    @property
    def nbytes(self) -> int:
        """Return about how many bytes it takes. An edited case has its tables from the one before the edit."""
        tables = 0 if self.case.edits else sum(getattr(one.table, "nbytes", 0) for one in self.case.tables.values())
        return self.comparison.nbytes + tables

    def lists(self, place: int) -> QueryLists:
        """The two lists of the query at a place. NoListsError where these are elsewhere, and cannot be read."""
        return self.lists_of(self.changes.query_ids[place])

    def lists_of(self, query_id: str, depth: int | None = None, measure: Measure | None = None) -> QueryLists:
        """The two lists of a query, as ``query_lists`` returns them. NoListsError as for ``lists``."""
        return query_lists(self.comparison, query_id, depth, measure, between=self.between(query_id))

    def between(self, query_id: str) -> BothRuns | None:
        """The rows of a query where these are elsewhere; None: they are at hand. NoListsError as for ``lists``."""
        case = self.case
        return None if case.scored is None else lists_elsewhere.between(case.scored, case.a, case.b, query_id)


def current() -> Case | None:
    """What is open in this session, with its edits; None where the address names a comparison that is gone."""
    case = uploaded()
    history = edit_state.history()
    return None if case is None else replace(case, edits=history.edits, held=history.held)


def uploaded() -> Case | None:
    """What is open without the edits of this session; the demo at first. None as for ``current``."""
    if _OPEN not in st.session_state:
        shown = address.demo()
        if shown is None or (browser_history.came_back() and not address.is_named()):
            return None
        st.session_state[_OPEN] = _demo_as(shown)
    case: Case | None = st.session_state[_OPEN]
    return case


def votes_alone() -> Votes | None:
    """The votes that are open by themselves; None where lists are open."""
    votes: Votes | None = st.session_state.get(_VOTES)
    return votes


def put(opened: Case | Votes, turned: bool) -> None:
    """Makes a comparison, without its edits, or votes alone the open ones. ``turned``: A and B of it are B and A of the
    upload that the store keeps.
    """
    if isinstance(opened, Votes):
        st.session_state[_VOTES] = opened
    else:
        st.session_state[_OPEN] = opened.unedited
        st.session_state.pop(_VOTES, None)
    st.session_state[_TURNED] = turned


def as_uploaded(opened: Case | Votes) -> Case | Votes:
    """What is open, the way around in which the store keeps it."""
    return opened.swapped() if isinstance(opened, Case) and is_turned() else opened


def is_begun() -> bool:
    """Whether anything was open in this session."""
    return _OPEN in st.session_state


def is_turned() -> bool:
    """Whether A and B are exchanged, seen from the upload that the store keeps."""
    return bool(st.session_state.get(_TURNED, False))


def show_verdict() -> None:
    """Goes to the verdict page. Nothing of the address comes along: told nothing about it, Streamlit refuses to leave a
    page whose widgets stand in the address.
    """
    st.switch_page(SCRIPTS["verdict"], query_params={})


def show_query(query_id: str) -> None:
    """Opens a query on the queries page, whatever is filtered there."""
    forget_queries()
    selected_query.choose(query_id)
    browser_history.go(SCRIPTS["queries"], **{selected_query.QUERY: query_id})


def forget_queries() -> None:
    """Forgets which query was open, and the filters, in the address too."""
    address.forget_queries()
    forget_views()


def forget_views() -> None:
    """Forgets which query was open, and the filters; the address stays."""
    for key in [key for key in st.session_state if str(key).startswith(f"{address.OF_QUERIES}_")]:
        del st.session_state[key]


def demo_inputs() -> Case | None:
    """The demo comparison; None where its files are not installed."""
    tables = demo.tables()
    return None if tables is None else Case(tables[:2], *tables[2:], name=demo.NAME)


def write_address(opened: Case | Votes) -> None:
    """Puts the id of what is open into the address, its digest where it is not saved; of the demo, which every session
    has, how it is shown, and a word of its own where it has edits: after a reload these alone are gone.
    """
    known = head.now()
    if known is not None:
        address.write_saved(known.id)
    elif isinstance(opened, Votes):
        address.write(digest(opened.source)[:12])
    elif (shown := shown_demo(opened.unedited)) is None:
        address.write(digest(opened)[:12])
    elif opened.edits:
        address.write(address.EDITED_DEMO)
    else:
        address.write_demo(shown)


def _demo_as(shown: address.Shown) -> Case | None:
    """The demo, turned around and under other names where the address says so."""
    case = demo_inputs()
    if case is None:
        return None
    case = case.swapped() if shown.swapped else case
    return case.renamed(**{**case.names, **(shown.names or {})}).with_distinct_names()


def shown_demo(case: Case) -> address.Shown | None:
    """How the demo is shown, if it is the demo that is open."""
    for turned in (False, True):
        home = _demo_as(address.Shown(turned))
        own = {} if home is None else home.names
        if home is None or digest(case.renamed(**own)) != digest(home.renamed(**own)):
            continue
        return address.Shown(turned, {which: name for which, name in case.names.items() if name != own[which]})
    return None


def opened(case: Case, policy: Policy | None = None) -> Opened:
    """The comparison of some case with its verdict, computed once per content and policy (None: the one in force)."""
    return _opened(case, policy or policy_state.policy())


def open_ahead(case: Case) -> None:
    """Begin to compute what ``opened`` returns, beside the page, where that takes long; once for the same case."""
    if not is_large(case) or st.session_state.get(_AHEAD) == digest(case)[:12]:
        return
    st.session_state[_AHEAD] = digest(case)[:12]
    ahead(_opened, case, own_policy(case) or policy_state.policy())


def own_policy(case: Case) -> Policy | None:
    """The policy that scored queries were scored for; None: that of the session. ComparisonError where this version
    cannot read them.
    """
    return None if case.scored is None else _policy_of(case.scored)


@once
def _policy_of(scored: Scored) -> Policy | None:
    return policy_of_scored(scored)


def opened_saved(saved: Saved) -> Opened | None:
    """The same of a saved comparison, computed of its per-query values where these were kept: then its lists are put in
    order only when somebody asks for documents. None for votes alone.
    """
    case = record_of.shown(saved.content, saved.state)
    if case is None:
        return None
    policy = saved.state.policy
    return otherwise(_opened, lambda: _made(case, policy, shelf.store().scored(saved)), case, policy)


@once
def _opened(case: Case, policy: Policy) -> Opened:
    return _made(case, policy, None)


def _made(case: Case, policy: Policy, known: PerQuery | None) -> Opened:
    stands = votes_standing(case, policy)
    comparison = compared(case, policy, known=known, rankings=ranked)
    assert isinstance(comparison, Comparison)
    works: list[Callable[[], Any]] = [lambda: changes(comparison), lambda: decide(comparison)]
    sorted_changes, verdict = each(lambda work: work(), works, len(comparison.scored))
    tops = _tops(comparison, sorted_changes) if comparison.has_lists else {}
    return Opened(case, policy, comparison, verdict, sorted_changes, tops, stands)


def looked_at(found: Opened, times: tuple[int, int]) -> Opened:
    """The same with the verdict of somebody who looked at so many states of the data, and tried so many candidates."""
    return found if times == (1, 1) else replace(found, verdict=_decided(found.case, found.policy, times))


def record(found: Opened) -> None:
    """Writes down the verdict of what is open, which is computed by now, on whatever page."""
    seen.computed(found.case, found.policy, found.comparison, lambda times: looked_at(found, times).verdict)


@once
def _decided(case: Case, policy: Policy, times: tuple[int, int]) -> Verdict:
    return decide(_opened(case, policy).comparison, *times)


def _tops(comparison: Comparison, found: Changes) -> dict[int, tuple[ShownDocument | None, ShownDocument | None]]:
    places: Ints = np.concatenate((found.losses, found.gains))
    query = found.query[places]
    both = zip(top_documents(comparison, "a", query), top_documents(comparison, "b", query), strict=True)
    return dict(zip(places.tolist(), both, strict=True))
