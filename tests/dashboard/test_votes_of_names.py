"""Votes on the pages: matched with the names of the runs, asked for where these do not tell, and set aside where a list
was replaced or edited.
"""

import pytest

from rankdash.style import reading as words, verdict as evidence_words
from tests.browsed import run_csv, votes_csv
from tests.dashboard.test_data_page import A, B, Q, compared, dropped, token
from tests.dashboard.test_naming import swapped
from tests.dashboard.test_pages import DATA_PAGE, VERDICT_PAGE, control, texts, upload

pytestmark = pytest.mark.usefixtures("home")

ROWS = [(f"q{i}", *(("new", "old") if i % 2 else ("old", "new")), "new" if i % 5 else "tie") for i in range(50)]


def named(old: str = "old", new: str = "new") -> tuple[str, bytes]:
    """Votes that name their two models, now in this order, now in that one."""
    rows = ("query_id,model_a,model_b,winner", *map(",".join, ROWS))
    return "votes.csv", "\n".join(rows).replace("old", old).replace("new", new).encode()


@pytest.mark.parametrize("order", [(A, B), (B, A)])
def test_votes_are_matched_with_the_names_of_the_runs(order: tuple[tuple[str, bytes], ...]) -> None:
    """Nothing is asked where the names tell; the data page says who was taken for whom."""
    at = dropped(*order, Q, named())
    assert "needs an answer" not in texts(at)
    at = compared(at)
    assert '"old" is A, "new" is B.' in texts(at)
    at = at.switch_page(VERDICT_PAGE).run()
    assert at.metric[2].value == "+80.0%"


def test_votes_on_models_of_other_names_ask_who_is_a() -> None:
    """Both ways round are offered, as long as the file holds votes; what is chosen is what is compared."""
    votes = named("first", "second")
    at = dropped(A, B, Q, votes)
    assert words.NEEDS["asked"].format(file="votes.csv") in texts(at)
    for role, is_asked in (("none", False), ("votes", True)):
        control(at, f"lost_role_{token(votes[1])}").set_value(role).run()
        assert any(one.label == words.PAIR for one in at.selectbox) is is_asked
    pair = control(at, f"lost_pair_{token(votes[1])}")
    assert [option.replace("\\", "") for option in pair.options[1:]] == ["first → second", "second → first"]
    pair.set_value("1").run()
    at = compared(at).switch_page(VERDICT_PAGE).run()
    assert at.metric[2].value == "−80.0%"


def test_a_pair_against_the_names_of_the_runs_is_refused_on_the_page() -> None:
    """The list of pairs shows how the votes were read; the other way round is refused with a sentence."""
    votes = named()
    at = dropped(A, B, Q, votes)
    pair = control(at, f"lost_pair_{token(votes[1])}")
    assert pair.value == str([one.replace("\\", "") for one in pair.options[1:]].index("old → new"))
    pair.set_value(str(1 - int(pair.value))).run()
    assert at.button(key="lost_compare").disabled
    assert any("Leave the pair out, or exchange A and B." in text.value for text in at.text)


def test_a_replaced_list_sets_the_votes_aside_until_somebody_says_that_they_hold() -> None:
    """The verdict and the data page say so, with a button; exchanged and renamed models keep what was said."""
    at = compared(dropped(A, B, Q, ("votes.csv", votes_csv())))
    at = upload(at, "replace", {"b": ("newer.csv", run_csv(True) + b"\nq1,words of 1,extra,x,9")})
    at.button(key="replace_compare").click().run()
    at = at.switch_page(VERDICT_PAGE).run()
    said = 'people voted on B "new" (B is "newer" now)'
    assert said in texts(at)
    at = at.switch_page(DATA_PAGE).run()
    assert said in texts(at)
    assert "0 of 150 row" in texts(at)
    at.button(key="votes_hold").click().run()
    assert evidence_words.VOTES_HOLD not in [button.label for button in at.button]
    assert "as somebody said" in texts(at)
    at = at.switch_page(VERDICT_PAGE).run()
    shown = at.metric[2].value
    swapped(at)
    assert at.metric[2].value == shown.replace("+", "−")
