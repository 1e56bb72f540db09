"""How the PostgreSQL of the tests of a store is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import find_postgres


def programs(folder: Path, status: int = 0) -> Path:
    """A folder with programs that do nothing and exit with a status."""
    folder.mkdir(parents=True)
    for name in find_postgres.PROGRAMS:
        (folder / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without PostgreSQL, on which none can be installed."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv(find_postgres.NAMED, raising=False)
    monkeypatch.setattr(find_postgres, "FOLDERS", (str(tmp_path / "lib"),))
    monkeypatch.setattr(find_postgres, "install_from_debian", lambda *packages: None)
    return tmp_path


def test_the_newest_version_that_starts_is_taken(empty: Path) -> None:
    """Programs of packages lie in a folder per version; those that do not start are passed over."""
    for version, status in (("9.6", 0), ("15", 0), ("17", 1)):
        programs(empty / "lib" / version / "bin", status)
    assert find_postgres.find() == str(empty / "lib" / "15" / "bin")


def test_the_named_one_is_taken(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RANKDASH_POSTGRES wins; where it is empty, as after a search that found none, it names nothing."""
    programs(empty / "lib" / "15" / "bin")
    monkeypatch.setenv(find_postgres.NAMED, str(programs(empty / "mine")))
    assert find_postgres.find() == str(empty / "mine")
    monkeypatch.setenv(find_postgres.NAMED, "")
    assert find_postgres.find() == str(empty / "lib" / "15" / "bin")


def test_a_named_one_that_does_not_start_is_an_error(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong RANKDASH_POSTGRES is named in one sentence, and no other one is taken in its place."""
    programs(empty / "lib" / "15" / "bin")
    monkeypatch.setenv(find_postgres.NAMED, str(empty / "none"))
    with pytest.raises(SystemExit, match=r"^rankdash: RANKDASH_POSTGRES names \S+, which holds no initdb"):
        find_postgres.main()


def test_without_any_one_line_says_what_is_left_out(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where none can be had the tests in it are left out: nothing on stdout, one sentence, and no failure."""
    find_postgres.main()
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[-1] == find_postgres.NONE_TO_BE_HAD
