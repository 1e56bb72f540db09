"""``Store``: comparisons are made, opened, saved and deleted here. Every method raises StoreError and nothing else.

What is deleted is erased a day later, with the next comparison that is saved or deleted. The transaction that erases
the last comparison with a file erases the row of the file; the file itself is removed after it, under the lock that
whoever writes files takes. A kill in between leaves a file without a row, and so does one of a writer: these are
removed by ``clean`` alone. What was decided stays on record, with the browsers that may read it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from rankdash.case import Case, given_name, valid_votes_of
from rankdash.policy import PolicyError
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import journal, listing, settings as errors
from rankdash.store.database import BLOB, COMPARISON, DECISION, INPUT, REVISION, SEEN, Database, new_id, now
from rankdash.store.files import FileStore, Prepared, StoredTables, named_files, remove_files
from rankdash.store.journal import RecordedVerdict
from rankdash.store.listing import ListedRow
from rankdash.store.records import ConflictError, Saved, State, case_digest, case_of, comparison_of, merged
from rankdash.store.settings import Settings, StoreError
from rankdash.verdict import Verdict
from rankdash.verdict.decide import decide, may_be_reversed

P = ParamSpec("P")
T = TypeVar("T")
_Work = Callable[Concatenate[sa.Connection, P], T]
_New = tuple[Case, State, Comparison | VotesAlone | None]
_Method = Callable[Concatenate["Store", P], T]
_OPENED: dict[Settings, Store] = {}
_OPENING = threading.Lock()
#: Rules that fail because of a wrong file, whatever the scores are: such a verdict helps nobody to choose a model.
_NOTHING_COMPARED = ("C1", "C2", "C4", "C6", "C7")
#: How long a deleted comparison can be brought back.
KEPT = timedelta(days=1)


def _method(work: _Work[P, T], *, writes: bool = False) -> _Method[P, T]:
    """Return a method that does its work in one transaction."""

    @wraps(work)
    def method(store: Store, /, *args: P.args, **named: P.kwargs) -> T:
        with store.database.writing() if writes else store.database.reading() as connection:
            return work(connection, *args, **named)

    return method


class Store:
    """The saved comparisons of one database and one place for files. Threads may share it.

    A method that is not written out here is a function of a module of this room, done in one transaction.
    """

    first_policy = _method(journal.policy_seen_first)
    results = _method(journal.results)
    decisions = _method(journal.decisions)
    decide = _method(journal.record_decision, writes=True)
    observations = _method(journal.observations)
    observe = _method(journal.record_observed, writes=True)
    tag = _method(journal.add_tag, writes=True)
    untag = _method(journal.remove_tag, writes=True)
    all_tags = _method(journal.all_tags)
    launch_log = _method(listing.launch_log)
    logged = _method(listing.logged)
    listed = _method(listing.listed)
    basis = _method(listing.basis)
    opened_by = _method(listing.note_opened, writes=True)

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
            raise StoreError(errors.OFF)
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
        if is_empty and not store._has_files():
            files.write_id()
        elif files.found_id() != files.id:
            store.database.refusal = errors.APART.format(database=store.database.where, files=files.where)
        return store

    @staticmethod
    def upgrade(settings: Settings, *, copied: bool = False) -> str:
        """Bring the database of a store up to this version, with the tables and columns that it lacks, and return where
        it is. A database of SQLite is copied beside itself before; of another, ``copied`` says that this was done.
        """
        if not settings.on:
            raise StoreError(errors.OFF)
        url = _url_of(settings)
        if not (copied or sa.make_url(url).get_backend_name() == "sqlite"):
            raise StoreError(errors.COPY_FIRST)
        database = Database(url, upgrade=True)
        database.close()
        return database.where

    @property
    def refusal(self) -> str:
        """Why nothing is written here, where database and files do not belong together; else ""."""
        return self.database.refusal

    def _has_files(self) -> bool:
        with self.database.reading() as connection:
            return bool(connection.scalar(sa.select(sa.exists().select_from(BLOB))))

    # --- comparisons ---

    def create(self, content: Case, state: State, *, by: str = "", group: str = "") -> Saved:
        """Save a new comparison. Its files are written first, then everything else in one transaction.

        ``group``: the same id, a ``new_id``, for comparisons that are shown together; "": it belongs to none.
        """
        return self._created([(content, state, None)], group, by)[0]

    def create_seen(self, *new: tuple[Case, State, Comparison | VotesAlone], group: str = "") -> tuple[Saved, ...]:
        """Save new comparisons with their verdicts as they are now, which count as looks: all or none. The verdicts of
        several are at the level of all. Each comparison is that of its content under the policy of its state.
        """
        return self._created(new, group)

    def _created(self, new: Sequence[_New], group: str, by: str = "") -> tuple[Saved, ...]:
        made: list[tuple[Saved, list[Prepared], Comparison | VotesAlone | None]] = []
        for content, state, found in new:
            content = content.knowing_lists()
            tables, id = self._inputs.prepared(content.tables), new_id()
            inputs = tuple(table.input for table in tables)
            at = now() + timedelta(microseconds=len(made))  # a group is in this order
            case = case_digest(inputs, content, state)
            made.append((Saved(id, 1, content, state, at, at, id, inputs, case, by, group), tables, found))
        shown = [(saved, journal.look_of(saved), found) for saved, _, found in made if found is not None]
        with self.database.writing() as connection:
            self.database.lock_files(connection)
            for saved, tables, _ in made:
                dated = {"created": saved.created, "changed": saved.changed}
                row = {"id": saved.id, "lineage": saved.id, "group": group or None, "head": 1, **dated}
                connection.execute(sa.insert(COMPARISON), row | _shown(saved.state))
                self._inputs.insert(connection, saved.id, tables)
                _add_revision(connection, saved)
            for _, look, found in shown:
                if _compares(found, decide(found)):
                    journal.record_look(connection, look)
            for saved, look, found in shown:
                tried = journal.candidates(connection, look, *(other for _, other, _ in shown if group))
                if not group and getattr(found, "candidates", 1) > tried:
                    raise StoreError("This comparison is one of several candidates. Save what compare_many returned.")
                verdict = decide(found, journal.looks(connection, look), tried)
                journal.record_result(connection, saved.id, journal.result_of(found, verdict, saved, look.content))
        for _, tables, _ in made:
            self._inputs.keep(tables)
        self._expire()
        return tuple(saved for saved, *_ in made)

    def load(self, comparison: str) -> Saved:
        """Return a comparison at its head. StoreError for an unknown or deleted one, and for files that are gone or
        broken.
        """
        with self.database.reading() as connection:
            row = journal.comparison_row(connection, comparison)
            head, state = _head(connection, row)
            query = sa.select(INPUT).where(INPUT.c.id.in_(head["state"]["inputs"].values()))
            by_id = {input.id: input for input in connection.execute(query)}
            rows = {role: by_id[id] for role, id in head["state"]["inputs"].items()}
        content, inputs = self._inputs.read(rows)
        times = {"created": row.created, "changed": head["at"]}
        provenance = {"lineage": row.lineage, "inputs": inputs, "case": head["case"], "by": head["by"]}
        return Saved(row.id, row.head, content, state, group=row.group or "", **times, **provenance)

    def group(self, saved: Saved) -> tuple[Saved, ...]:
        """Return the comparisons of the group of a comparison that are not deleted, in the order in which they were
        made; itself alone where it belongs to none.
        """
        if not saved.group:
            return (saved,)
        members = (COMPARISON.c.group == saved.group) & COMPARISON.c.deleted.is_(None)
        query = sa.select(COMPARISON.c.id).where(members).order_by(COMPARISON.c.created, COMPARISON.c.id)
        with self.database.reading() as connection:
            ids = connection.scalars(query).all()
        return tuple(self.since(saved) if id == saved.id else self.load(id) for id in ids)

    def head(self, comparison: str) -> int:
        """Return the number of the newest revision: one small query. StoreError for an unknown or deleted
        comparison.
        """
        with self.database.reading() as connection:
            return int(journal.comparison_row(connection, comparison).head)

    def tags(self, comparison: str) -> tuple[str, ...]:
        """Return the tags of a comparison."""
        with self.database.reading() as connection:
            return journal.tags_of(connection, [comparison])[comparison]

    def since(self, saved: Saved) -> Saved:
        """Return the newer head; ``saved`` itself where there is none. Tables that did not change are the same
        objects.
        """
        return saved if self.head(saved.id) == saved.number else self.load(saved.id)

    def save(self, saved: Saved, state: State, *, by: str = "") -> Saved:
        """Save a new state of a comparison, made from the state in ``saved``; ``by`` is the name that a user typed.

        If another user saved first, and both changed only grades of different documents, both changes are saved.
        ConflictError if either changed anything else.
        """
        if state == saved.state:
            return saved
        while (done := self._advanced(saved, saved.content, state, (), by)) is None:
            theirs = self.load(saved.id)
            both = merged(saved, state, theirs)
            if both is None:
                raise ConflictError(theirs)
            if both == theirs.state:
                return theirs
            saved, state = theirs, both
        self._expire()
        return done

    def replace(self, saved: Saved, content: Case, state: State, *, by: str = "", reread: bool = False) -> Saved:
        """Save a comparison with other tables; those that are the same objects as before are not written again.
        ``reread``: they hold the same data, read in another way. ConflictError where somebody else was faster.

        Votes that stay are on the lists that were there before: on others they are set aside.
        """
        content = content.knowing_lists(saved.content)
        before = saved.content.tables
        new = {role: table for role, table in content.tables.items() if table is not before.get(role)}
        tables = self._inputs.prepared(new)
        done = self._advanced(saved, content, state, tables, by, reread)
        if done is None:
            raise ConflictError(self.load(saved.id))
        self._inputs.keep(tables)
        self._expire()
        return done

    def _advanced(
        self, saved: Saved, content: Case, state: State, new: Sequence[Prepared], by: str, reread: bool = False
    ) -> Saved | None:
        """Save a comparison one revision further; None where ``saved`` is not its head any more."""
        roles = {input.role: input for input in saved.inputs} | {table.input.role: table.input for table in new}
        inputs = tuple(roles[role] for role in content.tables)
        made_of: dict[str, Any] = {"content": content, "state": state, "inputs": inputs, "by": by}
        case = case_digest(inputs, content, state)
        newer = replace(saved, number=saved.number + 1, changed=now(), case=case, **made_of)
        is_head = (COMPARISON.c.id == saved.id) & (COMPARISON.c.head == saved.number) & COMPARISON.c.deleted.is_(None)
        with self.database.writing() as connection:
            if new:
                self.database.lock_files(connection)
            dated = {} if case == saved.case else {"changed": newer.changed}  # a name is no change
            moved = sa.update(COMPARISON).where(is_head).values(head=newer.number, **_shown(state), **dated)
            if connection.execute(moved).rowcount == 0:
                return None
            self._inputs.insert(connection, saved.id, new)
            _add_revision(connection, newer)
            if reread:
                journal.reread(connection, journal.look_of(saved), journal.look_of(newer))
        return newer

    def hold_votes(self, saved: Saved) -> Saved:
        """Count votes that were set aside: a user confirms them for the current lists."""
        case = case_of(saved.content, replace(saved.state, swapped=False))
        voted = valid_votes_of(case, saved.state.policy)
        held = dict.fromkeys((*saved.state.held, *(() if voted is None else voted.open)))
        return self.save(saved, replace(saved.state, held=tuple(held)))

    def duplicate(self, comparison: str, *, name: str | None = None, browser: str = "") -> str:
        """Copy a comparison and return its id: the same tables, edits, results and lineage, under another name where
        one is given, and in no group. Its tables are not read.

        Given a ``browser``, its list holds the copy.
        """
        copy, at = new_id(), now()
        with self.database.writing() as connection:
            self.database.lock_files(connection)
            row = journal.comparison_row(connection, comparison)
            head, state = _head(connection, row)
            state = state if name is None else replace(state, name=given_name(name, state.a, state.b))
            inputs = {role: new_id() for role in head["state"]["inputs"]}
            own = {"id": copy, "head": 1, "created": at, "changed": at, "decision": None, "group": None}
            connection.execute(sa.insert(COMPARISON), dict(row._mapping) | own | _shown(state))
            for role, old in head["state"]["inputs"].items():
                table = connection.execute(sa.select(INPUT).where(INPUT.c.id == old)).one()
                connection.execute(sa.insert(INPUT), dict(table._mapping) | {"id": inputs[role], "comparison": copy})
            own = {"comparison": copy, "number": 1, "at": at, "by": "", "name": state.title}
            connection.execute(sa.insert(REVISION), head | own | {"state": state.to_dict() | {"inputs": inputs}})
            journal.copy_results(connection, comparison, head["case"], copy)
            if browser:
                listing.note_opened(connection, copy, browser)
        return copy

    def delete(self, comparison: str) -> None:
        """Delete a comparison: it cannot be opened any more, and is erased a day later, with the next thing saved."""
        with self.database.writing() as connection:
            journal.comparison_row(connection, comparison)
            _change(connection, comparison, deleted=now())
        self._expire()

    def undelete(self, comparison: str) -> None:
        """Bring a deleted comparison back. StoreError where it was erased."""
        with self.database.writing() as connection:
            journal.comparison_row(connection, comparison, deleted=True)
            _change(connection, comparison, deleted=None)

    def expire(self, older_than: timedelta = KEPT) -> int:
        """Erase what was deleted that long ago. Return how many comparisons that were."""
        old = COMPARISON.c.deleted <= now() - older_than
        with self.database.reading() as connection:
            if not connection.scalar(sa.select(sa.exists().where(old))):
                return 0
        with self.database.writing() as connection:
            self.database.lock_files(connection, alone=True)
            self.files.check_id()
            erased = connection.execute(sa.delete(COMPARISON).where(old)).rowcount
            used = sa.exists().where(INPUT.c.digest == BLOB.c.sha256)
            comparisons = sa.select(COMPARISON.c.id).union(sa.select(DECISION.c.comparison))
            connection.execute(sa.delete(SEEN).where(SEEN.c.comparison.not_in(comparisons)))
            unused = set(connection.scalars(sa.delete(BLOB).where(~used).returning(BLOB.c.sha256)))
        remove_files(self.database, self.files, unused)
        self.database.shorten_log()  # it still holds what was erased
        return erased

    def clean(self) -> tuple[int, int]:
        """Remove the files that no row names, as a process leaves them that is killed, and unfinished ones a day after
        they were written. Return how many, and their bytes. StoreError where database and files do not belong together.
        """
        with self.database.writing() as connection:
            self.database.lock_files(connection, alone=True)
            named, before = named_files(connection), now() - KEPT
            left = [
                file
                for file in self.files.listed()
                if (file.sha256 and file.sha256 not in named) or (not file.sha256 and file.written <= before)
            ]
            self.files.remove(file.path for file in left)
        return len(left), sum(file.bytes for file in left)

    def _expire(self) -> None:
        """Erase what was deleted a day ago. What fails here is tried again with the next save."""
        with suppress(StoreError):
            self.expire()

    # --- verdicts ---

    def looks(self, saved: Saved) -> int:
        """Return for how many states of the data the verdict of a pair was shown, this one included."""
        with self.database.reading() as connection:
            return journal.looks(connection, journal.look_of(saved))

    def candidates(self, *saved: Saved) -> int:
        """Return how many models were compared with this A on these judgments, this B included; of several comparisons
        that are open together with the A of the first, the B of all.
        """
        with self.database.reading() as connection:
            return journal.candidates(connection, *map(journal.look_of, saved))

    def seen(
        self, saved: Saved, comparison: Comparison | VotesAlone, verdict: Verdict, *, is_look: bool = True
    ) -> RecordedVerdict:
        """Write the verdict of a revision down. Return it as it was first computed of its case.

        ``is_look``: it is shown now, so this state of the data counts as looked at from here on, unless nothing was
        compared: nothing can be chosen by such a verdict.
        """
        look = journal.look_of(saved)
        is_look = is_look and _compares(comparison, verdict)
        result = journal.result_of(comparison, verdict, saved, look.content)
        with self.database.reading() as connection:
            journal.comparison_row(connection, saved.id)
            first = journal.recorded_first(connection, saved.id, result)
            is_there = first is not None and not (is_look and not journal.is_recorded(connection, look))
            is_there = is_there and journal.is_ranked(connection, look)
        if not is_there:
            with self.database.writing() as connection:
                journal.comparison_row(connection, saved.id)
                if is_look:
                    journal.record_look(connection, look)
                journal.record_ranking(connection, look)
                journal.record_result(connection, saved.id, result)
                first = journal.recorded_first(connection, saved.id, result)
        return replace(first or result, revision=saved.number)

    def with_verdict(self, row: ListedRow) -> ListedRow:
        """Return a row of a list with its verdict among all current candidates, and save that verdict without counting
        a look. Return the row unchanged if it has a verdict, or if none can be computed or saved.
        """
        if row.outcome is not None or self.refusal:
            return row
        with suppress(StoreError, ValueError):  # or this version cannot compare it: whoever opens it reads why
            saved = self.load(row.id)
            comparison = comparison_of(saved.content, saved.state)
            group = self.group(saved)
            candidates = max(self.candidates(saved, *group), len(group))
            verdict = decide(comparison, self.looks(saved), candidates)
            found = vars(self.seen(saved, comparison, verdict, is_look=False)) | {"engine": ""}
            return replace(row, **{name: found[name] for name in listing.RESULTS})
        return row


def _compares(found: Comparison | VotesAlone, verdict: Verdict) -> bool:
    """Return whether a verdict helps to choose a model: none does on a wrong file, or where B may be reversed."""
    is_wrong = verdict.rule in _NOTHING_COMPARED or (isinstance(found, Comparison) and may_be_reversed(found))
    return not is_wrong


def _url_of(settings: Settings) -> str | sa.URL:
    return settings.database or sa.URL.create("sqlite", database=str(settings.home / "rankdash.sqlite"))


# --- rows ---


def _change(connection: sa.Connection, id: str, **values: Any) -> None:
    """Write other values into the row of a comparison."""
    connection.execute(sa.update(COMPARISON).where(COMPARISON.c.id == id).values(**values))


def _shown(state: State) -> dict[str, Any]:
    """Return what the row of a comparison holds of its head: what lists show, the way around in which it is shown, and
    the edits.
    """
    a, b = (state.b, state.a) if state.swapped else (state.a, state.b)
    searched = {"name": state.title, "model_a": a, "model_b": b, "words": journal.folded(state.title, a, b)}
    return {"edits": state.edits_to_dict(), **searched}


def _add_revision(connection: sa.Connection, saved: Saved) -> None:
    """Write the row of a revision as it is saved."""
    state = saved.state.to_dict() | {"inputs": {input.role: input.id for input in saved.inputs}}
    row = {"comparison": saved.id, "number": saved.number, "at": saved.changed, "by": saved.by, "state": state}
    connection.execute(sa.insert(REVISION), row | vars(journal.Subject.of(saved)))


def _head(connection: sa.Connection, row: Any) -> tuple[dict[str, Any], State]:
    """Return the newest revision of the comparison with a row, and its state. StoreError where the policy has a field
    that this version does not know.
    """
    is_head = (REVISION.c.comparison == row.id) & (REVISION.c.number == row.head)
    head = dict(connection.execute(sa.select(REVISION).where(is_head)).one()._mapping)
    try:
        return head, State.from_dict(head["state"], row.edits)
    except PolicyError as error:
        raise StoreError(errors.UNREADABLE_POLICY.format(where=" ".join(error.problems))) from error
