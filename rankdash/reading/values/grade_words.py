"""What words say as grades: the scales that people use, stars, and numbers inside words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from rankdash.reading.words import grades
from rankdash.strings.normalforms import normalized

_LONGEST = 100
_STARS = re.compile(r"[★⭐]{0,10}[☆]{0,10}")
#: Alone, these may mark what is relevant as well as what is not.
_MARKS = frozenset("xo×○◯")
_DASHES = str.maketrans("−–", "--")
_DIGITS = r"[0-9]{1,3}(?:\.[0-9]{1,9})?"
_SIGNED = rf"[+-]?(?:{_DIGITS}|\.[0-9]{{1,9}})"
_LEVEL = r"(?:l|lv|level|g|grade|rel|relevance|label|score|rating|等级|评分|得分|評価|グレード)"
_UNIT = r"(?: ?(?:分|级|级别|星|点|stars?|points?))?"
#: Text without a digit. After a number it must not begin with words that change the number: 2 of five, 3 or more.
_NAME = r"[^\W\d_]\D{0,80}"
_REMARK = rf"(?!(?:or|to|of|out|and|plus|minus|percent|point|half|hundred|thousand)\b){_NAME}"
#: One number, and around it nothing that could change it. Where "-" may be a hyphen as well as a sign, none fits.
_NUMBERED = (
    re.compile(rf"({_SIGNED}){_UNIT}"),
    re.compile(rf"{_LEVEL}({_DIGITS}){_UNIT}"),
    re.compile(rf"{_LEVEL}[ _]({_SIGNED}){_UNIT}"),
    re.compile(rf"({_SIGNED})(?: ?[:=_(\[-] ?|\.? ){_REMARK}"),
    re.compile(rf"{_NAME}[:=] ?({_SIGNED})"),
    re.compile(rf"{_NAME}[(\[]({_SIGNED})[)\]]"),
)


def _scale(text: str) -> Mapping[str, float]:
    levels = [level.split("|") for level in text.split("  ")]
    top = len(levels) - 1
    return {word: float(top - i) for i, level in enumerate(levels) for word in level}


#: Of each scale the grade of every word, by its plain form.
SCALES = tuple(map(_scale, grades.SCALES))


def folded(word: str) -> str:
    """Return a word without case, width, and white space around it."""
    return normalized("NFKC", word).casefold().strip()


def plain(word: str) -> str:
    """Return a word without what people vary: case, width, and signs between its parts; a sign at either end stays
    (A-).
    """
    if len(word) > _LONGEST:
        return word
    return re.sub(r"(?:[\s_.:·]|(?<=\w)-(?=\w))+", " ", folded(word)).strip()


def number_in(word: str) -> float | None:
    """Return the number inside a word with its sign and decimals; None where there is none, more than one, or a doubt.

    >>> number_in("-2: spam"), number_in("1.5 good"), number_in("level 3 of 5"), number_in("2-3")
    (-2.0, 1.5, None, None)
    """
    if len(word) > _LONGEST or any(unicodedata.category(sign) == "No" for sign in word):
        return None
    text = " ".join(folded(word).translate(_DASHES).split())
    match = next(filter(None, (pattern.fullmatch(text) for pattern in _NUMBERED)), None)
    return None if match is None else float(match[1])


def proposed(words: Iterable[str], *, alone: bool = True) -> dict[str, float]:
    """Return the grade of each word by the first scale that has all of them, else by the number in each; else nothing.

    Words that are not ``alone``, but among numbers, are graded only by the number in each.
    """
    keys = {word: plain(word) for word in words}
    if not keys or (set(keys.values()) <= _MARKS and len(set(keys.values())) == 1):
        return {}
    for scale in SCALES if alone else ():
        if set(keys.values()) <= set(scale):
            return {word: scale[key] for word, key in keys.items()}
    if all(map(_STARS.fullmatch, keys.values())):
        return {word: float(key.count("★") + key.count("⭐")) for word, key in keys.items()}
    numbers = {word: number_in(word) for word in keys}
    grades = {word: number for word, number in numbers.items() if number is not None}
    return grades if len(grades) == len(keys) else {}
