"""Attributes that are computed once, whoever reads them."""

from __future__ import annotations

import gc
import threading
from dataclasses import dataclass

import pyarrow as pa

from rankdash.records import cached_property, remembered
from tests.awaited import HUNG


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
