"""Several candidates on the pages: dropped, shown, switched between, saved, and left again."""

import gc
from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.case import Case
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import candidates_parts
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts
from rankdash.edits import Edit
from rankdash.policy import Policy
from rankdash.report import candidates as report
from rankdash.scoring import rankings
from tests.browsed import judgments_csv, run_csv
from tests.dashboard.records import held
from tests.dashboard.saved_sessions import Tab
from tests.dashboard.test_data_page import token
from tests.dashboard.test_pages import control, lost, press_inside, texts, upload, verdict_page
from tests.reading.made_files import workbook

pytestmark = pytest.mark.usefixtures("home")

OLD, NEW = run_csv(False), run_csv(True)
#: A worse one, and one of other queries.
WORSE = b"query_id,doc_id,rank\n" + b"".join(b"q%d,d%d-9,1\n" % (q, q) for q in range(50))
STRANGE = b"query_id,doc_id,rank\nother,d1,1\n"
FILES = {"base.csv": OLD, "new.csv": NEW, "worse.csv": WORSE, "strange.csv": STRANGE}
FILES |= {"x.csv": WORSE, "y.csv": OLD, "z.csv": NEW}
#: Files of several models, by their names, and grades.
_LISTS = {"x": "yzx", "y": "yxz", "z": "xyz"}
for file, models in (("one.csv", "xy"), ("all.csv", "xyz")):
    rows = [f"q{q},{m},{r},{d},{int(d == 'x')}" for q in range(30) for m in models for r, d in enumerate(_LISTS[m], 1)]
    FILES[file] = "\n".join(["query_id,model,rank,doc_id,relevance", *rows]).encode()


def dropped(*names: str, judged: bool = True) -> AppTest:
    """The form of a new comparison after these runs were dropped at once."""
    files = {name: FILES[name] for name in names} | ({"q.csv": judgments_csv()} if judged else {})
    return upload(lost(), "lost", {name: (name, content) for name, content in files.items()})


def compared(*names: str, judged: bool = True) -> AppTest:
    """What is shown when these are compared."""
    return dropped(*names, judged=judged).button(key="lost_compare").click().run()


def shown(at: AppTest) -> list[str]:
    """The cells of the table on the page, without their heads."""
    cells = (str(text.value) for text in at.markdown if str(text.value).startswith(":gray[:small["))
    return [cell.partition("]] ")[2].replace("\\", "") for cell in cells]


def test_three_runs_become_a_page_of_two_candidates_with_the_numbers_of_compare_many() -> None:
    """Each cell is that of ``compare_many``, the best first; a strange file is set aside by name, in the form and on
    the page.
    """
    at = dropped("base.csv", "strange.csv", "worse.csv", "new.csv")
    assert "strange" in "".join(text.value for text in at.text)
    at.button(key="lost_compare").click().run()
    assert "strange" in texts(at)
    found = rd.compare_many(OLD, {"worse": WORSE, "new": NEW}, judgments_csv(), names=["base", "worse", "new"])
    cells = [cell for row in report.rows(found) for cell in row]
    assert [cell.strip("*") for cell in shown(at) if "badge" not in cell] == [
        cell for at, cell in enumerate(cells) if (at + 1) % len(report.columns(found))
    ]
    assert report.headline(found).screen in texts(at)


@pytest.mark.parametrize(
    ("files", "others"), [(("x.csv", "y.csv", "z.csv"), "xz"), (("one.csv",), "x"), (("all.csv",), "xz")]
)
def test_which_is_a_is_asked_where_nothing_tells(files: tuple[str, ...], others: str) -> None:
    """Three runs under plain names, or models of one file: one question, and the others are its candidates. What a file
    is read as, it is for each candidate that it holds.
    """
    is_one = len(files) == 1
    at = dropped(*files, judged=not is_one)
    assert at.button(key="lost_compare").disabled
    at.selectbox(key="lost_model_a" if is_one else "lost_baseline").set_value(1).run()
    at.button(key="lost_compare").click().run()
    found = held(at).pairs or [held(at)]
    assert [(pair.case.a.name, pair.case.b.name) for pair in found] == [("y", name) for name in others]
    at.switch_page(SCRIPTS["data"]).run()
    at.button(key="correct_b").click().run()
    control(at, f"correct_order_{token(FILES[files[0]])}").set_value("position")
    at.button(key="correct_b").click().run()
    press_inside(at, "correct_b", "correct_apply")
    read = [[run.ordered_by for run in pair.case.runs] for pair in held(at).pairs or [held(at)]]
    assert read == ([["position"] * 2] * len(others) if is_one else [["rank", "position"], ["rank", "rank"]])


