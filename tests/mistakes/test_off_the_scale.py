"""A highest grade far above all others is told, with both grades, wherever judgments are read for a result."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankdash.__main__ import main
from rankdash.mistakes import off_the_scale


@pytest.mark.parametrize(
    ("grades", "told"),
    [
        ((0, 1, 2, 3, 33), ("33", "3")),
        ((-1, 0, 11), ("11", "0")),
        ((0.5, 4, 10.5), ("10.5", "4")),
        ((0, 5, 10), ()),
        ((0, 3, 7), ()),
        ((0, 20, 40), ()),
        ((0, 50, 60, 100), ()),
        ((33,), ()),
        ((), ()),
    ],
)
def test_a_grade_off_the_scale_is_told_with_the_next_one(grades: tuple[float, ...], told: tuple[str, ...]) -> None:
    """Exactly where the highest grade is above 10 and more than twice the next one."""
    found = off_the_scale(grades)
    assert len(found) == bool(told)
    assert all(f"grade is {told[0]}," in one.sentence and f"one is {told[1]}:" in one.sentence for one in found)


@pytest.mark.parametrize("command", [["compare", "a.json", "b.json"], ["evaluate", "a.json"]])
def test_every_command_tells_it(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two runs compared, and one alone."""
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text('{"q1": {"d1": 2, "d2": 1}}')
    Path("b.json").write_text('{"q1": {"d1": 1, "d2": 2}}')
    Path("q.json").write_text('{"q1": {"d1": 3, "d2": 33, "d3": 0}}')
    main([*command, "-q", "q.json"])
    captured = capsys.readouterr()
    assert "33" in captured.err
    assert "next one is 3" in captured.err + captured.out
