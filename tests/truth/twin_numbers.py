"""A slow twin of everything below the rules: rows of two runs and of judgments -> the numbers that the verdict reads.

Plain Python over one query at a time, written from the definitions of the measures, of the tests and of the policy.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy import special, stats

from rankdash.conventions import Convention
from rankdash.judged import Order
from tests.truth.twins import ranked_list

Deltas = dict[str, list[float]]
Grades = dict[str, float]
Z95 = float(stats.norm.ppf(0.975))
Z80 = Z95 + float(stats.norm.ppf(0.8))


def power(n: int, sd: float, target: float) -> float:
    """The power of the paired t-test with n pairs, over 4,000 values that the sample's deviation may have."""
    at, limit = (np.arange(4000) + 0.5) / 4000, stats.t.ppf(0.975, n - 1)
    spread = np.sqrt(special.gammaincinv((n - 1) / 2, at) * 2 / (n - 1))  # each as likely as the others
    shift = abs(target) / sd * math.sqrt(n)
    return float(np.mean(special.ndtr(shift - limit * spread) + special.ndtr(-limit * spread - shift)))


def required_n(sd: float, target: float) -> int:
    """The smallest n at which the paired t-test has 80% power: up from fewer than the normal test needs."""
    n = max(2, int((Z80 * sd / target) ** 2) - 2)
    while n > 2 and power(n, sd, target) >= 0.8:
        n //= 2
    while power(n, sd, target) < 0.8:
        n += 1
    return n


def flips(changes: list[float]) -> float:
    """The share of sign flips whose sum is at most the sum seen: all of them, one by one."""
    moved, sums = [x for x in changes if x != 0], np.zeros(1)
    for x in moved:
        sums = np.concatenate((sums + x, sums - x))
    return float((sums <= sum(moved) + 1e-12).mean())


def by_group(values: list[float], groups: list[str] | None) -> list[float]:
    """The sums of the groups; without groups the values."""
    if groups is None:
        return values
    return [sum(x for x, other in zip(values, groups, strict=True) if other == one) for one in dict.fromkeys(groups)]


def moments(
    changes: list[float], weights: list[float] | None, groups: list[str] | None = None
) -> tuple[float, float, float]:
    """Mean, standard error and effective number of queries."""
    weights = weights or [1.0] * len(changes)
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, changes, strict=True)) / total
    apart = by_group([w / total * (x - mean) for w, x in zip(weights, changes, strict=True)], groups)
    units = len(apart)
    se = math.sqrt(units / (units - 1) * sum(u * u for u in apart)) if units > 1 else 0.0
    return mean, se, round(total**2 / sum(w * w for w in weights), 10)


@cache
def quantile(level: float, df: float) -> float:
    """A quantile of t."""
    return float(stats.t.ppf(level, df))


def measured(
    changes: list[float], weights: list[float] | None = None, groups: list[str] | None = None
) -> dict[str, Any]:
    """What the rules read of one measure; changes are already rounded to 12 decimals."""
    n = len(changes)
    mean, se, n_eff = moments(changes, weights, groups)
    wins, losses = sum(x > 0 for x in changes), sum(x < 0 for x in changes)
    found: dict[str, Any] = {"n": n, "wins": wins, "losses": losses, "n_eff": n_eff}
    changed = wins + losses
    if groups is not None:
        found["clusters"] = len(set(groups))
        changed = len({group for group, x in zip(groups, changes, strict=True) if x})
    found |= {"changed": changed, "delta": 0.0 if wins + losses == 0 else mean}
    found |= dict.fromkeys(("lower95", "upper95", "lower90", "upper90", "df", "p_harm", "mde80"))
    found["p_flip"] = None
    moved = [x * w / sum(weights) for x, w in zip(changes, weights, strict=True)] if weights else changes
    sums = [0.0 if groups and abs(x) < 1e-10 else x for x in by_group(moved, groups)]
    if changed <= 20 and any(sums):
        found["p_flip"] = flips(sums)
    sd = se * math.sqrt(n)
    if n < 2 or found.get("clusters") == 1:
        return found
    if sd <= 1e-12 * max(1.0, abs(mean)):
        if changed and abs(mean) > 1e-12:
            found["p_flip"] = 2.0**-changed if mean < 0 else 1.0
        return found
    df = max(min(n, n_eff, found.get("clusters", n)) - 1, 1)
    for name, level in (("95", 0.975), ("90", 0.95)):
        half = quantile(level, df) * se
        found["lower" + name], found["upper" + name] = mean - half, mean + half
    found |= {"se": se, "df": df}
    found["p_harm"] = float(special.stdtr(df, mean / se))
    found["mde80"] = Z80 * se
    return found


