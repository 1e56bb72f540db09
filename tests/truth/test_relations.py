"""What must not change a number does not: other names, rows in another order, other blocks and chunks, a longer id."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.report.json import to_dict
from tests.long import every
from tests.truth.cutting import ROWS, blocks_of_bytes, blocks_of_rows
from tests.truth.scale import sampled
from tests.truth.sources import SOURCES
from tests.truth.worlds import LONGEST, Row, World, some_ids, world

MEASURES = ["nDCG@10", "nDCG", "AP", "P@5", "R@10", "RR", "ERR@10", "Bpref", "Judged@10", "RBP", "AUC", "CG@5"]
PAIRS = SOURCES["pairs"]
Tables = tuple[rd.Run, rd.Run, rd.Judgments]
Table = dict[tuple[str, str], tuple[float, float, float]]


def compared(tables: Tables) -> rd.Comparison:
    """The comparison, with every measure that reads something else."""
    return rd.compare(*tables, measures=MEASURES)


def values(comparison: rd.Comparison, names: dict[str, str] | None = None) -> Table:
    """(A, B, delta) by measure and query, whose ids may get other names; None where undefined."""
    rows = comparison.per_query_table.to_pylist()
    return {(r["measure"], (names or {}).get(r["query_id"], r["query_id"])): (r["a"], r["b"], r["delta"]) for r in rows}


def close(one: Any, other: Any) -> bool:
    """Whether two trees of numbers are the same but for the order in which sums were made."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(part, other[name]) for name, part in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return bool(one == other or (None not in (one, other) and np.isclose(one, other, rtol=1e-9, atol=1e-12)))
    return bool(one == other)


def same(tables: Tables, others: Tables, names: dict[str, str] | None = None) -> None:
    """Every value is the same, under other names of queries, and so is what is said of all of them."""
    first, again = compared(tables), compared(others)
    assert values(first, names) == values(again)
    parts = ("measures", "queries", "judged", "gsb_derived", "lists", "waterfall")
    there, here = (json.loads(json.dumps(to_dict(one, rd.decide(one)))) for one in (first, again))
    assert close({name: there[name] for name in parts}, {name: here[name] for name in parts})


def renamed(one: World, names: dict[str, str]) -> World:
    """The world under other names of queries and documents."""
    rows = [tuple((names[q], names[doc], number) for q, doc, number in rows) for rows in (one.a, one.b, one.judged)]
    return World(one.seed, *rows)


def test_other_names_change_nothing() -> None:
    """Ids of six digits in the same byte order, with ties, duplicates and conflicts; and any ids, long for short, where
    no scores are equal.
    """
    for seed in range(sampled(1)):
        one = world(300_000 + seed, alphabet="any")
        same(PAIRS.read(one), PAIRS.read(renamed(one, one.names)), one.names)
        one = world(310_000 + seed, alphabet="any", kinds=("apart",), repeats=False)
        names = dict(zip(one.names, some_ids(np.random.default_rng(seed), len(one.names), "any"), strict=True))
        same(PAIRS.read(one), PAIRS.read(renamed(one, names)), names)


def ranked_table(rows: Sequence[Row], rng: np.random.Generator) -> pa.Table:
    """Rows with a rank in place of the score: 1, 2, 3, ... for each query as they stand, then in any order."""
    place: dict[str, int] = {}
    found = []
    for query, doc, _ in rows:
        place[query] = place.get(query, 0) + 1
        found.append((query, doc, place[query]))
    queries, docs, ranks = zip(*(found[i] for i in rng.permutation(len(found))), strict=True)
    return pa.table({"query_id": queries, "doc_id": docs, "rank": ranks})


def test_rows_in_another_order_change_nothing() -> None:
    """Without duplicates and conflicts the order of a file's rows means nothing where scores, or ranks, order it."""
    for seed in range(sampled(1)):
        one, rng = world(320_000 + seed, alphabet="any", repeats=False, mixed=False), np.random.default_rng(seed)
        shuffled = [tuple(rows[i] for i in rng.permutation(len(rows))) for rows in (one.a, one.b, one.judged)]
        same(SOURCES["table"].read(one), SOURCES["table"].read(World(seed, *shuffled)))
        judgments = PAIRS.judgments(one.judged)
        tables = [
            (
                *(rd.read_run(ranked_table(rows, rng), name=name) for name, rows in (("A", one.a), ("B", one.b))),
                judgments,
            )
            for _ in range(2)
        ]
        same(*tables)


@pytest.mark.parametrize("size", ROWS)
def test_blocks_of_any_size_change_nothing(size: int) -> None:
    """However many rows are put in order at once, everything that is said is the same."""
    for seed in range(sampled(1)):
        tables = PAIRS.read(world(340_000 + seed, alphabet="any", queries=12))
        first = compared(tables)
        with blocks_of_rows(size):
            again = compared(tables)
        assert values(first) == values(again), seed
        assert rd.decide(first) == rd.decide(again)


@pytest.mark.parametrize("name", every(4, [name for name in SOURCES if name not in ("dict", "pairs", "frame")]))
@pytest.mark.parametrize("size", [64, 1000])
def test_reading_in_blocks_of_any_size_changes_nothing(name: str, size: int) -> None:
    """However many bytes are read at once, the tables are the same."""
    source = SOURCES[name]
    for seed in range(sampled(1)):
        one = world(350_000 + seed, alphabet=source.alphabet, queries=12)
        first = source.read(one)
        with blocks_of_bytes(size):
            again = source.read(one)
        for table, other in zip(first, again, strict=True):
            assert table.table.to_pydict() == other.table.to_pydict(), (one.seed, name)
            assert table.source == other.source


def test_a_longer_id_in_b_changes_nothing_in_a() -> None:
    """One more document below all others of a list, or judged and not relevant, changes no value of any other."""
    below = -1e38  # float32 can hold it, and nothing stands below
    for seed in range(sampled(1)):
        one = world(370_000 + seed, kinds=("tied", "apart"), queries=20)
        queries = list(dict.fromkeys(query for query, _, _ in one.b))
        before = values(compared(PAIRS.read(one)))
        for size in (9, LONGEST):
            long = "z" * size
            more = World(seed, one.a, (*one.b, (queries[seed % len(queries)], long, below)), one.judged)
            after = values(compared(PAIRS.read(more)))
            assert {key: a for key, (a, _, _) in after.items()} == {key: a for key, (a, _, _) in before.items()}
            # In B only the list that it stands in may differ: there may be more documents to divide by.
            others = {key for key in before if key[1] != more.b[-1][0]}
            assert {key: after[key] for key in others} == {key: before[key] for key in others}, one.seed
            unseen = values(
                compared(PAIRS.read(World(seed, one.a, one.b, (*one.judged, (one.judged[0][0], long, 0.0)))))
            )
            gains = {key for key in before if key[0] not in ("Bpref", "AUC")}  # these count what is not relevant
            assert {key: unseen[key] for key in gains} == {key: before[key] for key in gains}, one.seed
