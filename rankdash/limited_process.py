"""A process with little memory and time that reads for another one: how it is started, limited, asked and ended.

Both sides hand each other messages: a value in one line of JSON, and parts of bytes behind it. Nothing else of rankdash
is imported here, so that a process can answer at once.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

Part = Any  # bytes, or what lends them: a memoryview, an Arrow buffer

_KEPT = ("PATH", "LANG", "LC_ALL", "TEMP", "SYSTEMROOT")
#: Settings so that memory is allocated when it is needed, in pages as large as the system has where it is much (a fifth
#: of the time that a large file took went into small ones), and one file uses one processor.
_SETTINGS = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "MALLOC_ARENA_MAX": "2",
    "OPENBLAS_NUM_THREADS": "1",
}
_OUT_OF_TIME = 24  # SIGXCPU, which Windows does not have; there the clock ends a process


def limit(memory: int, seconds: float) -> None:
    """Let the system refuse more memory than that beside what is used now, and end this process after the seconds."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (spent, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, resource.RLIM_INFINITY))


def send(out: IO[bytes], value: Any, parts: Sequence[Part] = ()) -> None:
    """Write a message."""
    out.write(json.dumps({"value": value, "parts": [memoryview(part).nbytes for part in parts]}).encode() + b"\n")
    for part in parts:
        out.write(memoryview(part))
    out.flush()


def receive(source: IO[bytes]) -> tuple[Any, list[bytes]]:
    """Return the value and the parts of the next message. EOFError where the other side is gone."""
    line = source.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    message = json.loads(line)
    parts = [source.read(size) for size in message["parts"]]
    if [len(part) for part in parts] != message["parts"]:
        raise EOFError
    return message["value"], parts


class Process:
    """A process that runs a script, and the two ends of the pipes to it.

    The script reads the folders of modules from its first message, and sets its limits itself.
    """

    source: IO[bytes]
    out: IO[bytes]

    def __init__(self, script: str, **environment: str) -> None:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        # No site, no environment of Python: modules come from where ours do, and nothing runs before them.
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**kept, **_SETTINGS, **environment},
            start_new_session=True,
        )
        self.pid = self._process.pid
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the process has no pipes")
        self.source, self.out = self._process.stdin, self._process.stdout

    def begin(self) -> None:
        """Tell the process where modules are."""
        with suppress(OSError):
            self.source.write(json.dumps({"path": sys.path}).encode() + b"\n")
            self.source.flush()

    @property
    def lives(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def is_out_of_time(self) -> bool:
        """Return whether the process, which ends now, had taken all of its time of a processor."""
        return self._process.wait() == -_OUT_OF_TIME

    def end(self) -> None:
        """End it, and what it started."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for stream in (self.source, self.out):
            with suppress(OSError, ValueError):
                stream.close()
