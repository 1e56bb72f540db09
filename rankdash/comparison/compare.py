"""compare(): the one call from tables to a Comparison."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rankdash.comparison.joined import Joined, join
from rankdash.comparison.records import Bools, Comparison, Counts, Floats, Result, Weighed
from rankdash.conventions import Convention
from rankdash.evidence.derived import derived
from rankdash.evidence.judgment_kind import judgment_kind
from rankdash.evidence.multiple import holm
from rankdash.evidence.paired import deltas, paired
from rankdash.judged import Order, RankedRun
from rankdash.metrics import Lists, Measure, mean, parse_measure, parse_measures
from rankdash.policy import Policy
from rankdash.tables import Judgments, Run


def compare(
    a: Run,
    b: Run,
    judgments: Judgments | None = None,
    *,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    measures: Iterable[str | Measure] = (),
) -> Comparison:
    """Model B against model A under a policy.

    Parameters
    ----------
    a, b : Run                 the baseline and the candidate
    judgments : Judgments      None: the grades written beside the documents of the runs, pooled
    policy : Policy            None: the defaults. Its measures are always computed, and they come first
    convention                 a preset's name or a ``Convention``, in place of the policy's
    measures                   names of further measures

    Returns
    -------
    Comparison                 per-query values, means, paired intervals and counts; Δ is B - A

    Raises
    ------
    ComparisonError            where there are no judgments
    MeasureError               for a measure that does not exist, or a grade that it does not take
    PolicyError                for a convention that does not exist
    """
    policy = policy or Policy()
    if convention is not None:
        policy = policy.changed(convention=convention)
    return compare_joined(join(a, b, judgments, depth=policy.cutoff), policy, measures)


def compare_joined(joined: Joined, policy: Policy, measures: Iterable[str | Measure] = ()) -> Comparison:
    """The comparison of two joined runs under a policy; see ``compare``."""
    convention = scoring_convention(policy)
    wanted = parse_measures([*policy.measures, *measures], convention)
    order = Order.of(convention)
    ranked_a, ranked_b = joined.both(order)
    affected = _affected(ranked_a, ranked_b, policy.cutoff)
    counted = affected if policy.population == "affected" else np.ones(len(affected), bool)
    scores_a, scores_b = joined.scores("a", wanted), joined.scores("b", wanted)
    difference = np.array([deltas(a, b) for a, b in zip(scores_a, scores_b, strict=True)])
    without = convention.with_axes({"unjudged": "condensed"})
    condensed = parse_measures(policy.measures, without)
    return Comparison(
        joined,
        policy,
        convention,
        wanted,
        scores_a,
        scores_b,
        difference,
        counted,
        affected,
        _weighed(policy, wanted, scores_a[:, counted], scores_b[:, counted]),
        _weighed(
            policy, condensed, joined.scores("a", condensed)[:, counted], joined.scores("b", condensed)[:, counted]
        ),
        paired(scores_a[0], scores_b[0], mpe=policy.mpe),
        _counts(joined, policy, convention, affected),
        derived(difference[0][counted]),
    )


def _weighed(policy: Policy, measures: tuple[Measure, ...], scores_a: Floats, scores_b: Floats) -> Weighed:
    """The results of per-query values, (measures, n) each. Names and roles are those of the policy, in its order."""
    found = [paired(a, b, mpe=policy.mpe) for a, b in zip(scores_a, scores_b, strict=True)]
    adjusted = holm([np.nan if one.t_p is None else one.t_p for one in found])
    names = [*policy.measures, *(measure.name for measure in measures[len(policy.measures) :])]
    margins = dict((*policy.guardrails, *policy.watch))
    results = tuple(
        Result(name, policy.role(name) or "information", margins.get(name), one, None if np.isnan(p) else float(p))
        for name, one, p in zip(names, found, adjusted, strict=True)
    )
    primary = deltas(scores_a[0], scores_b[0])
    return Weighed(results, int((primary >= policy.severe).sum()), int((primary <= -policy.severe).sum()))


def scoring_convention(policy: Policy) -> Convention:
    """The policy's convention, with what it says about queries that a run does not answer."""
    missing = {"empty": {"missing_query": "zero"}, "skip": {"missing_query": "skip"}}.get(policy.missing, {})
    return policy.scoring.with_axes(missing)


def _affected(a: RankedRun, b: RankedRun, k: int) -> Bools:
    """Queries whose first k differ in documents or order, (q,)."""
    affected: Bools = (a.top_print[:, :k] != b.top_print[:, :k]).any(axis=1)
    return affected


def _counts(joined: Joined, policy: Policy, convention: Convention, affected: Bools) -> Counts:
    k, order = policy.cutoff, Order.of(convention)
    a, b = joined.ranked("a", order), joined.ranked("b", order)
    answered_a, answered_b = a.lists.length > 0, b.lists.length > 0
    judged = parse_measure(f"Judged@{k}", convention)
    relevant = Lists(a.lists, convention).judged_relevant > 0
    shown = [side.top_row[:, :k] >= 0 for side in (a, b)]
    known = [side.top_judgment[:, :k] >= 0 for side in (a, b)]
    unjudged = sum(int((on & ~judged_).sum()) for on, judged_ in zip(shown, known, strict=True))
    judged_a, judged_b = (mean(joined.scores(side, (judged,))[0])[0] for side in ("a", "b"))
    grades = np.unique(joined.pool.relevance)
    lower = None if judged_a is None or judged_b is None else min(judged_a, judged_b)
    kind, ask = judgment_kind(grades.tolist(), unjudged, lower, policy.judgments)
    return Counts(
        judged=joined.pool.queries,
        common=int((answered_a & answered_b).sum()),
        missing_a=int((~answered_a).sum()),
        missing_b=int((~answered_b).sum()),
        without_relevant=int((~relevant).sum()),
        affected=int(affected.sum()),
        identical=bool((a.signature == b.signature).all()),
        distinct_grades=len(grades),
        unjudged_shown=unjudged,
        judged_a=judged_a,
        judged_b=judged_b,
        kind=kind,
        ask=ask,
    )
