"""Lists whose documents have names: A beside B with what they share, and a grade for each document by a click."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import streamlit as st

from rankdash.dashboard.kit import session_values
from rankdash.dashboard.kit.literal import plain, short, table
from rankdash.reading.typed import Typed
from rankdash.style import editing as words
from rankdash.wording import count

#: Ranks that are shown, documents that are graded here, and letters of a name.
_MOST_RANKS, _MOST_GRADED, _NAME = 20, 40, 60
#: The grades of a click; those that were typed come along.
_GRADES = (0.0, 1.0, 2.0, 3.0)
_GIVEN = "typed_grades"
NO_TITLES: Mapping[str, str] = {}
#: Grades by query and document.
Grades = dict[tuple[str, str], float]


def graded(typed: Typed, query_id: str) -> Typed:
    """Draw both lists of a query, and a row of grades for each document; return the lists with the grades given."""
    a, b = (typed.documents(run, query_id) for run in (typed.a, typed.b))
    given: Grades = session_values.held(_GIVEN, dict)
    with st.container(key="typed_lists", gap="small"):
        if typed.b is not None:
            beside(a, b)
        rows(query_id, a, b, given, typed.grades(query_id))
    listed = {query: {*typed.documents(typed.a, query), *typed.documents(typed.b, query)} for query, _ in given}
    return typed.graded({place: grade for place, grade in given.items() if place[1] in listed[place[0]]})


def beside(a: Sequence[str], b: Sequence[str]) -> None:
    """Draw A beside B, rank by rank, under how many documents they share."""
    shared, every = {*a} & {*b}, {*a} | {*b}
    st.markdown(words.OVERLAP.format(n=count(len(shared)), of=count(len(every), "document", "documents")))
    rows = [
        (str(rank), _place(of_a, b, "B"), _place(of_b, a, "A"))
        for rank, (of_a, of_b) in enumerate(zip_longest(a[:_MOST_RANKS], b[:_MOST_RANKS]), start=1)
    ]
    st.markdown(table(["", "**A**", "**B**"], rows))
    longest = max(len(a), len(b))
    if longest > _MOST_RANKS:
        st.caption(words.OVERLAP_FIRST.format(n=count(_MOST_RANKS), of=count(longest)))


def _place(doc_id: str | None, other: Sequence[str], side: str) -> str:
    """Return a document, and where the other list has it."""
    if doc_id is None:
        return ""
    at = words.ALSO_AT.format(side=side, rank=other.index(doc_id) + 1) if doc_id in other else words.ONLY_HERE
    return f"{plain(short(doc_id, _NAME))} :gray[{at}]"


def rows(
    query_id: str,
    a: Sequence[str],
    b: Sequence[str],
    given: Grades,
    known: Mapping[str, float],
    titles: Mapping[str, str] = NO_TITLES,
) -> None:
    """Draw a row for each document, those on top of either list first; what is clicked is put into ``given``. Grades
    that are ``known`` without a click are shown.
    """
    ranks: dict[str, dict[str, int]] = {}
    for side, listed in (("A", a), ("B", b)):
        for rank, doc_id in enumerate(listed, start=1):
            ranks.setdefault(doc_id, {}).setdefault(side, rank)
    documents = sorted(ranks, key=lambda doc_id: min(ranks[doc_id].values()))
    done = sum(doc_id in known or (query_id, doc_id) in given for doc_id in documents)
    st.space("xsmall")
    st.markdown(f"**{words.GRADE_HERE}** :gray[· {words.GRADED_OF.format(n=count(done), of=count(len(documents)))}]")
    st.caption(words.GRADE_WHY)
    grades = sorted({*_GRADES, *known.values()})
    for doc_id in documents[:_MOST_GRADED]:
        _row((query_id, doc_id), grades, known.get(doc_id), ranks[doc_id], given, titles.get(doc_id, ""))
    if len(documents) > _MOST_GRADED:
        st.caption(words.GRADE_FIRST.format(n=count(_MOST_GRADED), of=count(len(documents))))


def _row(
    place: tuple[str, str],
    grades: Sequence[float],
    typed: float | None,
    ranks: Mapping[str, int],
    given: Grades,
    title: str,
) -> None:
    """Draw the grades of a document to click, its name, and where it stands."""
    key = f"typed_grade_{hashlib.sha256(repr(place).encode()).hexdigest()[:12]}"
    name = plain(short(place[1], _NAME))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.segmented_control(
            words.GRADE_OF.format(doc=name),
            grades,
            format_func=lambda grade: f"{grade:g}",
            default=given.get(place, typed),
            key=key,
            label_visibility="collapsed",
            width="content",
            on_change=_give,
            args=(key, place, given),
        )
        at = " · ".join(words.ALSO_AT.format(side=side, rank=rank) for side, rank in ranks.items())
        shown = f"{plain(short(title, _NAME))} :gray[{name}]" if title else name
        st.markdown(f"{shown} :gray[{at}]", width="stretch")


def _give(key: str, place: tuple[str, str], given: Grades) -> None:
    """Take a grade that was clicked; clicked again, it is taken back."""
    grade = session_values.value(key)
    given.pop(place, None)
    if grade is not None:
        given[place] = float(grade)
