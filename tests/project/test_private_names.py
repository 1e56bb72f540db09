"""What is used of other packages that they do not promise: listed with its reason, and tried first when they change."""

from __future__ import annotations

import inspect
import io
from pathlib import Path

import pyarrow as pa
import pytest
import streamlit
from pyarrow import csv
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.query_params import QueryParams

from scripts.private_names import PRIVATE, all_uses, uses


def test_each_use_of_what_nobody_promises_is_listed() -> None:
    """The source has those that are listed with a reason, at most three, and no other."""
    assert all_uses() == {file: names for one in PRIVATE for file, names in one.uses.items()}
    assert len(PRIVATE) <= 3
    assert all(one.why for one in PRIVATE)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import starlette.formparsers as f\nf.SpooledTemporaryFile = 1", ["f.SpooledTemporaryFile is replaced"]),
        ("from streamlit import runtime\nruntime.get_instance()._session_mgr", ["_session_mgr"]),
        ("from streamlit.web.server import x", ["streamlit.web.server"]),
        ("import streamlit.runtime", ["streamlit.runtime"]),
        ("from json import _default_decoder", ["_default_decoder"]),
        ("import json\njson.JSONDecoder().scan_once", ["scan_once"]),
        ("getattr(server, '_cache', None)", ["_cache"]),
        ("class A:\n    def _b(self): self._c = 1\nA()._b()\nA()._c", []),
        ("row._mapping\nx.__dict__\nfrom streamlit.errors import StreamlitAPIException", []),
    ],
)
def test_such_a_use_is_seen(source: str, found: list[str]) -> None:
    """What was done in earlier versions would be noticed."""
    assert [*uses(source)] == found


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


def test_pyarrow_says_that_a_line_is_longer_than_a_block() -> None:
    """``cells`` reads on with larger blocks then."""
    content = b"a,b\n" + b"x" * 5_000 + b",1\n"
    with pytest.raises(pa.ArrowInvalid, match="straddling"):
        csv.read_csv(io.BytesIO(content), csv.ReadOptions(block_size=1_000))
