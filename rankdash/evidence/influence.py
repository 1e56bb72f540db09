"""How much of a mean difference rests on a few queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.paired import DECIMALS

FEW = 5


@dataclass(frozen=True)
class WithoutFew:
    """The queries that favour the leader most, the strongest first, and the mean difference without them."""

    rows: tuple[int, ...]
    delta: float | None
    turns: bool  # whether the sign of the mean difference turns, or it falls to 0


def without_few(delta: npt.ArrayLike, weights: npt.ArrayLike | None = None, few: int = FEW) -> WithoutFew:
    """The mean difference of (n,) without the ``few`` queries that favour the leader most; NaN is left out.

    With weights a query favours by weight times difference. Where the mean is 0 nobody leads, and nothing turns.
    """
    values = np.asarray(delta, np.float64)
    weight = np.ones(len(values)) if weights is None else np.asarray(weights, np.float64)
    kept = np.flatnonzero(np.isfinite(values))
    mean = _mean(values[kept], weight[kept])
    if not mean:
        return WithoutFew((), mean, False)
    favour = np.sign(mean) * np.round(values[kept] * weight[kept], DECIMALS)
    strongest = kept[np.argsort(-favour, kind="stable")][:few]
    strongest = strongest[np.sign(mean) * values[strongest] > 0]
    rest = np.setdiff1d(kept, strongest)
    left = _mean(values[rest], weight[rest])
    return WithoutFew(tuple(strongest.tolist()), left, left is not None and np.sign(mean) * round(left, DECIMALS) <= 0)


def _mean(values: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]) -> float | None:
    return float(np.average(values, weights=weight)) if weight.sum() > 0 else None
