"""Any sequence of changes on two servers: what lists, History, the launch log, links and exports say of a comparison is
what a fresh computation says of the revision that they show, or that it is not computed.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from math import isclose
from pathlib import Path
from typing import Any, ClassVar

import pytest
import sqlalchemy as sa
import streamlit as st
from hypothesis import settings, strategies as given
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from rankdash.case import Case
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts
from rankdash.edits import Edit
from rankdash.report.json import to_dict
from rankdash.store import Decided, ListedRow, Search, Settings, Store, StoreError
from rankdash.store.database import Database
from tests.long import every
from tests.truth import revisions
from tests.truth.revisions import JUDGMENTS, ORDERS, POLICIES, RUNS, Truth, numbers, truth, truths
from tests.truth.scale import scaled

_WHO = given.sampled_from((0, 1))
_AT = given.integers(0, 5)
_QUERY = given.sampled_from(("q0", "q1", "q2"))
_DOCUMENT = given.sampled_from(("d0", "d1", "d4"))


@dataclass
class Server:
    """One server with one session: a store of its own, and what the session remembers."""

    store: Store
    memory: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def here(self) -> Iterator[None]:
        """What is done inside is done in the session of this server."""
        before, store = st.session_state, saving.store
        st.session_state = self.memory  # type: ignore[assignment]
        saving.store = lambda: self.store
        try:
            yield
        finally:
            st.session_state, saving.store = before, store  # type: ignore[assignment]

    @property
    def open(self) -> str | None:
        """The saved comparison that is open, and has all that is open."""
        with self.here():
            known = session.now().saved
            return None if known is None or session.now().problem else known.id

    @property
    def has_votes(self) -> bool:
        """Whether there are votes beside the lists: what becomes of them with other lists is asked elsewhere."""
        with self.here():
            now = open_comparison.current()
            return now is not None and now.votes is not None


class Servers(RuleBasedStateMachine):
    """Two servers that share a database and a folder of files."""

    home: ClassVar[Path]  # an empty store
    folder: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.home, self.folder)
        self.database = self.folder / "rankdash.sqlite"
        self.servers = [Server(self.made()), Server(self.made())]
        self.ids: list[str] = []
        self.decided: dict[str, tuple[str, Truth, revisions.Numbers]] = {}  # by the id of the decision
        self.deleted: set[str] = set()
        self.known: dict[tuple[str, int], Truth] = {}  # every revision as it was while it was the newest

    def made(self) -> Store:
        """A further server's store."""
        files = self.servers[0].store.files if hasattr(self, "servers") else self.files()
        return Store(Database(sa.URL.create("sqlite", database=str(self.database))), files)

    def files(self) -> Any:
        """The folder of files."""
        return Store.open(Settings(self.home)).files.__class__(str(self.folder / "files"))

    def chosen(self, at: int) -> str | None:
        """One of the comparisons that there are."""
        return self.ids[at % len(self.ids)] if self.ids else None

    def does(self, who: int, what: Callable[[], object]) -> None:
        """Does something with what is open in a session."""
        if self.servers[who].open is not None:
            with self.servers[who].here():
                what()
            self.agree()

    @initialize(voted=given.booleans())
    def begin(self, voted: bool) -> None:
        """Both servers have one comparison open, which was looked at once."""
        self.save(0, ("r0", "r1"), "j0", voted, "plain")
        self.follow(1, 0)

    @rule(
        who=_WHO,
        runs=given.tuples(given.sampled_from(RUNS), given.sampled_from(RUNS)),
        graded=given.sampled_from(JUDGMENTS),
        voted=given.booleans(),
        policy=given.sampled_from(list(POLICIES)),
    )
    def save(self, who: int, runs: tuple[str, str], graded: str, voted: bool, policy: str) -> None:
        """Opens files, which saves them."""
        a, b = map(revisions.run, runs)
        case = Case((a, b), revisions.judgments(graded), votes=revisions.votes() if voted else None, name="files")
        with self.servers[who].here():
            actions.open_inputs(case)
            actions.decide_by(POLICIES[policy])
            known = session.now().saved
        self.ids.append(known.id)
        self.agree()

    @rule(who=_WHO, at=_AT)
    def follow(self, who: int, at: int) -> None:
        """Opens a link in a session."""
        comparison = self.chosen(at)
        if comparison is not None and comparison not in self.deleted:
            with self.servers[who].here():
                actions.open_saved(comparison)
            self.show(who)

    @rule(who=_WHO, query=_QUERY, document=_DOCUMENT, grade=given.sampled_from((None, 0.0, 3.0)))
    def grade(self, who: int, query: str, document: str, grade: float | None) -> None:
        """Gives a document a grade, or takes it away."""
        self.edit(who, Edit(query, document, "grade", None, None, grade))

    @rule(
        who=_WHO, query=_QUERY, document=_DOCUMENT, side=given.sampled_from("ab"), rank=given.sampled_from((None, 1, 3))
    )
    def move(self, who: int, query: str, document: str, side: str, rank: int | None) -> None:
        """Moves a document in a list, or removes it."""
        if not self.servers[who].has_votes:
            what = "remove" if rank is None else "rank"
            self.edit(who, Edit(query, document, what, side, 1, rank))  # type: ignore[arg-type]

    def edit(self, who: int, edit: Edit) -> None:
        """Makes one edit in what is open."""
        self.does(who, lambda: actions.edit((*open_comparison.edits(), edit)))

    @rule(who=_WHO, how=given.sampled_from((actions.undo, actions.redo, lambda: actions.edit(()))))
    def take_back(self, who: int, how: Callable[[], None]) -> None:
        """Goes to the case before, back again, or takes back all."""
        self.does(who, how)

    @rule(who=_WHO, theirs=given.booleans())
    def settle(self, who: int, theirs: bool) -> None:
        """Takes what somebody else saved, or saves a copy, where one's own change does not go on top of it."""
        with self.servers[who].here():
            if session.now().conflict is None:
                return
            (actions.take_theirs if theirs else actions.save_as_new)()
            known = session.now().saved
        if known.id not in self.ids:
            self.ids.append(known.id)
        self.agree()

    @rule(who=_WHO)
    def swap(self, who: int) -> None:
        """Exchanges A and B."""
        self.does(who, actions.swap)

    @rule(who=_WHO, names=given.permutations(("x", "y", "r0")))
    def rename(self, who: int, names: list[str]) -> None:
        """Gives what is open other names."""
        self.does(who, lambda: actions.rename(*names))

    @rule(who=_WHO, policy=given.sampled_from(list(POLICIES)))
    def decide_by(self, who: int, policy: str) -> None:
        """Puts another policy in force."""
        self.does(who, lambda: actions.decide_by(POLICIES[policy]))

    @rule(
        who=_WHO,
        what=given.sampled_from(("a", "b", "judgments")),
        name=given.sampled_from(RUNS),
        order=given.sampled_from(ORDERS),
        reread=given.booleans(),
    )
    def replace(self, who: int, what: str, name: str, order: str, reread: bool) -> None:
        """Drops another file in the place of one that is open, or has it read in another way."""

        def drop() -> None:
            now = open_comparison.current()
            table: Any = revisions.judgments(JUDGMENTS[len(order) % 2])
            if what != "judgments":
                table = revisions.run(name, order).renamed(getattr(now, what).name if reread else name)
            if now.votes is None:  # what becomes of votes on other lists is asked elsewhere
                actions.open_inputs(now.with_tables(**{what: table}), replacing=True, reread=reread)

        self.does(who, drop)

    @rule(who=_WHO, choice=given.sampled_from(("launch", "no_launch")))
    def decide(self, who: int, choice: str) -> None:
        """Puts a decision on record, on what the Verdict page shows, though somebody else may have changed it since."""
        server = self.servers[who]
        with server.here():
            known, now = session.now().saved, open_comparison.current()
            if known is None or now is None or session.now().problem:
                return
            opened = verdicts.looked_at(verdicts.opened(now), saving.times())
            result = saving.record(opened.comparison, opened.verdict)
        if result is None:  # it was deleted meanwhile
            return
        made = server.store.decide(known.id, Decided(choice, "Ada", "because"), result)
        about = self.known[known.id, known.number]
        self.decided[made.id] = known.id, about, numbers(about.case)
        self.agree()

    @rule(who=_WHO, at=_AT)
    def delete(self, who: int, at: int) -> None:
        """Deletes a comparison, whoever has it open, or brings it back."""
        comparison, store = self.chosen(at), self.servers[who].store
        if comparison is None:
            return
        if comparison in self.deleted:
            store.undelete(comparison)
            self.deleted.remove(comparison)
        else:
            store.delete(comparison)
            self.deleted.add(comparison)
        self.agree()

    @rule(who=_WHO)
    def erase(self, who: int) -> None:
        """Erases what is deleted."""
        self.servers[who].store.expire(timedelta(0))
        self.ids = [id for id in self.ids if id not in self.deleted]
        self.deleted.clear()
        self.agree()

    @rule(who=_WHO)
    def show(self, who: int) -> None:
        """Draws a page of what is open: it takes over what others did, and its verdict is in the lists from then on."""
        server = self.servers[who]
        if server.open is None:
            return
        with server.here():
            actions.refresh()
            now = open_comparison.current()
            if session.now().problem or now is None:
                return
            opened = verdicts.opened(now)
            verdicts.put_on_record(now)
            known = session.now().saved
        about = truth(self.database, known.id)
        assert about is not None
        row = self.row(server.store, known.id)
        assert (server.store.head(known.id), row.outcome) == (known.number, numbers(about.case).outcome)
        self.is_of(opened, about)
        self.agree()

    @staticmethod
    def row(store: Store, comparison: str) -> ListedRow:
        """What a list shows of a comparison."""
        (found,) = (row for row in store.listed(Search(most=100)).rows if row.id == comparison)
        return found

    @staticmethod
    def is_of(opened: verdicts.Opened, about: Truth) -> None:
        """What is open has the names and numbers of a revision."""
        comparison, wanted = opened.comparison, numbers(about.case)
        assert (opened.case.name, comparison.a.name, comparison.b.name) == (about.name, *about.models)
        assert (opened.verdict.outcome.value, opened.verdict.tag) == (wanted.outcome, wanted.tag)
        assert _close(comparison.primary.paired.delta, wanted.delta)

    def agree(self) -> None:
        """Lists, History and the launch log of both servers are true of every comparison."""
        self.known |= truths(self.database, self.ids)
        known = {id: truth(self.database, id) for id in self.ids}
        for server in self.servers:
            rows = {row.id: row for row in server.store.listed(Search(most=100)).rows}
            assert {id for id, about in known.items() if about is not None} == rows.keys()
            for id, row in rows.items():
                about = known[id]
                assert about is not None
                self.is_true(row, about)
            self.log_is_true(server.store, rows, known)

    def is_true(self, row: ListedRow, about: Truth) -> None:
        """A row, in whatever list, has the names of its revision, and its verdict or none."""
        assert (row.name, (row.a, row.b)) == (about.name, about.models)
        if row.outcome is None:
            assert (row.delta, row.tag, row.measure, row.n) == (None, "", None, None)
            return
        wanted = numbers(about.case)
        said = (row.outcome, row.screen, row.tag, row.measure, row.n)
        assert said == (wanted.outcome, wanted.screen, wanted.tag, wanted.measure, wanted.n)
        for found, right in ((row.delta, wanted.delta), (row.lower, wanted.lower), (row.upper, wanted.upper)):
            assert _close(found, right)

    def log_is_true(self, store: Store, rows: dict[str, ListedRow], known: dict[str, Truth | None]) -> None:
        """Every decision is there as it was made, whatever was done since."""
        logged = {one.decision.id: one for one in store.logged()}
        assert logged.keys() == self.decided.keys()
        in_force = {comparison: id for id, (comparison, _, _) in self.decided.items()}
        for id, (comparison, about, wanted) in self.decided.items():
            decision, then = logged[id].decision, logged[id].decision.subject
            assert (then.name, then.model_a, then.model_b) == (about.name, *about.models)
            assert (decision.verdict["outcome"], decision.verdict["tag"]) == (wanted.outcome, wanted.tag)
            assert _close(decision.verdict["delta"], wanted.delta)
            assert decision.since == about.since(known.get(comparison))
            assert logged[id].is_in_force == (in_force[comparison] == id)
        for row in rows.values():
            if row.id in in_force:
                assert row.since == self.decided[in_force[row.id]][1].since(known[row.id])

    def teardown(self) -> None:
        """In the end every link, opened on a third server, shows the truth; then all of it stands in the list."""
        third = Server(self.made())
        for id in self.ids:
            about = truth(self.database, id)
            with third.here():
                if about is None:
                    with pytest.raises(StoreError, match="was deleted"):
                        actions.open_saved(id)
                    continue
                actions.open_saved(id)
                now = open_comparison.current()
                opened = verdicts.opened(now)
                self.is_of(opened, about)
                told, wanted = to_dict(opened.comparison, opened.verdict), numbers(about.case)
                assert (told["inputs"]["a"]["name"], told["inputs"]["b"]["name"]) == about.models
                assert _close(told["measures"][0]["delta"], wanted.delta)
                verdicts.put_on_record(now)
                assert self.row(third.store, id).tag == wanted.tag
        self.agree()
        for server in (*self.servers, third):
            server.store.database.close()


def _close(found: float | None, wanted: float | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12)


#: Sequences, of at most how many steps, in how many parts: workers share them.
SEQUENCES, STEPS, PARTS = 24, 14, 8


@pytest.mark.parametrize("part", every(2, range(PARTS)))
def test_whatever_is_done_on_two_servers_no_result_stands_beside_another_revision(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved, edited, undone, exchanged, renamed, replaced, duplicated, decided on, deleted and brought back, in any
    order and by either of them.
    """
    monkeypatch.setenv("RANKDASH_STORE", "on")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    Store.open(Settings(tmp_path / "home")).database.close()
    st.cache_resource.clear()
    own = type(f"Servers{part}", (Servers,), {"home": tmp_path / "home", "folder": tmp_path / "world"})
    run_state_machine_as_test(
        own, settings=settings(max_examples=scaled(SEQUENCES // PARTS), stateful_step_count=STEPS, deadline=None)
    )
    st.cache_resource.clear()
