"""Edits on top of tables: what they change, what they leave alone, and that they can be taken back."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import rankdash as rd
from rankdash.edits import Edit, ListLine, apply, differences, merge_grades
from rankdash.inspect.explain import explain
from rankdash.report.json import to_dict
from rankdash.report.tables import judgments_csv, judgments_file, judgments_qrels, rows_csv
from tests.edits.made_edits import random_edits, random_tables
from tests.made import judgments, run
from tests.truth.scale import sampled

A = run({"q1": [["d1", 3.0], ["d2", 2.0], ["d3", 2.0]], "q2": [["d4", 2.0], ["d5", 1.0]]}, "A")
B = run({"q1": [["d3", 9.0], ["d1", 8.0]], "q2": [["d5", 2.0], ["d6", 1.0]]}, "B")
JUDGED = judgments({"q1": {"d1": 2, "d3": 1, "far": 3}, "q2": {"d4": 1, "d5": 0}})


def listed(found: rd.Run, grades: rd.Judgments, query: str) -> list[str]:
    """The documents of one list in order."""
    return [rank.doc_id for rank in explain(found, grades, "nDCG@10", query).ranks]


def grades_of(found: rd.Judgments) -> dict[tuple[str, str], float]:
    """Every judgment by query and document."""
    columns = (found.table.column(name).to_pylist() for name in ("query_id", "doc_id", "relevance"))
    return {(query, doc): grade for query, doc, grade in zip(*columns, strict=True)}


def test_a_grade_counts_in_both_lists_and_the_upload_stays() -> None:
    """A changed grade is one row of the judgments; the runs are the same objects and the upload is untouched."""
    before = grades_of(JUDGED)
    edited = apply([Edit("q1", "d3", "grade", None, 1, 3)], A, B, JUDGED)
    assert edited.a is A
    assert edited.b is B
    assert grades_of(edited.judgments) == {**before, ("q1", "d3"): 3.0}
    assert grades_of(JUDGED) == before
    assert "1 grade was given" in " ".join(note.text for note in edited.judgments.source.notes)


def test_grades_are_added_and_taken_away() -> None:
    """A document without a grade gets one, also in a query that had none; a grade can be taken away."""
    edits = [
        Edit("q1", "d2", "grade", None, None, 1),
        Edit("q9", "x", "grade", None, None, 2),
        Edit("q1", "d1", "grade", None, 2, None),
    ]
    edited = apply(edits, A, B, JUDGED).judgments
    found = grades_of(edited)
    assert found[("q1", "d2")] == 1
    assert found[("q9", "x")] == 2
    assert ("q1", "d1") not in found


def test_a_moved_document_keeps_all_others_in_order() -> None:
    """Moving, removing and adding change one list of one query; every other list scores as before."""
    edits = [
        Edit("q1", "d3", "rank", "a", 2, 1),
        Edit("q1", "d1", "remove", "a", 2, None),
        Edit("q1", "new", "add", "a", None, 2),
    ]
    edited = apply(edits, A, B, JUDGED)
    assert listed(A, JUDGED, "q1") == ["d1", "d3", "d2"]
    assert listed(edited.a, JUDGED, "q1") == ["d3", "new", "d2"]
    assert listed(edited.a, JUDGED, "q2") == ["d4", "d5"]
    assert edited.b is B


def test_a_list_for_a_query_that_had_none_can_be_begun() -> None:
    """Adding a document to a query that the run does not answer begins its list."""
    edited = apply([Edit("q3", "d", "add", "b", None, 1)], A, B, judgments({"q3": {"d": 1}}))
    assert listed(edited.b, judgments({"q3": {"d": 1}}), "q3") == ["d"]


def test_a_list_that_was_moved_back_keeps_its_scores() -> None:
    """Where the order is the uploaded one again, the run is the upload itself, with its equal scores."""
    edits = [Edit("q1", "d2", "rank", "a", 3, 1), Edit("q1", "d2", "rank", "a", 1, 3)]
    assert apply(edits, A, B, JUDGED).a is A


def test_grades_written_in_the_runs_become_judgments() -> None:
    """Without a judgments file an edit works on the pooled grades of the runs, and a removed document stays judged."""
    a = rd.read_run(b"query_id,doc_id,rank,relevance\nq,x,1,2\nq,y,2,0\n")
    edited = apply([Edit("q", "x", "remove", "a", 1, None)], a, a, None)
    assert grades_of(edited.judgments) == {("q", "x"): 2.0, ("q", "y"): 0.0}
    assert listed(edited.a, edited.judgments, "q") == ["y"]


DOCUMENTS = [f"d{i}" for i in range(7)]
some_lists = st.lists(st.sampled_from(DOCUMENTS), unique=True)


@settings(max_examples=sampled(200), deadline=None)
@given(some_lists, some_lists)
def test_the_differences_of_two_lists_lead_from_one_to_the_other(before: list[str], after: list[str]) -> None:
    """Whatever was moved, removed and added at once, applying the differences gives the list that was typed."""
    old = [ListLine(d, place, None) for place, d in enumerate(before, start=1)]
    new = [ListLine(d, place, None) for place, d in enumerate(after, start=1)]
    edits = differences("q", "a", old, new)
    grades = judgments({"q": {"z": 1}})
    start = run({"q": before} if before else {"other": ["x"]}, "A")
    assert listed(apply(edits, start, start, grades).a, grades, "q") == after


#: The ranks of four documents as they are typed, and the order that follows.
TYPED = {"3234": "1203", "1231": "3012", "1234": "0123", "1212": "2301", "4321": "3210", "9234": "1230"}


@pytest.mark.parametrize("ranks", TYPED)
def test_a_changed_rank_is_the_place_of_its_document(ranks: str) -> None:
    """Each rank that was typed into a cell is one edit at most, and its document stands there; the others close up."""
    old = [ListLine(f"d{i}", i + 1, None) for i in range(4)]
    new = [ListLine(line.doc_id, int(rank), None) for line, rank in zip(old, ranks, strict=True)]
    edits = differences("q", "a", old, new)
    grades = judgments({"q": {"z": 1}})
    start = run({"q": [line.doc_id for line in old]}, "A")
    order = "".join(d[1:] for d in listed(apply(edits, start, start, grades).a, grades, "q"))
    assert len(edits) <= sum(map(str.__ne__, ranks, "1234"))
    assert order == TYPED[ranks]


@pytest.mark.parametrize("convention", ["standard", "scikit-learn"])
@pytest.mark.parametrize(("seed", "ties"), [(0, True), (1, True), (2, False)])
def test_the_exported_files_give_the_numbers_of_the_screen(
    seed: int, ties: bool, convention: str, tmp_path: Path
) -> None:
    """Edit, export, run the command line on the exported files: the measures in its JSON are equal, digit by digit."""
    import json

    from rankdash.__main__ import main

    rng = np.random.default_rng(seed)
    edited = apply(random_edits(rng, 25), *random_tables(rng, ties), rd.PRESETS[convention])
    screen = rd.compare(edited.a, edited.b, edited.judgments, policy=rd.Policy(convention=convention))
    for name, content in (
        ("a.csv", rows_csv(screen.a.table)),
        ("b.csv", rows_csv(screen.b.table)),
        ("q.csv", judgments_csv(screen.joined)),
        ("q.qrels", judgments_qrels(screen.joined)),
    ):
        (tmp_path / name).write_bytes(content)
    assert rd.read_judgments(tmp_path / "q.qrels").table.equals(rd.read_judgments(tmp_path / "q.csv").table)
    files = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    out = tmp_path / "out.json"
    assert main(["compare", *files, "-q", str(tmp_path / "q.csv"), "-c", convention, "--json", str(out)]) == 0
    told, shown = json.loads(out.read_text()), json.loads(json.dumps(to_dict(screen, rd.decide(screen))))
    for key in ("measures", "queries", "gsb_derived", "judged", "waterfall", "verdict", "convention"):
        assert told[key] == shown[key], key


def graded(edits: Sequence[Edit], pair: tuple[str, str]) -> list[Edit]:
    """What was done to the grade of a document, in order."""
    return [edit for edit in edits if edit.what == "grade" and (edit.query_id, edit.doc_id) == pair]


@settings(max_examples=sampled(60), deadline=None)
@given(st.integers(0, 10_000))
def test_grades_of_two_people_go_together_where_they_are_of_different_documents(seed: int) -> None:
    """Of random edits of two people: both hold in the end where both changed grades alone, of
    different documents, as if one had followed the other; anything else is for a person to say.
    """
    rng = np.random.default_rng(seed)
    base = random_edits(rng, 4)
    sides = []
    for _ in range(2):
        kept = [edit for edit in base if edit.what != "grade" or rng.random() < 0.8]
        more = [edit for edit in random_edits(rng, int(rng.integers(4))) if edit.what == "grade" or rng.random() < 0.2]
        sides.append([*kept, *more])
    every = {(edit.query_id, edit.doc_id) for edit in (*base, *sides[0], *sides[1])}
    was, *now = ({pair: graded(edits, pair) for pair in every} for edits in (base, *sides))
    changed = [{pair for pair in every if own[pair] != was[pair]} for own in now]
    meet = any(now[0][pair] != now[1][pair] for pair in changed[0] & changed[1])
    lists = [[edit for edit in edits if edit.what != "grade"] for edits in (base, *sides)]
    found = merge_grades(base, *sides)
    assert (found is None) == (meet or lists[0] != lists[1] or lists[0] != lists[2])
    if found is not None:
        both = {pair: graded(found, pair) for pair in every}
        assert both == {pair: now[0][pair] if pair in changed[0] else now[1][pair] for pair in every}
        assert [edit for edit in found if edit.what != "grade"] == lists[0]


@pytest.mark.parametrize(
    ("name", "rows", "ending"),
    [
        ("q.qrels", "q1 0 d1 2", "qrels"),
        ("q.txt", "q1 0 d1 1.23456789\nq1 0 d2 12345678", "qrels"),
        ("q.txt", "q1\td 1\t2", "csv"),
        ("q.csv", "query_id,doc_id,relevance\nq1,d1,2", "csv"),
    ],
)
def test_judgments_are_saved_in_the_form_in_which_they_came(tmp_path: Path, name: str, rows: str, ending: str) -> None:
    """Qrels are saved as qrels, unless an id has a blank; everything else as CSV. What is read back is the same."""
    (tmp_path / name).write_text(f"{rows}\n")
    joined = rd.compare({"q1": ["d1"]}, {"q1": ["d2", "d1"]}, tmp_path / name).joined
    found, write = judgments_file(joined)
    assert found == ending
    (tmp_path / f"again.{found}").write_bytes(write(joined))
    again = rd.read_judgments(tmp_path / f"again.{found}").table
    assert again.to_pylist() == joined.judgments.table.to_pylist()
