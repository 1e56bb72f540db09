"""Mistakes between files on the command line and in the JSON: refused only where no result would mean anything."""

import json
from pathlib import Path

import pytest

import rankdash as rd
from rankdash import style
from rankdash.__main__ import main
from rankdash.report.notes import mistakes_of
from rankdash.report.sections import answers, cards
from rankdash.report.svg import proven_tones
from tests.browsed import judgments_csv, run_csv
from tests.made import judgments, run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs and judgments, and the working directory in it."""
    (tmp_path / "old.csv").write_bytes(run_csv(False))
    (tmp_path / "new.csv").write_bytes(run_csv(True))
    (tmp_path / "q.csv").write_bytes(judgments_csv())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_ids_that_never_match_are_not_comparable_and_the_mend_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With "s:" before all of A's document ids nothing launches: exit status 6, both forms of ids, and how many match
    without it; a query id that never matches is told in the same way. No number and no answer on them has a colour.
    """
    (folder / "old.csv").write_bytes(run_csv(False).replace(b",d", b",s:d").replace(b"s:doc_id", b"doc_id"))
    assert main(["compare", "old.csv", "new.csv", "-q", "q.csv", "--json", "-", "--gate"]) == 6
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert (found["verdict"]["outcome"], found["verdict"]["rule"]) == ("NOT_COMPARABLE", "C6")
    assert found["verdict"]["sentence"] == "None of the top 10 documents of A is judged."
    for told in (printed.err, " ".join(note["text"] for note in found["inputs"]["a"]["notes"])):
        assert '"s:d' in told
        assert "200 of these 250 match" in told
    verdict = rd.decide(compared := rd.compare("old.csv", "new.csv", "q.csv"))
    drawn = {card.colour for card in cards(compared, verdict.outcome)}
    assert {*drawn, *proven_tones(compared, is_comparable=False)} == {style.SAME}
    assert {answer.status for answer in answers(verdict)[1:3]} == {"not_applicable"}
    (folder / "old.csv").write_bytes(run_csv(False).replace(b"\nq", b"\ns:q"))
    assert main(["compare", "old.csv", "new.csv", "-q", "q.csv", "--gate"]) == 6
    assert "50 of these 50 match" in capsys.readouterr().err


def test_grades_like_gains_are_warned_about_only_where_they_are_raised() -> None:
    """A grade of 20 with gain 2^grade - 1 is told, one of 100 refused; with linear gain both are fine."""
    lists = (run({"q": ["a", "b"]}), run({"q": ["b", "a"]}))
    tables = (*lists, judgments({"q": {"a": 20, "b": 10}}))
    raised = mistakes_of(rd.compare(*tables, convention="ranklib"))
    assert [one.input for one in raised] == ["judgments"]
    assert "1,048,575" in raised[0].sentence
    assert "use linear gain" in raised[0].sentence
    assert mistakes_of(rd.compare(*tables)) == ()
    gains = (*lists, judgments({"q": {"a": 100, "b": 90}}))
    with pytest.raises(rd.MeasureError, match="Use the gain linear"):
        rd.compare(*gains, convention="ranklib")
    assert mistakes_of(rd.compare(*gains)) == ()
