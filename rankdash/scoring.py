"""Both runs as tables, put in order at once, scored into the per-query table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rankdash.comparison import InputMistake, PerQuery, Rankings, join, score_queries
from rankdash.metrics import Measure
from rankdash.mistakes import Input, mistakes
from rankdash.policy import Policy
from rankdash.tables import Judgments, Run

#: What no verdict, JSON or per-query CSV reads: how alike the lists are.
_UNREAD = ("alike",)


def scored_in_memory(
    a: Run, b: Run, judgments: Judgments | None, policy: Policy, measures: tuple[str | Measure, ...] = ()
) -> PerQuery:
    """Return the per-query table of two runs, computed as far as a verdict and its report read it.

    Errors as for ``compare``.
    """
    rankings = join(a, b, judgments, depth=2 * policy.cutoff + 1)
    scored = score_queries(rankings, policy, measures, without=_UNREAD, neighbours=True)
    assert scored.inputs is not None
    return replace(scored.computed(), inputs=replace(scored.inputs, wrong=wrong_between(rankings, scored)))


def wrong_between(rankings: Rankings, scored: PerQuery) -> tuple[InputMistake, ...]:
    """Return what is wrong between two runs and the judgments, though each of them could be read."""
    a, b = (bool(hits.any()) for hits in scored.pair("hits"))
    any_judged: Mapping[Input, bool] = {"a": a, "b": b}
    return tuple(
        InputMistake(mistake.input, mistake.sentence, mistake.fatal)
        for mistake in mistakes(rankings.a, rankings.b, rankings.judgments, any_judged=any_judged)
        if mistake.input in ("a", "b", "judgments")
    )
