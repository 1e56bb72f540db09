"""What the address says of the demo and of what was made of it, run without a browser."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.dashboard import demo
from rankdash.dashboard.results import digest
from tests.dashboard.records import put
from tests.dashboard.test_naming import inputs, renamed, swapped
from tests.dashboard.test_pages import app, texts


def reloaded(at: AppTest) -> AppTest:
    """A new session that begins with the address of another one."""
    again = app()
    for name, values in parse_qs(urlencode(at.query_params, doseq=True)).items():
        again.query_params[name] = values
    return again.run()


def in_address(at: AppTest) -> dict[str, str]:
    """What the address says of the open comparison."""
    found = parse_qs(urlencode(at.query_params, doseq=True))
    return {name: values[0] for name, values in found.items() if name == "c"}


def test_the_demo_that_was_changed_is_gone_after_a_reload() -> None:
    """Turned around, with no store, it is in memory alone, and a reload says so; turned back, its address is bare."""
    at = app().run()
    first = texts(at)
    swapped(at)
    assert style.GONE in texts(reloaded(at))
    swapped(at)
    assert texts(at) == first
    assert in_address(at) == {}


def test_a_comparison_of_other_runs_is_not_called_demo_data() -> None:
    """One file of the demo among a person's own, the judgments or one of the runs, makes no demo of them."""
    shown = demo.case()
    assert demo.is_shown(shown)
    own = rd.read_run({"q": {"d": 1.0}})
    for other in ({"a": own, "b": own.renamed("b")}, {"b": own}, {"a": own}):
        assert not demo.is_shown(shown.with_tables(**other))
    assert demo.is_shown(shown.swapped().renamed("name", "a", "b"))


def test_files_of_ones_own_leave_nothing_of_the_demo_in_the_address() -> None:
    """After another comparison is opened the address is its digest alone, and a reload says that files are gone."""
    at = renamed(app().run(), a="mine")
    put(at, case=inputs())
    at.run()
    assert in_address(at) == {"c": digest(inputs())[:12]}
    assert style.GONE in texts(reloaded(at))
