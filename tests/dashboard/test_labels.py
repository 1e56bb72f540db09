"""Label next, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.edits import candidates
from rankdash.report.tables import worklist_csv
from rankdash.style import editing as words
from rankdash.wording import end
from tests.dashboard.records import held
from tests.dashboard.test_edit import EDIT_PAGE
from tests.dashboard.test_pages import FILES, opened_at, texts

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


def typed(page: AppTest, grades: dict[int, float | None]) -> AppTest:
    """What a browser sends when grades stand in rows of the list, those that were sent before included."""
    rows = {row: {"grade": grade} for row, grade in grades.items()}
    page.session_state[page.data_editor[0].key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    page.run()
    assert not page.exception
    return page


def test_a_label_is_taken_over_and_the_bounds_narrow(page: AppTest) -> None:
    """One document less is unjudged, the bounds lie inside the former ones, and undo brings them back."""
    before = len(page.data_editor[0].value)
    typed(page, {0: 2})
    assert page.metric[1].value == str(before - 1)
    assert page.metric[0].value != bounds(COMPARISON)
    page.button(key="edit_undo").click().run()
    assert page.metric[0].value == bounds(COMPARISON)


def test_the_list_stays_under_the_hand_that_grades_it(page: AppTest) -> None:
    """Grades typed one after the other find the documents that stood there, in the same editor; each counts once."""
    first = page.data_editor[0]
    key, ids, n = first.key, list(first.value["id"]), len(first.value)
    for rows in ({0: 2.0}, {0: 2.0, 1: 0.0}, {0: 2.0, 1: 0.0, 2: 1.0}):
        typed(page, dict(rows))
        assert (page.data_editor[0].key, list(page.data_editor[0].value["id"])) == (key, ids)
        assert [page.metric[1].value, page.metric[2].value] == [str(n - len(rows)), str(len(rows))]
    edits = held(page).case.edits
    assert [(edit.doc_id, edit.after) for edit in edits] == list(zip(ids, (2, 0, 1), strict=False))
    page.button(key="edit_undo").click().run()
    assert ids[2] in list(page.data_editor[0].value["id"])
    assert page.metric[2].value == "2"


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
