"""The open comparison, and what the address says about it: the id where it is saved, a digest where it is in memory
alone, the name of a demo, which every session has, and nothing for the first demo.

A session that begins with a digest whose comparison it does not have has lost its uploads, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from rankdash import wording
from rankdash.api import DEMO_FOLDERS, DemoName
from rankdash.case import Case
from rankdash.dashboard import demo
from rankdash.dashboard.kit import browser_history, widgets
from rankdash.dashboard.kit.browser_history import parameters_now, set_parameters, without
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.results import digest
from rankdash.dashboard.session import session
from rankdash.edits import Edit
from rankdash.policy import Policy
from rankdash.store import ListedRow, answers
from rankdash.tables import Votes

#: The parameters of the address for the id of a saved comparison, and for the digest of one that is not saved.
COMPARISON, ADDRESS = "comparison", "c"
#: The demo that is open at first.
DEMO: DemoName = "search"
#: The parameters that identify the open comparison; the others of an address are the view of it.
_OURS = (COMPARISON, ADDRESS)
#: A field that nobody sees: what the address of an open tab says of its comparison.
_MARK = "address_mark"
_LONGEST_MARK = 20_000


def linked() -> str:
    """Return the saved comparison that the address names since the browser came with it, by a link or a step in its
    history; "" where it names none, or that which this session wrote there.
    """
    return "" if named() == session.now().address else named()


def named() -> str:
    """Return the saved comparison that the address names; "" where it names none."""
    return str(st.query_params.get(COMPARISON, ""))


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
        set_parameters(parameters_now() | parameters)


def _mark() -> str:
    """Draw the field that nobody sees, and return what it shows."""
    with st.container(key="frame_mark"):
        return st.text_input(ADDRESS, max_chars=_LONGEST_MARK, key=_MARK, label_visibility="collapsed")


def current() -> Case | None:
    """Return what is open in this session, with its edits; the demo at first. None where the address names a comparison
    that is gone.
    """
    case = session.now().case
    if case is None:
        name = st.query_params.get(ADDRESS, DEMO)
        which = next((one for one in DEMO_FOLDERS if one == name and COMPARISON not in st.query_params), None)
        if which is None or (browser_history.came_back() and not is_named()):
            return None
        case = session.change(case=demo.case(which), policy=demo.POLICIES.get(which, session.now().policy)).case
    return case


def nouns() -> wording.Nouns:
    """Return what a query and a document are called in what is open."""
    case = session.now().case
    return wording.nouns(case is not None and case.of_users)


def spoken(words: str) -> str:
    """Return words of ours with the nouns of what is open."""
    return nouns().say(words)


def edits() -> tuple[Edit, ...]:
    """Return the edits in force."""
    case = current()
    return () if case is None else case.edits


def write_address(opened: Case | Votes) -> None:
    """Put the id of what is open into the address, its digest where it is not saved; nothing of the demo."""
    saved, own = session.now().saved, {}
    if saved is not None:
        own = {COMPARISON: saved.id}
    elif (which := demo_of(opened)) != DEMO:
        own = {ADDRESS: which or digest(opened.source if isinstance(opened, Votes) else opened)[:12]}
    session.change(address=own.get(COMPARISON, ""))
    now = parameters_now()
    parameters = {key: [value] for key, value in own.items()}
    parameters |= {key: values for key, values in now.items() if key not in _OURS}
    if now != parameters:
        set_parameters(parameters)
    if session.now().is_taken_up:
        session.change(is_taken_up=False)
    else:
        widgets.set_value(_MARK, urlencode(own or {ADDRESS: DEMO}))
        _mark()


def demo_of(opened: Case | Votes) -> DemoName | None:
    """Return the demo that is open as every session has it; None for anything else."""
    return next((which for which in DEMO_FOLDERS if digest(opened) == digest(demo.case(which))), None)


# --- the state of pages: the selected query, notices ---


#: The query parameter with the selected query. What else belongs to a comparison, as filters do, begins with it, in the
#: address and in the session.
QUERY = "query"


def choose_query(query_id: str) -> None:
    """Select a query."""
    session.change(query=query_id)


def query_among(ids: Sequence[str], otherwise: str) -> str:
    """Return the selected query if it is in ``ids``, else that of the query parameter, else ``otherwise``."""
    candidates = (session.now().query, st.query_params.get(QUERY))
    return next((query_id for query_id in candidates if query_id is not None and query_id in ids), otherwise)


def write_query(query_id: str) -> None:
    """Select a query and set the query parameter, which a link to another page may have dropped."""
    choose_query(query_id)
    if st.query_params.get(QUERY) != query_id:
        set_parameters(parameters_now() | {QUERY: [query_id]})


def show_verdict() -> None:
    """Go to the verdict page without the parameters of the address. Without saying so, Streamlit refuses to leave a
    page whose widgets stand in the address.
    """
    st.switch_page(SCRIPTS["verdict"], query_params={})


def show_opened() -> None:
    """Go to the page that shows what was opened: a verdict, or those of several candidates."""
    st.switch_page(SCRIPTS["candidates" if session.now().group else "verdict"], query_params={})


def show_query(query_id: str) -> None:
    """Open a query on the queries page, whatever is filtered there."""
    forget_query_views()
    choose_query(query_id)
    say(ASKED, query_id)
    browser_history.go(SCRIPTS["queries"], **{QUERY: query_id})


#: The query parameter with the query whose documents are labelled; without it those of all queries.
LABELLED = "query_labelled"
#: The parameters that the page Label has in its address.
OF_LABEL = (*_OURS, LABELLED)


def label_all() -> None:
    """Label the documents of all queries."""
    set_parameters(without(LABELLED))


def forget_query_views() -> None:
    """Forget which query was open, and the filters, in the address too; measure, chart and section stay."""
    set_parameters({key: values for key, values in parameters_now().items() if not key.startswith(QUERY)})
    widgets.forget(f"{QUERY}_")
    session.change(query=None)


def forget_views(*, in_address: bool = False) -> None:
    """Forget all that was viewed of the comparison before; the address stays, and is what is viewed of the next, unless
    ``in_address``: there too.
    """
    if in_address:
        set_parameters({key: values for key, values in parameters_now().items() if key in _OURS})
    browser_history.forget_linked()
    session.change(query=None)


#: The place that says who changed what is open.
THEIRS = "theirs"
#: The query that was opened from another page: its panel is scrolled to.
ASKED = "asked"


def say(place: str, *lines: str) -> None:
    """Show lines at a place, once."""
    session.change(notices={**session.now().notices, place: lines})


def notices_for(place: str) -> tuple[str, ...]:
    """Return the lines to show at a place, and remove them."""
    notices = dict(session.now().notices)
    lines = notices.pop(place, ())
    if lines:
        session.change(notices=notices)
    return lines


def saw_results(under: Policy | None = None) -> None:
    """Note the policy under which the results of what is open were seen first, None: that in force; an answer to what
    it left open belongs to it.
    """
    current = session.now()
    first = dict(current.first_policies)
    for files in current.all_shown_files:
        seen = first.get(files)
        if seen is None or answers(seen, current.policy):
            first[files] = under or current.policy
    if first != current.first_policies:
        session.change(first_policies=first)


def offer_back(*deleted: ListedRow) -> None:
    """Offer to bring back comparisons that were deleted, in place of others."""
    session.change(deleted=deleted)
