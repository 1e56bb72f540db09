"""pyndeval, as its README shows it: named tuples, one evaluator for both runs. It reads no files of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from pyndeval import RelevanceEvaluator, ScoredDoc, SubtopicQrel
from shared import arguments, save


def words(path: str) -> Iterator[list[str]]:
    """The words of each line."""
    with open(path) as file:
        yield from map(str.split, file)


run_a, run_b, judgments, out = arguments()
qrels = (SubtopicQrel(query, subtopic, doc, int(grade)) for query, subtopic, doc, grade in words(judgments))
evaluator = RelevanceEvaluator(qrels, ["alpha-nDCG@10"])
query_ids = sorted(evaluator.qrels)
runs = []
for path in (run_a, run_b):
    found = evaluator.evaluate(ScoredDoc(query, doc, float(score)) for query, _, doc, _, score, _ in words(path))
    runs.append([found[query]["alpha-nDCG@10"] if query in found else 0.0 for query in query_ids])
save(out, query_ids, *np.array(runs)[:, None])
