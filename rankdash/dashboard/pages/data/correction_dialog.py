"""Correcting how a file of the open comparison was read, without dropping it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.new import corrections, file_card, uploads
from rankdash.dashboard.new.dropzone import entries
from rankdash.dashboard.session import file_cache, session
from rankdash.dashboard.session.files import Box, CachedFile, FileEntry
from rankdash.style import reading as words
from rankdash.tables import Judgments, Models, Queries, Run, Votes

PLACE = "correct"
#: The tables that are read again where their file is gone. Votes are not: which models they name is not saved.
_SAVED: Mapping[str, Literal["a", "b", "judgments", "queries"]] = MappingProxyType(
    {"a": "a", "b": "b", "judgments": "judgments", "queries": "queries"}
)


def button(slot: str, digest: str, case: Case) -> None:
    """Draw the button that corrects a file: from its bytes where they are still there, else from the table that was
    read of it.
    """
    file = file_cache.of(digest)
    is_there = file is not None and file.is_for(slot) and file.file(digest) is not None
    if not is_there and not is_kept(slot, digest, case):
        return
    if not st.button(words.CORRECT, icon=":material/tune:", key=f"{PLACE}_{slot}", type="tertiary"):
        return
    if file is not None and is_there:
        _begin(digest, file)
        _dialog(digest, file, case, "")
    else:
        table = case.tables[_SAVED[slot]]
        assert isinstance(table, Run | Judgments | Queries)
        of_table = file_cache.of_table(_SAVED[slot], table)
        if of_table is None:
            _dialog("", None, case, slot)
        else:
            _begin(*of_table)
            _dialog(*of_table, case, slot)


def is_kept(slot: str, digest: str, case: Case) -> bool:
    """Return whether the table of a saved comparison that was read of a file can be read again, to be corrected."""
    table = case.tables.get(_SAVED[slot]) if slot in _SAVED else None
    if table is None or not digest or session.now().saved is None:
        return False
    return bool(0 < table.table.nbytes <= file_cache.LARGEST)


def _begin(digest: str, file: CachedFile) -> None:
    """Start from how the file was read; what was begun on the same reading and left is taken up again."""
    start, token = (digest, file.decisions), digest[:8]
    if file_cache.box_of(PLACE).corrected != start:
        box = Box(wishes={token: file.role}, decisions={token: file.decisions}, corrected=start)
        file_cache.put_box(PLACE, box)


@dialogs.dialog(words.CORRECT_TITLE, width="large")
def _dialog(digest: str, cached: CachedFile | None, case: Case, saved: str) -> None:
    """Draw what can be corrected. ``saved`` is the slot of which the table is read again, "" for a file."""
    file = None if cached is None else cached.file(digest)
    if cached is None or file is None:
        st.markdown(words.NOT_IN_TAB)
        return
    entry = entries(PLACE, [file], names=lambda _: (case.a.name, case.b.name))[0]
    st.markdown(f"**{plain(entry.look.name)}** :gray[· {file_card.summary(entry, has_format=not saved)}]")
    if saved:
        st.caption(words.FROM_SAVED)
    corrections.questions(PLACE, entry)
    error = None if entry.reading is None else entry.reading.error
    if error is not None:
        file_card.problems(entry.look.name, error)
    file_card.details(PLACE, entry)
    new = _of_saved(case, saved, entry) if saved else _replaced(case, digest, entry)
    changed = entry.decisions != cached.decisions or entry.role == "both"
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(words.APPLY, type="primary", disabled=new is None or not changed, key=f"{PLACE}_apply")
        if not changed:
            st.caption(words.APPLY_NEEDS)
        elif case.edits:
            st.caption(words.APPLY_EDITS)
    if go and new is not None:
        uploads.compare(new, [] if saved else [entry], also=True, reread=True)


def _of_saved(case: Case, slot: str, entry: FileEntry) -> Case | None:
    """Return the case with a table that was read again from what was saved of its file; None where it cannot be read.
    Its source stays the file, with a note.
    """
    before, table = case.tables[_SAVED[slot]], entry.table
    if not isinstance(table, type(before)):
        return None
    notes = (*table.source.notes, words.READ_FROM_SAVED)
    table = replace(table, source=replace(before.source, notes=notes))
    if isinstance(table, Run) and isinstance(before, Run):
        table = replace(table, name=before.name, read_as=before.read_as)
    if isinstance(table, Queries) and isinstance(before, Queries):
        table = replace(table, missing_weight=before.missing_weight)  # as somebody decided
    return uploads.with_files(case, **{slot: table}).knowing_lists()


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
