"""Two lists of one query side by side, joined by lines for the documents that stand in both."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import plotly.graph_objects as go

from rankdash import style
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
_RANK, _GRADE, _TEXT, _MOVE = 1.3, 3.9, 6.0, 42.9


def lists_chart(found: QueryLists, measure: str) -> go.Figure:
    """Both lists from top to bottom. Traces: lines that help, that hurt, that do neither; grades; titles; moves.

    Green lines are thick and pink ones dashed, and each document says in words where it stands in the other list.
    """
    rows = max(len(found.a.placed), len(found.b.placed), 1)
    figure = go.Figure([*_lines(found), _ranks(found), _grades(found), _titles(found), _moves(found)])
    figure.update_layout(
        template="plotly_white", height=_HEAD + _ROW * rows, margin={"l": 0, "r": 0, "t": 0, "b": 0},
        showlegend=False, dragmode=False, hovermode="closest", hoverlabel={"align": "left"},
        shapes=list(_boxes(found)), annotations=list(_heads(found, measure)),
    )  # fmt: skip
    figure.update_xaxes(range=[0, 100], visible=False, fixedrange=True)
    figure.update_yaxes(range=[rows + 0.5, 0.5 - _HEAD / _ROW], visible=False, fixedrange=True)
    return figure


def _sides(found: QueryLists) -> tuple[tuple[float, QueryList], ...]:
    return ((_LEFT["a"], found.a), (_LEFT["b"], found.b))


def _rows(found: QueryLists) -> Iterator[tuple[float, Placed]]:
    return chain.from_iterable(((left, row) for row in listed.placed) for left, listed in _sides(found))


def _lines(found: QueryLists) -> Iterator[go.Scatter]:
    shown = {row.rank for row in found.b.placed}
    for name, effect, width, dash in _LOOKS:
        x: list[float | None] = []
        y: list[int | None] = []
        for row in found.a.placed:
            if row.helps is effect and row.other_rank in shown:
                x += [_LEFT["a"] + _WIDTH + 0.4, _LEFT["b"] - 0.4, None]
                y += [row.rank, row.other_rank, None]
        line = {"color": words.EFFECT_COLOUR[effect], "width": width, "dash": dash}
        yield go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name=name)


def _boxes(found: QueryLists) -> Iterator[dict[str, Any]]:
    for left, row in _rows(found):
        dash = "dash" if row.document.relevance is None else "solid"
        yield {
            "type": "rect", "x0": left, "x1": left + _WIDTH, "y0": row.rank - 0.4, "y1": row.rank + 0.4,
            "line": {"color": _BOX, "width": 1, "dash": dash},
        }  # fmt: skip


def _text(name: str, x: list[float], y: list[int], text: list[str], **look: Any) -> go.Scatter:
    font = {"size": 13, "color": style.TEXT} | look.pop("font", {})
    return go.Scatter(
        x=x, y=y, text=text, mode="text", textfont=font, name=name, cliponaxis=False,
        **({"hoverinfo": "skip"} | look),
    )  # fmt: skip


def _ranks(found: QueryLists) -> go.Scatter:
    rows = list(_rows(found))
    text = [str(row.rank) for _, row in rows]
    return _text("ranks", [left + _RANK for left, _ in rows], [row.rank for _, row in rows], text)


def _grades(found: QueryLists) -> go.Scatter:
    """A square per document: filled where it is relevant, empty where it is not, a question mark where unjudged."""
    rows = list(_rows(found))
    grades = [row.document.relevance for _, row in rows]
    filled = [grade is not None and grade > 0 for grade in grades]
    return go.Scatter(
        x=[left + _GRADE for left, _ in rows],
        y=[row.rank for _, row in rows],
        mode="markers+text",
        marker={
            "symbol": "square",
            "size": 22,
            "color": [words.BADGE if full else "rgba(0,0,0,0)" for full in filled],
            "line": {"width": 1, "color": [words.BADGE if full else _BOX for full in filled]},
        },
        text=[words.UNJUDGED_MARK if grade is None else literal(f"{grade:g}") for grade in grades],
        textfont={"size": 12, "color": ["#ffffff" if full else style.TEXT for full in filled]},
        hoverinfo="skip",
        name="grades",
        cliponaxis=False,
    )


def _titles(found: QueryLists) -> go.Scatter:
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


def _moves(found: QueryLists) -> go.Scatter:
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
