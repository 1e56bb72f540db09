"""Side-by-side votes: words, letters and numbers, long and wide tables, pairs of models, sides."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_votes
from rankdash.reading.recognition import recognise


def words(content: object, **how: object) -> list[str]:
    """The votes of a table."""
    source = content.encode() if isinstance(content, str) else content
    return read_votes(source, **how).table.column("vote").to_pylist()


def warnings(content: bytes) -> list[str]:
    """The codes of the warnings on votes."""
    return [note.code for note in read_votes(content).source.notes if note.level == "warning"]


def of(*votes: str) -> list[str]:
    """What the votes of a column say."""
    return words("query_id,vote\n" + "".join(f'q{i},"{vote}"\n' for i, vote in enumerate(votes)))


SAID = {
    "good same bad": "good same bad;G S B;win tie loss;1 0 -1;好 一样 差;良い 同じ 悪い",
    "good bad": "G B",
    "bad good same": "A B tie;model_a model_b tie;1 2 0",
    "good bad same bad good": "3 -3 0 -1 2",
    "both_good both_bad good": "both_good both_bad good",
    "bad same good": "A>B A=B A<B",
    "good same bad bad": "+ = − -",
}


@pytest.mark.parametrize(
    ("votes", "expected"), [(own, said) for said, texts in SAID.items() for own in texts.split(";")]
)
def test_one_word_or_number_says_what_a_vote_is(votes: str, expected: str) -> None:
    """Words, letters and numbers of a scale are read as good, same or bad, seen from B."""
    assert of(*votes.split(" ")) == expected.split(" ")


ARENAS = {
    "same": ("tie|Tie|draw|About the same|Both are about the same|No preference|cannot tell|cannot_tell|equal"),
    "both_bad": ("tie (bothbad)|tie (both bad)|bothbad|both_bad|Both bad|Both are bad|both-bad|Neither|tie_both_bad"),
    "both_good": "both_good|Both are good|Both good|tie (both good)|Equally good",
    "bad": "model_a|Model A|A is better|A is slightly better|A>B|A>>B",
    "good": "model_b|Model B|B is better|B is much better|B>A|B>>A",
}


@pytest.mark.parametrize(("vote", "text"), [(vote, text) for vote in ARENAS for text in ARENAS[vote].split("|")])
def test_votes_are_read_as_arenas_and_labelling_tools_write_them(vote: str, text: str) -> None:
    """Beside model_a and model_b; answers where both are bad, or good, count as same and stay apart."""
    rows = f'q1,m1,m2,model_a\nq2,m1,m2,model_b\nq3,m1,m2,"{text}"\nq4,m2,m1,"{text}"\n'
    read = read_votes(f"query_id,model_a,model_b,winner\n{rows}".encode(), pair=("m1", "m2"))
    turned = {"good": "bad", "bad": "good"}.get(vote, vote)
    assert read.table.column("vote").to_pylist() == ["bad", "good", vote, turned]


def test_codes_that_could_mean_two_things_are_noted_or_refused() -> None:
    """1, 2 and 0, and only 0 and 1, are read with a warning; 1 to 5, or only the letter B, are refused."""
    assert warnings(b"query_id,vote\na,1\nb,2\n") == ["vote_numbers"]
    assert warnings(b"query_id,vote\na,1\nb,0\n") == ["vote_flags"]
    with pytest.raises(ReadError, match="numbers from 1 to 5 without a sign"):
        of(*"153")
    with pytest.raises(ReadError, match="the votes B could be good / same / bad or the better model"):
        of("B", "B")


def test_words_that_are_no_vote_are_told_by_row() -> None:
    """A word that says nothing is a problem with row, column and what is allowed."""
    with pytest.raises(ReadError) as error:
        words("query_id,verdict\na,good\nb,maybe\n")
    assert str(error.value).startswith('the file, row 3, column "verdict": "maybe" is no vote. Use good, same, bad')


def test_blank_votes_are_left_out_and_documents_and_reasons_kept() -> None:
    """Rows without a vote count for nothing; doc_id and reason are columns of their own."""
    text = "qid,docno,verdict,annotator,comment\n1,d,good,r,nice\n2,d,,r,\n3,d,NA,r,\n4,d,-,r,\n"
    assert read_votes(text.encode()).table.to_pylist() == [
        {"query_id": "1", "vote": "good", "rater": "r", "doc_id": "d", "reason": "nice"}
    ]


def test_a_column_for_each_rater_is_a_vote_for_each() -> None:
    """A wide table has a row per query and a column per rater, numbered, or two or more that hold words of votes."""
    for names in ("rater1,rater2", "Annotator A,Annotator B", "标注员1,标注员2", "Anna,Ben: who was better?"):
        votes = read_votes(f"query_id,query,{names}\nq1,x,good,bad\nq2,y,,same\n".encode())
        assert votes.table.to_pylist() == [
            {"query_id": "q1", "vote": "good", "rater": names.split(",")[0]},
            {"query_id": "q1", "vote": "bad", "rater": names.split(",")[1]},
            {"query_id": "q2", "vote": "same", "rater": names.split(",")[1]},
        ]
    assert len(read_votes(b"user,age,Anna,Ben,Eva\nu,30,A,same,\nv,40,B,B,\n").table) == 4
    for names, row in (("alice", "good"), ("good,same", "3,1"), ("alice,bob", "hit,bad")):
        with pytest.raises(ReadError, match="no column for the vote"):
            read_votes(f"query_id,{names}\nq1,{row}\n".encode())


PAIRS = "id,model_a,model_b,rater,vote\n1,x,y,r,good\n2,x,y,r,same\n1,x,z,r,bad\n3,y,x,r,good\n"


def test_several_pairs_of_models_ask_for_one() -> None:
    """A table with votes on several pairs names them and the option; pair= chooses one."""
    with pytest.raises(ReadError) as error:
        read_votes(PAIRS.encode())
    assert "pair=(A, B)" in str(error.value)
    assert error.value.choices[0].option == "pair"
    assert error.value.choices[0].values == ("x,y", "y,x", "x,z", "z,x")
    assert words(PAIRS, pair=("x", "y")) == ["good", "same", "bad"]
    assert words(PAIRS, pair=("x", "z")) == ["bad"]


def test_the_reversed_pair_turns_the_votes() -> None:
    """With A and B exchanged good is bad and bad is good; votes that name a model are not turned."""
    assert words(PAIRS, pair=("y", "x")) == ["bad", "same", "good"]
    named = PAIRS.replace("good", "y").replace("bad", "x").replace("same", "tie")
    assert words(named, pair=("x", "y")) == ["good", "same", "good"]
    assert words(named, pair=("y", "x")) == ["bad", "same", "bad"]


def test_a_pair_that_is_not_there_names_those_that_are() -> None:
    """An unknown pair is refused with the pairs of the table."""
    with pytest.raises(ReadError, match=r'no votes on the pair "x,w"\. Found: "x,y", "x,z"'):
        read_votes(PAIRS.encode(), pair=("x", "w"))


def test_the_left_side_is_kept_as_a_or_b() -> None:
    """The model on the left is A or B, written so or by its name; an unknown one is ""."""
    text = "query_id,model_a,model_b,left,vote\n1,x,y,x,good\n2,x,y,y,bad\n3,x,y,B,same\n4,x,y,?,same\n"
    votes = read_votes(text.encode(), pair=("x", "y"))
    assert votes.table.column("left").to_pylist() == ["A", "B", "B", ""]


def test_votes_for_a_side_need_the_sides() -> None:
    """Left and right are votes where it is known which model stood there, and refused where it is not."""
    text = "query_id,left_model,right_model,vote\n1,x,y,left\n2,y,x,left\n3,x,y,tie\n"
    assert words(text, pair=("x", "y")) == ["bad", "good", "same"]
    with pytest.raises(ReadError, match='the votes are on "x,y"'):
        read_votes(text.encode())
    assert words("query_id,left,vote\n1,A,left\n2,B,left\n3,B,right\n") == ["bad", "good", "bad"]
    with pytest.raises(ReadError, match="is no vote"):
        read_votes(b"query_id,vote\n1,left\n")


@pytest.mark.parametrize("numbers", ["10", "210", "0.5"])
@pytest.mark.parametrize("heading", ["rating", "label", "score", "Judgment", "标注"])
def test_grades_of_documents_are_no_votes(heading: str, numbers: str) -> None:
    """Numbers from 0 up beside documents, under a heading of grades, are judgments given as votes: they are refused,
    and somebody who says that they are votes has votes.
    """
    grades = [numbers] if "." in numbers else [*numbers]
    text = "query,docid," + heading + "\n" + "".join(f"q1,d{at},{grade}\n" for at, grade in enumerate(grades))
    with pytest.raises(ReadError, match="columns=") as error:
        read_votes(text.encode())
    assert f"--columns vote={heading}" in error.value.problems[0].phrase("shell")
    if numbers == "10":
        assert len(read_votes(text.encode(), columns={"vote": heading}).table) == 2
        assert len(read_votes(text.replace("docid", "notes2").encode()).table) == 2
        assert len(read_votes(text.replace(heading, "preference").encode()).table) == 2
        assert len(read_votes(text.replace(",0", ",-1").encode()).table) == 2


def test_dicts_and_tables_without_a_header_hold_votes_too() -> None:
    """{query: vote}, and two columns without a header."""
    assert words({"a": 1, "b": -1}) == ["good", "bad"]
    assert words("q1,good\nq2,bad\n") == ["good", "bad"]


WINNERS = b"query_id,winner\nq1,CHATGPT\nq2,VICUNA13B\nq3,tie\nq4,CHATGPT\n"


def test_votes_that_name_the_winner_ask_for_the_pair() -> None:
    """Two names in the place of votes are the models: which is A is asked, by the pair, and the file is votes."""
    with pytest.raises(ReadError, match=r'name "CHATGPT", "VICUNA13B".*pair=') as error:
        read_votes(WINNERS)
    (choice,) = error.value.choices
    assert (choice.option, choice.values) == ("pair", ("CHATGPT,VICUNA13B", "VICUNA13B,CHATGPT"))
    found = recognise(WINNERS)
    assert (found.kind, found.choices) == ("votes", (choice,))
    votes = read_votes(WINNERS, pair=("CHATGPT", "VICUNA13B")).table.column("vote").to_pylist()
    assert votes == ["bad", "good", "same", "bad"]
    turned = read_votes(WINNERS, pair=("VICUNA13B", "CHATGPT")).table.column("vote").to_pylist()
    assert turned == ["good", "bad", "same", "good"]
    in_words = b"query,preference\nq1,Vicuna13b much better\nq2,ChatGPT is better\nq3,prefer VICUNA13B\nq4,same\n"
    with pytest.raises(ReadError):
        read_votes(in_words, models=("CHATGPT", "VICUNA13B"))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("q1,1\nq2,-1\nq3,0\n", ["good"]),
        ("query_id,rater1,rater2\nq1,-2,2\nq2,0,1\n", ["bad", "good"]),
        ("query_id,annotator_1,annotator_2\nq1,1,\nq2,1,-1\n", ["good"]),
    ],
)
def test_a_column_of_votes_for_each_rater_is_votes(text: str, first: list[str]) -> None:
    """Votes of several raters are recognised by the headings, as numbers of a scale."""
    content = text.encode()
    assert recognise(content).kind == "votes"
    rows = read_votes(content).table.to_pylist()
    assert [row["vote"] for row in rows if row["query_id"] == rows[0]["query_id"]] == first


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("q1,2,0\nq2,1,1\nq3,0,2\n", "judgments"),
        ("q1,d1,-1\nq2,d2,1\nq3,d3,0\n", "judgments"),
        ("q1 0 1 -1\nq2 0 0 1\nq3 0 1 1\n", "judgments"),
        ("query_id,f1,f2\nq1,0,1\nq2,1,1\n", "queries"),
        ("query_id,a1,a2\nq1,0,1\nq2,1,1\n", "queries"),
        ("query_id,text,sentiment\nq1,red shoes,-1\nq2,blue hat,1\n", "queries"),
    ],
)
def test_numbers_that_may_be_ids_or_grades_are_no_votes(text: str, kind: str) -> None:
    """Documents named by small numbers, grades below 0, flags and one column of facts stay what they are."""
    assert recognise(text.encode()).kind == kind
