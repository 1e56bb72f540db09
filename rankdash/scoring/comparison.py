"""The record of a comparison: every number that a page, a report or a rule shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import Convention
from rankdash.evidence.documents import PARTS, LabelBounds, Worklist, disagreements, in_top, worklist
from rankdash.evidence.gsb import Gsb
from rankdash.evidence.paired import deltas
from rankdash.judged import Order, Side
from rankdash.metrics import Catalogue, Measure, NotComputed, mean, parse_measure, parse_measures
from rankdash.policy import Policy
from rankdash.records import Shown, as_figure, cached_property, frame, frozen
from rankdash.scoring.queries import Facts
from rankdash.scoring.rankings import ComparisonError, Rankings, ShownDocuments, has_tie_ends, order_of_ids
from rankdash.scoring.results import QuerySample, Result, Weighed, WeighedNumbers, weigh
from rankdash.scoring.score import ScoredLists, without_ideal
from rankdash.scoring.table import UNNAMED, PerQuery, ScoredInputs
from rankdash.tables import Items, Queries, Run, Votes

if TYPE_CHECKING:
    import pandas as pd

    from rankdash.evidence.experts import Expertise

Floats = npt.NDArray[np.float64]


@frozen
class Turnover:
    """What changed from A to B in the first k of all queries: queries with another list, documents that entered, left,
    and moved, and the means of overlap@k and RBO, None where no query has them.
    """

    changed: int
    queries: int
    entered: int
    left: int
    moved: int
    overlap: float | None
    rbo: float | None


@frozen
class Explained:
    """The difference of nDCG@k under a convention, k the policy's cutoff. Axis q: the judged queries."""

    scored: PerQuery
    sample: QuerySample
    unjudged_count: bool  # a document without a judgment may be relevant, and a label would tell

    @property
    def measure(self) -> Measure:
        """nDCG@k as the convention computes it."""
        return self.scored.scope.explained

    @cached_property
    def deltas(self) -> Floats:
        """nDCG@k of B minus nDCG@k of A, (q,); NaN where one of them is undefined."""
        return deltas(self.scored.values("explained", "a")[0], self.scored.values("explained", "b")[0])

    @cached_property
    def weights(self) -> Floats:
        """How much each query counts in the mean, (q,); 0 where it does not."""
        return self.sample.weights_where(~np.isnan(self.deltas))

    @cached_property
    def is_sum(self) -> bool:
        """Whether nDCG@k is a sum of what documents add by their grades and ranks, with the same ideal for A and B.

        It is not where each list is its own ideal, the ideal is not cut, documents with equal scores share their gain,
        or unjudged documents are left out before ranks are counted.
        """
        scope = self.scored.scope
        noticed = self.scored.noticed
        tied = noticed.findings_a.tied_rows or noticed.findings_b.tied_rows
        return scope.is_sum and not (tied and scope.convention.ties == "average")

    @cached_property
    def parts(self) -> Mapping[str, Floats] | None:
        """Return the parts of the difference of each query, (q,) each; None where it is not a sum over documents.

        None also where a query without relevant documents has a difference, as under conventions that give such a query
        1 and a run that lacks it 0: no document explains that.
        """
        without = (self.weights > 0) & (self.scored["ideal"] <= 0) & (self.deltas != 0)
        return None if without.any() or not self.is_sum else {name: self.scored[name] for name in PARTS}

    @property
    def waterfall(self) -> dict[str, float] | None:
        """The mean of each part over the queries that count; None where there are no parts, or no such query."""
        if self.parts is None or not self.weights.any():
            return None
        return {name: float(np.average(values, weights=self.weights)) for name, values in self.parts.items()}

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """The smallest and largest mean difference over all ways to give the unjudged documents the best grade or 0;
        None where labels do not count, or no query does.
        """
        if not self._labels_count:
            return None
        bounds = LabelBounds(*(self.scored[name] for name in ("least", "most", "may_not_count")))
        return bounds.means(self._weights_with_labels)

    def worklist(self, lists: ScoredLists) -> Worklist | None:
        """Return the unjudged documents of the queries that count, or would with a label, by how far one label could
        move the mean, then by ids.

        None where labels do not count. Its rows are those of ``lists.documents``.
        """
        label_gains = self.scored.scope.label_gains
        if label_gains is None or not self._labels_count:
            return None
        shown, (best, worst) = lists.documents, label_gains
        return worklist(
            shown.documents,
            shown.ideal_gains,
            shown.k,
            best=best,
            worst=worst,
            weights=self._weights_with_labels,
            nothing=without_ideal(self.scored.scope.convention, *self.scored.pair("length")),
            order=order_of_ids(lists.rankings, shown),
        )

    @property
    def _labels_count(self) -> bool:
        return self.is_sum and self.unjudged_count and self.scored.scope.label_gains is not None

    @property
    def _weights_with_labels(self) -> Floats:
        """How much each query counts, (q,), also where only a label would give it a value."""
        return self.sample.weights_where(np.ones(len(self.deltas), bool))


