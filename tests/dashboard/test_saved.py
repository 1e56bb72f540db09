"""Saved comparisons in sessions without a browser: nothing is lost, nothing is shown in the place of another one, also
where several people have one open, or nothing can be saved.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

import rankdash as rd
from rankdash import style
from rankdash.dashboard import demo
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts.verdict_parts import thresholds
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts
from rankdash.store import Settings, Store, StoreError
from rankdash.style import history as history_words
from tests.browsed import judgments_csv, votes_csv
from tests.dashboard.records import put
from tests.dashboard.saved_sessions import GRADE, MOVE, OTHER, Tab, saved_tab
from tests.dashboard.test_naming import inputs, opened, renamed
from tests.dashboard.test_pages import app, texts, verdict_page

pytestmark = pytest.mark.usefixtures("home")


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


def test_the_demo_has_no_record_until_somebody_changes_it() -> None:
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
