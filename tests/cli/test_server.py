"""The dashboard as it is started by hand: whom the server answers, and whom it asks."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rankdash.cli import serve
from tests.served import Server, careless_home, free_port, served

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", params=["streamlit", "rankdash"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`streamlit run app.py` in the project, and `rankdash serve` in a folder and a home with careless settings."""
    folder = tmp_path_factory.mktemp("server")
    home, port = careless_home(folder), free_port()
    if request.param == "streamlit":
        command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
        cwd = ROOT
    else:
        command = [sys.executable, "-m", "rankdash", "serve", f"--port={port}"]
        cwd, home = folder, home | {"PYTHONPATH": str(ROOT)}
    with served(command, port, cwd, folder / "printed.txt", home) as running:
        yield running


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


def test_other_interfaces_and_names_are_opened_by_name_alone() -> None:
    """--host opens an interface, and its name; --allowed-host a name; this machine's own names stay allowed."""
    own = ["localhost", "127.0.0.1", "::1"]
    always = ["--server.headless=true", "--server.showEmailPrompt=false"]
    names = [f"--server.allowedHosts={name}" for name in own]
    assert serve.flags(None, None, [], headless=True) == always
    assert serve.flags(None, "0.0.0.0", [], headless=True) == [*always, "--server.address=0.0.0.0"]
    named = serve.flags(8600, "10.0.0.5", ["search-lab.example", "localhost"], headless=True)
    addresses = ["--server.port=8600", "--server.address=10.0.0.5", *names]
    others = ["search-lab.example", "10.0.0.5"]
    assert named == [*always, *addresses, *(f"--server.allowedHosts={name}" for name in others)]


def test_a_port_that_is_used_is_told_in_one_sentence() -> None:
    """--port with a port of another program, and --host with a foreign address, end in a sentence and status 2."""
    command = [sys.executable, "-m", "rankdash", "serve"]
    with socket.create_server(("localhost", 0)) as other:
        port = other.getsockname()[1]
        in_use = f"Port {port} is used by another program. Choose another with --port.\n"
        foreign = "'192.0.2.1' is no address of this machine. Choose another with --host.\n"
        for arguments, sentence in (
            ([f"--port={port}"], in_use),
            ([f"--port={free_port()}", "--host=192.0.2.1"], foreign),
        ):
            done = subprocess.run(
                [*command, *arguments],
                cwd=ROOT,
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
                timeout=60,
            )
            assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


@pytest.mark.long
def test_an_opened_name_connects_and_others_do_not(tmp_path: Path) -> None:
    """With --allowed-host a page under that name connects, one under this machine's too, and no other."""
    port = free_port()
    command = [sys.executable, "-m", "rankdash", "serve", f"--port={port}", "--allowed-host", "search-lab.example"]
    with served(command, port, tmp_path, tmp_path / "printed.txt", {"PYTHONPATH": str(ROOT)}) as server:
        for host, status in (("search-lab.example", "101"), ("localhost", "101"), ("evil.example", "403")):
            assert status in server.upgrade(f"{host}:{port}", f"http://{host}:{port}")
