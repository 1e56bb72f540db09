"""Attributes that are computed once, whoever reads them."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from rankdash.lazy import cached_property


@dataclass(frozen=True)
class Slow:
    """A record whose value is there when an event happens."""

    may_go_on: threading.Event

    @cached_property
    def value(self) -> list[str]:
        """What takes long."""
        assert self.may_go_on.wait(10)
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
        other.join(5)
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
