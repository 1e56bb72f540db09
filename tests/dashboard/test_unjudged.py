"""Two lists without judgments, on the pages: what changed, until somebody labels documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankdash.style import queries as words
from tests.dashboard.records import held
from tests.dashboard.saved_sessions import home
from tests.dashboard.test_pages import FILES, app, texts, upload

__all__ = ["home"]

PAGES = Path(__file__).parents[2] / "rankdash" / "dashboard" / "pages"


@pytest.mark.parametrize("page", sorted(path.stem for path in PAGES.glob("[a-z]*.py")))
def test_lists_without_judgments_open_on_every_page(page: str) -> None:
    """The form compares two runs alone; each page opens, the verdict says that nothing was judged."""
    at = app()
    at.query_params["c"] = "lost"
    upload(at.run(), "lost", {side: FILES[side] for side in "ab"})
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert held(at).case.judgments is None
    assert "No judgments" in texts(at)
    at.switch_page(str(PAGES / f"{page}.py")).run()
    assert not at.exception
    for chart in words.CHARTS if page == "queries" else ():
        at.segmented_control(key="chart").set_value(chart).run()
        assert not at.exception
