"""Large uploads lie on the disk from their first bytes on, and nowhere in memory.

Why: Streamlit lets each part of an upload be written to a temporary file by another thread, reads that file into memory
when it is whole, keeps it there for as long as the session lasts, and copies it with each run of the page
(https://github.com/streamlit/streamlit/issues/9218). Here the server collects the parts in a ``Collected``, which
writes a large upload to a file that the page takes, with its digest, while further parts arrive. Streamlit keeps an
empty file under the id of the upload, so that the uploader shows it as before. What lies on the disk is removed when
nobody refers to it any more. Every uploader that takes large files has to be told of with ``put_aside``.

It can go when Streamlit gives uploads as files.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from rankdash.intake import OnDisk, scratch
from rankdash.sandbox import apart

#: Smaller files stay in memory, where a correction finds them without another upload.
LARGEST = 20_000_000
#: Bytes of an upload that are written at once; while they are, as many again wait in memory.
_AT_ONCE = 1 << 22
_WRITERS = ThreadPoolExecutor(2, "rankdash-arriving")


class Aside(bytes):
    """What Streamlit takes for the content of an upload that lies on the disk: no bytes, and the ``file``."""

    file: scratch.Arriving


class Collected:
    """What the server collects the bytes of one upload in, in place of a ``SpooledTemporaryFile``.

    Where ``_rolled`` is true the server expects a call to take a while, and makes it in another thread. It is what
    keeps a slow disk from holding up the other sessions.
    """

    _max_size = 0

    def __init__(self, max_size: int = 0) -> None:
        self._small = BytesIO()
        self._disk: scratch.Arriving | None = None
        self._may_use_disk = self._may_be_more = True
        self._parts: list[bytes] = []
        self._size = 0  # of these parts
        self._writing: Future[None] | None = None

    @property
    def _rolled(self) -> bool:
        if not self._may_be_more:
            return self._disk is not None or self._writing is not None
        return self._size >= _AT_ONCE and self._writing is not None and not self._writing.done()

    def write(self, part: bytes) -> int:
        """Take the next bytes; they are written later, unless so many wait that this has to be waited for."""
        if self._rolled:
            self._wait()
        self._parts.append(part)
        self._size += len(part)
        if self._size >= _AT_ONCE and (self._writing is None or self._writing.done()):
            self._wait()  # raises what the last writing has raised
            self._writing = _WRITERS.submit(self._write, self._taken())
        return len(part)

    def tell(self) -> int:
        """Return 0: the server compares it with ``_max_size``, which is no limit."""
        return 0

    def seek(self, offset: int) -> int:
        """Be told that all bytes have come."""
        self._may_be_more = False
        return offset

    def read(self, size: int = -1) -> bytes:
        """Return all bytes; for a large upload ``Aside``."""
        self._wait()
        self._write(self._taken())
        if self._disk is None:
            return self._small.getvalue()
        found = Aside()
        found.file, self._disk = self._disk, None
        return found

    def close(self) -> None:
        """Leave what nobody has read, as soon as nothing is written any more."""
        if self._writing is None:
            self._leave()
        else:
            self._writing.add_done_callback(lambda _: self._leave())

    def _leave(self) -> None:
        if self._disk is not None:
            self._disk.leave()
        self._parts, self._disk = [], None

    def _wait(self) -> None:
        if self._writing is not None:
            self._writing.result()

    def _taken(self) -> bytes:
        """Return the parts that wait, which are no part any more."""
        content = b"".join(self._parts)
        self._parts, self._size = [], 0
        return content

    def _write(self, content: bytes) -> None:
        """Add bytes to the others: in memory, on the disk where these are many, in memory where that takes no more."""
        try:
            if self._disk is None and self._may_use_disk and self._small.tell() + len(content) > LARGEST:
                apart.warm(apart.MOST)  # what will read them starts meanwhile
                self._disk = scratch.Arriving()
                self._disk.write(self._small.getvalue())
                self._small = BytesIO()
            if self._disk is not None:
                self._disk.write(content)
                return
        except OSError:
            self._may_use_disk = False
            if self._disk is not None and not self._small.tell():
                self._small.write(self._disk.content())
            if self._disk is not None:
                self._disk.leave()
            self._disk = None
        self._small.write(content)


def put_aside(uploader: str, known: MutableMapping[str, OnDisk]) -> None:
    """Take the large files that came with an event from the server. To be called before their uploader is drawn.

    ``uploader`` is its key; ``known`` are its large files by their ids: new ones are added, those that are gone are
    removed. Where the disk takes no more, they stay in memory.
    """
    _collect()
    context = get_script_run_ctx(suppress_warning=True)
    value: Any = st.session_state.get(uploader) or ()
    files = [
        file for file in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(file, UploadedFile)
    ]
    for gone in known.keys() - {file.file_id for file in files}:
        del known[gone]
    new = {file.file_id: file for file in files if file.file_id not in known}
    if context is None or not new:
        return
    manager: Any = context.uploaded_file_mgr
    for record in manager.get_files(context.session_id, [*new]):
        file = new[record.file_id]
        if isinstance(record.data, Aside):
            known[file.file_id] = record.data.file.taken(file.name)
        elif file.size > LARGEST and (written := _written(file)) is not None:
            known[file.file_id] = written
        else:
            continue
        manager.add_file(context.session_id, UploadedFileRec(file.file_id, file.name, file.type, b""))
        file.seek(0)
        file.truncate()


def _written(file: UploadedFile) -> OnDisk | None:
    """Return a file that came in memory, as from ``AppTest``, on the disk; None where that takes no more."""
    apart.warm(apart.MOST)
    try:
        return scratch.put(file.name, file.getvalue())
    except OSError:
        return None


def _collect() -> None:
    """Let the server collect uploads in ``Collected``; nothing happens where there is none, or it does so otherwise."""
    parsers: Any = sys.modules.get("starlette.formparsers")
    if hasattr(parsers, "SpooledTemporaryFile"):
        parsers.SpooledTemporaryFile = Collected
