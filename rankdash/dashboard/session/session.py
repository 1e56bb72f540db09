"""The record of what a browser session has open: everything that outlives a run of the page, but widgets.

It is frozen, and each session has its own. ``now`` reads it; ``change`` puts another in its place, which only the
modules of this room do: pages call ``actions``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import streamlit as st

from rankdash.case import Case
from rankdash.intake import PARTS, Decisions, FileLook, FileReading, Given, PlacedFile, Role
from rankdash.policy import Policy
from rankdash.reading import Choice, ReadError
from rankdash.reading.recognition import LETOR, Understood
from rankdash.records import frozen
from rankdash.store import ListedRow, Saved
from rankdash.tables import Run, Source, Votes

#: Parts of a comparison that are read together with another file.
BESIDE: tuple[Role, ...] = ("scores_a", "scores_b", "groups")


@frozen
class DroppedFile:
    """A file of a drop zone; ``id`` identifies it within the session, ``at`` is the part on whose place it was dropped,
    ``start`` the decisions before any choice.
    """

    id: str
    given: Given
    at: str = ""
    start: Decisions = field(default_factory=Decisions)


@frozen
class FileEntry:
    """A file and the result of reading it. ``token`` is part of the keys of its widgets."""

    file: DroppedFile
    token: str
    look: FileLook
    placed: PlacedFile
    decisions: Decisions
    reading: FileReading | None = None

    @property
    def role(self) -> Role:
        """The part of the comparison that the file is used for."""
        return self.placed.role

    @property
    def kind(self) -> str:
        """The kind of table that the file is read as; "" where it is only read together with another file."""
        return PARTS[self.role]

    @property
    def error(self) -> ReadError | None:
        """Why the file cannot be read, or what is to be decided before."""
        if self.reading is not None:
            return self.reading.error
        return self.look.error if self.placed.why == "unknown" else None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions that are necessary before the file can be read."""
        return () if self.error is None else self.error.choices

    @property
    def status(self) -> str:
        """The status of the file, a key of ``style.reading.STATUS``."""
        if self.table is None and (self.reading is not None or self.placed.why == "unknown"):
            return "asks" if self.choices else "refused"
        if self.role in BESIDE:
            return "beside"
        return "unused" if self.reading is None else "read"

    @property
    def table(self) -> Any:
        """The table that was read; None where there is none."""
        return None if self.reading is None else self.reading.table

    @property
    def may_be_judgments(self) -> bool:
        """Whether it was read as a run and has grades, and nothing but its rows orders the lists."""
        run = self.table
        graded = isinstance(run, Run) and run.ordered_by == "position" and "relevance" in run.table.column_names
        return graded and not run.source.order_was_asked


@dataclass
class Box:
    """What a session remembers of a drop zone, by the tokens of its files. It changes while somebody decides."""

    wishes: dict[str, Role] = field(default_factory=dict)
    decisions: dict[str, Decisions] = field(default_factory=dict)
    choices: dict[str, dict[tuple[str, str], Choice]] = field(default_factory=dict)
    looks: dict[tuple[str, Decisions], FileLook] = field(default_factory=dict)
    readings: dict[tuple[Any, ...], FileReading] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)  # with which drop a file came
    tokens: dict[str, str] = field(default_factory=dict)  # by file
    removed: set[str] = field(default_factory=set)  # files that were removed, and are still in the uploader
    #: The source that is corrected, and how it was read.
    corrected: tuple[Source, Decisions] | None = None

    def wish(self, token: str, role: Role) -> None:
        """Give a file a part; a file that had been given this part gets another."""
        several = role in ("candidate", "none")
        self.wishes = {other: had for other, had in self.wishes.items() if had != role or several}
        self.wishes[token] = role


@frozen
class CachedFile:
    """One file of the open comparison. ``given`` is None if its bytes are not cached."""

    role: Role
    decisions: Decisions
    understood: Understood
    given: Given | None = field(default=None, repr=False)

    def is_for(self, slot: str) -> bool:
        """Whether it was read for a slot, and not for another kind of table in the same file."""
        return self.role == "both" or {self.role, slot} <= {"a", "b"} or self.role not in ("a", "b")

    def file(self, id: str) -> DroppedFile | None:
        """Return the file for a drop zone; None if its bytes are not cached, or it needs the scores of LETOR."""
        if self.given is None or self.understood.format == LETOR:
            return None
        return DroppedFile(id, self.given, start=self.decisions)


#: The one key of the session state.
KEY = "session"


#: The policy before any change.
DEFAULT_POLICY = Policy()


@frozen
class Pair:
    """One comparison of a session, and what is saved of it."""

    #: The comparison, with its edits; None before anything is open.
    case: Case | None = None
    #: What it was before each edit of this session, and what undo has left, the last one last.
    past: tuple[Case, ...] = ()
    undone: tuple[Case, ...] = ()
    #: Whether A and B are exchanged, seen from the upload that the store keeps.
    is_turned: bool = False
    policy: Policy = DEFAULT_POLICY
    #: What the store had when this session saved, or took over, last; None for what has no record.
    saved: Saved | None = None
    #: Why the comparison could not be saved or followed.
    problem: str = ""
    #: What somebody else has saved meanwhile, where this session's last change cannot be put on top of it.
    conflict: Saved | None = None
    #: Whether other files than those that are saved are open, for they could not be saved.
    has_new_tables: bool = False
    #: The revision whose verdict is on record.
    computed: tuple[str, int] | None = None


