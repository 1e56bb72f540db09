"""No regular expression may hold the interpreter: its time grows with the length of a text, whatever the text is.

Every pattern of the package is taken from its source, so that a new one is here without being named, and is run on
what such patterns are worst at: a beginning, a short text repeated, an end that does not fit. Processor time is
counted, so that a busy machine changes nothing.
"""

import ast
import importlib
import re
import signal
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.long import every

ROOT = Path(__file__).parents[2]
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split")
#: Letters of a text, and the seconds of the processor that it may take: a thousandth of them is enough, and a pattern
#: that is quadratic takes several times as many.
LETTERS, SECONDS = 60_000, 0.4
COMMON = "1a \t\n([\"'\\.,-"


class TooSlow(Exception):
    """A match takes more time than it may."""


@dataclass(frozen=True)
class Use:
    """One pattern as one place uses it: by which method."""

    place: str
    pattern: re.Pattern[Any]
    method: str

    def run(self, text: str) -> None:
        """Do with a text what that place does."""
        given: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        found = getattr(self.pattern, self.method)(*((given[:0], given) if self.method == "sub" else (given,)))
        if self.method == "finditer":
            deque(found, maxlen=0)


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


def attacks(use: Use) -> Iterator[str]:
    """Texts that a pattern may be slow for."""
    written = use.pattern.pattern
    written = written.decode("latin-1") if isinstance(written, bytes) else written
    signs = "".join(dict.fromkeys(COMMON + "".join(re.findall(r"[^\w?*|^${}]|[^\x00-\x7f]", written))))[:20]
    words = re.findall(r"[A-Za-z]{3,}", written)[:6]
    for begin in dict.fromkeys(("", signs[-1], *words[:1], '"', "1")):
        for part in (*signs, *words):
            yield begin + part * (LETTERS // len(part)) + "\0"
    for part in map("".join, combinations(signs, 2)):
        yield part * (LETTERS // 2) + "\0"


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 matches ``(...)*+`` wrongly where the group can match in several ways (gh-106052)."""
    groups = {use.place: re.sub(r"\[[^]]*]", "x", re.sub(r"\\.", "x", str(use.pattern.pattern))) for use in uses()}
    assert [place for place, pattern in groups.items() if re.search(r"\)[*+?]\+", pattern)] == []


@pytest.fixture
def limited() -> Iterator[None]:
    """Whatever takes too long is ended."""

    def end(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, end)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


USES = list(uses())


def test_every_pattern_is_here() -> None:
    """Patterns are written where a test can find them: as constants of their module."""
    text = "".join(file.read_text("utf-8") for file in (ROOT / "rankdash").rglob("*.py"))
    assert len(USES) >= 60
    assert "import regex" not in text
    assert "from re import" not in text


@pytest.mark.parametrize("use", every(6, USES), ids=[use.place for use in USES])
def test_no_text_takes_a_pattern_long(use: Use, limited: None) -> None:
    """Whatever is repeated in it, a long text is done in a moment."""
    for text in attacks(use):
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        use.run(text)
