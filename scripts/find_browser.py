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

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.find_postgres import install_from_debian

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


def find() -> str | None:
    """Return the path of a browser: the one named by RANKDASH_BROWSER, one that is here, or one installed now."""
    named = os.environ.get("RANKDASH_BROWSER")
    if named:
        return named if works(named) else None
    found = installed()
    if not found:
        print("No Chrome or Chromium here; installing one for the browser tests.", file=sys.stderr, flush=True)
        install_from_playwright()
        found = installed()
    if not found:
        install_from_debian("chromium", "fonts-liberation")
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
