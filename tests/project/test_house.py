"""The ceilings of the house hold: code lines of each room and of the whole, as `make house` prints them."""

from __future__ import annotations

import sys
from pathlib import Path

from scripts import house
from scripts.walls import BUDGETS, WHOLE


def test_the_house_stays_below_its_ceilings() -> None:
    """No figure of the whole passes its ceiling in scripts/walls.py, no room its budget, and every room has one."""
    whole, rooms = house.figures(), house.rooms()
    assert whole.keys() == WHOLE.keys()
    counted = [name for name in whole if "token" not in name or sys.version_info < (3, 12)]  # parts of f-strings count
    assert {name: whole[name] for name in counted if whole[name] > WHOLE[name].most} == {}
    assert {room: n for room, n in rooms.items() if n > BUDGETS[room].most} == {}


def test_comments_and_docstrings_are_no_code(tmp_path: Path) -> None:
    """A code line holds a token that is neither comment nor docstring; a text over three lines is three."""
    (tmp_path / "one.py").write_text('"""Says."""\n\n# why\nimport os\n\nTEXT = """a\nb\nc"""\n', "utf-8")
    size = house.measure(tmp_path)
    assert (size.lines, size.statements, size.import_lines, size.modules) == (4, 2, 1, 1)
