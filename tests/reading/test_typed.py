"""Lists and votes as people type or paste them: one grammar, and numbers that a textbook has."""

import math
from typing import Any, Literal

import pytest

import rankdash as rd
from rankdash.reading.typed import MOST_LETTERS, Typed, TypedError, read_typed, typed_lists, typed_votes


def compared(typed: Typed, convention: str = "standard") -> rd.Comparison:
    """The comparison of two typed lists with the measures of a textbook."""
    measures = ["CG@6", "DCG@6", "IDCG@6", "nDCG@6", "P@6", "AP", "R@6"]
    return rd.compare(typed.a, typed.b, typed.judgments, measures=measures, convention=convention, votes=typed.votes)


def values(comparison: rd.Comparison, measure: str) -> tuple[float, float]:
    """A measure of the first query, of A and of B."""
    at = comparison.measure_names.index(measure)
    return float(comparison.scores_a[at][0]), float(comparison.scores_b[at][0])


def dcg(*grades: float) -> float:
    """The sum by hand."""
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def lists_of(typed: Typed) -> list[tuple[list[str], ...]]:
    """The documents of A and of B, query by query."""
    return [tuple(typed.documents(run, one) for run in (typed.a, typed.b)) for one in typed.query_ids]


# --- numbers ---------------------------------------------------------------------------------------------------------


def test_each_list_without_names_has_its_own_grades_as_its_ideal() -> None:
    """IDCG of A comes from A's grades and those that both missed, whatever B holds, and the other way round."""
    comparison = compared(typed_lists("3 2 3 0 1 2", "1 0"))
    assert values(comparison, "DCG@6") == pytest.approx((dcg(3, 2, 3, 0, 1, 2), dcg(1)))
    assert values(comparison, "IDCG@6") == pytest.approx((dcg(3, 3, 2, 2, 1), dcg(1)))
    assert values(comparison, "nDCG@6") == pytest.approx((0.9608, 1.0), abs=5e-5)
    assert (values(comparison, "R@6"), values(comparison, "CG@6")) == (pytest.approx((1, 1)), (11, 1))
    missed = typed_lists("3 2 3 0 1 2", "3 3 2", missed="3 2")
    ideal = (dcg(3, 3, 3, 2, 2, 2), dcg(3, 3, 3, 2, 2))
    assert values(compared(missed), "nDCG@6") == pytest.approx(
        (dcg(3, 2, 3, 0, 1, 2) / ideal[0], dcg(3, 3, 2) / ideal[1])
    )
    assert values(compared(missed), "R@6") == pytest.approx((5 / 7, 3 / 5))
    textbook = compared(missed, "textbook")
    ndcg = next(name for name in textbook.measure_names if name.startswith("nDCG") and name.endswith("@6"))
    assert values(textbook, ndcg) == pytest.approx((dcg(3, 2, 3, 0, 1, 2) / dcg(3, 3, 2, 2, 1), 1.0))
    assert compared(typed_lists("3 2 1", "3 2 1")).primary.paired.delta == 0


def test_named_documents_are_judged_by_the_pool_of_both_lists() -> None:
    """A document that only B found is missed in A: it stands in the ideal of both."""
    comparison = compared(typed_lists("d1:3 d2:0", "d3:2, d1:3"))
    assert values(comparison, "IDCG@6") == pytest.approx((dcg(3, 2), dcg(3, 2)))
    assert values(comparison, "R@6") == (0.5, 1.0)


def err(grades: list[float], largest: float) -> float:
    """Expected reciprocal rank by hand."""
    value, there = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        stops = (2**grade - 1) / 2**largest
        value, there = value + there * stops / rank, there * (1 - stops)
    return value


@pytest.mark.parametrize(
    ("a", "b", "missed", "largest"), [("1 1 1 1", "1 1 1 3", "", 3), ("2 ?", "1 1", "4", 4), ("0 3", "? ?", "", 3)]
)
def test_both_lists_share_the_largest_grade(a: str, b: str, missed: str, largest: float) -> None:
    """ERR of A and of B takes one largest grade, that of all judgments, also in the worked calculation."""
    typed = typed_lists(a, b, missed)
    comparison = rd.compare(typed.a, typed.b, typed.judgments, measures=["ERR"])
    sides: tuple[tuple[Literal["a", "b"], str, Any], ...] = (
        ("a", a, comparison.scores_a),
        ("b", b, comparison.scores_b),
    )
    for side, text, scores in sides:
        own = [float(token) for token in text.split() if token != "?"]
        worked = rd.explain(comparison.joined.run(side), typed.judgments, "ERR", "1", side=side)
        at = comparison.measure_names.index("ERR")
        assert scores[at][0] == worked.value == pytest.approx(err(own, largest), abs=1e-12)
    with pytest.raises(rd.MeasureError):
        rd.compare(typed.a, typed.b, typed.judgments, measures=[f"ERR(max_grade={largest - 1:g})"])


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_grade_for_one_list_says_nothing_about_the_other(side: Literal["a", "b"]) -> None:
    """A file may say that a grade is for A, B or both; evaluate takes the side, and anything else is refused."""
    run = {"q": {"d": 2.0, "e": 1.0}, "r": {"e": 1.0}}
    judgments = rd.read_judgments(b"query_id,doc_id,relevance,only_for\nq,d,3,A\nq,e,1,B\nq,f,2,\nr,e,1,A\n")
    measures = ["DCG@2", "nDCG@2", "ERR@2", "AP"]
    comparison = rd.compare(run, run, judgments, measures=measures)
    wanted = comparison.per_query.set_index(["query_id", "measure"])[side]
    for query_id, measure, value in rd.evaluate(run, judgments, measures, side=side).itertuples(index=False):
        assert value == pytest.approx(wanted[query_id, measure], nan_ok=True), (query_id, measure)
    assert values(comparison, "DCG@2") == pytest.approx((3.0, dcg(0, 1)))
    with pytest.raises(ValueError, match="side"):
        rd.evaluate(run, judgments, "P@1", side="A")  # type: ignore[arg-type]
    with pytest.raises(rd.ReadError):
        rd.read_judgments(b"query_id,doc_id,relevance,only_for\nq,d,1,C\n")


