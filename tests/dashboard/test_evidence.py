"""Votes, segments, the experts' panel and the policy on the verdict page, run without a browser."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import vote_parts
from rankdash.dashboard.parts.verdict_parts import policies_of_answers
from rankdash.policy.fields import FIELDS
from rankdash.report.sections import vote_notes, voted_card
from rankdash.style import method
from rankdash.style import verdict as words
from rankdash.wording import JUDGMENTS_SAY, NOT_DEFINED, number, p_value, points, points_between, signed
from tests.browsed import queries_csv, votes_csv
from tests.dashboard.records import held
from tests.dashboard.test_pages import FILES, VERDICT_PAGE, app, opened_at, texts, upload

QUERIES_FILE = {"queries": ("topics.csv", queries_csv())}
VOTES_FILE = {"votes": ("votes.csv", votes_csv())}


def opened(files: dict[str, tuple[str, bytes]]) -> AppTest:
    """The dashboard with uploaded files open."""
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", files)
    return at.button(key="lost_compare").click().run()


def compared(**tables: object) -> rd.Comparison:
    """The same comparison without a page."""
    a, b = rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1])
    return rd.compare(a, b, rd.read_judgments(FILES["judgments"][1]), **tables)


def cells(at: AppTest) -> list[list[str]]:
    """Every row of every table of the page, without what Markdown needs."""
    rows = [row for table in at.table for row in table.value.to_numpy().tolist()]
    return [[str(cell).replace("\\", "").replace("\u00a0", " ") for cell in row] for row in rows]


def test_which_grades_are_relevant_is_answered_beside_the_question() -> None:
    """Where every judged document has a grade above 0 the caveat asks, with a button for each grade; an answer is the
    policy, in force at once, and the question is gone. Data with a grade of 0 asks nothing.
    """
    graded = FILES["judgments"][1].replace(b",0", b",1")
    at = opened({**FILES, "judgments": ("grades.csv", graded)})
    asked = JUDGMENTS_SAY["threshold"]
    assert asked in texts(at)
    buttons = [button.label for button in at.button if str(button.key).startswith("judgments_answer_")]
    assert buttons == [words.RELEVANT_ALL.format(grade="1"), words.RELEVANT_FROM.format(grade="2")]
    at.button(key="judgments_answer_1").click().run()
    assert not at.exception
    assert asked not in texts(at)
    assert held(at).policy == rd.Policy().changed(
        judgments="judged", convention=rd.Policy().scoring.with_axes({"rel": 2.0})
    )
    assert asked not in texts(opened(FILES))


def test_labels_that_are_all_alike_stand_beside_the_answer_that_they_can_be_compared() -> None:
    """Verdict and Data say so under the question, where the rules find nothing wrong; of other grades they do not."""
    judgments = FILES["judgments"][1].replace(b",0", b",2")
    at = opened({**FILES, "judgments": ("grades.csv", judgments)})
    alike = "All labels are alike: every judged document has the grade 2"
    assert alike in texts(at)
    at.switch_page(SCRIPTS["data"]).run()
    assert alike in texts(at)
    assert "All labels are alike" not in texts(opened(FILES))


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
    assert not at.exception
    for name, value in numbers.items():
        at.number_input(key=f"policy_{name}").set_value(value)
    at.button(key="open_policy").click()
    return at.button(key="policy_apply").click().run()


@pytest.fixture(scope="module")
def everything() -> AppTest:
    """Runs, judgments, queries and votes, open."""
    return opened({**FILES, **QUERIES_FILE, **VOTES_FILE})


def test_usable_votes_are_on_the_card(everything: AppTest) -> None:
    """The card shows the votes' ΔGSB, their counts and interval, who voted and how far they agree."""
    found = compared(votes=rd.read_votes(VOTES_FILE["votes"][1])).votes
    card = everything.metric[2]
    assert card.label.replace("\\", "") == words.VOTED
    assert card.value == points(found.gsb.delta) == "+40.0%"
    assert card.delta == "30 good · 10 same · 10 bad"
    assert words.ALPHA.format(alpha=number(found.alpha, 2)) in texts(everything)
    assert f"95% interval {points(found.gsb.ci95[0])}" in texts(everything)


def test_counts_that_do_not_make_the_number_above_them_are_said_to_be_by_majority() -> None:
    """Where ΔGSB is a mean of several votes a query, the counts of queries below it say by what they are counted."""
    several = rd.read_votes(b"query_id,vote,rater\nq1,good,a\nq1,same,b\nq2,bad,a\nq2,bad,b\n")
    card = voted_card(vote_parts.said(several, rd.Policy()).votes)
    assert (card.value, card.chip, card.lines[-1]) == ("−25.0%", "0 good · 1 same · 1 bad", words.BY_MAJORITY)
    single = rd.read_votes(b"query_id,vote\nq1,good\nq2,bad\nq3,good\n")
    assert words.BY_MAJORITY not in voted_card(vote_parts.said(single, rd.Policy()).votes).lines


