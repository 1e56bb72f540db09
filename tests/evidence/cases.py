"""The expected values of cases/stats_cases.json, and arrays made from them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rankdash.evidence.documents import Documents
from rankdash.metrics.lists import gains

CASES: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "stats_cases.json").read_text("utf-8"))
#: Closed forms.
CLOSE = 1e-9

Floats = npt.NDArray[np.float64]


def of(*path: str) -> list[Any]:
    """One test parameter per case of a list in the file, named as the case is."""
    found: Any = CASES
    for name in path:
        found = found[name]
    return [pytest.param(case, id=case.get("name", f"{at}")) for at, case in enumerate(found)]


def close(value: float | None, expected: float | None, tolerance: float = CLOSE) -> bool:
    """Whether a value is what is expected; None only where None is."""
    if value is None or expected is None:
        return value is expected
    return abs(value - expected) <= tolerance


def all_close(
    values: Sequence[float | None] | None, expected: Sequence[float | None] | None, tol: float = CLOSE
) -> bool:
    """The same for pairs of numbers, where None stands for a pair that is not defined."""
    if values is None or expected is None:
        return values is expected
    return all(close(value, other, tol) for value, other in zip(values, expected, strict=True))


def scores(case: Mapping[str, Any]) -> tuple[Floats, Floats]:
    """The per-query scores of A and B; NaN and infinity are written as text."""
    return np.array(case["a"], np.float64), np.array(case["b"], np.float64)


def documents(queries: Sequence[Mapping[str, Any]], gain: str, k: int) -> tuple[Documents, Floats, list[str]]:
    """Lists and grades of queries as Documents, the k best gains of each query, (q, k), and the document names."""
    rows: list[tuple[Any, ...]] = []
    ideal = np.zeros((len(queries), k))
    for at, query in enumerate(queries):
        grades, lists = query["grades"], (query["A"], query["B"])
        places = [{doc: i for i, doc in enumerate(shown, 1)} for shown in lists]
        among = [{doc: i for i, doc in enumerate([d for d in shown if d in grades], 1)} for shown in lists]
        for doc in dict.fromkeys([*query["A"], *query["B"]]):
            ranks = [place.get(doc, 0) for place in (*places, *among)]
            rows.append((doc, at, *ranks[:2], grades.get(doc, 0), doc in grades, *ranks[2:]))
        best = -np.sort(-gains(np.array(list(grades.values()), np.float64), gain))[:k]
        ideal[at, : len(best)] = best
    names, query_of, rank_a, rank_b, grade, judged, condensed_a, condensed_b = zip(*rows, strict=True)
    found = Documents(
        query=np.array(query_of),
        rank_a=np.array(rank_a),
        rank_b=np.array(rank_b),
        gain=gains(np.array(grade, np.float64), gain),
        judged=np.array(judged),
        condensed_a=np.array(condensed_a),
        condensed_b=np.array(condensed_b),
    )
    return found, ideal, list(names)


def ideal_dcg(ideal: Floats) -> Floats:
    """IDCG of rows of ideal gains, (q, k) -> (q,)."""
    return ideal @ (1 / np.log2(np.arange(ideal.shape[1]) + 2))
