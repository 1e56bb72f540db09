"""Whether work grows with its input and not with the square of it, counted in steps of the interpreter."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

#: An input of four times the size takes four times the steps where work is linear, and sixteen times where it is
#: quadratic; what is constant makes both less, caches make both more.
MOST = 10.0


def steps(work: Callable[..., object], *given: Any) -> int:
    """The lines that work runs through in Python, on any machine the same."""
    count = 0

    def line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        work(*given)
    finally:
        sys.settrace(before)
    return count


def near_linear(made: Callable[[int], tuple[Any, ...]], work: Callable[..., object], size: int) -> None:
    """Fail where four times the size takes more than MOST times the steps."""
    small, large = made(size), made(4 * size)
    work(*small)  # what is loaded and kept once counts for neither
    few, many = steps(work, *small), steps(work, *large)
    assert many <= MOST * few, f"{4 * size:,} took {many:,} steps, {size:,} took {few:,}"
