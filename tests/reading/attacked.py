"""Reads attacks as a page does, and prints what each of them took: a line of JSON each.

``python -m tests.reading.attacked [NAME ...]``, all of them without a name. ``seconds`` of a processor and
``megabytes`` at the peak are those of the processes that read, ``here`` are the seconds of this one, which stands for
the server.
"""

from __future__ import annotations

import io
import json
import resource
import sys
import time

from rankdash.intake import Given, apart
from tests.reading.attacks import ATTACKS


def processor(who: int) -> float:
    """Seconds of a processor so far: of this process, or of those that it started and that ended."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def attacked(name: str) -> dict[str, str | float]:
    """What came of one attack."""
    source = io.BytesIO(ATTACKS[name]())
    source.name = name
    size = source.getbuffer().nbytes / 1e6
    before, there, start = processor(resource.RUSAGE_SELF), processor(resource.RUSAGE_CHILDREN), time.perf_counter()
    found = apart.look(Given(name, source))
    said = str(found.error or found.kind)
    if found.kind not in ("", "numbers"):
        said = str(apart.read(Given(name, source), found.kind, form=found.form).error or "read")
    took = time.perf_counter() - start
    here = processor(resource.RUSAGE_SELF) - before
    apart.end()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    seconds = processor(resource.RUSAGE_CHILDREN) - there
    return {
        "name": name,
        "size": size,
        "seconds": seconds,
        "clock": took,
        "megabytes": peak,
        "here": here,
        "said": said[:200],
    }


if __name__ == "__main__":
    for each in sys.argv[1:] or ATTACKS:
        sys.stdout.write(json.dumps(attacked(each)) + "\n")
        sys.stdout.flush()
