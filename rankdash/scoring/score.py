"""Lists -> the per-query table: each column computed when it is first read, with all columns of its part.

A comparison and its verdict read most parts, not all: the order of ties only where there are ties, whole lists only
where no first k differ, overlap and RBO never. A column that nobody reads costs nothing; ``PerQuery.to_arrow`` reads
all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from rankdash.conventions import Convention
from rankdash.evidence.documents import PARTS, decompose, label_bounds
from rankdash.judged import SIDES, Order, RankedRun, list_pair, same_lists, same_tops
from rankdash.metrics import Catalogue, Lists, Measure, compare_lists, parse_measure
from rankdash.metrics.similarity import RBO_DEPTH
from rankdash.mistakes import Input, Mistake, judged_elsewhere, mistakes
from rankdash.policy import Policy
from rankdash.records import cached_property, field, frozen, remembered, replace
from rankdash.scoring.rankings import (
    ComparisonError,
    Rankings,
    ShownDocuments,
    join,
    scores_at_tie_end,
    shown_documents,
    tied_places,
)
from rankdash.scoring.table import (
    Array,
    Floats,
    Neighbour,
    Noticed,
    PerQuery,
    Scope,
    ScoredInputs,
    ScoredRun,
    scope_of,
    with_settings,
)
from rankdash.tables import Items, Judgments, Run, with_distinct_names

Arrays = Mapping[str, Array]
#: The parts that are the values of a reading, of both sides.
_SCORED = ("plain", "condensed", "next_grade", "explained")


def score_queries(
    rankings: Rankings,
    policy: Policy,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    without: tuple[str, ...] = (),
    neighbours: bool = False,
) -> PerQuery:
    """Return the per-query table of two runs, for everything that a policy asks for and further measures.

    ``without`` names parts of the table that are left out: their columns do not exist. With ``neighbours`` the table
    also has the columns from which the outcome under the settings beside the policy follows, without the lists. Each
    row depends on its query alone. Where fewer first ranks are kept by row than the policy's cutoff,
    the runs are put in order again. MeasureError for a measure that does not exist, or a grade that it does not take.
    """
    rankings = rankings.reaching(policy.cutoff)
    pool = rankings.pool
    scope = replace(scope_of(policy, measures, pool.grades, apart=rankings.apart), without=without)
    lists = ScoredLists(rankings, with_settings(scope, policy) if neighbours else scope)
    return PerQuery(lists.scope, pool.query_ids, lists, lists.noticed, inputs_of(lists, policy))


def inputs_of(lists: ScoredLists, policy: Policy) -> ScoredInputs:
    """Return the names and sources of what a table is scored from, and what a table of items says of the lists."""
    rankings, known = lists.rankings, lists.rankings.pool.known
    a, b = (ScoredRun(run.name, run.ordered_by, run.source) for run in with_distinct_names(rankings.a, rankings.b))
    inputs = ScoredInputs(a, b, rankings.judgments.source, policy=policy)
    if known is None:
        return inputs
    first_k_a, first_k_b = (Catalogue.of(run.lists, policy.cutoff) for run in lists.both)
    return replace(inputs, catalogue=(first_k_a, first_k_b), undated=known.undated)


@frozen
class ScoredLists(Mapping[str, Array]):
    """The columns of a per-query table, each computed from the rankings when it is first read. Axis q."""

    rankings: Rankings
    scope: Scope
    _made: dict[str, Arrays] = field(default_factory=dict, init=False, repr=False, compare=False)  # by part
    _latest: dict[str, ScoredLists] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __iter__(self) -> Iterator[str]:
        return iter(self.scope.parts)

    def __len__(self) -> int:
        return len(self.scope.parts)

    def __getitem__(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError for a column that does not exist."""
        if name in self.scope.beside:
            neighbour, column = self.scope.beside[name]
            return self._of_neighbour(neighbour)[column]
        part = self.scope.parts[name]
        if part not in self._made:
            self._made[part] = self._scored(part) if part in _SCORED else getattr(self, f"_{part}")()
        return self._made[part][name]

    def _of_neighbour(self, neighbour: Neighbour) -> ScoredLists:
        """Return the same lists under a neighbour's scope. They are kept for the latest neighbour only: their documents
        take more memory than all columns, and neighbours are read one after the other.
        """
        lists = self._latest.get(neighbour.name)
        if lists is None:
            reaching = self.rankings.reaching(neighbour.asked.cutoff)
            lists = ScoredLists(reaching, neighbour.asked)
            self._latest.clear()
            self._latest[neighbour.name] = lists
        return lists

    @property
    def order(self) -> Order:
        """How equal scores are ordered under the convention."""
        return Order.of(self.scope.convention)

    @property
    def both(self) -> tuple[RankedRun, RankedRun]:
        """Both runs in order."""
        return self.rankings.both(self.order)

    @cached_property
    def noticed(self) -> Noticed:
        """Return what was noticed in all lists, and in the judgments."""
        pool, (a, b) = self.rankings.pool, self.both
        return Noticed(a.findings, b.findings, pool.repeated, pool.conflict_count, pool.conflict)

    @cached_property
    def documents(self) -> ShownDocuments:
        """Return the documents in the first k of A or B."""
        return shown_documents(self.rankings, self.scope.convention, self.scope.cutoff)

    def _lists(self) -> Arrays:
        pool = self.rankings.pool
        columns = {"judgments": np.bincount(pool.query, minlength=pool.queries)}
        for side, run in zip(SIDES, self.both, strict=True):
            columns |= {
                f"length_{side}": run.lists.length,
                f"hits_{side}": np.bincount(run.lists.query, minlength=pool.queries),
                f"relevant_{side}": Lists(run.lists, self.scope.convention).judged_relevant,
                f"tied_rows_{side}": run.tied_rows,
            }
        return columns

    def _top(self) -> Arrays:
        """Return whether the first k changed, and how much of them is judged."""
        a, b = self.both
        judged = parse_measure(f"Judged@{self.scope.cutoff}", self.scope.convention)
        shares = {f"judged_{side}": self.rankings.scores(side, (judged,))[0] for side in SIDES}
        return {"changed": ~same_tops(self.rankings.a, a, self.rankings.b, b, self.scope.cutoff), **shares}

    def _ties(self) -> Arrays:
        places = {side: tied_places(self.rankings, side, self.order, self.scope.cutoff) for side in SIDES}
        return {f"tied_{side}": tied.sum(axis=1) for side, tied in places.items()}

    def _identical(self) -> Arrays:
        a, b = self.both
        alike = ~self["changed"] & (a.lists.length == b.lists.length) & (a.list_print == b.list_print)
        lists = self.rankings
        return {"identical": same_lists(lists.a, lists.b, lists.pool, self.order, alike) if lists.is_whole else alike}

    def _graded(self) -> Arrays:
        """How near each list comes to the judgments, ordered by grade."""
        near = zip(SIDES, map(_near_grades, self.both), strict=True)
        return {f"{name}_{side}": own for side, columns in near for name, own in columns.items()}

    def _documents(self) -> Arrays:
        shown = self.documents
        unjudged = shown.documents.query[~shown.documents.judged]
        return {"unjudged_shown": np.bincount(unjudged, minlength=len(shown.ideal)), "ideal": shown.ideal}

    def _parts(self) -> Arrays:
        shown = self.documents
        if not self.scope.is_sum:
            return dict.fromkeys(PARTS, np.full(len(shown.ideal), np.nan))
        parts = decompose(shown.documents, shown.ideal, shown.k).parts
        return {name: parts[:, at] for at, name in enumerate(PARTS)}

    def _bounds(self) -> Arrays:
        shown, label_gains = self.documents, self.scope.label_gains
        if label_gains is None or not self.scope.is_sum:
            nothing = np.full(len(shown.ideal), np.nan)
            return {"least": nothing, "most": nothing, "may_not_count": np.ones(len(nothing), bool)}
        best, _ = label_gains
        nothing = without_ideal(self.scope.convention, *(run.lists.length for run in self.both))
        # Without a label a document gains 0: so it must at worst, or the difference as counted could lie outside.
        bounds = label_bounds(shown.documents, shown.ideal_gains, shown.k, best=best, worst=0.0, nothing=nothing)
        return {"least": bounds.least, "most": bounds.most, "may_not_count": bounds.may_not_count}

    def _alike(self) -> Arrays:
        """How alike the lists are; NaN where A and B have no documents that they could share."""
        k, convention = self.scope.cutoff, self.scope.convention
        if self.scope.apart:
            return dict.fromkeys(("overlap", "rbo"), np.full(self.rankings.pool.queries, np.nan))
        pair = self.rankings.shared((self.order, self.order), max(k, RBO_DEPTH))
        overlap, rbo = compare_lists(pair, [parse_measure(name, convention) for name in (f"overlap@{k}", "RBO")])
        return {"overlap": overlap, "rbo": rbo}

    def _tie_ends(self) -> Arrays:
        ends: dict[str, Array] = {}
        for side in SIDES:
            for reading, best in (("best_of_ties", True), ("worst_of_ties", False)):
                values = scores_at_tie_end(self.rankings, side, self.scope.of(reading), best=best)
                ends |= dict(zip(self.scope.value_columns(reading, side), values, strict=True))
        return ends

    def _alike_asked(self) -> Arrays:
        measures = self.scope.alike
        if not measures:
            return {}
        order = Order.of(measures[0].convention)
        pair = list_pair(self.rankings.a, self.rankings.b, self.rankings.pool.query_ids, order)
        values = compare_lists(pair, measures)
        if self.scope.apart:
            values = np.full_like(values, np.nan)
        return dict(zip(self.scope.value_columns("alike"), values, strict=True))

    def _scored(self, reading: str) -> Arrays:
        """Return the values of a reading, column by column."""
        columns: dict[str, Array] = {}
        for side in SIDES:
            values = self.rankings.scores(side, self.scope.of(reading))
            columns |= dict(zip(self.scope.value_columns(reading, side), values, strict=True))
        return columns


