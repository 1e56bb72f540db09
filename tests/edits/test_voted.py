"""Which votes count beside lists that were replaced or edited, and what is said of the others."""

from dataclasses import replace

import pytest

import rankdash as rd
from rankdash.case import lists_of
from rankdash.edits import Edit, VoteValidity, valid_votes
from tests.made import run

LISTS = {f"q{q}": [f"d{i}" for i in range(12)] for q in range(4)}
A, B = run(LISTS, "old"), run({query: docs[::-1] for query, docs in LISTS.items()}, "new")
OTHER = run({query: docs[1:] for query, docs in LISTS.items()}, "new")
VOTES = rd.read_votes([{"query_id": f"q{q}", "vote": "good", "rater": rater} for q in range(3) for rater in "xy"])
TOP, DEEP = Edit("q1", "d11", "rank", "b", 1, 3), Edit("q1", "d0", "rank", "b", 12, 11)


def counted(found: VoteValidity) -> list[str]:
    """The queries of the votes that count, in order."""
    return sorted(set(found.votes.table.column("query_id").to_pylist()))


@pytest.mark.parametrize(
    ("edits", "queries"),
    [
        ((TOP,), ["q0", "q2"]),
        ((DEEP,), ["q0", "q1", "q2"]),
        ((Edit("q1", "d11", "remove", "b", 1, None),), ["q0", "q2"]),
        ((Edit("q1", "new", "add", "a", None, 10),), ["q0", "q2"]),
        ((Edit("q1", "new", "add", "a", None, 11),), ["q0", "q1", "q2"]),
        ((Edit("q1", "d11", "grade", None, None, 2),), ["q0", "q1", "q2"]),
        ((Edit("q3", "d11", "rank", "b", 1, 3),), ["q0", "q1", "q2"]),
        ((TOP, Edit("q1", "d11", "rank", "b", 3, 1)), ["q0", "q1", "q2"]),
        ((TOP, Edit("q0", "d0", "rank", "a", 1, 2)), ["q2"]),
    ],
)
def test_an_edit_of_the_first_documents_sets_the_votes_of_its_query_aside(
    edits: tuple[Edit, ...], queries: list[str]
) -> None:
    """Moved, removed or added within the first ten: not counted. Below them, grades, other queries, and moved back:
    counted.
    """
    found = valid_votes(VOTES, A, B, edits)
    assert counted(found) == queries
    assert {one.query_id for one in found.open} == {"q0", "q1", "q2"} - {*queries}
    assert len(found.notes) == bool(found.open)


def test_votes_on_other_lists_are_all_set_aside() -> None:
    """A list that was replaced: nothing counts until it is said, with the names of what was voted on."""
    votes = replace(VOTES, about=lists_of(A, B))
    now = run(dict(LISTS), "newer")
    found = valid_votes(votes, A, now, lists=lists_of(A, now))
    assert (counted(found), len(found.open)) == ([], 1)
    (note,) = found.notes
    assert note == (
        '6 votes set aside and not counted: people voted on B "new" (B is "newer" now). '
        "They count once somebody says that they hold."
    )
    again = valid_votes(votes, A, OTHER, lists=lists_of(A, OTHER))
    assert 'B "new" as it was' in again.notes[0]
    held = valid_votes(votes, A, now, held=found.open, lists=lists_of(A, now))
    assert (counted(held), held.open) == (["q0", "q1", "q2"], ())
    assert counted(valid_votes(votes, A, OTHER, held=found.open, lists=lists_of(A, OTHER))) == []


def test_the_same_lists_from_another_file_keep_their_votes() -> None:
    """What was voted on is known by its lists: not by a name, a format, the order of its queries, titles or grades."""
    rows = [(query, doc, 12 - at) for query, docs in LISTS.items() for at, doc in enumerate(docs)]
    first = rd.read_run("".join(f"{query} Q0 {doc} 1 {score} x\n" for query, doc, score in rows).encode(), name="old")
    other = "".join(f"{query},{doc},{score}\n" for query, doc, score in sorted(rows, key=lambda row: row[0][::-1]))
    same = rd.read_run(f"query_id,doc_id,score\n{other}".encode(), name="another")
    shown = rd.read_run(f"query_id,doc_id,score,title,relevance\n{other.replace(chr(10), ',Hat,1' + chr(10))}".encode())
    for now in (same, shown):
        found = valid_votes(replace(VOTES, about=lists_of(first, B)), now, B, lists=lists_of(now, B))
        assert (counted(found), found.open) == (["q0", "q1", "q2"], ())
