"""The numbers of a comparison as the rules see them."""

from __future__ import annotations

from typing import Any

from rankdash.evidence.paired import Paired
from rankdash.evidence.votes import Rated
from rankdash.scoring import Comparison, VotesAlone, Weighed, WeighedNumbers
from rankdash.verdict.records import (
    DataChecks,
    Evidence,
    Guardrail,
    Leak,
    Primary,
    Reading,
    Segment,
    Severe,
    VoteNumbers,
    Watch,
)


def evidence_of(comparison: Comparison | WeighedNumbers | VotesAlone) -> Evidence:
    """Return everything that the rules look at, as plain numbers."""
    if isinstance(comparison, VotesAlone):
        return Evidence(votes=votes_of(comparison.votes))
    counts = comparison.counts
    leaks = (None, None) if counts.likeness is None else tuple(Leak(**vars(graded)) for graded in counts.likeness)
    data = DataChecks(
        judged_queries=counts.judged,
        common_queries=counts.common,
        missing_a=counts.missing_a,
        missing_b=counts.missing_b,
        queries_with_relevant=counts.primary_rises,
        distinct_grades=counts.distinct_grades,
        unjudged_shown=counts.unjudged_shown,
        identical=counts.identical,
        kind=counts.kind,
        judged_a=counts.judged_a,
        judged_b=counts.judged_b,
        affected=counts.affected,
        same_file=counts.same_file,
        repeated_texts=counts.repeated_texts,
        leak_a=leaks[0],
        leak_b=leaks[1],
    )
    plain = reading_of(comparison.plain, comparison.primary_everywhere)
    votes = None if comparison.votes is None else votes_of(comparison.votes)
    return Evidence(data, plain, reading_of(comparison.condensed), votes)


def reading_of(weighed: Weighed, everywhere: Paired | None = None) -> Reading:
    """Return a reading as the rules see it; ``everywhere`` is the primary measure over all queries."""
    by_role = {role: [result for result in weighed.results if result.role == role] for role in ("guardrail", "watch")}
    return Reading(
        primary=_primary(weighed.results[0].paired, everywhere),
        guardrails=tuple(Guardrail(result.measure, **_tested(result.paired)) for result in by_role["guardrail"]),
        watch=tuple(Watch(result.measure, **_tested(result.paired)) for result in by_role["watch"]),
        segments=tuple(
            Segment(segment.column, segment.value, **_tested(segment.paired))
            for segment in weighed.segments
            if segment.named
        ),
        severe=Severe(weighed.severe_wins, weighed.severe_losses),
    )


def _tested(paired: Paired) -> dict[str, Any]:
    """Return what the rules read of a guardrail, a watch measure or a segment."""
    return {
        "delta": paired.delta,
        "changed": paired.changed,
        "lower90": paired.lower90,
        "upper90": paired.upper90,
        "p_harm": paired.p_harm,
        "p_flip": paired.p_flip,
        "clusters": paired.clusters,
        "n": paired.n,
        "n_eff": paired.n_eff,
    }


def votes_of(rated: Rated) -> VoteNumbers:
    """Return the votes as the rules see them: queries by vote, ΔGSB with its interval, effect of sides, raters."""
    table, side = rated.gsb, rated.side
    low, high = table.ci95 or (None, None)
    return VoteNumbers(
        good=table.good,
        same=table.same,
        bad=table.bad,
        delta=table.delta,
        lower95=low,
        upper95=high,
        lower90=None if table.ci90 is None else table.ci90[0],
        raters=rated.raters,
        alpha=rated.alpha,
        n_side=side.n,
        left=side.left,
        side_effect=side.effect,
        side_lower95=side.lower95,
        side_upper95=side.upper95,
        side_effect_p=side.p,
        people=rated.people,
        decided=rated.decided,
        interval=table.interval,
        rater_lower95=rated.rater_lower95,
        rater_upper95=rated.rater_upper95,
        se=table.se,
    )


def _primary(paired: Paired, everywhere: Paired | None) -> Primary:
    return Primary(
        n=paired.n,
        changed=paired.changed,
        wins=paired.wins,
        losses=paired.losses,
        delta=paired.delta,
        lower95=paired.lower95,
        upper95=paired.upper95,
        lower90=paired.lower90,
        upper90=paired.upper90,
        n_eff=paired.n_eff,
        clusters=paired.clusters,
        n_all=None if everywhere is None else everywhere.n,
        delta_all=None if everywhere is None else everywhere.delta,
        mean_a=paired.mean_a,
        mean_b=paired.mean_b,
        mde80=paired.mde80,
        p_flip=paired.p_flip,
        required_n_mpe=paired.required_n_mpe,
        required_n_seen=paired.required_n_seen,
    )
