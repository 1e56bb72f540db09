"""Large uploads lie on the disk: the same is opened, and their bytes are nowhere in memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from rankdash.dashboard.kit import large_uploads
from rankdash.intake import scratch
from tests.dashboard.saved_sessions import home
from tests.dashboard.test_pages import FILES, app, inputs, upload, uploader

__all__ = ["home"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of temporary files of its own, in which every upload is a large one."""
    made = tmp_path / "scratch"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    monkeypatch.setattr(large_uploads, "LARGEST", 0)
    return made


def dropped():
    """The page that says that files are gone, with three files dropped."""
    at = app()
    at.query_params["c"] = "lost"
    return upload(at.run(), "lost", FILES)


def test_files_on_the_disk_are_opened_like_others(folder: Path) -> None:
    """What is opened is what the files in memory make; the session keeps none of their bytes, and the disk none."""
    at = dropped()
    assert not at.exception
    assert len(list(folder.iterdir())) == 3
    assert [len(file.getvalue()) for file in at.session_state["lost_files"]] == [0, 0, 0]
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert at.session_state["open"] == inputs()
    assert at.metric
    assert not list(folder.iterdir())


def test_a_file_that_is_taken_out_goes_from_the_disk(folder: Path) -> None:
    """With the chip of an upload its file is gone."""
    at = dropped()
    uploader(at, "lost_files").set_value([(*FILES["a"], "text/csv")])
    at.run()
    assert not at.exception
    assert len(list(folder.iterdir())) == 1


def test_where_the_disk_is_full_files_stay_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told: the comparison opens as before."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scratch, "put", full)
    at = dropped()
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert at.session_state["open"] == inputs()
