"""Lists that were dropped without judgments: by the grades that their files hold beside them, or graded by a click."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from rankdash import arrow
from rankdash.case import Case
from rankdash.dashboard.host.results import once
from rankdash.dashboard.new import dropzone, typed_grades
from rankdash.dashboard.session.file_cache import box_of
from rankdash.dashboard.session.files import FileEntry
from rankdash.inspect.lists import ungraded
from rankdash.mistakes import by_texts
from rankdash.reading.typed import graded_by_hand
from rankdash.style import reading as words
from rankdash.tables import Judgments, Run, Source
from rankdash.wording import count, literal

#: Queries that can be graded here, and documents of each: more is work for a file.
MOST_QUERIES, _MOST_RANKS = 50, 20


def beside(place: str, entries: Sequence[FileEntry], case: Case) -> Case | None:
    """Offer the grades that files of lists hold beside them, those of B first. Return the case with them; None where
    there are none, or somebody wants to grade here.
    """
    held = {entry.token: entry for side in "ba" for entry in entries if entry.role == side and _holds_grades(entry)}
    if not held:
        return None
    chosen = st.selectbox(
        words.GRADES_BESIDE,
        [*held, ""],
        key=f"{place}_grades_beside",
        format_func=lambda token: literal(held[token].look.name) if token else words.GRADE_HERE,
        help=words.GRADES_BESIDE_HELP,
        width=500,
    )
    if not chosen:
        return None
    judgments = dropzone.read_once(f"{place}_beside", held[chosen].file, "judgments").table
    if not isinstance(judgments, Judgments):
        return None
    tables = dict[str, Any](case.tables.items()) | {"judgments": judgments}
    return Case.of(by_texts(tables), case.name).knowing_lists()


def _holds_grades(entry: FileEntry) -> bool:
    return isinstance(entry.table, Run) and entry.table.source.holds_judgments


def graded(place: str, case: Case) -> Case | None:
    """Draw the lists of a query and a row of grades for each document. Return the case with the grades that were given
    so far; None before the first one, and where there are too many queries for it.
    """
    queries = _queries(case.a, case.b)
    if len(queries) > MOST_QUERIES:
        st.caption(words.GRADE_TOO_MANY.format(n=count(len(queries)), most=count(MOST_QUERIES)))
        return None
    given, names = box_of(place).grades, _names(case.a, case.b)
    done = {query_id for query_id, _ in given}
    with st.container(border=True, key=f"{place}_grades", gap="small"):
        st.markdown(words.GRADE_FILES.format(n=count(len(done)), of=count(len(queries), "query", "queries")))
        query_id = queries[0]
        if len(queries) > 1:
            query_id = st.selectbox(
                words.GRADE_QUERY,
                queries,
                key=f"{place}_grade_query",
                format_func=lambda query: literal(f"{names[query]}  ({query})" if query in names else query),
            )
        a, b = (ungraded(run, query_id, _MOST_RANKS) for run in (case.a, case.b))
        ids_a, ids_b = ([shown.doc_id for shown in listed] for listed in (a, b))
        typed_grades.beside(ids_a, ids_b)
        titles = {shown.doc_id: shown.title for shown in (*b, *a) if shown.title}
        typed_grades.rows(query_id, ids_a, ids_b, given, {}, titles)
    if not given:
        return None
    digest = hashlib.sha256(repr(sorted(given.items())).encode()).hexdigest()
    return replace(case, judgments=graded_by_hand(given, Source(words.GRADED_HERE, digest)))


@once
def _queries(a: Run, b: Run) -> tuple[str, ...]:
    """Return the queries of A, and those that B alone answers."""
    columns = [arrow.one_chunk(run.table.column("query_id")) for run in (a, b)]
    return tuple(dict.fromkeys(query for column in columns for query in column.unique().to_pylist()))


@once
def _names(a: Run, b: Run) -> dict[str, str]:
    """Return the texts of the queries whose rows have one."""
    tables = [run.table for run in (b, a) if "query_text" in run.table.column_names]
    pairs = (
        zip(*(table.column(name).to_pylist() for name in ("query_id", "query_text")), strict=True) for table in tables
    )
    return {query_id: text for several in pairs for query_id, text in several if text}
