"""Grades below 1, and thresholds above all grades: each measure is spoken of by its own rule."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rankdash as rd
from rankdash.report.notes import FACTS
from rankdash.verdict import decide
from tests.made import compared_anyway

DOCS = [f"d{i}" for i in range(5)]
KINDS = {
    "fractions": (0, 0.25, 0.8),
    "all below 1, none 0": (0.2, 0.6),
    "one query has 1": (0, 0.5),
    "whole": (0, 1, 2),
    "nothing": (0,),
    "below 0": (-1, 0),
}
CONVENTIONS = {
    "standard": rd.PRESETS["standard"],
    "count 1": rd.PRESETS["standard"].with_axes({"no_relevant": "1"}),
    "left out": rd.PRESETS["standard"].with_axes({"no_relevant": "skip"}),
    "rel=2": rd.PRESETS["standard"].with_axes({"rel": 2}),
    "rel=0.5": rd.PRESETS["standard"].with_axes({"rel": 0.5}),
    "table": rd.PRESETS["standard"].with_axes({"gain": {0.8: 3, 2: 1}}),
}
PRIMARIES = ("nDCG@3", "AP", "P@3", "ERR@3", "AP(rel=0.2)", "nDCG(gain={0.25:1})@3")


def grades(kind: str) -> dict[str, dict[str, float]]:
    """40 queries of a kind; A and B show all documents, so that only the grades decide."""
    rng = np.random.default_rng(3)
    made = {f"q{q}": {doc: float(rng.choice(KINDS[kind])) for doc in DOCS} for q in range(40)}
    if kind == "one query has 1":
        made["q0"][DOCS[0]] = 1.0
    return made


def best(judged: dict[str, float], measure: str, convention: rd.Convention) -> bool:
    """Whether some order of the documents has a value above 0: tried with all of them relevant ones first."""
    if "(rel=" in measure:
        return max(judged.values()) >= 0.2
    if "gain=" in measure:
        return 0.25 in judged.values()
    if measure in ("AP", "P@3"):
        return max(judged.values()) >= convention.rel
    table = {0.8: 3, 2: 1} if convention == CONVENTIONS["table"] and measure.startswith("nDCG") else None
    return any(grade in table if table else grade > 0 for grade in judged.values())


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_mute_exactly_where_the_primary_cannot_rise_above_0(kind: str, convention: str) -> None:
    """Rule C2 fails exactly where no query lets the primary measure be above 0, or all grades are one; what is said of
    queries without a relevant document names the measures that lose them, with their number and what they count.
    """
    made, rules = grades(kind), CONVENTIONS[convention]
    a, b = (dict.fromkeys(made, DOCS[::step]) for step in (1, -1))
    for primary in PRIMARIES:
        policy = rd.Policy(primary=primary, convention=rules, guardrails=(("R@3", 0.01),), watch=())
        comparison = compared_anyway(
            rd.read_run(a, name="A"), rd.read_run(b, name="B"), rd.read_judgments(made), policy=policy
        )
        rising = sum(best(judged, primary, rules) for judged in made.values())
        failed = next(check for check in decide(comparison).checks if check.rule == "C2").status
        if comparison.primary.paired.n == 0:  # C1: queries that cannot score are left out
            assert rising == 0
            continue
        assert (failed == "failed") == (rising == 0 or len(KINDS[kind]) == 1), primary
        fact = FACTS["without_relevant"]
        n = fact.number(comparison)
        said = fact.says(comparison, n) if n else ""
        lost = sum(not best(judged, "AP", rules) for judged in made.values())
        own = {name: sum(not best(judged, name, rules) for judged in made.values()) for name in (primary, "AP")}
        assert bool(re.search(rf"(?<!\d){lost} of 40", said)) == bool(lost)
        if lost and own[primary] != lost:
            name = re.escape(comparison.results[1].label)
            assert re.search(rf"{lost} of 40 judged queries ha(s|ve) no relevant document; [^.]* in {name}", said)
