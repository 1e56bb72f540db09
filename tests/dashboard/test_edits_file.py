"""Edits out of the page as a file, and back in where files are dropped."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.kit import browser_history
from rankdash.dashboard.parts import editing_parts
from rankdash.dashboard.session import verdicts
from rankdash.edits import Edit, History
from rankdash.report.edits_file import edits_csv, read_edits
from rankdash.style import editing as words
from tests.dashboard.records import held, put
from tests.dashboard.test_naming import inputs
from tests.dashboard.test_pages import DATA_PAGE, FILES, app, texts, upload

GRADE = Edit("q1", "d1-0", "grade", None, 0, 3)
EDITED = {"edits": ("edits.csv", edits_csv([GRADE, Edit("q2", "d2-0", "remove", "a", 1, None)]))}


@pytest.fixture
def page() -> AppTest:
    """The data page of two uploaded runs."""
    at = app()
    put(at, case=inputs())
    return at.run().switch_page(DATA_PAGE).run()


def test_the_download_holds_the_edits_outside_of_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the button saves is made when it is clicked, where no session is: all edits are in it all the same."""
    saved: dict[str, tuple[object, str]] = {}
    monkeypatch.setattr(
        editing_parts.st, "download_button", lambda label, content, name, *_, **k: saved.update({k["key"]: (content, name)})
    )
    found = Case(inputs().runs, inputs().judgments, edits=(GRADE,))
    editing_parts._downloads(verdicts.opened(found))
    content, _ = saved["edit_save_edits"]
    assert read_edits(content(), "edits.csv") == (GRADE,)  # type: ignore[operator]
    for key in ("a", "b", "judgments"):
        content, name = saved[f"edit_save_{key}"]
        assert name.endswith("_edited.csv")
        assert content().splitlines()[0].endswith(b'"edited"')  # type: ignore[operator]


def test_dropped_edits_are_put_on_the_open_comparison(page: AppTest) -> None:
    """The file is recognised, its edits are in force after Compare, undo takes them back, the files stay."""
    upload(page, "replace", EDITED)
    assert "holds 2 edits" in texts(page)
    page.button(key="replace_compare").click().run()
    assert not page.exception
    assert words.EDITED_BADGE in texts(page)
    history: History = held(page).history
    assert [edit.doc_id for edit in history.edits] == ["d1-0", "d2-0"]
    assert held(page).case.a.name == "old"
    assert history.undone().edits == ()


def test_dropped_edits_are_put_on_the_files_that_are_dropped_with_them() -> None:
    """Runs, judgments and edits at once open the edited comparison."""
    at = app()
    at.query_params["c"] = "lost"
    upload(at.run(), "lost", FILES | EDITED)
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert "**A** old → **B** new" in texts(at)
    assert words.EDITED_BADGE in texts(at)


@pytest.mark.parametrize("edit", [Edit("q1", "d1-0", "grade", None, 1, 3), Edit("nobody", "d", "grade", None, None, 1)])
def test_edits_of_other_files_are_said_and_change_nothing(page: AppTest, edit: Edit) -> None:
    """What does not fit is told, and nothing can be compared."""
    upload(page, "replace", {"edits": ("edits.csv", edits_csv([edit]))})
    assert words.EDITS_DO_NOT_FIT in texts(page)
    assert page.button(key="replace_compare").disabled
    assert not held(page).history.edits


def test_a_tab_that_comes_back_to_another_server_says_that_its_files_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tab that had a session and asks without an address sees no other comparison; a first visit sees the demo."""
    monkeypatch.setattr(browser_history, "came_back", lambda: True)
    at = app().run()
    assert style.GONE in [one.value for one in at.header]
    assert style.DEMO_BADGE not in texts(at)
    at.button(key="open_demo").click().run()
    assert style.DEMO_BADGE in texts(at)
    monkeypatch.setattr(browser_history, "came_back", lambda: False)
    assert style.DEMO_BADGE in texts(app().run())