def test_votes_are_counted_by_rater_too_where_there_are_five(everything: AppTest) -> None:
    """From five raters on a second row has the interval that counts raters; "both bad" is kept apart, in words."""
    assert all(row[0] != words.GSB_RATERS for row in cells(everything))
    assert "0 votes “both good” and 5 votes “both bad”" in texts(everything)
    rows = "".join(
        f"q{number},{'good' if number % 3 else 'bad'},r{rater}\n" for number in range(30) for rater in range(6)
    )
    content = f"query_id,vote,rater\n{rows}".encode()
    at = opened({"votes": ("votes.csv", content)})
    said = rd.compare_votes(rd.read_votes(content)).votes
    row = next(row for row in cells(at) if row[0] == words.GSB_RATERS)
    assert said.rater_lower95 is not None
    assert row[1:3] == [points(said.gsb.delta), points_between(said.rater_lower95, said.rater_upper95)]
    assert row[4] == "6"


def test_no_interval_of_the_votes_is_impossible() -> None:
    """Every end that is shown lies between −100 and +100, however few the queries and however alike the raters."""
    for votes in (("good", "bad", "bad", "same"), ("good",) * 19 + ("bad",)):
        rows = "".join(f"q{number // 2},{vote},r{rater}\n" for number, vote in enumerate(votes) for rater in range(5))
        at = opened({"votes": ("votes.csv", f"query_id,vote,rater\n{rows}".encode())})
        assert not at.exception
        shown = [row[2] for row in cells(at) if row[0] in (words.GSB_VOTES, words.GSB_RATERS)]
        ends = [
            float(end.rstrip("%").replace("−", "-")) for one in shown if one != NOT_DEFINED for end in one.split(" to ")
        ]
        assert ends
        assert all(-100 <= end <= 100 for end in ends)


@pytest.mark.parametrize(("times", "says"), [(1, "too few to tell what a side is worth"), (10, "moves ΔGSB by 0.0% (")])
def test_what_a_side_is_worth_is_possible(times: int, says: str) -> None:
    """However few votes there are, what the side is said to do to ΔGSB lies between −100 and +100."""
    rows = [(vote, left) for vote in ("good", "bad") for left in ("A", "B")] * times
    lines = "".join(f"q{number},{vote},{left}\n" for number, (vote, left) in enumerate(rows))
    at = opened({"votes": ("votes.csv", f"query_id,vote,left\n{lines}".encode())})
    assert says in texts(at)
    shown = [float(one.replace("−", "-")) for one in re.findall(r"([+−]?\d+\.\d)%", texts(at))]
    assert shown
    assert all(-100 <= one <= 100 for one in shown)


def test_without_votes_the_card_is_derived_and_says_so() -> None:
    """A comparison without votes shows what is derived from the judgments, under that name."""
    at = opened_at(VERDICT_PAGE)
    assert at.metric[2].label.replace("\\", "").startswith("ΔGSB, derived")


def test_votes_that_cannot_be_used_leave_the_card_derived_and_are_explained() -> None:
    """Nine voted queries are too few: the card stays derived, and the page says why the votes do not count."""
    few = b"\n".join(VOTES_FILE["votes"][1].splitlines()[:28])
    at = opened({**FILES, "votes": ("few.csv", few)})
    assert "derived" in at.metric[2].label
    assert "20 are needed" in texts(at)


def test_segments_are_a_table_and_exploration_says_so(everything: AppTest) -> None:
    """Each segment has its difference, interval, counts and n; a column that no policy names is exploration."""
    found = compared(queries=rd.read_queries(QUERIES_FILE["queries"][1])).plain.segments
    rows = [row for row in cells(everything) if words.SEGMENT_ROLES["explored"] in row]
    assert [row[5] for row in rows] == ["33", "17"]
    assert [row[2] for row in rows] == [signed(one.paired.delta) for one in found]
    assert [row[6] for row in rows] == [p_value(one.adjusted_p) for one in found]
    assert words.SEGMENTS not in texts(opened_at(VERDICT_PAGE))


def test_weights_are_said_beside_the_verdict() -> None:
    """With weights the mean without them stands beside the sentence, and how many queries they leave."""
    content = queries_csv(weights=True)
    at = opened({**FILES, "queries": ("topics.csv", content)})
    found = compared(queries=rd.read_queries(content)).primary.paired
    assert f"counting each once, ΔnDCG@10 is {signed(found.delta_unweighted)}" in texts(at)
    assert at.metric[0].delta == signed(found.delta)


