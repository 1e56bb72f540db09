"""The segment whose weights a weighted mean difference rests on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rankdash.evidence.paired import DECIMALS


def reweighted_segment(
    delta: npt.ArrayLike, weights: npt.ArrayLike, segments: Mapping[str, npt.NDArray[np.object_]]
) -> tuple[str, str] | None:
    """Return the segment, (column, value), that explains most of the weighted minus the unweighted mean difference.

    A query contributes the change of its weight times the distance of its difference from the plain mean. ``delta``,
    ``weights`` and every column are (n,); NaN is left out, and "" is not a value. None where both means are equal, or
    no segment explains more than half.
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
