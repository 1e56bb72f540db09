"""``Store``: comparisons are made, opened, saved and deleted here. Every method raises StoreError and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from rankdash.case import Case, given_name, title, votes_standing
from rankdash.comparison import Comparison, PerQuery, VotesAlone
from rankdash.edits import History, common
from rankdash.store import removal, scored, words
from rankdash.store.database import Database
from rankdash.store.database.clocks import clock
from rankdash.store.database.schema import COMPARISON, INPUT, OUTCOME, new_id, now
from rankdash.store.errors import StoreError
from rankdash.store.files import FileStore
from rankdash.store.inputs import Prepared, StoredTables
from rankdash.store.journal import tags
from rankdash.store.journal.facade import Journal
from rankdash.store.journal.looks import REREAD, look_of, reread
from rankdash.store.merging import merged
from rankdash.store.opening import case_of, comparison_of
from rankdash.store.records import Disk, Mark, Saved, State, case_digest
from rankdash.store.revisions import (
    add_revision,
    add_steps,
    chain,
    change,
    comparison_row,
    copied,
    id_beginning,
    next_case,
    shown,
    state_and_case,
    state_of_row,
    write_revision,
)
from rankdash.store.settings import Settings
from rankdash.verdict.decide import decide

_OPENED: dict[Settings, Store] = {}
_OPENING = threading.Lock()


class Store(Journal):
    """The saved comparisons of one database and one place for files. Threads may share it.

    What is on record beside them - results, looks, decisions, tags, lists - are the methods of ``Journal``.
    """

    def __init__(self, database: Database, files: FileStore) -> None:
        """Use ``Store.open``."""
        self.database, self.files = database, files
        self._inputs = StoredTables(files)

    @classmethod
    def open(cls, settings: Settings) -> Store:
        """Return the store of some settings, made and brought to the newest schema once per process.

        StoreError where it is off, cannot be reached, is broken, or was written by a newer version.
        """
        if not settings.on:
            raise StoreError(words.OFF)
        with _OPENING:
            if settings not in _OPENED:
                files = FileStore(settings.files or str(settings.home / "files"))
                url = settings.database or sa.URL.create("sqlite", database=str(settings.home / "rankdash.sqlite"))
                _OPENED[settings] = cls(Database(url), files)
                _OPENED[settings]._sweep_when_due(at_start=True)
            return _OPENED[settings]

    @property
    def read_only(self) -> str:
        """The name of the database, as people read it, where nothing can be written; "" where it can."""
        return self.database.where if self.database.read_only else ""

    def create(self, content: Case, state: State, *, browser: str = "") -> Saved:
        """Save a new comparison. Its files are written first, then everything else in one transaction."""
        content = content.knowing_lists()
        tables = self._inputs.prepared(content.tables)
        at, comparison = now(), new_id()
        inputs = tuple(prepared.input for prepared in tables)
        case = case_digest(inputs, content, state)
        with self.database.writing() as connection:
            self.database.lock_files(connection)
            row = {"id": comparison, "lineage": comparison, "head": 1, "created": at, "archived": False}
            connection.execute(
                sa.insert(COMPARISON), row | {"browser": browser} | shown(state.names, state.swapped, at)
            )
            self._inputs.insert(connection, comparison, tables)
            ids = add_steps(connection, comparison, (), state.history.steps)
            saved = Saved(
                comparison, 1, content, state, at, at, lineage=comparison, inputs=inputs, steps=ids, case=case
            )
            write_revision(connection, saved, "opened", browser)
        self._inputs.keep(tables)
        self._sweep_when_due()
        return saved

    def create_seen(self, content: Case, state: State, comparison: Comparison | VotesAlone) -> Saved:
        """Save a new comparison with its verdict as it is now, which counts as a look. ``comparison`` is that of the
        content under the policy of the state.
        """
        saved = self.create(content, state)
        self.seen(saved, comparison, decide(comparison, self.looks(saved), self.candidates(saved)))
        if isinstance(comparison, Comparison):
            self.keep_scored(saved, comparison.scored)
        return saved

    def load(self, comparison: str) -> Saved:
        """Return a comparison at its head. StoreError for an unknown or deleted one, and for files that are gone or
        broken.
        """
        with self.database.reading() as connection:
            row = comparison_row(connection, comparison)
            values, case = state_and_case(connection, row.id, row.head)
            ids, done = chain(connection, row.id, values["tip"])
            query = sa.select(INPUT).where(INPUT.c.id.in_(values["inputs"].values()))
            by_id = {row.id: row for row in connection.execute(query)}
            rows = {role: by_id[id] for role, id in values["inputs"].items()}
            state = state_of_row(values, History(done, values["position"]))
        content, inputs = self._inputs.read(rows)
        times = {"created": row.created, "changed": row.changed, "archived": row.archived}
        provenance = {"lineage": row.lineage, "inputs": inputs, "steps": ids, "case": case}
        return Saved(row.id, row.head, content, state, **times, **provenance)

    def comparison(self, saved: Saved) -> Comparison | VotesAlone:
        """Return the comparison of what is saved; its lists are put in order when somebody asks for documents, where
        its per-query values were kept. Errors as for ``comparison_of``.
        """
        return comparison_of(saved.content, saved.state, self.scored(saved))

    def scored(self, saved: Saved) -> PerQuery | None:
        """Return the per-query values of what is saved, as far as they were kept; None where they have to be
        computed.
        """
        with suppress(StoreError):
            return scored.kept(self.database, self.files, saved) if scored.is_large(saved.content) else None
        return None

    def keep_scored(self, saved: Saved, values: PerQuery) -> None:
        """Keep the per-query values of a large comparison, as far as they were computed, for whoever opens it next.
        ``values`` are those of ``saved`` as it is. Without them it only opens more slowly, so no error is reported.
        """
        if scored.is_large(saved.content):
            with suppress(StoreError):
                scored.keep(self.database, self.files, saved, values)

    def head(self, comparison: str) -> int:
        """Return the number of the newest revision: one small query. StoreError for an unknown or deleted
        comparison.
        """
        with self.database.reading() as connection:
            return int(comparison_row(connection, comparison).head)

    def mark(self, comparison: str) -> Mark:
        """Return what tells the state of a comparison from another one, in three small queries. StoreError for an
        unknown or deleted comparison.
        """
        with self.database.reading() as connection:
            row = comparison_row(connection, comparison)
            seen = sa.select(sa.func.count()).select_from(OUTCOME).where(OUTCOME.c.comparison == comparison)
            entries = (row.decision or "", connection.execute(seen).scalar_one())
            return Mark(row.head, entries, tags.of(connection, [comparison])[comparison])

    def named(self, text: str) -> str:
        """Return the id of the comparison whose id is, or begins with, a text. StoreError where there is none, where
        there are several, and where it was deleted.
        """
        with self.database.reading() as connection:
            return str(comparison_row(connection, id_beginning(connection, text)).id)

    def since(self, saved: Saved) -> Saved:
        """Return the newer head; ``saved`` itself where there is none. Tables that did not change are the same
        objects.
        """
        return saved if self.head(saved.id) == saved.number else self.load(saved.id)

    def save(self, saved: Saved, state: State, *, what: str, browser: str = "") -> Saved:
        """Save a new state of a comparison, made from that of ``saved``; ``what`` is a word for what was done.

        Where somebody else was faster, what this state did since ``saved`` is done again on the newer head. Where both
        changed the same document of the same query, the later edits stand until somebody answers its question.
        """
        if state == saved.state:
            return saved
        return self._done_again(saved, state, {}, (), what, browser)

    def replace(self, saved: Saved, content: Case, state: State, *, what: str = "replaced", browser: str = "") -> Saved:
        """Save a comparison with other tables; those that are the same objects as before are not written
        again.

        Where somebody else was faster, a table that is not exchanged is theirs, and the states are merged as by
        ``save``. Votes that stay are on the lists that were there before: on others they are set aside.
        """
        content = content.knowing_lists(saved.content)
        before = saved.content.tables
        new = {role: table for role, table in content.tables.items() if table is not before.get(role)}
        gone = dict.fromkeys(before.keys() - content.tables.keys())
        tables = self._inputs.prepared(new)
        done = self._done_again(saved, state, {**new, **gone}, tables, what, browser)
        self._inputs.keep(tables)
        return done

    def _done_again(
        self,
        saved: Saved,
        state: State,
        exchanged: Mapping[Any, Any],
        new: Sequence[Prepared],
        what: str,
        browser: str,
    ) -> Saved:
        """Save a state on the head, with other tables for some roles (None: without a table). Where somebody else has
        saved meanwhile, merge the two and try again.
        """
        while True:
            tables = {**saved.content.tables, **exchanged}
            content = Case.of({role: table for role, table in tables.items() if table is not None})
            done = self._advanced(saved, state, content if exchanged else saved.content, new, what, browser)
            if done is not None:
                return done
            theirs = self.load(saved.id)
            saved, state = theirs, merged(saved.state, state, theirs.state)
            if state == saved.state and not exchanged:
                return saved

    def hold_votes(self, saved: Saved, *, browser: str = "") -> Saved:
        """Count votes that were set aside: they hold for the lists that stand there now,
        as somebody says. Undone like an edit.
        """
        case = case_of(saved.content, replace(saved.state, swapped=False))
        stands = votes_standing(case, saved.state.policy)
        history = saved.state.history.holding(*(() if stands is None else stands.open))
        return self.save(saved, replace(saved.state, history=history), what="held", browser=browser)

    def duplicate(self, comparison: str, *, name: str | None = None, browser: str = "") -> str:
        """Copy a comparison and return its id: the same tables, edits, results and lineage, under another name where
        one is given.

        Given a ``browser``, its list holds the copy.
        """
        with self.database.writing() as connection:
            self.database.lock_files(connection)
            return copied(connection, comparison_row(connection, comparison), name, browser)

    def rename(self, comparison: str, name: str, *, browser: str = "") -> None:
        """Give a comparison another name, as a revision of its own; its tables are not read."""
        with self.database.writing() as connection:
            row = comparison_row(connection, comparison)
            if title(row.name, row.model_a, row.model_b) == name:
                return
            moved = (
                sa.update(COMPARISON)
                .where(COMPARISON.c.id == comparison)
                .values(head=COMPARISON.c.head + 1)
                .returning(COMPARISON.c.head)
            )
            number = connection.execute(moved).scalar_one()
            state, case = state_and_case(connection, comparison, number - 1)
            state["names"]["name"] = given_name(name, row.model_a, row.model_b)
            at = now()
            change(connection, comparison, **shown(state["names"], state["swapped"], at))
            add_revision(connection, comparison, number, at, "renamed", browser, state, case)

    def archive(self, comparison: str, archived: bool = True) -> None:
        """Put a comparison aside, or bring it back from there; it can be opened as before."""
        with self.database.writing() as connection:
            comparison_row(connection, comparison)
            change(connection, comparison, archived=archived)

    def delete(self, comparison: str) -> None:
        """Delete a comparison: it cannot be opened any more, and is erased a day later, with the next thing saved."""
        self.database.despite_full_disk(lambda: self._mark_deleted(comparison))
        self._sweep_when_due()

    def _mark_deleted(self, comparison: str) -> None:
        at = now()
        with self.database.writing() as connection:
            comparison_row(connection, comparison)
            change(connection, comparison, deleted=at, deleted_clock=clock(at))

    def undelete(self, comparison: str) -> None:
        """Bring a deleted comparison back. StoreError where it was erased."""
        with self.database.writing() as connection:
            comparison_row(connection, comparison, deleted=True)
            change(connection, comparison, deleted=None)

    def sweep(self, older_than: timedelta = removal.KEPT) -> int:
        """Erase what was deleted that long ago, and files that nothing uses. Return how many comparisons that were."""
        return removal.sweep(self.database, self.files, older_than)

    def disk(self) -> Disk:
        """Return how much space everything takes."""
        return removal.disk(self.database, self.files)

    def _sweep_when_due(self, at_start: bool = False) -> None:
        """Erase what was deleted a day ago; at a start also what a process has left that was killed. An error here
        concerns nobody: it is tried again.
        """
        with suppress(StoreError):
            if removal.is_due(self.database) or (at_start and removal.is_left_over(self.database, self.files)):
                self.sweep()

    def _advanced(
        self, saved: Saved, state: State, content: Case, new: Sequence[Prepared], what: str, browser: str
    ) -> Saved | None:
        """Save a comparison one revision further; None where ``saved`` is not its head any more."""
        number, at = saved.number + 1, now()
        exchanged = {table.input.role: table.input for table in new}
        roles = {input.role: input for input in saved.inputs} | exchanged
        inputs = tuple(roles[role] for role in content.tables)
        is_head = (COMPARISON.c.id == saved.id) & (COMPARISON.c.head == saved.number) & COMPARISON.c.deleted.is_(None)
        with self.database.writing() as connection:
            if new:
                self.database.lock_files(connection)
            moved = sa.update(COMPARISON).where(is_head).values(head=number, **shown(state.names, state.swapped, at))
            if connection.execute(moved).rowcount == 0:
                return None
            self._inputs.insert(connection, saved.id, new)
            same = common(saved.state.history.steps, state.history.steps)
            ids = add_steps(connection, saved.id, saved.steps[:same], state.history.steps[same:])
            made_of: dict[str, Any] = {"content": content, "state": state, "inputs": inputs, "steps": ids}
            newer = replace(saved, number=number, changed=at, case=next_case(saved, inputs, content, state), **made_of)
            write_revision(connection, newer, what, browser)
            if what == REREAD:
                reread(connection, look_of(connection, saved), look_of(connection, newer))
        return newer
