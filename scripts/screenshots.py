"""Take the pictures in docs/screenshots/ of the real application, showing the demo.

``python scripts/screenshots.py`` starts a dashboard of its own. Chrome or Chromium is found as for the browser tests.
"""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from rankdash.dashboard.navigation import PAGES
from scripts.find_browser import NONE_TO_BE_HAD, installed

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "screenshots"
#: A busy machine takes its time.
WAIT_MILLISECONDS = 120_000
#: Pixels of a point, and how many colours a picture has: all of them together stay below 1.5 MB.
SHARP, PLAIN, COLOURS = 2, 1, 256
LAPTOP, PROJECTOR = {"width": 1440, "height": 900}, {"width": 1280, "height": 720}
#: Name -> path; the first page is the one that opens.
PATHS = {page.name: "" if page is PAGES[0] else page.name for page in PAGES}
#: Every page by day and by night on a laptop, and on a projector: name of the picture, path, colour scheme, size,
#: pixels of a point.
PICTURES = tuple(
    (f"{page}-{look}", path, scheme, size, pixels)
    for page, path in PATHS.items()
    for look, scheme, size, pixels in (
        ("light", "light", LAPTOP, SHARP),
        ("dark", "dark", LAPTOP, PLAIN),
        ("projector", "light", PROJECTOR, PLAIN),
    )
)


def main() -> int:
    """The exit status: 0 done, 1 where there is no browser."""
    path = os.environ.get("RANKDASH_BROWSER") or installed()
    if path is None:
        print(NONE_TO_BE_HAD, file=sys.stderr)
        return 1
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    environment = {**os.environ, "RANKDASH_STORE": "off"}
    server = subprocess.Popen([sys.executable, "-m", "streamlit", "run", "app.py", *options], cwd=ROOT, env=environment)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path)
            for picture in PICTURES:
                take(browser, f"http://127.0.0.1:{port}", *picture)
            browser.close()
    finally:
        server.terminate()
        server.wait(timeout=20)
    return 0


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Returns when the server answers. RuntimeError where it has stopped, or a minute has passed."""
    deadline = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The dashboard did not start.")


def take(browser: Browser, url: str, name: str, page_path: str, scheme: str, size: dict[str, int], pixels: int) -> None:
    """One picture."""
    page = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=pixels)  # type: ignore[arg-type]
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.goto(f"{url}/{page_path}")
    page.locator("table, canvas, .bars .point").first.wait_for(state="attached")
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(1_500)  # fonts, and the fade-in of what was drawn
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    save(picture, OUT / f"{name}.png")


def save(picture: Image.Image, path: Path) -> None:
    """Write a picture with a palette, which takes less than half the bytes."""
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
