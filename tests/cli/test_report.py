"""`rankdash report` of a saved comparison: its decision, its edits, its link, and that it counts as a look."""

from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.edits import Edit
from rankdash.store import Decided, Settings, State, Store, content_of
from tests.browsed import judgments_csv, run_csv


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store of its own, which the environment names."""
    monkeypatch.delenv("RANKDASH_STORE")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    return Store.open(Settings.from_environment())


def comparison() -> rd.Comparison:
    """Fifty queries, B better on most of them."""
    a, b = rd.read_run(run_csv(False), name="old"), rd.read_run(run_csv(True), name="new")
    return rd.compare(a, b, rd.read_judgments(judgments_csv()))


def written(id: str, path: Path) -> str:
    """The report of a saved comparison."""
    assert main(["report", id, "-o", str(path)]) == 0
    return path.read_text("utf-8")


def test_a_saved_comparison_has_its_decision_and_its_name(store: Store, tmp_path: Path) -> None:
    """The report says what was decided, by whom and why; without RANKDASH_URL it links nowhere."""
    id = rd.save(comparison(), name="Weekly")
    saved = store.load(id)
    verdict = rd.decide(comparison())
    store.decide(id, Decided("launch", "Ada", "It is <better>"), store.seen(saved, comparison(), verdict))
    page = written(id, tmp_path / "report.html")
    assert "Launch, Ada, " in page
    assert "It is &lt;better&gt;" in page
    assert "<strong>Weekly</strong>" in page
    assert "href=" not in page


def test_a_decision_against_the_verdict_stands_in_place_of_its_next_step(store: Store, tmp_path: Path) -> None:
    """Nobody is told to launch what was decided against; otherwise the next step stays, below the decision."""
    saved, verdict = store.load(rd.save(comparison(), name="Weekly")), rd.decide(comparison())
    for choice, steps in (("postponed", 1), ("no_launch", 0)):
        store.decide(saved.id, Decided(choice, "Ada", "Costs"), store.seen(saved, comparison(), verdict))
        assert written(saved.id, tmp_path / "report.html").count(verdict.next_step) == steps
        said = written(saved.id, tmp_path / "report.md").replace("\\", "")
        assert said.count(verdict.next_step) == steps
        assert not steps or said.index("Ada") < said.index(verdict.next_step)


def test_edits_are_in_the_numbers_and_told(store: Store, tmp_path: Path) -> None:
    """The report of an edited comparison has the numbers after the edits, and says how many there are."""
    edit = Edit("q1", "d1-0", "grade", None, 0.0, 2.0)
    saved = store.create(content_of(comparison()), State("Edited", "old", "new", edits=(edit,)))
    page = written(saved.id, tmp_path / "report.html")
    assert "1 edit was made on top of the files" in page
    assert rd.decide(rd.load(saved.id)).sentence.replace(">", "&gt;") in page


def test_a_report_is_a_look(store: Store, tmp_path: Path) -> None:
    """Whoever has the report has seen the verdict on this state of the data: it is on record."""
    saved = store.create(content_of(comparison()), State("New", "old", "new"))
    assert store.results(saved.id) == ()
    written(saved.id, tmp_path / "report.html")
    assert [result.outcome for result in store.results(saved.id)] == ["LAUNCH"]
