"""What long tests and benchmarks take from the package exists: a stale name would be met by them alone."""

from __future__ import annotations

import ast
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "app.py", *(ROOT / "tests" / "browser").glob("*.py"), *(ROOT / "benchmarks").glob("*/*.py")]
FILES += (ROOT / "benchmarks").glob("*.py")


def taken(module: str, name: str) -> object:
    """What an import takes from a module; None where there is nothing of that name."""
    if not hasattr(import_module(module), name):
        with suppress(ImportError):
            import_module(f"{module}.{name}")
    return getattr(import_module(module), name, None)


def stale(source: str) -> list[str]:
    """The names that a source takes from our modules, and that are not there."""
    modules: dict[str, object] = {}
    missing = []
    for node in ast.walk(tree := ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {str(name.asname): import_module(name.name) for name in node.names if name.name == "rankdash"}
        elif isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "rankdash":
            for name in node.names:
                try:
                    found = taken(str(node.module), name.name)
                except ImportError:
                    found = None
                modules[name.asname or name.name] = found
                if found is None:
                    missing.append(f"{node.module}.{name.name}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            home = modules.get(node.value.id)
            if isinstance(home, ModuleType) and not hasattr(home, node.attr):
                missing.append(f"{home.__name__}.{node.attr}")
    return missing


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_taken_from_the_package_exists(path: Path) -> None:
    """Every name that app.py, the tests in a browser and the benchmarks take from a module of ours is there."""
    assert not stale(path.read_text("utf-8"))
