"""Any sequence of what people do in sessions on one server ends where a fresh process begins."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as given
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import rankdash as rd
from rankdash.dashboard.host import results
from rankdash.dashboard.new import uploads
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.edits import Edit
from rankdash.scoring import compare_joined, join
from tests.long import every
from tests.truth import sessions
from tests.truth.scale import done, scaled
from tests.truth.sessions import POLICIES, RUNS, STARTS, VIEWS, Session, judgments, run, start

_QUERY = given.integers(0, sessions.QUERIES).map("q{}".format)
_DOCUMENT = given.integers(0, sessions.DOCUMENTS).map("d{}".format)
_SIDE = given.sampled_from("ab")
_RANK = given.integers(1, 6)
#: A session of two: most things happen in the first.
_WHO = given.sampled_from((0, 0, 0, 1))
#: So many results of sequences before are kept for those that follow: thousands of sequences run in one process.
_MOST_KEPT = 600


class Sessions(RuleBasedStateMachine):
    """Two sessions of one server, which share everything that is kept."""

    verdict, begins_with = True, "default"

    def __init__(self) -> None:
        super().__init__()
        self.kinds = ("files", "files")
        self.sessions: dict[int, Session] = {}
        self.changed: set[int] = set()  # sessions in which something was done since they were looked at

    @initialize(kinds=given.tuples(given.sampled_from(STARTS), given.sampled_from(STARTS)))
    def first(self, kinds: tuple[str, str]) -> None:
        """The first has something open; the second is opened when something happens there."""
        self.kinds = kinds
        self.of(0)

    def of(self, who: int) -> Session:
        """The session in which something happens."""
        self.changed.add(who)
        if who not in self.sessions:
            self.sessions[who] = Session()
            self.sessions[who].open(start(self.kinds[who]))
            self.sessions[who].decide_by(POLICIES[self.begins_with])
        return self.sessions[who]

    @rule(who=_WHO, kind=given.sampled_from(STARTS))
    def open(self, who: int, kind: str) -> None:
        """Opens something else."""
        self.of(who).open(start(kind))

    @rule(who=_WHO, side=_SIDE, name=given.sampled_from((*RUNS, "dict1")))
    def replace_run(self, who: int, side: str, name: str) -> None:
        """Drops a newer run, unless nothing would say then what is relevant."""
        session = self.of(who)
        if uploads._graded(session.inputs.with_tables(**{side: run(name)})):
            session.replace_file(**{side: run(name)})

    @rule(who=_WHO, name=given.sampled_from(sessions.JUDGMENTS))
    def replace_judgments(self, who: int, name: str) -> None:
        """Drops newer judgments."""
        self.of(who).replace_file(judgments=judgments(name))

    @rule(who=_WHO, name=given.sampled_from(RUNS), order=given.sampled_from(sessions.ORDERS))
    def correct(self, who: int, name: str, order: str) -> None:
        """Reads a file that is open in another way."""
        table = run(name, order)
        open_ = self.of(who).inputs
        for side in "ab":
            if getattr(open_, side).source.sha256 == table.source.sha256:
                self.of(who).correct(side, table)
                return

    @rule(who=_WHO)
    def swap(self, who: int) -> None:
        """Exchanges A and B."""
        self.of(who).swap()

    @rule(who=_WHO, names=given.lists(given.sampled_from(("x", "y", "z", "run")), min_size=3, max_size=3, unique=True))
    def rename(self, who: int, names: list[str]) -> None:
        """Gives the comparison and both models other names."""
        self.of(who).rename(*names)

    @rule(who=_WHO, query=_QUERY, document=_DOCUMENT, grade=given.sampled_from((None, 0, 0.1234567, 1, 2, 3)))
    def grade(self, who: int, query: str, document: str, grade: float | None) -> None:
        """Gives a document a grade, or takes it away."""
        side = "a" if self.of(who).inputs.name == "typed" else None
        self.of(who).edit(Edit(query, document, "grade", side, None, grade))

    @rule(who=_WHO, query=_QUERY, document=_DOCUMENT, side=_SIDE, rank=_RANK)
    def move(self, who: int, query: str, document: str, side: str, rank: int) -> None:
        """Moves a document in one list."""
        self.of(who).edit(Edit(query, document, "rank", side, 1, rank))

    @rule(who=_WHO, query=_QUERY, document=_DOCUMENT, side=_SIDE, rank=_RANK)
    def add(self, who: int, query: str, document: str, side: str, rank: int) -> None:
        """Adds a document to one list."""
        self.of(who).edit(Edit(query, document, "add", side, None, rank))

    @rule(who=_WHO, query=_QUERY, document=_DOCUMENT, side=_SIDE)
    def remove(self, who: int, query: str, document: str, side: str) -> None:
        """Removes a document from one list."""
        self.of(who).edit(Edit(query, document, "remove", side, 1, None))

    @rule(who=_WHO)
    def undo(self, who: int) -> None:
        """Takes the last step back."""
        self.of(who).undo()

    @rule(who=_WHO)
    def redo(self, who: int) -> None:
        """Does the step again that was taken back."""
        self.of(who).redo()

    @rule(who=_WHO, name=given.sampled_from(sorted(POLICIES)))
    def decide_by(self, who: int, name: str) -> None:
        """Puts another policy in force."""
        self.of(who).decide_by(POLICIES[name])

    @rule(who=_WHO, view=given.sampled_from(VIEWS))
    def look(self, who: int, view: tuple[str, int | None, str]) -> None:
        """What a session shows fills what all of them share, and is what a fresh process shows."""
        session = self.of(who)
        shown, truth = (tell(view, verdict=self.verdict) for tell in (session.shown, session.truth))
        for name in truth:
            assert shown[name] == truth[name], name
        session.saved_edits_fit()
        if self.verdict:
            session.saved_lists_are_the_same()
        self.changed.discard(who)
        done("states of sessions held against a fresh process")

    def teardown(self) -> None:
        """Whatever was done: both sessions show the truth."""
        for who in sorted(self.changed):
            self.look(who, VIEWS[0])
        if len(results.RESULTS) > _MOST_KEPT:
            results.RESULTS.clear()
        done(f"sequences of sessions{'' if self.verdict else ', numbers alone'}")


class Numbers(Sessions):
    """The same without the verdict on the numbers, which takes longest and reads nothing else."""

    verdict, begins_with = False, "one measure"


#: What is run, how many sequences of at most how many steps, in how many parts: workers share them.
_LONG, _SHORT = (Sessions, 2, 8, 2), (Numbers, 48, 5, 4)
_PARTS = [
    (kind, number // parts, steps, part) for kind, number, steps, parts in (_LONG, _SHORT) for part in range(parts)
]


@pytest.mark.parametrize(("machine", "sequences", "steps", "part"), _PARTS)
def test_any_sequence_in_two_sessions_ends_where_a_fresh_process_begins(
    machine: type[Sessions], sequences: int, steps: int, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, notes, every number, verdict, charts, rows and files are those of the final files, edits and policy."""
    results.RESULTS.clear()
    if not machine.verdict:
        monkeypatch.setattr(verdicts, "decide", lambda comparison: None)
    own = type(f"{machine.__name__}{part}", (machine,), {})  # hypothesis draws other sequences for another name
    run_state_machine_as_test(
        own, settings=settings(max_examples=scaled(sequences), stateful_step_count=steps, deadline=None)
    )
    results.RESULTS.clear()


