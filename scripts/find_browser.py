"""The path of a Chrome or Chromium for the browser tests, installed first where there is none.

Prints the path alone on stdout; a sentence on stderr and exit status 1 where no browser can be had.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.find_postgres import install_from_debian, starts

NAMES = ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser")
CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
NONE_TO_BE_HAD = (
    "rankdash: the browser tests need Chrome or Chromium: none that starts was found or could be installed here; "
    "install one, or name one that starts with RANKDASH_BROWSER=/path/to/chrome."
)


def places() -> Iterator[str]:
    """Return where a browser may be, the likeliest first; some systems ship a `chromium-browser` that does not start.
    Playwright is asked last because asking it takes a second.
    """
    yield from (*filter(None, map(shutil.which, NAMES)), CHROME)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def installed() -> str | None:
    """Return the path of the first browser here that starts, or None."""
    return next(filter(starts, places()), None)


def find() -> str | None:
    """Return the path of a browser: the one named by RANKDASH_BROWSER, one that is here, or one installed now."""
    named = os.environ.get("RANKDASH_BROWSER")
    if named:
        return named if starts(named) else None
    if found := installed():
        return found
    print("No Chrome or Chromium here; installing one for the browser tests.", file=sys.stderr, flush=True)
    install_from_debian("chromium", "fonts-liberation")
    return installed()


def main() -> None:
    """Print the path, or end the program with the sentence."""
    path = find()
    if path is None:
        raise SystemExit(NONE_TO_BE_HAD)
    print(path)


if __name__ == "__main__":
    main()
