"""The sources of a cluster as frames: their columns by meaning, the grades that count, and their blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from rankdash.comparison import ComparisonError
from rankdash.drivers.cluster.packing import PACKED, SIDES, VALUES, Packing, packed
from rankdash.drivers.cluster.remote import ROW
from rankdash.drivers.spec import BEHIND, PLACE
from rankdash.reading.columns.headings import match
from rankdash.reading.columns.iterations import ITERATION
from rankdash.reading.values.parsing import numbers
from rankdash.reading.words.headings import Kind

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBER = (*_WHOLE, "float", "double")
_SPARK = {pa.string(): "string", pa.binary(): "binary", pa.int32(): "int"}


@dataclass(frozen=True)
class ClusterRows:
    """A source: its frame with the columns that a bucket's rows have; ``columns`` are those beside the ids."""

    frame: DataFrame
    columns: tuple[str, ...]
    kinds: Mapping[str, str]

    def is_text(self, name: str) -> bool:
        """Return whether a column is text."""
        return self.kinds.get(name) == "string"


def source_of(side: str, frame: DataFrame) -> ClusterRows:
    """Return a source with its columns named by meaning. ReadError where a column is missing."""
    from pyspark.sql import functions as f

    headings = list(frame.columns)
    kind: Kind = "judgments" if side == "judgments" else "run"
    matched = [name for name in headings if name != ROW]
    names = {matched[at]: name for at, name in match(SIDES[side], matched, kind).names.items()}
    meanings = ("query_id", "doc_id", *(VALUES if side != "judgments" else ("relevance",)))
    kinds = {names[field.name]: field.dataType.simpleString() for field in frame.schema.fields if field.name in names}
    if "doc_id" not in kinds:
        raise ComparisonError(f"{SIDES[side]} has its documents side by side; give one row per document.")
    columns = [name for name in meanings if name in kinds]
    for name in columns:
        allowed = ("string", *_WHOLE) if name in ("query_id", "doc_id") else ("string", *_NUMBER)
        if kinds[name] not in allowed:
            raise ComparisonError(f"{SIDES[side]}: column {name!r} is of type {kinds[name]}; make it text or numbers.")
    heading = {name: text for text, name in names.items()}
    chosen = [f.col(_quoted(heading[name])).alias(name) for name in columns]
    _check_rows(side, frame, {name: _quoted(text) for name, text in heading.items()})
    numbered = [f.col(ROW).cast("bigint").alias(PLACE)] if ROW in headings else []
    values = (*(name for name in columns if name in VALUES), *([PLACE] if numbered else []))
    return ClusterRows(frame.select(*chosen, *numbered), values, kinds)


def _check_rows(side: str, frame: DataFrame, heading: Mapping[str, str]) -> None:
    """Raise ComparisonError for rows of several models, and for grades that count for one list or one subtopic only.

    ``heading`` is the column of each meaning.
    """
    from pyspark.sql import functions as f

    if side != "judgments" and "model" in heading:
        models = frame.select(f.col(heading["model"]).cast("string").alias("model")).distinct().limit(2).collect()
        if len(models) > 1:
            some = " and ".join(sorted(repr(row["model"]) for row in models))
            raise ComparisonError(f"{SIDES[side]} has rows of several models, {some}: keep those of one.")
    if side == "judgments" and "only_for" in heading:
        raise ComparisonError("Judgments that say which list a grade is for are scored in memory.")
    if side == "judgments" and ITERATION in heading:
        pair = [f.col(heading[name]) for name in ("query_id", "doc_id")]
        word = f.coalesce(f.trim(f.col(heading[ITERATION]).cast("string")), f.lit(""))
        several = frame.groupBy(*pair).agg(f.countDistinct(word).alias("words")).where(f.col("words") > f.lit(1))
        if several.limit(1).collect():
            raise ComparisonError(
                "The judgments have a document several times in a query, for different subtopics, which are not "
                "supported yet: keep one grade of each document."
            )


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def grades_of(sources: Sequence[ClusterRows]) -> tuple[float, ...]:
    """Return the distinct grades that count, ascending: of a document with two grades, the first counts.

    ComparisonError where there are none.
    """
    graded = [source for source in sources if "relevance" in source.columns]
    grades: set[float] = set()
    if graded:
        rows = _graded(graded)
        by_cell = _distinct(rows)
        if len(graded) > 1 or PLACE in graded[0].columns:  # else a document with two grades is refused
            by_cell = _distinct(_first(rows, [cell for cell, value in by_cell.items() if np.isnan(value)]))
        grades = {value + 0.0 for value in by_cell.values() if not np.isnan(value)}
    if not grades:
        raise ComparisonError("There are no judgments: no row has a grade.")
    return tuple(sorted(grades))


def _graded(sources: Sequence[ClusterRows]) -> DataFrame:
    """Return the rows that may have a grade, each with its place, by which the first of two grades is chosen."""
    from pyspark.sql import functions as f

    kind = "string" if any(source.is_text("relevance") for source in sources) else "double"
    parts = []
    for at, source in enumerate(sources):
        place = f.col(PLACE) if PLACE in source.columns else f.lit(0)
        behind = (place.cast("bigint") + f.lit(at * BEHIND)).alias(PLACE)
        grade = f.col("relevance")  # a number of 32 bits becomes text with the digits of 64 bits
        grade = grade.cast("double") if source.kinds["relevance"] == "float" else grade
        parts.append(source.frame.select(*_ids(), grade.cast(kind).alias("relevance"), behind))
    return reduce(lambda rows, more: rows.unionAll(more), parts).where(f.col("relevance").isNotNull())


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


def _ids() -> list[Column]:
    """Return the ids of query and document as text."""
    from pyspark.sql import functions as f

    return [f.col(name).cast("string").alias(name) for name in ("query_id", "doc_id")]


def blocks_of(sources: Mapping[str, ClusterRows], buckets: int) -> DataFrame:
    """Return the rows of all sources in blocks, all blocks of a bucket in one partition."""
    parts = [_packed(source, Packing(side, source.columns, buckets)) for side, source in sources.items()]
    return reduce(lambda rows, more: rows.unionAll(more), parts).repartition("bucket")


def _packed(source: ClusterRows, packing: Packing) -> DataFrame:
    def of_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return packed(batches, packing)

    return source.frame.select(*_ids(), *source.columns).mapInArrow(of_batches, ddl(PACKED))


def ddl(columns: Mapping[str, pa.DataType]) -> str:
    """Return columns as Spark declares them."""
    return ", ".join(f"{name} {_SPARK[kind]}" for name, kind in columns.items())
