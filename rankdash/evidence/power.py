"""How many queries or votes a difference needs. Always before a result or from its spread, never "observed power"."""

from __future__ import annotations

import math
from functools import cache

from rankdash.evidence.distributions import noncentral_t_below, normal_quantile, t_quantile

#: From here on the normal approximation of n is off by less than one part in 10^5.
_LARGE = 10**6
#: The t-test needs about z.975^2 / 2 pairs more than the normal approximation: the search begins there.
_MORE_BY_T = 1.92
#: From this noncentrality on every n >= 2 has 80% power (even 2 pairs have 98%).
_CERTAIN = 30.0
#: From here on the tail on the other side is below 1.3e-12: nothing is lost without it.
_ONE_TAIL = 7.0


def mde80(se: float) -> float:
    """Return the smallest true difference that a two-sided 5% test finds with 80% power: 2.802 standard errors, >= 0.

    "This set resolves about ±x." Normal approximation, unit of ``se``.
    """
    return _z80() * se


def required_n(sd: float, target: float) -> int:
    """Return the smallest n whose two-sided 5% paired t-test has 80% power for a mean difference ``target`` (> 0).

    Exact by the noncentral t, both tails. ``sd`` is the standard deviation of the differences (> 0).

    >>> required_n(0.10, 0.01)
    787
    """
    if not (sd > 0 and target > 0):
        raise ValueError(f"sd={sd!r} and target={target!r} must be positive.")
    guess = (_z80() * sd / target) ** 2
    if guess > _LARGE:
        return math.ceil(guess)
    n = max(2, math.ceil(guess + _MORE_BY_T))
    while not _enough(n, sd, target):
        n += 1
    while n > 2 and _enough(n - 1, sd, target):
        n -= 1
    return n


def required_votes(decided_share: float, target: float) -> int:
    """Return how many queries with votes find a ΔGSB of ``target`` (in (0, 1]) with 80% power at the two-sided 5%
    level.

    ``decided_share`` is the share of votes that are not "same", taken as at least .05. First-order form:
    n = (z.975 + z.80)^2 (p_d - target^2) / target^2.

    >>> required_votes(0.2, 0.05)
    621
    """
    if not 0 < target <= 1:
        raise ValueError(f"target={target!r} is not a share in (0, 1].")
    decided = max(decided_share, 0.05)
    return max(1, math.ceil(_z80() ** 2 * (decided - target**2) / target**2))


def required_votes_by_error(n: int, se: float, target: float) -> int:
    """Return how many queries with votes find a ΔGSB of ``target`` (> 0) with 80% power, where ``n`` of them give it
    the standard error ``se``: that falls with the root of their number.

    >>> required_votes_by_error(400, 0.03, 0.02)
    7064
    """
    if not target > 0:
        raise ValueError(f"target={target!r} must be positive.")
    return max(1, math.ceil(n * (_z80() * se / target) ** 2))


def _enough(n: int, sd: float, target: float) -> bool:
    """Return whether the two-sided 5% t-test with n pairs has 80% power, both tails together. It rises with n."""
    shift = target * math.sqrt(n) / sd
    if shift > _CERTAIN:
        return True
    critical = t_quantile(0.975, n - 1)
    other = noncentral_t_below(-critical, n - 1, shift) if shift < _ONE_TAIL else 0.0
    return 1.0 - noncentral_t_below(critical, n - 1, shift) + other >= 0.8


@cache
def _z80() -> float:
    return normal_quantile(0.975) + normal_quantile(0.8)
