"""The walls of the house: who may import whom, what nobody may write, and what the fast path never loads.

Imports are read from the source, those inside functions too. A new room is added to ROOMS, with what it may see; a room
within a room to FLOORS.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "rankdash"
APP = ROOT / "app.py"

# These cost more than a small comparison, so nothing that `import rankdash` or the command line reaches loads them.
SLOW = ("pandas", "plotly", "scipy.stats", "streamlit")


@dataclass(frozen=True)
class Room:
    """What one room may import: rooms that stand before it in ROOMS, and packages that are not ours."""

    rooms: str = ""
    packages: str = ""

    @property
    def all_rooms(self) -> set[str]:
        """The rooms, one name each."""
        return set(self.rooms.split())

    @property
    def all_packages(self) -> set[str]:
        """The packages, one name each."""
        return set(self.packages.split())


# In the order in which data flows. A room sees only rooms above it, and of those only the ones it names.
# "rankdash" is rankdash/__init__.py, the public API.
ROOMS: dict[str, Room] = {
    "arrow": Room(packages="numpy pyarrow"),
    "resources": Room(),
    "needed": Room("resources"),
    "serve": Room("resources"),
    # What a misspelled name was meant to be, normal forms of text, formulas made harmless.
    "strings": Room("arrow", packages="pyarrow"),
    "version": Room(),
    "shown": Room(packages="pandas"),
    "conventions": Room("strings"),
    "wording": Room(),
    "style": Room("wording"),
    "tables": Room("arrow", packages="numpy pyarrow pandas"),
    "reading": Room(
        "arrow strings tables",
        packages="numpy pyarrow pandas python_calamine charset_normalizer",
    ),
    "intake": Room("arrow strings tables reading", packages="numpy pyarrow"),
    "metrics": Room("strings conventions", packages="numpy"),
    "judged": Room("arrow conventions tables metrics", packages="numpy pyarrow"),
    "evidence": Room("conventions tables metrics judged", packages="numpy scipy"),
    "policy": Room("strings conventions metrics"),
    "comparison": Room(
        "arrow strings shown conventions tables metrics judged evidence policy", packages="numpy pyarrow pandas"
    ),
    "evaluate": Room("arrow conventions tables metrics judged", packages="numpy pyarrow pandas"),
    "explain": Room("arrow shown conventions tables metrics judged", packages="numpy pyarrow pandas"),
    "edits": Room("arrow conventions tables judged comparison", packages="numpy pyarrow"),
    "typed": Room("arrow tables", packages="numpy pyarrow"),
    # What a person looks at, apart from what decides: numbers for the screen are made here, not on pages.
    "inspect": Room(
        "arrow conventions tables metrics judged evidence comparison explain typed", packages="numpy pyarrow"
    ),
    "verdict": Room("shown wording metrics evidence policy comparison", packages="numpy"),
    # The core, for everything that a reader understands.
    "api": Room("conventions tables reading metrics judged policy comparison evaluate explain", packages="pandas"),
    "charts": Room("wording style evidence policy comparison explain inspect verdict", packages="numpy plotly"),
    "report": Room(
        "arrow strings version shown conventions wording style tables intake metrics judged evidence policy "
        "comparison explain inspect edits verdict charts",
        packages="numpy pyarrow plotly jinja2",
    ),
    "rankdash": Room(
        "version conventions tables reading metrics judged evidence policy comparison evaluate explain verdict api "
        "report"
    ),
    "cli": Room("resources needed rankdash"),
    "__main__": Room(
        "needed serve "
        "conventions wording style tables reading metrics evidence policy comparison evaluate explain verdict "
        "rankdash edits report cli"
    ),
    "dashboard": Room(
        "resources needed "
        "conventions wording style tables reading intake metrics evidence policy comparison evaluate explain "
        "inspect edits typed verdict rankdash charts report",
        packages="numpy pyarrow pandas streamlit plotly",
    ),
}

# Rooms within rooms, in the order in which data flows: each sees only those that stand before it in its line.
FLOORS: dict[str, str] = {
    "evidence": "distributions power signflips paired multiple influence bootstrap experts expertise votes documents",
    "verdict": "records rules caveats outcome evidence sensitivity remaining fragility robustness decide",
    "reading": "source values columns text binary json tables formats readers recognise",
    "dashboard": "kit demo session parts new frame pages",
}
#: Modules of one folder, ``__init__.py`` aside: what needs more asks for rooms.
MOST_MODULES = 12


@dataclass(frozen=True)
class Import:
    """One module imported somewhere in one file."""

    file: Path
    line: int
    module: str
    at_the_top: bool

    @property
    def room(self) -> str | None:
        """The room of ours that is imported, or None."""
        first, _, rest = self.module.partition(".")
        if first != "rankdash":
            return None
        name = rest.split(".")[0]
        is_a_room = bool(name) and ((PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir())
        return name if is_a_room else "rankdash"

    @property
    def package(self) -> str | None:
        """The package that is imported if it is neither ours nor Python's, or None."""
        first = self.module.split(".")[0]
        return None if first == "rankdash" or first in sys.stdlib_module_names else first

    def is_of(self, package: str) -> bool:
        """Whether a package or module, or something in it, is imported."""
        return self.module == package or self.module.startswith(f"{package}.")

    def __str__(self) -> str:
        """Where, and what."""
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def modules_named(node: ast.AST) -> list[str]:
    """The modules that one node of the source imports; of `from a import b` both a and a.b, for b may be a module."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), names=names):
            return [f"{module}.{alias.name}" for alias in names]
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(module)), *_],
        ):
            return [module]
    return []


def is_type_checking(node: ast.AST) -> bool:
    """Whether a node is `if TYPE_CHECKING:`, whose body never runs."""
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def imports_below(node: ast.AST, file: Path, at_the_top: bool) -> Iterator[Import]:
    """Every import below a node; those in functions and under TYPE_CHECKING do not run at the top."""
    for child in ast.iter_child_nodes(node):
        for module in modules_named(child):
            yield Import(file, child.lineno, module, at_the_top)
        runs_later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_type_checking(child)
        yield from imports_below(child, file, at_the_top and not runs_later)


def imports_of(file: Path) -> list[Import]:
    """Every import in a file."""
    return list(imports_below(ast.parse(file.read_bytes()), file, at_the_top=True))


def room_of(file: Path) -> str:
    """The room that a file of the package belongs to."""
    name = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "rankdash" if name == "__init__" else name


FILES = sorted(PACKAGE.rglob("*.py"))
SOURCES = [APP, *FILES]
IMPORTS = [found for file in FILES for found in imports_of(file)]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


def on_floor(module: str, floor: str) -> str | None:
    """The room within a room that a module of ours lies in; None where it lies elsewhere, or is the room's entrance."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["rankdash", floor] and len(parts) > 2 else None


