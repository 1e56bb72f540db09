"""Cells as ids, numbers, grades and votes: what each parses to, what is blank, and which cells are neither."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, as_numpy, bits, codes, from_numpy, from_strings, one_chunk, taken_back
from rankdash.notes import Note, detail, warning
from rankdash.reading.problems import Rows
from rankdash.strings import normalized
from rankdash.tables import moment

_NONE = np.zeros(0, np.int64)
#: Up to here every whole number is a float64 of its own.
EXACT = 2**53
_BLOCK = 1 << 20
#: Texts that mean a missing number in a numeric column.
BLANKS = (
    *("", "NA", "N/A", "n/a", "na", "#N/A", "<NA>", "#N/A N/A", "#NULL!", "n.a.", "N.A.", "\\N", "(null)", "(blank)"),
    *("NaN", "nan", "NAN", "null", "NULL", "Null", "None", "none", "NONE", "nil", "-", "--", "—", "–", "?", "."),
    *("unjudged", "Unjudged", "unlabeled", "Unlabeled", "unlabelled", "Unlabelled", "missing", "Missing"),
    *("not rated", "Not rated", "not judged", "Not judged", "unrated", "Unrated", "skip", "Skip", "skipped", "TBD"),
    *("tbd", "未标注", "未標註", "未标记", "未評価", "未判定", "无标注", "未评", "未知", "未评分", "未评估", "未評分"),
    *("待标注", "空"),
)
_BLANK_KEYS = frozenset(blank.casefold() for blank in BLANKS)
#: Bytes at either end of a text that may belong to white space: the ASCII ones, and all of other characters.
_INVISIBLE = "\u200b\u2060\ufeff"
_ARMOUR = r'^="([^"]*)"$'


# --- Arrow arrays as text --------------------------------------------------------------------------------------------


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is string or large_string."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def as_text(array: pa.Array) -> tuple[pa.Array, str]:
    """Return the column as string or large_string with its nulls, and the name of its type if that was another.

    ArrowNotImplementedError for lists and the like.
    """
    kind = array.type
    if is_text(kind):
        return array, ""
    if pa.types.is_dictionary(kind):
        return as_text(decoded(array))
    if pa.types.is_string_view(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return array.cast(pa.large_string()), ""
    if (pa.types.is_floating(kind) or (pa.types.is_decimal(kind) and kind.scale)) and _are_whole(array):
        return array.cast(pa.int64()).cast(pa.string()), "whole numbers"
    return array.cast(pa.string()), "numbers" if pa.types.is_primitive(kind) else str(kind)


def decoded(array: pa.Array) -> pa.Array:
    """Return the value of each row, also of a dictionary."""
    if not pa.types.is_dictionary(array.type):
        return array
    values = array.dictionary
    return (values.cast(pa.large_string()) if pa.types.is_string_view(values.type) else values).take(array.indices)


def encoded(array: pa.Array) -> pa.DictionaryArray:
    """Return the texts as dictionary<int32, string>, each value used and there once."""
    if pa.types.is_dictionary(array.type):
        return array
    made = array.dictionary_encode()
    return pa.DictionaryArray.from_arrays(made.indices, made.dictionary.cast(pa.string()))


def filled(text: pa.Array) -> pa.Array:
    """Return the text with empty text in the place of nulls."""
    return one_chunk(pc.coalesce(text, from_strings([""]).cast(text.type)[0])) if text.null_count else text


def texts_of(array: pa.Array) -> list[str]:
    """Return the cells of a column as Python texts, "" for nulls. ArrowNotImplementedError for lists and the like."""
    cells: list[str] = filled(as_text(array)[0]).to_pylist()
    return cells


def _are_whole(array: pa.Array) -> bool:
    values = as_numpy(array.drop_null().cast(pa.float64()))
    return bool(np.all(np.isfinite(values) & (np.floor(values) == values) & (np.abs(values) < EXACT)))


# --- ids -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ids:
    """Ids as text without nulls: ``array`` is string, large_string, or dictionary<int32, string> where the source was
    one.

    ``empty`` are the data rows without an id, ``odd`` those with a number that is not whole. ``trimmed`` is the number
    of ids (distinct ones in a dictionary) with white space around them, ``armoured`` the number written as ="…", which
    keeps Excel from converting them, ``typed`` the original type if it was not text.
    """

    array: pa.Array
    empty: Rows
    trimmed: int = 0
    armoured: int = 0
    typed: str = ""
    odd: Rows = field(default_factory=lambda: _NONE)


def parse_ids(array: pa.Array, *, harmless: bool = False) -> Ids:
    """Return the column as ids; ``harmless``: apostrophes were put before formulas, and are removed.

    ArrowInvalid when bytes are no text, ArrowNotImplementedError for lists, times and the like.
    """
    if pa.types.is_dictionary(array.type):
        return _encoded_ids(array, harmless)
    _check_type(array.type)
    text, typed = as_text(array)
    return replace(_bare(filled(text), harmless), typed=typed, odd=_odd(array))


def _check_type(kind: pa.DataType) -> None:
    if pa.types.is_boolean(kind) or pa.types.is_temporal(kind):
        raise pa.ArrowNotImplementedError(f"{kind} is no id")


def _odd(array: pa.Array) -> Rows:
    """Return the data rows whose number is not whole."""
    if not pa.types.is_floating(array.type) and not (pa.types.is_decimal(array.type) and array.type.scale):
        return _NONE
    values = as_numpy(pc.fill_null(array.cast(pa.float64()), 0.0))
    return np.flatnonzero(~(np.floor(values) == values) | (np.abs(values) >= EXACT))


def _bare(text: pa.Array, harmless: bool) -> Ids:
    """Return texts as ids, without what stands around them."""
    trimmed = armoured = 0
    data = Text.of(text)
    spans = data.data[int(data.offsets[0]) : int(data.offsets[-1])]
    blocks = [spans[at : at + _BLOCK] for at in range(0, len(spans), _BLOCK)]
    if any(int(block.min()) <= 32 or int(block.max()) >= 128 for block in blocks):
        bare = pc.utf8_trim(pc.utf8_trim_whitespace(text), _INVISIBLE)
        bare = pc.utf8_trim_whitespace(bare)
        trimmed = len(text) - (pc.sum(pc.equal(bare, text)).as_py() or 0)
        text = one_chunk(bare) if trimmed else text
    if any(bool((block == ord("=")).any()) for block in blocks):
        armoured = pc.sum(pc.match_substring_regex(text, _ARMOUR)).as_py() or 0
        text = one_chunk(pc.replace_substring_regex(text, _ARMOUR, r"\1")) if armoured else text
    text = taken_back(text) if harmless else text
    return Ids(text, empty_cells(text), trimmed, armoured)


def empty_cells(text: pa.Array) -> Rows:
    """Return the data rows whose text is empty."""
    offsets = Text.of(text).offsets
    return np.flatnonzero(offsets[1:] == offsets[:-1])


def _encoded_ids(array: pa.DictionaryArray, harmless: bool) -> Ids:
    """Return ids of a dictionary in the order of appearance, each there once."""
    _check_type(array.dictionary.type)
    values, typed = as_text(array.dictionary)
    if array.null_count or values.null_count or typed:
        plain = parse_ids(as_text(decoded(array))[0], harmless=harmless)
        return replace(plain, typed=typed, odd=_odd(decoded(array)) if typed else _NONE)
    bare = _bare(values, harmless)
    key, names = codes(array), bare.array.cast(pa.string())
    begins = np.append(True, key[1:] != key[:-1])[: len(key)]  # rows of a query mostly stand together
    seen = as_numpy(pc.unique(from_numpy(key[begins])))  # in order of appearance
    if len(pc.unique(names)) < len(names):
        made = encoded(pa.DictionaryArray.from_arrays(from_numpy(key), names).dictionary_decode())
        key, names = codes(made), made.dictionary
    elif not np.array_equal(seen, np.arange(len(names))):
        places = np.full(len(names), -1, key.dtype)
        places[seen] = np.arange(len(seen), dtype=key.dtype)
        key, names = places[key], names.take(from_numpy(seen))
    empty = empty_cells(names)
    array = pa.DictionaryArray.from_arrays(from_numpy(key), names)
    return replace(bare, array=array, empty=np.flatnonzero(key == empty[0]) if len(empty) else _NONE)


# --- numbers ---------------------------------------------------------------------------------------------------------

_NUMBER = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_DECIMAL = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)
_DOTS = r"^[+-]?\d{1,3}(\.\d{3})+$"
_BETWEEN = re.compile(r"(?<=\d)[ '](?=\d{3}(?:\D|$))", re.ASCII)
_LONGEST = 400
_SIGNS = str.maketrans({"−": "-", "–": "-", "﹣": "-", "’": "'", "٫": "."})
#: The bytes of plain numbers: of these Arrow reads nothing but plain numbers.
_PLAIN = np.zeros(256, bool)
_PLAIN[list(b"0123456789+-.eE")] = True


@dataclass(frozen=True)
class Numbers:
    """``values`` (rows,) float64, NaN where there is no finite number; ``blank`` and ``bad`` data rows say why.

    Whole int32 columns stay int32. ``notes`` say what was no plain number, after the name of the column.
    """

    values: npt.NDArray[np.float64] | npt.NDArray[np.int32]
    blank: Rows
    bad: Rows
    notes: tuple[Note, ...] = ()

    @property
    def missing(self) -> Rows:
        """Data rows without a finite number, in order."""
        return np.sort(np.concatenate((self.blank, self.bad)))


def is_number(cell: str) -> bool:
    """Return whether a cell is a finite decimal number."""
    return _DECIMAL.fullmatch(cell) is not None


def is_blank_number(cell: str) -> bool:
    """Return whether a cell of a numeric column means a missing number."""
    return cell.strip().casefold() in _BLANK_KEYS


#: The end of the year 9999, in milliseconds since 1970.
_LAST = 253_402_300_800_000


def milliseconds(cell: str, unit: int) -> float:
    """Return the milliseconds since 1970 that a cell means, NaN for a blank one, infinity for no date."""
    if is_blank_number(cell):
        return math.nan
    try:
        found = float(cell) * unit if unit else round(moment(cell.strip()) * 1000)
    except ValueError:
        return math.inf
    return found if abs(found) < _LAST else math.inf


def parse_numbers(array: pa.Array) -> Numbers:
    """Return the column as numbers. ArrowNotImplementedError for lists and the like."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        return parse_numbers(decoded(array))
    if is_text(kind) or pa.types.is_string_view(kind):
        return _parse_text(filled(array.cast(pa.large_string())))
    if kind == pa.int32() and not array.null_count:
        return Numbers(as_numpy(array), _NONE, _NONE)
    array = array.cast(pa.int8()) if pa.types.is_boolean(kind) else array
    array = array.cast(pa.float64(), safe=False)
    if array.null_count:  # a scalar in place of the column of NaN would import pandas
        array = pc.if_else(array.is_valid(), array, from_numpy(np.full(len(array), np.nan)))
    values = as_numpy(array)
    return _numbers(values, np.isnan(values))


