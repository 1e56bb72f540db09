"""The report in a real browser: without a network, and equal to the page number by number."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Page

import rankdash as rd
from rankdash.report import EXPORTS, candidates, exported
from rankdash.style import verdict as words
from tests.browser.pages import first_visit, keyed, said
from tests.browser.waiting import settled
from tests.report import reported as given

#: The numbers of a text as people read them: with sign, thousands separated, a percent sign.
numbers = re.compile(r"[+−]?\d[\d,]*(?:\.\d+)?%?").findall


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page of a browser without a network; nothing may be written to its console."""
    context = browser.new_context(offline=True, viewport={"width": 1200, "height": 900}, color_scheme="dark")
    page, told = context.new_page(), list[str]()
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith("file:") else told.append(request.url))
    yield page
    context.close()
    assert told == []


def saved(page: Page, folder: Path, form: str) -> Path:
    """A form of the open comparison, saved from the dialog that stands open."""
    if form not in words.EXPORT_FIRST:
        field = keyed(page, "export_form").locator("input")
        if not field.count():
            keyed(page, "export_more").locator("summary").click()
        field.fill(EXPORTS[form].label)
        field.press("Enter")
    with page.expect_download() as begun:
        keyed(page, f"export_{form}").get_by_role("button").click()
    download: Download = begun.value
    path = folder / download.suggested_filename
    download.save_as(path)
    return path


def test_the_report_equals_the_page_number_by_number(
    page: Page, app_url: str, offline: Page, tmp_path: Path, console_errors: list[str]
) -> None:
    """Saved from the page and opened without a network: headline, cards, questions, caveats, segments, votes and the
    chosen losses and gains have the numbers of the page, in the same order; a key closes the dialog after it. Paper has
    the heading of each of them, without the sign of a fold that nobody can open there.
    """
    first_visit(page, app_url)
    keyed(page, "segments").locator("summary").click()
    settled(page)
    parts = {name: said(keyed(page, name)) for name in ("sentence", "caveats", "segments")}
    cards = [said(card) for card in keyed(page, "cards").locator("[data-testid=stMetric]").all()]
    questions = said(keyed(page, "grounds").locator("[data-testid=stVerticalBlock]").first)
    losses = [said(button) for button in page.locator("[class*=st-key-open_losses_] button").all()]
    keyed(page, "open_export").get_by_role("button").click()
    report = saved(page, tmp_path, "html")
    assert report.name == "Demo_product_search.html"
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    offline.goto(report.as_uri())
    assert offline.locator("h1").inner_text().split("\n")[0] in said(page.locator("h1"))
    assert offline.locator(".sentence").inner_text() == parts["sentence"].strip()
    assert numbers(" ".join(offline.locator(".caveats li").all_inner_texts()))[: len(numbers(parts["caveats"]))]
    for card, own in zip(cards, offline.locator(".cards .card").all(), strict=True):
        label, value, chip, *_ = [line for line in card.split("\n") if line.strip() and "help" not in line]
        assert value in own.inner_text()
        assert set(numbers(chip)) <= set(numbers(own.inner_text()))
        assert label.split(" · ")[0] in own.inner_text()
    for line in offline.locator(".question p").all_inner_texts():
        assert line in questions
    rows = [" ".join(row.split()) for row in parts["segments"].splitlines() if numbers(row)]
    everything = " ".join(offline.locator("body").inner_text().split())
    assert rows
    assert [row for row in rows if numbers(row)[0] not in everything] == []
    first = [heading.split()[0] for heading in offline.locator(".queries").first.locator("h3").all_inner_texts()]
    assert first[: len(losses)] == [numbers(loss)[0] for loss in losses]
    offline.emulate_media(media="print")  # the edge of a sheet cuts a border that lies on it
    assert offline.locator(".card").first.evaluate("card => card.getBoundingClientRect().left >= 1")
    assert all(heading.is_visible() for heading in offline.locator(".queries h3").all())
    signs = "folds => folds.filter(fold => getComputedStyle(fold).display === 'list-item').length"
    assert offline.locator("summary").evaluate_all(signs) == 0
    assert not console_errors


def test_hostile_text_is_text_in_a_browser_too(offline: Page, tmp_path: Path) -> None:
    """No picture, link or script comes of any text, and the text is read as it stands."""
    report = tmp_path / "report.html"
    report.write_bytes(exported(given.hostile(), "html"))
    offline.goto(report.as_uri())
    assert not offline.locator("img, a, script, b").count()
    assert "<img src=x onerror=alert(1)> @team #1 {{ 7*7 }}" in offline.locator("body").inner_text()


def test_a_report_is_read_on_a_phone(offline: Page, tmp_path: Path) -> None:
    """Every rule is whole between the edges, and the list of B stands below that of A, its titles as wide as those."""
    report = tmp_path / "report.html"
    report.write_bytes(exported(given.everything(), "html"))
    offline.goto(report.as_uri())
    offline.set_viewport_size({"width": 390, "height": 844})
    assert offline.locator(".rules").evaluate("table => table.getBoundingClientRect().right <= innerWidth")
    heads, titles = offline.locator(".lists").first.locator("th"), offline.locator(".lists").first.locator(".document")
    boxes = [one.bounding_box() or {} for one in (heads.first, titles.first, heads.last, titles.last)]
    assert sorted(boxes, key=lambda box: box["y"]) == boxes
    assert [box["width"] > 150 for box in boxes] == [True] * 4


def test_several_candidates_are_printed_with_the_report_on_the_best(offline: Page, tmp_path: Path) -> None:
    """On paper the best is open, another one only where it was opened, and the table ends where its card does."""
    run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}}
    swapped = {query: {"d2": 2.0, "d1": 1.0} for query in run}
    tried = {"a candidate with a long name, " * 2: swapped, "a_candidate_of_one_word_" * 2: run, "c": run}
    path = tmp_path / "report.html"
    path.write_bytes(candidates.exported(rd.compare_many(run, tried, {"q1": {"d2": 1}, "q2": {"d1": 1}}), "html"))
    offline.goto(path.as_uri())
    offline.set_viewport_size({"width": 703, "height": 900})  # A4 between its margins
    offline.locator("summary", has_text="c:").last.click()
    offline.emulate_media(media="print")
    assert [one.is_visible() for one in offline.locator("details > .report").all()] == [True, False, True]
    assert offline.locator(".wraps").evaluate("table => table.scrollWidth <= table.closest('.scroll').clientWidth")


@pytest.mark.long
def test_a_report_is_accessible(offline: Page, tmp_path: Path) -> None:
    """Axe finds nothing in light, in dark, and on a phone."""
    from axe_playwright_python.sync_playwright import Axe

    report = tmp_path / "report.html"
    content = exported(given.everything(), "html").decode()
    # The report lets no script run; for the one that looks at it this copy does.
    report.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", content), "utf-8")
    offline.goto(report.as_uri())
    for scheme, width in (("light", 1200), ("dark", 1200), ("light", 380)):
        offline.emulate_media(color_scheme=scheme)
        offline.set_viewport_size({"width": width, "height": 900})
        found = Axe().run(offline).response["violations"]
        assert [(one["id"], [node["html"][:90] for node in one["nodes"][:3]]) for one in found] == []