def without_ideal(convention: Convention, length_a: Array, length_b: Array) -> Floats:
    """Return the difference of each query if nothing is relevant, (q,); NaN where it is undefined. A run has the
    convention's value for such a query, and 0 where it lacks the query.
    """
    instead = np.nan if convention.no_relevant == "skip" else float(convention.no_relevant)
    a, b = (np.where(length > 0, instead, 0.0) for length in (length_a, length_b))
    difference: Floats = b - a
    return difference


#: What no verdict, JSON or per-query CSV reads: how alike the lists are.
UNREAD = ("alike",)


def orders_of(scope: Scope) -> set[Order]:
    """Return every order of equal scores in which the columns of a scope are computed."""
    scopes = (scope, *(neighbour.asked for neighbour, _ in scope.beside.values()))
    measures = (measure for one in scopes for reading in _SCORED for measure in one.of(reading))
    return {Order.of(convention) for convention in (scope.convention, *(one.convention for one in measures))}


def scored_in_memory(
    a: Run,
    b: Run,
    judgments: Judgments | None,
    policy: Policy,
    measures: tuple[str | Measure, ...] = (),
    *,
    items: Items | None = None,
) -> PerQuery:
    """Return the per-query table of two runs, computed as far as a verdict and its report read it.

    Errors as for ``compare``, and ComparisonError where there are no judgments.
    """
    rankings = join(a, b, judgments, depth=2 * policy.cutoff + 1, items=items)
    if not len(rankings.pool.row):
        raise ComparisonError(f"There are no judgments of {a.name} and {b.name}, so no query can be scored.")
    return scored_from(rankings, policy, measures)


