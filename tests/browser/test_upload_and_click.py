"""The journey of a first comparison: files in, numbers read off the screen, a bar clicked, files removed."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import rankdash as rd
from rankdash import style
from rankdash.inspect.lists import query_lists
from rankdash.inspect.query_order import changes
from rankdash.style import method, queries as words, reading
from rankdash.wording import number, points, signed
from tests.browser.pages import cancel_new, cards, click_bar, compare_new, drop, go, keyed
from tests.browser.waiting import answered, one_says, says, settled, slow_line
from tests.dashboard.test_data_page import UNKNOWN, token


@pytest.fixture(scope="module")
def comparison(files: dict[str, Path]) -> rd.Comparison:
    """The same comparison without a page."""
    return rd.compare(rd.read_run(files["a"]), rd.read_run(files["b"]), rd.read_judgments(files["judgments"]))


@pytest.fixture(scope="module")
def uploaded(shared_page: Page, app_url: str, files: dict[str, Path]) -> Page:
    """The same comparison, begun on a page whose view stands in the address: another cutoff, and a filter."""
    shared_page.goto(f"{app_url}/queries?k=5&query_outcome=win")
    keyed(shared_page, "view_table").wait_for()
    settled(shared_page)
    compare_new(shared_page, files)
    return shared_page


@pytest.fixture
def verdict(uploaded: Page) -> Page:
    """Its verdict."""
    go(uploaded, style.VERDICT)
    return uploaded


def test_the_screen_shows_the_numbers_of_the_comparison(verdict: Page, comparison: rd.Comparison) -> None:
    """After an upload, from whichever page, the verdict and the cards show what compare() and decide() return."""
    decided, found = rd.decide(comparison), comparison.primary.paired
    says(keyed(verdict, "banner"), decided.screen, decided.sentence)
    says(
        keyed(verdict, "cards"), number(found.mean_b), number(found.mean_a), signed(found.delta),
        points(comparison.gsb_derived.delta),
    )  # fmt: skip


def test_a_click_on_a_bar_opens_the_two_lists_of_its_query(verdict: Page, comparison: rd.Comparison) -> None:
    """The bar that was clicked opens its query on the Queries page: both lists with title, id and grade."""
    shown, panel = changes(comparison), keyed(verdict, "query_panel")
    for share, place in ((0.99, 49), (0.01, 0), (0.99, 49)):
        go(verdict, style.VERDICT)
        click_bar(verdict, "query_chart", share)
        panel.get_by_text(f"{shown.query_ids[place]} · ").wait_for()
        lists = query_lists(comparison, shown.query_ids[place])
        documents = (row.document for listed in (lists.a, lists.b) for row in listed.placed)
        says(panel, signed(float(shown.delta[place])), *(f"{one.title} {one.doc_id}" for one in documents))
        one_says(panel.locator("td"), words.UNJUDGED_MARK)


@pytest.mark.long
def test_a_file_is_drawn_once_its_card_removes_it_and_a_dialog_that_is_closed_forgets_it(
    verdict: Page, files: dict[str, Path]
) -> None:
    """A file in a dialog stands on its card alone; a key pressed on the card's button takes it out of it; what is
    dropped again is there again. A dialog that was closed is empty when it is opened again.
    """
    go(verdict, method.METHOD)
    button = keyed(verdict, "new_comparison").get_by_role("button").first
    button.click()
    drop(verdict, "new", *files.values())
    dialog = verdict.get_by_role("dialog")
    expect(dialog.get_by_text("new.csv", exact=True).filter(visible=True)).to_have_count(1)
    remove = dialog.get_by_role("button", name=reading.REMOVE.format(name="new.csv"))
    expect(remove).to_have_count(1)
    remove.focus()
    verdict.keyboard.press("Enter")
    expect(cards(verdict, "new")).to_have_count(2)
    expect(keyed(verdict, "new_compare").get_by_role("button")).to_be_disabled()
    drop(verdict, "new", files["b"])
    expect(cards(verdict, "new")).to_have_count(3)
    expect(keyed(verdict, "new_compare").get_by_role("button")).to_be_enabled()
    cancel_new(verdict)
    button.click()
    keyed(verdict, "new_files").wait_for()
    settled(verdict)
    assert cards(verdict, "new").count() == 0
    cancel_new(verdict)


def test_a_reload_says_that_the_files_are_gone(verdict: Page) -> None:
    """After a reload the page asks for the files again and does not show the demo in their place."""
    verdict.reload()
    verdict.get_by_text(style.GONE).wait_for()
    keyed(verdict, "lost_files").wait_for()
    settled(verdict)
    assert not keyed(verdict, "banner").count()


def choose(page: Page, key: str, option: str) -> None:
    """Chooses from a list with the keyboard, and waits for nothing."""
    keyed(page, key).get_by_role("combobox").focus()
    page.keyboard.type(option)
    page.get_by_role("option", name=option, exact=True).wait_for()
    page.keyboard.press("Enter")


@pytest.mark.long
def test_what_is_done_quickly_on_a_slow_line_is_neither_lost_nor_taken_for_more(
    page: Page, app_url: str, files: dict[str, Path], tmp_path: Path
) -> None:
    """Two choices and a click, before the page shows what follows from them, are all that was chosen: the file is used,
    though the list that the browser still shows says otherwise.
    """
    slow_line(page, 1500)
    page.goto(f"{app_url}/?c=lost")
    (tmp_path / "treatment.csv").write_bytes(UNKNOWN)
    name = token(UNKNOWN)
    drop(page, "lost", files["a"], tmp_path / "treatment.csv", files["judgments"])
    role = keyed(page, f"lost_role_{name}").get_by_role("combobox")
    expect(role).to_have_value(reading.CHOOSE)
    choose(page, f"lost_column_query_id_{name}", "alpha")
    choose(page, f"lost_column_doc_id_{name}", "beta")
    answered(page)
    keyed(page, f"lost_more_{name}").get_by_text(reading.DETAILS, exact=True).click()
    keyed(page, f"lost_card_{name}").get_by_text(reading.COLUMNS_ASK).wait_for()
    settled(page)
    expect(role).to_have_value(reading.ROLES["b"])
    choose(page, f"lost_column_rank_{name}", "delta")
    settled(page)
    keyed(page, "lost_compare").get_by_role("button").and_(page.locator("button:enabled")).click()
    keyed(page, "lost_files").wait_for(state="detached")
    page.get_by_text(style.DEMO_BADGE, exact=True).wait_for(state="detached")
    go(page, style.DATA)
    keyed(page, "file_b").get_by_text(reading.DETAILS, exact=True).click()
    says(keyed(page, "file_b"), "alpha → query_id, beta → doc_id, delta → rank")
