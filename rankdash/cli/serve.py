"""The dashboard from the command line: ``rankdash serve``, or ``rankdash`` alone.

Streamlit takes the settings that stand beside the script before those of the user and of the folder that it is started
in, so the dashboard is as closed, and looks the same, wherever it is started.
"""

from __future__ import annotations

import os
import runpy
import sys
import tomllib
from collections.abc import Mapping, Sequence

from rankdash.resources import resource

#: Addresses that stand for every interface of the machine, and are no name that anybody types.
EVERYWHERE = ("0.0.0.0", "::")


def serve(port: int | None, host: str | None, names: Sequence[str], headless: bool) -> None:
    """Run the dashboard until it is stopped; arguments as in `flags`. SystemExit with Streamlit's exit status."""
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


def _always_allowed() -> list[str]:
    settings = tomllib.loads(resource(".streamlit/config.toml").read_text("utf-8"))
    names: list[str] = settings["server"]["allowedHosts"]
    return names


def _has_a_screen(environment: Mapping[str, str]) -> bool:
    """Whether a browser can be opened here: on Linux only where there is a display."""
    return sys.platform != "linux" or any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
