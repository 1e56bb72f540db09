"""Random small comparisons near the limits of the rules: ranked lists, all judged, with weights, segments and votes."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

CHOICES: dict[str, tuple[Any, ...]] = {
    "intent": ("improve", "do_no_harm"),
    "mpe": (0.0, 0.005, 0.05),
    "primary_margin": (0.02, 0.1),
    "votes": ("confirm", "inform"),
    "severe": (0.2, 0.1),
    "guardrails": ([["AP", 0.01]], [["AP", 0.1]], []),
    "watch": ([["nDCG@1", 0.02], ["RR", 0.02]], []),
    "harm_n_min": (20, 5),
    "n_min": (30, 20),
    "population": ("affected",),
    "big_excess_min": (0.0, 0.1),
}
VoteRow = tuple[str, int, str, str]


@dataclass(frozen=True)
class World:
    """Lists and grades by query, and the tables beside them; weights and segments are those of ``counted``."""

    seed: int
    a: dict[str, list[str]]
    b: dict[str, list[str]]
    grades: dict[str, dict[str, int]]
    policy: dict[str, Any]
    counted: list[str]
    weights: list[float] | None = None
    groups: list[str] | None = None
    segments: list[str] | None = None
    queries: bytes | None = None
    vote_rows: list[VoteRow] = field(default_factory=list)

    @property
    def votes(self) -> bytes | None:
        """The table of votes."""
        words = {1: "good", 0: "same", -1: "bad"}
        rows = [f"{query},{words[vote]},{left},{rater}\n" for query, vote, left, rater in self.vote_rows]
        return ("query_id,vote,left,rater\n" + "".join(rows)).encode() if rows else None

    @property
    def plain(self) -> bool:
        """Whether there are neither segments nor votes."""
        return self.segments is None and not self.vote_rows


def world(seed: int) -> World:
    """One comparison."""
    dice = random.Random(seed)
    a: dict[str, list[str]] = {}
    b: dict[str, list[str]] = {}
    grades: dict[str, dict[str, int]] = {}
    untouched, skill = dice.random(), dice.choice((-0.6, -0.2, 0, 0.2, 0.6))
    for i in range(dice.choice((1, 2, 5, 6, 19, 20, 25, 30, 35, 45, 60))):
        query, documents = f"q{i}", [f"d{j}" for j in range(5)]
        grade = {document: dice.choice((0, 0, 1, 2, 3)) for document in documents}
        a[query], grades[query] = dice.sample(documents, 5), grade
        b[query] = list(a[query]) if dice.random() < untouched else dice.sample(documents, 5)
        if b[query] != a[query] and dice.random() < abs(skill):
            b[query] = sorted(a[query], key=lambda one: -grade[one] if skill > 0 else grade[one])
    policy = {name: dice.choice(values) for name, values in CHOICES.items() if dice.random() < 0.3}
    weights = {query: dice.choice((0.5, 1.0, 1.0, 2.0, 7.0)) for query in a} if dice.random() < 0.3 else None
    segments = {query: dice.choice("xy") for query in a} if dice.random() < 0.4 else None
    groups = _groups(dice, list(a)) if dice.random() < 0.35 else None
    if segments:
        policy |= {"segments": ["kind"], "segment_n_min": dice.choice((30, 8))}
    if dice.random() < 0.15:
        policy["inference"] = "fixed"
    affected = policy.get("population") == "affected"
    counted = [query for query in a if not affected or a[query] != b[query]]
    return World(
        seed,
        a,
        b,
        grades,
        policy,
        counted,
        [weights[query] for query in counted] if weights else None,
        [groups[query] or f"alone {query}" for query in counted] if groups else None,
        [segments[query] for query in counted] if segments else None,
        _table(a, weights, segments, groups),
        _votes(dice) if dice.random() < 0.5 else [],
    )


def _groups(dice: random.Random, queries: list[str]) -> dict[str, str]:
    """A group for each query, at times none; groups of any size, also one alone."""
    many = dice.choice((1, 3, max(1, len(queries) // 3), len(queries)))
    return {query: "" if dice.random() < 0.1 else f"g{dice.randrange(many)}" for query in queries}


def _table(
    a: dict[str, list[str]],
    weights: dict[str, float] | None,
    segments: dict[str, str] | None,
    groups: dict[str, str] | None,
) -> bytes | None:
    columns: dict[str, dict[str, Any]] = {"query_id": {query: query for query in a}}
    columns |= {"weight": weights} if weights else {}
    columns |= {"kind": segments} if segments else {}
    columns |= {"cluster": groups} if groups else {}
    rows = [",".join(str(column[query]) for column in columns.values()) for query in a]
    return "\n".join([",".join(columns), *rows, ""]).encode() if len(columns) > 1 else None


def _votes(dice: random.Random) -> list[VoteRow]:
    lean, how, most = dice.choice((0.2, 0.5, 0.8)), dice.choice(("", "AB", "one", "none")), dice.choice((1, 3))
    sides = {"": ("A", "B", ""), "AB": ("A", "B"), "one": ("B",), "none": ("",)}[how]
    people = dice.choice((1, 3, 7))
    rows: list[VoteRow] = []
    for i in range(dice.choice((3, 25, 60))):
        for place in range(dice.choice((1, most))):
            vote = (1 if dice.random() < lean else -1) if dice.random() < 0.8 else 0
            rater = f"r{(i + place) % people}" if dice.random() < 0.95 else f"r{dice.randrange(people)}"
            rows.append((f"q{i}", vote, dice.choice(sides), rater))
    return rows