def _numbers(values: npt.NDArray[np.float64], blank: npt.NDArray[np.bool_], notes: tuple[Note, ...] = ()) -> Numbers:
    bad = ~np.isfinite(values) & ~blank
    if bad.any():
        values = np.where(bad, np.nan, values)
    return Numbers(values, np.flatnonzero(blank), np.flatnonzero(bad), notes)


def _parse_text(text: pa.Array) -> Numbers:
    """Return the numbers of a text column without nulls."""
    view = Text.of(text)
    first, end = int(view.offsets[0]), int(view.offsets[-1])
    if all(bool(_PLAIN[view.data[at : min(at + _BLOCK, end)]].all()) for at in range(first, end, _BLOCK)):
        try:
            values = as_numpy(text.cast(pa.float64()))
            return _numbers(values, np.zeros(len(values), bool))
        except pa.ArrowInvalid:  # an empty cell, or something like 1-2
            pass
    text = one_chunk(pc.utf8_trim_whitespace(text))
    blank = bits(pc.is_in(text, value_set=from_strings(list(BLANKS)).cast(text.type)))
    plain = bits(pc.match_substring_regex(text, _NUMBER))
    values = np.full(len(text), np.inf)
    odd = np.flatnonzero(~plain & ~blank)
    commas, notes = False, tuple[Note, ...]()
    if len(odd):
        values[odd], commas, notes = _parse_odd(text.take(from_numpy(odd)), alone=not plain.any())
    number = np.flatnonzero(plain)
    values[number] = as_numpy(text.take(from_numpy(number)).cast(pa.float64())) if len(number) else 0
    if commas:  # with decimal commas, a point separates thousands
        for row in np.flatnonzero(bits(pc.match_substring_regex(text, _DOTS))).tolist():
            values[row] = float(str(text[row].as_py()).replace(".", ""))
    values[blank] = np.nan
    return _numbers(values, blank, notes)


