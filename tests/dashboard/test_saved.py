"""Saved comparisons in sessions without a browser: nothing is lost, nothing is shown in the place of another one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import rankdash as rd
from rankdash import style
from rankdash.dashboard.kit import content_cache
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.pages.edit import editor
from rankdash.dashboard.session import actions, edit_state, policy_state, state
from rankdash.dashboard.session.inputs import Inputs
from rankdash.dashboard.session.saved import head, seen, shelf
from rankdash.edits import Edit
from rankdash.store import Settings, Store, StoreError, comparison_of, scored, words
from rankdash.style import reading, saving
from tests.dashboard.saved_sessions import GRADE, MOVE, OTHER, Tab, home, saved_tab
from tests.dashboard.test_naming import inputs, opened, renamed
from tests.dashboard.test_pages import app, texts

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
        assert tab(head.problem) == ""
        assert Tab(tab.id).shown == tab.shown


def test_undo_and_redo_survive_the_session() -> None:
    """What was undone can be redone elsewhere, and what was done undone."""
    tab = saved_tab()
    tab.edit(GRADE)
    tab.edit(OTHER)
    tab(lambda: actions.edit(edit_state.history().undone()))
    other = Tab(tab.id)
    assert other.shown == tab.shown
    assert other(edit_state.history) == tab(edit_state.history)
    other(lambda: actions.edit(edit_state.history().redone()))
    assert Tab(tab.id)(edit_state.history).edits == (GRADE, OTHER)


def test_an_edit_in_one_tab_is_there_in_the_other_at_its_next_event() -> None:
    """Names, edits and policy of another session are taken over; the tables stay the same objects."""
    one = saved_tab()
    other = Tab(one.id)
    tables = other(state.uploaded).a.table
    one.edit(GRADE)
    one(actions.rename, "x", "one", "two")
    one(actions.decide_by, rd.Policy(primary="AP"))
    assert other(actions.refresh)
    assert other.shown == one.shown
    assert other(state.uploaded).a.table is tables
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
    assert set(one(edit_state.history).edits) == {GRADE, OTHER}
    assert one(state.uploaded).names == {"name": "x", "a": "one", "b": "two"}
    assert one(policy_state.policy).primary == "AP"


@pytest.mark.parametrize("turned", [False, True])
def test_an_edit_beside_those_of_somebody_else_is_computed_once(turned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed while somebody else edits is tried together with his edits, and not by itself before."""
    one = saved_tab()
    if turned:
        one(actions.swap)
    other = Tab(one.id)
    other.edit(replace(MOVE, side="b" if turned else "a"))
    computed: list[tuple[Edit, ...]] = []
    made = state._made
    monkeypatch.setattr(state, "_made", lambda found, *known: computed.append(found.edits) or made(found, *known))
    assert one(editor.take_over, (GRADE,), in_place=True)
    assert set(one(edit_state.history).edits) == {GRADE, replace(MOVE, side="b" if turned else "a")}
    assert computed == [one(edit_state.history).edits]
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
    assert third(head.is_own_clash)
    third(actions.settle, mine)
    assert third(head.clashes) == ()
    grades = {edit.doc_id: edit.after for edit in third(edit_state.history).edits if edit.what == "grade"}
    assert grades == {"d1-0": 0 if mine else 2, "d2-1": 3}
    assert MOVE in third(edit_state.history).edits
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
    assert {(edit.doc_id, edit.what): edit.after for edit in left(edit_state.history).edits} == {
        ("d1-0", "grade"): 1,
        ("d2-0", "rank"): 3,
    }
    left(lambda: actions.edit(edit_state.history().undone()))
    assert left(edit_state.history).edits == (GRADE,)


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
    assert not left(head.is_own_clash)
    left(actions.settle, later)
    assert left(head.clashes) == ()
    found = Tab(one.id)
    assert found(head.clashes) == ()
    assert found.shown == left.shown
    stand = {edit.doc_id: edit.after for edit in found(edit_state.history).edits}
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
    assert other(edit_state.history).edits[-1].after == (1 if later else 3)
    assert Tab(one.id)(head.clashes) == ()
    fourth = Tab(one.id)
    fourth.edit(replace(GRADE, after=0))
    third(actions.settle, True)
    assert third(edit_state.history).edits[-1].after == 0


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
    one(lambda: actions.edit(edit_state.history().undone()))
    assert Tab(one.id)(head.clashes) == ()
    one(lambda: actions.edit(edit_state.history().redone()))
    assert Tab(one.id)(head.clashes)
    turned = Tab(one.id)
    turned(actions.settle, False)
    assert [(edit.side, edit.after) for edit in turned(edit_state.history).edits] == [("b", 3)]


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
        assert tab(seen.looks) == 1
        tab(seen.older)
        assert tab(head.problem) == "The disk is full."
    other.edit(OTHER)
    assert tab(actions.refresh)
    assert tab(head.problem) == ""
    assert set(Tab(tab.id)(edit_state.history).edits) == {GRADE, OTHER}


