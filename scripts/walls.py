"""The walls of the house: who may import whom, and the imports there are, read from the source.

A new room is added to ROOMS, with what it may see; a room within a room to FLOORS. scripts/house.py counts them, and
tests/project/test_architecture.py checks them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "rankdash"


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
    "installation": Room(),
    # What frozen records share: methods, attributes computed late, and forms.
    "records": Room("installation", packages="pandas"),
    "notes": Room("records"),
    "arrow": Room("records", packages="numpy pyarrow"),
    # Files that are whole or not there, and a process with limits.
    "system": Room(packages="pyarrow"),
    # Addresses without secrets, what a misspelled name was meant to be, normal forms of text.
    "strings": Room(),
    "conventions": Room("records strings"),
    "tables": Room("notes arrow records", packages="pandas pyarrow"),
    "reading": Room("records notes arrow system strings tables", packages="numpy pyarrow python_calamine"),
    "wording": Room("records notes"),
    "mistakes": Room("records notes arrow strings tables reading wording", packages="numpy pyarrow"),
    "intake": Room("records notes arrow tables reading", packages="pyarrow"),
    "metrics": Room("strings records conventions", packages="numpy"),
    "style": Room("records"),
    "judged": Room("notes arrow records conventions tables metrics", packages="numpy pyarrow"),
    "evidence": Room("records", packages="numpy"),
    "policy": Room("strings records conventions metrics"),
    # Lists -> the per-query table -> a comparison.
    "scoring": Room(
        "notes arrow system strings records conventions tables reading mistakes metrics judged evidence policy",
        packages="numpy pandas pyarrow",
    ),
    "evaluate": Room(
        "records notes arrow conventions tables mistakes metrics wording judged scoring",
        packages="numpy pyarrow",
    ),
    "edits": Room("records notes arrow conventions tables judged scoring", packages="numpy pyarrow"),
    # What is compared, in one record, and the one way from it to a comparison.
    "case": Room("arrow records tables metrics judged policy scoring edits", packages="numpy pyarrow"),
    # What a person looks at, apart from what decides: numbers for the screen are made here, not on pages.
    "inspect": Room(
        "records notes arrow conventions tables reading metrics judged evidence scoring",
        packages="numpy pyarrow",
    ),
    "verdict": Room("records metrics wording evidence policy scoring", packages="numpy"),
    "candidates": Room("records tables scoring verdict", packages="pandas"),
    # Comparisons that last. Nothing that `import rankdash` loads imports it.
    "store": Room(
        "notes arrow installation system strings records tables wording judged policy scoring edits case verdict",
        packages="pyarrow sqlalchemy",
    ),
    "report": Room(
        "notes arrow installation strings records conventions tables mistakes metrics wording style "
        "evidence policy scoring edits case inspect verdict candidates store",
        packages="jinja2 markupsafe numpy pyarrow",
    ),
    # For pages and notebooks; what is shared with the static report comes from there.
    "charts": Room("records metrics wording style policy scoring inspect report", packages="numpy plotly"),
    "api": Room(
        "installation system records conventions tables reading mistakes intake metrics style judged policy scoring "
        "evaluate case inspect verdict candidates store report",
        packages="pandas pyarrow",
    ),
    "rankdash": Room(
        "installation records conventions tables reading metrics policy scoring inspect verdict candidates api",
    ),
    # What comes from a browser is read in a process with limits.
    "sandbox": Room("records notes system tables reading intake", packages="pyarrow"),
    "cli": Room(
        "records notes installation system strings tables reading mistakes intake wording policy scoring "
        "evaluate case candidates store report rankdash",
    ),
    "__main__": Room("installation report cli"),
    "dashboard": Room(
        "notes arrow installation system strings records conventions tables reading mistakes intake "
        "metrics wording style evidence policy scoring edits case inspect verdict candidates store report "
        "charts api sandbox",
        packages="numpy pandas plotly pyarrow starlette streamlit",
    ),
}

# Rooms within rooms, in the order in which data flows: each sees only those that stand before it in its line.
FLOORS: dict[str, str] = {
    "dashboard": "navigation host results kit demo session parts shell pages",
}


@dataclass(frozen=True)
class Ceiling:
    """The most that a figure may be, which a test holds, and what it is to come down to. ``most`` only ever falls."""

    most: float
    aim: float


#: Code lines of each room, or of several rooms together; "the rest" are the modules that stand in no room.
BUDGETS: dict[str, Ceiling] = {
    "reading intake mistakes": Ceiling(5_490, 4_450),
    "metrics": Ceiling(1_862, 1_500),
    "judged": Ceiling(724, 650),
    "scoring": Ceiling(2_355, 2_200),
    "evidence": Ceiling(1_050, 1_050),
    "policy": Ceiling(456, 430),
    "verdict": Ceiling(2_433, 2_200),
    "case edits": Ceiling(685, 650),
    "inspect": Ceiling(899, 850),
    "store": Ceiling(1_750, 1_750),
    "report": Ceiling(2_352, 1_750),
    "charts": Ceiling(600, 600),
    "cli": Ceiling(1_231, 1_200),
    "sandbox": Ceiling(360, 360),
    "style": Ceiling(1_300, 1_300),
    "dashboard": Ceiling(5_000, 5_000),
    "the rest": Ceiling(2_079, 1_700),
}
#: The whole. What is built needs another room to give way, or a decision that says what it is worth.
WHOLE: dict[str, Ceiling] = {
    "code lines": Ceiling(30_321, 28_000),
    "statements": Ceiling(24_204, 22_000),
    "modules": Ceiling(175, 175),
    "tokens": Ceiling(344_485, 295_000),
    "tokens a code line": Ceiling(11.4, 10.8),
    "import lines, %": Ceiling(8.3, 7),
    "code lines of tests": Ceiling(26_690, 25_000),
    "lines of benchmarks": Ceiling(4_500, 4_500),
    "lines of scripts": Ceiling(1_200, 1_200),
    "private parts of other packages": Ceiling(3, 3),
    "modules in circles": Ceiling(0, 0),
    "imports that run back": Ceiling(0, 0),
    "crowded folders and long modules": Ceiling(0, 0),
}
#: Modules of one folder, ``__init__.py`` aside: what needs more asks for rooms.
MOST_MODULES = 20
#: Lines of one module.
MOST_LINES = 700
#: Modules directly in rankdash/, ``__init__.py`` and ``__main__.py`` among them: what they are about needs no room.
MOST_LOOSE = 18
#: What makes a comparison, of joined runs and of votes; ``case.compared`` chooses between them.
MAKERS = {f"rankdash.scoring.{name}" for name in ("compare_joined", "compare_votes")}


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
        """Return whether a package or module, or something in it, is imported."""
        return self.module == package or self.module.startswith(f"{package}.")

    def __str__(self) -> str:
        """Say where, and what."""
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


#: What a file holds that imports a module by a call.
CALLED = re.compile(rb"__import__|import_module")


def modules_named(node: ast.AST) -> list[str]:
    """Return the modules that one node of the source imports; of `from a import b` a.b, for b may be one."""
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
    """Return whether a node is `if TYPE_CHECKING:`, whose body never runs."""
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def imports_below(node: ast.AST, file: Path, at_the_top: bool, calls: bool = True) -> Iterator[Import]:
    """Yield every import below a node; those in functions and under TYPE_CHECKING do not run at the top.

    Without ``calls`` expressions are passed over: a call alone can be an import there, and they are most of a file.
    """
    for child in ast.iter_child_nodes(node):
        if not calls and isinstance(child, ast.expr):
            continue
        for module in modules_named(child):
            yield Import(file, child.lineno, module, at_the_top)
        runs_later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_type_checking(child)
        yield from imports_below(child, file, at_the_top and not runs_later, calls)


def imports_of(file: Path) -> list[Import]:
    """Return every import in a file."""
    source = file.read_bytes()
    return list(imports_below(ast.parse(source), file, at_the_top=True, calls=bool(CALLED.search(source))))


def room_of(file: Path) -> str:
    """Return the room that a file of the package belongs to."""
    name = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "rankdash" if name == "__init__" else name


FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def all_imports() -> list[Import]:
    """Return every import in the package, read once and by those that ask."""
    return [found for file in FILES for found in imports_of(file)]


def on_floor(module: str, floor: str) -> str | None:
    """Return the room within a room that a module of ours lies in; None where it lies elsewhere, or is the room's
    entrance.
    """
    parts = module.split(".")
    return parts[2] if parts[:2] == ["rankdash", floor] and len(parts) > 2 else None


def module_of(file: Path) -> str:
    """Return the dotted name of a file of the package."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def circles(arrows: dict[str, set[str]]) -> set[str]:
    """Return the modules that stand in a circle of imports, or between two circles."""
    left = dict(arrows)
    while outside := [
        name for name, seen in left.items() if not seen & left.keys() or not any(name in left[by] for by in left)
    ]:
        for name in outside:
            del left[name]
    return set(left)


