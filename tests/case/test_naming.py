"""What comparisons are called."""

from dataclasses import replace
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.case import Case, given_name, title, votes_title
from rankdash.store import State, state_of
from rankdash.tables import Source, with_distinct_names
from tests.browsed import judgments_csv, run_csv, votes_csv


def test_a_comparison_is_called_by_its_models_as_they_are_shown() -> None:
    """Exchanged or renamed it is called by the models of now; a name that somebody gave stays."""
    case = Case((rd.read_run(run_csv(False), name="old"), rd.read_run(run_csv(True), name="new")))
    assert case.title == "old → new"
    assert case.swapped().title == "new → old"
    assert case.renamed("", b="newer").title == "old → newer"
    assert case.renamed("Spring").swapped().title == "Spring"
    state = state_of(case, State(""))
    assert (state.title, replace(state, swapped=True).title) == ("old → new", "new → old")
    assert state_of(case, State("old → new")).name == ""


@pytest.mark.parametrize("name", ["", "  ", "a → b"])
def test_a_name_that_says_no_more_than_the_models_is_none(name: str) -> None:
    """Then it follows them."""
    assert given_name(name, "a", "b") == ""
    assert title(name, "a", "b") == "a → b"


def test_votes_are_called_by_the_models_that_they_name() -> None:
    """Without names they are called after their file, and in memory "Votes"."""
    named = rd.read_votes(votes_csv("base,tuned"), pair=("base", "tuned"))
    assert votes_title(named) == "base → tuned"
    assert Case(votes=named).title == "base → tuned"
    plain = rd.read_votes(votes_csv())
    assert votes_title(replace(plain, source=Source())) == "Votes"
    assert votes_title(replace(plain, source=replace(plain.source, name="v.csv"))) == "v.csv"


NAMED_ALIKE = [
    (("one/input.bm25", "one/input.tasb"), ("input.bm25", "input.tasb")),
    (("old/run.csv", "new/run.csv"), ("old/run.csv", "new/run.csv")),
    (("old/x/run.csv", "new/x/run.csv"), ("old/x/run.csv", "new/x/run.csv")),
    (("one/a.csv", "one/b.csv"), ("a", "b")),
]


@pytest.mark.parametrize(("paths", "names"), NAMED_ALIKE)
def test_models_whose_files_are_named_alike_have_names_that_differ(
    paths: tuple[str, str], names: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Compared, scored, saved, explained and swapped, nobody has to guess which model is meant."""
    for path, better in zip(paths, (False, True), strict=True):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(run_csv(better))
    judgments = tmp_path / "grades.csv"
    judgments.write_bytes(judgments_csv())
    files = [str(tmp_path / path) for path in paths]
    for table in (rd.compare(*files, judgments), rd.compare_scored(rd.score(*files, judgments))):
        assert (table.scored.inputs.a.name, table.scored.inputs.b.name) == names
    assert main(["compare", *files, "-q", str(judgments)]) == 0
    assert f"A {names[0]} → B {names[1]}:" in capsys.readouterr().out
    query = rd.read_judgments(judgments).table.column("query_id")[0].as_py()
    assert main(["explain", *files, "-q", str(judgments), "--query", query]) == 0
    headings = [line for line in capsys.readouterr().out.splitlines() if line.startswith("nDCG@10 of ")]
    assert len(set(headings)) == 2


def test_names_told_apart_belong_to_the_files_and_not_to_the_places() -> None:
    """The same two files the other way around have the same names."""
    a, b = (rd.read_run(run_csv(better), name="input") for better in (False, True))
    a, b = (replace(run, source=Source(name)) for run, name in ((a, "input.old"), (b, "input.new")))
    names = [run.name for run in Case((a, b)).with_distinct_names().runs or ()]
    assert names == ["input.old", "input.new"]
    assert [run.name for run in Case((b, a)).with_distinct_names().runs or ()] == names[::-1]
    a, b = (replace(run, name=name, source=Source("input.csv")) for run, name in ((a, "input/x"), (b, "input/y")))
    assert with_distinct_names(a, b) == (a, b)
