"""Whoever goes by keyboard sees where he is: everything that takes the focus has a ring, in light and in dark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rankdash.dashboard.navigation import PAGES
from tests.browser.pages import first_visit, go, keyed
from tests.browser.test_accessible import scheme_of, turn
from tests.browser.waiting import settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

#: More than the controls of any page.
_STEPS = 120
#: How often the ring is lighter or darker than its ground, at least.
_CONTRAST = 3.0
#: What has the focus, the width of the widest ring around it or what it stands in, and the contrast of that ring with
#: the ground of the page; null where nothing has the focus.
_FOCUS = """() => {
  const light = colour => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
    const linear = parts.map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
  const element = document.activeElement
  if (!element || element === document.body) return null
  const around = [element]
  for (let at = element.parentElement; at && around.length < 4; at = at.parentElement) around.push(at)
  const rings = around.map(at => getComputedStyle(at)).filter(at => at.outlineStyle === 'solid')
  const widths = rings.map(at => parseFloat(at.outlineWidth))
  const ground = light(getComputedStyle(document.querySelector('.stApp')).backgroundColor)
  const ring = rings.length ? light(rings[0].outlineColor) : ground
  const contrast = (Math.max(ring, ground) + 0.05) / (Math.min(ring, ground) + 0.05)
  return {html: element.outerHTML.slice(0, 120), width: Math.max(0, ...widths), contrast}
}"""


def without_ring(page: Page) -> list[Any]:
    """What takes the focus on a page, one after the other by the key, and shows it by no ring."""
    settled(page)
    page.evaluate("document.activeElement.blur()")
    found, steps, is_first_round = [], 0, True  # the first begins where the focus was before
    for _ in range(_STEPS):
        page.keyboard.press("Tab")
        focus = page.evaluate(_FOCUS)
        if focus is None and not is_first_round:
            break
        if focus is None:
            found, steps, is_first_round = [], 0, False
            continue
        steps += 1
        if focus["width"] < 3 or focus["contrast"] < _CONTRAST:
            found.append(focus)
    assert steps > 5
    return found


def test_everything_that_takes_the_focus_has_a_ring(page: Page, app_url: str) -> None:
    """All pages of the demo and a dialog, from the first link to the last button."""
    first_visit(page, app_url)
    for number, one in enumerate(PAGES):
        go(page, one.title)
        turn(page, "dark" if number % 2 else "light")
        assert not without_ring(page), one.name
    keyed(page, "open_policy").get_by_role("button").click()
    keyed(page, "policy_apply").wait_for()
    for scheme in ("light", "dark"):
        turn(page, scheme)  # type: ignore[arg-type]
        assert scheme_of(page) == scheme
        page.keyboard.press("Tab")
        focus = page.evaluate(_FOCUS)
        assert focus["width"] >= 3
        assert focus["contrast"] >= _CONTRAST
