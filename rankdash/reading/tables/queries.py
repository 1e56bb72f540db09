"""From a Grid to Queries: each query once, its text, weight and cluster, and every further column as a segment."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import from_numpy
from rankdash.reading.columns.grid import NUMBERS, Grid, unfit
from rankdash.reading.columns.synonyms import key, meanings_of
from rankdash.reading.source.problems import BadCells, check, listed, refuse
from rankdash.reading.values.parsing import as_text, filled, numbers
from rankdash.tables import CLUSTER_HEADING, Queries, Source

#: Headings that name documents and nothing else.
_DOCUMENTS = frozenset(("docid", "docno", "documentid", "corpusid", "pid", "doc"))


def queries_of(grid: Grid) -> Queries:
    """Return the queries of the Grid; of rows with the same id the first is kept.

    ReadError for empty ids and bad weights.
    """
    ids = grid.ids("query_id")
    text = as_text(ids.array)[0]
    _check_kind(grid, text)
    notes = [*grid.notes]
    columns: dict[str, pa.Array] = {"query_id": text.cast(pa.string())}
    if "text" in grid.columns:
        columns["text"] = _trimmed(grid.columns["text"])
    if "weight" in grid.columns:
        columns["weight"] = _weights(grid, notes)
    for name in grid.columns:
        if name not in columns:
            try:
                columns[name] = _trimmed(grid.columns[name])
            except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
                notes.append(f"Column {listed([name])} holds {grid.columns[name].type} and was left out.")
    kept = _first_of_each(grid, columns, ids.empty, notes)
    if "weight" in columns:
        _check_weights(grid, columns, kept)
    if len(kept) < grid.rows:
        columns = {name: values.take(from_numpy(kept)) for name, values in columns.items()}
    source = Source(rows=grid.rows, first_row=grid.first_row, notes=tuple(notes))
    fields = [pa.field(name, values.type, metadata=_heading(grid, name)) for name, values in columns.items()]
    return Queries(pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields)), source)


def _check_kind(grid: Grid, queries: pa.Array) -> None:
    """Raise ReadError for documents beside queries.

    A heading names them, and another their rank, score or grade, or queries come again, or there is neither text nor
    weight. Without headings half of the rows are of a query above, or any row with a number.
    """
    comes_again = pc.count_distinct(queries).as_py() < grid.rows
    if grid.headings:
        meant = frozenset().union(*(meanings_of(heading, "run") for heading in grid.headings))
        surely = not _DOCUMENTS.isdisjoint(map(key, grid.headings))
        numbered = bool(meant & {*NUMBERS})
        plain = not {"text", "weight"} & {*grid.columns}
        are_listed = (surely and (numbered or comes_again or plain)) or (
            plain and comes_again and numbered and "doc_id" in meant
        )
    else:
        few = 1 if "weight" in grid.columns else 2
        are_listed = few * pc.count_distinct(queries).as_py() < grid.rows + few - 1
    if are_listed:
        what = "there are documents beside the ids of queries, it seems: these are lists or judgments, not queries"
        raise refuse("other_kind", grid.name, what, "Give a row for each query: its id, its text or its weight.")


def _heading(grid: Grid, name: str) -> dict[bytes, bytes] | None:
    """Return what goes with the column of clusters: a policy may know it as a segment, by its heading."""
    own = grid.title(name)
    return {CLUSTER_HEADING: own.encode()} if name == "cluster" != own else None


def _trimmed(column: pa.Array) -> pa.Array:
    return pc.utf8_trim_whitespace(filled(as_text(column)[0]))


def _weights(grid: Grid, notes: list[str]) -> pa.Array:
    """Return finite weights of at least 0, NaN for a blank cell: what that query weighs is decided elsewhere."""
    column = grid.columns["weight"]
    try:
        weights = numbers(column)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise unfit(grid, "weight", "numbers") from None
    values = weights.values.astype(np.float64, copy=True)
    wrong = np.union1d(weights.bad, np.flatnonzero(values < 0))
    cells = BadCells(
        "bad_value",
        wrong,
        grid.title("weight"),
        "is no weight",
        "Use numbers of at least 0.",
        lambda row: str(column[row].as_py()),
    )
    check(grid.name, [cells], grid.row_of)
    if n := len(weights.blank):
        notes.append(f"{n:,} {'query has' if n == 1 else 'queries have'} a blank cell in place of a weight.")
    return from_numpy(values)


def _check_weights(grid: Grid, columns: dict[str, pa.Array], kept: np.ndarray) -> None:
    """Raise ReadError for a query with several weights."""
    codes, weights = columns["query_id"].dictionary_encode().indices.to_numpy(), columns["weight"].to_numpy()
    of_query = np.full(int(codes.max()) + 1, np.nan)
    of_query[codes[kept]] = weights[kept]
    other = np.flatnonzero((of_query[codes] != weights) & ~np.isnan(weights) & ~np.isnan(of_query[codes]))
    what, do = (
        "is another weight than the query has above",
        "Give one for each query: the sum, if these are parts of it.",
    )
    cells = BadCells("bad_value", other, grid.title("weight"), what, do, lambda row: f"{weights[row]:g}")
    check(grid.name, [cells], grid.row_of)


def _first_of_each(grid: Grid, columns: dict[str, pa.Array], empty: np.ndarray, notes: list[str]) -> np.ndarray:
    """Return the rows to keep: the first of each id, none that is blank as a whole."""
    names = [name for name in columns if name not in ("query_id", "weight")]
    texts = [columns[name].to_pylist() for name in names]
    blank = np.array([row for row in empty.tolist() if not any(values[row] for values in texts)], np.int64)
    check(
        grid.name,
        [BadCells("missing_value", np.setdiff1d(empty, blank), grid.title("query_id"), "the query id is empty")],
        grid.row_of,
    )
    codes = columns["query_id"].dictionary_encode().indices.to_pylist()
    _, first = np.unique(np.array(codes, np.int64), return_index=True)
    kept = np.setdiff1d(np.sort(first), blank)
    if len(blank):
        notes.append(
            f"{len(blank):,} {'row has' if len(blank) == 1 else 'rows have'} nothing in them and were left out."
        )
    if twice := grid.rows - len(blank) - len(kept):
        notes.append(
            f"{twice:,} {'row repeats' if twice == 1 else 'rows repeat'} the id of a query above; the first is kept."
        )
    if not len(kept):
        raise refuse("empty", grid.name, "no row has a query id")
    return kept
