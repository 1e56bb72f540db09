"""Print the aims of the layout of `rankdash/` as a table: in the first version, now, and as it should be.

``python scripts/house.py``. Exit status: 0; 1 where a module stands in a circle, an import runs back, or a folder holds
too many modules. The other aims are only told.

A move is a call or return event of `sys.setprofile` between two files of `rankdash/`, frames of other packages skipped,
counted in the second run. Below the table stands why an aim is missed.
"""

from __future__ import annotations

import ast
import logging
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rankdash.__main__ import main as command_line
from rankdash.reading import read_run, recognised
from rankdash.verdict import decide
from scripts.walls import (
    FILES,
    FLOORS,
    MOST_MODULES,
    PACKAGE,
    ROOT,
    arrows,
    backward_imports,
    circles,
    crowded_folders,
    forbidden_imports,
)
from tests.project.contributing import examples

CSV = b"query_id,doc_id,rank\nq1,d1,1\nq1,d2,2\n"
TREC = b"q1 Q0 d1 1 2.0 old\nq1 Q0 d2 2 1.0 old\n"
LISTS = {"q1": ["d1", "d2"]}
#: What is dropped on the page: two runs and their judgments.
DROPPED = {
    "old.csv": "query_id,doc_id,rank\n{query},d1,1\n{query},d2,2\n",
    "new.csv": "query_id,doc_id,rank\n{query},d2,1\n{query},d1,2\n",
    "judgments.csv": "query_id,doc_id,relevance\n{query},d2,2\n{query},d1,0\n",
}
#: Why an aim is missed, by the beginning of its row.
REASONS = {
    "statements": (
        "Behaviour was added: comparisons that are saved, reading in processes with limits, hostile files, results "
        "shared by content, the per-query table, more caveats and words of rules."
    ),
    "Compare clicked": (
        "Each file is a step that the page shows. Half as many would be as long as a file may be, and would put steps "
        "together that have nothing in common."
    ),
}
#: The one aim that takes too long to be measured here.
ELSEWHERE = (
    "make test: its last line says how long the tests took. The aim is 4 minutes on 2 processors; the first version "
    "took 5, with fewer tests."
)
#: What CONTRIBUTING.md shows how to add: its heading, the files that it took in the first version, the aim.
ADDED = (
    ("Add a measure", "4", "1"),
    ("Add a rule", "3", "1"),
    ("Add a text format", "5", "2"),
    ("Add a page", "7", "3"),
)
#: Put together here, so that this line is none of those that are counted.
SKIPPED = "# fmt: " + "skip"


@dataclass(frozen=True)
class Aim:
    """One row of the table: a figure in the first version, now, and as it should be."""

    name: str
    first: str
    now: str
    aim: str = ""
    is_broken: bool = False  #: that it is not met, where no change may break it


