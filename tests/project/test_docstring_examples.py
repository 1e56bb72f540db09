"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Page files are scripts of the running dashboard, and __main__ is the command line: importing either does something.
FILES = [
    file.relative_to(ROOT)
    for file in sorted((ROOT / "rankdash").rglob("*.py"))
    if "dashboard" not in file.parts and file.name != "__main__.py"
]
#: Each with its modules, or a module that stands alone.
ROOMS = sorted({file.parts[1] for file in FILES})


@pytest.mark.parametrize("room", ROOMS)
def test_examples_in_docstrings_are_true(room: str) -> None:
    """Every example in a docstring gives what it says."""
    names = [".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in FILES if file.parts[1] == room]
    failed = [name for name in names if doctest.testmod(importlib.import_module(name)).failed]
    assert not failed
