"""Several people with one saved comparison: each sees what the others did, and nothing that anybody did is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rankdash as rd
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import editing_parts
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.dashboard.session.saved import head, seen, shelf
from rankdash.edits import Edit
from rankdash.store import Decided, Observed, Search, Store, StoreError, comparison_of
from tests.dashboard.records import held, put
from tests.dashboard.saved_sessions import GRADE, MOVE, OTHER, Tab, home, saved_tab
from tests.dashboard.test_edit import typed
from tests.dashboard.test_history_page import decided, verdict_page
from tests.dashboard.test_naming import inputs
from tests.dashboard.test_not_saved import refused
from tests.dashboard.test_pages import texts

__all__ = ["home"]


def test_an_edit_in_one_tab_is_there_in_the_other_at_its_next_event() -> None:
    """Names, edits and policy of another session are taken over; the tables stay the same objects."""
    one = saved_tab()
    other = Tab(one.id)
    tables = other(open_comparison.uploaded).a.table
    one.edit(GRADE)
    one(actions.rename, "x", "one", "two")
    one(actions.decide_by, rd.Policy(primary="AP"))
    assert other(actions.refresh)
    assert other.shown == one.shown
    assert other(open_comparison.uploaded).a.table is tables
    assert not other(actions.refresh)


def test_two_who_edit_at_once_lose_nothing() -> None:
    """Edits, a name and a policy made without knowing of each other all stand, in both sessions."""
    one = saved_tab()
    other = Tab(one.id)
    one.edit(GRADE)
    one(actions.decide_by, rd.Policy(primary="AP"))
    other.edit(OTHER)
    other(actions.rename, "x", "one", "two")
    assert other(head.clashes) == ()
    one(actions.refresh)
    assert one.shown == other.shown
    assert set(one(session.now).history.edits) == {GRADE, OTHER}
    assert one(open_comparison.uploaded).names == {"name": "x", "a": "one", "b": "two"}
    assert one(session.now).policy.primary == "AP"


def test_a_file_that_is_replaced_beside_another_change_shows_both() -> None:
    """A name that somebody else gave meanwhile stands on the page that replaced a file, as in the link."""
    one = saved_tab()
    other = Tab(one.id)
    names = other(open_comparison.uploaded).names
    other(actions.rename, "spring", names["a"], names["b"])
    now = one(open_comparison.uploaded)
    newer = rd.read_run({"q1": ["d3", "d2", "d1"]}, name="newer")
    one(actions.open_inputs, now.with_tables(a=newer), replacing=True)
    assert one(open_comparison.uploaded).names["name"] == "spring"
    assert one(open_comparison.uploaded).names == Tab(one.id)(open_comparison.uploaded).names
    assert not one(actions.refresh)


@pytest.mark.parametrize("later", [False, True])
def test_who_replaces_a_file_is_asked_about_edits_that_this_took_back(later: bool) -> None:
    """A file that is replaced takes back the edits; where somebody else has changed one of them meanwhile, who replaced
    it is asked, as with any other change, and no verdict goes on record before there is an answer.
    """
    one = saved_tab()
    one.edit(GRADE)
    other = Tab(one.id)
    other.edit(replace(GRADE, before=3, after=1))
    newer = rd.read_run({"q1": ["d1-0", "d1-1"], "q2": ["d2-1"]}, name="newer")
    one(actions.open_inputs, one(open_comparison.uploaded).with_tables(a=newer), replacing=True)
    assert one.shown == Tab(one.id).shown
    (clash,) = one(head.clashes)
    assert (clash.earlier[-1].after, clash.later) == (1, ())
    assert one(session.now).owns_clashes
    now = one(open_comparison.current)
    one(verdicts.put_on_record, one(verdicts.opened, now))
    assert one(session.now).computed is None
    one(actions.settle, later)
    assert one(head.clashes) == ()
    assert [edit.after for edit in one(session.now).history.edits][-1:] == ([] if later else [1])
    assert Tab(one.id).shown == one.shown


def test_other_files_that_are_saved_late_show_what_others_did_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a replaced file is saved with a later event, that event says that what is open is another one now."""
    one = saved_tab()
    other = Tab(one.id)
    newer = rd.read_run({"q1": ["d1-0", "d1-1"], "q2": ["d2-1"]}, name="newer")
    with monkeypatch.context() as full:
        full.setattr(Store, "replace", refused)
        one(actions.open_inputs, one(open_comparison.uploaded).with_tables(a=newer), replacing=True)
    other(actions.rename, "spring", "one", "two")
    assert one(actions.refresh)
    assert one(open_comparison.uploaded).names["name"] == "spring"
    assert one.shown == Tab(one.id).shown
    assert not one(actions.refresh)


