"""ranx, as its documentation shows it: ``Qrels`` and ``Run`` from files, ``evaluate`` with per-query scores.

Duplicates are not checked: of two rows of one document the last one counts. Equal scores keep no defined order.
"""

from __future__ import annotations

import numpy as np
from ranx import Qrels, Run, evaluate
from shared import arguments, save

ASKED = ["ndcg@10", "map", "precision@10", "mrr", "recall@100"]

run_a, run_b, judgments, out = arguments()
qrels = Qrels.from_file(judgments, kind="trec")
query_ids = sorted(qrels.keys())

runs = []
for path in (run_a, run_b):
    run = Run.from_file(path, kind="trec")
    evaluate(qrels, run, ASKED, make_comparable=True)
    runs.append(np.array([[run.scores[name][query] for query in query_ids] for name in ASKED]))

save(out, query_ids, runs[0], runs[1])
