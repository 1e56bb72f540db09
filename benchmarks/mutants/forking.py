"""A pytest plugin: the tests are collected and run once without a fault, then every mutant is tried in a fork.

A fork begins with everything imported, and runs only the tests that call the mutated function until one fails: first
those that noticed other mutants of that function, then of every parametrized test the quickest case, then the next
ones. So a mutant costs about as much as the test that notices it. (mutmut's own runs collect the tests anew for each
mutant, which takes ten times as long.)
"""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from mmap import mmap
from pathlib import Path
from struct import Struct
from typing import TextIO

import pytest
from mutmut.mutation import trampoline

#: The mutants to try, JSON {name: digest}, and what became of them, a line of JSON each: [digest, status].
WANTED, TRIED = Path("mutants.json"), Path("tried.jsonl")
WORKERS = "RANKDASH_MUTANT_WORKERS"
SURVIVED, _KILLED = 0, 1
_NUMBER = Struct("q")
#: A test that takes this many times its time without a fault, and seconds beyond, hangs: its mutant is killed.
_TIMES_AS_LONG, _BEYOND = 10, 3
#: And one that waits for something that never comes takes no time of the processor.
_WAITS = 120
#: What a mutant may allocate on top.
_BYTES = 4 << 30


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Runs the tests without a fault, then those of every mutant."""
    took, callers = _without_fault(session)
    if session.testsfailed:
        return True
    wanted: dict[str, str] = json.loads(WANTED.read_text("utf-8"))
    running: dict[int, _Trial] = {}
    noticed: dict[str, Counter[pytest.Item]] = defaultdict(Counter)  # by function: how many mutants a test killed
    turns = _turns(took)
    with TRIED.open("a", encoding="utf-8") as out:
        for name, digest in wanted.items():
            if len(running) == int(os.environ[WORKERS]):
                _ended(running, noticed, out)
            function = name.partition("__mutmut_")[0]
            kills = noticed[function]
            items = sorted(callers[function], key=lambda item: (-kills[item], turns[item], took[item]))
            trial = _Trial(name, digest, function, items, mmap(-1, _NUMBER.size))
            running[_forked(trial, took)] = trial
        while running:
            _ended(running, noticed, out)
    return True


@dataclass(frozen=True)
class _Trial:
    """A mutant, and the tests to run, which a fork runs in their order; ``at`` tells which one it has begun."""

    name: str
    digest: str
    function: str
    items: list[pytest.Item]
    at: mmap


def _turns(took: Mapping[pytest.Item, float]) -> dict[pytest.Item, int]:
    """The place of each case among those of its test, the quickest first."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in sorted(took, key=took.__getitem__):
        cases[item.nodeid.partition("[")[0]].append(item)
    return {item: turn for listed in cases.values() for turn, item in enumerate(listed)}


def _without_fault(session: pytest.Session) -> tuple[dict[pytest.Item, float], dict[str, list[pytest.Item]]]:
    """How long each test took of the processor, and which tests call each function."""
    took: dict[pytest.Item, float] = {}
    callers: dict[str, list[pytest.Item]] = defaultdict(list)
    called: set[str] = set()
    # mutmut's own function asks for a configuration.
    trampoline.record_trampoline_hit = lambda name, caller=None: called.add(name)
    trampoline.set_mutant_under_test("stats")
    for item, following in pairwise((*session.items, None)):
        assert item is not None
        began = time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        took[item] = time.process_time() - began
        for name in called:
            callers[name].append(item)
        called.clear()
    trampoline.set_mutant_under_test("")
    _forget()
    return took, callers


def _forget() -> None:
    """Clears what functions keep, which was made without a fault; what there is now is never looked at again."""
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith(("rankdash", "tests")):
            one.cache_clear()
    gc.collect()
    gc.freeze()


def _forked(trial: _Trial, took: Mapping[pytest.Item, float]) -> int:
    """Runs tests with a mutant in another process, which ends with status 1 at the first that fails; its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = _KILLED
    try:
        _bound()
        trampoline.set_mutant_under_test(trial.name)
        for number, item in enumerate(trial.items):
            _NUMBER.pack_into(trial.at, 0, number)
            signal.setitimer(signal.ITIMER_PROF, _TIMES_AS_LONG * took[item] + _BEYOND)
            signal.alarm(_WAITS)
            # Fixtures of wider scopes are made again for each test: their making belongs to the mutant.
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        status = SURVIVED
    finally:
        os._exit(status)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> None:
    """In a fork the first failure is the end: nobody reads a traceback."""
    mutated = trampoline.get_mutant_under_test() not in ("", "stats")
    if mutated and call.excinfo is not None and not isinstance(call.excinfo.value, pytest.skip.Exception):
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


def _ended(running: dict[int, _Trial], noticed: dict[str, Counter[pytest.Item]], out: TextIO) -> None:
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
