"""Snapshots of Quepid: name, time and texts of one, and several in one table, of which two may have one name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from rankdash.arrow import codes, from_strings, one_chunk
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import key
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.values.parsing import as_text, encoded, filled
from rankdash.tables import Judgments, Queries, Run

RATED_BEHIND = (
    "Documents stand twice in {n}: behind what was found Quepid writes what was rated too, where “Show only rated” was "
    "on. That counts as found in AP, R and RR; the snapshot as JSON tells it apart."
)
_NAME, _TIME = "snapshotname", "snapshottime"


def snapshot_of(grid: Grid | None) -> tuple[str, str]:
    """Return the name and the time of the one snapshot that a table or a JSON text holds; else empty texts."""
    if grid is not None and any(grid.snapshot):
        return grid.snapshot
    if grid is None or "model" not in grid.columns or key(grid.title("model")) != _NAME:
        return "", ""
    time = next((column for name, column in grid.columns.items() if key(name) == _TIME), None)
    names, times = (() if column is None else _texts(column) for column in (grid.columns["model"], time))
    if len(names) != 1:
        return "", ""
    return names[0], times[0] if len(times) == 1 else ""


def _texts(column: pa.Array) -> tuple[str, ...]:
    """Return the texts of a column, each once; nothing where it holds something else."""
    try:
        cells = encoded(filled(as_text(column)[0])).dictionary.to_pylist()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return ()
    return tuple(dict.fromkeys(cell.strip() for cell in cells if cell.strip()))


def with_texts(table: Run | Judgments, queries: Queries) -> Run | Judgments:
    """Return the lists or ratings of a snapshot with a column for the texts of the queries, "" where there is none."""
    if "text" not in queries.table.column_names or "query_text" in table.table.column_names:
        return table
    texts = dict(zip(*(queries.table.column(name).to_pylist() for name in ("query_id", "text")), strict=True))
    ids = one_chunk(table.table.column("query_id"))
    of_ids = from_strings([texts.get(query, "") for query in ids.dictionary.to_pylist()])
    return replace(table, table=table.table.append_column("query_text", of_ids.take(ids.indices)))


def snapshot_notes(grid: Grid) -> list[str]:
    """Return the note on lists in which documents stand again, behind what was found: Quepid writes rated ones there.

    ReadError where snapshots of several times have one name: their lists would be those of one model.
    """
    if "model" not in grid.columns or key(grid.title("model")) != _NAME:
        return []
    time = next((name for name in grid.columns if key(name) == _TIME), None)
    if time is not None:
        _check_times(grid, grid.columns[time])
    lists, documents = (
        np.unique(_codes(grid, "model", "query_id"), axis=1, return_inverse=True)[1],
        _codes(grid, "doc_id"),
    )
    pairs, times = np.unique(np.vstack((lists.reshape(1, -1), documents)), axis=1, return_counts=True)
    again = len(np.unique(pairs[0, times > 1]))
    return [RATED_BEHIND.format(n=f"{again:,} {'list' if again == 1 else 'lists'}")] if again else []


def _codes(grid: Grid, *names: str) -> np.ndarray:
    return np.stack([codes(encoded(grid.ids(name).array)) for name in names])


def _check_times(grid: Grid, time: pa.Array) -> None:
    """Raise ReadError where snapshots of several times have one name."""
    try:
        times = encoded(filled(as_text(time)[0]))
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):  # no times, as no table of Quepid has them
        return
    models = encoded(grid.ids("model").array)
    dated = np.array([bool(text) for text in times.dictionary.to_pylist()], bool)[codes(times)]
    pairs = np.unique(np.stack([codes(models), codes(times)])[:, dated], axis=1)
    twice = np.flatnonzero(pairs[0, 1:] == pairs[0, :-1])
    if len(twice):
        model = pairs[0, twice[0]]
        name = models.dictionary[int(model)].as_py()
        several = [times.dictionary[int(code)].as_py() for code in pairs[1, pairs[0] == model]]
        what = f"snapshots of {len(several):,} times are called {listed([name])}: {listed(several)}"
        raise refuse("unclear", grid.name, what, "Keep the rows of one of them, or give each a name of its own.")