def scored_from(rankings: Rankings, policy: Policy, measures: tuple[str | Measure, ...]) -> PerQuery:
    """Return the same table of two runs in order, of which ``2 * policy.cutoff + 1`` first ranks are kept."""
    scored = score_queries(rankings, policy, measures, without=UNREAD, neighbours=True)
    assert scored.inputs is not None
    return replace(scored.computed(), inputs=replace(scored.inputs, wrong=wrong_between(rankings, scored)))


def wrong_between(rankings: Rankings, scored: PerQuery) -> tuple[Mistake, ...]:
    """Return what is wrong between two runs and the judgments, though each of them could be read."""
    hits, lengths = scored.pair("hits"), scored.pair("length")
    a, b = (int(judged.sum()) / max(int(shown.sum()), 1) for judged, shown in zip(hits, lengths, strict=True))
    judged_share: Mapping[Input, float] = {"a": a, "b": b}
    judgments = rankings.judgments if len(rankings.judgments.table) else None
    room, runs = np.minimum(scored["judgments"], np.minimum(*lengths)), (rankings.a, rankings.b)
    of_queries = judged_elsewhere(runs, rankings.judgments, scored.query_ids, np.maximum(*hits), room)
    found = (*mistakes(rankings.a, rankings.b, judgments, judged_share=judged_share), *of_queries)
    return tuple(replace(mistake, problem=None, as_numbers=False) for mistake in found)


@remembered  # the settings beside a policy read the same lists
def _near_grades(run: RankedRun) -> Arrays:
    """Return of each list how many documents are judged, whether no grade is above the one before it, and whether there
    are two grades, (q,) each.
    """
    grade, query, queries = run.lists.relevance, run.lists.query, run.lists.queries
    beside = query[1:] == query[:-1]
    rises, differs = beside & (grade[1:] > grade[:-1]), beside & (grade[1:] != grade[:-1])
    return {
        "graded": np.bincount(query[grade >= 0], minlength=queries),
        "in_grade_order": np.bincount(query[1:][rises], minlength=queries) == 0,
        "two_grades": np.bincount(query[1:][differs], minlength=queries) > 0,
    }
