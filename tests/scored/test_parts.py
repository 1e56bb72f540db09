"""The columns of a folder of scored queries: read together, each when it is first asked for or beside one that is."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.scored import Arrays
from rankdash.scored import folder as folders
from rankdash.scored.folder_parts import FolderReader
from rankdash.scored.table import stacked
from tests.truth.worlds import world


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> rd.PerQuery:
    """A table that stands in several parts under ``tmp_path / "s"``."""
    monkeypatch.setattr(folders, "PART", 7)
    found = world(3, queries=30)
    a, b = (rd.read_run([row[:3] for row in rows]) for rows in (found.a, found.b))
    table = rd.score(a, b, rd.read_judgments(list(found.judged)))
    rd.write_scored(table, tmp_path / "s")
    assert len(list((tmp_path / "s").glob("part-*"))) > 3
    return table


def test_every_column_is_what_was_written_in_any_order(scored: rd.PerQuery, tmp_path: Path) -> None:
    """Asked for once or twice, in the order of the table or another, those of the settings beside the policy too."""
    for turn in (1, -1):
        opened = folders.opened(tmp_path / "s")
        for name in [*list(scored.asked.parts)[::turn], *scored.asked.parts]:
            np.testing.assert_array_equal(opened[name], scored[name], name)


def test_what_belongs_together_is_read_together(
    scored: rd.PerQuery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is opened once for all values of a reading, and not again for what was read."""
    opened, files = folders.opened(tmp_path / "s"), list[str]()

    read = FolderReader.read

    def counted(reader: FolderReader, part: str, names: Sequence[str]) -> Any:
        files.append(part)
        return read(reader, part, names)

    monkeypatch.setattr(FolderReader, "read", counted)
    for _ in range(2):
        opened.values("plain", "a")
        opened.values("plain", "b")
    assert len(files) == len(set(files)) == len(list((tmp_path / "s").glob("part-*")))


@pytest.mark.parametrize("seed", range(12))
def test_columns_that_are_others_again_share_their_memory(scored: rd.PerQuery, tmp_path: Path, seed: int) -> None:
    """Where only the first part says that they are, each is what was written; so it is with parts in any order."""
    random = np.random.default_rng(seed)
    columns = {name: scored[name].copy() for name in scored.asked.parts}
    floats = [name for name, values in columns.items() if values.dtype == np.float64]
    for name in floats:
        chosen = int(random.integers(4))
        columns[name] = columns[str(random.choice(floats))].copy() if chosen else columns[name]
        if chosen == 2:
            columns[name][int(random.integers(len(scored)))] = float(random.choice([0.125, np.nan, -0.0]))
        if chosen == 3:
            columns[name][:] = float(random.choice([0.0, -0.0, 1.0, np.nan]))
    places = random.permutation(len(scored)) if seed % 3 == 0 else None
    table = replace(scored, columns=Arrays(columns), places=places)
    folders.save(table, tmp_path / "again")
    opened, expected = folders.opened(tmp_path / "again"), table.in_order()
    assert opened.query_ids.to_pylist() == expected.query_ids.to_pylist()
    names = random.permutation(list(columns)).tolist()
    taken = {name: opened[name] for name in names}
    for name in names:
        assert taken[name].tobytes() == expected[name].tobytes() == opened[name].tobytes(), name
        assert not taken[name].flags.writeable


def test_a_column_that_is_another_one_takes_no_memory(scored: rd.PerQuery, tmp_path: Path) -> None:
    """Read before it, or with it; one of other values has memory of its own."""
    plain, condensed = (scored.asked.value_columns(reading, "a") for reading in ("plain", "condensed"))
    columns = {name: scored[name] for name in scored.asked.parts}
    columns |= {condensed[0]: columns[plain[0]], condensed[1]: columns[plain[1]] + 1e-15, plain[3]: columns[plain[2]]}
    rd.write_scored(replace(scored, columns=Arrays(columns)), tmp_path / "again")
    opened = folders.opened(tmp_path / "again")
    for one, other, is_shared in (
        (plain[3], plain[2], True),
        (condensed[0], plain[0], True),
        (condensed[1], plain[1], False),
    ):
        assert np.shares_memory(opened[one], opened[other]) is is_shared


