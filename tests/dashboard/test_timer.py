"""Parts of a page that look again by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from rankdash import dashboard
from rankdash.dashboard.kit import screen
from tests.awaited import HUNG


def test_each_run_gives_such_a_part_a_name_that_no_other_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer of the run before asks for nothing that the new run knows: its answer took the place of the end of that
    run, and what the run before had drawn stayed on the page.
    """
    named = []

    def fragment(part: Any, run_every: float) -> Any:
        named.append((part.__module__, part.__qualname__, run_every))
        return part

    monkeypatch.setattr(st, "fragment", fragment)
    drawn: list[str] = []
    for _ in range(3):
        screen.repeat(8.0, lambda: drawn.append("drawn"))
    assert drawn == ["drawn"] * 3
    assert len({*named}) == 3
    assert {seconds for *_, seconds in named} == {8.0}


def test_such_a_part_is_drawn_by_streamlit() -> None:
    """What is drawn in it stands on the page, once, in each run."""

    def page() -> None:
        import streamlit as st

        from rankdash.dashboard.kit import screen

        screen.repeat(8.0, lambda: st.write("looked"))

    app = AppTest.from_function(page, default_timeout=HUNG)
    for _ in range(2):
        app.run()
        assert not app.exception
        assert [said.value for said in app.markdown] == ["looked"]


def test_no_other_part_has_a_timer() -> None:
    """A timer is set in one place alone."""
    room = Path(dashboard.__file__).parent
    assert [path.name for path in room.rglob("*.py") if "run_every" in path.read_text()] == ["screen.py"]