@frozen
class Session(Pair):
    """What one browser session has open: a comparison, perhaps one of several with the same A."""

    #: Votes that are open by themselves, in place of a comparison.
    votes: Votes | None = None
    #: The policy under which results were seen first, by the identities of their sources.
    first_policies: Mapping[frozenset[Hashable], Policy] = field(default_factory=dict)
    #: Several candidates of one A, none where there is one; which of them is open, for it may be another one by now;
    #: what they share in the store; and why other files are no candidates.
    group: tuple[Pair, ...] = ()
    member: int = 0
    group_id: str = ""
    set_aside: tuple[str, ...] = ()

    #: The query that is looked at.
    query: str | None = None
    #: What is said once, by where, and comparisons that were deleted and can be brought back.
    notices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    deleted: tuple[ListedRow, ...] = ()

    #: The saved comparison that this session wrote into the address; whether the address of a tab that came back was
    #: read.
    address: str = ""
    is_taken_up: bool = False
    #: What tells the browser of this session where it sends no cookie, and what the person here signs with.
    browser: str = ""
    person: str = ""
    #: The files of the comparison, by the identities of their sources, and the boxes of drop zones, which remember
    #: readings as they come.
    files: Mapping[Hashable, CachedFile] = field(default_factory=dict)
    boxes: Mapping[str, Box] = field(default_factory=dict)

    @property
    def opened(self) -> Case | Votes | None:
        """What is open: votes by themselves, or a comparison."""
        return self.votes or self.case

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The candidates of the group as they are now, that which is open included."""
        own = Pair(**{field.name: getattr(self, field.name) for field in fields(Pair)})
        return tuple(own if at == self.member else pair for at, pair in enumerate(self.group))

    @property
    def shown_files(self) -> frozenset[Hashable]:
        """The identities of the sources whose results are shown: another order of A and B changes nothing."""
        if self.votes is not None:
            return frozenset((self.votes.source.identity,))
        return frozenset(() if self.case is None else self.case.identities)

    @property
    def all_shown_files(self) -> tuple[frozenset[Hashable], ...]:
        """The same of every candidate of a group: the page about all shows their results."""
        others = (pair.case.identities for pair in self.pairs if pair.case is not None)
        return tuple(map(frozenset, others)) or (self.shown_files,)

    @property
    def has_changed_policy(self) -> bool:
        """Whether the policy differs from that under which the results of these files were seen first."""
        return self.first_policies.get(self.shown_files, self.policy) != self.policy


def now() -> Session:
    """Return what this session has open."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Session()
    session: Session = st.session_state[KEY]
    return session


def change(**fields: Any) -> Session:
    """Replace fields of the record of this session; return the new record.

    The old record is removed first, because Streamlit keeps a replaced value until the next run.
    """
    changed = replace(now(), **fields)
    st.session_state.pop(KEY)
    st.session_state[KEY] = changed
    return changed


def switch(member: int) -> None:
    """Put another candidate of the group in the place of the one that is open; nothing where there is none."""
    pairs = now().pairs
    if member < len(pairs):
        change(group=pairs, member=member, **vars(pairs[member]))


# --- the files of a session: what drop zones remember, and how those of its open comparison were read ---


#: The most bytes of a cached file, and of all of them.
LARGEST, ALL_OF_THEM = 20_000_000, 60_000_000


def keep(entries: Iterable[FileEntry], also: bool) -> None:
    """Cache the files that were read, in place of the cached ones; with ``also`` in addition to them."""
    cached: dict[Hashable, CachedFile] = dict(now().files) if also else {}
    size = sum(len(file.given.source.getvalue()) for file in cached.values() if file.given)
    for entry in entries:
        if entry.table is None or entry.reading is None or not entry.kind:
            continue
        content = entry.file.given.source.getvalue()
        small = len(content) <= LARGEST and size + len(content) <= ALL_OF_THEM
        size += len(content) if small else 0
        given = entry.file.given if small else None
        role: Role = "b" if entry.role == "candidate" else entry.role
        cached[entry.table.source.identity] = CachedFile(role, entry.decisions, entry.reading.understood, given)
    change(files=cached)


def of(source: Source) -> CachedFile | None:
    """Return what is cached of the file of a source."""
    return now().files.get(source.identity)


def box_of(place: str) -> Box:
    """Return the box of a drop zone, empty at first."""
    box = now().boxes.get(place)
    return put_box(place, Box()) if box is None else box


def put_box(place: str, box: Box) -> Box:
    """Give a drop zone another box."""
    change(boxes={**now().boxes, place: box})
    return box


def forget_box(place: str) -> None:
    """Forget the box of a drop zone, whose dialog was closed."""
    change(boxes={other: box for other, box in now().boxes.items() if other != place})


def empty_boxes() -> None:
    """Let every box go: what was read from it is open now."""
    change(boxes={})
