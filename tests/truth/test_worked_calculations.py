"""The worked calculation against the number that every comparison shows, over random lists, grades and conventions."""

import math

import numpy as np
import pytest

import rankdash as rd
from rankdash.metrics import DEFINITIONS
from tests.long import every
from tests.truth.scale import sampled
from tests.truth.small import small_world, some_convention

K = (1, 2, 3, 5, 10)
BLOCKS = 10


def names(rng: np.random.Generator) -> list[str]:
    """Every measure that scores a list, cut somewhere where it takes a cutoff."""
    found = []
    for name, row in DEFINITIONS.items():
        if row.of_lists is not None and not row.of_subtopics:
            cut = row.cutoff == "required" or (row.cutoff == "optional" and rng.random() < 0.7)
            found.append(f"{name}@{rng.choice(K)}" if cut else name)
    return found


def calculated(worked: rd.Explanation) -> float | None:
    """The sum, or the quotient of the sums; None where it divides by 0 and the convention says the value."""
    if worked.below is None:
        return worked.above
    return worked.above / worked.below if worked.below else None


@pytest.mark.parametrize("seed", every(4, range(BLOCKS)))
def test_the_quotient_is_the_value(seed: int) -> None:
    """explain() ends in the value of evaluate(), and its sum, or the quotient of its sums, is that value to the last
    digit: conflicting grades, repeated documents, ties, negative grades, condensed lists and missing queries included.
    """
    rng = np.random.default_rng(seed)
    for _ in range(sampled(1)):
        world = small_world(rng, queries=3, documents=12, longest=14)
        convention, measures = some_convention(rng), names(rng)
        run, judgments = world.run("a"), world.judgments()
        frame = rd.evaluate(run, judgments, measures, convention=convention)
        scored = {(q, m): v for q, m, v in zip(frame["query_id"], frame["measure"], frame["value"], strict=True)}
        for query in dict.fromkeys(query for query, _, _ in world.judged):
            for name in measures:
                worked = rd.explain(run, judgments, name, query, convention=convention)
                value = scored.get((query, worked.measure.name), math.nan)
                assert worked.value == (None if math.isnan(value) else value), (name, query, convention)
                if worked.measure.definition.worked is None:  # no sum is written down, the value stands for itself
                    assert worked.above == (worked.value or 0.0)
                    continue
                assert worked.ranks == () or worked.measure.key == "IDCG" or worked.above == worked.ranks[-1].running
                quotient = calculated(worked)
                if worked.value is None:
                    continue
                if quotient is None or not worked.ranks:
                    assert worked.value in (0.0, 1.0 * (convention.no_relevant == "1")), (name, query, convention)
                elif worked.measure.key == "nDCG" or worked.below is None or worked.relevant:
                    assert worked.value == quotient, (name, query, convention)


def test_grades_too_large_for_a_power_of_two_have_an_err() -> None:
    """ERR is a number however large the largest grade is: a document with it stops every user."""
    run = rd.read_run({"q": {"d": 2.0, "e": 1.0}})
    judgments = rd.read_judgments({"q": {"d": 2000.0, "e": 2000.0}})
    worked = rd.explain(run, judgments, "ERR", "q")
    assert rd.evaluate(run, judgments, ["ERR"])["value"][0] == worked.value == worked.above == 1.0
