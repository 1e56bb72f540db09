"""Writers are killed at random moments: every comparison opens, and nothing that was acknowledged is lost.

A few kills here; `make bench-store` does 200 of one writer and of two.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.store.kills import killed
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
