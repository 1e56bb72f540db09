"""The History page, decisions, looks and dialogs without a browser. A result belongs to one revision: no list, log or
page shows a number beside another one's names.
"""

import json
import re
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import plotly.graph_objects as go
import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import charts, style
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import history_parts
from rankdash.dashboard.session import actions, open_comparison, saving, verdicts
from rankdash.report import saved as saved_words
from rankdash.report.saved import called, delta_words, listed_text
from rankdash.store import Decided, ListedRow, Search, comparison_of, new_id
from rankdash.store.database import COMPARISON
from rankdash.store.journal import Since
from rankdash.style import history as history_words, verdict as verdict_words
from rankdash.wording import short_inside
from tests.browsed import HOSTILE, queries_csv, run_csv
from tests.dashboard.records import put
from tests.dashboard.saved_sessions import GRADE, Tab, saved_tab
from tests.dashboard.test_naming import inputs
from tests.dashboard.test_pages import app, press_inside, texts, verdict_page

pytestmark = pytest.mark.usefixtures("home")


def history_page(at: AppTest | None = None, *rows: int, times: int = 0) -> AppTest:
    """The history page, with some rows selected. ``times``: how often something was done with rows before."""
    at = (at or app().run()).switch_page(SCRIPTS["history"])
    if rows:
        at.session_state[f"history_table_{times}"] = {"selection": {"rows": list(rows), "columns": []}}
    return at.run()


def named(name: str) -> Tab:
    """A saved comparison with a name."""
    tab = saved_tab()
    tab(actions.rename, name, "old", "new")
    return tab


def test_what_was_seen_stands_in_the_list() -> None:
    """Name, models, verdict and difference of a comparison whose verdict page was shown, letter for letter. A phone 390
    points wide shows the columns up to the decision.
    """
    assert sum(width for _, width in [*history_words.COLUMNS.values()][:3]) <= 390 - 66
    assert [*history_words.COLUMNS][:3] == ["name", "outcome", "choice"]
    verdict_page(named(HOSTILE).id)
    row = history_page().dataframe[0].value.iloc[0]
    assert row["name"] == short_inside(HOSTILE, 40)
    assert row["models"] == "old → new"
    assert list(row["outcome"]) == ["Launch: B is better"]
    assert re.fullmatch(r"ΔnDCG@10 \+0\.\d{3}", row["delta"])


def test_a_click_on_a_name_opens_the_comparison_that_stood_there() -> None:
    """The comparison whose name was clicked is opened, also where another one stands in its row by now."""
    tab = named("spring")
    at = history_page()
    named("autumn")
    at.session_state["history_clicked"] = {"row": 0, "label": "spring"}
    at.run()
    at.switch_page(SCRIPTS["verdict"]).run()
    assert "**spring**" in texts(at)
    assert at.query_params["comparison"] == tab.id


def test_a_tick_does_not_pass_to_another_comparison() -> None:
    """Where the list has changed under a tick, by what others did or by another search, it stays with its comparison,
    or goes with it: no button acts on what took its row.
    """
    named("spring")
    at = history_page(None, 0)
    assert {"history_open", "history_delete"} <= enabled(at)
    assert [one.key for one in history_page().button] == [one.key for one in at.button]  # no tick moves the list
    named("autumn")
    at.run()
    assert list(at.dataframe[0].value["name"]) == ["autumn", "spring"]
    assert at.session_state[at.dataframe[0].key]["selection"]["rows"] == [1]
    assert {"history_open", "history_delete"} <= enabled(at)
    for typed, is_there in (("pri", True), ("autumn", False), ("", False)):
        at.text_input(key="history_words").set_value(typed).run()
        assert ("history_delete" in enabled(at)) is is_there


def enabled(at: AppTest) -> set[str]:
    """The keys of the buttons that can be pressed."""
    return {str(one.key) for one in at.button if not one.disabled}


