"""No test depends on how fast a machine is: tests/awaited.py alone looks at the clock, to end what hangs."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.awaited import HUNG

TESTS = Path(__file__).parents[1]
CLOCKS = {"time", "timeit", "sched"}
#: Methods whose first number is a limit in seconds, and names of arguments that are one wherever they stand.
WAITS = {"wait", "join", "result", "settimeout", "getresult"}
LIMITS = {"timeout", "default_timeout", "connect_timeout", "deadline"}
#: The least that may end what hangs.
LEAST = 120


def hurried(source: str) -> Iterator[str]:
    """What in a source looks at a clock, or ends something early."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names) if any(name.name in CLOCKS for name in names):
                yield f"{node.lineno}: import of a clock"
            case ast.ImportFrom(module=module) if module in CLOCKS:
                yield f"{node.lineno}: import of a clock"
            case ast.Attribute(value=ast.Name(id="datetime"), attr="now" | "utcnow") | ast.Attribute(attr="getrusage"):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr="from_function" | "from_file"), keywords=named) if not any(
                one.arg == "default_timeout" for one in named
            ):
                yield f"{node.lineno}: Streamlit gives up after three seconds"
            case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=int() | float() as limit)]) if (
                name in WAITS and limit < LEAST
            ):
                yield f"{node.lineno}: {name}({limit})"
            case ast.keyword(arg=str(name), value=ast.Constant(value=int() | float() as limit)) if (
                name in LIMITS and limit < LEAST
            ):
                yield f"{node.value.lineno}: {name}={limit}"


def test_no_test_looks_at_the_clock() -> None:
    """No test reads a clock, and no limit below two minutes ends one."""
    found = {
        str(file.relative_to(TESTS)): list(hurried(file.read_text("utf-8")))
        for file in TESTS.rglob("*.py")
        if file.name != "awaited.py"
    }
    assert {name: said for name, said in found.items() if said} == {}
    assert HUNG >= LEAST
