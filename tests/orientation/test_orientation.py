"""Who is A: names matched letter for letter, pairs as text, and what is left open."""

from __future__ import annotations

import pytest

from rankdash.orientation import (
    OrientationError,
    check_said,
    is_turned,
    models_in_order,
    oriented,
    pair_of,
    pair_text,
    side_of,
)

RUNS = ("old", "new")
STRAIGHT, MIXED = [("old", "new"), ("old", "new")], [("new", "old"), ("old", "new")]


@pytest.mark.parametrize(
    ("name", "models", "side"),
    [
        ("old", RUNS, "A"),
        (" new ", RUNS, "B"),
        ("OLD", RUNS, ""),
        ("new!", RUNS, ""),
        ("ｏｌｄ", RUNS, ""),
        ("gpt 4", ("GPT-4", "gpt 4"), "B"),
        ("base", ("base", "base model"), "A"),
        ("start", ("(5/1/26) start", "tuned"), ""),
        ("baseline", RUNS, ""),
        ("A", RUNS, ""),
        ("x", ("x", "x"), ""),
        ("", ("", "new"), ""),
        ("old", None, ""),
    ],
)
def test_a_name_is_the_model_of_the_same_text_and_no_other(
    name: str, models: tuple[str, str] | None, side: str
) -> None:
    """Neither spelling, width, a day before the name nor a word for a side makes a name that of a model."""
    assert side_of(name, models) == side


def test_a_pair_with_commas_quotes_and_lines_is_written_and_read() -> None:
    """A name with a comma stands in quotes; what are not two names is refused with an example."""
    for pair in (RUNS, ("x, y", 'say "z"'), ("a\nb", "c\rd"), ("旧", "新")):
        assert pair_of(pair_text(pair)) == pair
    assert pair_of(' old , "new, tuned"') == ("old", "new, tuned")
    for text in ("old", "old,new,third", "", '"old,new', "old\nnew,x"):
        with pytest.raises(ValueError, match="are not two names"):
            pair_of(text)


@pytest.mark.parametrize("rows", [STRAIGHT, MIXED, MIXED[::-1], [("old", "x"), ("new", "old"), ("x", "y")]])
def test_the_names_of_the_runs_decide(rows: list[tuple[str, str]]) -> None:
    """Whatever stands first, and whatever others there are: A is the model that the run A is called."""
    for runs in (RUNS, RUNS[::-1]):
        assert oriented(rows, runs=runs).pair == runs
        assert oriented(rows, pair=runs).pair == runs


@pytest.mark.parametrize("runs", [None, ("x", "y"), ("old", "y"), ("x", "new"), ("OLD", "NEW"), ("a", "b")])
@pytest.mark.parametrize("rows", [STRAIGHT, MIXED])
def test_where_no_vote_names_both_runs_it_is_asked(rows: list[tuple[str, str]], runs: tuple[str, str] | None) -> None:
    """Neither the column in which a model always stands, nor one name alone, nor its spelling settles who is A."""
    with pytest.raises(OrientationError) as error:
        oriented(rows, runs=runs)
    assert error.value.pairs == (rows[0],)


def test_words_for_a_side_settle_nothing() -> None:
    """Baseline and candidate, old and new, A and B are names like others where runs or pairs of votes are named."""
    for two in (("baseline", "candidate"), ("old", "new"), ("A", "B")):
        with pytest.raises(OrientationError):
            oriented([two])
    for two in (("baseline", "candidate"), ("old", "new"), ("v1", "v2"), ("model a", "model b")):
        with pytest.raises(OrientationError):
            models_in_order(two)
    assert models_in_order(["B", "A"]).pair == ("A", "B")


def test_a_pair_that_contradicts_the_runs_is_refused() -> None:
    """The other way round, or one of them: the sentence says what to do."""
    assert oriented(MIXED, pair=RUNS, runs=RUNS).pair == RUNS
    for pair in (RUNS[::-1], ("new", "x"), ("x", "old"), ("old", "old"), ("old", "")):
        with pytest.raises(OrientationError) as error:
            check_said(pair, RUNS)
        assert error.value.is_said


def test_a_model_against_itself_is_no_pair() -> None:
    """Both models of every vote under one name cannot be told apart; beside others such rows are on no pair."""
    with pytest.raises(OrientationError):
        oriented([("x", "x")], runs=RUNS)
    assert oriented([("x", "x"), *STRAIGHT], runs=RUNS).pair == RUNS


def test_names_that_meet_runs_later_are_turned_or_refused() -> None:
    """The names of votes that were read are straight, turned, of neither run, or of one of them the wrong way."""
    assert not is_turned(RUNS, RUNS)
    assert is_turned(RUNS, RUNS[::-1])
    assert not is_turned(RUNS, ("x", "y"))
    assert not is_turned(RUNS, ("old", "y"))
    for runs in (("new", "x"), ("x", "old")):
        with pytest.raises(OrientationError):
            is_turned(RUNS, runs)


def test_models_of_one_file_are_told_by_a_pair() -> None:
    """In any order of the file; what no pair tells is asked, with the pairs that there are."""
    for names in (RUNS, RUNS[::-1], (*RUNS, "third")):
        assert models_in_order(names, RUNS[::-1]).pair == RUNS[::-1]
        with pytest.raises(OrientationError) as error:
            models_in_order(names)
        assert len(error.value.pairs) == len(names) * (len(names) - 1) // 2
    for pair in (("old", "w"), ("OLD", "new")):
        with pytest.raises(OrientationError, match="there is no model"):
            models_in_order(RUNS, pair)
