"""Both lists of one query, side by side, as text."""

from __future__ import annotations

import re
from typing import Any

from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.style import queries as words
from tests.awaited import HUNG

JOINER = "\u2060"


def two_lists(at: AppTest) -> list[list[str]]:
    """The rows of the table of both lists, head and rule first, cell by cell, as people read them."""
    (table,) = (one.value for one in at.markdown if "\n|-|" in one.value)
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.replace(JOINER, "").split("\n")]
    return [[re.sub(r"\\(?=[^\w\s])", "", cell) for cell in row] for row in rows]


def drawn(**given: Any) -> list[list[str]]:
    """Both lists of the query "q" of two runs."""

    def page(comparison: object) -> None:
        from rankdash.dashboard.parts.one_query import side_by_side
        from rankdash.inspect.lists import query_lists

        side_by_side(query_lists(comparison, "q"))

    comparison = rd.compare(given["a"], given["b"], rd.read_judgments({"q": {}, **given["grades"]}))
    at = AppTest.from_function(page, kwargs={"comparison": comparison}, default_timeout=HUNG).run()
    assert not at.exception
    return two_lists(at)


def test_each_row_says_where_its_document_stands_in_the_other_list_and_what_that_does() -> None:
    """A sign and a colour where the move helps or hurts; new, dropped and unjudged documents say so."""
    a, b = {"q": ["x", "y", "z", "only a"]}, {"q": ["y", "x", "z", "only b"]}
    head, _, *rows = drawn(a=rd.read_run(a, name="old"), b=rd.read_run(b), grades={"q": {"x": 0, "y": 2, "z": 1}})
    assert head[2] == "**A** old"
    assert [row[0] for row in rows] == [row[5] for row in rows] == ["1", "2", "3", "4"]
    assert [row[2] for row in rows] == ["x", "y", "z", "only a"]
    green = style.THEME[style.WIN]
    assert [row[3].replace("\u00a0", " ") for row in rows] == [
        f":{green}[+ to 2]", f":{green}[+ to 1]", "*same*", "*dropped*",
    ]  # fmt: skip
    assert [row[8].replace("\u00a0", " ") for row in rows] == [
        f":{green}[+ from 2]", f":{green}[+ from 1]", "*same*", "*new*",
    ]  # fmt: skip
    assert [words.UNJUDGED_MARK in row[1] for row in rows] == [False, False, False, True]


def test_text_of_files_stays_in_its_cell_letter_for_letter() -> None:
    """Bars, line breaks, tags and Markdown in ids, titles and names of models do not make a cell, a row or a link."""
    odd = "a|b **c** <i>d</i> [e](http://f) \\| g"
    run = rd.read_run({"q": {odd: 1}}, name=odd)
    head, _, *rows = drawn(a=run, b=run, grades={"q": {odd: 1}})
    assert len(rows) == 1
    assert len(head) == len(rows[0]) == 9
    assert rows[0][2] == rows[0][7]
    assert "a|b **c** <i>d</i>" in rows[0][2]


def test_ties_and_repeated_documents_are_marked() -> None:
    """Equal scores are tied, and a document that the file holds twice for a query is repeated."""
    run = rd.read_run(b"query_id,doc_id,score\nq,x,2\nq,y,2\nq,z,1\nq,z,0\n")
    _, _, *rows = drawn(a=run, b=run, grades={"q": {"x": 1}})
    marks = [words.TIED_MARK, words.TIED_MARK, words.REPEATED_MARK]
    assert [mark in row[3] for mark, row in zip(marks, rows, strict=False)] == [True] * 3
    assert words.TIED_MARK not in rows[2][3]


def test_an_empty_list_says_that_nothing_was_returned() -> None:
    """B has no list for the query; beside the first document of A stands why."""
    a, b = rd.read_run({"q": ["x", "y"], "r": ["x"]}), rd.read_run({"r": ["x"]})
    _, _, *rows = drawn(a=a, b=b, grades={"q": {"x": 1}, "r": {"x": 1}})
    assert [row[7] for row in rows] == [words.NOTHING_RETURNED, ""]
