"""The numbers of a comparison as the rules see them, and ``decide``: Comparison -> Verdict."""

from __future__ import annotations

from rankdash.comparison import Comparison, Weighed
from rankdash.evidence.paired import Paired
from rankdash.verdict.decide import decide_from
from rankdash.verdict.records import DataChecks, Evidence, Guardrail, Primary, Reading, Severe, Verdict, Watch


def decide(comparison: Comparison) -> Verdict:
    """Launch or not, the rule that decided, and every other rule with what it observed, under the policy."""
    return decide_from(evidence_of(comparison), comparison.policy)


def evidence_of(comparison: Comparison) -> Evidence:
    """Everything that the rules look at, as plain numbers."""
    counts = comparison.counts
    data = DataChecks(
        judged_queries=counts.judged,
        common_queries=counts.common,
        missing_a=counts.missing_a,
        missing_b=counts.missing_b,
        queries_with_relevant=counts.judged - counts.without_relevant,
        distinct_grades=counts.distinct_grades,
        unjudged_shown=counts.unjudged_shown,
        identical=counts.identical,
        kind=counts.kind,
        judged_a=counts.judged_a,
        judged_b=counts.judged_b,
        affected=counts.affected,
    )
    everywhere = comparison.primary_everywhere
    return Evidence(data, _reading(comparison.plain, everywhere), _reading(comparison.condensed, None))


def _reading(weighed: Weighed, everywhere: Paired | None) -> Reading:
    """One way to count unjudged documents."""
    primary = weighed.results[0].paired
    by_role = {role: [result for result in weighed.results if result.role == role] for role in ("guardrail", "watch")}
    return Reading(
        primary=_primary(primary, everywhere),
        guardrails=tuple(
            Guardrail(result.measure, result.paired.delta, result.paired.lower90, result.paired.upper90)
            for result in by_role["guardrail"]
        ),
        watch=tuple(Watch(result.measure, result.paired.delta, result.paired.p_harm) for result in by_role["watch"]),
        severe=Severe(weighed.severe_wins, weighed.severe_losses),
    )


def _primary(found: Paired, everywhere: Paired | None) -> Primary:
    return Primary(
        n=found.n,
        changed=found.changed,
        wins=found.wins,
        losses=found.losses,
        delta=found.delta,
        lower95=found.lower95,
        upper95=found.upper95,
        lower90=found.lower90,
        upper90=found.upper90,
        n_eff=found.n_eff,
        n_all=None if everywhere is None else everywhere.n,
        delta_all=None if everywhere is None else everywhere.delta,
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        mde80=found.mde80,
        required_n=found.required_n,
    )
