"""The queries page, run without a browser: what is viewed, what passes the filters, how a value comes about, and both
lists of one query as text.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.case import Case
from rankdash.inspect.explain import explain
from rankdash.inspect.query_order import changes
from rankdash.style import queries as words
from rankdash.wording import number, signed
from tests.awaited import HUNG
from tests.browsed import judgments_csv, run_csv
from tests.dashboard.test_pages import opened, opened_at, press_inside, texts
from tests.long import every

QUERIES_PAGE = str(Path(__file__).parents[2] / "rankdash/dashboard/pages/queries.py")


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """The same comparison without a page."""
    return rd.compare(rd.read_run(run_csv(False)), rd.read_run(run_csv(True)), rd.read_judgments(judgments_csv()))


@pytest.fixture
def page() -> AppTest:
    """The queries page of three uploaded files."""
    return opened_at(QUERIES_PAGE)


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("letters", "mode"), [(style.BADGE, "light"), (style.ON_DARK, "dark")])
def test_letters_of_the_list_are_read_on_either_ground(letters: Mapping[str, str], mode: str) -> None:
    """Names and differences hold 4.5:1 on the ground of each mode."""
    config = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text())
    ground = luminance(config["theme"][mode]["backgroundColor"])
    for colour in map(letters.__getitem__, (style.WIN, style.LOSS, style.SAME, style.MODEL)):
        low, high = sorted((ground, luminance(colour)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


def test_the_largest_loss_is_open_at_first(page: AppTest, comparison: rd.Comparison) -> None:
    """Its id, both values and the difference are text on the page, with the decimals that trec_eval prints; what moved
    is said once, without a part that is 0.
    """
    found = changes(comparison)
    assert found.query_ids[0] in texts(page)
    assert f"{float(found.a[0]):.4f} → {float(found.b[0]):.4f} · " in texts(page)
    assert f"**{signed(float(found.delta[0]), 4)}**" in texts(page)
    assert "B ranks 1 document with a grade above 0 lower. " in texts(page)
    assert " counts most: rank " in texts(page)


def test_a_viewed_cutoff_changes_the_numbers_and_not_the_verdict(page: AppTest, comparison: rd.Comparison) -> None:
    """The means of the viewed measure are those of the comparison, and the page says that the verdict is on another."""
    page.get("button_group")[0].set_value("1").run()
    found = comparison.result("nDCG@1").paired
    said = texts(page)
    assert f"**nDCG@1** {number(found.mean_a)} → {number(found.mean_b)}" in said
    assert words.VIEW_DIFFERS.format(decided="nDCG@10") in said
    page.button(key="chip_measure").click().run()
    assert words.VIEW_DIFFERS.format(decided="nDCG@10") not in texts(page)


def test_a_measure_of_the_verdict_is_viewed_as_the_verdict_has_it(page: AppTest) -> None:
    """AP has no cutoff there, and nDCG has 10; a measure that the verdict lacks has the cutoff of the first."""
    for measure, label in (("AP", "AP"), ("P", "P@10"), ("RR", "RR"), ("nDCG", "nDCG@10")):
        page.selectbox(key="measure").select(measure).run()
        assert f"**{label}** " in texts(page)
        assert (words.VIEW_GUARDS.format(decided="nDCG@10") in texts(page)) == (label == "AP")


def test_another_policy_is_viewed_at_once(page: AppTest) -> None:
    """Who decides by another measure views that; a choice after it is said to be another measure than the verdict's."""
    page.selectbox(key="measure").select("P").run()
    page.button(key="open_policy").click().run()
    page.selectbox(key="policy_primary").select("AP")
    press_inside(page, "open_policy", "policy_apply")
    assert "**AP** " in texts(page)
    assert words.VIEW_DIFFERS.format(decided="AP") not in texts(page)
    page.selectbox(key="measure").select("P").run()
    assert words.VIEW_DIFFERS.format(decided="AP") in texts(page)


