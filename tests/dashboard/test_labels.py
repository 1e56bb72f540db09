"""The Label page, run without a browser; also of two lists without judgments, which have no numbers until then."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.case import Case
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import labels
from rankdash.dashboard.session import actions, open_comparison, session
from rankdash.edits import labelled
from rankdash.inspect.labels import candidates, label_queue, label_scale, words_here
from rankdash.report.tables import worklist_csv
from rankdash.style import editing as words, queries, reading as reading_words
from rankdash.wording import end, signed
from tests.browsed import judgments_csv
from tests.dashboard.records import held
from tests.dashboard.saved_sessions import Tab, saved_tab
from tests.dashboard.test_pages import FILES, opened_at, opened_with, texts, upload

pytestmark = pytest.mark.usefixtures("home")


COMPARISON = rd.compare(
    rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1]), rd.read_judgments(FILES["judgments"][1])
)
FOUND = candidates(COMPARISON) or ()
PAIRS = [(one.query_id, one.doc_id) for one in FOUND]


@pytest.fixture
def page() -> AppTest:
    """The page, for uploaded files."""
    return opened_at(SCRIPTS["label"])


def press(at: AppTest, name: str) -> AppTest:
    """Presses a button of the card."""
    return next(button for button in at.button if button.label == name).click().run()


def test_documents_come_in_the_order_of_the_worklist_and_the_bounds_narrow(page: AppTest) -> None:
    """The first document is the one whose label could move the mean most; a grade counts at once, says what the
    verdict was, and brings the next. A skipped one comes last, and each is taken back by undo.
    """
    first, second = (words.RANK_IN.format(rank=one.rank_a, side="A") for one in FOUND[:2])
    assert COMPARISON.delta_bounds is not None
    bounds = words.TO.join(map(end, COMPARISON.delta_bounds))
    assert FOUND[0].title in texts(page)
    assert first in texts(page)
    assert page.metric[0].value == bounds
    press(page, "Grade 2")
    assert labelled(held(page).case.edits) == {PAIRS[0]: 2.0}
    assert FOUND[1].title in texts(page)
    assert second in texts(page)
    assert page.metric[0].value != bounds
    assert page.metric[1].value == "1"
    before = f"{rd.decide(COMPARISON).screen}, ΔnDCG@10 {signed(COMPARISON.primary.paired.delta, 4)}"
    assert words.EFFECT.format(before, "").partition("**")[0] in texts(page)
    press(page, words.SKIP)
    assert FOUND[1].title not in texts(page)
    press(page, words.UNDO)
    assert FOUND[1].title in texts(page)
    press(page, words.UNDO)
    assert FOUND[0].title in texts(page)
    assert page.metric[0].value == bounds


def test_a_newer_file_undoes_labels_only_after_saying_so(page: AppTest) -> None:
    """Beside the button that exchanges a file stands what that undoes, where there are labels or edits."""
    press(page, "Grade 2").switch_page(SCRIPTS["data"]).run()
    assert reading_words.REPLACES[True] in texts(upload(page, "replace", {"q": ("newer.csv", judgments_csv())}))


@pytest.mark.parametrize(
    ("grades", "rel", "scale"),
    [((1, 2, 4), 1, (0, 1, 2, 3, 4)), ((1, 2, 4), 2, (0, 1, 2, 3, 4)), ((0, 2), 1, (0, 1, 2)), ((1, 1, 1), 1, (0, 1))],
)
def test_a_document_can_be_labelled_as_not_relevant(
    grades: tuple[int, ...], rel: float, scale: tuple[float, ...]
) -> None:
    """Some grade says that a document is not relevant, also where the judgments name only relevant ones."""
    judgments = rd.read_judgments({"q1": {f"d{n}": grade for n, grade in enumerate(grades)}})
    run = rd.read_run({"q1": ["d0", "d9"]})
    policy = rd.Policy(convention=rd.Policy().in_force.with_axes({"rel": rel}))
    assert label_scale(rd.compare(run, run, judgments, policy=policy)) == scale


def test_what_was_skipped_comes_last_in_the_order_in_which_it_was_skipped() -> None:
    """Whichever documents were skipped, every other one comes first; of one query there are its own alone."""
    for skipped in ([], PAIRS[:1], [PAIRS[2], PAIRS[0]], [*PAIRS[3:], *PAIRS[:3]], PAIRS[1:]):
        queue = label_queue(COMPARISON, skipped)
        left = [pair for pair in PAIRS if pair not in skipped] or skipped
        assert (queue.document.query_id, queue.document.doc_id) == left[0]
    of_one = label_queue(COMPARISON, (), PAIRS[4][0])
    assert (of_one.document.query_id, of_one.left, of_one.of_all) == (PAIRS[4][0], 1, len(PAIRS))


def test_two_who_label_at_once_are_not_asked_and_both_grades_count() -> None:
    """Neither session knows of the other's grade. Of one document that both graded the first grade stays, which is said
    to the second.
    """
    one = saved_tab()
    other = Tab(one.id)
    one(labels._grade, PAIRS[0], 2.0)
    other(labels._grade, PAIRS[1], 0.0)
    other(labels._grade, PAIRS[0], 1.0)
    assert one(actions.refresh)
    for tab in (one, other):
        assert tab(session.now).conflict is None
        assert not tab(session.now).problem
        assert labelled(tab(open_comparison.edits)) == {PAIRS[0]: 2.0, PAIRS[1]: 0.0}
    assert other(open_comparison.notices_for, "edits")
    assert not one(open_comparison.notices_for, "edits")
    other(actions.undo)
    assert labelled(Tab(one.id)(open_comparison.edits)) == {PAIRS[0]: 2.0}


def test_labels_of_another_day_are_said_to_be_beyond_undo() -> None:
    """The button that takes nothing back, and the count, say where they are changed. They can be saved on this page."""
    tab = saved_tab()
    tab(labels._grade, PAIRS[0], 2.0)
    at = opened_at(SCRIPTS["label"], comparison=tab.id)
    undo = next(button for button in at.button if button.label == words.UNDO)
    assert (undo.disabled, undo.help) == (True, words.UNDO_HELP)
    assert f"{words.SINCE_OPENED[False]}{words.EARLIER}" in texts(at)
    assert words.SAVE_JUDGMENTS in [one.label for one in at.get("download_button")]


@pytest.mark.parametrize(
    ("grades", "names"),
    [
        ({"0": "no", "2": "yes"}, ["no", "yes"]),
        ({"0": "Irrelevant", "2": "Exact"}, ["Irrelevant", "Grade 1", "Grade 2", "Exact"]),
        ({"0": "0.5", "2": "1"}, ["Grade 0.5", "Grade 1"]),
        ({"0": "1", "2": "5"}, ["Grade 1", "Grade 2", "Grade 3", "Grade 4", "Grade 5"]),
    ],
)
def test_the_buttons_are_the_scale_of_the_judgments(grades: dict[str, str], names: list[str]) -> None:
    """With the words of the file where it has words."""
    shown = [button.label for button in graded(lambda _, grade: grades.get(grade, grade)).button]
    assert shown[shown.index(names[0]) :][: len(names)] == names


def test_a_long_scale_has_a_field() -> None:
    """With more grades than digits a grade is typed, and counts like one of a button; what is none counts not."""
    at = graded(lambda row, grade: grade if row == 0 else str(row % 20))
    for typed in (7, 5000):
        at.number_input[0].set_value(typed).run()
        assert set(labelled(held(at).case.edits).values()) == {7.0}


def test_data_names_the_grades_as_they_are() -> None:
    """Half a grade is not rounded."""
    at = graded(lambda _, grade: {"0": "-1", "2": "0.5"}.get(grade, grade)).switch_page(SCRIPTS["data"]).run()
    assert any("grades −1, 0.5" in said.value.replace("\\", "") for said in at.markdown)


def graded(grade: Callable[[int, str], str]) -> AppTest:
    """The page, with other grades in the rows of the judgments."""
    rows = [row.rpartition(",") for row in judgments_csv().decode().splitlines()]
    table = "\n".join(f"{start},{grade(number, last)}" for number, (start, _, last) in enumerate(rows))
    runs = [rd.read_run(io.BytesIO(FILES[side][1]), name=side) for side in ("a", "b")]
    return opened_at(SCRIPTS["label"], Case((runs[0], runs[1]), rd.read_judgments(io.BytesIO(table.encode()))))


def test_labels_come_back_from_the_file_that_went_out(page: AppTest) -> None:
    """The list as CSV, filled in and uploaded, labels every document; then nothing is left, nor new in it."""
    lines = worklist_csv(FOUND).decode().splitlines()
    filled = "\n".join([lines[0], *(line.replace(',"",', ",1,") for line in lines[1:])])
    page.file_uploader[0].set_value(("labels.csv", filled.encode(), "text/csv"))
    page.run()
    assert page.metric[1].value == str(len(FOUND))
    assert words.NOTHING_TO_LABEL[False].format(k=10) in texts(page)
    assert words.LABELLED_ALL.partition("{")[0] in texts(page)
    page.file_uploader[0].set_value(("labels.csv", filled.encode(), "text/csv"))
    assert words.LABELS_NONE in texts(page.run())
    alone = opened_at(SCRIPTS["label"], query_labelled=PAIRS[0][0])
    for query_id, _ in PAIRS:
        alone = press(alone, "Grade 2") if query_id == PAIRS[0][0] else alone
    assert words.NOTHING_TO_LABEL[True].format(k=10) in texts(alone)


def test_a_loaded_grade_of_no_listed_document_is_a_warning(page: AppTest) -> None:
    """An id that lost its zeros, or that is in the list of another query alone; what is listed is no warning."""
    (query_id, doc_id), (other, _) = PAIRS[0], next(pair for pair in PAIRS if pair[0] != PAIRS[0][0])
    rows = (f"{query_id},{doc_id},1", f"{query_id},{doc_id}0,1", f"{other},{doc_id},0")
    for given, n in ((rows[:1], 0), (rows, 2)):
        page.file_uploader[0].set_value(
            ("labels.csv", "\n".join(("query_id,doc_id,relevance", *given)).encode(), "text/csv")
        )
        page.run()
        assert (words.UNLISTED.format(n=f"{n} labels") in texts(page)) is (n > 0)
    assert words.LABELLED_ALL.partition("{")[0] not in texts(page)


def test_a_file_that_would_ask_says_what_to_call_its_columns(page: AppTest) -> None:
    """There is no card here on which a column could be chosen."""
    page.file_uploader[0].set_value(("labels.csv", b"query,Stueck,Note\nq,a,1\n", "text/csv"))
    page.run()
    assert words.LOAD_NEEDS in texts(page)
    assert "Details" not in texts(page)


def test_a_word_of_a_file_means_what_it_means_in_the_judgments() -> None:
    """Also where a person chose its grade, and where the scale of the file alone has another."""
    for asked, word in (({"Perfect": 3, "Bad": 0}, "perfect"), ({}, "Perfect")):
        judged = io.StringIO("query_id,doc_id,relevance\nq,a,Perfect\nq,b,Bad\n" + "q,c,ok\n" * (not asked))
        here = rd.read_judgments(judged, grades=asked).source
        assert dict(words_here(here, [word, "Bad"])) == {word: 3, "Bad": 0}


def test_no_key_grades_a_document_behind_a_dialog(page: AppTest) -> None:
    """In a run in which a button opens a dialog, the buttons of the card have no shortcuts."""
    dialogs = 0
    for key in [button.key for button in page.button if not str(button.key).startswith("label")]:
        at = opened_at(SCRIPTS["label"])
        assert [button.proto.shortcut for button in at.button if button.label == words.SKIP] == ["s"]
        at.button(key=key).click().run()
        if at.get("dialog"):
            dialogs += 1
            assert not any(button.proto.shortcut for button in at.button if button.label == words.SKIP)
    assert dialogs >= 4


PAGES = Path(__file__).parents[2] / "rankdash" / "dashboard" / "pages"


@pytest.mark.parametrize("page", sorted(path.stem for path in PAGES.glob("[a-z]*.py")))
def test_lists_without_judgments_open_on_every_page(page: str) -> None:
    """The form compares two runs alone; each page opens, the verdict says that nothing was judged."""
    at = opened_with({side: FILES[side] for side in "ab"})
    assert held(at).case.judgments is None
    assert "No judgments" in texts(at)
    at.button(key="open_export").click().run()
    assert "export_csv" not in str(at)  # it would be a heading alone
    at.switch_page(str(PAGES / f"{page}.py")).run()


def test_queries_without_judgments_are_sorted_by_change() -> None:
    """There is no filter set that nobody set, and none that a score would need; another cutoff is taken back."""
    at = opened_at(SCRIPTS["queries"], Case(RUNS))
    assert queries.CHART_HINTS["changed"] in texts(at)
    assert not [button for button in at.button if str(button.key).startswith("chip_")]
    assert {control.key for control in at.segmented_control} == {"k"}
    at.segmented_control(key="k").set_value("3").run()
    at.button(key="chip_measure").click().run()
    assert at.segmented_control(key="k").value == "10"
    assert not [button for button in at.button if str(button.key).startswith("chip_")]


RUNS = rd.read_run(FILES["a"][1]), rd.read_run(FILES["b"][1])
UNJUDGED = rd.compare(*RUNS)
DISAGREEMENTS = candidates(UNJUDGED) or ()


def test_labels_make_numbers_of_lists_without_judgments() -> None:
    """The documents of the largest disagreement come first, of every query also after the first grade; with a grade
    above 0 every page has numbers, whatever the first grades were, and undo leads back to lists without judgments.
    """
    at = opened_at(SCRIPTS["label"], Case(RUNS))
    assert words.NO_BOUNDS_YET in texts(at)
    assert [button.label for button in at.button if button.label.startswith("Grade")] == [
        "Grade 1",
        "Grade 2",
        "Grade 3",
    ]
    for place, grade in enumerate(["Not relevant", "Grade 3", "Grade 2"]):
        assert DISAGREEMENTS[place].title in texts(at)
        press(at, grade)
    assert list(labelled(held(at).case.edits)) == [(one.query_id, one.doc_id) for one in DISAGREEMENTS[:3]]
    assert words.NO_BOUNDS_YET not in texts(at)
    assert DISAGREEMENTS[3].title in texts(at)
    for script in SCRIPTS.values():
        at.switch_page(script).run()
    assert "No judgments" not in texts(at.switch_page(SCRIPTS["verdict"]).run())
    query = at.switch_page(SCRIPTS["edit"]).run().selectbox(key="edit_query")
    assert len(query.options) == len(UNJUDGED.query_ids)
    for name in UNJUDGED.query_ids[::20]:
        assert not at.selectbox(key="edit_query").set_value(name).run().exception
    at.switch_page(SCRIPTS["label"]).run()
    for _ in range(3):
        press(at, words.UNDO)
    assert not held(at).case.edits
    assert "No judgments" in texts(at.switch_page(SCRIPTS["verdict"]).run())


def test_a_list_of_disagreements_comes_back_with_grades() -> None:
    """The list without judgments as CSV, filled in and uploaded, grades every document, and then nothing is left."""
    at = opened_at(SCRIPTS["label"], Case(RUNS))
    first, *lines = worklist_csv(DISAGREEMENTS).decode().splitlines()
    filled = "\n".join([first, *(line.replace(',"",', ",1,") for line in lines)])
    at.file_uploader[0].set_value(("labels.csv", filled.encode(), "text/csv")).run()
    assert words.NOTHING_TO_LABEL[False].format(k=10) in texts(at)
    assert len(labelled(held(at).case.edits)) == len(DISAGREEMENTS)
