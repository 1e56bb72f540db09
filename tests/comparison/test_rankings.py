"""Two runs in order against one set of judgments."""

from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.conventions import STANDARD
from rankdash.metrics import parse_measures, score
from rankdash.scoring import compare_joined, join, rankings
from tests.made import judgments, run

A = {"q1": [["d1", 2.0], ["d2", 2.0], ["d3", 1.0]], "q2": [["d4", 1.0]]}
B = {"q1": [["d2", 1.0], ["d1", 1.0]], "q2": [["d4", 2.0], ["d5", 1.0]]}
GRADES = {"q1": {"d1": 1, "d3": 2}, "q2": {"d4": 1}}


def test_a_cutoff_beyond_the_ranks_that_are_kept_is_no_other_comparison() -> None:
    """Runs that were joined for a smaller cutoff are put in order again: counts of the first k are those of compare."""
    long = {"q1": [f"d{i}" for i in range(9)], "q2": ["d4", "d1"]}
    other = {"q1": [f"d{i}" for i in (0, 1, 2, 3, 4, 8, 7, 6, 5)], "q2": ["d4", "d1"]}
    policy = rd.Policy(primary="nDCG@9")
    anew = rd.compare(run(long), run(other), judgments(GRADES), policy=policy)
    for depth in (1, 5, 9, 20):
        joined = join(run(long), run(other), judgments(GRADES), depth=depth)
        found = compare_joined(joined, policy)
        assert found.counts == anew.counts
        assert found.delta_bounds == anew.delta_bounds
        assert (found.joined is joined) == (depth >= 9)
    assert anew.counts.affected == 1
    short = join(run(A), run(B), judgments(GRADES), depth=3)
    assert short.reaching(50) is short


def test_a_tie_across_the_cutoff_counts_however_few_ranks_are_kept() -> None:
    """The document at rank k is tied with the one behind it, also where k first ranks are kept: as compare says."""
    tied = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0, "d4": 1.0}, "q2": {"d4": 2.0, "d1": 1.0}}
    policy = rd.Policy(primary="nDCG@3")
    for a, b in ((tied, GRADES), (GRADES, tied), (tied, tied)):
        anew = rd.compare(run(a), run(b), judgments(GRADES), policy=policy)
        assert anew.tied_share > 0
        for depth in (1, 3, 4, 20):
            found = compare_joined(join(run(a), run(b), judgments(GRADES), depth=depth), policy)
            assert (found.tied_share, rd.decide(found)) == (anew.tied_share, rd.decide(anew))


def test_values_stay_where_another_thread_forgets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another session empties what both keep of a run: the values are still those of the first time."""
    joined, measures = join(run(A), run(B), judgments(GRADES)), parse_measures("nDCG@1 AP RR", STANDARD)
    first = joined.scores("a", measures[:1])

    def forgetting(*args: Any) -> Any:
        joined.by_side["a"]._scored.clear()
        return score(*args)

    monkeypatch.setattr(rankings, "score", forgetting)
    found = joined.scores("a", measures)
    assert not np.isnan(found).any()
    assert (found[0] == first[0]).all()
