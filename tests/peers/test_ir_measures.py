"""Parity with ir_measures: what both know has the same value, but for measures that are refused."""

import math
from typing import Any

import pytest

import rankdash as rd
from rankdash.metrics.names import WRITTEN
from tests.long import every
from tests.made import judgments, run
from tests.peers.made_at_random import Qrels, Run, random_case

ir_measures = pytest.importorskip("ir_measures")

PRESET = rd.PRESETS["ir_measures"]
#: Forms of the measures in its registry beside the plain ones, which `_both` finds.
FURTHER = (
    *(f"{name}(rel=2)" for name in ("AP", "RR", "Rprec", "Bpref", "SetP", "SetR")),
    *(f"{name}(rel=2)@{k}" for name in ("AP", "P", "R", "Success") for k in (1, 7)),
    *(f"{name}(judged_only=True)" for name in ("AP", "RR", "Rprec", "nDCG")),
    *(f"{name}(judged_only=True)@5" for name in ("AP", "P", "R", "Success", "nDCG")),
    "nDCG(gains={0:0,1:1,2:3,3:7,4:15})@10",
    "nDCG(cutoff=3)",
    "NumRet(rel=2)",
)
#: Computed there by programs that may not be installed.
ELSEWHERE = ("ERR", "ERR@5", "RBP")
WORLDS = range(24)


def _both() -> dict[str, Any]:
    """The plain measures of its registry that both know, by how they are written, each once."""
    known = {}
    for name in sorted(ir_measures.measures.registry):
        for form in (name, f"{name}@5"):
            try:
                measure = ir_measures.parse_measure(form)
                rd.parse_measure(str(measure), PRESET)
                supported = ir_measures.DefaultPipeline.supports(measure)
            except (ValueError, NameError, AssertionError, TypeError):
                continue
            if supported and str(measure) not in ELSEWHERE:
                known[str(measure)] = measure
    return known


def _differing(measure: Any, lists: Run, grades: Qrels) -> set[str]:
    """The queries of which a measure has another value; one without a value there, or here, is 0 or has none."""
    frame = rd.evaluate(run(lists), judgments(grades), [measure], convention="ir_measures")
    mine = dict(zip(frame["query_id"], frame["value"], strict=True))
    theirs = {one.query_id: one.value for one in ir_measures.iter_calc([measure], grades, lists)}
    assert set(theirs) <= set(mine)
    same = {query for query, value in theirs.items() if math.isclose(mine[query], value, abs_tol=1e-9)}
    return set(theirs) - same


@pytest.mark.parametrize("seed", every(4, WORLDS))
def test_every_measure_that_both_know_has_the_same_value(seed: int) -> None:
    """Over random worlds with ties, grades below 0, unjudged documents and queries in one of them alone."""
    lists, grades = random_case(seed, queries=14 + seed % 5, documents=20 + 3 * (seed % 7))
    measures = _both() | {name: ir_measures.parse_measure(name) for name in FURTHER}
    assert len(measures) > 30
    for name, measure in measures.items():
        if name.replace("@5", "@k").replace("StRecall", "STREC") not in WRITTEN["ir_measures"]:
            assert not _differing(measure, lists, grades), name
