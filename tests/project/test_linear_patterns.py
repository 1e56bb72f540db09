"""No regular expression may hold the interpreter: its steps grow with the length of a text, whatever the text is.

Every pattern of the package is taken from its source, so that a new one is here without being named, and is run on
what such patterns are worst at: a beginning, a short text repeated, an end that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from tests.long import every
from tests.project.pattern_steps import end, steps

ROOT = Path(__file__).parents[2]
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split")
#: Letters of the texts that are tried, and of those that the worst of them are made to.
SHORT, LONG, LONGER = 32, 128, 512
#: Four times the letters take four times the steps, and sixteen times where a pattern is quadratic.
MOST = 6
#: Steps that count as none, those that no short text may take, and those after which a long one is given up.
FEW, EXPLODES, TOO_MANY = 500, 20_000, 1_000_000
COMMON = "1a \t\n([\"'\\.,-"


@dataclass(frozen=True)
class Use:
    """One pattern as one place uses it: by which method."""

    place: str
    pattern: re.Pattern[Any]
    method: str

    def steps(self, text: str, most: int = TOO_MANY) -> int:
        """The steps that the pattern takes for a text, and no more than the most."""
        found = steps(self.pattern, text, self.method, most)
        assert found < most, f"{self.place}: more than {most:,} steps for {len(text)} letters of {text[:20]!r}"
        return found


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
    signs = "".join(dict.fromkeys(COMMON + "".join(re.findall(r"[^\w?*|^${}]|[^\x00-\x7f]", written))))[:20]
    words = re.findall(r"[A-Za-z]{3,}", written)[:6]
    # What may begin anywhere meets both orders of a pair in either repetition.
    pairs = (permutations if use.method in ("match", "fullmatch") else combinations)(signs, 2)
    repeated = [*signs, *words, *map("".join, pairs)]
    for begin in dict.fromkeys(("", signs[-1], *words[:1], '"', "1")):
        for part in repeated:
            yield begin + part * (size // len(part)) + "\0"
        for part in signs:
            yield begin + part * size + "\\"


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
def test_steps_grow_with_the_length_of_a_text(use: Use, deep: None) -> None:
    """Of the texts that take most steps, four times the letters take about four times the steps."""
    worst = sorted(((use.steps(text, EXPLODES), text) for text in attacks(use, SHORT)), reverse=True)[:3]
    for _, text in worst:
        few, many = (use.steps(longer(text, size)) for size in (LONG, LONGER))
        assert many <= MOST * max(few, FEW), f"{use.place}: {few:,} and {many:,} steps for {text[:20]!r}"


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(a|aa)+$", "match"),
        (r"(\s+)+x", "fullmatch"),
        (r"\s+$", "search"),
        (r"a.*b", "search"),
        (r"(?:a*a*)*1", "match"),
        (r"a*?1", "search"),
    ],
)
def test_a_pattern_that_takes_too_many_steps_is_found(pattern: str, method: str, deep: None) -> None:
    """What is quadratic, or worse, fails."""
    with pytest.raises(AssertionError, match="steps for"):
        test_steps_grow_with_the_length_of_a_text(Use("here", re.compile(pattern), method), deep)


@pytest.mark.parametrize("use", every(6, USES), ids=[use.place for use in USES])
def test_steps_are_those_of_the_same_match(use: Use, deep: None) -> None:
    """What counts the steps finds what Python's engine finds."""
    if isinstance(use.pattern.pattern, str):
        for text in list(attacks(use, 24))[::97]:
            found = use.pattern.match(text)
            assert end(use.pattern, text) == (found and found.end())


@pytest.fixture
def deep() -> Iterator[None]:
    """Groups that repeat go deeper for each time."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(40_000)
    yield
    sys.setrecursionlimit(before)
