"""Print the aims of the layout of `rankdash/` as a table: before it was made lighter, now, and as it should be.

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
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rankdash.__main__ import main as command_line
from rankdash.verdict import decide
from scripts.private_names import PRIVATE
from scripts.walls import (
    FILES,
    FLOORS,
    MOST_MODULES,
    PACKAGE,
    ROOT,
    arrows,
    backward_imports,
    circles,
    comparing_modules,
    crowded_folders,
    forbidden_imports,
    room_of,
)
from tests.project.contributing import examples

#: What is dropped on the page: two runs and their judgments.
DROPPED = {
    "old.csv": "query_id,doc_id,rank\n{query},d1,1\n{query},d2,2\n",
    "new.csv": "query_id,doc_id,rank\n{query},d2,1\n{query},d1,2\n",
    "judgments.csv": "query_id,doc_id,relevance\n{query},d2,2\n{query},d1,0\n",
}
#: The one aim that takes too long to be measured here.
ELSEWHERE = (
    "make test and make check: their last lines say how long the tests took. The aims are 4 minutes and 1 minute."
)
#: Rooms, those together between which code moved, and the statements that they had before.
BEFORE: Mapping[tuple[str, ...], int] = {
    ("reading", "typed"): 8_148,
    ("dashboard",): 6_103,
    ("comparison", "drivers", "intake", "scored"): 4_232,
    ("verdict", "policy", "evidence"): 3_818,
    ("store",): 2_902,
    ("report", "charts", "drawings"): 1_079,
    ("cli", "gate"): 873,
}
#: What people can do that they could not before, and the folders and files that are there for it.
SINCE: Mapping[str, tuple[str, ...]] = {
    "report, exports and links": (
        *("drawings", "report/forms", "report/html", "report/sections", "report/exports.py", "report/files.py"),
        *("charts/embedded.py", "cli/report.py", "dashboard/frame/export_dialog.py", "store/servers.py"),
    ),
    "gate": ("gate",),
    "files of other tools": ("reading/tools", "reading/columns/interactions.py", "reading/columns/raters.py"),
}
#: What CONTRIBUTING.md shows how to add: its heading, the files that it took before, the aim, why that is not met.
ADDED = (
    ("Add a rule", "3", "1", ""),
    ("Add a rule with a field", "3", "2", ""),
    ("Add an export", "3", "1", ""),
    ("Add a page", "3", "2", ""),
    (
        "Add a command",
        "–",
        "1",
        "help lists the commands without importing what runs them, so that row and function are apart.",
    ),
)


@dataclass(frozen=True)
class Aim:
    """One row of the table: a figure before the house was made lighter, now, and as it should be."""

    name: str
    before: str
    now: str
    aim: str = ""
    is_broken: bool = False  #: that it is not met, where no change may break it
    missed: str = ""  #: why it is not met


class Walk:
    """A profile function that notes the files of the package that a call goes through, and the moves between them."""

    def __init__(self, package: Path) -> None:
        self.inside = f"{package}/"
        self.files: set[str] = set()
        self.moves: Counter[str] = Counter()  #: by the file that is called or returned from

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
            self.moves[here] += self.file_of(frame.f_back) not in {here, None}


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


def compared_files() -> tuple[set[str], set[str]]:
    """Return the files that a click on Compare goes through until the verdict is decided, and until the page is drawn.

    None where there is no Streamlit, and none until the verdict where it was decided when the files were read, before
    the click. A comparison of other files goes before, so that imports are not counted.
    """
    if not find_spec("streamlit"):
        return set(), set()
    logging.disable(logging.WARNING)  # Streamlit complains that it runs without a server
    compared("q1", lambda *_: None)
    drawn = Walk(PACKAGE)
    decided: set[str] = set()

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        drawn(frame, event, argument)
        if event == "return" and frame.f_code is decide.__code__ and not decided:
            decided.update(drawn.files)

    compared("q2", profile)
    return decided, drawn.files


def compared(query: str, profile: Callable[[FrameType, str, Any], None]) -> Any:
    """Drop files about one query on the page, click Compare under a profile function, and return the page."""
    from streamlit.testing.v1 import AppTest

    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    at.query_params["c"] = "lost"
    drop = next(place for place in at.run().file_uploader if place.key == "lost_files")
    drop.set_value([(name, text.format(query=query).encode(), "text/csv") for name, text in DROPPED.items()])
    at.run()
    run(at.button(key="lost_compare").click(), profile)
    if at.query_params.get("c") == ["lost"]:
        raise RuntimeError("The comparison was not made.")
    return at


def run(page: Any, profile: Callable[[FrameType, str, Any], None]) -> None:
    """Run a page, or a widget's page, under a profile function."""
    threading.setprofile(profile)
    try:
        at = page.run()
    finally:
        threading.setprofile(None)
    if at.exception:
        raise RuntimeError(at.exception[0].message)


def walk_of_edit() -> Walk:
    """Return the walk of a grade that is typed on the Edit page, until the page is drawn; empty where there is no
    Streamlit. The same with files of other queries goes before, so that imports are not counted.
    """
    seen = Walk(PACKAGE)
    if not find_spec("streamlit"):
        return seen
    for query, profile in (("q3", lambda *_: None), ("q4", seen)):
        at = compared(query, lambda *_: None)
        at.switch_page(str(PACKAGE.relative_to(ROOT) / "dashboard" / "pages" / "edit" / "edit.py")).run()
        at.session_state["edit_a_1"] = {"edited_rows": {0: {"grade": 1}}, "added_rows": [], "deleted_rows": []}
        run(at, profile)
    return seen


