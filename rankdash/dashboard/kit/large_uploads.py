"""Large uploads lie on the disk while they are in a drop zone, and nowhere in memory.

Why: Streamlit keeps the bytes of every upload in memory for as long as the session lasts
(https://github.com/streamlit/streamlit/issues/9218), and copies them with each run of the page. Here a file leaves an
empty one under its id behind: the uploader shows it as before, and what is read is the file on the disk. That is
removed when nobody refers to it any more.

It can go when Streamlit gives uploads as files.
"""

from __future__ import annotations

from collections.abc import MutableMapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from rankdash.intake import OnDisk, apart, scratch

#: Smaller files stay in memory, where a correction finds them without another upload.
LARGEST = 20_000_000


def put_aside(uploader: str, known: MutableMapping[str, OnDisk]) -> None:
    """Write the large files that came with an event to the disk. To be called before their uploader is drawn.

    ``uploader`` is its key; ``known`` are its large files by their ids: new ones are added, those that are gone are
    removed. Where the disk takes no more, they stay in memory.
    """
    context = get_script_run_ctx(suppress_warning=True)
    files = st.session_state.get(uploader) or ()
    for gone in known.keys() - {file.file_id for file in files}:
        del known[gone]
    for file in files:
        if context is None or not isinstance(file, UploadedFile) or file.size <= LARGEST or file.file_id in known:
            continue
        apart.warm(apart.MOST)  # what will read them starts meanwhile
        try:
            known[file.file_id] = scratch.put(file.name, file.getvalue())
        except OSError:
            continue
        empty = UploadedFileRec(file.file_id, file.name, file.type, b"")
        context.uploaded_file_mgr.add_file(context.session_id, empty)  # type: ignore[attr-defined]
        file.seek(0)
        file.truncate()
