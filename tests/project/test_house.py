"""`make house`: what it counts, and that the walls it watches stand."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from scripts import house


@pytest.mark.long
def test_the_aims_that_are_met_stay_met(capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a figure for every aim, and none that no change may break is broken."""
    status = house.main()
    printed = capsys.readouterr().out
    assert status == 0, printed
    assert "files that use session_state" in printed
    assert "Compare clicked" in printed
    reasons = printed.partition("not met, and why:\n")[2].partition("\n\n")[0]
    assert not [line for line in reasons.splitlines() if line.endswith(":")], "an aim is missed without a reason"
    assert "broken" not in printed


def test_a_broken_aim_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an aim that was met is broken, its row says so and the exit status is 1."""
    monkeypatch.setattr(house, "aims", lambda: [house.Aim("modules in circles", "3", "2", "0", True)])
    assert house.main() == 1
    assert "broken" in capsys.readouterr().out


def test_a_missed_aim_is_told_with_its_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a figure is larger than its aim, its reason stands below the table."""
    rows = [house.Aim("moves", "3", "1,200", "1,000", missed="the rules."), house.Aim("files", "3", "2", "2")]
    monkeypatch.setattr(house, "aims", lambda: rows)
    assert house.main() == 0
    assert "not met, and why:\n- moves: the rules.\n\n" in capsys.readouterr().out


def test_moves_are_calls_and_returns_between_files_of_the_package(tmp_path: Path) -> None:
    """A call of another file of the package is one move, its return another; other packages in between are skipped."""
    (tmp_path / "one.py").write_text("def least(values): return min(values, key=key)\n", "utf-8")
    (tmp_path / "two.py").write_text("def key(value): return -value\n", "utf-8")
    one, two = (runpy.run_path(str(tmp_path / f"{name}.py")) for name in ("one", "two"))
    one["least"].__globals__["key"] = two["key"]
    seen = house.Walk(tmp_path)
    sys.setprofile(seen)
    try:
        one["least"]([1, 2, 3])
    finally:
        sys.setprofile(None)
    assert (len(seen.files), seen.moves.total()) == (2, 6)
