"""Work in threads: the same results in the same order as one after the other."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from rankdash.evidence import threads
from tests.awaited import HUNG


def test_the_results_are_those_of_one_thread_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large work is done in several threads at once, and what comes back stands where it was asked for."""
    monkeypatch.setattr(threads, "_WORKERS", 2)
    both = threading.Barrier(2, timeout=HUNG)

    def work(seed: int) -> float:
        both.wait()
        return float(np.random.default_rng(seed).random(1000).sum())

    alone = [float(np.random.default_rng(seed).random(1000).sum()) for seed in range(6)]
    assert threads.each(work, range(6)) == alone


def test_small_work_starts_no_thread() -> None:
    """Few values are counted where they are asked for."""
    here = threading.current_thread()
    assert threads.each(lambda _: threading.current_thread(), range(3), threads.LARGE - 1) == [here] * 3


def test_the_first_error_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong in a thread goes wrong for whoever asked."""
    monkeypatch.setattr(threads, "_WORKERS", 2)
    with pytest.raises(ZeroDivisionError):
        threads.each(lambda x: 1 // x, [1, 0, 2])