def test_a_group_is_one_row_that_unfolds_and_is_deleted_whole() -> None:
    """The row of a group shows its best comparison; unfolded, each has its own row below it, the best first; what is
    done with the row of the group is done with all of them.
    """
    saved = saving.store().load(named("alone").id)
    states = [replace(saved.state, name="", swapped=swapped) for swapped in (True, False)]
    made = [(saved.content, state, comparison_of(saved.content, state)) for state in states]
    group = saving.store().create_seen(*made, group=new_id())
    at, head = history_page(), history_words.GROUP.format(n=2, name="old")
    assert list(at.dataframe[0].value["name"]) == [head, "alone"]
    assert list(at.dataframe[0].value["outcome"][0]) == ["Launch: B is better"]
    at = ticked(at, "history_unfold")
    assert not {"history_open", "history_delete"} & enabled(at)
    assert list(at.dataframe[0].value["name"]) == [head, "↳ new", "↳ old", "alone"]
    assert list(ticked(at, "history_unfold").dataframe[0].value["name"]) == [head, "alone"]
    assert list(ticked(at, "history_delete").dataframe[0].value["name"]) == ["alone"]
    at.button(key="history_undo").click().run()
    assert list(at.dataframe[0].value["name"]) == [head, "alone"]
    ticked(at, "history_open").switch_page(SCRIPTS["verdict"]).run()
    assert at.query_params["comparison"] == group[1].id


def test_side_by_side_a_comparison_is_called_as_in_the_list() -> None:
    """Also where only some of those with one name are ticked, and beside candidates without a name of their own. Long
    names of models are cut each on its own, so that the list shows both. What differs between them is named.
    """
    saved = saving.store().load(named("x").id)
    state, store = replace(saved.state, name=""), saving.store()
    store.delete(saved.id)
    seen = (saved.content, state, comparison_of(saved.content, state))
    for group in ("", "", new_id(), ""):
        store.create_seen(*(seen, seen) if group else (seen,), group=group)
    shown = list(history_page().dataframe[0].value["name"])
    assert len({*shown}) == len(shown) == 4
    rows = store.listed().rows
    at = history_page(app().run(), 0, 3).button(key="history_side").click().run()
    (said,) = [one.value for one in at.markdown if shown[0] in one.value.replace("\\", "")]
    assert shown[3] in said.replace("\\", "")
    assert {*shown} - {*called(rows)} == {name for name in shown if "candidates" in name}
    assert not at.warning
    strict = replace(state, policy=state.policy.changed(mpe=0.5))
    store.create_seen((saved.content, strict, comparison_of(saved.content, strict)))
    at = history_page(app().run(), 0, 1).button(key="history_side").click().run()
    assert at.warning[0].value.endswith("What differs: the policy.")
    a, b, c = "bm25_production_2026-11-20", "hybrid_knn_2026-11-20", "hybrid_knn_lite_2026-11-20"
    dated, lite = (replace(rows[0], id=one, name=f"{a} → {one}", a=a, b=one, group="") for one in (b, c))
    assert called([dated]) == [f"bm25…-20 → {b}"]
    assert called([replace(lite, name=f"{b} → {c}", a=b), dated])[0] == "hybr…-20 → hybrid_knn_l…2026-11-20"


