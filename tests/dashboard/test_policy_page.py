"""The dialog of the policy, and the axes of its convention on Method, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.case import Case
from rankdash.conventions import preset
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.policy.fields import FIELDS
from rankdash.style import verdict as words
from rankdash.wording import number
from tests.browsed import judgments_csv, run_csv
from tests.dashboard.records import held, put
from tests.dashboard.test_pages import lost, opened_at, texts

FILES = (run_csv(False), run_csv(True), judgments_csv())


def opened(grades: bytes = FILES[2]) -> AppTest:
    """The verdict page of two runs."""
    runs = (rd.read_run(FILES[0], name="old"), rd.read_run(FILES[1], name="new"))
    return opened_at(SCRIPTS["verdict"], Case(runs, rd.read_judgments(grades)))


def run(at: AppTest) -> AppTest:
    """One run with the dialog open, which lives for one run."""
    return at.button(key="open_policy").click().run()


def applied(at: AppTest) -> AppTest:
    """Uses the policy as the dialog has it."""
    at.button(key="open_policy").click()
    return at.button(key="policy_apply").click().run()


def chosen(at: AppTest, **axes: str) -> AppTest:
    """Opens the fold of the axes on Method, changes axes and decides by them."""
    at.switch_page(SCRIPTS["method"]).run()
    at.session_state["method_axes"] = True
    at.run()
    for axis, value in axes.items():
        next(one for one in at.selectbox if str(one.key).startswith(f"axis_{axis}_")).set_value(value)
    at.run().button(key="axes_use").click().run()
    return at.switch_page(SCRIPTS["verdict"]).run()


@pytest.mark.parametrize("start", words.POLICY_STARTS)
def test_a_policy_to_start_from_keeps_all_that_it_does_not_set(start: str) -> None:
    """Each of the three sets its own fields, whether the fold was opened or not; what was chosen before stays."""
    at = run(opened())
    at.number_input(key="policy_mpe").set_value(0.25)
    at.segmented_control(key="policy_start").set_value(start)
    at = applied(at)
    assert held(at).policy == rd.Policy(mpe=0.25).changed(**words.POLICY_STARTS[start])


def test_measures_are_found_by_the_names_that_people_know() -> None:
    """A list of measures offers a hit rate, recall and MAP too, and the policy has its own names. What the fields mean
    holds for whatever is chosen there. A policy that is refused is refused above the buttons.
    """
    at = run(opened())
    assert any(FIELDS["mpe"].line()[1:] in one.value for one in at.caption)
    offered = {*at.selectbox(key="policy_primary").options}
    assert {"R@10 (recall)", "P@10 (precision)", "AP (MAP)", "RR (MRR)", "Success@10 (HR@10, hit rate)"} <= offered
    at.selectbox(key="policy_primary").select("Success@10")
    assert held(applied(at)).policy.primary == "Success@10"
    run(at).multiselect(key="policy_guardrails").set_value(["Success@10"])
    drawn = [getattr(one, "label", "") or getattr(one, "value", "") for one in applied(at)]
    assert drawn.index(words.POLICY_REFUSED) < drawn.index(words.POLICY_APPLY)


def test_what_was_chosen_in_the_fold_stays_when_it_is_closed() -> None:
    """A fold that is shut hides its fields, and takes nothing back; the button that uses the policy is the last."""
    at = run(opened())
    at.session_state["policy_more"] = True
    assert [one.key for one in run(at).button][-2:] == ["policy_apply", "policy_reset"]
    at.number_input(key="policy_n_min").set_value(77)
    run(at)
    at.session_state["policy_more"] = False
    assert held(applied(run(at))).policy == rd.Policy(n_min=77)


def test_a_guardrail_from_the_list_has_a_margin_of_its_own() -> None:
    """A measure that is chosen gets a field for what it may lose; the policy takes both."""
    at = run(opened())
    at.multiselect(key="policy_guardrails").set_value(["AP", "P@5"])
    run(at).number_input(key="policy_guardrails_P@5").set_value(0.125)
    assert held(applied(at)).policy.guardrails == (("AP", 0.01), ("P@5", 0.125))


def test_an_axis_makes_a_convention_of_its_own_and_stamps_the_verdict() -> None:
    """Another gain is another policy: its numbers, its words on the page, and the stamp, for results were seen."""
    at = chosen(opened(), gain="exp2")
    policy: rd.Policy = held(at).policy
    assert policy.convention == preset("standard").with_axes({"gain": "exp2"})
    tables = (rd.read_run(FILES[0]), rd.read_run(FILES[1]), rd.read_judgments(FILES[2]))
    found = rd.compare(*tables, policy=policy).primary.paired
    assert at.metric[0].value == number(found.mean_b)
    assert words.POLICY_STAMP in texts(at)
    assert "exp2" in at.metric[0].label
    assert rd.Policy.from_toml(policy.to_toml()) == policy


@pytest.mark.parametrize("kept", [False, True])
def test_a_new_comparison_begins_with_the_default_policy_unless_it_is_told_otherwise(kept: bool) -> None:
    """The policy of the comparison before does not go over in silence, and no new verdict says that it was changed;
    who ticks that it stays has it, and sees his first results under it.
    """
    put(at := lost(), policy=rd.Policy(convention="quepid"))
    at.run()
    at.text_area(key="typed_a").set_value("3 2 3 0 1 2")
    at.text_area(key="typed_b").set_value("3 3 2 2 1 0").run()
    box = at.checkbox(key="typed_keep_policy")
    assert "Convention" in box.help
    box.set_value(kept).run()
    at.button(key="typed_compare").click().run()
    assert held(at).policy == (rd.Policy(convention="quepid") if kept else rd.Policy())
    assert words.POLICY_STAMP not in texts(at)
