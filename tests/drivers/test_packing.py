"""Rows in blocks: each in the bucket of its query, whatever the sizes; lines are cut as Python cuts them."""

from __future__ import annotations

import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.comparison import PerQuery
from rankdash.drivers import spark as driver
from rankdash.drivers.cluster import packing
from rankdash.drivers.cluster.bucket import Plan, block_of, score_bucket
from rankdash.drivers.cluster.lines import JUDGMENTS, RUN, LineWords, cut
from rankdash.drivers.cluster.packing import Packing, by_bucket, packed, unpacked
from rankdash.drivers.spec import Spec
from tests.truth.test_per_query import same_columns
from tests.truth.worlds import World, world

#: Bytes of pieces, of blocks, and of what is scored at once: all of it, and as little as there is.
SIZES = [(1 << 23, 1 << 17, 1 << 24), (1, 1, 1), (2_000, 100, 3_000), (2_000, 1 << 17, 1)]


def twin(lines: list[str], words: LineWords) -> list[tuple[str | None, ...]]:
    """The rows of lines, one after the other."""
    rows: list[tuple[str | None, ...]] = []
    for line in lines:
        found = line.split()
        if not found:
            continue
        if words.fewest <= len(found) <= words.most:
            rows.append(tuple(found[at] for at in words.columns.values()))
        else:
            rows.append(tuple(line.strip() if name == "doc_id" else None for name in words.columns))
    return rows


@pytest.mark.parametrize("words", [RUN, JUDGMENTS])
def test_lines_are_cut_as_python_cuts_them(words: LineWords) -> None:
    """White space of any kind and length, empty lines, a word too few or too many, letters of more than a byte."""
    chance = random.Random(5)

    def blanks(least: int) -> str:
        return "".join(chance.choices(" \t\v\f\r", k=chance.choice([least, 1, 1, 2])))

    def line() -> str:
        count = chance.choice([0, words.fewest - 1, words.fewest, words.most, words.most, words.most + 1])
        each = ("".join(chance.choices("aéz文🙂.1", k=chance.randint(1, 4))) for _ in range(count))
        return blanks(0) + blanks(1).join(each) + blanks(0)

    lines = [line() for _ in range(2_000)]
    batches = [pa.record_batch({"value": lines[at : at + 300]}) for at in range(0, len(lines), 300)]
    found = pa.Table.from_batches(cut([*batches, pa.record_batch({"value": pa.array([], pa.string())})], words))
    assert found.column_names == list(words.columns)
    assert [tuple(row.values()) for row in found.to_pylist()] == twin(lines, words)


