"""From lists to values: what an absent list means, grades that A and B share, and what is refused."""

import numpy as np
import pytest

import rankdash as rd
from rankdash.judged import Order, list_pair, pooled, ranked
from rankdash.metrics import compare_lists, mean, parse_measures, score
from rankdash.metrics.lists import JudgedPool
from tests.made import judgments, run, value


def test_the_largest_grade_is_that_of_all_judgments() -> None:
    """A part of the judgments still knows it, and a part of a part; without a positive grade it is 0."""
    pool = JudgedPool(np.array([0, 0, 1]), np.array([3.0, 1.0, 2.0]))
    part = pool.part(np.array([False, True, True]))
    assert (part.query.tolist(), part.relevance.tolist()) == ([0, 1], [1.0, 2.0])
    assert part.largest_grade == part.part(np.array([True, False])).largest_grade == 3
    assert JudgedPool(np.array([0]), np.array([-1.0])).largest_grade == 0
    assert JudgedPool(np.array([], int), np.array([])).largest_grade == 0


def test_err_of_lists_with_grades_of_their_own_shares_the_scale() -> None:
    """Where A and B have their own grades, the largest of both is what ERR counts in."""
    text = b"query_id,doc_id,relevance,only_for\nq,d,1,A\nq,e,3,B\n"
    compared = rd.compare(run({"q": ["d"]}), run({"q": ["e"]}), rd.read_judgments(text), measures=["ERR@5"])
    at = compared.measure_names.index("ERR@5")
    assert compared.scores_a[at][0] == pytest.approx((2**1 - 1) / 2**3)
    assert compared.scores_b[at][0] == pytest.approx((2**3 - 1) / 2**3)


GRADES = {"q1": {"a": 3.0, "b": 1.0, "c": 0.0, "n": -1.0}, "q2": {"a": 1.0}}


@pytest.mark.parametrize(
    ("lists", "measure", "expected"),
    [
        ({}, "P@3", 0.0),
        ({}, "P(missing_query='skip')@3", None),
        ({}, "Judged@3", None),
        ({}, "AUC", None),
        ({"q1": ["c"]}, "AUC", None),
        ({"q1": ["c", "a"]}, "AUC", 0.0),
        ({"q1": [["c", 1.0], ["a", 1.0]], "q2": [["a", 1.0]]}, "AUC", 0.5),
        ({"q1": ["x"]}, "Judged@3", 0.0),
    ],
)
def test_what_is_not_there_is_0_or_nothing(lists: dict[str, list[str]], measure: str, expected: float | None) -> None:
    """A missing list is 0, or left out if the convention says so; a share of nothing is no number."""
    assert value({"q2": ["a"], **lists}, GRADES, measure, "q1") == expected


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nDCG(no_relevant=1)@3", 1.0),
        ("nDCG(no_relevant=0)@3", 0.0),
        ("nDCG(no_relevant='skip')@3", None),
        ("P(no_relevant='skip')@3", None),
        ("P(no_relevant=1)@3", 0.0),
        ("DCG(no_relevant='skip')@3", None),
        ("DCG@3", 0.0),
    ],
)
def test_a_query_without_relevant_documents_has_what_the_convention_says(measure: str, expected: float | None) -> None:
    """In its place where the measure would divide by nothing, else only left out."""
    assert value({"q": ["a"]}, {"q": {"a": 0.0}}, measure) == expected


@pytest.mark.parametrize(("rel", "expected"), [(1, 1 / 3), (2, None)])
def test_relevant_means_relevant_for_the_measure(rel: int, expected: float | None) -> None:
    """A query is left out for want of relevant documents where none reaches the grade that the measure asks for."""
    assert value({"q": ["a"]}, {"q": {"a": 1.0}}, f"P(rel={rel},no_relevant='skip')@3") == expected


def test_where_nothing_is_judged_not_relevant_nothing_stands_above() -> None:
    """Bpref of a relevant document without a non-relevant one is 1."""
    assert value({"q2": ["a"]}, GRADES, "Bpref", "q2") == 1.0


TOO_LARGE = (
    "The grade 31 is too large for the gain 2^grade - 1; the largest is 30. Use the gain linear, or a table of gains."
)
BEYOND = "ERR with max_grade=2, but the judgments hold the grade 3. Use ERR(max_grade=3), or leave max_grade out."


@pytest.mark.parametrize(
    ("grade", "measure", "sentence"), [(31.0, "nDCG(gain='exp2')@3", TOO_LARGE), (3.0, "ERR(max_grade=2)@3", BEYOND)]
)
def test_grades_beyond_a_measure_are_named(grade: float, measure: str, sentence: str) -> None:
    """What the grade is, what is allowed, what to do: word for word. The largest allowed grade has a value."""
    with pytest.raises(rd.MeasureError) as error:
        value({"q": ["a"]}, {"q": {"a": grade}}, measure)
    assert str(error.value) == sentence
    assert value({"q": ["a"]}, {"q": {"a": grade - 1}}, measure) is not None


def test_measures_of_one_list_and_of_two_are_not_mixed() -> None:
    """Each is refused where the other belongs, by name."""
    a, grades = run({"q": ["a"]}), judgments({"q": {"a": 1}})
    pool = pooled(grades)
    lists = ranked(a, pool, Order(), 1).lists
    with pytest.raises(rd.MeasureError) as error:
        score(lists, parse_measures("tau_b"))
    assert str(error.value) == "tau_b compares two lists; it does not score one. Use it in a comparison."
    pair = list_pair(a, a, pool.query_ids, Order())
    with pytest.raises(rd.MeasureError) as error:
        compare_lists(pair, parse_measures("P@3"))
    assert str(error.value) == "P@3 scores one list; it does not compare two."
    both = compare_lists(pair, parse_measures(["overlap@1", "RBO_ext(p=0.5)"]))
    assert both.tolist() == [[1.0], [pytest.approx(1.0)]]


def test_the_mean_is_over_what_is_defined() -> None:
    """Of no value there is none."""
    assert mean(np.array([1.0, np.nan, 2.0])) == (1.5, 2)
    assert mean(np.array([np.nan])) == (None, 0)
