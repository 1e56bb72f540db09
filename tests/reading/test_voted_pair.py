"""Votes that name models: which is A is decided by the names, in whatever columns and order, or asked, or refused."""

from __future__ import annotations

from itertools import permutations

import pytest

from rankdash.reading import ReadError, read_votes

RUNS = ("old", "new")
HEAD = "query_id,model_a,model_b,vote\n"


def votes(text: str, **how: object) -> list[str]:
    """The votes of a text, by query."""
    found = read_votes(text.encode(), **how).table.to_pydict()
    return [vote for _, vote in sorted(zip(found["query_id"], found["vote"], strict=True))]


def test_the_first_row_decides_nothing() -> None:
    """The same rows in any order give the same votes: B is the run that is called so, never whoever stands first."""
    rows = ["q1,old,new,good\n", "q2,new,old,good\n", "q3,old,new,bad\n", "q4,new,old,same\n"]
    for order in permutations(rows):
        assert votes(HEAD + "".join(order), models=RUNS) == ["good", "bad", "bad", "same"]
        assert votes(HEAD + "".join(order), models=RUNS[::-1]) == ["bad", "good", "good", "same"]
        with pytest.raises(ReadError, match="pair="):
            votes(HEAD + "".join(order))


#: Votes on two models in each form that names them; {0} and {1} are the names.
FORMS = {
    "columns": HEAD + "q1,{0},{1},good\nq2,{0},{1},bad\n",
    "winner of columns": HEAD + "q1,{0},{1},{1}\nq2,{1},{0},{0}\n",
    "sides": "query_id,left,right,vote\nq1,{0},{1},right\nq2,{1},{0},right\n",
    "winners": "query_id,winner\nq1,{1}\nq2,{0}\n",
}


@pytest.mark.parametrize("runs", [None, RUNS, ("x", "old"), ("X", "Y"), ("x!", "y"), ("(5/1/26) x", "y")])
@pytest.mark.parametrize("names", [("x", "y"), ("baseline", "candidate"), ("control", "treatment"), ("v1", "v2")])
@pytest.mark.parametrize("form", FORMS)
def test_votes_that_name_no_run_by_its_exact_name_are_asked(
    form: str, names: tuple[str, str], runs: tuple[str, str] | None
) -> None:
    """Neither a column, a spelling, a word for a side nor one name alone says who is A; a pair does, and is named."""
    text = FORMS[form].format(*names)
    with pytest.raises(ReadError) as error:
        votes(text, models=runs)
    assert any("--pair A,B" in line for line in error.value.lines("shell"))
    assert {*error.value.choices[0].values} & {",".join(names), ",".join(names[::-1])}
    assert votes(text, pair=names, models=runs) == ["good", "bad"]
    assert votes(text, pair=names[::-1]) == ["bad", "good"]
    assert votes(text, models=names) == ["good", "bad"]


def test_votes_on_other_pairs_are_set_aside_with_a_warning_that_counts_them() -> None:
    """No choice is needed where some rows name both runs; what is set aside is counted and named."""
    text = HEAD + "q1,old,x,good\nq2,new,old,bad\nq3,x,new,good\n"
    found = read_votes(text.encode(), models=RUNS)
    assert found.table.to_pylist() == [{"query_id": "q2", "vote": "good"}]
    (warning,) = (note for note in found.source.notes if note.level == "warning")
    assert (warning.code, str(warning).split()[0]) == ("votes_aside", "2")


def test_a_pair_the_other_way_round_is_refused() -> None:
    """A pair that takes B for A says what to do; the pair as it is, is taken."""
    text = HEAD + "q1,old,new,good\n"
    with pytest.raises(ReadError, match="exchange A and B"):
        votes(text, models=RUNS, pair=RUNS[::-1])
    assert votes(text, models=RUNS, pair=RUNS) == ["good"]


@pytest.mark.parametrize(
    ("a", "b"), [("base", "base model"), ("GPT-4", "gpt 4 (list)"), ("GPT-4", "gpt 4"), ("old", "OLD"), ("a b", "a_b")]
)
def test_names_that_fold_to_one_text_are_told_apart(a: str, b: str) -> None:
    """Winners and models whose names differ by a word or a sign alone: each vote is for the one that it names."""
    rows = f"q1,{a},{b},{a}\nq2,{b},{a},{b}\nq3,{a},{b},{b}\nq4,{b},{a},tie\n"
    assert votes(HEAD + rows, models=(a, b)) == ["bad", "good", "good", "same"]
    assert votes(HEAD + rows, pair=(b, a)) == ["good", "bad", "bad", "same"]
    assert votes(f"query_id,winner\nq1,{a}\nq2,{b}\nq3,tie\n", models=(a, b)) == ["bad", "good", "same"]
    sides = f"query_id,left,right,winner\nq1,{a},{b},{a}\nq2,{b},{a},left\n"
    assert votes(sides, models=(a, b)) == ["bad", "good"]


@pytest.mark.parametrize("name", ["good", "tie", "left", "B", "1", "none", "W"])
def test_a_model_that_is_called_as_a_vote_is_never_misread(name: str) -> None:
    """A name that is a word for a vote too: what it says is what it says both ways, or the file is refused."""
    for first, second, winner in ((name, "x", name), ("x", name, name), (name, "x", "x"), ("x", name, "x")):
        for models in ((name, "x"), ("x", name)):
            try:
                found = votes(f"{HEAD}q1,{first},{second},{winner}\n", models=models)
            except ReadError:
                continue
            assert found == ["good" if winner == models[1] else "bad"]


