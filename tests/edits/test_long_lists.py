"""Edits of long lists and of many queries: the same as on plain lists, and no slower for their length."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.conventions import STANDARD
from rankdash.edits import Edit, apply, misfits
from rankdash.edits.ordered import OrderedList
from rankdash.judged import Order, ranked_lists, ranked_rows
from rankdash.report.tables import edits_csv, read_edits
from tests.growth import near_linear


def edited(current: list[str], doc_id: str, place: float | None, *, adds: bool) -> None:
    """The slow twin of ``OrderedList.edit``, on a list."""
    if doc_id not in current and not adds:
        return
    if doc_id in current:
        current.remove(doc_id)
    if place is not None:
        current.insert(int(min(place, 10**9)) - 1, doc_id)


@pytest.mark.parametrize("seed", range(12))
def test_a_list_in_blocks_is_a_list(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents that are moved, added and taken out stand where they stand in a plain list, wherever blocks are cut."""
    chance = random.Random(seed)
    monkeypatch.setattr("rankdash.edits.ordered._BLOCK", chance.choice((1, 2, 3, 7, 512)))
    names = [f"d{i}" for i in range(chance.choice((0, 1, 5, 40)))]
    fast, slow = OrderedList(names), list(names)
    for step in range(400):
        doc_id = chance.choice((f"d{chance.randrange(45)}", f"new{step}"))
        place = chance.choice((None, 1, chance.randrange(1, 60), 1e308))
        adds = chance.random() < 0.5
        fast.edit(doc_id, place, adds=adds)
        edited(slow, doc_id, place, adds=adds)
        assert list(fast) == slow
        asked = chance.choice((doc_id, "d3"))
        assert fast.place(asked) == (slow.index(asked) + 1 if asked in slow else None)
        assert ((asked in fast), bool(fast)) == ((asked in slow), bool(slow))


@pytest.mark.parametrize("seed", range(5))
def test_rows_of_many_queries_are_those_of_each(seed: int) -> None:
    """One look through a column finds for every string the rows that a search for it alone finds."""
    chance = np.random.default_rng(seed)
    ids = pa.array([f"q{i}" for i in chance.integers(0, 9, chance.integers(0, 60))], pa.string()).dictionary_encode()
    wanted = [f"q{i}" for i in chance.integers(0, 14, 20)]
    found = arrow.rows_of_each(ids, wanted)
    assert list(found) == list(dict.fromkeys(wanted))
    assert all(rows.tolist() == arrow.rows_of(ids, name).tolist() for name, rows in found.items())


@pytest.mark.parametrize("seed", range(5))
def test_many_lists_are_ranked_as_each_is(seed: int) -> None:
    """Lists that are put in order together are those that are put in order one by one."""
    chance, order = random.Random(seed), Order.of(STANDARD)
    rows = [(f"q{chance.randrange(9)}", f"d{chance.randrange(9)}", chance.randrange(4)) for _ in range(200)]
    run = rd.read_run([{"query_id": query, "doc_id": doc, "score": score} for query, doc, score in rows])
    wanted = [*reversed(run.table.column("query_id").unique().to_pylist()), "none"]
    found = ranked_lists(run, wanted, order)
    assert list(found) == wanted
    assert all(rows.tolist() == ranked_rows(run, name, order)[0].tolist() for name, rows in found.items())


def world(queries: int, documents: int) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """Two runs of the same documents, and their grades."""
    rows = [(f"q{i}", f"d{i}_{k}", k) for i in range(queries) for k in range(documents)]
    run = rd.read_run([{"query_id": query, "doc_id": doc, "rank": k + 1} for query, doc, k in rows])
    graded = [{"query_id": query, "doc_id": doc, "relevance": k % 3} for query, doc, k in rows]
    return run, run, rd.read_judgments(graded)


#: Files of n edits that took hours, or a minute, and the queries and documents of the tables that they are for.
MANY = {
    "unknown queries": (lambda n: [Edit(f"y{i}", "d", "grade", None, None, 2) for i in range(n)], 20, 5),
    "documents added to one list": (lambda n: [Edit("q0", f"x{i}", "add", "a", None, 1) for i in range(n)], 20, 5),
    "one document of each query": (lambda n: [Edit(f"q{i}", f"d{i}_0", "rank", "a", 1, 3) for i in range(n)], 0, 3),
    "a long list": (
        lambda n: [Edit("q0", f"d0_{n - 1}", "rank", "a", n - i % 2, n - 1 + i % 2) for i in range(n)],
        1,
        0,
    ),
}


@pytest.mark.parametrize("kind", MANY)
def test_many_edits_take_no_longer_each_than_few(kind: str) -> None:
    """Twice as many edits, on tables as large as they need, take about twice as long to check and to apply."""
    make, queries, documents = MANY[kind]

    def made(n: int) -> tuple[tuple[Edit, ...], tuple[rd.Run, rd.Run, rd.Judgments]]:
        return read_edits(edits_csv(make(n)), "edits.csv"), world(queries or n, documents or n)

    def work(edits: tuple[Edit, ...], tables: tuple[rd.Run, rd.Run, rd.Judgments]) -> None:
        fits = not misfits(edits, *tables)
        assert fits is (kind != "unknown queries")
        apply(edits, *tables)

    near_linear(made, work, 2_000)
