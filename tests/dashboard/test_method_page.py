"""The method page, run without a browser: every section, and what changing an axis shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.conventions import AXES, AXIS_NAMES, PRESETS
from rankdash.style import method as words
from rankdash.wording import number
from tests.dashboard.records import held
from tests.dashboard.test_pages import app, texts

METHOD_PAGE = str(Path(__file__).parents[2] / "rankdash/dashboard/pages/method.py")


def section(name: str) -> AppTest:
    """The method page of the demo, one section open."""
    at = app()
    at.session_state["section"] = name
    return at.run().switch_page(METHOD_PAGE).run()


def axis(at, name: str):
    """The list of values of an axis."""
    return next(one for one in at.selectbox if str(one.key).startswith(f"axis_{name}_"))


def cells(at: AppTest) -> str:
    """Everything in the tables of the page."""
    return "\n".join(table.value.to_string() for table in at.table).replace("\\", "")


@pytest.mark.parametrize("name", list(words.SECTIONS))
def test_every_section_is_whole(name: str) -> None:
    """No section fails, and each has a heading."""
    at = section(name)
    assert not at.exception
    assert at.subheader


def test_every_preset_stands_in_the_table_with_a_sentence() -> None:
    """Ten conventions, the tools' own names, and why the number differs."""
    found = section("presets").table[0].value
    assert len(found) == len(PRESETS)
    said = found.to_string().replace("\\", "")
    assert all(name in said for name in ("ndcg_cut_10", "ndcg_score(k=10)", "recip_rank", "map_cut_10"))
    assert all(words.PRESET_WHY[name] in cell for name, cell in zip(PRESETS, found.iloc[:, 0], strict=True))


def test_a_number_is_found_at_any_cutoff() -> None:
    """A cutoff that is typed stands in every name and decides every number; without one it is the policy's."""
    at = section("presets")
    assert "ndcg_cut_10" in cells(at)
    demo = held(at).case
    for k in (5, 100_000):
        at.number_input(key="find_k").set_value(k).run()
        assert not at.exception
        table = at.table[0].value
        values = rd.evaluate(demo.a, demo.judgments, [f"nDCG@{k}"])["value"]
        assert number(values.mean()) in table.iloc[0, 1]
        assert f"ndcg_cut_{k}" in cells(at)
        assert "ndcg_cut_10\n" not in cells(at)
    at.number_input(key="find_k").set_value(None).run()
    assert "ndcg_cut_10" in cells(at)


def test_every_axis_and_value_has_words() -> None:
    """An axis or a value that is added to the conventions needs words before it can be shown."""
    assert set(words.AXES) == set(AXIS_NAMES)
    assert all(set(AXES[axis]) == set(words.AXES[axis].values) for axis in AXES)
    assert set(words.PRESET_WHY) == set(PRESETS)


def test_a_changed_axis_shows_before_and_after_and_can_be_taken_back() -> None:
    """Gain 2^grade - 1 moves nDCG and leaves AP; the button brings the policy's convention back."""
    at = section("convention")
    assert words.NO_EFFECT in texts(at)
    axis(at, "gain").set_value("exp2").run()
    assert words.CHANGED_AXES.format(axes="Gain, 2^grade − 1") in texts(at)
    found = at.table[0].value
    assert found.iloc[0, 4].startswith("**")
    assert found.iloc[1, 4].startswith(":gray[")
    at.button(key="axes_reset").click().run()
    assert words.NO_EFFECT in texts(at)
    assert axis(at, "gain").value == "linear"
