"""Comparisons that cannot say much, those of users and items, and whatever an address says: no page breaks, and the
verdict says what it is about.
"""

import ast
import re
from pathlib import Path

import pandas as pd
import pytest

import rankdash as rd
from rankdash import style
from rankdash.case import Case, compared
from rankdash.dashboard.navigation import PAGES, SCRIPTS, Page
from rankdash.dashboard.session import open_comparison
from rankdash.verdict import RULE_OF
from tests.browsed import CASES
from tests.dashboard.test_pages import VERDICT_PAGE, app, opened_at, texts
from tests.long import every
from tests.report.test_nouns import _READ, SEARCH, frames


def tables(case: str) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """The files of a case, read."""
    a, b, judged = CASES[case]
    return rd.read_run(a, name="old"), rd.read_run(b, name="new"), rd.read_judgments(judged)


def opened(case: str) -> Case:
    """The tables of a case as a session has them open."""
    a, b, judged = tables(case)
    return Case((a, b), judged)


@pytest.mark.parametrize("case", CASES)
def test_each_case_is_said_on_the_verdict_page(case: str) -> None:
    """An empty, a one-query, an all-tied and an all-unjudged comparison have their verdict and a next step on the page;
    one button shows all rules, by their names.
    """
    verdict = rd.decide(compared(opened(case), rd.Policy()))
    at = opened_at(VERDICT_PAGE, opened(case))
    assert verdict.sentence in texts(at)
    assert verdict.next_step in texts(at)
    at.button(key="rules").click().run()
    shown = "\n".join((texts(at), *(table.value.to_csv() for table in at.table)))
    assert [check.rule for check in verdict.checks if RULE_OF[check.rule].name not in shown] == []
    assert not re.search(rf"\b({'|'.join(RULE_OF)}|L1|L2)\b", shown)


@pytest.mark.parametrize("page", every(2, PAGES[1:]), ids=lambda page: page.name)
@pytest.mark.parametrize("case", CASES)
def test_no_page_breaks(case: str, page: Page) -> None:
    """Every other page shows something, as text or in a table, and no error."""
    at = opened_at(page.script, opened(case))
    assert at.table or len(texts(at)) > 100


#: What a widget or a table says of itself; the key is no word.
_SAID = ("value", "label", "help", "placeholder", "alt", "body")


@pytest.mark.parametrize("page", ["verdict", "queries", "label", "edit", "data", "method"])
@pytest.mark.parametrize("judged", [["user_id", "item_id", "rating"], ["user_id", "item_id"], []], ids=len)
def test_a_page_never_mixes_both_pairs_of_words(page: str, judged: list[str]) -> None:
    """Texts, labels, helps and headings of a page speak of users and items alone; names stay as they are. Where the
    judgments are clicks, no label is offered that the page Label refuses.
    """
    a, b, clicks = frames("user_id", "item_id")
    runs = rd.read_run(a, name="document query"), rd.read_run(b, name="new")
    at = opened_at(SCRIPTS[page], Case(runs, rd.read_judgments(clicks.head(40)[judged]) if judged else None))
    assert len(judged) != 2 or "query_label" not in [button.key for button in at.button]
    said = []
    for element in at:
        table = getattr(element, "value", None)
        said += map(str, table.columns if isinstance(table, pd.DataFrame) else ())
        proto = getattr(element, "proto", None)
        said += [str(getattr(proto, name, "")) for name in _SAID if isinstance(getattr(proto, name, ""), str)]
    own = re.compile(rf"document query|{_READ}")
    found = [text for text in said if re.search(SEARCH, own.sub("", text.replace("\\", "")), re.IGNORECASE)]
    assert found == []


#: Parameters that the pages read themselves.
OWN = ("c", "query")
HOSTILE = ("9" * 309, "9" * 5000, "-1e400", "nan", "١٢", "0x10", "None", "../../etc/passwd")
HOSTILE += ("<img src=x onerror=alert(1)>", "**b** :red[x] $x$ {0} {name} %s", "\x00\u202e\ufffe", "x" * 20_000)
HOSTILE += ("[1,2]", '{"a": 1}', "")


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
