"""Rows that are appended to a table and gathered from it: those of plain Python."""

import numpy as np
import pyarrow as pa
import pytest

from rankdash.edits.tables import appended, gathered


@pytest.mark.parametrize("wide", [False, True])
def test_rows_are_appended_and_gathered_as_lists_are(wide: bool) -> None:
    """In any order and number, from any chunks, in one chunk; a column that is not named is empty in what is added."""
    random = np.random.default_rng(5)
    for _ in range(200):
        n = int(random.integers(1, 30))
        columns = {
            "query_id": pa.array([f"q{x}" for x in random.integers(0, 5, n)]).dictionary_encode(),
            "doc_id": pa.array([f"d{x}" for x in range(n)], pa.large_string() if wide else pa.string()),
            "rank": pa.array(random.integers(1, 9, n).astype(np.int32)),
            "title": pa.array([None if x % 3 else "t" for x in range(n)]),
        }
        table = pa.table(columns)
        cut = int(random.integers(0, n))
        table = pa.concat_tables([table.slice(0, cut), table.slice(cut)])
        more = {"query_id": ["q1", "new"], "doc_id": ["x", "y"]} if random.integers(2) else {"query_id": []}
        whole = table.to_pylist() + [
            {"query_id": query, "doc_id": doc, "rank": 0, "title": ""}
            for query, doc in zip(more["query_id"], more.get("doc_id", []), strict=True)
        ]
        rows = random.permutation(len(whole))[: random.integers(0, 30)]
        found = gathered(appended(table, more), rows)
        assert found.to_pylist() == [whole[row] for row in rows]
        assert found.schema == table.schema
