"""The files of a session: what drop zones remember, and how those of its open comparison were read, to be corrected.

The bytes of a file are kept only where it is small, so that it need not be uploaded again to correct a column. They are
replaced when another comparison is opened.
"""

from __future__ import annotations

import io
from collections.abc import Iterable

import streamlit as st

from rankdash.dashboard import demo
from rankdash.dashboard.session import session
from rankdash.dashboard.session.session import Box, CachedFile, FileEntry
from rankdash.intake import Decisions, Given, Role, look, read
from rankdash.reading import Kind

#: The most bytes of a cached file, and of all of them.
LARGEST = 20_000_000
ALL_OF_THEM = 60_000_000


def keep(entries: Iterable[FileEntry], also: bool) -> None:
    """Cache the files that were read, in place of the cached ones; with ``also`` in addition to them."""
    cached: dict[str, CachedFile] = dict(session.now().files) if also else {}
    size = sum(file.size for file in cached.values())
    for entry in entries:
        if entry.table is None or entry.reading is None or not entry.kind:
            continue
        content = entry.file.given.source.getvalue()
        small = len(content) <= LARGEST and size + len(content) <= ALL_OF_THEM
        size += len(content) if small else 0
        given = Given(entry.look.name, _named(entry.look.name, content)) if small else None
        cached[entry.look.digest] = CachedFile(entry.role, entry.decisions, entry.reading.understood, given)
    session.change(files=cached)


def of(digest: str) -> CachedFile | None:
    """Return what is cached of a file, by the digest of its bytes; the demo's files are cached for every session."""
    return session.now().files.get(digest) or _of_demo().get(digest)


@st.cache_resource(show_spinner=False)
def _of_demo() -> dict[str, CachedFile]:
    cached: dict[str, CachedFile] = {}
    roles: tuple[tuple[Role, Kind, str], ...] = (
        ("a", "run", "run_a.csv"),
        ("b", "run", "run_b.csv"),
        ("judgments", "judgments", "judgments.csv"),
        ("queries", "queries", "queries.csv"),
    )
    for role, kind, name in roles:
        if name in demo.files().content:
            given = Given(name, _named(name, demo.files().content[name]))
            seen = look(given)
            cached[seen.digest] = CachedFile(role, Decisions(), read(given, kind, form=seen.form).understood, given)
    return cached


def _named(name: str, content: bytes) -> io.BytesIO:
    source = io.BytesIO(content)
    source.name = name
    return source


def box_of(place: str) -> Box:
    """Return the box of a drop zone, empty at first."""
    box = session.now().boxes.get(place)
    return put_box(place, Box()) if box is None else box


def put_box(place: str, box: Box) -> Box:
    """Give a drop zone another box."""
    session.change(boxes={**session.now().boxes, place: box})
    return box


def forget_box(place: str) -> None:
    """Forget the box of a drop zone, whose dialog was closed."""
    session.change(boxes={other: box for other, box in session.now().boxes.items() if other != place})


def empty_boxes() -> None:
    """Let every box go: what was read from it is open now."""
    session.change(boxes={})
