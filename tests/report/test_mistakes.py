"""Mistakes between files on the command line and in the JSON: refused only where no result would mean anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.report.notes import mistakes_of, refusals
from tests.browsed import judgments_csv, run_csv
from tests.made import compared_anyway, judgments, run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs and judgments, and the working directory in it."""
    (tmp_path / "old.csv").write_bytes(run_csv(False))
    (tmp_path / "new.csv").write_bytes(run_csv(True))
    (tmp_path / "q.csv").write_bytes(judgments_csv())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def notes(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    """The inputs of the JSON that was printed, and what was said beside it."""
    printed = capsys.readouterr()
    return json.loads(printed.out)["inputs"], printed.err


def test_ids_that_almost_match_are_refused_with_what_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no query matches, the exit status is 2 and the sentence shows examples of both sides."""
    (folder / "q.csv").write_bytes(judgments_csv().replace(b"\nq", b"\ntopic-q"))
    assert main(["compare", "old.csv", "new.csv", "-q", "q.csv"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert 'The ids differ by what they begin with there, "topic-": "q0" here is "topic-q0" there' in told[0]


@pytest.mark.usefixtures("folder")
def test_the_same_file_twice_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    """A given as B too is told by its name; the result is still printed."""
    assert main(["compare", "old.csv", "old.csv", "-q", "q.csv", "--json", "-"]) == 0
    inputs, told = notes(capsys)
    assert 'A and B are the same file ("old.csv")' in told
    assert any("the same file" in note["text"] for note in inputs["b"]["notes"])


def test_ids_that_never_match_are_not_comparable_and_the_mend_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With "s:" before all of A's document ids nothing launches: exit status 6, both forms of ids, and how many match
    without it; a query id that never matches is told in the same way.
    """
    (folder / "old.csv").write_bytes(run_csv(False).replace(b",d", b",s:d"))
    assert main(["compare", "old.csv", "new.csv", "-q", "q.csv", "--json", "-", "--gate"]) == 6
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert (found["verdict"]["outcome"], found["verdict"]["rule"]) == ("NOT_COMPARABLE", "C6")
    assert found["verdict"]["sentence"] == "None of A’s top 10 documents is judged."
    for told in (printed.err, " ".join(note["text"] for note in found["inputs"]["a"]["notes"])):
        assert '"s:d' in told
        assert "200 of 250 match" in told
    (folder / "old.csv").write_bytes(run_csv(False).replace(b"\nq", b"\ns:q"))
    assert main(["compare", "old.csv", "new.csv", "-q", "q.csv", "--gate"]) == 6
    assert "50 of 50 match" in capsys.readouterr().err


def test_grades_like_gains_are_warned_about_only_where_they_are_raised() -> None:
    """A grade of 20 with gain 2^grade - 1 is told, one of 100 refused; with linear gain both are fine."""
    lists = (run({"q": ["a", "b"]}), run({"q": ["b", "a"]}))
    tables = (*lists, judgments({"q": {"a": 20, "b": 10}}))
    raised = mistakes_of(rd.compare(*tables, convention="ranklib"))
    assert [one.input for one in raised] == ["judgments"]
    assert "2^20 − 1 = 1,048,575" in raised[0].sentence
    assert "use linear gain" in raised[0].sentence
    assert mistakes_of(rd.compare(*tables)) == ()
    gains = (*lists, judgments({"q": {"a": 100, "b": 90}}))
    with pytest.raises(rd.MeasureError, match="Use the gain linear"):
        rd.compare(*gains, convention="ranklib")
    assert mistakes_of(rd.compare(*gains)) == ()


def test_only_what_means_nothing_is_refused() -> None:
    """A shared query is enough to go on; none is not."""
    graded = judgments({"q": {"a": 1}})
    fine = rd.compare(run({"q": ["x"]}), run({"q": ["a"]}), graded)
    assert mistakes_of(fine)
    assert refusals(fine) == []
    (why,) = refusals(compared_anyway(run({"z": ["a"]}), run({"q": ["a"]}), graded))
    with pytest.raises(rd.ComparisonError) as refused:
        rd.compare(run({"z": ["a"]}), run({"q": ["a"]}), graded)
    assert str(refused.value) == why