def _parse_odd(text: pa.Array, *, alone: bool) -> tuple[npt.NDArray[np.float64], bool, tuple[Note, ...]]:
    """Return the values of cells that are no plain numbers, inf for none; whether they have decimal commas; notes."""
    cells = text.dictionary_encode()
    written = [_plainly(cell) for cell in cells.dictionary.to_pylist()]
    with_comma = [cell for cell in written if "," in cell]
    grouped = bool(with_comma) and all(map(_THOUSANDS.fullmatch, with_comma))
    decimal = bool(with_comma) and all(map(_COMMA.fullmatch, with_comma)) and (not grouped or alone)
    values = np.array([_number(cell, decimal, grouped) for cell in written] + [np.inf])[:-1]
    notes: tuple[Note, ...] = ()
    if decimal:
        notes = (warning("decimal_commas", "Decimal commas were read as decimal points."),)
    elif grouped:
        notes = (warning("thousands", "Commas between thousands were left out."),)
    return values[codes(cells)], decimal, notes


def _plainly(cell: str) -> str:
    """Return a cell in ASCII digits and signs, without blanks and apostrophes between thousands."""
    if len(cell) > _LONGEST or any(unicodedata.decomposition(sign).startswith(("<super>", "<sub>")) for sign in cell):
        return ""  # raised digits are no digits of the number beside them
    text = normalized("NFKC", cell).translate(_SIGNS).strip()
    return _BETWEEN.sub("", text.removeprefix("'"))


