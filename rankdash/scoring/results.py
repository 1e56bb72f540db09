"""What per-query values prove under a policy, and what the data holds before any measure is weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rankdash.conventions import Gains
from rankdash.evidence.documents import Ask, JudgmentKind, judgment_kind
from rankdash.evidence.gsb import Rated
from rankdash.evidence.paired import DECIMALS, Groups, Paired, bh, deltas, holm, paired
from rankdash.metrics import Measure, mean
from rankdash.metrics.lists import gains
from rankdash.policy import Policy
from rankdash.records import frozen, replace
from rankdash.scoring.table import PerQuery

Bools = npt.NDArray[np.bool_]


@frozen
class Counts:
    """What the data holds, before any measure: counts of queries, and what is judged. k is the policy's cutoff.

    A query of weight 0 is in no count but those of whole files: ``same_file``, ``distinct_grades``, ``likeness``.
    """

    judged: int  # queries of the judgments
    common: int  # of these, those that both runs answer
    missing_a: int
    missing_b: int
    primary_rises: int  # queries whose judgments let the primary measure rise above 0
    affected: int  # queries whose first k differ in documents or order
    identical: bool  # the first k are the same on every judged query
    same_file: bool  # the lists are the same to their ends, and come from one file
    distinct_grades: int
    unjudged_shown: int  # of the population: (query, document) pairs in the first k of A or B without a judgment
    judged_a: float | None  # mean judged@k over the population
    judged_b: float | None
    kind: JudgmentKind
    ask: Ask | None  # what only the user can say about the judgments
    repeated_texts: int | None  # of the population: queries that share their text with another one; None: no texts
    likeness: tuple[Graded, Graded] | None  # of the lists of A and B to the judgments; None: not known

    @property
    def judged_gap(self) -> float | None:
        """How far judged@k of A and B lie apart, rounded so that 0.97 - 0.96 is 0.01."""
        if self.judged_a is None or self.judged_b is None:
            return None
        return round(abs(self.judged_b - self.judged_a), DECIMALS)


@frozen
class Graded:
    """How near the lists of a run come to the judgments ordered by grade: counts of documents, and of lists."""

    listed: int
    judged: int  # with a grade of at least 0
    lists: int
    in_grade_order: int  # lists whose grades do not rise from top to bottom, as far as they are judged
    two_grades: int  # lists that hold two different grades


def counts(
    scored: PerQuery, policy: Policy, counted: Bools, weighs: Bools, repeated_texts: int | None = None
) -> Counts:
    """Return what the table holds; ``counted`` marks the policy's population, (q,), and ``weighs`` the queries that
    have a weight above 0, or all.
    """
    answered_a, answered_b = (length > 0 for length in scored.pair("length"))
    affected, unjudged, shares = scored["changed"], scored["unjudged_shown"], scored.pair("judged")
    # The kind of the judgments depends on all queries; how many judgments are missing is counted in the population.
    of_all = [mean(share)[0] for share in shares]
    lower = None if of_all[0] is None or of_all[1] is None else min(of_all[0], of_all[1])
    said = policy.judgments
    if said == "auto" and scored.inputs is not None and scored.inputs.judgments.was_labelled_here:
        said = "judged"
    kind, ask = judgment_kind(scored.scope.grades, int(unjudged.sum()), lower, said, scored.scope.convention.rel)
    judged_a, judged_b = (mean(share[counted])[0] for share in shares)
    return Counts(
        judged=int(weighs.sum()),
        common=int((answered_a & answered_b & weighs).sum()),
        missing_a=int((~answered_a & weighs).sum()),
        missing_b=int((~answered_b & weighs).sum()),
        primary_rises=_at_least_one(scored, scored.scope.measures[scored.scope.decisive.index(policy.primary)], weighs),
        affected=int((affected & weighs).sum()),
        identical=not (affected & weighs).any(),
        same_file=not affected.any() and bool(scored["identical"].all()) and _one_source(scored),
        distinct_grades=len(scored.scope.grades),
        unjudged_shown=int(unjudged[counted].sum()),
        judged_a=judged_a,
        judged_b=judged_b,
        kind=kind,
        ask=ask,
        repeated_texts=repeated_texts,
        likeness=_likeness(scored),
    )


def rises(scored: PerQuery, measure: Measure) -> Bools | None:
    """Return on which queries the judgments let a measure rise above 0, (q,): those with a relevant document, for a
    measure that asks from which grade on a document is relevant, else those with a document that gains. None where
    only some do, and the measure's own threshold or gains say which.
    """
    own, usual, axes = measure.convention, scored.scope.convention, measure.definition.axes
    grades = np.array([max(grade, 0.0) for grade in scored.scope.grades if grade >= 0 or own.negative == "clip"])
    if "rel" in axes:
        there, alike = grades >= own.rel, (own.rel, own.negative) == (usual.rel, usual.negative)
        found = np.logical_or(*(relevant > 0 for relevant in scored.pair("relevant")))
    else:
        gain = own.gain if "gain" in axes else "linear"
        there = gains(grades, gain) > 0
        alike = gain == usual.gain or not any(isinstance(each, Gains) for each in (gain, usual.gain))
        found = scored["ideal"] > 0
    return found & there.any() if alike or not there.any() else None


def _at_least_one(scored: PerQuery, measure: Measure, weighs: Bools) -> int:
    """Return on how many queries with a weight a measure can rise above 0; 1 where only known for some."""
    found = rises(scored, measure)
    return 1 if found is None else int((found & weighs).sum())


def _one_source(scored: PerQuery) -> bool:
    """Return whether A and B were read from the same bytes."""
    inputs = scored.inputs
    return inputs is not None and bool(inputs.a.source.sha256) and inputs.a.source.sha256 == inputs.b.source.sha256


def _likeness(scored: PerQuery) -> tuple[Graded, Graded] | None:
    if "graded_a" not in scored.scope.parts:
        return None
    names = ("length", "graded", "in_grade_order", "two_grades")
    a, b = (
        Graded(
            listed=int(length.sum()),
            judged=int(graded.sum()),
            lists=int(np.count_nonzero(length)),
            in_grade_order=int(np.count_nonzero(in_order & (length > 0))),
            two_grades=int(np.count_nonzero(two)),
        )
        for length, graded, in_order, two in zip(*(scored.pair(name) for name in names), strict=True)
    )
    return a, b


Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)


@frozen
class Result:
    """One measure of a comparison: its role, the two means, and what the paired differences say. ``describes``: more of
    it is not better, so that nobody wins a query by it.
    """

    measure: str
    role: str  # primary, guardrail, watch or information
    margin: float | None
    paired: Paired
    holm_p: float | None
    label: str  # the measure as people are shown it
    describes: bool = False
    bounded: bool = True  # whether its differences share an axis with those of others


@frozen
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


@frozen
class Weighed:
    """What the measures say under one reading of the data, the policy's measures first."""

    results: tuple[Result, ...]
    segments: tuple[SegmentResult, ...]
    severe_wins: int  # queries, or clusters, whose primary measure rises by at least the policy's ``severe``
    severe_losses: int


