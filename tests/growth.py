"""Whether work grows with its input and not with the square of it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

#: An input of four times the size takes four times as long where work is linear, and sixteen times where it is
#: quadratic; what is constant makes both less, caches make both more.
MOST = 8.0
_TRIES = 4


def near_linear(made: Callable[[int], tuple[Any, ...]], work: Callable[..., object], size: int) -> None:
    """Fail where four times the size takes more than MOST times as long, in the best of some tries.

    A machine that is busy makes both slower, and never makes quadratic work look linear in every try.
    """
    small, large = made(size), made(4 * size)
    best = [float("inf"), float("inf")]
    gc.disable()  # it walks what all tests of this process hold, more often for more objects
    try:
        for _ in range(_TRIES):
            for at, given in enumerate((small, large)):
                start = time.process_time()
                work(*given)
                best[at] = min(best[at], time.process_time() - start)
            if best[1] <= MOST * best[0]:
                return
    finally:
        gc.enable()
    raise AssertionError(f"{4 * size:,} took {best[1]:.2f} s, {size:,} took {best[0]:.2f} s")
