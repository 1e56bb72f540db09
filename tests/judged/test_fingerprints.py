"""Fingerprints find candidates and bytes decide: nothing about an id depends on the rows beside it."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.arrow import Text
from rankdash.judged import pool as prints_of
from rankdash.judged.pool import Index, all_distinct, by_bytes, fingerprints, pair_prints, repeats, same_text

DEMO = Path(__file__).parents[2] / "data" / "demo"
#: Beginnings that ids share, of lengths around the words of eight bytes that fingerprints are made of.
STEMS = ["", "a", "abcdefg", "abcdefgh", "abcdefgh1", "0123456789abcdef", "0123456789abcdef0123456789abcdef", "ä" * 7]


def random_ids(rng: np.random.Generator, n: int) -> list[str]:
    """Ids of 0 to 230 bytes, many of which share their beginnings or are the beginning of another; some equal."""
    ends = ["", "a", "b", "\0", "\0a", "é", "文", "x" * 8, "y" * 16, "z" * 190]
    return [
        STEMS[int(rng.integers(len(STEMS)))] + "".join(rng.choice(ends, size=int(rng.integers(0, 3))).tolist())
        for _ in range(n)
    ]


def text(ids: Sequence[str]) -> Text:
    """The ids as a column."""
    return Text.of(arrow.from_strings(list(ids)))


def rows(n: int) -> np.ndarray:
    """The numbers of the rows."""
    return np.arange(n, dtype=np.int64)


def test_a_longer_id_beside_them_changes_nothing_for_short_ids() -> None:
    """A run with one long id meets judgments of short ids as it does without it."""
    grades = rd.read_judgments({"q1": {"a": 3, "b": 2, "c": 1}})
    short = rd.read_run({"q1": {"a": 3, "b": 2, "c": 1}}, name="short")
    mixed = rd.read_run({"q1": {"a": 3, "b": 2, "averylongidentifier": 1}}, name="mixed")
    values = [rd.evaluate(run, grades, ["P@2"])["value"].tolist() for run in (short, mixed)]
    assert values == [[1.0], [1.0]]


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_row_far_below_the_cutoff_leaves_the_demo_as_it_is(side: str) -> None:
    """One more document at the end of a list, with an id longer than the others, turns no number of the verdict."""
    judgments = rd.read_judgments(DEMO / "judgments.csv")
    runs = {name: (DEMO / f"run_{name}.csv").read_text() for name in "ab"}
    lines = runs[side].splitlines()
    fields = dict(zip(lines[0].split(","), lines[-1].split(","), strict=False))
    further = dict.fromkeys(fields, "") | {"query_id": fields["query_id"], "doc_id": "P0001-variant", "rank": "99"}
    longer = {**runs, side: runs[side].rstrip("\n") + "\n" + ",".join(further.values()) + "\n"}
    policy = rd.Policy(primary="nDCG@10", guardrails=(("AP@20", 0.01),))
    found = [
        rd.compare(*(rd.read_run(texts[name].encode(), name=name) for name in "ab"), judgments, policy=policy)
        for texts in (runs, longer)
    ]
    assert np.array_equal(found[0].deltas, found[1].deltas, equal_nan=True)
    assert rd.decide(found[0]).sentence == rd.decide(found[1]).sentence


def test_an_id_has_one_fingerprint_wherever_it_stands() -> None:
    """Among any other rows, and in blocks of any size, equal ids have equal fingerprints, others do not."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        ids = random_ids(rng, int(rng.integers(1, 60)))
        alone = [int(fingerprints(text([one]), rows(1))[0]) for one in ids]
        among = fingerprints(text(ids), slice(0, len(ids))).tolist()
        chosen = rng.permutation(len(ids)).astype(np.int64)
        assert among == alone
        assert fingerprints(text(ids), chosen).tolist() == [alone[i] for i in chosen]
        assert len(set(alone)) == len(set(ids))


