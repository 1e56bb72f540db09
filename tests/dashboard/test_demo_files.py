"""The demo's files: served only as they were made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from rankdash import style
from rankdash.dashboard import demo
from tests.dashboard.test_pages import app, texts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the demo's files that a test may break."""
    shutil.copytree(demo.FOLDER, tmp_path / "demo")
    monkeypatch.setattr(demo, "FOLDER", tmp_path / "demo")
    st.cache_resource.clear()
    yield tmp_path / "demo"
    st.cache_resource.clear()


def test_the_demo_is_what_its_digests_say(folder: Path) -> None:
    """The files in data/demo are those that the digests name, and the demo opens."""
    assert set(demo.files().content) == set(demo.DIGESTS)
    assert demo.tables() is not None


@pytest.mark.parametrize("name", demo.DIGESTS)
def test_a_missing_file_is_a_sentence(folder: Path, name: str) -> None:
    """Whichever file is missing, a first visit says so and offers to upload; nothing fails."""
    (folder / name).unlink()
    at = app().run()
    assert not at.exception
    assert [one.value for one in at.warning] == [style.DEMO_MISSING.format(file=name)]
    assert style.NOTHING_OPEN in texts(at)


@pytest.mark.parametrize("name", demo.DIGESTS)
def test_a_cut_off_file_is_not_served(folder: Path, name: str) -> None:
    """A file that lost its end is not opened as the demo, nor offered as an example; the page says which it is."""
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2])
    at = app().run()
    assert not at.exception
    assert [one.value for one in at.warning] == [style.DEMO_CHANGED.format(file=name)]
    assert name not in demo.files().content
