"""Tables that earlier versions wrote, of the first queries of the demo: a folder of each, and a saved one."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.report.json import to_json
from rankdash.scored import METADATA, SCHEMA_VERSION
from rankdash.scored.folder import opened
from rankdash.scored.uploaded import scored
from rankdash.store.files import InPieces
from tests.sandbox.test_apart import given

OLD = Path(__file__).parent / "old"
#: The columns that version 3 added.
GRADED = ("graded_", "in_grade_order_", "two_grades_")
VERSIONS = (2, 3)


@pytest.fixture(scope="module")
def now() -> rd.PerQuery:
    """The same lists, scored by this version."""
    return rd.score(OLD / "run_a.csv", OLD / "run_b.csv", OLD / "judgments.csv", measures="ERR@5")


def uploaded(folder: Path) -> rd.PerQuery:
    """The table of a folder whose files come from a browser."""
    files = [given(path.name, path.read_bytes()) for path in sorted(folder.iterdir())]
    return rd.PerQuery.from_arrow(scored(files, METADATA.decode()).table.table)


def saved(path: Path) -> rd.PerQuery:
    """The table of a saved comparison."""
    found = InPieces.of(pa.OSFile(str(path)), "")
    assert found is not None
    return found.per_query()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("way", ["folder", "uploaded", "saved"])
def test_a_table_of_an_earlier_version_has_the_values_of_this_one(version: int, way: str, now: rd.PerQuery) -> None:
    """Every column bit for bit, but for those that the version lacks, and so the results of the comparison."""
    if (version, way) == (3, "saved"):
        pytest.skip("one saved table is kept")
    assert version < SCHEMA_VERSION
    place = OLD / str(version)
    table = {"folder": opened, "uploaded": uploaded, "saved": saved}[way](
        place / ("saved.parquet" if way == "saved" else "folder")
    )
    lacking = {name for name in now.scope.parts if version == 2 and name.startswith(GRADED)}
    assert set(table.scope.parts) == set(now.scope.parts) - lacking
    assert table.query_ids.to_pylist() == now.query_ids.to_pylist()
    for name in [*table.scope.parts, *table.scope.aliases]:
        assert table[name].tobytes() == now[name].tobytes(), name
    there, here = rd.compare_scored(table), rd.compare_scored(now)
    assert there.results == here.results
    if version == 3:
        assert to_json(there, rd.decide(there)) == to_json(here, rd.decide(here))
