"""Lists as people type or paste them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Literal

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.edits import Edit, apply
from rankdash.reading.typed import Typed, TypedError, TypedForm, UnclearError, read_typed, typed_lists, typed_table
from rankdash.report.json import to_dict
from rankdash.report.tables import judgments_csv, run_csv, votes_csv
from rankdash.sandbox import apart
from rankdash.scoring import compare_joined, join, swapped_judgments, swapped_votes


def compared(typed, convention: str = "standard") -> rd.Comparison:
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


def test_each_list_has_its_own_grades_as_its_ideal() -> None:
    """Without names IDCG of A comes from A's grades alone, whatever B holds, and the other way round."""
    comparison = compared(typed_lists("3 2 3 0 1 2", "1 0"))
    assert values(comparison, "DCG@6") == pytest.approx((dcg(3, 2, 3, 0, 1, 2), dcg(1)))
    assert values(comparison, "IDCG@6") == pytest.approx((dcg(3, 3, 2, 2, 1), dcg(1)))
    assert values(comparison, "nDCG@6") == pytest.approx((0.9608, 1.0), abs=5e-5)
    assert values(comparison, "R@6") == pytest.approx((1, 1))
    assert values(comparison, "CG@6") == (11, 1)


def test_missed_documents_enter_the_ideal_and_the_recall_of_both() -> None:
    """The missed grades 2 and 3 make the textbook 0.7850, and count as relevant documents that were not found."""
    comparison = compared(typed_lists("3 2 3 0 1 2", "3 3 2", missed="3 2"))
    assert values(comparison, "nDCG@6") == pytest.approx(
        (dcg(3, 2, 3, 0, 1, 2) / dcg(3, 3, 3, 2, 2, 2), dcg(3, 3, 2) / dcg(3, 3, 3, 2, 2))
    )
    assert values(comparison, "R@6") == pytest.approx((5 / 7, 3 / 5))


def test_missed_documents_count_for_recall_only_in_the_textbook() -> None:
    """Under the textbook's convention the ideal is the list itself, and recall still knows what was missed."""
    comparison = compared(typed_lists("3 2 3 0 1 2", "3 3 2", missed="3 2"), "textbook")
    ndcg = next(name for name in comparison.measure_names if name.startswith("nDCG") and name.endswith("@6"))
    assert values(comparison, ndcg) == pytest.approx((dcg(3, 2, 3, 0, 1, 2) / dcg(3, 3, 2, 2, 1), 1.0))
    assert values(comparison, "R@6") == pytest.approx((5 / 7, 3 / 5))


def test_named_documents_are_judged_by_the_pool_of_both_lists() -> None:
    """A document that only B found is missed in A: it stands in the ideal of both."""
    comparison = compared(typed_lists("d1:3 d2:0", "d3:2, d1:3"))
    assert values(comparison, "IDCG@6") == pytest.approx((dcg(3, 2), dcg(3, 2)))
    assert values(comparison, "R@6") == (0.5, 1.0)
    assert not comparison.joined.apart


def test_lists_without_names_share_nothing() -> None:
    """Their likeness is undefined, and nothing is left to label."""
    typed = typed_lists("3 2 1", "3 2 1")
    comparison = rd.compare(typed.a, typed.b, typed.judgments, measures=["overlap@3"])
    assert comparison.likeness[0].mean is None
    assert comparison.worklist is None
    assert comparison.primary.paired.delta == 0


@pytest.mark.parametrize("text", ["3 2 0", "3,2,0", "3, 2, 0", "３　２　０", "３，２、０", "3;2;0", "  3\t2 0  "])
def test_grades_are_read_however_they_are_typed(text: str) -> None:
    """Spaces, commas, tabs and full-width digits give the same list."""
    typed = typed_lists(text)
    assert typed.judgments.table.column("relevance").to_pylist() == [3, 2, 0]
    assert typed.b is None


def test_every_line_is_a_query_and_a_mark_stands_for_unjudged() -> None:
    """Two lines are two queries; a question mark is a document without a grade; votes are one word per line."""
    typed = typed_lists("3 2\n1 ?", "2 3\n? 1", votes="good\nsame")
    assert typed.a.table.column("query_id").to_pylist() == ["1", "1", "2", "2"]
    assert len(typed.judgments.table) == 6
    assert typed.votes is not None
    assert typed.votes.table.column("vote").to_pylist() == ["good", "same"]


