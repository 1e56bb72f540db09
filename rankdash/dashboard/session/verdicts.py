"""What is computed of a comparison that is open: its verdict and everything that the pages show, cached by content.

Both runs in order, which is the slow half, are cached apart: they are not put in order again for another policy, or
when A and B are exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankdash.candidates import Candidates, candidates_of
from rankdash.case import Case, compared, valid_votes_of
from rankdash.conventions import STANDARD, Convention
from rankdash.dashboard.results import COMPARISONS, cached
from rankdash.dashboard.session import saving, session
from rankdash.edits import Edit, VoteValidity, apply
from rankdash.inspect.lists import ShownDocument, top_documents
from rankdash.inspect.query_order import Changes, Ints, changes
from rankdash.inspect.view import regraded, view_depth
from rankdash.policy import Policy
from rankdash.records import frozen, replace
from rankdash.report.notes import meaningful
from rankdash.scoring import Comparison, Pool, Rankings, VotesAlone, join, join_each, pooled
from rankdash.scoring.rankings import RunRankings
from rankdash.store import RecordedVerdict
from rankdash.tables import Items, Judgments, Queries, Run, Votes
from rankdash.verdict import Verdict, decide

#: Groups of candidates that are kept, with the comparisons of all.
_GROUPS = 2


@frozen
class Opened:
    """Everything the pages show of the open comparison; shared by sessions, so nothing in it may change.

    ``case`` and ``policy`` are what all of it was made of, and what anything made of it is keyed on.
    """

    case: Case
    policy: Policy
    comparison: Comparison
    verdict: Verdict
    changes: Changes
    #: Top results of A and B by place of the extremes.
    tops: dict[int, tuple[ShownDocument | None, ShownDocument | None]]
    #: Which of the votes count; None without votes.
    validity: VoteValidity | None


def opened(case: Case, policy: Policy | None = None) -> Opened:
    """Return the comparison of a case with its verdict, computed once per content and policy; None: that in force."""
    return _opened(case, policy or session.now().policy)


@cached(COMPARISONS)
def _opened(case: Case, policy: Policy) -> Opened:
    voted = valid_votes_of(case, policy)
    comparison = compared(case, policy, rankings=ranked)
    assert isinstance(comparison, Comparison)
    sorted_changes = changes(comparison)
    tops = _tops(comparison, sorted_changes)
    return Opened(case, policy, comparison, decide(comparison), sorted_changes, tops, voted)


def looked_at(current: Opened, times: tuple[int, int]) -> Opened:
    """Return the same with the verdict for so many states of the data that were seen, and so many candidates."""
    return current if times == (1, 1) else replace(current, verdict=_decided(current.case, current.policy, times))


def decided(
    of: Case | Votes, times: tuple[int, int] = saving.ONCE, policy: Policy | None = None
) -> tuple[Comparison | VotesAlone, Verdict]:
    """Return what is compared with its verdict, of lists or of votes alone; ``times`` as for ``looked_at``, ``policy``
    as for ``opened``. ComparisonError for a table without votes.
    """
    if isinstance(of, Votes):
        voted = votes_alone(of, policy or session.now().policy)
        return voted, decide(voted, *times)
    current = looked_at(opened(of, policy), times)
    return current.comparison, current.verdict


@cached()
def votes_alone(votes: Votes, policy: Policy) -> VotesAlone:
    """Return what the votes say. ComparisonError for a table without votes."""
    made = compared(Case(votes=votes), policy)
    assert isinstance(made, VotesAlone)
    return made


def put_on_record(of: Case | Votes, *, is_look: bool = False) -> None:
    """Write down the verdict of what is open, on whatever page; ``is_look``: the page shows it."""
    saving.computed(decided(of)[0], lambda times: decided(of, times)[1], is_look=is_look)


def shown(of: Case | Votes) -> RecordedVerdict | None:
    """Write down that the verdict of what is open is shown, and return it; None where it is not on record."""
    return saving.record(*decided(of, saving.times()))


def candidates() -> Candidates:
    """Return all candidates of the group that is open."""
    found = _candidates(cases(), session.now().policy, saving.times().candidates)
    return replace(found, set_aside=(*session.now().set_aside, *found.set_aside))


def cases() -> tuple[Case, ...]:
    """Return the comparisons of the candidates that are open together."""
    return tuple(pair.case for pair in session.now().pairs if pair.case is not None)


@cached(_GROUPS)
def _candidates(cases: tuple[Case, ...], policy: Policy, tried: int) -> Candidates:
    def pair(a: int, b: int) -> Comparison:
        if not a:
            return meaningful(_opened(cases[b - 1], policy).comparison)
        case = replace(cases[b - 1], runs=(cases[a - 1].b, cases[b - 1].b))
        return meaningful(compared(case, policy, rankings=ranked))

    def decided(comparisons: Sequence[Comparison], _: object) -> list[Verdict]:
        return [decide(comparison, candidates=max(tried, len(comparisons))) for comparison in comparisons]

    if not edited_apart(cases):
        return candidates_of(len(cases), pair, decided)
    # The lists or grades of two candidates differ by more than what their files hold.
    return replace(candidates_of(len(cases), lambda a, b: pair(0, b), decided), lead=None)


def grades_of_all(case: Case) -> tuple[Edit, ...]:
    """Return the edits of a case that every candidate of a group shares: grades, but those of the list of B alone."""
    return tuple(edit for edit in case.edits if edit.what == "grade" and edit.side != "b")


def edited_apart(among: Sequence[Case]) -> list[str]:
    """Return the names of the candidates that are compared on other lists or grades than the others."""
    shared = max(map(grades_of_all, among), key=len, default=())
    return [case.b.name for case in among if set(case.edits) != set(shared)]


@cached(COMPARISONS)
def _decided(case: Case, policy: Policy, times: tuple[int, int]) -> Verdict:
    return decide(_opened(case, policy).comparison, *times)


def _tops(comparison: Comparison, changes: Changes) -> dict[int, tuple[ShownDocument | None, ShownDocument | None]]:
    places: Ints = np.concatenate(changes.largest())
    query = changes.query[places]
    both = zip(top_documents(comparison, "a", query), top_documents(comparison, "b", query), strict=True)
    return dict(zip(places.tolist(), both, strict=True))


def ranked(case: Case, policy: Policy) -> Rankings:
    """Return both runs in order, with edits applied."""
    order = STANDARD
    if case.edits:  # only applying edits depends on the order of equal scores
        order = order.with_axes({"ties": policy.scoring.ties, "score_type": policy.scoring.score_type})
    queries = case.queries if case.items is not None else None  # rankings depend on when they were asked, at most
    bare = Case((case.a, case.b), case.judgments, items=case.items, queries=queries, edits=case.edits)
    return _joined(bare, order, view_depth(policy.cutoff))


@cached(COMPARISONS)
def _joined(case: Case, order: Convention, depth: int) -> Rankings:
    """Return the runs of a case that holds nothing but what rankings depend on. ``order`` is how equal scores stood
    when the edits were applied.
    """
    a, b, judgments = case.a, case.b, case.judgments
    if case.edits:
        after = apply(case.edits, a, b, judgments, order)
        joined = join(after.a, after.b, after.judgments, depth=depth, items=case.items, queries=case.queries)
        if judgments is not None and after.a is a and after.b is b:
            regraded(joined, _joined(replace(case, edits=()), STANDARD, depth), {edit.query_id for edit in case.edits})
        return joined
    return join_each((a, b), judgments, depth=depth, items=case.items, queries=case.queries, one=_ordered)(0, 1)


@cached(COMPARISONS)
def _ordered(run: Run, judgments: Judgments, depth: int, items: Items | None, queries: Queries | None) -> RunRankings:
    """Return a run in order: once, also where it is compared with several others, or exchanged with one."""
    return RunRankings(run, _pool(judgments, items, queries), depth)


@cached(COMPARISONS)
def _pool(judgments: Judgments, items: Items | None, queries: Queries | None) -> Pool:
    return pooled(judgments).knowing(judgments, items, queries)
