"""Results that sessions share take no more memory than they may, are made once, and go with their sessions."""

from __future__ import annotations

import inspect
import sys
import threading
import time
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from streamlit.runtime import Runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from rankdash.comparison import join, score_queries
from rankdash.dashboard.kit import content_cache, shared_results
from rankdash.dashboard.kit.shared_results import Shared, budget, parts_of
from rankdash.policy import Policy
from tests.made import judgments, run

MB = 1_000_000


@dataclass(frozen=True)
class Record:
    """A result with a table and an array, and another array once it was asked for."""

    table: Any
    array: Any

    @cached_property
    def later(self) -> Any:
        """A large array that is computed when it is needed."""
        return np.zeros(5 * MB, np.uint8)


def size(value: Any) -> int:
    """The bytes of a value."""
    return sum(parts_of(value).values())


def test_the_size_of_a_result_is_that_of_its_tables_and_arrays() -> None:
    """Arrays, tables and texts count with all their bytes, each once; what was computed meanwhile counts too."""
    array = np.zeros(2 * MB, np.uint8)
    table = pa.table({"x": np.zeros(MB // 8), "d": pa.array(["a"] * (MB // 8)).dictionary_encode()})
    record = Record(table, array)
    assert 3.5 * MB <= size(record) < 3.6 * MB
    assert size([record, record, array[5:], {"again": table}]) < 3.6 * MB
    assert record.later is not None
    assert 8.5 * MB <= size(record) < 8.6 * MB
    assert size(["x" * 1000 + str(i) for i in range(10_000)]) > 9 * MB


def test_what_was_used_longest_ago_goes_first() -> None:
    """Beyond the budget the result that nobody used for longest is let go; the newest stays, however large."""
    shared = Shared(lambda: 10 * MB)
    for name in "abc":
        shared.get(name, lambda: np.zeros(4 * MB, np.uint8))
        if name == "b":
            shared.get("a", lambda: pytest.fail("it is there"))
    made: list[str] = []
    shared.get("a", lambda: made.append("a"))
    assert not made
    shared.get("b", lambda: made.append("b"))
    assert made == ["b"]
    shared.get("large", lambda: np.zeros(40 * MB, np.uint8))
    assert len(shared) == 1
    assert shared.size >= 40 * MB


def test_a_session_keeps_the_large_results_of_a_function_that_it_used_last() -> None:
    """Three of each: what it comes back to stays; small ones stay all, and so does what another session uses."""
    shared = Shared(lambda: 1000 * MB)
    shared.get(("opened", "everybody's"), lambda: np.zeros(9 * MB, np.uint8), "one")
    shared.get(("opened", "everybody's"), lambda: pytest.fail("it is there"), "two")
    shared.get(("joined", "base"), lambda: np.zeros(9 * MB, np.uint8), "one")
    for state in range(20):
        shared.get(("joined", "base"), lambda: pytest.fail("it is there"), "one")
        shared.get(("joined", state), lambda: np.zeros(9 * MB, np.uint8), "one")
        shared.get(("opened", state), lambda: np.zeros(10 * MB, np.uint8), "one")
        shared.get(("shown", state), lambda: np.zeros(MB, np.uint8), "one")
        assert shared.size <= (9 + 3 * 9 + 3 * 10 + 20) * MB
    for state in range(20):
        shared.get(("shown", state), lambda: pytest.fail("it is there"), "one")
    for state in (17, 18, 19):
        shared.get(("opened", state), lambda: pytest.fail("it is there"), "one")
    assert shared.get(("opened", 3), lambda: "made again", "one") == "made again"
    shared.get(("opened", "everybody's"), lambda: pytest.fail("it is there"), "two")
    assert shared.large == 1 + 1 + 2 * 20


def test_what_was_computed_of_results_counts_when_the_next_one_comes() -> None:
    """Columns that are computed when they are first read count as soon as another result is made: the budget holds."""
    shared = Shared(lambda: 12 * MB)
    for i in range(6):
        record = shared.get(i, lambda: Record(None, None))
        assert record.later is not None
        assert sum(one.value.later.nbytes for one in shared._entries.values()) <= 15 * MB  # the newest one on top
    assert shared.get(5, lambda: pytest.fail("it is there")) is record
    assert shared.size <= 12 * MB


def test_measuring_takes_no_more_than_a_twentieth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results that take long to measure are not measured with every other one that is made, but after a while, and
    with each sweep.
    """
    clock, measured = [0.0], list[str]()

    def measure(value: str) -> dict[int, int]:
        measured.append(value)
        clock[0] += 0.01
        return {id(value): 1}

    now = SimpleNamespace(monotonic=lambda: clock[0], thread_time=lambda: clock[0])
    monkeypatch.setattr(shared_results, "parts_of", measure)
    monkeypatch.setattr(shared_results, "time", now)
    shared = Shared(lambda: 0)  # only the newest one stays
    for i in range(210):
        shared.get(i, lambda: "result")
    assert 210 + 9 <= len(measured) <= 210 + 11
    before = len(measured)
    shared.sweep("nobody".__eq__)
    assert len(measured) == before + 1


def test_a_per_query_table_counts_with_what_was_computed_of_it() -> None:
    """Lists that were put in order and columns that were read count when the next result is made."""
    lists = {"q": [f"d{i}" for i in range(50_000)]}
    rankings = join(run(lists), run({"q": lists["q"][::-1]}), judgments({"q": {"d1": 1, "d2": 2}}))
    shared = Shared(lambda: 1000 * MB)
    scored = shared.get("scored", lambda: score_queries(rankings, Policy()))
    before = shared.size
    scored.to_arrow()
    shared.get("next", lambda: "next")
    assert shared.size > before
    assert shared.size == size([scored, "next"]) - size([None, None])


def test_results_of_one_table_count_it_once() -> None:
    """Results that hold the same table take its memory once."""
    shared, table = Shared(lambda: 10 * MB), pa.table({"x": np.zeros(MB)})
    for i in range(9):
        shared.get(i, lambda: Record(table, None))
    assert len(shared) == 9
    assert shared.size < 8.1 * MB


def test_the_bytes_are_those_of_the_results_that_are_there() -> None:
    """However results come, share tables, grow, are made anew and go: the size is what adding all up again gives."""
    rng = np.random.default_rng(7)
    pool = [np.zeros(int(n), np.uint8) for n in rng.integers(1, MB, 12)]
    shared = Shared(lambda: 5 * MB)
    for _ in range(500):
        key, action = int(rng.integers(20)), rng.random()
        if action < 0.9:
            parts = [pool[i] for i in rng.integers(0, len(pool), 3)]
            made = shared.get(key, lambda own=parts: Record(own, None), str(rng.choice(["", "old", "new"])))
            assert action > 0.05 or made.later is not None
        else:
            shared.sweep("new".__eq__, after=0 if action < 0.95 else 60)
        if rng.random() < 0.01:
            shared.clear()
            assert shared.size == 0
        places = {place: n for one in shared._entries.values() for place, n in one.parts.items()}
        assert shared.size == sum(places.values())
        assert len(shared) <= 1 or shared.size <= 5 * MB


def test_a_place_counts_as_it_was_measured_last() -> None:
    """A list that grew between two results that hold it counts once, as large as it is now, until both are gone."""
    shared, growing = Shared(lambda: 100 * MB), [0]
    shared.get("one", lambda: Record(growing, None), "old")
    growing += range(1_000_000)
    shared.get("two", lambda: Record(growing, None), "new")
    assert 7 * MB < shared.size < 10 * MB
    shared.sweep("old".__eq__, after=0)
    assert 7 * MB < shared.size < 10 * MB
    shared.sweep("nobody".__eq__, after=0)
    assert shared.size == 0


def test_a_result_is_made_once_however_many_ask() -> None:
    """Threads that ask at once wait for one result; what raises is made again, and others are not held up."""
    shared = Shared(lambda: MB)
    made: list[int] = []

    def make() -> str:
        made.append(1)
        time.sleep(0.1)
        return "x"

    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(shared.get("k", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert shared.get("other", lambda: "y") == "y"
    for thread in threads:
        thread.join()
    assert (found, len(made)) == (["x"] * 8, 1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            shared.get("bad", lambda: 1 / 0)
    assert shared.get("bad", lambda: "good") == "good"
    assert not shared._making


def test_a_result_may_grow_in_another_thread_while_it_is_measured() -> None:
    """Sessions fill what they share at any time: measuring it never fails, or no session that ended were let go."""
    growing: dict[int, int] = {}
    failed: list[BaseException] = []

    def measure() -> None:
        try:
            for _ in range(3_000):
                parts_of(growing)
        except RuntimeError as error:
            failed.append(error)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        thread = threading.Thread(target=measure)
        thread.start()
        while thread.is_alive():
            growing[len(growing) % 150] = 1
            if len(growing) == 150:
                growing.clear()
        thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert not failed


def test_what_only_ended_sessions_used_is_let_go() -> None:
    """A sweep lets go of results whose sessions are all gone, and of no other; what has grown is measured again."""
    shared = Shared(lambda: 100 * MB)
    record = Record(None, None)
    shared.get("both", lambda: record, "old")
    shared.get("both", lambda: record, "new")
    shared.get("old", lambda: "x", "old")
    shared.get("nobody", lambda: "x")
    before = shared.size
    assert record.later is not None
    assert shared.sweep("new".__eq__, after=60) == 0
    assert shared.size >= before + 4.9 * MB
    assert shared.sweep("new".__eq__, after=0) == 1
    assert len(shared) == 2


@pytest.mark.parametrize(("said", "most"), [("250", 250 * MB), ("0", 0)])
def test_the_budget_is_a_setting(said: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """RANKDASH_CACHE_MB says how much results may take; without it, or with nonsense, a quarter of the machine."""
    monkeypatch.setenv("RANKDASH_CACHE_MB", said)
    assert budget() == most
    monkeypatch.setenv("RANKDASH_CACHE_MB", "much")
    quarter = budget()
    monkeypatch.delenv("RANKDASH_CACHE_MB")
    assert budget() == quarter > 10 * MB


def test_every_cached_function_shares_the_budget() -> None:
    """Functions keep their results in one place, each under its own name."""

    @content_cache.once
    def one(x: int) -> Any:
        return [x]

    @content_cache.once
    def other(x: int) -> Any:
        return [-x]

    before = len(content_cache.RESULTS)
    assert one(1) is one(1)
    assert other(1) == [-1]
    assert len(content_cache.RESULTS) == before + 2


class _Server:
    """A server with one session that is there, and a store of those that were left."""

    def __init__(self) -> None:
        self.expired: list[int] = []
        store = SimpleNamespace(_cache=SimpleNamespace(expire=lambda: self.expired.append(1) or [("old", None)]))
        self._session_mgr = SimpleNamespace(_session_storage=store)

    def is_active_session(self, session: str) -> bool:
        """Whether a session is there."""
        return session == "new"


def test_a_sweep_asks_the_server_who_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """What sessions left behind is let go while nobody comes, the sessions that Streamlit still stores too."""
    server, shared = _Server(), Shared(lambda: 100 * MB)
    monkeypatch.setattr(content_cache, "RESULTS", shared)
    monkeypatch.setattr(content_cache.runtime, "exists", lambda: True)
    monkeypatch.setattr(content_cache.runtime, "get_instance", lambda: server)
    for session in ("old", "new"):
        shared.get(session, lambda: np.zeros(MB, np.uint8), session)
    monkeypatch.setattr(time, "monotonic", lambda now=time.monotonic: now() + 3600)
    content_cache.sweep()
    assert server.expired == [1]
    assert len(shared) == 1


def test_streamlit_has_what_the_sweep_asks_of_it() -> None:
    """The store of sessions that were left can be told to forget them: it does so by itself only when others come."""
    assert callable(Runtime.is_active_session)
    assert "self._session_mgr = " in inspect.getsource(Runtime.__init__)
    assert "self._session_storage = " in inspect.getsource(WebsocketSessionManager.__init__)
    assert callable(MemorySessionStorage()._cache.expire)  # type: ignore[attr-defined]


def test_what_a_large_result_left_behind_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that making a large result has freed is returned to the operating system; a small one is not worth it."""
    given_back: list[str] = []
    monkeypatch.setattr(content_cache, "RESULTS", content_cache.Shared())
    monkeypatch.setattr(shared_results, "_LARGE", 1_000)
    monkeypatch.setattr(content_cache, "give_back", lambda: given_back.append(""))
    zeros = content_cache.once(lambda size: np.zeros(size))
    for size, times in ((10, 0), (1_000, 1), (1_000, 1)):
        assert len(zeros(size)) == size
        assert len(given_back) == times
