"""A number that stands between two bounds lies between them, whatever the grades are."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
import pytest

import rankdash as rd
from rankdash.case import Case, compared
from rankdash.metrics import parse_measures
from rankdash.scoring.rankings import has_tie_ends, join, scores_at_tie_end
from tests.truth.scale import scaled

EXACT = 1e-12
#: Grades by kind: what a file of judgments may hold.
KINDS: dict[str, Sequence[float]] = {
    "binary": (0, 1),
    "positive only": (1,),
    "stars": (1, 2, 3, 4, 5),
    "high stars": (3, 4, 5),
    "negative": (-2, -1, 0, 1, 2),
    "only negative": (-2, -1),
    "fractional": (0, 0.25, 0.5, 0.75),
    "fractional without 0": (0.3, 0.6, 1.5),
}
#: Conventions beside the presets in which a higher grade is not worth more, or a grade of 0 is relevant.
OTHERS = {
    "table": rd.PRESETS["standard"].with_axes({"gain": {1: 5, 2: 1, 3: 2}}),
    "rel=2": rd.PRESETS["standard"].with_axes({"rel": 2}),
    "rel=0": rd.PRESETS["standard"].with_axes({"rel": 0}),
    "rel=-1": rd.PRESETS["textbook"].with_axes({"rel": -1}),
    "rel=0.5": rd.PRESETS["standard"].with_axes({"rel": 0.5, "no_relevant": "1"}),
}
MEASURES = [
    form.replace("@k", "@4")
    for row in rd.DEFINITIONS.values()
    if row.of_lists is not None and row.bounded and row.higher_is_better and not row.of_subtopics
    for form in row.forms
]


def offered(convention: rd.Convention) -> Iterator[rd.Measure]:
    """The measures that a convention has under their plain names; a tool's refuses those that the tool lacks."""
    for name in MEASURES:
        with suppress(rd.MeasureError):
            yield from parse_measures([name], convention)


def world(kind: str, seed: int) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """Two runs with many equal scores, unjudged documents and holes, against judgments of a kind."""
    rng = np.random.default_rng(seed)
    pool = [f"d{i}" for i in range(9)]
    runs = [
        {
            f"q{q}": {doc: float(rng.integers(0, 4)) for doc in rng.permutation(pool)[: rng.integers(0, 8)]}
            for q in range(8)
        }
        for _ in "AB"
    ]
    grades = {
        f"q{q}": {str(doc): float(rng.choice(KINDS[kind])) for doc in rng.permutation(pool)[: rng.integers(1, 6)]}
        for q in range(8)
    }
    a, b = (
        rd.read_run({q: docs for q, docs in run.items() if docs}, name=x) for run, x in zip(runs, "AB", strict=True)
    )
    return a, b, rd.read_judgments(grades)


def compared_under(kind: str, preset: str, seed: int, primary: str = "nDCG@4") -> rd.Comparison:
    """The comparison of a world of these grades, with one measure and a cutoff of 4."""
    convention = OTHERS.get(preset, preset)
    policy = rd.Policy(primary=primary, convention=convention, cutoff=4, guardrails=(), watch=())
    a, b, judged = world(kind, seed)
    return compared(Case((a, b), judged), policy)


@pytest.mark.parametrize("preset", [*rd.PRESETS, *OTHERS])
@pytest.mark.parametrize("kind", KINDS)
def test_the_difference_lies_within_all_that_is_said_around_it(kind: str, preset: str) -> None:
    """Bounds of labels and of ties and both intervals hold Δ, whatever the grades and the convention are."""
    for seed in range(scaled(2)):
        comparison = compared_under(kind, preset, seed)
        paired = comparison.primary.paired
        around = (comparison.delta_bounds, comparison.tie_bounds, paired.ci95, (paired.lower90, paired.upper90))
        for low, high in (ends for ends in around if ends is not None and None not in ends):
            assert low <= paired.delta <= high
        labels, weights = comparison.explained.bounds, comparison.explained.weights
        if labels is not None and weights.any():
            now = float(np.average(comparison.explained.deltas[weights > 0], weights=weights[weights > 0]))
            assert labels[0] - EXACT <= now <= labels[1] + EXACT


@pytest.mark.parametrize("preset", [*rd.PRESETS, *OTHERS])
@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_ties_leaves_the_bounds_of_ties(kind: str, preset: str) -> None:
    """A value as counted lies between those at both ends of the ties, for each measure that has such ends."""
    convention = OTHERS.get(preset) or rd.PRESETS[preset]
    measures = tuple(filter(has_tie_ends, offered(convention)))
    for seed in range(scaled(2)):
        a, b, judged = world(kind, seed)
        lists = join(a, b, judged)
        best, worst = (scores_at_tie_end(lists, "a", measures, best=end) for end in (True, False))
        now = lists.scores("a", measures)
        assert (np.isnan(now) | ((worst - EXACT <= now) & (now <= best + EXACT))).all()


def test_a_measure_without_a_best_order_has_no_bounds_of_ties() -> None:
    """AP@k over the hits has none, and AP over the hits of the whole list has."""
    assert compared_under("binary", "textbook", 0, "AP@4").tie_bounds is None
    assert compared_under("binary", "textbook", 0, "AP").tie_bounds is not None