Bools = npt.NDArray[np.bool_]


@frozen
class Likeness:
    """How alike the lists of A and B are, by one measure. It describes the change and judges nothing."""

    measure: str
    values: Floats  # (q,), NaN where a list is empty
    mean: float | None  # over the n queries where it is defined
    n: int


@frozen
class Plots:
    """The figures of a comparison, as the pages draw them: figures of Plotly, which the extra ``plots`` brings.

    Called, it is ``deltas``. ``measure`` is any name of a measure, None: the primary measure. ComparisonError where
    there is nothing to draw, or what is drawn needs the ranked lists and only scored queries are at hand;
    ModuleNotFoundError without Plotly.
    """

    of: Any

    def __call__(self, measure: str | Measure | None = None) -> Any:
        """Return ``deltas``."""
        return self.deltas(measure)

    def deltas(self, measure: str | Measure | None = None) -> Any:
        """Return one bar per query, from the largest loss to the largest gain; errors as for ``Comparison.result``."""
        return as_figure(self.of, "deltas", measure)

    def intervals(self) -> Any:
        """Return the difference of each measure with its 95% interval, and the gain required or the loss allowed."""
        return as_figure(self.of, "intervals")

    def why(self) -> Any:
        """Return the parts of the mean difference of nDCG at the policy's cutoff: what B dropped, gained and moved."""
        return as_figure(self.of, "why")

    def cutoffs(self, measure: str | Measure | None = None) -> Any:
        """Return the means of A and of B over the cutoff, for any measure that takes one."""
        return as_figure(self.of, "cutoffs", measure)

    def query(self, query_id: str, measure: str | Measure | None = None) -> Any:
        """Return both lists of a query side by side. MeasureError for a query without judgments."""
        return as_figure(self.of, "query", query_id, measure)


