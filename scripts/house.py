"""Print the aims of the layout of `rankdash/` as a table: in the first version, now, and as it should be.

``python scripts/house.py``. Exit status: 0; 1 where a module stands in a circle, an import runs back, or a folder holds
too many modules. The other aims are only told.

A move is a call or return event of `sys.setprofile` between two files of `rankdash/`, frames of other packages skipped,
counted in the second run.
"""

from __future__ import annotations

import ast
import logging
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rankdash.reading import read_run, recognised
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
    "old.csv": CSV,
    "new.csv": b"query_id,doc_id,rank\nq1,d2,1\nq1,d1,2\n",
    "judgments.csv": b"query_id,doc_id,relevance\nq1,d2,2\nq1,d1,0\n",
}
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


def compared_files() -> str:
    """Return how many files a click on Compare goes through up to the verdict; where there is no Streamlit, a dash."""
    if not find_spec("streamlit"):
        return "–"
    from streamlit.testing.v1 import AppTest

    logging.disable(logging.WARNING)  # Streamlit complains that it runs without a server
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    at.query_params["c"] = "lost"
    drop = next(place for place in at.run().file_uploader if place.key == "lost_files")
    drop.set_value([(name, content, "text/csv") for name, content in DROPPED.items()])
    at.run()
    seen = Walk(PACKAGE)
    threading.setprofile(seen)
    try:
        at.button(key="lost_compare").click().run()
    finally:
        threading.setprofile(None)
    if at.query_params.get("c") == ["lost"] or at.exception:
        raise RuntimeError("The comparison was not made.")
    return str(len(seen.files))


def aims() -> list[Aim]:
    """Return the rows of the table. Figures of the first version were counted by this same script."""
    texts = [file.read_text("utf-8") for file in FILES]
    statements = sum(isinstance(node, ast.stmt) for text in texts for node in ast.walk(ast.parse(text)))
    in_circles, crowded = circles(arrows()), crowded_folders()
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
        Aim("Compare clicked to the verdict: files", "94", compared_files(), "60"),
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
    return int(any(row.is_broken for row in rows))


if __name__ == "__main__":
    sys.exit(main())