@pytest.mark.parametrize("descending", [False, True])
def test_ids_are_ordered_as_bytes(descending: bool) -> None:
    """Within each group ids stand as Python sorts their bytes, equal ones as they came and marked as equal."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        ids = random_ids(rng, int(rng.integers(1, 50)))
        group = rng.integers(0, 4, size=len(ids))
        order, same = by_bytes(text(ids), rows(len(ids)), group, descending=descending)
        keys = [one.encode() for one in ids]
        wanted = sorted(range(len(ids)), key=keys.__getitem__, reverse=descending)
        if descending:  # reverse=True keeps equal ids as they came, too
            wanted = sorted(range(len(ids)), key=lambda i: keys[i], reverse=True)
        wanted.sort(key=lambda i: group[i])
        assert order.tolist() == wanted
        pairs = [(int(group[i]), ids[i]) for i in wanted]
        assert same.tolist() == [i > 0 and pairs[i] == pairs[i - 1] for i in range(len(pairs))]


def test_more_groups_than_two_bytes_can_number_stay_apart() -> None:
    """Of 70,000 groups of two ids each stands where its number says, its ids in the order of their bytes."""
    ids, n = ["b", "a"], 70_000
    order, same = by_bytes(text(ids * n), rows(2 * n), np.repeat(np.arange(n), 2))
    assert np.array_equal(order.reshape(n, 2), np.arange(2 * n).reshape(n, 2)[:, ::-1])
    assert not same.any()


@pytest.mark.parametrize("bits", [64, 3, 0])
def test_pairs_are_found_as_a_dictionary_finds_them(bits: int) -> None:
    """Whatever collides, repeats and matches are those of a dict, and ids are equal where their bytes are."""
    rng = np.random.default_rng(4)
    keep = np.uint64((1 << bits) - 1)
    for _ in range(40):
        ids, others = random_ids(rng, 40), list(dict.fromkeys(random_ids(rng, 30)))
        query, query_of = rng.integers(0, 3, size=40), rng.integers(0, 3, size=len(others))
        prints = pair_prints(fingerprints(text(ids), rows(40)), query) & keep
        prints_of_others = pair_prints(fingerprints(text(others), rows(len(others))), query_of) & keep
        # Only a judgment's own fingerprint tells queries apart, so where these collide every query has its own id.
        named, named_others = [f"{q}{d}" for q, d in zip(query, ids, strict=True)], [
            f"{q}{d}" for q, d in zip(query_of, others, strict=True)
        ]  # fmt: skip
        index = Index.of(prints_of_others, text(named_others), rows(len(others)))
        where = {name: i for i, name in enumerate(named_others)}
        assert index.find(prints, text(named), rows(40)).tolist() == [where.get(name, -1) for name in named]
        first: dict[str, int] = {}
        wanted = {i: first[name] for i, name in enumerate(named) if first.setdefault(name, i) != i}
        again, firsts = repeats(prints, query, text(named), rows(40))
        assert dict(zip(again.tolist(), firsts.tolist(), strict=True)) == wanted
        picked = rng.integers(0, 40, size=(2, 200))
        same = same_text(text(ids), picked[0], text(ids), picked[1]).tolist()
        assert same == [ids[i] == ids[j] for i, j in picked.T.tolist()]


@pytest.mark.long
def test_one_huge_id_among_many_short_ones_costs_little() -> None:
    """Work follows the bytes there are, not the longest id times the number of rows."""
    ids = [f"d{i}" for i in range(100_000)] + ["x" * 50_000] * 2
    column, query = text(ids), np.zeros(len(ids), np.int64)
    tracemalloc.start()
    prints = fingerprints(column, rows(len(ids)))
    by_bytes(column, rows(len(ids)), query)
    again, firsts = repeats(prints, query, column, rows(len(ids)))
    assert (again.tolist(), firsts.tolist()) == ([100_001], [100_000])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


def test_whether_lists_changed_does_not_hang_on_fingerprints(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all documents had one fingerprint, changed and identical lists and shared documents would be the same."""
    rng = np.random.default_rng(5)
    lists = [
        {f"q{q}": {f"doc{d}": float(-i) for i, d in enumerate(rng.permutation(30)[:12])} for q in range(12)}
        for _ in range(2)
    ]
    lists[1]["q3"] = dict(lists[0]["q3"])
    grades = rd.read_judgments(
        {f"q{q}": {f"doc{d}": int(rng.integers(0, 4)) for d in range(0, 30, 3)} for q in range(12)}
    )

    def found() -> list[object]:
        a, b = (rd.read_run(one, name=name) for one, name in zip(lists, "ab", strict=True))
        comparison, alike = (rd.compare(a, other, grades, measures=["overlap@10", "RBO"]) for other in (b, a))
        shown = comparison.shown.documents
        columns = np.array([shown.query, shown.rank_a, shown.rank_b, shown.judged]).T.tolist()
        return [
            comparison.affected.tolist(), alike.affected.tolist(), alike.counts.identical, comparison.delta_bounds,
            sorted(map(tuple, columns)), [one.mean for one in comparison.likeness],
        ]  # fmt: skip

    before = found()
    monkeypatch.setattr(prints_of, "_fingerprints", lambda column, at: np.zeros(len(column.at(at).lengths), np.uint64))
    assert found() == before
    assert before[2] is True


M = 2**64
GOLDEN = 0x9E3779B97F4A7C15


def stirred(x: int) -> int:
    """The finalizer of splitmix64 in plain Python."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % M
    x = (x ^ x >> 27) * 0x94D049BB133111EB % M
    return x ^ x >> 31


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_many_ids_are_distinct_where_a_set_says_so(
    seed: int, kind: pa.DataType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short and long ones, ones that differ in a byte or in the number of noughts at their end, any slice of them."""
    monkeypatch.setattr(prints_of, "_MANY", 3)
    monkeypatch.setattr(prints_of, "BLOCK", (1, 7, 1 << 15)[seed % 3])
    chance = random.Random(seed)
    made = ["".join(chance.choices("ab\0ä", k=chance.choice([0, 1, 7, 8, 9, 16, 40]))) for _ in range(60)]
    for values in (made, list(dict.fromkeys(made)), ["q" + "\0" * n for n in range(40)], [str(n) for n in range(200)]):
        ids = pa.array(["before", *values, "behind"], kind)[1:-1]
        assert all_distinct(ids) is (len(set(values)) == len(values))
        assert all_distinct(pa.array([*values, values[-1]], kind)) is False


def test_ids_whose_fingerprints_are_the_same_are_compared_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ids may have one fingerprint, though hardly ever: then the ids decide."""
    monkeypatch.setattr(prints_of, "_MANY", 3)
    monkeypatch.setattr(prints_of, "_fingerprints", lambda column, at: np.zeros(len(column.at(at).lengths), np.uint64))
    assert all_distinct(pa.array(["a", "b", "c"]))
    assert not all_distinct(pa.array(["a", "b", "a"]))