def seen_too_early(floor: str, imports: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of (importing module, imported module) on one floor those that run against the order of FLOORS."""
    order = FLOORS[floor].split()
    return [
        (by, seen)
        for by, seen in imports
        if (room := on_floor(by, floor)) and (other := on_floor(seen, floor)) and other in order
        if order.index(other) > order.index(room)
    ]


def module_of(file: Path) -> str:
    """The dotted name of a file of the package."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def circles(arrows: dict[str, set[str]]) -> set[str]:
    """The modules that no order of imports can begin with: what stands in a circle, or behind one."""
    left = dict(arrows)
    while ready := [name for name, seen in left.items() if not seen & left.keys()]:
        for name in ready:
            del left[name]
    return set(left)


def told(wrong: list[Import]) -> list[str]:
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
    wrong = [
        found
        for found in IMPORTS
        if found.room and found.room != room_of(found.file) and found.room not in ROOMS[room_of(found.file)].all_rooms
    ]
    assert not told(wrong)


@pytest.mark.parametrize("floor", FLOORS)
def test_rooms_within_a_room_see_one_way(floor: str) -> None:
    """Within a room every module and every room stands in FLOORS, and imports only what stands before it."""
    folder = PACKAGE / floor
    inside = {entry.stem for entry in folder.iterdir() if entry.suffix == ".py" or (entry / "__init__.py").exists()}
    assert inside - {"__init__"} == set(FLOORS[floor].split())
    assert not seen_too_early(floor, [(module_of(found.file), found.module) for found in IMPORTS])


def test_an_arrow_that_runs_back_is_seen() -> None:
    """The wall within a room can fail: a module of an earlier room that imports a later one is named."""
    back = ("rankdash.reading.source.blocks", "rankdash.reading.text.trec")
    assert seen_too_early("reading", [back, back[::-1]]) == [back]
    assert circles({"a": {"b"}, "b": {"a"}, "c": set()}) == {"a", "b"}


def test_no_module_stands_in_a_circle() -> None:
    """No module of the package imports itself by way of others, types included."""
    names = {module_of(file): file for file in FILES}
    arrows: dict[str, set[str]] = {name: set() for name in names}
    for found in IMPORTS:
        name = module_of(found.file)
        is_entrance = name.startswith(f"{found.module}.")  # `from rankdash.a import b` in rankdash.a.c is about b
        if found.module in names and found.module != name and not is_entrance:
            arrows[name].add(found.module)
    assert not circles(arrows)


def test_no_folder_holds_more_modules_than_a_reader_can_hold() -> None:
    """No folder of the package has more than MOST_MODULES modules."""
    held: dict[Path, int] = {}
    for file in FILES:
        held[file.parent] = held.get(file.parent, 0) + (not file.name.startswith("__"))
    assert {str(folder.relative_to(ROOT)): n for folder, n in held.items() if n > MOST_MODULES} == {}


def test_no_room_uses_a_package_that_it_may_not() -> None:
    """Every import of a package that is not ours is one that ROOMS allows."""
    wrong = [
        found for found in IMPORTS if found.package and found.package not in ROOMS[room_of(found.file)].all_packages
    ]
    assert not told(wrong)


def test_streamlit_stays_in_the_app_and_the_dashboard() -> None:
    """Only app.py and rankdash/dashboard/ import streamlit."""
    assert {room_of(found.file) for found in IMPORTS if found.package == "streamlit"} <= {"dashboard"}


def test_plotly_stays_where_figures_are_made_and_shown() -> None:
    """Only charts/, report/ and dashboard/ import plotly."""
    assert {room_of(found.file) for found in IMPORTS if found.package == "plotly"} <= {"charts", "report", "dashboard"}


def test_metrics_see_arrays_and_nothing_else() -> None:
    """metrics/ imports only numpy, Python itself, its own files, the conventions and how names are spelled."""
    seen = {found.room or found.package for found in IMPORTS if room_of(found.file) == "metrics"}
    assert seen <= {"metrics", "conventions", "strings", "numpy", None}


@pytest.mark.parametrize("room", ["verdict", "policy"])
def test_the_verdict_sees_numbers_and_never_tables(room: str) -> None:
    """verdict.py and policy.py import neither tables nor readers nor what tables are made of."""
    seen = {found.room or found.package for found in IMPORTS if room_of(found.file) == room}
    assert seen.isdisjoint({"tables", "reading", "arrow", "judged", "pyarrow", "pandas"})


def test_reading_knows_nothing_of_what_is_done_with_a_table() -> None:
    """reading/ imports only tables and the helpers for Arrow columns, formulas and misspelled names."""
    assert {found.room for found in IMPORTS if room_of(found.file) == "reading"} <= {
        "reading",
        "tables",
        "arrow",
        "strings",
        None,
    }


def test_slow_packages_are_loaded_only_when_they_are_needed() -> None:
    """Outside charts and the dashboard, pandas, plotly, scipy.stats and streamlit are imported in functions only."""
    wrong = [
        found
        for found in IMPORTS
        if found.at_the_top and room_of(found.file) not in {"charts", "dashboard"} and any(map(found.is_of, SLOW))
    ]
    assert not told(wrong)


def test_app_is_page_config_and_navigation_only() -> None:
    """app.py imports streamlit and the dashboard, and nothing that computes."""
    seen = {found.room or found.package for found in imports_of(APP)}
    assert seen <= {"streamlit", "dashboard", "style", None}


@pytest.mark.parametrize(
    "forbidden",
    [r"unsafe_allow_html", r"\bst\.html\((?!SHEET\))", r"\bpickle\b", r"(?<!\.)\beval\(", r"(?<!\.)\bexec\("],
)
def test_nothing_in_the_package_trusts_text_from_files(forbidden: str) -> None:
    """Neither app.py nor the package shows raw HTML, unpickles or runs text as code."""
    wrong = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in SOURCES
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        if re.search(forbidden, line)
    ]
    assert not wrong


