"""Measures that a tool computes by other axes than the rest: written with these they are its numbers."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest

import rankdash as rd
from rankdash.metrics.definitions import WRITTEN
from tests.long import every


def tied_world(rng: np.random.Generator) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Lists with equal scores, and with scores that are equal as 32-bit numbers alone; grades from -1 to 2."""
    run, judged = {}, {}
    for query in ("q1", "q2", "q3"):
        docs = [f"d{i}" for i in rng.permutation(8)]
        steps = [float(rng.choice([2.0**-27, 0.25])) for _ in docs]
        listed = zip(docs, steps, rng.integers(-3, 4, 8).tolist(), strict=True)
        run[query] = dict([(doc, 12.5 + at * step) for doc, step, at in listed][: int(rng.integers(1, 8))])
        graded = [f"d{i}" for i in rng.permutation(8)[: int(rng.integers(1, 8))]]
        judged[query] = {doc: int(rng.integers(-1, 3)) for doc in graded}
    return run, judged


@pytest.mark.parametrize("measure", every(2, WRITTEN["ir_measures"]))
def test_measures_written_with_their_axes_are_those_of_ir_measures(measure: str) -> None:
    """RR@k and Judged@k with the axes that `rankdash measures` names equal ir_measures' on any ties and negative
    grades, where the plain names differ: these are not covered.
    """
    rng = np.random.default_rng(7)
    name, written = (text.replace("@k", "@3") for text in (measure, WRITTEN["ir_measures"][measure]))
    plain = 0
    for _ in range(60):
        run, judged = tied_world(rng)
        theirs = {
            one.query_id: one.value for one in ir_measures.iter_calc([ir_measures.parse_measure(name)], judged, run)
        }
        frame = rd.evaluate(run, judged, [written])
        assert dict(zip(frame["query_id"], frame["value"], strict=True)) == pytest.approx(theirs, abs=1e-12)
        ours = rd.evaluate(run, judged, [f"ir_measures:{name}"])["value"]
        plain += not np.allclose(ours, [theirs[query] for query in frame["query_id"]])
    assert plain
