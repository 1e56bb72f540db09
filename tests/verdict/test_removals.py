"""One query removed after the other, without a look at every query each time."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from rankdash.verdict.remaining import Series
from rankdash.verdict.removals import Path, least_moved, moved
from tests.long import every

Floats = Any
#: Standard errors of a bound, and whether it goes up: the mean, both sides, and more than any level of t.
BOUNDS = [(c, up) for c in (0.0, 1.96, -1.65, -2.1, 12.7, -40.0) for up in (True, False)]


def looked_at_each(delta: Floats, weights: Floats, c: float, up: bool, most: int) -> list[tuple[int, ...]]:
    """The slow twin: every query is tried at every step, and the first of the best is removed."""
    defined = ~np.isnan(delta)
    d = np.where(defined, delta, 0.0)
    w = defined.astype(float) if weights is None or not weights[defined].sum() > 0 else np.where(defined, weights, 0.0)
    terms = np.stack((defined, w, w * d, w**2, w**2 * d, (w * d) ** 2), axis=-1)
    sums = np.array([column.sum() for column in terms.T.copy()])

    def without(sets: Any, gone: tuple[int, ...] = ()) -> Floats:
        left = sums - terms[list(gone)].sum(axis=0)
        values = moved(list((left - terms[sets].sum(axis=1)).T), c, up)
        return np.where(defined[sets].all(axis=1), values, np.nan)

    everyone = np.arange(len(delta))[:, None]
    alone = without(everyone)
    among = [i for i in np.argsort(alone, kind="stable").tolist() if defined[i]][:12]
    found: list[tuple[int, ...]] = []
    for k in range(1, min(3, most, len(among)) + 1):
        subsets = np.array(list(combinations(among, k)))
        found.append(tuple(subsets[int(np.argmin(without(subsets)))].tolist()))
    while found and len(found) == len(found[-1]) < min(most, int(defined.sum())) and len(found) >= 3:
        values = without(everyone, found[-1])
        rest = [i for i in np.flatnonzero(defined).tolist() if i not in found[-1]]
        found.append((*found[-1], min(rest, key=values.__getitem__)))
    return found


def deltas(random: np.random.Generator, n: int) -> Floats:
    """Differences of many kinds: few values or all apart, nearly equal ones, one far out, some not defined."""
    made = {
        "signs": lambda: random.choice([-1.0, 0.0, 1.0], n, p=[0.2, 0.5, 0.3]),
        "steps": lambda: np.round(random.normal(0.01, 0.1, n), 1) + 0.0,
        "apart": lambda: np.round(random.normal(0.02, 0.1, n), 12),
        "near": lambda: np.round(0.3 + random.integers(-3, 4, n) * 1e-12, 12),
        "close": lambda: np.round(0.1 + random.normal(0, 1e-9, n), 12),
        "far": lambda: np.append(random.choice([0.0, 1e-6], n - 1), random.choice([-1.0, 1.0])),
        "same": lambda: np.full(n, 0.25),
        "skewed": lambda: np.round(random.exponential(0.05, n) - 0.05, 6),
    }
    delta = made[str(random.choice(list(made)))]()
    if random.random() < 0.3:
        delta[random.random(n) < random.choice([0.1, 0.9])] = np.nan
    return delta


def weights(random: np.random.Generator, n: int) -> Floats:
    """None, whole numbers, any, far apart ones, or nothing but noughts."""
    made = [
        lambda: None,
        lambda: random.integers(0, 4, n).astype(float),
        lambda: random.uniform(0.1, 3.0, n),
        lambda: 10.0 ** random.integers(-9, 10, n),
        lambda: np.zeros(n),
        lambda: np.append(np.full(n - 1, 1e-12), 1.0),
    ]
    return made[int(random.integers(len(made)))]() if random.random() < 0.6 else None


@pytest.mark.parametrize("seed", every(6, range(300)))
def test_removals_are_those_that_a_look_at_every_query_chooses(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last query, with ties of any number, weights far apart and sums that cancel; the first of equal ones."""
    monkeypatch.setattr("rankdash.verdict.kinds.BLOCK", (1, 3, 20, 8192)[seed % 4])
    random = np.random.default_rng(seed)
    n = int(random.integers(4, 20) if seed % 3 else random.integers(200, 900))
    delta, weight = deltas(random, n), weights(random, n)
    c, up = BOUNDS[seed % len(BOUNDS)]
    most = int(random.integers(1, 40))
    found = list(Path(Series.of(delta, weight), c, up).orders(most))
    assert found == looked_at_each(delta, weight, c, up, most)


