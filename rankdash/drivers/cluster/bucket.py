"""What a worker does with a bucket: it scores some queries, of which the bucket has all rows of all sources.

A worker sees rows in no order, and raises nothing: what is wrong goes back in words, in the row of the bucket.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.comparison import ComparisonError, PerQuery
from rankdash.drivers.cluster.packing import SIDES, WrongError, check_version, shown, unpacked
from rankdash.drivers.spec import PLACE, Spec, score_block
from rankdash.installation import __version__
from rankdash.judged import inline_judgments, pooled
from rankdash.metrics import MeasureError
from rankdash.mistakes import Near, Sampled
from rankdash.tables import Judgments, OrderedBy, Run

#: The columns of a row that a worker gives back; ``buckets`` holds the numbers of the buckets that were scored.
RESULT = {
    "block": pa.binary(),
    "buckets": pa.string(),
    "strange_a": pa.string(),
    "strange_b": pa.string(),
    "written_a": pa.string(),
    "written_b": pa.string(),
    "problem": pa.string(),
}
#: How many ids of queries without judgments each bucket sends back, so that ids that almost match are noticed.
_MOST_STRANGE = 200


@dataclass(frozen=True)
class Plan:
    """What workers have to know: what to score, which columns each source has, and the version that asks."""

    spec: Spec
    columns: Mapping[str, tuple[str, ...]]
    version: str = __version__


def score_bucket(table: pa.Table, plan: Plan) -> pa.Table:
    """Return one row: the queries of one or several buckets, scored, as an Arrow stream, or what is wrong."""
    try:
        check_version(plan.version)
        block, strange, written = _scored(table, plan)
    except (WrongError, MeasureError, ComparisonError) as error:
        return _row(b"", [], ([], []), ("", ""), str(error))
    scored = block.to_arrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, scored.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(scored)
    return _row(sink.getvalue().to_pybytes(), table.column("bucket").unique().to_pylist(), strange, written, "")


def block_of(stream: bytes) -> PerQuery:
    """Return the scored queries of a stream."""
    return PerQuery.from_arrow(pa.ipc.open_stream(stream).read_all())


def near_of(text: str) -> Near:
    """Return what a worker says of the documents of a run that would be judged if they were written otherwise."""
    values = json.loads(text)
    return Near(**(values | {"examples": tuple(map(tuple, values["examples"]))}))


def _row(
    stream: bytes, buckets: list[int], strange: tuple[list[str], list[str]], written: tuple[str, str], problem: str
) -> pa.Table:
    values = [stream, " ".join(map(str, buckets)), *("\n".join(some) for some in strange), *written, problem]
    return pa.table({name: pa.array([value], kind) for (name, kind), value in zip(RESULT.items(), values, strict=True)})


def _scored(table: pa.Table, plan: Plan) -> tuple[PerQuery, tuple[list[str], list[str]], tuple[str, str]]:
    """Return the scored queries, and of A and of B the queries without judgments and what ``near_of`` reads."""
    tables = {side: _of_side(table, side, columns) for side, columns in plan.columns.items()}
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
            raise WrongError(f"a list of {SIDES[side]} has a score that is no finite number, and no rank to go by.")
    judged_ids, most = set(scored.query_ids.to_pylist()), _MOST_STRANGE * len(table.column("bucket").unique())
    a, b = (
        [query for query in tables[side].column("query_id").unique().to_pylist() if query not in judged_ids][:most]
        for side in ("a", "b")
    )
    return scored, (a, b), (_written(tables["a"], judged), _written(tables["b"], judged))


def _written(run: pa.Table, judged: pa.Table | None) -> str:
    """Return as JSON how documents of a run would be judged under ids that are written otherwise; "" where the runs
    have grades of their own.
    """
    if judged is None or not len(judged):
        return ""
    sampled = Sampled(judged)
    sampled.add(run)
    return json.dumps(asdict(sampled.written_otherwise()))


def _of_side(table: pa.Table, side: str, columns: tuple[str, ...]) -> pa.Table:
    """Return the rows of a source in the form of a table of runs or judgments."""
    rows = unpacked(table, side, columns)
    if PLACE in columns:
        _check_places(rows, side)
    elif "relevance" in columns:
        rows = rows.sort_by("doc_id")  # in another order, sums of grades would end in other digits
        rows = rows.set_column(0, "query_id", arrow.one_chunk(rows.column("query_id")).dictionary_decode())
    if side != "judgments":
        return rows
    graded = ~np.isnan(arrow.as_numpy(arrow.one_chunk(rows.column("relevance"))))
    return rows if graded.all() else rows.take(arrow.from_numpy(np.flatnonzero(graded)))


def _check_places(part: pa.Table, side: str) -> None:
    """Raise WrongError where the numbers of the rows do not tell their order within a query."""
    query = arrow.codes(arrow.one_chunk(part.column("query_id")).dictionary_encode())
    place = arrow.as_numpy(arrow.one_chunk(part.column(PLACE)))
    rows = np.lexsort((place, query))
    above, below = rows[:-1], rows[1:]
    twice = above[(query[above] == query[below]) & (place[above] == place[below])]
    if len(twice):
        row = int(twice[0])
        raise WrongError(
            f"{SIDES[side]}: two rows of query {shown(part.column('query_id')[row].as_py())} have the row_number "
            f"{place[row]}: number each row."
        )


def _check_grades(part: pa.Table, side: str) -> None:
    """Raise WrongError where a document has two grades, and nothing says which stands first."""
    table = part.set_column(0, "query_id", part.column("query_id").combine_chunks().dictionary_encode())
    judged = Judgments(table) if side == "judgments" else inline_judgments(Run(side, table, "position"))
    conflicts = () if judged is None else pooled(judged).conflicts
    if conflicts:
        first = min(conflicts, key=lambda conflict: (conflict.query_id, conflict.doc_id))
        low, high = sorted((first.kept, first.other))
        raise WrongError(
            f"{SIDES[side]}: document {shown(first.doc_id)} of query {shown(first.query_id)} has the grades {low:g} "
            f'and {high:g}, and rows have no order here: remove one, or number the rows in a column "row_number".'
        )


def _check_ranks(part: pa.Table, side: str, by: OrderedBy) -> None:
    """Raise WrongError where ranks order a list and two of its documents have one rank: nothing says which is first."""
    query = arrow.codes(arrow.one_chunk(part.column("query_id")).dictionary_encode())
    rank, rows = arrow.as_numpy(arrow.one_chunk(part.column("rank"))), np.arange(len(part))
    if by == "score":  # ranks order only the lists with a score that is no finite number
        finite = np.isfinite(arrow.as_numpy(arrow.one_chunk(part.column("score"))))
        rows = np.flatnonzero(np.isin(query, query[~finite]))
    rows = rows[np.lexsort((rank[rows], query[rows]))]
    above, below = rows[:-1], rows[1:]
    alike = (query[above] == query[below]) & (rank[above] == rank[below])
    documents = arrow.one_chunk(part.column("doc_id"))
    upper, lower = (documents.take(arrow.from_numpy(some[alike])) for some in (above, below))
    at = pc.index(pc.not_equal(upper, lower), True).as_py()
    if at >= 0:
        row = int(above[alike][at])
        names = " and ".join(sorted(shown(some[at].as_py()) for some in (upper, lower)))
        raise WrongError(
            f"{SIDES[side]}: documents {names} of query {shown(part.column('query_id')[row].as_py())} have the rank "
            f"{rank[row]:g}, and rows have no order here: give each its own, or number the rows in a column "
            '"row_number".'
        )
