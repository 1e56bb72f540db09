"""A walk at random through the dashboard: whatever is done, in whatever order, what it shows belongs to what is open.

A seed decides the actions, so a walk that fails can be walked again: RANKDASH_WALK=seed:actions. RANKDASH_TRUTH makes
walks longer. Beside the page walks a model that knows which files are open, which way round, under which names and
policy; after every action the two are held against each other.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

import rankdash as rd
from rankdash import style
from rankdash.__main__ import main as command_line
from rankdash.edits import Edit, apply
from rankdash.style import editing, method
from rankdash.wording import signed
from tests.browsed import judgments_csv, run_csv
from tests.browser import grids
from tests.browser.conftest import free_port, is_healthy
from tests.browser.pages import cards, keyed, said
from tests.browser.waiting import one_says, settled, watched
from tests.truth import scale

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "data" / "demo"
PAGES = (style.VERDICT, "Queries", editing.EDIT, style.DATA, method.METHOD)
#: Actions of a walk in `make test`; the long one has so many times more as RANKDASH_TRUTH says.
ACTIONS = 8
#: Rows of a list that can be clicked without scrolling in it.
IN_SIGHT = 8
SEED, _, LENGTH = os.environ.get("RANKDASH_WALK", "").partition(":")


def actions() -> int:
    """How many actions a walk has."""
    return int(LENGTH or min(ACTIONS * float(os.environ.get("RANKDASH_TRUTH", "1")), 300))


Steps = tuple[tuple[Edit, ...], ...]


def _other(edit: Edit) -> Edit:
    return edit if edit.side is None else replace(edit, side="b" if edit.side == "a" else "a")


@dataclass(frozen=True)
class Opened:
    """What should be open: the files of A, of B and of the judgments by their content, and the names of the models."""

    files: Mapping[str, Path]
    a: str
    b: str
    is_demo: bool = False
    policy: rd.Policy = field(default_factory=rd.Policy)
    done: Steps = ()
    undone: Steps = ()

    @cached_property
    def verdict(self) -> tuple[rd.Comparison, rd.Verdict]:
        """The comparison of the files with the edits, and its verdict: computed once, however many pages show it."""
        a, b = (rd.read_run(self.files[side], name=side) for side in "ab")
        queries = rd.read_queries(DEMO / "queries.csv") if self.is_demo else None
        judgments, edits = rd.read_judgments(self.files["judgments"]), [one for step in self.done for one in step]
        tables = apply(edits, a, b, judgments, self.policy.scoring)
        found = rd.compare(tables.a, tables.b, tables.judgments, policy=self.policy, queries=queries)
        return found, rd.decide(found)

    def edited(self, *edits: Edit) -> Opened:
        """The same with one more step of edits."""
        return replace(self, done=(*self.done, edits), undone=())

    def swapped(self) -> Opened:
        """The other way around; edits stay with their lists."""
        done, undone = (tuple(tuple(map(_other, step)) for step in steps) for steps in (self.done, self.undone))
        files = {**self.files, "a": self.files["b"], "b": self.files["a"]}
        return replace(self, files=files, a=self.b, b=self.a, done=done, undone=undone)


def demo() -> Opened:
    """The comparison of a first visit."""
    files = {"a": DEMO / "run_a.csv", "b": DEMO / "run_b.csv", "judgments": DEMO / "judgments.csv"}
    return Opened(files, *style.DEMO_MODELS, is_demo=True)


class Server:
    """A dashboard of its own, which can be stopped and started again on the same port."""

    def __init__(self, log: Path) -> None:
        """Starts it; what it prints goes to ``log``."""
        self.port, self._log = free_port(), log
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Comes back when it answers."""
        options = {"port": self.port, "address": "127.0.0.1", "headless": "true", "fileWatcherType": "none"}
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            "app.py",
            *(f"--server.{k}={v}" for k, v in options.items()),
        ]
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
        while not is_healthy(self.url):
            assert self._process.poll() is None, self._log.read_text(errors="replace")

    def stop(self) -> None:
        """Kills it, as a machine that goes down does."""
        self._process.kill()
        self._process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard for one walk."""
    found = Server(tmp_path / "log.txt")
    yield found
    found.stop()


class Walk:
    """The page, the model, and what can be done."""

    def __init__(self, page: Page, console: list[str], server: Server, folder: Path, chance: random.Random) -> None:
        """Opens the demo. ``console`` is what the page has complained of; files stand in ``folder``."""
        self.page, self.console, self.server, self.folder, self.chance = page, console, server, folder, chance
        self.sets = [
            self._written("first", run_csv(False), run_csv(True)),
            self._written("other", run_csv(True), run_csv(False)),
        ]
        self.open: Opened | None = demo()
        self.was_down = False
        self.gone = style.GONE
        page.goto(server.url)
        settled(page)

    def _written(self, name: str, a: bytes, b: bytes) -> Opened:
        folder = self.folder / name
        folder.mkdir()
        files = {"a": folder / "old.csv", "b": folder / "new.csv", "judgments": folder / "grades.csv"}
        for path, content in zip(files.values(), (a, b, judgments_csv()), strict=True):
            path.write_bytes(content)
        return Opened(files, "old", "new")

    # --- actions -----------------------------------------------------------------------------------------------------

    def go(self) -> None:
        """To another page, by the navigation."""
        self.page.get_by_role("link", name=self.chance.choice(PAGES), exact=True).click()

    def back(self) -> None:
        """One page back, where there is one of ours."""
        self.page.go_back()
        if not self.page.url.startswith(self.server.url):
            self.page.goto(self.server.url)
            self._forgotten()

    def reload(self) -> None:
        """F5: the demo stays, uploads are gone."""
        self.page.reload()
        self._forgotten()

    def restart(self) -> None:
        """The server goes down and comes back; then the tab is used again, as after F5."""
        with self.page.expect_event("websocket"):
            self.server.stop()
            self.server.start()
        self.was_down = True
        self._forgotten()
        self.page.get_by_role("link", name=style.DATA, exact=True).click()

    def _forgotten(self) -> None:
        """What a new session knows: the demo as it was, with the default policy, if no files and no edits are lost."""
        if self.open is None or not self.open.is_demo or self.open.done:
            self.gone = editing.EDITS_GONE if self.open is not None and self.open.is_demo else self.gone
            self.open = None
        else:
            self.open = replace(self.open, policy=rd.Policy(), undone=())

    def open_demo(self) -> None:
        """The demo, from the dialog or from the page that says that nothing is open."""
        self._form()
        keyed(self.page, "open_demo").get_by_role("button").click()
        self.page.get_by_text(style.DEMO_BADGE).first.wait_for()
        self.open = replace(demo(), policy=self._policy())

    def _policy(self) -> rd.Policy:
        return rd.Policy() if self.open is None else self.open.policy

    def upload(self) -> None:
        """Files of two models through the button, or through the form where nothing is open."""
        wanted = self.chance.choice(self.sets)
        place = self._form()
        zone = keyed(self.page, f"{place}_files").locator("input[type=file]")
        zone.set_input_files(list(wanted.files.values()))
        cards(self.page, place).nth(2).wait_for()
        settled(self.page)
        keyed(self.page, f"{place}_compare").get_by_role("button").click()
        self.page.get_by_text(style.UPLOADED).first.wait_for()
        self.open = replace(wanted, policy=self._policy())

    def upload_rubbish(self) -> None:
        """A file that is none: it is refused, and what is open stays."""
        path = self.folder / "broken.csv"
        path.write_text("query_id,doc_id,rank\nq1,d1,1\nq1,d2,great\n")
        place = self._form()
        keyed(self.page, f"{place}_files").locator("input[type=file]").set_input_files(path)
        cards(self.page, place).first.wait_for()
        settled(self.page)
        if place == "new":
            self.page.get_by_role("button", name="Close").click()

    def _form(self) -> str:
        if self.open is None:
            return "lost"
        keyed(self.page, "new_comparison").get_by_role("button").click()
        keyed(self.page, "new_files").wait_for()
        return "new"

    def swap(self) -> None:
        """A and B exchanged."""
        assert self.open is not None
        keyed(self.page, "swap").get_by_role("button").click()
        self.open = self.open.swapped()

    def rename(self) -> None:
        """Another name for B."""
        assert self.open is not None
        name = f"B{self.chance.randrange(1000)} **x**"
        keyed(self.page, "rename").get_by_role("button").click()
        box = keyed(self.page, "rename_b").locator("input")
        box.fill(name)
        box.press("Tab")
        settled(self.page)
        keyed(self.page, "rename_apply").get_by_role("button").click()
        keyed(self.page, "rename_apply").wait_for(state="detached")
        self.open = replace(self.open, b=name)

    def change_policy(self) -> None:
        """Another smallest gain that matters, from a file."""
        assert self.open is not None
        policy = self.open.policy.changed(mpe=self.chance.choice([0.001, 0.005, 0.05, 0.2]))
        path = self.folder / "policy.toml"
        path.write_text(policy.to_toml())
        keyed(self.page, "open_policy").get_by_role("button").click()
        keyed(self.page, "policy_from_file").locator("summary").click()
        keyed(self.page, "policy_file").locator("input[type=file]").set_input_files(path)
        settled(self.page)
        keyed(self.page, "policy_file_apply").get_by_role("button").click()
        keyed(self.page, "policy_file_apply").wait_for(state="detached")
        self.open = replace(self.open, policy=policy)

    def filter(self) -> None:
        """A filter and another cutoff on the queries page."""
        self.page.get_by_role("link", name="Queries", exact=True).click()
        settled(self.page)
        box = keyed(self.page, "query_text").locator("input")
        box.fill(self.chance.choice(["1", "words", "zzz", ""]))
        box.press("Enter")
        settled(self.page)
        keyed(self.page, "k").get_by_text(self.chance.choice(["5", "20"]), exact=True).click()

    def edit(self) -> None:
        """A grade or a rank typed, a row deleted or added, in one of the lists of some query."""
        assert self.open is not None
        self._to_edit()
        side = self.chance.choice("ab")
        grid = keyed(self.page, "edit_lists").get_by_test_id("stDataFrame").nth("ab".index(side))
        rows = grids.rows(grid)
        at, log = self.chance.randrange(min(len(rows), IN_SIGHT)), self._edits()
        rank, grade, doc_id = rows[at][:3]
        query_id = parse_qs(urlsplit(self.page.url).query)["query"][0]
        is_short = len(rows) <= IN_SIGHT  # the row to add another one in is the last one
        what = self.chance.choice(["grade", "grade", "rank", "remove", "add" if is_short else "grade"])
        what = what if len(rows) > 2 else "add"
        if what == "grade":
            to = self.chance.choice([one for one in ("0", "1", "2", "3") if one != grade])
            grids.type_cell(self.page, grid, 1, at, to)
            edit = Edit(query_id, doc_id, "grade", None, None, float(to))
        elif what == "rank":
            to = self.chance.choice([other[0] for other in rows if other[0] != rank])
            grids.type_cell(self.page, grid, 0, at, to)
            edit = Edit(query_id, doc_id, "rank", side, int(rank), int(to))
        elif what == "remove":
            grids.delete_row(self.page, grid, at)
            edit = Edit(query_id, doc_id, "remove", side, int(rank), None)
        else:
            new = f"new{self.chance.randrange(10**6)}"
            grids.add_row(self.page, grid, 2, new)
            edit = Edit(query_id, new, "add", side, None, len(rows) + 1)
        expect(keyed(self.page, "edit_log").get_by_role("heading")).not_to_have_text(log)
        settled(self.page)
        self.open = self.open.edited(edit)

    def _to_edit(self) -> None:
        self.page.get_by_role("link", name=editing.EDIT, exact=True).click()
        keyed(self.page, "edit_log").wait_for()
        settled(self.page)

    def _edits(self) -> str:
        """What the page says of the number of edits."""
        return keyed(self.page, "edit_log").get_by_role("heading").text_content() or ""

    def undo(self) -> None:
        """The last step of edits taken back, where there is one."""
        assert self.open is not None
        done, undone = self.open.done, self.open.undone
        if self._steps_back("edit_undo", bool(done)):
            self.open = replace(self.open, done=done[:-1], undone=(*undone, done[-1]))

    def redo(self) -> None:
        """The same done again."""
        assert self.open is not None
        done, undone = self.open.done, self.open.undone
        if self._steps_back("edit_redo", bool(undone)):
            self.open = replace(self.open, done=(*done, undone[-1]), undone=undone[:-1])

    def _steps_back(self, key: str, is_possible: bool) -> bool:
        self._to_edit()
        button = keyed(self.page, key).get_by_role("button")
        assert button.is_enabled() is is_possible, key
        if is_possible:
            button.click()
            settled(self.page)
        return is_possible

    def drop_edits(self) -> None:
        """The edits as a file, dropped on the comparison that they were made on: one step, and nothing changes."""
        assert self.open is not None
        self._to_edit()
        if not self.open.done:
            assert keyed(self.page, "edit_save_edits").get_by_role("button").is_disabled()
            return
        path = self._saved("edits")
        self._form()
        keyed(self.page, "new_files").locator("input[type=file]").set_input_files(path)
        self.page.get_by_text(re.compile(r"edits\S* holds")).wait_for()
        settled(self.page)
        keyed(self.page, "new_compare").get_by_role("button").click()
        keyed(self.page, "banner").wait_for()
        self.open = replace(self.open, done=(tuple(one for step in self.open.done for one in step),), undone=())

    def _saved(self, name: str) -> Path:
        """A file of the edit page, which is not empty."""
        with self.page.expect_download() as download:
            keyed(self.page, f"edit_save_{name}").get_by_role("button").click()
        path = self.folder / f"saved_{name}.csv"
        download.value.save_as(path)
        assert len(path.read_bytes().splitlines()) > 1, name
        return path

    def save(self) -> None:
        """Lists and judgments as the edit page saves them: the command line gives the same numbers for them."""
        assert self.open is not None
        self._to_edit()
        saved = {name: self._saved(name) for name in ("a", "b", "judgments")}
        policy, told = self.folder / "saved.toml", self.folder / "told.json"
        policy.write_text(self.open.policy.to_toml())
        queries = ("--queries", str(DEMO / "queries.csv")) if self.open.is_demo else ()
        named = ("--judgments", str(saved["judgments"]), "--policy", str(policy), "--json", str(told))
        assert command_line(["compare", str(saved["a"]), str(saved["b"]), *named, *queries]) == 0
        line, (comparison, verdict) = json.loads(told.read_text()), self.open.verdict
        assert line["measures"][0]["delta"] == comparison.primary.paired.delta
        assert line["verdict"]["outcome"] == verdict.outcome.value

    # --- what has to hold --------------------------------------------------------------------------------------------

    def holds(self) -> None:
        """No traceback, no error; the names and the verdict are those of what should be open."""
        page = self.page
        settled(page)
        assert not page.get_by_test_id("stException").count(), said(page.locator("body"))
        assert "Traceback" not in page.content()
        assert not [one for one in self.console if not (self.was_down and _DOWN.search(one))]
        if self.open is None:
            one_says(page.get_by_role("heading"), self.gone)
            assert not keyed(page, "banner").count()
            return
        shown = said(page.locator("body"))
        assert f"A {self.open.a} → B {self.open.b}" in " ".join(shown.split())
        if keyed(page, "banner").count():
            self._verdict_holds()

    def _verdict_holds(self) -> None:
        assert self.open is not None
        comparison, verdict = self.open.verdict
        banner = said(keyed(self.page, "banner"))
        assert verdict.screen in banner
        assert _letters(verdict.sentence) in _letters(banner)
        assert signed(comparison.primary.paired.delta) in said(keyed(self.page, "cards"))


#: What a browser complains of while its server is down.
_DOWN = re.compile(
    "WebSocket|source error - 404|Failed to load resource|server endpoint|not responding|ERR_CONNECTION|Failed to fetch"
)

#: What can be done, how often, and whether something has to be open for it.
ACTS: Mapping[str, tuple[Callable[[Walk], None], int, bool]] = {
    "go": (Walk.go, 6, False),
    "back": (Walk.back, 2, True),
    "reload": (Walk.reload, 1, True),
    "restart": (Walk.restart, 1, True),
    "upload": (Walk.upload, 3, False),
    "upload_rubbish": (Walk.upload_rubbish, 1, False),
    "swap": (Walk.swap, 3, True),
    "rename": (Walk.rename, 2, True),
    "change_policy": (Walk.change_policy, 2, True),
    "filter": (Walk.filter, 2, True),
    "save": (Walk.save, 2, True),
    "edit": (Walk.edit, 6, True),
    "undo": (Walk.undo, 2, True),
    "redo": (Walk.redo, 1, True),
    "drop_edits": (Walk.drop_edits, 1, True),
    "open_demo": (Walk.open_demo, 1, False),
}


def _letters(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("seed", [int(SEED)] if SEED else [1])
def test_a_walk_at_random_finds_nothing_that_is_not_so(
    browser: Browser, server: Server, console_errors: list[str], tmp_path: Path, seed: int
) -> None:
    """After each of many actions: no traceback, no console error, and the names and numbers of what is open."""
    chance = random.Random(seed)
    page = watched(browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)).new_page()
    page.on("console", lambda message: console_errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: console_errors.append(str(error)))
    walk, done = Walk(page, console_errors, server, tmp_path, chance), ["open"]
    try:
        walk.holds()
        for _ in range(actions()):
            allowed = [name for name, (_, _, needs) in ACTS.items() if walk.open is not None or not needs]
            name = chance.choices(allowed, [ACTS[one][1] for one in allowed])[0]
            done.append(name)
            scale.done(f"actions in a browser: {name}")
            ACTS[name][0](walk)
            walk.holds()
    except BaseException as error:
        page.screenshot(path=tmp_path / "failed.png")
        error.add_note(f"seed {seed}, after {' '.join(done)}; the page is in {tmp_path / 'failed.png'}")
        raise
    finally:
        page.context.close()
