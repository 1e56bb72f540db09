"""No regular expression may hold the interpreter: time grows with the length of a text, whatever the text is.

Every pattern of the package is taken from its source, so that a new one is here without being named, and is run on
what such patterns are worst at: a beginning, a short text repeated, an end that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from tests.long import every

ROOT = Path(__file__).parents[2]
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split")
#: Seconds of a processor: for a call, and for each letter.
CALL, LETTER = 0.05, 1e-5
#: Quadratic time is over the limit at the last size from 0.1 ns for each pair of letters on; no engine is as fast.
SHORT, *_ = SIZES = (300, 16_000, 128_000)
#: What the worst text of all is tried at.
LONGEST = 1_000_000
COMMON = "1a \t\n([\"'\\.,-"


@dataclass(frozen=True)
class Use:
    """One pattern as one place uses it: by which method."""

    place: str
    pattern: re.Pattern[Any]
    method: str

    def seconds(self, text: str) -> float:
        """The time of a processor that the pattern takes for a text."""
        subject: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        call = getattr(self.pattern, self.method)
        start = time.process_time()
        found = call(subject[:0], subject) if self.method == "sub" else call(subject)
        if self.method == "finditer":
            list(found)
        return time.process_time() - start


def uses() -> Iterator[Use]:
    """Every use of a regular expression in the package."""
    for file in sorted((ROOT / "rankdash").rglob("*.py")):
        source = file.read_text("utf-8")
        nodes = list(ast.walk(ast.parse(source))) if re.search(r"\bre\.", source) else []
        calls = [node for node in nodes if _is_call(node)]
        if calls:
            names = vars(importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)))
            for call in calls:
                pattern = _pattern(call, names)
                for method in _methods(call, nodes):
                    yield Use(f"{file.relative_to(ROOT)}:{call.lineno} {method}", pattern, method)


def _is_call(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name)):
            return name == "compile" or name in METHODS
    return False


def _pattern(call: Any, names: dict[str, Any]) -> re.Pattern[Any]:
    """The pattern of a call; NameError where it is made of more than constants of its module."""
    values = [eval(ast.unparse(value), {**names, "re": re}) for value in call.args[:1]]
    flags = [node for node in ast.walk(call) if isinstance(node, ast.Attribute) and node.attr.isupper()]
    found = 0
    for flag in flags:
        found |= getattr(re, flag.attr, 0)
    return values[0] if isinstance(values[0], re.Pattern) else re.compile(values[0], found)


def _methods(call: Any, nodes: list[ast.AST]) -> list[str]:
    """How a pattern is used: by the method of the call, else by those of the name that it has in its module.

    One without a name stands in a table: it is matched or searched for, whichever its module does.
    """
    if call.func.attr != "compile":
        return [call.func.attr]
    targets = [node.targets[0] for node in nodes if isinstance(node, ast.Assign) and node.value is call]
    called = {target.id for target in targets if isinstance(target, ast.Name)}
    found = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in called
    }
    does = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    ways = ["fullmatch", "search"]
    return sorted(found & set(METHODS)) or [way for way in ways if way in does] or ways


def attacks(use: Use, size: int) -> Iterator[str]:
    """Texts of a size that a pattern may be slow for."""
    written = use.pattern.pattern
    written = written.decode("latin-1") if isinstance(written, bytes) else written
    signs = "".join(dict.fromkeys(COMMON + "".join(re.findall(r"[^\w?*|^${}]|[^\x00-\x7f]", written))))[:24]
    words = re.findall(r"[A-Za-z]{3,}", written)[:6]
    # What may begin anywhere meets both orders of a pair in either repetition.
    pairs = (permutations if use.method in ("match", "fullmatch") else combinations)(signs, 2)
    repeated = [*signs, *words, *map("".join, pairs)]
    for begin in dict.fromkeys(("", signs[-1], *words[:1], '"', "1")):
        for end in ("\0", "\\"):
            for part in repeated:
                yield begin + part * (size // len(part)) + end


def longer(text: str, size: int) -> str:
    """The text with its middle repeated up to a size; the repeated part stays whole, for it has one or two letters."""
    middle = text[len(text) // 4 : -3]
    middle = middle[: len(middle) // 12 * 12] or middle
    return text[: len(text) // 4] + middle * (size // len(middle)) + text[-3:]


USES = list(uses())


def test_every_pattern_is_here() -> None:
    """Patterns are written where a test can find them: as constants of their module."""
    text = "".join(file.read_text() for file in (ROOT / "rankdash").rglob("*.py"))
    assert len(USES) >= 60
    assert "import regex" not in text
    assert "from re import" not in text


@pytest.mark.parametrize("use", every(6, USES), ids=[use.place for use in USES])
def test_time_grows_with_the_length_of_a_text(use: Use) -> None:
    """From 300 letters to 1 MB of the worst texts that were found, a pattern takes at most 10 µs a letter."""
    worst = sorted(((use.seconds(text), text) for text in attacks(use, SHORT)), reverse=True)[:3]
    for size in SIZES:
        worst = sorted(((_checked(use, text, size), text) for _, text in worst), reverse=True)
    _checked(use, worst[0][1], LONGEST)


def _checked(use: Use, text: str, size: int) -> float:
    """The seconds that a text takes, made as long as said; once more if something else took the time."""
    for _ in range(2):
        took = use.seconds(longer(text, size))
        if took < CALL + LETTER * size:
            return took
    raise AssertionError(f"{use.place}: {took:.1f} s for {size:,} letters of {text[:20]!r}")
