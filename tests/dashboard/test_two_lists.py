"""Both lists of one query, side by side, as text."""

from __future__ import annotations

import re
from typing import Any

from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.style import queries as words
from tests.awaited import HUNG

JOINER = "\u2060"


def two_lists(at: AppTest) -> list[list[list[str]]]:
    """The rows of the tables of both lists, head and rule first, cell by cell, as people read them."""
    (tables,) = (one.value for one in at.markdown if "\n|-|" in one.value)
    plain = tables.replace(JOINER, "").split("\n\n")
    lists = [[re.split(r"(?<!\\)\|", line)[1:-1] for line in one.split("\n")] for one in plain]
    return [[[re.sub(r"\\(?=[^\w\s])", "", cell) for cell in row] for row in rows] for rows in lists]


def drawn(**given: Any) -> list[list[list[str]]]:
    """Both lists of the query "q" of two runs."""

    def page(comparison: object) -> None:
        from rankdash.dashboard.parts.one_query import side_by_side
        from rankdash.inspect.lists import query_lists

        side_by_side(query_lists(comparison, "q"))

    comparison = rd.compare(given["a"], given["b"], rd.read_judgments({"q": {}, **given["grades"]}))
    at = AppTest.from_function(page, kwargs={"comparison": comparison}, default_timeout=HUNG).run()
    return two_lists(at)


def test_each_row_says_where_its_document_stands_in_the_other_list() -> None:
    """The rank in the other list behind an arrow; new, dropped and unjudged documents are marked. A relevant grade is
    strong, whatever the highest is.
    """
    a, b = {"q": ["x", "y", "z", "only a"]}, {"q": ["y", "x", "z", "only b"]}
    (head, _, *rows), (_, _, *others) = drawn(
        a=rd.read_run(a, name="old"), b=rd.read_run(b), grades={"q": {"x": 0, "y": 3, "z": 1}}
    )
    assert head[2] == "**A** old"
    assert [row[0] for row in rows] == [row[0] for row in others] == ["1", "2", "3", "4"]
    assert [row[2] for row in rows] == ["x", "y", "z", "only a"]
    assert [row[3].replace("\u00a0", " ") for row in rows] == ["↓ to 2", "↑ to 1", "", "not in B"]
    assert [row[3].replace("\u00a0", " ") for row in others] == ["↑ from 2", "↓ from 1", "", "new"]
    assert [row[1].strip(" :gray[]") for row in rows] == ["*0*", "**3**", "**1**", words.UNJUDGED_MARK]


def test_text_of_files_stays_in_its_cell_letter_for_letter() -> None:
    """Bars, line breaks, tags and Markdown in ids, titles and names of models do not make a cell, a row or a link."""
    odd = "a|b **c** <i>d</i> [e](http://f) \\| g"
    run = rd.read_run({"q": {odd: 1}}, name=odd)
    (head, _, *rows), (_, _, *others) = drawn(a=run, b=run, grades={"q": {odd: 1}})
    assert [len(row) for row in (head, *rows)] == [4, 4]
    assert rows[0][2] == others[0][2]
    assert "a|b **c** <i>d</i>" in rows[0][2]
    (*_, row), _ = drawn(a=rd.read_run({"q": ["Spirited Away in the far-off land"]}), b=run, grades={"q": {odd: 1}})
    assert row[2].replace("*", "") == "Spirited Away in the far-off land"


def test_ties_and_repeated_documents_are_marked() -> None:
    """Equal scores are tied, and a document that the file holds twice for a query is repeated."""
    run = rd.read_run(b"query_id,doc_id,score\nq,x,2\nq,y,2\nq,z,1\nq,z,0\n")
    (_, _, *rows), _ = drawn(a=run, b=run, grades={"q": {"x": 1}})
    assert [row[0] for row in rows] == ["1=", "2=", "3"]
    assert words.REPEATED_MARK in rows[2][3]


def test_an_empty_list_says_that_nothing_was_returned() -> None:
    """B has no list for the query; in its place stands why."""
    a, b = rd.read_run({"q": ["x", "y"], "r": ["x"]}), rd.read_run({"r": ["x"]})
    _, (_, _, *rows) = drawn(a=a, b=b, grades={"q": {"x": 1}, "r": {"x": 1}})
    assert [row[2] for row in rows] == [words.NOTHING_RETURNED]
