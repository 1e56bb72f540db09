"""What a worker of a cluster does: the rows of some queries, all of both runs and the judgments, to scored rows.

A worker sees rows in no order, and raises nothing: what is wrong goes back in words, with the first rows of a bucket.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.comparison import ComparisonError, PerQuery
from rankdash.drivers.spec import PLACE, Spec, score_block
from rankdash.judged import inline_judgments, pooled
from rankdash.metrics import MeasureError
from rankdash.reading.values.numerals import COMMAS, is_number
from rankdash.reading.values.parsing import Numbers, ids, numbers
from rankdash.tables import Judgments, OrderedBy, Run
from rankdash.version import __version__

#: The columns of the rows that a worker gets; a source that lacks one has nulls there.
SIDE, VALUES = "side", ("score", "rank", "relevance")
#: Who a row belongs to, and how people call it.
SIDES: Mapping[str, str] = {"a": "A", "b": "B", "judgments": "the judgments"}
#: The columns of a row that a worker gives back.
RESULT = {"block": pa.binary(), "strange_a": pa.string(), "strange_b": pa.string(), "problem": pa.string()}
#: Ids of queries without judgments that are sent back per bucket, so that almost equal ids can be told.
_MOST_STRANGE = 200
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


@dataclass(frozen=True)
class Plan:
    """What workers have to know: what to score, which columns each source has, and the version that asks.

    ``grades_in`` is the column of the rows in which the judgments have their grades: one that A or B has too, where
    it is of the same type, for a column that is empty in all rows of both costs as much as a full one.
    """

    spec: Spec
    columns: Mapping[str, tuple[str, ...]]
    grades_in: str = "relevance"
    version: str = __version__

    @property
    def inline(self) -> bool:
        """Whether the judgments are the grades beside the documents."""
        return "judgments" not in self.columns


class _WrongError(ValueError):
    """What is wrong with some rows, in words."""


def score_bucket(table: pa.Table, plan: Plan) -> pa.Table:
    """Return one row: the scored queries as an Arrow stream, or what is wrong."""
    try:
        _check_version(plan)
        block, strange = _scored(table, plan)
    except (_WrongError, MeasureError, ComparisonError) as error:
        return _row(b"", ([], []), str(error))
    scored = block.to_arrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, scored.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(scored)
    return _row(sink.getvalue().to_pybytes(), strange, "")


def _check_version(plan: Plan) -> None:
    """Raise _WrongError where another version asks: its values may be others."""
    if plan.version != __version__:
        raise _WrongError(
            f"The workers have rankdash {__version__}, and this is rankdash {plan.version}: install the same version."
        )


def block_of(stream: bytes) -> PerQuery:
    """Return the scored queries of a stream."""
    return PerQuery.from_arrow(pa.ipc.open_stream(stream).read_all())


def _row(stream: bytes, strange: tuple[list[str], list[str]], problem: str) -> pa.Table:
    values = [stream, *("\n".join(some) for some in strange), problem]
    return pa.table({name: pa.array([value], kind) for (name, kind), value in zip(RESULT.items(), values, strict=True)})


def _scored(table: pa.Table, plan: Plan) -> tuple[PerQuery, tuple[list[str], list[str]]]:
    tables = {
        side: _of_side(table, side, columns, plan.grades_in if side == "judgments" else "relevance")
        for side, columns in plan.columns.items()
    }
    judged = tables.get("judgments")
    for side, part in tables.items():
        if "relevance" in part.column_names and PLACE not in part.column_names:
            _check_grades(part, side)
    for side, by in zip("ab", plan.spec.ordered_by, strict=True):
        if "rank" in tables[side].column_names and PLACE not in tables[side].column_names:
            _check_ranks(tables[side], side, by)
    scored = score_block(tables["a"], tables["b"], judged, plan.spec)
    for side, findings in (("a", scored.noticed.findings_a), ("b", scored.noticed.findings_b)):
        if findings.by_rank_instead and not {"rank", PLACE} & set(plan.columns[side]):
            raise _WrongError(f"a list of {SIDES[side]} has a score that is no finite number, and no rank to go by.")
    known = set(scored.query_ids.to_pylist())
    a, b = (
        [one for one in tables[side].column("query_id").unique().to_pylist() if one not in known][:_MOST_STRANGE]
        for side in ("a", "b")
    )
    return scored, (a, b)


def _of_side(table: pa.Table, side: str, columns: tuple[str, ...], grades_in: str) -> pa.Table:
    """Return the rows of a source with the columns that it has, as tables of runs and judgments have them."""
    given = {name: table.column(grades_in if name == "relevance" else name) for name in columns}
    given |= {name: table.column(name) for name in ("query_id", "doc_id")}
    part = pa.table(given).filter(pc.equal(table.column(SIDE), pa.scalar(side, table.schema.field(SIDE).type)))
    found: dict[str, Any] = {name: _ids(part, name, side) for name in ("query_id", "doc_id")}
    for name in (name for name in columns if name in VALUES):
        found[name] = arrow.from_numpy(_numbers(part, name, side, columns).values.astype(np.float64))
    if PLACE in columns:
        found[PLACE] = arrow.one_chunk(part.column(PLACE)).cast(pa.int64())
    made = pa.table(found)
    if PLACE in columns:
        _check_places(made, side)
    if PLACE not in found and "relevance" in found:
        made = made.sort_by("doc_id")  # sums of equal grades end in other digits in another order
    if side != "judgments":
        return made
    graded = ~np.isnan(arrow.as_numpy(arrow.one_chunk(made.column("relevance")))) if len(made) else np.ones(0, bool)
    return made if graded.all() else made.take(arrow.from_numpy(np.flatnonzero(graded)))


def _ids(part: pa.Table, name: str, side: str) -> pa.Array:
    """Return ids as text. _WrongError where one is missing, or would be read as another one."""
    column = arrow.one_chunk(part.column(name)).cast(pa.large_string())
    found = ids(column)
    if len(found.empty):
        other = "doc_id" if name == "query_id" else "query_id"
        beside = part.column(other)[int(found.empty[0])].as_py()
        raise _WrongError(f"{SIDES[side]}: a row has no {name}; beside it stands {_shown(beside)}.")
    if found.trimmed or found.armoured:
        raise _WrongError(f'{SIDES[side]}: ids in column "{name}" have white space or ="…" around them: remove it.')
    return column.cast(pa.string()) if column.nbytes < 2**31 - 2**20 else column


def _numbers(part: pa.Table, name: str, side: str, columns: tuple[str, ...]) -> Numbers:
    """Return numbers, NaN where there is none and none is needed. _WrongError for a cell that is none and has to be."""
    column = arrow.one_chunk(part.column(name))
    found = numbers(column, counting=name == "rank")
    wrong = found.missing
    if name == "relevance":
        wrong = found.bad  # without a grade: not judged
    elif name == "score" and "rank" in columns:
        wrong = np.array([row for row in found.missing.tolist() if not _is_no_score(column[row].as_py())], np.int64)
    if set(COMMAS) & set(found.notes):
        raise _WrongError(f"{SIDES[side]}: numbers in column {name!r} have commas: write them with decimal points.")
    if len(wrong):
        cell = column[int(wrong[0])].as_py()
        query = part.column("query_id")[int(wrong[0])].as_py()
        raise _WrongError(f"{SIDES[side]}: the {name} of a row of query {_shown(query)} is {_shown(cell)}, no number.")
    return found


def _is_no_score(cell: Any) -> bool:
    """Whether a cell beside a rank may be no number: nothing, or what programs write for it."""
    if not isinstance(cell, str):
        return True
    text = cell.strip()
    return not text or is_number(text) or _NOT_FINITE.fullmatch(text) is not None


def _check_places(part: pa.Table, side: str) -> None:
    """Raise _WrongError where the numbers of the rows do not tell their order within a query."""
    if part.column(PLACE).null_count:
        raise _WrongError(f'{SIDES[side]}: a row has no whole number in column "row_number": number each row.')
    query = arrow.codes(arrow.one_chunk(part.column("query_id")).dictionary_encode())
    place = arrow.as_numpy(arrow.one_chunk(part.column(PLACE)))
    rows = np.lexsort((place, query))
    above, below = rows[:-1], rows[1:]
    twice = above[(query[above] == query[below]) & (place[above] == place[below])]
    if len(twice):
        row = int(twice[0])
        raise _WrongError(
            f"{SIDES[side]}: two rows of query {_shown(part.column('query_id')[row].as_py())} have the row_number "
            f"{place[row]}: number each row."
        )


def _check_grades(part: pa.Table, side: str) -> None:
    """Raise _WrongError where a document has two grades, and nothing says which stands first."""
    table = part.set_column(0, "query_id", part.column("query_id").combine_chunks().dictionary_encode())
    judged = Judgments(table) if side == "judgments" else inline_judgments(Run(side, table, "position"))
    conflicts = () if judged is None else pooled(judged).conflicts
    if conflicts:
        one = min(conflicts, key=lambda one: (one.query_id, one.doc_id))
        low, high = sorted((one.kept, one.other))
        raise _WrongError(
            f"{SIDES[side]}: document {_shown(one.doc_id)} of query {_shown(one.query_id)} has the grades {low:g} "
            f'and {high:g}, and rows have no order here: remove one, or number the rows in a column "row_number".'
        )


def _check_ranks(part: pa.Table, side: str, by: OrderedBy) -> None:
    """Raise _WrongError where two documents of a list that its ranks order have one rank: nothing says which stands
    first.
    """
    query = arrow.codes(arrow.one_chunk(part.column("query_id")).dictionary_encode())
    rank, rows = arrow.as_numpy(arrow.one_chunk(part.column("rank"))), np.arange(len(part))
    if by == "score":  # but for the lists with a score that is no finite number
        finite = np.isfinite(arrow.as_numpy(arrow.one_chunk(part.column("score"))))
        rows = np.flatnonzero(np.isin(query, query[~finite]))
    rows = rows[np.lexsort((rank[rows], query[rows]))]
    above, below = rows[:-1], rows[1:]
    alike = (query[above] == query[below]) & (rank[above] == rank[below])
    documents = arrow.one_chunk(part.column("doc_id"))
    one, other = (documents.take(arrow.from_numpy(some[alike])) for some in (above, below))
    at = pc.index(pc.not_equal(one, other), True).as_py()
    if at >= 0:
        row = int(above[alike][at])
        names = " and ".join(sorted(_shown(some[at].as_py()) for some in (one, other)))
        raise _WrongError(
            f"{SIDES[side]}: documents {names} of query {_shown(part.column('query_id')[row].as_py())} have the rank "
            f"{rank[row]:g}, and rows have no order here: give each its own, or number the rows in a column "
            '"row_number".'
        )


def _shown(value: Any) -> str:
    return repr(value if not isinstance(value, str) or len(value) <= 60 else f"{value[:59]}…")


def only_strange(rows: list[Mapping[str, str]]) -> dict[str, list[str]]:
    """Return the ids of queries without judgments that buckets sent back, by side, in the order of their bytes."""
    return {
        side: sorted((one for row in rows for one in row[f"strange_{side}"].split("\n") if one), key=str.encode)
        for side in ("a", "b")
    }