def test_sides_and_winners_go_by_the_names_too() -> None:
    """Names left and right, on one side alone, and in the place of votes: by the runs, else asked."""
    sides = "query_id,left,right,vote\nq1,old,new,left\nq2,new,old,left\n"
    found = read_votes(sides.encode(), models=RUNS)
    assert found.table.column("vote").to_pylist() == ["bad", "good"]
    assert found.table.column("left").to_pylist() == ["A", "B"]
    alone = "query_id,left,vote\nq1,old,left\nq2,new,left\n"
    assert votes(alone, models=RUNS) == ["bad", "good"]
    assert votes("query_id,winner\nq1,new\nq2,tie\nq3,new\n", models=RUNS) == ["good", "same", "good"]
    for text in (sides, alone, "query_id,winner\nq1,old\nq2,new\n"):
        with pytest.raises(ReadError):
            votes(text)


def test_a_third_model_on_a_side_is_another_pair() -> None:
    """Rows with a model that is neither A nor B are set aside with a warning; one column of three models is refused."""
    found = read_votes(b"query_id,left,right,vote\nq1,old,new,left\nq2,new,x,left\n", models=RUNS)
    assert found.table.column("query_id").to_pylist() == ["q1"]
    assert [note.code for note in found.source.notes if note.level == "warning"] == ["votes_aside"]
    with pytest.raises(ReadError, match="one model alone"):
        votes("query_id,left,vote\nq1,old,left\nq2,new,left\nq3,x,left\n", models=RUNS)


def test_one_model_on_both_sides_is_refused_by_row() -> None:
    """A row that has A, or B, left and right is no vote on the two."""
    with pytest.raises(ReadError, match='row 3, column "right"'):
        votes("query_id,left,right,vote\nq1,A,B,good\nq2,B,B,good\n")


def test_rows_without_a_name_are_refused_by_row() -> None:
    """A vote on a pair names both; columns of names without any name are as if they were not there."""
    with pytest.raises(ReadError, match='row 3, column "model_b": the name of the model is empty'):
        votes(HEAD + "q1,old,new,good\nq2,old,,good\n", models=RUNS)
    assert votes(HEAD + "q1,,,good\nq2,,,bad\n", models=RUNS) == ["good", "bad"]


@pytest.mark.parametrize("column", ["model_a", "model_b"])
def test_a_column_for_one_model_alone_is_refused(column: str) -> None:
    """model_a or model_b by itself does not say against whom: the other column is asked for."""
    for models in (None, RUNS, RUNS[::-1]):
        with pytest.raises(ReadError, match="Add a column model_"):
            votes(f"query_id,{column},vote\nq1,old,good\nq2,old,bad\n", models=models)


def test_votes_without_names_are_seen_from_b_and_say_so() -> None:
    """Good is good for B, whatever the runs are called; a pair of letters can say that they are seen from A."""
    text = "query_id,vote\nq1,good\nq2,bad\nq3,same\n"
    for models in (None, RUNS, ("b", "a"), ("good", "x")):
        found = read_votes(text.encode(), models=models)
        assert found.table.column("vote").to_pylist() == ["good", "bad", "same"]
        assert found.source.notes[-1].code == "seen_from"
        assert found.pair is None
    assert votes(text, pair=("A", "B")) == ["good", "bad", "same"]
    assert votes(text, pair=("B", "A")) == ["bad", "good", "same"]
    with pytest.raises(ReadError, match='no votes on the pair "x,y"'):
        votes(text, pair=("x", "y"))


def test_letters_are_asked_where_the_runs_are_called_the_other_way_round() -> None:
    """Votes for A and B, and the run A is called b: nobody knows whom they mean. good, same, bad mean B anyway."""
    text = "query_id,vote\nq1,A\nq2,B\nq3,tie\n"
    with pytest.raises(ReadError, match='speak of A and B, and the other run is called "b"'):
        votes(text, models=("b", "a"))
    assert votes(text, models=("b", "a"), pair=("B", "A")) == ["good", "bad", "same"]
    assert votes(text, models=("a", "b")) == ["bad", "good", "same"]


def test_words_that_are_names_of_both_runs_are_asked() -> None:
    """Only s and g as votes, and the runs are called so: words or winners? Beside other words they are words."""
    with pytest.raises(ReadError, match="could be words for votes, and names of the models"):
        votes("query_id,vote\nq1,s\nq2,g\n", models=("s", "g"))
    assert votes("query_id,vote\nq1,s\nq2,g\n", models=("s", "g"), pair=("A", "B")) == ["same", "good"]
    assert votes("query_id,vote\nq1,S\nq2,G\nq3,B\n", models=("a", "b")) == ["same", "good", "bad"]


def test_names_with_commas_can_be_chosen() -> None:
    """The pair that is offered can be given back, whatever stands in the names."""
    text = HEAD + '"q1","x, y",z,good\nq2,z,"x, y",good\n'
    with pytest.raises(ReadError) as error:
        votes(text)
    (choice,) = error.value.choices
    assert choice.values == ('"x, y",z', 'z,"x, y"')
    assert votes(text, pair=("x, y", "z")) == ["good", "bad"]
