"""Streamlit servers of our own: started, asked for their memory, stopped."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_START_SECONDS = 60


@dataclass(frozen=True)
class Server:
    """A running app: where it answers, and its process."""

    url: str
    process: int

    def memory(self, field: str) -> float | None:
        """``VmRSS`` (now) or ``VmHWM`` (the most so far) of the process in MB (10**6 bytes); None beside Linux."""
        status = Path(f"/proc/{self.process}/status")
        if not status.exists():
            return None
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines[field].split()[0]) * 1024 / 1e6

    def whole_memory(self) -> float:
        """What the process and all that it started take now, in MB; 0 where there is no /proc.

        Pages that two of them share count half in each, as Linux tells it.
        """
        return sum(map(_proportional, _family(self.process)))

    def processor_time(self) -> float:
        """Seconds of processor time that the process and all that it started took so far."""
        return processor_time(self.process)

    def own_time(self) -> float:
        """Seconds of processor time of the process alone, exact to a microsecond; 0 beside Linux."""
        with suppress(OSError):
            return time.clock_gettime(~self.process << 3 | 2)  # as clock_getcpuclockid(3) makes it
        return 0.0


def processor_time(process: int) -> float:
    """Seconds of processor time that a process and all that it ever started took; 0 where there is no /proc."""
    return sum(map(_seconds, _family(process)))


def _seconds(process: int) -> float:
    """Seconds of one process and of those that it has waited for; 0 where it is gone."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _family(process: int) -> list[int]:
    """A process and what it started, and so on."""
    children = list[int]()
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has ended
            children += map(int, path.read_text().split())
    return [process, *(one for child in children for one in _family(child))]


def _proportional(process: int) -> float:
    """The share of memory of one process, in MB; 0 where it is gone."""
    with suppress(OSError):
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:])
        return int(lines["Pss"].split()[0]) * 1024 / 1e6
    return 0.0


@contextmanager
def serving(script: Path, folder: Path, log: Path, **settings: str) -> Iterator[Server]:
    """An app run in a folder, whose settings hold, until the block ends. RuntimeError where it does not start.

    ``settings`` are further ones of its environment. Comparisons are saved in "home" beside the log.
    """
    port = _free_port()
    options = {"port": port, "address": "127.0.0.1", "headless": "true", "fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += [f"--server.{name}={value}" for name, value in options.items()]
    with log.open("wb") as output:
        environment = {**os.environ, "RANKDASH_HOME": str(log.parent / "home"), **settings}
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not _healthy(url):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{script.name} did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        yield Server(url, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
