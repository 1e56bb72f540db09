"""What changes nothing about a verdict, and what turns it around: random comparisons with groups, weights and votes."""

import random
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.verdict import evidence_of
from tests.long import every
from tests.truth.scale import sampled
from tests.truth.small import Small, near_limits

SEEDS = range(sampled(48))
#: Sums in another order differ in their sixteenth digit, and a t interval by a little more.
EXACT = 1e-9


def made(seed: int) -> tuple[Small, rd.Policy]:
    """A world and a policy near the limits of the rules."""
    world, said, convention = near_limits(seed)
    return world, rd.Policy.from_dict(said).changed(convention=convention)


def said(comparison: rd.Comparison) -> dict[str, Any]:
    """Outcome, rule and every sentence; which queries a fragile verdict hangs on may be others as good."""
    verdict = rd.decide(comparison, looks=2, candidates=3)
    lost = verdict.fragility
    return {
        "verdict": (verdict.outcome, verdict.rule, verdict.tag, verdict.sentence, verdict.next_step),
        "beside": (verdict.would_change, verdict.notes, verdict.version),
        "checks": [(check.rule, check.status, check.sentence) for check in verdict.checks],
        "caveats": [(one.id, one.turns_to, one.id == "fragile" or one.sentence) for one in verdict.caveats],
        "fragility": lost and (lost.n, lost.turns_to, lost.searched),
    }


def renamed(world: Small) -> Small:
    """Queries, documents and raters by other names, which sort as the old ones do."""
    return world.renamed("é ", "new ", "x ")


def permuted(world: Small) -> Small:
    """Every table with its queries in another order: those of A and of B in one, for where they are one file they stay
    one; the rows of a query stay in theirs, for its first grade and a rater's last vote count.
    """
    order = random.Random(1).sample(sorted(world.segments), len(world.segments))

    def shuffled(of: dict[str, Any]) -> dict[str, Any]:
        return {name: of[name] for name in order if name in of}

    return replace(
        world,
        lists={side: shuffled(lists) for side, lists in world.lists.items()},
        judged=tuple(sorted(world.judged, key=lambda row: order.index(row[0]))),
        segments=shuffled(world.segments),
        vote_rows=tuple(sorted(world.vote_rows, key=lambda row: row[0][::-1])),
    )


@pytest.mark.parametrize("seed", every(4, SEEDS))
@pytest.mark.parametrize("change", [renamed, permuted])
def test_names_and_the_order_of_rows_change_nothing(change: Callable[[Small], Small], seed: int) -> None:
    """Under other names, or from rows in another order, the verdict says the same, word for word."""
    world, policy = made(seed)
    assert said(change(world).compared(policy)) == said(world.compared(policy))


#: Numbers that turn their sign when A and B change places, those that change places with another one, and those that
#: say something of one direction only.
TURNED = {name: name for name in ("delta", "delta_all", "delta_unweighted", "t", "effect_size")}
TURNED |= {"lower95": "upper95", "lower90": "upper90"}
SWAPPED = {"wins": "losses", "mean_a": "mean_b", "good": "bad"}
ONE_WAY = {"p_harm", "p_flip", "left"}


def mirrored(one: Any, other: Any) -> None:
    """Every number of a record is that of the other seen from the other side."""
    for name in (field.name for field in fields(one)):
        value = getattr(one, name)
        if name in TURNED and hasattr(other, TURNED[name]):
            assert near(value, opposite(getattr(other, TURNED[name]))), name
        elif name in SWAPPED and hasattr(other, SWAPPED[name]):
            assert near(value, getattr(other, SWAPPED[name])), name
        elif name not in {*ONE_WAY, *TURNED, *TURNED.values(), *SWAPPED.values(), *SIDED}:
            assert near(value, getattr(other, name)), name


#: Of votes: what stands on the left does so whoever it is, and the interval by rater turns as the other does.
SIDED = {"rater_lower95", "rater_upper95"}


def opposite(value: float | None) -> float | None:
    """The number with the other sign."""
    return None if value is None else -value


def near(one: Any, other: Any) -> bool:
    """Whether two values are the same, but for the last digits of sums."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= EXACT * max(1.0, abs(one))
    return bool(one == other)


@pytest.mark.parametrize("seed", every(4, SEEDS))
def test_a_and_b_are_names(seed: int) -> None:
    """Exchanged, every difference and interval turns around, who is ahead too, and no two models both beat the other;
    exchanged twice nothing has changed.
    """
    world, policy = made(seed)
    there, here = world.compared(policy, ("DCG@3", "P@5")), world.exchanged().compared(policy, ("DCG@3", "P@5"))
    np.testing.assert_array_equal(there.deltas, -here.deltas)
    assert (there.delta_bounds is None) == (here.delta_bounds is None)
    if there.delta_bounds is not None and here.delta_bounds is not None:
        assert there.delta_bounds == pytest.approx([-end for end in here.delta_bounds[::-1]], abs=EXACT)
    one, other = evidence_of(there), evidence_of(here)
    mirrored(one.plain.primary, other.plain.primary)
    for kind in ("guardrails", "watch", "segments"):
        for row, mirror in zip(getattr(one.plain, kind), getattr(other.plain, kind), strict=True):
            mirrored(row, mirror)
    if one.plain.severe is not None and other.plain.severe is not None:
        mirrored(one.plain.severe, other.plain.severe)
    if one.votes is not None and other.votes is not None:
        mirrored(one.votes, other.votes)
        assert near(one.votes.rater_lower95, opposite(other.votes.rater_upper95))
    verdicts = rd.decide(there), rd.decide(here)
    assert policy.intent == "do_no_harm" or not all(one.launch for one in verdicts)
    assert said(world.exchanged().exchanged().compared(policy)) == said(world.compared(policy))
