"""compare(): the one call from tables to a Comparison, with every number that a page, a report or a rule shows.

Two steps, because the first is slow and the second is not: ``join`` puts both runs in order against the judgments;
``compare_joined`` scores them under a policy and weighs the difference. A changed cutoff, gain or convention needs
only the second.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import Convention
from rankdash.evidence.gsb import Gsb, gsb
from rankdash.evidence.judgment_kind import Ask, JudgmentKind, judgment_kind
from rankdash.evidence.multiple import holm
from rankdash.evidence.paired import DECIMALS, Paired, deltas, paired
from rankdash.judged import Order, Pool, RankedRun, inline_judgments, pooled, ranked
from rankdash.metrics import Lists, Measure, mean, parse_measure, parse_measures, score
from rankdash.policy import Policy
from rankdash.tables import Judgments, Run

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Side = Literal["a", "b"]


#: Differences up to this size count as "same" when good, same and bad are derived from deltas (Smucker et al. 2007).
DERIVED_TOLERANCE = 0.01
#: Rows from which it pays to put both runs in order at the same time.
PARALLEL_ROWS = 200_000


class ComparisonError(ValueError):
    """Two runs that cannot be compared at all: there is nothing that says which documents are relevant."""


@dataclass(frozen=True)
class Joined:
    """Two runs against one set of judgments, in order. Axis q: the queries of the judgments, in order of appearance.

    Rankings are made once per order of ties and kept. ``depth`` is how many first ranks are kept by row.
    """

    a: Run
    b: Run
    judgments: Judgments
    pool: Pool
    depth: int
    _ranked: dict[tuple[Side, Order], RankedRun] = field(default_factory=dict, repr=False, compare=False)

    def run(self, side: Side) -> Run:
        """The run of a side."""
        return self.a if side == "a" else self.b

    def lists(self, side: Side) -> int:
        """How many queries a run answers, judged or not."""
        return len(np.unique(arrow.codes(arrow.one_chunk(self.run(side).table.column("query_id")))))

    def ranked(self, side: Side, order: Order) -> RankedRun:
        """One run in an order of ties."""
        if (side, order) not in self._ranked:
            self._ranked[side, order] = ranked(self.run(side), self.pool, order, self.depth)
        return self._ranked[side, order]

    def both(self, order: Order) -> tuple[RankedRun, RankedRun]:
        """Both runs in an order of ties, put in order side by side."""
        if len(self._ranked) == 0 and len(self.a.table) + len(self.b.table) > PARALLEL_ROWS:
            with ThreadPoolExecutor(2) as pool:
                return tuple(pool.map(self.ranked, ("a", "b"), (order, order)))  # type: ignore[return-value]
        return self.ranked("a", order), self.ranked("b", order)

    def scores(self, side: Side, measures: tuple[Measure, ...]) -> Floats:
        """Per-query values of one run, (measures, q); NaN where undefined or left out."""
        values = np.empty((len(measures), self.pool.queries))
        orders = [Order.of(measure.convention) for measure in measures]
        for order in dict.fromkeys(orders):
            at = [i for i, other in enumerate(orders) if other == order]
            values[at] = score(self.ranked(side, order).lists, [measures[i] for i in at])
        return values


@dataclass(frozen=True)
class Result:
    """One measure of a comparison: its role, the two means, and what the paired differences say."""

    measure: str
    role: str  # primary, guardrail, watch or information
    margin: float | None
    paired: Paired
    holm_p: float | None


@dataclass(frozen=True)
class Weighed:
    """What the measures say under one reading of unjudged documents, the policy's measures first."""

    results: tuple[Result, ...]
    severe_wins: int  # queries whose primary measure rises by at least the policy's ``severe``
    severe_losses: int


@dataclass(frozen=True)
class Counts:
    """What the data holds, before any measure: counts of queries, and what is judged. k is the policy's cutoff."""

    judged: int  # queries of the judgments
    common: int  # of these, those that both runs answer
    missing_a: int
    missing_b: int
    without_relevant: int
    affected: int  # queries whose first k differ in documents or order
    identical: bool  # the lists are the same on every judged query
    distinct_grades: int
    unjudged_shown: int  # documents in the first k of A or B without a judgment, per list
    judged_a: float | None  # mean judged@k
    judged_b: float | None
    kind: JudgmentKind
    ask: Ask | None  # what only the user can say about the judgments

    @property
    def judged_gap(self) -> float | None:
        """How far judged@k of A and B lie apart, rounded so that 0.97 - 0.96 is 0.01."""
        if self.judged_a is None or self.judged_b is None:
            return None
        return round(abs(self.judged_b - self.judged_a), DECIMALS)


