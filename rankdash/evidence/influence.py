"""What a mean difference rests on: a few queries, or the weights of one segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.paired import DECIMALS, MEAN_DECIMALS

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


def reweighted_segment(
    delta: npt.ArrayLike, weights: npt.ArrayLike, segments: Mapping[str, npt.NDArray[np.object_]]
) -> tuple[str, str] | None:
    """The segment, (column, value), that most of the weighted less the unweighted mean difference comes from.

    A query moves the mean by its gain of weight times how far its difference lies from the plain mean. ``delta``,
    ``weights`` and every column are (n,); NaN is left out, and "" is no value. None where both means are the same, or
    no segment has more than half of what moved.
    """
    values, weight = np.asarray(delta, np.float64), np.asarray(weights, np.float64)
    counted = np.isfinite(values)
    if not weight[counted].sum() > 0:
        return None
    gained = weight / weight[counted].sum() - 1.0 / counted.sum()
    moved = np.where(counted, gained * (values - values[counted].mean()), 0.0)
    total = float(moved.sum())
    if not round(total, DECIMALS):
        return None
    parts = {
        (column, str(value)): float(moved[of == value].sum()) / total
        for column, of in segments.items()
        for value in dict.fromkeys(of.tolist())
        if value
    }
    most = max(parts, key=lambda part: parts[part], default=None)
    return most if most is not None and parts[most] > 0.5 else None


def _mean(values: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]) -> float | None:
    return round(float(np.average(values, weights=weight)), MEAN_DECIMALS) if weight.sum() > 0 else None
