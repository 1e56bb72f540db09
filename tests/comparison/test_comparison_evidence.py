"""Queries, weights, segments, votes, what explains a difference, and neighbouring settings, from tables to verdict."""

from __future__ import annotations

import pytest

import rankdash as rd
from tests.made import judgments, run

N = 60


def lists(better: bool) -> dict[str, list[str]]:
    """One list per query; the better model puts the good document first on most queries, the other one on some."""
    return {f"q{i}": ["good", "u", "bad"] if (i % 5 > 0) == better else ["bad", "good", "fair"] for i in range(N)}


GRADES = {f"q{i}": {"good": 2, "fair": 1, "bad": 0} for i in range(N)}


@pytest.mark.parametrize("values", [1, N])
def test_a_named_column_is_a_segment_whatever_its_values(values: int) -> None:
    """A column that the policy names counts with one value alone, and with more than are ever explored."""
    queries = "query_id,country\n" + "".join(f"q{i},c{i % values}\n" for i in range(N))
    tables = (run(lists(False)), run(lists(True)), judgments(GRADES))
    named = rd.compare(*tables, policy=rd.Policy(segments=("country",)), queries=rd.read_queries(queries.encode()))
    assert len(named.plain.segments) == values
    assert not rd.compare(*tables, queries=rd.read_queries(queries.encode())).plain.segments


def test_a_side_that_is_not_known_does_not_hide_the_others() -> None:
    """Where B stood on the left in every row but one, which does not say, the pull of the side hides preference."""
    rows = [f"q{i},good,{'' if i == 7 else 'B'}\n" for i in range(N)]
    alone = rd.compare_votes(rd.read_votes(("query_id,vote,left\n" + "".join(rows)).encode()))
    assert alone.votes.side.left == 1.0
    assert alone.votes.side.n < N / 2
    assert rd.decide(alone).rule == "V1"
