"""Saved comparisons in sessions without a browser: nothing is lost, nothing is shown in the place of another one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import rankdash as rd
from rankdash import style
from rankdash.dashboard import demo
from rankdash.dashboard.parts.verdict_parts import thresholds
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts
from rankdash.style import history as history_words
from tests.browsed import judgments_csv, votes_csv
from tests.dashboard.saved_sessions import GRADE, MOVE, OTHER, Tab, home, saved_tab
from tests.dashboard.test_naming import inputs, renamed
from tests.dashboard.test_pages import texts, verdict_page

__all__ = ["home"]


def test_what_is_opened_is_there_in_another_session() -> None:
    """The id opens names, tables, edits and policy as they were left, whatever was done before it."""
    tab = saved_tab()
    assert Tab(tab.id).shown == tab.shown
    for act in (
        lambda: tab(actions.rename, "**x**", "one", "two"),
        lambda: tab.edit(GRADE),
        lambda: tab(actions.swap),
        lambda: tab.edit(replace(MOVE, side="b")),
        lambda: tab(actions.decide_by, rd.Policy(primary="AP")),
        lambda: tab(actions.rename, "y", "three", "four"),
        lambda: tab(actions.swap),
    ):
        act()
        assert tab(session.now).problem == ""
        assert Tab(tab.id).shown == tab.shown


def test_undo_goes_back_to_the_case_before_and_begins_anew_with_the_session() -> None:
    """Edits are taken back and done again one by one, through an exchange of A and B and other names; what is saved is
    what is shown. A new session has nothing to undo, and takes single edits back.
    """
    tab = saved_tab()
    shown = [tab.shown]
    for edit in (GRADE, MOVE, OTHER):
        tab.edit(edit)
        shown.append(tab.shown)
    for before in shown[-2::-1]:
        tab(actions.undo)
        assert tab.shown == Tab(tab.id).shown == before
    for after in shown[1:]:
        tab(actions.redo)
        assert tab.shown == after
    tab(actions.swap)
    tab(actions.rename, "x", "one", "two")
    tab(actions.undo)
    assert tab(open_comparison.edits) == (GRADE, replace(MOVE, side="b"))
    tab(actions.edit, ())
    assert Tab(tab.id)(open_comparison.edits) == ()
    tab(actions.undo)
    other = Tab(tab.id)
    other(actions.undo)
    assert other(open_comparison.edits) == (GRADE, replace(MOVE, side="b"))
    other(actions.edit, other(open_comparison.edits)[1:])
    assert Tab(tab.id)(open_comparison.edits) == (replace(MOVE, side="b"),)


def test_other_files_are_another_revision_of_the_same_comparison() -> None:
    """The id stays where a file is replaced; another tab takes the tables over."""
    one = saved_tab()
    other, before = Tab(one.id), one.id
    one.edit(GRADE)
    newer = inputs().with_tables("newer", a=inputs().b, b=inputs().a.renamed("x"))
    one(actions.open_inputs, newer, replacing=True)
    assert one.id == before
    other(actions.refresh)
    assert other.shown == one.shown
    assert Tab(one.id).shown == one.shown
    assert one(open_comparison.current).edits == ()


def test_the_demo_has_no_record_until_somebody_changes_it(home: Path) -> None:
    """Looked at it needs none; turned around, renamed, edited or under another policy it is saved."""
    tab = Tab()
    tab(actions.open_inputs, tab(demo.case))
    assert tab(session.now).saved is None
    tab(actions.swap)
    tab(actions.rename, "x", "one", "two")
    assert tab(session.now).saved is not None
    assert Tab(tab.id).shown == tab.shown


def test_an_unknown_id_says_so_and_shows_no_verdict() -> None:
    """A link that nothing is saved under is told in a sentence; the demo's verdict is not shown in its place."""
    at = verdict_page("nothing")
    assert at.header[0].value == history_words.CANNOT_OPEN
    assert style.DEMO_BADGE not in texts(at)
    at.button(key="open_demo").click().run()
    assert style.DEMO_NAMES["search"] in texts(at)


def test_the_link_to_a_deleted_comparison_brings_it_back() -> None:
    """Also in a browser that has not deleted it."""
    tab = saved_tab()
    saving.store().delete(tab.id)
    at = verdict_page(tab.id)
    assert at.header[0].value == history_words.CANNOT_OPEN
    at.button(key="bring_back").click().run()
    assert Tab(tab.id).shown == tab.shown
    assert history_words.CANNOT_OPEN not in [header.value for header in at.header]


def test_votes_without_lists_are_renamed() -> None:
    """They are called by the models that they name until somebody names them, on the page of their link and in
    lists.
    """
    tab = Tab()
    tab(actions.open_votes, rd.read_votes(votes_csv("base,tuned"), pair=("base", "tuned")))
    assert tab(session.now).saved.state.title == "base → tuned"
    at = renamed(verdict_page(tab.id), name="**Votes** of May")
    assert "**Votes** of May" in texts(at)
    again = Tab(tab.id)
    assert again(session.now).saved.state.title == "**Votes** of May"
    assert [row.name for row in saving.store().listed().rows] == ["**Votes** of May"]
    again(actions.decide_by, rd.Policy(votes_min=30))
    assert Tab(tab.id)(session.now).saved.state.title == "**Votes** of May"


def test_an_answer_is_no_change_of_the_policy_and_another_answer_is() -> None:
    """A comparison that was opened without the form asks on the verdict page: the first answer is not stamped as a
    policy that was changed after results were seen, a later other one is, here and in every later session. About other
    judgments of the same lists the question is a new one.
    """
    tab = saved_tab(replace(inputs(), judgments=rd.read_judgments(judgments_csv().replace(b",0", b",1"))))
    answers = [policy for _, policy in thresholds((1, 2), rd.Policy())]
    for policy, stamped in ((None, False), (answers[1], False), (answers[0], True), (answers[1], False)):
        if policy is not None:
            tab(actions.decide_by, policy)
        tab(lambda: verdicts.put_on_record(open_comparison.current()))
        for one in (tab, Tab(tab.id)):
            one(open_comparison.saw_results)
            assert one(session.now).has_changed_policy is stamped
    others = rd.read_judgments(judgments_csv().replace(b",0", b",3"))
    tab(actions.open_inputs, replace(inputs(), judgments=others), policy=answers[0])
    tab(open_comparison.saw_results)
    assert not tab(session.now).has_changed_policy


def test_the_demo_is_seen_first_under_the_defaults() -> None:
    """It is saved when its policy is changed: every session that opens it stamps that change, and not the way back."""
    tab = Tab()
    tab(open_comparison.current)
    tab(open_comparison.saw_results)
    for policy in (rd.Policy(cutoff=7), rd.Policy()):
        tab(actions.decide_by, policy)
        tab(lambda: verdicts.put_on_record(open_comparison.current()))
        for one in (tab, Tab(tab.id)):
            assert one(session.now).has_changed_policy is (policy != rd.Policy())
