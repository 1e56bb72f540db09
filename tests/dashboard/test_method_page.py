"""The method page, run without a browser: numbers that are found, measures, and what changing an axis shows."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.conventions import AXES, AXIS_NAMES, PRESETS
from rankdash.edits import Edit
from rankdash.metrics import DEFINITIONS
from rankdash.policy import Policy
from rankdash.style import AXIS_WORDS, method as words
from rankdash.wording import number
from tests.dashboard.records import held, put, put_edits
from tests.dashboard.test_pages import app, texts
from tests.long import every

METHOD_PAGE = str(Path(__file__).parents[2] / "rankdash/dashboard/pages/method.py")


def method(**state: object) -> AppTest:
    """The method page of the demo."""
    at = app()
    for key, value in state.items():
        at.session_state[key] = value
    return at.run().switch_page(METHOD_PAGE).run()


def axis(at, name: str):
    """The list of values of an axis."""
    return next(one for one in at.selectbox if str(one.key).startswith(f"axis_{name}_"))


def rows(at: AppTest, columns: Sequence[str]) -> list[list[str]]:
    """The rows of the table with these columns."""
    lines = next(one.value for one in at.markdown if one.value.startswith(f"|{'|'.join(columns)}|")).splitlines()
    return [line.replace("\\", "").strip("|").split("|") for line in lines[2:]]


@pytest.mark.parametrize(
    ("preset", "measure", "named", "side"),
    [
        ("trec_eval-9", "AP", "map", "a"),
        ("quepid", "nDCG@10", "NDCG@10", "b"),
        ("scikit-learn", "nDCG@10", "ndcg_score(k=10)", "b"),
    ],
)
def test_a_number_of_a_tool_leads_to_its_convention(preset: str, measure: str, named: str, side: str) -> None:
    """A mean as the tool prints it is found under the tool's convention, for its model; one without unjudged documents
    under ours so changed. A number of none is answered by the nearest, and what is no number by a sentence.
    """
    at = method()
    demo = held(at).case
    value = rd.evaluate(getattr(demo, side), demo.judgments, [measure], convention=preset)["value"].mean()
    at.text_input(key="find_number").set_value(f"{value:.4f}").run()
    found = [row[:3] for row in rows(at, words.FOUND_COLUMNS)]
    assert [preset, named, side.upper()] in [[a, b.lower() if named.islower() else b, c] for a, b, c in found]
    value = rd.evaluate(demo.b, demo.judgments, ["nDCG(unjudged='condensed')@10"])["value"].mean()
    at.text_input(key="find_number").set_value(f"{value:.6f}").run()
    found = [[*row[:4], "taken out" in row[4]] for row in rows(at, words.FOUND_COLUMNS)]
    assert [words.YOURS, "nDCG@10", "B", f"{value:.6f}", True] in found
    at.text_input(key="find_number").set_value("7.1234").run()
    assert words.NOT_FOUND.format(k=10) in texts(at)
    at.text_input(key="find_number").set_value("much").run()
    assert words.FIND_NO_NUMBER in texts(at)


@pytest.mark.parametrize("rel", [1.0, 2.0])
def test_a_number_is_found_where_relevance_begins_above_1(rel: float) -> None:
    """Tools take the first relevant grade as an option. It is found whether or not the policy has the same."""
    at = method()
    put(at, policy=Policy(convention=Policy().scoring.with_axes({"rel": rel})))
    value = rd.evaluate(held(at).case.a, held(at).case.judgments, ["AP(rel=2)"])["value"].mean()
    at.text_input(key="find_number").set_value(f"{value:.4f}").run()
    assert ["trec_eval-10", words.FROM_GRADE.format(measure="map", grade=2), "A"] in [
        row[:3] for row in rows(at, words.FOUND_COLUMNS)
    ]


def test_a_number_from_before_the_edits_is_found() -> None:
    """A tool read the files as they were uploaded, and the page says that the edits do not count there."""
    at = method()
    case = held(at).case
    value = rd.evaluate(case.a, case.judgments, ["nDCG@10"])["value"].mean()
    pairs = case.judgments.table.slice(0, 40).to_pylist()
    edits = tuple(Edit(row["query_id"], row["doc_id"], "grade", row["relevance"], None, 3.0) for row in pairs)
    put_edits(at, *edits)
    at.text_input(key="find_number").set_value(f"{value:.6f}").run()
    assert words.FOUND in texts(at)
    assert words.FOUND_EDITED[False] in texts(at)


def test_each_tool_has_its_numbers_at_any_cutoff() -> None:
    """A cutoff that is typed stands in every name and decides every number; without one it is the policy's."""
    at = method()
    demo = held(at).case
    for k in (5, 100_000, None):
        at.selectbox(key="tool").set_value("trec_eval-10")
        at.number_input(key="find_k").set_value(k).run()
        values = rd.evaluate(demo.a, demo.judgments, [f"nDCG@{k or 10}"], convention="trec_eval-10")["value"]
        assert rows(at, words.TOOL_COLUMNS)[0][:2] == [f"ndcg_cut_{k or 10}", number(values.mean(), 6)]


@pytest.mark.parametrize("name", every(6, [*DEFINITIONS, words.GSB]))
def test_every_measure_can_be_explained(name: str) -> None:
    """None fails, and one with examples in textbooks has them with the value that is computed now."""
    at = method(explained=name)
    examples = [one for one in words.EXAMPLES if re.match(rf"{name}\b", one.measure)]
    if examples:
        assert len(rows(at, words.TEXTBOOK_COLUMNS)) == len(examples)


def test_every_axis_and_value_has_words() -> None:
    """An axis or a value that is added to the conventions needs words before it can be shown."""
    assert set(AXIS_WORDS) == set(AXIS_NAMES)
    assert all(set(AXES[axis]) == set(AXIS_WORDS[axis].values) for axis in AXES)
    assert set(words.PRESET_WHY) == set(PRESETS)


def test_a_changed_axis_shows_before_and_after_and_can_be_taken_back() -> None:
    """Gain 2^grade - 1 moves nDCG and leaves AP; the button brings the policy's convention back."""
    at = method(method_axes=True)
    assert words.NO_EFFECT in texts(at)
    axis(at, "gain").set_value("exp2").run()
    assert words.CHANGED_AXES.format(axes="Gain: 2^grade − 1") in texts(at)
    found = rows(at, words.EFFECT_COLUMNS)
    assert found[0][4].startswith("**")
    assert found[1][4].startswith(":gray[")
    at.button(key="axes_reset").click().run()
    assert words.NO_EFFECT in texts(at)
    assert axis(at, "gain").value == "linear"