@pytest.mark.parametrize("seed", every(4, range(40)))
def test_no_query_of_a_block_lies_below_its_bound(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of a block holds for the numbers that are computed, whatever rounding and cancelling do to them."""
    monkeypatch.setattr("rankdash.verdict.kinds.BLOCK", (1, 4, 30)[seed % 3])
    random = np.random.default_rng(seed)
    n = 300
    delta, weight = deltas(random, n), weights(random, n)
    series = Series.of(delta, weight)
    gone = np.flatnonzero(~np.isnan(delta))[: int(random.integers(0, 20))]
    left = (series.sums - series.added(gone).sum(axis=1))[:6]
    for c, up in BOUNDS:
        least, values = least_moved(left[:, None], series.kinds, c, up), without_one(series, left, c, up)
        for bound, of_block in zip(least, values, strict=True):
            assert (of_block >= bound).all()


def without_one(series: Series, left: Floats, c: float, up: bool) -> list[Floats]:
    """The bound with these sums, (6,), less one query of each kind, block by block."""
    blocks = [series.kinds.block(place) for place in range(len(series.kinds))]
    added = [series.added(block.rows[block.starts[:-1]])[:6] for block in blocks]
    return [moved([one - lost for one, lost in zip(left, each, strict=True)], c, up) for each in added]


@pytest.mark.parametrize("seed", every(4, range(60)))
def test_every_query_is_in_one_block(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kind after kind, those of a kind as they stand; what a block is said to add at least and most holds."""
    monkeypatch.setattr("rankdash.verdict.kinds.BLOCK", (1, 4, 30)[seed % 3])
    random = np.random.default_rng(seed)
    delta = deltas(random, 300)
    series = Series.of(delta, weights(random, 300))
    kinds, seen = series.kinds, list[int]()
    for place in range(len(kinds)):
        block = kinds.block(place)
        seen += block.rows.tolist()
        of_kinds = [block.rows[start:end] for start, end in zip(block.starts, block.starts[1:], strict=False)]
        assert len(of_kinds) == block.added.shape[1] <= (1, 4, 30)[seed % 3]
        for kind, rows in enumerate(of_kinds):
            assert (np.diff(rows) > 0).all()
            assert (series.added(rows)[1:6] == block.added[:, kind, None]).all()
            assert (block.added[:, kind] >= kinds.least[:, place]).all()
            assert (block.added[:, kind] <= kinds.most[:, place]).all()
    assert sorted(seen) == np.flatnonzero(~np.isnan(delta)).tolist()


@pytest.mark.parametrize("seed", every(4, range(40)))
def test_without_weights_each_query_weighs_one(seed: int) -> None:
    """The sums that are counted in a shorter way are those of weights that are all 1, to the last bit."""
    random = np.random.default_rng(seed)
    delta = deltas(random, int(random.integers(1, 3000)))
    short, long = Series.of(delta, None), Series.of(delta, np.ones(len(delta)))
    assert short.sums.tobytes() == long.sums.tobytes()
    rows = random.integers(0, len(delta), (3, 5))
    assert short.added(rows).tobytes() == long.added(rows).tobytes()


def test_few_blocks_are_looked_into() -> None:
    """Among many queries one block or two have the next one, weighted or not: a step costs what their number is."""
    random = np.random.default_rng(1)
    for weight in (None, random.uniform(0.5, 2.0, 200_000)):
        series = Series.of(np.round(random.normal(0.01, 0.1, 200_000), 12), weight)
        assert len(series.kinds) > 20
        for c, up in ((1.96, True), (-1.96, True), (-1.96, False), (0.0, True)):
            least = least_moved(series.sums[:6, None], series.kinds, c, up)
            best = min(one.min() for one in without_one(series, series.sums[:6], c, up))
            assert (least <= best).sum() <= 2