def arrows() -> dict[str, set[str]]:
    """Return the modules of the package, each with those of them that it imports, types included."""
    names = {module_of(file) for file in FILES}
    seen: dict[str, set[str]] = {name: set() for name in names}
    for found in all_imports():
        holder = found.module.rpartition(".")[0]  # what is imported is a module, or a name in one
        module = found.module if found.module in names else holder
        seen[module_of(found.file)] |= {module} & names - {module_of(found.file)}
    return seen


def forbidden_imports() -> list[Import]:
    """Return the imports of one of our rooms that ROOMS does not allow."""
    return [
        found
        for found in all_imports()
        if found.room and found.room != room_of(found.file) and found.room not in ROOMS[room_of(found.file)].all_rooms
    ]


def unused_grants() -> list[str]:
    """Return what a room may import, and no file of it does: a room or a package, each as "room: name"."""
    used = {room: Counter[str | None]() for room in ROOMS}
    for found in all_imports():
        used[room_of(found.file)].update((found.room, found.package))
    return [
        f"{name}: {grant}"
        for name, room in ROOMS.items()
        for grant in sorted((room.all_rooms | room.all_packages) - used[name].keys())
    ]


def backward_imports(floor: str) -> list[tuple[str, str]]:
    """Return the (importing module, imported module) on one floor that run against the order of FLOORS."""
    order = FLOORS[floor].split()
    imports = ((module_of(found.file), found.module) for found in all_imports())
    return [
        (by, seen)
        for by, seen in imports
        if (room := on_floor(by, floor)) and (other := on_floor(seen, floor)) and other in order
        if order.index(other) > order.index(room)
    ]


def comparing_modules() -> set[str]:
    """Return the modules outside of `scoring/` that make a comparison, as far as their imports tell."""
    makers = (found for found in all_imports() if found.module in MAKERS)
    return {module_of(found.file) for found in makers if room_of(found.file) != "scoring"}


def long_modules() -> dict[str, int]:
    """Return the modules with more than MOST_LINES lines, and how many each has."""
    lines = {file: len(file.read_text("utf-8").splitlines()) for file in FILES}
    return {module_of(file): n for file, n in lines.items() if n > MOST_LINES}


def loose_modules() -> list[str]:
    """Return the modules that stand in no folder of the package."""
    return [file.stem for file in FILES if file.parent == PACKAGE]


def crowded_folders() -> dict[str, int]:
    """Return the folders of the package with more than MOST_MODULES modules, and how many each has."""
    modules = Counter(file.parent for file in FILES if not file.name.startswith("__"))
    return {str(folder.relative_to(ROOT)): n for folder, n in modules.items() if n > MOST_MODULES}
