"""ARCHITECTURE.md, CONTRIBUTING.md, README.md, SECURITY.md, the glossary, the questions and the decision records speak
of the project as it is; each promise of SECURITY.md has its tests.
"""

import ast
import re
from pathlib import Path

import pytest

from rankdash.reading.source import LIMITS, megabytes
from scripts.walls import ROOMS

ROOT = Path(__file__).parents[2]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
OF_THE_PROJECT = "ARCHITECTURE CONTRIBUTING README SECURITY docs/glossary docs/questions"
DOCUMENTS = [*(ROOT / f"{name}.md" for name in OF_THE_PROJECT.split()), *DECISIONS]
MODULE = re.compile(r"rankdash(\.[a-z_0-9]+)+")
#: What stands for a name that a reader chooses: `tests/NAME.py`.
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b(?!\.md)(?=[./])")


def text_of(document: Path) -> str:
    """A document without its blocks of code."""
    return re.sub(r"(?ms)^```.*?^```", "", document.read_text("utf-8"))


def spans(document: Path) -> list[str]:
    """What stands between single backticks, in one line each."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text_of(document))]


def names_in(source: str) -> set[str]:
    """The functions, classes and constants at the top of a module."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
        names |= {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
        for target in targets:
            names |= {one.id for one in getattr(target, "elts", []) if isinstance(one, ast.Name)}
    return names


def is_path(span: str) -> bool:
    """Whether a span names a file or folder of the project from its top: no blanks, and a slash or an ending."""
    looks = re.fullmatch(r"[\w./-]+(::\w+)?", span) and not PLACEHOLDER.search(span)
    begins = span.startswith(("rankdash/", "tests/", "docs/", "scripts/", "benchmarks/", "data/", "requirements/"))
    return bool(looks) and (begins or bool(re.fullmatch(r"[\w.-]+\.(py|md|txt|toml)(::\w+)?", span)))


def is_there(span: str) -> bool:
    """Whether a path exists, and a name behind `::` at the top of that module."""
    path, _, name = span.partition("::")
    file = ROOT / path
    if "/" not in path and not file.exists():
        file = ROOT / "rankdash" / path
    return file.exists() and (not name or name in names_in(file.read_text("utf-8")))


def module_is_there(name: str) -> bool:
    """Whether a dotted name is a module or folder of the package."""
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_and_name_in_a_document_exists(document: Path) -> None:
    """Every path, `path::name` and module that a document names is in the project."""
    found = spans(document)
    missing = [span for span in found if is_path(span) and not is_there(span)]
    missing += [span for span in found if MODULE.fullmatch(span) and not module_is_there(span)]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_in_a_document_leads_somewhere(document: Path) -> None:
    """Every link to a file or folder of the project leads to one."""
    links = re.findall(r"\]\(([^)#\s]+)", text_of(document))
    assert not [link for link in links if "://" not in link and not (document.parent / link).exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_target_of_make_in_a_document_exists(document: Path) -> None:
    """Every `make target` that a document names is one of the Makefile."""
    named = {found for span in spans(document) for found in re.findall(r"^make ([a-z-]+)", span)}
    assert named <= set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))


def test_every_folder_and_file_of_tests_in_the_makefile_exists() -> None:
    """What `make check`, `make oldest` and `make bench-truth` hand to pytest is there."""
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    named = [path for found in re.findall(r"addprefix tests/,([^)]*)", makefile) for path in found.split()]
    assert named
    assert not [path for path in named if not (ROOT / "tests" / path).exists()]


def test_every_room_has_its_sentence() -> None:
    """ARCHITECTURE.md links to every room that the walls know."""
    links = {link.rstrip("/") for link in re.findall(r"\]\(([^)]+)\)", text_of(DOCUMENTS[0]))}
    rooms = {room: {f"rankdash/{room}", f"rankdash/{room}.py"} for room in ROOMS}
    rooms["rankdash"] = {"rankdash/__init__.py"}
    existing = {room for room, paths in rooms.items() if any((ROOT / path).exists() for path in paths)}
    assert not [room for room in existing if not rooms[room] & links]


TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
PROMISES = re.findall(r"^- (.*?)(?=\n\n|\n- )", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise[:40])
def test_each_promise_has_its_tests(promise: str) -> None:
    """Behind each promise stand tests that exist under these names."""
    assert len(PROMISES) >= 12
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", promise)
    assert named
    for file, name in named:
        functions = {node.name for node in ast.walk(ast.parse((ROOT / file).read_bytes())) if hasattr(node, "name")}
        assert name in functions


def test_the_limits_are_those_in_force() -> None:
    """Every limit that is named is the one that the readers have."""
    sizes = [megabytes(size) for size in (LIMITS.unpacked, LIMITS.upload, LIMITS.line, LIMITS.memory)]
    for figure in (*sizes, f"{LIMITS.rows:,} rows", f"{LIMITS.columns:,} columns", f"{LIMITS.ratio} times"):
        assert figure in " ".join(TEXT.split())
    assert f"{LIMITS.seconds} seconds" in TEXT
