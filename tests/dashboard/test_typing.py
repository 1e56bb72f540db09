"""Lists typed into the dialog of a new comparison, run without a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

import rankdash as rd
from rankdash import style
from rankdash.dashboard.new import graded_files, uploads
from rankdash.dashboard.session.files import CachedFile
from rankdash.intake import Decisions
from rankdash.reading import Understood
from rankdash.style import editing as words
from rankdash.style import reading
from rankdash.style import verdict as verdict_words
from tests.dashboard.records import held
from tests.dashboard.test_pages import app, texts, upload


@pytest.fixture
def door() -> AppTest:
    """The way to a new comparison, with the door for typing open."""
    at = app()
    at.query_params["c"] = "lost"
    at.run().segmented_control(key="lost_door").set_value("typed").run()
    return at


def cells(at: AppTest) -> str:
    """Every cell of every table."""
    return " ".join(str(cell) for table in at.table for cell in table.value.to_numpy().ravel()).replace("\\", "")


def test_a_typed_list_shows_its_numbers_and_the_calculation(door: AppTest) -> None:
    """One list is enough for CG, DCG, IDCG, nDCG, P and AP, and the sum is worked out rank by rank."""
    door.text_area(key="typed_a").set_value("3 2 3 0 1 2").run()
    assert not door.exception
    found = cells(door) + texts(door)
    for value in ("11.000", "6.861", "7.141", "0.961", "0.833"):
        assert value in found
    assert "0.631" in found  # the discount of rank 2
    assert words.SHARES[False] in texts(door)
    assert door.button(key="typed_compare").disabled


def test_a_wrong_token_is_told_at_once(door: AppTest) -> None:
    """List and line stand in the sentence, and nothing can be compared."""
    door.text_area(key="typed_a").set_value("d1:3 d2:great").run()
    assert not door.exception
    assert any('List A, line 1: "d2:great" is not a grade' in text.value for text in door.text)
    assert door.button(key="typed_compare").disabled


def form(at: AppTest) -> ButtonGroup[Any]:
    """The control that asks, or says, how lists are read."""
    return next(one for one in at.segmented_control if str(one.key).startswith("typed_form"))


def test_a_pasted_column_is_one_list_and_says_so(door: AppTest) -> None:
    """One number on each line: the numbers of one list, and the other reading by a click."""
    door.text_area(key="typed_a").set_value("3\n2\n3\n0\n1\n2").run()
    assert not door.exception
    assert "0.961" in cells(door)
    assert form(door).value == "grades_one"
    form(door).set_value("grades_each").run()
    assert "0.961" not in cells(door)
    assert "6" in [str(option) for option in door.selectbox(key="typed_query").options]


def test_names_are_asked_about_shown_and_graded_by_a_click(door: AppTest) -> None:
    """Two lists of names: what a line is is asked, both stand beside each other, and clicks on grades give the result,
    which opens with the numbers that the same lists have with their grades typed.
    """
    door.text_area(key="typed_a").set_value("Running shoes 15\nRain jacket\ndoc3").run()
    door.text_area(key="typed_b").set_value("Rain jacket\nRunning shoes 15\nHat").run()
    assert not door.exception
    assert words.FORM_ASKED in texts(door)
    assert not door.text
    form(door).set_value("names_one").run()
    assert words.OVERLAP.format(n="2", of="4 documents") in texts(door)
    assert door.button(key="typed_compare").disabled
    assert words.TYPED_NEEDS["grade"] in texts(door)
    rows = [one for one in door.segmented_control if str(one.key).startswith("typed_grade_")]
    assert len(rows) == 4
    rows[1].set_value(3.0).run()
    assert not door.exception
    assert "1.000" in cells(door)
    assert "0.631" in cells(door)
    door.button(key="typed_compare").click().run()
    assert not door.exception
    assert "1 query" in texts(door)


def test_a_dialog_that_is_opened_remembers_nothing_that_was_typed() -> None:
    """What fields held when the dialog was open before is gone: it begins with files."""
    at = app().run()
    at.session_state["new_door"] = "typed"
    at.session_state["typed_shape"] = "votes"
    at.session_state["typed_votes_alone"] = "good, bad"
    at.button(key="new_comparison").click().run()
    assert not at.exception
    assert at.segmented_control(key="new_door").value == "files"
    assert "typed_shape" not in at.session_state
    assert "typed_votes_alone" not in at.session_state


def test_the_first_screen_says_what_the_product_is_for() -> None:
    """One line below the row, on the first page of the demo alone."""
    at = app().run()
    assert style.WHAT_FOR in [one.value for one in at.caption]
    at.switch_page("rankdash/dashboard/pages/method.py").run()
    assert style.WHAT_FOR not in [one.value for one in at.caption]


def test_one_list_of_names_has_its_own_numbers(door: AppTest) -> None:
    """A alone, graded by a click, is worth something; there is nothing to compare, which is no contradiction."""
    door.text_area(key="typed_a").set_value("d1\nd2").run()
    rows = [one for one in door.segmented_control if str(one.key).startswith("typed_grade_")]
    rows[1].set_value(2.0).run()
    assert "0.631" in cells(door)
    assert words.TYPED_NEEDS["b"] in texts(door)
    assert door.button(key="typed_compare").disabled


def test_a_pasted_table_opens_as_a_comparison(door: AppTest) -> None:
    """Two queries from a spreadsheet, compared: the row under the navigation says so, and the verdict is computed."""
    door.segmented_control(key="typed_shape").set_value("table").run()
    door.text_area(key="typed_table").set_value("q\tA\tB\nshoes\t0 0 3\t3 0 0\nhats\t1 0\t1 0").run()
    assert not door.exception
    door.button(key="typed_compare").click().run()
    assert not door.exception
    assert words.TYPED in texts(door)
    assert "2 queries" in texts(door)


def test_a_typed_list_can_be_edited_and_the_other_one_keeps_its_ideal(door: AppTest) -> None:
    """A grade changed in A moves A alone, for A and B share no documents."""
    door.text_area(key="typed_a").set_value("0 1 3").run()
    door.text_area(key="typed_b").set_value("3 1 0").run()
    door.button(key="typed_compare").click().run()
    door.switch_page("rankdash/dashboard/pages/edit.py").run()
    editor = door.data_editor[0]
    door.session_state[editor.key] = {"edited_rows": {0: {"grade": 3}}, "added_rows": [], "deleted_rows": []}
    door.run()
    assert not door.exception
    row = [str(cell).replace("\\", "") for cell in door.table[0].value.to_numpy()[0]]
    assert "→" in row[1]
    assert row[2] == "1.000"


@pytest.mark.parametrize(
    ("field", "typed", "counts", "delta"),
    [
        ("typed_votes_alone", "good, same, bad, bad", "1 good · 1 same · 2 bad", "−25.0%"),
        ("typed_votes_alone", "60 100 40", "60 good · 100 same · 40 bad", "+10.0%"),
        ("typed_votes_alone", "q1\tgood\tgood\tbad\nq2\tbad\tbad\tbad", "1 good · 0 same · 1 bad", "−33.3%"),
        ("typed_votes", "good good same", "2 good · 1 same · 0 bad", "+66.7%"),
    ],
)
def test_votes_can_be_typed_without_lists(door: AppTest, field: str, typed: str, counts: str, delta: str) -> None:
    """Words, counts or ids with votes are counted at once, also where the fields of lists are empty, and open alone."""
    if field == "typed_votes_alone":
        door.segmented_control(key="typed_shape").set_value("votes").run()
    door.text_area(key=field).set_value(typed).run()
    assert not door.exception
    assert (door.metric[0].value, door.metric[0].delta) == (delta, counts)
    door.button(key="typed_compare").click().run()
    assert not door.exception
    assert verdict_words.VOTES_ONLY_WHY in texts(door)
    assert (door.metric[0].value, door.metric[0].delta) == (delta, counts)


def test_votes_in_the_field_of_lists_are_told(door: AppTest) -> None:
    """A list of votes is no list of grades; the page says where it belongs."""
    door.text_area(key="typed_a").set_value("good, same, bad, bad").run()
    assert words.THESE_ARE_VOTES.format(shape=words.SHAPES["votes"]) in texts(door)
    assert door.button(key="typed_compare").disabled


def _dropped(queries: int) -> AppTest:
    """Two runs without judgments in the drop zone, their rows not in the order of their ranks."""
    at = app()
    at.query_params["c"] = "lost"
    files = {}
    for name, documents in (("old.csv", ("d1", "d2", "d3")), ("new.csv", ("d3", "d2", "d4"))):
        rows = [f"q{q},{doc},{rank},Title {doc}" for q in range(queries) for rank, doc in enumerate(documents, 1)]
        files[name] = (name, "\n".join(["query_id,doc_id,rank,title", *rows[::-1]]).encode())
    return upload(at.run(), "lost", files)


def test_dropped_lists_without_grades_are_graded_by_a_click() -> None:
    """The documents of a query stand in the order of their ranks, under their titles; grades by click, query by query,
    give a comparison whose judgments say where they come from.
    """
    at = _dropped(3)
    assert at.button(key="lost_compare").disabled
    assert reading.NEEDS["judgments"] in texts(at)
    assert words.OVERLAP.format(n="2", of="4 documents") in texts(at)
    rows = [one for one in at.segmented_control if str(one.key).startswith("typed_grade_")]
    assert [one.label.replace("\\", "") for one in rows] == [f"Grade of {doc}" for doc in ("d1", "d3", "d2", "d4")]
    assert "Title d4" in texts(at)
    rows[1].set_value(3.0).run()
    at.selectbox(key="lost_grade_query").set_value("q1").run()
    next(one for one in at.segmented_control if "d2" in one.label).set_value(2.0).run()
    assert not at.exception
    at.button(key="lost_compare").click().run()
    assert not at.exception
    judgments = held(at).case.judgments
    assert judgments.source.name == reading.GRADED_HERE
    assert sorted(zip(*judgments.table.to_pydict().values(), strict=True)) == [("q1", "d2", 2.0), ("q2", "d3", 3.0)]


def test_dropped_lists_are_judged_by_the_grades_in_their_files() -> None:
    """Two snapshots that hold ratings beside their lists are compared by those in B, or in A, or by clicks; it is told
    where they come from, and queries go by what the files have in common.
    """
    at = app()
    at.query_params["c"] = "lost"

    def snapshot(docs: list[str], query: int) -> bytes:
        lists = {str(query): [{"id": doc} for doc in docs]}
        queries = [{"query_id": query, "query_text": "tv", "ratings": {"d1": 3, "d2": query}}]
        return json.dumps({"name": "n", "docs": lists, "queries": queries}).encode()

    files = {
        name: (f"{name}.json", snapshot(docs, at)) for name, docs, at in (("old", ["d2", "d1"], 1), ("new", ["d1"], 2))
    }
    at = upload(at.run(), "lost", files)
    assert not at.exception
    choice = at.selectbox(key="lost_grades_beside")
    assert [option.replace("\\", "") for option in choice.options] == ["new.json", "old.json", reading.GRADE_HERE]
    choice.set_value(choice.options[-1]).run()
    assert at.button(key="lost_compare").disabled
    at.selectbox(key="lost_grades_beside").select_index(0).run()
    at.button(key="lost_compare").click().run()
    assert not at.exception
    judgments = held(at).case.judgments
    assert judgments.source.name == "new.json"
    assert judgments.table["query_id"].unique().to_pylist() == ["tv"]
    again = uploads.with_files(held(at).case, a=rd.read_run(files["old"][1]))
    assert again.a.table["query_id"].unique().to_pylist() == ["tv"]
    run = CachedFile("b", Decisions(), Understood())
    assert [run.is_for(slot) for slot in ("a", "b", "judgments")] == [True, True, False]


def test_more_queries_than_a_person_clicks_through_ask_for_a_file() -> None:
    """Above the limit nothing is drawn to click, and the page says the limit."""
    at = _dropped(graded_files.MOST_QUERIES + 1)
    assert reading.GRADE_TOO_MANY.format(n="51", most="50") in texts(at)
    assert not [one for one in at.segmented_control if str(one.key).startswith("typed_grade_")]
    assert at.button(key="lost_compare").disabled
