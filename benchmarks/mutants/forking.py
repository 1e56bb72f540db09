"""A pytest plugin: the tests are collected and run once without a fault, then every mutant is tried in a fork.

A fork begins with everything imported; the code of the function is exchanged for that of the mutant, and only tests
that call the function are run until one fails, as long as they take no more than some seconds together: quick ones and
those that noticed other mutants of the function first, and no test takes all the time with its many cases. So a mutant
costs about as much as the test that notices it. (mutmut's own runs collect the tests anew for each mutant, and its
functions look up at each call which mutant is meant.)
"""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from struct import Struct
from types import FrameType, FunctionType
from typing import Any, TextIO

import pytest
from mutmut.mutation import trampoline

#: The mutants to try, JSON {name: digest}, and what became of them, a line of JSON each: [digest, status].
WANTED, TRIED = Path("mutants.json"), Path("tried.jsonl")
#: Names in the environment: how many mutants are tried at once, the seconds of the processor that the tests of one may
#: take together, and the seconds after which no other one is begun.
WORKERS, EACH, ALL = "RANKDASH_MUTANT_WORKERS", "RANKDASH_MUTANT_SECONDS", "RANKDASH_MUTANTS_SECONDS"
SURVIVED, _KILLED = 0, 1
_NUMBER = Struct("q")
#: A test that takes this many times its time without a fault, and seconds beyond, hangs: its mutant is killed.
_TIMES_AS_LONG, _BEYOND = 10, 1
#: And one that waits for something that never comes takes no time of the processor.
_WAITS = 60
#: What a mutant may allocate on top.
_BYTES = 4 << 30
#: How many examples a search for counterexamples tries; what it finds is not made small.
_EXAMPLES = 20

#: Every function that has mutants, and those, by name.
_FAULTY: list[tuple[FunctionType, dict[str, Any]]] = []


def _noted(mutants: dict[str, Any], is_classmethod: bool = False) -> Callable[[FunctionType], FunctionType]:
    """Stands for the decorator that mutmut writes above each function: leaves the function what it is."""

    def note(function: FunctionType) -> FunctionType:
        _FAULTY.append((function, mutants))
        return function

    return note


trampoline.wrap_in_trampoline = _noted


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Runs the tests without a fault, then those of every mutant."""
    _search_less(session.items)
    faulty = {
        function.__module__ + "." + name: (function, one)
        for function, mutants in _FAULTY
        for name, one in mutants.items()
    }
    took, callers = _without_fault(session.items)
    if session.testsfailed:
        return True
    until = time.monotonic() + float(os.environ[ALL])
    wanted: dict[str, str] = json.loads(WANTED.read_text("utf-8"))
    running: dict[int, _Trial] = {}
    noticed: dict[FunctionType, Counter[pytest.Item]] = defaultdict(Counter)  # how many mutants a test has killed
    waits = _waits(took)
    with TRIED.open("a", encoding="utf-8") as out:
        for name, digest in wanted.items():
            if len(running) == int(os.environ[WORKERS]):
                _ended(running, noticed, out)
            if time.monotonic() > until:
                break
            function, mutant = faulty[name]
            kills = noticed[function]
            items = sorted(callers[function], key=lambda item: waits[item] / (1 + kills[item]))
            trial = _Trial(digest, function, mutant, _affordable(items, took), mmap(-1, _NUMBER.size))
            running[_forked(trial, took)] = trial
        while running:
            _ended(running, noticed, out)
    return True


@dataclass(frozen=True)
class _Trial:
    """A mutant, and the tests to run, which a fork runs in their order; ``at`` tells which one it has begun."""

    digest: str
    function: FunctionType
    mutant: Any
    items: list[pytest.Item]
    at: mmap


def _search_less(items: Iterable[pytest.Item]) -> None:
    """Lets tests that search for counterexamples try fewer examples, and stop at the first that is one."""
    from hypothesis import Phase, settings

    name = "_hypothesis_internal_use_settings"
    for function in {getattr(item, "function", None) for item in items}:
        known = getattr(function, name, None)
        if known is not None:
            fewer = min(known.max_examples, _EXAMPLES)
            phases = (Phase.explicit, Phase.generate)
            setattr(function, name, settings(parent=known, max_examples=fewer, phases=phases, database=None))


def _waits(took: Mapping[pytest.Item, float]) -> dict[pytest.Item, float]:
    """How long the cases of its test take up to each, the quickest first: in this order every test has the same time,
    one of a thousand cases as well as one of a single case.
    """
    seconds: Counter[str] = Counter()
    waits = {}
    for item in sorted(took, key=took.__getitem__):
        seconds[item.nodeid.partition("[")[0]] += took[item]  # type: ignore[assignment]
        waits[item] = float(seconds[item.nodeid.partition("[")[0]])
    return waits


def _affordable(items: Iterable[pytest.Item], took: Mapping[pytest.Item, float]) -> list[pytest.Item]:
    """As many of the tests, in their order, as fit into the time of one mutant; at least the first."""
    left, chosen = float(os.environ[EACH]), []
    for item in items:
        if not chosen or took[item] <= left:
            chosen.append(item)
            left -= took[item]
    return chosen


def _without_fault(items: list[pytest.Item]) -> tuple[dict[pytest.Item, float], dict[FunctionType, list[pytest.Item]]]:
    """How long each test takes of the processor, and which tests call each function. Each makes its fixtures anew, and
    nothing is remembered from the test before: what a test needs, it calls.
    """
    took: dict[pytest.Item, float] = {}
    callers: dict[FunctionType, list[pytest.Item]] = defaultdict(list)
    codes = {id(function.__code__): function for function, _ in _FAULTY}
    called: set[int] = set()

    def note(frame: FrameType, event: str, arg: object) -> None:
        called.add(id(frame.f_code))

    caches = _caches()
    for item in items:
        called.clear()
        for cache in caches:
            cache.cache_clear()
        threading.settrace(note)  # type: ignore[arg-type]
        sys.settrace(note)  # type: ignore[arg-type]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        for code in called & codes.keys():
            callers[codes[code]].append(item)
        # Again, for what is traced takes several times as long.
        began = time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        took[item] = time.process_time() - began
    for cache in _caches():
        cache.cache_clear()
    gc.collect()
    gc.freeze()
    return took, callers


def _caches() -> list[Any]:
    """What the project's functions remember, and those of its tests."""
    found = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [one for one in found if str(one.__module__).startswith(("rankdash", "tests"))]


