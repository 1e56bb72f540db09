"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Page files are scripts of the running dashboard, and __main__ is the command line: importing either does something.
MODULES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for file in sorted((ROOT / "rankdash").rglob("*.py"))
    if "dashboard" not in file.parts and file.name != "__main__.py"
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    """Every example in a docstring gives what it says."""
    assert doctest.testmod(importlib.import_module(module)).failed == 0
