"""Small worlds: two runs, judgments and queries so few that every way to label them, or to cut them, can be tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import rankdash as rd

Grades = dict[tuple[str, str], float]  # (query, document) -> grade, of two grades the first
Lists = dict[str, list[tuple[str, float]]]  # query -> documents with their scores; a document may stand twice


@dataclass(frozen=True)
class Small:
    """Rows as they would stand in files. ``judged`` may say one thing twice; ``weights`` None: there are none."""

    lists: dict[str, Lists]
    judged: tuple[tuple[str, str, float], ...]
    weights: dict[str, float] | None
    segments: dict[str, str]
    by_score: bool

    @property
    def grades(self) -> Grades:
        """What holds: of two grades of one document the first."""
        found: Grades = {}
        for query, doc, grade in self.judged:
            found.setdefault((query, doc), grade)
        return found

    def run_csv(self, side: str) -> bytes:
        """The file of the lists of "a" or of "b"."""
        heads = "query_id,doc_id,score" if self.by_score else "query_id,doc_id,rank"
        rows = [
            f"{query},{doc},{score if self.by_score else place}"
            for query, documents in self.lists[side].items()
            for place, (doc, score) in enumerate(documents, 1)
        ]
        return "\n".join([heads, *rows]).encode()

    def run(self, side: str) -> rd.Run:
        """The lists of "a" or of "b"."""
        return rd.read_run(self.run_csv(side), name=side.upper())

    def judgments_csv(self, more: Grades | None = None) -> bytes:
        """The file of the judgments, some of them replaced or added."""
        rows = self.judged if more is None else [(*pair, grade) for pair, grade in (self.grades | more).items()]
        lines = [f"{query},{doc},{grade!r}" for query, doc, grade in rows]
        return "\n".join(["query_id,doc_id,relevance", *lines]).encode()

    def judgments(self, more: Grades | None = None) -> rd.Judgments:
        """The judgments, some of them replaced or added."""
        return rd.read_judgments(self.judgments_csv(more))

    def queries_csv(self) -> bytes:
        """The file of weights and one segment column."""
        heads = ["query_id", "kind", *(["weight"] if self.weights is not None else [])]
        rows = [
            ",".join([query, kind, *([repr(self.weights[query])] if self.weights is not None else [])])
            for query, kind in self.segments.items()
        ]
        return "\n".join([",".join(heads), *rows]).encode()

    def queries(self) -> rd.Queries | None:
        """Weights and one segment column."""
        return rd.read_queries(self.queries_csv())


def small_world(
    rng: np.random.Generator, *, queries: int = 5, documents: int = 6, longest: int = 5, repeats: bool = True
) -> Small:
    """A world with ties, negative grades, holes on every side and, where ``repeats``, documents and grades twice."""
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
    return Small(lists, judged, weights, kinds, bool(rng.random() < 0.75))


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


def some_convention(rng: np.random.Generator, **fixed: Any) -> rd.Convention:
    """A convention with a value chosen for each axis, save those that are given."""
    values: dict[str, Any] = {axis: str(rng.choice(allowed)) for axis, allowed in _AXES.items()}
    values["rel"] = float(rng.choice([1, 1, 2, 0.5]))
    if rng.random() < 0.25:
        values["gain"] = {1: 0.0, 2: 3.0, 3: 1.5, 4: 2.0}
    return rd.Convention().with_axes(values | fixed)


def some_policy(rng: np.random.Generator, **more: Any) -> rd.Policy:
    """A policy with any convention, cutoff and population, for which few queries are enough; ``more``: as given."""
    return rd.Policy(
        primary=str(rng.choice(["nDCG@2", "nDCG@3", "AP", "nDCG@10"])),
        convention=some_convention(rng),
        population=str(rng.choice(["all", "affected"])),  # type: ignore[arg-type]
        missing=str(rng.choice(["unknown", "empty", "skip"])),  # type: ignore[arg-type]
        judgments=str(rng.choice(["auto", "judged"])),  # type: ignore[arg-type]
        **dict.fromkeys(("n_min", "changed_min", "harm_n_min", "harm_changed_min", "segment_n_min"), 1),
        **more,
    )


_AXES = {
    "gain": ("linear", "exp2"),
    "ideal": ("judged", "retrieved"),
    "ideal_cut": ("k", "min(k,n)", "none"),
    "ap_denominator": ("R", "min(R,k)", "hits"),
    "p_denominator": ("k", "min(k,n)"),
    "ties": ("docid_desc", "docid_asc", "input_order", "average"),
    "no_relevant": ("0", "1", "skip"),
    "missing_query": ("zero", "skip"),
    "unjudged": ("nonrelevant", "condensed"),
    "negative": ("unjudged", "clip"),
    "score_type": ("float64", "float32"),
}
