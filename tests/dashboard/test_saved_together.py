"""Several people with one saved comparison: each sees what the others did, and nothing that anybody did is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import rankdash as rd
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.store import StoreError
from tests.dashboard.records import put
from tests.dashboard.saved_sessions import GRADE, MOVE, OTHER, Tab, home, saved_tab
from tests.dashboard.test_naming import inputs
from tests.dashboard.test_pages import verdict_page

__all__ = ["home"]


def test_an_edit_in_one_tab_is_there_in_the_other_at_its_next_event() -> None:
    """Names, edits and policy of another session are taken over, and it is said once whose they are; the tables stay
    the same objects.
    """
    one = saved_tab()
    other = Tab(one.id)
    one(session.change, person="Ann")
    tables = other(open_comparison.current).a.table
    one.edit(GRADE)
    one(actions.rename, "x", "one", "two")
    one(actions.decide_by, rd.Policy(primary="AP"))
    assert other(actions.refresh)
    assert other.shown == one.shown
    assert other(open_comparison.current).a.table is tables
    said = other(open_comparison.notices_for, open_comparison.THEIRS)
    assert len(said) == 1
    assert "Ann" in said[0]
    assert not other(actions.refresh)
    assert not other(open_comparison.notices_for, open_comparison.THEIRS)


def test_two_who_grade_different_documents_at_once_lose_nothing() -> None:
    """Grades made without knowing of each other all stand, in both sessions, though A and B are exchanged in neither;
    undo takes back one's own and keeps theirs, and redo brings it back.
    """
    one = saved_tab()
    other = Tab(one.id)
    one.edit(GRADE)
    other.edit(OTHER)
    assert other(session.now).problem == ""
    assert one(actions.refresh)
    assert one.shown == other.shown
    assert set(one(open_comparison.edits)) == {GRADE, OTHER}
    one(actions.undo)
    assert one(open_comparison.edits) == (OTHER,)
    one(actions.redo)
    assert set(Tab(one.id)(open_comparison.edits)) == {GRADE, OTHER}
    other(actions.undo)
    assert Tab(one.id)(open_comparison.edits) == (GRADE,)


CHANGES: dict[str, Callable[[Tab], object]] = {
    "the same document": lambda tab: tab.edit(replace(GRADE, after=1)),
    "a list": lambda tab: tab.edit(MOVE),
    "names": lambda tab: tab(actions.rename, "x", "one", "two"),
    "policy": lambda tab: tab(actions.decide_by, rd.Policy(primary="AP")),
    "exchange": lambda tab: tab(actions.swap),
    "files": lambda tab: tab(
        actions.open_inputs, tab(open_comparison.current).with_tables(a=inputs().b.renamed("third")), replacing=True
    ),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("theirs", [False, True])
def test_what_does_not_go_on_top_of_what_somebody_else_saved_is_asked_about(change: str, theirs: bool) -> None:
    """The page says who changed it, and nothing is saved or lost: one takes theirs, or saves one's own as a copy. No
    verdict goes on record before.
    """
    one = saved_tab()
    other = Tab(one.id)
    one(session.change, person="Ann")
    one.edit(GRADE)
    kept = Tab(one.id).shown
    CHANGES[change](other)
    mine = other.shown
    assert "Ann" in other(session.now).problem
    assert Tab(one.id).shown == kept
    other(verdicts.put_on_record, other(open_comparison.current))
    assert other(session.now).computed is None
    if theirs:
        at = verdict_page(one.id)
        put(at, **{name: getattr(other(session.now), name) for name in ("saved", "problem", "conflict")})
        shown = at.run()
        assert {"take_theirs", "save_as_new"} <= {button.key for button in shown.button}
        other(actions.take_theirs)
        assert (other.id, other.shown) == (one.id, kept)
    else:
        other(actions.save_as_new)
        assert other.id != one.id
        assert other.shown == Tab(other.id).shown == mine
        assert Tab(one.id).shown == kept
    assert other(session.now).problem == ""


@pytest.mark.parametrize("shared", ["0", "1"])
def test_the_beginning_of_an_id_opens_nothing(monkeypatch: pytest.MonkeyPatch, shared: str) -> None:
    """It would be a way to guess what others have: a link is whole."""
    one = saved_tab()
    monkeypatch.setenv("RANKDASH_SHARED", shared)
    with pytest.raises(StoreError, match="There is no saved comparison"):
        Tab(one.id[:6])
    assert Tab(one.id).id == one.id
