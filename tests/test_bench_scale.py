"""`make bench-scale`: the command prints its tables, and each of its limits can be missed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.measure import Sample
from benchmarks.scale import __main__ as scale

TINY = ["--queries", "120", "--large", "12", "--depth", "10", "--reps", "1"]


def lines(printed: str, work: str) -> list[list[str]]:
    """The cells of the rows of the tables that speak of something."""
    rows = [row.strip("|").split("|") for row in printed.splitlines() if row.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows if work in row[0]]


@pytest.mark.long
def test_tiny_sizes_are_made_and_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The data is made, each work runs as a process of its own, and both tables are printed."""
    only = ["--only", "verdict", "large", "scattered", "--without-sail"]
    status = scale.main([*TINY, *only, "--work", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "Failed" not in printed
    assert "Sail is left out." in printed
    for work in ("120 x 20 scored: to the verdict", "12 x 10: streamed", "12 x 10, rows in any order: streamed"):
        ((_, wall, *_, peak, repetitions),) = lines(printed, work)
        assert float(wall) > 0.1
        assert float(peak.replace(",", "")) > 30
        assert repetitions == "1"
    (said,) = lines(printed, "from the scored table to the verdict")
    assert said[3] == ("OK" if float(said[2]) <= 3 else "MISSED")
    assert status in (0, 1)


class Made:
    """Processes that take what a test says, by a word of their command; nothing is started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **samples: Sample) -> None:
        self.samples = samples
        monkeypatch.setattr(scale, "run", self.run)
        monkeypatch.setattr(scale.subprocess, "run", lambda *_, **__: None)

    def run(self, command: list[str], environment: Any) -> Sample:
        """The sample of the first name that the command has."""
        assert Path(environment["PYTHONPATH"], "rankdash").is_dir()
        words = " ".join(command)
        return next((one for name, one in self.samples.items() if name in words), Sample(1.0, 1.0, 100.0))


MISSES = {
    "from the scored table to the verdict": {"compare": Sample(3.1, 1, 100)},
    "the same: peak memory": {"compare": Sample(1, 1, 1501)},
    "rows in any order": {"shuffled": Sample(3.1, 1, 100)},
    "four times the rows": {"files48x10": Sample(5.3, 1, 100)},
    "400 rows per run: time per row": {"files40x10": Sample(4.4, 1, 100)},
    "400 rows per run: peak memory": {"files40x10": Sample(1, 1, 1501)},
}


@pytest.mark.parametrize("limit", MISSES)
def test_a_limit_that_is_missed_ends_the_command_with_1(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Times and peaks are held against the limits, time per row against that of the large set."""
    asked = [*TINY, "--without-sail", "--rows", "400", "--work", str(tmp_path)]
    Made(monkeypatch)
    assert scale.main(asked) == 0
    assert "MISSED" not in capsys.readouterr().out
    Made(monkeypatch, **MISSES[limit])
    assert scale.main(asked) == 1
    assert [row[3] for row in lines(capsys.readouterr().out, limit)].count("MISSED") == 1


def test_sail_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its limits are then not measured, and nothing of it is started; where it is there, it can miss them."""
    monkeypatch.setattr("benchmarks.scale.works.importlib.util.find_spec", lambda name: None)
    Made(monkeypatch)
    assert scale.main([*TINY, "--work", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "Sail is missing: pysail, pyspark." in printed
    assert [row[3] for row in lines(printed, "Sail, warm")] == ["not measured", "not measured"]
    monkeypatch.setattr("benchmarks.scale.works.importlib.util.find_spec", lambda name: name)
    monkeypatch.setattr(scale, "told", lambda out: {"cold": [9.0], "warm": [3.2]})
    assert scale.main([*TINY, "--work", str(tmp_path)]) == 1
    assert [row[3] for row in lines(capsys.readouterr().out, "Sail, warm")] == ["MISSED", "OK"]
