"""Whatever an address says: every parameter of every page with values that nobody would type."""

import ast
from pathlib import Path

import pytest

from rankdash import style
from rankdash.dashboard.navigation import PAGES, Page
from rankdash.dashboard.session import open_comparison
from tests.dashboard.test_pages import app, texts
from tests.long import every

#: Parameters that the pages read themselves.
OWN = ("c", "query")
HOSTILE = (
    "9" * 309,
    "9" * 5000,
    "-1e400",
    "nan",
    "١٢",
    "0x10",
    "None",
    "../../etc/passwd",
    "<img src=x onerror=alert(1)>",
    "**b** :red[x] $x$ {0} {name} %s",
    "\x00\u202e\ufffe",
    "x" * 20_000,
    "[1,2]",
    '{"a": 1}',
    "",
)


def bound_keys(kind: str = "") -> set[str]:
    """The keys of all widgets, or those of a kind, that stand in the address, read from the source."""
    keys = set()
    for file in Path(open_comparison.__file__).parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if not isinstance(node, ast.Call):
                continue
            named = {word.arg: word.value for word in node.keywords}
            key = named.get("key")
            is_linked = ast.unparse(node.func) == "linked" and kind in ast.unparse(node.args[0])
            if is_linked and isinstance(key, ast.Constant):
                keys.add(str(key.value))
    return keys


KEYS = sorted({*bound_keys(), *OWN, *(f"axis_{axis}" for axis in ("rel", "gain", "ties"))})


def test_the_parameters_are_known() -> None:
    """The list of parameters holds those that are known to exist, so that none is forgotten by reading the source."""
    assert bound_keys("number_input") == {"find_k"}
    assert {"measure", "k", "convention", "find_k", "chart", "query_text"} <= set(KEYS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize("value", every(4, HOSTILE), ids=range(len(HOSTILE)))
def test_a_hostile_value_is_no_error(page: Page, value: str) -> None:
    """With every parameter set to the same hostile value a page is drawn without an error."""
    at = app()
    for key in KEYS:
        if key != "c":  # it would stand in the way of all the others
            at.query_params[key] = value
    at.switch_page(page.script).run()


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_an_unknown_comparison_says_that_it_is_gone(value: str) -> None:
    """A digest that is none opens nothing of anybody's: the page says so, and shows no verdict, of the demo either."""
    at = app()
    at.query_params["c"] = value
    at.run()
    assert style.GONE in texts(at)
    assert not at.metric
