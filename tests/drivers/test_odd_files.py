"""Every odd file of the reading tests, read in pieces: what comes out is what reading the whole returns, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.reading.pieces import PIECE, WholeNeededError, run_in_pieces
from tests.long import every
from tests.reading.attacks import ATTACKS


def in_pieces(path: Path, order: str, piece: int) -> list[rd.Run] | None:
    """The pieces of a file; None where it has to be read as a whole."""
    try:
        with run_in_pieces(path, order=order, piece=piece) as pieces:
            runs = [one.run for one in pieces]
            ids = arrow.from_strings(list(dict.fromkeys(q for run in runs for q in run.table["query_id"].to_pylist())))
            pieces.source(runs[0].source, sum(len(run.table) for run in runs), ids)
            return runs
    except WholeNeededError:
        return None


#: Those that are text or Parquet: what is packed is unpacked within the limits of every reading.
PLAIN = {name: make for name, make in ATTACKS.items() if name.endswith((".trec", ".txt", ".parquet", ".tsv"))}


@pytest.mark.parametrize("make", every(4, PLAIN.values()), ids=list(PLAIN))
def test_what_is_read_in_pieces_is_what_reading_the_whole_returns(tmp_path: Path, make: Callable[[], bytes]) -> None:
    """No file that is as much work as its maker could think of is read otherwise, or without the problems it has."""
    path = tmp_path / "a"
    path.write_bytes(make())
    runs = in_pieces(path, "auto", PIECE)
    if runs is not None:
        whole = rd.read_run(path)
        for name in whole.table.column_names:
            assert [cell for run in runs for cell in run.table[name].to_pylist()] == whole.table[name].to_pylist()
        assert {run.ordered_by for run in runs} == {whole.ordered_by}
        assert runs[0].source.notes == whole.source.notes


def test_a_packed_file_has_no_larger_pieces_than_a_text(tmp_path: Path) -> None:
    """Rows that take a byte each as Parquet come in pieces that take no more memory than those of a text."""
    count = 400_000
    ids = pa.DictionaryArray.from_arrays(
        pa.array(np.arange(count, dtype=np.int32) // 1_000), [f"q{i}" for i in range(400)]
    )
    names = [f"d{i}" for i in range(1_000)] * (count // 1_000)
    score = np.tile(np.arange(1_000, 0, -1.0), count // 1_000)
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table({"query_id": ids.cast(pa.string()), "doc_id": names, "score": score}), path)
    assert path.stat().st_size < 10 * count
    runs = in_pieces(path, "auto", PIECE)
    assert runs is not None
    assert max(len(run.table) for run in runs) <= PIECE // 32  # no line of a run is shorter than that on average
    assert sum(len(run.table) for run in runs) == count
