"""Make the page of the public API from the docstrings, for scripts/docs.py.

The source is read, not run (griffe), so what stands there is what an editor shows.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from textwrap import dedent

from griffe import Alias, Attribute, Class, ExprCall, Function, Module, Object, Parameter, ParameterKind, visit

import rankdash
from rankdash.policy import PolicyField, Topic

ROOT = Path(__file__).parents[1]
_LONGEST = 100
_SECTION = re.compile(r"^(Parameters|Returns|Raises)\n-+\n(.*?)(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
_STARS = {ParameterKind.var_positional: "*", ParameterKind.var_keyword: "**"}


@cache
def module(name: str) -> Module:
    """Return a module of the package, read from its source."""
    path = ROOT.joinpath(*name.split("."))
    file = next(own for own in (path / "__init__.py", path.with_suffix(".py")) if own.exists())
    return visit(name, file, file.read_text("utf-8"))


def definition(path: str) -> Object:
    """Return what a dotted path means, where it is defined: imports are followed."""
    holder, _, name = path.rpartition(".")
    found = module(holder).members[name]
    return definition(found.target_path) if isinstance(found, Alias) else found


def public() -> dict[str, Object]:
    """Name -> definition, in the order of ``rankdash.__all__``."""
    return {name: definition(f"rankdash.{name}") for name in rankdash.__all__}


def kind(found: Object) -> str:
    """Return the section that a definition stands in."""
    if not isinstance(found, Class):
        return "Functions" if isinstance(found, Function) else "Constants"
    return "Errors" if found.name.endswith("Error") or found.name == "NotComputed" else "Records"


def parameter(about: Parameter) -> str:
    """Return one parameter as in the source."""
    text = _STARS.get(about.kind, "") + about.name
    text += f": {about.annotation}" if about.annotation else ""
    is_given = about.default is None or about.kind in _STARS
    return text if is_given else f"{text} = {about.default}" if about.annotation else f"{text}={about.default}"


def signature(function: Function) -> str:
    """Return how a function is called, one parameter on each line where one line is too long."""
    written: list[str] = []
    for about in function.parameters:
        if about.name in ("self", "cls"):
            continue
        if about.kind is ParameterKind.keyword_only and "*" not in [text[:1] for text in written]:
            written.append("*")
        written.append(parameter(about))
    returns = f" -> {function.returns}" if function.returns else ""
    line = f"{function.name}({', '.join(written)}){returns}"
    if len(line) <= _LONGEST:
        return line
    return f"{function.name}(\n" + "".join(f"    {text},\n" for text in written) + f"){returns}"


def text_of(found: Object) -> str:
    """Return a docstring as Markdown: names between single backticks, tables of parameters and examples as blocks."""
    if found.docstring is None:
        return ""
    text = _SECTION.sub(r"**\1**\n\n```text\n\2\n```", found.docstring.value)
    text = re.sub(r"(?<!`)``([^`]+)``(?!`)", r"`\1`", text)
    return re.sub(r"(?ms)^>>> .*?(?=\n\n|\Z)", lambda example: f"```py\n{example[0]}\n```", text)


def code(text: str) -> str:
    """Return a block of Python."""
    return f"```py\n{text}\n```"


def kinds(found: Object) -> set[str]:
    """Return the labels of an attribute that tell whether it is a property, or set on instances alone without being
    declared.
    """
    labels = {label.removesuffix("-attribute") for label in found.labels}
    return labels - {"instance"} if getattr(found, "annotation", None) or "class" in labels else labels


def members(found: Class) -> Iterator[str]:
    """Yield the fields of a record as they are declared, then its properties and methods with their docstrings."""
    own = [one for name, one in found.members.items() if not name.startswith("_") and not one.is_alias]
    declared = [source(one) for one in own if isinstance(one, Attribute) and not {"property", "instance"} & kinds(one)]
    if declared:
        yield code("\n".join(declared))
    for one in own:
        if isinstance(one, Function) and any(str(about.value) == "cached_property" for about in one.decorators):
            yield f"#### `{found.name}.{one.name}`\n\n{code(f'{one.name}: {one.returns}')}\n\n{text_of(one)}"
        elif isinstance(one, Function):
            yield f"#### `{found.name}.{one.name}`\n\n{code(signature(one))}\n\n{text_of(one)}"
        elif "property" in kinds(one):
            yield f"#### `{found.name}.{one.name}`\n\n{code(f'{one.name}: {one.annotation}')}\n\n{text_of(one)}"


def entry(name: str, found: Object) -> str:
    """Return the part of the reference about one name."""
    parts = [f"### `{name}`"]
    if isinstance(found, Function):
        parts += [code(signature(found)), text_of(found)]
    elif isinstance(found, Class):
        bases = ", ".join(map(str, found.bases))
        parts += [code(f"class {name}({bases})" if bases else f"class {name}"), text_of(found), *members(found)]
    else:
        parts += [code(f"{name}: {found.annotation}" if isinstance(found, Attribute) and found.annotation else name)]
        parts += [comment(found)]
    return "\n\n".join(part for part in parts if part)


def lines_of(found: Object) -> list[str]:
    """Return the lines of the file that something is defined in."""
    return Path(str(found.filepath)).read_text("utf-8").splitlines()


def source(found: Object) -> str:
    """Return a declaration as it stands in the source, with the remark behind it; of a field with a row, its
    meaning.
    """
    value = getattr(found, "value", None)
    if isinstance(found, Attribute) and isinstance(value, ExprCall) and str(value.function) == "row":
        default, *_, meaning = value.arguments
        line = PolicyField(None, "", Topic.DECIDES, literal_eval(str(meaning))).line()
        return f"# {line}\n{found.name}: {found.annotation} = {default}".replace("'", '"')
    return dedent("\n".join(lines_of(found)[(found.lineno or 1) - 1 : found.endlineno]))


def comment(found: Object) -> str:
    """Return what the lines above a constant say of it."""
    above = lines_of(found)[: (found.lineno or 1) - 1]
    said = [*takewhile(lambda line: line.startswith("#: "), reversed(above))]
    return " ".join(line.removeprefix("#: ") for line in reversed(said)).replace("``", "`")


def reference() -> str:
    """Return the whole page, below its title."""
    names = public()
    sections = ("Functions", "Records", "Errors", "Constants")
    parts: list[str] = []
    for section in sections:
        entries = [entry(name, found) for name, found in names.items() if kind(found) == section]
        parts += [f"## {section}", *entries]
    return "\n\n".join(parts) + "\n"
