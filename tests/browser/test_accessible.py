"""No page has a serious fault that axe-core finds: contrast, names, roles, order; in light and in dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from rankdash import style
from rankdash.style import editing, method, queries
from tests.browser.pages import first_visit, go, keyed
from tests.browser.waiting import settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORST = ("serious", "critical")


#: The rules that see colours: all that can turn out otherwise in the dark, where the page has the same elements.
COLOURS = ("color-contrast", "link-in-text-block")


@dataclass(frozen=True)
class Scheme:
    """A page of somebody who prefers light, or dark, and what is looked at on it."""

    page: Page
    options: dict[str, Any]


@pytest.fixture(scope="module", params=["light", "dark"])
def scheme(request: pytest.FixtureRequest, shared_page: Page, app_url: str) -> Scheme:
    """The demo's verdict: in light with every rule, in the dark with those that see colours."""
    shared_page.emulate_media(color_scheme=request.param)
    first_visit(shared_page, app_url)
    rules = {"runOnly": COLOURS} if request.param == "dark" else {}
    return Scheme(shared_page, {"resultTypes": ["violations"]} | rules)


def faults(scheme: Scheme) -> list[str]:
    """What axe-core finds on the page that is serious or worse: the rule, the element, and why."""
    from axe_playwright_python.sync_playwright import Axe

    settled(scheme.page)
    found: list[dict[str, Any]] = Axe().run(scheme.page, options=scheme.options).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
        if rule["impact"] in WORST
    ]


def chosen(page: Page, key: str, name: str) -> None:
    """Clicks a choice of a row of buttons, and waits until it is the one that is shown."""
    settled(page)
    keyed(page, key).get_by_role("radio", name=name, exact=True).click()
    keyed(page, key).get_by_role("radio", name=name, exact=True, checked=True).wait_for()
    settled(page)


def test_the_pages_of_the_demo(scheme: Scheme) -> None:
    """The verdict with its panel for experts, every chart of the queries, edit and label, data, each method section."""
    page = scheme.page
    go(page, style.VERDICT)
    assert not faults(scheme)
    go(page, queries.QUERIES)
    for name in queries.CHARTS.values():
        chosen(page, "chart", name)
        assert not faults(scheme), name
    nowhere = keyed(page, "query_text").get_by_role("textbox")
    nowhere.fill("nowhere")
    nowhere.press("Enter")
    page.wait_for_url("**query_text=nowhere*")
    assert not faults(scheme)
    go(page, editing.EDIT)
    keyed(page, "edit_numbers").wait_for()
    assert not faults(scheme)
    keyed(page, "edit_way").get_by_text(editing.WAYS["labels"]).click()
    keyed(page, "labels_list").wait_for()
    assert not faults(scheme)
    go(page, style.DATA)
    keyed(page, "file_a").wait_for()
    assert not faults(scheme)
    go(page, method.METHOD)
    for name in method.SECTIONS.values():
        chosen(page, "section", name)
        assert not faults(scheme), name


def test_the_dialogs_and_what_is_typed(scheme: Scheme, app_url: str) -> None:
    """The policy, a new comparison, the page that says that files are gone, typed lists and what is wrong with them."""
    page = scheme.page
    for button, inside in (("open_policy", "policy_apply"), ("new_comparison", "new_files"), ("rename", "rename_a")):
        keyed(page, button).get_by_role("button").first.click()
        keyed(page, inside).wait_for()
        assert not faults(scheme)
        page.keyboard.press("Escape")
        keyed(page, inside).wait_for(state="detached")
    page.goto(f"{app_url}/?c=lost")
    keyed(page, "lost_files").wait_for()
    assert not faults(scheme)
    keyed(page, "lost_door").get_by_text(editing.DOORS["typed"]).click()
    for text in ("3 great", "3 2 3 0 1 2"):
        keyed(page, "typed_a").locator("textarea").fill(text)
        keyed(page, "typed_a").locator("textarea").press("Control+Enter")
        assert not faults(scheme)