# --- the grammar -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("3 2 0", "3,2,0", "3, 2, 0", "３　２　０", "３，２、０", "3;2;0", "  3\t2 0  ", "3\n2\n0\n"),
        *("[3, 2, 0]", "(3, 2, 0)", '["3", "2", "0"]', "［３，２，０］"),
    ],
)
def test_grades_are_read_however_they_are_typed(text: str) -> None:
    """Blanks, commas, tabs, full-width digits, brackets, and a column of a spreadsheet give the same list."""
    typed = typed_lists(text)
    assert typed.judgments.table.column("relevance").to_pylist() == [3, 2, 0]
    assert (typed.b, typed.named, len(typed.query_ids)) == (None, False, 1)


def test_every_line_is_a_query_and_a_mark_is_unjudged() -> None:
    """Two lines are two queries; a question mark is a document without a grade; votes are one word per line."""
    typed = typed_lists("3 2\n1 ?", "2 3\n? 1", votes="good\nsame")
    assert typed.a.table.column("query_id").to_pylist() == ["1", "1", "2", "2"]
    assert len(typed.judgments.table) == 6
    assert typed.votes.table.column("vote").to_pylist() == ["good", "same"]


@pytest.mark.parametrize(
    ("a", "b", "read"),
    [
        ("d1 d2", "d2, d1", [(["d1", "d2"], ["d2", "d1"])]),
        ("d1\nd2\nd3", "d3\nd4", [(["d1", "d2", "d3"], ["d3", "d4"])]),
        ("Running shoes 15, L'Hat (red)", "[Hat]", [(["Running shoes 15", "L'Hat (red)"], ["Hat"])]),
        ("https://a.example/x\nhttps://a.example/y", "", [(["https://a.example/x", "https://a.example/y"], [])]),
        ("1. Red hat\n2. Cap\n\n1. Fez", "- Cap\n- Red hat", [(["Red hat", "Cap"], ["Cap", "Red hat"]), (["Fez"], [])]),
        ("1) Hat\n2) Big tent", "Big tent, Hat", [(["Hat", "Big tent"], ["Big tent", "Hat"])]),
        ("1. Java cook, Rome\n2. Hat", "- Cap\n- Hat, X, y\n", [(["Java cook, Rome", "Hat"], ["Cap", "Hat, X, y"])]),
        ("a b\nc", "b a\nd", [(["a", "b"], ["b", "a"]), (["c"], ["d"])]),
        ("17: 19:", "19:", [(["17", "19"], ["19"])]),
        ("1. Dune: Big Sea\n2. Alien: Big Cat", "Hat", [(["Dune: Big Sea", "Alien: Big Cat"], ["Hat"])]),
    ],
)
def test_names_of_documents_are_read_without_grades(a: str, b: str, read: list[tuple[list[str], list[str]]]) -> None:
    """Names, one on each line or between commas or blanks, are lists whose documents nobody has graded."""
    typed = typed_lists(a, b)
    assert (typed.judgments, typed.named, lists_of(typed)) == (None, True, read)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("red hat: Hat, red cap, Fez\ntent: Big tent, Tarp", "tent: Tarp, Big tent\nred hat: Fez, Hat"),
        ("red hat: Hat:3, red cap:1, Fez\ntent：Big tent:0, Tarp", "tent: Tarp:1, Big tent\n\nred hat: Fez, Hat"),
        (
            "red hat:\n1. Hat\n2. red cap\n3. Fez\n\ntent\n1. Big tent\n2. Tarp",
            "tent\n1) Tarp\n2) Big tent\nred hat\n1) Fez\n2) Hat",
        ),
    ],
)
def test_queries_may_have_names(a: str, b: str) -> None:
    """A name stands before each list, or above each numbered one: lists and votes are of that query, in any order."""
    typed = typed_lists(a, b, votes="tent: bad\nred hat: good" if "\n1" in a else "good, bad")
    lists = {query: (typed.documents(typed.a, query), typed.documents(typed.b, query)) for query in typed.query_ids}
    assert lists == {
        "red hat": (["Hat", "red cap", "Fez"], ["Fez", "Hat"]),
        "tent": (["Big tent", "Tarp"], ["Tarp", "Big tent"]),
    }
    votes = (typed.votes or pytest.fail("none")).table
    several = typed_votes("red hat: good, same\ntent：bad").table
    assert several.column("query_id").to_pylist() == ["red hat", "red hat", "tent"]
    assert {*zip(*(votes.column(name).to_pylist() for name in ("query_id", "vote")), strict=True)} == {
        ("red hat", "good"),
        ("tent", "bad"),
    }
    graded = typed_lists("red hat: 3 2 0\ntent: 1, 0", "red hat: 2 3 0\ntent: 0, 1", "tent: 1 1")
    assert (graded.judgments or pytest.fail("none")).table.column("query_id").to_pylist()[-2:] == ["tent", "tent"]