def _forked(trial: _Trial, took: Mapping[pytest.Item, float]) -> int:
    """Runs tests with a mutant in another process, which ends with status 1 at the first that fails; its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = _KILLED
    try:
        _bound()
        _put(trial)
        for number, item in enumerate(trial.items):
            _NUMBER.pack_into(trial.at, 0, number)
            signal.setitimer(signal.ITIMER_PROF, _TIMES_AS_LONG * took[item] + _BEYOND)
            signal.alarm(_WAITS)
            # What a fixture of a wider scope makes is made with the mutant, and serves the tests that follow.
            following = trial.items[number + 1] if number + 1 < len(trial.items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        status = SURVIVED
    finally:
        os._exit(status)


_forks: list[_Trial] = []


def _put(trial: _Trial) -> None:
    """Lets the function do what the mutant does, whoever holds it."""
    _forks.append(trial)
    mutant = _plain(trial.mutant)
    trial.function.__code__ = mutant.__code__
    trial.function.__defaults__, trial.function.__kwdefaults__ = mutant.__defaults__, mutant.__kwdefaults__


def _plain(function: Any) -> FunctionType:
    """The function behind a property, a cached one, or a method of a class."""
    for name in ("fget", "func", "__wrapped__", "__func__"):
        function = getattr(function, name, function)
    assert isinstance(function, FunctionType)
    return function


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> None:
    """In a fork the first failure is the end: nobody reads a traceback."""
    if _forks and call.excinfo is not None and not isinstance(call.excinfo.value, pytest.skip.Exception):
        os._exit(_KILLED)


def _bound() -> None:
    """Silence, and an end to memory."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0]) if Path("/proc/self/statm").exists() else 0
    if pages:
        most = pages * resource.getpagesize() + _BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _ended(running: dict[int, _Trial], noticed: Mapping[FunctionType, Counter[pytest.Item]], out: TextIO) -> None:
    """Waits for one of the processes, and writes down what became of its mutant."""
    child, status = os.waitpid(-1, 0)
    if child not in running:
        return
    trial = running.pop(child)
    if status != SURVIVED and trial.items:
        noticed[trial.function][trial.items[_NUMBER.unpack_from(trial.at)[0]]] += 1
    trial.at.close()
    out.write(json.dumps([trial.digest, status]) + "\n")
    out.flush()
