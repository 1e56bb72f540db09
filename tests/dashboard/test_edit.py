"""The page where lists and grades are edited, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.edits import Edit, apply
from rankdash.style import editing as words
from rankdash.wording import number
from tests.dashboard.records import held
from tests.dashboard.test_pages import FILES, VERDICT_PAGE, app, opened_at, texts, upload

EDIT_PAGE = "rankdash/dashboard/pages/edit.py"


def table(at: AppTest, place: int = 0) -> list[list[str]]:
    """A table of the page, cell by cell."""
    return [[str(cell).replace("\\", "") for cell in row] for row in at.table[place].value.to_numpy().tolist()]


@pytest.fixture
def page() -> AppTest:
    """The edit page with uploaded files and query q1 open."""
    return opened_at(EDIT_PAGE, query="q1")


def typed(at: AppTest, side: str, **event: object) -> AppTest:
    """What a person types into the editor of one side."""
    editor = next(found for found in at.data_editor if found.key.startswith(f"edit_{side}_"))
    state = {"edited_rows": {}, "added_rows": [], "deleted_rows": [], **event}
    at.session_state[editor.key] = state
    return at.run()


def compared(*edits: Edit) -> rd.Comparison:
    """The same comparison with the same edits, without a page."""
    tables = (rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1]), rd.read_judgments(FILES["judgments"][1]))
    found = apply(edits, *tables)
    return rd.compare(found.a, found.b, found.judgments)


def test_a_typed_grade_changes_both_lists_at_once_and_undo_brings_it_back(page: AppTest) -> None:
    """After a grade the query's numbers stand before beside after, in A and in B; undo shows the old ones alone."""
    before = table(page)
    typed(page, "a", edited_rows={0: {"grade": 3}})
    assert not page.exception
    comparison = compared(Edit("q1", "d1-0", "grade", None, 0, 3))
    at = comparison.query_ids.index("q1")
    row = table(page)[0]
    assert number(float(comparison.scores_a[0][at])) in row[1]
    assert number(float(comparison.scores_b[0][at])) in row[2]
    assert "→" in row[1]
    assert words.EDITED_BADGE in texts(page)
    page.button(key="edit_undo").click().run()
    assert table(page) == before
    page.button(key="edit_redo").click().run()
    assert table(page)[0] == row


@pytest.mark.parametrize("row", [{}, {"id": None}, {"grade": 0}])
def test_a_row_without_a_document_holds_nothing_back(page: AppTest, row: dict[str, object]) -> None:
    """A grade counts although somebody clicked below the list and left the new row without a document."""
    own = page.data_editor[0].key
    typed(page, "a", edited_rows={0: {"grade": 3}}, added_rows=[row])
    assert f"{words.EDITS} :gray[1]" in texts(page)
    assert page.data_editor[0].key == own
    typed(page, "a", edited_rows={0: {"grade": 3}}, added_rows=[{"id": "new"}])
    assert f"{words.EDITS} :gray[2]" in texts(page)


def test_an_editor_stays_while_one_grades_in_it(page: AppTest) -> None:
    """The next grade is typed into the same editor, each counts once, the other list shows both; undo begins anew."""
    own, other = (editor.key for editor in page.data_editor)
    typed(page, "a", edited_rows={0: {"grade": 3}})
    assert page.data_editor[0].key == own
    typed(page, "a", edited_rows={0: {"grade": 3}, 1: {"grade": 2}})
    assert page.data_editor[0].key == own
    assert page.data_editor[1].key != other
    grades = page.data_editor[1].value.set_index("id")["grade"]
    assert (grades["d1-0"], grades["d1-1"]) == (3, 2)
    assert f"{words.EDITS} :gray[2]" in texts(page)
    page.button(key="edit_undo").click().run()
    assert page.data_editor[0].key != own
    assert f"{words.EDITS} :gray[1]" in texts(page)


