"""Label next, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.dashboard.parts import labels
from rankdash.dashboard.session import open_comparison, session
from rankdash.edits import candidates
from rankdash.report.tables import worklist_csv
from rankdash.style import editing as words
from rankdash.wording import end
from tests.dashboard.records import put_edits
from tests.dashboard.saved_sessions import Tab
from tests.dashboard.test_edit import EDIT_PAGE
from tests.dashboard.test_pages import FILES, inputs, opened_at, texts

COMPARISON = rd.compare(
    rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1]), rd.read_judgments(FILES["judgments"][1])
)


@pytest.fixture
def page() -> AppTest:
    """Label next, for uploaded files."""
    return opened_at(EDIT_PAGE).segmented_control(key="edit_way").set_value("labels").run()


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


def test_labels_are_taken_over_one_by_one_and_the_bounds_narrow(page: AppTest) -> None:
    """What a browser sends holds the grades of before: each counts once, in the order in which they were typed. With a
    label one document less is unjudged, and the bounds are others; undo brings them back.
    """
    found = candidates(COMPARISON)
    assert found
    tab = Tab()
    tab(session.change, case=inputs())
    rows: dict[int, dict[str, float]] = {}
    for row, grade in enumerate((2.0, 0.0, 1.0)):
        rows[row] = {"grade": grade}
        tab.memory["labels"] = {"edited_rows": dict(rows)}
        tab(labels.take_typed, "labels", found)
    edits = tab(open_comparison.edits)
    assert [(edit.doc_id, edit.after) for edit in edits] == [
        (one.doc_id, grade) for one, grade in zip(found, (2, 0, 1), strict=False)
    ]
    put_edits(page, edits[0])
    page.run()
    assert page.metric[1].value == str(len(found) - 1)
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
