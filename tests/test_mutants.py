"""What `make mutants` stands on: the places of faults, and the tests that are named for each room."""

from __future__ import annotations

import types
from itertools import chain
from pathlib import Path

import pytest

from benchmarks.mutants import results, tables
from benchmarks.mutants.copying import ROOT, TESTS, absent
from benchmarks.mutants.sources import with_named_lambdas
from rankdash.verdict import RULES
from rankdash.verdict.rules import comparable


def test_every_test_that_is_named_for_a_room_exists() -> None:
    """A test file that has moved would be left out in silence, and the mutants that it killed would survive."""
    named = [*chain.from_iterable(TESTS.values()), *tables.named()]
    assert absent(ROOT, named) == []
    assert absent(ROOT, ["tests/gone.py"]) == [
        "tests/gone.py does not exist: say in benchmarks/mutants what became of it."
    ]


def test_functions_and_tables_have_a_place_each(tmp_path: Path) -> None:
    """A run of one of them leaves what is written of the other; of tables every mutant has to be killed."""
    results.keep(tmp_path, "metrics", results.Row(200, 190, 3, 40, 2.6))
    results.keep(tmp_path, f"{results.TABLES}metrics", results.Row(200, 190, 3, 0, 1.2))
    functions, declared = (results.text(tmp_path, 0.9, tables=of).splitlines()[-1] for of in (False, True))
    assert [cell.strip() for cell in functions.strip("|").split("|")] == [
        *("metrics", "200", "190", "10", "3", "40", "95.0%", "≥ 90%", "OK", "3")
    ]
    assert [cell.strip() for cell in declared.strip("|").split("|")] == [
        *("metrics", "200", "190", "10", "3", "0", "95.0%", "≥ 100%", "MISSED", "1")
    ]


def test_lambdas_of_tables_become_functions_that_return_the_same() -> None:
    """Each is named after its place, whatever it is nested in; what stands in functions stays."""
    source = (
        "ROW = dict(\n    trips=lambda x: x < 1,\n"
        "    needs=[lambda x: (\n        x + 2\n    ), lambda x, y=3: x * y],\n)\n"
        'TABLE = {"one": lambda: [z for z in "äb"]}\n'
        "def kept():\n    return lambda: 1\n"
    )
    text = with_named_lambdas(source.encode())
    made: dict[str, types.FunctionType] = {}
    exec(text, made)
    assert [made["ROW_trips"](1), made["ROW_needs"](1), made["ROW_needs_2"](2)] == [False, 3, 6]
    assert made["TABLE_one"]() == ["ä", "b"]
    assert made["ROW"]["needs"][1] is made["ROW_needs_2"]  # type: ignore[index]
    assert text.count("lambda") == 1


@pytest.mark.parametrize("rule", [rule.id for rule in RULES if rule.id.startswith("C")])
def test_every_rule_has_its_condition_among_the_functions(rule: str) -> None:
    """No rule's condition is hidden from faults: it is a function, before or after its lambdas are named."""
    text = with_named_lambdas(ROOT.joinpath("rankdash", "verdict", "rules", "comparable.py").read_bytes())
    (row,) = (one for one in RULES if one.id == rule)
    name = row.conditions.__name__
    assert (f"def {rule}_conditions(case)" in text) if name == "<lambda>" else hasattr(comparable, name)