@pytest.fixture(params=SIZES)
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces, blocks and buckets that are scored together, of several sizes."""
    for name, size in zip(("_AT_ONCE", "_MOST", "_TOGETHER"), request.param, strict=True):
        monkeypatch.setattr(packing, name, size)


def blocks_of(sources: Mapping[str, pa.Table], columns: Mapping[str, tuple[str, ...]], buckets: int) -> list[Any]:
    """The blocks of all sources, as a server may deal them: in any order, some to a batch."""
    found = [
        block.slice(row, 1)
        for side, table in sources.items()
        for block in packed(table.to_batches(max_chunksize=50), Packing(side, columns[side], buckets))
        for row in range(len(block))
    ]
    random.Random(len(found)).shuffle(found)
    return found


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("buckets", [1, 3, 70_000])
def test_every_row_comes_back_in_the_bucket_of_its_query(buckets: int) -> None:
    """CRC-32 of the id tells it, so that parts of different drivers fit together; no number loses a digit."""
    chance = random.Random(buckets)
    ids = ["q1", "é", "e\u0301", "查询", "🙂", *(f"q{n}" for n in range(40))]
    rows = [(chance.choice(ids), f"d{n % 90}", chance.uniform(-1, 1), n * 2**40 + 1) for n in range(700)]
    names = ("query_id", "doc_id", "score", "place")
    source = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    given = defaultdict(Counter)
    for row in rows:
        given[zlib.crc32(row[0].encode()) % buckets][row] += 1
    found = defaultdict(Counter)
    seen: set[int] = set()
    for table in by_bucket(blocks_of({"a": source}, {"a": ("score", "place")}, buckets)):
        here = set(table.column("bucket").to_pylist())
        assert not here & seen
        seen |= here
        for bucket in here:
            own = table.filter(pa.compute.equal(table.column("bucket"), bucket))
            found[bucket].update(tuple(row.values()) for row in unpacked(own, "a", ("score", "place")).to_pylist())
            assert not len(unpacked(own, "b", ("score",)))
    assert found == given


def scored(made: World, buckets: int, *, numbered: bool) -> PerQuery:
    """The table of a world, as workers make it."""
    values = {"a": "score", "b": "score", "judgments": "relevance"}
    sources, columns = {}, {}
    for side, rows in (("a", made.a), ("b", made.b), ("judgments", made.judged)):
        queries, documents, given = map(list, zip(*rows, strict=True))
        table = pa.table({"query_id": queries, "doc_id": documents, values[side]: [float(one) for one in given]})
        sources[side] = table.append_column("place", pa.array(range(len(table)))) if numbered else table
        columns[side] = (values[side], *(["place"] if numbered else []))
    grades = tuple(sorted({float(grade) for _, _, grade in made.judged}))
    plan = Plan(Spec(rd.Policy(), (), grades, neighbours=True), columns)
    rows = [score_bucket(table, plan).to_pylist()[0] for table in by_bucket(blocks_of(sources, columns, buckets))]
    assert [row["problem"] for row in rows] == [""] * len(rows)
    assert len(" ".join(row["buckets"] for row in rows).split()) <= buckets
    return PerQuery.concatenated([block_of(row["block"]) for row in rows])


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("numbered", [True, False])
def test_sizes_change_no_value(numbered: bool) -> None:
    """Whatever is packed and scored together: bit for bit the table of one bucket that came in one block."""
    made = world(31, queries=25, repeats=False)
    with pytest.MonkeyPatch.context() as patched:
        for name, size in zip(("_AT_ONCE", "_MOST", "_TOGETHER"), SIZES[0], strict=True):
            patched.setattr(packing, name, size)
        whole = scored(made, 1, numbered=numbered)
    same_columns(whole.by_id(), scored(made, 6, numbered=numbered).by_id())


def test_a_bucket_that_comes_twice_is_refused() -> None:
    """A server that takes the rows of a query apart would change values, and nobody would notice."""
    sink = pa.BufferOutputStream()
    table = scored(world(31, queries=5, repeats=False), 1, numbered=False).to_arrow()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    row = {
        "block": bytes(sink.getvalue()),
        "buckets": "3 7",
        "strange_a": "",
        "strange_b": "",
        "problem": "",
    } | dict.fromkeys(("written_a", "written_b"), "")
    dealt = SimpleNamespace(toLocalIterator=lambda: iter([row, row | {"buckets": "7"}]))
    frame: Any = SimpleNamespace(mapInArrow=lambda *_: dealt)
    with pytest.raises(driver.SparkError, match=r"The rows of bucket 7 came apart on the server: its queries cannot"):
        list(driver.Scoring(frame, Plan(Spec(rd.Policy()), {})))


@pytest.mark.parametrize("cell", ["1.5", "-1"])
def test_a_rank_that_is_none_is_told_wherever_it_is_packed(cell: str) -> None:
    """A cluster takes no rank that a reader would refuse: the query and the cell are named."""
    rows = pa.record_batch({"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": ["1", cell]})
    blocks = pa.Table.from_batches(list(packed([rows], Packing("a", ("rank",), 4))))
    with pytest.raises(packing.WrongError, match=rf"A: the rank of a row of query 'q' is '{cell}', no whole number"):
        unpacked(blocks, "a", ("rank",))
