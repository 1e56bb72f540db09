"""Headings compared with what they may mean: without case, width and signs, and by their last words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rankdash.reading.words.headings import KINDS, Kind, Meaning
from rankdash.strings.normalforms import normalized

#: The words of a heading: between blanks and signs, and where small letters become capitals.
_WORD = re.compile(r"[^\W_a-z]*[^\W_A-Z]+|[^\W_a-z]+")
_OPENING, _CLOSING = "([（【", ")]）】"
#: So many letters and words at the end of a heading can tell what it means.
_LONGEST, _MOST_WORDS = 1000, 20
#: "id" and "no" at the end of a heading say nothing: row_id, session_id.
_SHORTEST = 2


def key(heading: str) -> str:
    """Return a heading without what people vary: case, width, blanks, signs between words, and what cannot be seen."""
    plain = heading if heading.isascii() else normalized("NFKC", heading)
    return re.sub(r"[\W_]+", "", plain).casefold()


def _tiers(meaning: Meaning) -> tuple[frozenset[str], ...]:
    return (frozenset([key(meaning.name)]), *(frozenset(map(key, tier.split())) for tier in meaning.synonyms))


#: The keys of each meaning of each kind, tier by tier, the canonical name first.
TIERS = {kind: {meaning.name: _tiers(meaning) for meaning in table.meanings} for kind, table in KINDS.items()}
_KNOWN = {
    kind: frozenset().union(*(keys for tiers in named.values() for keys in tiers)) for kind, named in TIERS.items()
}
_KNOWN["judgments"] = _KNOWN["run"]


def last_words(heading: str) -> list[str]:
    """Return the keys of what a heading ends with, remarks in brackets left out: "BM25 score (0-1)" gives "score"."""
    bare = _without_brackets(heading)
    words = _WORD.findall(normalized("NFKC", bare[-_LONGEST:]))
    first = max(int(bare == heading or len(bare) > _LONGEST), len(words) - _MOST_WORDS)
    ends = [key("".join(words[i:])) for i in range(first, len(words))]
    return [end for end in ends if len(end) > _SHORTEST]


def words_of(heading: str) -> frozenset[str]:
    """Return the keys of the words of a heading, each with and without the digits at its end, and of all of it."""
    words = [key(word) for word in (*_WORD.findall(normalized("NFKC", heading[:_LONGEST])), heading)]
    return frozenset((*words, *(word.rstrip("0123456789") for word in words)))


def _without_brackets(heading: str) -> str:
    """Return a heading without the brackets at its end, and what is in them."""
    text = heading.rstrip()
    if not text.endswith(tuple(_CLOSING)):
        return heading
    before = max(text.rfind(sign, 0, -1) for sign in _CLOSING)
    opened = [at for at in (text.find(sign, before + 1, -1) for sign in _OPENING) if at >= 0]
    return f"{text[: min(opened)]} " if opened else heading


def meanings_of(heading: str, kind: Kind) -> frozenset[str]:
    """Return the names of the columns that a heading can mean."""
    own = key(heading)
    return frozenset(name for name, tiers in TIERS[kind].items() if any(own in tier for tier in tiers))


def mean_the_same(pairs: Iterable[tuple[str, str]], kind: Kind) -> bool:
    """Return whether the headings of each pair can mean the same column."""
    return all(meanings_of(first, kind) & meanings_of(second, kind) for first, second in pairs)


def is_known(heading: str, kind: Kind) -> bool:
    """Return whether a heading is the name, or a usual name, of a column with a meaning."""
    return key(heading) in _KNOWN[kind]


def known_names(rows: Iterable[Iterable[str]], kind: Kind) -> list[int]:
    """Return how many cells of each row are known headings."""
    return [sum(is_known(cell, kind) for cell in row) for row in rows]
