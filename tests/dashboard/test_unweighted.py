"""Judged queries without a weight, on the pages: asked before anything is compared, said beside every verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.case import Case
from rankdash.dashboard.navigation import PAGES, SCRIPTS
from rankdash.dashboard.session import actions, open_comparison, session
from rankdash.dashboard.session.saved import head, shelf
from rankdash.edits import Edit
from rankdash.style import reading as words
from tests.browsed import judgments_csv
from tests.dashboard.records import held
from tests.dashboard.saved_sessions import Tab, home, saved_tab
from tests.dashboard.test_data_page import token
from tests.dashboard.test_history_page import history_page, verdict_page
from tests.dashboard.test_naming import inputs, opened
from tests.dashboard.test_pages import DATA_PAGE, FILES, app, control, texts, upload

__all__ = ["home"]

LEFT_OUT = "20 of 50 judged queries have no weight in “weights.csv”, and do not count, as was decided."
COUNTED = "20 of 50 judged queries have no weight in “weights.csv”, and weigh 1 each, as was decided."
FEW = "2 of 50 judged queries have no weight in “weights.csv”, and do not count."


def weights_csv(queries: int) -> bytes:
    """Weights of 2 for the first queries."""
    return "\n".join(["query_id,weight", *(f"q{number},2" for number in range(queries))]).encode()


def weighted(queries: int = 30, decided: float | None = None) -> Case:
    """Two runs, judgments of 50 queries, and weights for some."""
    table = rd.read_queries(weights_csv(queries)).weighing(decided)
    return replace(inputs(), queries=replace(table, source=replace(table.source, name="weights.csv")))


def dropped(queries: int) -> AppTest:
    """The form with all files in it."""
    at = app()
    at.query_params["c"] = "lost"
    return upload(at.run(), "lost", {**FILES, "queries": ("weights.csv", weights_csv(queries))})


@pytest.mark.parametrize(("answer", "says"), [(0, LEFT_OUT), (1, COUNTED)])
def test_a_form_asks_before_it_compares(answer: int, says: str) -> None:
    """The button waits for an answer, which the verdict, the data page and the saved comparison then hold."""
    at = dropped(30)
    assert at.button(key="lost_compare").disabled
    assert words.NEEDS["weights"] in texts(at)
    assert "20 of 50 judged queries have no weight in “weights.csv”" in texts(at)
    at.segmented_control(key="lost_weigh_missing").set_value(answer).run()
    assert not at.button(key="lost_compare").disabled
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert says in texts(at)
    assert says in texts(at.switch_page(DATA_PAGE).run())
    assert held(at).saved.content.queries.missing_weight == answer
    found = rd.load(held(at).saved.id)
    assert isinstance(found, rd.Comparison)
    assert found.primary.paired.n == (50 if answer else 30)


def test_few_queries_without_a_weight_are_said_and_not_asked_about() -> None:
    """Up to 5% do not count; the verdict and the data page say so."""
    at = dropped(48)
    assert [one.key for one in at.segmented_control] == ["lost_door"]
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert FEW in texts(at)
    assert FEW in texts(at.switch_page(DATA_PAGE).run())


def test_an_answer_is_offered_again_where_other_judgments_come() -> None:
    """What was said about a table of weights is said already where another file of the comparison is replaced."""
    at = opened(weighted(30, 1)).switch_page(DATA_PAGE).run()
    at = upload(at, "replace", {"judgments": ("q2.csv", judgments_csv().replace(b"q49,d49-2,2", b"q49,d49-2,1"))})
    assert at.segmented_control(key="replace_weigh_missing").value == 1
    at.button(key="replace_compare").click().run()
    assert not at.exception
    assert COUNTED in texts(at)


def test_the_answer_can_be_changed_where_the_table_is_shown() -> None:
    """The data page has the answer that holds, and another choice is saved; below 5% too, not where none is lacking."""
    for queries, first in ((30, LEFT_OUT), (48, FEW)):
        tab = saved_tab(weighted(queries, 0 if queries == 30 else None))
        at = verdict_page(tab.id).switch_page(DATA_PAGE).run()
        assert first in texts(at)
        (control,) = [one for one in at.segmented_control if one.key.startswith("weigh_missing__")]
        assert control.value == 0
        control.set_value(1).run()
        assert not at.exception
        assert "weigh 1 each, as was decided" in texts(at)
        assert shelf.store().load(tab.id).content.queries.missing_weight == 1
    at = verdict_page(saved_tab(weighted(50)).id).switch_page(DATA_PAGE).run()
    assert [one.key for one in at.segmented_control if one.key.startswith("weigh_missing__")] == []


def test_an_answer_by_which_nothing_would_count_is_not_offered() -> None:
    """Where no judged query has a weight above 0, leaving out those without one leaves none: that cannot be chosen."""
    at = app()
    at.query_params["c"] = "lost"
    others = weights_csv(30).replace(b"q", b"Q").replace(b"Query_id", b"query_id")
    at = upload(at.run(), "lost", {**FILES, "queries": ("weights.csv", others)})
    assert at.segmented_control(key="lost_weigh_missing").options == [words.WEIGHTS_CHOICES[1]]
    tab = old()
    content, state_now = tab(session.now).saved.content, tab(session.now).saved.state
    tab(lambda: head.replace(replace(content, queries=rd.read_queries(others)), state_now))
    at = verdict_page(tab.id)
    assert [one.key for one in at.button if one.key.startswith("weigh_missing")] == ["weigh_missing_1"]


def old(queries: int = 30) -> Tab:
    """A comparison that was saved by the rules of before: nobody was asked what its queries weigh."""
    found = weighted(queries)
    tab = saved_tab(replace(found, queries=None))
    saved = tab(session.now).saved
    tab(lambda: head.replace(replace(saved.content, queries=found.queries), saved.state))
    return Tab(tab.id)


@pytest.mark.parametrize("page", [page.name for page in PAGES if page.of_comparison])
def test_a_comparison_saved_before_is_asked_about_on_every_page(page: str) -> None:
    """No page shows a number of it; the question stands in its place."""
    at = verdict_page(old().id).switch_page(SCRIPTS[page]).run()
    assert not at.exception
    assert words.WEIGHTS_ASK in texts(at)
    assert not at.metric
    assert "nDCG" not in texts(at)


@pytest.mark.parametrize(("answer", "says"), [(0, LEFT_OUT), (1, COUNTED)])
def test_the_answer_is_saved_with_the_comparison(answer: int, says: str) -> None:
    """One click and the verdict is there, for this session and the next one; nothing else of it changes."""
    tab = old()
    before = shelf.store().load(tab.id)
    at = verdict_page(tab.id)
    at.button(key=f"weigh_missing_{answer}").click().run()
    assert not at.exception
    assert says in texts(at)
    assert says in texts(verdict_page(tab.id))
    tab(actions.refresh)
    assert tab(open_comparison.current).queries.missing_weight == answer
    after = shelf.store().load(tab.id)
    assert (after.number, after.state) == (before.number + 1, before.state)
    assert after.case != before.case
    assert {role: after.digest(role) == before.digest(role) for role in ("a", "b", "judgments", "queries")} == {
        "a": True, "b": True, "judgments": True, "queries": True
    }  # fmt: skip


def test_the_answer_survives_a_swap_and_a_new_name() -> None:
    """A and B exchanged and renamed, before and after the answer, are the same comparison with the same weights."""
    tab = old()
    tab(actions.swap)
    tab(actions.rename, "weekly", "B side", "A side")
    tab(actions.weigh_missing, 1)
    tab(actions.swap)
    now = Tab(tab.id)(open_comparison.current)
    assert (now.names, now.queries.missing_weight) == ({"name": "weekly", "a": "A side", "b": "B side"}, 1)
    assert rd.load(tab.id).primary.paired.n == 50


def test_history_lists_what_waits_for_an_answer() -> None:
    """The page of saved comparisons works while one is open that has no verdict; side by side says why it has none."""
    first, second = old(), saved_tab(weighted(30, 0))
    at = history_page(verdict_page(first.id), 0, 1)
    assert words.WEIGHTS_ASK not in texts(at)  # it is asked on the pages of that comparison
    at.button(key="history_side").click().run()
    assert not at.exception
    assert any("20 of 50 judged queries have no weight" in one.value for one in at.warning)
    first(actions.weigh_missing, 1)
    at = history_page(verdict_page(second.id), 0, 1)
    at.button(key="history_side").click().run()
    assert not at.exception
    assert LEFT_OUT in texts(at)
    assert COUNTED in texts(at)


def test_edits_that_judge_more_queries_ask_again() -> None:
    """Judgments that edits add can bring a table of weights below 95% of the queries: then it is asked, not crashed."""
    edits = [Edit(f"new{number}", "d", "grade", None, None, 1) for number in range(10)]
    tab = saved_tab(weighted(50))
    tab.edit(*edits)
    at = verdict_page(tab.id)
    assert "10 of 60 judged queries have no weight in “weights.csv”" in texts(at)
    at.button(key="weigh_missing_0").click().run()
    assert not at.exception
    assert "10 of 60 judged queries have no weight in “weights.csv”, and do not count, as was decided." in texts(at)


@pytest.mark.parametrize("answer", [0, 1])
def test_a_file_that_is_read_otherwise_keeps_the_answer(answer: int) -> None:
    """Other weights of the same file, chosen on the data page: what a query without one weighs is not asked again."""
    rows = ["query_id,weight,visits", *(f"q{number},2,{number + 1}" for number in range(30))]
    content = "\n".join(rows).encode()
    at = app()
    at.query_params["c"] = "lost"
    upload(at.run(), "lost", {**FILES, "queries": ("weights.csv", content)})
    at.segmented_control(key="lost_weigh_missing").set_value(answer).run()
    at.button(key="lost_compare").click().run()
    at.switch_page(DATA_PAGE).run()
    at.button(key="correct_queries").click().run()
    control(at, f"correct_column_weight_{token(content)}").set_value("visits")
    at.button(key="correct_queries").click().run()
    at.button(key="correct_apply").click()
    at.button(key="correct_queries").click().run()
    assert not at.exception
    found = held(at).case.queries
    assert found.missing_weight == answer
    assert found.table.column("weight").to_pylist()[:2] == [1, 2]
    assert (COUNTED if answer else LEFT_OUT) in texts(at)
