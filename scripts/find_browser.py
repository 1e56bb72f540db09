"""The path of a Chrome or Chromium for the browser tests, installed first where there is none.

Prints the path alone on stdout; a sentence on stderr and exit status 1 where no browser can be had.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser")
APPS = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
APP_FOLDERS = (Path("/Applications"), Path.home() / "Applications")
NONE_TO_BE_HAD = (
    "rankdash: the browser tests need Chrome or Chromium: none was found and none could be installed here; "
    "install one, or name one with RANKDASH_BROWSER=/path/to/chrome."
)


def works(path: str) -> bool:
    """Return whether the program starts (some systems ship a `chromium-browser` that only says what to install)."""
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def places() -> Iterator[str]:
    """Return where a browser may be, the likeliest first; Playwright is asked last because asking it takes a second."""
    yield from filter(None, map(shutil.which, NAMES))
    yield from (str(folder / app) for folder in APP_FOLDERS for app in APPS)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def installed() -> str | None:
    """Return the path of the first browser here that starts, or None."""
    return next(filter(works, places()), None)


def install_from_playwright() -> None:
    """Let Playwright try to download its own browser."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True, check=False)


def install_from_debian() -> None:
    """Let apt-get try to install Debian's chromium, if this is Debian and we may."""
    release = Path("/etc/os-release")
    if not release.exists() or "ID=debian" not in release.read_text().splitlines():
        return
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    if as_root and not shutil.which("sudo"):
        return
    # A list that cannot be renewed may still serve, so the first command may fail.
    subprocess.run([*apt, "update"], capture_output=True, check=False)
    packages = ["chromium", "fonts-liberation"]
    subprocess.run([*apt, "install", "-y", "--no-install-recommends", *packages], capture_output=True, check=False)


def find() -> str | None:
    """Return the path of a browser: the one named by RANKDASH_BROWSER, one that is here, or one installed now."""
    named = os.environ.get("RANKDASH_BROWSER")
    if named:
        return named if works(named) else None
    found = installed()
    if not found:
        print("No Chrome or Chromium here; installing one for the browser tests.", file=sys.stderr, flush=True)
    for install in (install_from_playwright, install_from_debian):
        if not found:
            install()
            found = installed()
    return found


def main() -> None:
    """Print the path, or end the program with the sentence."""
    path = find()
    if path is None:
        named = os.environ.get("RANKDASH_BROWSER")
        raise SystemExit(
            f"rankdash: RANKDASH_BROWSER names {named}, which does not start." if named else NONE_TO_BE_HAD
        )
    print(path)


if __name__ == "__main__":
    main()
