"""The dashboard as it is started by hand: whom the server answers, and whom it asks."""

import json
import signal
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from rankdash.__main__ import main
from rankdash.cli import serve
from rankdash.dashboard.host import GRACE, PROMISED, SECURE, Guarded, weakened
from rankdash.style import CUT_OFF
from tests.awaited import HUNG, in_a_thread
from tests.long import every
from tests.served import HANDSHAKE, Server, careless_home, free_port, served

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", params=every(2, ["rankdash", "streamlit"]))
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
                pytest.raises(ConnectionRefusedError),
                closing(socket.create_connection((address, server.port), timeout=HUNG)),
            ):
                socket.create_connection((address, server.port), timeout=HUNG).close()


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


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:1", "null"])
def test_a_page_of_another_site_is_refused(server: Server, origin: str) -> None:
    """A page from elsewhere, of another server here, or in a frame without rights (null) gets what everybody gets, and
    no connection: nobody is asked for it.
    """
    host = f"localhost:{server.port}"
    assert "403" in server.upgrade(host, origin)
    assert "200" in server.answer("/", f"Host: {host}", f"Origin: {origin}")
    assert not server.asked_outside()


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "http://localhost:99999", "http://\u00e9", "//[x]:y", "[", "localhost"]
)
def test_an_origin_that_is_no_address_is_refused(server: Server, origin: str) -> None:
    """A header that nobody can read is refused by pages and by the connection, and is no error of the server."""
    host = f"localhost:{server.port}"
    assert "403" in server.upgrade(host, origin)
    assert "400" in server.answer("/", f"Host: {host}", f"Origin: {origin}")


#: A request for every kind of answer: its path, its method, and its headers beside Host.
ANSWERS = (
    ("/", "GET", ()),
    ("/nowhere", "GET", ()),
    ("//evil.example/..", "GET", ()),
    ("/media/none.csv", "GET", ()),
    ("/_stcore/health", "GET", ()),
    ("/_stcore/host-config", "GET", ()),
    ("/_stcore/upload_file/0/0", "PUT", ("Content-Length: 0",)),
    ("/", "POST", ("Content-Length: 0",)),
    ("/", "GET", ("Origin: http://[",)),
    ("/_stcore/stream", "GET", (*HANDSHAKE, "Origin: https://evil.example")),
    ("/_stcore/stream", "GET", (*HANDSHAKE, "Origin: http://[")),
    ("/_stcore/stream", "GET", HANDSHAKE),
)


@pytest.mark.parametrize(("path", "method", "headers"), ANSWERS)
def test_every_answer_says_who_may_frame_it(server: Server, path: str, method: str, headers: tuple[str, ...]) -> None:
    """Pages, errors, files, refusals and handshakes carry the four headers, once each, under every address."""
    head = server.head(path, f"Host: localhost:{server.port}", *headers, method=method).lower().splitlines()
    assert sorted(line for line in head if line.startswith(("content-security", "x-", "referrer"))) == [
        "content-security-policy: frame-ancestors 'self'",
        "referrer-policy: same-origin",
        "x-content-type-options: nosniff",
        "x-frame-options: sameorigin",
    ], head


def test_an_error_of_the_server_says_who_may_frame_it() -> None:
    """An error that nobody caught is answered with the same headers, and still reaches the log."""

    async def broken(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise ZeroDivisionError

    sent = list[Message]()

    async def asked() -> None:
        async def send(message: Message) -> None:
            sent.append(message)

        await Guarded(broken)({"type": "http", "headers": []}, None, send)  # type: ignore[arg-type]

    with pytest.raises(ZeroDivisionError):
        in_a_thread(asked())
    assert sent[0]["status"] == 500
    assert {name: Headers(scope=sent[0]).get(name) for name in SECURE} == SECURE


def test_no_page_of_another_site_is_named_as_a_parent(server: Server) -> None:
    """A page that frames the dashboard may send it no messages, whatever the settings of a user say."""
    address = f"http://localhost:{server.port}/_stcore/host-config"
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=HUNG) as answer:
        assert json.load(answer)["allowedOrigins"] == []


