"""The way of a notebook: pandas, one sort, one join, grouped sums.

Correct on ties (document ids descending, as trec_eval has them). Duplicates: it stops at a document that stands twice.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from shared import arguments, save


def read_run(path: str) -> pd.DataFrame:
    """query_id, doc_id, rank; the order of trec_eval: score, then document id, both descending."""
    run = pd.read_csv(
        path,
        sep=" ",
        header=None,
        names=["query_id", "q0", "doc_id", "rank", "score", "tag"],
        usecols=["query_id", "doc_id", "score"],
        dtype={"query_id": str, "doc_id": str},
    )
    if run.duplicated(["query_id", "doc_id"]).any():
        raise ValueError("a document stands twice in one list")
    run = run.sort_values(["query_id", "score", "doc_id"], ascending=[True, False, False])
    run["rank"] = run.groupby("query_id").cumcount() + 1
    return run


def per_query(run: pd.DataFrame, qrels: pd.DataFrame) -> pd.DataFrame:
    """The five measures, one row per judged query; a query that the run lacks has zeros."""
    hits = run.merge(qrels, on=["query_id", "doc_id"]).sort_values(["query_id", "rank"])
    hits = hits[hits["relevance"] > 0]
    hits["gain"] = hits["relevance"] / np.log2(hits["rank"] + 1)
    hits["precision"] = (hits.groupby("query_id").cumcount() + 1) / hits["rank"]

    relevant = qrels[qrels["relevance"] > 0].sort_values(["query_id", "relevance"], ascending=[True, False])
    relevant["rank"] = relevant.groupby("query_id").cumcount() + 1
    relevant["gain"] = relevant["relevance"] / np.log2(relevant["rank"] + 1)
    ideal = relevant[relevant["rank"] <= 10].groupby("query_id")["gain"].sum()
    count = relevant.groupby("query_id").size()

    top = hits[hits["rank"] <= 10].groupby("query_id")
    result = pd.DataFrame(index=pd.Index(sorted(qrels["query_id"].unique()), name="query_id"))
    result["nDCG@10"] = top["gain"].sum() / ideal
    result["AP"] = hits.groupby("query_id")["precision"].sum() / count
    result["P@10"] = top.size() / 10
    result["RR"] = 1 / hits.groupby("query_id")["rank"].min()
    result["R@100"] = hits[hits["rank"] <= 100].groupby("query_id").size() / count
    return result.fillna(0.0)


run_a, run_b, judgments, out = arguments()
qrels = pd.read_csv(
    judgments,
    sep=" ",
    header=None,
    names=["query_id", "iteration", "doc_id", "relevance"],
    dtype={"query_id": str, "doc_id": str},
)
a, b = (per_query(read_run(path), qrels) for path in (run_a, run_b))
save(out, list(a.index), a.to_numpy().T, b.to_numpy().T)
