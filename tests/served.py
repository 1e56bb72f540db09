"""A dashboard that runs in a process of its own: started, asked over HTTP, stopped."""

import os
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.awaited import HUNG, until_hung

#: What a browser asks for a websocket with.
HANDSHAKE = (
    "Upgrade: websocket",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: streamlit",
)
#: Settings of a user, or of another project, that would open the dashboard to everybody.
CARELESS = """
[client]
allowedOrigins = ["https://evil.example"]
[server]
address = "0.0.0.0"
allowedHosts = ["*"]
enableCORS = false
enableXsrfProtection = false
headless = true
[browser]
gatherUsageStats = true
[theme]
primaryColor = "#ff0000"
"""


@dataclass(frozen=True)
class Server:
    """A running server: its port, what it printed, and the socket that stands in the way of every outside request."""

    port: int
    printed: Path
    way_out: socket.socket
    process: subprocess.Popen[bytes]

    def answer(self, path: str, *headers: str) -> str:
        """The first line of the answer to a raw GET."""
        return self.head(path, *headers).splitlines()[0]

    def head(self, path: str, *headers: str, method: str = "GET", body: bytes = b"") -> str:
        """The first line and the headers of the answer to a raw request."""
        headers = (*headers, f"Content-Length: {len(body)}") if body else headers
        with closing(socket.create_connection(("localhost", self.port), timeout=HUNG)) as line:
            request = "\r\n".join([f"{method} {path} HTTP/1.1", *headers, "Connection: close", "", ""])
            if any(header.startswith("Upgrade") for header in headers):
                request = request.replace("Connection: close", "Connection: Upgrade")
            line.sendall(request.encode() + body)
            read = b""
            while b"\r\n\r\n" not in read and (more := line.recv(4096)):
                read += more
            return read.partition(b"\r\n\r\n")[0].decode("latin-1")

    def upgrade(self, host: str, origin: str) -> str:
        """The first line of the answer to a websocket's handshake."""
        return self.answer("/_stcore/stream", f"Host: {host}", f"Origin: {origin}", *HANDSHAKE)

    def asked_outside(self) -> bool:
        """Whether anything was sent to the outside."""
        self.way_out.setblocking(False)
        try:
            self.way_out.accept()[0].close()
        except BlockingIOError:
            return False
        return True


def careless_home(folder: Path) -> dict[str, str]:
    """Put careless settings into a folder, and return the variables that make it the home of a user."""
    (folder / ".streamlit").mkdir(parents=True)
    (folder / ".streamlit" / "config.toml").write_text(CARELESS, "utf-8")
    return {"HOME": str(folder), "USERPROFILE": str(folder)}


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("localhost", 0)) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def served(
    command: Sequence[str],
    port: int,
    cwd: Path,
    printed: Path,
    environment: Mapping[str, str] | None = None,
    below: str = "",
) -> Iterator[Server]:
    """Run a command that starts the dashboard below a path, with a proxy that notes what is asked outside."""
    with socket.create_server(("127.0.0.1", 0)) as way_out, printed.open("w") as out:
        proxy = f"http://127.0.0.1:{way_out.getsockname()[1]}"
        proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), proxy)
        screens = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}  # no browser is opened
        variables = {**os.environ, **proxies, **screens, "no_proxy": "", "NO_PROXY": "", "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(
            command, cwd=cwd, env=variables | dict(environment or {}), stdout=out, stderr=out, stdin=subprocess.DEVNULL
        )
        running = Server(port, printed, way_out, process)
        try:
            _wait_for(running, process, below)
            yield running
        finally:
            process.terminate()
            process.wait(HUNG)


def _wait_for(server: Server, process: subprocess.Popen[bytes], below: str) -> None:
    for _ in until_hung():
        assert process.poll() is None, server.printed.read_text()
        try:
            if "200" in server.answer(f"{below}/_stcore/health", "Host: localhost"):
                return
        except OSError:
            continue
    raise AssertionError(server.printed.read_text())
