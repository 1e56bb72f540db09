"""What a session looks at, and what pages remember of that: the selected query, what is said once, what widgets follow.

The selected query is the same on all pages, and a query parameter of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit import browser_history, widgets
from rankdash.dashboard.kit.browser_history import said, tell
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.session import open_comparison, session
from rankdash.policy import Policy
from rankdash.store import ListedRow
from rankdash.wording import count, literal

#: The query parameter with the selected query.
QUERY = "query"
#: The fragment with the list of queries.
BOX = "part_box"
#: The most queries in the list: a longer list would delay the page.
MOST = 1_000
_LIST = "query_open_"


def offered(n: int) -> list[int]:
    """Return the places of the queries in the list: all ``n``, or the first and last ones up to the limit."""
    half = MOST // 2
    return [*range(n)] if n <= MOST else [*range(half), *range(n - half, n)]


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
        tell(said() | {QUERY: [query_id]})


@st.fragment(key=BOX)
def query_list(ids: Sequence[str], name: Callable[[int], str], part: str) -> None:
    """Draw a list from which a query can be selected; ``part`` is the fragment that shows the selected query.

    The list never shows the selected query, and is empty again after a choice: so clicks elsewhere need not redraw it,
    and an old value that the browser sends cannot be taken for a choice.
    """
    key, named = widgets.numbered(_LIST), {ids[at]: name(at) for at in offered(len(ids))}

    def changed() -> None:
        query_id = widgets.value_of(key)
        if query_id is not None:
            widgets.renew(_LIST)
            choose_query(query_id)
            st.rerun([part, BOX])

    with st.container(key="query_open", gap="xsmall"):
        st.selectbox(
            style.OPEN_QUERY,
            list(named),
            index=None,
            key=key,
            on_change=changed,
            placeholder=style.OPEN_HINT,
            format_func=lambda query_id: literal(named.get(query_id) or str(query_id)),
            label_visibility="collapsed",
        )
        if len(named) < len(ids):
            st.caption(style.OPEN_ENDS.format(n=count(MOST // 2)))


def show_verdict() -> None:
    """Go to the verdict page without the parameters of the address. Without saying so, Streamlit refuses to leave a
    page whose widgets stand in the address.
    """
    st.switch_page(SCRIPTS["verdict"], query_params={})


def show_query(query_id: str) -> None:
    """Open a query on the queries page, whatever is filtered there."""
    forget_queries()
    choose_query(query_id)
    browser_history.go(SCRIPTS["queries"], **{QUERY: query_id})


def forget_queries() -> None:
    """Forget which query was open, and the filters, in the address too; measure, chart and section stay."""
    open_comparison.forget_queries()
    widgets.forget(f"{open_comparison.OF_QUERIES}_")
    session.change(query=None, clicked=None)


def forget_views() -> None:
    """Forget all that was viewed of the comparison before; the address stays, and is what is viewed of the next."""
    browser_history.forget_linked()
    session.change(query=None, clicked=None, followed={})


def click(query_id: str | None) -> None:
    """Remember the query of the bar that was clicked last; None for a bar that there is no more."""
    session.change(clicked=query_id)


def say(place: str, *lines: str) -> None:
    """Have something said at a place, once."""
    session.change(notices={**session.now().notices, place: lines})


def notices_for(place: str) -> tuple[str, ...]:
    """Return what is to be said at a place, which is said by this."""
    notices = dict(session.now().notices)
    lines = notices.pop(place, ())
    if lines:
        session.change(notices=notices)
    return lines


def follow(name: str, now: Any) -> Any:
    """Let widgets follow a value, and return the value that they followed before; None at first."""
    before = session.now().followed.get(name)
    session.change(followed={**session.now().followed, name: now})
    return before


def saw_results(*digests: str, under: Policy | None = None) -> None:
    """Note the policy under which the results of files with these digests were seen first; None: that in force."""
    current, files = session.now(), frozenset(digests)
    if files not in current.first_policies:
        session.change(first_policies={**current.first_policies, files: under or current.policy})


def draw_row(says: tuple[object, ...]) -> None:
    """Note what the row of the open comparison says."""
    session.change(row=says)


def offer_back(*deleted: ListedRow) -> None:
    """Offer to bring back comparisons that were deleted, in place of others."""
    session.change(deleted=deleted)
