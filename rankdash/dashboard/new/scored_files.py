"""The files of a folder of scored queries among those that are dropped: a comparison whose lists are elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import streamlit as st

from rankdash.case import Case, runs_of_scored
from rankdash.comparison import ComparisonError
from rankdash.dashboard.kit.literal import plain, problems, short
from rankdash.dashboard.session.file_cache import box_of
from rankdash.intake import Given
from rankdash.sandbox.apart import scored
from rankdash.scored import METADATA
from rankdash.scored.uploaded import MANIFEST
from rankdash.style import reading as words
from rankdash.tables import Scored
from rankdash.wording import count

_NAME = 40
_PART = re.compile(r"part-\d+\.parquet")


def apart(files: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the files that are not of a folder of scored queries, and those that are: none without its manifest."""
    names = {file.file_id: PurePath(file.name).name for file in files}
    if MANIFEST not in names.values():
        return list(files), []
    of_folder = {id for id, name in names.items() if name == MANIFEST or _PART.fullmatch(name)}
    own = [file for file in files if file.file_id in of_folder]
    return [file for file in files if file.file_id not in of_folder], own


def inputs_of(place: str, files: Sequence[Any]) -> Case | None:
    """Return the comparison that the files make, and draw a line about them; None, and the reason on the page, where
    they cannot be read.
    """
    made = _read(place, files)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if isinstance(made, Case):
            queries = count(0 if made.scored is None else len(made.scored.table), "query", "queries")
            names = {"a": plain(short(made.a.name, _NAME)), "b": plain(short(made.b.name, _NAME))}
            st.markdown(
                f":green[:material/check:] {words.SCORED_READ.format(queries=queries, **names)}", width="content"
            )
        else:
            st.markdown(f":red[:material/error:] {words.SCORED_WRONG}", width="content")
        st.button(
            words.REMOVE.format(name=words.SCORED),
            key=f"{place}_remove_scored",
            type="tertiary",
            icon=":material/close:",
            on_click=box_of(place).removed.update,
            args=([file.file_id for file in files],),
        )
    if isinstance(made, Case):
        return made
    problems(made)
    return None


def _read(place: str, files: Sequence[Any]) -> Case | list[str]:
    """Return what the files make, or what is wrong with them; read once, however often the page runs with them."""
    ids, box = tuple(file.file_id for file in files), box_of(place)
    if box.scored is None or box.scored[0] != ids:
        with st.spinner(words.READING_FILE.format(name=words.SCORED)):
            given = [Given(file.name, file) for file in files]
            reading = scored(given, METADATA.decode())
        wrong = None if reading.error is None else reading.error.lines("page")
        box.scored = ids, wrong or _checked(reading.table)
    return box.scored[1]


def _checked(table: Any) -> Case | list[str]:
    """Return the comparison of a table that another process read, or why it cannot be used."""
    assert isinstance(table, Scored)
    try:
        runs = runs_of_scored(table)
    except ComparisonError as error:
        return str(error).splitlines()
    return Case(runs, scored=table).with_distinct_names()
