"""Scoring by Sail in this process, cold and warm: ``python -m benchmarks.scale.sail FOLDER TIMES OUT``.

Writes one JSON object to the file OUT: the seconds from the start of this file to the first table, with everything that
is loaded and started, and those of each further one in the same session.
"""

from __future__ import annotations

import time

_BEGAN = time.perf_counter()

import json  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402


def main() -> None:
    """Score the files of the folder again and again."""
    folder, times = Path(sys.argv[1]), int(sys.argv[2])
    from rankdash.drivers import spark

    seconds = []
    began = _BEGAN
    with spark.session(None) as session:
        for _ in range(1 + times):
            frames = [spark.read(session, str(folder / name)) for name in ("a.trec", "b.trec")]
            judgments = spark.read(session, str(folder / "qrels.txt"), judgments=True)
            spark.score(*frames, judgments, order="score")
            seconds.append(time.perf_counter() - began)
            began = time.perf_counter()
    Path(sys.argv[3]).write_text(json.dumps({"cold": seconds[:1], "warm": seconds[1:]}))


if __name__ == "__main__":
    main()
