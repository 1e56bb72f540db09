"""The driver for a cluster: Spark, or Sail in this process, by Spark Connect.

One table of the rows of A, of B and of the judgments is cut into buckets by the query id, and workers score the
buckets. rankdash has to be installed on the workers. Rows have no order on a cluster: what depends on it is
refused, unless a column ``row_number`` tells it, and queries come in the order of their ids' bytes where it does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from rankdash.comparison import ComparisonError, Inputs, PerQuery, ScoredRun, Told
from rankdash.comparison.per_query.asking import asked_by
from rankdash.drivers.bucket import RESULT, SIDE, SIDES, VALUES, Plan, block_of, score_bucket
from rankdash.drivers.remote import ROW, SparkError, names_of, order_of, read, sent, session, told
from rankdash.drivers.spec import BEHIND, PLACE, Spec
from rankdash.judged import SIDES as RUNS
from rankdash.judged import Order, Side
from rankdash.mistakes import unmet_run
from rankdash.policy import Policy
from rankdash.reading.columns.headings import match
from rankdash.reading.columns.synonyms import Wanted
from rankdash.reading.values.parsing import numbers
from rankdash.tables import OrderedBy, Source

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["BUCKETS", "ROW", "Scoring", "SparkError", "names_of", "order_of", "read", "score", "sent", "session"]

#: Into so many buckets the queries are cut: each has to fit into a worker's memory.
BUCKETS = 64
_NOTE = "Scored by Spark Connect: no digest, and ids that differ in their Unicode form alone were not looked for."
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBER = (*_WHOLE, "float", "double")


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
    """Every number about each query that a verdict and its report read, scored on a cluster.

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
    found = replace(whole, inputs=scoring.inputs(names))
    return found.by_id() if found.places is None else found.in_order()


@dataclass
class Scoring:
    """Blocks of scored queries as they come, each once; then what the whole was scored from."""

    rows: DataFrame
    plan: Plan
    _judged: list[str] = field(default_factory=list)
    _answered: dict[Side, list[str]] = field(default_factory=lambda: {side: [] for side in RUNS})
    _strange: dict[Side, list[str]] = field(default_factory=lambda: {side: [] for side in RUNS})
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
        with told():
            sources = {side: _source(side, frame) for side, frame in frames.items()}
            by = (order, order) if isinstance(order, str) else order
            orders = (_order("a", sources["a"], by[0]), _order("b", sources["b"], by[1]))
            graded = [sources[side] for side in (["judgments"] if "judgments" in sources else ["a", "b"])]
            grades = _grades(graded)
            full = replace(given, grades=grades, ordered_by=orders, neighbours=True)
            plan = Plan(full, {side: source.columns for side, source in sources.items()})
            _check_order(plan)
            rows = _together(sources, buckets)
        return cls(rows, plan)

    def __iter__(self) -> Iterator[PerQuery]:
        plan = self.plan

        def of_bucket(table: pa.Table) -> pa.Table:
            return score_bucket(table, plan)

        form = ", ".join(f"{name} {'binary' if kind == pa.binary() else 'string'}" for name, kind in RESULT.items())
        with told():
            for row in self.rows.groupBy("bucket").applyInArrow(of_bucket, form).toLocalIterator():
                if row["problem"]:
                    raise ComparisonError(row["problem"])
                block = block_of(bytes(row["block"]))
                self._note(block, row)
                yield block
        for side in ("a", "b"):
            if not self._size[side]:
                raise SparkError(f"{SIDES[side]} has no rows: is it the right place?")

    def _note(self, block: PerQuery, row: Mapping[str, str]) -> None:
        ids = np.array(block.query_ids.to_pylist(), object)
        self._judged += ids.tolist()
        for side in RUNS:
            self._answered[side] += ids[block[f"length_{side}"] > 0].tolist()
            self._strange[side] += [one for one in row[f"strange_{side}"].split("\n") if one]
            self._met[side] |= bool(block[f"hits_{side}"].any())
            self._size[side] += block.noticed.findings(side).rows

    def inputs(
        self, names: tuple[str, str], files: Mapping[str, str] | None = None, judgments: Source | None = None
    ) -> Inputs:
        """Return what was scored, when all of it is; ``files`` are the names of those of A and B."""
        made = {side: Source((files or {}).get(side, ""), notes=(_NOTE,)) for side in SIDES}
        made |= {} if judgments is None else {"judgments": judgments}
        a, b = (
            ScoredRun(name, order, replace(made[side], rows=self._size[side]))
            for side, name, order in zip(RUNS, names, self.plan.spec.ordered_by, strict=True)
        )
        wrong = tuple(
            Told(side, one.sentence, one.fatal)
            for side, run in zip(RUNS, (a, b), strict=True)
            for one in unmet_run(
                (side, run.source, run.name),
                [*self._answered[side], *sorted(self._strange[side], key=str.encode)],
                (self._judged, made["judgments"]),
                any_judged=self._met[side],
            )
        )
        return Inputs(a, b, made["judgments"], wrong, self.plan.spec.policy)


@dataclass(frozen=True)
class _Rows:
    """One source: its frame with the columns of a bucket's rows, and which of them it has."""

    frame: DataFrame
    columns: tuple[str, ...]
    kinds: Mapping[str, str]


