"""Writers are killed at random moments, and interrupted at chosen calls: every comparison opens, and nothing that was
acknowledged is lost.

A few kills and calls here; `make bench-store` does 200 kills of one writer and of two, and each call.
"""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.store.faults import OPERATIONS, interrupted
from benchmarks.store.kills import killed
from benchmarks.store.points import EIO, ENOSPC, KILLED
from rankdash.store import Settings
from tests.long import every


@pytest.mark.parametrize("writers", every(2, [1, 2]))
def test_a_kill_loses_nothing_that_was_saved(writers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGKILL at random moments of one writer, and of two at once."""
    # A new process runs the main module of this one, and a test of a page may have left its script in that place.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    survived = killed(Settings(tmp_path / "home"), kills=4, writers=writers)
    assert survived.wrong == ()
    assert survived.acknowledged > 0
    assert survived.comparisons > 0


#: Each fault, at each so many calls of an operation.
FAULTS = ((KILLED, 9), (EIO, 7), (ENOSPC, 3))


@pytest.mark.parametrize(
    ("fault", "step", "operation"), every(6, [(*fault, operation) for fault in FAULTS for operation in OPERATIONS])
)
def test_an_interrupted_operation_is_whole_or_not_done(
    fault: str, step: int, operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted at a call of its own, it is as before or as afterwards, is done again, and leaves no file behind."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    found = interrupted(Settings(tmp_path / "home"), operation, fault, step)
    assert found.wrong == ()
    assert found.points > 0