def _number(cell: str, decimal: bool, grouped: bool) -> float:
    if decimal and "," in cell:
        cell = cell.replace(".", "").replace(",", ".")
    cell = cell.replace(",", "") if grouped else cell
    return float(cell) if re.fullmatch(_NUMBER, cell) else np.inf


# --- grades ----------------------------------------------------------------------------------------------------------

#: From the best grade down to 0; alternatives between bars. The first scale that has every word is taken.
_SCALES = (
    "exact|e  substitute|s  complement|c  irrelevant|i",
    "relevant|相关|関連  not relevant|irrelevant|nonrelevant|non relevant|不相关|無関係",
    "true|t|yes|y|是|はい  false|f|no|n|否|いいえ",
    "highly relevant|非常相关  relevant|相关|関連  not relevant|irrelevant|nonrelevant|non relevant|不相关|無関係",
    (
        "highly relevant|非常相关|非常に関連  relevant|相关|関連  "
        "somewhat relevant|partially relevant|部分相关|やや関連  "
        "not relevant|irrelevant|nonrelevant|non relevant|不相关|無関係"
    ),
    "perfect  excellent  good  fair  bad",
)
SCALES = tuple(
    {word: float(grade) for grade, level in enumerate(reversed(scale.split("  "))) for word in level.split("|")}
    for scale in _SCALES
)
_LONGEST_WORD = 100


def _plain_word(word: str) -> str:
    """Return a word without what people vary: case, width, and signs between its parts; a sign at an end stays (A-)."""
    if len(word) > _LONGEST_WORD:
        return word
    return re.sub(r"(?:[\s_.:·]|(?<=\w)-(?=\w))+", " ", normalized("NFKC", word).casefold()).strip()


def propose_grades(words: Iterable[str], *, alone: bool = True) -> dict[str, float]:
    """Return the grade of each word by the first scale that has all of them; none for words among numbers."""
    keys = {word: _plain_word(word) for word in words}
    scales = (scale for scale in SCALES if alone and keys and set(keys.values()) <= set(scale))
    return next(({word: scale[key] for word, key in keys.items()} for scale in scales), {})


# --- votes -----------------------------------------------------------------------------------------------------------

