"""Judged queries without a weight, on the pages: asked before anything is compared, said beside every verdict."""

from dataclasses import replace

import pytest

import rankdash as rd
from rankdash.case import Case
from rankdash.dashboard.session import actions, open_comparison, saving, session
from rankdash.edits import Edit
from tests.dashboard.records import held
from tests.dashboard.saved_sessions import Tab, saved_tab
from tests.dashboard.test_naming import inputs
from tests.dashboard.test_pages import DATA_PAGE, FILES, opened_with, texts, verdict_page

pytestmark = pytest.mark.usefixtures("home")

LEFT_OUT = "20 of 50 judged queries have no weight in “weights.csv”. They do not count."
COUNTED = "20 of 50 judged queries have no weight in “weights.csv”. They count as 1."


def weights_csv(queries: int) -> bytes:
    """Weights of 2 for the first queries."""
    return "\n".join(["query_id,weight", *(f"q{number},2" for number in range(queries))]).encode()


def weighted(queries: int = 30) -> Case:
    """Two runs, judgments of 50 queries, and weights for some."""
    table = rd.read_queries(weights_csv(queries))
    return replace(inputs(), queries=replace(table, source=replace(table.source, name="weights.csv")))


@pytest.mark.parametrize(("answer", "says"), [(0, LEFT_OUT), (1, COUNTED)])
def test_files_that_lack_weights_are_asked_before_their_verdict(answer: int, says: str) -> None:
    """No verdict stands before the answer, which the verdict, the data page and the saved comparison then hold."""
    at = opened_with({**FILES, "queries": ("weights.csv", weights_csv(30))})
    assert "20 of 50 judged queries have no weight in “weights.csv”" in texts(at)
    assert not at.title
    at.segmented_control(key="weigh_missing").set_value(answer).run()
    assert says in texts(at)
    assert says in texts(at.switch_page(DATA_PAGE).run())
    assert held(at).saved.content.queries.missing_weight == answer
    found = rd.load(held(at).saved.id)
    assert found.primary.paired.n == (50 if answer else 30)


def old(queries: int = 30) -> Tab:
    """A comparison that was saved by the rules of before: nobody was asked what its queries weigh."""
    found = weighted(queries)
    tab = saved_tab(replace(found, queries=None))
    saved = tab(session.now).saved
    saving.store().replace(saved, replace(saved.content, queries=found.queries), saved.state)
    return Tab(tab.id)


@pytest.mark.parametrize(("answer", "says"), [(0, LEFT_OUT), (1, COUNTED)])
def test_the_answer_is_saved_with_the_comparison(answer: int, says: str) -> None:
    """One click and the verdict is there, for this session and the next one; the answer is part of the queries."""
    tab = old()
    before = saving.store().load(tab.id)
    at = verdict_page(tab.id)
    at.segmented_control(key="weigh_missing").set_value(answer).run()
    assert says in texts(at)
    assert says in texts(verdict_page(tab.id))
    tab(actions.refresh)
    assert tab(open_comparison.current).queries.missing_weight == answer
    after = saving.store().load(tab.id)
    assert (after.number, after.state) == (before.number + 1, before.state)
    assert after.case != before.case
    assert {role: after.digest(role) == before.digest(role) for role in ("a", "b", "judgments", "queries")} == {
        "a": True, "b": True, "judgments": True, "queries": False
    }  # fmt: skip


def test_edits_that_judge_more_queries_ask_again() -> None:
    """Judgments that edits add can bring a table of weights below 95% of the queries: then it is asked, not crashed."""
    edits = [Edit(f"new{number}", "d", "grade", None, None, 1) for number in range(10)]
    tab = saved_tab(weighted(50))
    tab.edit(*edits)
    at = verdict_page(tab.id)
    assert "10 of 60 judged queries have no weight in “weights.csv”" in texts(at)
    at.segmented_control(key="weigh_missing").set_value(0).run()
    assert "10 of 60 judged queries have no weight in “weights.csv”. They do not count." in texts(at)
