"""Per-query values of A and B -> what they prove, under a policy: one vector per measure, for every rule and card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankdash.evidence.multiple import bh, holm
from rankdash.evidence.paired import Paired, deltas, paired
from rankdash.metrics import Measure
from rankdash.policy import Policy

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Result:
    """One measure of a comparison: its role, the two means, and what the paired differences say."""

    measure: str
    role: str  # primary, guardrail, watch or information
    margin: float | None
    paired: Paired
    holm_p: float | None


@dataclass(frozen=True)
class SegmentResult:
    """The primary measure on the queries of one segment.

    ``judged``: named by the policy and large enough for its rules; other segments are exploration and stop nothing.
    ``adjusted_p`` is Holm's (of harm) among the judged ones, Benjamini and Hochberg's among the others.
    """

    column: str
    value: str
    paired: Paired
    named: bool
    judged: bool
    adjusted_p: float | None


@dataclass(frozen=True)
class Weighed:
    """What the measures say under one reading of the data, the policy's measures first."""

    results: tuple[Result, ...]
    segments: tuple[SegmentResult, ...]
    severe_wins: int  # queries whose primary measure rises by at least the policy's ``severe``
    severe_losses: int


@dataclass(frozen=True)
class Sample:
    """The queries that count, and their weights. Only here is it decided. Axis q; weights None: all equal.

    A query of weight 0 does not count, nor one that the policy leaves out; a query without a value does not count for
    that measure. Means, tests, segments, severe changes, parts and bounds are all taken over these queries.
    """

    counted: Bools
    weights: Floats | None
    segments: Mapping[str, npt.NDArray[np.object_]]

    def __post_init__(self) -> None:
        if self.weights is not None:
            object.__setattr__(self, "counted", self.counted & (self.weights > 0))

    def weights_where(self, defined: Bools) -> Floats:
        """Return how much each query counts where these alone have a value, (q,); 0 where it does not."""
        return np.where(self.counted & defined, 1.0 if self.weights is None else self.weights, 0.0)

    def everywhere(self) -> Sample:
        """Return the same sample with all queries that weigh anything."""
        return Sample(np.ones_like(self.counted), self.weights, self.segments)

    def pair(self, a: Floats, b: Floats, mpe: float, among: Bools | None = None) -> Paired:
        """Return what the values of one measure, (q,) each, say about the sample, or about some queries of it."""
        at = self.counted if among is None else self.counted & among
        if at.all():
            return paired(a, b, weights=self.weights, mpe=mpe)
        return paired(a[at], b[at], weights=None if self.weights is None else self.weights[at], mpe=mpe)

    def without(self, rows: tuple[int, ...]) -> Sample:
        """Return the same sample without some queries."""
        counted = self.counted.copy()
        counted[list(rows)] = False
        return Sample(counted, self.weights, self.segments)

    def unweighted(self) -> Sample:
        """Return the same queries, each counting once."""
        return Sample(self.counted, None, self.segments)


def weigh(
    policy: Policy,
    measures: tuple[Measure, ...],
    scores_a: Floats,
    scores_b: Floats,
    sample: Sample,
    known: tuple[Floats, Floats, Weighed] | None = None,
) -> Weighed:
    """Return what per-query values, (measures, q) each, say about the sample; names and roles are the policy's, in
    order. ``known`` are other values with what they say about the same sample: the same ones are not weighed again.
    """
    there = [_there(a, b, known, at) for at, (a, b) in enumerate(zip(scores_a, scores_b, strict=True))]
    found = [one or sample.pair(a, b, policy.mpe) for one, a, b in zip(there, scores_a, scores_b, strict=True)]
    adjusted = holm([np.nan if one.t_p is None else one.t_p for one in found])
    names = [*policy.measures, *(measure.name for measure in measures[len(policy.measures) :])]
    margins = dict((*policy.guardrails, *policy.watch))
    results = tuple(
        Result(name, policy.role(name) or "information", margins.get(name), one, _known(p))
        for name, one, p in zip(names, found, adjusted, strict=True)
    )
    if known is not None and there[0]:
        return replace(known[2], results=results)
    primary = deltas(scores_a[0][sample.counted], scores_b[0][sample.counted])
    return Weighed(
        results,
        _segments(policy, scores_a[0], scores_b[0], sample),
        int((primary >= policy.severe).sum()),
        int((primary <= -policy.severe).sum()),
    )


def _there(a: Floats, b: Floats, known: tuple[Floats, Floats, Weighed] | None, at: int) -> Paired | None:
    """Return what is known of a measure where its values are the same, bit for bit; else None."""
    if known is None or at >= len(known[0]):
        return None
    pairs = ((a, known[0][at]), (b, known[1][at]))
    same = all(np.array_equal(one.view(np.int64), other.view(np.int64)) for one, other in pairs)
    return known[2].results[at].paired if same else None


def _segments(policy: Policy, a: Floats, b: Floats, sample: Sample) -> tuple[SegmentResult, ...]:
    """Return every segment of every column, those that the policy names first."""
    columns = [*policy.segments, *(name for name in sample.segments if name not in policy.segments)]
    found: list[SegmentResult] = []
    for column in columns:
        values = sample.segments.get(column)
        if values is None:
            continue
        numbers = {value: number for number, value in enumerate(dict.fromkeys(values.tolist()))}
        number_of = np.array([numbers[value] for value in values.tolist()], np.int64)
        for value, number in numbers.items():
            rows = number_of == number
            if not value or not (rows & sample.counted).any():
                continue
            one = sample.pair(a, b, policy.mpe, rows)
            named = column in policy.segments
            found.append(SegmentResult(column, value, one, named, named and one.n_eff >= policy.segment_n_min, None))
    return _adjusted(found)


def _adjusted(found: list[SegmentResult]) -> tuple[SegmentResult, ...]:
    """Return the segments with p-values adjusted in their family: the judged ones among themselves, the others too."""
    harm = holm([_p(one.paired.p_harm) if one.judged else np.nan for one in found])
    explored = bh([np.nan if one.named else _p(one.paired.t_p) for one in found])
    return tuple(
        SegmentResult(one.column, one.value, one.paired, one.named, one.judged, _known(h if one.named else e))
        for one, h, e in zip(found, harm, explored, strict=True)
    )


def _p(p: float | None) -> float:
    return np.nan if p is None else p


def _known(p: float) -> float | None:
    return None if np.isnan(p) else float(p)