#: What is known of queries that stand for nothing else; the rest is inferred.
COUNTED = frozenset("measure column name n n_eff n_all wins losses changed delta delta_all mean_a mean_b".split())


def reading_of(
    deltas: Deltas,
    policy: dict[str, Any],
    weights: list[float] | None = None,
    values: list[str] | None = None,
    groups: list[str] | None = None,
) -> dict[str, Any]:
    """All numbers of one reading; ``values`` are those of the policy's one segment column."""
    changes = deltas[policy["primary"]]
    segments = []
    for value in sorted(set(values or [])):
        rows = [i for i, one in enumerate(values or []) if one == value]
        within = [weights[i] for i in rows] if weights else None
        together = [groups[i] for i in rows] if groups else None
        found = measured([changes[i] for i in rows], within, together)
        segments.append({**found, "column": policy["segments"][0], "name": value})
    steps = [float((x >= policy["severe"]) - (x <= -policy["severe"])) for x in changes]
    net = by_group(steps, groups)
    found = {
        "primary": measured(changes, weights, groups),
        "guardrails": [{"measure": m, **measured(deltas[m], weights, groups)} for m, _ in policy["guardrails"]],
        "watch": [{"measure": m, **measured(deltas[m], weights, groups)} for m, _ in policy["watch"]],
        "segments": segments,
        "severe": {"wins": sum(x > 0 for x in net), "losses": sum(x < 0 for x in net)},
    }
    if policy.get("inference") == "fixed":
        for row in (found["primary"], *found["guardrails"], *found["watch"], *found["segments"]):
            row.update({name: None for name in row if name not in COUNTED})
    return found


# -- from rows


@dataclass(frozen=True)
class Query:
    """One judged query: both lists in order, its grades, its weight, its segment and its group."""

    a: list[str]
    b: list[str]
    grades: Grades
    weight: float | None
    segment: str
    group: str | None = None


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


def dcg(gains: Sequence[float], convention: Convention) -> float:
    """The sum of gains, discounted by rank."""
    after = 1 if convention.discount == "log2(rank+1)" else 0
    return sum(one / max(math.log2(rank + after), 1) for rank, one in enumerate(gains, 1))


def ndcg(k: int) -> Callable[[list[str], Grades, Convention], float]:
    """Return nDCG of the first k."""

    def value(docs: list[str], grades: Grades, convention: Convention) -> float:
        best = sorted((gain(grade, convention) for grade in grades.values()), reverse=True)[:k]
        shown = [gain(grades.get(doc, 0.0), convention) for doc in docs[:k]]
        return dcg(shown, convention) / dcg(best, convention)

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
    weighing = [query for query in queries if query.weight is None or query.weight > 0]  # others are in no count
    everywhere = [query for query in weighing if missing != "skip" or (query.a and query.b)]
    counted = [query for query in everywhere if query.a[:k] != query.b[:k] or policy["population"] == "all"]
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
        grouped = rows and rows[0].group is not None and policy["inference"] != "fixed"
        groups = [query.group for query in rows] if grouped else None
        readings.append(reading_of(deltas, policy, weights, segments, groups) if rows else None)  # type: ignore[arg-type]
    if readings[0] is not None:
        values = [(delta(policy["primary"], one, convention, missing, False), one.weight) for one in everywhere]
        weighed = [(value, 1.0 if weight is None else weight) for value, weight in values if not math.isnan(value)]
        mean_all = math.fsum(value * weight for value, weight in weighed) / math.fsum(weight for _, weight in weighed)
        readings[0]["primary"] |= {"n_all": len(weighed), "delta_all": mean_all}
    return {"data": data, "plain": readings[0], "condensed": readings[1], "votes": None}
