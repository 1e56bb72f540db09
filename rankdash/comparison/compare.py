"""compare(): the one call from tables to a Comparison."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rankdash.comparison.documents import ShownDocuments, shown_documents
from rankdash.comparison.joined import SIDES, ComparisonError, Joined, join
from rankdash.comparison.paired_results import Sample, Weighed, weigh
from rankdash.comparison.query_info import MOST_NAMED, Facts, facts
from rankdash.comparison.records import Bools, Comparison, Counts, Likeness
from rankdash.comparison.voting import rated_votes
from rankdash.conventions import Convention
from rankdash.evidence.documents.derived import derived
from rankdash.evidence.documents.judgment_kind import judgment_kind
from rankdash.evidence.expertise import expertise
from rankdash.evidence.paired import deltas
from rankdash.judged import Order, list_pair, same_tops
from rankdash.metrics import Lists, Measure, compare_lists, mean, parse_measure, parse_measures
from rankdash.policy import Policy
from rankdash.strings.nearest import did_you_mean, nearest
from rankdash.tables import Judgments, Queries, Run, Votes


def compare(
    a: Run,
    b: Run,
    judgments: Judgments | None = None,
    *,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    measures: str | Measure | Iterable[str | Measure] = (),
    queries: Queries | None = None,
    votes: Votes | None = None,
    experts: bool = False,
) -> Comparison:
    """Model B against model A under a policy.

    Parameters
    ----------
    a, b : Run                 the baseline and the candidate
    judgments : Judgments      None: the grades written beside the documents of the runs, pooled
    policy : Policy            None: the defaults. Its measures are always computed, and they come first
    convention                 a preset's name or a ``Convention``, in place of the policy's
    measures                   names of further measures; one alone may be a string
    queries : Queries          texts, weights and segments of the queries. With weights every mean is weighted
    votes : Votes              side-by-side human judgments, seen from B
    experts : bool             also permutation, bootstrap, Wilcoxon and sign test of every measure

    Returns
    -------
    Comparison                 per-query values, means, paired intervals and counts; Δ is B - A

    Raises
    ------
    ComparisonError            where there are no judgments, or a segment of the policy is no column of the queries
    MeasureError               for a measure that does not exist, or a grade that it does not take
    PolicyError                for a convention that does not exist
    """
    policy = policy or Policy()
    if convention is not None:
        policy = policy.changed(convention=convention)
    joined = join(a, b, judgments, depth=2 * policy.cutoff)
    return compare_joined(joined, policy, measures, queries=queries, votes=votes, experts=experts)


def compare_joined(
    joined: Joined,
    policy: Policy,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    queries: Queries | None = None,
    votes: Votes | None = None,
    experts: bool = False,
) -> Comparison:
    """The comparison of two joined runs under a policy; see ``compare``."""
    convention = scoring_convention(policy)
    asked = parse_measures((*policy.measures, *parse_measures(measures, convention)), convention)
    wanted = tuple(measure for measure in asked if not measure.compares_lists)
    affected = _affected(joined, Order.of(convention), policy.cutoff)
    known = facts(queries, joined.pool.query_ids, policy.segments)
    _check_segments(policy, known)
    _check_weights(known)
    sample = Sample(_population(joined, policy, convention, affected), known.weights, known.segments)
    counted = sample.counted
    scores_a, scores_b = joined.scores("a", wanted), joined.scores("b", wanted)
    plain = weigh(policy, wanted, scores_a, scores_b, sample)
    difference = np.array([deltas(a, b) for a, b in zip(scores_a, scores_b, strict=True)])
    shown = shown_documents(joined, convention, policy.cutoff)
    return Comparison(
        joined=joined,
        policy=policy,
        convention=convention,
        measures=wanted,
        scores_a=scores_a,
        scores_b=scores_b,
        deltas=difference,
        affected=affected,
        sample=sample,
        plain=plain,
        condensed=_condensed(joined, policy, convention, sample),
        primary_everywhere=sample.everywhere().pair(scores_a[0], scores_b[0], policy.mpe),
        counts=_counts(joined, policy, convention, affected, counted, shown),
        gsb_derived=derived(difference[0][counted]),
        facts=known,
        shown=shown,
        votes=rated_votes(votes),
        likeness=_likeness(joined, tuple(measure for measure in asked if measure.compares_lists)),
        experts=tuple(expertise(row[counted]) for row in difference) if experts else None,
        queries=queries,
        vote_rows=votes,
    )


def _condensed(joined: Joined, policy: Policy, convention: Convention, sample: Sample) -> Weighed:
    """The policy's measures with unjudged documents left out of the lists."""
    measures = parse_measures(policy.measures, convention.with_axes({"unjudged": "condensed"}))
    return weigh(policy, measures, joined.scores("a", measures), joined.scores("b", measures), sample)


