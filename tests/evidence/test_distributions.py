"""The distributions against scipy's, and against exact arithmetic where there is a closed form."""

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from scipy import special

from rankdash.evidence import distributions
from rankdash.evidence.distributions import normal_below, normal_quantile, t_below, t_quantile

SEEDS = range(10)


def degrees(rng: random.Random) -> float:
    """Degrees of freedom as weights and numbers of queries make them: 1 to a million, whole or not."""
    return rng.choice([rng.randint(1, 30), rng.uniform(1, 3), rng.randint(1, 7000), 10 ** rng.uniform(0, 6)])


def t_of(rng: random.Random) -> float:
    """A t, from next to 0 to far out, on either side."""
    return rng.choice([-1, 1]) * rng.choice([abs(rng.gauss(0, 3)), 10 ** rng.uniform(-12, 2)])


def exact_t_below(t: float, df: int) -> Decimal:
    """P(T <= t) for an even df, in 320 digits: Abramowitz and Stegun 26.7.4."""
    with localcontext() as context:
        context.prec = 320
        square = Decimal(t) ** 2
        cosine2 = df / (df + square)
        term = total = Decimal(1)
        for j in range(1, df // 2):
            term *= cosine2 * (2 * j - 1) / (2 * j)
            total += term
        return (1 + Decimal(t) / (df + square).sqrt() * total) / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_t_is_its_closed_form(seed: int) -> None:
    """P(T <= t) with 2, 4, ... 120 degrees of freedom is right to 13 digits, in the far tail too."""
    rng = random.Random(seed)
    for _ in range(100):
        df, t = 2 * rng.randint(1, 60), t_of(rng)
        exact = exact_t_below(t, df)
        assert abs(Decimal(t_below(t, df)) - exact) <= exact * Decimal("1e-13"), (t, df)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_quantile_of_t_is_where_the_closed_form_says(seed: int) -> None:
    """P(T <= quantile) is p, as far as a double of p and 14 digits of t can tell; with an even df."""
    rng = random.Random(seed)
    for _ in range(100):
        df, p = 2 * rng.randint(1, 60), rng.choice([0.95, 0.975, rng.random(), 10 ** rng.uniform(-9, -1)])
        t = t_quantile(p, df)
        lower, upper = sorted(exact_t_below(t * (1 + step), df) - Decimal(p) for step in (-4e-15, 4e-15))
        assert lower - Decimal(math.ulp(p)) <= 0 <= upper + Decimal(math.ulp(p)), (p, df, t)


@pytest.mark.parametrize("seed", SEEDS)
def test_t_is_that_of_scipy(seed: int) -> None:
    """T and its quantile with any number of degrees of freedom agree with scipy's, as far as scipy's are exact."""
    rng = random.Random(seed)
    for _ in range(200):
        df, t, p = degrees(rng), t_of(rng), rng.choice([0.95, 0.975, 0.025, rng.uniform(0.001, 0.4)])
        assert t_below(t, df) == pytest.approx(float(special.stdtr(df, t)), rel=1e-8, abs=1e-300)
        assert t_quantile(p, df) == pytest.approx(float(special.stdtrit(df, p)), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_noncentral_t_is_that_of_scipy(seed: int) -> None:
    """P(T <= t) of the noncentral t agrees with scipy's to 10 digits, on both sides of the test of a difference."""
    rng = random.Random(seed)
    for _ in range(60):
        df, shift = float(rng.choice([1, 2, 3, rng.randint(4, 40), rng.randint(40, 10**6)])), rng.uniform(0.1, 7.0)
        for t in (t_quantile(0.975, df), -t_quantile(0.975, df)):
            assert distributions.noncentral_t_below(t, df, shift) == pytest.approx(
                float(special.nctdtr(df, shift, t)), abs=1e-10
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_normal_is_that_of_scipy(seed: int) -> None:
    """P(Z <= z) and its quantile agree with scipy's; one undoes the other, down to 1e-300."""
    rng = random.Random(seed)
    for _ in range(200):
        z, p = t_of(rng), rng.choice([rng.uniform(0.001, 0.4), 10 ** rng.uniform(-300, -1)])
        assert normal_below(z) == pytest.approx(float(special.ndtr(z)), rel=1e-12, abs=1e-300)
        assert normal_quantile(p) == pytest.approx(float(special.ndtri(p)), rel=1e-12)
        assert normal_below(normal_quantile(p)) == pytest.approx(p, rel=1e-11)
    assert [normal_quantile(p) for p in (0.0, 0.5, 1.0)] == [-math.inf, 0.0, math.inf]


@pytest.mark.parametrize("n", [*range(1, 20), 127, 128, 129, 130, 999, 1000, 4001, 20000])
def test_coins_are_counted(n: int) -> None:
    """P(X <= k) is the number of the throws with at most k heads, out of all 2^n, from the tail to the middle."""
    near = {round(n / 2 + deviations * math.sqrt(n) / 2) for deviations in (-25, -8, -3, -1, -0.1, 0, 0.1, 1, 3)}
    counted, ways, exact = 0, 1, {}
    for heads in range(n + 1):
        counted += ways
        exact[heads] = counted
        ways = ways * (n - heads) // (heads + 1)
    for k in near & exact.keys():
        assert distributions.coin_at_most(k, n) == pytest.approx(
            float(Fraction(exact[k], 2**n)), rel=1e-11, abs=1e-300
        ), (k, n)
