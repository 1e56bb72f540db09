"""A store in a folder keeps every promise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rankdash.store import Settings, Store
from tests.store.promises import PROMISES


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_a_store_in_a_folder_keeps(promise: Callable[[Store], None], tmp_path: Path) -> None:
    """SQLite, and files in a folder."""
    promise(Store.open(Settings(tmp_path / "home")))