def test_sheets_of_one_workbook_are_candidates_under_names_of_their_own() -> None:
    """A workbook that is dropped three times gives a baseline and two candidates, each called by its sheet."""
    lists = {
        name: [["query_id", "doc_id", "rank"], *([f"q{q}", f"d{q}-{at}", 1] for q in range(50))]
        for at, name in enumerate(("s1", "s2", "s3"))
    }
    book = workbook(lists)
    at = upload(dropped(), "lost", {str(n): ("w.xlsx", book) for n in range(3)} | {"q": ("q.csv", judgments_csv())})
    for copy, sheet in (("", "s1"), ("_2", "s2"), ("_3", "s3")):
        control(at, f"lost_sheet_{token(book)}{copy}").set_value(sheet).run()
    assert len({*at.selectbox(key="lost_baseline").options}) == 3
    at.selectbox(key="lost_baseline").set_value(1).run()
    at.button(key="lost_compare").click().run()
    assert [(pair.case.a.name, pair.case.b.name) for pair in held(at).pairs] == [("s2", "s1"), ("s2", "s3")]


def test_another_file_with_several_models_is_of_all_that_it_holds() -> None:
    """A new file with A and all candidates takes the place of the old one for each of them, not for the one shown."""
    at = dropped("all.csv", judged=False)
    at.selectbox(key="lost_model_a").set_value(1).run()
    at.button(key="lost_compare").click().run()
    at.switch_page(SCRIPTS["data"]).run()
    upload(at, "replace", {"all": ("again.csv", FILES["all.csv"].replace(b"q1,", b"q99,"))})
    at.button(key="replace_compare").click().run()
    of = [{table.source.name for table in pair.case.tables.values()} for pair in held(at).pairs]
    assert of == [{"again.csv"}] * 2


def test_another_comparison_has_no_candidates() -> None:
    """Another comparison has neither the page Candidates nor the list that switches between them."""
    at = compared("base.csv", "new.csv", "worse.csv")
    at.button(key="new_comparison").click().run()
    press_inside(at, "new_comparison", "open_demo")
    assert held(at).group == ()
    at.switch_page(SCRIPTS["candidates"]).run()
    assert not shown(at)
    assert not [one for one in at.selectbox if one.key.startswith("candidate")]


@pytest.mark.parametrize("page", SCRIPTS)
def test_every_page_shows_one_of_several(page: str) -> None:
    """With several candidates, judged or not, every page is drawn."""
    for judged in (True, False):
        at = compared("base.csv", "new.csv", "worse.csv", judged=judged)
        at.switch_page(SCRIPTS[page]).run()


