"""ir_measures, as its documentation shows it: readers, one evaluator for both runs, ``iter_calc``.

Duplicates are not checked: of two rows of one document the last one counts.
"""

from __future__ import annotations

import ir_measures
import numpy as np
from ir_measures import AP, RR, P, R, nDCG
from shared import arguments, save

ASKED = [nDCG @ 10, AP, P @ 10, RR, R @ 100]

run_a, run_b, judgments, out = arguments()
qrels = list(ir_measures.read_trec_qrels(judgments))
query_ids = sorted({qrel.query_id for qrel in qrels})
column = {query: i for i, query in enumerate(query_ids)}
row = {measure: i for i, measure in enumerate(ASKED)}
evaluator = ir_measures.evaluator(ASKED, qrels)

runs = []
for path in (run_a, run_b):
    values = np.zeros((len(ASKED), len(query_ids)))
    for metric in evaluator.iter_calc(ir_measures.read_trec_run(path)):
        values[row[metric.measure], column[metric.query_id]] = metric.value
    runs.append(values)

save(out, query_ids, runs[0], runs[1])
