"""Worlds: runs and judgments made at random, with ids, scores and holes that real files have now and then.

A world is rows, so that every source can be written from it. What a peer or a slow twin has to say about it is taken
from ``lists`` and ``grades``, which are made by the definitions: of a document that stands twice in a list the higher
place counts, of two grades the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

Row = tuple[str, str, float]

#: Characters by what can hold them. White space and quotes are for cells, control characters for what is no text file.
_PLAIN = "abcdefgXYZ0123456789-_.:/" * 2 + "éßΩж中文字日本🙂𝔘ا\u0301\u200d#%&*+=@~^!?$(){}[]<>|\\;'\",`"
_IN_WORDS = _PLAIN
_IN_CELLS = _PLAIN + "  \u3000\u00a0"
_ANY = _IN_CELLS + "\0\t\n\r\x01\x1b\x7f\u202e\u2028"
#: What an id in a text file does not begin with here: there it is a comment, JSON, or a formula that was made harmless.
_MARKS = {"words": "#=[{", "cells": "#=[{'", "any": ""}
ALPHABETS = {"words": _IN_WORDS, "cells": _IN_CELLS, "any": _ANY}

#: Ids that programs take for something else.
_ODD = (
    *("nan", "NaN", "None", "null", "NULL", "NA", "N/A", "inf", "-inf", "true", "False", "1e5", "100000", "1E5", "1.0"),
    *("1", "01", "001", "-1", "+1", "0x10", "-", "--", "0", "-0", "A", "a", "Ａ", "é", "e\u0301", "ß", "SS", "ss", "İ"),
    *("d1", "D1", "9007199254740993", "9007199254740992", "2024-01-01", "1,5", "1_000", "a:b", "x=y", "i\u0307"),
)
#: Where words of eight bytes begin, and the bytes beside.
_EDGES = (1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 64, 127, 128, 199)
LONGEST = 200
_REACHES = (4, 8, 9, 16, 24, 40, LONGEST)


@dataclass(frozen=True)
class World:
    """Rows (query, document, score) of two runs, and rows (query, document, grade) of their judgments."""

    seed: int
    a: tuple[Row, ...]
    b: tuple[Row, ...]
    judged: tuple[Row, ...]

    @cached_property
    def lists(self) -> dict[str, dict[str, float]]:
        """The lists of A."""
        return lists_of(self.a)

    @cached_property
    def grades(self) -> dict[str, dict[str, float]]:
        """{query: {document: grade}}; of two grades the first."""
        found: dict[str, dict[str, float]] = {}
        for query, doc, grade in self.judged:
            found.setdefault(query, {}).setdefault(doc, grade)
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """Other names for the ids of documents and queries, in the same byte order, which every tool can hold."""
        ids = {name for query, doc, _ in (*self.a, *self.b, *self.judged) for name in (query, doc)}
        return {name: f"{place:06}" for place, name in enumerate(sorted(ids, key=str.encode))}

    def renamed(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """Rows under the other names."""
        return tuple((self.names[query], self.names[doc], number) for query, doc, number in rows)

    def swapped(self) -> World:
        """The same with A as B."""
        return replace(self, a=self.b, b=self.a)


def lists_of(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """{query: {document: score}}; of a document that stands twice the higher score."""
    found: dict[str, dict[str, float]] = {}
    for query, doc, score in rows:
        documents = found.setdefault(query, {})
        documents[doc] = max(score, documents.get(doc, score))
    return found


def some_ids(rng: np.random.Generator, number: int, alphabet: str = "words", longest: int = LONGEST) -> list[str]:
    """So many different ids of 1 to ``longest`` bytes, in no order, without white space around them."""
    letters = ALPHABETS[alphabet]
    stem, text = ("".join(letters[i] for i in rng.integers(len(letters), size=n)) for n in (LONGEST, 3 * LONGEST))
    found: dict[str, None] = {}
    while len(found) < number:
        made = _cut(_one_id(rng, stem, text), longest)
        if made and made[0] not in _MARKS[alphabet] and not made.startswith('="'):
            found[made] = None
    ids = list(found)
    return [ids[i] for i in rng.permutation(number)]


def _one_id(rng: np.random.Generator, stem: str, text: str) -> str:
    """A word of ours, digits, a beginning of the stem, the stem but for a byte or two, or anything."""
    kind, edge, at = int(rng.integers(6)), int(rng.choice(_EDGES)), int(rng.integers(2 * LONGEST))
    if kind == 0:
        return _ODD[int(rng.integers(len(_ODD)))]
    if kind == 1:
        return "0" * int(rng.integers(4)) + str(int(rng.integers(1, 10 ** int(rng.integers(1, 18)))))
    if kind == 2:
        return _cut(stem, edge)
    if kind == 3:
        return _cut(stem, edge) + text[at] + stem[at % 3 :][: int(rng.integers(3))]
    return text[at : at + (int(rng.integers(1, 4)) if kind == 4 else edge)]


def _cut(text: str, size: int = LONGEST) -> str:
    """The text within so many bytes, without white space and what nobody sees at its ends."""
    return text.encode()[:size].decode(errors="ignore").strip().strip("\ufeff\u200b\u2060").strip()


def scores(rng: np.random.Generator, kind: str, size: int) -> list[float]:
    """Scores of a list: tied, apart, apart as doubles alone, or at the ends of what a double can be."""
    if kind == "tied":
        return [float(value) / 4 for value in rng.integers(-6, 7, size)]
    if kind == "apart":
        return [float(value) / 8 for value in rng.permutation(max(size, 1) * 3)[:size] - size]
    if kind == "close":
        return [float(value) for value in 12.5 + rng.integers(-9, 10, size) * 2.0**-27]
    ends = (0.0, -0.0, 5e-324, -5e-324, 1e-45, 2e-45, 1e-40, 1.5, 3.5e38, 3.6e38)
    ends += (-1e300, 1e300, 2.0**53, 2.0**53 + 2, 1 / 3)
    return [ends[i] for i in rng.integers(len(ends), size=size)]


SCORES = ("tied", "apart", "close", "ends")


def world(
    seed: int,
    *,
    queries: int = 50,
    alphabet: str = "words",
    kinds: Sequence[str] = SCORES,
    repeats: bool = True,
    mixed: bool | None = None,
    longest: int = 24,
    grades: Sequence[float] = (-2, -1, 0, 0, 0, 1, 1, 2, 3, 4),
) -> World:
    """The world of a seed.

    ``queries`` is how many there are, a few of them on one side alone; ``kinds`` of scores, one per list; ``repeats``
    whether a document may stand twice in a list or be judged twice; ``mixed`` whether the rows stand in any order
    (None: in every third world); ``longest`` how many rows a list has at most.
    """
    rng = np.random.default_rng(seed)
    # Ids that one side alone has may be longer than all that both have.
    known = some_ids(rng, int(rng.integers(5, 90)), alphabet, int(rng.choice(_REACHES)))
    alone = [one for one in some_ids(rng, 6, alphabet) if one not in known]
    docs_a, docs_b, docs_judged = (known + alone[i : i + 2] * int(rng.integers(2)) for i in (0, 2, 4))
    rows: tuple[list[Row], list[Row], list[Row]] = ([], [], [])
    for at, query in enumerate(some_ids(rng, queries, alphabet)):
        without = int(rng.integers(16)) if at else -1  # 0: not in A, 1: not in B, 2: not judged
        new = _list(rng, query, docs_a, longest, kinds, repeats)
        rows[0].extend(new if without else ())
        if without != 1:
            change = int(rng.integers(4))  # of B: none, other scores, or other documents
            again = zip(new, _scores(rng, kinds, len(new)), strict=True)
            listed = new if change == 0 else [(query, doc, number) for (_, doc, _), number in again]
            rows[1].extend(listed if change < 2 else _list(rng, query, docs_b, longest, kinds, repeats))
        if without != 2:
            chosen = rng.permutation(len(docs_judged))[: int(rng.integers(1, len(docs_judged) + 1))]
            twice = rng.choice(chosen, 2 if repeats and at % 4 == 0 else 0)
            given = rng.integers(len(grades), size=len(chosen) + len(twice)).tolist()
            places = [*chosen.tolist(), *twice.tolist()]
            rows[2].extend((query, docs_judged[i], grades[j]) for i, j in zip(places, given, strict=True))
    if mixed or (mixed is None and seed % 3 == 0):
        return World(seed, *(tuple(part[i] for i in rng.permutation(len(part))) for part in rows))
    return World(seed, *map(tuple, rows))


def _list(
    rng: np.random.Generator, query: str, docs: Sequence[str], longest: int, kinds: Sequence[str], repeats: bool
) -> list[Row]:
    """The rows of one list."""
    size = int(rng.integers(1, min(longest, len(docs)) + 1))
    chosen = rng.integers(len(docs), size=size) if repeats else rng.permutation(len(docs))[:size]
    return [(query, docs[i], score) for i, score in zip(chosen.tolist(), _scores(rng, kinds, size), strict=True)]


def _scores(rng: np.random.Generator, kinds: Sequence[str], size: int) -> list[float]:
    return scores(rng, kinds[int(rng.integers(len(kinds)))], size)
