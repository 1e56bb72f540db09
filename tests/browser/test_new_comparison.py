"""New comparison, walked by somebody who has never seen it: dropped, typed and pasted, and opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from rankdash import style
from rankdash.style import editing as words
from rankdash.style import reading
from tests.browsed import judgments_csv, run_csv
from tests.browser.pages import cancel_new, drop, first_visit, keyed
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def visited(shared_page: Page, app_url: str) -> Page:
    """The first screen."""
    first_visit(shared_page, app_url)
    return shared_page


@pytest.fixture
def dialog(visited: Page) -> Locator:
    """The dialog of a new comparison, opened anew."""
    if visited.get_by_role("dialog").count():
        cancel_new(visited)
    keyed(visited, "new_comparison").get_by_role("button").first.click()
    settled(visited)
    return visited.get_by_role("dialog")


def test_a_key_or_a_click_beside_it_takes_nothing_of_what_was_typed(dialog: Locator) -> None:
    """Escape in a field, with letters that the server has not heard of, and a click beside the dialog: all is there."""
    pick(dialog, words.DOORS["typed"])
    field = keyed(dialog.page, "typed_a").locator("textarea")
    field.press_sequentially("3 2 3")
    field.press("Escape")
    dialog.page.mouse.click(4, 4)
    settled(dialog.page)
    expect(field).to_have_value("3 2 3")
    cancel_new(dialog.page)
    keyed(dialog.page, "new_comparison").get_by_role("button").first.click()
    settled(dialog.page)
    pick(dialog, words.DOORS["typed"])
    expect(field).to_have_value("")


def pick(dialog: Locator, *names: str) -> None:
    """Chooses one thing after another."""
    for name in names:
        dialog.get_by_role("radio", name=name, exact=True).click()
        settled(dialog.page)


def paste(dialog: Locator, key: str, text: str) -> None:
    """Puts a text into a field."""
    field = keyed(dialog.page, key).locator("textarea")
    field.fill(text)
    field.press("Control+Enter")
    settled(dialog.page)


def compare(dialog: Locator) -> Locator:
    """The button under typed lists."""
    return keyed(dialog.page, "typed_compare").get_by_role("button")


def test_the_first_screen_says_what_the_product_is_for(visited: Page) -> None:
    """One line below the names of the demo says it, and where one's own two lists go."""
    says(visited.get_by_test_id("stMain"), "should model B replace model A?", "takes your own two ranked lists")


def test_the_zone_says_what_to_drop(dialog: Locator) -> None:
    """A large zone says which files go there, in place of a bar that tells how large one may be."""
    files = keyed(dialog.page, "new_files")
    zone = files.get_by_test_id("stFileUploaderDropzone").bounding_box()
    label = files.get_by_text(reading.DROP, exact=True).bounding_box()
    assert zone is not None
    assert label is not None
    assert zone["height"] > 120
    assert zone["y"] < label["y"] < label["y"] + label["height"] < zone["y"] + zone["height"]
    assert "300MB per file" not in dialog.inner_text()


def test_nothing_is_enabled_that_would_be_refused(dialog: Locator, tmp_path: Path) -> None:
    """Judgments of other queries are told in a sentence and Compare is off; a cell that is wrong is one sentence."""
    page = dialog.page
    files = {"old.csv": run_csv(False), "new.csv": run_csv(True), "grades.csv": judgments_csv().replace(b"\nq", b"\nz")}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    drop(page, "new", *(tmp_path / name for name in files))
    says(dialog, "no query of this run is in grades.csv", reading.NEEDS["apart"])
    expect(keyed(page, "new_compare").get_by_role("button")).to_be_disabled()
    (tmp_path / "broken.csv").write_text("query_id,doc_id,rank\nq1,d1,1\nq1,d2,great\n")
    drop(page, "new", tmp_path / "broken.csv")
    says(dialog, 'Row 3, column "rank": "great" is not a number. Use 1, 2, 3')


def test_a_pasted_column_is_one_list_and_says_so(dialog: Locator) -> None:
    """Six numbers on six lines are one list of six grades; as a query on each line they are read by a click."""
    pick(dialog, words.DOORS["typed"])
    paste(dialog, "typed_a", "3\n2\n3\n0\n1\n2")
    says(keyed(dialog.page, "typed_numbers"), "nDCG@6", "0.961")
    pick(dialog, words.FORMS["lists"]["grades_each"])
    says(keyed(dialog.page, "typed_numbers"), "nDCG@1", "1.000")


def test_pasted_names_are_graded_by_a_click(dialog: Locator) -> None:
    """Two lists of names: what a line is is asked, both stand beside each other with what they share, clicks on grades
    give the numbers, and Compare opens them.
    """
    page = dialog.page
    pick(dialog, words.DOORS["typed"])
    paste(dialog, "typed_a", "Running shoes 15\nRain jacket\nTent")
    says(dialog, words.FORM_ASKED)
    paste(dialog, "typed_b", "Rain jacket\nRunning shoes 15\nHat")
    assert not keyed(page, "typed_said").count()
    pick(dialog, words.FORMS["lists"]["names_one"])
    says(keyed(page, "typed_lists"), "A and B share 2 of 4 documents.", "Tent only here", "0 of 4 graded")
    expect(compare(dialog)).to_be_disabled()
    rows = keyed(page, "typed_lists").get_by_role("radiogroup")
    for row, grade in enumerate("320"):
        rows.nth(row).get_by_role("radio", name=grade, exact=True).click()
        settled(page)
    says(keyed(page, "typed_lists"), "3 of 4 graded")
    says(keyed(page, "typed_numbers"), "1.000", "0.913")
    compare(dialog).click()
    dialog.wait_for(state="detached")
    settled(page)
    says(page.get_by_test_id("stMain"), words.TYPED, "1 query")


def test_the_dialog_is_a_fresh_one_after_votes_alone(dialog: Locator) -> None:
    """Votes alone are compared; opened again, the dialog begins with files, its fields are empty, and nothing of the
    result is left.
    """
    page = dialog.page
    pick(dialog, words.DOORS["typed"], words.SHAPES["votes"])
    paste(dialog, "typed_votes_alone", "good, same, bad, bad")
    compare(dialog).click()
    dialog.wait_for(state="detached")
    settled(page)
    keyed(page, "new_comparison").get_by_role("button").first.click()
    keyed(page, "new_files").wait_for()
    settled(page)
    pick(dialog, words.DOORS["typed"])
    expect(dialog.get_by_role("radio", name=words.SHAPES["lists"], exact=True)).to_be_checked()
    pick(dialog, words.SHAPES["votes"])
    expect(keyed(page, "typed_votes_alone").locator("textarea")).to_have_value("")
    assert not keyed(page, "typed_counted").count()
    expect(compare(dialog)).to_be_disabled()
    assert style.NEW_COMPARISON in dialog.inner_text()


def test_labels_in_the_details_of_a_file_stand_above_their_fields(dialog: Locator, tmp_path: Path) -> None:
    """No label of a correction lies on the value below it."""
    (file := tmp_path / "old.csv").write_bytes(run_csv(False))
    drop(dialog.page, "new", file)
    dialog.get_by_role("button", name=reading.DETAILS).click()
    settled(dialog.page)
    field = dialog.locator("[class*=st-key-new_column_query_id]")
    label, value = field.locator("label").bounding_box(), field.get_by_role("combobox").bounding_box()
    assert label
    assert value
    assert label["y"] + label["height"] <= value["y"] + 1