@frozen
class Comparison(Shown, arrow.ByContent, WeighedNumbers):
    """Model B against model A: every number that is shown or judged.

    ``measures`` are the policy's first, then those asked for; ``scores_a``, ``scores_b`` and ``deltas`` are
    (measures, q) with NaN where a value is undefined. ``sample`` marks the policy's population and weighs it.
    Everything is made of ``scored``; only ``joined``, ``shown`` and ``worklist`` speak of documents
    and need the lists that it was scored from. ComparisonError where these are not at hand.
    """

    scored: PerQuery
    policy: Policy
    convention: Convention
    measures: tuple[Measure, ...]
    scores_a: Floats
    scores_b: Floats
    deltas: Floats
    sample: QuerySample
    gsb_derived: Gsb  # of the deltas of the primary measure; explains, never votes
    facts: Facts
    likeness: tuple[Likeness, ...]  # measures of two lists, if requested
    experts: tuple[Expertise, ...] | None  # one per measure, if requested
    queries: Queries | None
    vote_rows: Votes | None
    items: Items | None = None
    candidates: int = 1  # models that were compared with this A on these judgments, this B included

    def _content(self) -> tuple[Any, ...]:
        """Return what everything else is computed from, and what was asked for beside it."""
        asked = self.likeness, self.experts, self.queries, self.vote_rows, self.items
        return self.scored, self.policy, self.convention, self.measures, self.candidates, *asked

    def __hash__(self) -> int:
        return hash((self.scored, self.policy, self.measures))

    def __repr__(self) -> str:
        paired = self.primary.paired
        means = "no value" if paired.mean_a is None else f"{paired.mean_a:.3f} -> {paired.mean_b:.3f}"
        over = f"{paired.n:,} {'query' if paired.n == 1 else 'queries'}, {len(self.measures)} measures"
        inputs = self.scored.inputs
        names = "" if inputs is None else f"{inputs.a.name!r} -> {inputs.b.name!r}: "
        return f"Comparison({names}{self.primary.measure} {means} over {over})"

    @property
    def lists(self) -> ScoredLists:
        """The lists that the per-query table was scored from. ComparisonError where the table alone is at hand."""
        if isinstance(self.scored.columns, ScoredLists):
            return self.scored.columns
        raise ComparisonError(
            "This comparison was made of saved per-query values, and what was asked for needs the ranked lists: "
            "compare the two runs again."
        )

    @property
    def has_lists(self) -> bool:
        """Whether the lists are at hand, and not the per-query table alone."""
        return isinstance(self.scored.columns, ScoredLists)

    @property
    def joined(self) -> Rankings:
        """Both runs in order against the judgments. ComparisonError as for ``lists``."""
        return self.lists.rankings

    @property
    def shown(self) -> ShownDocuments:
        """The documents in the first k of A or B, k the policy's cutoff. ComparisonError as for ``lists``."""
        return self.lists.documents

    @property
    def is_judged(self) -> bool:
        """Whether there are judgments: without them there is what changed, and no value of a measure."""
        return bool(self.scored.scope.grades)

    @cached_property
    def turnover(self) -> Turnover:
        """What changed in the first k, k the policy's cutoff. ComparisonError for a table without lists."""
        shown = self.shown
        a, b = (in_top(rank, shown.k) for rank in (shown.documents.rank_a, shown.documents.rank_b))
        moved = a & b & (shown.documents.rank_a != shown.documents.rank_b)
        alike = (mean(self.scored[name])[0] for name in ("overlap", "rbo"))
        of_documents = (int(there.sum()) for there in (b & ~a, a & ~b, moved))
        return Turnover(int(self.scored["changed"].sum()), len(self.scored), *of_documents, *alike)

    @property
    def catalogue(self) -> tuple[Catalogue, Catalogue] | None:
        """What the first k of A and of B show of the items, k the policy's cutoff; None without items."""
        return self.inputs.catalogue

    @property
    def a(self) -> Run:
        """The run of model A, the baseline."""
        return self.joined.a

    @property
    def b(self) -> Run:
        """The run of model B, the candidate."""
        return self.joined.b

    @property
    def inputs(self) -> ScoredInputs:
        """The names and sources of what was scored, also where the lists are not at hand."""
        return self.scored.inputs or UNNAMED

    @property
    def of_users(self) -> bool:
        """Whether queries are users and documents are items, as a file says."""
        return self.inputs.of_users

    @cached_property
    def query_ids(self) -> list[str]:
        """Return the ids of the judged queries, in order of appearance: axis q."""
        ids: list[str] = self.scored.query_ids.to_pylist()
        return ids

    @property
    def measure_names(self) -> list[str]:
        """The printed names of the measures."""
        return [measure.name for measure in self.measures]

    @property
    def order(self) -> Order:
        """How equal scores are ordered under the policy's convention."""
        return Order.of(self.convention)

    @property
    def policy_measures(self) -> tuple[Measure, ...]:
        """The measures that the rules read: primary, guardrails, watch."""
        return self.measures[: len(self.policy.measures)]

    @property
    def answered_by_both(self) -> Bools:
        """The queries for which both runs have a list, (q,)."""
        a, b = self.scored.pair("length")
        answered: Bools = (a > 0) & (b > 0)
        return answered

    @property
    def counted(self) -> Bools:
        """The queries of the policy's population, (q,)."""
        return self.sample.counted

    @property
    def results(self) -> tuple[Result, ...]:
        """One result per measure, in the order of ``measures``."""
        return self.plain.results

    @property
    def plot(self) -> Plots:
        """Its figures, by name."""
        return Plots(self)

    @property
    def primary(self) -> Result:
        """The measure that decides."""
        return self.results[0]

    def result(self, measure: str | Measure) -> Result:
        """Return the result of a measure, by any of its names: nDCG@10, ndcg_cut_10 or NDCG@10; AP, or MAP, its mean.

        NotComputed (a KeyError) where the comparison does not hold it; MeasureError for what is not a measure.
        """
        return self.results[self._place(measure)]

    def __getitem__(self, measure: str | Measure) -> Result:
        return self.result(measure)

    __iter__ = None  # what is found by name has no first, and is in no loop

    def to_pandas(self, measures: str | Measure | Iterable[str | Measure] | None = None) -> pd.DataFrame:
        """Return ``per_query``, or of it the rows of some measures, by any of their names. Errors as for ``result``."""
        if measures is None:
            return self.per_query
        names = [self.measure_names[self._place(measure)] for measure in parse_measures(measures, self.convention)]
        rows = self.per_query
        return rows[rows["measure"].isin(names)].reset_index(drop=True)

    def _place(self, measure: str | Measure) -> int:
        """Return where a measure stands among ``measures``."""
        if isinstance(measure, str) and measure in self.measure_names:
            return self.measure_names.index(measure)
        parsed = measure if isinstance(measure, Measure) else parse_measure(measure, self.convention)
        parsed = parsed.under(self.convention)
        if parsed in self.measures:
            return self.measures.index(parsed)
        raise NotComputed(
            f"{measure} was not computed. Computed: {', '.join(self.measure_names)}. "
            f"Ask for it with compare(..., measures=[{parsed.name!r}])."
        )

    @cached_property
    def explained(self) -> Explained:
        """nDCG@k query by query, k the policy's cutoff, over the queries that count."""
        return Explained(self.scored, self.sample, self.counts.kind == "judged")

    @cached_property
    def worklist(self) -> Worklist | None:
        """Unjudged documents by how much their labels could move the mean of nDCG@k; None where they do not count.
        Without judgments, by how far A and B disagree on them.

        Its rows are those of ``shown.documents``.
        """
        shown = self.shown
        if not self.is_judged:
            return disagreements(shown.documents, shown.k, order_of_ids(self.joined, shown))
        return self.explained.worklist(self.lists)

    @property
    def delta_bounds(self) -> tuple[float, float] | None:
        """The smallest and largest mean delta of nDCG@k with each unjudged document at grade 0 or at the highest grade
        of the judgments; None as above.
        """
        now = self.primary.paired.delta if self.primary_is_explained else None
        return _with(self.explained.bounds, now)

    @property
    def primary_is_explained(self) -> bool:
        """Whether the primary measure is the nDCG@k that parts, labels and bounds speak of."""
        return self.measures[0] == self.explained.measure

    @property
    def population_weights(self) -> Floats | None:
        """Return the weight of each query, (q,), 0 where it does not count or has no delta; None where none counts."""
        weights = self.sample.weights_where(~np.isnan(self.deltas[0]))
        return weights if weights.any() else None

    @cached_property
    def tied_share(self) -> float:
        """Return the share in [0, 1] of the first k places of A and B that hold a tied document; k is the cutoff."""
        counted, k = self.counted, self.policy.cutoff
        places = sum(int(np.minimum(length[counted], k).sum()) for length in self.scored.pair("length"))
        tied = sum(int(column[counted].sum()) for column in self.scored.pair("tied"))
        return tied / places if places else 0.0

    @property
    def has_ties(self) -> bool:
        """Whether some list of a query that counts has equal scores, in its first k or behind: AP reads all of it."""
        return any(bool(column[self.counted].any()) for column in self.scored.pair("tied_rows"))

    @cached_property
    def at_tie_ends(self) -> tuple[Weighed, Weighed]:
        """The policy's measures with A's groups of equal scores in their best order by grade and B's in the worst, and
        the reverse.
        """
        best, worst = "best_of_ties", "worst_of_ties"
        return self.weighed((best, worst), self.sample), self.weighed((worst, best), self.sample)

    @property
    def tie_bounds(self) -> tuple[float, float] | None:
        """The smallest and largest mean difference of the primary measure over orders of tied scores.

        None without a mean, and for a measure of which no order is known to be the best.
        """
        now = self.primary.paired.delta
        if now is None or not self.has_ties:
            return None if now is None else (now, now)
        low, high = (end.results[0].paired.delta for end in self.at_tie_ends)
        if low is None or high is None or not has_tie_ends(self.measures[0]):
            return None
        return _with((low, high), now)

    def weighed(self, reading: str | tuple[str, str], sample: QuerySample) -> Weighed:
        """Return the policy's measures under another reading of the lists, one for both or one each for A and B, or
        over other queries.
        """
        of_a, of_b = (reading, reading) if isinstance(reading, str) else reading
        a, b = values_of(self.scored, of_a, "a", self.policy), values_of(self.scored, of_b, "b", self.policy)
        return weigh(self.policy, self.policy_measures, a, b, sample)

    @property
    def per_query_table(self) -> pa.Table:
        """One row per measure and query with a value: query_id, measure, a, b, delta; null where undefined."""
        rows, columns = np.nonzero(~(np.isnan(self.scores_a) & np.isnan(self.scores_b)))
        names = arrow.from_strings(self.measure_names)
        values = [
            pa.chunked_array([_nullable(part[rows, columns])]) for part in (self.scores_a, self.scores_b, self.deltas)
        ]
        ids = self.scored.query_ids.take(arrow.from_numpy(columns.astype(np.int64)))
        measure = names.take(arrow.from_numpy(rows.astype(np.int64)))
        return pa.Table.from_arrays([ids, measure, *values], names=["query_id", "measure", "a", "b", "delta"])

    @property
    def per_query(self) -> pd.DataFrame:
        """One row per measure and query with a value: query_id, measure, a, b, delta; NaN where undefined."""
        return frame(self.per_query_table)

    @property
    def summary(self) -> pd.DataFrame:
        """One row per measure: its role, means, delta, interval, win / tie / loss; ``t_p`` of the paired t-test, and
        with ``experts`` those of the other tests.
        """
        rows = [summary_row(result) for result in self.results]
        if self.experts is not None:
            rows = [row | tests_row(of) for row, of in zip(rows, self.experts, strict=True)]
        return frame(rows)


