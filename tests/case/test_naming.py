"""What comparisons are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rankdash as rd
from rankdash.case import Case, given_name, title, votes_title
from rankdash.store import State, state_of
from rankdash.tables import Source
from tests.browsed import run_csv, votes_csv


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


@pytest.mark.parametrize("name", ["", "  ", "a → b", "Uploaded comparison"])
def test_a_name_that_says_no_more_than_the_models_is_none(name: str) -> None:
    """So what was saved when every upload had one name is called by its models too."""
    assert given_name(name, "a", "b") == ""
    assert title(name, "a", "b") == "a → b"


def test_votes_are_called_by_the_models_that_they_name() -> None:
    """Without names they are called after their file, and in memory "Votes"."""
    named = rd.read_votes(votes_csv("base,tuned"))
    assert votes_title(named) == "base → tuned"
    assert Case(votes=named).title == "base → tuned"
    plain = rd.read_votes(votes_csv())
    assert votes_title(replace(plain, source=Source())) == "Votes"
    assert votes_title(replace(plain, source=replace(plain.source, name="v.csv"))) == "v.csv"
