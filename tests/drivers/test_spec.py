"""Blocks of whole queries, scored apart and in any order, make the per-query table of the whole."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.comparison import PerQuery, score_queries
from rankdash.drivers.spec import PLACE, Spec, score_block
from tests.long import every
from tests.truth.small import Small, small_world
from tests.truth.test_per_query import MEASURES, made, same_columns

Tables = tuple[pa.Table, pa.Table, pa.Table | None]


def rows_of(table: rd.Run | rd.Judgments, queries: set[str], rng: np.random.Generator) -> pa.Table:
    """The rows of some queries in any order, each with its place."""
    ids = table.table.column("query_id").to_pylist()
    rows = rng.permutation([at for at, query in enumerate(ids) if query in queries]).astype(np.int64)
    part = table.table.take(arrow.from_numpy(rows)).append_column(PLACE, arrow.from_numpy(rows))
    text = arrow.from_strings([ids[row] for row in rows])
    return part.set_column(part.column_names.index("query_id"), "query_id", text)


def cut(queries: list[str], rng: np.random.Generator) -> list[set[str]]:
    """Queries in up to four blocks, at random; a block may be empty."""
    block = rng.integers(4, size=len(queries))
    return [{query for query, at in zip(queries, block, strict=True) if at == n} for n in range(4)]


def in_blocks(a: rd.Run, b: rd.Run, judgments: rd.Judgments | None, spec: Spec, rng: np.random.Generator) -> PerQuery:
    """The table, scored in blocks of queries whose rows are in disorder."""
    tables = [one for one in (a, b, judgments) if one is not None]
    queries = sorted({query for one in tables for query in one.table.column("query_id").to_pylist()})
    blocks = [
        score_block(
            rows_of(a, some, rng),
            rows_of(b, some, rng),
            None if judgments is None else rows_of(judgments, some, rng),
            spec,
        )
        for some in cut(queries, rng)
    ]
    return PerQuery.concatenated(blocks).in_order()


def spec_of(whole: PerQuery, policy: rd.Policy, a: rd.Run, b: rd.Run) -> Spec:
    """What the blocks of a whole have to know."""
    return Spec(policy, MEASURES, whole.scope.grades, (a.ordered_by, b.ordered_by))


@pytest.mark.parametrize("seed", every(4, range(12)))
def test_blocks_in_any_order_make_the_table_of_the_whole(seed: int) -> None:
    """Whatever the blocks and the order of their rows: every column bit for bit, and all that was noticed."""
    world, policy = made(seed)
    rng = np.random.default_rng(seed)
    a, b, judgments = world.run("a"), world.run("b"), world.judgments()
    whole = score_queries(rd.join(a, b, judgments), policy, MEASURES, without=("alike",))
    again = in_blocks(a, b, judgments, spec_of(whole, policy, a, b), rng)
    same_columns(whole, again)
    assert whole.noticed == again.noticed
    assert again.places is None


def with_grades(world: Small, side: str, rng: np.random.Generator) -> rd.Run:
    """A run with a grade beside some of its documents, here and there another than the other run has."""
    run = world.run(side)
    grades = rng.choice([np.nan, 0.0, 1.0, 2.0], size=len(run.table))
    table = run.table.append_column("relevance", arrow.from_numpy(grades))
    return rd.Run(run.name, table, run.ordered_by, run.source)


@pytest.mark.parametrize("seed", every(4, range(8)))
def test_grades_beside_the_documents_are_pooled_as_in_the_whole(seed: int) -> None:
    """Without judgments the grades of A come before those of B, and so do the queries, in every block."""
    rng = np.random.default_rng(seed)
    world, policy = small_world(rng, queries=6), made(seed)[1]
    a, b = (with_grades(world, side, rng) for side in "ab")
    whole = score_queries(rd.join(a, b), policy, MEASURES, without=("alike",))
    again = in_blocks(a, b, None, spec_of(whole, policy, a, b), rng)
    same_columns(whole, again)
    assert whole.noticed == again.noticed


def test_a_part_that_was_left_out_is_never_zero() -> None:
    """A column that was not computed does not exist: reading it is an error that names it."""
    world, policy = made(1)
    table = score_queries(rd.join(world.run("a"), world.run("b"), world.judgments()), policy, without=("alike",))
    back = PerQuery.from_arrow(table.to_arrow())
    assert "rbo" not in back.at_hand
    with pytest.raises(KeyError, match="rbo"):
        back["rbo"]
    with pytest.raises(KeyError, match="rbo"):
        table["rbo"]


def test_queries_without_judgments_make_a_block_without_rows() -> None:
    """A block may have lists that nobody judged: no row, and its counts are kept."""
    a = rd.read_run([("q1", "x", 3.0), ("q1", "x", 2.0)])
    judged = rd.read_judgments([("q2", "x", 1.0)])
    none = judged.table.slice(0, 0)
    block = score_block(a.table, a.table, none, Spec(rd.Policy(), grades=(1.0,)))
    assert len(block) == 0
    assert block.total("duplicates") == (1, 1)
    assert block.noticed.findings_a.unjudged_queries == 1
