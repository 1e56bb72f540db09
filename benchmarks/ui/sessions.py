"""Sessions that upload two runs of their own, one after another, and are closed: what memory the server keeps."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

import numpy as np

from benchmarks.ui.client import session
from benchmarks.ui.servers import Server

#: A run of so many queries and results has about 10 MB.
QUERIES, DEPTH = 3_000, 100
#: Documents below this place are judged.
_JUDGED = 3
#: Seconds until memory is read for the last time, and between two readings. Streamlit keeps a session that was left for
#: two minutes, so that a tab that was cut off finds it again.
_LATER, _OFTEN = 300, 15
START, WORST, LAST = "at the start", "the most at any time", "{n} closed sessions later, above the start"


def kept(app: Server, count: int) -> Mapping[str, float]:
    """MB of the server and its workers, by when; the last is how much more they are at the end than at the start.

    The start is a server that has shown its demo once. Every session has files that no other one has, and opens their
    verdict.
    """
    with session(app.url):
        pass
    start = most = app.whole_memory()
    for number in range(count):
        with session(app.url, "c=none") as client:
            client.upload("lost_files", _files(number))
            client.press("lost_compare")
            if not client.knows("query_chart"):
                raise RuntimeError(f"the verdict of session {number + 1} is not there")
            most = max(most, app.whole_memory())
        _said(f"session {number + 1} of {count}", app)
    end, last = time.monotonic() + _LATER, app.whole_memory()
    while time.monotonic() < end:
        time.sleep(_OFTEN)
        last = app.whole_memory()
        _said(f"{end - time.monotonic():.0f} s to go", app)
    return {START: start, WORST: most, LAST.format(n=count): last - start}


def _said(when: str, app: Server) -> None:
    print(f"{when}: {app.whole_memory():,.0f} MB", file=sys.stderr, flush=True)


def _files(number: int) -> list[tuple[str, bytes]]:
    """Two runs of about 10 MB each and their judgments, whose ids no other session has."""
    chance = np.random.default_rng(number)
    queries = np.repeat([f"session{number}-query{query}" for query in range(QUERIES)], DEPTH).tolist()
    place = np.tile(np.arange(1, DEPTH + 1), QUERIES).tolist()
    files = []
    for side in "ab":
        documents = chance.permuted(np.tile(np.arange(DEPTH), (QUERIES, 1)), axis=1).ravel().tolist()
        rows = zip(queries, documents, place, strict=True)
        text = "".join(f"{query},s{number}-doc{doc:03},{rank}\n" for query, doc, rank in rows)
        files.append((f"run_{side}_{number}.csv", ("query_id,doc_id,rank\n" + text).encode()))
    graded = "".join(
        f"session{number}-query{query},s{number}-doc{doc:03},{int(doc < _JUDGED)}\n"
        for query in range(QUERIES) for doc in range(2 * _JUDGED)
    )  # fmt: skip
    return [*files, (f"judgments_{number}.csv", ("query_id,doc_id,relevance\n" + graded).encode())]
