"""A large comparison is saved beside the page: nothing is called saved before it is, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rankdash.dashboard.session import actions, open_comparison, session
from rankdash.dashboard.session.saved import head, shelf
from rankdash.store import Store, StoreError, scored
from rankdash.style import history as history_words
from tests.awaited import HUNG
from tests.dashboard.saved_sessions import GRADE, OTHER, Tab, all_is_done, home
from tests.dashboard.test_naming import inputs
from tests.dashboard.test_pages import FILES, app, texts, upload
from tests.dashboard.test_pages import inputs as uploaded

__all__ = ["home"]


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every comparison counts as a large one, whose page is drawn at once."""
    monkeypatch.setattr(scored, "ROWS", 0)
    monkeypatch.setattr(head, "_DRAWN", 0.0)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Nothing new is written before it is set."""
    opened, create = threading.Event(), Store.create

    def waits(store: Store, *args: Any, **how: Any) -> Any:
        assert opened.wait(HUNG)
        return create(store, *args, **how)

    monkeypatch.setattr(Store, "create", waits)
    yield opened
    opened.set()
    all_is_done()


def opening() -> Tab:
    """A session that has just opened a comparison."""
    tab = Tab()
    tab(actions.open_inputs, inputs())
    return tab


def saved() -> list[str]:
    """The names of all comparisons that are in the store."""
    return [row.name for row in shelf.store().listed().rows]


def test_nothing_is_called_saved_before_it_is(gate: threading.Event) -> None:
    """While it is written there is a comparison to look at, no record and no problem; the next event after it is on the
    disk finds the record.
    """
    tab = opening()
    assert tab(head.is_written) is False
    assert not tab(actions.refresh)
    assert (tab(session.now).saved, tab(session.now).problem) == (None, "")
    assert tab(open_comparison.current).names == inputs().names
    assert saved() == []
    gate.set()
    all_is_done()
    assert tab(head.is_written) is True
    assert tab(actions.refresh)
    assert tab(head.is_written) is None
    assert Tab(tab.id).shown == tab.shown


def test_an_edit_waits_for_what_it_is_an_edit_of(gate: threading.Event) -> None:
    """Edits that are made meanwhile stand behind the tables, in their order."""
    tab = opening()
    done = threading.Thread(target=lambda: (tab.edit(GRADE), tab.edit(OTHER)))
    done.start()
    assert done.is_alive()
    assert saved() == []
    gate.set()
    done.join(HUNG)
    assert Tab(tab.id)(session.now).history.edits == (GRADE, OTHER)
    assert Tab(tab.id).shown == tab.shown
    assert saved() == [inputs().title]


def test_who_leaves_meanwhile_has_saved_it(gate: threading.Event) -> None:
    """A session that ends, or opens something else, saves to the end what it has opened."""
    opening()
    other = opening()
    other(actions.open_inputs, replace(inputs(), name="another"))
    gate.set()
    all_is_done()
    assert sorted(saved()) == sorted([inputs().title, inputs().title, "another"])
    other(actions.refresh)
    assert Tab(other.id).shown == other.shown
    assert other(open_comparison.uploaded).name == "another"


def test_other_files_dropped_meanwhile_are_a_revision_of_it(gate: threading.Event) -> None:
    """Where a file is replaced while the first ones are written, there is one comparison with the later files."""
    tab = opening()
    gate.set()
    newer = inputs().with_tables(a=inputs().b, b=inputs().a.renamed("x"))
    tab(actions.open_inputs, newer, replacing=True)
    assert saved() == [newer.title]
    assert Tab(tab.id).shown == tab.shown
    assert tab(session.now).saved.number == 2


def test_what_could_not_be_saved_is_told_with_the_next_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is told as where nothing is written beside the page, and saved again on a click."""

    def refused(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as full:
        full.setattr(Store, "create", refused)
        tab = opening()
        all_is_done()
        assert tab(actions.refresh)
        assert (tab(session.now).saved, tab(session.now).problem) == (None, "The disk is full.")
        assert tab(head.is_written) is None
    tab(actions.save_again)
    tab(head.take_written, wait=True)
    assert tab(session.now).problem == ""
    assert Tab(tab.id).shown == tab.shown


def test_the_page_says_that_it_is_saving_and_then_names_it(gate: threading.Event) -> None:
    """The verdict is on the page, with a badge and no link, until the comparison is on the disk."""
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", FILES)
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert at.metric
    assert history_words.SAVING in texts(at)
    assert "comparison" not in at.query_params
    gate.set()
    all_is_done()
    at.run()
    assert history_words.SAVING not in texts(at)
    assert Tab(at.query_params["comparison"])(open_comparison.uploaded).a == uploaded().a


def test_a_dialog_is_not_closed_by_the_end_of_saving() -> None:
    """A page that opened a dialog is not run again by itself; one that opened none is."""
    at = app().run()
    opened = []
    for act in (at.run, lambda: at.button(key="rename").click().run(), at.run):
        act()
        assert not at.exception
        opened.append(at.session_state["dialog_opened"])
    assert opened == [False, True, False]


def test_the_page_is_drawn_first_and_nobody_waits_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written while the page is drawn; a change that has to wait for it lets it begin, and it is written by
    itself otherwise.
    """
    monkeypatch.setattr(head, "_DRAWN", 600.0)
    tab = opening()
    assert tab(head.is_written) is False
    assert saved() == []
    tab.edit(GRADE)  # this test would take ten minutes if it waited
    assert Tab(tab.id)(session.now).history.edits == (GRADE,)
    monkeypatch.setattr(head, "_DRAWN", 0.2)
    tab = opening()
    assert tab(head.is_written) is False
    all_is_done()
    assert tab(head.is_written) is True
    assert len(saved()) == 2
