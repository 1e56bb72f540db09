"""What is used of other packages that they do not promise: listed with its reason, and tried first when they change."""

import inspect
from pathlib import Path

import streamlit
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.query_params import QueryParams

from scripts.private_names import PRIVATE, all_uses


def test_each_use_of_what_nobody_promises_is_listed() -> None:
    """The source has those that are listed with a reason, and no other."""
    assert all_uses() == {file: names for one in PRIVATE for file, names in one.uses.items()}
    assert all(one.why for one in PRIVATE)


def test_streamlit_tells_a_script_which_page_is_asked_for_and_which_parameters_are_bound() -> None:
    """``browser_history`` unbinds widgets from the address, and sets its parameters before the page is drawn."""
    assert {"suppress_warning"} <= inspect.signature(get_script_run_ctx).parameters.keys()
    assert {"page_script_hash", "is_history_navigation", "session_state"} <= ScriptRunContext.__annotations__.keys() | {
        name for name, _ in inspect.getmembers(ScriptRunContext)
    }
    assert callable(SafeSessionState.query_params)
    assert [*inspect.signature(QueryParams.get_binding_for_param).parameters] == ["self", "param_key"]
    assert [*inspect.signature(QueryParams.unbind_widget).parameters] == ["self", "widget_id"]
    assert [*inspect.signature(QueryParams.set_initial_query_params_from_current).parameters] == ["self"]


def test_the_page_of_streamlit_takes_its_server_from_the_window() -> None:
    """``deep_links`` says there where the server is; the page is given its icon and its scripts by relative paths."""
    static = Path(streamlit.__file__).parent / "static"
    scripts = [script.read_text("utf-8") for script in static.glob("static/js/index.*.js")]
    assert any("window.__streamlit" in script and "BACKEND_BASE_URL" in script for script in scripts)
    assert "<head>" in (page := (static / "index.html").read_text("utf-8"))
    assert 'src="./static/js/' in page
