"""pytrec_eval, as its README shows it: two parsed files, one evaluator, a dict per query.

Duplicates: ``parse_run`` stops at a document that stands twice.
"""

from __future__ import annotations

import numpy as np
import pytrec_eval
from shared import arguments, save

NAMES = ("ndcg_cut_10", "map", "P_10", "recip_rank", "recall_100")
ASKED = {"ndcg_cut.10", "map", "P.10", "recip_rank", "recall.100"}

run_a, run_b, judgments, out = arguments()
with open(judgments) as file:
    qrels = pytrec_eval.parse_qrel(file)
query_ids = sorted(qrels)
evaluator = pytrec_eval.RelevanceEvaluator(qrels, ASKED)

runs = []
for path in (run_a, run_b):
    with open(path) as file:
        results = evaluator.evaluate(pytrec_eval.parse_run(file))
    missing = dict.fromkeys(NAMES, 0.0)
    rows = [results.get(query, missing) for query in query_ids]
    runs.append(np.array([[row[name] for row in rows] for name in NAMES]))

save(out, query_ids, runs[0], runs[1])
