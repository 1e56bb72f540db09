"""A folder of scored queries that is uploaded file by file: the table that was written, or one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.intake.files import FileReading, Given
from rankdash.sandbox import apart
from rankdash.scored import METADATA, folder, uploaded
from tests.cli.test_scored import write
from tests.long import every
from tests.sandbox.test_apart import given
from tests.truth.worlds import world


def written(place: Path, order: str = "rows") -> rd.PerQuery:
    """A table in several parts, in an order of its own; what opening the folder gives."""
    write(world(1, queries=20, grades=(0, 1, 2)), place.parent)
    table = rd.score(*(place.parent / name for name in ("a.run", "b.run", "q.qrels")), measures="P@5")
    with folder.writing(place) as writer:
        writer.order = "ids" if order == "ids" else "rows"
        blocks = list(table.blocks(5))
        for number, block in enumerate(blocks if order == "rows" else blocks[::-1]):
            at = 5 * (len(blocks) - 1 - number) + np.arange(len(block))
            writer.write(rd.PerQuery(**{**vars(block), "places": at}) if order == "places" else block)
    return folder.opened(place)


def dropped(place: Path) -> list[Given]:
    """The files as a page has them."""
    return [given(path.name, path.read_bytes()) for path in sorted(place.iterdir())]


def said(reading: FileReading) -> str:
    """What is wrong, in one line."""
    assert reading.table is None
    assert reading.error is not None
    assert len(str(reading.error).splitlines()) == 1
    return str(reading.error)


@pytest.mark.parametrize("order", every(3, ["rows", "places", "ids"]))
@pytest.mark.parametrize("ask", [uploaded.scored, apart.scored])
def test_the_table_is_the_one_that_was_written(ask: Callable[..., FileReading], order: str, tmp_path: Path) -> None:
    """Its columns bit for bit, its queries in their order, its header; here and from a process of its own."""
    table = written(tmp_path / "scored", order)
    found = ask(dropped(tmp_path / "scored"), METADATA.decode()).table
    again = rd.PerQuery.from_arrow(found.table)
    assert again.header == table.header
    assert again.query_ids.to_pylist() == table.query_ids.to_pylist()
    for name in table.scope.parts:
        np.testing.assert_array_equal(again[name], table[name])


def of_manifest(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    """Something else in the manifest."""

    def spoil(place: Path) -> None:
        told = json.loads((place / "manifest.json").read_text("utf-8"))
        change(told)
        (place / "manifest.json").write_text(json.dumps(told))

    return spoil


def part_with(column: pa.Array) -> Callable[[Path], None]:
    """A part with another column of ids, and a manifest that knows it."""

    def spoil(place: Path) -> None:
        path = place / "part-00000.parquet"
        pq.write_table(pa.table({"query_id": column}), path)
        with open(path, "rb") as file:
            end = uploaded.footer_digest(file)
        known = {"bytes": path.stat().st_size, "sha256": end}
        of_manifest(lambda told: told["parts"][0].update(known))(place)
        of_manifest(lambda told: told.update(parts=told["parts"][:1]))(place)

    return spoil


NOT_TEXT = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
BROKEN: dict[str, tuple[Callable[[Path], Any], str]] = {
    "without": (lambda place: (place / "manifest.json").unlink(), "manifest.json is missing"),
    "a part gone": (lambda place: (place / "part-00001.parquet").unlink(), "part-00001.parquet is missing"),
    "cut": (
        lambda place: (place / "part-00001.parquet").write_bytes((place / "part-00001.parquet").read_bytes()[:-9]),
        "part-00001.parquet is not the file that was written",
    ),
    "another": (of_manifest(lambda told: told.update(form="x")), "manifest.json is none of scored queries"),
    "newer": (of_manifest(lambda told: told.update(version=7)), "scored in form 7, and this program reads form 1"),
    "no parts": (of_manifest(lambda told: told.update(parts=[])), "not what rankdash score wrote"),
    "a number": (of_manifest(lambda told: told.update(parts=3)), "not what rankdash score wrote"),
    "no order": (of_manifest(lambda told: told.update(order="places")), "not what rankdash score wrote"),
    "half a letter": (of_manifest(lambda told: told.update(header={"x": "\ud800"})), "not what rankdash score wrote"),
    "deep": (
        lambda place: (place / "manifest.json").write_text("[" * 100_000 + "]" * 100_000),
        "not what rankdash score wrote",
    ),
    "long": (lambda place: (place / "manifest.json").write_bytes(b" " * 5_000_001), "more than 5,000,000 bytes"),
    "no text": (part_with(NOT_TEXT), "not what rankdash score wrote"),
    "no parquet": (lambda place: (place / "manifest.json").write_bytes(b"\xff\xfe"), "not what rankdash score wrote"),
}


@pytest.mark.parametrize("name", every(3, BROKEN))
def test_what_is_not_whole_is_one_sentence(name: str, tmp_path: Path) -> None:
    """Whatever is missing, cut, of another version or made up: one sentence, and never an exception."""
    written(tmp_path / "scored")
    spoil, told = BROKEN[name]
    spoil(tmp_path / "scored")
    assert told in said(uploaded.scored(dropped(tmp_path / "scored"), METADATA.decode()))
