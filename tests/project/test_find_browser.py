"""How the browser of the browser tests is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import find_browser


def program(path: Path, status: int) -> Path:
    """A program that does nothing and exits with a status."""
    path.write_text(f"#!/bin/sh\nexit {status}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("RANKDASH_BROWSER", raising=False)
    monkeypatch.setattr(find_browser, "APP_FOLDERS", ())
    return tmp_path


def test_the_named_browser_is_taken(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RANKDASH_BROWSER wins over a browser that is installed; one that does not start is passed over."""
    program(programs / "google-chrome", 1)
    chromium = program(programs / "chromium", 0)
    assert find_browser.installed() == str(chromium)
    named = program(programs / "mine", 0)
    monkeypatch.setenv("RANKDASH_BROWSER", str(named))
    assert find_browser.find() == str(named)


def test_a_named_browser_that_does_not_start_is_an_error(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong RANKDASH_BROWSER is named in one sentence, and no other browser is taken in its place."""
    program(programs / "chromium", 0)
    monkeypatch.setenv("RANKDASH_BROWSER", str(programs / "none"))
    with pytest.raises(SystemExit, match=r"^rankdash: RANKDASH_BROWSER names \S+, which does not start\.$"):
        find_browser.main()