def test_every_field_of_the_policy_is_in_its_dialog() -> None:
    """Each stands there once, with its meaning below it."""
    at = opened_at(VERDICT_PAGE)
    at.button(key="open_policy").click().run()
    captions = [one.value.replace("\\", "") for one in at.caption]
    meanings = [row.line("nDCG@10") for row in FIELDS.values()]
    told = [f"{meaning[0].upper()}{meaning[1:]}." for meaning in meanings]
    assert sorted(caption for caption in captions if caption in told) == sorted(told)


def test_a_changed_policy_decides_anew_and_is_stamped_until_it_is_reset() -> None:
    """A gain that nobody can reach turns the verdict, with a stamp; the defaults bring the old verdict back."""
    at = opened_at(VERDICT_PAGE)
    assert words.POLICY_STAMP not in texts(at)
    set_policy(at, mpe=0.9)
    assert not at.exception
    assert "No launch" in at.title[0].value
    assert words.POLICY_STAMP in texts(at)
    at.button(key="open_policy").click().run()
    at.button(key="open_policy").click()
    at.button(key="policy_reset").click().run()
    assert "No launch" not in at.title[0].value
    assert words.POLICY_STAMP not in texts(at)


def test_a_changed_policy_says_that_the_link_does_not_carry_it() -> None:
    """Every page says that a reload and the link show the default policy, and offers the file, until it is reset."""
    at = app().run()
    assert words.POLICY_STAYS not in texts(at)
    set_policy(at, mpe=0.9)
    for page in ("verdict", "queries", "data"):
        at.switch_page(f"rankdash/dashboard/pages/{page}.py").run()
        assert words.POLICY_STAYS in texts(at)
        assert [one.proto.label for one in at.get("download_button")].count(words.POLICY_SAVE) == 1
    again = app()
    for name in at.query_params:
        again.query_params[name] = at.query_params[name]
    assert words.POLICY_STAYS not in texts(again.run())
    at.button(key="open_policy").click().run()
    at.button(key="open_policy").click()
    at.button(key="policy_reset").click().run()
    assert words.POLICY_STAYS not in texts(at)


def test_a_policy_chosen_before_the_results_is_not_stamped() -> None:
    """Another comparison, opened under a policy that is already in force, shows no stamp."""
    at = app().run()
    set_policy(at, mpe=0.01)
    assert words.POLICY_STAMP in texts(at)
    at.switch_page("rankdash/dashboard/pages/data.py").run()
    upload(at, "replace", FILES)
    at.button(key="replace_compare").click().run()
    assert style.DEMO_NAME not in texts(at)
    assert words.POLICY_STAMP not in texts(at)


def test_a_policy_that_cannot_be_used_is_refused_letter_for_letter() -> None:
    """A measure that does not exist is named as it was typed, and the policy in force stays."""
    at = opened_at(VERDICT_PAGE)
    at.button(key="open_policy").click().run()
    at.text_input(key="policy_primary").set_value("**best**@10")
    at.button(key="open_policy").click()
    at.button(key="policy_apply").click().run()
    assert not at.exception
    assert any("**best**" in text.value for text in at.text)
    assert words.POLICY_STAMP not in texts(at)


def test_votes_on_several_pairs_are_read_again_for_the_pair_that_is_chosen() -> None:
    """The pairs are offered in both directions; the one that is chosen is compared, seen from its B."""
    content = votes_csv("old,new old,other")
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", {"votes": ("votes.csv", content)})
    choice = next(found for found in at.selectbox if found.key.startswith("lost_pair_"))
    assert choice.options[1:] == ["old → new", "old → other", "new → old", "other → old"]
    assert at.button(key="lost_compare").disabled
    choice.select_index(3).run()
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert at.metric[0].value == "−40.0%"


@pytest.mark.parametrize("turned", [False, True])
def test_votes_that_name_the_winner_ask_nothing_where_the_models_are_called_so(turned: bool) -> None:
    """CHATGPT and VICUNA13B are the files CHATGPT.csv and VICUNA13B.csv, whichever is A; other names are asked for."""
    words_ = ("VICUNA13B", "VICUNA13B", "tie", "VICUNA13B", "CHATGPT")
    votes = "query_id,winner\n" + "\n".join(f"q{number},{words_[number % 5]}" for number in range(50))
    names = ("VICUNA13B.csv", "CHATGPT.csv") if turned else ("CHATGPT.csv", "VICUNA13B.csv")
    a, b = (replace_name(FILES[side], name) for side, name in zip("ab", names, strict=True))
    at = opened({**FILES, "a": a, "b": b, "votes": ("votes.csv", votes.encode())})
    assert not at.exception
    assert at.metric[2].value == ("−40.0%" if turned else "+40.0%")
    other = app()
    other.query_params["c"] = "lost"
    other = upload(other.run(), "lost", {**FILES, "votes": ("votes.csv", votes.encode())})
    assert other.button(key="lost_compare").disabled


