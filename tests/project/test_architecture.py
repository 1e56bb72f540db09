"""The walls of the house: who may import whom, what nobody may write, and what the fast path never loads.

Who may import whom is told in scripts/walls.py. Imports are read from the source, those inside functions too.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import walls
from scripts.walls import FILES, FLOORS, PACKAGE, ROOMS, ROOT, all_imports, arrows, circles, room_of

APP = ROOT / "app.py"
SOURCES = [APP, *FILES]

# These cost more than a small comparison, so nothing that `import rankdash` or the command line reaches loads them.
SLOW = ("pandas", "plotly", "scipy", "streamlit")


def told(wrong: list[walls.Import]) -> list[str]:
    """What is wrong, in words."""
    return [str(found) for found in wrong]


def test_every_room_is_declared() -> None:
    """Every file of the package lies in a room that ROOMS names."""
    assert {room_of(file) for file in FILES} <= set(ROOMS)


def test_data_flows_one_way() -> None:
    """A room in ROOMS may see only rooms that stand above it."""
    order = list(ROOMS)
    backwards = {
        (name, seen)
        for name, room in ROOMS.items()
        for seen in room.all_rooms
        if seen not in order[: order.index(name)]
    }
    assert not backwards


def test_no_room_sees_another_that_it_may_not() -> None:
    """Every import of one of our own rooms is one that ROOMS allows."""
    assert not told(walls.forbidden_imports())


def test_a_room_is_granted_nothing_that_it_does_not_use() -> None:
    """A room or a package that no file of a room imports is no part of what it may import."""
    assert not walls.unused_grants()


@pytest.mark.parametrize("floor", FLOORS)
def test_rooms_within_a_room_are_declared(floor: str) -> None:
    """Within a room every module and every room stands in FLOORS; test_house.py holds that none imports a later one."""
    folder = PACKAGE / floor
    inside = {entry.stem for entry in folder.iterdir() if entry.suffix == ".py" or [*entry.glob("*.py")]}
    assert inside - {"__init__"} == set(FLOORS[floor].split())


def test_a_circle_is_seen() -> None:
    """The wall against circles can fail: imports of names in modules count, and what leads to a circle is not in it."""
    assert circles({"a": {"b"}, "b": {"a", "c"}, "c": set(), "d": {"a"}}) == {"a", "b"}
    assert "rankdash.reading.problems" in arrows()["rankdash.reading.readers"]
    assert "rankdash.reading" in arrows()["rankdash"]


def test_few_modules_stand_outside_of_rooms() -> None:
    """At most MOST_LOOSE modules stand directly in rankdash/."""
    assert len(walls.loose_modules()) <= walls.MOST_LOOSE, walls.loose_modules()


def test_a_comparison_is_made_in_one_place() -> None:
    """Only case.py turns runs or votes into a comparison; all others call it with a case."""
    assert walls.comparing_modules() == {"rankdash.case"}


def test_no_room_uses_a_package_that_it_may_not() -> None:
    """Every import of a package that is not ours is one that ROOMS allows."""
    wrong = [
        found
        for found in all_imports()
        if found.package and found.package not in ROOMS[room_of(found.file)].all_packages
    ]
    assert not told(wrong)


def test_slow_packages_are_loaded_only_when_they_are_needed() -> None:
    """Outside charts and the dashboard, pandas, plotly, scipy and streamlit are imported in functions only."""
    wrong = [
        found
        for found in all_imports()
        if found.at_the_top and room_of(found.file) not in {"charts", "dashboard"} and any(map(found.is_of, SLOW))
    ]
    assert not told(wrong)


def test_app_is_page_config_and_navigation_only() -> None:
    """app.py imports streamlit and the dashboard, and nothing that computes."""
    seen = {found.room or found.package for found in walls.imports_of(APP)}
    assert seen <= {"streamlit", "dashboard", "style", None}


def lines_with(pattern: str | re.Pattern[str]) -> list[str]:
    """Where the package or app.py has a line that a pattern finds."""
    return [
        f"{file.relative_to(ROOT)}:{number}"
        for file in SOURCES
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize(
    "forbidden",
    [r"unsafe_allow_html", r"\bst\.html\(", r"\bpickle\b", r"(?<!\.)\beval\(", r"(?<!\.)\bexec\("],
)
def test_nothing_in_the_package_trusts_text_from_files(forbidden: str) -> None:
    """Neither app.py nor the package shows raw HTML, unpickles or runs text as code."""
    assert not lines_with(forbidden)


def test_no_number_depends_on_the_processor() -> None:
    """Products are summed by numpy alone, in one order: BLAS chooses its kernel by the processor, and with it the last
    digit.
    """
    calls = r"\bnp\.(dot|vdot|vecdot|inner|matmul|tensordot|einsum|convolve|correlate|linalg)\b"
    blas = re.compile(rf"\w\]?\)? @ \(?\w|{calls}")
    assert blas.search("share @ values")
    assert blas.search("np.dot(a, b)")
    assert not lines_with(blas)


def test_normal_forms_are_made_in_one_place() -> None:
    """Unicode's normal forms take the square of a text's marks where nothing bounds it: one module alone makes them."""
    callers = [file for file in SOURCES if re.search(r"unicodedata\.normalize|utf8_normalize", file.read_text("utf-8"))]
    assert [str(file.relative_to(PACKAGE)) for file in callers] == ["strings.py"]


def test_the_only_raw_style_is_one_file_without_data() -> None:
    """The server adds one style sheet to a page, which loads nothing from anywhere; no page adds any."""
    callers = [file for file in SOURCES if re.search(r"\bst\.html\(|<style>", file.read_text("utf-8"))]
    assert [str(file.relative_to(PACKAGE)) for file in callers] == ["dashboard/host.py"]
    sheet = (PACKAGE / "style" / "page.css").read_text("utf-8")
    assert not re.search(r"url\(|@import|<|(?<![-\w])content\s*:", sheet)


def test_a_session_is_one_record() -> None:
    """The session state is read and written in four files at most, and what is open is changed in session/ alone."""
    texts = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in SOURCES}
    assert len([file for file, text in texts.items() if re.search(r"\bst\.session_state\b", text)]) <= 4
    changed = {file for file, text in texts.items() if re.search(r"\brecord\.change\(|\bsession\.change\(", text)}
    assert changed
    assert all(file.startswith("rankdash/dashboard/session/") for file in changed)


def modules_loaded_by(*arguments: str, folder: Path) -> set[str]:
    """The names of all modules that a Python run with these arguments imports, as Python itself tells them."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    lines = done.stderr.splitlines()
    timed = [line for line in lines if line.startswith("import time:")]
    assert done.returncode == 0, "\n".join(line for line in lines if line not in timed) + done.stdout
    return {line.rpartition("|")[2].strip() for line in timed}


