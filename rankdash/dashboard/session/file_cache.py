"""The file cache of a session: how the files of its open comparison were read, to be shown and corrected.

The bytes of a file are kept only where it is small, so that it need not be uploaded again to correct a column. The
cache is replaced when another comparison is opened.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from rankdash.dashboard import demo
from rankdash.dashboard.session.files import Entry, File
from rankdash.intake import Decisions, Given, Role, look, read
from rankdash.reading import LETOR, Understood
from rankdash.reading.words.headings import Wanted

#: The most bytes of a cached file, and of all of them.
LARGEST = 20_000_000
ALL_OF_THEM = 60_000_000
_KEPT = "kept_files"


@dataclass(frozen=True)
class Kept:
    """One cached file of the open comparison. ``given`` is None where its bytes were not kept."""

    role: Role
    decisions: Decisions
    understood: Understood
    given: Given | None = field(default=None, repr=False)

    @property
    def is_gone(self) -> bool:
        """Whether the file was too large for the cache."""
        return self.given is None

    def file(self, digest: str) -> File | None:
        """Return the file for a drop zone; None where its bytes were not kept, or it needs the scores of LETOR."""
        if self.given is None or self.understood.format == LETOR:
            return None
        return File(digest, self.given)


def keep(entries: Iterable[Entry], also: bool) -> None:
    """Cache the files that were read, in place of the cached ones; with ``also`` in addition to them."""
    cached: dict[str, Kept] = dict(st.session_state.get(_KEPT, {})) if also else {}
    size = sum(_size(file) for file in cached.values())
    for entry in entries:
        if entry.table is None or entry.reading is None or not entry.kind:
            continue
        content = entry.file.given.source.getvalue()
        small = len(content) <= LARGEST and size + len(content) <= ALL_OF_THEM
        size += len(content) if small else 0
        given = Given(entry.look.name, _named(entry.look.name, content)) if small else None
        cached[entry.look.digest] = Kept(entry.role, entry.decisions, entry.reading.understood, given)
    st.session_state[_KEPT] = cached


def of(digest: str) -> Kept | None:
    """Return what is cached of a file, by the digest of its bytes; the demo's files are cached for every session."""
    cached: dict[str, Kept] = st.session_state.get(_KEPT, {})
    return cached.get(digest) or _of_demo().get(digest)


@st.cache_resource(show_spinner=False)
def _of_demo() -> dict[str, Kept]:
    cached: dict[str, Kept] = {}
    roles: tuple[tuple[Role, Wanted, str], ...] = (
        ("a", "run", "run_a.csv"),
        ("b", "run", "run_b.csv"),
        ("judgments", "judgments", "judgments.csv"),
        ("queries", "queries", "queries.csv"),
    )
    for role, kind, name in roles:
        if name in demo.files().content:
            given = Given(name, _named(name, demo.files().content[name]))
            seen = look(given)
            cached[seen.digest] = Kept(role, Decisions(), read(given, kind, form=seen.form).understood, given)
    return cached


def _size(file: Kept) -> int:
    return 0 if file.given is None else len(file.given.source.getvalue())


def _named(name: str, content: bytes) -> io.BytesIO:
    source = io.BytesIO(content)
    source.name = name
    return source
