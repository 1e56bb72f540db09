"""What a worker of a cluster refuses: a bucket has some of the rows, in any order, and may not read them otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.drivers.cluster.bucket import Plan, block_of, score_bucket
from rankdash.drivers.cluster.packing import Packing, packed
from rankdash.drivers.spec import Spec
from rankdash.tables import OrderedBy

#: The types of the columns of a bucket: numbers are text where a source has them so.
KINDS = {
    "side": pa.string(),
    "query_id": pa.string(),
    "doc_id": pa.string(),
    "score": pa.string(),
    "rank": pa.float64(),
    "relevance": pa.float64(),
}
B = [("b", "q", "x", "2", 1.0, None), ("b", "q", "y", "1", 2.0, None)]
JUDGED = [("judgments", "q", "y", None, None, 1.0)]


def table_of(rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    """Rows of one source as a worker gets them."""
    columns = zip(KINDS, zip(*rows, strict=True), strict=True)
    return pa.table({name: pa.array(values, KINDS[name]) for name, values in columns})


def scored(
    rows: Sequence[tuple[Any, ...]], by: OrderedBy, places: Sequence[int | None] | None = None
) -> tuple[str, Any]:
    """What is wrong with a bucket, and nDCG@10 of A where nothing is; ``places`` number the rows of A."""
    spec = Spec(rd.Policy(), (), (1.0,), (by, by), neighbours=True)
    columns_of: dict[str, tuple[str, ...]] = {
        "a": ("score", "rank"),
        "b": ("score", "rank"),
        "judgments": ("relevance",),
    }
    sources = {"a": table_of(rows), "b": table_of(B), "judgments": table_of(JUDGED)}
    if places is not None:
        sources["a"] = sources["a"].append_column("place", pa.array(places, pa.int64()))
        columns_of["a"] = ("score", "rank", "place")
    blocks = [
        block
        for side, table in sources.items()
        for block in packed(table.to_batches(), Packing(side, columns_of[side], 1))
    ]
    row = score_bucket(pa.Table.from_batches(blocks), Plan(spec, columns_of)).to_pylist()[0]
    return row["problem"], block_of(row["block"]).values("plain", "a")[0].tolist() if row["block"] else None


def a(*rows: tuple[str, str | None, float]) -> list[tuple[Any, ...]]:
    """Rows of A: document, score, rank."""
    return [("a", "q", doc, score, rank, None) for doc, score, rank in rows]


@pytest.mark.parametrize(
    "scores", [("0,125", "0,5"), ("1,234", "5"), ("1.234,5", "1.250"), ("0，5", "1"), ("50%", "25%")]
)
def test_commas_in_numbers_are_refused(scores: tuple[str, str]) -> None:
    """Whether 1,234 is more than 5, or 50% a half, only the whole column tells; a bucket has some of its rows."""
    told = "A: numbers in column 'score' have commas or percent signs: write them with decimal points."
    assert scored(a(("x", scores[0], 1.0), ("y", scores[1], 2.0)), "score") == (told, None)


def test_other_notations_are_read_as_everywhere() -> None:
    """Each cell tells alone what it is."""
    for scores in (("−1", "-2"), ("２", "1")):
        assert scored(a(("x", scores[0], 1.0), ("y", scores[1], 2.0)), "score") == ("", [1 / np.log2(3)])


@pytest.mark.parametrize(("by", "last"), [("rank", "1"), ("score", "nan")])
def test_two_documents_of_one_rank_are_refused(by: OrderedBy, last: str) -> None:
    """Equal ranks keep the order of their rows, which a bucket does not have; so where ranks stand in for scores."""
    rows = a(("x", "3", 1.0), ("y", last, 1.0))
    told = (
        "A: documents 'x' and 'y' of query 'q' have the rank 1, and rows have no order here: give each its own, or "
        'number the rows in a column "row_number".'
    )
    assert scored(rows, by) == scored(rows[::-1], by) == (told, None)


def test_equal_ranks_that_order_nothing_are_no_problem() -> None:
    """Beside scores that order the list; of one document twice; in lists of two queries."""
    assert scored(a(("x", "3", 1.0), ("y", "2", 1.0)), "score") == ("", [1 / np.log2(3)])
    assert scored(a(("x", "3", 1.0), ("x", "2", 1.0), ("y", "2", 2.0)), "rank") == ("", [1 / np.log2(3)])
    other = [("a", "other", "z", "3", 1.0, None)]
    assert scored([*a(("x", "3", 1.0), ("y", "2", 2.0)), *other], "rank") == ("", [1 / np.log2(3)])


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((7, 7, 1), "A: two rows of query 'q' have the row_number 7: number each row."),
        ((7, None, 1), 'A: a row has no whole number in column "row_number": number each row.'),
        ((1, 2, 1), ""),
    ],
)
def test_row_numbers_have_to_tell_the_order_within_a_query(places: tuple[int | None, ...], told: str) -> None:
    """Two rows of one number, or one without, have no order; rows of two queries may have the same."""
    rows = [*a(("x", "3", 1.0), ("y", "2", 1.0)), ("a", "other", "z", "3", 1.0, None)]
    assert scored(rows, "rank", places)[0] == told


def test_a_worker_of_another_version_scores_nothing() -> None:
    """What was mended since would be wrong on it, and nothing would tell."""
    plan = Plan(Spec(rd.Policy()), {"a": (), "b": ()}, version="0.0.1")
    told = score_bucket(pa.table({}), plan).to_pylist()[0]["problem"]
    assert told == f"The workers have rankdash {rd.__version__}, and this is rankdash 0.0.1: install the same version."
