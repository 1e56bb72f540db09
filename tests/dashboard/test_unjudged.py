"""Two lists without judgments, on the pages: what changed, until somebody labels documents."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankdash as rd
from rankdash.case import Case
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.edits import labelled
from rankdash.inspect.labels import candidates
from rankdash.report.tables import worklist_csv
from rankdash.style import editing, queries as words
from tests.dashboard.records import held, put
from tests.dashboard.saved_sessions import home
from tests.dashboard.test_labels import press
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
    at.button(key="open_export").click().run()
    assert "export_csv" not in str(at)  # it would be a heading alone
    at.switch_page(str(PAGES / f"{page}.py")).run()
    assert not at.exception


def test_queries_without_judgments_are_sorted_by_change() -> None:
    """There is no filter set that nobody set, and none that a score would need; another cutoff is taken back."""
    at = app()
    put(at, case=Case(RUNS))
    at.switch_page(SCRIPTS["queries"]).run()
    assert words.CHART_HINTS["changed"] in texts(at)
    assert not [button for button in at.button if str(button.key).startswith("chip_")]
    assert {control.key for control in at.segmented_control} == {"k"}
    at.segmented_control(key="k").set_value("3").run()
    at.button(key="chip_measure").click().run()
    assert not at.exception
    assert at.segmented_control(key="k").value == "10"
    assert not [button for button in at.button if str(button.key).startswith("chip_")]


RUNS = rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1])
UNJUDGED = rd.compare(*RUNS)
FOUND = candidates(UNJUDGED) or ()


def test_labels_make_numbers_of_lists_without_judgments() -> None:
    """The documents of the largest disagreement come first, of every query also after the first grade; with a grade
    above 0 every page has numbers, whatever the first grades were, and undo leads back to lists without judgments.
    """
    at = app()
    put(at, case=Case(RUNS))
    at.switch_page(SCRIPTS["label"]).run()
    assert editing.NO_BOUNDS_YET in texts(at)
    assert [button.label for button in at.button if button.label.startswith("Grade")] == [
        "Grade 1",
        "Grade 2",
        "Grade 3",
    ]
    for place, grade in enumerate(["Not relevant", "Grade 3", "Grade 2"]):
        assert FOUND[place].title in texts(at)
        press(at, grade)
        assert not at.exception
    assert list(labelled(held(at).case.edits)) == [(one.query_id, one.doc_id) for one in FOUND[:3]]
    assert editing.NO_BOUNDS_YET not in texts(at)
    assert FOUND[3].title in texts(at)
    for script in SCRIPTS.values():
        at.switch_page(script).run()
        assert not at.exception
    assert "No judgments" not in texts(at.switch_page(SCRIPTS["verdict"]).run())
    query = at.switch_page(SCRIPTS["edit"]).run().selectbox(key="edit_query")
    assert len(query.options) == len(UNJUDGED.query_ids)
    for name in UNJUDGED.query_ids[::20]:
        assert not at.selectbox(key="edit_query").set_value(name).run().exception
    at.switch_page(SCRIPTS["label"]).run()
    for _ in range(3):
        press(at, editing.UNDO)
        assert not at.exception
    assert not held(at).case.edits
    assert "No judgments" in texts(at.switch_page(SCRIPTS["verdict"]).run())


def test_a_list_of_disagreements_comes_back_with_grades() -> None:
    """The list without judgments as CSV, filled in and uploaded, grades every document, and then nothing is left."""
    at = app()
    put(at, case=Case(RUNS))
    at.switch_page(SCRIPTS["label"]).run()
    first, *lines = worklist_csv(FOUND).decode().splitlines()
    filled = "\n".join([first, *(line.replace(',"",', ",1,") for line in lines)])
    at.file_uploader[0].set_value(("labels.csv", filled.encode(), "text/csv")).run()
    assert not at.exception
    assert editing.NOTHING_TO_LABEL[False].format(k=10) in texts(at)
    assert len(labelled(held(at).case.edits)) == len(FOUND)
