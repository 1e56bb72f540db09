"""Correcting how a file of the open comparison was read, without dropping it again."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.new import corrections, file_card, uploads
from rankdash.dashboard.new.dropzone import entries
from rankdash.dashboard.session import file_cache
from rankdash.dashboard.session.files import Box, CachedFile, FileEntry
from rankdash.style import reading as words
from rankdash.tables import Models, Queries, Votes

PLACE = "correct"


def button(slot: str, digest: str, case: Case) -> None:
    """Draw the way to correct one file, where its bytes are still there."""
    file = file_cache.of(digest)
    if file is None or file.file(digest) is None:
        return
    if st.button(words.CORRECT, icon=":material/tune:", key=f"{PLACE}_{slot}", type="tertiary"):
        _begin(digest, file)
        _dialog(digest, case)


def _begin(digest: str, file: CachedFile) -> None:
    """Start from how the file was read; what was begun on the same reading and left is taken up again."""
    start, token = (digest, file.decisions), digest[:8]
    if file_cache.box_of(PLACE).corrected != start:
        box = Box(wishes={token: file.role}, decisions={token: file.decisions}, corrected=start)
        file_cache.put_box(PLACE, box)


@dialogs.dialog(words.CORRECT_TITLE, width="large")
def _dialog(digest: str, case: Case) -> None:
    known = file_cache.of(digest)
    file = None if known is None else known.file(digest)
    if known is None or file is None:
        return
    entry = entries(PLACE, [file], names=lambda _: (case.a.name, case.b.name))[0]
    st.markdown(f"**{plain(entry.look.name)}** :gray[· {file_card.summary(entry)}]")
    corrections.questions(PLACE, entry)
    error = None if entry.reading is None else entry.reading.error
    if error is not None:
        file_card.problems(entry.look.name, error)
    file_card.details(PLACE, entry)
    new = _replaced(case, digest, entry)
    changed = entry.decisions != known.decisions or entry.role == "both"
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(words.APPLY, type="primary", disabled=new is None or not changed, key=f"{PLACE}_apply")
        if not changed:
            st.caption(words.APPLY_NEEDS)
        elif case.edits:
            st.caption(words.APPLY_EDITS)
    if go and new is not None:
        uploads.compare(new, [entry], also=True, reread=True)


def _replaced(case: Case, digest: str, entry: FileEntry) -> Case | None:
    """Return the case with what the file now gives, in every place that it was used for; None where it cannot be
    read.
    """
    table = entry.table
    if table is None:
        return None
    if isinstance(table, Models):
        runs = uploads.two_of(PLACE, table)
        if runs is None:
            return None
        graded = case.judgments is not None and case.judgments.source.sha256 == digest
        judgments = table.judgments if graded else case.judgments
        return uploads.with_files(case, a=runs[0], b=runs[1], judgments=judgments).knowing_lists()
    if entry.role in ("a", "b"):
        sides = {side: run for side, run in (("a", case.a), ("b", case.b)) if run.source.sha256 == digest}
        return uploads.with_files(case, **{side: table.renamed(run.name) for side, run in sides.items()})
    if isinstance(table, Votes) and case.votes is not None:
        table = replace(table, about=case.votes.about)  # read otherwise, they are on the same lists
    if isinstance(table, Queries) and case.queries is not None:
        table = replace(table, missing_weight=case.queries.missing_weight)  # as somebody decided
    return uploads.with_files(case, **{entry.role: table}).knowing_lists()
