"""Shows at the end what was compared: query-worlds by source, runs of the command line, sequences."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.truth.scale import DONE, TIMES

_OF_WORKERS: Counter[str] = Counter()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist hands its counts over."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["truth"] = dict(DONE)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """The counts of a worker are added."""
    _OF_WORKERS.update(getattr(node, "workeroutput", {}).get("truth", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each kind of thing that was compared."""
    counts = DONE + _OF_WORKERS
    if not counts:
        return
    terminalreporter.section(f"truth, {TIMES:g} times")
    for what, number in sorted(counts.items()):
        terminalreporter.write_line(f"{number:>9,} {what}")
