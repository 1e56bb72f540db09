"""Says once whether the tests on real data run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def test_real_data_is_there_or_its_absence_is_said_once(number_without_real_data: int) -> None:
    """With RANKDASH_REAL_DATA the folder holds files; without it one skip says how many tests are left out."""
    folder = os.environ.get("RANKDASH_REAL_DATA")
    if folder is None:
        pytest.skip(f"RANKDASH_REAL_DATA is not set; tests on real data left out: {number_without_real_data}")
    assert any(Path(folder).iterdir())
