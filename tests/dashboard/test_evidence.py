"""Votes, segments, the experts' panel and the policy on the verdict page, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts.verdict_parts import policies_of_answers
from rankdash.style import verdict as words
from rankdash.wording import JUDGMENTS_SAY, number, points, points_between
from tests.browsed import queries_csv, votes_csv
from tests.dashboard.records import held
from tests.dashboard.test_pages import FILES, VERDICT_PAGE, lost, opened_at, opened_with, texts, upload

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
    graded = rd.read_judgments(FILES["judgments"][1].replace(b",0", b",1"))
    first = next(iter(policies_of_answers(rd.compare(a, b, graded))))[1]
    assert first == rd.Policy(judgments="judged")
    logged = FILES["judgments"][1].replace(b",2", b",1").splitlines()
    few = rd.read_judgments(b"\n".join((logged[0], *(line for line in logged[1:] if b"-2," in line or b"-1," in line))))
    comparison = rd.compare(a, b, few)
    assert comparison.counts.ask == "judged_or_logged"
    assert [policy.judgments for _, policy in policies_of_answers(comparison)] == ["judged", "positive_only"]


def set_policy(at: AppTest, **numbers: float) -> AppTest:
    """Opens the dialog, types numbers into it and presses its button; a dialog lives for one run of the page."""
    at.button(key="open_policy").click().run()
    for name, value in numbers.items():
        at.number_input(key=f"policy_{name}").set_value(value)
    at.button(key="open_policy").click()
    return at.button(key="policy_apply").click().run()


@pytest.fixture(scope="module")
def everything() -> AppTest:
    """Runs, judgments, queries and votes, open."""
    return opened_with({**FILES, **QUERIES_FILE, **VOTES_FILE})


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
    at = opened_at(VERDICT_PAGE)
    assert words.POLICY_STAMP not in texts(at)
    set_policy(at, mpe=0.9)
    assert "No launch" in at.title[0].value
    assert words.POLICY_STAMP in texts(at)
    at.button(key="open_policy").click().run()
    at.button(key="open_policy").click()
    at.button(key="policy_reset").click().run()
    assert "No launch" not in at.title[0].value
    assert words.POLICY_STAMP not in texts(at)


def test_a_policy_that_cannot_be_used_is_refused_letter_for_letter() -> None:
    """A measure that does not exist is named as the file has it, and the policy in force stays."""
    at = from_file(opened_at(VERDICT_PAGE), b'primary = "**best**@10"')
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
    at.button(key="open_policy").click().run()
    at.session_state["policy_more"] = True
    at.button(key="open_policy").click().run()
    at.button(key="open_policy").click()
    upload_policy = next(found for found in at.file_uploader if found.key == "policy_file")
    upload_policy.set_value(("mine.toml", content, "application/toml"))
    at.run()
    at.button(key="open_policy").click()
    at.button(key="policy_file_apply").click().run()
    return at


def test_a_policy_comes_from_a_file_and_a_wrong_one_is_refused() -> None:
    """A TOML file puts its policy in force; one with an unknown field is told by name, one that a parser would choke on
    is refused before it is parsed, and nothing changes.
    """
    at = opened_at(VERDICT_PAGE)
    deep = (b"[" * 100_000, b"[" * 1_000, b"a." * 20_000 + b"a = 1")
    for content, accepted in ((b"mpe = 0.9", True), *((one, False) for one in deep), (b"best = 1", False)):
        from_file(at, content)
        assert (words.POLICY_REFUSED in texts(at)) is not accepted
        assert words.POLICY_STAMP in texts(at)
    assert any("'best' is not a field of a policy" in text.value for text in at.text)
