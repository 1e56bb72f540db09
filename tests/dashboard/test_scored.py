"""Scored queries in the dashboard: the pages show what they show of the lists, and a query's lists from their files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.dashboard import demo
from rankdash.dashboard.host import results
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.dashboard.session.lists_elsewhere import NoListsError
from rankdash.dashboard.session.saved import shelf
from rankdash.edits import Edit
from rankdash.inspect.lists import QueryList, QueryLists
from rankdash.inspect.view import orders_of, shared_lists, viewed, viewed_scored
from rankdash.store import Comparand, comparison_of, differences, entry_of, tried
from rankdash.style import history, reading
from rankdash.style import queries as words
from tests.cli.test_scored import write
from tests.dashboard.saved_sessions import Tab, home
from tests.dashboard.test_history_page import history_page
from tests.dashboard.test_pages import app, texts, uploader
from tests.long import every
from tests.truth.worlds import world

__all__ = ["home"]

FILES = ("a.run", "b.run", "-q", "q.qrels")


def saved(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The id under which something is saved at a shell."""
    assert main(["save", *arguments]) == 0
    return capsys.readouterr().out.strip().rpartition("=")[2]


def scored(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """The id under which the files of this folder are saved, scored first and opened from the folder."""
    assert main(["score", *FILES, *more, "--out", "scored"]) == 0
    return saved(capsys, "scored", "--name", "x")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """Write the files of a world into the working directory."""

    def make(seed: int) -> Path:
        write(world(seed, queries=25, grades=(0, 0, 1, 2)), tmp_path)
        return tmp_path

    monkeypatch.chdir(tmp_path)
    results.RESULTS.clear()
    return make


def without_rows(lists: QueryLists) -> QueryLists:
    """Two lists without the rows of their tables, which are others where a table has one query alone."""

    def bare(one: QueryList) -> QueryList:
        ranks = tuple(replace(rank, row=0) for rank in one.worked.ranks)
        return replace(one, worked=replace(one.worked, ranks=ranks))

    return replace(lists, a=bare(lists.a), b=bare(lists.b))


@pytest.mark.parametrize("seed", every(2, range(2)))
def test_what_is_shown_is_what_the_lists_show(
    seed: int, made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Verdict, deltas, every measure query by query, and both lists of every query, over worlds."""
    made(seed)
    known = Tab(scored(capsys))
    whole = Tab(saved(capsys, *FILES, "--name", "x"))
    table, lists = (tab(lambda tab=tab: verdicts.opened(tab(open_comparison.current))) for tab in (known, whole))
    assert table.verdict == lists.verdict
    assert not table.comparison.has_lists
    for name in ("query_ids", "texts", "query", "a", "b", "delta"):
        np.testing.assert_array_equal(getattr(table.changes, name), getattr(lists.changes, name))
    assert len(table.changes) > 5
    for place in range(len(table.changes)):
        assert without_rows(table.lists(place)) == without_rows(lists.lists(place))
    for measure in lists.comparison.measures:
        pair = shared_lists(lists.comparison, orders_of(lists.comparison.joined, measure))
        there = viewed_scored(table.comparison, measure.name)
        here = viewed(lists.comparison, measure, pair)
        for name in ("query_ids", "a", "b", "delta"):
            np.testing.assert_array_equal(getattr(there.changes, name), getattr(here.changes, name))
        if measure.k == table.comparison.policy.cutoff:
            np.testing.assert_array_equal(there.unjudged, here.unjudged)
            np.testing.assert_array_equal(there.changed, here.changed)
        assert list(there.parts) == list(here.parts)
        for name, values in there.parts.items():
            np.testing.assert_array_equal(values, here.parts[name])
        assert there.total == here.total


def test_files_that_were_scored_before_are_not_corrected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reading a file in another way changes no score of a table, even where the tab knows the file."""
    folder = [str(demo.FOLDER / f"{name}.csv") for name in ("run_a", "run_b", "judgments")]
    assert main(["score", *folder[:2], "-q", folder[2], "--out", str(tmp_path / "scored")]) == 0
    for link, offered in (({}, True), ({"comparison": saved(capsys, str(tmp_path / "scored"))}, False)):
        at = app()
        at.query_params.update(link)
        at.run()
        at.switch_page(str(SCRIPTS["data"])).run()
        assert not at.exception
        assert any(str(button.key).startswith("correct_") for button in at.button) is offered


def test_every_page_is_drawn(made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]) -> None:
    """No page of scored queries ends in an error; what needs the lists says so, with what to do."""
    made(1)
    at = app()
    at.query_params["comparison"] = scored(capsys)
    at.run()
    assert not at.exception
    needs = {"edit": "edit", "data": "concerns"}
    for page, script in SCRIPTS.items():
        at.switch_page(str(script)).run()
        assert not at.exception, page
        if page in needs:
            assert words.NEEDS_LISTS[needs[page]] in texts(at)
            assert words.NEEDS_LISTS_DO in texts(at)
        for section in ("convention", "presets") if page == "method" else ():
            at.query_params["section"] = section
            at.run()
            assert not at.exception
            assert words.NEEDS_LISTS["presets"] in texts(at)


def test_the_lists_are_those_that_were_scored_or_none(
    made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a file is gone, or is another one by now, a sentence names it; put back, its lists are shown again."""
    folder = made(2)
    tab = Tab(scored(capsys))
    opened = tab(lambda: verdicts.opened(tab(open_comparison.current)))
    content = (folder / "b.run").read_bytes()
    wrong = {
        "b.run was read when the queries were scored, and now the file cannot be opened": (folder / "b.run").unlink,
        "b.run is another file than the one that was scored": lambda: (folder / "b.run").write_bytes(content + b"\n"),
        "b.run was read when the queries were scored, and now": lambda: (folder / "b.run").write_bytes(b"no run"),
    }
    for said, spoil in wrong.items():
        spoil()
        with pytest.raises(NoListsError, match=re.escape(said)):
            opened.lists(0)
    at = app()
    at.query_params["comparison"] = tab.id
    at.run()
    assert not at.exception
    assert "b.run was read when the queries were scored" in texts(at)
    (folder / "b.run").write_bytes(content)
    assert opened.lists(0).b.placed


@pytest.mark.long
def test_a_folder_is_moved_with_its_files_or_alone(
    made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Moved together the lists are found, also by name alone beside the folder; moved alone, a sentence is shown."""
    made(3)
    assert main(["score", *FILES, "--out", "deep/er/scored"]) == 0
    for place in ("beside", "alone"):
        Path(place).mkdir()
        shutil.copytree("deep/er/scored", f"{place}/scored")
    for name in ("a.run", "b.run", "q.qrels"):
        shutil.move(name, f"beside/{name}")
    beside, alone = (Tab(saved(capsys, f"{place}/scored")) for place in ("beside", "alone"))
    assert beside(lambda: verdicts.opened(beside(open_comparison.current))).lists(0).a.placed
    opened = alone(lambda: verdicts.opened(alone(open_comparison.current)))
    results.RESULTS.clear()
    with pytest.raises(NoListsError, match="was read when the queries were scored"):
        opened.lists(0)


@pytest.mark.long
def test_names_and_limits_change_and_measures_are_refused(
    made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Renamed and under other limits it is saved like any other; a policy with another cutoff is told in a sentence."""
    made(1)
    tab = Tab(scored(capsys))
    tab(actions.rename, "Weekly", "old", "new")
    tab(actions.decide_by, rd.Policy(mpe=0.5))
    assert tab(session.now).problem == ""
    other = Tab(tab.id)
    opened = other(lambda: verdicts.opened(other(open_comparison.current)))
    assert (opened.case.name, opened.comparison.inputs.b.name, opened.policy.mpe) == ("Weekly", "new", 0.5)
    assert opened.lists(0).b.model == "new"
    with pytest.raises(rd.ComparisonError, match="not scored for this policy"):
        tab(lambda: verdicts.opened(tab(open_comparison.current), rd.Policy(primary="nDCG@7")))
    assert isinstance(rd.load(tab.id), rd.Comparison)


@pytest.mark.long
def test_looks_are_counted_by_the_files_that_were_scored(
    made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Other scores of the same files are the same look, other judgments of the same lists a further one; other files of
    the same names are none.
    """
    folder, counts = made(1), []
    for change in (list, lambda: ["-m", "P@5"], lambda: more_judgments(folder) or [], lambda: made(2) and []):
        id = scored(capsys, *change())
        counts.append(shelf.store().looks(shelf.store().load(id)))
    assert counts == [1, 1, 2, 1]


def more_judgments(folder: Path) -> None:
    """Judges one more document."""
    judged = (folder / "q.qrels").read_text("utf-8")
    query = judged.split(" ")[0]
    (folder / "q.qrels").write_text(f"{judged}{query} 0 another 1\n", "utf-8")


def dropped(at: AppTest, *names: str) -> AppTest:
    """The drop zone of a page that has lost its files, with files of this folder and of the scored one in it."""
    paths = [path for name in names for path in (sorted(Path(name).iterdir()) if Path(name).is_dir() else [Path(name)])]
    at.query_params["c"] = "none"
    at.run()
    kind = "application/octet-stream"
    uploader(at, "lost_files").set_value([(path.name, path.read_bytes(), kind) for path in paths])
    return at.run()


def test_a_folder_is_dropped_and_compared(made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]) -> None:
    """All files of the folder make a comparison under the policy of the scores; votes beside them count; with lists
    beside them nothing is compared.
    """
    made(1)
    Path("p.toml").write_text('primary = "nDCG@5"\nmpe = 0.01\n', "utf-8")
    assert main(["score", *FILES, "-p", "p.toml", "--out", "scored"]) == 0
    wanted = rd.decide(rd.compare_scored("scored"))
    at = dropped(app(), "scored", "a.run")
    assert reading.NEEDS["scored"] in texts(at)
    assert at.button(key="lost_compare").disabled
    at = dropped(app(), "scored")
    assert not at.exception
    assert "Compares a → b by the scores of their queries." in texts(at)
    at = at.button(key="lost_compare").click().run()
    assert not at.exception
    assert at.title[0].value.endswith(wanted.screen) or wanted.screen in at.title[0].value
    assert wanted.sentence in texts(at)
    assert words.LISTS_UNTOLD in texts(at)
    (row,) = shelf.store().listed().rows
    assert shelf.store().load(row.id).state.policy.mpe == 0.01


def test_a_folder_that_is_not_whole_is_told(made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]) -> None:
    """A part that is missing is named, and nothing can be compared; removed, the zone is as it was."""
    made(1)
    assert main(["score", *FILES, "--out", "scored"]) == 0
    at = dropped(app(), "scored/manifest.json")
    assert "part-00000.parquet is missing" in texts(at)
    assert at.button(key="lost_compare").disabled
    at = at.button(key="lost_remove_scored").click().run()
    assert reading.SCORED_WRONG not in texts(at)
    assert reading.NEEDS["nothing"] in texts(at)


def test_votes_and_queries_stand_beside_scored_queries(
    made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Texts, segments and votes are given at the shell, and are on the pages and in the verdict."""
    made(1)
    ids = sorted({line.split(" ")[0] for line in Path("q.qrels").read_text("utf-8").splitlines()})[:5]
    Path("v.csv").write_text("query_id,vote\n" + "".join(f'"{one}",good\n' for one in ids if '"' not in one), "utf-8")
    assert main(["score", *FILES, "--out", "scored"]) == 0
    tab = Tab(saved(capsys, "scored", "--votes", "v.csv"))
    assert tab(lambda: verdicts.opened(tab(open_comparison.current))).comparison.votes is not None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("b.run",), "scored holds queries that are scored already, leave B out."),
        (("-q", "q.qrels"), "leave --judgments out."),
        (("-c", "trec_eval"), "leave --convention out."),
    ],
)
def test_lists_beside_scored_queries_are_refused(
    arguments: tuple[str, ...], said: str, made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """What was decided when the queries were scored is told in one sentence, and nothing is saved."""
    made(1)
    assert main(["score", *FILES, "--out", "scored"]) == 0
    assert main(["save", "scored", *arguments]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert said in told.err


def side_by_side(*ids: str) -> list[Comparand]:
    """Saved comparisons as they are put side by side."""
    found = [shelf.store().load(id) for id in ids]
    return [entry_of(one, comparison_of(one.content, one.state)) for one in found]


@pytest.mark.long
def test_scored_queries_are_comparable_where_their_judgments_are_the_same(
    made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Scored queries stand beside others without a warning where the judgments are the same file, lists at hand or not;
    beside other judgments, and beside ones that were edited, it is told what cannot be known.
    """
    folder = made(1)
    first, lists = scored(capsys), saved(capsys, *FILES)
    (folder / "other.run").write_text((folder / "b.run").read_text().replace("d1", "d11"))
    assert main(["score", "a.run", "other.run", *FILES[2:], "--out", "second"]) == 0
    second = saved(capsys, "second")
    edited = Tab(saved(capsys, *FILES))
    grade = Edit("q1", "d1", "grade", None, None, 2)
    edited.edit(grade)
    more = (folder / "q.qrels").read_text() + "q1 0 new 1\n"
    (folder / "q.qrels").write_text(more)
    assert main(["score", *FILES, "--out", "third"]) == 0
    entries = side_by_side(first, lists, second, saved(capsys, "third"), edited.id)
    told = [[found.aspect for found in differences(one, entries[0])] for one in entries]
    assert told[:3] == [[], [], []]
    assert "judgments" in told[3]
    assert "judgments" in told[4]
    assert [one.tried for one in tried(entries[:3])] == [2, 2, 2]


@pytest.mark.long
def test_history_puts_scored_queries_side_by_side(
    made: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The dialog shows a scored comparison beside one of the same files, says that they are comparable, and no more."""
    made(1)
    scored(capsys), saved(capsys, *FILES, "--name", "y")
    at = history_page(None, 0, 1)
    at.button(key="history_side").click().run()
    assert not at.exception
    assert not at.warning
    assert history.COMPARABLE.format(names="x", reference="y") in texts(at)
