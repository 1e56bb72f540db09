"""Comparisons that cannot say much: the verdict says it, and no page breaks."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash.case import Case, compared
from rankdash.dashboard.navigation import PAGES, Page
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
    """An empty, a one-query, an all-tied and an all-unjudged comparison have their verdict on the page."""
    at = app()
    put(at, case=opened(case))
    at.run()
    assert not at.exception
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