def test_side_by_side_the_odd_one_is_named_not_those_that_can_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dots of the policy that most have are full, wherever another one stands in the list; one with another measure is
    said not to be drawn.
    """
    drawn: list[charts.Dot] = []
    monkeypatch.setattr(history_parts.charts, "dot_chart", lambda dots, _: drawn.extend(dots) or go.Figure())
    saved, store = saving.store().load(named("x").id), saving.store()
    policy = saved.state.policy
    for name, own in (("y", policy), ("strict", policy.changed(mpe=0.5)), ("other", rd.Policy(primary="AP"))):
        state = replace(saved.state, name=name, policy=own)
        store.create_seen((saved.content, state, comparison_of(saved.content, state)))
    at = history_page(app().run(), 0, 1, 2, 3).button(key="history_side").click().run()
    side = [(name, is_alike) for name, *_, is_alike, _ in drawn if "\n" not in name]  # the others are over time
    assert side == [("strict", False), ("y", True), ("x", True)]
    differ = history_words.NOT_COMPARABLE.format(reference="y", names="other, strict", parts="the policy")
    assert [one.value for one in at.warning] == [differ]
    assert history_words.NOT_DRAWN.format(names="other") in texts(at)
    at = history_page(None, 0, 1, 2, 3).button(key="history_delete").click().run()
    assert history_words.DELETED_MANY.format(n=4) in texts(at)


def test_side_by_side_says_that_none_is_proven_better_than_another() -> None:
    """It names the largest difference with where its interval lies, where one is the largest, and claims no more."""
    saved, store = saving.store().load(named("x").id), saving.store()
    turned = replace(saved.state, name="turned", swapped=True)
    store.create_seen((saved.content, turned, comparison_of(saved.content, turned)))
    at = history_page(app().run(), 0, 1).button(key="history_side").click().run()
    largest = history_words.LARGEST.format(name="x", interval=history_words.LIES[1])
    assert f"{largest} {history_words.NOT_WITH_EACH_OTHER}" in texts(at).replace("\\", "")
    for drawn, lies in (
        ((0.1, -0.1, 0.3), 0),
        ((-0.1, -0.2, -0.01), -1),
        ((0.1, None, None), None),
        ((-0.5, -1, 0), ""),
    ):
        said = saved_words.largest_words([("a", *drawn), ("b", -0.5, -0.6, 0.4)])
        assert said.endswith(history_words.NOT_WITH_EACH_OTHER)
        assert (lies != "" and history_words.LIES[lies] in said) is (drawn[0] != -0.5)


def test_the_list_counts_all_candidates_and_tells_those_of_a_day_apart() -> None:
    """The verdict of a comparison that was seen before there was another candidate is computed for both. Dates have the
    time, and a year where there are several; Side by side has both.
    """
    saved, store = saving.store().load(named("x").id), saving.store()
    shorter = replace(saved.content.b, table=saved.content.b.table.slice(1), name="shorter")
    other = saved.content.with_tables(b=shorter)
    for content in (saved.content, other):
        store.create_seen((content, saved.state, comparison_of(content, saved.state)))
    assert [bool(row.outcome) for row in store.listed().rows[:2]] == [True, False]
    at = history_page(app().run(), 0, 1)
    assert all(row.outcome for row in store.listed().rows[:2])
    assert all(said.endswith(" (1 of 2 tried)") for (said,) in at.dataframe[0].value["outcome"][:2])
    assert "candidates" not in saved_words.verdict_words(replace(store.listed().rows[0], outcome="NOT_COMPARABLE"))
    assert history_words.DATES[True][0] in at.dataframe[0].proto.columns
    at.button(key="history_side").click().run()
    newest, *_, oldest = store.listed().rows
    assert f"{newest.changed:%Y-%m-%d %H:%M}" in texts(at)
    with store.database.writing() as connection:
        earlier = newest.changed.replace(year=newest.changed.year - 1, day=1)
        connection.execute(sa.update(COMPARISON).where(COMPARISON.c.id == oldest.id).values(changed=earlier))
    assert history_words.DATES[False][0] in history_page().dataframe[0].proto.columns


def test_a_group_has_one_name_its_tags_and_the_decision_on_any_of_it() -> None:
    """Tagged are all of a group, also those that are deleted; its row says what was decided on one of them, and no name
    changes as others are deleted, down to the last.
    """
    saved = saving.store().load(named("alone").id)
    made = []
    for b in ("new", "newer", "newest"):
        state = replace(saved.state, name="Spring", b=b)
        made.append((saved.content, state, comparison_of(saved.content, state)))
    store = saving.store()
    store.delete(saved.id)
    group = [one.id for one in store.create_seen(*made, group=new_id())]
    store.decide(group[1], Decided("launch", "Kim"), store.results(group[1])[0])
    store.delete(group[2])
    at = ticked(history_page(), "history_tags")
    at.multiselect(key="history_tag_box").set_value(["weekly"])
    press_inside(at, "history_tags", "history_tags_save")
    store.undelete(group[2])
    assert [(row.name, row.tags) for row in store.listed().rows] == [("Spring", ("weekly",))] * 3
    at = ticked(history_page(), "history_unfold")
    shown = at.dataframe[0].value
    assert list(shown["name"]) == ["Spring (3 candidates)", "↳ new", "↳ newer", "↳ newest"]
    assert list(shown["choice"]) == ["newer: Launch", "", "Launch", ""]
    assert sorted(called(store.listed().rows)) == ["Spring: new", "Spring: newer", "Spring: newest"]
    for gone, left in ((0, "Spring (2 candidates)"), (2, "Spring")):
        store.delete(group[gone])
        shown = at.run().dataframe[0].value
        assert (shown["name"][0], shown["choice"][0]) == (left, "newer: Launch" if gone == 0 else "Launch")


def test_with_nothing_saved_there_is_nothing_to_search() -> None:
    """The empty page says how to begin, and has no controls."""
    at = history_page()
    assert at.header[0].value == history_words.EMPTY
    assert not [*at.selectbox, *at.dataframe]


def test_the_picture_has_every_comparison_of_the_measure_of_most() -> None:
    """Each has a row of its own with its name and its time, the oldest first. Differences and intervals are those of
    the list; one of another measure is left out, and counted.
    """
    tabs = [named("one"), named("two"), named("three")]
    tabs[2](actions.decide_by, rd.Policy(primary="AP"))
    for tab in tabs:
        verdict_page(tab.id)
    at = history_page()
    (chart,) = at.get("plotly_chart")
    figure = json.loads(chart.proto.spec)
    (trace,) = figure["data"]
    shown = [row for row in saving.store().listed().rows if row.measure == "nDCG@10"][::-1]
    assert figure["layout"]["yaxis"]["ticktext"] == [f"{row.name}<br>{row.changed:%Y-%m-%d %H:%M}" for row in shown]
    assert (trace["x"], trace["y"]) == ([row.delta for row in shown], [0, 1])
    ends = [x + up for x, up in zip(trace["x"], trace["error_x"]["array"], strict=True)]
    assert ends == pytest.approx([row.upper for row in shown])
    assert history_words.PICTURE_OF.format(shown=2, n=3) in texts(at)


def ticked(at: AppTest, button: str) -> AppTest:
    """The page after the first row was ticked and a button pressed."""
    key = next(one.key for one in at.dataframe if str(one.key).startswith("history_table_"))
    at.session_state[key] = {"selection": {"rows": [0], "columns": []}}
    at.run().button(key=button).click().run()
    return at


def test_ticked_comparisons_are_copied_deleted_and_brought_back() -> None:
    """What the buttons above the list do, one after the other, to the comparison and to the list."""
    named("summer")
    at = ticked(history_page(), "history_duplicate")
    assert sorted(at.dataframe[0].value["name"]) == ["summer", history_words.COPY_OF.format(name="summer")]
    found = history_page().text_input(key="history_words").set_value("copy").run()
    assert found.caption[0].value.startswith("1 of 2 ")
    ticked(at, "history_delete")
    assert len(at.dataframe[0].value) == 1
    at.button(key="history_undo").click().run()
    assert len(at.dataframe[0].value) == 2


def test_what_was_deleted_here_while_it_is_open_is_named_and_is_no_warning() -> None:
    """Other pages say so by the name of the comparison, without the sign of a fault."""
    at = ticked(history_page(verdict_page(named("summer").id)), "history_delete").switch_page(SCRIPTS["verdict"]).run()
    said = next(one.value for one in at.markdown if "was deleted" in one.value)
    assert ("summer" in said, history_words.MARK[True] in said, "warning" in said) == (True, True, False)


def test_on_a_shared_server_each_lists_what_his_browser_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """With RANKDASH_SHARED=1 a comparison is listed where it was opened, and where its link was followed."""
    monkeypatch.setenv("RANKDASH_SHARED", "1")
    one = named("spring")
    other = Tab()
    mine, theirs = one(saving.listed), other(saving.listed)
    store = saving.store()
    assert [row.name for row in store.listed(Search(browser=mine)).rows] == ["spring"]
    assert store.listed(Search(browser=theirs)).total == 0
    other(actions.open_saved, one.id)
    assert store.listed(Search(browser=theirs)).total == 1


def test_a_look_is_counted_once_for_each_state_of_the_data() -> None:
    """Edits, names and a second visit are no look; another run of the same pair is one, and the verdict says so."""
    tab = saved_tab()
    for _ in range(2):
        verdict_page(tab.id)
    tab.edit(GRADE)
    verdict_page(tab.id)
    assert tab(saving.times).looks == 1
    newer, counted = inputs(), 5
    for n in range(2, counted + 1):
        run = replace(newer.b, table=newer.b.table.slice(5 * n))
        tab(actions.open_inputs, newer.with_tables(b=run), replacing=True)
        assert tab(saving.times).looks == n
        at = verdict_page(tab.id)
        assert saving.store().results(tab.id)[0].looks == n
    decided = rd.decide(verdicts.opened(tab(open_comparison.current)).comparison, counted)
    caveats = {one.id: one.sentence for one in decided.caveats}
    assert caveats["looks"] in texts(at)


def test_a_policy_that_was_changed_after_results_were_seen_says_so_in_every_session() -> None:
    """The stamp on the verdict outlives the session in which the policy was changed; one chosen before is no change."""
    tab = saved_tab()
    tab(actions.decide_by, rd.Policy(cutoff=7))
    assert verdict_words.POLICY_STAMP not in texts(verdict_page(tab.id))
    assert verdict_words.POLICY_STAMP not in texts(verdict_page(tab.id))
    tab(actions.decide_by, rd.Policy(cutoff=8))
    assert verdict_words.POLICY_STAMP in texts(verdict_page(tab.id))


def decided(at: AppTest, **fields: Any) -> AppTest:
    """Fills the form of decisions in and presses its button. That a reason is required is said before."""
    at.button(key="decision_record").click().run()
    assert at.segmented_control(key="decision_choice").value is None
    choice = fields.get("choice", "launch")
    if choice is not None:
        at.segmented_control(key="decision_choice").set_value(choice)
    at.text_input(key="decision_by").set_value(fields.get("by", "Ada"))
    at.text_area(key="decision_reason").set_value(fields.get("reason", ""))
    at.button(key="decision_record").click().run()
    label = history_words.REASON[fields.get("against", choice == "no_launch")]
    assert at.text_area(key="decision_reason").label == label
    press_inside(at, "decision_record", "decision_add")
    return at


def test_a_decision_is_stamped_on_the_verdict_with_what_was_done_since() -> None:
    """The banner says who decided what, when and on which revision, and no next step against it; after an edit that it
    was edited, on every page the way to decide again stands beside the policy.
    """
    tab = saved_tab()
    at = decided(verdict_page(tab.id), choice="no_launch", by=HOSTILE[:30], reason="The index is not there yet.")
    assert at.toast[0].value.startswith("Added to the record")
    decision = saving.store().decisions(tab.id)[0]
    said = f"Decided: do not launch, {HOSTILE[:30]}, {decision.at:%Y-%m-%d}, on saved version {decision.revision}"
    assert stamp(verdict_page(tab.id)) == said
    assert "The index is not there yet." in texts(at)
    assert ["Next step" in texts(page) for page in (at, verdict_page(saved_tab().id))] == [False, True]
    tab.edit(GRADE)
    at = verdict_page(tab.id)
    assert stamp(at) == f"{said}; edited since"
    at.switch_page(SCRIPTS["data"]).run()
    assert "decision_record" in [button.key for button in at.button]


def test_the_search_finds_a_decision_by_the_words_of_its_row() -> None:
    """What the row says finds it, in any letters; a decision that another one replaced does not."""
    store, ids = saving.store(), {choice: saved_tab().id for choice in history_words.CHOICES}
    for choice, id in ids.items():
        saved = store.load(id)
        result = store.seen(saved, found := comparison_of(saved.content, saved.state), rd.decide(found))
        for decided in ("postponed", choice):
            store.decide(id, Decided(decided, "Kim", "Known."), result)
    for said in history_words.CHOICES.values():
        at = history_page().text_input(key="history_words").set_value(said.upper()).run()
        rows = at.dataframe[0].value["choice"]
        assert list(rows) == [
            one for one in [*history_words.CHOICES.values()][::-1] if said.casefold() in one.casefold()
        ]


def test_a_decision_stands_above_the_segments() -> None:
    """On paper what was decided is on the first sheet, however many segments there are."""
    tab = saved_tab(inputs().with_tables(queries=rd.read_queries(queries_csv())))
    captions = [one.value for one in verdict_page(tab.id).caption]
    assert captions.index(history_words.NONE_YET) < captions.index(verdict_words.SEGMENT_NOTES[False, True])


def stamp(at: AppTest) -> str:
    """What is stamped on the banner, letter by letter."""
    said = [one.value.replace("\\", "").replace("\u2060", "") for one in at.markdown]
    return next(one for one in said if "Decided:" in one).partition("[")[2].partition(" ")[2].rpartition("]")[0]


def test_an_online_result_is_on_record_with_its_metric() -> None:
    """Without a metric it is not written down; with one it stands on the page and on record, with its unit."""
    tab = saved_tab()
    at = verdict_page(tab.id)
    for metric, said in (("", "What was measured"), ("Clicks, in %", "Clicks, in % +0.400")):
        at.button(key="decision_online").click().run()
        at.text_input(key="online_metric").set_value(metric)
        at.text_input(key="online_by").set_value("Ada")
        at.number_input(key="online_delta").set_value(0.4)
        press_inside(at, "decision_online", "online_add")
        assert said in texts(at).replace("**", "").replace("\\", "")
    assert [one.observed.metric for one in saving.store().observations(tab.id)] == ["Clicks, in %"]


#: The button that opens a dialog, and what its own keys begin with.
DIALOGS = {"new_comparison": "new", "decision_record": "decision", "decision_online": "online"}


@pytest.mark.parametrize("opener", DIALOGS)
def test_what_is_typed_at_length_into_a_dialog_is_closed_by_its_buttons_alone(opener: str) -> None:
    """No key and no click beside it takes what was typed; Cancel is there, and closes it."""
    tab = saved_tab()
    at = verdict_page(tab.id)
    at.button(key=opener).click().run()
    (dialog,) = at.get("dialog")
    assert not dialog.proto.dialog.dismissible
    at.button(key=opener).click()
    cancel = at.button(key=f"{DIALOGS[opener]}_cancel")
    assert cancel.label == style.CANCEL
    cancel.click().run()
    assert f"{DIALOGS[opener]}_cancel" not in [button.key for button in at.run().button]


def row_of(tab: Tab) -> ListedRow:
    """What every list shows of a comparison."""
    (found,) = (row for row in saving.store().listed(Search(most=100)).rows if row.id == tab.id)
    return found


def page(tab: Tab, name: str = "queries") -> AppTest:
    """A page of a comparison, opened by its link."""
    return verdict_page(tab.id).switch_page(SCRIPTS[name]).run()


def truth(tab: Tab) -> tuple[str, str, str, str, float | None]:
    """Names and verdict of what a session shows, computed anew."""
    now = tab(open_comparison.current)
    tables = (now.a, now.b, now.judgments)
    assert not now.edits
    verdict = rd.decide(comparison := rd.compare(*tables, policy=tab(verdicts.opened, now).policy))
    return now.title, now.a.name, now.b.name, verdict.tag, comparison.primary.paired.delta


def told(row: ListedRow) -> tuple[str, str, str, str, float | None]:
    """The same of a row."""
    return row.name, row.a, row.b, row.tag, row.delta


CHANGES: dict[str, Any] = {
    "swap": lambda tab: tab(actions.swap),
    "policy": lambda tab: tab(actions.decide_by, rd.Policy(primary="AP")),
    "replace": lambda tab: tab(
        actions.open_inputs, inputs().with_tables(b=inputs().a.renamed("third")), replacing=True
    ),
}


@pytest.mark.parametrize("name", ["data", "history"])
@pytest.mark.parametrize("change", list(CHANGES))
def test_a_list_has_no_number_of_before_a_change_and_the_right_one_after_any_page(change: str, name: str) -> None:
    """Once something was changed its row says that nothing is computed; whatever page shows it then, and in whatever
    session History is shown, the list has the verdict of now, beside the names of now.
    """
    tab = saved_tab()
    page(tab)
    assert told(row_of(tab)) == truth(tab)
    CHANGES[change](tab)
    row = row_of(tab)
    assert told(row) == (*truth(tab)[:3], "", None)
    assert (row.outcome, row.measure, row.lower, row.n) == (None, None, None, None)
    assert history_words.NOT_COMPUTED in listed_text(saving.store().listed())
    (history_page if name == "history" else partial(page, tab, name))()
    assert told(row_of(tab)) == truth(tab)
    cells = history_page().dataframe[0].value.iloc[0]
    now = row_of(tab)
    assert [*cells["outcome"]] == [f"{now.screen}: {now.tag}"]


def test_what_is_undone_renamed_or_exchanged_twice_has_its_result_again() -> None:
    """The same case is the same result: after undo, two swaps, another name, and in a duplicate."""
    tab = saved_tab()
    page(tab)
    before = row_of(tab)
    tab.edit(GRADE)
    assert row_of(tab).outcome is None
    tab(actions.undo)
    assert replace(row_of(tab), changed=before.changed) == before
    tab(actions.swap)
    tab(actions.swap)
    tab(actions.rename, "another name")
    tab(actions.rename, before.name, before.a, before.b)
    assert replace(row_of(tab), changed=before.changed) == before
    tab(actions.rename, "other", "x", "y")
    assert told(row_of(tab)) == ("other", "x", "y", before.tag, before.delta)
    copy = saving.store().duplicate(tab.id, name="copy")
    (row,) = (one for one in saving.store().listed().rows if one.id == copy)
    assert told(row) == ("copy", "x", "y", before.tag, before.delta)


def test_votes_alone_are_in_the_list_whatever_page_is_shown() -> None:
    """Their verdict is recorded where any page shows them, and again after a policy."""
    tab = Tab()
    tab(actions.open_votes, rd.read_votes({f"q{n}": "good" if n % 3 else "bad" for n in range(60)}))
    page(tab, "history")
    assert (row_of(tab).measure, row_of(tab).outcome) == ("ΔGSB", "LAUNCH")
    tab(actions.decide_by, rd.Policy(votes_mpe=0.9))
    assert row_of(tab).outcome is None
    page(tab, "verdict")
    assert row_of(tab).outcome == "TOO_SMALL"


def test_lists_say_what_the_verdict_page_says() -> None:
    """Where harm is possible the page says so in its tag, and so do History, the terminal and the decision."""
    kept = tuple(f"q{n},".encode() for n in range(15, 50, 5))  # so that three queries lose the document at rank 3
    lines = zip(*(run_csv(better).splitlines() for better in (False, True)), strict=True)
    mixed = b"\n".join(a if a.startswith(kept) else b for a, b in lines)
    tab = saved_tab(inputs().with_tables(b=rd.read_run(mixed, name="new")))
    tab(actions.decide_by, rd.Policy(guardrails=(("R@3", 0.01),)))
    at = decided(verdict_page(tab.id), reason="let us see", against=True)
    assert "possible harm" in [one.value for one in at.header]
    said = "No launch yet: possible harm"
    assert history_page().dataframe[0].value.iloc[0]["outcome"] == said
    assert said in listed_text(saving.store().listed())
    assert said in texts(verdict_page(tab.id))


def test_a_verdict_of_another_version_is_marked_in_lists() -> None:
    """What an older rankdash computed of this case stands there with its version, until its page is opened."""
    tab = saved_tab()
    verdict_page(tab.id)
    with saving.store().database.writing() as connection:
        connection.execute(sa.text("UPDATE result SET engine = '0.0.1', id = 'older'"))
    assert history_page().dataframe[0].value.iloc[0]["outcome"][0].endswith("(by rankdash 0.0.1)")
    verdict_page(tab.id)
    assert "0.0.1" not in history_page().dataframe[0].value.iloc[0]["outcome"]


def test_a_decision_says_what_was_changed_since() -> None:
    """On the page and in the list it says on what it was made, and what was done to that; undone, it says nothing."""
    tab = saved_tab()
    was = truth(tab)
    decided(verdict_page(tab.id))
    assert history_page().dataframe[0].value.iloc[0]["choice"] == "Launch"
    changes = [
        (lambda: tab.edit(GRADE), Since.EDITED),
        (lambda: tab(actions.undo), Since.SAME),
        (lambda: tab(actions.swap), Since.EXCHANGED),
        (lambda: tab(actions.swap), Since.SAME),
        (
            lambda: tab(actions.open_inputs, inputs().with_tables(b=inputs().a.renamed("third")), replacing=True),
            Since.REPLACED,
        ),
    ]
    for act, since in changes:
        act()
        word = history_words.SINCE[since]
        assert history_page().dataframe[0].value.iloc[0]["choice"] == (f"Launch ({word})" if word else "Launch")
        on_page = texts(verdict_page(tab.id))
        assert f"on saved version 1{f' ({word})' if word else ''}, whose verdict was “Launch: B is better”" in on_page
        assert "old → new: on saved version 1" in on_page
    (logged,) = saving.store().logged()
    assert (logged.decision.subject.model_a, logged.decision.subject.model_b) == was[1:3]
    assert delta_words(logged.decision.verdict["measure"], was[4]) in on_page


def test_the_launch_log_outlasts_the_comparison() -> None:
    """Names, verdict and numbers are those of the decision, whatever was done since: renamed, exchanged, deleted and
    erased, it stays in the file, which the page offers also where nothing else is left.
    """
    tab = saved_tab()
    was = truth(tab)
    decided(verdict_page(tab.id), by="Ada")
    (before,) = saving.store().logged()
    tab(actions.rename, "later", "x", "y")
    tab(actions.swap)
    (now,) = saving.store().logged()
    assert replace(now.decision, since=Since.SAME) == before.decision
    store = saving.store()
    store.delete(tab.id)
    assert store.expire(timedelta(0)) == 1
    (gone,) = store.logged()
    assert replace(gone.decision, since=Since.SAME) == before.decision
    assert (gone.decision.since, gone.is_in_force) == (Since.DELETED, True)
    assert [one.proto.id.endswith("launch_log") for one in history_page().get("download_button")] == [True]
    assert f"{was[0]},{was[1]},{was[2]}" in store.launch_log().decode().replace('"', "")


def test_on_a_shared_server_a_duplicate_and_the_log_belong_to_who_made_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A duplicate stands in the list of the browser that made it; its decisions stay in its log when it is erased."""
    monkeypatch.setenv("RANKDASH_SHARED", "1")
    tab = saved_tab()
    mine, store = tab(saving.listed), saving.store()
    at = app()
    put(at, browser=mine)
    at = history_page(at.run(), 0)
    at.button(key="history_duplicate").click().run()
    assert len(at.dataframe[0].value) == 2
    assert store.listed(Search(browser=mine)).total == 2
    assert store.listed(Search(browser="somebody else")).total == 0
    decided(verdict_page(tab.id))
    store.delete(tab.id)
    store.expire(timedelta(0))
    assert (len(store.logged(mine)), len(store.logged("somebody else"))) == (1, 0)


def test_a_reading_that_is_corrected_is_no_second_look() -> None:
    """The same file read in another way is the same data; another file is a further state."""
    tab = saved_tab()
    verdict_page(tab.id)
    other = inputs().with_tables(a=replace(inputs().a, ordered_by="position"))
    tab(actions.open_inputs, other, replacing=True, reread=True)
    assert tab(saving.times).looks == 1
    verdict_page(tab.id)
    tab(actions.open_inputs, other.with_tables(b=inputs().a.renamed("third")), replacing=True)
    assert tab(saving.times).looks == 2
