"""The columns of a folder of scored queries: read together, each when it is first asked for or beside one that is."""

from __future__ import annotations

import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.judged import SIDES
from rankdash.scored import Arrays
from rankdash.scored import folder as folders
from tests.long import every
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
        for name in [*list(scored.scope.parts)[::turn], *scored.scope.parts]:
            np.testing.assert_array_equal(opened[name], scored[name], name)


def test_a_column_is_read_once(scored: rd.PerQuery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often somebody asks for it, each file is opened once for it."""
    reads, read = list[tuple[str, str]](), folders.PartFile.column

    def counted(file: folders.PartFile, name: str) -> Any:
        reads.append((file.path.name, name))
        return read(file, name)

    monkeypatch.setattr(folders.PartFile, "column", counted)
    opened = folders.opened(tmp_path / "s")
    for side in SIDES:
        opened.values("plain", side)
    before = len(reads)
    for side in SIDES:
        opened.values("plain", side)
    assert len(reads) == before
    assert {file for file, _ in reads} == {path.name for path in (tmp_path / "s").glob("part-*")}


@pytest.mark.parametrize("seed", every(3, range(12)))
def test_columns_that_are_others_are_what_was_written(scored: rd.PerQuery, tmp_path: Path, seed: int) -> None:
    """Where only some parts say that they are, and with parts in any order."""
    random = np.random.default_rng(seed)
    columns = {name: scored[name].copy() for name in scored.scope.parts}
    floats = [name for name, values in columns.items() if values.dtype == np.float64]
    for name in floats:
        chosen = int(random.integers(4))
        columns[name] = columns[str(random.choice(floats))].copy() if chosen else columns[name]
        if chosen == 2:
            columns[name][int(random.integers(len(scored)))] = float(random.choice([0.125, np.nan, -0.0]))
        if chosen == 3:
            columns[name][:] = float(random.choice([0.0, -0.0, 1.0, np.nan]))
    places = random.permutation(len(scored)) if seed % 3 == 0 else None
    table = replace(scored, columns=Arrays.of(columns), places=places)
    folders.save(table, tmp_path / "again")
    opened, expected = folders.opened(tmp_path / "again"), table.in_order()
    assert opened.query_ids.to_pylist() == expected.query_ids.to_pylist()
    names = random.permutation(list(columns)).tolist()
    taken = {name: opened[name] for name in names}
    for name in names:
        assert taken[name].tobytes() == expected[name].tobytes() == opened[name].tobytes(), name
        assert not taken[name].flags.writeable


def test_a_column_that_is_another_one_is_stored_once(scored: rd.PerQuery, tmp_path: Path) -> None:
    """In the files and in memory; one of other values has its own, where they differ in a part alone as well."""
    plain, condensed = (scored.scope.value_columns(reading, "a") for reading in ("plain", "condensed"))
    columns = {name: scored[name] for name in scored.scope.parts}
    columns |= {condensed[0]: columns[plain[0]], condensed[1]: columns[plain[1]] + 1e-15, plain[3]: columns[plain[2]]}
    columns[condensed[2]] = np.where(np.arange(len(scored)) < 10, columns[plain[2]], 0.5)
    rd.write_scored(replace(scored, columns=Arrays.of(columns)), tmp_path / "again")
    opened = folders.opened(tmp_path / "again")
    parts = sorted((tmp_path / "again").glob("part-*"))
    for one, other, is_shared in (
        (plain[3], plain[2], True),
        (condensed[0], plain[0], True),
        (condensed[1], plain[1], False),
        (condensed[2], plain[2], False),
    ):
        assert np.shares_memory(opened[one], opened[other]) is is_shared
        assert (one not in pq.read_schema(parts[-1]).names) is is_shared
        assert opened[one].tobytes() == columns[one].tobytes()


@pytest.mark.parametrize("seed", range(6))
def test_aliases_are_those_of_the_whole_whoever_found_them(scored: rd.PerQuery, tmp_path: Path, seed: int) -> None:
    """Found at once, or block by block by several processes: the same columns are stored under the same names."""
    random = np.random.default_rng(seed)
    columns = {name: scored[name].copy() for name in scored.scope.parts}
    floats = [name for name, values in columns.items() if values.dtype == np.float64]
    for name in floats:
        columns[name] = columns[str(random.choice(floats))].copy()
        if random.random() < 0.5:
            columns[name][int(random.integers(len(scored)))] = 0.125
        if random.random() < 0.5:
            columns[name][:] = random.choice([0.0, -0.0, np.nan, -np.nan])
    whole = replace(scored, columns=Arrays.of(columns))
    blocks = [replace(one, columns=Arrays.of({name: one[name] for name in columns})) for one in whole.blocks(7)]
    together = rd.PerQuery.concatenated([rd.PerQuery.from_arrow(one.to_arrow()) for one in blocks])
    assert together.columns.aliases == whole.columns.aliases == slow_aliases(columns)  # type: ignore[attr-defined]
    with folders.writing(tmp_path / "blocks") as writer:
        for one in blocks:
            writer.write(one)
    opened = folders.opened(tmp_path / "blocks")
    assert opened.columns.aliases == whole.columns.aliases  # type: ignore[attr-defined]
    for name in columns:
        assert opened[name].tobytes() == together[name].tobytes() == columns[name].tobytes(), name


def slow_aliases(columns: dict[str, Any]) -> dict[str, str]:
    """Each column that is an earlier one, found by looking at all of them."""
    firsts = {
        name: next(
            other
            for other in columns
            if (columns[other].dtype, columns[other].tobytes()) == (mine.dtype, mine.tobytes())
        )
        for name, mine in columns.items()
    }
    return {name: other for name, other in firsts.items() if other != name}


def test_threads_that_share_a_folder_get_what_one_gets(scored: rd.PerQuery, tmp_path: Path) -> None:
    """Whoever else asks, and in whatever order: each column is what was written."""
    names = list(scored.scope.parts)
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
    names = scored.scope.value_columns("plain", "a")
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
