"""Frozen records do what frozen dataclasses do, and attributes are computed once, whoever reads them."""

import copy
import gc
import pickle
import threading
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from itertools import product

import pyarrow as pa
import pytest

from rankdash.records import cached_property, frozen, remembered
from tests.awaited import HUNG


class Record:
    """A record with each kind of field."""

    a: int
    b: tuple[float, ...] = ()
    c: str = field(default="c", compare=False)
    d: str = field(default="d", repr=False, kw_only=True)
    e: list[int] = field(default_factory=list, hash=False)

    @cached_property
    def twice(self) -> int:
        """Computed late."""
        return 2 * self.a


Standard = dataclass(frozen=True)(type("Record", (), dict(vars(Record))))
frozen(Record)


@frozen
class More(Record):
    """One with another field."""

    f: int = 0


def test_equality_hash_and_text_are_those_of_a_dataclass() -> None:
    """Two records equal, hash and print as the standard ones with the same values, and equal no other class."""
    cases = ({"a": 1}, {"a": 1, "b": (2.0,)}, {"a": 1, "c": "x"}, {"a": 1, "d": "y"}, {"a": True}, {"a": 1, "e": [1]})
    assert [one.name for one in fields(Record)] == [one.name for one in fields(Standard)]
    for one, other in product(cases, cases):
        pairs = [(kind(**one), kind(**other)) for kind in (Record, Standard)]
        assert len({(x == y, hash(x) == hash(y), repr(x), repr(y)) for x, y in pairs}) == 1
        assert pairs[1][0] != pairs[0][0] != More(**one)


def test_nothing_can_be_set_or_deleted() -> None:
    """A record keeps its values, and what is copied, pickled or replaced is such a record too."""
    for record in (Record(1), replace(More(2, f=3), a=1), copy.copy(Record(1)), pickle.loads(pickle.dumps(Record(1)))):
        assert record.twice == 2
        for name in ("a", "d", "twice", "other"):
            with pytest.raises(FrozenInstanceError, match=name):
                setattr(record, name, 5)
            with pytest.raises(FrozenInstanceError, match=name):
                delattr(record, name)
        assert (record.a, record.d, record.twice) == (1, "d", 2)


@dataclass(frozen=True)
class Slow:
    """A record whose value is there when an event happens."""

    may_go_on: threading.Event

    @cached_property
    def value(self) -> list[str]:
        """What takes long."""
        assert self.may_go_on.wait(HUNG)
        return ["computed"]


def test_a_record_does_not_wait_for_another_one() -> None:
    """While a thread computes an attribute of one record, others get the same attribute of other records."""
    waits, ready = Slow(threading.Event()), Slow(threading.Event())
    ready.may_go_on.set()
    thread = threading.Thread(target=lambda: waits.value)
    thread.start()
    try:
        other = threading.Thread(target=lambda: ready.value, daemon=True)
        other.start()
        other.join(HUNG)
        assert not other.is_alive()
    finally:
        waits.may_go_on.set()
        thread.join()


def test_all_threads_get_the_same_object() -> None:
    """Of threads that compute an attribute at once, each gets the very object that stays."""
    slow = Slow(threading.Event())
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(slow.value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    slow.may_go_on.set()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(each is slow.value for each in found)
    assert isinstance(Slow.value, cached_property)


def test_what_is_known_of_an_object_is_computed_once_and_goes_with_it() -> None:
    """Tables that hold the same are two objects; one at the place of another that is gone is looked at again."""
    asked = list[int]()

    @remembered
    def rows(table: pa.Table) -> list[int]:
        asked.append(len(table))
        return [len(table)]

    one, other = pa.table({"x": [1, 2]}), pa.table({"x": [1, 2]})
    assert rows(one) is rows(one)
    assert rows(one) is not rows(other)
    assert asked == [2, 2]
    for size in range(3, 200):  # most lie where the one before lay
        one = pa.table({"x": [0] * size})
        assert rows(one) == [size]
    del one, other
    gc.collect()
    known = next(cell.cell_contents for cell in rows.__closure__ or () if isinstance(cell.cell_contents, dict))
    assert known == {}
