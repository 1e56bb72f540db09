"""Scored queries that are kept: columns are read when somebody asks for them, and are what was saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.case import case_of_scored, content_digest, per_query_of
from rankdash.comparison import ComparisonError
from rankdash.dashboard.host.digests import digest
from rankdash.report.json import to_json
from rankdash.store import Saved, Settings, State, Store, StoreError, comparison_of, scored_content
from rankdash.store.files import FileStore, InPieces, parquet, table_of, written
from tests.long import every
from tests.truth.worlds import world


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of few queries have several pieces."""
    monkeypatch.setattr(parquet, "_PIECE", 7)


def scored(seed: int) -> rd.PerQuery:
    """The scored queries of some lists."""
    found = world(seed, queries=30)
    a, b = (rd.read_run([row[:3] for row in rows]) for rows in (found.a, found.b))
    return rd.score(a, b, rd.read_judgments(list(found.judged)))


def store_in(folder: Path) -> Store:
    """Another store of a folder each time: nothing of it is open yet."""
    store = Store.open(Settings(folder))
    return Store(store.database, store.files)


def saved_in(folder: Path, table: rd.PerQuery) -> Saved:
    """A comparison of scored queries that is saved, loaded by somebody else."""
    return store_in(folder).load(
        store_in(folder).create(scored_content(case_of_scored(table)), State("n", "A", "B")).id
    )


def pieces_of(saved: Saved) -> InPieces:
    """The table of what was loaded, of which no column was read."""
    assert saved.content.scored is not None
    assert isinstance(saved.content.scored.table, InPieces)
    return saved.content.scored.table


@pytest.mark.parametrize("seed", every(2, range(4)))
def test_every_column_is_what_was_saved(seed: int, tmp_path: Path) -> None:
    """And so are the verdict and every number of it; of whoever opens it again too."""
    table = scored(seed)
    saved = saved_in(tmp_path, table)
    assert saved.content.scored is not None
    assert len(pieces_of(saved)) == len(table)
    assert pieces_of(saved).footer.num_row_groups > 1
    for _ in range(2):
        found = per_query_of(saved.content.scored, saved.content.a, saved.content.b)  # type: ignore[arg-type]
        assert found.query_ids.to_pylist() == table.query_ids.to_pylist()
        for name in table.scope.parts:
            assert found[name].tobytes() == table[name].tobytes(), name
    loaded = comparison_of(saved.content, saved.state)
    assert isinstance(loaded, rd.Comparison)
    expected = rd.compare_scored(table)
    named = replace(expected, scored=replace(table, inputs=loaded.scored.inputs))
    assert to_json(loaded, rd.decide(loaded)) == to_json(named, rd.decide(named))


def test_the_table_as_a_whole_is_the_one_that_was_saved(tmp_path: Path) -> None:
    """Saved again from what was loaded, it is the same file with the same content."""
    table = scored(1)
    saved = saved_in(tmp_path, table)
    assert written(pieces_of(saved).whole()).equals(written(table.to_arrow()))
    assert content_digest(saved.content.scored) == content_digest(scored_content(case_of_scored(table)).scored)  # type: ignore[arg-type]
    again = store_in(tmp_path).create(saved.content, saved.state)
    assert [(one.role, one.blob, one.content) for one in again.inputs] == [
        (one.role, one.blob, one.content) for one in saved.inputs
    ]


def test_a_table_is_known_by_its_file(tmp_path: Path) -> None:
    """The digest of one that was loaded twice is one digest, and that of another one is another."""
    table, other = scored(1), scored(2)
    tables = [pieces_of(saved_in(tmp_path / str(n), each)) for n, each in enumerate((table, table, other))]
    digests = [digest(each) for each in tables]
    assert digests[0] == digests[1] != digests[2]


def test_what_is_open_can_be_read_after_it_was_removed(tmp_path: Path) -> None:
    """Somebody deletes the comparison that somebody else looks at."""
    table = scored(1)
    saved = saved_in(tmp_path, table)
    store = store_in(tmp_path)
    files = list(store.files.listed())
    store.files.remove(one.path for one in files)
    assert files
    assert not list(store.files.listed())
    found = per_query_of(saved.content.scored, saved.content.a, saved.content.b)  # type: ignore[arg-type]
    for name in table.scope.parts:
        np.testing.assert_array_equal(found[name], table[name])
    with pytest.raises(StoreError):
        store_in(tmp_path).load(saved.id)


def test_a_column_that_cannot_be_read_later_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In words, as an error of a comparison; not as one of Arrow."""
    saved = saved_in(tmp_path, scored(1))
    found = per_query_of(saved.content.scored, saved.content.a, saved.content.b)  # type: ignore[arg-type]

    def broken(*_: object, **__: object) -> pa.Table:
        raise OSError("the disk\nis gone")

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", broken)
    with pytest.raises(ComparisonError, match=r"^The table of per-query .* is broken, .*the disk is gone"):
        comparison_of(saved.content, saved.state)
    with pytest.raises(ComparisonError, match="'ideal' cannot be read"):
        found["ideal"]


def test_a_file_that_changes_while_it_is_open_gives_no_other_number(tmp_path: Path) -> None:
    """Its digest was looked at when it was opened; a bit of a column that turns after that is found when it is read."""
    saved = saved_in(tmp_path, scored(3))
    table = pieces_of(saved)
    (file,) = (path for path in tmp_path.rglob("*") if table.sha256 in path.name)
    name = next(name for name in table.schema.names if name.startswith("plain_a"))
    chunk = table.footer.row_group(0).column(table.schema.names.index(name))
    content = bytearray(file.read_bytes())
    content[chunk.data_page_offset + chunk.total_compressed_size - 1] ^= 1
    file.chmod(0o600)
    file.write_bytes(content)
    with pytest.raises(ComparisonError, match="cannot be read"):
        _ = per_query_of(saved.content.scored, saved.content.a, saved.content.b)[name]


def test_a_file_in_one_piece_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was written before there were pieces; and elsewhere than in a folder, where it is in the memory."""
    table = scored(3).to_arrow()
    monkeypatch.setattr(parquet, "_PIECE", 1 << 20)
    files = FileStore(str(tmp_path))
    name = files.put(written(table))
    for is_local in (True, False):
        monkeypatch.setattr(files, "is_local", is_local)
        file = files.opened(name)
        assert isinstance(file, pa.OSFile if is_local else pa.BufferReader)
        found = InPieces.of(file, name)
        assert found is not None
        assert (found.footer.num_row_groups, len(found)) == (1, len(table))
        for column in ("length_a", "query_id"):
            assert found.column(0, column).equals(table.column(column))
        assert written(found.whole()).equals(written(table))
        assert files.opened("0" * 64) is None


def test_a_table_with_columns_that_are_carried_is_read_as_a_whole(tmp_path: Path) -> None:
    """Such as one with another dictionary than Parquet would bring back."""
    odd = pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.int32()), pa.array(["unused first", "x"]))
    table = pa.table({"odd": odd, "n": pa.array([1.0, 2.0])})
    name = FileStore(str(tmp_path)).put(written(table))
    file = FileStore(str(tmp_path)).opened(name)
    assert InPieces.of(file, name) is None
    file.seek(0)
    assert table_of(file.read_buffer()).equals(table)
