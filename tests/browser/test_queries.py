"""The queries page in a browser: a bar or a row opens its query, and text stays text."""

import pytest
from playwright.sync_api import Page, Position, expect

from rankdash import style
from rankdash.style import queries as words
from tests.browsed import written
from tests.browser.pages import button, click_bar, compare_new, go, keyed, resize
from tests.browser.waiting import settled


@pytest.fixture(scope="module")
def demo(shared_page: Page, app_url: str) -> Page:
    """The demo's queries, as they are at a first visit; tests that ask for them come before those of files."""
    shared_page.goto(f"{app_url}/queries")
    settled(shared_page)
    return shared_page


@pytest.fixture(scope="module")
def uploaded(demo: Page, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """Two runs and their judgments, compared."""
    compare_new(demo, written(tmp_path_factory.mktemp("files")))
    return demo


@pytest.fixture
def opened(uploaded: Page) -> Page:
    """The queries page of that comparison."""
    go(uploaded, words.QUERIES)
    return uploaded


def filters(page: Page) -> None:
    """Opens the filters, or closes them."""
    keyed(page, "view_open").locator("summary").click()
    settled(page)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 720)])
def test_an_id_is_whole_behind_a_long_title(demo: Page, width: int, height: int) -> None:
    """Of documents with one title the ids tell which is which: 16 letters fit on a phone and on a laptop, with some of
    the title before them. Who points at a title sees all of it, and no row moves. Beside a verdict the id is whole too,
    and so is the name of its query.
    """
    fits = """cells => cells.every(cell => { const range = document.createRange(), id = cell.lastChild.lastChild;
        id.data = ' M12345678901234x'; cell.lastChild.firstChild.append(' title'.repeat(20)); range.selectNode(id);
        return range.getBoundingClientRect().right <= cell.getBoundingClientRect().right; })"""
    resize(demo, width, height)
    cells = keyed(demo, "two_lists").locator("td:nth-child(3)")
    assert cells.evaluate_all(fits)
    heights = "e => [e.closest('tr').offsetHeight, e.querySelector('em').offsetHeight]"
    (row, line), _ = cells.first.evaluate(heights), cells.first.hover()
    assert [row, True] == [(pointed := cells.first.evaluate(heights))[0], pointed[1] > 2 * line > row]
    go(demo, style.VERDICT)
    whole = "p => (p.lastChild.data = ' waterproof bluetooth shower speaker with') && p.scrollHeight <= p.clientHeight"
    assert keyed(demo, "extremes").locator("button p").first.evaluate(whole)
    fits = """p => { const range = document.createRange(), all = p.getBoundingClientRect();
        const mark = text => `<i class=stMarkdownColoredText>${text}</i> `, title = `<em>${'title '.repeat(20)}</em>`;
        p.innerHTML = `${mark('A')}${mark('?')}<strong>${title} M1234</strong>`;
        range.selectNode(p.lastChild.lastChild); const id = range.getBoundingClientRect();
        return [id.x > all.x + all.width / 2, id.right <= all.right]; }"""
    assert keyed(demo, "extremes").locator("p:has(br)").first.evaluate(fits) == [True, True]
    go(demo, words.QUERIES)


@pytest.mark.long
def test_a_bar_opens_its_query_and_keys_go_on(opened: Page) -> None:
    """The bar at the right end is the largest gain; P goes to the one before, N back, and neither while typing.
    Escape closes the filters.
    """
    panel = keyed(opened, "query_panel")
    click_bar(opened, "view_sorted", 0.99)
    panel.get_by_text(words.PLACE.format(place=50, n=50)).wait_for()
    settled(opened)  # the name of a query is there a moment before its neighbours' buttons
    for key, place in (("p", 49), ("n", 50)):
        opened.keyboard.press(key)
        panel.get_by_text(words.PLACE.format(place=place, n=50)).wait_for()
        settled(opened)
    filters(opened)
    box = keyed(opened, "query_text").get_by_role("textbox")
    box.press_sequentially("pn")
    settled(opened)
    expect(panel.get_by_text(words.PLACE.format(place=50, n=50))).to_be_visible()
    box.fill("")
    opened.keyboard.press("Escape")
    expect(box).to_be_hidden()


@pytest.mark.long
def test_a_row_of_the_list_opens_its_query_beside_it(opened: Page) -> None:
    """A click on any cell opens the query of its row, and an arrow key goes on from there. The query is on the screen
    beside the list, and on a phone it is scrolled to, also where it is opened from the Verdict page. There the parts
    of an id have one colour.
    """
    table, panel = keyed(opened, "view_table"), keyed(opened, "query_panel")

    def shows(place: int) -> None:
        panel.get_by_text(words.PLACE.format(place=place, n=50)).wait_for()
        settled(opened)
        expect(panel.locator("h3")).to_be_in_viewport()

    def click(across: int, row: int) -> None:
        canvas, at = table.locator("canvas").first, Position(x=across, y=36 + 35 * row + 17)
        canvas.hover(position=at, force=True)  # one that was drawn anew takes a click only once it has seen the mouse
        settled(opened)
        canvas.click(position=at, force=True, delay=50)

    click_bar(opened, "view_sorted", 0.01)  # the list begins with its first row
    shows(1)
    for across, row in ((100, 2), (300, 4)):
        click(across, row)
        shows(row + 1)
        button(opened, "query_next").click()
        shows(row + 2)
    click(100, 3)
    shows(4)
    opened.keyboard.press("ArrowDown")
    shows(5)
    resize(opened, 390, 844)
    click(100, 2)
    shows(3)
    go(opened, style.VERDICT)
    makes = "p => { p.insertAdjacentHTML('beforeend', '<em>0</em> <em><strong>a</strong>b</em>'); return p.lastChild }"
    part = keyed(opened, "extremes").locator(".stMarkdown p").first.evaluate_handle(makes)
    assert part.evaluate("e => getComputedStyle(e).color === getComputedStyle(e.firstChild).color")
    keyed(opened, "extremes").get_by_role("button").first.click()
    settled(opened)
    expect(panel.locator("h3")).to_be_in_viewport()
    resize(opened, 1440, 900)


@pytest.mark.long
def test_a_table_is_saved_by_a_button_of_ours_alone(opened: Page) -> None:
    """The table offers no download, whose cells a spreadsheet could run; the button above it saves its rows for one."""
    table = keyed(opened, "view_table")
    table.hover()
    downloads = opened.get_by_role("button", name="Download as CSV", include_hidden=True)
    assert downloads.count() > 0  # once it bears another name, the rule of the style sheet hides nothing
    assert not any(one.is_visible() for one in downloads.all())
    for text, rows in (("q7", 1), ("", 50)):
        filters(opened)
        keyed(opened, "query_text").get_by_role("textbox").fill(text)
        keyed(opened, "query_panel").locator("td").last.click()  # beside the filters: what is typed counts, they close
        settled(opened)
        with opened.expect_download() as saved:
            button(opened, "view_save").click()
        file, lines = saved.value.suggested_filename, saved.value.path().read_text("utf-8").splitlines()
        assert (file, lines[0][0], len(lines)) == ("queries_nDCG.csv", "\ufeff", 1 + rows)
