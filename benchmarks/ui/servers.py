"""Streamlit servers of our own: started, asked for their memory, stopped."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
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
