"""Print the size of the house beside its ceilings: ``python scripts/house.py``. Exit status 1 where one is passed.

A code line holds a token that is neither comment nor docstring. The ceilings stand in scripts/walls.py.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.private_names import PRIVATE
from scripts.walls import (
    BUDGETS,
    FLOORS,
    PACKAGE,
    ROOT,
    WHOLE,
    arrows,
    backward_imports,
    circles,
    crowded_folders,
    long_modules,
)

_NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip


@dataclass
class Size:
    """What the Python files of a folder hold; ``rooms`` are the code lines of each folder and file in it."""

    rooms: Counter[str] = field(default_factory=Counter)
    statements: int = 0
    import_lines: int = 0
    modules: int = 0
    tokens: int = 0

    @property
    def lines(self) -> int:
        """The code lines of all rooms."""
        return self.rooms.total()


@cache
def measure(folder: Path) -> Size:
    """Return the size of the Python files below a folder."""
    size = Size()
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        statements = list(_statements(ast.parse(text)))
        texts = filter(_is_text, statements)
        documented = {line for item in texts for line in range(item.lineno, (item.end_lineno or item.lineno) + 1)}
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in _NO_CODE]
        tokens = [token for token in tokens if token.start[0] not in documented]
        code = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
        code -= {number for number, line in enumerate(text.splitlines(), start=1) if not line.strip()}
        size.rooms[path.relative_to(folder).parts[0].removesuffix(".py")] += len(code)
        size.modules += 1
        size.tokens += len(tokens)
        for node in statements:
            size.statements += not _is_text(node)
            if isinstance(node, ast.Import | ast.ImportFrom):
                size.import_lines += len(code & {*range(node.lineno, (node.end_lineno or node.lineno) + 1)})
    return size


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements below a node; expressions, most of a file, hold none."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, part, ()):
            if isinstance(child, ast.stmt):
                yield child
            yield from _statements(child)


def lines_of(folder: str) -> int:
    """Return the lines of all Python files below a folder of the project, without what is generated there."""
    paths = (path for path in (ROOT / folder).rglob("*.py") if ".work" not in path.parts)
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def figures() -> dict[str, float]:
    """Return each figure that WHOLE has a ceiling for."""
    package = measure(PACKAGE)
    return {
        "code lines": package.lines,
        "statements": package.statements,
        "modules": package.modules,
        "tokens": package.tokens,
        "tokens a code line": round(package.tokens / package.lines, 1),
        "import lines, %": round(100 * package.import_lines / package.lines, 1),
        "code lines of tests": measure(ROOT / "tests").lines,
        "lines of benchmarks": lines_of("benchmarks"),
        "lines of scripts": lines_of("scripts"),
        "private parts of other packages": len(PRIVATE),
        "modules in circles": len(circles(arrows())),
        "imports that run back": sum(len(backward_imports(floor)) for floor in FLOORS),
        "crowded folders and long modules": len(crowded_folders()) + len(long_modules()),
    }


def rooms() -> dict[str, int]:
    """Return the code lines of each room that BUDGETS names; what has no budget of its own is "the rest"."""
    sizes, budgeted = measure(PACKAGE).rooms, Counter[str]()
    home = {part: room for room in BUDGETS for part in room.split()}
    for part, lines in sizes.items():
        budgeted[home.get(part, "the rest")] += lines
    return dict(budgeted)


def main() -> int:
    """Print both tables."""
    passed = False
    for title, now, ceilings in (("the whole", figures(), WHOLE), ("room", rooms(), BUDGETS)):
        width = max(map(len, (*ceilings, title)))
        print(f"{title:<{width}} {'now':>9} {'ceiling':>9} {'aim':>9}")
        for name, ceiling in ceilings.items():
            value = now.get(name, 0)
            above = "  above" if value > ceiling.most else ""
            passed = passed or bool(above)
            print(f"{name:<{width}} {value:>9,} {ceiling.most:>9,} {ceiling.aim:>9,}{above}")
        print()
    return int(passed)


if __name__ == "__main__":
    sys.exit(main())
