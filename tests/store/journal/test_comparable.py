"""Comparisons side by side: what differs, against plain Python on random worlds; Holm over candidates; the trend."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import rankdash as rd
from rankdash.case import Case
from rankdash.evidence.multiple import holm
from rankdash.store import Saved, State
from rankdash.store.listing import Comparand, comparable, differences, entry_of, trend, tried

Grades = dict[str, list[tuple[str, float]]]
START = datetime(2026, 3, 1, tzinfo=UTC)


def made(
    grades: Grades, *, id: str = "x", day: int = 0, candidate: str = "b", baseline: str = "a", **asked: Any
) -> Comparand:
    """An entry of a comparison of two small runs under these judgments, rows in the order given."""
    rows = [
        {"query_id": query, "doc_id": doc, "relevance": grade} for query, row in grades.items() for doc, grade in row
    ]
    a, b = (dict.fromkeys(grades, docs) for docs in (["d1", "d2", "d3"], ["d3", "d2", "d1"]))
    comparison = rd.compare(a, b, rd.read_judgments(rows), **asked)
    at = START + timedelta(days=day)
    return replace(
        entry_of(Saved(id, 1, Case(), State(""), at, at), comparison), baseline=baseline, candidate=candidate
    )


def world(seed: int) -> tuple[Grades, dict[str, float] | None]:
    """A few queries with grades, some documents graded twice, and now and then weights."""
    chance = random.Random(seed)
    grades = {
        f"q{i}": [(f"d{chance.randrange(4)}", float(chance.randrange(3))) for _ in range(chance.randrange(1, 5))]
        for i in chance.sample(range(4), chance.randrange(1, 5))
    }
    weights = {query: float(chance.randrange(1, 3)) for query in grades} if chance.random() < 0.4 else None
    return grades, weights


def weighed(found: tuple[Grades, dict[str, float] | None]) -> Comparand:
    """The entry of a random world."""
    grades, weights = found
    queries = None if weights is None else [{"query_id": q, "weight": w} for q, w in weights.items()]
    return made(grades, queries=queries)


def twin(one: tuple[Grades, dict[str, float] | None], other: tuple[Grades, dict[str, float] | None]) -> dict[str, int]:
    """The counts by aspect, in plain Python."""
    both = set(one[0]) & set(other[0])
    firsts = []
    for grades, _ in (one, other):
        first: dict[tuple[str, str], float] = {}
        for query in both:
            for doc, grade in grades[query]:
                first.setdefault((query, doc), grade)
        firsts.append(first)
    here, there = firsts
    pairs = {pair for pair in {**here, **there} if here.get(pair) != there.get(pair)}
    counts = {"queries": len(set(one[0]) ^ set(other[0])), "judgments": len(pairs)}
    if one[1] is not None or other[1] is not None:
        share = [
            {query: (1.0 if w is None else w[query]) / sum(1.0 if w is None else w[q] for q in both) for query in both}
            for _, w in (one, other)
        ]
        counts["weights"] = sum(abs(share[0][query] - share[1][query]) > 1e-12 for query in both)
    return {aspect: n for aspect, n in counts.items() if n}


def test_what_differs_is_counted_as_plain_python_counts_it() -> None:
    """Queries, weights and grades that differ are counted on 30 pairs of random worlds, equal ones among them."""
    equal = 0
    for seed in range(30):
        one, other = world(seed), world(seed + (0 if seed % 5 == 0 else 1000))
        found = {each.aspect: each.count for each in differences(weighed(one), weighed(other))}
        assert found == twin(one, other), seed
        equal += not found
    assert equal >= 6


def test_the_order_of_rows_is_no_difference() -> None:
    """The same judgments in another order of queries and documents are comparable; one grade makes them not so."""
    rows: Grades = {f"q{i}": [("d1", 1.0), ("d2", 0.0), ("d3", 2.0)] for i in range(5)}
    turned = {query: list(reversed(row)) for query, row in reversed(rows.items())}
    assert differences(made(turned), made(rows)) == ()
    turned["q2"] = [("d1", 1.0), ("d2", 1.0), ("d4", 2.0)]
    (found,) = differences(made(turned), made(rows))
    assert (found.aspect, found.count) == ("judgments", 3)
    assert found.sentence == "Judgments: 1 grade differs, 1 only here, 1 only in the reference."


@pytest.mark.parametrize(
    ("asked", "aspects", "sentence"),
    [
        (
            {"convention": rd.Convention(ties="docid_asc")},
            {"convention"},
            "Convention: ties docid_asc, not docid_desc.",
        ),
        ({"policy": rd.Policy(cutoff=5)}, {"cutoff"}, "Cutoff: 5, not 10."),
        ({"policy": rd.Policy(mpe=0.01)}, {"policy"}, "Policy: smallest gain that matters 0.01, not 0.005."),
        ({"policy": rd.Policy(primary="AP")}, {"policy"}, "Policy: primary measure AP, not nDCG@10;"),
    ],
)
def test_what_was_asked_differs_by_name(asked: dict[str, Any], aspects: set[str], sentence: str) -> None:
    """Convention, cutoff and policy are named with both values, each under its own aspect alone."""
    grades: Grades = {f"q{i}": [("d1", 1.0), ("d2", 0.0)] for i in range(3)}
    found = differences(made(grades, **asked), made(grades))
    assert {each.aspect for each in found} == aspects
    assert found[0].sentence.startswith(sentence)


def test_votes_alone_are_not_comparable_with_judgments() -> None:
    """A comparison of votes alone differs in its judgments from one with grades, and not from the same votes."""
    votes = rd.compare_votes([{"query_id": f"q{i}", "vote": "good" if i % 3 else "bad"} for i in range(30)])
    alone = entry_of(Saved("v", 1, Case(), State(""), START, START), votes)
    assert (alone.measure, alone.n) == ("ΔGSB", 30)
    assert alone.p is not None
    assert "judgments" in {each.aspect for each in differences(alone, made({"q1": [("d1", 1.0)]}))}
    assert differences(alone, alone) == ()


def candidates(p: list[float | None]) -> list[Comparand]:
    """Candidates against one baseline with these p-values, on the same data."""
    base = made({f"q{i}": [("d1", 1.0), ("d2", 0.0)] for i in range(3)})
    return [replace(base, id=f"c{i}", candidate=f"b{i}", p=value) for i, value in enumerate(p)]


def test_holm_counts_every_candidate_that_was_tried() -> None:
    """The p-values are Holm's over all candidates with one; those without are counted as tried, and stay n/a."""
    found = tried(candidates([0.04, 0.001, None, 0.03]))
    wanted = holm([0.04, 0.001, float("nan"), 0.03])
    assert [one.holm_p for one in found] == [wanted[0], wanted[1], None, wanted[3]]
    assert {one.tried for one in found} == {4}
    assert [one.id for one in found] == ["c0", "c1", "c2", "c3"]


def test_a_candidate_that_was_chosen_twice_is_one_test() -> None:
    """The same candidate on the same data is one test; other baselines are a family of their own."""
    one, two = candidates([0.01, 0.02])
    again, elsewhere = replace(one, id="again"), replace(one, id="elsewhere", baseline="other")
    found = {each.id: each for each in tried([one, two, again, elsewhere])}
    assert found["c0"].holm_p == found["again"].holm_p == 0.02
    assert (found["c0"].tried, found["elsewhere"].tried, found["elsewhere"].holm_p) == (2, 1, 0.01)


def test_a_trend_is_drawn_over_comparable_ones_alone() -> None:
    """The line has the comparable ones with a value, oldest first, each once; one point is no line."""
    grades: Grades = {f"q{i}": [("d1", 1.0), ("d2", 0.0)] for i in range(4)}
    other = {**grades, "q9": [("d1", 1.0)]}
    late, early = made(grades, id="late", day=9), made(grades, id="early", day=1)
    entries = [late, made(other, id="other", day=3), early, early]
    assert [one.id for one in trend(entries, late)] == ["early", "late"]
    assert [one.id for one in comparable(entries, late)] == ["late", "early", "early"]
    assert trend(entries[1:2], late) == ()
    assert trend([late], late) == ()