def _population(joined: Joined, policy: Policy, convention: Convention, affected: Bools) -> Bools:
    """The queries that the policy counts, (q,): all or the affected ones, without pairs that the convention leaves out.

    Where a query is missing from a run and missing queries are skipped, no measure has a value, and none counts it.
    """
    population = affected if policy.population == "affected" else np.ones(len(affected), bool)
    if convention.missing_query != "skip":
        return population
    a, b = joined.both(Order.of(convention))
    answered: Bools = population & (a.lists.length > 0) & (b.lists.length > 0)
    return answered


def _likeness(joined: Joined, measures: tuple[Measure, ...]) -> tuple[Likeness, ...]:
    """Measures that compare the lists of A with those of B, where any were asked for."""
    if not measures:
        return ()
    pair = list_pair(joined.a, joined.b, joined.pool.query_ids, Order.of(measures[0].convention))
    values = compare_lists(pair, measures)
    if joined.apart:
        values = np.full_like(values, np.nan)
    return tuple(Likeness(one.name, row, *mean(row)) for one, row in zip(measures, values, strict=True))


def _check_segments(policy: Policy, known: Facts) -> None:
    missing = [column for column in policy.segments if column not in known.segments]
    if missing:
        there = ", ".join(known.segments) or "none"
        meant = did_you_mean(nearest(missing[0], known.segments))
        raise ComparisonError(
            f"The policy names the segment column {missing[0]!r}, but the queries have no such column with at most "
            f"{MOST_NAMED:,} values.{meant} Segment columns there: {there}."
        )


def _check_weights(known: Facts) -> None:
    if known.weights is not None and len(known.weights) and not known.weights.any():
        raise ComparisonError(
            "Every judged query weighs 0 in the table of queries, so no query would count. Give the queries that count "
            "a weight above 0, under the ids that the judgments have, or leave the column of weights out."
        )


def scoring_convention(policy: Policy) -> Convention:
    """The policy's convention, with what it says about queries that a run does not answer."""
    missing = {"empty": {"missing_query": "zero"}, "skip": {"missing_query": "skip"}}.get(policy.missing, {})
    return policy.scoring.with_axes(missing)


def _affected(joined: Joined, order: Order, k: int) -> Bools:
    """Queries whose first k differ in documents or order, (q,)."""
    a, b = joined.both(order)
    return ~same_tops(joined.a, a, joined.b, b, k)


def _counts(
    joined: Joined, policy: Policy, convention: Convention, affected: Bools, counted: Bools, shown: ShownDocuments
) -> Counts:
    k, order = policy.cutoff, Order.of(convention)
    a, b = joined.ranked("a", order), joined.ranked("b", order)
    answered_a, answered_b = a.lists.length > 0, b.lists.length > 0
    relevant = (Lists(a.lists, convention).judged_relevant > 0) | (Lists(b.lists, convention).judged_relevant > 0)
    judged = parse_measure(f"Judged@{k}", convention)
    shares = [joined.scores(side, (judged,))[0] for side in SIDES]
    unjudged = shown.documents.query[~shown.documents.judged]
    grades = np.unique(joined.pool.relevance)
    # What kind of judgments these are is a question about all of them; how many are missing, one about the population.
    of_all = [mean(share)[0] for share in shares]
    lower = None if of_all[0] is None or of_all[1] is None else min(of_all[0], of_all[1])
    kind, ask = judgment_kind(grades.tolist(), len(unjudged), lower, policy.judgments)
    judged_a, judged_b = (mean(share[counted])[0] for share in shares)
    return Counts(
        judged=joined.pool.queries,
        common=int((answered_a & answered_b).sum()),
        missing_a=int((~answered_a).sum()),
        missing_b=int((~answered_b).sum()),
        without_relevant=int((~relevant).sum()),
        affected=int(affected.sum()),
        identical=not affected.any() and joined.identical(order),
        distinct_grades=len(grades),
        unjudged_shown=int(counted[unjudged].sum()),
        judged_a=judged_a,
        judged_b=judged_b,
        kind=kind,
        ask=ask,
    )
