"""The dashboard behind nginx, with the configuration of docs/run/server.md."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.find_postgres import install_from_debian
from tests.served import HANDSHAKE, Server, free_port, served

PAGE = Path(__file__).parents[2] / "docs" / "run" / "server.md"
NAME = "search-lab.example"
SIGNED_IN = (f"Host: {NAME}", "Authorization: Basic " + base64.b64encode(b"ada:secret").decode())
FOLDERS = "client_body_temp proxy_temp fastcgi_temp uwsgi_temp scgi_temp"


def nginx() -> str | None:
    """The program; installed first where this is Debian and we may."""
    found = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/bin")
    if found is None:
        install_from_debian("nginx-light")
    return found or shutil.which("nginx", path="/usr/sbin")


@pytest.fixture(params=["", "/rank"])
def below(request: pytest.FixtureRequest) -> str:
    """The path below which it is served."""
    return str(request.param)


@pytest.fixture
def proxy(tmp_path: Path, below: str) -> Iterator[Server]:
    """A dashboard as the page starts it, seen through nginx without TLS."""
    program = nginx()
    if program is None:
        pytest.skip("There is no nginx here, and none could be installed.")
    port, front = free_port(), free_port()
    (site,) = re.findall(r"(?ms)^```nginx\n(.*?)^```", PAGE.read_text("utf-8"))
    site = re.sub(r"(?m)^ *ssl_.*\n", "", site).replace("listen 443 ssl", f"listen 127.0.0.1:{front}")
    site = site.replace("/etc/nginx/rankdash.users", str(tmp_path / "users")).replace("8501", str(port))
    site = site.replace("location /", f"location {below}/")
    (tmp_path / "users").write_text("ada:{PLAIN}secret\n")
    folders = "".join(f"{name}_path {tmp_path / name}; " for name in FOLDERS.split())
    own = f"master_process off; pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}"
    (tmp_path / "nginx.conf").write_text(f"{own} http {{ access_log off; {folders}\n{site}}}")
    command = [program, "-c", str(tmp_path / "nginx.conf")]
    dashboard = [sys.executable, "-m", "rankdash", "serve", "--headless", f"--port={port}", f"--allowed-host={NAME}"]
    settings = {"RANKDASH_STORE": "off"} | ({"STREAMLIT_SERVER_BASE_URL_PATH": below.strip("/")} if below else {})
    with served(dashboard, port, PAGE.parents[2], tmp_path / "printed.txt", settings, below) as running:
        subprocess.run(command, check=True)
        yield replace(running, port=front)
        subprocess.run([*command, "-s", "stop"], check=True)


@pytest.mark.long
def test_the_dashboard_works_behind_a_proxy(proxy: Server, below: str) -> None:
    """Signed in, page, health and WebSocket are served; a page of another site is refused, and a large upload."""
    assert "401" in proxy.answer(f"{below}/", f"Host: {NAME}")
    for path in ("/", "/_stcore/health"):
        assert "200" in proxy.answer(f"{below}{path}", *SIGNED_IN)
    stream = f"{below}/_stcore/stream"
    assert "101" in proxy.answer(stream, *SIGNED_IN, f"Origin: https://{NAME}", *HANDSHAKE)
    assert "403" in proxy.answer(stream, *SIGNED_IN, "Origin: https://evil.example", *HANDSHAKE)
    upload = f"{below}/_stcore/upload_file/x/y"
    assert "413" in proxy.head(upload, *SIGNED_IN, f"Content-Length: {311 << 20}", method="PUT").splitlines()[0]
