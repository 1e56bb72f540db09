"""Fingerprints find candidates and bytes decide: nothing about an id depends on the rows beside it."""

import random

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.judged import pool as prints_of
from rankdash.judged.pool import all_distinct


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
            [one.scored["changed"].tolist() for one in (comparison, alike)], alike.counts.identical,
            comparison.delta_bounds, sorted(map(tuple, columns)), [one.mean for one in comparison.likeness],
        ]  # fmt: skip

    before = found()
    monkeypatch.setattr(prints_of, "_fingerprints", lambda column, at: np.zeros(len(column.at(at).lengths), np.uint64))
    assert found() == before
    assert before[1] is True


@pytest.mark.parametrize("n", [0, 1, 2, 100, prints_of.BLOCK, prints_of.BLOCK + 1])
def test_what_occurs_twice_is_what_sorting_finds(n: int) -> None:
    """Whatever shares a slot, few or many: the same fingerprints as all of them sorted."""
    for most in (2, 1_000, 2**40, 2**63):
        ordered = np.sort(prints := np.random.default_rng(n).integers(0, most, n).astype(np.uint64))
        assert np.array_equal(prints_of.occurring_twice(prints), ordered[1:][ordered[1:] == ordered[:-1]])


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
