"""The verdict on paper: the browser's own print, as it comes, at a scale of 100%."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page

import rankdash as rd
from rankdash import style
from rankdash.style import editing, history as history_words, queries, verdict as words
from tests.browsed import written
from tests.browser import paper
from tests.browser.pages import button, drop, go, keyed, resize, start_with
from tests.browser.serving import Server
from tests.browser.waiting import JOINER, settled

DEMO = Path(__file__).parents[2] / "data" / "demo"
#: The width of A4 between its margins, in points of a screen.
PAPER = (210 - 2 * 8) / 25.4 * 96


def squeezed(text: str) -> str:
    """A text as it is compared with a sheet: without spaces and joiners."""
    return "".join(text.replace(JOINER, "").split())


def printed(page: Page) -> bytes:
    """What the browser prints."""
    settled(page)
    return page.pdf(format="A4", print_background=True, prefer_css_page_size=True)


@pytest.mark.parametrize(
    "size", [(1440, 900), *(pytest.param(one, marks=pytest.mark.long) for one in ((1280, 720), (1920, 1080)))]
)
def test_the_verdict_prints_on_one_sheet_whatever_the_screen(visited: Page, size: tuple[int, int]) -> None:
    """One page of A4 holds the sentence, the cards, the questions, every interval, losses, gains, caveats, segments."""
    resize(visited, *size)
    said = paper.text(sheet := printed(visited))
    assert paper.pages(sheet) == 1
    comparison = rd.compare(*(DEMO / name for name in ("run_a.csv", "run_b.csv", "judgments.csv")))
    cards = keyed(visited, "cards").locator("[data-testid=stMetricValue]").all_inner_texts()
    intervals = keyed(visited, "interval_chart").locator(".annotation-text").all_text_contents()
    assert (len(cards), len(intervals)) == (3, len(comparison.results))
    for text in (
        rd.decide(comparison).sentence, *cards, *intervals, *style.QUESTIONS.values(), *style.EXTREMES.values(),
        style.CAVEATS, words.SEGMENTS, *words.SEGMENT_COLUMNS,
    ):  # fmt: skip
        assert squeezed(text) in said
    assert not [t for t in (words.POLICY, style.NEW_COMPARISON, style.RULES, style.DELTAS_CLICK) if squeezed(t) in said]


@pytest.mark.long
def test_a_sheet_says_that_grades_were_edited(visited: Page) -> None:
    """A badge that explains itself under the mouse is printed, too."""
    go(visited, editing.LABEL)
    visited.keyboard.press("0")
    visited.get_by_text(editing.EDITED_BADGE, exact=True).first.wait_for()
    go(visited, style.VERDICT)
    assert squeezed(editing.EDITED_BADGE) in paper.text(printed(visited))


def test_a_saved_comparison_prints_on_one_sheet(page: Page, server: Server, tmp_path: Path) -> None:
    """Every caveat stands on the sheet too, and there is still one, on A4 and on Letter; that nothing is decided is not
    printed. Other pages, and their tables, are white on paper where the screen is dark, too.
    """
    files = written(tmp_path)
    tied = re.sub(r"(?m),(\d)$", lambda rank: f",{9 - int(rank[1]) // 2}", files["a"].read_text(encoding="utf-8"))
    files["a"].write_text(tied.replace(",rank", ",score").replace("q49,", "p49,"), encoding="utf-8")
    start_with(page, server.url, files)
    settled(page)
    assert (folded := keyed(page, "caveats").locator("details li").all_text_contents())
    for paper_format in ("A4", "Letter"):
        sheet = page.pdf(format=paper_format, print_background=True)
        assert paper.pages(sheet) == 1, paper_format
        assert [text for text in (history_words.NONE_YET, *folded) if squeezed(text) in paper.text(sheet)] == folded
    for name in (queries.QUERIES, history_words.HISTORY):
        page.emulate_media(media="screen", color_scheme="dark")
        go(page, name)
        page.emulate_media(media="print")
        lightness = Image.open(io.BytesIO(page.screenshot())).convert("L").histogram()
        assert sum(lightness[:128]) < 0.015 * sum(lightness), name


def test_several_candidates_print_with_their_names(page: Page, server: Server, tmp_path: Path) -> None:
    """The sheet of one names it and says when it was made; side by side they stand on a white sheet, as wide as it, and
    the zoom of a sheet makes no hairline of the line at 0.
    """
    files, name = written(tmp_path), f"a_candidate_whose_name_is_{'long_' * 4}"
    for other in (name, "third"):
        (tmp_path / f"{other}.csv").write_bytes(files["a" if other == "third" else "b"].read_bytes() + b"\n")
    page.goto(f"{server.url}/?c=lost")
    drop(page, "lost", files["judgments"], files["a"], *(tmp_path / f"{one}.csv" for one in (name, "third")))
    button(page, "lost_compare").click()
    keyed(page, "open_candidate_0").get_by_role("button").click()
    keyed(page, "made").wait_for(state="attached")
    said = paper.text(sheet := printed(page))
    assert paper.pages(sheet) == 1
    assert squeezed(f"B {name} ·") in said
    assert squeezed(keyed(page, "made").text_content() or "nothing") in said
    page.emulate_media(media="screen", color_scheme="dark")
    go(page, history_words.HISTORY)
    page.get_by_test_id("stDataFrame").locator("canvas").first.click(position={"x": 16, "y": 36 + 17}, force=True)
    button(page, "history_side").click()
    chart = keyed(page, "dot_chart").get_by_test_id("stPlotlyChart")
    chart.locator(".main-svg").first.wait_for()
    settled(page)
    page.emulate_media(media="print")
    assert 0.9 * PAPER < chart.evaluate("chart => chart.getBoundingClientRect().right") < PAPER
    lightness = Image.open(io.BytesIO(page.screenshot())).convert("L").histogram()
    assert sum(lightness[:128]) < 0.015 * sum(lightness)
    assert chart.locator(".zl").evaluate("line => getComputedStyle(line).strokeWidth") == "2px"
