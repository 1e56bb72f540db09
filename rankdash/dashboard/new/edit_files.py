"""Files of edits among those that are dropped: put on the comparison that is dropped with them, or that is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from rankdash.case import Case
from rankdash.conventions import Convention
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit.literal import plain, problems, short
from rankdash.dashboard.new.dropzone import remove_button
from rankdash.edits import Edit, misfits
from rankdash.report.edits_file import EditsError, is_edits
from rankdash.sandbox import apart as sandbox
from rankdash.style import editing as words
from rankdash.tables import Judgments, Run
from rankdash.wording import count

_NAME = 60


def apart(files: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the files that are no lists of edits, and those that are."""
    marked = [(file, is_edits(file.getvalue())) for file in files]
    return [file for file, edits in marked if not edits], [file for file, edits in marked if edits]


def put_on(place: str, files: Sequence[Any], case: Case | None, convention: Convention) -> Case | None:
    """Return the case with the edits of files applied under a convention, and draw a line for each file of a drop zone.

    None, and the reason on the page, where a file cannot be read, or where its edits were made on other tables.
    """
    edits: list[Edit] = []
    wrong: list[str] = []
    for number, file in enumerate(files):
        name = short(file.name, _NAME)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            own = _read(file.name, file.getvalue())
            if isinstance(own, str):
                wrong += own.splitlines()
                st.markdown(f":red[:material/error:] {plain(name)}", width="content")
            else:
                edits += own
                said = words.EDITS_READ.format(name=plain(name), n=count(len(own), *words.EDIT_WORDS))
                st.markdown(f":green[:material/check:] {said}", width="content")
            remove_button(place, file.file_id, f"edits_{number}", name)
    if case is not None and not wrong:
        wrong += _misfits(tuple(edits), case.a, case.b, case.judgments, convention)
    if wrong:
        st.markdown(words.EDITS_DO_NOT_FIT)
        problems(wrong)
        return None
    return None if case is None else replace(case, edits=tuple(edits))


@once
def _read(name: str, content: bytes) -> tuple[Edit, ...] | str:
    """Return the edits of a file, or why it cannot be read."""
    try:
        return sandbox.edits(content, name)
    except EditsError as error:
        return str(error)


@once
def _misfits(
    edits: tuple[Edit, ...], a: Run, b: Run, judgments: Judgments | None, convention: Convention
) -> tuple[str, ...]:
    return misfits(edits, a, b, judgments, convention)
