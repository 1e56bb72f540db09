"""Two lists of one query side by side: one row per rank, with lines between the ranks of each document.

It is a Markdown table with a drawing over the gap between the lists, not a chart: its text can be searched, copied and
read aloud, and it appears in a tenth of the time. Sizes that depend on the height of a row are in ``style/page.css``.
"""

from __future__ import annotations

from itertools import zip_longest

import streamlit as st

from rankdash import charts, style
from rankdash.dashboard.kit.literal import plain, short, table
from rankdash.inspect.lists import PlacedDocument, QueryList, QueryLists, ShownDocument
from rankdash.scoring import Side
from rankdash.style import queries as words
from rankdash.wording import grade_text, number

#: Columns of letters of a title and of a model's name that may be worth their place; the page cuts what does not fit.
_TITLE, _MODEL = 72, 34
#: Columns of letters of a query over its lists: four lines of a phone.
_QUERY = 130
#: Letters at the end of a long id that are always shown.
_END = 12

#: How a grade is set, by its least share of the highest grade. Strong is a badge in the style sheet, emphasis is grey
#: and both are blue: a colour of Streamlit's own takes the browser twice as long, and a click on a bar waits for these.
_GRADES = ((0.5, "**{}**"), (1e-9, "***{}***"), (0.0, "*{}*"))


def title(name: str) -> str:
    """Return the text or the id of a query as the title of its lists, in Markdown."""
    return plain(short(name, _QUERY))


def whole_title(name: str) -> None:
    """Draw the button behind which the whole text stands, where ``title`` cuts it."""
    if short(name, _QUERY) != name:
        with st.popover(words.WHOLE_QUERY, key="query_whole"):
            st.markdown(plain(name))


def side_by_side(query_lists: QueryLists) -> None:
    """Draw both lists under the names and values of their models. The lines stand over the empty column in the
    middle.
    """
    pairs = list(zip_longest(query_lists.a.placed, query_lists.b.placed)) or [(None, None)]
    rows = [[*_cells(query_lists, "a", a, at), "", *_cells(query_lists, "b", b, at)] for at, (a, b) in enumerate(pairs)]
    heads = [*_heads(query_lists.a, "A"), "", *_heads(query_lists.b, "B")]
    with st.container(key="two_lists", gap=None):
        st.markdown(table(heads, rows))
        st.image(charts.lists_lines(query_lists), alt=words.LINES_ALT)


def _heads(listed: QueryList, side: str) -> list[str]:
    title = words.LIST_TITLE.format(side=side, model=plain(short(listed.model, _MODEL)))
    return ["", "", title, f"**{number(listed.value)}**"]


def _cells(query_lists: QueryLists, side: Side, row: PlacedDocument | None, at: int) -> list[str]:
    """Return rank, grade, document, move. Nothing where the list has ended; in the first row, that there is no list."""
    if row is None:
        placed = (query_lists.a if side == "a" else query_lists.b).placed
        return ["", "", "" if at or placed else words.NOTHING_RETURNED, ""]
    return [str(row.rank), grade(row.document, query_lists.highest), named(row.document), _moved(row, side)]


def grade(document: ShownDocument, highest: float) -> str:
    """Return the grade of a document: a badge from half of the highest grade on, a paler number below it, grey where
    there is nothing to gain; a question mark where the document is unjudged.
    """
    if document.relevance is None:
        return f":gray-badge[{words.UNJUDGED_MARK}]"
    share = document.relevance / highest if document.relevance > 0 else 0.0
    look = next(look for least, look in _GRADES if share >= least)
    return look.format(plain(grade_text(document.relevance)))


def named(document: ShownDocument, width: int = _TITLE) -> str:
    """Return the title, cut to so many columns of letters, and the id; the id alone where there is no title."""
    head, tail = _halves(document.doc_id)
    if not document.title:
        return f"***{plain(head)}*{plain(tail)}**" if head else plain(tail)
    title = plain(short(document.title, width))
    return f"{title} ***{plain(head)}**{plain(tail)}*" if head else f"{title} *{plain(tail)}*"


def _halves(doc_id: str) -> tuple[str, str]:
    """Return the beginning of a long id, which the style sheet cuts where the whole has no room, and its end, by which
    ids differ as a rule; "" and all of a short one. They part behind a letter or a digit: behind any other sign an
    emphasis would not end.
    """
    at = len(doc_id) - _END
    while at > 0 and not doc_id[at - 1].isalnum():
        at -= 1
    return ("", doc_id) if at < _END else (doc_id[:at], doc_id[at:])


def _moved(row: PlacedDocument, side: Side) -> str:
    """Return where a document stands in the other list, under its marks: "tied − to 5"."""
    to = words.MOVE_TO if side == "a" else words.MOVE_FROM
    move = words.MOVES.get(row.move, to).format(rank=row.other_rank)
    colour = style.THEME[words.EFFECT_COLOUR[row.helps]]
    moved = f"*{move}*" if row.helps is None else f":{colour}[{words.SIGN[row.helps]}{move}]"
    marks = [words.TIED_MARK] * row.tied + [words.REPEATED_MARK] * row.repeated
    return " ".join((*([moved] if move else []), *(f"*{mark}*" for mark in marks)))