def test_a_table_from_a_spreadsheet_is_read() -> None:
    """With or without a row of names; a cell is a list or one grade; rows of one query belong together."""
    pasted = "query\tA\tB\tmissed\tvote\nshoes\t3 2 0\t2 3 0\t1\tbad\nhats\t0 1\t1 0\t\tgood\n"
    for text in (
        pasted,
        pasted.split("\n", 1)[1],
        "shoes\t3\t2\t1\tbad\nshoes\t2\t3\nshoes\t0\t0\nhats\t0\t1\t\tgood\nhats\t1\t0",
    ):
        typed = typed_table(text)
        assert typed.a.table.column("query_id").to_pylist() == ["shoes"] * 3 + ["hats"] * 2
        assert typed.b is not None
        assert typed.b.table.column("rank").to_pylist() == [1, 2, 3, 1, 2]
        assert len(typed.judgments.table) == 11
        assert typed.votes is not None
        assert typed.votes.table.column("vote").to_pylist() == ["bad", "good"]


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("3 great 1", "1", 'List A, line 1: "great" is not a grade. Use grades such as 3'),
        ("3\n-1", "1", 'List A, line 2: "-1" is not a grade'),
        ("d1:3 2", "1", 'List A, line 1: "2" has no document'),
        ("", "1", "List A is empty"),
        ("? ?", "?", "No document has a grade"),
    ],
)
def test_a_wrong_token_is_told_with_its_place(a: str, b: str, said: str) -> None:
    """List, line, what was found and what is allowed stand in the sentence."""
    with pytest.raises(TypedError) as error:
        typed_lists(a, b)
    assert said in str(error.value)


def lists_of(typed: Typed) -> list[tuple[list[str], list[str]]]:
    """The documents of A and of B, query by query."""
    return [tuple(typed.documents(run, one) for run in (typed.a, typed.b)) for one in typed.query_ids]


def test_a_column_of_a_spreadsheet_is_one_list() -> None:
    """One number on each line is one list, as told; as a query on each line it is read where somebody says so."""
    column, line = typed_lists("3\n2\n3\n0\n1\n2\n"), typed_lists("3 2 3 0 1 2")
    assert column.a.table.equals(line.a.table)
    assert column.judgments.table.equals(line.judgments.table)
    assert column.form == TypedForm("grades", "one")
    assert TypedForm("grades", "each") in column.forms
    assert len(typed_lists("3\n2\n3", form=TypedForm("grades", "each")).query_ids) == 3
    assert len(typed_lists("3\n2\n3", "1\n2").query_ids) == 1


@pytest.mark.parametrize(
    ("fields", "ways"),
    [
        (("3\n2", "2\n3", "", "good\nbad"), {("grades", "one"), ("grades", "each")}),  # votes, a line per query
        (("3 2 3", "1\n2\n3"), {("grades", "one"), ("grades", "each")}),
        (("3 2\n1 0", "2\n1"), {("grades", "one"), ("grades", "each")}),
        (("Running shoes 15\nRain jacket",), {("names", "one"), ("names", "each")}),
        (("Running shoes:3\nRain jacket:0",), {("pairs", "one"), ("pairs", "each")}),
        (("1042 993 15",), {("grades", "each"), ("names", "each")}),  # ids, or gains
        (("100 50 20", "50 20 100"), {("grades", "each"), ("names", "each")}),
        (("3 great 1",), {("grades", "each"), ("names", "each")}),
        (("At 10:30\nLunch\nCall Ann",), {("names", "one"), ("names", "each"), ("pairs", "one"), ("pairs", "each")}),
    ],
)  # fmt: skip
def test_what_can_be_read_in_several_ways_is_asked(fields: tuple[str, ...], ways: set[tuple[str, str]]) -> None:
    """It is refused with the ways, and read in each of them where somebody says so, unless that one has mistakes."""
    with pytest.raises(UnclearError) as error:
        typed_lists(*fields)
    assert {(form.what, form.lines) for form in error.value.forms} == ways
    assert "say which" in str(error.value)
    for form in error.value.forms[1:]:
        assert typed_lists(*fields, form=form).form == form