@dataclass(frozen=True)
class Comparison:
    """Model B against model A: every number that is shown or judged.

    ``measures`` are the policy's first, then those asked for; ``scores_a``, ``scores_b`` and ``deltas`` are
    (measures, q) with NaN where a value is undefined; ``counted`` (q,) marks the policy's population.
    """

    joined: Joined
    policy: Policy
    convention: Convention
    measures: tuple[Measure, ...]
    scores_a: Floats
    scores_b: Floats
    deltas: Floats
    counted: Bools
    affected: Bools
    plain: Weighed
    condensed: Weighed  # the policy's measures with unjudged documents taken out of both lists
    primary_everywhere: Paired  # the primary measure over all queries, also where the policy counts affected ones
    counts: Counts
    gsb_derived: Gsb  # of the deltas of the primary measure; explains, never votes

    @property
    def a(self) -> Run:
        """The run of model A, the baseline."""
        return self.joined.a

    @property
    def b(self) -> Run:
        """The run of model B, the candidate."""
        return self.joined.b

    @cached_property
    def query_ids(self) -> list[str]:
        """The ids of the judged queries, in order of appearance: axis q."""
        ids: list[str] = self.joined.pool.query_ids.to_pylist()
        return ids

    @property
    def measure_names(self) -> list[str]:
        """The printed names of the measures."""
        return [measure.name for measure in self.measures]

    @property
    def results(self) -> tuple[Result, ...]:
        """One result per measure, in the order of ``measures``."""
        return self.plain.results

    @property
    def primary(self) -> Result:
        """The measure that decides."""
        return self.results[0]

    def result(self, measure: str) -> Result:
        """The result of a measure, by its printed name. KeyError where it was not computed."""
        for result in self.results:
            if result.measure == measure:
                return result
        raise KeyError(measure)

    @property
    def per_query_table(self) -> pa.Table:
        """One row per measure and query with a value: query_id, measure, a, b, delta; null where undefined."""
        rows, columns = np.nonzero(~(np.isnan(self.scores_a) & np.isnan(self.scores_b)))
        names = arrow.from_strings(self.measure_names)
        values = [
            pa.chunked_array([_nullable(part[rows, columns])]) for part in (self.scores_a, self.scores_b, self.deltas)
        ]
        ids = self.joined.pool.query_ids.take(arrow.from_numpy(columns.astype(np.int64)))
        measure = names.take(arrow.from_numpy(rows.astype(np.int64)))
        return pa.Table.from_arrays([ids, measure, *values], names=["query_id", "measure", "a", "b", "delta"])

    @property
    def per_query(self) -> pd.DataFrame:
        """One row per measure and query with a value: query_id, measure, a, b, delta; NaN where undefined."""
        frame: pd.DataFrame = self.per_query_table.to_pandas()
        return frame

    @property
    def summary(self) -> pd.DataFrame:
        """One row per measure: its role, means, delta, interval, win / tie / loss, p-values."""
        import pandas as pd

        return pd.DataFrame([summary_row(result) for result in self.results])


def summary_row(result: Result) -> dict[str, object]:
    """One measure's numbers by name, as frames and JSON hold them; None where undefined."""
    found = result.paired
    return {
        "measure": result.measure,
        "role": result.role,
        "a": found.mean_a,
        "b": found.mean_b,
        "delta": found.delta,
        "ci": None if found.ci95 is None else list(found.ci95),
        "level": 0.95,
        "n": found.n,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "t_p": found.t_p,
        "effect_size": found.effect_size,
        "holm_p": result.holm_p,
        "mde80": found.mde80,
    }


def join(a: Run, b: Run, judgments: Judgments | None = None, *, depth: int = 10) -> Joined:
    """Both runs in order against the judgments; without judgments, against the grades written in the runs.

    ``depth`` is the number of first ranks that are kept by row, for lists on a screen and for what changed in the
    top k. ComparisonError where no document has a grade.
    """
    judgments = judgments or inline_judgments(a, b)
    if judgments is None:
        raise ComparisonError(
            f'There are no judgments: neither a judgments file nor a column "relevance" in {_shown(a)} or {_shown(b)}.'
        )
    return Joined(a, b, judgments, pooled(judgments), depth)


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
        derived_gsb(difference[0][counted]),
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


def derived_gsb(difference: Floats, tolerance: float = DERIVED_TOLERANCE) -> Gsb:
    """Good, same and bad queries counted from deltas: good above the tolerance, bad below its negative."""
    known = difference[~np.isnan(difference)]
    good, bad = int((known > tolerance).sum()), int((known < -tolerance).sum())
    return gsb(good, len(known) - good - bad, bad)


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


def _nullable(values: Floats) -> pa.Array:
    """An Arrow column with null where a value is undefined."""
    missing = np.isnan(values)
    bitmap = None if not missing.any() else pa.py_buffer(np.packbits(~missing, bitorder="little"))
    return pa.Array.from_buffers(pa.float64(), len(values), [bitmap, pa.py_buffer(np.ascontiguousarray(values))])


def _shown(run: Run) -> str:
    return run.source.name or run.name