def _same(session: Session) -> None:
    fresh = session.fresh()
    for view in VIEWS:
        verdict = view == VIEWS[0]  # no view touches it
        assert session.shown(view, verdict=verdict) == session.truth(view, fresh, verdict=verdict)


@pytest.fixture
def session() -> Session:
    """A session that has looked at two files."""
    results.RESULTS.clear()
    found = Session()
    found.open(start("files"))
    for view in VIEWS:
        found.shown(view, verdict=False)
    return found


@pytest.mark.parametrize("side", every(2, ["a", "b"]))
def test_a_file_that_is_replaced_after_a_swap_is_what_counts(session: Session, side: str) -> None:
    """Swap, then drop a newer run: every number is that of the newer run, in this session and in the next."""
    session.swap()
    _same(session)
    session.replace_file(**{side: run("r2")})
    _same(session)
    other = Session()
    other.open(replace(session.inputs))
    _same(other)


def test_a_file_that_is_read_anew_after_a_swap_is_what_counts(session: Session) -> None:
    """Swap, then correct what orders a run: its lists are in the corrected order."""
    session.swap()
    _same(session)
    before = session.shown(VIEWS[0])["scores"]
    session.correct("b", run("r0", "rank"))
    _same(session)
    assert session.shown(VIEWS[0])["scores"] != before


