"""A page and the model beside it: what both do together, and what has to hold after each action."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import rankdash as rd
from rankdash import style
from rankdash.style import editing
from rankdash.wording import signed
from tests.browsed import judgments_csv, queries_csv, run_csv
from tests.browser.pages import cards, keyed, said
from tests.browser.serving import Server
from tests.browser.waiting import one_says, settled
from tests.browser.walk import model

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: What a browser complains of while its server is down.
_DOWN = re.compile(
    "WebSocket|source error - 404|Failed to load resource|server endpoint|not responding|ERR_CONNECTION|Failed to fetch"
)


@dataclass(frozen=True)
class Upload:
    """Files that are dropped together, and what they open."""

    files: tuple[Path, ...]
    opens: model.Lists


class Walker:
    """The page, what should be open on it, and what there is to drop on it."""

    def __init__(self, page: Page, console: list[str], server: Server, folder: Path, chance: random.Random) -> None:
        """Open the demo. ``console`` is what the page has complained of; files stand in ``folder``."""
        self.page, self.console, self.server, self.folder, self.chance = page, console, server, folder, chance
        self.uploads = [self._upload("first", False, True), self._upload("other", True, False, queries=queries_csv())]
        self.open: model.Lists | model.VotesOnly | None = model.demo()
        self.was_down, self.gone = False, style.GONE
        page.goto(server.url)
        settled(page)

    def _upload(self, name: str, *better: bool, queries: bytes = b"") -> Upload:
        folder = self.folder / name
        folder.mkdir()
        contents = {
            "old.csv": run_csv(better[0]), "new.csv": run_csv(better[1]), "grades.csv": judgments_csv(),
            "queries.csv": queries,
        }  # fmt: skip
        files = {part: folder / file for part, file in zip(model.PARTS, contents, strict=True) if contents[file]}
        for file in files.values():
            file.write_bytes(contents[file.name])
        return Upload(tuple(files.values()), model.uploaded(files))

    @property
    def lists(self) -> model.Lists:
        """The comparison of lists that should be open."""
        assert isinstance(self.open, model.Lists)
        return self.open

    @property
    def policy(self) -> rd.Policy:
        """The policy that should be in force; another comparison begins with the default one."""
        return rd.Policy() if self.open is None else self.open.policy

    def go(self, page: str) -> None:
        """Follow a link of the navigation, and wait for its page."""
        self.page.get_by_role("link", name=page, exact=True).click()
        settled(self.page)

    def forget(self) -> None:
        """Expect what a new session knows: what the address holds, under the default policy, or nothing."""
        if self.open is None:
            return
        edited_demo = isinstance(self.open, model.Lists) and self.open.begun_with(()).in_address
        if self.open.in_address:
            self.open = self.lists.anew()
        else:
            self.open, self.gone = None, editing.EDITS_GONE if edited_demo else style.GONE

    def begin(self) -> str:
        """Go to where files are dropped; return the name of the form."""
        if self.open is None:
            return "lost"
        keyed(self.page, "new_comparison").get_by_role("button").click()
        keyed(self.page, "new_files").wait_for()
        settled(self.page)
        return "new"

    def drop(self, place: str, *files: Path, are_cards: bool = True) -> None:
        """Drop files into a form, and wait until each is shown."""
        keyed(self.page, f"{place}_files").locator("input[type=file]").set_input_files(files)
        if are_cards:
            cards(self.page, place).nth(len(files) - 1).wait_for()
        settled(self.page)

    def press(self, key: str) -> None:
        """Press a button, and wait for what follows."""
        keyed(self.page, key).get_by_role("button").click()
        settled(self.page)

    def saved(self, press: Callable[[], None]) -> Path:
        """The file that a click downloads, under the name that it was given."""
        with self.page.expect_download() as download:
            press()
        path = self.folder / "saved" / download.value.suggested_filename
        download.value.save_as(path)
        return path

    def save(self, key: str) -> Path:
        """The file behind the download button with a key."""
        return self.saved(keyed(self.page, key).get_by_role("button").click)

    def holds(self) -> None:
        """No traceback, no error; the names, the verdict and the numbers are those of what should be open."""
        page = self.page
        settled(page)
        assert not page.get_by_test_id("stException").count(), said(page.locator("body"))
        assert "Traceback" not in page.content()
        assert not [one for one in self.console if not (self.was_down and _DOWN.search(one))]
        if self.open is None:
            one_says(page.get_by_role("heading"), self.gone)
            assert not keyed(page, "banner").count()
            return
        shown = _letters(said(page.locator("body")))
        missing = [title for title in self.open.titles if title not in shown]
        assert not missing, f"{missing} not in: {shown[:2_000]}"
        assert [one for one in self.open.never if page.get_by_text(one, exact=True).count()] == []
        for key, parts in self._parts().items():
            if keyed(page, key).count():
                there = _letters(said(keyed(page, key)))
                assert [one for one in map(_letters, parts) if one not in there] == [], key

    def _parts(self) -> dict[str, tuple[str, ...]]:
        """What the parts of the pages say, wherever they stand."""
        assert self.open is not None
        verdict = self.open.verdict
        found = {"banner": (verdict.screen, verdict.sentence), "cards": self.open.numbers}
        if isinstance(self.open, model.Lists):
            files = {"a": self.open.a, "b": self.open.b, "judgments": self.open.judgments}
            found["edit_verdict"] = verdict.screen, signed(self.open.comparison.primary.paired.delta, 4)
            found |= {f"file_{slot}": (table.source.name, table.source.sha256[:12]) for slot, table in files.items()}
        return found


def _letters(text: str) -> str:
    return " ".join(text.split())
