"""A table of votes as numbers, without each rater in turn, and seen from the other side."""

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.evidence.gsb import last_votes, rated
from rankdash.scoring import swapped_votes, without_each_rater
from rankdash.scoring.compare import MOST_RATERS, TURNED, rated_votes

ROWS = [
    {"query_id": "q2", "vote": "good", "rater": "r1", "left": "A"},
    {"query_id": "q2", "vote": "bad", "rater": "r2", "left": "B"},
    {"query_id": "q2", "vote": "good", "rater": "r3", "left": "A"},
    {"query_id": "q1", "vote": "both_bad", "rater": "r1", "left": "B"},
    {"query_id": "q3", "vote": "bad", "rater": "r1", "left": ""},
]
#: The same as numbers: queries and raters in the order of their names.
QUERY, SIGN = np.array([1, 1, 1, 0, 2]), np.array([1, -1, 1, 0, -1])
RATER, LEFT = np.array([0, 1, 2, 0, 0]), np.array([-1, 1, -1, 1, 0])


def votes(*names: str, rows: list[dict[str, str]] = ROWS) -> rd.Votes:
    """The rows with some of their columns."""
    return rd.read_votes([{name: row[name] for name in ("query_id", "vote", *names)} for row in rows])


def same(found: object, expected: object) -> bool:
    """Whether two records of votes say the same."""
    return repr(found) == repr(expected)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ((), {}),
        (("rater",), {"rater": RATER}),
        (("left",), {"left": LEFT}),
        (("rater", "left"), {"rater": RATER, "left": LEFT}),
    ],
)
def test_words_count_as_seen_from_b(names: tuple[str, ...], told: dict[str, np.ndarray]) -> None:
    """Good is 1, bad is -1, anything else 0; B on the left is 1, A is -1, unknown 0; columns that are not there do
    not count.
    """
    assert same(rated_votes(votes(*names)), rated(QUERY, SIGN, **told))


def test_a_vote_without_a_rater_is_nobodys() -> None:
    """An empty name is no rater: two such votes on a query are two people's."""
    rows = [dict(row, rater="" if row["rater"] != "r2" else "r2") for row in ROWS]
    assert same(rated_votes(votes("rater", rows=rows)), rated(QUERY, SIGN, rater=np.array([-1, 1, -1, -1, -1])))


def test_every_rater_is_left_out_once() -> None:
    """In the order of their names; with one rater, or without names, there is nothing to leave out."""
    found = list(without_each_rater(votes("rater", "left")))
    assert [name for name, _ in found] == ["r1", "r2", "r3"]
    for name, rest in found:
        rows = [row for row in ROWS if row["rater"] != name]
        assert same(rest, rated_votes(votes("rater", "left", rows=rows)))
    assert list(without_each_rater(votes())) == []
    assert list(without_each_rater(votes("rater", rows=[ROWS[0], ROWS[3]]))) == []


def test_the_other_side_sees_good_as_bad() -> None:
    """Votes and sides are exchanged and a note says so; what has no side has none; turned back, the note is gone."""
    turned = swapped_votes(votes("rater", "left"))
    assert turned.table.column("vote").to_pylist() == ["bad", "good", "bad", "both_bad", "good"]
    assert turned.table.column("left").to_pylist() == ["B", "A", "B", "A", ""]
    assert turned.table.column("rater").to_pylist() == [row["rater"] for row in ROWS]
    assert turned.source.notes[-1].code == TURNED
    assert swapped_votes(turned).source.notes == votes("rater", "left").source.notes
    assert swapped_votes(votes()).table.column_names == votes().table.column_names


def test_votes_about_documents_are_each_a_vote() -> None:
    """A rater who votes on two documents of a query has two votes; on one document twice, the last one counts."""
    rows = [("q1", "d1", "good"), ("q1", "d2", "good"), ("q1", "d1", "bad"), ("q2", "d1", "bad"), ("q2", "d2", "bad")]
    table = [{"query_id": query, "doc_id": doc, "vote": vote, "rater": "r1"} for query, doc, vote in rows]
    found = rated_votes(rd.read_votes(table))
    assert (found.repeated, found.gsb.delta, found.labels.tolist()) == (1, -0.5, [0, -1])
    one = rated_votes(rd.read_votes([{**row, "doc_id": "d"} for row in table]))
    assert (one.repeated, one.gsb.delta, one.labels.tolist()) == (3, -1.0, [-1, -1])


@pytest.mark.parametrize(
    ("column", "word", "says"),
    [("vote", "B better", "Votes hold 'B better' as vote: use 'good'"), ("left", "new", "as left: use 'A', 'B'")],
)
def test_votes_made_in_memory_have_known_words(column: str, word: str, says: str) -> None:
    """A word that is none of the votes would count as "same", a side that is none as unknown: both are refused."""
    rows = {"query_id": ["q1"], "vote": ["good"], "left": ["A"]} | {column: [word]}
    with pytest.raises(ValueError, match=says):
        rd.Votes(pa.table(rows))


def test_of_many_raters_those_who_voted_most_are_left_out() -> None:
    """Of more than MOST_RATERS raters each of the busiest is left out in turn, of equals the first by name."""
    names = [f"r{i:03}" for i in range(MOST_RATERS + 20)]
    rows = [{"query_id": f"q{at}", "vote": "good", "rater": name} for at, name in enumerate(names)]
    rows += [{"query_id": f"s{at}", "vote": "bad", "rater": name} for at, name in enumerate(names[-5:])]
    found = dict(without_each_rater(votes("rater", rows=rows)))
    assert list(found) == [*names[: MOST_RATERS - 5], *names[-5:]]
    for name in (names[0], names[-1]):
        rest = [row for row in rows if row["rater"] != name]
        assert same(found[name], rated_votes(votes("rater", rows=rest)))


@pytest.mark.parametrize("seed", range(20))
def test_the_last_vote_of_a_rater_counts_whatever_the_rows(seed: int) -> None:
    """Which rows count is what a look at every later row says."""
    chance = np.random.default_rng(seed)
    query, rater, about = chance.integers(0, 3, (3, chance.integers(0, 40)))
    rows = list(zip(query.tolist(), rater.tolist(), about.tolist(), strict=True))
    expected = [row not in rows[at + 1 :] for at, row in enumerate(rows)]
    assert last_votes(query, rater, about).tolist() == expected
