"""Subtopics of documents, their dates and categories, on the pages."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

import rankdash as rd
from rankdash.api import DEMO_FOLDERS, DemoName
from rankdash.case import Case, compared
from rankdash.dashboard import demo
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts.one_query import subtopic_marks
from rankdash.dashboard.session import actions, open_comparison, saving, session
from rankdash.edits import Edit
from rankdash.inspect.lists import query_lists
from rankdash.inspect.view import means, offered, other_forms
from rankdash.metrics import parse_measure
from rankdash.policy import Policy
from rankdash.store import Search
from rankdash.style.queries import CHARTS, CHIP, VIEW_DIFFERS
from rankdash.wording import number
from tests.dashboard.records import held, put
from tests.dashboard.saved_sessions import Tab
from tests.dashboard.test_pages import app, opened_at, texts, verdict_page

pytestmark = pytest.mark.usefixtures("home")

A = rd.read_run({"q": ["x1", "x2", "y1", "no", "z1"], "r": ["x1"]}, name="old")
B = rd.read_run({"q": ["z1", "x1", "no", "x2", "y1"], "r": ["y1"]}, name="new")
#: x1 has a grade for a second subtopic; z is the third, and one grade for it is 0. The query r has no subtopic.
GRADES = b"query_id,doc_id,subtopic,relevance\n" + b"\n".join(
    b"q,x1,3,1 q,x1,1,1 q,x2,1,1 q,x2,z,0 q,y1,2,2 q,z1,z,1 q,no,,0 r,x1,,1".split()
)
ITEMS = b"doc,genre,published_date,number_of_users\nx1,a,2026-10-01,3\nx2,b,,2\ny1,a,2026-10-30,1\nz1,c,2026-09-01,4\n"
CASE = Case((A, B), rd.read_judgments(GRADES), items=rd.read_items(ITEMS).asked_at("2026-11-01"))


def test_pages_show_subtopics_dates_and_the_numbers_of_all_lists() -> None:
    """The lists of a query have subtopics and ages, a sentence says what B gains, and Data has coverage. Where there is
    no popularity, Data says what lacks.
    """
    policy = Policy(primary="alpha_nDCG@2", watch=[["median_age@2", 7]])
    at = opened_at(SCRIPTS["queries"], CASE, policy, query="q")
    assert {"median_age", "fresh(within=7)"} <= {*at.selectbox(key="measure").options}
    assert ":blue-badge[3] :orange-badge[1] *31\u00a0d* x1" in texts(at)
    assert "gains z in its top 2 and loses none" in texts(at)
    at.switch_page(SCRIPTS["data"]).run()
    assert "coverage@2" in texts(at)
    assert "no column users" not in texts(at)
    put(at, case=replace(CASE, items=rd.read_items(ITEMS.replace(b"users", b"owners")).asked_at("2026-11-01")))
    assert "popularity@2, no column users" in texts(at.run())


TYPED = {"MIUF@7": "needs the number of all users", "<b>": "'<b>' is not a measure."}


@pytest.mark.parametrize("typed", ["MIUF(n_users=1000)@7", "fresh(within=30)@2", "median_age@7", "P(rel=2)@3", *TYPED])
def test_any_measure_can_be_typed(typed: str) -> None:
    """It is viewed as it is typed, or a sentence says why it cannot be, with the way back beside it."""
    policy, expected = demo.POLICIES["diversity"], TYPED.get(typed, "")
    at = opened_at(SCRIPTS["queries"], demo.case("diversity"), policy, measure=typed)
    if not expected:
        found = means(compared(demo.case("diversity"), policy), (parse_measure(typed),))[0]
        expected = f"**{typed}** {number(found.mean_a)} → {number(found.mean_b)}"
    assert expected in texts(at)
    assert at.button(key="chip_measure").label == CHIP.format(label=plain(typed))


def test_a_watched_measure_is_told_from_the_primary_one_by_its_parameters() -> None:
    """NDCG with a half-life, at its own cutoff, stands in the list beside nDCG."""
    policy = Policy(primary="nDCG@5", cutoff=5, watch=[["nDCG(half_life=7)@10", 0.02]])
    at = opened_at(SCRIPTS["queries"], CASE, policy)
    assert "**nDCG@5** " in texts(at)
    at.selectbox(key="measure").select("nDCG(half_life=7)").run()
    assert "**nDCG(half_life=7)@10** " in texts(at)


def test_the_day_of_all_queries_is_said_on_the_page_data() -> None:
    """There is a field where documents have dates, even beside times of queries; its day is saved and can change."""
    tab = Tab()
    tab(actions.open_inputs, replace(CASE, items=CASE.items and replace(CASE.items, at="")))
    at = verdict_page(tab.id).switch_page(SCRIPTS["data"]).run()
    for day in (date(1998, 3, 1), date(2026, 11, 1)):
        at.date_input[0].set_value(day).run()
        said = held(at).case.items.at
        assert said == f"{day}T00:00:00+00:00" == tab(saving.store).load(held(at).saved.id).content.items.at
    for day in ("1850-01-01", "9999-12-31"):  # as a shell may say it
        put(at, case=replace(CASE, items=CASE.items and CASE.items.asked_at(day)))
        assert str(at.run().date_input[0].value) == day
    timed = rd.read_queries([{"query_id": "q", "time": "2026-11-01"}])
    put(at, case=replace(CASE, queries=timed))
    assert at.run().date_input


def test_a_policy_that_cannot_judge_other_files_is_not_replaced_in_silence() -> None:
    """With judgments without subtopics the default policy decides, for every candidate, and the page says why."""
    tab, other = Tab(), replace(CASE, runs=(CASE.a, CASE.b.renamed("other")))
    tab(actions.open_inputs, CASE, other, policy=Policy(primary="alpha_nDCG@5"))
    tab(actions.open_inputs, replace(CASE, judgments=rd.read_judgments({"q": {"x1": 1}})), replacing=True)
    assert "subtopic" in tab(open_comparison.notices_for, open_comparison.THEIRS)[0]
    assert [pair.policy for pair in tab(session.now).pairs] == [Policy(), Policy()]


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_marks_are_the_subtopics_that_the_measures_count(k: int) -> None:
    """Marked subtopics, as a share of all of the query, equal STREC of each list; the sum ends in the value shown."""
    comparison = rd.compare(A, B, CASE.judgments, policy=Policy(primary=f"STREC@{k}"))
    lists = query_lists(comparison, "q")
    assert lists.subtopics == ("3", "1", "2", "z")
    assert [len(found) / 4 for found in lists.covered(k)] == [lists.a.value, lists.b.value]
    for listed in (lists.a, lists.b):
        assert listed.worked.ranks[-1].running / listed.worked.below == pytest.approx(listed.value, abs=1e-12)


def test_documents_show_their_dates() -> None:
    """A document has the day and the age of its item, and none where the item or its date is missing."""
    for items, ages in ((CASE.items, [31, 2, 61]), (replace(CASE.items, at=""), [None] * 3)):
        comparison = rd.compare(A, B, CASE.judgments, items=items)
        shown = [row.document for row in query_lists(comparison, "q").a.placed]
        assert [document.date for document in shown] == ["2026-10-01", "", "2026-10-30", "", "2026-09-01"]
        assert [document.age for document in shown] == [ages[0], None, ages[1], None, ages[2]]


def test_a_long_name_of_a_subtopic_has_a_number_for_its_mark() -> None:
    """Short names are their own marks; where one is long all have numbers, and no two of up to seven share a colour."""
    assert subtopic_marks(["3", "1"]) == [":blue-badge[3]", ":orange-badge[1]"]
    marks = subtopic_marks(["animal", "3", "x", "y", "z", "v", "w"])
    assert [mark.split("[")[1] for mark in marks] == [f"{place}]" for place in range(1, 8)]
    assert len({mark.split("-")[0] for mark in marks}) == 7


#: What is offered where judgments have subtopics, or items have what is named.
OF_SUBTOPICS = {"alpha_nDCG", "alpha_DCG", "ERR_IA", "NRBP", "P_IA", "AP_IA", "STREC"}
OF_DATES = {"nDCG(half_life=7)", "DCG(half_life=7)", "fresh(within=7)"}


def test_measures_are_offered_where_their_data_is() -> None:
    """Measures of subtopics, items and time are offered where these are there, and each of them can be viewed."""

    def names(**tables: Any) -> set[str]:
        comparison = compared(replace(CASE, **tables), Policy())
        assert ("NRBP" in offered(comparison)) == ("NRBP" in other_forms(comparison, ()))
        return {*offered(comparison)}

    plain = rd.read_judgments({"q": {"x1": 1}})
    every, none = names(), names(items=None, judgments=plain)
    assert none < every
    assert every - names(items=CASE.items and replace(CASE.items, at="")) == OF_DATES
    assert every - none >= OF_SUBTOPICS | OF_DATES | {"ILD", "Serendipity"}
    at = opened_at(SCRIPTS["queries"], demo.case("diversity"), demo.POLICIES["diversity"])
    for name in sorted(every - none):
        at.selectbox(key="measure").set_value(name).run()
        assert name.partition("(")[0] in texts(at)


@pytest.mark.parametrize("which", DEMO_FOLDERS)
def test_a_demo_is_saved_once_it_is_changed(which: DemoName) -> None:
    """Opening a demo saves nothing; a grade that is changed does. Its address opens it with its policy."""
    tab, policy = Tab(), demo.POLICIES.get(which, Policy())
    for _ in range(2):
        tab(actions.open_inputs, demo.case(which), policy=policy)
    assert not tab(saving.store).listed(Search()).rows
    at = app()
    at.query_params["c"] = which
    at.run()
    assert (held(at).case, held(at).policy) == (demo.case(which), policy)
    document = demo.case(which).a.table.slice(0, 1).to_pylist()[0]
    tab.edit(Edit(document["query_id"], document["doc_id"], "grade", None, None, 3))
    assert len(tab(saving.store).listed(Search()).rows) == 1


@pytest.mark.parametrize("which", DEMO_FOLDERS)
def test_the_policy_lists_what_the_data_allows(which: DemoName) -> None:
    """Measures of subtopics and of dates can be chosen where these are there, and nowhere else."""
    at = opened_at(SCRIPTS["verdict"], demo.case(which), demo.POLICIES.get(which))
    at.button(key="open_policy").click().run()
    listed = {name.replace("@", " ").split(" ")[0] for name in at.selectbox(key="policy_primary").options}
    assert ("median_age@5" in at.multiselect(key="policy_watch").options) == (which == "diversity")
    assert "median_age" not in listed
    assert {"nDCG", "AP"} <= listed
    assert listed & {"alpha_nDCG", "STREC", *OF_DATES} == (
        {"alpha_nDCG", "STREC", *OF_DATES} - {"DCG(half_life=7)"} if which == "diversity" else set()
    )


@pytest.mark.parametrize("primary", ["alpha_nDCG@5", "nDCG(half_life=7)@5", "nDCG@5"])
def test_what_is_of_ndcg_says_which_measure_decides(primary: str) -> None:
    """Where the primary measure is another one, the parts of ΔnDCG and the bounds of missing labels name it."""
    for page in ("queries", "label"):
        at = opened_at(SCRIPTS[page], CASE, Policy(primary=primary), chart=CHARTS["why"])
        assert (VIEW_DIFFERS.format(decided=primary) in texts(at)) == (primary != "nDCG@5"), page