def test_other_interfaces_and_names_are_opened_by_name_alone() -> None:
    """--host opens an interface, and its name; --allowed-host a name; this machine's own names stay allowed."""
    own = ["localhost", "127.0.0.1", "::1"]
    plain = serve.flags(None, None, [])
    assert {"--server.address=localhost", *(f"--server.allowedHosts={name}" for name in own)} <= set(plain)
    everywhere = serve.flags(None, "0.0.0.0", [])
    assert set(everywhere) ^ set(plain) == {"--server.address=localhost", "--server.address=0.0.0.0"}
    named = serve.flags(8600, "10.0.0.5", ["search-lab.example", "localhost"])
    more = {f"--server.allowedHosts={name}" for name in ("search-lab.example", "10.0.0.5")}
    assert set(named) - set(plain) == {"--server.port=8600", "--server.address=10.0.0.5", *more}
    assert len(named) == len(set(named))


def test_every_promise_is_passed_as_a_flag() -> None:
    """What SECURITY.md counts on is in the settings beside the script, and is a flag, which wins over everything."""
    told = dict(flag.removeprefix("--").split("=", 1) for flag in reversed(serve.flags(None, None, [])))
    assert set(PROMISED) - set(told) == {"client.allowedOrigins"}  # an empty list, which no flag says
    values = {"client.allowedOrigins": []} | {
        name: {"true": True, "false": False}.get(value, value) for name, value in told.items()
    }
    for name in ("server.allowedHosts", "server.corsAllowedOrigins"):
        values[name] = [values[name]]
    assert weakened(values.__getitem__) == []


#: What the environment of a user says that opens the dashboard to everybody; it wins over the settings in files.
CARELESS = {
    "STREAMLIT_SERVER_ADDRESS": "0.0.0.0",
    "STREAMLIT_SERVER_ALLOWED_HOSTS": "*",
    "STREAMLIT_SERVER_ENABLE_CORS": "false",
    "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "https://evil.example",
    "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false",
    "STREAMLIT_SERVER_XSRF_COOKIE_SAME_SITE": "none",
    "STREAMLIT_SERVER_ENABLE_AGENT_API": "true",
    "STREAMLIT_SERVER_ENABLE_STATIC_SERVING": "true",
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "true",
    "STREAMLIT_CLIENT_ALLOWED_ORIGINS": "https://evil.example",
    "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "full",
}


def test_a_careless_environment_changes_nothing(tmp_path: Path) -> None:
    """`rankdash serve` is as closed under variables of Streamlit that open it, and has nothing to say about them."""
    port = free_port()
    command = [sys.executable, "-m", "rankdash", "serve", f"--port={port}"]
    with served(command, port, tmp_path, tmp_path / "printed.txt", {**CARELESS, "PYTHONPATH": str(ROOT)}) as server:
        assert "101" in server.upgrade(f"localhost:{port}", f"http://localhost:{port}")
        assert "403" in server.upgrade(f"evil.example:{port}", f"http://evil.example:{port}")
        assert "403" in server.upgrade(f"localhost:{port}", "https://evil.example")
        asked = urllib.request.Request(f"http://localhost:{port}/_stcore/agent/interact", b"{}", method="POST")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=HUNG)
        assert b"does not serve the agent API" in refused.value.read()
        test_no_page_of_another_site_is_named_as_a_parent(server)
        printed = server.printed.read_text()
    assert f"http://localhost:{port}" in printed
    assert not any(name in printed for name in PROMISED)