@pytest.mark.parametrize(
    ("a", "b", "read"),
    [
        ("d1\nd2\nd3", "d3\nd4", [(["d1", "d2", "d3"], ["d3", "d4"])]),
        ("d1 d2", "d2, d1", [(["d1", "d2"], ["d2", "d1"])]),
        ("Running shoes 15, Rain jacket", "Hat", [(["Running shoes 15", "Rain jacket"], ["Hat"])]),
        ("https://a.example/1\nhttps://a.example/2", "", [(["https://a.example/1", "https://a.example/2"], [])]),
        ("10423991\n10423992", "", [(["10423991", "10423992"], [])]),
        ('["Rain （red）", "Hat"]', "", [(["Rain （red）", "Hat"], [])]),
    ],
)
def test_names_of_documents_are_read_without_grades(a: str, b: str, read: list[tuple[list[str], list[str]]]) -> None:
    """Names, one on each line or between commas or blanks, are lists whose documents nobody has graded."""
    typed = typed_lists(a, b)
    assert typed.judgments is None
    assert typed.named
    assert lists_of(typed) == read


def test_a_number_in_a_name_is_no_grade() -> None:
    """Where each line is a document, "15" and ":" in it are parts of its name, and a grade stands at its end."""
    typed = typed_lists("Running shoes 15\nRain jacket", form=TypedForm("names", "one"))
    assert lists_of(typed) == [(["Running shoes 15", "Rain jacket"], [])]
    pairs = typed_lists("Running shoes 15:3\nRain jacket\nHat:?", form=TypedForm("pairs", "one"))
    assert lists_of(pairs) == [(["Running shoes 15", "Rain jacket", "Hat"], [])]
    assert pairs.grades("1") == {"Running shoes 15": 3.0}
    two_cells = typed_lists("Running shoes 15\t3\nRain jacket\t0", form=TypedForm("pairs", "one"))
    assert two_cells.grades("1") == {"Running shoes 15": 3.0, "Rain jacket": 0.0}
    assert typed_lists("d1:3 doc3").documents(typed_lists("d1:3 doc3").a, "1") == ["d1", "doc3"]


def test_grades_that_are_given_later_count_in_both_lists() -> None:
    """Names with grades by a click are the list that is typed with them; a click counts before what was typed."""
    graded = typed_lists("d1 d2 d3", "d3 d1").graded({("1", "d1"): 3, ("1", "d2"): 0, ("1", "d3"): 1})
    typed = typed_lists("d1:3 d2:0 d3:1", "d3:1 d1:3")
    assert values(compared(graded), "nDCG@6") == values(compared(typed), "nDCG@6")
    assert typed.graded({("1", "d1"): 0}).grades("1") == {"d1": 0, "d2": 0, "d3": 1}
    assert rd.evaluate(graded.a, graded.judgments, "nDCG@3")["value"].tolist() == pytest.approx([(3 + 0.5) / dcg(3, 1)])


def test_words_that_are_votes_are_no_documents() -> None:
    """A list of votes in the field of a list is refused."""
    with pytest.raises(TypedError, match="List A holds votes"):
        read_typed("lists", ("good, same, bad, bad", "", "", ""))


def test_names_in_a_table_are_read() -> None:
    """Cells hold names, one or several as somebody says; a first row that is no heading is no heading."""
    pasted = "shoes\tRunning shoes 15\tRain jacket\nshoes\tTent\tRunning shoes 15"
    with pytest.raises(UnclearError):
        typed_table(pasted)
    for text in (pasted, f"query\tA\tB\n{pasted}"):
        typed = typed_table(text, TypedForm("names", "one"))
        assert lists_of(typed) == [(["Running shoes 15", "Tent"], ["Rain jacket", "Running shoes 15"])]
    assert lists_of(typed_table("q1\told\tnew\nq2\tolder\tnewer")) == [(["old"], ["new"]), (["older"], ["newer"])]


@pytest.mark.parametrize("long", [False, True])
def test_a_question_comes_through_from_the_process_that_reads(long: bool) -> None:
    """Short and long texts are asked about alike, and read as somebody says."""
    text = "\n".join(f"Running shoes {i}" for i in range(1000 if long else 3))
    with pytest.raises(UnclearError) as error:
        apart.typed("lists", (text, "", "", ""))
    assert error.value.forms == (TypedForm("names", "one"), TypedForm("names", "each"))
    typed = apart.typed("lists", (text, "", "", ""), error.value.forms[0])
    assert typed.documents(typed.a, "1") == text.splitlines()