def test_values_that_were_read_together_are_not_copied(scored: rd.PerQuery, tmp_path: Path) -> None:
    """The measures of a side are rows of one array; of others a new array is made."""
    opened = folders.opened(tmp_path / "s")
    for side in ("a", "b"):
        values, rows = opened.values("plain", side), opened.rows("plain", side, range(4))  # type: ignore[arg-type]
        np.testing.assert_array_equal(values, scored.values("plain", side))  # type: ignore[arg-type]
        for order in ([0, 1, 2, 3], [1, 2], [3, 0], [2, 2], [0], []):
            some = stacked([rows[at] for at in order])
            np.testing.assert_array_equal(some, np.array([rows[at] for at in order]))
            if len({id(rows[at].base) for at in range(4)}) == 1 and order in ([1, 2], [0]):
                assert np.shares_memory(some, rows[order[0]])
    strange = [np.arange(12.0).reshape(3, 4).T[1], np.arange(6.0)[::2], np.broadcast_to(np.float64(3.0), (2, 3))[1]]
    for row in strange:
        np.testing.assert_array_equal(stacked([row, row]), np.array([row, row]))


def test_threads_that_share_a_folder_get_what_one_gets(scored: rd.PerQuery, tmp_path: Path) -> None:
    """Whoever else asks, and in whatever order: each column is what was written."""
    names = list(scored.asked.parts)
    opened = folders.opened(tmp_path / "s")

    def ask(seed: int) -> None:
        for name in random.Random(seed).sample(names, 12):
            np.testing.assert_array_equal(opened[name], scored[name], name)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as several:
            list(several.map(ask, range(8)))
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize(("primary", "read"), [("NDCG@10", True), ("MAP", False)])
def test_a_verdict_reads_no_bounds_that_it_does_not_speak_of(primary: str, read: bool, tmp_path: Path) -> None:
    """Labels move nDCG@10: where another measure decides, what they could do is neither read nor counted."""
    policy = rd.Policy().changed(primary=primary, guardrails=())
    found = world(3, queries=30)
    a, b = (rd.read_run([row[:3] for row in rows]) for rows in (found.a, found.b))
    rd.write_scored(rd.score(a, b, rd.read_judgments(list(found.judged)), policy=policy), tmp_path / "s")
    opened = folders.opened(tmp_path / "s")
    rd.decide(rd.compare_scored(opened, policy=policy))
    assert ("least" in opened.columns._read) is read  # type: ignore[attr-defined]


def test_a_part_that_is_named_twice_is_no_folder(scored: rd.PerQuery, tmp_path: Path) -> None:
    """Its queries would stand there once or twice, by who reads it."""
    manifest = tmp_path / "s" / "manifest.json"
    told = json.loads(manifest.read_text("utf-8"))
    told["parts"].append(told["parts"][0])
    manifest.write_text(json.dumps(told))
    with pytest.raises(rd.TableError, match="does not list its parts"):
        folders.opened(tmp_path / "s")


def test_a_part_of_another_length_is_said(scored: rd.PerQuery, tmp_path: Path) -> None:
    """The manifest says how many queries each part has, not only how many there are."""
    manifest = tmp_path / "s" / "manifest.json"
    told = json.loads(manifest.read_text("utf-8"))
    told["parts"][0]["rows"] += 1
    told["parts"][1]["rows"] -= 1
    manifest.write_text(json.dumps(told))
    with pytest.raises(rd.TableError, match="another number of queries than the manifest"):
        folders.opened(tmp_path / "s")


def test_a_column_that_cannot_be_read_hides_no_other(scored: rd.PerQuery, tmp_path: Path) -> None:
    """It is named where it is asked for; those beside it are there."""
    names = scored.asked.value_columns("plain", "a")
    part = sorted((tmp_path / "s").glob("part-*"))[1]
    group = pq.ParquetFile(part).metadata.row_group(0)
    chunks = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    chunk = chunks[names[1]]
    content = bytearray(part.read_bytes())
    end = chunk.data_page_offset + chunk.total_compressed_size
    content[end - 4 : end] = bytes(255 - byte for byte in content[end - 4 : end])
    part.write_bytes(content)
    opened = folders.opened(tmp_path / "s")
    np.testing.assert_array_equal(opened[names[0]], scored[names[0]])
    with pytest.raises(rd.TableError, match=f"{names[1]!r} of {part.name} cannot be read"):
        opened[names[1]]
    np.testing.assert_array_equal(opened[names[2]], scored[names[2]])
