"""What typed lists can mean: grades or documents, and whether all lines are one list or each is the list of a query.

Six lines with a number each, as a spreadsheet's column is pasted, are one list; lines of several numbers are lists of
their own. Where two readings are possible and nothing decides between them, the user is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

What = Literal["grades", "pairs", "names"]
Lines = Literal["one", "each"]
#: How lines can be read, and whether the first way is sure.
Ways = tuple[tuple[Lines, ...], bool]

#: Full-width digits and marks as typed with an East Asian keyboard, and what they are.
WIDE = str.maketrans("０１２３４５６７８９．，、；：？［］（）\u3000\u2212", "0123456789.,,;:?[]() -")
#: Lists as JSON or Python writes them: [3, 2, 3], ["d1:3", "d2:0"], (1, 0).
_BRACKETS = str.maketrans("[]()［］（）\"'", " " * 10)
_IN_BRACKETS = re.compile(r"\s*[\[(［（][^\[\](){}]*[\])］）]\s*")
_BETWEEN = re.compile(r"[\s,;，；、]+")
_BETWEEN_NAMES = re.compile(r"[,;\t，；、]")
_GRADE = re.compile(r"\d{1,6}(\.\d+)?")
_PAIR = re.compile(r".+:(\d{1,6}(\.\d+)?|\?)")
_NUMBER = re.compile(r"[-+]?\d[\d.]*")
#: A document beside its grade, as two columns of a spreadsheet.
_TWO_CELLS = re.compile(r"(.*\S)[ ]*\t[ ]*(\d{1,6}(?:\.\d+)?|\?)\s*")
#: Distinct grades above this may be ids.
_HIGHEST, _FEW = 10, 3


@dataclass(frozen=True)
class TypedForm:
    """One reading of typed lists.

    ``what``: grades alone, pairs of a document and its grade, or names of documents alone. ``lines``: all lines of a
    field are "one" list, or "each" is the list of a query; of a table, a cell holds one document, or a list.
    """

    what: What
    lines: Lines


@dataclass(frozen=True)
class TypedForms:
    """The possible readings. ``is_sure``: the first is taken, and reported; otherwise the user is asked."""

    possible: tuple[TypedForm, ...]
    is_sure: bool


def is_grade(token: str) -> bool:
    """Return whether a token is a grade, or says that there is none."""
    return token == "?" or bool(_GRADE.fullmatch(token))


def has_grades(cell: str) -> bool:
    """Return whether a cell holds a grade, or a document with its grade."""
    tokens = _tokens(cell)
    return bool(tokens) and (all(map(is_grade, tokens)) or _pairs(tokens) > 0)


def paired(line: str) -> str:
    """Return a line; a document and its grade from two cells of a spreadsheet as a pair."""
    cells = _TWO_CELLS.fullmatch(line)
    if cells is None or all(map(is_grade, _tokens(cells[1]))):
        return line
    return f"{cells[1]}:{cells[2]}"


def entries(cell: str, what: What) -> list[str]:
    """Return what a line or a cell lists: its words, or what stands between commas where names have blanks in them."""
    text, around = cell if what == "names" else cell.translate(WIDE), " "
    if _IN_BRACKETS.fullmatch(cell):
        text, around = (text.strip()[1:-1], " \"'") if what == "names" else (text.translate(_BRACKETS), " ")
    words = [word.strip(around) for word in _BETWEEN.split(text) if word.strip(around)]
    if what == "grades":
        return words
    named = [piece.strip(around) for piece in _BETWEEN_NAMES.split(text) if piece.strip(around)]
    several_each = what == "pairs" and any(_pairs(_tokens(piece)) > 1 for piece in named)
    return words if len(named) < 2 or several_each else named


def forms_of_fields(fields: Sequence[str], beside: Sequence[str]) -> TypedForms:
    """Return how the fields of lists can be read; ``beside`` them stand missed grades and votes, a line per query."""
    sides = [[line for line in text.splitlines() if line.strip()] for text in fields]
    by_query = any(len(text.splitlines()) > 1 for text in map(str.strip, beside))

    def ways(what: What) -> Ways:
        shapes = {_shape(side) for side in sides if side}
        if "column" in shapes:
            return ("one", "each"), not by_query and shapes == {"column"}
        if "rows" not in shapes or what == "grades" or _has_lists(what, [line for side in sides for line in side]):
            return ("each",), True
        return ("one", "each"), False

    return _forms(sides, ways)


def forms_of_cells(cells: Sequence[str]) -> TypedForms:
    """Return how the cells of a table can be read."""

    def ways(what: What) -> Ways:
        alone = all(len(_tokens(cell)) < 2 for cell in cells)
        return (("each",), True) if what == "grades" or alone or _has_lists(what, cells) else (("one", "each"), False)

    return _forms([[cell] for cell in cells], ways)


def _forms(lists: Sequence[Sequence[str]], ways: Callable[[What], Ways]) -> TypedForms:
    whats, is_sure = _whats(lists)
    possible = tuple(TypedForm(what, lines) for what in whats for lines in ways(what)[0])
    return TypedForms(possible, is_sure and ways(whats[0])[1])


def _whats(lists: Sequence[Sequence[str]]) -> tuple[tuple[What, ...], bool]:
    """Return what lists can hold, each some texts, and whether the first of it is sure."""
    texts = [text for texts in lists for text in texts]
    tokens = [token for text in texts for token in _tokens(text)]
    pairs, grades = _pairs(tokens), sum(map(is_grade, tokens))
    if pairs:
        return (("pairs",), True) if 2 * pairs >= len(texts) else (("names", "pairs"), False)
    if grades == len(tokens):
        return (("grades", "names"), False) if _may_be_ids(lists) else (("grades",), True)
    if all(token.isdecimal() for token in tokens):
        return ("names",), True  # numbers that are too long for grades
    in_words = len(texts) > 1 and not any(all(map(is_grade, _tokens(text))) for text in texts)
    if all(map(_NUMBER.fullmatch, tokens)) or (2 * grades >= len(tokens) and not in_words):
        return ("grades", "names"), False
    return ("names",), True


def _may_be_ids(lists: Sequence[Sequence[str]]) -> bool:
    """Return whether grades are whole numbers, distinct within each list, and higher than people grade."""
    grades = [[token for text in texts for token in _tokens(text) if token != "?"] for texts in lists]
    numbers = [token for own in grades for token in own]
    if not all(map(str.isdecimal, numbers)) or any(len({*own}) < len(own) for own in grades):
        return False
    return max(map(len, grades), default=0) >= _FEW and max(map(int, numbers)) > _HIGHEST


def _shape(lines: Sequence[str]) -> Literal["token", "line", "column", "rows"]:
    """Return what a field looks like: a token, a line of them, a column of single ones, or lines of several."""
    alone = all(len(_tokens(line)) < 2 for line in lines)
    if len(lines) < 2:
        return "token" if alone else "line"
    return "column" if alone else "rows"


def _has_lists(what: What, texts: Sequence[str]) -> bool:
    """Return whether some text is a list beyond doubt: it has several pairs."""
    return what == "pairs" and any(_pairs(_tokens(text)) > 1 for text in texts)


def _pairs(tokens: Sequence[str]) -> int:
    return sum(bool(_PAIR.fullmatch(token)) for token in tokens)


def _tokens(text: str) -> list[str]:
    """Return the words of a text without brackets and quotation marks, full-width signs as they are meant."""
    words = (word.strip("[](){}\"'") for word in _BETWEEN.split(text.translate(WIDE)))
    return [word for word in words if word]
