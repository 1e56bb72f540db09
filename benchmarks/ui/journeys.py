"""The rows of the table: what is done in the dashboard, and the same in the floor app."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.ui import driving
from rankdash.conventions import PRESETS

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: Where the column "grade" stands in the editors of the dashboard and of the floor app.
_GRADE, _FLOOR_GRADE = 1, 0
_CUTOFFS = ("5", "3", "20", "1", "100")
_CHART = ".bars .point"


@dataclass(frozen=True)
class Pair:
    """One repetition: milliseconds of the dashboard and of the floor."""

    ours: float
    floor: float


def to_queries(page: Page) -> None:
    """Opens the queries page."""
    page.get_by_role("link", name="Queries", exact=True).click()
    driving.keyed(page, "view_table").wait_for()
    driving.quiet(page)


def views(page: Page, floor: Page, repetitions: int) -> Iterator[tuple[str, Pair]]:
    """Another convention and another cutoff on the queries page, in turn; no pair was asked for before."""
    presets = list(PRESETS)
    driving.keyed(page, "view_open").locator("summary").click()
    driving.quiet(page)
    for i in range(repetitions):
        at = 1 + i % (len(presets) - 1)
        label, cutoff = f"convention {at}", _CUTOFFS[i % len(_CUTOFFS)]
        below = driving.choose_option(floor, "convention", label, "number")
        yield "convention", Pair(driving.choose_option(page, "convention", presets[at], "query_list"), below)
        below = driving.choose_button(floor, "k", cutoff, "number")
        yield "cutoff", Pair(driving.choose_button(page, "k", cutoff, "query_list"), below)


def dialogs(page: Page, floor: Page, repetitions: int) -> Iterator[tuple[str, Pair]]:
    """Opens the dialog of the policy, and one that holds a line; each is closed again."""
    for _ in range(repetitions):
        below = driving.open_dialog(floor, "open", "empty")
        yield "dialog", Pair(driving.open_dialog(page, "open_policy", "policy_apply"), below)


def clicks(page: Page, floor: Page, chart: str, within: str, repetitions: int) -> Iterator[tuple[str, Pair]]:
    """Clicks on bars here and there: until everything about the query is on the screen."""
    for i in range(repetitions):
        share = (0.03 + 0.37 * i) % 0.94
        below = driving.click_bar(floor, "chart", share, "opened", "opened")
        yield "click", Pair(driving.click_bar(page, chart, share, within, within), below)


def edits(page: Page, floor: Page, repetitions: int) -> Iterator[tuple[str, Pair]]:
    """Grades of documents of one query, each typed into its cell; no two states of the judgments are the same."""
    page.get_by_role("link", name="Edit", exact=True).click()
    driving.keyed(page, "edit_lists").wait_for()
    driving.quiet(page)
    for i in range(repetitions):
        row, grade = i % 5, f"{i // 5 + 1}.5"
        below = driving.type_grade(floor, "edit", _FLOOR_GRADE, row, grade, "number")
        yield "edit", Pair(driving.type_grade(page, "edit_lists", _GRADE, row, grade, "edit_log"), below)


def loads(load: Callable[[str], float], url: str, floor_url: str, repetitions: int) -> Iterator[tuple[str, Pair]]:
    """First pages, each in a browser that has never been there."""
    for _ in range(repetitions):
        below = load(floor_url)
        yield "load", Pair(load(url), below)
