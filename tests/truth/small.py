"""Small worlds: two runs, judgments, queries and votes, so few that every way to label them, or to cut them, can be
tried, and each number be computed again in plain Python.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import rankdash as rd
from rankdash.conventions import AXES
from tests.made import compared_anyway

Grades = dict[tuple[str, str], float]  # (query, document) -> grade, of two grades the first
Lists = dict[str, list[tuple[str, float]]]  # query -> documents with their scores; a document may stand twice
VoteRow = tuple[str, int, str, str]  # query, vote seen from B, the side that B stood on ("A", "B" or ""), rater

WORDS = {1: "good", 0: "same", -1: "bad"}


def written(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A table as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([heads, *rows])
    return text.getvalue().encode()


@dataclass(frozen=True)
class Small:
    """Rows as they would stand in files. ``judged`` may say one thing twice; ``weights`` None: there are none."""

    lists: dict[str, Lists]
    judged: tuple[tuple[str, str, float], ...]
    weights: dict[str, float] | None
    segments: dict[str, str]
    by_score: bool
    clusters: dict[str, str] | None = None
    vote_rows: tuple[VoteRow, ...] = ()

    @property
    def grades(self) -> Grades:
        """What holds: of two grades of one document the first."""
        return {(query, doc): grade for query, doc, grade in reversed(self.judged)}

    def run_csv(self, side: str) -> bytes:
        """The file of the lists of "a" or of "b"."""
        rows = (
            (query, doc, score if self.by_score else place)
            for query, documents in self.lists[side].items()
            for place, (doc, score) in enumerate(documents, 1)
        )
        return written(("query_id", "doc_id", "score" if self.by_score else "rank"), rows)

    def run(self, side: str) -> rd.Run:
        """The lists of "a" or of "b"."""
        return rd.read_run(self.run_csv(side), name=side.upper())

    def judgments_csv(self, more: Grades | None = None) -> bytes:
        """The file of the judgments, some of them replaced or added."""
        rows = self.judged if more is None else [(*pair, grade) for pair, grade in (self.grades | more).items()]
        return written(("query_id", "doc_id", "relevance"), rows)

    def judgments(self, more: Grades | None = None) -> rd.Judgments:
        """The judgments, some of them replaced or added."""
        return rd.read_judgments(self.judgments_csv(more))

    def queries_csv(self) -> bytes:
        """The file of weights, groups and one segment column."""
        columns = {"kind": self.segments, "weight": self.weights, "cluster": self.clusters}
        there = {name: values for name, values in columns.items() if values is not None}
        rows = ((query, *(values[query] for values in there.values())) for query in self.segments)
        return written(("query_id", *there), rows)

    def queries(self) -> rd.Queries:
        """Weights, groups and one segment column."""
        return rd.read_queries(self.queries_csv())

    def votes_csv(self) -> bytes:
        """The file of votes."""
        rows = ((query, WORDS[vote], left, rater) for query, vote, left, rater in self.vote_rows)
        return written(("query_id", "vote", "left", "rater"), rows)

    def votes(self) -> rd.Votes | None:
        """The votes; None where there are none."""
        return rd.read_votes(self.votes_csv()) if self.vote_rows else None

    def compared(
        self, policy: rd.Policy, measures: Sequence[str] = (), *, sides: str = "ab", more: Grades | None = None
    ) -> rd.Comparison:
        """The comparison of two sides, some labels replaced or added."""
        a, b = map(self.run, sides)
        judged, queries, votes = self.judgments(more), self.queries(), self.votes()
        return compared_anyway(a, b, judged, policy=policy, queries=queries, votes=votes, measures=measures)

    def exchanged(self) -> Small:
        """The same with A in the place of B, and B in that of A."""
        other = {"A": "B", "B": "A", "": ""}
        votes = tuple((query, -vote, other[left], rater) for query, vote, left, rater in self.vote_rows)
        return replace(self, lists={"a": self.lists["b"], "b": self.lists["a"]}, vote_rows=votes)

    def renamed(self, documents: str = "", queries: str = "", raters: str = "") -> Small:
        """The same with other beginnings of all ids, in the same byte order."""

        def keys(values: dict[str, Any] | None) -> dict[str, Any] | None:
            return None if values is None else {queries + query: value for query, value in values.items()}

        lists = {
            side: {queries + query: [(documents + doc, score) for doc, score in rows] for query, rows in one.items()}
            for side, one in self.lists.items()
        }
        judged = tuple((queries + query, documents + doc, grade) for query, doc, grade in self.judged)
        votes = tuple(
            (queries + query, vote, left, rater and raters + rater) for query, vote, left, rater in self.vote_rows
        )
        weights, segments, clusters = map(keys, (self.weights, self.segments, self.clusters))
        return Small(lists, judged, weights, segments or {}, self.by_score, clusters, votes)


def small_world(
    rng: np.random.Generator,
    *,
    queries: int = 5,
    documents: int = 6,
    longest: int = 5,
    repeats: bool = True,
    skill: float = 0.0,
    grouped: bool = False,
    voted: bool = False,
) -> Small:
    """A world with ties, negative grades, holes on every side and, where ``repeats``, documents and grades twice.

    ``skill`` is the share of lists that B puts in the order of the grades, or, below 0, in the reverse.
    """
    names, docs = [f"q{i}" for i in range(queries)], [f"d{i}" for i in range(documents)]
    levels = int(rng.choice([2, 4, 4, 1000]))
    lists: dict[str, Lists] = {"a": {}, "b": {}}
    for query in names:
        for side in lists.values():
            documents_of = _some_list(rng, docs, longest, levels, repeats)
            side.update({query: documents_of} if documents_of else {})
        if rng.random() < 0.2 and query in lists["a"]:
            lists["b"][query] = lists["a"][query]
    for side in lists.values():
        side.update({} if side else {names[0]: [(docs[0], 1.0)]})  # a run has at least one list
    judged, weights = _some_grades(rng, names, docs, repeats), None
    if rng.random() < 0.5:
        weights = {query: float(rng.choice([0.0, 0.5, 1.0, 2.25])) for query in names}
        weights[judged[int(rng.integers(len(judged)))][0]] = 1.0  # at least one judged query counts
    kinds = {query: str(rng.choice(["x", "y"])) for query in names}
    world = Small(lists, judged, weights, kinds, bool(rng.random() < 0.75))
    for query, rows in lists["b"].items() if skill else ():
        if rng.random() < abs(skill):
            places = sorted(rows, key=lambda row: -skill * world.grades.get((query, row[0]), 0.0))
            lists["b"][query] = [(doc, float(len(rows) - at)) for at, (doc, _) in enumerate(places)]
    many = int(rng.choice([1, 3, max(1, queries // 3), queries]))
    groups = {query: "" if rng.random() < 0.1 else f"g{rng.integers(many)}" for query in names}
    return replace(world, clusters=groups if grouped else None, vote_rows=_some_votes(rng) if voted else ())


def _some_list(
    rng: np.random.Generator, docs: list[str], longest: int, levels: int, repeats: bool
) -> list[tuple[str, float]]:
    """Documents with scores of so many levels; none where the run lacks the query."""
    size = min(int(rng.integers(0, longest + 1)), len(docs)) if rng.random() < 0.85 else 0
    twice = repeats and rng.random() < 0.3
    chosen = rng.integers(0, len(docs), size) if twice else rng.permutation(len(docs))[:size]
    return [(docs[i], float(score)) for i, score in zip(chosen, rng.integers(0, levels, size), strict=True)]


def _some_grades(
    rng: np.random.Generator, names: list[str], docs: list[str], repeats: bool
) -> tuple[tuple[str, str, float], ...]:
    """Grades of some documents of some queries; where nothing is relevant, none is positive."""
    grades = np.array([[-1, 0, 1, 2, 3], [0, 1, 1, 2, 3], [1, 2, 2, 3, 4], [0, 0, 0, 1, 1]])[int(rng.integers(4))]
    judged = [(names[0], docs[0], float(grades.max()))]
    for query in names:
        share, nothing = float(rng.choice([0.0, 0.4, 0.8])), rng.random() < 0.25
        chosen = [doc for doc in docs if rng.random() < share and (query, doc) != judged[0][:2]]
        found = rng.choice(grades, len(chosen))
        judged += [
            (query, doc, float(min(grade, 0) if nothing else grade)) for doc, grade in zip(chosen, found, strict=True)
        ]
    if repeats:
        judged += [(*judged[i][:2], float(rng.choice(grades))) for i in rng.integers(0, len(judged), 2)]
    return tuple(judged)


def _some_votes(rng: np.random.Generator) -> tuple[VoteRow, ...]:
    """Votes of one or several raters a query, at times with sides, at times twice by one rater."""
    lean, people, most = rng.choice([0.2, 0.5, 0.8]), int(rng.choice([1, 3, 7])), int(rng.choice([1, 3]))
    sides = [["A", "B", ""], ["A", "B"], ["B"], [""]][int(rng.integers(4))]
    rows: list[VoteRow] = []
    for i in range(int(rng.choice([3, 25, 60]))):
        for place in range(int(rng.integers(1, most + 1))):
            vote = (1 if rng.random() < lean else -1) if rng.random() < 0.8 else 0
            rater = (i + place) % people if rng.random() < 0.95 else int(rng.integers(people))
            rows.append((f"q{i}", vote, str(rng.choice(sides)), f"r{rater}"))
    return tuple(rows)


def some_convention(rng: np.random.Generator, **fixed: Any) -> rd.Convention:
    """A convention with a value chosen for each axis, save those that are given."""
    values: dict[str, Any] = {axis: str(rng.choice(allowed)) for axis, allowed in AXES.items()}
    values["rel"] = float(rng.choice([1, 1, 2, 0.5]))
    if rng.random() < 0.25:
        values["gain"] = {1: 0.0, 2: 3.0, 3: 1.5, 4: 2.0}
    return rd.Convention().with_axes(values | fixed)


#: Thresholds under which few queries are enough.
FEW = dict.fromkeys(("n_min", "changed_min", "harm_n_min", "harm_changed_min", "segment_n_min"), 1)


def some_policy(rng: np.random.Generator, **more: Any) -> rd.Policy:
    """A policy with any convention, cutoff and population, for which few queries are enough; ``more``: as given."""
    said: dict[str, Any] = {
        "primary": str(rng.choice(["nDCG@2", "nDCG@3", "AP", "nDCG@10"])),
        "convention": some_convention(rng),
        "population": str(rng.choice(["all", "affected"])),
        "missing": str(rng.choice(["unknown", "empty", "skip"])),
        "judgments": str(rng.choice(["auto", "judged"])),
    }
    return rd.Policy(**said | FEW | more)


# -- near the limits of the rules

#: What ids begin with: nothing, or what takes longer to tell apart than any word of a fingerprint.
BEGINNINGS = ("", "x" * 200, "é" * 100, "0" * 8, "a:" * 12)
CHOICES: dict[str, tuple[Any, ...]] = {
    "primary": ("nDCG@2", "nDCG@3", "nDCG@10", "AP"),
    "guardrails": ([["AP", 0.01]], [["RR", 0.05]], [["nDCG@1", 0.3], ["RR", 0.3]], []),
    "watch": ([["nDCG@1", 0.02]], [["nDCG@3", 0.1]], []),
    "population": ("all", "affected"),
    "missing": ("unknown", "empty", "skip"),
    "missing_gap": (5, 1, 100, 100),
    "judged_gap": (0.01, 0.2),
    "judgments": ("auto", "judged", "positive_only"),
    "intent": ("improve", "do_no_harm"),
    "inference": ("sample", "sample", "sample", "fixed"),
    "votes": ("veto", "confirm", "inform"),
    "mpe": (0.0, 0.005, 0.05),
    "primary_margin": (0.02, 0.3),
    "severe": (0.2, 0.1, 0.5),
    "harm_n_min": (20, 2),
    "harm_changed_min": (6, 2),
    "big_excess_min": (0.01, 0.0, 0.1),
}
#: Axes by which the twin scores; it puts ties in an order.
SCORED = {axis: AXES[axis] for axis in ("gain", "discount", "no_relevant", "missing_query", "negative", "score_type")}
SCORED["ties"] = ("docid_desc", "docid_asc", "input_order")


def near_limits(seed: int) -> tuple[Small, dict[str, Any], rd.Convention]:
    """Lists with holes on every side, weights, groups, votes, and a policy, so that verdicts of every kind come out."""
    rng = np.random.default_rng(4_000 + seed)
    skill = float(rng.choice([-1, 0, 1, 1]) * rng.random())
    sizes = {"queries": int(rng.choice([1, 5, 20, 30, 40, 60])), "documents": int(rng.choice([4, 8, 14]))}
    grouped, voted = bool(rng.random() < 0.35), bool(rng.random() < 0.4)
    world = small_world(rng, **sizes, longest=int(rng.choice([3, 8, 14])), skill=skill, grouped=grouped, voted=voted)
    said = {name: values[rng.integers(len(values))] for name, values in CHOICES.items() if rng.random() < 0.5}
    used = {said.setdefault("primary", "nDCG@3")}
    for role in ("guardrails", "watch"):  # measures in one role each
        said[role] = [one for one in said.get(role, []) if one[0] not in used]
        used |= {name for name, _ in said[role]}
    if rng.random() < 0.7:
        said |= {"n_min": 5, "changed_min": 3}
    if rng.random() < 0.5:
        said |= {"segments": ["kind"], "segment_n_min": int(rng.choice([30, 3]))}
    axes = {axis: str(rng.choice(values)) for axis, values in SCORED.items() if rng.random() < 0.4}
    return world.renamed(str(rng.choice(BEGINNINGS))), said, rd.Convention().with_axes(axes)
