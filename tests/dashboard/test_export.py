"""The Export button: every form that there can be of what is open, with the numbers of the page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from rankdash.report.exports import EXPORTS
from rankdash.style import verdict as words
from tests.dashboard.test_pages import app


def dialog(at: AppTest) -> AppTest:
    """The page with the dialog open."""
    at.button(key="open_export").click().run()
    assert not at.exception
    return at


def test_the_demo_can_be_taken_along_in_every_form() -> None:
    """Every row of the table stands in the list."""
    at = dialog(app().run())
    assert at.selectbox(key="export_form").options == [export.label for export in EXPORTS.values()]
    assert words.EXPORT_SAVE in [button.label for button in at.get("download_button")]
