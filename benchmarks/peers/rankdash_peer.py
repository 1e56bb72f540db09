"""rankdash as its command line works: streamed where that pays, with the verdict and the per-query values as CSV.

Duplicates are found, counted and reported; the first of them counts.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
from shared import MEASURES, arguments, save

import rankdash as rd


def answer(comparison: rd.Comparison) -> int:
    """Decide, and write what the others write and the per-query values."""
    rd.decide(comparison)
    rows = [comparison.measure_names.index(name) for name in MEASURES]
    found = [comparison.results[row].paired for row in rows]
    means = np.array([[one.mean_a, one.mean_b, one.delta, one.lower95, one.upper95] for one in found], np.float64)
    save(out, comparison.query_ids, comparison.scores_a[rows], comparison.scores_b[rows], means)
    rd.report(comparison, out + ".csv")
    return 0


run_a, run_b, judgments, out = arguments()
done = None
if find_spec("rankdash.cli.streaming"):  # an older rankdash reads everything into memory
    from rankdash.cli.commands import parser
    from rankdash.cli.streaming import streamed

    files = ["compare", run_a, run_b, "-q", judgments, "-m", *MEASURES]
    done = streamed(parser().parse_args(files), rd.Policy(), answer)
if done is None:
    a, b = rd.read_run(run_a), rd.read_run(run_b)
    answer(rd.compare(a, b, rd.read_judgments(judgments), measures=list(MEASURES)))
