"""No page has a serious fault that axe-core finds, in light and in dark, and headings come in order."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from rankdash import style
from rankdash.style import editing, method, queries
from tests.browser.pages import go, keyed
from tests.browser.waiting import settled

WORST, HEADINGS = ("serious", "critical"), "heading-order"
#: The rules that see colours: all that can turn out otherwise in the dark, where the page has the same elements.
COLOURS = ("color-contrast", "link-in-text-block")
Scheme = Literal["light", "dark"]
_OTHER: dict[Scheme, Scheme] = {"light": "dark", "dark": "light"}
#: Whether the page is drawn for who prefers light or dark.
_IS_DRAWN_IN = "dark => getComputedStyle(document.querySelector('.stApp')).colorScheme.includes('dark') === dark"


def scheme_of(page: Page) -> Scheme:
    """What the page is asked for: light or dark."""
    return "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"


def turn(page: Page, scheme: Scheme) -> None:
    """Asks for light or dark, as somebody who changes the settings of his machine, and waits until all is drawn so."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(_IS_DRAWN_IN, arg=scheme == "dark")
    settled(page)


def faults(page: Page, *known: str) -> list[str]:
    """What axe-core finds that is serious or worse, in light with every rule and in the dark with those that see
    colours: the rule, the element, and why. The page is left in the other scheme, so that each is drawn once. ``known``
    are the keys of parts that were looked at before, and are the same.
    """
    settled(page)
    now = scheme_of(page)
    found = _faults(page, now, known)
    turn(page, _OTHER[now])
    return found + _faults(page, _OTHER[now], known)


def _faults(page: Page, scheme: Scheme, known: tuple[str, ...]) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    rules = {"runOnly": COLOURS} if scheme == "dark" else {}
    where = {"exclude": [[f".st-key-{part}"] for part in known]} if known else None
    options = {"resultTypes": ["violations"]} | rules
    found: list[dict[str, Any]] = Axe().run(page, context=where, options=options).response["violations"]
    return [
        f"{scheme}: {rule['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
        if rule["impact"] in WORST or rule["id"] == HEADINGS
    ]


def chosen(page: Page, key: str, name: str) -> None:
    """Clicks a choice of a row of buttons, and waits until it is the one that is shown."""
    settled(page)
    keyed(page, key).get_by_role("radio", name=name, exact=True).click()
    keyed(page, key).get_by_role("radio", name=name, exact=True, checked=True).wait_for()
    settled(page)


def test_the_verdict_of_the_demo(visited: Page) -> None:
    """The verdict, on a light ground and on a dark one."""
    go(visited, style.VERDICT)
    assert not faults(visited)


@pytest.mark.long
def test_the_other_pages_of_the_demo(visited: Page) -> None:
    """Every chart of the queries, edit and label, data, each section of the method page."""
    page = visited
    go(page, queries.QUERIES)
    assert not faults(page)
    for name in queries.CHARTS.values():
        chosen(page, "chart", name)
        assert not faults(page, "query_panel", "view_table"), name
    keyed(page, "view_open").locator("summary").click()
    assert not faults(page, "query_panel", "view_table")
    nowhere = keyed(page, "query_text").get_by_role("textbox")
    nowhere.fill("nowhere")
    nowhere.press("Enter")
    page.wait_for_url("**query_text=nowhere*")
    assert not faults(page)
    for name, key in ((editing.EDIT, "edit_lists"), (editing.LABEL, "label_grades"), (style.DATA, "file_a")):
        go(page, name)
        keyed(page, key).wait_for()
        assert not faults(page)
    go(page, method.METHOD)
    keyed(page, "method_axes").locator("summary").click()
    keyed(page, "method_axes").get_by_role("combobox").first.wait_for()
    assert not faults(page)


@pytest.mark.long
def test_the_dialogs_and_what_is_typed(visited: Page, app_url: str) -> None:
    """The policy, a new comparison, the page that says that files are gone, typed lists and what is wrong with them."""
    page = visited
    for button, inside in (("open_policy", "policy_apply"), ("new_comparison", "new_files"), ("rename", "rename_a")):
        keyed(page, button).get_by_role("button").first.click()
        keyed(page, inside).wait_for()
        assert not faults(page)
        if button == "new_comparison":
            keyed(page, "new_cancel").get_by_role("button").click()
        else:
            page.keyboard.press("Escape")
        keyed(page, inside).wait_for(state="detached")
    page.goto(f"{app_url}/?c=lost")
    keyed(page, "lost_files").wait_for()
    assert not faults(page)
    keyed(page, "lost_door").get_by_role("tab", name=editing.DOORS["typed"]).click()
    for text in ("d1:3 d2:great", "3 2 3 0 1 2", "3\n2", "Running shoes\nRain jacket", "d1 d2"):
        keyed(page, "typed_a").locator("textarea").fill(text)
        keyed(page, "typed_a").locator("textarea").press("Control+Enter")
        assert not faults(page)
