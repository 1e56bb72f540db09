"""The address of the page as the browser's history keeps it: a link is one step back, and takes along what is viewed.

Why: Streamlit empties the address when a link leads to another page, and writes what pages put there afterwards as
further steps of the history, so that one step back would show a page without its filters
(https://github.com/streamlit/streamlit/issues/9279 and 13963, pull request 9049). Nor does it tell a script that the
tab had a session before a server was started again. A page that is opened by its own address also asks for two files of
the server below that address, before it asks where they are: two lines in the console, and nothing else comes of it
(issue 7074). Only a server in front of this one could answer them.

It can go when links between pages carry the address, or take one (``st.page_link(query_params=...)``), as one step, and
widgets bound to the address stay bound on another page. ``tests/browser/test_history.py`` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

#: The page that was shown last, its address, and what the next one has to begin with in place of it.
_PAGE, _LAST, _NEXT = "address_page", "address_last", "address_next"


def came_back() -> bool:
    """Whether the tab had a session before, which this server does not know: it was restarted, or waited too long.

    A browser that connects again names the session that it had, behind a token (the protocols of its connection).
    """
    protocols = st.context.headers.get("Sec-WebSocket-Protocol") or ""
    return len([part for part in protocols.split(",") if part.strip()]) > 2


def linked(widget: Callable[..., Any], *args: Any, **how: Any) -> Any:
    """The value of a widget that stands in the address under the widget's key, and stays when the page is left.

    Streamlit would take it out of the address as soon as a link to another page is clicked, as a step of its own in
    the browser's history: the way back would lead to a page without filters. So the server forgets at once that the
    two belong together; the browser goes on to write what is chosen, and reading the address asks no such knowledge.
    """
    value = widget(*args, bind="query-params", persist_state="session", **how)
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        with context.session_state.query_params() as params:
            binding = params.get_binding_for_param(how["key"])
            if binding is not None:
                params.unbind_widget(binding.widget_id)
    _remember()
    return value


@contextmanager
def carried() -> Iterator[None]:
    """Draws the navigation; where it leads to another page, the address of the page before comes along.

    Streamlit leaves it behind. What is put there later would be one more step in the browser's history; what is put
    there before the navigation is drawn, as it was, is one step together with the page. A way back or forth in the
    history has an address of its own.
    """
    context = get_script_run_ctx(suppress_warning=True)
    wanted = st.session_state.pop(_NEXT, None) or st.session_state.get(_LAST)
    if (
        context is not None
        and wanted
        and not context.is_history_navigation
        and context.page_script_hash != st.session_state.get(_PAGE)
    ):
        tell(parse_qs(wanted, keep_blank_values=True))
        with context.session_state.query_params() as params:
            params.set_initial_query_params_from_current()  # what widgets begin with
    yield
    if context is not None:
        st.session_state[_PAGE] = context.page_script_hash
    _remember()


def said() -> dict[str, list[str]]:
    """Everything that the address says, by name."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


def tell(wanted: Mapping[str, list[str]]) -> None:
    """Makes the address say this and nothing else, in one step."""
    if list(said().items()) != list(wanted.items()):
        st.query_params.from_dict(wanted)
    _remember()


def _remember() -> None:
    """Keeps the address as the browser has it by now."""
    st.session_state[_LAST] = urlencode(said(), doseq=True)


def go(page: str, **told: str) -> None:
    """Leads to another page, whose address says what that of this one does, and something more."""
    st.session_state[_NEXT] = urlencode(said() | told, doseq=True)
    st.switch_page(page)
