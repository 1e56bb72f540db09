"""Results that sessions share take no more memory than they may, are made once, and go with their sessions."""

from __future__ import annotations

import gc
import random
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from rankdash.case import Case
from rankdash.dashboard.host import results
from rankdash.dashboard.host.results import Results, budget
from rankdash.dashboard.session import verdicts
from rankdash.policy import Policy
from tests.awaited import HUNG
from tests.long import every
from tests.made import judgments, run

MB = 1_000_000


@dataclass(frozen=True)
class Record:
    """A result that declares what it takes."""

    nbytes: int


def made(nbytes: int) -> Any:
    """How a result of that size is made."""
    return lambda: Record(nbytes)


def is_there() -> Any:
    """What makes a result that need not be made."""
    return pytest.fail("it is there")


def test_what_was_used_longest_ago_goes_first() -> None:
    """Beyond the budget the result that nobody used for longest is let go; the newest stays, however large."""
    shared = Results(10 * MB)
    for name in "abc":
        shared.get(name, made(4 * MB))
        if name == "b":
            shared.get("a", is_there)
    shared.get("a", is_there)
    again: list[str] = []
    shared.get("b", lambda: again.append("b"))
    assert again == ["b"]
    shared.get("large", made(40 * MB))
    assert len(shared) == 1
    shared.get("large", is_there)


@pytest.mark.parametrize("seed", every(3, range(5)))
def test_the_bytes_are_those_of_a_plain_list(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever comes and goes, there is what a list in the order of use has, cut to the budget from its old end."""
    monkeypatch.setattr(gc, "collect", lambda: 0)  # among all that tests have imported, it takes half a second
    chance, shared = random.Random(seed), Results(5 * MB)
    twin: list[tuple[int, int, set[str]]] = []
    for _ in range(300):
        key, size, lease = chance.randrange(12), chance.randrange(1, 2 * MB), chance.choice(["", "one", "two"])
        if chance.random() < 0.9:
            known = next((one for one in twin if one[0] == key), (key, size, set()))
            assert shared.get(key, made(size), lease).nbytes == known[1]
            known[2].update({lease} - {""})
            twin = [one for one in twin if one[0] != key]
            while twin and sum(one[1] for one in twin) + known[1] > 5 * MB:
                del twin[0]
            twin.append(known)
        else:
            shared.leave(lease)
            twin = [(*one[:2], one[2] - {lease}) for one in twin if one[2] != {lease}]
        assert (len(shared), shared.nbytes) == (len(twin), sum(one[1] for one in twin))


def test_a_result_is_made_once_however_many_ask() -> None:
    """Threads that ask at once wait for one result; what raises is made again, and others are not held up."""
    shared = Results(MB)
    times, may_end = list[int](), threading.Event()

    def make() -> str:
        times.append(1)
        assert may_end.wait(HUNG)
        return "x"

    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(shared.get("k", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert shared.get("other", lambda: "y") == "y"
    may_end.set()
    for thread in threads:
        thread.join()
    assert (found, len(times)) == (["x"] * 8, 1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            shared.get("bad", lambda: 1 / 0)
    assert shared.get("bad", lambda: "good") == "good"


def test_what_only_ended_sessions_used_is_let_go() -> None:
    """What another session uses stays, and so does what no session asked for."""
    shared = Results(100 * MB)
    shared.get("both", made(1), "old")
    shared.get("both", is_there, "new")
    shared.get("old", made(1), "old")
    shared.get("nobody", made(1))
    shared.leave("old")
    shared.get("both", is_there)
    shared.get("nobody", is_there)
    assert len(shared) == 2
    shared.leave("new")
    assert len(shared) == 1


@pytest.mark.parametrize(("said", "most"), [("250", 250 * MB), ("0", 0)])
def test_the_budget_is_a_setting(said: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """RANKDASH_CACHE_MB says how much results may take; without it, or with nonsense, a quarter of the machine."""
    monkeypatch.setenv("RANKDASH_CACHE_MB", said)
    assert budget() == most
    monkeypatch.setenv("RANKDASH_CACHE_MB", "much")
    quarter = budget()
    monkeypatch.delenv("RANKDASH_CACHE_MB")
    assert budget() == quarter > 10 * MB


def test_no_budget_keeps_the_newest_result_alone() -> None:
    """A page that is drawn asks for what was just made."""
    shared = Results(0)
    for name in "abc":
        shared.get(name, made(0))
        shared.get(name, is_there)
        assert len(shared) == 1


def test_every_function_shares_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions keep their results in one place, each under its own name."""
    monkeypatch.setattr(results, "RESULTS", Results(MB))

    @results.once
    def one(x: int) -> Any:
        return [x]

    @results.once
    def other(x: int) -> Any:
        return [-x]

    assert one(1) is one(1)
    assert other(1) == [-1]
    assert len(results.RESULTS) == 2
    with pytest.raises(TypeError, match="takes nothing"):
        results.once(lambda: 1)


def test_what_a_large_result_left_behind_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that making a large result has freed is returned to the operating system; a small one is not worth it."""
    given_back: list[str] = []
    monkeypatch.setattr(results, "give_back", lambda: given_back.append(""))
    shared = Results(1000 * MB)
    for name, size, times in (("small", 10, 0), ("large", 9 * MB, 1), ("large", 9 * MB, 1)):
        shared.get(name, made(size))
        assert len(given_back) == times


def test_a_comparison_declares_what_it_takes() -> None:
    """With ten times the queries about ten times as much, and its tables with it."""
    sizes = []
    for n in (20, 200):
        lists = {f"q{i}": [f"d{j}" for j in range(30)] for i in range(n)}
        graded = judgments({query: {"d1": 1, "d2": 2} for query in lists})
        case = Case((run(lists), run({query: docs[::-1] for query, docs in lists.items()})), graded, name="x")
        opened = verdicts.opened(case, Policy())
        sizes.append(opened.nbytes)
        assert opened.nbytes >= sum(table.table.nbytes for table in case.tables.values())
        assert opened.nbytes >= opened.comparison.joined.nbytes
    assert 8 < sizes[1] / sizes[0] < 12
