"""What long tests and benchmarks take from the package exists, as a stale name would be met by them alone; the examples
in docstrings are true.
"""

import ast
import doctest
import importlib
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "app.py", *(ROOT / "tests" / "browser").glob("*.py"), *(ROOT / "benchmarks").glob("*/*.py")]
FILES += (ROOT / "benchmarks").glob("*.py")


def is_there(module: str, name: str) -> bool:
    """Whether a module has a name, or a module of it."""
    with suppress(ImportError):
        return hasattr(import_module(module), name) or bool(import_module(f"{module}.{name}"))
    return False


def stale(source: str) -> list[str]:
    """The names that a source takes from our modules, and that are not there."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    ours = [(str(node.module), name.name) for node in imports for name in node.names]
    return [".".join(one) for one in ours if one[0].split(".")[0] == "rankdash" and not is_there(*one)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_taken_from_the_package_exists(path: Path) -> None:
    """Every name that app.py, the tests in a browser and the benchmarks take from a module of ours is there."""
    assert not stale(path.read_text("utf-8"))


# Page files are scripts of the running dashboard, and __main__ is the command line: importing either does something.
MODULES = [
    file.relative_to(ROOT)
    for file in sorted((ROOT / "rankdash").rglob("*.py"))
    if "dashboard" not in file.parts and file.name != "__main__.py"
]
#: Each with its modules, or a module that stands alone.
ROOMS = sorted({file.parts[1] for file in MODULES})


@pytest.mark.parametrize("room", ROOMS)
def test_examples_in_docstrings_are_true(room: str) -> None:
    """Every example in a docstring gives what it says."""
    names = [
        ".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in MODULES if file.parts[1] == room
    ]
    failed = [name for name in names if doctest.testmod(importlib.import_module(name)).failed]
    assert not failed
