"""Every value of every field of a policy beside every value of every other, through compare() to the JSON.

The policies are a covering array: for any two fields and any two of their values there is a policy with both.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.report.json import to_dict
from tests.long import every
from tests.truth.scale import done, sampled
from tests.truth.small import Small, small_world

#: A few values per field, those at its ends and those that change what is computed.
VALUES: Mapping[str, Sequence[Any]] = {
    "primary": ("nDCG@3", "AP", "RR@5", "ERR(max_grade=4)@3"),
    "convention": (
        "standard", "trec_eval-9", "scikit-learn", "gdeval", rd.Convention(no_relevant="1", negative="clip"),
        rd.Convention(unjudged="condensed", ties="average", ideal_cut="none"),
    ),
    "cutoff": (None, 1, 5),
    "intent": ("improve", "do_no_harm"),
    "inference": ("sample", "fixed"),
    "population": ("all", "affected"),
    "mpe": (0.005, 0.3, 0.0),
    "primary_margin": (0.02, 0.5),
    "guardrails": (None, (), (("P@2", 0.05), ("Bpref", 0.9))),
    "watch": (None, (), (("Success@1", 0.05), ("R@3", 0.5))),
    "segments": ((), ("kind",)),
    "segment_margin": (0.02, 0.9),
    "votes": ("veto", "confirm", "inform"),
    "votes_mpe": (0.02, 0.5),
    "votes_margin": (0.05, 0.9),
    "votes_min": (1, 20),
    "missing": ("unknown", "empty", "skip"),
    "missing_gap": (1, 50),
    "missing_share": (0.0, 1.0),
    "judgments": ("auto", "judged", "positive_only"),
    "judged_gap": (0.0, 1.0),
    "n_min": (1, 30),
    "changed_min": (1, 20),
    "harm_n_min": (1, 20),
    "harm_changed_min": (1, 6),
    "segment_n_min": (1, 30),
    "severe": (0.05, 0.2),
    "big_excess_min": (0.0, 0.01),
}  # fmt: skip
NAMES = [field.name for field in fields(rd.Policy) if field.compare]  # notes say what was read, and decide nothing

Row = dict[str, int]  # field -> which of its values


def covering(sizes: Mapping[str, int]) -> list[Row]:
    """Rows in which any two values of any two fields meet: one pair that is missing at a time, the rest by what covers
    most.
    """
    missing = {
        ((one, i), (other, j))
        for one, other in combinations(sizes, 2)
        for i in range(sizes[one])
        for j in range(sizes[other])
    }
    rows: list[Row] = []
    while missing:
        row = dict(min(missing))
        for name in sizes:
            if name not in row:
                gains = [
                    sum(pair in missing for pair in _pairs(sizes, {**row, name: value}, name))
                    for value in range(sizes[name])
                ]
                row[name] = int(np.argmax(gains))
        missing -= {pair for name in sizes for pair in _pairs(sizes, row, name)}
        rows.append(row)
    return rows


def _pairs(sizes: Mapping[str, int], row: Row, name: str) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    """The pairs that one field of a row makes with the others that have a value."""
    order = list(sizes)
    return [
        ((other, row[other]), (name, row[name]))
        if order.index(other) < order.index(name)
        else ((name, row[name]), (other, row[other]))
        for other in row
        if other != name
    ]


ROWS = covering({name: len(VALUES[name]) for name in NAMES if name in VALUES})


def test_the_table_has_every_field() -> None:
    """A field of the policy that has no values here is combined with nothing: give it some."""
    assert set(NAMES) == set(VALUES)


def test_any_two_values_meet() -> None:
    """The covering array covers: every pair of values of two fields is in a row."""
    for one, other in combinations([name for name in NAMES if name in VALUES], 2):
        met = {(row[one], row[other]) for row in ROWS}
        assert len(met) == len(VALUES[one]) * len(VALUES[other]), (one, other)


def votes(world: Small, rng: np.random.Generator) -> rd.Votes:
    """Votes of two raters, some of them with a side."""
    lines = [
        f"{query},{rng.choice(['good', 'same', 'bad'])},{rater},{rng.choice(['A', 'B', ''])}"
        for query in world.segments
        for rater in ("ann", "bob")
    ]
    return rd.read_votes("\n".join(["query_id,vote,rater,left", *lines]).encode())


@pytest.mark.parametrize("number", every(4, range(len(ROWS))))
def test_every_policy_decides(number: int) -> None:
    """No two fields together raise an exception, from compare() over the verdict and its neighbours to the JSON; means
    are those of the per-query values, and exchanging A and B negates every difference.
    """
    policy = rd.Policy(**{name: VALUES[name][at] for name, at in ROWS[number].items()})
    assert rd.Policy.from_toml(policy.to_toml()) == rd.Policy.from_dict(policy.to_dict()) == policy
    for again in range(sampled(1)):
        rng = np.random.default_rng([number, again])
        world = small_world(rng, queries=9, documents=8, longest=8)
        extra = ["DCG@3", "P@5", "overlap@3", "IDCG"] if (number + again) % 2 else []
        found = compared(world, ("a", "b"), policy, extra, votes=votes(world, rng) if number % 3 else None)
        verdict = rd.decide(found)
        told = json.dumps(to_dict(found, verdict), allow_nan=False)
        said = json.loads(told)["verdict"]
        assert said["outcome"] == verdict.outcome.value
        assert 0 <= said["neighbours"]["hold"] <= said["neighbours"]["of"]
        means_are_those_of_the_queries(found)
        back = compared(world, ("b", "a"), policy, extra)
        for one, other in zip(found.results, back.results, strict=True):
            assert (one.paired.n, one.paired.wins, one.paired.losses) == (
                other.paired.n, other.paired.losses, other.paired.wins,
            )  # fmt: skip
            assert (one.paired.delta is None) == (other.paired.delta is None)
            assert math.isclose(one.paired.delta or 0.0, -(other.paired.delta or 0.0), abs_tol=1e-12)
        done("policies decided")


def compared(world: Small, sides: tuple[str, str], policy: rd.Policy, extra: list[str], **more: Any) -> rd.Comparison:
    """A world compared under a policy, with further measures."""
    a, b = (world.run(side) for side in sides)
    return rd.compare(a, b, world.judgments(), policy=policy, measures=extra, queries=world.queries(), **more)


def means_are_those_of_the_queries(found: rd.Comparison) -> None:
    """Every mean is the numpy mean of ``per_query`` over the queries that count, weighted where there are weights."""
    rows = found.per_query
    counts = dict(zip(found.query_ids, found.counted.tolist(), strict=True))
    weights = found.sample.weights
    weigh = dict(zip(found.query_ids, (np.ones(len(counts)) if weights is None else weights).tolist(), strict=True))
    for name, result in zip(found.measure_names, found.results, strict=True):
        own = rows[(rows["measure"] == name) & rows["delta"].notna() & rows["query_id"].map(counts)]
        assert len(own) == result.paired.n
        if len(own):
            share = own["query_id"].map(weigh)
            for column, mean in (
                ("a", result.paired.mean_a),
                ("b", result.paired.mean_b),
                ("delta", result.paired.delta),
            ):
                assert mean == pytest.approx(np.average(own[column], weights=share), abs=1e-12)
        else:
            assert result.paired.delta is None
