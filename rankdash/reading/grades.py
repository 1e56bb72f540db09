"""Grades as words: the scales that people use, which of them a column follows, and what was made of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from rankdash.arrow import codes, from_numpy
from rankdash.reading.cells import BLANKS
from rankdash.reading.grid import Grid
from rankdash.reading.growing import nulls
from rankdash.reading.problems import printable
from rankdash.reading.sniffing import is_number
from rankdash.reading.values import as_text, encoded, is_text

_MOST_WORDS, _LONGEST = 50, 100
#: From the best grade down to 0; alternatives between bars. The first scale that has every word is taken.
_SCALES = (
    "exact|e  substitute|s  complement|c  irrelevant|i",
    "relevant|rel|r  not relevant|irrelevant|nonrelevant|non relevant|notrelevant|nr|n",
    (
        "true|t|yes|y|o|是|对|はい|○|◯|✓|✔|correct|positive|pos  false|f|no|n|否|错|いいえ|×|✗|✘|x|incorrect|wrong|"
        "negative|neg"
    ),
    "相关|相關|関連あり|関連|関連する|適合  不相关|不相關|无关|無關|关联无|関連なし|関連しない|無関係|不適合",
    (
        "relevant|fully relevant|completely relevant  partially relevant|partly relevant|partial|somewhat relevant|"
        "marginally relevant|slightly relevant|related  not relevant|irrelevant|nonrelevant|non relevant|unrelated"
    ),
    "highly relevant|very relevant|most relevant  relevant  not relevant|irrelevant|nonrelevant|non relevant",
    (
        "perfectly relevant|highly relevant|very relevant  relevant|mostly relevant  partially relevant|"
        "partly relevant|somewhat relevant|marginally relevant|slightly relevant|related  not relevant|irrelevant|"
        "nonrelevant|non relevant|unrelated"
    ),
    "perfect|p|vital|ideal  excellent|e  good|g  fair|f|ok|okay  bad|b|poor",
    "excellent  good  fair|ok|okay|acceptable  bad|poor",
    "high|h  medium|mid|m|moderate  low|l  none|no relevance",
    "相关|相關|完全相关  部分相关|部分相關|一般相关|弱相关|有点相关|略相关  不相关|不相關|无关|無關|完全不相关",
    (
        "非常相关|非常相關|高度相关|高度相關|强相关|很相关|完全相关|完全相關  相关|相關|比较相关  不相关|不相關|无关|"
        "無關|完全不相关"
    ),
    (
        "非常相关|非常相關|高度相关|高度相關|强相关|很相关|完全相关|完全相關  相关|相關|比较相关|较相关  部分相关|"
        "部分相關|一般相关|一般|弱相关|有点相关|略相关|稍微相关  不相关|不相關|无关|無關|完全不相关"
    ),
    "完美  优秀|優秀|优  良好|良  一般|中  差",
    "优|優  良  中  差",
    "高  中  低  无|無",
    "完全一致|完全匹配  替代|替代品  互补|互补品|补充  无关|不相关",
    "関連あり|関連|適合  部分的に関連|やや関連|部分適合|少し関連  関連なし|関連しない|無関係|不適合",
    (
        "非常に関連|高適合|とても関連|強く関連|非常に関連あり  関連あり|関連|適合  部分的に関連|やや関連|部分適合|"
        "少し関連  関連なし|関連しない|無関係|不適合"
    ),
    "s  a  b  c",
    "a  b  c",
    "a  b  c  d",
    "a  b  c  d  e",
    "a  b  c  d  e  f",
)
_NUMBERED = re.compile(
    r"(?:l|lv|level|g|grade|rel|label|score|等级)? ?(\d{1,2})(?:| ?(?:分|级|级别|星|点|stars?|points?)| .{1,60})"
    r"|\D{1,60}?[ (\[](\d{1,2})[)\]]?"
)
_STARS = re.compile(r"[★⭐]{0,10}[☆]{0,10}")


@dataclass(frozen=True)
class Scale:
    """The grade of each word."""

    grades: Mapping[str, float]


def _scale(text: str) -> Scale:
    levels = [level.split("|") for level in text.split("  ")]
    top = len(levels) - 1
    return Scale({word: float(top - i) for i, level in enumerate(levels) for word in level})


#: Alone, these may mark what is relevant as well as what is not.
_MARKS = frozenset("xo×○◯")
SCALES = tuple(map(_scale, _SCALES))
_BLANKS = frozenset(blank.casefold() for blank in BLANKS)


def plain(word: str) -> str:
    """A word without what people vary: case, width, and signs between its parts."""
    folded = unicodedata.normalize("NFKC", word[:_LONGEST]).casefold()
    return re.sub(r"[\s_\-.:·]+", " ", folded).strip()


def graded(grid: Grid, wished: Mapping[str, float]) -> Grid:
    """The Grid with words for grades as numbers, by ``wished`` or by a scale that has all of them; else as it is."""
    as_words = grid.as_text
    if as_words is not None:
        grid = replace(grid, as_text=lambda: graded(as_words(), wished))
    column = grid.columns.get("relevance")
    if column is None or not (wished or is_text(column.type) or pa.types.is_dictionary(column.type)):
        return grid
    try:
        column = encoded(as_text(column)[0])
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return grid
    values = column.dictionary.to_pylist()
    words = [word for word in values if not is_number(word) and word.strip().casefold() not in _BLANKS]
    if len(words) > _MOST_WORDS or not (words or wished):
        return grid
    own = {plain(word): float(grade) for word, grade in wished.items()}
    alone = not any(map(is_number, values))
    found = {word: own[plain(word)] for word in values if plain(word) in own} if own else proposed(words, alone=alone)
    if not found:
        return grid
    numbers = [f"{found[word]:g}" if word in found else word for word in values]
    order = codes(column)
    place = np.where(nulls(column), len(numbers), order) if column.null_count else order.astype(np.int64)
    text = pa.array([*numbers, ""], pa.string()).take(from_numpy(place.astype(np.int64)))
    told = ", ".join(f"{printable(word)} = {grade:g}" for word, grade in sorted(found.items(), key=lambda one: -one[1]))
    note = f"Words were read as grades: {told}" + (", as asked." if own else ". --grades changes it.")
    return replace(grid, columns={**grid.columns, "relevance": text}, notes=(*grid.notes, note))


def proposed(words: list[str], *, alone: bool = True) -> dict[str, float]:
    """The grade of each word by the first scale that has all of them, or by the number in each; else nothing.

    Where the words do not stand ``alone`` but among numbers, only a number in each tells its grade.
    """
    keys = {word: plain(word) for word in words}
    if set(keys.values()) <= _MARKS and len(set(keys.values())) == 1:
        return {}
    for scale in SCALES if alone else ():
        if set(keys.values()) <= set(scale.grades):
            return {word: scale.grades[key] for word, key in keys.items()}
    if words and all(map(_STARS.fullmatch, keys.values())):
        return {word: float(key.count("★") + key.count("⭐")) for word, key in keys.items()}
    numbers = {word: _NUMBERED.fullmatch(key) for word, key in keys.items()}
    if words and all(numbers.values()):
        return {word: float(found[1] or found[2]) for word, found in numbers.items() if found}
    return {}
