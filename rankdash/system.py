"""What the operating system is asked for: files that are on the disk, whole, or not there (written beside their place,
synced and renamed), to take memory back, and for a process with limits.

Nothing else of rankdash is imported here, so that such a process can answer at once.
"""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import pyarrow as pa


#: How the name of a file ends that is still being written, and what is left where its writer is killed.
UNFINISHED = ".unfinished"
#: What a file system says that syncs no folders, and a folder that may be written to and not be listed.
_NOT_SYNCED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM})


def permissions(path: str | os.PathLike[str]) -> int:
    """Return the permissions of a file; of one that is not there, those that a new one gets."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_whole(path: Path, content: bytes | pa.Buffer, mode: int | None = None) -> None:
    """Write a file: it is on the disk when this returns, and not there, or what it was, where OSError is raised.

    ``mode`` are its permissions; without them it is for its owner alone.
    """
    handle, unfinished = tempfile.mkstemp(UNFINISHED, f".{path.name[:50]}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            _sync(file)
        if mode is not None:
            os.chmod(unfinished, mode)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.remove(unfinished)
        raise
    sync_folder(path.parent)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file that is on the disk when the block ends; its name is, after ``sync_folder``."""
    with open(path, "xb") as file:
        yield file
        _sync(file)


def make_folder(folder: Path) -> None:
    """Have a folder on the disk, with those above it; those that are made are for their owner alone."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True, mode=0o700)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk, or where nobody can make sure of that."""
    if hasattr(os, "O_DIRECTORY"):  # Windows has none, and syncs with the file
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            if error.errno not in _NOT_SYNCED:
                raise


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def give_back() -> None:
    """Return what was freed to the operating system, which it would keep for later: large results leave holes behind.

    Only where the system has such a call (glibc); elsewhere nothing happens.
    """
    import ctypes

    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def one_pool() -> None:
    """Let Arrow take its memory where numpy does, unless the user has chosen a pool: what one of many threads has left
    in a pool of Arrow's own does not go back, and in a server it adds up.
    """
    import pyarrow as pa

    if "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
        pa.set_memory_pool(pa.system_memory_pool())


# --- a process with little memory and time that reads for another one ---
#
# Both sides hand each other messages: a value in one line of JSON, and parts of bytes behind it.


Part = Any  # bytes, or what lends them: a memoryview, an Arrow buffer, a list of these

_KEPT = ("PATH", "LANG", "LC_ALL", "TEMP", "SYSTEMROOT")
#: Settings so that memory is allocated when it is needed, and one file uses one processor.
_SETTINGS = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
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
    pieces = [part if isinstance(part, list) else [part] for part in parts]
    sizes = [sum(memoryview(piece).nbytes for piece in part) for part in pieces]
    out.write(json.dumps({"value": value, "parts": sizes}).encode() + b"\n")
    for part in pieces:
        out.writelines(part)
    out.flush()


def streamed(table: pa.Table, take: Callable[[Any], object]) -> None:
    """Pass the Arrow IPC stream of a table to a function, piece by piece, without a copy."""
    import pyarrow as pa

    class Sink(io.BytesIO):
        def write(self, data: Any) -> int:
            take(data)
            return len(data)

    with pa.ipc.new_stream(pa.PythonFile(Sink(), mode="w"), table.schema) as stream:
        stream.write_table(table)


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
        import subprocess

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