@pytest.mark.parametrize("turned", [False, True])
def test_other_files_that_could_not_be_saved_are_saved_later(turned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where files were exchanged on a full disk, "Save now" saves these files, whatever was done to them since."""
    tab = saved_tab()
    newer = replace(inputs(), a=rd.read_run({f"q{i}": {f"d{i}-1": 1.0} for i in range(1, 4)}, name="newer"))
    with monkeypatch.context() as full:
        full.setattr(Store, "replace", refused)
        full.setattr(Store, "save", refused)
        tab(lambda: actions.open_inputs(newer, replacing=True))
        tab.edit(GRADE)
        if turned:
            tab(actions.swap)
        assert tab(head.problem)
    tab(actions.save_again)
    assert tab(head.problem) == ""
    assert Tab(tab.id).shown == tab.shown
    assert tab.shown[1][1 if turned else 0].num_rows == 3


def test_votes_keep_the_name_that_they_were_saved_under() -> None:
    """A policy for votes alone leaves their comparison its name."""
    votes = rd.read_votes([{"query_id": f"q{q}", "vote": "good"} for q in range(9)])
    id = rd.save(rd.compare_votes(votes), name="Votes of May")
    tab = Tab(id)
    tab(actions.decide_by, rd.Policy(mpe=0.02))
    assert shelf.store().load(id).state.name == "Votes of May"


def test_a_look_of_another_comparison_counts_at_once() -> None:
    """The verdict warns of a look that another comparison of the pair added with the next event of any tab."""
    tab = saved_tab()

    def look(id: str) -> None:
        saved = shelf.store().load(id)
        comparison = comparison_of(saved.content, saved.state)
        shelf.store().seen(saved, comparison, rd.decide(comparison))

    look(tab.id)
    assert tab(seen.looks) == 1
    look(saved_tab(replace(inputs(), judgments=rd.read_judgments({"q1": {"d1-0": 1}}))).id)
    assert tab(seen.looks) == 2


def test_other_files_are_another_revision_of_the_same_comparison() -> None:
    """The id stays where a file is replaced; another tab takes the tables over."""
    one = saved_tab()
    other, before = Tab(one.id), one.id
    one.edit(GRADE)
    newer = replace(inputs(), name="newer", a=inputs().b, b=inputs().a.renamed("x"))
    one(actions.open_inputs, newer, replacing=True)
    assert one.id == before
    other(actions.refresh)
    assert other.shown == one.shown
    assert Tab(one.id).shown == one.shown
    assert one(state.current).edits == ()


def test_the_demo_has_no_record_until_somebody_changes_it(home: Path) -> None:
    """Looked at, turned around or renamed it stands in the link; with an edit or a policy it is saved."""
    tab = Tab()
    demo = tab(state.demo_inputs)
    tab(state.put, demo, turned=False)
    tab(actions.swap)
    tab(actions.rename, "x", "one", "two")
    assert tab(head.now) is None
    tab(actions.decide_by, rd.Policy(primary="AP"))
    assert tab(head.now) is not None
    assert Tab(tab.id).shown == tab.shown


def test_a_link_opens_the_comparison_on_the_pages() -> None:
    """The page of a link shows the names, the verdict and the badge of the saved comparison, edits included."""
    tab = saved_tab()
    tab.edit(GRADE)
    at = app()
    at.query_params["comparison"] = tab.id
    at.run()
    assert not at.exception
    assert "old → **B** new" in texts(at)
    assert at.query_params["comparison"] == tab.id
    renamed(at, b="**newest**")
    assert Tab(tab.id)(state.uploaded).b.name == "**newest**"


def test_a_note_is_saved_and_stands_on_every_page() -> None:
    """What is typed beside the names is there in another session, letter for letter; the demo has none yet."""
    tab = saved_tab()
    at = app()
    at.query_params["comparison"] = tab.id
    renamed(at.run(), note="**why** we ask")
    assert not at.exception
    assert tab(actions.refresh)
    assert tab(head.note) == "**why** we ask"
    tab.edit(GRADE)
    for page in ("verdict", "edit", "history"):
        at.switch_page(SCRIPTS[page]).run()
        assert "**why** we ask" in texts(at)
    assert Tab(tab.id)(head.note) == "**why** we ask"
    at = app().run()
    at.button(key="rename").click().run()
    assert not at.text_area


def test_an_unknown_id_says_so_and_shows_no_verdict() -> None:
    """A link that nothing is saved under is told in a sentence; the demo's verdict is not shown in its place."""
    at = app()
    at.query_params["comparison"] = "nothing"
    at.run()
    assert not at.exception
    assert at.header[0].value == saving.CANNOT_OPEN
    assert style.DEMO_BADGE not in texts(at)
    at.button(key="open_demo").click().run()
    assert not at.exception
    assert style.DEMO_NAME in texts(at)


def test_a_server_that_saves_nothing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With RANKDASH_STORE=off a link to a saved comparison says why it is not open, and a badge what is lost."""
    tab = saved_tab()
    monkeypatch.setenv("RANKDASH_STORE", "off")
    at = app()
    at.query_params["comparison"] = tab.id
    at.run()
    assert at.header[0].value == saving.CANNOT_OPEN
    assert "RANKDASH_STORE=off" in texts(at)
    assert saving.OFF in texts(opened())


def test_a_store_that_can_only_be_read_is_shown_and_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a colleague may only read is listed and opened, with a sentence that nothing is saved; an edit goes on in
    memory, and says so; a page that is only looked at is no failed attempt to save.
    """
    tab = saved_tab()
    database = Store.open(Settings.from_environment()).database

    def refuse() -> None:
        raise StoreError(words.READ_ONLY.format(where=database.where))

    monkeypatch.setattr(type(database), "read_only", True)
    monkeypatch.setattr(database, "writing", refuse)
    at = app()
    at.query_params["comparison"] = tab.id
    at.run()
    sentence = saving.READ_ONLY.format(where=home / "rankdash.sqlite")
    for page in ("verdict", "queries", "edit", "history"):
        at.switch_page(SCRIPTS[page]).run()
        assert not at.exception
        assert sentence in texts(at)
        assert "save_again" not in [button.key for button in at.button]
    at = app().run()
    assert sentence not in texts(at)
    at.switch_page(SCRIPTS["history"]).run()
    assert sentence in texts(at)
    assert at.dataframe
    other = Tab(tab.id)
    other.edit(GRADE)
    assert other(state.current).edits == (GRADE,)
    assert "may not write" in other(head.problem)
    assert "stays open in memory" in other(head.problem)


def test_what_cannot_be_saved_is_said_and_saved_later(home: Path) -> None:
    """Where the folder cannot be written the comparison goes on in memory, and one click saves all of it later."""
    home.write_text("a file stands where the folder should be")
    tab = Tab()
    tab(actions.open_inputs, inputs())
    tab.edit(GRADE)
    assert tab(head.now) is None
    assert tab(head.problem)
    assert tab(state.current).edits == (GRADE,)
    home.unlink()
    shelf._failed.clear()
    tab(actions.save_again)
    assert tab(head.problem) == ""
    assert Tab(tab.id).shown == tab.shown


def test_a_comparison_deleted_elsewhere_goes_on_in_memory() -> None:
    """Its tab says that it was deleted, keeps what is open, and can save it as a comparison of its own."""
    tab = saved_tab()
    gone = tab.id
    shelf.store().delete(gone)
    tab.edit(GRADE)
    assert "deleted" in tab(head.problem)
    assert tab(state.current).edits == (GRADE,)
    with pytest.raises(Exception, match="deleted"):
        Tab(gone)
    tab(actions.save_as_new)
    assert tab.id != gone
    assert Tab(tab.id).shown == tab.shown


def test_votes_without_lists_are_saved_too() -> None:
    """Votes alone come back as votes alone, with their policy."""
    votes = rd.read_votes({f"q{n}": "good" for n in range(40)})
    tab = Tab()
    tab(actions.open_votes, votes)
    tab(actions.decide_by, rd.Policy(votes_min=30))
    again = Tab(tab.id)
    found = again(state.votes_alone)
    assert found.table == votes.table
    assert found.source == votes.source
    assert again(policy_state.policy) == rd.Policy(votes_min=30)


def test_another_comparison_begins_under_an_id_of_its_own() -> None:
    """Opening files leaves the record of the comparison before as it was left."""
    tab = saved_tab()
    tab.edit(GRADE)
    first, before = tab.id, tab.shown
    tab(actions.open_inputs, inputs(b="newer"))
    assert tab.id != first
    assert Tab(first).shown == before


def test_a_page_of_a_saved_comparison_keeps_its_policy_in_the_link() -> None:
    """Where the comparison is saved no page says that the policy stays in this tab."""
    tab = saved_tab()
    tab(actions.decide_by, rd.Policy(primary="AP"))
    at = app()
    at.query_params["comparison"] = tab.id
    at.run()
    assert "policy_save" not in [button.key for button in at.get("download_button")]


def test_a_large_comparison_opens_without_putting_its_lists_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once its verdict was shown, it is opened from what that read, edits and A and B exchanged included; all that the
    verdict page shows is the same, and another edit is computed.
    """
    monkeypatch.setattr(scored, "ROWS", 0)
    tab = saved_tab()
    tab.edit(GRADE, MOVE)
    tab(actions.swap)

    def show() -> None:
        shown = state.current()
        assert shown is not None
        seen.keep_values(shown, state.opened(shown).comparison)

    tab(show)
    seen._WRITER.submit(lambda: None).result()
    computed = tab(lambda: state.opened(state.current()))
    content_cache.RESULTS.clear()
    other = Tab(tab.id)
    found = other(lambda: state.opened(state.current()))
    assert found is not computed
    assert (found.verdict, found.tops) == (computed.verdict, computed.tops)
    assert not any(one._made for one in found.comparison.joined.by_side.values())
    assert found.comparison.to_dict() == computed.comparison.to_dict()
    assert found.lists(0) == computed.lists(0)
    other.edit(OTHER)
    content_cache.RESULTS.clear()
    again = Tab(tab.id)(lambda: state.opened(state.current()))
    assert again.comparison.to_dict() == other(lambda: state.opened(state.current())).comparison.to_dict()
    assert any(one._made for one in again.comparison.joined.by_side.values())


def test_a_file_that_is_not_in_the_tab_any_more_is_told() -> None:
    """Where a saved comparison was opened by its link, the Data page says why a reading is not corrected."""
    runs = [rd.read_run(f"q1 Q0 d1 1 {score} m\n".encode(), name=name) for name, score in (("old", 1), ("new", 2))]
    tab = saved_tab(Inputs("x", *runs, rd.read_judgments(b"q1 0 d1 1\n")))
    at = app()
    at.query_params["comparison"] = tab.id
    at.run().switch_page(SCRIPTS["data"]).run()
    assert not at.exception
    assert texts(at).count(reading.NOT_IN_TAB) == 3