def test_a_typed_rank_moves_a_document_in_its_own_list_only(page: AppTest) -> None:
    """The relevant document of A typed to rank 1 stands there, and B is as it was."""
    typed(page, "a", edited_rows={2: {"rank": 1}})
    assert not page.exception
    a, b = (editor.value for editor in page.data_editor)
    assert list(a["id"]) == ["d1-2", "d1-0", "d1-1", "d1-3", "d1-4"]
    assert list(a["rank"]) == [1, 2, 3, 4, 5]
    assert list(b["id"]) == ["d1-2", "d1-0", "d1-1", "d1-3", "d1-4"]


def test_documents_are_added_and_removed(page: AppTest) -> None:
    """A new last row waits for its document and then stands in the list; a deleted row is gone."""
    typed(page, "b", added_rows=[{}])
    assert words.NO_EDITS in texts(page)
    typed(page, "b", added_rows=[{"id": "new", "grade": 2}], deleted_rows=[0])
    assert list(page.data_editor[1].value["id"]) == ["d1-0", "d1-1", "d1-3", "d1-4", "new"]
    assert page.data_editor[1].value["grade"].iloc[-1] == 2


@pytest.mark.parametrize(
    ("cells", "said"),
    [({"grade": 5000}, "is not a grade"), ({"rank": 0}, "is not a rank"), ({"id": "d1-4"}, "in this list already")],
)
def test_what_cannot_be_is_told_and_nothing_changes(page: AppTest, cells: dict[str, object], said: str) -> None:
    """A grade out of range, a rank of 0 and a document that stands there twice are refused in a sentence."""
    typed(page, "a", edited_rows={0: cells})
    assert not page.exception
    assert said in texts(page)
    assert words.NO_EDITS in texts(page)


def test_edits_survive_other_pages_and_count_there(page: AppTest) -> None:
    """The verdict page shows the edited numbers with a badge; back on the page the edit is in the list."""
    typed(page, "b", edited_rows={0: {"grade": 0}})
    page.switch_page(VERDICT_PAGE).run()
    comparison = compared(Edit("q1", "d1-2", "grade", None, 2, 0))
    assert page.metric[0].value == number(comparison.primary.paired.mean_b)
    assert words.EDITED_BADGE in texts(page)
    page.switch_page(EDIT_PAGE).run()
    assert "d1-2" in page.dataframe[len(page.dataframe) - 1].value["Document"].tolist()
    page.button(key="edit_reset").click().run()
    assert words.NO_EDITS in texts(page)
    assert words.EDITED_BADGE not in texts(page)


def test_marks_that_turn_the_writing_are_spelled_out_in_editors() -> None:
    """In ids, titles and texts of queries, in both lists and in what to label next; a grade goes to the real id."""
    turned, spelled = "a\u202etxt.exe", "a\\u202etxt.exe"
    lists = f"query_id,doc_id,rank,title\nq1,{turned},1,{turned}\nq1,d2,2,{turned}\n".encode()
    files = {
        "a": ("a.csv", lists),
        "b": ("b.csv", lists.replace(b"1,a", b"3,a")),
        "judgments": ("grades.csv", b"query_id,doc_id,relevance\nq1,d2,1\nq1,d3,0\n"),
        "queries": ("queries.csv", f"query_id,text\nq1,{turned}\n".encode()),
    }
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", files)
    at.button(key="lost_compare").click().run()
    at.switch_page(EDIT_PAGE).run()
    assert at.data_editor[0].value[["id", "title"]].to_numpy().tolist() == [[spelled, spelled], ["d2", spelled]]
    typed(at, "a", edited_rows={0: {"grade": 2}})
    assert held(at).case.edits == (Edit("q1", turned, "grade", None, None, 2.0),)
    at.button(key="edit_undo").click().run()
    at.get("button_group")[0].set_value("labels").run()
    assert at.data_editor[0].value[["title", "id", "query"]].to_numpy().tolist() == [[spelled] * 3]