def test_the_worked_calculation_ends_in_the_value(page: AppTest, comparison: rd.Comparison) -> None:
    """Sum, ideal and value stand in one line for A and for B, and the sum is the last row of the table. The discount is
    said. So it is for whoever gets the address.
    """
    query_id = changes(comparison).query_ids[0]
    page.button(key="query_sum").click().run()
    assert words.DISCOUNT_LINE.format(discount="log2(rank + 1)") in texts(page).replace("\\", "")
    page = opened_at(QUERIES_PAGE, **{name: values[0] for name, values in page.query_params.items()})
    for run in (comparison.a, comparison.b):
        worked = explain(run, comparison.joined.judgments, "nDCG@10", query_id)
        above, below, value = (number(one, 4) for one in (worked.above, worked.below, worked.value))
        assert f"DCG@10 {above} ÷ ideal DCG {below} = **{value}**" in texts(page)
        assert any(f"|{above}|\n\n" in one.value for one in page.markdown)


def test_filters_narrow_and_an_empty_result_is_said(page: AppTest) -> None:
    """A text that no query holds leaves the page whole, and the filter's button leads back to all queries."""
    page.text_input(key="query_text").input("words of 31").run()
    assert opened(page) == "q31"
    assert words.MATCHES.format(shown=1, n="50 queries") in texts(page)
    page.button(key="chip_query_text").click().run()
    assert words.MATCHES.format(shown=50, n="50 queries") in texts(page)
    page.text_input(key="query_text").input("nowhere").run()
    assert words.NO_MATCH in texts(page)
    page.button(key="chip_query_text").click().run()
    assert page.text_input(key="query_text").value == ""
    assert words.MATCHES.format(shown=50, n="50 queries") in texts(page)


@pytest.mark.parametrize("chart", every(3, list(words.CHARTS)))
@pytest.mark.parametrize(
    ("a", "b", "grades"),
    [
        ({"q1": ["x", "y"]}, {"q1": ["y", "x"]}, {"q1": {"x": 1}}),
        ({"q1": ["x"], "q2": ["x"]}, {"q1": ["x"], "q2": ["x"]}, {"q1": {"x": 1}, "q2": {"x": 1}}),
        ({"q1": ["u"], "q2": ["v"]}, {"q1": ["v"], "q2": ["u"]}, {"q1": {"x": 1}, "q2": {"x": 1}}),
        ({"q1": ["x"]}, {"q2": ["x"]}, {"q1": {"x": 0}, "q2": {"x": 1}}),
    ],
    ids=["one query", "all tied", "all unjudged", "one side empty"],
)
def test_small_and_odd_comparisons_have_every_chart(
    chart: str, a: dict[str, list[str]], b: dict[str, list[str]], grades: dict[str, dict[str, int]]
) -> None:
    """One query, ties only, nothing judged and a list that is missing are all shown."""
    inputs = Case((rd.read_run(a), rd.read_run(b)), rd.read_judgments(grades), name="odd")
    assert opened_at(QUERIES_PAGE, inputs, chart=words.CHARTS[chart]).get("plotly_chart")


@pytest.mark.parametrize(("policy", "viewed"), [("trec_eval-9", {}), ("standard", {"convention": "trec_eval-9"})])
def test_queries_that_a_convention_leaves_out_are_named(policy: str, viewed: dict[str, str]) -> None:
    """They stand beside the number of the others, under the convention of the policy and under one that is viewed."""
    short = rd.read_run(run_csv(True).replace(b"\nq0,", b"\nother,"))
    case = Case((rd.read_run(run_csv(False)), short), rd.read_judgments(judgments_csv()))
    said = texts(opened_at(QUERIES_PAGE, case, rd.Policy(convention=policy), **viewed))
    assert words.MATCHES.format(shown=49, n="49 queries") in said
    assert words.TALLY_LEFT.format(n=1, few="q0", more="") in said


def test_a_number_that_the_tool_of_a_preset_computes_otherwise_is_not_shown(page: AppTest) -> None:
    """Under a tool's convention a measure is that tool's number, or a sentence says how to write it; explain too."""
    for label, value in ((words.MEASURE, "RR"), (words.CONVENTION, "ir_measures")):
        next(box for box in page.selectbox if box.label == label).set_value(value).run()
    page.get("button_group")[0].set_value("5").run()
    assert len(page.warning) == 1
    with pytest.raises(rd.MeasureError, match="ir_measures"):
        explain(rd.read_run(run_csv(False)), rd.read_judgments(judgments_csv()), "RR@5", "q1", "ir_measures")


