"""Correcting how a file of the open comparison was read, without dropping it again."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.new import corrections, file_card, uploads
from rankdash.dashboard.new.dropzone import Box, entries
from rankdash.dashboard.session import file_cache
from rankdash.dashboard.session.files import Entry
from rankdash.dashboard.session.inputs import Inputs
from rankdash.style import reading as words
from rankdash.tables import Models

PLACE = "correct"
_STARTED = f"{PLACE}_started"


def button(slot: str, digest: str, inputs: Inputs) -> None:
    """The way to correct one file, where its bytes are still there."""
    file = file_cache.of(digest)
    if file is None or file.file(digest) is None:
        return
    if st.button(words.CORRECT, icon=":material/tune:", key=f"{PLACE}_{slot}", type="tertiary"):
        _begin(digest, file)
        _dialog(digest, inputs)


def _begin(digest: str, file: file_cache.Kept) -> None:
    """Start from how the file was read; what was begun on the same reading and left is taken up again."""
    start = (digest, file.decisions)
    if st.session_state.get(_STARTED) != start or f"{PLACE}_box" not in st.session_state:
        token = digest[:8]
        st.session_state[f"{PLACE}_box"] = Box(wishes={token: file.role}, decisions={token: file.decisions})
        st.session_state[_STARTED] = start


@st.dialog(words.CORRECT_TITLE, width="large")
def _dialog(digest: str, inputs: Inputs) -> None:
    known = file_cache.of(digest)
    file = None if known is None else known.file(digest)
    if known is None or file is None:
        return
    entry = entries(PLACE, [file])[0]
    st.markdown(f"**{plain(entry.look.name)}** :gray[· {file_card.summary(entry)}]")
    corrections.questions(PLACE, entry)
    error = None if entry.reading is None else entry.reading.error
    if error is not None:
        file_card.problems_table(entry.look.name, error)
    file_card.details(PLACE, entry)
    new = _replaced(inputs, digest, entry)
    changed = entry.decisions != known.decisions or entry.role == "both"
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(words.APPLY, type="primary", disabled=new is None or not changed, key=f"{PLACE}_apply")
        if not changed:
            st.caption(words.APPLY_NEEDS)
        elif inputs.edits:
            st.caption(words.APPLY_EDITS)
    if go and new is not None:
        uploads.compare(new, [entry], also=True, reread=True)


def _replaced(inputs: Inputs, digest: str, entry: Entry) -> Inputs | None:
    """Return the inputs with what the file now gives, in every place that it was used for; None where it cannot be
    read.
    """
    table = entry.table
    if table is None:
        return None
    base = replace(inputs.unedited, name=style.UPLOADED)
    if isinstance(table, Models):
        runs = uploads.two_of(PLACE, table)
        if runs is None:
            return None
        graded = base.judgments is not None and base.judgments.source.sha256 == digest
        return replace(base, a=runs[0], b=runs[1], judgments=table.judgments if graded else base.judgments)
    if entry.role in ("a", "b"):
        sides = {side: run for side, run in (("a", base.a), ("b", base.b)) if run.source.sha256 == digest}
        return replace(base, **{side: table.renamed(run.name) for side, run in sides.items()})
    return replace(base, **{entry.role: table})
