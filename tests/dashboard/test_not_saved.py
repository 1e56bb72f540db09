"""Where nothing can be saved: the comparison goes on in memory, its page says why, and one click saves it later."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.session import actions, open_comparison, saving, session
from rankdash.store import Settings, Store, StoreError
from rankdash.style import history as history_words
from tests.dashboard.saved_sessions import GRADE, OTHER, Tab, home, saved_tab
from tests.dashboard.test_naming import inputs, opened
from tests.dashboard.test_pages import app, texts, verdict_page

__all__ = ["home"]


def refused(*_: object, **__: object) -> None:
    """What a full disk says."""
    raise StoreError("The disk is full.")


def test_what_is_not_saved_stays_not_saved_until_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading from the store meanwhile changes nothing about that; with the next event it is saved, and joined with
    what somebody else did.
    """
    tab = saved_tab()
    other = Tab(tab.id)
    with monkeypatch.context() as full:
        full.setattr(Store, "save", refused)
        tab.edit(GRADE)
        assert tab(saving.times).looks == 1
        assert tab(session.now).problem == "The disk is full."
    other.edit(OTHER)
    assert tab(actions.refresh)
    assert tab(session.now).problem == ""
    assert set(Tab(tab.id)(open_comparison.edits)) == {GRADE, OTHER}


@pytest.mark.parametrize("turned", [False, True])
def test_other_files_that_could_not_be_saved_are_saved_later(turned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where files were exchanged on a full disk, "Save now" saves these files, whatever was done to them since."""
    tab = saved_tab()
    newer = inputs().with_tables(a=rd.read_run({f"q{i}": {f"d{i}-1": 1.0} for i in range(1, 4)}, name="newer"))
    with monkeypatch.context() as full:
        full.setattr(Store, "replace", refused)
        full.setattr(Store, "save", refused)
        tab(lambda: actions.open_inputs(newer, replacing=True))
        tab.edit(GRADE)
        if turned:
            tab(actions.swap)
        assert tab(session.now).problem
    tab(actions.save_again)
    assert tab(session.now).problem == ""
    assert Tab(tab.id).shown == tab.shown
    assert tab.shown[1][1 if turned else 0].num_rows == 3


def test_a_server_that_saves_nothing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With RANKDASH_STORE=off a link to a saved comparison says why it is not open, and a badge what is lost."""
    tab = saved_tab()
    monkeypatch.setenv("RANKDASH_STORE", "off")
    at = verdict_page(tab.id)
    assert at.header[0].value == history_words.CANNOT_OPEN
    assert "RANKDASH_STORE=off" in texts(at)
    assert history_words.SAVING_OFF in texts(opened())


def test_a_store_that_can_only_be_read_is_shown_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where database and files do not belong together what is there is listed and opened, with a sentence that nothing
    is saved; an edit goes on in memory, and says so; a page that is only looked at is no failed attempt to save.
    """
    tab, sentence = saved_tab(), "Nothing is written here."
    monkeypatch.setattr(Store.open(Settings.from_environment()).database, "refusal", sentence)
    at = verdict_page(tab.id)
    for page in ("verdict", "queries", "edit", "history"):
        at.switch_page(SCRIPTS[page]).run()
        assert sentence in texts(at)
        assert "save_again" not in [button.key for button in at.button]
    at = app().run()
    assert sentence not in texts(at)
    at.switch_page(SCRIPTS["history"]).run()
    assert sentence in texts(at)
    assert at.dataframe
    other = Tab(tab.id)
    other.edit(GRADE)
    assert other(open_comparison.current).edits == (GRADE,)
    assert other(session.now).problem == sentence


def test_a_comparison_deleted_elsewhere_goes_on_in_memory() -> None:
    """Its tab says that it was deleted, keeps what is open, and can save it as a comparison of its own, or bring it
    back.
    """
    tab = saved_tab()
    gone = tab.id
    saving.store().delete(gone)
    tab.edit(GRADE)
    assert "deleted" in tab(session.now).problem
    assert tab(open_comparison.current).edits == (GRADE,)
    with pytest.raises(Exception, match="deleted"):
        Tab(gone)
    tab(actions.save_again)
    assert (tab(session.now).problem, Tab(gone).shown) == ("", tab.shown)
    saving.store().delete(gone)
    tab(actions.save_as_new)
    assert tab.id != gone
    assert Tab(tab.id).shown == tab.shown