@pytest.mark.long
def test_a_moved_document_of_a_tied_list_follows_the_convention_in_force(session: Session) -> None:
    """Equal scores stand as the policy's convention says also in a list with an edit, whatever was in force before."""
    for query in range(sessions.QUERIES):
        session.edit(Edit(f"q{query}", f"d{query}", "rank", "a", 3, 2), Edit(f"q{query}", "d7", "add", "b", None, 1))
    _same(session)
    before = session.shown(VIEWS[0])["scores"]
    session.decide_by(POLICIES["ascending"])
    _same(session)
    assert session.shown(VIEWS[0])["scores"] != before


def test_a_moved_document_makes_a_list_of_ranks_under_every_convention(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edited list has no ties any more, whatever convention it is viewed under: on the page, in the saved lists read
    back, replayed from the saved edits, and in a fresh process.
    """
    monkeypatch.setattr(verdicts, "decide", lambda comparison: None)
    for name in POLICIES:
        session = Session()
        session.open(start("files"))
        session.decide_by(POLICIES[name])
        for query in ("q0", "q1"):
            session.edit(Edit(query, "d0", "rank", "a", 3, 2), Edit(query, "d7", "add", "a", None, 1))
        session.saved_lists_are_the_same()
        session.saved_edits_fit()
        assert session.shown(VIEWS[1], verdict=False) == session.truth(VIEWS[1], verdict=False)
        with session.here():
            now = open_comparison.current()
            assert now is not None
            comparison = verdicts.opened(now).comparison
        values = comparison.joined.scores("a", [rd.parse_measure("AP@3", each) for each in sessions.CONVENTIONS])
        assert (values[:, :2] == values[:1, :2]).all()
        assert not (values == values[:1]).all()  # the others are tied still
    results.RESULTS.clear()


def test_an_edited_comparison_bears_the_names_of_its_own_session(session: Session) -> None:
    """Renamed while edits are in force it has the new names, and another session with the same files has its own."""
    grade = Edit("q1", "d1", "grade", None, None, 3)
    session.edit(grade)
    _same(session)
    session.rename("mine", "x", "y")
    _same(session)
    other = Session()
    other.open(start("files"))
    other.edit(grade)
    _same(other)
    assert session.shown(VIEWS[0])["report"]["inputs"]["a"]["name"] == "x"


def test_votes_beside_an_edit_or_another_file_are_those_that_stand() -> None:
    """A vote counts on the lists that stand there: not where an edit changed the first documents, nor on other ones."""
    results.RESULTS.clear()
    other, voted = Session(), Session()
    other.open(start("files"))
    assert other.shown(VIEWS[0]) == other.truth(VIEWS[0])
    voted.open(start("votes"))
    assert _voted(voted) == 5
    voted.edit(Edit("q0", "d0", "add", "a", None, 1))
    assert _voted(voted) == 4
    voted.swap()
    assert _voted(voted) == 4
    voted.undo()
    assert _voted(voted) == 5
    voted.replace_file(b=run("r2"))
    assert _voted(voted) == 0


def _voted(session: Session) -> int:
    """The queries whose votes count, once a session shows what a fresh process shows."""
    shown = session.shown(VIEWS[0])
    assert shown == session.truth(VIEWS[0])
    said = shown["report"]["gsb"] or {}
    return sum(int(said.get(word, 0)) for word in ("good", "same", "bad"))


def test_eight_threads_on_one_comparison_agree() -> None:
    """Threads that ask one comparison for rankings in every order at once get what one thread gets."""
    one, other, graded = run("r0"), run("r2"), judgments("j0")
    policies = list(POLICIES.values())
    wanted = [compare_joined(join(one, other, graded, depth=20), policy) for policy in policies]
    for _ in range(scaled(1)):
        shared, barrier = join(one, other, graded, depth=20), Barrier(8)

        def ask(at: int, shared: object = shared, barrier: Barrier = barrier) -> list[bool]:
            barrier.wait()
            right = []
            for i in range(len(policies)):
                place = (i + at) % len(policies)
                found = compare_joined(shared, policies[place])  # type: ignore[arg-type]
                right.append(np.array_equal(found.deltas, wanted[place].deltas, equal_nan=True))
            return right

        with ThreadPoolExecutor(8) as pool:
            assert all(all(right) for right in pool.map(ask, range(8)))
    done("threads on one comparison", 8 * scaled(1))
