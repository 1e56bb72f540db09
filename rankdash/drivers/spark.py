"""The driver for a cluster: Spark, or Sail in this process, by Spark Connect.

Workers check the rows of A, of B and of the judgments and pack them into blocks by the query id; the cluster brings
the blocks of a bucket together, and workers score it. rankdash has to be installed on the workers. Rows have no order
on a cluster unless a column ``row_number`` tells it: without that column, whatever depends on the order is refused, and
queries come in the order of their ids' bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from rankdash.comparison import ComparisonError, InputMistake, PerQuery, ScoredInputs, ScoredRun
from rankdash.drivers.cluster.bucket import RESULT, Plan, block_of, near_of, score_bucket
from rankdash.drivers.cluster.frames import ClusterRows, blocks_of, ddl, grades_of, source_of
from rankdash.drivers.cluster.packing import SIDES, by_bucket
from rankdash.drivers.cluster.remote import ROW, SparkError, names_of, order_of, read, refusals, sent, session
from rankdash.drivers.spec import PLACE, Spec
from rankdash.judged import SIDES as RUNS
from rankdash.judged import Order, Side
from rankdash.mistakes import Mistake, Near, judged_otherwise, together, unmet_run
from rankdash.policy import Policy
from rankdash.scored.settings import scope_of
from rankdash.tables import OrderedBy, Source, distinct_names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["BUCKETS", "ROW", "Scoring", "SparkError", "names_of", "order_of", "read", "score", "sent", "session"]

#: How many buckets the queries are cut into: each has to fit into a worker's memory.
BUCKETS = 64
_NOTE = "Scored by Spark Connect: no digest, and ids that differ in their Unicode form alone were not looked for."


def score(
    a: DataFrame,
    b: DataFrame,
    judgments: DataFrame | None = None,
    spec: Spec | Policy | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    order: str = "auto",
    buckets: int = BUCKETS,
) -> PerQuery:
    """Return every number about each query that a verdict and its report read, scored on a cluster.

    Parameters
    ----------
    a, b : DataFrame           the rows of the baseline and the candidate, with columns as ``read_run`` knows them:
                               query_id, doc_id, and score or rank
    judgments : DataFrame      query_id, doc_id, relevance; None: the grades beside the documents of the runs, pooled
    spec : Spec or Policy      what is scored; None: the default policy. Grades and order are found here
    names                      how A and B are called
    order                      what orders the lists: "score" or "rank"; "auto": the rank, where there is one
    buckets : int              into how many buckets the queries are cut; each has to fit into a worker's memory

    Returns
    -------
    PerQuery                   the table of ``rankdash.score``, bit for bit; its queries are in the order of the
                               judgments where these have a column ``row_number``, else in that of their ids' bytes

    Raises
    ------
    SparkError                 where a source cannot be read, or a worker fails
    ComparisonError            for a row without an id or number, and for what depends on the order of rows
    ReadError                  for a source without a needed column
    MeasureError               for a measure that does not exist, or a grade that it does not take
    """
    scoring = Scoring.of(
        {"a": a, "b": b} | ({} if judgments is None else {"judgments": judgments}), spec, order, buckets
    )
    blocks = list(scoring)
    whole = PerQuery.concatenated(blocks)
    scored = replace(whole, inputs=scoring.inputs(names))
    return scored.by_id() if scored.places is None else scored.in_order()


@dataclass
class Scoring:
    """The blocks of scored queries, each yielded once as it comes; after them, what the whole was scored from."""

    blocks: DataFrame
    plan: Plan
    _scored: set[str] = field(default_factory=set)
    _judged: list[str] = field(default_factory=list)
    _answered: dict[Side, list[str]] = field(default_factory=lambda: {side: [] for side in RUNS})
    _strange: dict[Side, list[str]] = field(default_factory=lambda: {side: [] for side in RUNS})
    _written: dict[Side, list[Near]] = field(default_factory=lambda: {side: [] for side in RUNS})
    _met: dict[Side, bool] = field(default_factory=lambda: dict.fromkeys(RUNS, False))
    _size: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(RUNS, 0))

    @classmethod
    def of(
        cls,
        frames: Mapping[str, DataFrame],
        spec: Spec | Policy | None,
        order: str | tuple[str, str] = "auto",
        buckets: int = BUCKETS,
    ) -> Scoring:
        """Return what is to be scored; the grades of all judgments are collected here. Errors as for ``score``.

        ``order`` is that of both runs, or one for each.
        """
        given = spec if isinstance(spec, Spec) else Spec(spec or Policy())
        with refusals():
            sources = {side: source_of(side, frame) for side, frame in frames.items()}
            by = (order, order) if isinstance(order, str) else order
            orders = (_order("a", sources["a"], by[0]), _order("b", sources["b"], by[1]))
            graded = [sources[side] for side in (["judgments"] if "judgments" in sources else ["a", "b"])]
            grades = grades_of(graded)
            full = replace(given, grades=grades, ordered_by=orders, neighbours=True)
            columns = {side: source.columns for side, source in sources.items()}
            plan = Plan(full, columns)
            _check_order(plan)
            blocks = blocks_of(sources, buckets)
        return cls(blocks, plan)

    def __iter__(self) -> Iterator[PerQuery]:
        plan = self.plan

        def of_buckets(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for table in by_bucket(batches):
                yield from score_bucket(table, plan).to_batches()

        with refusals():
            for row in self.blocks.mapInArrow(of_buckets, ddl(RESULT)).toLocalIterator():
                if row["problem"]:
                    raise ComparisonError(row["problem"])
                self._check_whole(row["buckets"].split())
                block = block_of(bytes(row["block"]))
                self._note(block, row)
                yield block
        for side in ("a", "b"):
            if not self._size[side]:
                raise SparkError(f"{SIDES[side]} has no rows: is it the right place?")

    def _check_whole(self, buckets: list[str]) -> None:
        """Raise SparkError for a bucket that came before: a server that takes its rows apart would change values."""
        if twice := sorted(self._scored.intersection(buckets)):
            raise SparkError(f"The rows of bucket {twice[0]} came apart on the server: its queries cannot be scored.")
        self._scored.update(buckets)

    def _note(self, block: PerQuery, row: Mapping[str, str]) -> None:
        ids = np.array(block.query_ids.to_pylist(), object)
        self._judged += ids.tolist()
        for side in RUNS:
            self._answered[side] += ids[block[f"length_{side}"] > 0].tolist()
            self._strange[side] += [query_id for query_id in row[f"strange_{side}"].split("\n") if query_id]
            self._written[side] += [near_of(row[f"written_{side}"])] if row[f"written_{side}"] else []
            self._met[side] |= bool(block[f"hits_{side}"].any())
            self._size[side] += block.noticed.findings(side).rows

    def inputs(
        self, names: tuple[str, str], files: Mapping[str, str] | None = None, judgments: Source | None = None
    ) -> ScoredInputs:
        """Return what was scored, once every block has come; ``files`` holds the names of the files of A and B."""
        sources = {side: Source((files or {}).get(side, ""), notes=(_NOTE,)) for side in SIDES}
        sources |= {} if judgments is None else {"judgments": judgments}
        named = distinct_names(names, (sources["a"].name, sources["b"].name))
        a, b = (
            ScoredRun(name, order, replace(sources[side], rows=self._size[side]))
            for side, name, order in zip(RUNS, named, self.plan.spec.ordered_by, strict=True)
        )
        wrong = tuple(
            InputMistake(side, mistake.sentence, mistake.fatal)
            for side, run in zip(RUNS, (a, b), strict=True)
            for mistake in self._mistakes(side, run, sources["judgments"])
        )
        return ScoredInputs(a, b, sources["judgments"], wrong, self.plan.spec.policy)

    def _mistakes(self, side: Side, run: ScoredRun, judgments: Source) -> tuple[Mistake, ...]:
        """Return what is wrong between a run and the judgments, as ``mistakes`` has it for tables in memory."""
        ours = [*self._answered[side], *sorted(self._strange[side], key=str.encode)]
        unmet = unmet_run((side, run.source, run.name), ours, (self._judged, judgments), any_judged=self._met[side])
        almost = together(self._written[side]) if self._met[side] else None
        return unmet if almost is None else (*unmet, judged_otherwise(side, almost, judgments))


def _order(side: str, source: ClusterRows, order: str) -> OrderedBy:
    """Return what orders the lists of a run. ComparisonError where it is the rows, and nothing numbers them."""
    by: OrderedBy
    if order in ("score", "rank"):
        if order not in source.columns:
            raise ComparisonError(f"{SIDES[side]} has no column for the {order} to order by.")
        by = "score" if order == "score" else "rank"
    else:
        by = "rank" if "rank" in source.columns else "score" if "score" in source.columns else "position"
    if (by == "position" or order == "position") and PLACE not in source.columns:
        raise ComparisonError(
            f"{SIDES[side]} has no rank and no score to order by, and rows have no order here: add one, or number "
            f'them in a column "{ROW}".'
        )
    return "position" if order == "position" else by


def _check_order(plan: Plan) -> None:
    """Raise ComparisonError where the convention asks for the order of the rows, which only row numbers tell."""
    spec = plan.spec
    scope = scope_of(spec.policy, spec.measures, spec.grades, apart=False)
    measures = (*scope.measures, *scope.alike)
    by_input = [measure.name for measure in measures if Order.of(measure.convention).ties == "input_order"]
    unnumbered = [SIDES[side] for side in ("a", "b") if PLACE not in plan.columns[side]]
    if by_input and unnumbered:
        raise ComparisonError(
            f"{by_input[0]} breaks ties by the order of the rows, which {unnumbered[0]} does not have here: number "
            f'them in a column "{ROW}", or choose another convention.'
        )
