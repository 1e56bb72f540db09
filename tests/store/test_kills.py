"""Writers are killed at random moments: every comparison opens, and nothing that was acknowledged is lost.

A few kills here; `make bench-store` does 200 of one writer and of two.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.store.kills import killed
from rankdash.store import Settings


@pytest.mark.parametrize("writers", [1, 2])
def test_a_kill_loses_nothing_that_was_saved(writers: int, tmp_path: Path) -> None:
    """SIGKILL at random moments of one writer, and of two at once."""
    survived = killed(Settings(tmp_path / "home"), kills=4, writers=writers)
    assert survived.wrong == ()
    assert survived.acknowledged > 0
    assert survived.comparisons > 0
