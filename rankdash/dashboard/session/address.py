"""What the address says: of the open comparison its digest, of the demo how it can be opened again; what is viewed.

Every session has the demo, so that its address holds all there is to know: whether A and B are exchanged, and names.
A link to another page takes all of it along, as one step in the browser's history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

#: The name of the digest in the address.
ADDRESS = "c"
#: What stands there while the demo is open under other names or turned around, and while it is open with edits.
DEMO, EDITED_DEMO = "demo", "demo-edited"
_SWAPPED, _YES = "demo_swapped", "yes"
_NAMES = {"name": "demo_name", "a": "demo_a", "b": "demo_b"}
#: What belongs to one comparison, in the address and in the session: the query that is open, and filters.
OF_QUERIES = "query"
#: The page that was shown last, its address, and what the next one has to begin with in place of it.
_PAGE, _LAST, _NEXT = "address_page", "address_last", "address_next"
#: A field that nobody sees: what the address of an open tab says of its comparison.
_MARK, _MARKED = "address_mark", "address_marked"


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

    A browser that connects again names the session that it had, behind a token (the protocols of its connection).
    """
    protocols = st.context.headers.get("Sec-WebSocket-Protocol") or ""
    return len([part for part in protocols.split(",") if part.strip()]) > 2


def take_up() -> None:
    """In a tab that came back puts into the address what it said of the comparison there, for a link drops that.

    The browser sends what the widgets of the frame show, also to a server that has not seen it before.
    """
    if _MARK not in st.session_state and ADDRESS not in st.query_params and came_back():
        told = parse_qsl(_mark())
        st.session_state[_MARKED] = True
        if told:
            st.query_params.update(told)


def _mark() -> str:
    """Draws the field that nobody sees; what it shows."""
    with st.container(key="frame_mark"):
        return st.text_input(ADDRESS, key=_MARK, label_visibility="collapsed")


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


def forget_queries() -> None:
    """Takes the query that is open, and filters, out of the address."""
    tell({key: values for key, values in said().items() if not key.startswith(OF_QUERIES)})


def go(page: str, **told: str) -> None:
    """Leads to another page, whose address says what that of this one does, and something more."""
    st.session_state[_NEXT] = urlencode(said() | told, doseq=True)
    st.switch_page(page)


def _write(wanted: Mapping[str, str]) -> None:
    ours = (ADDRESS, _SWAPPED, *_NAMES.values())
    now = said()
    others = {key: values for key, values in now.items() if key not in ours}
    told = {key: [wanted[key]] for key in ours if key in wanted}
    if now != told | others:
        tell(told | others)
    if not st.session_state.pop(_MARKED, False):
        st.session_state[_MARK] = urlencode(wanted or {ADDRESS: DEMO})
        _mark()
