"""Faults in what a module does while it is imported: each is tried in a fork that imports the package anew.

The process that forks has imported what the project stands on, and nothing of the project itself.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

#: Imported once, before the first fork.
_BENEATH = (
    "numpy",
    "pandas",
    "pyarrow.csv",
    "scipy.stats",
    "plotly.graph_objects",
    "hypothesis",
    "pytest",
    "ir_measures",
)
#: Plugins that these tests do not need take a fifth of a second each time.
_ARGUMENTS = ("-q", "-x", "--all", "--rootdir=.", *("-p", "no:cacheprovider"), *("-p", "no:xdist"), *("-p", "no:anyio"))
#: A test run that takes this many times its time without a fault, and seconds beyond, hangs: its fault is noticed.
_TIMES_AS_LONG, _BEYOND = 10, 20


def passing(
    tree: Path, sources: Mapping[int, tuple[Path, bytes]], names: Sequence[str], workers: int
) -> Iterator[tuple[int, bool]]:
    """Each number with whether the tests pass where its source stands for that of a file. RuntimeError where they
    fail as they are.
    """
    for module in _BENEATH:
        importlib.import_module(module)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if os.waitpid(_forked(tree, None, names, 0), 0)[1]:
        raise RuntimeError(f"the tests fail without any fault: cd {tree} && pytest {' '.join(names)}")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    running: dict[int, int] = {}
    for number, source in sources.items():
        if len(running) == workers:
            yield _ended(running)
        running[_forked(tree, source, names, _TIMES_AS_LONG * seconds + _BEYOND)] = number
    while running:
        yield _ended(running)


def _ended(running: dict[int, int]) -> tuple[int, bool]:
    child, status = os.wait()
    return running.pop(child), status == 0


def _forked(tree: Path, source: tuple[Path, bytes] | None, names: Sequence[str], seconds: float) -> int:
    """Runs tests in another process, which ends with status 0 where all pass; its id."""
    child = os.fork()
    if child:
        return child
    status = 1
    with suppress(BaseException):
        status = _tested(tree, source, names, seconds)
    os._exit(status)


def _tested(tree: Path, source: tuple[Path, bytes] | None, names: Sequence[str], seconds: float) -> int:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    for name in [name for name in sys.modules if name.partition(".")[0] == "benchmarks"]:
        del sys.modules[name]
    if source is not None:
        _put(*source)
        signal.setitimer(signal.ITIMER_PROF, seconds)
    import pytest

    return int(pytest.main([*_ARGUMENTS, *names]))


def _put(path: Path, source: bytes) -> None:
    """From now on the source stands for that of the file, and nothing that is compiled is kept."""
    sys.dont_write_bytecode = True
    unchanged = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if Path(loader.path) != path:
            return unchanged(loader, fullname)
        return compile(source, str(path), "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
