"""Acts on the edit page: cells typed, rows added and deleted, labels given, steps taken back."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from rankdash.edits import Edit
from rankdash.inspect.lists import query_texts
from rankdash.style import editing
from tests.browser import grids
from tests.browser.pages import keyed
from tests.browser.waiting import settled
from tests.browser.walk.walker import Walker

#: Rows of a table that can be clicked without scrolling in it.
_IN_SIGHT = 8
_GRADES = ("0", "1", "2", "3")


def to_edit(walk: Walker, way: str = "lists") -> None:
    """To the edit page, to the two lists or to what to label next."""
    walk.go(editing.EDIT)
    keyed(walk.page, "edit_log").wait_for()
    keyed(walk.page, "edit_way").get_by_text(editing.WAYS[way], exact=True).click()
    settled(walk.page)


def edit(walk: Walker) -> None:
    """A grade or a rank typed, a row deleted or added, in one of the lists of some query."""
    to_edit(walk)
    side = walk.chance.choice("ab")
    grid = keyed(walk.page, "edit_lists").get_by_test_id("stDataFrame").nth("ab".index(side))
    rows = grids.rows(grid)
    is_short = len(rows) <= _IN_SIGHT  # the row to add another one in is the last one
    possible = ["grade", "grade", "rank", "remove", "add" if is_short else "grade"] if len(rows) > 2 else ["add"]
    what, before = walk.chance.choice(possible), _heading(walk)
    query_id = parse_qs(urlsplit(walk.page.url).query)["query"][0]
    at = walk.chance.randrange(min(len(rows), _IN_SIGHT))
    rank, grade, doc_id = rows[at][:3]
    if what == "grade":
        to = walk.chance.choice([one for one in _GRADES if one != grade])
        grids.type_cell(walk.page, grid, 1, at, to)
        made = Edit(query_id, doc_id, "grade", None, None, float(to))
    elif what == "rank":
        to = walk.chance.choice([other[0] for other in rows if other[0] != rank])
        grids.type_cell(walk.page, grid, 0, at, to)
        made = Edit(query_id, doc_id, "rank", side, int(rank), int(to))  # type: ignore[arg-type]
    elif what == "remove":
        grids.delete_row(walk.page, grid, at)
        made = Edit(query_id, doc_id, "remove", side, int(rank), None)  # type: ignore[arg-type]
    else:
        new = f"new{walk.chance.randrange(10**6)}"
        grids.add_row(walk.page, grid, 2, new)
        made = Edit(query_id, new, "add", side, None, len(rows) + 1)  # type: ignore[arg-type]
    _taken(walk, before, made)


def label(walk: Walker) -> None:
    """A grade for one of the documents to label next, where there are any."""
    to_edit(walk, "labels")
    if not keyed(walk.page, "labels_list").get_by_test_id("stDataFrame").count():
        return
    grid = keyed(walk.page, "labels_list").get_by_test_id("stDataFrame")
    rows, before = grids.rows(grid), _heading(walk)
    at = walk.chance.randrange(min(len(rows), _IN_SIGHT))
    grade, *_, doc_id, query, _, _, _ = rows[at]
    ids = {text or query_id: query_id for query_id, text in query_texts(walk.lists.comparison).items()}
    to = walk.chance.choice([one for one in _GRADES if one != grade])
    grids.type_cell(walk.page, grid, 0, at, to)
    _taken(walk, before, Edit(ids.get(query, query), doc_id, "grade", None, None, float(to)))


def _heading(walk: Walker) -> str:
    """What the page says of the number of edits."""
    return keyed(walk.page, "edit_log").get_by_role("heading").text_content() or ""


def _taken(walk: Walker, before: str, made: Edit) -> None:
    edits = keyed(walk.page, "edit_log").get_by_role("heading")
    expect(edits, f"{made} was not taken over").not_to_have_text(before)
    settled(walk.page)
    walk.open = walk.lists.edited(made)


def undo(walk: Walker) -> None:
    """The last step of edits taken back, where there is one."""
    if _stepped(walk, "edit_undo", bool(walk.lists.past)):
        walk.open = walk.lists.undone()


def redo(walk: Walker) -> None:
    """The same done again."""
    if _stepped(walk, "edit_redo", bool(walk.lists.future)):
        walk.open = walk.lists.redone()


def reset(walk: Walker) -> None:
    """All edits taken back in one step, where there are any."""
    if _stepped(walk, "edit_reset_all", bool(walk.lists.edits)):
        walk.open = walk.lists.reset()


def _stepped(walk: Walker, key: str, is_possible: bool) -> bool:
    to_edit(walk)
    assert keyed(walk.page, key).get_by_role("button").is_enabled() is is_possible, key
    if is_possible:
        walk.press(key)
    return is_possible
