"""Votes, segments, the experts' panel and the policy on the verdict page, with its dialog and the axes of its
convention on Method, run without a browser.
"""

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.conventions import preset
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts.verdict_parts import policies_of_answers
from rankdash.policy import FIELDS
from rankdash.style import verdict as words
from rankdash.wording import JUDGMENTS_SAY, number, points, points_between
from tests.browsed import queries_csv, votes_csv
from tests.dashboard.records import held, put
from tests.dashboard.test_pages import FILES, lost, opened_at, opened_with, press_inside, texts, upload, uploader

QUERIES_FILE = {"queries": ("topics.csv", queries_csv())}
VOTES_FILE = {"votes": ("votes.csv", votes_csv())}


def compared(**tables: object) -> rd.Comparison:
    """The same comparison without a page."""
    a, b = rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1])
    return rd.compare(a, b, rd.read_judgments(FILES["judgments"][1]), **tables)


GRADED = ("grades.csv", FILES["judgments"][1].replace(b",0", b",1"))


def test_which_grades_are_relevant_is_asked_before_files_are_compared() -> None:
    """Where every judged document has a grade above 0 the form asks from which one a document is relevant; the answer
    is the policy, the verdict page asks nothing, and nothing is stamped. Data with a grade of 0 asks nothing.
    """
    at = upload(lost(), "lost", {**FILES, "judgments": GRADED})
    assert at.button(key="lost_compare").disabled
    labels = [words.RELEVANT_ALL.format(grade="1"), words.RELEVANT_FROM.format(grade="2")]
    asked = at.segmented_control(key="lost_threshold")
    assert [*asked.options] == labels
    asked.set_value(labels[1]).run()
    at.button(key="lost_compare").click().run()
    threshold = rd.Policy().scoring.with_axes({"rel": 2.0})
    assert held(at).policy == rd.Policy().changed(judgments="judged", convention=threshold)
    assert JUDGMENTS_SAY["threshold"] not in texts(at)
    assert not held(at).has_changed_policy
    assert JUDGMENTS_SAY["threshold"] not in texts(opened_with(FILES))


def test_each_answer_about_the_judgments_is_a_policy() -> None:
    """All grades leave the convention as it is; zeros that were only logged make the judgments relevant ones only."""
    a, b = rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1])
    graded = rd.read_judgments(GRADED[1])
    first = next(iter(policies_of_answers(rd.compare(a, b, graded))))[1]
    assert first == rd.Policy(judgments="judged")
    logged = FILES["judgments"][1].replace(b",2", b",1").splitlines()
    few = rd.read_judgments(b"\n".join((logged[0], *(line for line in logged[1:] if b"-2," in line or b"-1," in line))))
    comparison = rd.compare(a, b, few)
    assert comparison.counts.ask == "judged_or_logged"
    assert [policy.judgments for _, policy in policies_of_answers(comparison)] == ["judged", "positive_only"]


@pytest.fixture(scope="module")
def everything() -> AppTest:
    """Runs, judgments, queries and votes, open."""
    return opened_with({**FILES, **QUERIES_FILE, **VOTES_FILE})


def test_what_help_and_fields_are_called_by_holds_no_markup() -> None:
    """Streamlit names the button for help by a label letter for letter, so cards and margins have no mark in theirs."""
    at = opened_with(FILES)
    labels = [card.label for card in at.metric]
    at.button(key="open_policy").click().run()
    labels += [field.label for field in at.number_input]
    assert [text for text in labels if set(text) & set("\\*`[")] == []
    assert any("nDCG@1 " in text for text in labels)


def test_usable_votes_are_on_the_card(everything: AppTest) -> None:
    """The card shows the votes' ΔGSB, their counts and interval, who voted and how far they agree."""
    found = compared(votes=rd.read_votes(VOTES_FILE["votes"][1])).votes
    card = everything.metric[2]
    assert words.VOTED in card.label.replace("\\", "")
    assert card.value == points(found.gsb.delta) == "+40.0%"
    assert card.delta == "30 good · 10 same · 10 bad"
    assert words.ALPHA.format(alpha=number(found.alpha, 2)) in texts(everything)
    assert f"interval {points_between(*found.gsb.ci95)}" in texts(everything)


def test_a_changed_policy_decides_anew_and_is_stamped_until_it_is_reset() -> None:
    """A gain that nobody can reach turns the verdict, with a stamp; the defaults bring the old verdict back."""
    at = opened_at(SCRIPTS["verdict"])
    assert words.POLICY_STAMP not in texts(at)
    run(at).number_input(key="policy_mpe").set_value(0.9)
    applied(at)
    assert "No launch" in at.title[0].value
    assert words.POLICY_STAMP in texts(at)
    at.button(key="open_policy").click().run()
    press_inside(at, "open_policy", "policy_reset")
    assert "No launch" not in at.title[0].value
    assert words.POLICY_STAMP not in texts(at)


