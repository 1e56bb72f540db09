"""What a session keeps of the files of its open comparison, so that how they were read can be shown, and corrected.

The tables are what is kept; a file's bytes are kept beside them only where it is small, so that nobody has to drop it
again to correct a column. They go when another comparison is opened.
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
from rankdash.reading.columns.synonyms import Wanted

#: Bytes of one file that is kept, and of all of them together.
LARGEST, ALL_OF_THEM = 20_000_000, 60_000_000
_KEPT = "kept_files"


@dataclass(frozen=True)
class Kept:
    """One file of the open comparison. ``given`` is None where its bytes are gone."""

    role: Role
    decisions: Decisions
    understood: Understood
    given: Given | None = field(default=None, repr=False)

    @property
    def is_gone(self) -> bool:
        """Whether it was too large to keep."""
        return self.given is None

    def file(self, digest: str) -> File | None:
        """The file as a drop zone has it; None where its bytes are gone, or belong to scores of a LETOR file."""
        if self.given is None or self.understood.format == LETOR:
            return None
        return File(digest, self.given)


def keep(entries: Iterable[Entry], also: bool) -> None:
    """Keeps the files that were read, in place of what was kept; with ``also`` beside it."""
    found: dict[str, Kept] = dict(st.session_state.get(_KEPT, {})) if also else {}
    size = sum(_size(one) for one in found.values())
    for entry in entries:
        if entry.table is None or entry.reading is None or not entry.kind:
            continue
        content = entry.file.given.source.getbuffer()
        small = content.nbytes <= LARGEST and size + content.nbytes <= ALL_OF_THEM
        size += content.nbytes if small else 0
        given = Given(entry.look.name, _named(entry.look.name, bytes(content))) if small else None
        found[entry.look.digest] = Kept(entry.role, entry.decisions, entry.reading.understood, given)
    st.session_state[_KEPT] = found


def of(digest: str) -> Kept | None:
    """What is kept of a file, by the digest of its bytes; the demo's files are there for everybody."""
    found: dict[str, Kept] = st.session_state.get(_KEPT, {})
    return found.get(digest) or _of_demo().get(digest)


@st.cache_resource(show_spinner=False)
def _of_demo() -> dict[str, Kept]:
    found: dict[str, Kept] = {}
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
            found[seen.digest] = Kept(role, Decisions(), read(given, kind, form=seen.form).understood, given)
    return found


def _size(one: Kept) -> int:
    return 0 if one.given is None else one.given.source.getbuffer().nbytes


def _named(name: str, content: bytes) -> io.BytesIO:
    source = io.BytesIO(content)
    source.name = name
    return source