def write_files(folder: Path) -> None:
    """Write two runs of 1,000 queries and judgments, as CSV and as TREC."""
    queries = range(1000)
    for name, ranked in {"a": "d1 d2", "b": "d2 d1"}.items():
        rows = [(f"q{query}", *row) for query in queries for row in zip(ranked.split(), (1, 2), strict=True)]
        csv = [f"{query},{document},{rank}\n" for query, document, rank in rows]
        trec = [f"{query} Q0 {document} {rank} {3 - rank} {name}\n" for query, document, rank in rows]
        (folder / f"{name}.csv").write_text("".join(["query_id,doc_id,rank\n", *csv]), "utf-8")
        (folder / f"{name}.trec").write_text("".join(trec), "utf-8")
    judged = [(f"q{query}", query % 2, 1 - query % 2) for query in queries]
    csv = [f"{query},d1,{first}\n{query},d2,{second}\n" for query, first, second in judged]
    trec = [f"{query} 0 d1 {first}\n{query} 0 d2 {second}\n" for query, first, second in judged]
    (folder / "q.csv").write_text("".join(["query_id,doc_id,relevance\n", *csv]), "utf-8")
    (folder / "q.trec").write_text("".join(trec), "utf-8")


OTHER_READERS = {f"rankdash.reading.{name}" for name in ("columnar", "recognition", "sheets", "workbook")}


@pytest.mark.parametrize("ending", ["csv", "trec"])
def test_the_command_line_is_light(ending: str, tmp_path: Path) -> None:
    """Comparing files of 1,000 queries loads at most 70 of our modules, neither pandas nor plotly nor scipy nor
    streamlit, nor what numpy loads late, nor a reader of another format, nor what unpacks files or starts processes.
    """
    write_files(tmp_path)
    files = (f"a.{ending}", f"b.{ending}", "--judgments", f"q.{ending}")
    loaded = modules_loaded_by("-m", "rankdash", "compare", *files, folder=tmp_path)
    assert "rankdash.scoring.compare" in loaded
    assert not loaded & {*SLOW, *OTHER_READERS, "numpy.ma", "tarfile", "zipfile", "subprocess", "xml"}
    assert len([name for name in loaded if name.partition(".")[0] == "rankdash"]) <= 70
