"""The demo comparisons in data/ are what their scripts write."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"


@pytest.mark.long
@pytest.mark.parametrize(("script", "folder"), [("make_demo.py", "demo"), ("make_diversity.py", "demo_diversity")])
def test_script_writes_the_committed_files_byte_for_byte(tmp_path: Path, script: str, folder: str) -> None:
    """Every demo file is exactly what the script writes, whatever the hash seed, and it writes nothing else."""
    environment = os.environ | {"PYTHONHASHSEED": "4711", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, script, "--out", str(tmp_path / folder)]
    done = subprocess.run(command, cwd=DATA, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    written, kept = (
        {path.name: path.read_bytes() for path in place.iterdir()} for place in (tmp_path / folder, DATA / folder)
    )
    assert written == kept
    assert len(kept) == 5
