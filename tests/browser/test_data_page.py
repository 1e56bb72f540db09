"""Files in, in a real browser: dropped together, asked about, compared."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import rankdash as rd
from rankdash import style
from rankdash.style import reading as words
from rankdash.wording import number
from tests.browsed import run_csv, written
from tests.browser.pages import cards, drop, keyed, said
from tests.browser.waiting import answered, says, settled, slow_line

#: A run with columns that nobody knows, and Japanese titles in Shift_JIS.
UNKNOWN = run_csv(True).replace(b"query_id,query,doc_id,title,rank", b"alpha,omega,beta,gamma,delta")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two runs and judgments."""
    written(tmp_path)
    return tmp_path


@dataclass(frozen=True)
class Compared:
    """Files that were dropped at once and compared: what each card said that it is, and the cards of the verdict."""

    page: Page
    folder: Path
    roles: list[str]
    cards: str


@pytest.fixture(scope="module")
def compared(shared_page: Page, app_url: str, tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """A comparison whose data page some tests look at."""
    folder = tmp_path_factory.mktemp("files")
    written(folder)
    shared_page.goto(f"{app_url}/?c=lost")
    drop(shared_page, "lost", folder / "grades.csv", folder / "new.csv", folder / "old.csv")
    roles = [card.get_by_role("combobox").first.input_value() for card in cards(shared_page, "lost").all()]
    compare(shared_page, "lost")
    return Compared(shared_page, folder, roles, said(keyed(shared_page, "cards")))


def token(file: Path) -> str:
    """What stands for a file in the keys of its widgets."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def choose(page: Page, key: str, option: str) -> None:
    """Chooses from a list with the keyboard, and waits for what follows from it."""
    choose_quickly(page, key, option)
    settled(page)


def choose_quickly(page: Page, key: str, option: str) -> None:
    """Chooses from a list with the keyboard, and waits for nothing."""
    keyed(page, key).get_by_role("combobox").focus()
    page.keyboard.type(option)
    page.get_by_role("option", name=option, exact=True).wait_for()
    page.keyboard.press("Enter")


def details(page: Page, file: Path, place: str = "new") -> None:
    """Opens the details of a file."""
    keyed(page, f"{place}_more_{token(file)}").get_by_text(words.DETAILS, exact=True).click()
    keyed(page, f"{place}_card_{token(file)}").get_by_text(words.COLUMNS_ASK).wait_for()
    settled(page)


def compare(page: Page, place: str = "new") -> None:
    """Presses the button and waits for the verdict."""
    button = keyed(page, f"{place}_compare").get_by_role("button")
    button.and_(page.locator("button:enabled")).click()
    keyed(page, f"{place}_files").wait_for(state="detached")
    keyed(page, "banner").wait_for()
    page.get_by_text(style.DEMO_BADGE, exact=True).wait_for(state="detached")
    settled(page)


def data_page(page: Page) -> Locator:
    """Goes to the data page, and returns all of it."""
    page.get_by_role("link", name=style.DATA).click()
    keyed(page, "concerns").wait_for()
    settled(page)
    return page.get_by_test_id("stMain")


def test_three_files_dropped_at_once_are_compared_without_another_word(compared: Compared) -> None:
    """Every file has a card that says what it is, and the verdict's numbers are those of the files."""
    assert compared.roles == [words.ROLES[role] for role in ("a", "b", "judgments")]
    folder = compared.folder
    found = rd.compare(
        rd.read_run(folder / "old.csv"), rd.read_run(folder / "new.csv"), rd.read_judgments(folder / "grades.csv")
    ).primary.paired
    assert number(found.mean_b) in compared.cards


@pytest.mark.long
def test_what_is_done_quickly_on_a_slow_line_is_neither_lost_nor_taken_for_more(
    page: Page, app_url: str, folder: Path
) -> None:
    """Two choices and a click, before the page shows what follows from them, are all that was chosen: the file is used,
    though the list that the browser still shows says otherwise.
    """
    slow_line(page, 1500)
    page.goto(f"{app_url}/?c=lost")
    other = folder / "treatment.csv"
    other.write_bytes(UNKNOWN)
    drop(page, "lost", folder / "old.csv", other, folder / "grades.csv")
    role = keyed(page, f"lost_role_{token(other)}").get_by_role("combobox")
    expect(role).to_have_value(words.CHOOSE)
    choose_quickly(page, f"lost_column_query_id_{token(other)}", "alpha")
    choose_quickly(page, f"lost_column_doc_id_{token(other)}", "beta")
    answered(page)
    details(page, other, "lost")
    expect(role).to_have_value(words.ROLES["b"])
    choose(page, f"lost_column_rank_{token(other)}", "delta")
    compare(page, "lost")
    data_page(page)
    keyed(page, "file_b").get_by_text(words.DETAILS, exact=True).click()
    says(keyed(page, "file_b"), "alpha → query_id, beta → doc_id, delta → rank")
