"""Sessions that upload two runs of their own, one after another, and are closed: what memory the server keeps."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.ui import driving
from benchmarks.ui.servers import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: A run of so many queries and results has about 10 MB.
QUERIES, DEPTH = 3_700, 100
#: Documents below this place are judged.
_JUDGED = 3
#: Seconds until memory is read for the last time, and between two readings. Streamlit keeps a session that was left for
#: two minutes, so that a tab that was cut off finds it again.
_LATER, _OFTEN = 360, 15
START, WORST, LAST = "at the start", "the most at any time", "{n} closed sessions later, above the start"


def kept(browser: Browser, app: Server, folder: Path, count: int, complete: str) -> Mapping[str, float | None]:
    """MB of the server and its workers, by when; the last is how much more they are at the end than at the start.

    The start is a server that has shown its demo once. Every session has files that no other one has.
    """
    driving.opened(browser, app.url, complete).context.close()
    start = most = app.whole_memory()
    for number in range(count):
        page = driving.opened(browser, f"{app.url}/?c=none", ".st-key-lost_compare")
        driving.upload(page, _files(folder, number), complete)
        most = max(most, app.whole_memory())
        page.context.close()
        _said(f"session {number + 1} of {count}", app)
    end, last = time.monotonic() + _LATER, app.whole_memory()
    while time.monotonic() < end:
        time.sleep(_OFTEN)
        last = app.whole_memory()
        _said(f"{end - time.monotonic():.0f} s to go", app)
    return {START: start, WORST: most, LAST.format(n=count): last - start}


def _said(when: str, app: Server) -> None:
    print(f"{when}: {app.whole_memory():,.0f} MB", file=sys.stderr, flush=True)


def _files(folder: Path, number: int) -> list[Path]:
    """Two runs of about 10 MB each and their judgments, whose ids no other session has."""
    chance = np.random.default_rng(number)
    queries = np.repeat([f"s{number}-q{query}" for query in range(QUERIES)], DEPTH).tolist()
    place = np.tile(np.arange(1, DEPTH + 1), QUERIES).tolist()
    paths = []
    for side in "ab":
        documents = chance.permuted(np.tile(np.arange(DEPTH), (QUERIES, 1)), axis=1).ravel().tolist()
        rows = zip(queries, documents, place, strict=True)
        text = "".join(f"{query},s{number}-doc{doc:03},{rank}\n" for query, doc, rank in rows)
        paths.append(folder / f"run_{side}_{number}.csv")
        paths[-1].write_text("query_id,doc_id,rank\n" + text)
    graded = "".join(
        f"s{number}-q{query},s{number}-doc{doc:03},{int(doc < _JUDGED)}\n"
        for query in range(QUERIES) for doc in range(2 * _JUDGED)
    )  # fmt: skip
    paths.append(folder / f"judgments_{number}.csv")
    paths[-1].write_text("query_id,doc_id,relevance\n" + graded)
    return paths