def _source(side: str, frame: DataFrame) -> _Rows:
    """Return a source with its columns named. ReadError where one is missing."""
    from pyspark.sql import functions as f

    headings = list(frame.columns)
    kind: Wanted = "judgments" if side == "judgments" else "run"
    known = [name for name in headings if name != ROW]
    names = {known[at]: name for at, name in match(SIDES[side], known, kind).names.items()}
    wanted = ("query_id", "doc_id", *(VALUES if side != "judgments" else ("relevance",)))
    kinds = {names[one.name]: one.dataType.simpleString() for one in frame.schema.fields if one.name in names}
    if "doc_id" not in kinds:
        raise ComparisonError(f"{SIDES[side]} has its documents side by side; give one row per document.")
    columns = [name for name in wanted if name in kinds]
    for name in columns:
        allowed = ("string", *_WHOLE) if name in ("query_id", "doc_id") else ("string", *_NUMBER)
        if kinds[name] not in allowed:
            raise ComparisonError(f"{SIDES[side]}: column {name!r} is of type {kinds[name]}; make it text or numbers.")
    heading = {name: one for one, name in names.items()}
    chosen = [f.col(_quoted(heading[name])).alias(name) for name in columns]
    numbered = [f.col(ROW).cast("bigint").alias(PLACE)] if ROW in headings else []
    found = (*(name for name in columns if name in VALUES), *([PLACE] if numbered else []))
    return _Rows(frame.select(*chosen, *numbered), found, kinds)


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _order(side: str, source: _Rows, order: str) -> OrderedBy:
    """Return what orders the lists of a run. ComparisonError where the rows would, and nothing numbers them."""
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
    asked = asked_by(spec.policy, spec.measures, spec.grades, apart=False)
    by_input = [one.name for one in (*asked.measures, *asked.alike) if Order.of(one.convention).ties == "input_order"]
    unnumbered = [SIDES[side] for side in ("a", "b") if PLACE not in plan.columns[side]]
    if by_input and unnumbered:
        raise ComparisonError(
            f"{by_input[0]} breaks ties by the order of the rows, which {unnumbered[0]} does not have here: number "
            f'them in a column "{ROW}", or choose another convention.'
        )


def _grades(sources: Sequence[_Rows]) -> tuple[float, ...]:
    """Return the distinct grades that count, ascending: of two grades of a document the first. ComparisonError where
    there are none.
    """
    graded = [source for source in sources if "relevance" in source.columns]
    found: set[float] = set()
    if graded:
        rows = _graded(graded)
        grades = _distinct(rows)
        if len(graded) > 1 or PLACE in graded[0].columns:  # else a document with two grades is refused
            grades = _distinct(_first(rows, [one for one, value in grades.items() if np.isnan(value)]))
        found = {value + 0.0 for value in grades.values() if not np.isnan(value)}
    if not found:
        raise ComparisonError("There are no judgments: no row has a grade.")
    return tuple(sorted(found))


def _graded(sources: Sequence[_Rows]) -> DataFrame:
    """Return the rows that may have a grade, with what tells which of two comes first."""
    from pyspark.sql import functions as f

    kind = "string" if any(source.kinds["relevance"] == "string" for source in sources) else "double"
    parts = []
    for at, source in enumerate(sources):
        place = f.col(PLACE) if PLACE in source.columns else f.lit(0)
        behind = (place.cast("bigint") + f.lit(at * BEHIND)).alias(PLACE)
        parts.append(source.frame.select(*_id_columns(), _value(source, "relevance", kind), behind))
    return reduce(lambda one, more: one.unionAll(more), parts).where(f.col("relevance").isNotNull())


def _first(rows: DataFrame, blanks: Sequence[Any]) -> DataFrame:
    """Return the first grade of each document, cells that are ``blanks`` left out."""
    from pyspark.sql import functions as f

    some = rows.where(~f.col("relevance").isin(list(blanks))) if blanks else rows
    first = f.min(f.struct(PLACE, "relevance")).alias("first")
    return some.groupBy("query_id", "doc_id").agg(first).select(f.col("first.relevance").alias("relevance"))


def _distinct(rows: DataFrame) -> dict[Any, float]:
    """Return the cells of the column of grades, each once, and their numbers; NaN: no grade."""
    column = rows.select("relevance").distinct().toArrow().column("relevance")
    values = numbers(pa.chunked_array(column.chunks, column.type).combine_chunks()).values
    return dict(zip(column.to_pylist(), values.astype(np.float64).tolist(), strict=True))


def _id_columns() -> list[Column]:
    from pyspark.sql import functions as f

    return [f.col(name).cast("string").alias(name) for name in ("query_id", "doc_id")]


def _value(source: _Rows, name: str, kind: str) -> Column:
    """Return a column as text or numbers; as text a number of 32 bits is written as the one of 64 bits that it is."""
    from pyspark.sql import functions as f

    value = f.col(name) if name in source.columns else f.lit(None)
    return (value.cast("double") if source.kinds.get(name) == "float" else value).cast(kind).alias(name)


def _together(sources: Mapping[str, _Rows], buckets: int) -> DataFrame:
    """Return the rows of all sources as one frame, each with its bucket."""
    from pyspark.sql import functions as f

    given = [name for name in (*VALUES, PLACE) if any(name in source.columns for source in sources.values())]
    texts = {name for source in sources.values() for name in source.columns if source.kinds.get(name) == "string"}
    parts = []
    for side, source in sources.items():
        kinds = ["bigint" if name == PLACE else "string" if name in texts else "double" for name in given]
        values = [_value(source, name, kind) for name, kind in zip(given, kinds, strict=True)]
        parts.append(source.frame.select(f.lit(side).alias(SIDE), *_id_columns(), *values))
    whole = reduce(lambda one, more: one.unionAll(more), parts)
    # Spark SQL's crc32 is that of zlib: the bucket of a query is the same everywhere.
    bucket = f.crc32(f.coalesce(f.col("query_id"), f.lit("")).cast("binary")) % f.lit(buckets)
    return whole.withColumn("bucket", bucket)
