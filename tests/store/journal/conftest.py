"""A database for each test of the journal."""

from pathlib import Path

import pytest

from rankdash.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """An empty database."""
    return Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
