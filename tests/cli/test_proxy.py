"""The dashboard behind nginx and Caddy, and its service, with the configuration of docs/run/server.md."""

import base64
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from rankdash.cli.commands import parser
from scripts.find_postgres import install_from_debian
from tests.awaited import HUNG, until_hung
from tests.served import HANDSHAKE, Server, free_port, served

PAGE = Path(__file__).parents[2] / "docs" / "run" / "server.md"
BLOCKS = re.findall(r"(?ms)^```(\w+)\n(.*?)^```", PAGE.read_text("utf-8"))
NAME = "search-lab.example"
SIGNED_IN = (f"Host: {NAME}", "Authorization: Basic " + base64.b64encode(b"ada:secret").decode())
FOLDERS = "client_body_temp proxy_temp fastcgi_temp uwsgi_temp scgi_temp"
PATHS = os.pathsep.join(("/usr/sbin", "/usr/local/sbin", os.environ["PATH"]))


def nginx(program: str, folder: Path, front: int, below: str) -> str:
    """The page's configuration of nginx, without TLS and with its files in a folder."""
    (site,) = (text for language, text in BLOCKS if language == "nginx")
    site = re.sub(r"(?m)^ *ssl_.*\n", "", site).replace("listen 443 ssl", f"listen 127.0.0.1:{front}")
    site = site.replace("/etc/nginx/rankdash.users", str(folder / "users")).replace("location /", f"location {below}/")
    (folder / "users").write_text("ada:{PLAIN}secret\n")
    folders = "".join(f"{name}_path {folder / name}; " for name in FOLDERS.split())
    own = f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/log; events {{}}"
    return f"{own} http {{ access_log off; {folders}\n{site}}}".replace("310m", "1k")


def caddy(program: str, folder: Path, front: int, below: str) -> str:
    """The page's configuration of Caddy, without TLS; a path is that of its block for one."""
    (site,) = (text for language, text in BLOCKS if text.startswith(f"{NAME} {{"))
    (handled,) = (text for language, text in BLOCKS if text.lstrip().startswith("handle /rank/*"))
    site = site.replace("    reverse_proxy 127.0.0.1:8501\n", handled) if below else site
    digest = subprocess.run([program, "hash-password", "--plaintext", "secret"], capture_output=True, text=True).stdout
    site = site.replace("basic_auth", "basicauth")  # the older name, which every version knows
    site = site.replace("HASH", digest.strip()).replace("310MiB", "1KiB").replace(NAME, f"http://{NAME}:{front}")
    return f"{{\n    admin off\n    default_bind 127.0.0.1\n}}\n{site}"


#: By the name of Debian's package: the configuration, and how the program is started with a file of that.
PROXIES = {"nginx-light": (nginx, "-c"), "caddy": (caddy, "run", "--adapter=caddyfile", "--config")}


@pytest.fixture(params=product(PROXIES, ["", "/rank"]), ids="".join)
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Server, str]]:
    """A dashboard as the page starts it, seen through a proxy without TLS, and the path below which it is served."""
    package, below = request.param
    configured, *arguments = PROXIES[package]
    if not shutil.which(configured.__name__, path=PATHS):
        install_from_debian(package)
    if not (program := shutil.which(configured.__name__, path=PATHS)):
        pytest.skip(f"There is no {package} here, and none could be installed.")
    port, front = free_port(), free_port()
    (tmp_path / "conf").write_text(configured(program, tmp_path, front, below).replace("8501", str(port)))
    dashboard = [sys.executable, "-m", "rankdash", "serve", "--headless", f"--port={port}", f"--allowed-host={NAME}"]
    settings = {"RANKDASH_STORE": "off"} | ({"STREAMLIT_SERVER_BASE_URL_PATH": below.strip("/")} if below else {})
    home = os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with (
        served(dashboard, port, PAGE.parents[2], tmp_path / "printed.txt", settings, below) as running,
        (tmp_path / "proxy.txt").open("w") as told,
        subprocess.Popen([program, *arguments, tmp_path / "conf"], env=home, stdout=told, stderr=told) as process,
    ):
        for _ in until_hung():
            assert process.poll() is None, told.name
            with suppress(OSError), socket.create_connection(("127.0.0.1", front)):
                break
        yield replace(running, port=front), below
        process.terminate()
        process.wait(HUNG)


@pytest.mark.long
def test_the_dashboard_works_behind_a_proxy(proxied: tuple[Server, str]) -> None:
    """Signed in, page, health and WebSocket are served; a page of another site is refused, and a large upload."""
    proxy, below = proxied
    assert "401" in proxy.answer(f"{below}/", f"Host: {NAME}")
    for path in ("/", "/_stcore/health"):
        assert "200" in proxy.answer(f"{below}{path}", *SIGNED_IN)
    stream = f"{below}/_stcore/stream"
    for port in ("", ":8443"):
        signed_in = (f"{SIGNED_IN[0]}{port}", SIGNED_IN[1])
        assert "101" in proxy.answer(stream, *signed_in, f"Origin: https://{NAME}{port}", *HANDSHAKE)
    assert "403" in proxy.answer(stream, *SIGNED_IN, "Origin: https://evil.example", *HANDSHAKE)
    upload = proxy.head(f"{below}/_stcore/upload_file/x/y", *SIGNED_IN, method="PUT", body=b"x" * 2048)
    # Caddy 2.6 begins to pass the body on: it says 502 where that is too large, unless the dashboard refuses it first.
    assert upload.split()[1] in ({"413"} if "Server: nginx" in upload else {"413", "502", "403"})


def test_the_units_are_ones_that_systemd_takes(tmp_path: Path) -> None:
    """The units of the pages have no mistake that systemd finds, and the server's command is one of ours."""
    text = PAGE.read_text("utf-8") + PAGE.parents[1].joinpath("saved.md").read_text("utf-8")
    units = dict(re.findall(r"(?ms)^```ini\n# /etc/systemd/system/(\S+)\n(.*?)^```", text))
    assert {*units} == {"rankdash.service", "rankdash-backup.service", "rankdash-backup.timer"}
    (command,) = re.findall(r"(?m)^ExecStart=\S+ (.*)$", units["rankdash.service"])
    assert parser().parse_args(command.split()).names == [NAME]
    if not (program := shutil.which("systemd-analyze")):
        pytest.skip("There is no systemd here.")
    for name, unit in units.items():
        (tmp_path / name).write_text(unit.replace("/opt/rankdash/bin/rankdash", sys.executable))
    verify = [program, "verify", "--man=no", *(tmp_path / name for name in units)]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if "rankdash" in line]) == (0, [])
