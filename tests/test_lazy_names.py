"""The names of the package, which are imported when they are first asked for."""

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import rankdash as rd

ROOT = Path(__file__).parents[1]
LIGHT = """
import sys
import rankdash
print(*sorted(name for name in sys.modules if name.split(".")[0] in ("rankdash", "numpy", "pyarrow")))
"""
ORDERS = """
import sys, importlib
for order in sys.argv[1:]:
    for name in [name for name in sys.modules if name.split(".")[0] == "rankdash"]:
        del sys.modules[name]
    for module in ["rankdash", *order.split()]:
        importlib.import_module(module)
    rd = sys.modules["rankdash"]
    assert callable(rd.explain) and callable(rd.evaluate), (order, rd.explain, rd.evaluate)
    from rankdash import *
    assert explain is rd.explain is sys.modules["rankdash.api"].explain, order
    assert sorted(set(dir(rd)) & set(rd.__all__)) == sorted(rd.__all__)
"""
SHOWN = """
import rankdash as rd
a, b = ({"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["b", "a"], "q2": ["c"]})
print(rd.compare(a, b, {"q1": {"b": 1}, "q2": {"c": 1}})._repr_html_())
"""


def python(code: str, *arguments: str) -> str:
    """What some Python prints, in a process of its own."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120).stdout


def test_import_rankdash_imports_next_to_nothing() -> None:
    """`import rankdash` imports neither numpy nor pyarrow, and of the package only what imports nothing else."""
    assert python(LIGHT).split() == ["rankdash", "rankdash.installation", "rankdash.records"]


@pytest.mark.long
def test_functions_stay_functions_whatever_is_imported_first() -> None:
    """rd.explain and rd.evaluate are the functions, also after the modules of the same name were imported."""
    python(ORDERS, "", "rankdash.explain", "rankdash.evaluate rankdash.explain", "rankdash.report.json")


def test_every_name_has_a_home() -> None:
    """What the package says that it offers is what it imports, for people and for type checkers alike."""
    tree = ast.parse((ROOT / "rankdash" / "__init__.py").read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert typed == rd._HOME
    assert {*typed, "__version__"} == set(rd.__all__)
    assert all(getattr(rd, name) is not None for name in rd.__all__)


def test_records_are_pickled_and_shown() -> None:
    """A record goes through pickle, and in a fresh process shows itself with nothing imported but what made it."""
    measure = rd.parse_measure("nDCG@10")
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert python(SHOWN).startswith("<div")
