"""``compared``: the one place where a comparison is made, for pages, command line, API and saved comparisons alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rankdash.case.case import Case
from rankdash.case.contents import lists_of
from rankdash.case.scored import per_query_of
from rankdash.edits import Standing, apply, standing
from rankdash.metrics import Measure
from rankdash.policy import Policy
from rankdash.scoring import (
    Comparison,
    PerQuery,
    Rankings,
    VotesAlone,
    check_settings,
    compare_joined,
    compare_scored,
    compare_votes,
    join,
)


def ranked(case: Case, policy: Policy) -> Rankings:
    """Return both runs of a case in order, with its edits applied. ComparisonError where there are no judgments."""
    a, b, judgments = case.a, case.b, case.judgments
    if case.edits:
        edited = apply(case.edits, a, b, judgments, policy.scoring)
        a, b, judgments = edited.a, edited.b, edited.judgments
    return join(a, b, judgments, depth=2 * policy.cutoff)


def compared(
    case: Case,
    policy: Policy,
    *,
    measures: str | Measure | Iterable[str | Measure] = (),
    experts: bool = False,
    earlier: PerQuery | None = None,
    rankings: Callable[[Case, Policy], Rankings] = ranked,
) -> Comparison | VotesAlone:
    """Return the comparison of a case under a policy; of votes alone, what raters say.

    Parameters
    ----------
    case : Case                what is compared
    policy : Policy            its measures come first
    measures                   names of further measures; a single name may be a string. Scored queries have the
                               measures that they were scored for
    experts : bool             also permutation, bootstrap, Wilcoxon and sign test of every measure
    earlier : PerQuery         per-query values of just this case that were computed before
    rankings                   the function that puts the runs of a case in order; for callers that keep its result, or
                               read the runs from files that are never whole in memory

    Raises
    ------
    ComparisonError, MeasureError
                               as for ``rankdash.compare``; where scored queries were scored for another policy
    """
    if case.runs is None:
        assert case.votes is not None
        return compare_votes(case.votes, policy)
    stands = votes_standing(case, policy)
    queries, votes = case.queries, None if stands is None else stands.votes
    if case.scored is not None:
        scored = per_query_of(case.scored, case.a, case.b)
        check_settings(scored, policy)
        return compare_scored(scored, policy, queries=queries, votes=votes, experts=experts)
    joined = rankings(case, policy)
    return compare_joined(joined, policy, measures, queries=queries, votes=votes, experts=experts, earlier=earlier)


def votes_standing(case: Case, policy: Policy) -> Standing | None:
    """Return which votes of a case count under a policy; None without votes, and where there are votes alone."""
    if case.votes is None or case.runs is None:
        return None
    lists = None if case.votes.about is None else lists_of(case.a, case.b)
    tables = case.votes, case.a, case.b, case.edits, case.held
    return standing(*tables, lists=lists, convention=policy.scoring, cutoff=policy.cutoff)
