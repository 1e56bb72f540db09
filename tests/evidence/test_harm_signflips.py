"""Sign flips of few changed queries."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rankdash.evidence.harm_signflips import p_flip, p_flip_of_constant
from rankdash.evidence.paired import paired


def slow(moved: list[float]) -> float:
    """The share of sign patterns whose sum is at most the sum seen, pattern by pattern."""
    changed = [value for value in moved if value]
    sums = [sum(sign * value for sign, value in zip(signs, changed, strict=True)) for signs in patterns(len(changed))]
    return sum(total <= sum(changed) + 1e-12 for total in sums) / len(sums)


def patterns(m: int) -> list[tuple[int, ...]]:
    """Every pattern of m signs."""
    return list(product((1, -1), repeat=m))


@pytest.mark.parametrize("seed", range(40))
def test_sign_flips_agree_with_every_pattern_counted(seed: int) -> None:
    """The two sorted halves count what a plain enumeration counts, ties between sums included."""
    random = np.random.default_rng(seed)
    moved = np.round(random.normal(-0.02, 0.1, int(random.integers(1, 11))), 1 + seed % 3).tolist()
    if any(moved):
        assert p_flip(moved) == pytest.approx(slow(moved), abs=1e-12)


def test_nothing_and_too_much_have_no_sign_flips() -> None:
    """Without a changed query, and with more than 20, there is no such p; with 20 there is."""
    assert p_flip([]) is None
    assert p_flip([0.0, 0.0]) is None
    assert p_flip([-0.1] * 21) is None
    assert p_flip([-0.1] * 20) == 2.0**-20


def test_a_constant_is_decided_whatever_its_number() -> None:
    """The same loss on m queries has p 2^-m, the same gain 1, also beyond 20 queries."""
    assert p_flip_of_constant(-0.1, 7) == p_flip([-0.1] * 7)
    loss, gain = paired([0.5] * 400, [0.49] * 400), paired([0.5] * 400, [0.52] * 400)
    assert (loss.p_flip, gain.p_flip) == (2.0**-400, 1.0)
    assert paired([0.5], [0.3]).p_flip == 0.5
    assert paired([0.5, 0.4], [0.5, 0.4]).p_flip is None


def test_weights_weigh_the_flips() -> None:
    """With weights the differences are flipped as they count in the mean."""
    a, b, weights = [0.5, 0.5, 0.5], [0.4, 0.6, 0.6], [10.0, 1.0, 1.0]
    assert paired(a, b).p_flip == slow([-0.1, 0.1, 0.1])
    assert paired(a, b, weights=weights).p_flip == slow([-10.0, 1.0, 1.0])
