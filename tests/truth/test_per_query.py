"""The per-query table over random worlds: saved and read back, and the other way around."""

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.scoring import Comparison, PerQuery, compare_scored, join, score_queries
from tests.truth.scale import sampled
from tests.truth.small import Small, small_world, some_policy

MEASURES = ("ERR@3", "RR(ties='docid_asc')", "overlap@3", "RBO")
#: Bounds of B against A are sums in another order than those of A against B.
ALMOST = ("least", "most")
EXACT = 1e-12


def made(seed: int) -> tuple[Small, rd.Policy]:
    """A small world and a policy for it."""
    rng = np.random.default_rng(700 + seed)
    return small_world(rng, queries=int(rng.integers(2, 9))), some_policy(rng, segments=("kind",))


def scored(world: Small, policy: rd.Policy, sides: str = "ab") -> PerQuery:
    """The per-query table of a world."""
    a, b = (world.run(side) for side in sides)
    return score_queries(join(a, b, world.judgments(), depth=2 * policy.cutoff), policy, MEASURES)


def numbers(comparison: Comparison) -> dict[str, Any]:
    """All that a comparison says, and its verdict."""
    names = ("plain", "condensed", "primary_everywhere", "counts", "gsb_derived", "delta_bounds", "tie_bounds")
    arrays = {name: getattr(comparison, name).tobytes() for name in ("scores_a", "scores_b", "deltas")}
    return {
        **{name: getattr(comparison, name) for name in (*names, "tied_share", "at_tie_ends")},
        **arrays,
        "waterfall": comparison.explained.waterfall,
        "likeness": [(one.measure, one.values.tobytes(), one.mean, one.n) for one in comparison.likeness],
        "per_query": comparison.per_query_table.to_pydict().__repr__(),
        "verdict": rd.decide(comparison),
    }


def written_and_read(table: pa.Table, as_parquet: bool) -> pa.Table:
    """The table through a file, as Parquet or as Arrow writes it."""
    file = io.BytesIO()
    if as_parquet:
        pq.write_table(table, file)
        return pq.ParquetFile(io.BytesIO(file.getvalue())).read()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return pa.ipc.open_file(file.getvalue()).read_all()


def same_columns(one: PerQuery, other: PerQuery, almost: tuple[str, ...] = ()) -> None:
    """Every column bit for bit, but for a few that may differ in their last digits."""
    assert one.query_ids.to_pylist() == other.query_ids.to_pylist()
    assert one.scope == other.scope
    for name in one.scope.parts:
        if name in almost:
            np.testing.assert_allclose(one[name], other[name], rtol=0, atol=EXACT, err_msg=name)
        else:
            assert one[name].dtype == other[name].dtype, name
            assert one[name].tobytes() == other[name].tobytes(), name


@pytest.mark.parametrize("as_parquet", [True, False], ids=["Parquet", "Arrow"])
def test_a_saved_table_gives_the_same_comparison_bit_for_bit(as_parquet: bool) -> None:
    """Written, read back and weighed without the runs: every number and the whole verdict are the same."""
    for seed in range(sampled(3)):
        world, policy = made(seed)
        table = scored(world, policy)
        back = PerQuery.from_arrow(written_and_read(table.to_arrow(), as_parquet))
        same_columns(table, back)
        there, here = (compare_scored(one, policy, queries=world.queries()) for one in (table, back))
        assert numbers(there) == numbers(here), seed
        assert numbers(here) == numbers(world.compared(policy, MEASURES)), seed


#: What becomes of the columns that name no side, where A and B are exchanged; the others stay as they are.
TURNED = {
    "unjudged_moved_in": "unjudged_moved_in",
    "relevant_dropped": "relevant_gained",
    "relevant_gained": "relevant_dropped",
    "reordering": "reordering",
    "least": "most",
    "most": "least",
}


def test_the_table_of_swapped_runs_is_the_swapped_table() -> None:
    """Columns of A are those of B, parts and bounds turn their sign, and what both share stays."""
    for seed in range(sampled(4)):
        world, policy = made(seed)
        one, other = scored(world, policy), scored(world, policy, "ba")
        sides = str.maketrans("ab", "ba")
        for name in one.scope.parts:
            begin, colon, measure = name.partition(":")
            sided = begin.endswith(("_a", "_b"))
            there = f"{begin[:-1]}{begin[-1].translate(sides)}{colon}{measure}" if sided else TURNED.get(name, name)
            expected = -other[there] if name in TURNED else other[there]
            exact = 0 if name not in ALMOST else EXACT
            np.testing.assert_allclose(one[name], expected, rtol=0, atol=exact, err_msg=f"{seed} {name}")