@pytest.mark.parametrize(
    ("a", "b", "place"),
    [
        ("", "1", "List A is empty"),
        ("Old app\n1. Hat\n2. Cap", "New app\n1. Cap\n2. Hat", "List B: name the queries"),
        ("hat: a, b\ntent: c, d", "a, b\nc, d", "List B: name the queries"),
        ("1042 993 15", "993 15 1042", "colon"),
        *((text, "d1:3", "List A: .3. is no name") for text in ("d2:1 3", "d2:1\n3", "3 2")),
        *((text, "", "is no name") for text in ("tent, 3 2 0\ncamping stove, 3 1 2", "article_url\nd1", "- Tent")),
        *((text, "", "as a file and drop") for text in ("no.\tprice\n1\t3", "m\tH1\nm\tC2", "Hat\tliked\nCap\tok")),
        ("Rank\tTitle\tGrade\r\n2\tHat, A: x\tbad\r\n", "", "as a file and drop"),
        ("Title\nHat, red\nCap", "Cap", "is no name"),
        ("query_id,doc_id,rank\nq1,d1,1", "", "is no name"),
        *((text, "", "is no name") for text in ("d1 (3) d2 (0)", "QP 360 A1\nQP 30 K2")),
        *((text, "", "or several") for text in ("Big hat\nCap", "Big hat:3\nCap:0", "- Hat, red\n- Cap, B")),
        *((text, "", "or several") for text in ("Hat, A:3\nC, B:0", "1. Big hat: 3, Cap: 0\n2. Tent A, Fez B")),
        *((text, "tent:3", "in numbers: 3 or") for text in ("tent:good", "1. Tent - good\n2. Hat", "d1:3 d2:good")),
        *((text, "", "in numbers: 3 or") for text in ("a:good b:bad", "- A b, bad\n- C", "- A b, 3\n- C")),
        ("x" * (MOST_LETTERS + 1), "", f"{MOST_LETTERS:,}"),
        ("half \ud800", "", "character"),
    ],
)
def test_what_is_not_in_the_grammar_is_refused_with_its_place(a: str, b: str, place: str) -> None:
    """A document without a name among named ones, ids that may be grades, too much text: list and line are told."""
    with pytest.raises(TypedError, match=place):
        read_typed((a, b, "", ""))
    with pytest.raises(TypedError, match="Missed, line 1"):
        typed_lists("3", "2", missed="what")


# --- votes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "votes"),
    [
        *(
            (text, "good same bad bad")
            for text in ("good, same, bad, bad", "Good same BAD bad\n", "+ = − -", "1 0 -1 -1")
        ),
        *((text, "good same bad") for text in ("good\nsame\r\nbad", "g;s;b", "好、一样、差")),
        ("B better, tie, A better, both bad", "good same bad both_bad"),
    ],
)
def test_a_column_of_votes_is_read(text: str, votes: str) -> None:
    """One word for each query, on lines or between commas or blanks, seen from B."""
    for read in (typed_votes(text), read_typed(("", "", "", text))):
        assert read.table.column("vote").to_pylist() == votes.split()
        assert read.table.column("query_id").to_pylist() == [str(at + 1) for at in range(len(votes.split()))]


@pytest.mark.parametrize(
    "text", ["60 40", "60% 20% 20%", "good great bad", "left right", " , ,", "1 2 3", "good=60 bad=4"]
)
def test_what_is_no_column_of_votes_is_refused(text: str) -> None:
    """Counts, scales without a sign, sides and other words: nothing is guessed."""
    with pytest.raises(TypedError):
        typed_votes(text)


TITLES = {"1. Hat, A: OK\n2. Big fez: liked": [1, 2], "X: yes, Big fez:no, Y: ?": [1, 0], "A b: 3\nB:0": [3, 0]}


@pytest.mark.parametrize("text", TITLES)
def test_an_entry_may_be_a_title_with_a_grade_in_words(text: str) -> None:
    """Behind a colon words of a scale are grades, and the judgments say which."""
    judgments = typed_lists(text).judgments or pytest.fail("no grade")
    assert judgments.table.column("relevance").to_pylist() == TITLES[text]
    assert judgments.source.has("words_as_grades") == (3 not in TITLES[text])
