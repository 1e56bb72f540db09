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
from rankdash.edits import History, common
from rankdash.scoring import Comparison, PerQuery, VotesAlone
from rankdash.store import removal, scored, words
from rankdash.store.database import Database
from rankdash.store.database.clocks import clock
from rankdash.store.database.schema import BLOB, COMPARISON, INPUT, OUTCOME, new_id, now
from rankdash.store.errors import StoreError
from rankdash.store.files import FileStore
from rankdash.store.inputs import Prepared, StoredTables
from rankdash.store.journal import tags
from rankdash.store.journal.facade import Journal
from rankdash.store.journal.looks import REREAD, look_of, reread
from rankdash.store.merging import merged
from rankdash.store.opening import case_of, comparison_of
from rankdash.store.records import Mark, Saved, State, case_digest
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
        files.id = database.id

    @classmethod
    def open(cls, settings: Settings) -> Store:
        """Return the store of some settings, opened once per process, and made where there is nothing yet.

        Where database and files do not belong together everything can be read and nothing is written (``refusal``).
        StoreError where it is off, cannot be reached, is broken, is of another version, or where the database is new
        and the files are not.
        """
        if not settings.on:
            raise StoreError(words.OFF)
        with _OPENING:
            if settings not in _OPENED:
                _OPENED[settings] = cls._opened(settings)
            return _OPENED[settings]

    @classmethod
    def _opened(cls, settings: Settings) -> Store:
        files = FileStore(settings.files or str(settings.home / "files"))
        # The files first: whoever makes a store makes its database before its first file.
        is_empty = not files.found_id() and files.is_empty()
        store = cls(Database(_url_of(settings), beside="" if is_empty else files.where), files)
        if is_empty and not store.read_only and not store._has_files():
            files.write_id()
        elif files.found_id() != files.id:
            store.database.refusal = words.APART.format(database=store.database.where, files=files.where)
        return store

    @staticmethod
    def upgrade(settings: Settings, *, copied: bool = False) -> str:
        """Bring the database of a store up to this version, with the tables and columns that it lacks, and return where
        it is. A database of SQLite is copied beside itself before; of another, ``copied`` says that this was done.
        """
        if not settings.on:
            raise StoreError(words.OFF)
        url = _url_of(settings)
        if not (copied or sa.make_url(url).get_backend_name() == "sqlite"):
            raise StoreError(words.COPY_FIRST)
        database = Database(url, upgrade=True)
        database.close()
        return database.where

    @property
    def read_only(self) -> str:
        """The name of the database, as people read it, where nothing can be written; "" where it can."""
        return self.database.where if self.database.read_only or self.refusal else ""

    @property
    def refusal(self) -> str:
        """Why nothing is written here, where database and files do not belong together; else ""."""
        return self.database.refusal

    def _has_files(self) -> bool:
        with self.database.reading() as connection:
            return bool(connection.scalar(sa.select(sa.exists().select_from(BLOB))))

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
        self._expire()
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
                self._expire()
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
        at = now()
        with self.database.writing() as connection:
            comparison_row(connection, comparison)
            change(connection, comparison, deleted=at, deleted_clock=clock(at))
        self._expire()

    def undelete(self, comparison: str) -> None:
        """Bring a deleted comparison back. StoreError where it was erased."""
        with self.database.writing() as connection:
            comparison_row(connection, comparison, deleted=True)
            change(connection, comparison, deleted=None)

    def expire(self, older_than: timedelta = removal.KEPT) -> int:
        """Erase what was deleted that long ago. Return how many comparisons that were."""
        return removal.expire(self.database, self.files, older_than)

    def clean(self) -> tuple[int, int]:
        """Remove files that no comparison has, as a process leaves them that is killed. Return how many, and their
        bytes. StoreError where database and files do not belong together.
        """
        return removal.clean(self.database, self.files)

    def _expire(self) -> None:
        """Erase what was deleted a day ago. What fails here is tried again with the next save."""
        with suppress(StoreError):
            self.expire()

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


def _url_of(settings: Settings) -> str | sa.URL:
    return settings.database or sa.URL.create("sqlite", database=str(settings.home / "rankdash.sqlite"))