GOOD, SAME, BAD, BOTH_GOOD, BOTH_BAD = "good", "same", "bad", "both_good", "both_bad"
#: Votes that name a side; whose side it is, the column of sides tells.
LEFT, RIGHT = "left", "right"
_NO_VOTES = frozenset(
    "|na|n/a|n.a.|nan|none|null|\\n|(null)|(blank)|-|--|—|?|.|skip|skipped|missing|not rated|unrated|未标注|未標註|"
    "未评估|未評価|待标注|無|无".split("|")
)
_HOW_MUCH = re.compile(
    r"\b(a bit|a little|a lot|much|slightly|somewhat|far|clearly|strongly|significantly|marginally|moderately|"
    r"considerably|definitely|way|very|is|are|was|the|about|model|system|assistant|response|result|results|list|side)\b"
    r"|明显|明顯|稍微|略微|稍|略|大幅|远|遠|很|非常|やや|少し|かなり|はるかに|とても|模型|モデル"
)
#: The name of a column of a model, as arenas write it in the place of a vote.
_COLUMN = re.compile(r"model ?([ab])")
_OF_AB = re.compile(r"(?<![a-z])[ab](?![a-z])")
#: After case, width, signs and words of degree are taken away.
_VOTE_WORDS: Mapping[str, str] = {
    word: vote
    for vote, words in {
        GOOD: ("good,win,wins,won,w,better,好,更好,较好,胜,勝,赢,优,優,良い,勝ち,a<b,b>a,a<<b,b>>a"),
        SAME: (
            "same,tie,tied,ties,tievote,tie vote,equal,draw,neutral,no difference,no preference,no change,"
            "equivalent,similar,cannot decide,hard to tell,comparable,on par,no winner,neither better,"
            "can't tell,can’t tell,cant tell,cannot tell,"
            "can not tell,unsure,not sure,undecided,don't know,don’t know,both same,无法判断,無法判断,判断できない,"
            "一样,一样好,一樣,一樣好,相同,同等,相当,打平,持平,平,平局,差不多,同じ,引き分け,引分け,引分,分,和,互角,"
            "a=b,b=a,a==b"
        ),
        BAD: (
            "bad,loss,lose,loses,lost,worse,b worse,b bad,坏,壞,差,更差,较差,负,負,输,劣,悪い,負け,a>b,b<a,a>>b,b<<a"
        ),
        BOTH_GOOD: (
            "both good,both,bothgood,bothgood vote,tie both good,tie bothgood,good both,both fine,equally good,"
            "both equally good,都好,都很好,两者都好,両方良い,どちらも良い"
        ),
        BOTH_BAD: (
            "both bad,bothbad,bothbad vote,tie both bad,tie bothbad,bad both,neither,neither good,none good,both poor,"
            "equally bad,both equally bad,都差,都不好,两者都差,両方悪い,どちらも悪い"
        ),
    }.items()
    for word in words.split(",")
}
#: A side that is better; a letter alone may mean something else.
_BETTER = re.compile(
    r"(?:better |prefer |winner )?(a|b|left|right|[左右][边侧]?)"
    r" ?(?:better|wins?|won|preferred|good|vote|更?好|较好|胜|優|が良い|の勝ち)?"
)
_SIDES = {"a": BAD, "b": GOOD, "l": LEFT, "左": LEFT, "r": RIGHT, "右": RIGHT}
#: Letters that are ambiguous alone: the other letters that occur tell the meaning of "b" and "l".
_LETTERS = {
    "gsb": {"g": GOOD, "s": SAME, "b": BAD},
    "ab": {"a": BAD, "b": GOOD, "t": SAME, "c": SAME, "s": SAME},
    "wtl": {"w": GOOD, "t": SAME, "d": SAME, "l": BAD},
    "lr": {"l": LEFT, "r": RIGHT, "t": SAME, "s": SAME},
}
_TELLING = {"gsb": "g", "ab": "a", "wtl": "w", "lr": "r"}
_STRONGEST = 3


@dataclass(frozen=True)
class VoteReading:
    """What each text of a vote says: ``votes`` maps texts to votes or sides; ``unknown`` are those that say nothing.

    ``doubt`` is a clause where the same texts could mean something else, and then nothing is read. ``of_ab``: some
    speak of A or B, and not of good and bad.
    """

    votes: Mapping[str, str]
    unknown: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    doubt: str = ""
    of_ab: bool = False


def is_no_vote(text: str) -> bool:
    """Return whether a text means that there is no vote."""
    return normalized("NFKC", text).strip().casefold() in _NO_VOTES


def _plain_vote(text: str) -> str:
    """Return a text without what people vary: case, width, signs, and words that say how much."""
    folded_text = normalized("NFKC", text[:200]).casefold().strip().replace("’", "'")
    folded_text = re.sub(r"[_,;:!()\[\]]+|(?<=\w)-(?=\w)|\.$", " ", folded_text)
    if column := _COLUMN.fullmatch(folded_text.strip()):
        return f"{column[1]} better"
    folded_text = re.sub(r"\s+", " ", _HOW_MUCH.sub(" ", folded_text))
    return re.sub(r" ?([<>=]+) ?", r"\1", folded_text).strip()


