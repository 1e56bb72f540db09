"""One command, timed from the outside: wall clock, processor time and peak memory of its whole process tree.

Standard library only: Linux counts the memory of the starting process into the peak of the started one, so whoever
measures must stay small.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024


class Failed(RuntimeError):
    """A contender that ended with an error; holds the end of what it wrote to stderr."""


@dataclass(frozen=True)
class Sample:
    """One run of one command: seconds of wall clock and of processor time, and the peak in MB (10**6 bytes)."""

    wall: float
    cpu: float
    peak: float


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Sample:
    """Start the command, wait for it, and say what it took. Failed if its exit status is not 0."""
    with tempfile.TemporaryFile() as stderr:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            stderr.seek(0)
            last = stderr.read().decode(errors="replace").strip().splitlines()[-3:]
            raise Failed(f"{' '.join(command[:3])} ended with {process.returncode}: " + " | ".join(last))
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _MAXRSS_BYTES / 1e6)
