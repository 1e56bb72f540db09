"""Setting up goes on where it was interrupted."""

from __future__ import annotations

import sys
from pathlib import Path

from scripts import set_up


def test_an_environment_without_pip_is_made_anew(tmp_path: Path) -> None:
    """An environment that was interrupted while it was made, so that it has no pip, does not count as one."""
    python = tmp_path / "half" / "bin" / "python"
    assert not set_up.is_whole(python)
    set_up.run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "half")
    assert python.exists()
    assert not set_up.is_whole(python)
