"""Tabs, and what those of one browser share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.browser.waiting import watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

#: The screen of a laptop.
SCREEN: ViewportSize = {"width": 1440, "height": 900}
#: The tabs of one browser share a process, as those of a site may, and so the dashboard's scripts once they are
#: compiled: a tenth of what the browser computes.
ONE_PROCESS = "--process-per-site"
#: The lists below the address bar are pages of their own, which are loaded for each window: a quarter of what it takes
#: to open the dashboard. The other names are those of Playwright that matter here: ours stand in their place.
PAGES_ALONE = "--disable-features=" + ",".join(
    "WebUIOmniboxPopup WebUIOmniboxAimPopup WebUIOmniboxFullPopup AimEnabled "
    "AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades MediaRouter "
    "NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning".split()
)


def shared(browser: Browser) -> Iterator[BrowserContext]:
    """What some tabs share: the dashboard's scripts, which are loaded and compiled once. Nothing is animated, which
    costs a tenth of a page.
    """
    context = watched(
        browser.new_context(viewport=SCREEN, locale="en-US", accept_downloads=True, reduced_motion="reduce")
    )
    yield context
    context.close()


def _window(profile: BrowserContext) -> Page:
    """An empty tab in a window of its own. One behind another in the same window draws once a second, and a click there
    takes two.
    """
    if not profile.pages:
        return profile.new_page()
    neighbour = profile.new_cdp_session(profile.pages[0])
    place = neighbour.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    with profile.expect_page() as opened:
        neighbour.send("Target.createTarget", {"url": "about:blank", "newWindow": True, "browserContextId": place})
    neighbour.detach()
    return opened.value


@contextmanager
def tab(profile: BrowserContext, errors: list[str]) -> Iterator[Page]:
    """An empty tab that writes down its errors, and leaves nothing behind that a later one could remember, but for the
    cookie that every tab needs for uploads. After the first of them one without anything stays open: the process would
    end with the last.
    """
    page = _window(profile)
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    if origin.startswith("http"):
        forget = {"origin": origin, "storageTypes": "local_storage,indexeddb,cache_storage,service_workers"}
        profile.new_cdp_session(page).send("Storage.clearDataForOrigin", forget)
        if len(profile.pages) == 1:
            _window(profile).goto(f"{origin}/_stcore/health")
    page.close()
