"""Cells as ids, numbers, grades and votes: what each parses to, what is blank, and which cells are neither."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, as_numpy, bits, codes, from_numpy, from_strings, one_chunk, taken_back
from rankdash.notes import Note, warning
from rankdash.reading.problems import Rows
from rankdash.strings import normalized
from rankdash.tables import moment

_NONE = np.zeros(0, np.int64)
#: Up to here every whole number is a float64 of its own.
EXACT = 2**53
_BLOCK = 1 << 20
#: Texts that mean a missing number in a numeric column.
BLANKS = (
    *("", "NA", "N/A", "n/a", "na", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None", "none", "\\N", "(null)"),
    *("-", "--", "—", "–", "?", ".", "unjudged", "unrated", "missing", "skip", "skipped", "未标注", "未評価"),
)
_BLANK_KEYS = frozenset(blank.casefold() for blank in BLANKS)
#: Bytes at either end of a text that may belong to white space: the ASCII ones, and all of other characters.
_INVISIBLE = "\u200b\u2060\ufeff"


# --- Arrow arrays as text --------------------------------------------------------------------------------------------


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is string or large_string."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def as_text(array: pa.Array) -> pa.Array:
    """Return the column as string or large_string with its nulls. ArrowNotImplementedError for lists and the like."""
    kind = array.type
    if is_text(kind):
        return array
    if pa.types.is_dictionary(kind):
        return as_text(decoded(array))
    if pa.types.is_string_view(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return array.cast(pa.large_string())
    if (pa.types.is_floating(kind) or (pa.types.is_decimal(kind) and kind.scale)) and _are_whole(array):
        return array.cast(pa.int64()).cast(pa.string())
    return array.cast(pa.string())


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
    cells: list[str] = filled(as_text(array)).to_pylist()
    return cells


def _are_whole(array: pa.Array) -> bool:
    values = as_numpy(array.drop_null().cast(pa.float64()))
    return bool(np.all(np.isfinite(values) & (np.floor(values) == values) & (np.abs(values) < EXACT)))


# --- ids -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ids:
    """Ids as text without nulls: ``array`` is string, large_string, or dictionary<int32, string> where the source was
    one.

    ``empty`` are the data rows without an id, ``odd`` those with a number that is not whole.
    """

    array: pa.Array
    empty: Rows
    odd: Rows = field(default_factory=lambda: _NONE)


def parse_ids(array: pa.Array, *, harmless: bool = False) -> Ids:
    """Return the column as ids; ``harmless``: apostrophes were put before formulas, and are removed.

    ArrowInvalid when bytes are no text, ArrowNotImplementedError for lists, times and the like.
    """
    if pa.types.is_dictionary(array.type):
        return _encoded_ids(array, harmless)
    _check_type(array.type)
    text = _bare(filled(as_text(array)), harmless)
    return Ids(text, empty_cells(text), _odd(array))


def _check_type(kind: pa.DataType) -> None:
    if pa.types.is_boolean(kind) or pa.types.is_temporal(kind):
        raise pa.ArrowNotImplementedError(f"{kind} is no id")


def _odd(array: pa.Array) -> Rows:
    """Return the data rows whose number is not whole."""
    if not pa.types.is_floating(array.type) and not (pa.types.is_decimal(array.type) and array.type.scale):
        return _NONE
    values = as_numpy(pc.fill_null(array.cast(pa.float64()), 0.0))
    return np.flatnonzero(~(np.floor(values) == values) | (np.abs(values) >= EXACT))


def _bare(text: pa.Array, harmless: bool) -> pa.Array:
    """Return texts without the white space around them, and what cannot be seen."""
    data = Text.of(text)
    spans = data.data[int(data.offsets[0]) : int(data.offsets[-1])]
    blocks = [spans[at : at + _BLOCK] for at in range(0, len(spans), _BLOCK)]
    if any(int(block.min()) <= 32 or int(block.max()) >= 128 for block in blocks):
        text = one_chunk(pc.utf8_trim_whitespace(pc.utf8_trim(pc.utf8_trim_whitespace(text), _INVISIBLE)))
    return taken_back(text) if harmless else text


def empty_cells(text: pa.Array) -> Rows:
    """Return the data rows whose text is empty."""
    offsets = Text.of(text).offsets
    return np.flatnonzero(offsets[1:] == offsets[:-1])


def _encoded_ids(array: pa.DictionaryArray, harmless: bool) -> Ids:
    """Return ids of a dictionary in the order of appearance, each there once."""
    _check_type(array.dictionary.type)
    if array.null_count or array.dictionary.null_count or not is_text(array.dictionary.type):
        return parse_ids(decoded(array), harmless=harmless)
    key, names = codes(array), _bare(array.dictionary, harmless).cast(pa.string())
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
    return Ids(array, np.flatnonzero(key == empty[0]) if len(empty) else _NONE)


# --- numbers ---------------------------------------------------------------------------------------------------------

_NUMBER = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_DECIMAL = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3},\d{3}", re.ASCII)
_DOTS = r"^[+-]?\d{1,3}(\.\d{3})+$"
_LONGEST = 400
_SIGNS = str.maketrans("−–", "--")
#: The bytes of plain numbers: of these Arrow reads nothing but plain numbers.
_PLAIN = np.zeros(256, bool)
_PLAIN[list(b"0123456789+-.eE")] = True


@dataclass(frozen=True)
class Numbers:
    """``values`` (rows,) float64, NaN where there is no finite number; ``blank`` and ``bad`` data rows say why.

    Whole int32 columns stay int32. ``commas``: decimal commas were read as points.
    """

    values: npt.NDArray[np.float64] | npt.NDArray[np.int32]
    blank: Rows
    bad: Rows
    commas: bool = False

    @property
    def missing(self) -> Rows:
        """Data rows without a finite number, in order."""
        return np.sort(np.concatenate((self.blank, self.bad)))


def is_number(cell: str) -> bool:
    """Return whether a cell is a finite decimal number."""
    return _DECIMAL.fullmatch(cell) is not None


def is_blank(cell: str) -> bool:
    """Return whether a cell means a missing number, or no vote."""
    return normalized("NFKC", cell).strip().casefold() in _BLANK_KEYS


#: The end of the year 9999, in milliseconds since 1970.
_LAST = 253_402_300_800_000


def milliseconds(cell: str, unit: int) -> float:
    """Return the milliseconds since 1970 that a cell means, NaN for a blank one, infinity for no date."""
    if is_blank(cell):
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


def _numbers(values: npt.NDArray[np.float64], blank: npt.NDArray[np.bool_], commas: bool = False) -> Numbers:
    bad = ~np.isfinite(values) & ~blank
    if bad.any():
        values = np.where(bad, np.nan, values)
    return Numbers(values, np.flatnonzero(blank), np.flatnonzero(bad), commas)


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
    commas = False
    if len(odd):
        values[odd], commas = _parse_odd(text.take(from_numpy(odd)), alone=not plain.any())
    number = np.flatnonzero(plain)
    values[number] = as_numpy(text.take(from_numpy(number)).cast(pa.float64())) if len(number) else 0
    if commas:  # with decimal commas, a point may separate thousands
        values[bits(pc.match_substring_regex(text, _DOTS))] = np.inf
    values[blank] = np.nan
    return _numbers(values, blank, commas)


def _parse_odd(text: pa.Array, *, alone: bool) -> tuple[npt.NDArray[np.float64], bool]:
    """Return the values of cells that are no plain numbers, inf for none, and whether they have decimal commas.

    Beside plain numbers commas may separate thousands: then they are no numbers.
    """
    cells = text.dictionary_encode()
    written = [_plainly(cell) for cell in cells.dictionary.to_pylist()]
    with_comma = [cell for cell in written if "," in cell]
    decimal = bool(with_comma) and all(map(_COMMA.fullmatch, with_comma))
    decimal = decimal and (alone or not all(map(_THOUSANDS.fullmatch, with_comma)))
    plain = [cell.replace(",", ".") if decimal else cell for cell in written]
    values = np.array([float(cell) if re.fullmatch(_NUMBER, cell) else np.inf for cell in plain] + [np.inf])[:-1]
    return values[codes(cells)], decimal


def _plainly(cell: str) -> str:
    """Return a cell in ASCII digits and signs."""
    if len(cell) > _LONGEST or any(unicodedata.decomposition(sign).startswith(("<super>", "<sub>")) for sign in cell):
        return ""  # raised digits are no digits of the number beside them
    return normalized("NFKC", cell).translate(_SIGNS).strip()


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
_HOW_MUCH = re.compile(
    r"\b(a bit|a little|a lot|much|slightly|somewhat|far|clearly|strongly|significantly|is|are|the|about)\b"
    r"|明显|稍微|略微|稍|略|大幅|远|很|非常|やや|少し|かなり|とても"
)
#: The name of a column of a model, as arenas write it in the place of a vote.
_COLUMN = re.compile(r"model ?([ab])")
_OF_AB = re.compile(r"(?<![a-z])[ab](?![a-z])")
#: After case, width, signs and words of degree are taken away.
_VOTE_WORDS: Mapping[str, str] = {
    word: vote
    for vote, words in {
        GOOD: "good,win,wins,won,better,好,更好,较好,胜,赢,良い,勝ち,a<b,b>a,a<<b,b>>a",
        SAME: (
            "same,tie,tied,ties,equal,draw,neutral,no difference,no preference,both same,cannot tell,一样,相同,相当,"
            "打平,持平,平,差不多,同じ,引き分け,a=b"
        ),
        BAD: "bad,loss,lose,loses,lost,worse,坏,差,更差,较差,负,输,悪い,負け,a>b,b<a,a>>b,b<<a",
        BOTH_GOOD: "both good,tie both good,bothgood,equally good,都好,都很好,両方良い",
        BOTH_BAD: "both bad,tie both bad,bothbad,tie bothbad,equally bad,neither,都差,都不好,両方悪い",
    }.items()
    for word in words.split(",")
}
#: A side that is better; a letter alone may mean something else.
_BETTER = re.compile(
    r"(?:better |prefer |winner )?(a|b|left|right|[左右][边侧]?) ?(?:better|wins?|won|preferred|更?好|胜)?"
)
_SIDES = {"a": BAD, "b": GOOD, "l": LEFT, "左": LEFT, "r": RIGHT, "右": RIGHT}
#: What letters mean as votes, and where they name models. Only "b" differs: the other letters that occur tell it.
_GSB = {"g": GOOD, "s": SAME, "b": BAD}
_AB = {"a": BAD, "b": GOOD, "t": SAME, "s": SAME}
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
    said = [text for text in dict.fromkeys(texts) if not is_blank(text)]
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
    return _AB.get(word) == vote != SAME if len(word) == 1 else bool(_OF_AB.search(word))


def _read_letters(words: set[str]) -> tuple[Mapping[str, str], str, tuple[Note, ...]]:
    """Return what single letters mean, by the letters that occur together, or the doubt, and a warning."""
    single = {word for word in words if len(word) == 1 and word.isascii() and word.isalpha()}
    letters = next((own for own in (_GSB, _AB) if single <= own.keys()), {})
    if not single or not letters:
        return {}, "", ()
    if single <= {"b", "s"} and "b" in single and ("s" not in single or words & {"tie", "draw", "equal"}):
        some = ", ".join(sorted(single)).upper()
        return {}, f"the votes {some} could be good / same / bad or the better model; write them as words", ()
    meanings = ", ".join(f"{word.upper()} = {letters[word]}" for word in sorted(single))
    return letters, "", (warning("vote_letters", f"The votes were read as {meanings} (seen from B)."),)


def _read_scale(numbers: Mapping[str, float]) -> VoteReading:
    """Read numbers of a scale by their sign; without a negative one 0 and 1, and with 2 the better of two models."""
    by_sign = {text: GOOD if value > 0 else BAD if value < 0 else SAME for text, value in numbers.items()}
    if min(numbers.values()) < 0:
        return VoteReading(by_sign)
    if 2.0 in numbers.values() and {*numbers.values()} <= {0.0, 1.0, 2.0}:
        text = "The votes 1, 2 and 0 were read as first better (bad), second better (good) and same."
        votes = {cell: (SAME, BAD, GOOD)[int(value)] for cell, value in numbers.items()}
        return VoteReading(votes, notes=(warning("vote_numbers", text),), of_ab=True)
    if {*numbers.values()} <= {0.0, 1.0}:
        text = "The votes are only 0 and 1: 1 was read as good (B better), 0 as same. Otherwise write words."
        return VoteReading(by_sign, notes=(warning("vote_flags", text),))
    span = f"{min(numbers.values()):g} to {max(numbers.values()):g}"
    return VoteReading({}, doubt=f"the votes are numbers from {span} without a sign; write -2 … 2, or words")


def are_votes(texts: Iterable[str]) -> bool:
    """Return whether every text is a vote in words, or a number of a scale around 0, and there is one."""
    said = [text for text in dict.fromkeys(texts) if not is_blank(text)]
    numbers = [float(text) for text in said if is_number(text)]
    if numbers and (len(numbers) < len(said) or min(numbers) >= 0 or max(map(abs, numbers)) > _STRONGEST):
        return False
    reading = read_vote_words(said)
    return bool(reading.votes) and not reading.unknown and not reading.doubt
