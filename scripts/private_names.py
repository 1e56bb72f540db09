"""What the package uses of other packages that they do not promise: one list, each with its reason.

``tests/project/test_private_names.py`` reads the source for such uses, and has a test for each entry that fails first
when that package changes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.walls import FILES, PACKAGE, ROOT


@dataclass(frozen=True)
class Private:
    """What files use of a package that it does not promise, by file, and why there is no other way."""

    uses: Mapping[str, frozenset[str]]
    why: str


#: At most three. What is added here gets a test of its own.
PRIVATE = (
    Private(
        {"dashboard/kit/browser_history.py": frozenset({"streamlit.runtime.scriptrunner"})},
        "One step back leads to the filters that were left, in one step: by what Streamlit promises, each filter that "
        "is changed would be a step in the history of its own, or the parameters of a link would be lost.",
    ),
    Private(
        {
            "reading/text.py": frozenset({"'straddling' in the words of an error"}),
            "reading/workbook.py": frozenset({"'assword' in the words of an error"}),
        },
        "Errors have no types of their own: of Arrow that a line is longer than a block, of calamine that a workbook "
        "has a password.",
    ),
    Private(
        {"dashboard/host.py": frozenset({"__streamlit"})},
        "A page that is opened by its address looks for its server below that address, unless it is told where it is: "
        "two errors in the console of everybody who follows a link.",
    ),
)
#: Modules of other packages that are documented, though they are none of the names at the top.
DOCUMENTED = frozenset({"streamlit.errors", "streamlit.delta_generator", "streamlit.testing.v1"})
#: Names with an underscore that are documented: of rows of SQLAlchemy, named tuples, and the system.
WITH_UNDERSCORE = frozenset({"_mapping", "_fields", "_exit"})
#: Names without one that are not.
UNDOCUMENTED = frozenset({"scan_once", "scanstring", "__streamlit"})


def uses(source: str) -> Iterator[str]:
    """Yield what a file uses of other packages that they do not promise.

    >>> [*uses("import a\\na.b = 1\\na._c()\\nfrom streamlit.runtime import x\\nif 'no' in str(error): pass")]
    ['a.b is replaced', '_c', 'streamlit.runtime', "'no' in the words of an error"]
    """
    tree = ast.parse(source)
    modules = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    own = set(_own_names(tree))
    found = [(node, said) for node in ast.walk(tree) for said in _said(node, modules, own)]
    yield from dict.fromkeys(said for _, said in sorted(found, key=lambda one: getattr(one[0], "lineno", 0)))


def _said(node: ast.AST, modules: set[str], own: set[str]) -> Iterator[str]:
    """Yield what one node of the source uses; ``modules`` are imported there, ``own`` names of the file itself."""
    match node:
        case ast.ImportFrom() | ast.Import():
            yield from _imported(node)
        case ast.Attribute(attr=attr) | ast.Constant(value=str(attr)) if attr in UNDOCUMENTED:
            yield attr
        case (
            ast.Attribute(attr=attr)
            | ast.Call(func=ast.Name(id="getattr" | "setattr" | "hasattr"), args=[_, ast.Constant(value=str(attr)), *_])
        ) if _has_underscore(attr) and attr not in own | WITH_UNDERSCORE:
            yield attr
        case ast.Compare(left=ast.Constant(value=str(word)), ops=[ast.In() | ast.NotIn()], comparators=[words]):
            if "error" in ast.unparse(words):
                yield f"{word!r} in the words of an error"
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)]) if name in modules - {"sys"}:
            yield f"{name}.{attr} is replaced"


def _imported(node: ast.ImportFrom | ast.Import) -> Iterator[str]:
    """Yield the private modules and names of an import."""
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.Import):
        yield from filter(_is_private, names)
    elif (module := node.module or "").split(".")[0] not in ("rankdash", "__future__"):
        yield from [module] if _is_private(module) else filter(_has_underscore, names)


def _is_private(module: str) -> bool:
    """Return whether a module is one of Streamlit's inside, or has an underscore."""
    inside = module.startswith("streamlit.") and module not in DOCUMENTED
    return inside or any(_has_underscore(part) for part in module.split("."))


def _has_underscore(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _own_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names with an underscore that a file gives to its own functions, fields and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name


def all_uses() -> dict[str, set[str]]:
    """Return what each file of the package uses that no other package promises, by file."""
    ours = {name for file in FILES for name in _own_names(ast.parse(file.read_bytes()))}
    found = {_name(file): set(uses(file.read_text("utf-8"))) - ours for file in [*FILES, ROOT / "app.py"]}
    return {file: names for file, names in found.items() if names}


def _name(file: Path) -> str:
    return file.relative_to(PACKAGE if PACKAGE in file.parents else ROOT).as_posix()
