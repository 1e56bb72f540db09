"""Measures that a tool computes by other axes than the rest: written with these they are its numbers."""

import ir_measures
import numpy as np
import pytest

import rankdash as rd
from rankdash.metrics import diversity
from rankdash.metrics.definitions import WRITTEN
from tests.long import every

#: test_subtopics.py compares these.
OF_SUBTOPICS = {form for row in diversity.MEASURES for form in row.forms}


def tied_world(rng: np.random.Generator) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Lists with equal scores, and with scores that are equal as 32-bit numbers alone; grades from -1 to 2."""
    run, judged = {}, {}
    for query in ("1", "2", "3"):
        docs = [f"d{i}" for i in rng.permutation(8)]
        steps = [float(rng.choice([2.0**-27, 0.25])) for _ in docs]
        listed = zip(docs, steps, rng.integers(-3, 4, 8).tolist(), strict=True)
        run[query] = dict([(doc, 12.5 + at * step) for doc, step, at in listed][: int(rng.integers(1, 8))])
        graded = [f"d{i}" for i in rng.permutation(8)[: int(rng.integers(1, 8))]]
        judged[query] = {doc: int(rng.integers(-1, 3)) for doc in graded}
    return run, judged


@pytest.mark.parametrize("measure", every(2, [form for form in WRITTEN["ir_measures"] if form not in OF_SUBTOPICS]))
def test_measures_written_with_their_axes_are_those_of_ir_measures(measure: str) -> None:
    """Written with the axes that the refusal names they equal ir_measures' on any ties and negative grades, to the
    decimals that it prints; under their plain names they are refused.
    """
    rng = np.random.default_rng(7)
    name, written = (text.replace("@k", "@3") for text in (measure, WRITTEN["ir_measures"][measure]))
    if not name.startswith("Judged"):
        with pytest.raises(rd.MeasureError, match="Write "):
            rd.evaluate({"q": ["d"]}, {"q": {"d": 1}}, [name], convention="ir_measures")
    close = 5e-6 if name.startswith("ERR") else 1e-12
    for _ in range(60):
        run, judged = tied_world(rng)
        theirs = {
            one.query_id: one.value for one in ir_measures.iter_calc([ir_measures.parse_measure(name)], judged, run)
        }
        frame = rd.evaluate(run, judged, [written])
        assert dict(zip(frame["query_id"], frame["value"], strict=True)) == pytest.approx(theirs, abs=close)
