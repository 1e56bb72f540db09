"""What is decided on one random half of real queries, held against the other half, as the documents show it."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

import rankdash as rd
from tests.real_data.test_oracles import COLLECTIONS

PAGE = Path(__file__).parents[2] / "docs" / "understand" / "validated.md"
#: Halves of each collection in each direction: A against B, and B against A.
HALVES, FEWEST = 50, 50


@pytest.mark.long
def test_one_half_says_what_the_other_half_shows(real_data: Path) -> None:
    """The table of the page is what is found: of launches, and of "worse", nearly all are right on the other half."""
    found = Counter[tuple[str, bool]]()
    for collection in COLLECTIONS:
        *runs, judgments, _ = collection.load(real_data)
        rows = judgments.table.to_pylist()
        queries = sorted({row["query_id"] for row in rows})
        if len(queries) < FEWEST:
            continue
        for seed in range(HALVES):
            half = set(random.Random(seed).sample(queries, len(queries) // 2))
            one, other = ([row for row in rows if (row["query_id"] in half) is side] for side in (True, False))
            for a, b in (runs, runs[::-1]):
                outcome = rd.decide(rd.compare(a, b, one)).outcome
                delta = rd.compare(a, b, other).primary.paired.delta or 0.0
                found[outcome, delta > 0] += 1
    table = re.findall(r"(?m)^\| ([A-Z_]+) \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"))
    shown = {(rd.Outcome(name), up): int(n) for name, *row in table for up, n in zip((True, False), row, strict=True)}
    assert {key: n for key, n in shown.items() if n} == dict(found)
    assert found[rd.Outcome.LAUNCH, True] > 10 * found[rd.Outcome.LAUNCH, False]
    assert found[rd.Outcome.WORSE, False] > 10 * found[rd.Outcome.WORSE, True]
