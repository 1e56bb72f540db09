"""Reads attacks as a page does, and at a shell, and prints what each of them took: a line of JSON each.

``python -m benchmarks.attacked [--shell] [NAME ...]``, all of them without a name. ``seconds`` of a processor and
``megabytes`` at the peak are those of the processes that read, ``here`` are the seconds of this one, which stands for
the server. With ``--shell`` each file is the run A of ``rankdash compare``, and takes ``shell`` seconds.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rankdash.intake import Given
from rankdash.sandbox import processes
from tests.reading.attacks import ATTACKS

RUN, GRADES = b"query_id,doc_id,rank\nq,a,1\n", b"query_id,doc_id,relevance\nq,a,1\n"


def processor(who: int) -> float:
    """Seconds of a processor so far: of this process, or of those that it started and that ended."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def compared(name: str) -> float:
    """The seconds of a processor that ``rankdash compare`` takes for an attack as A."""
    start = processor(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / one for one in (name, "b.csv", "judgments.csv")]
        for path, content in zip(paths, (ATTACKS[name](), RUN, GRADES), strict=True):
            path.write_bytes(content)
        a, b, judgments = map(str, paths)
        command = [sys.executable, "-m", "rankdash", "compare", a, b, "--judgments", judgments]
        subprocess.run(command, capture_output=True, check=False)
    return processor(resource.RUSAGE_CHILDREN) - start


def attacked(name: str) -> dict[str, str | float]:
    """What came of one attack."""
    source = io.BytesIO(ATTACKS[name]())
    source.name = name
    size = source.getbuffer().nbytes / 1e6
    before, there, start = processor(resource.RUSAGE_SELF), processor(resource.RUSAGE_CHILDREN), time.perf_counter()
    found = processes.look(Given(name, source))
    said = str(found.error or found.kind)
    if found.kind not in ("", "numbers"):
        said = str(processes.read(Given(name, source), found.kind, form=found.form).error or "read")
    took = time.perf_counter() - start
    here = processor(resource.RUSAGE_SELF) - before
    processes.end()
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
    at_a_shell = sys.argv[1:2] == ["--shell"]
    for each in sys.argv[1 + at_a_shell :] or ATTACKS:
        told = attacked(each) | ({"shell": compared(each)} if at_a_shell else {})
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
