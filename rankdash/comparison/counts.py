"""What the data holds, before any measure is weighed: counts of queries, and what is judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.conventions import Gains
from rankdash.evidence.documents.judgment_kind import Ask, JudgmentKind, judgment_kind
from rankdash.evidence.paired import DECIMALS
from rankdash.metrics import Measure, mean
from rankdash.metrics.lists import gains
from rankdash.policy import Policy
from rankdash.scored import PerQuery

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Counts:
    """What the data holds, before any measure: counts of queries, and what is judged. k is the policy's cutoff.

    A query of weight 0 is in no count.
    """

    judged: int  # queries of the judgments
    common: int  # of these, those that both runs answer
    missing_a: int
    missing_b: int
    without_relevant: int
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


@dataclass(frozen=True)
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
    relevant_a, relevant_b = scored.pair("relevant")
    affected, unjudged, shares = scored["changed"], scored["unjudged_shown"], scored.pair("judged")
    # The kind of the judgments depends on all queries; how many judgments are missing is counted in the population.
    of_all = [mean(share)[0] for share in shares]
    lower = None if of_all[0] is None or of_all[1] is None else min(of_all[0], of_all[1])
    kind, ask = judgment_kind(scored.scope.grades, int(unjudged.sum()), lower, policy.judgments)
    judged_a, judged_b = (mean(share[counted])[0] for share in shares)
    return Counts(
        judged=int(weighs.sum()),
        common=int((answered_a & answered_b & weighs).sum()),
        missing_a=int((~answered_a & weighs).sum()),
        missing_b=int((~answered_b & weighs).sum()),
        without_relevant=int(((relevant_a <= 0) & (relevant_b <= 0) & weighs).sum()),
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