class Walk:
    """A profile function that notes the files of the package that a call goes through, and the moves between them."""

    def __init__(self, package: Path) -> None:
        self.inside = f"{package}/"
        self.files: set[str] = set()
        self.moves = 0

    def file_of(self, frame: FrameType | None) -> str | None:
        """Return the file of a frame, or of the nearest one below it on the stack that is of the package, or None."""
        while frame is not None and not frame.f_code.co_filename.startswith(self.inside):
            frame = frame.f_back
        return frame.f_code.co_filename if frame else None

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Note one event."""
        here = frame.f_code.co_filename
        if event in {"call", "return"} and here.startswith(self.inside):
            self.files.add(here)
            self.moves += self.file_of(frame.f_back) not in {here, None}

    def __str__(self) -> str:
        """Files / moves."""
        return f"{len(self.files)} / {self.moves:,}"


def walk(call: Callable[[], Any]) -> Walk:
    """Return the walk of a call that ran once before; threads that the call starts belong to it."""
    call()
    seen = Walk(PACKAGE)
    threading.setprofile(seen)
    sys.setprofile(seen)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return seen


def walk_of_command() -> Walk:
    """Return the walk of ``rankdash compare`` over three files, in this process."""
    with TemporaryDirectory() as folder:
        for name, text in DROPPED.items():
            Path(folder, name).write_text(text.format(query="q1"), "utf-8")
        old, new, judgments = (str(Path(folder, name)) for name in DROPPED)

        def compare() -> None:
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                command_line(["compare", old, new, "-q", judgments])

        return walk(compare)


def compared_files() -> tuple[str, str]:
    """Return how many files a click on Compare goes through until the verdict is decided, and until the page is drawn.

    Dashes where there is no Streamlit. A comparison of other files goes before, so that imports are not counted.
    """
    if not find_spec("streamlit"):
        return "–", "–"
    logging.disable(logging.WARNING)  # Streamlit complains that it runs without a server
    compared("q1", lambda *_: None)
    drawn = Walk(PACKAGE)
    decided: set[str] = set()

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        drawn(frame, event, argument)
        if event == "return" and frame.f_code is decide.__code__ and not decided:
            decided.update(drawn.files)

    compared("q2", profile)
    return str(len(decided)), str(len(drawn.files))


def compared(query: str, profile: Callable[[FrameType, str, Any], None]) -> None:
    """Drop files about one query on the page, and click Compare under a profile function."""
    from streamlit.testing.v1 import AppTest

    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    at.query_params["c"] = "lost"
    drop = next(place for place in at.run().file_uploader if place.key == "lost_files")
    drop.set_value([(name, text.format(query=query).encode(), "text/csv") for name, text in DROPPED.items()])
    at.run()
    threading.setprofile(profile)
    try:
        at.button(key="lost_compare").click().run()
    finally:
        threading.setprofile(None)
    if at.query_params.get("c") == ["lost"] or at.exception:
        raise RuntimeError("The comparison was not made.")


def aims() -> list[Aim]:
    """Return the rows of the table. Figures of the first version were counted by this same script."""
    texts = [file.read_text("utf-8") for file in FILES]
    statements = sum(isinstance(node, ast.stmt) for text in texts for node in ast.walk(ast.parse(text)))
    in_circles, crowded = circles(arrows()), crowded_folders()
    decided, drawn = compared_files()
    back = [*forbidden_imports(), *(pair for floor in FLOORS for pair in backward_imports(floor))]
    return [
        Aim("statements of rankdash/", "16,437", f"{statements:,}", "fewer"),
        Aim("modules", "219", f"{len(FILES)}"),
        Aim(f"folders with more than {MOST_MODULES} modules", "4", f"{len(crowded)}", "0", bool(crowded)),
        Aim("modules in circles", "3", f"{len(in_circles)}", "0", bool(in_circles)),
        Aim("imports that run back", "0", f"{len(back)}", "0", bool(back)),
        Aim("read_run, a CSV of two rows: files / moves", "32 / 266", f"{walk(lambda: read_run(CSV))}", "18 / 130"),
        Aim("read_run, TREC of two rows: files / moves", "29 / 236", f"{walk(lambda: read_run(TREC))}"),
        Aim("read_run, a dict: files / moves", "12 / 88", f"{walk(lambda: read_run(LISTS))}"),
        Aim("recognising a CSV of two rows: moves", "1,510", f"{walk(lambda: recognised(CSV)).moves:,}", "500"),
        Aim("rankdash compare, three tiny files: moves", "", f"{walk_of_command().moves:,}", "8,000"),
        Aim("Compare clicked until the verdict is decided: files", "66", decided),
        Aim("Compare clicked until the page is drawn: files", "92", drawn, "60"),
        *(
            Aim(f"{heading.lower()}: files", first, str(len({step.path for step in examples()[heading]})), aim)
            for heading, first, aim in ADDED
        ),
        Aim("lines with # fmt: skip", "102", f"{sum(text.count(SKIPPED) for text in texts)}", "a handful"),
    ]


def main() -> int:
    """Print the table, and return the exit status."""
    header = Aim("", "first version", "now", "aim")
    rows = [header, *aims()]
    name, first, now, aim = (max(len(getattr(row, part)) for row in rows) for part in ("name", "first", "now", "aim"))
    for row in rows:
        mark = "  broken" if row.is_broken else ""
        print(f"{row.name:<{name}}  {row.first:>{first}}  {row.now:>{now}}  {row.aim:>{aim}}{mark}")
    for beginning, reason in REASONS.items():
        print(f"\n{beginning}: {reason}")
    print(f"\n{ELSEWHERE}")
    return int(any(row.is_broken for row in rows))


if __name__ == "__main__":
    sys.exit(main())
