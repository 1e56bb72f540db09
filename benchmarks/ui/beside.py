"""Clicks of one session while another one uploads a hostile file: how long each takes on the server."""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from benchmarks.ui.client import Client, session
from benchmarks.ui.servers import Server
from tests.reading.attacks import ATTACKS, CSV, filled

#: A file of 48 MB whose one quote is never closed.
LARGE = "open-quote.csv of 48 MB"
#: The attacks that take longest, of every kind.
CHOSEN = (
    "one-line.json", "names-deep.json", "quote-rows.csv", "grade-words.csv", "long-name.csv", "comments.csv",
    "marks-votes.csv", "widening.csv", "list-many.csv", "bomb.gz", "members.gz", "rows.csv.gz", "many.tar.gz",
    "cells.xlsx", "merged-each.xlsx", "zeros.parquet", "packed.arrow", LARGE,
)  # fmt: skip
_ALONE, _LEAST = 20, 3  # clicks beside nothing, and beside a file, also where it is refused at once
_PAUSE = 0.1  # seconds between two clicks


@dataclass(frozen=True)
class Beside:
    """One file: its MB, the seconds until its card was there, and of each click meanwhile the milliseconds."""

    name: str
    size: float
    seconds: float
    clicks: tuple[float, ...]

    @property
    def usual(self) -> float:
        """The median click."""
        return statistics.median(self.clicks)

    @property
    def worst(self) -> float:
        """The slowest click."""
        return max(self.clicks)


def beside(app: Server, names: Iterable[str]) -> list[Beside]:
    """The clicks beside nothing, then beside each file. A click opens another query of the verdict page."""
    found, places = list[Beside](), count()
    with session(app.url) as clicking:

        def click() -> float:
            time.sleep(_PAUSE)
            return clicking.choose("query_open", next(places) % 200) * 1000

        for _ in range(_ALONE):  # the first ones are slower
            click()
        found.append(_told(Beside("nothing", 0.0, 0.0, tuple(click() for _ in range(_ALONE)))))
        for name in names:
            content = filled("q,a,1\n", CSV + b'q,"b,1\n', size=48_000_000) if name == LARGE else ATTACKS[name]()
            with session(app.url, "c=none") as other:
                uploading = _Uploading(other, name.split(" ")[0], content)
                uploading.start()
                clicks = [click() for _ in range(_LEAST)]
                while uploading.is_alive():
                    clicks.append(click())
                uploading.join()
            found.append(_told(Beside(name, len(content) / 1e6, uploading.seconds, tuple(clicks))))
    return found


class _Uploading(threading.Thread):
    """Another session, which uploads a file."""

    def __init__(self, client: Client, name: str, content: bytes) -> None:
        super().__init__()
        self._client, self._files = client, [(name, content)]
        self.seconds = 0.0

    def run(self) -> None:
        """Uploads it, and waits until the page says what became of it."""
        self.seconds = self._client.upload("lost_files", self._files)


def _told(one: Beside) -> Beside:
    print(
        f"beside {one.name}, {one.seconds:.1f} s: {len(one.clicks)} clicks, {one.usual:.0f} ms, {one.worst:.0f} ms",
        file=sys.stderr, flush=True,
    )  # fmt: skip
    return one