def test_normal_forms_are_made_in_one_place() -> None:
    """Unicode's normal forms take the square of a text's marks where nothing bounds it: one module alone makes them."""
    callers = [file for file in SOURCES if re.search(r"unicodedata\.normalize|utf8_normalize", file.read_text("utf-8"))]
    assert [str(file.relative_to(PACKAGE)) for file in callers] == ["strings/normalforms.py"]


def test_the_only_raw_style_is_one_file_without_data() -> None:
    """st.html is called once, with the style sheet of the package, which loads nothing from anywhere."""
    callers = [file for file in SOURCES if re.search(r"\bst\.html\(", file.read_text("utf-8"))]
    assert [str(file.relative_to(PACKAGE)) for file in callers] == ["dashboard/kit/stylesheet.py"]
    assert re.search(r'^SHEET = Path\(__file__\).* "page\.css"$', callers[0].read_text("utf-8"), re.MULTILINE)
    sheet = (PACKAGE / "style" / "page.css").read_text("utf-8")
    assert not re.search(r"url\(|@import|<|(?<![-\w])content\s*:", sheet)


@pytest.mark.parametrize("file", TESTS, ids=lambda file: str(file.relative_to(ROOT / "tests")))
def test_every_test_says_what_it_promises(file: Path) -> None:
    """Every test has a docstring: one promise in plain words."""
    silent = [
        node.name
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and not ast.get_docstring(node)
    ]
    assert not silent


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


