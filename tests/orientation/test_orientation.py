"""Who is A: names matched by their text, else by their spelling; words for a side; pairs as text; what is left open."""

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
    place_of,
    side_of,
    sides_of,
    telling_word,
)

RUNS = ("old", "new")


@pytest.mark.parametrize(
    ("names", "models", "expected"),
    [
        (("new", "old"), RUNS, {"old": "A", "new": "B"}),
        (("OLD", "new!"), RUNS, {"OLD": "A", "new!": "B"}),
        (("old", "OLD", "New"), RUNS, {"old": "A", "New": "B"}),
        (("Old", "OLD", "new"), RUNS, {"new": "B"}),
        (("GPT-4", "gpt 4"), ("gpt 4", "GPT-4"), {"gpt 4": "A", "GPT-4": "B"}),
        (("Gpt_4",), ("gpt 4", "GPT-4"), {}),
        (("base", "base model"), ("base", "base model"), {"base": "A", "base model": "B"}),
        (("v10",), ("v1.0", "v2.0"), {}),
        (("c++", "c"), ("C", "c++"), {"c++": "B"}),
        (("x",), ("x", "x"), {}),
        (("", "!"), ("", "new"), {}),
        (("start", "tuned"), ("(5/1/26) start", "(5/14/26) tuned"), {"start": "A", "tuned": "B"}),
        (("(5/14/26) Tuned", "(5/1/26) start"), ("start", "tuned"), {"(5/1/26) start": "A", "(5/14/26) Tuned": "B"}),
        (("(5/2/26) start", "tuned"), ("(5/1/26) start", "(5/14/26) tuned"), {"tuned": "B"}),
        (("start",), ("(5/1/26) start", "(5/14/26) start"), {}),
        (("(5/1/26) start", "(5/2/26) start"), ("start", "tuned"), {}),
        (("ｏｌｄ", "旧"), ("old", "旧"), {"旧": "B", "ｏｌｄ": "A"}),
    ],
)
def test_a_name_is_the_model_of_the_same_text_else_of_the_same_spelling(
    names: tuple[str, ...], models: tuple[str, str], expected: dict[str, str]
) -> None:
    """Exactly first; a spelling counts where it tells the two models, and all names, apart."""
    assert sides_of(names, models) == expected


def test_a_text_names_one_of_two_models_or_neither() -> None:
    """Of a text alone several spellings are one name; what only the exact texts tell apart is neither."""
    assert [side_of(text, RUNS) for text in ("old", " New ", "OLD.", "older", "")] == ["A", "B", "A", "", ""]
    assert [side_of(text, ("(5/1/26) x", "y")) for text in ("X", "(5/2/26) x", "(1/1/26) y")] == ["A", "", "B"]
    assert [side_of(text, ("GPT-4", "gpt 4")) for text in ("GPT-4", "gpt 4", "gpt_4")] == ["A", "B", ""]


def test_some_names_say_their_side_themselves() -> None:
    """A, B, 1, 2, baseline and candidate, also behind the word model; nothing else."""
    told = {"A": "A", "model_b": "B", "Model 1": "A", "モデルB": "B", "candidate": "B", "BASELINE": "A", "2": "B"}
    assert {name: place_of(name) for name in told} == told
    assert [place_of(name) for name in ("ab", "model", "A1", "old", "", "model model a")] == [""] * 6
    assert [telling_word(name) for name in ("run_old", "new-model", "old new", "bm25")] == [
        ("A", "old"),
        ("B", "new"),
        ("", ""),
        ("", ""),
    ]


def test_a_pair_with_commas_quotes_and_lines_is_written_and_read() -> None:
    """A name with a comma stands in quotes; what are not two names is refused with an example."""
    for pair in (RUNS, ("x, y", 'say "z"'), ("a\nb", "c\rd"), ("旧", "新")):
        assert pair_of(pair_text(pair)) == pair
    assert pair_of(' old , "new, tuned"') == ("old", "new, tuned")
    for text in ("old", "old,new,third", "", '"old,new', "old\nnew,x"):
        with pytest.raises(ValueError, match="are not two names"):
            pair_of(text)


STRAIGHT, MIXED = [("old", "new"), ("old", "new")], [("new", "old"), ("old", "new")]


@pytest.mark.parametrize("rows", [STRAIGHT, MIXED, MIXED[::-1]])
@pytest.mark.parametrize("are_ab", [True, False])
def test_the_names_of_the_runs_decide(rows: list[tuple[str, str]], are_ab: bool) -> None:
    """Whatever stands first: A is the model that the run A is called."""
    for runs in (RUNS, RUNS[::-1]):
        assert oriented(rows, are_ab=are_ab, runs=runs).pair == runs


def test_without_runs_the_column_decides_where_it_is_always_the_same() -> None:
    """Every vote has the same model as model A: that is A, with the reason. Else, and of sides, it is asked."""
    found = oriented(STRAIGHT, are_ab=True)
    assert (found.pair, found.note("Votes")) == (
        RUNS,
        'Votes: "old" is A, "new" is B, because every vote has "old" as model A.',
    )
    for rows, are_ab in ((MIXED, True), (STRAIGHT, False)):
        with pytest.raises(OrientationError, match="nothing tells which of the two is A") as error:
            oriented(rows, are_ab=are_ab)
        assert error.value.pairs == (rows[0],)


