"""Lists -> the per-query table: each column computed when it is first read, with all columns of its part.

A comparison and its verdict read most parts, not all: the order of ties only where there are ties, whole lists only
where no first k differ, overlap and RBO never. What a page does not ask for costs nothing; ``PerQuery.to_arrow`` asks
for everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from rankdash.comparison.documents import ShownDocuments, shown_documents
from rankdash.comparison.rankings import Rankings
from rankdash.comparison.tie_bounds import scores_at_tie_end, tied_places
from rankdash.conventions import Convention
from rankdash.evidence.documents.decomposition import PARTS, decompose
from rankdash.evidence.documents.worklist import label_bounds
from rankdash.judged import SIDES, Order, RankedRun, list_pair, same_tops
from rankdash.metrics import Lists, Measure, compare_lists, parse_measure
from rankdash.metrics.similarity import RBO_DEPTH
from rankdash.policy import Policy
from rankdash.records.lazy import cached_property
from rankdash.scored import Noticed, Outside, PerQuery, Scope, ScoredInputs, ScoredRun
from rankdash.scored.aliases import Array
from rankdash.scored.scope import Neighbour
from rankdash.scored.settings import asked_by, with_settings
from rankdash.scored.table import Floats

Arrays = Mapping[str, Array]


def score_queries(
    rankings: Rankings,
    policy: Policy,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    without: tuple[str, ...] = (),
    neighbours: bool = False,
    known: PerQuery | None = None,
) -> PerQuery:
    """Return the per-query table of two runs, for everything that a policy asks for and further measures.

    ``without`` names parts of the table that are not wanted: their columns do not exist. With ``neighbours`` it also
    has what the outcome under the settings beside the policy takes, so that these can be asked without the lists.
    Each row depends on its query alone: tables of blocks of queries, concatenated, equal the table of all queries, if
    ``join`` was given the grades of all judgments. Where fewer first ranks are kept by row than the policy's cutoff,
    the runs are put in order again. ``known`` is a table of the same lists that was scored before, whole or in part:
    its columns are not computed again, and the runs are put in order only for what it lacks; one that was scored for
    anything else, or has other queries, is not used. MeasureError for a measure that does not exist, or a grade that it
    does not take.
    """
    rankings = rankings.reaching(policy.cutoff)
    grades, query_ids = rankings.pool.grades, rankings.pool.query_ids
    asked = replace(asked_by(policy, measures, grades, apart=rankings.apart), without=without)
    asked = with_settings(asked, policy) if neighbours else asked
    if known is None or known.asked != asked or known.query_ids.to_pylist() != query_ids.to_pylist():
        lists = ScoredLists(rankings, asked)
        beside = lists.outside, lists.noticed
    else:
        lists = ScoredLists(rankings, asked, {name: known[name] for name in known.at_hand})
        beside = known.outside, known.noticed
    return PerQuery(asked, query_ids, beside[0], lists, beside[1], inputs_of(rankings, policy))


def without_further(scored: PerQuery) -> PerQuery:
    """Return what is at hand of a table for the policy alone, without further measures and neighbouring settings."""
    asked = scored.asked
    own = replace(asked, measures=asked.measures[: len(asked.decisive)], alike=(), without=(), neighbours=None)
    return replace(scored, asked=own)


def inputs_of(rankings: Rankings, policy: Policy) -> ScoredInputs:
    """Return the names and sources of what a table is scored from."""
    a, b = (ScoredRun(run.name, run.ordered_by, run.source) for run in (rankings.a, rankings.b))
    return ScoredInputs(a, b, rankings.judgments.source, policy=policy)


@dataclass(frozen=True)
class ScoredLists:
    """The columns of a per-query table, each computed from the rankings when it is asked for. Axis q."""

    rankings: Rankings
    asked: Scope
    known: Arrays = field(default_factory=dict)  # columns that were computed before, of the same lists
    elsewhere: Collection[str] = ()  # columns that are others of a table which these are a part of
    _latest: dict[str, ScoredLists] = field(default_factory=dict, init=False, repr=False, compare=False)

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError for a column that does not exist."""
        name = self.asked.aliases.get(name, name)
        if name in self.known:
            return self.known[name]
        if name in self.asked.beside:
            one, column = self.asked.beside[name]
            return self._of_neighbour(one).column(column)
        if name not in self.asked.parts:
            raise KeyError(f"{name!r} was left out of this per-query table, or never asked for")
        part: Arrays = getattr(self, f"_{self.asked.parts[name]}")
        return part[name]

    def _of_neighbour(self, one: Neighbour) -> ScoredLists:
        """Return the same lists, asked other things. Those of one neighbour are kept at a time: their documents take
        more memory than all columns, and neighbours are asked for one after the other.
        """
        found = self._latest.get(one.name)
        if found is None:
            reaching = self.rankings.reaching(one.asked.cutoff)
            aliases = frozenset(column for name, column in one.columns.items() if name in self.asked.aliases)
            found = ScoredLists(reaching, one.asked, elsewhere=aliases)
            self._latest.clear()
            self._latest[one.name] = found
        return found

    @property
    def at_hand(self) -> Collection[str]:
        """The names of the columns that were computed already."""
        there = tuple(vars(self))  # of a cached property, as soon as it was computed
        own = replace(self.asked, neighbours=None).parts
        return {*self.known, *(name for name, part in own.items() if f"_{part}" in there)}

    @property
    def order(self) -> Order:
        """How equal scores are ordered under the convention."""
        return Order.of(self.asked.convention)

    @property
    def both(self) -> tuple[RankedRun, RankedRun]:
        """Both runs in order."""
        return self.rankings.both(self.order)

    @cached_property
    def outside(self) -> Outside:
        """Return counts over the lists of queries without judgments: those of all lists minus the judged ones."""
        named = (("duplicates", "duplicates"), ("tied_rows", "tied_rows"), ("by_rank", "by_rank_instead"))
        a, b = (
            [getattr(run.findings, total) - int(getattr(run, name).sum()) for name, total in named] for run in self.both
        )
        return Outside(*zip(a, b, strict=True))

    @cached_property
    def noticed(self) -> Noticed:
        """Return what was noticed in all lists, and in the judgments."""
        pool, (a, b) = self.rankings.pool, self.both
        first = pool.conflicts[0] if pool.conflicts else None
        return Noticed(a.findings, b.findings, pool.repeated, pool.conflict_count, first)

    @cached_property
    def documents(self) -> ShownDocuments:
        """Return the documents in the first k of A or B."""
        return shown_documents(self.rankings, self.asked.convention, self.asked.cutoff)

    @cached_property
    def _lists(self) -> Arrays:
        pool = self.rankings.pool
        queries = {"judgments": pool.query, "contradictions": pool.contradicted}
        columns = {name: np.bincount(query, minlength=pool.queries) for name, query in queries.items()}
        for side, run in zip(SIDES, self.both, strict=True):
            columns |= {
                f"length_{side}": run.lists.length,
                f"hits_{side}": np.bincount(run.lists.query, minlength=pool.queries),
                f"relevant_{side}": Lists(run.lists, self.asked.convention).judged_relevant,
                **{f"{name}_{side}": getattr(run, name) for name in ("duplicates", "tied_rows", "by_rank")},
            }
        return columns

    @cached_property
    def _top(self) -> Arrays:
        """Return what the first k show."""
        a, b = self.both
        judged = parse_measure(f"Judged@{self.asked.cutoff}", self.asked.convention)
        shares = {f"judged_{side}": self.rankings.scores(side, (judged,))[0] for side in SIDES}
        return {"changed": ~same_tops(self.rankings.a, a, self.rankings.b, b, self.asked.cutoff), **shares}

    @cached_property
    def _ties(self) -> Arrays:
        places = {side: tied_places(self.rankings, side, self.order, self.asked.cutoff) for side in SIDES}
        return {f"tied_{side}": tied.sum(axis=1) for side, tied in places.items()}

    @cached_property
    def _identical(self) -> Arrays:
        a, b = self.both
        among = ~self.column("changed") & (a.lists.length == b.lists.length)
        return {"identical": self.rankings.identical(self.order, among)}

    @cached_property
    def _graded(self) -> Arrays:
        """How near each list comes to the judgments, ordered by grade."""
        columns: dict[str, Array] = {}
        for side, run in zip(SIDES, self.both, strict=True):
            lists = run.lists
            grade, query, queries = lists.relevance, lists.query, lists.queries
            beside = query[1:] == query[:-1]
            rises, differs = beside & (grade[1:] > grade[:-1]), beside & (grade[1:] != grade[:-1])
            columns |= {
                f"graded_{side}": np.bincount(query[grade >= 0], minlength=queries),
                f"in_grade_order_{side}": np.bincount(query[1:][rises], minlength=queries) == 0,
                f"two_grades_{side}": np.bincount(query[1:][differs], minlength=queries) > 0,
            }
        return columns

    @cached_property
    def _documents(self) -> Arrays:
        shown = self.documents
        unjudged = shown.documents.query[~shown.documents.judged]
        return {"unjudged_shown": np.bincount(unjudged, minlength=len(shown.ideal)), "ideal": shown.ideal}

    @cached_property
    def _parts(self) -> Arrays:
        shown = self.documents
        if not self.asked.is_sum:
            return dict.fromkeys(PARTS, np.full(len(shown.ideal), np.nan))
        parts = decompose(shown.documents, shown.ideal, shown.k).parts
        return {name: parts[:, at] for at, name in enumerate(PARTS)}

    @cached_property
    def _bounds(self) -> Arrays:
        shown, label_gains = self.documents, self.asked.label_gains
        if label_gains is None or not self.asked.is_sum:
            nothing = np.full(len(shown.ideal), np.nan)
            return {"least": nothing, "most": nothing, "may_not_count": np.ones(len(nothing), bool)}
        best, worst = label_gains
        nothing = without_ideal(self.asked.convention, *(run.lists.length for run in self.both))
        found = label_bounds(shown.documents, shown.ideal_gains, shown.k, best=best, worst=worst, nothing=nothing)
        return {"least": found.least, "most": found.most, "may_not_count": found.may_not_count}

    @cached_property
    def _alike(self) -> Arrays:
        """How alike the lists are; nobody can say where A and B name no documents that they could share."""
        k, convention = self.asked.cutoff, self.asked.convention
        if self.asked.apart:
            return dict.fromkeys(("overlap", "rbo"), np.full(self.rankings.pool.queries, np.nan))
        pair = self.rankings.shared((self.order, self.order), max(k, RBO_DEPTH))
        overlap, rbo = compare_lists(pair, [parse_measure(name, convention) for name in (f"overlap@{k}", "RBO")])
        return {"overlap": overlap, "rbo": rbo}

    @cached_property
    def _plain(self) -> Arrays:
        return self._scored("plain")

    @cached_property
    def _condensed(self) -> Arrays:
        return self._scored("condensed")

    @cached_property
    def _next_grade(self) -> Arrays:
        return self._scored("next_grade")

    @cached_property
    def _explained(self) -> Arrays:
        return self._scored("explained")

    @cached_property
    def _tie_ends(self) -> Arrays:
        ends: dict[str, Array] = {}
        for side in SIDES:
            for reading, best in (("best_of_ties", True), ("worst_of_ties", False)):
                values = scores_at_tie_end(self.rankings, side, self.asked.of(reading), best=best)
                ends |= dict(zip(self.asked.value_columns(reading, side), values, strict=True))
        return ends

    @cached_property
    def _alike_asked(self) -> Arrays:
        measures = self.asked.alike
        if not measures:
            return {}
        order = Order.of(measures[0].convention)
        pair = list_pair(self.rankings.a, self.rankings.b, self.rankings.pool.query_ids, order)
        values = compare_lists(pair, measures)
        if self.asked.apart:
            values = np.full_like(values, np.nan)
        return dict(zip(self.asked.value_columns("alike"), values, strict=True))

    def _scored(self, reading: str) -> Arrays:
        """Return the values of a reading, column by column."""
        columns: dict[str, Array] = {}
        for side in SIDES:
            measures = dict(zip(self.asked.value_columns(reading, side), self.asked.of(reading), strict=True))
            own = [name for name in measures if name not in self.elsewhere and name not in self.asked.aliases]
            values = self.rankings.scores(side, tuple(measures[name] for name in own))
            columns |= dict(zip(own, values, strict=True))
        return columns


def without_ideal(convention: Convention, length_a: Array, length_b: Array) -> Floats:
    """Return the difference of a query while nothing is relevant, (q,): 0 for a run that lacks the query, else the
    convention's value; NaN where it is undefined.
    """
    instead = np.nan if convention.no_relevant == "skip" else float(convention.no_relevant)
    a, b = (np.where(length > 0, instead, 0.0) for length in (length_a, length_b))
    difference: Floats = b - a
    return difference
