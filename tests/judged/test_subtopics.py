"""Judgments of subtopics: a document has its highest grade, and an edit of it says what becomes of its subtopics."""

import random

import pytest

import rankdash as rd
from rankdash.edits import Edit, apply
from rankdash.judged import pool as pools, pooled
from tests.made import run

Row = tuple[str, str, str, float]


def of_subtopics(rows: list[Row]) -> rd.Judgments:
    """Judgments of (query, subtopic, document, grade)."""
    names = ("query_id", "subtopic", "doc_id", "relevance")
    return rd.read_judgments([dict(zip(names, row, strict=True)) for row in rows])


def world(seed: int) -> list[Row]:
    """Rows in any order, some of them twice, some for no subtopic."""
    chance = random.Random(seed)
    return [
        (
            chance.choice("pqr"),
            chance.choice(["x", "y", "z", ""]),
            f"document {chance.randrange(9)}",
            chance.randrange(-1, 4),
        )
        for _ in range(80)
    ]


@pytest.mark.parametrize("collide", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_document_has_the_highest_of_its_first_grades(
    seed: int, collide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first grade of each (query, document, subtopic) counts, whatever fingerprints say; the others are counted."""
    if collide:
        monkeypatch.setattr(pools, "pair_prints", lambda prints, query: prints // prints)
    rows, first = world(seed), dict[tuple[str, str, str], float]()
    again = [(row, first.setdefault(row[:3], row[3])) for row in rows]
    highest: dict[tuple[str, str], float] = {}
    for (query, _, document), grade in first.items():
        highest[query, document] = max(grade, highest.get((query, document), grade))
    judgments = of_subtopics(rows)
    found, table = pooled(judgments), judgments.table.to_pydict()
    pairs = [(table["query_id"][row], table["doc_id"][row]) for row in found.row.tolist()]
    assert dict(zip(pairs, found.relevance.tolist(), strict=True)) == highest
    assert found.repeated + found.conflict_count == len(rows) - len(first)
    assert found.conflict_count == sum(row[3] != grade for row, grade in again)
    named = [key for key, grade in first.items() if key[1] and grade > 0]
    relevant = found.judged.subtopics(0.5)
    assert sorted(pairs[judgment] for judgment in relevant.document.tolist()) == sorted(key[::2] for key in named)
    assert len(set(relevant.subtopic.tolist())) == len({key[:2] for key in named})


@pytest.mark.parametrize(
    ("after", "left"),
    [
        (3.0, {("d", "x", 3), ("d", "y", 3), ("e", "x", 0)}),
        (0.0, {("d", "x", 0), ("d", "y", 0), ("e", "x", 0)}),
        (None, {("e", "x", 0)}),
    ],
)
def test_a_new_grade_is_for_the_subtopics_that_the_document_was_relevant_to(
    after: float | None, left: set[tuple[str, str, float]]
) -> None:
    """0 takes them away; a document that was relevant to none, or not judged, is relevant to no subtopic."""
    judgments = of_subtopics([("q", "x", "d", 1), ("q", "y", "d", 2), ("q", "z", "d", 0), ("q", "x", "e", 0)])
    lists = run({"q": {"d": 2.0, "e": 1.0, "f": 0.5}})
    edit = Edit("q", "d", "grade", None, 2.0, after)
    others = [Edit("q", document, "grade", None, None, 1.0) for document in ("e", "f")] if after == 3.0 else []
    if others:
        left = left - {("e", "x", 0)} | {("e", "", 1), ("f", "", 1)}
    edited = apply([edit, *others], lists, lists, judgments).judgments
    assert {(row["doc_id"], row["subtopic"], row["relevance"]) for row in edited.table.to_pylist()} == left
