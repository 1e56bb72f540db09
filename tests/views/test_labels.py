"""Label next, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.edits import candidates
from rankdash.report.edits import worklist_csv
from rankdash.style import editing as words
from rankdash.wording import end
from tests.views.test_edit import EDIT_PAGE
from tests.views.test_pages import FILES, app, texts, upload

COMPARISON = rd.compare(
    rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1]), rd.read_judgments(FILES["judgments"][1])
)


@pytest.fixture
def page() -> AppTest:
    """Label next, for uploaded files."""
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", FILES)
    at.button(key="lost_compare").click().run()
    at.switch_page(EDIT_PAGE).run()
    at.segmented_control(key="edit_way").set_value("labels").run()
    return at


def bounds(comparison: rd.Comparison) -> str:
    """The bounds as the card shows them."""
    assert comparison.delta_bounds is not None
    return words.BOUNDS_NOW.format(low=end(comparison.delta_bounds[0]), high=end(comparison.delta_bounds[1]))


def test_the_documents_stand_in_the_order_of_the_worklist(page: AppTest) -> None:
    """The first document is the one whose label could move the mean most, and the bounds are those of compare()."""
    found = candidates(COMPARISON)
    assert found
    assert list(page.data_editor[0].value["id"]) == [one.doc_id for one in found]
    assert page.metric[0].value == bounds(COMPARISON)


def test_a_label_is_taken_over_and_the_bounds_narrow(page: AppTest) -> None:
    """A graded document leaves the list, one document less is unjudged, and the bounds lie inside the former ones."""
    first = page.data_editor[0].value["id"].iloc[0]
    before = len(page.data_editor[0].value)
    page.session_state[page.data_editor[0].key] = {
        "edited_rows": {0: {"grade": 2}}, "added_rows": [], "deleted_rows": [],
    }  # fmt: skip
    page.run()
    assert not page.exception
    assert first not in list(page.data_editor[0].value["id"])
    assert page.metric[1].value == str(before - 1)
    assert page.metric[0].value != bounds(COMPARISON)
    page.button(key="edit_undo").click().run()
    assert page.metric[0].value == bounds(COMPARISON)


def test_labels_come_back_from_the_file_that_went_out(page: AppTest) -> None:
    """The list as CSV, filled in and uploaded, labels every document; what was there already is left alone."""
    found = candidates(COMPARISON)
    assert found
    lines = worklist_csv(found).decode().splitlines()
    filled = "\n".join([lines[0], *(line.replace(',"",', ",1,") for line in lines[1:])])
    key = page.file_uploader[0].key
    page.file_uploader[0].set_value(("labels.csv", filled.encode(), "text/csv"))
    page.run()
    assert key == "labels_in_0"
    page.button(key="labels_take").click().run()
    assert not page.exception
    assert page.metric[1].value == "0"
    assert words.NOTHING_TO_LABEL.format(k=10) in texts(page)
