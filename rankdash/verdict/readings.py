"""Other readings of the same comparison: what caveats speak of, and whether the outcome would be another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankdash.comparison import Comparison, Weighed
from rankdash.evidence.derived import OTHER_TAUS, TAU, derived
from rankdash.evidence.influence import WithoutFew, reweighted_segment, without_few
from rankdash.metrics import parse_measures
from rankdash.verdict.caveats import CaveatInput
from rankdash.verdict.decide import decide_from
from rankdash.verdict.evidence import reading_of
from rankdash.verdict.records import DataChecks, Evidence, Outcome
from rankdash.verdict.voting import why_unusable
from rankdash.wording import JUDGMENTS_SAY


def caveat_input(comparison: Comparison, evidence: Evidence) -> CaveatInput:
    """Everything that the caveats speak of, each with the outcome of its other reading."""
    found = comparison.plain.results[0].paired
    strongest = strongest_queries(comparison)
    findings = [comparison.joined.ranked(side, comparison.order).findings for side in ("a", "b")]
    skipped = without_missing(comparison)
    weighted = comparison.population_weights if comparison.sample.weights is not None else None
    return CaveatInput(
        evidence,
        delta_condensed=comparison.condensed.results[0].paired.delta,
        delta_bounds=comparison.delta_bounds if comparison.primary_is_explained else None,
        labels_from=_labels_from(comparison),
        delta_without_missing=skipped.results[0].paired.delta,
        judgments=JUDGMENTS_SAY.get(comparison.counts.ask or comparison.counts.kind, ""),
        favourites=tuple(comparison.query_ids[row] for row in strongest.rows),
        delta_without=strongest.delta,
        bca95=None if comparison.experts is None else comparison.experts[0].bootstrap.bca95,
        delta_unweighted=found.delta_unweighted,
        largest_weight=None if weighted is None else float(weighted.max() / weighted.sum()),
        weight_segment=_weight_segment(comparison),
        derived=tuple((tau, _derived(comparison, tau)) for tau in (TAU, *OTHER_TAUS)),
        duplicates=sum(one.duplicates for one in findings),
        not_finite=sum(one.by_rank_instead for one in findings),
        conflicts=comparison.joined.pool.conflict_count,
        tied=sum(one.tied_rows for one in findings),
        exploratory=sum(not one.named for one in comparison.plain.segments),
        cells=len(comparison.results) + len(comparison.plain.segments),
        other_outcomes=dict(_other_outcomes(comparison, evidence, skipped, strongest)),
    )


def strongest_queries(comparison: Comparison) -> WithoutFew:
    """The queries that favour the leader most on the primary measure, and the mean without them."""
    return without_few(_counted_deltas(comparison), comparison.sample.weights)


def _counted_deltas(comparison: Comparison) -> npt.NDArray[np.float64]:
    """The primary measure's difference, (q,); NaN outside the population."""
    return np.where(comparison.counted, comparison.deltas[0], np.nan)


def without_missing(comparison: Comparison) -> Weighed:
    """The policy's measures over the queries that both runs answer."""
    sample = comparison.sample
    both = sample.counted & comparison.answered_by_both
    return comparison.weighed(comparison.policy_measures, replace(sample, counted=both))


def outcome_with(comparison: Comparison, evidence: Evidence, weighed: Weighed) -> Outcome:
    """The outcome if these were the numbers, everything else equal."""
    return decide_from(replace(evidence, plain=reading_of(weighed)), comparison.policy).outcome


def _other_outcomes(
    comparison: Comparison, evidence: Evidence, skipped: Weighed, strongest: WithoutFew
) -> Iterator[tuple[str, Outcome]]:
    """Caveat by caveat, the outcome of its other reading."""
    sample = comparison.sample
    yield "unjudged", outcome_with(comparison, evidence, comparison.condensed)
    yield "missing", outcome_with(comparison, evidence, skipped)
    without = comparison.weighed(comparison.policy_measures, sample.without(strongest.rows))
    yield "few_queries", outcome_with(comparison, evidence, without)
    if sample.weights is not None:
        plain = comparison.weighed(comparison.policy_measures, sample.unweighted())
        yield "weights", outcome_with(comparison, evidence, plain)
    if evidence.data is not None:
        yield "judgments", _other_kind(comparison, evidence, evidence.data)
    if evidence.votes is not None and why_unusable(evidence.votes, comparison.policy) is not None:
        trusted = replace(evidence.votes, raters=1, alpha=None, side_p=None)
        policy = comparison.policy.changed(votes_min=1)
        yield "votes_ignored", decide_from(replace(evidence, votes=trusted), policy).outcome


def _other_kind(comparison: Comparison, evidence: Evidence, data: DataChecks) -> Outcome:
    """The outcome if the question about the judgments were answered the other way."""
    if comparison.counts.ask == "threshold":
        above = sorted({grade for grade in comparison.joined.pool.relevance.tolist() if grade > 0})[1]
        measures = parse_measures(comparison.policy.measures, comparison.convention.with_axes({"rel": above}))
        return outcome_with(comparison, evidence, comparison.weighed(measures, comparison.sample))
    other: Literal["judged", "positive_only"] = "positive_only" if data.kind == "judged" else "judged"
    return decide_from(replace(evidence, data=replace(data, kind=other)), comparison.policy).outcome


def _weight_segment(comparison: Comparison) -> str:
    """The segment that explains how the weights move the mean, as people read it; "" where none does."""
    if comparison.sample.weights is None:
        return ""
    found = reweighted_segment(_counted_deltas(comparison), comparison.sample.weights, comparison.facts.segments)
    return "" if found is None else f"{found[0]} “{found[1]}”"


def _labels_from(comparison: Comparison) -> Literal["A", "B"] | None:
    """The model whose lists hold every judged document, where the other one's do not."""
    whole = {side: len(comparison.joined.ranked(side, comparison.order).document) for side in ("a", "b")}
    judged = len(comparison.joined.pool.relevance)
    if whole["a"] == judged != whole["b"]:
        return "A"
    return "B" if whole["b"] == judged != whole["a"] else None


def _derived(comparison: Comparison, tau: float) -> float:
    return derived(comparison.deltas[0][comparison.counted], tau).delta or 0.0
