"""The ceilings of the house hold: code lines of each room and of the whole, as `make house` prints them."""

import sys

from scripts import house
from scripts.walls import BUDGETS, WHOLE


def test_the_house_stays_below_its_ceilings() -> None:
    """No figure of the whole passes its ceiling in scripts/walls.py, no room its budget, and every room has one."""
    whole, rooms = house.figures(), house.rooms()
    assert whole.keys() == WHOLE.keys()
    counted = [name for name in whole if "token" not in name or sys.version_info < (3, 12)]  # parts of f-strings count
    assert {name: whole[name] for name in counted if whole[name] > WHOLE[name].most} == {}
    assert {room: n for room, n in rooms.items() if n > BUDGETS[room].most} == {}
