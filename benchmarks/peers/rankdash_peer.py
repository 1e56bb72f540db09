"""rankdash as its command line works: in blocks where that pays, with the verdict and the per-query values as CSV.

Duplicates are found, counted and reported; the first of them counts.
"""

from __future__ import annotations

import os

import numpy as np
from shared import MEASURES, arguments, save

import rankdash as rd

run_a, run_b, judgments, out = arguments()
asked = ["alpha_nDCG@10"] if os.path.basename(os.path.dirname(judgments)) == "diverse" else [*MEASURES]
comparison = rd.compare_scored(rd.score(run_a, run_b, judgments, measures=asked))
rd.decide(comparison)
rows = [comparison.measure_names.index(name) for name in asked]
found = [comparison.results[row].paired for row in rows]
means = np.array([[one.mean_a, one.mean_b, one.delta, one.lower95, one.upper95] for one in found], np.float64)
save(out, comparison.query_ids, comparison.scores_a[rows], comparison.scores_b[rows], means)
rd.report(comparison, out + ".csv")
