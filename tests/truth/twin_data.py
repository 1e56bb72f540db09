"""A slow twin of everything below the rules: rows of two runs and of judgments -> the numbers that the verdict reads.

Plain Python over one query at a time, written from the definitions of the measures and of the policy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rankdash.conventions import Convention
from rankdash.judged import Order
from tests.truth.twin_numbers import reading_of
from tests.truth.twins import ranked_list

Grades = dict[str, float]


@dataclass(frozen=True)
class Query:
    """One judged query: both lists in order, its grades, its weight and its segment."""

    a: list[str]
    b: list[str]
    grades: Grades
    weight: float | None
    segment: str


def listed(rows: Sequence[tuple[str, float]], by_score: bool, convention: Convention) -> list[str]:
    """The documents of one list, best first, each once."""
    if not by_score:
        return list(dict.fromkeys(doc for doc, _ in rows))
    placed = [(at, doc, score) for at, (doc, score) in enumerate(rows)]
    return [doc for _, doc, _ in ranked_list(placed, Order.of(convention))]


def known(grades: Grades, convention: Convention) -> Grades:
    """The grades that count: negative ones are 0, or as if nobody had judged."""
    if convention.negative == "clip":
        return {doc: max(grade, 0.0) for doc, grade in grades.items()}
    return {doc: grade for doc, grade in grades.items() if grade >= 0}


def gain(grade: float, convention: Convention) -> float:
    """What a grade is worth."""
    if grade <= 0:
        return 0.0
    return grade if convention.gain == "linear" else 2.0**grade - 1


def dcg(gains: Sequence[float]) -> float:
    """The sum of gains, discounted by rank."""
    return sum(one / math.log2(rank + 1) for rank, one in enumerate(gains, 1))


def ndcg(k: int) -> Callable[[list[str], Grades, Convention], float]:
    """Return nDCG of the first k."""

    def value(docs: list[str], grades: Grades, convention: Convention) -> float:
        best = sorted((gain(grade, convention) for grade in grades.values()), reverse=True)[:k]
        return dcg([gain(grades.get(doc, 0.0), convention) for doc in docs[:k]]) / dcg(best)

    return value


def ap(docs: list[str], grades: Grades, convention: Convention) -> float:
    """Average precision."""
    hits, total = 0, 0.0
    for rank, doc in enumerate(docs, 1):
        if grades.get(doc, 0.0) >= convention.rel:
            hits += 1
            total += hits / rank
    return total / sum(grade >= convention.rel for grade in grades.values())


def rr(docs: list[str], grades: Grades, convention: Convention) -> float:
    """One over the rank of the first relevant document."""
    ranks = (rank for rank, doc in enumerate(docs, 1) if grades.get(doc, 0.0) >= convention.rel)
    return 1 / next(ranks, math.inf)


MEASURES: dict[str, Callable[[list[str], Grades, Convention], float]] = {
    **{f"nDCG@{k}": ndcg(k) for k in (1, 2, 3, 10)},
    "AP": ap,
    "RR": rr,
}


def score(name: str, docs: list[str], grades: Grades, convention: Convention, condensed: bool) -> float:
    """A measure of one list; NaN where the convention says that it has no value."""
    if not docs:
        return 0.0
    if not any(grade >= convention.rel for grade in grades.values()):
        if convention.no_relevant == "skip":
            return math.nan
        return float(convention.no_relevant) if name != "RR" else 0.0
    seen = [doc for doc in docs if doc in grades] if condensed else docs
    return MEASURES[plain(name)](seen, grades, convention)


def plain(name: str) -> str:
    """The name of a measure without what is spelled in it of the convention, which all of them share here."""
    return re.sub(r"\(.*\)", "", name)


def delta(name: str, query: Query, convention: Convention, missing: str, condensed: bool) -> float:
    """B less A, rounded; NaN where the pair has no value."""
    if missing == "skip" and not (query.a and query.b):
        return math.nan
    grades = known(query.grades, convention)
    a, b = (score(name, docs, grades, convention, condensed) for docs in (query.a, query.b))
    return round(b - a, 12)


def share_judged(docs: list[str], grades: Grades, k: int) -> float | None:
    """How many of the first k are judged; None without a list."""
    return sum(doc in grades for doc in docs[:k]) / min(k, len(docs)) if docs else None


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of what there is."""
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if there else None


def kind_of(grades: set[float], unjudged: int, said: str) -> str:
    """Judged, or only the documents that count."""
    if said != "auto":
        return said
    return "positive_only" if len(grades) == 1 and min(grades) > 0 and unjudged else "judged"


def numbers_of(queries: Sequence[Query], convention: Convention, policy: dict[str, Any]) -> dict[str, Any]:
    """What the rules read: the data, the numbers as counted, and without unjudged documents."""
    k, missing = policy["cutoff"] or 10, {"empty": "zero"}.get(policy["missing"], policy["missing"])
    missing = convention.missing_query if missing == "unknown" else missing
    changed = [query.a[:k] != query.b[:k] for query in queries]
    counted = [
        query
        for query, moved in zip(queries, changed, strict=True)
        if (moved or policy["population"] == "all")
        and (missing != "skip" or (query.a and query.b))
        and (query.weight is None or query.weight > 0)
    ]
    every = [known(query.grades, convention) for query in queries]
    unjudged = [
        len({doc for doc in (*query.a[:k], *query.b[:k]) if doc not in grades})
        for query, grades in zip(queries, every, strict=True)
    ]
    inside = [query in counted for query in queries]
    shares = [
        mean([share_judged(docs(query), known(query.grades, convention), k) for query in counted])
        for docs in (lambda query: query.a, lambda query: query.b)
    ]
    weighing = [query for query in queries if query.weight is None or query.weight > 0]  # others are in no count
    levels = {grade for query in queries for grade in query.grades.values()}
    data = {
        "judged_queries": len(weighing),
        "common_queries": sum(bool(query.a and query.b) for query in weighing),
        "missing_a": sum(not query.a for query in weighing),
        "missing_b": sum(not query.b for query in weighing),
        "queries_with_relevant": sum(
            any(g >= convention.rel for g in known(query.grades, convention).values()) for query in weighing
        ),
        "distinct_grades": len(levels),
        "unjudged_shown": sum(n for n, there in zip(unjudged, inside, strict=True) if there),
        "identical": all(query.a == query.b for query in weighing),
        "kind": kind_of(levels, sum(unjudged), policy["judgments"]),
        "judged_a": shares[0],
        "judged_b": shares[1],
        "affected": sum(query.a[:k] != query.b[:k] for query in weighing),
    }
    names = [policy["primary"], *(name for name, _ in (*policy["guardrails"], *policy["watch"]))]
    readings = []
    for condensed in (False, True):
        values = {name: [delta(name, query, convention, missing, condensed) for query in counted] for name in names}
        there = [not math.isnan(one) for one in values[policy["primary"]]]
        rows = [query for query, defined in zip(counted, there, strict=True) if defined]
        deltas = {name: [one for one in column if not math.isnan(one)] for name, column in values.items()}
        weights = None if not rows or rows[0].weight is None else [query.weight for query in rows]
        segments = [query.segment for query in rows] if policy["segments"] else None
        readings.append(reading_of(deltas, policy, weights, segments) if rows else None)  # type: ignore[arg-type]
    return {"data": data, "plain": readings[0], "condensed": readings[1], "votes": None}
