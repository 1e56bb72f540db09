"""Take the pictures in docs/screenshots/ of the real application, showing the demo.

``python scripts/screenshots.py [NAME ...]`` starts a dashboard of its own, with a few saved comparisons, and takes
every picture, or those whose names begin so. Chrome or Chromium is found as for the browser tests.
"""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

import pandas as pd

import rankdash as rd
from rankdash.dashboard.navigation import PAGES
from rankdash.store import Decided, Observed, Settings, State, Store, content_of
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
#: By day and by night on a laptop, and on a projector: colour scheme, size, pixels of a point.
LOOKS = {
    "light": ("light", LAPTOP, SHARP),
    "dark": ("dark", LAPTOP, PLAIN),
    "projector": ("light", PROJECTOR, PLAIN),
}
#: Of what is saved two plain ones are enough.
PLAIN_LOOKS = {"light": ("light", LAPTOP, PLAIN), "dark": ("dark", LAPTOP, PLAIN)}
#: The saved comparisons: name, the share of queries in which B is the demo's B and not its A, decision, reason, and the
#: difference that an online test showed.
SAVED = (
    ("Titles, one field more", 0.2, "no_launch", "Nobody would notice.", None),
    ("Half of the fields", 0.5, "launch", "Not proven offline: a small test online will tell.", 0.9),
    ("Most fields", 0.7, "launch", "As the verdict says.", 1.6),
    ("All fields", 1.0, "launch", "Also asked for by customer care.", 2.1),
)


def main() -> int:
    """Take the pictures, and return the exit status: 0 done, 1 where there is no browser."""
    path = os.environ.get("RANKDASH_BROWSER") or installed()
    if path is None:
        print(NONE_TO_BE_HAD, file=sys.stderr)
        return 1
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    home = tempfile.TemporaryDirectory(prefix="rankdash-pictures-")
    decided = saved(Path(home.name))
    places = {page: (path, "") for page, path in PATHS.items()} | {"decision": (f"?comparison={decided}", "decision")}
    environment = {**os.environ, "RANKDASH_STORE": "on", "RANKDASH_HOME": home.name}
    server = subprocess.Popen([sys.executable, "-m", "streamlit", "run", "app.py", *options], cwd=ROOT, env=environment)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path)
            for page, (address, key) in places.items():
                for look, how in (PLAIN_LOOKS if page in ("history", "decision") else LOOKS).items():
                    if not sys.argv[1:] or any(page.startswith(name) for name in sys.argv[1:]):
                        take(browser, f"http://127.0.0.1:{port}/{address}", f"{page}-{look}", *how, key)
            browser.close()
    finally:
        server.terminate()
        server.wait(timeout=20)
        home.cleanup()
    return 0


def saved(home: Path) -> str:
    """Save comparisons made of the demo's lists, each with its verdict and what was decided, and return the id of the
    last one.
    """
    store, demo, known = Store.open(Settings(home)), ROOT / "data" / "demo", ""
    a, b = (pd.read_csv(demo / name, dtype={"query_id": str, "doc_id": str}) for name in ("run_a.csv", "run_b.csv"))
    queries = sorted({*a["query_id"]})
    for name, share, choice, reason, online in SAVED:
        newer = set(queries[: round(share * len(queries))])
        mixed = pd.concat([b[b["query_id"].isin(newer)], a[~a["query_id"].isin(newer)]])
        runs = rd.read_run(a, name="Title only"), rd.read_run(mixed, name=name)
        comparison = rd.compare(*runs, demo / "judgments.csv", queries=demo / "queries.csv")
        now = store.create(content_of(comparison), State(name, "Title only", name, policy=comparison.policy))
        result = store.seen(now, comparison, rd.decide(comparison))
        store.tag(now.id, "search")
        store.decide(now.id, Decided(choice, "Ada", reason), result)
        if online is not None:
            store.observe(now.id, Observed("orders per visit (%)", "Ada", online))
        known = now.id
    return known


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers. RuntimeError where it has stopped, or a minute has passed."""
    deadline = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The dashboard did not start.")


def take(browser: Browser, url: str, name: str, scheme: str, size: dict[str, int], pixels: int, key: str) -> None:
    """Take one picture of the page at an address, ``key``: from the element with this key on."""
    page = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=pixels)  # type: ignore[arg-type]
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.goto(url)
    page.locator("table, canvas, .bars .point").first.wait_for(state="attached")
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    if key:
        page.locator(f".st-key-{key}").evaluate("element => element.scrollIntoView({block: 'start'})")
    page.wait_for_timeout(1_500)  # fonts, and the fade-in of what was drawn
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    save(picture, OUT / f"{name}.png")


def save(picture: Image.Image, path: Path) -> None:
    """Write a picture with a palette, which takes less than half the bytes."""
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
