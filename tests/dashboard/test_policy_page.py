"""The convention in the policy's dialog, axis by axis, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.case import Case
from rankdash.conventions import preset
from rankdash.style import method
from rankdash.style import verdict as words
from rankdash.wording import number
from tests.browsed import judgments_csv, run_csv
from tests.dashboard.records import held, put
from tests.dashboard.test_pages import app, texts

FILES = (run_csv(False), run_csv(True), judgments_csv())


def opened(grades: bytes = FILES[2]) -> AppTest:
    """The verdict page of two runs."""
    runs = (rd.read_run(FILES[0], name="old"), rd.read_run(FILES[1], name="new"))
    at = app()
    put(at, case=Case(runs, rd.read_judgments(grades)))
    return at.run()


def chosen(at: AppTest, start: str = "standard", **axes: str) -> AppTest:
    """Opens the dialog, begins with a preset, changes axes and uses the policy; a dialog lives for one run."""
    at.button(key="open_policy").click().run()
    if start != "standard":
        at.selectbox(key="policy_convention").set_value(start)
        at.button(key="open_policy").click().run()
    for axis, value in axes.items():
        at.selectbox(key=f"policy_axis_{axis}_{start}").set_value(value)
    at.button(key="open_policy").click()
    return at.button(key="policy_apply").click().run()


def test_an_axis_makes_a_convention_of_its_own_and_stamps_the_verdict() -> None:
    """Another gain is another policy: its numbers, its words on the page, and the stamp, for results were seen."""
    at = chosen(opened(), gain="exp2")
    assert not at.exception
    policy: rd.Policy = held(at).policy
    assert policy.convention == preset("standard").with_axes({"gain": "exp2"})
    tables = (rd.read_run(FILES[0]), rd.read_run(FILES[1]), rd.read_judgments(FILES[2]))
    found = rd.compare(*tables, policy=policy).primary.paired
    assert at.metric[0].value == number(found.mean_b)
    assert words.POLICY_STAMP in texts(at)
    assert method.AXES["gain"].values["exp2"] in texts(at)
    assert rd.Policy.from_toml(policy.to_toml()) == policy


@pytest.mark.parametrize("kept", [False, True])
def test_a_new_comparison_begins_with_the_default_policy_unless_it_is_told_otherwise(kept: bool) -> None:
    """The policy of the comparison before does not go over in silence, and no new verdict says that it was changed;
    who ticks that it stays has it, and sees his first results under it.
    """
    at = app()
    at.query_params["c"] = "lost"
    put(at, policy=rd.Policy(convention="quepid"))
    at.run().segmented_control(key="lost_door").set_value("typed").run()
    at.text_area(key="typed_a").set_value("3 2 3 0 1 2")
    at.text_area(key="typed_b").set_value("3 3 2 2 1 0").run()
    box = at.checkbox(key="typed_keep_policy")
    assert "Convention" in box.help
    box.set_value(kept).run()
    at.button(key="typed_compare").click().run()
    assert not at.exception
    assert held(at).policy == (rd.Policy(convention="quepid") if kept else rd.Policy())
    assert words.POLICY_STAMP not in texts(at)