def _with(ends: tuple[float, float] | None, now: float | None) -> tuple[float, float] | None:
    """Return two ends between which the number as counted lies to its last digit, which they were not rounded to."""
    return ends if ends is None or now is None else (min(ends[0], now), max(ends[1], now))


def values_of(scored: PerQuery, reading: str, side: Side, policy: Policy) -> tuple[Floats, ...]:
    """Return the policy's measures under a reading, (q,) each, from a table that has them."""
    return scored.rows(reading, side, [scored.scope.decisive.index(name) for name in policy.measures])


def summary_row(result: Result) -> dict[str, object]:
    """Return one measure's numbers by name, as in frames and JSON; None where undefined."""
    paired = result.paired
    return {
        "measure": result.measure,
        "role": result.role,
        "a": paired.mean_a,
        "b": paired.mean_b,
        "delta": paired.delta,
        "ci": None if paired.ci95 is None else list(paired.ci95),
        "level": 0.95,
        "n": paired.n,
        "groups": paired.clusters,
        "n_eff": paired.n_eff,
        "wins": paired.wins,
        "ties": paired.ties,
        "losses": paired.losses,
        "t_p": paired.t_p,
        "effect_size": paired.effect_size,
        "holm_p": result.holm_p,
        "mde80": paired.mde80,
    }


def tests_row(expertise: Expertise | None) -> dict[str, object]:
    """Return what is computed for experts only, of one measure by name; None without it."""
    if expertise is None:
        return dict.fromkeys(("permutation_p", "bca", "wilcoxon_p", "sign_p"))
    return {
        "permutation_p": expertise.permutation_p,
        "bca": None if expertise.bca95 is None else list(expertise.bca95),
        "wilcoxon_p": expertise.wilcoxon_p,
        "sign_p": expertise.sign_p,
    }


def _nullable(values: Floats) -> pa.Array:
    """Return an Arrow column with null where a value is undefined."""
    missing = np.isnan(values)
    bitmap = None if not missing.any() else pa.py_buffer(np.packbits(~missing, bitorder="little"))
    return pa.Array.from_buffers(pa.float64(), len(values), [bitmap, pa.py_buffer(np.ascontiguousarray(values))])
