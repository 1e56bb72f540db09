"""Takes the pictures of the documents: ``python -m pytest --all -n0 tests/browser/pictures.py``."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.pages import first_visit, go, resize

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


@pytest.mark.parametrize("name", ["Verdict", "Queries"])
def test_picture(name: str, page: Page, app_url: str) -> None:
    """The page shows the demo, and is the picture that the documents have of it."""
    first_visit(page, app_url)
    resize(page, 1280, 800)
    go(page, name)
    page.wait_for_timeout(1_500)  # fonts, and the fade-in of what was drawn
    page.screenshot(path=PICTURES / f"{name.lower()}.png")
