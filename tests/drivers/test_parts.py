"""The columns of a folder of scored queries: read together, each when it is first asked for or beside one that is."""

from __future__ import annotations

import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.drivers import folder as folders
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

    class Counted(pq.ParquetFile):  # type: ignore[misc]
        def __init__(self, path: Any, **options: Any) -> None:
            files.append(Path(path).name)
            super().__init__(path, **options)

    monkeypatch.setattr(pq, "ParquetFile", Counted)
    for _ in range(2):
        opened.values("plain", "a")
        opened.values("plain", "b")
    assert len(files) == len(set(files)) == len(list((tmp_path / "s").glob("part-*")))


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