def test_a_wrong_vote_or_cell_is_told() -> None:
    """A word that is no vote, and a line with too many cells."""
    with pytest.raises(TypedError, match='"maybe" is no vote'):
        typed_lists("3", "2", votes="maybe")
    with pytest.raises(TypedError, match="6 cells"):
        typed_table("q\t3\t2\t1\tgood\tmore")


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("swap", [False, True])
def test_typed_edited_and_exported_lists_give_the_numbers_of_the_screen(
    named: bool, swap: bool, tmp_path: Path
) -> None:
    """Type, edit, perhaps swap, export, run the command line on the files: its JSON holds the screen's numbers."""
    lists = ("d1:3 d2:0 d3:1\nd1:0 d4:?", "d2:0 d1:3\nd4:? d1:0 d5:2") if named else ("3 0 1\n0 ? 2", "0 3\n? 0 2")
    typed = typed_lists(*lists, missed="3 2\n1", votes="good\nbad good")
    assert typed.b is not None
    first = typed.a.table.column("doc_id")[1].as_py()
    edits = (Edit("1", first, "grade", None if named else "a", 0, 2), Edit("1", first, "rank", "a", 2, 1))
    edited = apply(edits, typed.a, typed.b, typed.judgments)
    assert edited.judgments is not None
    joined, votes = join(edited.a, edited.b, edited.judgments, depth=20), typed.votes
    assert votes is not None
    if swap:
        joined, votes = joined.swapped(swapped_judgments(edited.judgments)), swapped_votes(votes)
    screen = compare_joined(joined, rd.Policy(), votes=votes)
    files = {
        "a.csv": run_csv(joined, "a", screen.order),
        "b.csv": run_csv(joined, "b", screen.order),
        "q.csv": judgments_csv(joined),
        "v.csv": votes_csv(votes),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    a, b, q, v = (str(tmp_path / name) for name in files)
    out = tmp_path / "out.json"
    assert main(["compare", a, b, "--judgments", q, "--votes", v, "--json", str(out)]) == 0
    told, shown = json.loads(out.read_text()), json.loads(json.dumps(to_dict(screen, rd.decide(screen))))
    for key in ("measures", "queries", "gsb", "gsb_derived", "judged", "waterfall", "verdict", "convention"):
        assert told[key] == shown[key], key


def test_a_grade_for_a_list_that_does_not_exist_is_refused() -> None:
    """Judgments that say which list a grade is for say A, B or nothing; another word is named."""
    with pytest.raises(rd.ReadError, match=r"only_for holds .?C"):
        rd.read_judgments(b"query_id,doc_id,relevance,only_for\nq,d,1,C\n")
    kept = rd.read_judgments(b"query_id,doc_id,relevance,only_for\nq,d,1,A\nq,e,1,\n")
    assert kept.table.column("only_for").to_pylist() == ["A", ""]


def err(grades: list[float], largest: float) -> float:
    """Expected reciprocal rank by hand."""
    value, there = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        stops = (2**grade - 1) / 2**largest
        value, there = value + there * stops / rank, there * (1 - stops)
    return value


@pytest.mark.parametrize(
    ("a", "b", "missed", "largest"),
    [("1 1 1 1", "1 1 1 3", "", 3), ("2", "1 1", "4", 4), ("0 3", "?", "", 3), ("1", "1\n4", "", 4)],
)
def test_both_lists_share_the_largest_grade(a: str, b: str, missed: str, largest: float) -> None:
    """ERR of A and of B takes one largest grade, that of all judgments, missed and other queries' ones too, in the
    comparison and in the worked calculation: a B that is better at every rank wins.
    """
    typed = typed_lists(a, b, missed, form=TypedForm("grades", "each"))
    assert typed.b is not None
    comparison = rd.compare(typed.a, typed.b, typed.judgments, measures=["ERR"])
    at = comparison.measure_names.index("ERR")
    for side, text, scores in (("a", a, comparison.scores_a[at]), ("b", b, comparison.scores_b[at])):
        own = [float(token) for token in text.split("\n")[0].split() if token != "?"]
        worked = rd.explain(comparison.joined.run(side), typed.judgments, "ERR", "1", side=side)
        assert scores[0] == worked.value == worked.above == pytest.approx(err(own, largest), abs=1e-12)
        assert dict(worked.measure.parameters) == {"max_grade": largest}


def test_a_grade_above_the_one_that_is_asked_for_is_refused_for_both_lists() -> None:
    """ERR(max_grade=2) is refused where B alone holds a 3: no list is scored on another scale."""
    typed = typed_lists("1 2", "3")
    assert typed.b is not None
    with pytest.raises(rd.MeasureError, match="hold the grade 3"):
        rd.compare(typed.a, typed.b, typed.judgments, measures=["ERR(max_grade=2)"])
    with pytest.raises(rd.MeasureError, match="hold the grade 3"):
        rd.explain(typed.a, typed.judgments, "ERR(max_grade=2)", "1", side="a")


def test_a_grade_for_one_list_says_nothing_about_the_other() -> None:
    """Where a file says that a grade is for A, B does not gain by the document, in its list or in its ideal."""
    both = {"q": {"d": 2.0, "e": 1.0}}
    judgments = rd.read_judgments(b"query_id,doc_id,relevance,only_for\nq,d,3,A\nq,e,1,B\n")
    comparison = rd.compare(rd.read_run(both), rd.read_run(both), judgments, measures=["DCG@2", "nDCG@2"])
    assert values(comparison, "DCG@2") == pytest.approx((3.0, dcg(0, 1)))
    assert values(comparison, "nDCG@2") == pytest.approx((1.0, dcg(0, 1)))
    for side, value in (("a", 3.0), ("b", dcg(0, 1))):
        assert rd.explain(rd.read_run(both), judgments, "DCG@2", "q", side=side).above == pytest.approx(value)


@pytest.mark.parametrize("side", ["a", "b"])
def test_evaluate_takes_the_side_of_a_list(side: Literal["a", "b"]) -> None:
    """One run evaluated as a side has the values that the comparison gives that side, ERR's largest grade included."""
    run = {"q": {"d": 2.0, "e": 1.0}, "r": {"e": 1.0}}
    lines = b"query_id,doc_id,relevance,only_for\nq,d,3,A\nq,e,1,B\nq,f,2,\nr,e,1,A\n"
    measures = ["DCG@2", "nDCG@2", "ERR@2", "AP"]
    judgments = rd.read_judgments(lines)
    comparison = rd.compare(run, run, judgments, measures=measures)
    own = rd.evaluate(run, judgments, measures, side=side)
    wanted = comparison.per_query.set_index(["query_id", "measure"])[side]
    for query_id, measure, value in own.itertuples(index=False):
        assert value == pytest.approx(wanted[query_id, measure], nan_ok=True), (query_id, measure)
    everything = rd.evaluate(run, judgments, "DCG@2")
    assert everything["value"].tolist()[0] == pytest.approx(3 + dcg(0, 1))


def test_a_side_that_does_not_exist_is_refused() -> None:
    """A side is "a" or "b": any other word would leave out grades unnoticed."""
    judgments = rd.read_judgments(b"query_id,doc_id,relevance,only_for\nq,d,3,A\nq,e,1,B\n")
    with pytest.raises(ValueError, match="side is 'A'; it can be"):
        rd.evaluate({"q": ["d"]}, judgments, "P@1", side="A")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["[3, 2, 3]", "(3, 2, 3)", " [3,2,3] ", '["3", "2", "3"]', "［３，２，３］"])
def test_a_list_may_be_written_as_json(text: str) -> None:
    """A list copied from JSON or Python is the list without its brackets and quotation marks."""
    assert typed_lists(text, "1").a.table.equals(typed_lists("3 2 3", "1").a.table)
    assert typed_lists(text, "1").judgments.table.equals(typed_lists("3 2 3", "1").judgments.table)


@pytest.mark.parametrize("text", ["[[3, 2], [3]]", "[3, 2", "3]", "[3, true]"])
def test_what_is_more_than_one_list_is_not_guessed(text: str) -> None:
    """Lists in lists, a bracket without its other, and words are refused."""
    with pytest.raises(TypedError):
        typed_lists(text, "1")
