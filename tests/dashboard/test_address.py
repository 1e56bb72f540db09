"""The demo, turned around and renamed, run without a browser: its address opens it again."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.case import Case
from rankdash.dashboard import demo
from rankdash.dashboard.host.results import digest
from rankdash.dashboard.session import open_comparison
from rankdash.tables import SECOND_NAME
from tests.dashboard.records import held, put
from tests.dashboard.test_naming import inputs, renamed
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
    return {name: values[0] for name, values in found.items() if name == "c" or name.startswith("demo")}


def test_a_reload_of_the_swapped_demo_opens_it_swapped() -> None:
    """Names, verdict and numbers are those before the reload; a swap back leaves a bare address."""
    at = app().run()
    first = texts(at)
    at.button(key="swap").click().run()
    assert in_address(at) == {"c": "demo", "demo_swapped": "yes"}
    again = reloaded(at)
    assert texts(again) == texts(at) != first
    assert style.GONE not in texts(again)
    again.button(key="swap").click().run()
    assert texts(again) == first
    assert in_address(again) == {}


def test_a_comparison_of_other_runs_is_not_called_demo_data() -> None:
    """One file of the demo among a person's own, the judgments or one of the runs, makes no demo of them."""
    shown = open_comparison.demo_inputs()
    assert shown is not None
    assert demo.is_shown(shown)
    own = rd.read_run({"q": {"d": 1.0}})
    for other in ({"a": own, "b": own.renamed("b")}, {"b": own}, {"a": own}):
        assert not demo.is_shown(shown.with_tables(**other))
    assert demo.is_shown(shown.swapped().renamed("name", "a", "b"))


def test_names_in_an_address_are_checked_as_typed_ones_are() -> None:
    """The same name twice gets a number, and blanks are no name."""
    at = app()
    at.query_params.update({"c": "demo", "demo_a": "same", "demo_b": " same ", "demo_name": "   "})
    at.run()
    assert not at.exception
    open_: Case = held(at).case
    assert (open_.name, open_.a.name, open_.b.name) == (style.DEMO_NAME, "same", SECOND_NAME.format(name="same"))


def test_files_of_ones_own_leave_nothing_of_the_demo_in_the_address() -> None:
    """After another comparison is opened the address is its digest alone, and a reload says that files are gone."""
    at = renamed(app().run(), a="mine")
    assert in_address(at) == {"c": "demo", "demo_a": "mine"}
    put(at, case=inputs())
    at.run()
    assert in_address(at) == {"c": digest(inputs())[:12]}
    assert style.GONE in texts(reloaded(at))
