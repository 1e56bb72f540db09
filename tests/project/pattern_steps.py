"""How many steps a backtracking engine takes to match a pattern: counted, so that a busy machine changes nothing.

It goes through a pattern as Python's own engine does, without the shortcuts of that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

Then = Callable[[int], bool]
_ONE = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}


class TooMany(Exception):
    """A match takes more steps than it may."""


@cache
def _single(node: str, flags: int, at: Any) -> re.Pattern[str]:
    """A pattern of one node; ``node`` tells nodes apart."""
    state = _parser.State()
    state.flags = flags
    return _compiler.compile(_parser.SubPattern(state, [at.node]), flags)  # type: ignore[no-any-return]


class _Node:
    """A node of a parsed pattern, which is a list where it is a set and has no hash."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return True


class Matcher:
    """Matches one text, and counts."""

    def __init__(self, pattern: re.Pattern[Any], text: str, most: int) -> None:
        written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
        flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
        self.tree, self.flags = list(_parser.parse(written, flags)), flags
        self.text, self.most, self.steps = text, most, 0
        self.groups: dict[int, tuple[int, int]] = {}

    def run(self, method: str) -> int:
        """The steps that a method takes for the text."""
        at = 0
        while at <= len(self.text):
            ends = self.ends(at, only=len(self.text) if method == "fullmatch" else None)
            if method in ("match", "fullmatch") or (ends and method == "search"):
                break
            at = max(at + 1, *ends, at)
        return self.steps

    def ends(self, at: int, only: int | None = None) -> list[int]:
        """Where a match that begins there ends, or nothing; ``only`` one that ends there counts."""
        found: list[int] = []

        def then(end: int) -> bool:
            if only in (None, end):
                found.append(end)
            return bool(found)

        self.follow(self.tree, at, then)
        return found

    def fits(self, node: Any, at: int) -> bool:
        """Whether one letter, or a place between letters, is as a node says."""
        self.steps += 1
        if self.steps > self.most:
            raise TooMany
        return bool(_single(repr(node), self.flags, _Node(node)).match(self.text, at))

    def follow(self, nodes: list[Any], at: int, then: Then) -> bool:
        """Whether the nodes match from a place on, and what follows does."""
        if not nodes:
            return then(at)
        (op, value), rest = nodes[0], nodes[1:]
        on: Then = lambda end: self.follow(rest, end, then)  # noqa: E731
        name = str(op)
        if name in _ONE:
            return self.fits(nodes[0], at) and on(at + 1)
        if name == "AT":
            return self.fits(nodes[0], at) and on(at)
        if name == "BRANCH":
            return any(self.follow(list(branch), at, on) for branch in value[1])
        if name == "SUBPATTERN":
            return self.follow(list(value[3]), at, lambda end: self.keep(value[0], at, end) and on(end))
        if name == "GROUPREF":
            start, end = self.groups.get(value, (0, 0))
            self.steps += end - start
            return self.text.startswith(self.text[start:end], at) and on(at + end - start)
        if name in ("ASSERT", "ASSERT_NOT"):
            start = at if value[0] > 0 else at - value[1].getwidth()[0]  # what lies before has one length
            holds = start >= 0 and self.follow(list(value[1]), start, lambda _: True)
            return holds == (name == "ASSERT") and on(at)
        if name in ("ATOMIC_GROUP", "POSSESSIVE_REPEAT"):
            ended: list[int] = []
            inner = list(value) if name == "ATOMIC_GROUP" else [(_parser.MAX_REPEAT, value)]
            return self.follow(inner, at, lambda end: not ended.append(end)) and on(ended[0])
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = value
            return self.repeat(list(inner), int(least), int(most), name == "MAX_REPEAT", at, on)
        raise NotImplementedError(name)

    def keep(self, group: int | None, start: int, end: int) -> bool:
        """Note what a group holds."""
        if group is not None:
            self.groups[group] = (start, end)
        return True

    def lazy(self, node: Any, least: int, most: int, at: int, on: Then) -> bool:
        """Whether a repetition of one letter matches that takes as few as it can."""
        end = at
        while end - at < least or not on(end):
            if end - at == most or not self.fits(node, end):
                return False
            end += 1
        return True

    def greedy(self, node: Any, least: int, most: int, at: int, on: Then) -> bool:
        """Whether a repetition of one letter matches that takes as many as it can."""
        end = at
        while end - at < most and self.fits(node, end):
            end += 1
        while end - at >= least:
            self.steps += 1
            if on(end):
                return True
            end -= 1
        return False

    def repeat(self, inner: list[Any], least: int, most: int, greedy: bool, at: int, on: Then) -> bool:
        """Whether a repetition matches; of single letters without going deeper for each."""
        if len(inner) == 1 and str(inner[0][0]) in _ONE:
            return (self.greedy if greedy else self.lazy)(inner[0], least, most, at, on)

        def more(end: int) -> bool:
            goes_on = end > at or least > 0
            return goes_on and self.repeat(inner, max(least - 1, 0), most - 1, greedy, end, on)

        def deeper() -> bool:
            return most > 0 and self.follow(inner, at, more)

        if least > 0:
            return deeper()
        return (deeper() or on(at)) if greedy else (on(at) or deeper())


def steps(pattern: re.Pattern[Any], text: str, method: str, most: int) -> int:
    """The steps that a method of a pattern takes for a text, and no more than the most."""
    try:
        return Matcher(pattern, text, most).run(method)
    except TooMany:
        return most


def end(pattern: re.Pattern[Any], text: str) -> int | None:
    """Where a pattern that matches at the beginning of a text ends."""
    found = Matcher(pattern, text, 10**9).ends(0)
    return found[0] if found else None
