"""Slow twins: what rankdash does with whole columns, done again for one list at a time in plain Python."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from rankdash.judged import Order
from tests.truth.worlds import Row

Placed = tuple[int, str, float]  # the row of the table, the document, its score


def by_query(rows: Sequence[Row]) -> dict[str, list[Placed]]:
    """The rows of each query, as they stand."""
    found: dict[str, list[Placed]] = {}
    for row, (query, doc, score) in enumerate(rows):
        found.setdefault(query, []).append((row, doc, score))
    return found


def sorted_list(listed: Sequence[Placed], order: Order) -> list[Placed]:
    """One list, highest score first; equal scores by document id as bytes, or as they stand. Repeats stay."""
    best = list(listed)
    if order.ties != "input_order":
        best.sort(key=lambda one: one[1].encode(), reverse=order.ties == "docid_desc")
    return sorted(best, key=lambda one: -comparable(one[2], order))


def comparable(score: float, order: Order) -> float:
    """A score as it is compared: beyond float32 it is infinite there."""
    with np.errstate(over="ignore", under="ignore"):
        return float(np.float32(score)) if order.score_type == "float32" else score


def ranked_list(listed: Sequence[Placed], order: Order) -> list[Placed]:
    """The same, each document once: where it stands highest."""
    found: dict[str, Placed] = {}
    for one in sorted_list(listed, order):
        found.setdefault(one[1], one)
    return list(found.values())


def tie_spans(listed: Sequence[Placed], order: Order) -> list[tuple[int, int]]:
    """First and last rank of the equal scores that each document of a ranked list stands among."""
    keys = [comparable(score, order) for _, _, score in listed]
    return [(keys.index(key) + 1, len(keys) - keys[::-1].index(key)) for key in keys]


def tied_rows(listed: Sequence[Placed], order: Order) -> int:
    """Rows whose score another row of the list has too."""
    keys = [comparable(score, order) for _, _, score in listed]
    return sum(keys.count(key) > 1 for key in keys)


def jaccard(a: Sequence[str], b: Sequence[str], k: int) -> float:
    """Documents in both first k over documents in either."""
    return len({*a[:k]} & {*b[:k]}) / len({*a[:k]} | {*b[:k]}) if a and b else math.nan


def rbo(a: Sequence[str], b: Sequence[str], p: float) -> float:
    """Extrapolated rank-biased overlap of the first 100 ranks, term by term. Webber et al. 2010, equation 32."""
    if not a or not b:
        return math.nan
    short, long = sorted((a[:100], b[:100]), key=len)
    s, l = len(short), len(long)  # noqa: E741
    common = [len({*a[:d]} & {*b[:d]}) for d in range(l + 1)]
    seen = sum(common[d] / d * p**d for d in range(1, l + 1))
    beyond = sum(common[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * (seen + beyond) + ((common[l] - common[s]) / l + common[s] / s) * p**l


def tau_b(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """Kendall's tau-b over the documents in both, every pair looked at. Higher keys stand higher."""
    both = [doc for doc in a if doc in b]
    signs = [(_sign(a[x] - a[y]), _sign(b[x] - b[y])) for x, y in combinations(both, 2)]
    apart_a, apart_b = sum(x != 0 for x, _ in signs), sum(y != 0 for _, y in signs)
    return sum(x * y for x, y in signs) / math.sqrt(apart_a * apart_b) if apart_a and apart_b else math.nan


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)