def names_session_state(tree: ast.Module) -> bool:
    """Return whether a file reads or writes Streamlit's session state."""
    return any(getattr(node, "attr", None) == "session_state" for node in ast.walk(tree))


def statements(files: Iterable[Path]) -> int:
    """Return how many statements files hold."""
    return sum(isinstance(node, ast.stmt) for file in files for node in ast.walk(ast.parse(file.read_bytes())))


def below(path: str) -> list[Path]:
    """Return the files of a folder or module of the package."""
    place = PACKAGE / path
    return [file for file in FILES if file == place or place in file.parents]


def rooms_of(files: Iterable[str]) -> str:
    """Return how many of these files each room has, the most first."""
    counts = Counter(room_of(Path(file)) for file in files)
    return ", ".join(f"{room} {n:,}" for room, n in counts.most_common())


def aims() -> list[Aim]:
    """Return the rows of the table. Figures of before were counted by scripts like this one."""
    trees = [ast.parse(file.read_bytes()) for file in FILES]
    in_circles, crowded = circles(arrows()), crowded_folders()
    back = [*forbidden_imports(), *(pair for floor in FLOORS for pair in backward_imports(floor))]
    steps = examples()
    return [
        Aim("statements of rankdash/", "33,280", f"{statements(FILES):,}", "30,617", missed=since()),
        Aim("modules", "443", f"{len(FILES)}"),
        Aim(f"folders with more than {MOST_MODULES} modules", "0", f"{len(crowded)}", "0", bool(crowded)),
        Aim("modules in circles", "0", f"{len(in_circles)}", "0", bool(in_circles)),
        Aim("imports that run back", "0", f"{len(back)}", "0", bool(back)),
        *walked(),
        Aim("private parts of other packages, by reason", "11", f"{len(PRIVATE)}", "3"),
        Aim("modules that make a comparison", "4", f"{len(comparing_modules())}", "1"),
        Aim("files that use session_state", "30", f"{sum(map(names_session_state, trees))}", "4"),
        *(
            Aim(
                f"{heading.lower()}: files, tests aside",
                before,
                str(len({step.path for step in steps.get(heading, []) if not step.path.startswith("tests/")}) or "–"),
                aim,
                missed=missed,
            )
            for heading, before, aim, missed in ADDED
        ),
    ]


def walked() -> list[Aim]:
    """Return the rows about what a click, an edit and a command go through."""
    decided, drawn = compared_files()
    edited = walk_of_edit()
    return [
        Aim(
            "Compare clicked until the verdict is decided: files",
            "97",
            f"{len(decided)}",
            "60",
            missed=f"each is asked for its own part: {rooms_of(decided)}.",
        ),
        Aim(
            "Compare clicked until the page is drawn: files",
            "159",
            f"{len(drawn)}",
            "100",
            missed=f"what is drawn and saved after the verdict: {rooms_of(drawn - decided)}.",
        ),
        Aim("a grade edited until the page is drawn: files", "125", f"{len(edited.files)}"),
        Aim(
            "a grade edited until the page is drawn: moves",
            "12,766",
            f"{edited.moves.total():,}",
            "5,000",
            missed=f"calls and returns of each room: {rooms_of(edited.moves.elements())}.",
        ),
        Aim("rankdash compare, three tiny files: moves", "18,210", f"{walk_of_command().moves.total():,}", "8,000"),
    ]


def since() -> str:
    """Return how many statements came for what people can do since, and how many the rest of the house has."""
    came = {what: statements(file for path in paths for file in below(path)) for what, paths in SINCE.items()}
    rest = statements(FILES) - sum(came.values())
    each = ", ".join(f"{what} {n:,}" for what, n in came.items())
    return f"{sum(came.values()):,} came for what was not there before ({each}); the rest has {rest:,}."


def by_room() -> list[str]:
    """Return a line for each group of rooms: its statements before and now."""
    lines = [f"{'statements of rooms':<45}{'before':>8}{'now':>8}"]
    for rooms, before in BEFORE.items():
        now = statements(file for file in FILES if room_of(file) in rooms)
        lines.append(f"{', '.join(rooms):<45}{before:>8,}{now:>8,}")
    return lines


def is_missed(row: Aim) -> bool:
    """Return whether a figure is larger than its aim."""
    return bool(row.aim) and int(row.now.replace(",", "")) > int(row.aim.replace(",", ""))


def main() -> int:
    """Print the table, and return the exit status."""
    header = Aim("", "before", "now", "aim")
    rows = [header, *aims()]
    name, before, now, aim = (max(len(getattr(row, part)) for row in rows) for part in ("name", "before", "now", "aim"))
    for row in rows:
        mark = "  broken" if row.is_broken else ""
        print(f"{row.name:<{name}}  {row.before:>{before}}  {row.now:>{now}}  {row.aim:>{aim}}{mark}")
    print("\nnot met, and why:")
    for row in rows[1:]:
        if is_missed(row):
            print(fill(f"{row.name}: {row.missed}", 118, initial_indent="- ", subsequent_indent="  "))
    print("\n".join(("", *by_room(), "", ELSEWHERE)))
    return int(any(row.is_broken for row in rows))


if __name__ == "__main__":
    sys.exit(main())
