"""A dashboard in a process of its own: started, killed, started again on the same port."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tests.awaited import HUNG, awaited
from tests.served import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]


class Server:
    """A dashboard at ``url``. What it prints goes to the file ``log``."""

    def __init__(self, log: Path, home: Path | None = None, database: str = "") -> None:
        """Start it, and return when it answers. It saves comparisons in ``home``, or nothing; what is not a table in a
        ``database`` of its own, where its URL is given.
        """
        self.port, self.log = free_port(), log
        self._settings = {} if home is None else {"RANKDASH_STORE": "on", "RANKDASH_HOME": str(home)}
        self._settings |= {"RANKDASH_DATABASE_URL": database} if database else {}
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start it on its port, and return when it answers."""
        options = {"port": self.port, "address": "127.0.0.1", "headless": "true", "fileWatcherType": "none"}
        settings = (f"--server.{name}={value}" for name, value in options.items())
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", "app.py", *settings],
                cwd=ROOT, env={**os.environ, **self._settings}, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
        awaited(lambda: self._is_healthy() or self._process.poll() is not None)
        assert self._process.poll() is None, f"The dashboard did not start:\n{self.log.read_text(errors='replace')}"

    def stop(self) -> None:
        """Kill it, as a machine that goes down does."""
        self._process.kill()
        self._process.wait(timeout=HUNG)

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=HUNG) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


def restarted(server: Server, *pages: Page) -> None:
    """Kill the server and start it again; return when each tab, by itself, connects to it."""
    with ExitStack() as connected:
        for page in pages:
            connected.enter_context(page.expect_event("websocket"))
        server.stop()
        server.start()
