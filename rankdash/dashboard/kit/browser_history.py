"""The query parameters of the page: a link to another page keeps them, in one entry of the browser's history.

Why: Streamlit clears the query parameters when a link leads to another page, and adds an entry to the history for each
parameter that the new page sets afterwards. One step back would show a page without its filters
(https://github.com/streamlit/streamlit/issues/9279 and 13963, pull request 9049). A script cannot see that the tab
had a session before the server was restarted. A page opened by its own URL also requests two files of the server
below that URL, before it learns where they are: two lines in the console without consequences (issue 7074), which only
a proxy in front of the server could answer.

It can go when links between pages keep the query parameters, or accept new ones (``st.page_link(query_params=...)``),
in one entry, and widgets bound to parameters stay bound on another page; ``tests/browser/test_history.py`` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from rankdash.dashboard.kit import widgets

#: Session keys: the page shown last, its query parameters, and parameters that the next page begins with instead. Those
#: that this page has in the address, where these are not all, and the others, which the next page has again.
_PAGE, _LAST, _NEXT, _OWN, _ASIDE = (f"address_{name}" for name in ("page", "last", "next", "own", "aside"))
#: The session key of the widgets that were bound to a parameter: key -> the value and the parameter at the last run,
#: and the parameter that came too late for that choice, or None.
_LINKED = "address_linked"


def came_back() -> bool:
    """Return whether the tab had a session that this server no longer knows, after a restart or a long pause.

    A browser that reconnects sends its previous session id as the third websocket protocol, after a token.
    """
    protocols = st.context.headers.get("Sec-WebSocket-Protocol") or ""
    return len([part for part in protocols.split(",") if part.strip()]) > 2


def linked(widget: Callable[..., Any], *args: Any, **how: Any) -> Any:
    """Draw a widget that is bound to the query parameter of its key, and return its value.

    Streamlit would remove the parameter when a link to another page is clicked, as an extra entry of the browser's
    history: going back would show the page without filters. So the server unbinds the two at once. The browser still
    writes each choice into the parameter, and the server can read a parameter without a binding. A busy browser may
    send a choice together with the parameters from before that choice. If the server then set another parameter, it
    would remove the choice from the address. So the server adds the choice here, also if what the browser sends next
    was on its way before that.
    """
    key = how["key"]
    value = widget(*args, bind="query-params", persist_state="session", **how)
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        with context.session_state.query_params() as params:
            binding = params.get_binding_for_param(key)
            if binding is not None:
                params.unbind_widget(binding.widget_id)
    seen, said = widgets.held(_LINKED, dict[str, Any]), parameters_now().get(key, [])
    before, said_before, late = seen.get(key, (value, said, None))
    is_late = said == (late if value == before else said_before)
    if is_late:
        chosen = without(key)
        if value not in ("", False, None, how.get("default")):
            chosen[key] = ["true" if value is True else how.get("format_func", str)(value)]
        set_parameters(dict(sorted(chosen.items())))
    seen[key] = value, parameters_now().get(key, []), said if is_late else None
    _remember()
    return value


def forget_linked(*keys: str) -> None:
    """Let widgets that are bound to a parameter begin anew: these as at a first visit, or where none is named all, with
    what the address says.
    """
    for key in keys or tuple(widgets.held(_LINKED, dict[str, Any])):
        st.session_state.pop(key, None)
    set_parameters(without(*keys))


@contextmanager
def carried(own: Mapping[str, Container[str]]) -> Iterator[None]:
    """Draw the navigation inside this context, so that a link to another page keeps the query parameters. ``own``, by
    the path of a page: those that stand in its address, where these are not all.

    Streamlit clears them. Setting them again before the navigation is drawn makes them part of the same history entry
    as the page; setting them later would add an entry. Back and Forward bring parameters of their own. A link away from
    a page that has fewer makes two entries: that page with all of them stands first.
    """
    context = get_script_run_ctx(suppress_warning=True)
    query = parse_qs(st.session_state.pop(_NEXT, None) or st.session_state.get(_LAST, ""), keep_blank_values=True)
    if context is not None and context.page_script_hash != st.session_state.get(_PAGE):
        page: Any = context.pages_manager.get_pages().get(context.page_script_hash, {})
        st.session_state[_OWN] = own.get(page.get("url_pathname", ""))
        st.session_state[_ASIDE] = _aside(query)
        if query and not context.is_history_navigation:
            set_parameters(query)
            with context.session_state.query_params() as params:
                params.set_initial_query_params_from_current()  # what widgets begin with
    yield
    if context is not None:
        st.session_state[_PAGE] = context.page_script_hash
    _remember()


def parameters_now() -> dict[str, list[str]]:
    """Return all query parameters by name."""
    return dict(st.session_state.get(_ASIDE, {})) | {key: st.query_params.get_all(key) for key in st.query_params}


def _aside(parameters: Mapping[str, list[str]]) -> dict[str, list[str]]:
    own = st.session_state.get(_OWN)
    return {} if own is None else {key: values for key, values in parameters.items() if key not in own}


def without(*keys: str) -> dict[str, list[str]]:
    """Return all query parameters but some."""
    return {key: values for key, values in parameters_now().items() if key not in keys}


def set_parameters(parameters: Mapping[str, list[str]]) -> None:
    """Replace all query parameters in one step."""
    if list(parameters_now().items()) != list(parameters.items()):
        st.session_state[_ASIDE] = aside = _aside(parameters)
        st.query_params.from_dict({key: values for key, values in parameters.items() if key not in aside})
    _remember()


def _remember() -> None:
    """Save the current query parameters for the next page."""
    st.session_state[_LAST] = urlencode(parameters_now(), doseq=True)


def go(page: str, **parameters: str) -> None:
    """Switch to another page with the query parameters of this one and those given."""
    st.session_state[_NEXT] = urlencode(parameters_now() | parameters, doseq=True)
    st.switch_page(page)