def test_import_rankdash_is_light(tmp_path: Path) -> None:
    """`import rankdash` loads neither pandas nor plotly nor scipy.stats nor streamlit."""
    loaded = modules_loaded_by("-c", "import rankdash", folder=tmp_path)
    assert "rankdash" in loaded
    assert not loaded & set(SLOW)


def test_the_command_line_is_light(tmp_path: Path) -> None:
    """Reading and comparing two small CSV files loads neither pandas nor plotly nor scipy.stats nor streamlit."""
    (tmp_path / "a.csv").write_text("query_id,doc_id,rank\nq1,d1,1\nq1,d2,2\nq2,d1,1\nq2,d3,2\n", "utf-8")
    (tmp_path / "b.csv").write_text("query_id,doc_id,rank\nq1,d2,1\nq1,d1,2\nq2,d3,1\nq2,d1,2\n", "utf-8")
    (tmp_path / "q.csv").write_text("query_id,doc_id,relevance\nq1,d2,2\nq1,d1,0\nq2,d1,1\nq2,d3,0\n", "utf-8")
    loaded = modules_loaded_by("-m", "rankdash", "compare", "a.csv", "b.csv", "--judgments", "q.csv", folder=tmp_path)
    assert "rankdash.comparison" in loaded
    assert not loaded & set(SLOW)
