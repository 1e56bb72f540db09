"""What values say: words as grades and as votes, and numbers without a name as ranks, scores or grades.

Decided by what they hold, and by nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import as_numpy, codes, encoded, from_numpy
from rankdash.notes import Note, advise, listed, warning
from rankdash.reading.grid import Floats, Grid, is_blank, is_number
from rankdash.reading.problems import Choice, Problem, ReadError, refuse
from rankdash.records import frozen, replace
from rankdash.strings import normalized

# --- grades ----------------------------------------------------------------------------------------------------------

_VERY = "highly relevant|sehr relevant|非常相关|非常に関連"
_PARTLY = "somewhat relevant|partially relevant|partly relevant|partly|teilweise relevant|teilweise|部分相关|やや関連"
_NOT = "not relevant|nicht relevant|irrelevant|nonrelevant|non relevant|不相关|無関係"
#: From the best grade down to 0; alternatives between bars. The first scale that has every word is taken.
_SCALES = (
    "exact|e  substitute|s  complement|c  irrelevant|i",
    f"relevant|相关|関連  {_NOT}",
    "true|t|yes|y|是|はい  false|f|no|n|否|いいえ",
    f"{_VERY}  relevant|相关|関連  {_NOT}",
    f"{_VERY}  relevant|相关|関連  {_PARTLY}  {_NOT}",
    "perfect  excellent  good  fair  bad",
    "perfect  good  ok|okay  bad",
    "watched|liked|like  not watched|disliked|dislike",
    "liked|like  ok|okay  disliked|dislike",
    "excellent|very good  good  fair|ok|okay  poor|bad",
)
SCALES = tuple(
    {word: float(grade) for grade, level in enumerate(reversed(scale.split("  "))) for word in level.split("|")}
    for scale in _SCALES
)
_LONGEST_WORD = 100
#: More different words in a column are no grades.
MAX_WORDS = 50


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
        GOOD: "good,win,wins,won,better,好,更好,较好,胜,赢,良い,勝ち,besser,a<b,b>a,a<<b,b>>a",
        SAME: (
            "same,tie,tied,ties,equal,draw,neutral,no difference,no preference,both same,cannot tell,一样,相同,相当,"
            "打平,持平,平,差不多,同じ,引き分け,gleich,a=b"
        ),
        BAD: "bad,loss,lose,loses,lost,worse,坏,差,更差,较差,负,输,悪い,負け,schlechter,a>b,b<a,a>>b,b<<a",
        BOTH_GOOD: "both good,tie both good,bothgood,equally good,都好,都很好,両方良い",
        BOTH_BAD: "both bad,tie both bad,bothbad,tie bothbad,equally bad,neither,都差,都不好,両方悪い",
    }.items()
    for word in words.split(",")
}
#: Signs for votes; the last ones stand for no vote too.
SHORT_VOTES = {"+": "good", "=": "same", "＋": "good", "＝": "same", "-": "bad", "−": "bad", "－": "bad"}
#: A side that is better; a letter alone may mean something else.
_BETTER = re.compile(
    r"(?:better |prefer |winner )?(a|b|left|right|[左右][边侧]?) ?(?:better|wins?|won|preferred|更?好|胜)?"
)
_SIDES = {"a": BAD, "b": GOOD, "l": LEFT, "左": LEFT, "r": RIGHT, "右": RIGHT}
#: What letters mean as votes, and where they name models. Only "b" differs: the other letters that occur tell it.
_GSB = {"g": GOOD, "s": SAME, "b": BAD}
_AB = {"a": BAD, "b": GOOD, "t": SAME, "s": SAME}
_STRONGEST = 3


@frozen
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
        if vote := _SIDES[side[1][0]] if side else _VOTE_WORDS.get(word) or letters.get(word):
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


# --- rank, score or grade --------------------------------------------------------------------------------------------

#: Grades are whole numbers from -2 (spam in TREC's qrels) to 5 (stars), and averages of a few raters.
_LEAST, _MOST = -2, 5


@frozen
class Lists:
    """The rows of a table by query: ``order`` (rows,) puts the rows of a list together as they stand; by this order,
    ``number`` (rows,) counts the lists and ``place`` (rows,) the rows of each, from 0.
    """

    order: npt.NDArray[np.intp]
    number: npt.NDArray[np.intp]
    place: npt.NDArray[np.intp]

    @classmethod
    def of(cls, query: npt.NDArray[np.int32]) -> Lists:
        """Return the lists of the codes of the queries, (rows,)."""
        order = np.argsort(query, kind="stable")
        first = np.append(True, query[order][1:] != query[order][:-1])[: len(order)]
        starts = np.flatnonzero(first)
        place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
        return cls(order, np.cumsum(first) - 1, place)

    @classmethod
    def of_words(cls, queries: Iterable[str]) -> Lists:
        """Return the lists of rows by the names of their queries."""
        numbers: dict[str, int] = {}
        return cls.of(np.array([numbers.setdefault(name, len(numbers)) for name in queries], np.int32))

    def steps(self, values: Floats, by: Floats | None = None) -> Floats:
        """Return by how much numbers, (rows,), rise from row to row of a list, as they stand or ``by`` rank."""
        order = self.order if by is None else self.order[np.lexsort((by[self.order], self.number))]
        steps: Floats = np.diff(values[order])[self.place[1:] > 0]
        return steps


def floats(rows: Sequence[Sequence[str]], at: int) -> Floats:
    """Return the numbers in a column of rows of text, (rows,)."""
    return np.array([float(row[at]) for row in rows])


def are_ranks(lists: Lists, values: Floats) -> bool:
    """Return whether numbers, (rows,), are 1, 2, 3, …, or 0, 1, 2, …, in each list, in any order of its rows."""
    if lists.place.max(initial=0) < 1 or np.isnan(values).any():  # no list has two rows
        return False
    inside = values[lists.order]
    offset = inside[np.lexsort((inside, lists.number))] - lists.place
    return bool((offset == 1).all() or (offset == 0).all())


def count_up(lists: Lists, values: Floats) -> bool:
    """Return whether numbers, (rows,), are ranks that count from row to row of each list."""
    return are_ranks(lists, values) and bool((lists.steps(values) > 0).all())


def may_be_ranks(lists: Lists, values: Floats) -> bool:
    """Return whether numbers, (rows,), are whole, none below 0, and none twice in a list: ranks, perhaps with gaps."""
    if not bool(((values >= 0) & (np.floor(values) == values) & (values < 10**8)).all()):
        return False
    inside = values[lists.order]
    return bool((np.diff(inside[np.lexsort((inside, lists.number))])[lists.place[1:] > 0] > 0).all())


def are_grades(values: Floats) -> bool:
    """Return whether all numbers are whole and as small as grades are."""
    return bool(np.all((values >= _LEAST) & (values <= _MOST) & (np.floor(values) == values)))


def are_scores(values: Floats) -> bool:
    """Return whether numbers that are given for grades are scores: most are no whole numbers, and they are no averages
    of a few raters, such as 1.5 and 2.67. A number is NaN where there is none.
    """
    odd = values[np.floor(values) != values]
    broken = odd[~np.isnan(odd)]
    if len(broken) <= len(values) - len(odd):
        return False
    there = values[~np.isnan(values)]
    if broken.min() < 0 or there.max() > _MOST:
        return True
    return not any(bool((np.abs(there * n - np.round(there * n)) <= n * 0.0051).all()) for n in range(2, 7))


def are_falling(lists: Lists, values: Floats) -> bool:
    """Return whether numbers, (rows,), fall or stay from row to row of each list, and fall somewhere."""
    steps = lists.steps(values)
    return bool((steps < 0).any() and not (steps > 0).any())


#: What numbers without a heading are called, beside a query and a document.
UNNAMED = "column 3"


def _decide_numbers(grid: Grid) -> Grid:
    """Return the Grid of a run without headings, its column of numbers called rank or score.

    ReadError where both readings are possible, or where the numbers may as well be grades.
    """
    lists = Lists.of(codes(encoded(grid.ids("query_id").array)))
    values = grid.numbers(UNNAMED).values.astype(np.float64)
    rises = bool((lists.steps(values) > 0).any())
    count, ranks, grades = are_ranks(lists, values), may_be_ranks(lists, values), are_grades(values)
    role = "rank" if count_up(lists, values) else "score"
    if role == "score" and (count or grades or (ranks and rises) or np.isnan(values).any()):
        could = " or ".join(["the rank"] * ranks + ["the score"] + ["grades"] * grades)
        what = f"there is no header line, and {listed([UNNAMED])} could be {could}"
        keys = ["rank"] * ranks + ["score"]
        headings = ("column 1", "column 2", UNNAMED)
        asks = [(advise("choose_unnamed_column", key=own), Choice("columns", headings, own)) for own in keys]
        raise ReadError([Problem("unclear", grid.name, what, allowed=do, choice=choice) for do, choice in asks])
    columns = {role if name == UNNAMED else name: column for name, column in grid.columns.items()}
    columns |= {"rank": from_numpy(values.astype(np.int32))} if role == "rank" else {}
    text = f"There is no header line; {listed([UNNAMED])} was read as the {role} by what its numbers hold."
    return replace(grid.noting(warning("no_header", text)), columns=columns)


def check_unnamed(grid: Grid, kind: str, wishes: Mapping[str, str]) -> Grid:
    """Return the Grid of a table without headings, its numbers read by what all of them hold.

    ReadError where they could be something else.
    """
    if kind == "judgments" and pa.types.is_floating(grid.columns["relevance"].type) and not wishes:
        refuse_scores(grid)
        values = as_numpy(grid.columns["relevance"])
        lists = Lists.of(codes(encoded(grid.columns["query_id"])))
        if (are_ranks(lists, values) and values.max() > 3) or (len(values) and values.min() >= 1_000):
            what = "the numbers look like ranks, ids or times, not grades"
            do = "Give a column of grades, with its name above it: relevance."
            raise refuse("other_kind", grid.name, what, do, Choice("columns", (), "relevance"))
    return _decide_numbers(grid) if kind == "run" and not wishes else grid


def refuse_scores(grid: Grid) -> None:
    """Raise ReadError where numbers that are given for grades are the scores of a run."""
    is_of_floats = grid.typed and pa.types.is_floating(grid.columns["relevance"].type)
    if is_of_floats or are_scores(grid.numbers("relevance").values.astype(np.float64)):
        what = "the numbers look like scores: they are not whole"
        choice = None if grid.headings else Choice("columns", (), "relevance")
        raise refuse("other_kind", grid.name, what, advise("run_or_grades", key="relevance"), choice)
