"""A comparison seen from the other side: numbers, votes, typed lists and edits."""

import numpy as np

import rankdash as rd
from rankdash.edits import Edit, apply
from rankdash.reading.typed import typed_lists
from rankdash.scoring import compare_joined, join, swapped_judgments
from tests.browsed import judgments_csv, run_csv

A, B = rd.read_run(run_csv(False), name="old"), rd.read_run(run_csv(True), name="new")
JUDGED = rd.read_judgments(judgments_csv())


def test_swapped_rankings_give_what_joining_the_other_way_around_gives() -> None:
    """Every difference turns its sign, and nothing else differs from a comparison of B with A."""
    joined = join(A, B, JUDGED)
    there = compare_joined(joined, rd.Policy())
    back, anew = compare_joined(joined.swapped(JUDGED), rd.Policy()), rd.compare(B, A, JUDGED)
    np.testing.assert_array_equal(back.deltas, -there.deltas)
    np.testing.assert_array_equal(back.deltas, anew.deltas)
    assert rd.decide(back).sentence == rd.decide(anew).sentence
    assert (back.joined.a.name, back.joined.b.name) == ("new", "old")


def test_typed_lists_keep_their_own_grades() -> None:
    """Without document ids the grades of a list go along with it."""
    typed = typed_lists("3 2 0", "0 2 3")
    there = rd.compare(typed.a, typed.b, typed.judgments, measures=["DCG@3"])
    back = rd.compare(typed.b, typed.a, swapped_judgments(typed.judgments), measures=["DCG@3"])
    np.testing.assert_array_equal(back.deltas, -there.deltas)
    assert swapped_judgments(JUDGED) is JUDGED


def test_edits_stay_with_their_lists() -> None:
    """Removed from A and swapped is the same as swapped and removed from B."""
    edits = (
        Edit("q1", "d1-0", "remove", "a", 1, None),
        Edit("q2", "d2-1", "grade", None, 0, 3),
        Edit("q3", "new", "add", "b", None, 1),
    )
    there, back = apply(edits, A, B, JUDGED), apply(map(Edit.swapped, edits), B, A, JUDGED)
    assert back.b.table.equals(there.a.table)
    assert back.a.table.equals(there.b.table)
    assert back.judgments.table.equals(there.judgments.table)
    assert tuple(edit.swapped().swapped() for edit in edits) == edits
