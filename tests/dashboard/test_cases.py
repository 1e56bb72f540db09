"""Comparisons that cannot say much: each has a sentence of its own, and no page breaks."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash import style
from rankdash.case import Case, compared
from rankdash.dashboard.navigation import PAGES, Page
from rankdash.report.sections import special_case
from tests.browsed import CASES
from tests.dashboard.records import put
from tests.dashboard.test_pages import app, texts
from tests.long import every


def tables(case: str) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """The files of a case, read."""
    a, b, judged = CASES[case]
    return rd.read_run(a, name="old"), rd.read_run(b, name="new"), rd.read_judgments(judged)


def opened(case: str) -> Case:
    """The tables of a case as a session has them open."""
    a, b, judged = tables(case)
    return Case((a, b), judged)


@pytest.mark.parametrize("case", CASES)
def test_each_case_is_said_on_the_verdict_page(case: str) -> None:
    """An empty, a one-query, an all-tied and an all-unjudged comparison say what they are, and only that."""
    at = app()
    put(at, case=opened(case))
    at.run()
    assert not at.exception
    said = [name for name, sentence in style.CASES.items() if sentence.format(k=10) in texts(at)]
    assert said == [case]
    assert rd.decide(compared(opened(case), rd.Policy())).sentence in texts(at)


@pytest.mark.parametrize("page", every(2, PAGES[1:]), ids=lambda page: page.name)
@pytest.mark.parametrize("case", CASES)
def test_no_page_breaks(case: str, page: Page) -> None:
    """Every other page shows something, as text or in a table, and no error."""
    at = app()
    put(at, case=opened(case))
    at.run().switch_page(page.script).run()
    assert not at.exception
    assert at.table or len(texts(at)) > 100


def test_an_ordinary_comparison_is_none_of_them() -> None:
    """The demo says nothing of the kind."""
    at = app().run()
    assert not any(sentence.format(k=10) in texts(at) for sentence in style.CASES.values())


def test_one_side_judged_is_not_all_unjudged() -> None:
    """Where a document of one model is judged, the comparison is not called unjudged."""
    a, b, judged = CASES["unjudged"]
    comparison = rd.compare(rd.read_run(a), rd.read_run(b), rd.read_judgments(judged + b"\nq0,b,1"))
    assert special_case(comparison) is None


def test_no_title_speaks_of_an_interval_where_there_is_none() -> None:
    """One query has differences, and no interval around them; the demo has both."""
    at = app()
    put(at, case=opened("one"))
    assert style.DIFFERENCES in [one.value for one in at.run().subheader]
    assert style.INTERVALS in [one.value for one in app().run().subheader]
