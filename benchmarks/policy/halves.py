"""Decisions on a random half of real queries, held against the decision on the other half."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

import rankdash as rd
from benchmarks.markdown import table
from benchmarks.policy.resampled import Source, sources
from rankdash.comparison import compare_scored
from rankdash.scored import PerQuery
from rankdash.verdict import Outcome, decide_from, evidence_of

HALVES = 200
#: What is decided on a half, what confirms it on the other one, and what contradicts it.
CLAIMS = {"launch": (Outcome.LAUNCH, Outcome.WORSE), "worse": (Outcome.WORSE, Outcome.LAUNCH)}


def report() -> str:
    """Return a table with a row for each pair of real runs, both ways around, and each claim."""
    rows = [row for source in sources() for row in _rows(source)]
    head = ["A → B", "n of a half", "says", "of 200 halves", "confirmed", "contradicted", "undecided"]
    return table(head, rows, "lrlrrrr")


def _rows(source: Source) -> Iterator[list[str]]:
    for name, a, b in ((source.name, source.a, source.b), (f"{source.name}, B → A", source.b, source.a)):
        pairs = list(_decisions(rd.score(a, b, source.grades)))
        n = len(source.grades) // 2
        for claim, (confirms, contradicts) in CLAIMS.items():
            others = Counter(other for one, other in pairs if one is confirms)
            total = sum(others.values())
            if not total:
                yield [name, str(n), claim, "0", "", "", ""]
                continue
            told = others[confirms], others[contradicts]
            counts = (*told, total - sum(told))
            yield [name, str(n), claim, str(total), *(_share(count, total) for count in counts)]


def _decisions(scored: PerQuery) -> Iterator[tuple[Outcome, Outcome]]:
    """Yield the outcome on each half, and on the rest of the queries."""
    rng, whole, n = np.random.default_rng(26), scored.to_arrow(), len(scored)
    for _ in range(HALVES):
        order = rng.permutation(n)
        yield _outcome(whole, order[: n // 2]), _outcome(whole, order[n // 2 :])


def _outcome(whole: pa.Table, rows: np.ndarray) -> Outcome:
    half = compare_scored(PerQuery.from_arrow(whole.take(pa.array(np.sort(rows)))), rd.Policy())
    return decide_from(evidence_of(half), half.policy).outcome


def _share(count: int, of: int) -> str:
    """Return "87% (82 to 91)", with Wilson's interval."""
    share, z = count / of, 1.96
    middle, wide = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    low, high = ((middle + sign * wide) / (1 + z * z / of) for sign in (-1, 1))
    return f"{100 * share:.0f}% ({100 * max(low, 0):.0f} to {100 * min(high, 1):.0f})"
