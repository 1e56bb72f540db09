"""The dashboard from the command line: ``rankdash serve``, or ``rankdash`` alone.

Streamlit prefers flags to the environment, and that to the settings of a user. What SECURITY.md promises is passed as
flags, so that the dashboard is as closed wherever it is started.
"""

from __future__ import annotations

import argparse
import errno
import os
import runpy
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from threading import Thread

from rankdash import installation
from rankdash.cli import BAD_INPUT, DONE, ServeError, tell
from rankdash.installation import resource
from rankdash.policy import read_toml
from rankdash.strings import EVERYWHERE, base_address, comparison_link, server_address

#: Where the dashboard listens by default, and how many ports after that are tried.
PORT, _TRIED = 8501, 100
#: The sections of .streamlit/config.toml whose options are passed, and those of them that people may set.
_PASSED, _FREE = ("global", "browser", "server", "client"), ("headless", "maxUploadSize", "toolbarMode")
#: Seconds that a browser waits for the server.
_PATIENCE = 60
#: Why a port cannot be listened on, and what to do, by the error of the operating system.
_UNUSABLE = {
    errno.EADDRINUSE: "Port {port} is in use. Choose another with --port.",
    errno.EACCES: "You may not open port {port}. Choose one above 1023 with --port.",
    errno.EADDRNOTAVAIL: "{host!r} is not an address of this machine. Choose another with --host.",
}


def open_dashboard(options: argparse.Namespace, comparison: str | None = None) -> int:
    """Run the dashboard until it is stopped, and return the exit status. Report packages that are missing for it.

    ``comparison`` is the id of a saved comparison that is shown first; None: the demo.
    """
    lacking = installation.missing()
    if lacking:
        tell([installation.sentence(lacking, "app")])
        return BAD_INPUT
    if options.host in EVERYWHERE and not options.names:
        tell(["Other machines cannot open it yet. Name the address that people type with --allowed-host."])
    serve(options.port, options.host, options.names, options.headless, comparison)
    return DONE


def serve(
    port: int | None, host: str | None, names: Sequence[str], headless: bool, comparison: str | None = None
) -> None:
    """Run the dashboard until it is stopped; arguments as in `flags`. Given the id of a saved comparison, on that.

    ServeError where it cannot listen on that port, SystemExit with Streamlit's exit status.
    """
    if port is not None:
        check_port(port, host)
    opens = not headless and _has_a_screen(os.environ)
    if comparison is not None or opens:
        port = port or free_port(host)
    if comparison is not None and port is not None:
        sys.stdout.write(f"{comparison_link(base_address(), comparison) or _address(host, port, comparison)}\n")
        sys.stdout.flush()
    if opens:  # Streamlit would open the address without the comparison
        Thread(target=_open_when_ready, args=(host, port, comparison), daemon=True).start()
    sys.argv = ["streamlit", "run", str(resource("app.py")), *flags(port, host, names)]
    os.environ.pop("STREAMLIT_CLIENT_ALLOWED_ORIGINS", None)  # the settings say none, which no flag can
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))  # what is left of Ctrl-C once the server has ended
    runpy.run_module("streamlit", run_name="__main__")  # what `python -m streamlit` does


def flags(port: int | None, host: str | None, names: Sequence[str]) -> list[str]:
    """Return Streamlit's options: those of .streamlit/config.toml that keep the dashboard closed, and these.

    `port` None: 8501, or the next that is free. `host` is the interface to listen on (None: this machine alone).
    `names` are host names under which others may open the page, besides `host`; the names of this machine always may.
    """
    options = {
        f"{section}.{name}": value
        for section, values in read_toml(resource(".streamlit/config.toml").read_text("utf-8")).items()
        for name, value in (values.items() if section in _PASSED else ())
        if name not in _FREE
    }
    options |= {"server.headless": True, "server.showEmailPrompt": False}
    if port is not None:
        options["server.port"] = port
    if host is not None:
        options["server.address"] = host
    allowed = [*options["server.allowedHosts"], *names, *([] if host is None or host in EVERYWHERE else [host])]
    options["server.allowedHosts"] = list(dict.fromkeys(allowed))
    return [
        f"--{name}={str(item).lower() if isinstance(item, bool) else item}"
        for name, value in options.items()
        for item in (value if isinstance(value, list) else [value])
    ]


def check_port(port: int, host: str | None) -> None:
    """Raise ServeError where a server cannot listen on a port of an interface (None: this machine alone).

    Streamlit would say so too, but in the words of the operating system, and not what to do.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host or "localhost", port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # as the server does: a port that was just closed can be opened again
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except socket.gaierror:
        raise ServeError(_UNUSABLE[errno.EADDRNOTAVAIL].format(host=host)) from None
    except OSError as error:
        if error.errno not in _UNUSABLE:
            raise
        raise ServeError(_UNUSABLE[error.errno].format(port=port, host=host)) from None


def free_port(host: str | None) -> int:
    """Return the first port from 8501 on that can be listened on. ServeError where a hundred of them cannot."""
    for port in range(PORT, PORT + _TRIED - 1):
        with suppress(ServeError):
            check_port(port, host)
            return port
    check_port(PORT + _TRIED - 1, host)
    return PORT + _TRIED - 1


def _address(host: str | None, port: int, comparison: str | None) -> str:
    """Return what a browser opens: the first page, or a saved comparison."""
    address = server_address(host, port)
    return f"{address}/" if comparison is None else comparison_link(address, comparison)


def _open_when_ready(host: str | None, port: int, comparison: str | None) -> None:
    """Open a browser as soon as the server answers."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            with closing(socket.create_connection((host if host not in (None, *EVERYWHERE) else "localhost", port), 1)):
                webbrowser.open(_address(host, port, comparison))
                return
        except OSError:
            time.sleep(0.2)


def _has_a_screen(environment: Mapping[str, str]) -> bool:
    """Return whether a browser can be opened here: on Linux only where there is a display."""
    return sys.platform != "linux" or any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
