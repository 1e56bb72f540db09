"""The dashboard from the command line: ``rankdash serve``, or ``rankdash`` alone.

Streamlit prefers the settings beside the script to those of the user and of the working directory, so the dashboard is
as closed, and looks the same, wherever it is started.
"""

from __future__ import annotations

import errno
import os
import runpy
import socket
import sys
import tomllib
from collections.abc import Mapping, Sequence

from rankdash.resources import resource

#: Addresses that mean every interface of the machine. Nobody types them into a browser.
EVERYWHERE = ("0.0.0.0", "::")
#: Why a port cannot be listened on, and what to do, by the error of the operating system.
_UNUSABLE = {
    errno.EADDRINUSE: "Port {port} is used by another program. Choose another with --port.",
    errno.EACCES: "Port {port} may not be opened by this user. Choose one above 1023 with --port.",
    errno.EADDRNOTAVAIL: "{host!r} is no address of this machine. Choose another with --host.",
}


class ServeError(ValueError):
    """A port or host that the server cannot listen on. ``str()`` is one sentence that says what to do."""


def serve(port: int | None, host: str | None, names: Sequence[str], headless: bool) -> None:
    """Run the dashboard until it is stopped; arguments as in `flags`.

    ServeError where it cannot listen on that port, SystemExit with Streamlit's exit status.
    """
    if port is not None:
        check_port(port, host)
    arguments = ["run", str(resource("app.py")), *flags(port, host, names, headless or not _has_a_screen(os.environ))]
    sys.argv = ["streamlit", *arguments]
    runpy.run_module("streamlit", run_name="__main__")  # what `python -m streamlit` does


def flags(port: int | None, host: str | None, names: Sequence[str], headless: bool) -> list[str]:
    """Return Streamlit's options.

    `port` None: 8501, or the next that is free. `host` is the interface to listen on (None: this machine alone).
    `names` are host names under which others may open the page, besides `host`; the names of this machine always may.
    A browser is opened unless `headless`.
    """
    options: list[tuple[str, object]] = [("headless", str(headless).lower()), ("showEmailPrompt", "false")]
    if port is not None:
        options.append(("port", port))
    if host is not None:
        options.append(("address", host))
    allowed = [*names, *([] if host is None or host in EVERYWHERE else [host])]
    if allowed:
        options += [("allowedHosts", name) for name in dict.fromkeys([*_always_allowed(), *allowed])]
    return [f"--server.{name}={value}" for name, value in options]


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


def _always_allowed() -> list[str]:
    settings = tomllib.loads(resource(".streamlit/config.toml").read_text("utf-8"))
    names: list[str] = settings["server"]["allowedHosts"]
    return names


def _has_a_screen(environment: Mapping[str, str]) -> bool:
    """Whether a browser can be opened here: on Linux only where there is a display."""
    return sys.platform != "linux" or any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
