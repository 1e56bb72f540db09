"""A measure is the same only if every axis is: names, roles and values of a comparison, over random policies."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankdash as rd
from rankdash.case import Case, compared
from rankdash.metrics import parse_measures
from rankdash.verdict import decide
from tests.long import every

NAMES = ("nDCG@3", "AP", "RR", "P@3", "AP@3", "Bpref", "ERR(max_grade=4)@3", "nDCG(gain='exp2')@3")
HIDDEN = ("missing_query='skip'", "ties='docid_asc'", "no_relevant='1'", "negative='clip'", "score_type='float32'")


def inputs(rng: np.random.Generator) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """Two runs with ties that lack some judged queries, and judgments from -1 to 3."""
    pool = [f"d{i}" for i in range(8)]

    def lists() -> dict[str, dict[str, float]]:
        return {
            f"q{q}": {str(doc): float(rng.integers(0, 5)) for doc in rng.permutation(pool)[:6]}
            for q in range(12)
            if rng.random() < 0.8
        }

    grades = {f"q{q}": {doc: int(rng.integers(-1, 4)) for doc in pool if rng.random() < 0.7} for q in range(12)}
    judged = rd.read_judgments({q: docs for q, docs in grades.items() if docs})
    return rd.read_run(lists(), name="A"), rd.read_run(lists(), name="B"), judged


def asked(rng: np.random.Generator) -> Any:
    """A measure as somebody may ask for it: a name, with a hidden axis or a tool, or an object of any convention."""
    name, tool = str(rng.choice(NAMES)), str(rng.choice(list(rd.PRESETS)))
    inside = name.replace("(", f"({rng.choice(HIDDEN)},") if "(" in name else ""
    spelled = (
        inside or name.replace("@", f"({rng.choice(HIDDEN)})@") if "@" in name else f"{name}({rng.choice(HIDDEN)})"
    )
    forms = (name, spelled, f"{tool}:{name}", rd.parse_measure(name, rd.PRESETS[tool]), "overlap@3")
    return forms[rng.integers(len(forms))]


@pytest.mark.parametrize("seed", every(3, range(30)))
def test_no_name_means_two_measures_and_no_role_falls_to_another(seed: int) -> None:
    """Comparing equals scoring and comparing the scores; each printed name stands once, and has the values that it
    means; roles belong to the policy's own measures.
    """
    rng = np.random.default_rng(seed)
    primary, guardrail = rng.choice(NAMES[:-1], 2, replace=False)
    policy = rd.Policy(
        primary=str(primary),
        guardrails=((str(guardrail), 0.01),),
        watch=(),
        convention=str(rng.choice(list(rd.PRESETS))),
        missing=str(rng.choice(["unknown", "empty", "skip"])),
    )
    a, b, judged = inputs(rng)
    measures = [asked(rng) for _ in range(4)] + ["AP"]
    whole = compared(Case((a, b), judged), policy, measures=measures)
    apart = rd.compare_scored(rd.score(a, b, judged, policy=policy, measures=measures), policy)
    pd.testing.assert_frame_equal(apart.summary, whole.summary)
    assert decide(apart) == decide(whole)
    for names in (whole.measure_names, [result.label for result in whole.results]):
        assert len(set(names)) == len(names)
    assert [result.role for result in whole.results[:2]] == ["primary", "guardrail"]
    assert {result.role for result in whole.results[2:]} <= {"information"}
    meant = parse_measures(whole.measure_names, whole.convention)
    for side, run in (("a", a), ("b", b)):
        frame = rd.evaluate(run, judged, whole.measure_names, convention=whole.convention)
        alone = frame.set_index(["measure", "query_id"])["value"]
        scores = whole.per_query.set_index(["measure", "query_id"])[side]
        both = alone.index.intersection(scores.index)
        assert len(both)
        assert scores[both].tolist() == pytest.approx(alone[both].tolist(), abs=1e-12, nan_ok=True)
    assert [measure.meaning for measure in meant] == [measure.meaning for measure in whole.measures]


def test_a_measure_of_another_convention_never_has_the_role_of_a_measure_of_the_policy() -> None:
    """Asked for by name it is the policy's own; as an object of another convention it is another, and so named."""
    policy = rd.Policy(
        primary="nDCG@3", convention="trec_eval-9", missing="empty", guardrails=(("AP", 0.01),), watch=()
    )
    a, b, judged = inputs(np.random.default_rng(5))
    table = rd.score(a, b, judged, policy=policy, measures=["AP", "nDCG@3"])
    assert rd.compare_scored(table, policy).measure_names == ["nDCG@3", "AP"]
    other = rd.compare(a, b, judged, policy=policy, measures=[rd.parse_measure("AP", rd.PRESETS["lightgbm"])])
    assert [result.role for result in other.results] == ["primary", "guardrail", "information"]
    assert len({*other.measure_names}) == 3