@frozen
class WeighedNumbers:
    """What the rules read of a comparison."""

    plain: Weighed
    condensed: Weighed  # the policy's measures with unjudged documents taken out of both lists
    primary_everywhere: Paired  # the primary measure over all queries, also where the policy counts affected ones
    counts: Counts
    votes: Rated | None


@frozen
class QuerySample:
    """The queries that count, their weights, and which belong together; this is decided here only. Axis q. ``weights``
    None: all equal; ``clusters`` None: each query on its own. ``inferred``: whether they stand for other queries.

    A query of weight 0 does not count, nor does a query that the policy leaves out; a query without a value by a
    measure does not count for it. Means, tests, segments, severe changes, parts and bounds are all taken over these
    queries.
    """

    counted: Bools
    weights: Floats | None
    segments: Mapping[str, npt.NDArray[np.object_]]
    clusters: Ints | None = None
    inferred: bool = True

    def __post_init__(self) -> None:
        if self.weights is not None:
            object.__setattr__(self, "counted", self.counted & (self.weights > 0))

    def __len__(self) -> int:
        return len(self.counted)

    def weights_where(self, defined: Bools) -> Floats:
        """Return how much each query counts where only those ``defined`` have a value, (q,); 0 where it does not."""
        return np.where(self.counted & defined, 1.0 if self.weights is None else self.weights, 0.0)

    def of(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Return the values, (q,), of the queries that count; the same array where all do."""
        return values if self.counted.all() else values[self.counted]

    def everywhere(self) -> QuerySample:
        """Return the same sample with all queries that weigh anything."""
        return replace(self, counted=np.ones_like(self.counted))

    def pair(self, a: Floats, b: Floats, mpe: float | None, among: Bools | None = None, good: int = 1) -> Paired:
        """Return what the values of a measure, (q,) each, say about the sample, or about the queries ``among`` it."""
        kept = self.counted if among is None else self.counted & among
        at = slice(None) if kept.all() else kept
        weights, clusters = (None if of is None else of[at] for of in (self.weights, self.clusters))
        return paired(a[at], b[at], weights=weights, clusters=clusters, mpe=mpe, infer=self.inferred, good=good)

    def severe(self, delta: Floats, least: float) -> tuple[int, int]:
        """Return how many queries rise, and how many fall, by at least ``least``; ``delta`` is (q,). A cluster counts
        once: as a rise where more of its queries rise than fall, as a fall where fewer do.
        """
        values = self.of(delta)
        rise, fall = values >= least, values <= -least
        if self.clusters is not None:
            net = Groups.of(self.of(self.clusters)).sums(rise.astype(np.float64) - fall)
            rise, fall = net > 0, net < 0
        return int(np.count_nonzero(rise)), int(np.count_nonzero(fall))

    def without(self, rows: tuple[int, ...]) -> QuerySample:
        """Return the same sample without the queries of some rows."""
        counted = self.counted.copy()
        counted[list(rows)] = False
        return replace(self, counted=counted)

    def unweighted(self) -> QuerySample:
        """Return the same queries, each counting once."""
        return replace(self, weights=None)


def weigh(
    policy: Policy,
    measures: tuple[Measure, ...],
    scores_a: Sequence[Floats],
    scores_b: Sequence[Floats],
    sample: QuerySample,
    mpe: float | None = None,
) -> Weighed:
    """Return what per-query values, (q,) for each measure, say about the sample; names and roles are the policy's, in
    order. Without ``mpe`` nothing says how many queries are required: only the reading that is shown asks for that.
    """
    scores = zip(measures, scores_a, scores_b, strict=True)
    pairs = [sample.pair(a, b, mpe, good=of.good) for of, a, b in scores]
    adjusted = holm([np.nan if pair.t_p is None else pair.t_p for pair in pairs])
    others = len(measures) - len(policy.roles)
    roles = (*policy.roles, *["information"] * others)
    margins = (None, *(margin for _, margin in (*policy.guardrails, *policy.watch)), *[None] * others)
    results = tuple(
        Result(of.name, role, margin, pair, _or_none(p), of.title, row.higher_is_better is None, row.bounded)
        for of, role, margin, pair, p in zip(measures, roles, margins, pairs, adjusted, strict=True)
        for row in [of.definition]
    )
    severe = sample.severe(deltas(scores_a[0], scores_b[0]), policy.severe)
    return Weighed(results, _segments(policy, scores_a[0], scores_b[0], sample), *severe)


def _segments(policy: Policy, a: Floats, b: Floats, sample: QuerySample) -> tuple[SegmentResult, ...]:
    """Return every segment of every column, those that the policy names first."""
    segments: list[SegmentResult] = []
    for column in dict.fromkeys((*policy.segments, *sample.segments)):
        values = sample.segments.get(column)
        if values is None:
            continue
        numbers = {value: number for number, value in enumerate(dict.fromkeys(values.tolist()))}
        number_of = np.array([numbers[value] for value in values.tolist()], np.int64)
        for value, number in numbers.items():
            rows = number_of == number
            if not value or not (rows & sample.counted).any():
                continue
            pair = sample.pair(a, b, None, rows)
            named, least = column in policy.segments, policy.segment_n_min if sample.inferred else 0
            segments.append(SegmentResult(column, value, pair, named, named and pair.size >= least, None))
    return _adjusted(segments)


def _adjusted(segments: list[SegmentResult]) -> tuple[SegmentResult, ...]:
    """Return the segments with adjusted p-values: the judged segments are one family, the others another."""
    harm = holm([_p(segment.paired.p_harm) if segment.judged else np.nan for segment in segments])
    explored = bh([np.nan if segment.named else _p(segment.paired.t_p) for segment in segments])
    return tuple(
        replace(segment, adjusted_p=_or_none(h if segment.named else e))
        for segment, h, e in zip(segments, harm, explored, strict=True)
    )


def _p(p: float | None) -> float:
    return np.nan if p is None else p


def _or_none(p: float) -> float | None:
    return None if np.isnan(p) else float(p)