def read_vote_words(texts: Iterable[str]) -> VoteReading:
    """Return what the distinct texts of the votes say, seen from B."""
    said = [text for text in dict.fromkeys(texts) if not is_no_vote(text)]
    signs = {text: normalized("NFKC", text).strip().replace("−", "-") for text in said}
    numbers = {text: float(sign) for text, sign in signs.items() if is_number(sign)}
    if numbers and len(numbers) == len(said):
        return _read_scale(numbers)
    if any(numbers.values()):
        some = ", ".join(sorted(numbers))
        return VoteReading({}, doubt=f"the votes {some} among words could mean either model; write words")
    words = {text: _plain_vote(text) for text in said}
    letters, doubt, notes = _read_letters({*words.values()})
    votes = dict.fromkeys(numbers, SAME)
    for text, word in words.items():
        side = _BETTER.fullmatch(word) if len(word) > 1 or not word.isascii() else None
        vote = _SIDES[side[1][0]] if side else _VOTE_WORDS.get(word) or letters.get(word)
        if vote:
            votes[text] = vote
    unknown = tuple(text for text in said if text not in votes)
    of_ab = any(_is_of_ab(words[text], vote) for text, vote in votes.items() if text in words)
    return VoteReading(votes, () if doubt else unknown, notes, doubt, of_ab)


def _is_of_ab(word: str, vote: str) -> bool:
    """Return whether a word for a vote speaks of A or B; the letter B may be short for bad."""
    return _LETTERS["ab"].get(word) == vote != SAME if len(word) == 1 else bool(_OF_AB.search(word))


def _read_letters(words: set[str]) -> tuple[Mapping[str, str], str, tuple[Note, ...]]:
    """Return what single letters mean, by the letters that occur together; the doubt, if they fit several alphabets."""
    single = {word for word in words if len(word) == 1 and word.isascii() and word.isalpha()}
    fitting = [name for name, letters in _LETTERS.items() if single <= set(letters)] if single else []
    chosen = [name for name in fitting if _TELLING[name] in single] or fitting
    if len(chosen) > 1 and "gsb" in chosen and "s" in single and not words & {"tie", "draw", "equal"}:
        chosen = ["gsb"]
    if not chosen:
        return {}, "", ()
    if len({tuple(sorted((word, _LETTERS[name][word]) for word in single)) for name in chosen}) > 1:
        some = ", ".join(sorted(single)).upper()
        return {}, f"the votes {some} could be good / same / bad or the better model; write them as words", ()
    letters = {word: _LETTERS[chosen[0]][word] for word in single}
    meanings = ", ".join(f"{word.upper()} = {vote}" for word, vote in sorted(letters.items()))
    return letters, "", (warning("vote_letters", f"The votes were read as {meanings} (seen from B)."),)


def _read_scale(numbers: Mapping[str, float]) -> VoteReading:
    """Read numbers of a scale, by their sign; 1, 2 and 0 where a 2 and no negative number occurs."""
    values = set(numbers.values())
    by_sign = {text: GOOD if value > 0 else BAD if value < 0 else SAME for text, value in numbers.items()}
    if min(values) < 0:
        text = "The votes are numbers and were read by their sign: above 0 is good."
        return VoteReading(by_sign, notes=(detail("vote_signs", text),))
    if values <= {0.0, 1.0, 2.0} and 2.0 in values:
        which = {0.0: SAME, 1.0: BAD, 2.0: GOOD}
        text = "The votes 1, 2 and 0 were read as first better (bad), second better (good) and same."
        return VoteReading(
            {key: which[value] for key, value in numbers.items()}, notes=(warning("vote_numbers", text),), of_ab=True
        )
    if values <= {0.0, 1.0}:
        text = "The votes are only 0 and 1: 1 was read as good (B better), 0 as same. Otherwise write words."
        return VoteReading(by_sign, notes=(warning("vote_flags", text),))
    span = f"{min(values):g} to {max(values):g}"
    return VoteReading({}, doubt=f"the votes are numbers from {span} without a sign; write -2 … 2, or words")


def are_votes(texts: Iterable[str]) -> bool:
    """Return whether every text is a vote in words, or a number of a scale around 0, and there is one."""
    said = [text for text in dict.fromkeys(texts) if not is_no_vote(text)]
    numbers = [float(text) for text in said if is_number(text)]
    if numbers and (len(numbers) < len(said) or min(numbers) >= 0 or max(map(abs, numbers)) > _STRONGEST):
        return False
    reading = read_vote_words(said)
    return bool(reading.votes) and not reading.unknown and not reading.doubt
