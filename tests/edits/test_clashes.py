"""Edits of lists that share no documents: typed without names, each grade is for one list alone."""

import pytest

import rankdash as rd
from rankdash.edits import Edit, apply, clashes
from rankdash.metrics import parse_measure
from rankdash.reading.typed import typed_lists

ADDED = [Edit("1", "new", "add", "a", None, 1), Edit("1", "new", "grade", "a", None, 3.0)]


@pytest.mark.parametrize(
    "edit",
    [
        Edit("1", "new", "add", "b", None, 1),
        Edit("1", "new", "grade", "b", None, 1.0),
        Edit("1", "new", "grade", None, None, 1.0),
        Edit("1", "B1", "add", "a", None, 1),
        Edit("1", "B1", "grade", "a", None, 3.0),
    ],
)
def test_a_document_of_one_list_does_not_enter_the_other_where_they_share_none(edit: Edit) -> None:
    """A grade in list A is never lost to, or counted in, a document of list B that bears the same id."""
    typed = typed_lists("3 2 0", "1 0 2")
    (told,) = clashes([*ADDED, edit], typed.a, typed.b, typed.judgments)
    assert told.startswith(repr(edit.doc_id))
    assert told.endswith("Use another id.")


def test_documents_of_their_own_enter_each_list_and_missed_ones_enter_both() -> None:
    """What is new under an id of its own, and what both lists missed, is added and graded in each list."""
    typed = typed_lists("3 2 0", "1 0 2", "2")
    edits = [
        *ADDED,
        Edit("1", "newer", "add", "b", None, 1),
        Edit("1", "newer", "grade", "b", None, 1.0),
        Edit("1", "missed 1", "add", "a", None, 1),
        Edit("1", "missed 1", "add", "b", None, 1),
        Edit("1", "A1", "grade", "a", 3.0, 0.0),
    ]
    assert clashes(edits, typed.a, typed.b, typed.judgments) == ()
    tables = apply(edits, typed.a, typed.b, typed.judgments)
    found = rd.compare(tables.a, tables.b, tables.judgments, measures=[parse_measure("CG")])
    at = found.measure_names.index("CG")
    assert (found.scores_a[at].tolist(), found.scores_b[at].tolist()) == ([7.0], [6.0])


def test_where_lists_share_documents_both_may_have_one() -> None:
    """Lists with names share documents, and nothing is in the way of adding one to both."""
    typed = typed_lists("d1:3 d2:2", "d2:2 d3:0")
    edits = [Edit("1", "new", "add", "a", None, 1), Edit("1", "new", "add", "b", None, 1)]
    assert clashes(edits, typed.a, typed.b, typed.judgments) == ()