@pytest.mark.parametrize("turned", [False, True])
def test_an_edit_beside_those_of_somebody_else_is_computed_once(turned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed while somebody else edits is tried together with his edits, and not by itself before."""
    one = saved_tab()
    if turned:
        one(actions.swap)
    other = Tab(one.id)
    other.edit(replace(MOVE, side="b" if turned else "a"))
    computed: list[tuple[Edit, ...]] = []
    made = verdicts._made
    monkeypatch.setattr(verdicts, "_made", lambda found, *known: computed.append(found.edits) or made(found, *known))
    assert one(editing_parts.take_over, (GRADE,), in_place=True)
    assert set(one(session.now).history.edits) == {GRADE, replace(MOVE, side="b" if turned else "a")}
    assert computed == [one(session.now).history.edits]
    assert Tab(one.id).shown == one.shown


@pytest.mark.parametrize("mine", [False, True])
def test_two_who_edit_the_same_document_are_asked(mine: bool) -> None:
    """The later one is asked; either answer keeps everything else that both did."""
    one = saved_tab()
    other = Tab(one.id)
    one.edit(GRADE)
    other.edit(OTHER)
    other.edit(replace(GRADE, after=1))
    assert other(head.clashes) == (), "the tab knew of the first edit by its own second one"
    third = Tab(one.id)
    other.edit(replace(GRADE, before=1, after=2))
    third.edit(replace(GRADE, before=1, after=0), MOVE)
    found = third(head.clashes)
    assert [(clash.earlier[-1].after, clash.later[-1].after) for clash in found] == [(2, 0)]
    assert third(session.now).owns_clashes
    third(actions.settle, mine)
    assert third(head.clashes) == ()
    grades = {edit.doc_id: edit.after for edit in third(session.now).history.edits if edit.what == "grade"}
    assert grades == {"d1-0": 0 if mine else 2, "d2-1": 3}
    assert MOVE in third(session.now).history.edits
    assert Tab(one.id).shown == third.shown


def test_a_tab_closed_without_an_answer_has_lost_nothing() -> None:
    """Where both changed one document the later edit stands until somebody answers, the rest of both is kept, and the
    earlier edit is one undo away.
    """
    one = saved_tab()
    other = Tab(one.id)
    one.edit(GRADE)
    other.edit(replace(GRADE, after=1), MOVE)
    assert other(head.clashes)
    left = Tab(one.id)
    assert {(edit.doc_id, edit.what): edit.after for edit in left(session.now).history.edits} == {
        ("d1-0", "grade"): 1,
        ("d2-0", "rank"): 3,
    }
    left(lambda: actions.edit(session.now().history.undone()))
    assert left(session.now).history.edits == (GRADE,)


@pytest.mark.parametrize("later", [False, True])
def test_a_question_without_an_answer_is_asked_of_whoever_opens_the_comparison(later: bool) -> None:
    """A tab that is closed without an answer leaves the question: it is asked of whoever opens the comparison, until
    somebody answers; either answer ends it for everybody. Who had it open meanwhile goes on.
    """
    one = saved_tab()
    other = Tab(one.id)
    one.edit(GRADE)
    other.edit(replace(GRADE, after=1), MOVE)
    assert one(actions.refresh)
    assert one(head.clashes) == ()
    left = Tab(one.id)
    (clash,) = left(head.clashes)
    assert (clash.doc_id, clash.earlier[-1].after, clash.later[-1].after) == ("d1-0", 3, 1)
    assert not left(session.now).owns_clashes
    left(actions.settle, later)
    assert left(head.clashes) == ()
    found = Tab(one.id)
    assert found(head.clashes) == ()
    assert found.shown == left.shown
    stand = {edit.doc_id: edit.after for edit in found(session.now).history.edits}
    assert stand == {"d1-0": 1 if later else 3, "d2-0": 3}


@pytest.mark.parametrize("later", [False, True])
def test_of_two_answers_the_last_one_counts(later: bool) -> None:
    """Where two people are asked at once, whoever answers last has his way, unless the document was edited again."""
    one = saved_tab()
    other = Tab(one.id)
    one.edit(GRADE)
    other.edit(replace(GRADE, after=1))
    first, third = Tab(one.id), Tab(one.id)
    first(actions.settle, not later)
    other(actions.settle, later)
    assert other.shown == Tab(one.id).shown
    assert other(session.now).history.edits[-1].after == (1 if later else 3)
    assert Tab(one.id)(head.clashes) == ()
    fourth = Tab(one.id)
    fourth.edit(replace(GRADE, after=0))
    third(actions.settle, True)
    assert third(session.now).history.edits[-1].after == 0


def test_a_document_that_was_edited_again_is_not_asked_about() -> None:
    """Whoever edits or undoes what is in question has answered; A and B exchanged it is asked as before."""
    one = saved_tab()
    other = Tab(one.id)
    one.edit(MOVE)
    other.edit(replace(MOVE, after=2))
    assert other(head.clashes)
    one(actions.refresh)
    one(actions.swap)
    assert Tab(one.id)(head.clashes)
    one(lambda: actions.edit(session.now().history.undone()))
    assert Tab(one.id)(head.clashes) == ()
    one(lambda: actions.edit(session.now().history.redone()))
    assert Tab(one.id)(head.clashes)
    turned = Tab(one.id)
    turned(actions.settle, False)
    assert [(edit.side, edit.after) for edit in turned(session.now).history.edits] == [("b", 3)]


def test_a_look_of_another_comparison_counts_at_once() -> None:
    """The verdict warns of a look that another comparison of the pair added with the next event of any tab."""
    tab = saved_tab()

    def look(id: str) -> None:
        saved = shelf.store().load(id)
        comparison = comparison_of(saved.content, saved.state)
        shelf.store().seen(saved, comparison, rd.decide(comparison))

    look(tab.id)
    assert tab(seen.times).looks == 1
    look(saved_tab(replace(inputs(), judgments=rd.read_judgments({"q1": {"d1-0": 1}}))).id)
    assert tab(seen.times).looks == 2


def test_an_edit_beside_a_file_that_is_replaced_after_a_swap_stays_with_its_list() -> None:
    """A and B are names: where they are exchanged, and a file is replaced, what others edit meanwhile stays with the
    list that they edited.
    """
    one = saved_tab()
    one(actions.swap)
    other = Tab(one.id)
    other.edit(replace(MOVE, side="b"))
    wanted = other(verdicts.opened, other(open_comparison.current)).comparison.b
    graded = rd.read_judgments({"q1": {"d1-0": 2}, "q2": {"d2-0": 1, "d2-1": 0}})
    one(actions.open_inputs, one(open_comparison.uploaded).with_tables(judgments=graded), replacing=True)
    edited = one(verdicts.opened, one(open_comparison.current)).comparison.b
    assert (edited.name, edited.table) == (wanted.name, wanted.table)
    assert one(session.now).history.edits == (replace(MOVE, side="b"),)
    assert one.shown == Tab(one.id).shown


@pytest.mark.parametrize("turned", [False, True])
def test_two_who_replace_different_files_lose_neither(turned: bool) -> None:
    """One replaces a run, the other the judgments, of a comparison that was renamed, and exchanged: both stand."""
    one = saved_tab()
    one(actions.rename, "x", "one", "two")
    if turned:
        one(actions.swap)
    other = Tab(one.id)
    newer = rd.read_run({"q1": ["d1-0", "d1-1"], "q2": ["d2-1"]}, name="newer")
    graded = rd.read_judgments({"q1": {"d1-0": 2}, "q2": {"d2-0": 1, "d2-1": 0}})
    other(actions.open_inputs, other(open_comparison.uploaded).with_tables(a=newer), replacing=True)
    one(actions.open_inputs, one(open_comparison.uploaded).with_tables(judgments=graded), replacing=True)
    now = one(open_comparison.uploaded)
    assert (now.a.name, now.a.table.num_rows, now.judgments.table.num_rows) == ("newer", 3, 3)
    assert one.shown == Tab(one.id).shown


def test_undo_takes_back_ones_own_last_edit() -> None:
    """What somebody else did later stays, nobody is asked, and redo brings one's own edit back; in both sessions."""
    one = saved_tab()
    one.edit(GRADE)
    other = Tab(one.id)
    other.edit(OTHER)
    one(actions.take_back)
    assert one(session.now).turn is None
    assert one(session.now).history.edits == (OTHER,)
    other(actions.refresh)
    assert other.shown == one.shown
    other(actions.take_back, again=True)
    assert other(session.now).history.edits == (OTHER,), "what somebody else took back is asked about"
    assert not other(session.now).turn[1].is_own
    one(actions.take_back, again=True)
    assert set(one(session.now).history.edits) == {GRADE, OTHER}
    assert Tab(one.id).shown == one.shown


@pytest.mark.parametrize("with_theirs", [False, True])
def test_undo_of_what_somebody_else_changed_since_is_asked(with_theirs: bool) -> None:
    """Nothing changes before the answer: theirs stays, or both are taken back; what else they did stays anyhow."""
    one = saved_tab()
    one(actions.sign, "Ann")
    one.edit(GRADE)
    other = Tab(one.id)
    theirs = replace(GRADE, before=3, after=1)
    other.edit(theirs, OTHER)
    one(actions.take_back)
    again, turn = one(session.now).turn
    assert (again, turn.is_own, turn.step.who) == (False, True, "Ann")
    assert turn.documents == (("q1", "d1-0"),)
    assert Tab(one.id)(session.now).history.edits == (GRADE, theirs, OTHER)
    one(actions.answer_turn, with_theirs=with_theirs)
    assert one(session.now).turn is None
    assert set(one(session.now).history.edits) == ({OTHER} if with_theirs else {theirs, OTHER})
    assert Tab(one.id).shown == one.shown
    one(actions.take_back)
    assert one(session.now).turn is None or one(session.now).turn[1].is_own == with_theirs


def test_a_question_about_an_undo_is_asked_again_where_somebody_edits_meanwhile() -> None:
    """An answer is to what was shown; left alone, or with another comparison, the question is gone."""
    one = saved_tab()
    other = Tab(one.id)
    other.edit(GRADE)
    one(actions.take_back)
    before = one(session.now).turn
    other.edit(OTHER)
    one(actions.answer_turn)
    assert one(session.now).turn not in (None, before)
    assert Tab(one.id)(session.now).history.edits == (GRADE, OTHER)
    one(actions.answer_turn)
    assert Tab(one.id)(session.now).history.edits == (GRADE,)
    one(actions.take_back)
    one(actions.drop_turn)
    assert one(session.now).turn is None
    one(actions.take_back)
    one(actions.open_inputs, inputs(b="newer"))
    assert one(session.now).turn is None


def test_a_change_of_somebody_else_is_known_without_taking_it_over() -> None:
    """The newest number is asked for alone; what is open stays as it is, and one's own changes are none."""
    one = saved_tab()
    other = Tab(one.id)
    drawn = one(head.mark)
    assert not one(head.is_behind, drawn)
    one.edit(GRADE)
    assert not one(head.is_behind, drawn)
    assert other(head.is_behind, drawn)
    assert other(session.now).history.edits == ()
    assert other(actions.refresh)
    assert not other(head.is_behind, drawn)
    shelf.store().delete(one.id)
    assert not other(head.is_behind, drawn)


def test_what_somebody_else_put_on_record_is_known_too() -> None:
    """A decision, an online result and a tag are no revisions; whoever has the comparison open is told of them too."""
    one = saved_tab()
    other = Tab(one.id)
    drawn = other(head.mark)
    result = one(lambda: verdicts.shown(open_comparison.current()))
    shelf.store().decide(one.id, Decided("postponed", "Ada"), result)
    assert other(head.is_behind, drawn)
    drawn = other(head.mark)
    shelf.store().observe(one.id, Observed("Clicks (%)", "Ada", 0.4), revision=1)
    assert other(head.is_behind, drawn)
    drawn = other(head.mark)
    shelf.store().tag(one.id, "release")
    assert other(head.is_behind, drawn)
    drawn = other(head.mark)
    shelf.store().untag(one.id, "Release")
    assert other(head.is_behind, drawn)
    assert not other(head.is_behind, other(head.mark))


def test_a_list_that_somebody_else_changed_is_known() -> None:
    """A tag makes the list of the History page another one."""
    one = saved_tab()
    wanted = Search()
    drawn = shelf.store().listed(wanted)
    assert shelf.store().listed(wanted) == drawn
    shelf.store().tag(one.id, "release")
    assert shelf.store().listed(wanted) != drawn


def test_the_beginning_of_an_id_opens_a_comparison_where_everybody_may_list_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a server of several people it would be a way to guess what others have; there a link is whole."""
    one = saved_tab()
    assert Tab(one.id[:6]).id == one.id
    monkeypatch.setenv("RANKDASH_SHARED", "1")
    with pytest.raises(StoreError, match="There is no saved comparison"):
        Tab(one.id[:6])
    assert Tab(one.id).id == one.id


def test_who_wrote_a_decision_signs_later_edits() -> None:
    """The name is there when the next entry is made, and is told to who would take an edit of that browser back."""
    one = saved_tab()
    at = decided(verdict_page(one.id), by="Ada")
    at.button(key="decision_record").click().run()
    assert at.text_input(key="decision_by").value == "Ada"
    at.switch_page(SCRIPTS["edit"]).run()
    typed(at, "a", edited_rows={0: {"grade": 3}})
    assert [step.who for step in held(at).history.steps] == ["Ada"]
    one(actions.refresh)
    one(actions.take_back)
    asked = one(session.now).turn
    assert asked is not None
    assert (asked[1].is_own, asked[1].step.who) == (False, "Ada")
    shown = verdict_page(one.id)
    put(shown, turn=asked)
    assert "Ada" in texts(shown.run())