def test_where_no_run_is_called_so_the_column_decides_and_says_it() -> None:
    """Names that are those of no run are placed by the column, and the note names the runs that they are taken for."""
    told = oriented(STRAIGHT, are_ab=True, runs=("x", "y")).note("Votes", ("x", "y"))
    assert told == (
        'Votes: "old" (run "x") is A, "new" (run "y") is B, because every vote has "old" as model A; '
        'no run is called "old" or "new".'
    )


@pytest.mark.parametrize(
    ("runs", "pair"),
    [(("old", "y"), RUNS), (("x", "new"), RUNS), (("new", "y"), None), (("x", "old"), None)],
)
def test_one_name_alone_may_agree_with_the_column_and_never_contradict_it(
    runs: tuple[str, str], pair: tuple[str, str] | None
) -> None:
    """Where only one name is that of a run, the column is taken if it agrees; otherwise it is asked."""
    if pair is None:
        with pytest.raises(OrientationError):
            oriented(STRAIGHT, are_ab=True, runs=runs)
    else:
        assert oriented(STRAIGHT, are_ab=True, runs=runs).pair == pair
    with pytest.raises(OrientationError):
        oriented(MIXED, are_ab=True, runs=runs)


def test_words_for_a_side_decide_where_the_runs_do_not_contradict_them() -> None:
    """Baseline and candidate, A and B; asked where a run that is called B is A."""
    rows = [("candidate", "baseline"), ("baseline", "candidate")]
    assert oriented(rows, are_ab=True).pair == ("baseline", "candidate")
    assert oriented(rows[:1], are_ab=True, runs=("x", "y")).pair == ("baseline", "candidate")
    with pytest.raises(OrientationError, match="could be either of them"):
        oriented([("A", "B")], are_ab=True, runs=("b", "a"))


def test_of_several_pairs_the_one_of_the_runs_is_taken() -> None:
    """Others need a choice; two pairs are never told apart by words alone."""
    rows = [("old", "x"), ("new", "old"), ("x", "y")]
    assert oriented(rows, are_ab=True, runs=RUNS).pair == RUNS
    with pytest.raises(OrientationError, match='3 pairs of models: "old,x", "new,old", "x,y"'):
        oriented(rows, are_ab=True)
    with pytest.raises(OrientationError):
        oriented([("A", "B"), ("A", "C")], are_ab=True)


def test_a_pair_that_contradicts_the_runs_is_refused() -> None:
    """The other way round, or one of them: the sentence says what to do."""
    assert oriented(MIXED, are_ab=True, pair=RUNS, runs=RUNS).pair == RUNS
    assert oriented(MIXED, are_ab=True, pair=("New", "Old")).pair == ("new", "old")
    for pair in (RUNS[::-1], ("new", "x"), ("x", "old"), ("old", "old"), ("old", "")):
        with pytest.raises(OrientationError) as error:
            check_said(pair, RUNS)
        assert error.value.is_said
    with pytest.raises(OrientationError, match='the pair takes "new" for A, and that is what the run B is called'):
        check_said(RUNS[::-1], RUNS)


def test_a_model_against_itself_is_no_pair() -> None:
    """Both models of every vote under one name cannot be told apart; beside others such rows are on no pair."""
    with pytest.raises(OrientationError, match='both models of a vote are called "x"'):
        oriented([("x", "x")], are_ab=True, runs=RUNS)
    assert oriented([("x", "x"), *STRAIGHT], are_ab=True).pair == RUNS


def test_names_that_meet_runs_later_are_turned_or_refused() -> None:
    """The names of votes that were read are straight, turned, of neither run, or of one of them the wrong way."""
    assert not is_turned(RUNS, RUNS)
    assert is_turned(RUNS, RUNS[::-1])
    assert not is_turned(RUNS, ("x", "y"))
    assert not is_turned(RUNS, ("old", "y"))
    for runs in (("new", "x"), ("x", "old")):
        with pytest.raises(OrientationError, match="A first, and the runs are"):
            is_turned(RUNS, runs)


def test_models_of_one_file_are_told_by_a_pair_or_by_their_words() -> None:
    """In any order of the file; what nothing tells is asked, with the pairs that there are."""
    for names in (RUNS, RUNS[::-1]):
        assert models_in_order(names).pair == RUNS
        assert models_in_order(names, RUNS[::-1]).pair == RUNS[::-1]
    assert models_in_order(["x", "y", "z"], ("z", "X")).pair == ("z", "x")
    for names, what in (
        (("x", "y"), "nothing tells which"),
        (("x", "y", "z"), "there are 3 models"),
        (("x",), "1 mod"),
    ):
        with pytest.raises(OrientationError, match=what):
            models_in_order(names)
    with pytest.raises(OrientationError, match='there is no model "w"'):
        models_in_order(["x", "y"], ("x", "w"))
