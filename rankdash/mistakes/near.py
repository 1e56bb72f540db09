"""Ids that almost match: what differs, how often, and three examples."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from rankdash.strings.normalforms import normalized

Way = Literal["form", "space", "case", "zeros", "width", "prefix", "suffix", "ending", "quotes"]

#: How many ids of each side are looked at.
MOST = 50_000
_SAMPLE, _LONGEST, EXAMPLES = 60, 80, 3


@dataclass(frozen=True)
class Near:
    """How ids of two sides differ: by ``way``; for an affix, also its text and whether ours or theirs have it.

    ``count`` of ``of`` ids of ours match then; ``examples`` are three of them, ours and theirs.
    """

    way: Way
    count: int
    examples: tuple[tuple[str, str], ...]
    text: str = ""
    ours_has_it: bool = False
    of: int = 0


def near(ours: Iterable[str], theirs: Iterable[str], written: Collection[Way] | None = None) -> Near | None:
    """Return the change that makes most of our unmatched ids equal to theirs; None where no change does. ``written``:
    only these changes are tried, none of which is an affix.
    """
    all_of_theirs = dict.fromkeys(theirs)
    all_of_ours = dict.fromkeys(ours)
    here = [value for value in all_of_ours if value not in all_of_theirs][:MOST]
    there = [value for value in all_of_theirs if value not in all_of_ours][:MOST]
    if not here or not there:
        return None
    ways = [_same(way, key, here, there) for way, key in _WAYS if written is None or way in written]
    if written is None:
        ways += [_affixed(way, here, set(there), True) for way in _AFFIXES]
        ways += [_affixed(way, there, set(here), False) for way in _AFFIXES]
    met = [way for way in ways if way is not None]
    most = max(met, key=lambda way: way.count, default=None)
    return None if most is None else replace(most, of=len(here))


def composed(value: str) -> str:
    """Return a text in the Unicode form in which letters have their marks in them (NFC)."""
    return normalized("NFC", value)


def _without_zeros(value: str) -> str:
    digits = value.removesuffix(".0")
    return digits.lstrip("0") or "0" if digits.isdecimal() else value


_WAYS: tuple[tuple[Way, Callable[[str], str]], ...] = (
    ("form", composed),
    ("space", lambda value: "".join(value.split())),
    ("case", str.casefold),
    ("width", partial(normalized, "NFKC")),
    ("zeros", _without_zeros),
    ("quotes", lambda value: value.replace('"', "")),
    ("ending", lambda value: os.path.splitext(os.path.basename(value))[0]),
)


_AFFIXES: tuple[Literal["prefix", "suffix"], ...] = ("prefix", "suffix")


def _same(way: Way, key: Callable[[str], str], here: Sequence[str], there: Sequence[str]) -> Near | None:
    """Return the ids that are the same once ``key`` has taken away how they differ."""
    keyed = {key(value): value for value in reversed(there)}
    pairs = [(value, keyed[key(value)]) for value in here if key(value) in keyed]
    return Near(way, len(pairs), tuple(pairs[:EXAMPLES])) if pairs else None


def _affixed(way: Literal["prefix", "suffix"], long: Sequence[str], short: set[str], ours: bool) -> Near | None:
    """Return the ids to which one side adds a text in front or at the end, the same for most of them."""
    votes: Counter[str] = Counter()
    for value in long[:_SAMPLE]:
        for cut in range(1, min(len(value), _LONGEST)):
            rest, affix = (value[cut:], value[:cut]) if way == "prefix" else (value[:-cut], value[-cut:])
            if rest in short:
                votes[affix] += 1
    if not votes:
        return None
    affix, met = votes.most_common(1)[0]
    if met < min(2, len(long)) or affix.isdecimal():
        return None
    cut_off = str.removeprefix if way == "prefix" else str.removesuffix
    pairs = [(value, cut_off(value, affix)) for value in long if value != affix and cut_off(value, affix) in short]
    pairs = [(with_it, without) for with_it, without in pairs if with_it != without]
    shown = pairs if ours else [(without, with_it) for with_it, without in pairs]
    return Near(way, len(pairs), tuple(shown[:EXAMPLES]), affix, ours) if pairs else None