@pytest.mark.parametrize("files", [["base.csv", "new.csv", "votes"], ["base.csv", *(f"{n}.csv" for n in range(21))]])
def test_votes_and_more_than_twenty_are_refused(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The button stays disabled, with a sentence beside it."""
    votes = b"query_id,vote\n" + b"".join(b"q%d,%s\n" % (q, b"B" if q % 3 else b"A") for q in range(50))
    for name in files:
        other = votes if name == "votes" else WORSE + b"x,%s,1\n" % name.encode()
        monkeypatch.setitem(FILES, name, FILES.get(name, other))
    at = dropped(*files, *(["worse.csv"] if "votes" in files else []))
    assert at.button(key="lost_compare").disabled


GRADE = Edit("q1", "d1-0", "grade", None, 0, 3)


def group() -> Tab:
    """A session with two candidates, saved."""
    tab, judgments = Tab(), rd.read_judgments(judgments_csv())
    base, *others = (rd.read_run(FILES[f"{name}.csv"]).renamed(name) for name in ("base", "new", "worse"))
    tab(actions.open_inputs, *(Case((base, other), judgments) for other in others))
    return tab


def test_all_that_were_tried_are_counted_from_the_first_view_on() -> None:
    """What was compared with this A before counts beside all candidates of the group, also before these were shown."""
    tab, judgments = group(), rd.read_judgments(judgments_csv())
    base, before = (tab(session.now).case.a, rd.read_run(FILES["x.csv"] + b"q0,d0-1,2\n").renamed("before"))
    tab(actions.open_inputs, Case((base, before), judgments))
    tab(verdicts.shown, tab(session.now).case)
    again = group()
    seen_first = again(saving.times).candidates
    again(actions.see_candidates)
    assert seen_first == again(saving.times).candidates == 3


def test_one_link_restores_all_each_with_its_edits() -> None:
    """A link to any candidate opens all of them, with their edits, their policy and one level; undo is of one."""
    tab, moved = group(), Edit("q1", "d1-0", "rank", "b", 1, 2)
    tab(actions.edit, [moved])
    tab(actions.open_candidate, 1)
    assert tab(session.now).case.edits == ()
    tab(actions.decide_by, Policy(cutoff=5))
    links = [pair.saved.id for pair in tab(session.now).pairs]
    for at, link in enumerate(links):
        other = Tab(link)
        now = other(session.now)
        assert (now.member, now.case.b.name) == (at, ("new", "worse")[at])
        assert [pair.case.edits for pair in now.pairs] == [(moved,), ()]
        assert {pair.policy.cutoff for pair in now.pairs} == {5}
        assert {verdict.candidates for verdict in other(verdicts.candidates).verdicts} == {2}
    assert tab(verdicts.candidates).lead is None
    assert tab(lambda: verdicts.edited_apart(verdicts.cases())) == ["new"]
    tab(actions.open_candidate, 0)
    tab(actions.undo)
    assert tab(session.now).case.edits == ()
    assert tab(verdicts.candidates).lead is not None


def test_a_grade_counts_for_every_candidate() -> None:
    """All are compared on the same grades, in the store too, also after undo of it, or of another edit, elsewhere."""
    tab, moved = group(), Edit("q1", "d1-0", "rank", "b", 1, 2)
    tab(actions.edit, [moved])
    tab(actions.open_candidate, 1)
    tab(actions.edit, [GRADE])
    for one in (tab, Tab(tab.id)):
        assert [pair.case.edits for pair in one(session.now).pairs] == [(moved, GRADE), (GRADE,)]
    tab(actions.open_candidate, 0)
    tab(actions.undo)
    assert [pair.case.edits for pair in tab(session.now).pairs] == [(GRADE,), (GRADE,)]
    found = tab(verdicts.candidates)
    edited = [Case((found[0].a, one.b), found[0].joined.judgments) for one in found]
    again = rd.compare(*(one.b for one in edited[::-1]), edited[0].judgments)
    assert found.lead.primary.paired.delta in (again.primary.paired.delta, -again.primary.paired.delta)
    tab(actions.open_candidate, 1)
    tab(actions.undo)
    assert [pair.case.edits for pair in tab(session.now).pairs] == [(), ()]
    assert [pair.saved.state.edits for pair in Tab(tab.id)(session.now).pairs] == [(), ()]


@pytest.mark.parametrize(
    ("act", "same"),
    [
        (lambda: actions.rename("Spring", "base 2"), lambda case: (case.name, case.a.name)),
        (lambda: actions.open_inputs(rejudged(), replacing=True), lambda case: case.judgments.table),
    ],
)
def test_what_candidates_share_changes_for_all(act: Callable[[], None], same: Callable[[Case], object]) -> None:
    """A new name of A, and newer judgments, are those of every candidate, also in the store."""
    tab = group()
    tab(act)
    for pair in (*tab(session.now).pairs, *Tab(tab.id)(session.now).pairs):
        assert same(pair.case) == same(tab(session.now).case)
        assert pair.case.b.name in ("new", "worse")


def test_why_a_run_is_no_candidate_is_kept() -> None:
    """What is said of files that are no candidates is said again of the saved comparison, in every form."""
    tab, why = Tab(), "Set aside: worst answers no query."
    case = group()(open_comparison.current)
    tab(actions.open_inputs, case, case.with_tables(b=case.b.renamed("other")), set_aside=(why,))
    for one in (tab, Tab(tab.id)):
        found = one(verdicts.candidates)
        assert found.set_aside == (why,)
        assert all(why.encode() in report.exported(found, form) for form in ("html", "json"))


def test_a_file_of_all_candidates_is_called_by_the_comparison_or_by_a(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name names no single candidate."""
    files: list[str] = []
    monkeypatch.setattr(candidates_parts.screen, "download", lambda label, content, name, *_, **__: files.append(name))
    tab = group()
    for called in ("base candidates", "spring"):
        files.clear()
        verdict_page(tab.id).switch_page(SCRIPTS["candidates"]).run().button(key="open_export").click().run()
        assert files[0] == f"{called.replace(' ', '_')}.html"
        tab(actions.rename, "spring", "base")


def rejudged() -> Case:
    """What is open, with other judgments."""
    return session.now().case.with_tables(judgments=rd.read_judgments({"q1": {"d1-0": 1}, "q2": {"d2-0": 1}}))


def test_a_is_put_in_order_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening several candidates orders each run once, and the best against the next orders none again."""
    ordered: list[int] = []

    def counted(run: rd.Run, *args: object) -> object:
        ordered.append(id(run.table))
        return before(run, *args)

    before = rankings.ranked
    monkeypatch.setattr(rankings, "ranked", counted)
    st.cache_resource.clear()
    group()(verdicts.candidates)
    assert len(ordered) == len({*ordered}) == 3


def test_what_candidates_share_is_read_once() -> None:
    """A link to one of several, in another process: A and the judgments are one table, read from one file."""
    link = group().id
    st.cache_resource.clear()
    gc.collect()  # nothing is open any more
    other = Tab(link)
    cases = [pair.case for pair in other(session.now).pairs]
    assert len(cases) == 2
    for role in ("a", "judgments"):
        assert len({id(getattr(case, role).table) for case in cases}) == 1
