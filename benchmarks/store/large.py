"""A comparison of 7,000 queries with 1,000 documents in each list, made in memory: the same one every time."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from rankdash.case import Case
from rankdash.tables import Judgments, Run

QUERIES, DEPTH, JUDGED = 7_000, 1_000, 20


def large(queries: int = QUERIES, depth: int = DEPTH) -> Case:
    """Two runs of one collection that share about half of their documents, and judgments of both."""
    rng = np.random.default_rng(1)
    documents = [rng.integers(0, 2 * depth, (queries, depth)) + np.arange(queries)[:, None] * 3 * depth for _ in "AB"]
    runs = [
        Run(name, _table(found, {"score": np.tile(np.arange(depth, 0.0, -1.0), queries)}), "score")
        for name, found in zip("AB", documents, strict=True)
    ]
    grades = rng.integers(0, 4, queries * JUDGED).astype(np.float64)
    judged = np.concatenate([documents[0][:, : JUDGED // 2], documents[1][:, : JUDGED // 2]], axis=1)
    return Case((runs[0], runs[1]), Judgments(_table(judged, {"relevance": grades})))


def _table(documents: np.ndarray[tuple[int, int], np.dtype[np.int64]], numbers: dict[str, object]) -> pa.Table:
    queries, depth = documents.shape
    codes = pa.array(np.repeat(np.arange(queries, dtype=np.int32), depth))
    ids = pa.DictionaryArray.from_arrays(codes, pa.array([f"query-{i}" for i in range(queries)]))
    columns = {"query_id": ids, "doc_id": pa.array(documents.ravel()).cast(pa.string())} | numbers
    return pa.Table.from_arrays([pa.array(column) for column in columns.values()], names=list(columns))
