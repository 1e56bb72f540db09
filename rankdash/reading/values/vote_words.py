"""What raters write in a vote, and what it says seen from B: words, letters, and numbers of a scale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rankdash.reading.values.numerals import is_number
from rankdash.reading.words.blanks import NO_VOTES
from rankdash.reading.words.votes import BAD, GOOD, HOW_MUCH, HOW_MUCH_CJK, LETTERS, SAME, TELLING, WORDS
from rankdash.strings.normalforms import normalized

#: The largest number of a scale around 0, and the one that names the second model.
_STRONGEST, _SECOND = 3, 2
#: No vote is longer.
_LONGEST = 200
_HOW_MUCH = re.compile(HOW_MUCH)
_HOW_MUCH_CJK = re.compile(HOW_MUCH_CJK)
#: A or B, in the phrases of ``words.votes``.
_OF_AB = re.compile(r"(?<![a-z])[ab](?![a-z])")


@dataclass(frozen=True)
class VoteReading:
    """What each text of a vote says: ``votes`` maps texts to votes or sides; ``unknown`` are those that say nothing.

    ``of_ab`` are the texts that speak of A or B, and not of good and bad. ``doubt`` is a sentence where the same texts
    could mean something else, and then nothing is read; ``notes`` say what was decided.
    """

    votes: Mapping[str, str]
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    doubt: str = ""
    of_ab: frozenset[str] = frozenset()


def plain(text: str) -> str:
    """Return a text without what people vary: case, width, signs, and words that say how much."""
    folded = normalized("NFKC", text[:_LONGEST]).casefold().strip()
    folded = re.sub(r"[_,;:!()\[\]]+|(?<=\w)-(?=\w)|\.$", " ", folded)
    folded = _HOW_MUCH_CJK.sub("", _HOW_MUCH.sub(" ", folded))
    folded = re.sub(r"\s+", " ", folded)
    return re.sub(r" ?([<>=]+) ?", r"\1", folded).strip()


def is_blank(text: str) -> bool:
    """Return whether a text is no vote at all."""
    return normalized("NFKC", text).strip().casefold() in NO_VOTES


def reading_of(texts: Iterable[str]) -> VoteReading:
    """Return what the distinct texts of the votes say, seen from B."""
    filled = [text for text in dict.fromkeys(texts) if not is_blank(text)]
    signs = [normalized("NFKC", text).strip().replace("−", "-") for text in filled]
    if filled and all(map(is_number, signs)):
        return _scale(dict(zip(filled, map(float, signs), strict=True)))
    words = {text: plain(text) for text in filled}
    numbers = {text: float(sign) for text, sign in zip(filled, signs, strict=True) if is_number(sign)}
    scale = _scale(numbers) if any(numbers.values()) else VoteReading(dict.fromkeys(numbers, SAME))
    if scale.doubt or (numbers and min(numbers.values()) >= 0 and 1 in numbers.values() and 2 not in numbers.values()):
        doubtful = ", ".join(sorted(numbers))
        return VoteReading({}, doubt=f"the votes {doubtful} stand among words and could mean either model; write words")
    letters, doubt, notes = _letters({*words.values()})
    votes = {}
    for text, word in words.items():
        vote = WORDS.get(word) or letters.get(word) or scale.votes.get(text)
        if vote:
            votes[text] = vote
    unknown = tuple(text for text in filled if text not in votes)
    of_ab = {text for text, vote in votes.items() if _is_of_ab(words[text], vote)} | scale.of_ab
    return VoteReading(votes, () if doubt else unknown, (*notes, *scale.notes), doubt, frozenset(of_ab))


def _is_of_ab(word: str, vote: str) -> bool:
    """Return whether a word for a vote speaks of A or B; the letter B may be short for bad."""
    return LETTERS["ab"].get(word) == vote != SAME if len(word) == 1 else bool(_OF_AB.search(word))


def on_a_scale(texts: Iterable[str]) -> bool:
    """Return whether texts are numbers of a scale of votes, and no flags: -3 to 3 with one below 0, or 0, 1 and a 2."""
    signs = [normalized("NFKC", text).strip().replace("−", "-") for text in texts if not is_blank(text)]
    if not signs or not all(map(is_number, signs)):
        return False
    values = {float(sign) for sign in signs}
    whole = all(value.is_integer() and abs(value) <= _STRONGEST for value in values)
    return whole and (min(values) < 0 or (max(values) == _SECOND and min(values) < _SECOND))


def _letters(words: set[str]) -> tuple[Mapping[str, str], str, tuple[str, ...]]:
    """Return what single letters mean, by the letters that occur together; the doubt, if they fit several alphabets."""
    single = {word for word in words if len(word) == 1 and word.isascii() and word.isalpha()}
    if not single:
        return {}, "", ()
    fitting = [name for name, letters in LETTERS.items() if single <= set(letters)]
    telling = [name for name in fitting if TELLING[name] in single]
    if not telling and "gsb" in fitting and "s" in single and not words & {"tie", "draw", "equal"}:
        telling = ["gsb"]
    chosen = telling or fitting
    if not chosen:
        return {}, "", ()
    readings = {tuple(sorted((word, LETTERS[name][word]) for word in single)) for name in chosen}
    if len(readings) > 1:
        doubtful = ", ".join(sorted(single)).upper()
        return {}, f"the votes {doubtful} could be good / same / bad or the better model; write them as words", ()
    letters = {word: LETTERS[chosen[0]][word] for word in single}
    meanings = ", ".join(f"{word.upper()} = {vote}" for word, vote in sorted(letters.items()))
    return letters, "", (f"The votes were read as {meanings} (seen from B).",)


def _scale(numbers: Mapping[str, float]) -> VoteReading:
    """Read numbers of a scale, by their sign; 1, 2 and 0 where a 2 and no negative number occurs."""
    values = set(numbers.values())
    if min(values) < 0:
        if len(values) == 1 or max(abs(value) for value in values) > 3:
            notes: tuple[str, ...] = ("The votes are numbers and were read by their sign: above 0 is good.",)
        else:
            notes = ()
        return VoteReading({text: _by_sign(value) for text, value in numbers.items()}, notes=notes)
    if values <= {0.0, 1.0, 2.0} and 2.0 in values:
        which = {0.0: SAME, 1.0: BAD, 2.0: GOOD}
        note = "The votes 1, 2 and 0 were read as first better (bad), second better (good) and same."
        of_ab = frozenset(text for text, value in numbers.items() if value)
        return VoteReading({text: which[value] for text, value in numbers.items()}, notes=(note,), of_ab=of_ab)
    if values <= {0.0, 1.0}:
        note = (
            "The votes are only 0 and 1; 1 was read as good (B better) and 0 as same. If 1 means that the first model "
            "is better, or 0 that B is worse, write words."
        )
        return VoteReading({text: _by_sign(value) for text, value in numbers.items()}, notes=(note,))
    span = f"{min(values):g} to {max(values):g}"
    return VoteReading({}, doubt=f"the votes are numbers from {span} without a sign; write -2 … 2, or words")


def _by_sign(value: float) -> str:
    return GOOD if value > 0 else BAD if value < 0 else SAME
