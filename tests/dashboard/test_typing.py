"""Lists typed into the dialog of a new comparison, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from rankdash.dashboard.navigation import SCRIPTS
from rankdash.style import editing as words, verdict as verdict_words
from tests.dashboard.test_pages import app, texts


@pytest.fixture
def door() -> AppTest:
    """The way to a new comparison, with the door for typing open."""
    at = app()
    at.query_params["c"] = "lost"
    at.run()
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
    assert "0.6309" in found  # the discount of rank 2
    assert "Without names, each list is scored against its own best order." in texts(door)
    door.button(key="typed_compare").click().run()  # always open, so that the click that leaves a field counts
    assert words.TYPED_NEEDS["b"] in texts(door)


def test_a_wrong_token_is_told_at_once(door: AppTest) -> None:
    """List and token stand in the sentence, and nothing can be compared."""
    door.text_area(key="typed_a").set_value("d1:3 2").run()
    assert not door.exception
    door.button(key="typed_compare").click().run()
    assert any('List A: "2"' in text.value for text in door.text)
    assert words.TYPED_NEEDS["nothing"] in texts(door)


def test_names_are_compared_without_grades(door: AppTest) -> None:
    """Lists of names open as two lists without judgments, whose documents the page Label offers."""
    door.text_area(key="typed_a").set_value("Running shoes 15, Rain jacket, doc3").run()
    door.text_area(key="typed_b").set_value("Rain jacket, Running shoes 15, Hat").run()
    assert not door.exception
    door.button(key="typed_compare").click().run()
    assert not door.exception
    assert "1 query" in texts(door)
    label = door.switch_page(str(SCRIPTS["label"])).run()
    assert not label.exception
    assert [one for one in label.button if str(one.key).startswith("label_grade")]


@pytest.mark.parametrize(
    ("typed", "counts", "delta"),
    [
        ("good, same, bad, bad", "1 good · 1 same · 2 bad", "−25.0%"),
        ("good good same", "2 good · 1 same · 0 bad", "+66.7%"),
    ],
)
def test_votes_can_be_typed_without_lists(door: AppTest, typed: str, counts: str, delta: str) -> None:
    """Words, counts or ids with votes are counted at once where the fields of lists are empty, and open alone."""
    door.text_area(key="typed_votes").set_value(typed).run()
    assert not door.exception
    assert (door.metric[0].value, door.metric[0].delta) == (delta, counts)
    door.button(key="typed_compare").click().run()
    assert not door.exception
    assert verdict_words.VOTES_ONLY_WHY in texts(door)
    assert (door.metric[0].value, door.metric[0].delta) == (delta, counts)
