"""The dashboard as it is started by hand: whom the server answers, and whom it asks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STARTED = 60  # seconds that a busy machine may take


@dataclass(frozen=True)
class Server:
    """A running server: its port, what it printed, and the socket that stands in the way of every outside request."""

    port: int
    printed: Path
    way_out: socket.socket

    def answer(self, path: str, *headers: str) -> str:
        """The first line of the answer to a raw GET."""
        with closing(socket.create_connection(("localhost", self.port), timeout=20)) as line:
            request = "\r\n".join([f"GET {path} HTTP/1.1", *headers, "Connection: close", "", ""])
            if any(header.startswith("Upgrade") for header in headers):
                request = request.replace("Connection: close", "Connection: Upgrade")
            line.sendall(request.encode())
            return line.recv(4096).decode("latin-1").splitlines()[0]

    def upgrade(self, host: str, origin: str) -> str:
        """The first line of the answer to a websocket's handshake."""
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        socket_headers = ("Upgrade: websocket", key, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: streamlit")
        return self.answer("/_stcore/stream", f"Host: {host}", f"Origin: {origin}", *socket_headers)

    def asked_outside(self) -> bool:
        """Whether anything was sent to the outside."""
        self.way_out.settimeout(0.2)
        try:
            self.way_out.accept()[0].close()
        except TimeoutError:
            return False
        return True


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`streamlit run app.py`, with a proxy that notes what is asked outside and answers nothing."""
    printed = tmp_path_factory.mktemp("server") / "printed.txt"
    with socket.create_server(("localhost", 0)) as taken:
        port = taken.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as way_out, printed.open("w") as out:
        proxy = f"http://127.0.0.1:{way_out.getsockname()[1]}"
        proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), proxy)
        environment = {**os.environ, **proxies, "no_proxy": "", "NO_PROXY": "", "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
        running = Server(port, printed, way_out)
        try:
            _wait_for(running, process)
            yield running
        finally:
            process.terminate()
            process.wait(20)


def _wait_for(server: Server, process: subprocess.Popen[bytes]) -> None:
    for _ in range(STARTED * 5):
        assert process.poll() is None, server.printed.read_text()
        try:
            if "200" in server.answer("/_stcore/health", "Host: localhost"):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(server.printed.read_text())


pytestmark = pytest.mark.xdist_group("server")


def test_the_server_listens_on_this_machine_alone(server: Server) -> None:
    """Started by hand, without make, the dashboard is bound to localhost and prints that address alone."""
    printed = server.printed.read_text()
    assert f"http://localhost:{server.port}" in printed
    assert "Network URL" not in printed
    assert "External URL" not in printed
    here = {found[4][0] for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in here - {"127.0.0.1"}:
        if not address.startswith("127."):
            with (
                pytest.raises((ConnectionRefusedError, TimeoutError)),
                closing(socket.create_connection((address, server.port), timeout=2)),
            ):
                socket.create_connection((address, server.port), timeout=2).close()


def test_nothing_is_asked_outside(server: Server) -> None:
    """Starting and answering sends no request to any other machine."""
    assert "101" in server.upgrade(f"localhost:{server.port}", f"http://localhost:{server.port}")
    assert not server.asked_outside()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_this_machine_is_answered_by_each_of_its_names(server: Server, host: str) -> None:
    """A page of this very server connects under localhost and both loopback addresses."""
    address = f"{host}:{server.port}"
    assert "101" in server.upgrade(address, f"http://{address}")


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "localhost@evil.example", "192.168.0.9"])
def test_a_rebound_name_is_refused(server: Server, host: str) -> None:
    """A page under a name that was made to lead here cannot connect, though Host and Origin agree."""
    address = f"{host}:{server.port}"
    assert "403" in server.upgrade(address, f"http://{address}")
    assert not server.asked_outside()


def test_a_page_of_another_site_is_refused(server: Server) -> None:
    """A page from elsewhere that connects to localhost is refused by its Origin."""
    assert "403" in server.upgrade(f"localhost:{server.port}", "https://evil.example")
