"""The Export button: every form that there can be of what is open, with the numbers of the page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from rankdash.report.exports import EXPORTS
from rankdash.style import verdict as words
from tests.dashboard.test_evidence import VOTES_FILE, opened
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


def test_votes_alone_have_the_forms_that_need_no_lists() -> None:
    """Where there are only votes, no form is offered that would need queries of A and B."""
    at = dialog(opened(VOTES_FILE))
    offered = at.selectbox(key="export_form").options
    assert EXPORTS["html"].label in offered
    assert not {EXPORTS[name].label for name in ("csv", "parquet")} & {*offered}
