"""Two lists of one query side by side, joined by lines for the documents that stand in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import drawn
from rankdash.charts.literal import literal
from rankdash.lists import Placed, QueryList, QueryLists
from rankdash.style import queries as words
from rankdash.wording import number

#: Letters of a title that fit beside a rank, a grade and a move.
_TITLE, _MODEL = 52, 34
_ROW, _HEAD = 37, 40
_BOX = "rgba(138,147,163,0.45)"
#: Where things stand across the figure, from 0 to 100: the two boxes, and inside a box rank, grade, text and move.
_LEFT, _WIDTH = {"a": 0.0, "b": 56.5}, 43.5
#: How lines look: name, whether the move helped, width, dash.
_LOOKS: tuple[tuple[str, bool | None, float, str], ...] = (
    ("helps", True, 2.5, "solid"),
    ("hurts", False, 2, "dash"),
    ("no effect", None, 1.5, "solid"),
)
#: Sizes of the square of a grade, by the step of its colour.
_SIZES = (18, 20, 22, 24)
_RANK, _GRADE, _TEXT, _MOVE = 1.3, 3.9, 6.0, 42.9


def lists_chart(found: QueryLists, measure: str) -> go.Figure:
    """Both lists from top to bottom. Traces: lines that help, that hurt, that do neither; boxes of judged and of
    unjudged documents; ranks; grades; titles; moves.

    Green lines are thick and pink ones dashed, and each document says in words where it stands in the other list.
    """
    rows = max(len(found.a.placed), len(found.b.placed), 1)
    return drawn(
        [*_lines(found), *_boxes(found), _ranks(found), _grades(found), _titles(found), _moves(found)],
        height=_HEAD + _ROW * rows,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        hovermode="closest",
        annotations=list(_heads(found, measure)),
        xaxis={"range": [0, 100], "visible": False, "fixedrange": True},
        yaxis={"range": [rows + 0.5, 0.5 - _HEAD / _ROW], "visible": False, "fixedrange": True},
    )


def _sides(found: QueryLists) -> tuple[tuple[float, QueryList], ...]:
    return ((_LEFT["a"], found.a), (_LEFT["b"], found.b))


def _rows(found: QueryLists) -> Iterator[tuple[float, Placed]]:
    return chain.from_iterable(((left, row) for row in listed.placed) for left, listed in _sides(found))


def _lines(found: QueryLists) -> Iterator[dict[str, Any]]:
    shown = {row.rank for row in found.b.placed}
    for name, effect, width, dash in _LOOKS:
        joined = [row for row in found.a.placed if row.helps is effect and row.other_rank in shown]
        x = [_LEFT["a"] + _WIDTH + 0.4, _LEFT["b"] - 0.4, None] * len(joined)
        y = [at for row in joined for at in (row.rank, row.other_rank, None)]
        yield _line(name, x, y, color=words.EFFECT_COLOUR[effect], width=width, dash=dash)


def _boxes(found: QueryLists) -> Iterator[dict[str, Any]]:
    """A box around each document, dashed where it is unjudged: two paths, for a shape of its own each takes time."""
    for name, dash, unjudged in (("judged", "solid", False), ("unjudged", "dash", True)):
        boxed = [(left, row.rank) for left, row in _rows(found) if (row.document.relevance is None) is unjudged]
        x = [at for left, _ in boxed for at in (left, left + _WIDTH, left + _WIDTH, left, left, None)]
        y = [at for _, rank in boxed for at in (*[rank - 0.4] * 2, *[rank + 0.4] * 2, rank - 0.4, None)]
        yield _line(name, x, y, color=_BOX, width=1, dash=dash)


def _line(name: str, x: Sequence[float | None], y: Sequence[float | None], **look: Any) -> dict[str, Any]:
    return {
        "type": "scatter", "x": x, "y": y, "mode": "lines", "line": {**look, "simplify": False}, "hoverinfo": "skip",
        "name": name, "cliponaxis": False,
    }  # fmt: skip


def _text(name: str, x: list[float], y: list[int], text: list[str], **look: Any) -> dict[str, Any]:
    font = {"size": 13, "color": style.TEXT} | look.pop("font", {})
    return {
        "type": "scatter", "x": x, "y": y, "text": text, "mode": "text", "textfont": font, "name": name,
        "cliponaxis": False, "hoverinfo": "skip", **look,
    }  # fmt: skip


def _ranks(found: QueryLists) -> dict[str, Any]:
    rows = list(_rows(found))
    text = [str(row.rank) for _, row in rows]
    return _text("ranks", [left + _RANK for left, _ in rows], [row.rank for _, row in rows], text)


def _grades(found: QueryLists) -> dict[str, Any]:
    """A square per document, darker and larger for a higher grade; empty at 0, a question mark where unjudged."""
    rows = list(_rows(found))
    grades = [row.document.relevance for _, row in rows]
    looks = [_badge(grade, found.highest) for grade in grades]
    return {
        "type": "scatter",
        "x": [left + _GRADE for left, _ in rows],
        "y": [row.rank for _, row in rows],
        "mode": "markers+text",
        "marker": {
            "symbol": "square",
            "opacity": 1,  # plotly pales points of different sizes
            "size": [size for _, size in looks],
            "color": [fill or "rgba(0,0,0,0)" for fill, _ in looks],
            "line": {"width": 1, "color": [fill or _BOX for fill, _ in looks]},
        },
        "text": [words.UNJUDGED_MARK if grade is None else literal(f"{grade:g}") for grade in grades],
        "textfont": {"size": 12, "color": ["#ffffff" if fill else style.TEXT for fill, _ in looks]},
        "hoverinfo": "skip",
        "name": "grades",
        "cliponaxis": False,
    }


def _badge(grade: float | None, highest: float) -> tuple[str, int]:
    """Colour ("": none) and size of the square of a grade."""
    if grade is None or grade <= 0:
        return "", _SIZES[0]
    step = min(int(len(words.BADGES) * grade / highest), len(words.BADGES) - 1)
    return words.BADGES[step], _SIZES[step]


def _titles(found: QueryLists) -> dict[str, Any]:
    rows = list(_rows(found))
    return _text(
        "titles", [left + _TEXT for left, _ in rows], [row.rank for _, row in rows],
        [literal(_cut(row.document.title or row.document.doc_id, _TITLE)) for _, row in rows],
        textposition="middle right", hoverinfo="text", hovertext=[_hover(row) for _, row in rows],
    )  # fmt: skip


def _hover(row: Placed) -> str:
    document = row.document
    parts = [document.title, document.doc_id] if document.title else [document.doc_id]
    return "<br>".join(literal(part) for part in parts)


def _moves(found: QueryLists) -> dict[str, Any]:
    sides = zip(_sides(found), "ab", strict=True)
    rows = [(left, row, side) for (left, listed), side in sides for row in listed.placed]
    return _text(
        "moves", [left + _MOVE for left, _, _ in rows], [row.rank for _, row, _ in rows],
        [_moved(row, side) for _, row, side in rows], textposition="middle left",
        font={"size": 12, "color": [words.EFFECT_COLOUR[row.helps] for _, row, _ in rows]},
    )  # fmt: skip


def _moved(row: Placed, side: str) -> str:
    """Where a document stands in the other list, and its marks: "tied · − → 5"."""
    to = words.MOVE_TO if side == "a" else words.MOVE_FROM
    move = words.MOVES.get(row.move) or to.format(rank=row.other_rank)
    marks = [words.TIED_MARK] * row.tied + [words.REPEATED_MARK] * row.repeated
    return " · ".join([*marks, f"{words.SIGN[row.helps]}{move}"])


def _heads(found: QueryLists, measure: str) -> Iterator[dict[str, Any]]:
    for (left, listed), side in zip(_sides(found), "AB", strict=True):
        text = words.LIST_TITLE.format(
            side=side, model=literal(_cut(listed.model, _MODEL)), measure=literal(measure), value=number(listed.value)
        )
        yield _note(left, 0.5 - _HEAD / _ROW / 2, text)
        if not listed.placed:
            yield _note(left + _RANK, 1, words.NOTHING_RETURNED)


def _note(x: float, y: float, text: str) -> dict[str, Any]:
    return {
        "x": x, "y": y, "text": text, "showarrow": False, "xanchor": "left", "align": "left",
        "font": {"size": 13, "color": style.TEXT},
    }  # fmt: skip


def _cut(text: str, letters: int) -> str:
    """The text on one line, cut to so many letters."""
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= letters else one_line[: letters - 1].rstrip() + "…"