def test_a_policy_that_cannot_be_used_is_refused_letter_for_letter() -> None:
    """A measure that does not exist is named as the file has it, and the policy in force stays."""
    at = from_file(opened_at(SCRIPTS["verdict"]), b'primary = "**best**@10"')
    assert any("**best**" in text.value for text in at.text)
    assert words.POLICY_STAMP not in texts(at)


def test_votes_alone_give_a_verdict_with_its_rules() -> None:
    """Without lists the page shows the banner, the card of the votes, the four questions and why nothing else, and
    names the queries that raters call bad.
    """
    at = opened_with(VOTES_FILE)
    verdict = rd.decide(rd.compare_votes(rd.read_votes(VOTES_FILE["votes"][1])))
    assert verdict.screen in at.title[0].value
    assert verdict.sentence in texts(at)
    assert at.metric[0].value == "+40.0%"
    assert words.VOTES_ONLY_WHY in texts(at)
    assert "prefer A on 10 queries, most clearly" in texts(at)
    for question in style.QUESTIONS.values():
        assert question in texts(at)


@pytest.mark.parametrize("page", ["queries", "edit", "data"])
def test_pages_of_lists_say_that_votes_alone_have_none(page: str) -> None:
    """No other page repeats the verdict of votes alone: each says what it needs."""
    at = opened_with(VOTES_FILE)
    verdict = at.title[0].value
    at.switch_page(SCRIPTS[page]).run()
    assert "needs ranked lists, and these are votes alone" in at.info[0].value
    assert verdict not in texts(at)
    assert not at.title


def from_file(at: AppTest, content: bytes) -> AppTest:
    """Takes a policy from a file, in the fold of the dialog."""
    run(at).session_state["policy_more"] = True
    run(at).button(key="open_policy").click()
    uploader(at, "policy_file").set_value(("mine.toml", content, "application/toml"))
    at.run()
    return press_inside(at, "open_policy", "policy_file_apply")


def test_a_policy_comes_from_a_file_and_a_wrong_one_is_refused() -> None:
    """A TOML file puts its policy in force; one with an unknown field is told by name, one that a parser would choke on
    is refused before it is parsed, and nothing changes.
    """
    at = opened_at(SCRIPTS["verdict"])
    deep = (b"[" * 100_000, b"[" * 1_000, b"a." * 20_000 + b"a = 1")
    for content, accepted in ((b"mpe = 0.9", True), *((one, False) for one in deep), (b"best = 1", False)):
        from_file(at, content)
        assert (words.POLICY_REFUSED in texts(at)) is not accepted
        assert words.POLICY_STAMP in texts(at)
    assert any("'best' is not a field of a policy" in text.value for text in at.text)


def run(at: AppTest) -> AppTest:
    """One run with the dialog open, which lives for one run."""
    return at.button(key="open_policy").click().run()


def applied(at: AppTest) -> AppTest:
    """Uses the policy as the dialog has it."""
    return press_inside(at, "open_policy", "policy_apply")


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
    at = run(opened_at(SCRIPTS["verdict"]))
    at.number_input(key="policy_mpe").set_value(0.25)
    at.segmented_control(key="policy_start").set_value(start)
    at = applied(at)
    assert held(at).policy == rd.Policy(mpe=0.25).changed(**words.POLICY_STARTS[start])


def test_measures_are_found_by_the_names_that_people_know() -> None:
    """A list of measures offers a hit rate, recall and MAP too, and the policy has its own names. What the fields mean
    holds for whatever is chosen there. A policy that is refused is refused above the buttons.
    """
    at = run(opened_at(SCRIPTS["verdict"]))
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
    at = run(opened_at(SCRIPTS["verdict"]))
    at.session_state["policy_more"] = True
    assert [one.key for one in run(at).button][-2:] == ["policy_apply", "policy_reset"]
    at.number_input(key="policy_n_min").set_value(77)
    run(at)
    at.session_state["policy_more"] = False
    assert held(applied(run(at))).policy == rd.Policy(n_min=77)


def test_a_guardrail_from_the_list_has_a_margin_of_its_own() -> None:
    """A measure that is chosen gets a field for what it may lose; the policy takes both."""
    at = run(opened_at(SCRIPTS["verdict"]))
    at.multiselect(key="policy_guardrails").set_value(["AP", "P@5"])
    run(at).number_input(key="policy_guardrails_P@5").set_value(0.125)
    assert held(applied(at)).policy.guardrails == (("AP", 0.01), ("P@5", 0.125))


def test_an_axis_makes_a_convention_of_its_own_and_stamps_the_verdict() -> None:
    """Another gain is another policy: its numbers, its words on the page, and the stamp, for results were seen."""
    at = chosen(opened_at(SCRIPTS["verdict"]), gain="exp2")
    policy: rd.Policy = held(at).policy
    assert policy.convention == preset("standard").with_axes({"gain": "exp2"})
    found = compared(policy=policy).primary.paired
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
