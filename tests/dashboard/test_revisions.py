"""A result belongs to one revision: lists, the launch log and the pages show no number beside another one's names."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.session import actions, open_comparison, saving, verdicts
from rankdash.report.saved import delta_words, listed_text
from rankdash.store import ListedRow, Search
from rankdash.store.journal import Since
from rankdash.style import history as history_words
from tests.browsed import run_csv
from tests.dashboard.records import put
from tests.dashboard.saved_sessions import GRADE, Tab, home, saved_tab
from tests.dashboard.test_history_page import decided, history_page
from tests.dashboard.test_naming import inputs
from tests.dashboard.test_pages import app, texts, verdict_page

__all__ = ["home"]


def row_of(tab: Tab) -> ListedRow:
    """What every list shows of a comparison."""
    (found,) = (row for row in saving.store().listed(Search(most=100)).rows if row.id == tab.id)
    return found


def page(tab: Tab, name: str = "queries") -> AppTest:
    """A page of a comparison, opened by its link."""
    return verdict_page(tab.id).switch_page(SCRIPTS[name]).run()


def truth(tab: Tab) -> tuple[str, str, str, str, float | None]:
    """Names and verdict of what a session shows, computed anew."""
    now = tab(open_comparison.current)
    tables = (now.a, now.b, now.judgments)
    assert not now.edits
    verdict = rd.decide(comparison := rd.compare(*tables, policy=tab(verdicts.opened, now).policy))
    return now.title, now.a.name, now.b.name, verdict.tag, comparison.primary.paired.delta


def told(row: ListedRow) -> tuple[str, str, str, str, float | None]:
    """The same of a row."""
    return row.name, row.a, row.b, row.tag, row.delta


CHANGES: dict[str, Any] = {
    "swap": lambda tab: tab(actions.swap),
    "policy": lambda tab: tab(actions.decide_by, rd.Policy(primary="AP")),
    "replace": lambda tab: tab(
        actions.open_inputs, inputs().with_tables(b=inputs().a.renamed("third")), replacing=True
    ),
}


@pytest.mark.parametrize("name", ["data", "history"])
@pytest.mark.parametrize("change", list(CHANGES))
def test_a_list_has_no_number_of_before_a_change_and_the_right_one_after_any_page(change: str, name: str) -> None:
    """Once something was changed its row says that nothing is computed; whatever page shows it then, and in whatever
    session History is shown, the list has the verdict of now, beside the names of now.
    """
    tab = saved_tab()
    page(tab)
    assert told(row_of(tab)) == truth(tab)
    CHANGES[change](tab)
    row = row_of(tab)
    assert told(row) == (*truth(tab)[:3], "", None)
    assert (row.outcome, row.measure, row.lower, row.n) == (None, None, None, None)
    assert history_words.NOT_COMPUTED in listed_text(saving.store().listed())
    (history_page if name == "history" else partial(page, tab, name))()
    assert told(row_of(tab)) == truth(tab)
    cells = history_page().dataframe[0].value.iloc[0]
    now = row_of(tab)
    assert [*cells["outcome"]] == [f"{now.screen}: {now.tag}"]


def test_what_is_undone_renamed_or_exchanged_twice_has_its_result_again() -> None:
    """The same case is the same result: after undo, two swaps, another name, and in a duplicate."""
    tab = saved_tab()
    page(tab)
    before = row_of(tab)
    tab.edit(GRADE)
    assert row_of(tab).outcome is None
    tab(actions.undo)
    assert replace(row_of(tab), changed=before.changed) == before
    tab(actions.swap)
    tab(actions.swap)
    tab(actions.rename, "another name")
    tab(actions.rename, before.name, before.a, before.b)
    assert replace(row_of(tab), changed=before.changed) == before
    tab(actions.rename, "other", "x", "y")
    assert told(row_of(tab)) == ("other", "x", "y", before.tag, before.delta)
    copy = saving.store().duplicate(tab.id, name="copy")
    (row,) = (one for one in saving.store().listed().rows if one.id == copy)
    assert told(row) == ("copy", "x", "y", before.tag, before.delta)


def test_votes_alone_are_in_the_list_whatever_page_is_shown() -> None:
    """Their verdict is recorded where any page shows them, and again after a policy."""
    tab = Tab()
    tab(actions.open_votes, rd.read_votes({f"q{n}": "good" if n % 3 else "bad" for n in range(60)}))
    page(tab, "history")
    assert (row_of(tab).measure, row_of(tab).outcome) == ("ΔGSB", "LAUNCH")
    tab(actions.decide_by, rd.Policy(votes_mpe=0.9))
    assert row_of(tab).outcome is None
    page(tab, "verdict")
    assert row_of(tab).outcome == "TOO_SMALL"


def test_lists_say_what_the_verdict_page_says() -> None:
    """Where harm is possible the page says so in its tag, and so do History, the terminal and the decision."""
    kept = tuple(f"q{n},".encode() for n in range(15, 50, 5))  # so that three queries lose the document at rank 3
    lines = zip(*(run_csv(better).splitlines() for better in (False, True)), strict=True)
    mixed = b"\n".join(a if a.startswith(kept) else b for a, b in lines)
    tab = saved_tab(inputs().with_tables(b=rd.read_run(mixed, name="new")))
    tab(actions.decide_by, rd.Policy(guardrails=(("R@3", 0.01),)))
    at = decided(verdict_page(tab.id), reason="let us see", against=True)
    assert "possible harm" in [one.value for one in at.header]
    said = "No launch yet: possible harm"
    assert history_page().dataframe[0].value.iloc[0]["outcome"] == said
    assert said in listed_text(saving.store().listed())
    assert said in texts(verdict_page(tab.id))


def test_a_verdict_of_another_version_is_marked_in_lists() -> None:
    """What an older rankdash computed of this case stands there with its version, until its page is opened."""
    tab = saved_tab()
    verdict_page(tab.id)
    with saving.store().database.writing() as connection:
        connection.execute(sa.text("UPDATE result SET engine = '0.0.1', id = 'older'"))
    assert history_page().dataframe[0].value.iloc[0]["outcome"][0].endswith("(by rankdash 0.0.1)")
    verdict_page(tab.id)
    assert "0.0.1" not in history_page().dataframe[0].value.iloc[0]["outcome"]


def test_a_decision_says_what_was_changed_since() -> None:
    """On the page and in the list it says on what it was made, and what was done to that; undone, it says nothing."""
    tab = saved_tab()
    was = truth(tab)
    decided(verdict_page(tab.id))
    assert history_page().dataframe[0].value.iloc[0]["choice"] == "Launch"
    changes = [
        (lambda: tab.edit(GRADE), Since.EDITED),
        (lambda: tab(actions.undo), Since.SAME),
        (lambda: tab(actions.swap), Since.EXCHANGED),
        (lambda: tab(actions.swap), Since.SAME),
        (
            lambda: tab(actions.open_inputs, inputs().with_tables(b=inputs().a.renamed("third")), replacing=True),
            Since.REPLACED,
        ),
    ]
    for act, since in changes:
        act()
        word = history_words.SINCE[since]
        assert history_page().dataframe[0].value.iloc[0]["choice"] == (f"Launch ({word})" if word else "Launch")
        on_page = texts(verdict_page(tab.id))
        assert f"on saved version 1{f' ({word})' if word else ''}, whose verdict was “Launch: B is better”" in on_page
        assert "old → new: on saved version 1" in on_page
    (logged,) = saving.store().logged()
    assert (logged.decision.subject.model_a, logged.decision.subject.model_b) == was[1:3]
    assert delta_words(logged.decision.verdict["measure"], was[4]) in on_page


def test_the_launch_log_outlasts_the_comparison() -> None:
    """Names, verdict and numbers are those of the decision, whatever was done since: renamed, exchanged, deleted and
    erased, it stays in the file, which the page offers also where nothing else is left.
    """
    tab = saved_tab()
    was = truth(tab)
    decided(verdict_page(tab.id), by="Ada")
    (before,) = saving.store().logged()
    tab(actions.rename, "later", "x", "y")
    tab(actions.swap)
    (now,) = saving.store().logged()
    assert replace(now.decision, since=Since.SAME) == before.decision
    store = saving.store()
    store.delete(tab.id)
    assert store.expire(timedelta(0)) == 1
    (gone,) = store.logged()
    assert replace(gone.decision, since=Since.SAME) == before.decision
    assert (gone.decision.since, gone.is_in_force) == (Since.DELETED, True)
    assert [one.proto.id.endswith("launch_log") for one in history_page().get("download_button")] == [True]
    assert f"{was[0]},{was[1]},{was[2]}" in store.launch_log().decode().replace('"', "")


def test_on_a_shared_server_a_duplicate_and_the_log_belong_to_who_made_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A duplicate stands in the list of the browser that made it; its decisions stay in its log when it is erased."""
    monkeypatch.setenv("RANKDASH_SHARED", "1")
    tab = saved_tab()
    mine, store = tab(saving.listed), saving.store()
    at = app()
    put(at, browser=mine)
    at = history_page(at.run(), 0)
    at.button(key="history_duplicate").click().run()
    assert len(at.dataframe[0].value) == 2
    assert store.listed(Search(browser=mine)).total == 2
    assert store.listed(Search(browser="somebody else")).total == 0
    decided(verdict_page(tab.id))
    store.delete(tab.id)
    store.expire(timedelta(0))
    assert (len(store.logged(mine)), len(store.logged("somebody else"))) == (1, 0)


def test_a_reading_that_is_corrected_is_no_second_look() -> None:
    """The same file read in another way is the same data; another file is a further state."""
    tab = saved_tab()
    verdict_page(tab.id)
    other = inputs().with_tables(a=replace(inputs().a, ordered_by="position"))
    tab(actions.open_inputs, other, replacing=True, reread=True)
    assert tab(saving.times).looks == 1
    verdict_page(tab.id)
    tab(actions.open_inputs, other.with_tables(b=inputs().a.renamed("third")), replacing=True)
    assert tab(saving.times).looks == 2