JOINER = "\u2060"


def two_lists(at: AppTest) -> list[list[list[str]]]:
    """The rows of the tables of both lists, head and rule first, cell by cell, as people read them."""
    (tables,) = (one.value for one in at.markdown if "\n|-|" in one.value)
    plain = tables.replace(JOINER, "").split("\n\n")
    lists = [[re.split(r"(?<!\\)\|", line)[1:-1] for line in one.split("\n")] for one in plain]
    return [[[re.sub(r"\\(?=[^\w\s])", "", cell) for cell in row] for row in rows] for rows in lists]


def drawn(**given: Any) -> list[list[list[str]]]:
    """Both lists of the query "q" of two runs."""

    def page(comparison: object) -> None:
        from rankdash.dashboard.parts.one_query import side_by_side
        from rankdash.inspect.lists import query_lists

        side_by_side(query_lists(comparison, "q"))

    comparison = rd.compare(given["a"], given["b"], rd.read_judgments({"q": {}, **given["grades"]}))
    at = AppTest.from_function(page, kwargs={"comparison": comparison}, default_timeout=HUNG).run()
    return two_lists(at)


def test_each_row_says_where_its_document_stands_in_the_other_list() -> None:
    """The rank in the other list behind an arrow; new, dropped and unjudged documents are marked. A relevant grade is
    strong, whatever the highest is.
    """
    a, b = {"q": ["x", "y", "z", "only a"]}, {"q": ["y", "x", "z", "only b"]}
    (head, _, *rows), (_, _, *others) = drawn(
        a=rd.read_run(a, name="old"), b=rd.read_run(b), grades={"q": {"x": 0, "y": 3, "z": 1}}
    )
    assert head[2] == "**A** old"
    assert [row[0] for row in rows] == [row[0] for row in others] == ["1", "2", "3", "4"]
    assert [row[2] for row in rows] == ["x", "y", "z", "only a"]
    assert [row[3].replace("\u00a0", " ") for row in rows] == ["↓ to 2", "↑ to 1", "", "not in B"]
    assert [row[3].replace("\u00a0", " ") for row in others] == ["↑ from 2", "↓ from 1", "", "new"]
    assert [row[1].strip(" :gray[]") for row in rows] == ["*0*", "**3**", "**1**", words.UNJUDGED_MARK]


def test_text_of_files_stays_in_its_cell_letter_for_letter() -> None:
    """Bars, line breaks, tags and Markdown in ids, titles and names of models do not make a cell, a row or a link."""
    odd = "a|b **c** <i>d</i> [e](http://f) \\| g"
    run = rd.read_run({"q": {odd: 1}}, name=odd)
    (head, _, *rows), (_, _, *others) = drawn(a=run, b=run, grades={"q": {odd: 1}})
    assert [len(row) for row in (head, *rows)] == [4, 4]
    assert rows[0][2] == others[0][2]
    assert "a|b **c** <i>d</i>" in rows[0][2]
    (*_, row), _ = drawn(a=rd.read_run({"q": ["Spirited Away in the far-off land"]}), b=run, grades={"q": {odd: 1}})
    assert row[2].replace("*", "") == "Spirited Away in the far-off land"


def test_ties_and_repeated_documents_are_marked() -> None:
    """Equal scores are tied, and a document that the file holds twice for a query is repeated."""
    run = rd.read_run(b"query_id,doc_id,score\nq,x,2\nq,y,2\nq,z,1\nq,z,0\n")
    (_, _, *rows), _ = drawn(a=run, b=run, grades={"q": {"x": 1}})
    assert [row[0] for row in rows] == ["1=", "2=", "3"]
    assert words.REPEATED_MARK in rows[2][3]


def test_an_empty_list_says_that_nothing_was_returned() -> None:
    """B has no list for the query; in its place stands why."""
    a, b = rd.read_run({"q": ["x", "y"], "r": ["x"]}), rd.read_run({"r": ["x"]})
    _, (_, _, *rows) = drawn(a=a, b=b, grades={"q": {"x": 1}, "r": {"x": 1}})
    assert [row[2] for row in rows] == [words.NOTHING_RETURNED]