def replace_name(file: tuple[str, bytes], name: str) -> tuple[str, bytes]:
    """The same content under another name."""
    return name, file[1]


def test_votes_alone_give_a_verdict_with_its_rules() -> None:
    """Without lists the page shows the banner, the card of the votes, the four questions and why nothing else."""
    at = opened(VOTES_FILE)
    verdict = rd.decide(rd.compare_votes(rd.read_votes(VOTES_FILE["votes"][1])))
    assert not at.exception
    assert verdict.screen in at.title[0].value
    assert verdict.sentence in texts(at)
    assert at.metric[0].value == "+40.0%"
    assert words.VOTES_ONLY_WHY in texts(at)
    for question in style.QUESTIONS.values():
        assert question in texts(at)


@pytest.mark.parametrize("page", ["queries", "edit", "data"])
def test_pages_of_lists_say_that_votes_alone_have_none(page: str) -> None:
    """No other page repeats the verdict of votes alone: each says what it needs."""
    at = opened(VOTES_FILE)
    verdict = at.title[0].value
    at.switch_page(SCRIPTS[page]).run()
    assert not at.exception
    assert "needs ranked lists, and these are votes alone" in at.info[0].value
    assert verdict not in texts(at)
    assert not at.title


def test_method_says_of_votes_alone_how_the_verdict_is_decided() -> None:
    """Sections about the numbers of a comparison are not offered; the others are what they are of lists."""
    at = opened(VOTES_FILE)
    at.switch_page(SCRIPTS["method"]).run()
    offered = at.segmented_control(key="section")
    offered.set_value("verdict").run()
    assert not at.exception
    assert not {method.SECTIONS[name] for name in ("presets", "convention")} & {*offered.options}
    assert method.VERDICT_RULES in texts(at)


def test_the_demo_explores_its_segments() -> None:
    """The demo's queries count once each, and its columns are segments that nobody judges."""
    at = app().run()
    assert "weighted queries" not in texts(at)
    assert any(words.SEGMENT_ROLES["explored"] in row for row in cells(at))


def test_the_data_page_says_what_was_understood_of_queries_and_votes() -> None:
    """Both files have a card with their name, rows and columns."""
    at = opened({**FILES, **QUERIES_FILE, **VOTES_FILE}).switch_page("rankdash/dashboard/pages/data.py").run()
    assert not at.exception
    found = [cell for row in cells(at) for cell in row]
    assert {"topics.csv", "votes.csv", "query_id, text, kind", "150"} <= set(found)


def test_a_policy_comes_from_a_file_and_a_wrong_one_is_refused() -> None:
    """A TOML file puts its policy in force; one with an unknown field is told by name, one that a parser would choke on
    is refused before it is parsed, and nothing changes.
    """
    at = opened_at(VERDICT_PAGE)
    deep = (b"[" * 100_000, b"[" * 1_000, b"a." * 20_000 + b"a = 1")
    for content, accepted in ((b"mpe = 0.9", True), *((one, False) for one in deep), (b"best = 1", False)):
        at.button(key="open_policy").click().run()
        at.button(key="open_policy").click()
        upload_policy = next(found for found in at.file_uploader if found.key == "policy_file")
        upload_policy.set_value(("mine.toml", content, "application/toml"))
        at.run()
        at.button(key="open_policy").click()
        at.button(key="policy_file_apply").click().run()
        assert not at.exception
        assert (words.POLICY_REFUSED in texts(at)) is not accepted
        assert words.POLICY_STAMP in texts(at)
    assert any("'best' is not a field of a policy" in text.value for text in at.text)


def test_votes_that_do_not_balance_without_a_majority_are_told_apart() -> None:
    """Where other queries have a majority than are voted better or worse, both numbers stand in a sentence."""
    judged, run = {"q": {"d": 1}, "r": {"d": 1}}, {"q": ["d"], "r": ["d"]}
    votes = [{"query_id": query, "vote": vote, "rater": rater} for query, vote, rater in
             (("q", "good", "x"), ("q", "same", "y"), ("r", "good", "x"), ("r", "good", "y"))]  # fmt: skip
    said = vote_notes(rd.compare(run, run, judged, votes=votes))
    assert words.BALANCED.format(n="2 queries", majority="1") in said
    assert not any("do not balance" in note for note in vote_notes(rd.compare(run, run, judged, votes=votes[2:])))
