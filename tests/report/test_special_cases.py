"""What is said of comparisons that cannot say much."""

from __future__ import annotations

from typing import Any

import pytest

import rankdash as rd
from rankdash.report.sections import special_case

DOCS = [f"d{i}" for i in range(12)]
ORDER = {doc: -at for at, doc in enumerate(DOCS)}
SWAPPED = ORDER | {"d6": ORDER["d8"], "d8": ORDER["d6"]}  # another order behind rank 5
SHOWN_FIRST = ORDER | {"d1": ORDER["d0"], "d0": ORDER["d1"]}


@pytest.mark.parametrize(("grades", "b", "policy", "expected"), [
    (dict.fromkeys(DOCS, 1), ORDER, {"population": "affected"}, "tied"),  # everything is judged, no query counts
    ({"d8": 2, "d11": 0}, SWAPPED, {"cutoff": 5}, None),  # judged behind the cutoff, where the measure still reads
    ({"other": 2}, SHOWN_FIRST, {}, "unjudged"),
    ({"other": 2}, SHOWN_FIRST, {"cutoff": 5}, "unjudged"),
])  # fmt: skip
def test_unjudged_is_said_only_where_nothing_shown_is_judged(
    grades: dict[str, float], b: dict[str, Any], policy: dict[str, Any], expected: str | None
) -> None:
    """A share that is not defined is no 0, and scores that differ are not all alike."""
    queries = [f"q{i}" for i in range(20)]
    runs = [dict.fromkeys(queries, order) for order in (ORDER, b)]
    comparison = rd.compare(*map(rd.read_run, runs), dict.fromkeys(queries, grades), policy=rd.Policy(**policy))
    assert special_case(comparison) == expected
