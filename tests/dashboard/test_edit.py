"""The page where lists and grades are edited: what is typed becomes edits, which count on every page."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.dashboard.kit import widgets
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import editing_parts
from rankdash.dashboard.session import open_comparison, session
from rankdash.edits import Edit, ListLine, apply
from rankdash.style import editing as words
from rankdash.wording import number
from tests.dashboard.records import put_edits
from tests.dashboard.saved_sessions import Tab
from tests.dashboard.test_pages import FILES, VERDICT_PAGE, inputs, opened_at, opened_with, texts

EDIT_PAGE = "rankdash/dashboard/pages/edit.py"
LINES = tuple(ListLine(f"d1-{i}", i + 1, float(2 * (i == 2))) for i in range(5))
GRADE = Edit("q1", "d1-0", "grade", None, 0, 3)


def typed(**event: Any) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """The edits that an event of the editor of list A of q1 makes, and what is said about it."""
    tab = Tab()
    tab(session.change, case=inputs())
    drawn = tab(widgets.begin_editor, "edit_a", editing_parts.GivenList("q1", LINES, LINES))
    tab.memory[drawn.key] = event
    tab(editing_parts.take_typed, drawn, "a", None)
    return tab(open_comparison.edits), tab(open_comparison.notices_for, "edits")


@pytest.mark.parametrize(
    ("event", "edits"),
    [
        ({"edited_rows": {0: {"grade": 3}}}, [GRADE]),
        ({"edited_rows": {0: {"grade": 3}}, "added_rows": [{"id": None}]}, [GRADE]),
        ({"edited_rows": {0: {"grade": 3}}, "added_rows": [{"grade": 0}]}, [GRADE]),
        ({"edited_rows": {2: {"rank": 1}}}, [Edit("q1", "d1-2", "rank", "a", 3, 1)]),
        ({"added_rows": [{}]}, []),
        (
            {"added_rows": [{"id": "new", "grade": 2}], "deleted_rows": [0]},
            [
                Edit("q1", "d1-0", "remove", "a", 1, None),
                Edit("q1", "new", "add", "a", None, 5),
                Edit("q1", "new", "grade", None, None, 2),
            ],
        ),
    ],
)
def test_what_is_typed_becomes_edits(event: dict[str, Any], edits: list[Edit]) -> None:
    """A grade, a rank, a document that is added or removed; a row without a document holds nothing back."""
    assert typed(**event) == (tuple(edits), ())


def test_a_grade_outside_the_scale_counts_and_is_pointed_out() -> None:
    """It is taken over, and a sentence says what a grade below 0 counts, or which grade was the highest."""
    below, above = "Grades below 0 (−1) count as unjudged.", words.ABOVE_SCALE.format(grade=9, highest=2)
    for grade, said in ((-1, (below,)), (9, (above,)), (1, ())):
        tab = Tab()
        tab(session.change, case=inputs())
        assert tab(editing_parts.take_over, (replace(GRADE, after=grade),))
        assert tab(open_comparison.notices_for, "odd_grades") == said


@pytest.mark.parametrize(
    ("cells", "said"),
    [({"grade": 5000}, "is not a grade"), ({"rank": 0}, "is not a rank"), ({"id": "d1-4"}, "in this list already")],
)
def test_what_cannot_be_is_told_and_nothing_changes(cells: dict[str, object], said: str) -> None:
    """A grade out of range, a rank of 0 and a document that stands there twice are refused in a sentence."""
    edits, notices = typed(edited_rows={0: cells})
    assert edits == ()
    assert said in " ".join(notices)


def table(at: AppTest, place: int = 0) -> list[list[str]]:
    """A table of the page, cell by cell."""
    return [[str(cell).replace("\\", "") for cell in row] for row in at.table[place].value.to_numpy().tolist()]


def test_an_edit_changes_both_lists_and_every_page_until_it_is_undone() -> None:
    """The query's numbers stand before beside after, in A and in B, once there is an edit; the verdict page shows them;
    undo takes them away.
    """
    page = opened_at(EDIT_PAGE, query="q1")
    assert not page.table
    put_edits(page, GRADE)
    page.run()
    tables = (rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1]), rd.read_judgments(FILES["judgments"][1]))
    edited = apply((GRADE,), *tables)
    comparison = rd.compare(edited.a, edited.b, edited.judgments)
    at = comparison.query_ids.index("q1")
    row = table(page)[0]
    assert number(float(comparison.scores_a[0][at])) in row[1]
    assert number(float(comparison.scores_b[0][at])) in row[2]
    assert "→" in row[1]
    for editor in page.data_editor:
        assert editor.value.set_index("id")["grade"]["d1-0"] == 3
    page.switch_page(VERDICT_PAGE).run()
    assert page.metric[0].value == number(comparison.primary.paired.mean_b)
    assert words.EDITED_BADGE in texts(page)
    page.switch_page(EDIT_PAGE).run()
    page.button(key="edit_undo").click().run()
    assert not page.table
    page.button(key="edit_redo").click().run()
    assert table(page)[0] == row
    page.button(key="edit_reset").click().run()
    assert words.NO_EDITS in texts(page)
    assert words.EDITED_BADGE not in texts(page)


def test_marks_that_turn_the_writing_are_spelled_out_in_editors() -> None:
    """In ids, titles and texts of queries, in both lists and in what to label next."""
    turned, spelled = "a\u202etxt.exe", "a\\u202etxt.exe"
    lists = f"query_id,doc_id,rank,title\nq1,{turned},1,{turned}\nq1,d2,2,{turned}\n".encode()
    files = {
        "a": ("a.csv", lists),
        "b": ("b.csv", lists.replace(b"1,a", b"3,a")),
        "judgments": ("grades.csv", b"query_id,doc_id,relevance\nq1,d2,1\nq1,d3,0\n"),
        "queries": ("queries.csv", f"query_id,text\nq1,{turned}\n".encode()),
    }
    at = opened_with(files).switch_page(EDIT_PAGE).run()
    assert at.data_editor[0].value[["id", "title"]].to_numpy().tolist() == [[spelled, spelled], ["d2", spelled]]
    at.switch_page(SCRIPTS["label"]).run()
    assert texts(at).count(spelled.replace("\\", "")) == 2  # the query, and the document, whose title is its id


def test_saved_qrels_begin_with_the_first_query(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only a CSV has the mark of UTF-8 in front: in qrels it would be a part of the first id."""
    saved: dict[str, bytes] = {}
    monkeypatch.setattr(st, "download_button", lambda label, made, name, media, **how: saved.update({name: made()}))
    for name, rows in (("q.qrels", "q1 0 d1 2\n"), ("q.csv", "query_id,doc_id,relevance\nq1,d1,2\n")):
        (tmp_path / name).write_text(rows)
        joined = rd.compare({"q1": ["d1"]}, {"q1": ["d2", "d1"]}, tmp_path / name).joined
        opened = SimpleNamespace(comparison=SimpleNamespace(joined=joined), case=SimpleNamespace(edits=()))
        editing_parts.save_judgments(opened)
    assert saved["judgments.qrels"] == b"q1 0 d1 2\n"
    assert saved["judgments.csv"].startswith(b"\xef\xbb\xbf")