@pytest.mark.long
def test_what_weakens_the_server_is_said_when_it_starts(tmp_path: Path) -> None:
    """`streamlit run app.py` under such variables says of each what it opens, by its name, and what to do."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    with served(command, port, ROOT, tmp_path / "printed.txt", CARELESS) as server:
        printed = server.printed.read_text()
    said = {name for name in PROMISED if name in printed}
    assert said == set(PROMISED) - {"server.address", "global.developmentMode"}
    assert "The server listens on every interface: whoever reaches the port can use it" in printed
    assert "rankdash serve" in printed


@contextmanager
def unfinished(port: int) -> Iterator[None]:
    """An upload from a page that never comes to its end, once the server reads it."""
    at = f"localhost:{port}"
    with (
        connect(f"ws://{at}/_stcore/stream", subprotocols=[Subprotocol("streamlit")], proxy=None) as page,
        closing(socket.create_connection(("localhost", port), timeout=HUNG)) as line,
    ):
        page.send(BackMsg(rerun_script=ClientState()).SerializeToString())
        session = ""
        while not session:
            session = ForwardMsg.FromString(page.recv()).new_session.initialize.session_id
        asked = urllib.request.Request(f"http://{at}/_stcore/health")
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=HUNG) as answer:
            cookies = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie") or ()))
        xsrf = cookies["_streamlit_xsrf"].value
        head = (
            f"PUT /_stcore/upload_file/{session}/0 HTTP/1.1",
            f"Host: {at}",
            f"Cookie: _streamlit_xsrf={xsrf}",
            f"X-Xsrftoken: {xsrf}",
            "Content-Type: multipart/form-data; boundary=x",
            "Content-Length: 100000000",
            "Expect: 100-continue",
        )
        line.sendall("\r\n".join([*head, "", ""]).encode())
        assert b"100 Continue" in line.recv(4096)
        line.sendall(b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n' + b"1 2 3\n" * 10_000)
        yield


@pytest.mark.parametrize("number", every(2, [signal.SIGTERM, signal.SIGINT]))
def test_an_upload_without_an_end_does_not_keep_the_server(number: signal.Signals, tmp_path: Path) -> None:
    """Told to end while an upload arrives, the server ends by the limit that it has, and its temporary files go."""
    assert GRACE < 10
    port, spare = free_port(), tmp_path / "spare"
    spare.mkdir()
    command = [sys.executable, "-m", "rankdash", "serve", f"--port={port}"]
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(spare)}
    with served(command, port, tmp_path, tmp_path / "printed.txt", environment) as server, unfinished(port):
        server.process.send_signal(number)
        assert server.process.wait(HUNG) == 128 + number
        assert CUT_OFF.format(seconds=GRACE) in server.printed.read_text()
    assert not list(spare.iterdir())


def test_a_port_that_is_used_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--port with a port of another program, and --host with a foreign address, end in a sentence and status 2."""
    monkeypatch.setattr(serve.runpy, "run_module", lambda *_, **__: pytest.fail("the server is started"))
    with socket.create_server(("localhost", 0)) as other:
        port = other.getsockname()[1]
        in_use = f"Port {port} is in use. Choose another with --port.\n"
        foreign = "'192.0.2.1' is not an address of this machine. Choose another with --host.\n"
        for arguments, sentence in (
            (["serve", f"--port={port}"], in_use),
            (["serve", f"--port={free_port()}", "--host=192.0.2.1"], foreign),
            (["open", "a.csv", "b.csv", "-q", "q.csv", f"--port={port}"], in_use),  # before anything is read and saved
        ):
            assert main(arguments) == 2
            assert capsys.readouterr() == ("", sentence)


@pytest.mark.long
def test_an_opened_name_connects_and_others_do_not(tmp_path: Path) -> None:
    """With --allowed-host a page under that name connects, one under this machine's too, and no other."""
    port = free_port()
    command = [sys.executable, "-m", "rankdash", "serve", f"--port={port}", "--allowed-host", "search-lab.example"]
    with served(command, port, tmp_path, tmp_path / "printed.txt", {"PYTHONPATH": str(ROOT)}) as server:
        for host, status in (("search-lab.example", "101"), ("localhost", "101"), ("evil.example", "403")):
            assert status in server.upgrade(f"{host}:{port}", f"http://{host}:{port}")
